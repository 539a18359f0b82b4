// Tests of the architecture: which folder and which room may import which. Imports point down the floors, entry
// points do not know each other, and the core knows no entry point.
import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";
import { VENDOR_CODES } from "../../src/gateways/vendors/index.ts";
import { ROOMS, roomTable } from "./rooms.ts";
import { filesIn, read } from "./source.ts";

/** A folder (the longest prefix counts) and what it may import apart from itself and packages. */
const ALLOWED: Record<string, string[]> = {
  "src/shared": [],
  db: ["src/shared"],
  "src/core": ["db", "src/shared"],
  "src/gateways": ["src/core", "src/shared"],
  "src/http": ["src/core", "src/shared"],
  "src/telemetry": ["src/core", "src/shared", "db"],
  "src/api": ["src/core", "src/shared", "src/http", "db"],
  "src/web": ["src/core", "src/shared", "src/http", "db", "islands"],
  channels: ["src/core", "src/shared", "src/http", "db"],
  islands: ["src/shared"],
  // It assembles the parts; of dev it opens the simulators and the seed of a development shop or a sandbox.
  "src/app": [
    ...["src/shared", "src/core", "src/gateways", "src/http", "src/telemetry", "db"],
    ...["src/api", "src/web", "channels", "islands", "dev"],
  ],
  // The development shop: simulated providers, which are processes of their own, and what fills a shop.
  dev: ["src/shared", "src/core", "src/gateways", "src/app", "channels", "db"],
};
/** Entry points are given the database, and import only its type from db. */
const ONLY_TYPES = new Set(["src/api", "src/web", "channels", "src/telemetry"]);

