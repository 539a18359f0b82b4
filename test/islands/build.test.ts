// Tests of the islands' build: Preact instead of React, names with digests, and sizes.
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { buildIslands } from "../../islands/build.ts";
import { builtForBrowsers } from "../../src/web/built.ts";
import { filesIn, read } from "../unit/source.ts";

const built = await buildIslands();
const sizeOf = (path: string) => built.files.get(path)!.br.length;

const isAdmins = (path: string) => path.startsWith("islands/admin/");

/** The plain islands with their budgets in brotli. The desk loads the admins' controls when they are used. */
const PLAIN: Record<string, number> = {
  Desk: 2_000,
  OrderWatch: 1_000,
  PriceTable: 1_000,
  Palette: 2_300,
  Shortcuts: 250,
  WaitingWatch: 1_000,
};
const isPlain = (name: string) => Object.hasOwn(PLAIN, name);

test("every file directly in islands/, islands/admin/ and islands/plain/ is an island", () => {
  const files = filesIn("islands").filter((path) => /^islands\/([^/]+\.tsx|(admin|plain)\/[^/]+\.ts)$/.test(path));
  expect([...built.islands.keys()].sort()).toEqual([
    "AlertsButton",
    "AppShell",
    "BulkCheck",
    "BulkFix",
    "BulkWatch",
    "CancelButton",
    "CopyText",
    "Counter",
    "Desk",
    "KeepTyped",
    "Modal",
    "OrderWatch",
    "OrdersWatch",
    "Palette",
    "PayerNetwork",
    "PlaceProgress",
    "PricePicture",
    "PriceTable",
    "SalesPlot",
    "SendOnce",
    "Shortcuts",
    "ShowPassword",
    "SubmitButton",
    "WaitingWatch",
  ]);
  expect(built.islands.size).toBe(files.length);
});

test("a plain island is one request within its budget, without Preact", () => {
  for (const [name, { src, deps }] of [...built.islands].filter(([name]) => isPlain(name))) {
    expect([name, deps]).toEqual([name, []]);
    expect(sizeOf(src)).toBeLessThan(PLAIN[name]!);
  }
});

test("file names have a digest, and every file that an island needs exists", () => {
  for (const path of built.files.keys()) expect(path).toMatch(/^\/built\/[a-z-]+-[a-z0-9]{8}\.js$/);
  for (const { src, deps } of built.islands.values())
    for (const path of [src, ...deps]) expect(built.files.has(path)).toBe(true);
});

test("an island takes two requests: its own file and the one that all of them share", () => {
  const shared = new Set([...built.islands.values()].flatMap(({ deps }) => deps));
  expect(shared.size).toBe(1);
});

const atOnce = new Set([...built.islands.values()].flatMap(({ src, deps }) => [src, ...deps]));
const isControls = (path: string) => new TextDecoder().decode(built.files.get(path)!.plain).includes("headlessui");

test("on demand there are what reads lists, three islands' parts, alerts, keys, the palette and a typed search", () => {
  expect(built.files.size - atOnce.size).toBe(8);
});

test("the admins' controls are one file, which no page loads before they are used", () => {
  const [controls, ...others] = [...built.files.keys()].filter(isControls);
  expect(others).toEqual([]);
  expect(atOnce.has(controls!)).toBe(false);
  expect(sizeOf(controls!)).toBeLessThan(60_000);
});

test("a page's keys are one small file, which only computers load", () => {
  const isKeys = (path: string) => new TextDecoder().decode(built.files.get(path)!.plain).includes('"keys-off"');
  const [keys, ...others] = [...built.files.keys()].filter(isKeys);
  expect([others, atOnce.has(keys!)]).toEqual([[], false]);
  expect(sizeOf(keys!)).toBeLessThan(1_500);
});

test("the search of a list as it is typed is one small file, which only who types loads", () => {
  const isSearch = (path: string) =>
    new TextDecoder().decode(built.files.get(path)!.plain).includes("[name=ids]:checked");
  const [search, ...others] = [...built.files.keys()].filter(isSearch);
  expect([others, atOnce.has(search!)]).toEqual([[], false]);
  expect(sizeOf(search!)).toBeLessThan(1_100);
});

test("the same source gives the same files", async () => {
  expect([...(await buildIslands()).files.keys()].sort()).toEqual([...built.files.keys()].sort());
});

test("the compressed files have the same content", () => {
  for (const { plain, br, gzip } of built.files.values()) {
    expect(brotliDecompressSync(br).equals(plain)).toBe(true);
    expect(gunzipSync(gzip).equals(plain)).toBe(true);
  }
});

/**
 * The size limit of an island with all its imports. The counter is the buying page, whose own limit is below. The plot
 * is loaded when visible, on a page of its own.
 */
const BYTES_MAX: Record<string, number> = { Counter: 9_000, SalesPlot: 30_000 };

test("no island is larger in brotli than its budget, which is 8.5 kB by default", () => {
  for (const [name, { src, deps }] of built.islands) {
    const bytes = [src, ...deps].map(sizeOf).reduce((sum, size) => sum + size, 0);
    expect([name, bytes < (BYTES_MAX[name] ?? 8_500)]).toEqual([name, true]);
  }
  expect(built.loader.length).toBeLessThan(1000);
});

test("the buying page's islands together are at most 16 kB in brotli", () => {
  const islands = ["Counter", "SendOnce", "AppShell"].map((name) => built.islands.get(name)!);
  const paths = new Set(islands.flatMap(({ src, deps }) => [src, ...deps]));
  expect([...paths].map(sizeOf).reduce((sum, size) => sum + size, 0)).toBeLessThan(16_000);
});

test("the loader cannot end its own element", () => expect(built.loader).not.toMatch(/<\/|<!--/));

test("no island uses features that differ between React and Preact, or that the policy forbids", async () => {
  const isForbidden = /\buseId\b|\bstyle=\{|dangerouslySetInnerHTML|from "zod"|action=\{/;
  // Events that `preact/compat` would translate, and that agents' islands must not use.
  const isForAdmins = /from "(react-dom|@headlessui\/react)"|\bon(Change|DoubleClick|Focus|\w+Capture)=/;
  for (const path of filesIn("islands")) {
    const source = await read(path);
    expect([path, isForbidden.test(source)]).toEqual([path, false]);
    expect([path, isForAdmins.test(source) && !isAdmins(path)]).toEqual([path, false]);
  }
});

test("a build is kept and reused, replacing all earlier ones; a damaged one is built again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "built-"));
  try {
    writeFileSync(join(folder, "of-another-source.json"), "{}");
    const first = await builtForBrowsers(folder);
    const [kept, ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(await builtForBrowsers(folder)).toEqual(first);
    expect([first.files, first.islands, first.loader]).toEqual([built.files, built.islands, built.loader]);

    writeFileSync(join(folder, kept!), "cut off in the midd");
    expect(await builtForBrowsers(folder)).toEqual(first);
    expect(await builtForBrowsers("/dev/null/cannot-be-written")).toEqual(first);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
