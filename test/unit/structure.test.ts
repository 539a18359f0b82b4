// Arrows point down: which folder may import which. Doors do not know each other, and the core knows no door.
import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";
import { filesIn, read } from "./source.ts";

/** A folder (its longest prefix counts) and what it may import besides itself and packages. */
const ALLOWED: Record<string, string[]> = {
  "src/shared": [],
  db: ["src/shared"],
  "src/core": ["db", "src/shared"],
  "src/gateways": ["src/core", "src/shared"],
  "src/api": ["src/core", "src/shared", "db"],
  "src/web": ["src/core", "src/shared", "db", "islands"],
  "src/channels": ["src/core", "src/shared", "db"],
  islands: ["src/shared"],
  // The files directly in src put the parts together.
  src: ["src/shared", "src/core", "src/gateways", "src/api", "src/web", "src/channels", "islands", "db"],
};
/** Doors get the type of the database handed in, and nothing else of db. */
const ONLY_TYPES = new Set(["src/api", "src/web", "src/channels"]);
/** The seed is a command of its own, like those directly in src: it makes a shop through the core's functions. */
const isCommand = (file: string) => /^db\/seed[\w-]*\.ts$/.test(file);

type Import = { from: string; to: string; isType: boolean };

test("every import is one that the table of folders allows; imports of types count", async () => {
  const forbidden = (await allImports()).filter(({ from, to, isType }) => {
    const [own, other] = [isCommand(from) ? "src" : folderOf(from), folderOf(to)];
    if (own === other) return false;
    if (other === "db" && ONLY_TYPES.has(own)) return !isType || to !== "db/connect.ts";
    return !ALLOWED[own]!.includes(other);
  });
  expect(forbidden.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("nothing imports a test", async () => {
  expect((await allImports()).filter(({ to }) => to.startsWith("test/"))).toEqual([]);
});

test("a file of our own is imported by its whole name, so that it can be found", async () => {
  const unnamed = (await allImports()).filter(({ to }) => !/\.(tsx?|json|css)$/.test(to));
  expect(unnamed).toEqual([]);
});

test("no two files of the product import each other in a circle of values", async () => {
  const edges = Map.groupBy(
    (await allImports()).filter(({ isType }) => !isType),
    ({ from }) => from,
  );
  const circles: string[] = [];
  const isDone = new Set<string>();
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (isDone.has(file) || path.includes(file)) return;
    for (const { to } of edges.get(file) ?? []) visit(to, [...path, file]);
    isDone.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

test("the reader of imports sees every way of writing one", () => {
  const source = [
    'import a from "./a.ts";',
    'import type { B } from "./b.ts";',
    'import { type C, type D } from "./c.ts";',
    'import { type E, f } from "./e.ts";',
    'export { g } from "./g.ts";',
    'export * from "./h.ts";',
    'const i = await import("./i.ts");',
    'import "./j.ts";',
    'import {\n  k,\n} from "./k.ts";',
    'type L = import("./l.ts").L;',
    '// import m from "./m.ts";',
  ].join("\n");
  expect(importsOf("src/x.ts", source).map(({ to, isType }) => [to.slice(4, 5), isType])).toEqual([
    ["a", false],
    ["b", true],
    ["c", true],
    ["e", false],
    ["g", false],
    ["h", false],
    ["i", false],
    ["j", false],
    ["k", false],
    ["l", false],
  ]);
});

async function allImports(): Promise<Import[]> {
  const files = filesIn("src", "channels", "db", "islands");
  return (await Promise.all(files.map(async (file) => importsOf(file, await read(file))))).flat();
}

function importsOf(file: string, source: string): Import[] {
  const code = source.replace(/^\s*(\/\/|\*|\/\*).*$/gm, "");
  const statement =
    /\b(?:import|export)\s+(type\s+)?((?:[\w$*\s,]|\{[^}]*\})+?)\s+from\s*["'](\.[^"']+)["']|\bimport\s*\(?\s*["'](\.[^"']+)["']/g;
  return [...code.matchAll(statement)].map(([, typeOnly, names = "", named, bare]) => ({
    from: file,
    to: normalize(join(dirname(file), (named ?? bare)!)),
    isType: typeOnly !== undefined || isAllTypes(names),
  }));
}

/** True for `{ type A, type B }`. */
function isAllTypes(names: string): boolean {
  const inside = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
  if (inside === undefined) return false;
  return inside
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean)
    .every((name) => name.startsWith("type "));
}

function folderOf(path: string): string {
  const prefix = Object.keys(ALLOWED)
    .filter((folder) => path.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (!prefix) return path.split("/")[0]!;
  // A folder in src that the table does not know is not allowed to exist unnoticed.
  return prefix === "src" && path.split("/").length > 2 ? path.split("/").slice(0, 2).join("/") : prefix;
}