test("a room of the core imports only rooms on lower floors; imports of types count", async () => {
  const between = (await allImports())
    .filter(({ from, to }) => from.startsWith("src/core/") && to.startsWith("src/core/"))
    .map(({ from, to }) => ({ from, to, rooms: [roomOf(from), roomOf(to)] as const }));
  const upwards = between.filter(({ rooms: [own, other] }) => own !== other && !(floorOf(own) > floorOf(other)));
  expect(upwards.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

function floorOf(room: string): number {
  return ROOMS[room]![0];
}

test("a room has the same name in the core, the schema and the tests", () => {
  const rooms = Object.keys(ROOMS).sort();
  const roomsIn = (folder: string) => [...new Set(filesIn(folder).map((path) => path.split("/")[2]!))].sort();
  expect(roomsIn("src/core")).toEqual(rooms);
  const known = [...rooms, "index", "columns"];
  // A large room has its tables in parts: catalog.ts and catalog-agents.ts.
  const roomOf = (file: string) => file.replace(/(-[a-z]+)?\.ts$/, "");
  expect(roomsIn("db/schema").filter((file) => !known.includes(roomOf(file)))).toEqual([]);
  expect(roomsIn("test/core").filter((room) => !rooms.includes(room))).toEqual([]);
});

test("the README shows the rooms as they are", async () => {
  const unpadded = (text: string) => text.replace(/ +/g, " ").replace(/-{3,}/g, "---");
  expect(unpadded(await read("README.md"))).toContain(roomTable());
});

/** Folders that still have more files than one can take in; none may be added, and each says how many are left. */
const CROWDED: Record<string, number> = {
  "db/schema": 35,
};

test("a folder has at most 25 files", () => {
  const crowded = Map.groupBy(filesIn("src", "channels", "db", "islands", "dev"), dirname);
  const counts = [...crowded].map(([folder, files]) => [folder, files.length] as const);
  expect(Object.fromEntries(counts.filter(([, count]) => count > 25))).toEqual(CROWDED);
});

test("no file lies loose in src", () => {
  expect(filesIn("src").filter((path) => path.split("/").length === 2)).toEqual([]);
});

test("a page imports no page of another area: shared parts are in web/ui", async () => {
  const areaOf = (path: string) => /^src\/web\/pages\/([^/]+)\//.exec(path)?.[1];
  const across = (await allImports()).filter(({ from, to }) => {
    const [own, other] = [areaOf(from), areaOf(to)];
    return other !== undefined && own !== other && from !== "src/web/pages/index.tsx";
  });
  expect(across.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

/** The only writer of each family of tables. */
const WRITERS: Record<string, RegExp> = {
  order_events: /^src\/core\/orders\/timeline\.ts$/,
  attempts: /^src\/core\/(fulfilment|orders)\//,
  desk_results: /^src\/core\/fulfilment\/desk\/desk-results\.ts$/,
  losses: /^src\/core\/orders\/losses\.ts$/,
  automatic_refunds: /^src\/core\/orders\/automatic-refunds\.ts$/,
  payments: /^src\/core\/payments\//,
  payment_reversals: /^src\/core\/payments\//,
  deposits: /^src\/core\/payments\//,
  deposit_reversals: /^src\/core\/payments\/deposits\/deposit-reversals\.ts$/,
  statement_imports: /^src\/core\/payments\/deposits\/statements\.ts$/,
  statement_lines: /^src\/core\/payments\/deposits\/statements\.ts$/,
  cash_closes: /^src\/core\/payments\/cash/,
  bank_deposits: /^src\/core\/payments\/cash/,
  payouts: /^src\/core\/payments\/payouts/,
  payout_payments: /^src\/core\/payments\/payouts/,
  balance_checks: /^src\/core\/payments\/payouts/,
  transfers: /^src\/core\/(ledger\/|buying\/purchase-statement\.ts)/,
  messages: /^src\/core\/messaging\//,
  api_request_rows: /^src\/core\/requests\//,
  hook_deliveries: /^src\/core\/(webhooks\/|platform\/webhook-outbox\.ts$)/,
  announcements: /^src\/core\/(catalog\/announcements|webhooks\/announcing)\.ts$/,
  users: /^src\/core\/identity\//,
  account_limits: /^src\/core\/identity\/spending-limits\.ts$/,
  tier_limits: /^src\/core\/identity\/spending-limits\.ts$/,
  freezes: /^src\/core\/identity\/freezes\.ts$/,
  logins: /^src\/core\/identity\/(logins\/login-history|erasure)\.ts$/,
  wrong_pins: /^src\/core\/identity\/(logins\/login-history|erasure)\.ts$/,
  api_keys: /^src\/core\/identity\/api-key/,
  sandbox_farewells: /^src\/core\/identity\/farewells\.ts$/,
  api_key_days: /^src\/core\/(orders|buying|reports)\//,
  order_holds: /^src\/core\/orders\/holds\.ts$/,
  signals: /^src\/core\/signals\/(raising|signals)\.ts$/,
  signal_rules: /^src\/core\/signals\/rules\.ts$/,
  agent_notes: /^src\/core\/signals\/agent-notes\.ts$/,
  products: /^src\/core\/catalog\//,
  selling_prices: /^src\/core\/catalog\/selling-prices\.ts$/,
  price_lists: /^src\/core\/catalog\/price-lists\.ts$/,
  contacts: /^src\/core\/identity\/contacts\.ts$/,
  approvals: /^src\/core\/(approvals\/requests|platform\/colleagues\/second-person)\.ts$/,
  lone_acts: /^src\/core\/platform\/colleagues\/lone-acts\.ts$/,
  staff_changes: /^src\/core\/platform\/colleagues\/deciders\.ts$/,
  waiting_choices: /^src\/core\/overview\/notices\.ts$/,
  waiting_kinds: /^src\/core\/overview\/notices\.ts$/,
  waiting_notices: /^src\/core\/overview\/notices\.ts$/,
  reconciliation_differences: /^src\/core\/payments\/open-differences\.ts$/,
  customer_debts: /^src\/core\/books\/customer-debts\.ts$/,
  kept_answers: /^src\/core\/support\/kept-answers\.ts$/,
  kept_views: /^src\/core\/finding\/kept-views\.ts$/,
};

test("a family of tables has one writer", async () => {
  const writing = await Promise.all(
    filesIn("src", "channels").map(async (path) =>
      tablesWritten(await read(path))
        .filter((table) => WRITERS[table]?.test(path) === false)
        .map((table) => `${path} writes ${table}`),
    ),
  );
  expect(writing.flat()).toEqual([]);
});

/** The tables that a source inserts into, updates or deletes from, by Drizzle or in SQL. */
function tablesWritten(source: string): string[] {
  const drizzled = [...source.matchAll(/\b(?:tx|db)\s*\.(?:insert|update|delete)\((\w+)\)/g)].map(([, name]) => name!);
  const aliases = new Map([...source.matchAll(/\b(\w+) as (\w+)\b/g)].map(([, name, alias]) => [alias!, name!]));
  const inSql = [...source.matchAll(/\b(?:insert into|update|delete from) ([a-z_]+)\b/g)].map(([, name]) => name!);
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [...drizzled.map((name) => snake(aliases.get(name) ?? name)), ...inSql];
}

type Import = { from: string; to: string; isType: boolean };

test("every import is allowed by the table of folders; imports of types count", async () => {
  const forbidden = (await allImports()).filter(({ from, to, isType }) => {
    const [own, other] = [folderOf(from), folderOf(to)];
    if (own === other) return false;
    if (other === "db" && ONLY_TYPES.has(own)) return !isType || to !== "db/connect.ts";
    return !ALLOWED[own]!.includes(other);
  });
  expect(forbidden.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("the product imports no test, and names no path of one", async () => {
  expect((await allImports()).filter(({ to }) => to.startsWith("test/"))).toEqual([]);
  const naming = await Promise.all(
    filesIn("src", "channels", "islands", "dev").map(async (path) => {
      const code = withoutComments(await read(path));
      return /["'`/]test\//.test(code) ? path : null;
    }),
  );
  expect(naming.filter(Boolean)).toEqual([]);
});

test("our own files are imported with their extension, so that they can be found", async () => {
  const unnamed = (await allImports()).filter(({ to }) => !/\.(tsx?|json|css)$/.test(to));
  expect(unnamed).toEqual([]);
});

test("no files of the product import each other's values in a cycle", async () => {
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

test("a value that a file exports is imported by another", async () => {
  // Tables are read by drizzle-kit, schemas by the OpenAPI document and simulated vendors by their codes; the others
  // begin a bundle or a thread.
  const isEntry = (path: string) =>
    /^db\/schema\/|^src\/http\/schemas\/|\/(?:mount|reading-thread)\.ts$/.test(path) ||
    VENDOR_CODES.some((code) => path === `dev/simulators/vendors/vendors-${code}.ts`);
  const files = filesIn("src", "channels", "db", "islands", "dev");
  const sources = new Map<string, string>();
  for (const path of [...files, ...filesIn("test")]) sources.set(path, withoutComments(await read(path)));
  const importers = Map.groupBy(
    [...sources].flatMap(([path, source]) => importsOf(path, source)),
    ({ to }) => to,
  );
  const unused = files
    .filter((path) => !isEntry(path))
    .flatMap((path) =>
      exportedNames(sources.get(path)!).flatMap((name) => {
        const isNamed = ({ from }: Import) => new RegExp(`\\b${name}\\b`).test(sources.get(from)!);
        return importers.get(path)?.some(isNamed) ? [] : [`${path}: ${name}`];
      }),
    );
  expect(unused).toEqual([]);
});

test("the parser of imports reads every notation", () => {
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
  const files = filesIn("src", "channels", "db", "islands", "dev");
  return (await Promise.all(files.map(async (file) => importsOf(file, await read(file))))).flat();
}

function importsOf(file: string, source: string): Import[] {
  const code = withoutComments(source);
  const statement = new RegExp(
    String.raw`\b(?:import|export)\s+(type\s+)?((?:[\w$*\s,]|\{[^}]*\})+?)\s+from\s*["'](\.[^"']+)["']` +
      String.raw`|\bimport\s*\(?\s*["'](\.[^"']+)["']`,
    "g",
  );
  return [...code.matchAll(statement)].map(([, typeOnly, names = "", named, bare]) => ({
    from: file,
    to: normalize(join(dirname(file), (named ?? bare)!)),
    isType: typeOnly !== undefined || isAllTypes(names),
  }));
}

function withoutComments(source: string): string {
  return source.replace(/^\s*(\/\/|\*|\/\*).*$/gm, "");
}

/** The names of the values that a file declares and exports. */
function exportedNames(source: string): string[] {
  const declaration = /^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm;
  return [...source.matchAll(declaration)].map(([, name]) => name!);
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

/** "src/core/orders/pay.ts" is in "orders". */
function roomOf(path: string): string {
  return path.split("/")[2]!;
}

function folderOf(path: string): string {
  const prefix = Object.keys(ALLOWED)
    .filter((folder) => path.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];
  // A folder in src that is missing from the table fails the test.
  return prefix ?? path.split("/").slice(0, 2).join("/");
}
