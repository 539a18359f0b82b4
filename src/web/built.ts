// Build of the browser's files: islands, their loader and the stylesheets. Building takes longer than the rest of a
// start together, so a build is kept in .data/built under a digest of its sources.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import type { Built } from "../../islands/build.ts";

const root = join(import.meta.dir, "../..");
/** Kept builds. An image brings its own. */
const FOLDER = join(root, ".data/built");
/** Everything that a build reads. Of our own code, islands import only src/shared. */
const SOURCES = [
  "islands/**/*.{ts,tsx}",
  "src/shared/**/*.ts",
  "src/web/styles/**/*.css",
  "src/web/built.ts",
  "{package.json,bun.lock,tsconfig.json}",
];

/**
 * Stylesheets, small enough to inline: "style" in every page, "shop" in those behind the login, the others where they
 * are needed.
 */
const SHEETS = [
  "style",
  "shop",
  "landing",
  "public",
  "entry",
  "dashboard",
  "charts",
  "sale",
  "till",
  "orders",
  "result",
  "print",
  "timeline",
  "bulk",
  "afa",
  "books",
  "wallet",
  "paying",
  "payment",
  "account",
  "tables",
  "rows",
  "admin",
  "today",
  "desk",
  "plot",
  "prices",
  "staff",
  "developers",
] as const;
export type Sheets = Record<(typeof SHEETS)[number], string>;
export type BuiltForBrowsers = Built & { sheets: Sheets };

/**
 * Returns the build of the current sources that is kept in `folder`, or builds anew and keeps only that. Where `folder`
 * cannot be written, every start builds.
 */
export async function builtForBrowsers(folder = FOLDER): Promise<BuiltForBrowsers> {
  const name = `${digestOfSources()}.json`;
  const kept = recall(join(folder, name));
  if (kept) return kept;
  const { buildIslands } = await import("../../islands/build.ts");
  const [islands, sheets] = await Promise.all([buildIslands(), buildSheets()]);
  const built = { ...islands, sheets };
  keep(folder, name, built);
  return built;
}

function digestOfSources(): string {
  const digest = new Bun.CryptoHasher("sha256").update(Bun.version);
  const paths = SOURCES.flatMap((pattern) => [...new Glob(pattern).scanSync(root)]).sort();
  for (const path of paths) digest.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  return digest.digest("base64url").slice(0, 22);
}

async function buildSheets(): Promise<Sheets> {
  const sheets = SHEETS.map(async (name) => {
    const entrypoints = [join(import.meta.dir, "styles", `${name}.css`)];
    const { outputs } = await Bun.build({ entrypoints, minify: true });
    return [name, (await outputs[0]!.text()).trim()] as const;
  });
  return Object.fromEntries(await Promise.all(sheets)) as Sheets;
}

/** A build as JSON: bytes are base64, maps are lists of pairs. */
type Kept = {
  islands: [string, { src: string; deps: string[] }][];
  files: [string, { plain: string; br: string; gzip: string }][];
  loader: string;
  worker: { plain: string; br: string; gzip: string };
  sheets: Sheets;
};

function recall(path: string): BuiltForBrowsers | null {
  try {
    const { islands, files, loader, worker, sheets }: Kept = JSON.parse(readFileSync(path, "utf8"));
    const bytesOf = ({ plain, br, gzip }: Kept["files"][number][1]) => ({
      plain: Uint8Array.fromBase64(plain),
      br: Uint8Array.fromBase64(br),
      gzip: Uint8Array.fromBase64(gzip),
    });
    const read = files.map(([name, file]) => [name, bytesOf(file)] as const);
    return { islands: new Map(islands), files: new Map(read), loader, worker: bytesOf(worker), sheets };
  } catch {
    // Missing or incomplete.
    return null;
  }
}

function keep(folder: string, name: string, built: BuiltForBrowsers): void {
  const { islands, files, loader, worker, sheets } = built;
  const textOf = ({ plain, br, gzip }: { plain: Uint8Array; br: Uint8Array; gzip: Uint8Array }) => ({
    plain: plain.toBase64(),
    br: br.toBase64(),
    gzip: gzip.toBase64(),
  });
  const texts = [...files].map(([path, file]): Kept["files"][number] => [path, textOf(file)]);
  const kept: Kept = { islands: [...islands], files: texts, loader, worker: textOf(worker), sheets };
  const unfinished = join(folder, `${name}.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(unfinished, JSON.stringify(kept));
    // Several processes may keep the same build at once; each reads a whole file or none.
    renameSync(unfinished, join(folder, name));
    for (const other of readdirSync(folder))
      if (other.endsWith(".json") && other !== name) rmSync(join(folder, other), { force: true });
  } catch {
    // A folder that cannot be written only costs time at the next start.
  }
}

// `bun run build`, for images whose file system is read-only.
if (import.meta.main) await builtForBrowsers();
