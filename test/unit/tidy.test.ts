// Housekeeping rules, held by tests instead of reviews.
import { expect, test } from "bun:test";
import { filesIn, read } from "./source.ts";

const product = filesIn("src", "channels", "db", "islands");
const tests = filesIn("test", "dev");
const all = [...product, ...tests];

/** The matching lines of the files, with their numbers. */
async function linesThat(files: string[], matches: (line: string, path: string) => boolean): Promise<string[]> {
  const found = await Promise.all(
    files.map(async (path) =>
      (await read(path))
        .split("\n")
        .flatMap((line, i) => (matches(line, path) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    ),
  );
  return found.flat();
}

test("a file has at most 600 lines", async () => {
  const tooLong = await Promise.all(
    product.map(async (path) => {
      const lines = (await read(path)).trimEnd().split("\n").length;
      return lines > 600 ? `${path} has ${lines} lines` : null;
    }),
  );
  expect(tooLong.filter(Boolean)).toEqual([]);
});

test("a function has at most 70 lines, to fit on a screen", async () => {
  const tooLong = await Promise.all(product.map(async (path) => longFunctions(path, await read(path))));
  expect(tooLong.flat()).toEqual([]);
});

/** The length of functions declared at the left margin, as ours are, up to their closing brace. */
function longFunctions(path: string, source: string): string[] {
  const lines = source.split("\n");
  return lines.flatMap((line, start) => {
    const name = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
    if (!name) return [];
    const length = lines.slice(start).indexOf("}") + 1;
    return length > 70 ? [`${path}: ${name} has ${length} lines`] : [];
  });
}

test("no note is left about work to be done later", async () => {
  // Assembled here, so that this file does not match itself.
  const notes = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "HA" + "CK"].join("|")})\\b`);
  expect(await linesThat(all, (line) => notes.test(line))).toEqual([]);
});

test("no type check is bypassed, and no rule is switched off without a reason", async () => {
  const others = all.filter((path) => path !== "test/unit/tidy.test.ts");
  // The patterns contain what they forbid, so this file is left out.
  const isWavedThrough = (line: string) => /\bas any\b|@ts-(ignore|nocheck|expect-error)/.test(line);
  const isSilent = (line: string) => /biome-ignore/.test(line) && !/biome-ignore \S+: \S+ \S+/.test(line);
  expect(await linesThat(others, (line) => isWavedThrough(line) || isSilent(line))).toEqual([]);
});

test("no test is skipped, and none runs exclusively", async () => {
  const switches = /\b(test|describe|it)\s*\.\s*(only|skip|todo|failing)\b/;
  expect(await linesThat(tests, (line) => switches.test(line))).toEqual([]);
});

test("a file begins with a comment about its purpose", async () => {
  const silent = await Promise.all(
    all.map(async (path) => (/^(#!.*\n)?(\/\/ |\/\*\*)/.test(await read(path)) ? null : path)),
  );
  expect(silent.filter(Boolean)).toEqual([]);
});

test("the head of a file is a noun phrase, which names the thing", async () => {
  const clauses = await Promise.all(
    all.map(async (path) => (/^\/\/ (?:What|Who|Whether|How|Where|When)\b/.test(await read(path)) ? path : null)),
  );
  expect(clauses.filter(Boolean)).toEqual([]);
});

test("money is rounded and formatted only in money.ts", async () => {
  const elsewhere = product.filter((path) => path !== "src/shared/money.ts" && !path.startsWith("dev/seed"));
  expect(await linesThat(elsewhere, (line) => /toFixed\(|parseFloat\(|[pP]esewas\s*[*/]\s*100\b/.test(line))).toEqual(
    [],
  );
});

test("the page that is compared with Next.js imports files of the shop that there are", async () => {
  const page = await Bun.file("test/bench/next/app/orders/page.jsx").text();
  const imported = [...page.matchAll(/"\.\.\/\.\.\/shop\/([^"]+\.tsx?)"/g)].map(([, path]) => path!);
  expect(imported.length).toBeGreaterThan(2);
  for (const path of imported) expect([path, await Bun.file(path).exists()]).toEqual([path, true]);
});
