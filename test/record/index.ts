// The `bun run record <folder>` command: writes what everybody outside sees of the shop into a folder, so that two
// versions of the program can be compared with `diff -r`. With `--catalog` before the folder it records the database
// alone.
import "../support/cheap-passwords.ts";
import "../support/operators.ts";
import { recordAnswers } from "./answers.ts";
import { recordCatalog } from "./catalog.ts";
import { type Folder, openFolder } from "./folder.ts";
import { recordLists } from "./lists.ts";
import { recordPages } from "./pages.ts";
import { openStand } from "./stand.ts";

const names = process.argv.slice(2).filter((argument) => argument !== "--catalog");
if (names.length !== 1) {
  console.error("bun run record [--catalog] <folder>");
  process.exit(1);
}
await record(names[0]!, process.argv.includes("--catalog"));
// Simulators keep timers.
process.exit(0);

async function record(root: string, isCatalogOnly: boolean): Promise<void> {
  const folder = openFolder(root, isCatalogOnly ? [] : ["answers", "forms", "openapi", "pages"]);
  await timed("the catalog", () => recordCatalog(folder));
  if (isCatalogOnly) return;
  await recordShop(folder);
  process.stdout.write(`${folder.end()} left out; everything else is in ${root}\n`);
}

async function recordShop(folder: Folder): Promise<void> {
  await timed("the lists", () => recordLists(folder));
  const stand = await openStand();
  await timed("the answers of the API", () => recordAnswers(stand, folder));
  await timed("the pages and forms", () => recordPages(stand, folder));
  await stand.close();
}

async function timed(name: string, work: () => Promise<void>): Promise<void> {
  const from = performance.now();
  await work();
  process.stdout.write(`${name}: ${((performance.now() - from) / 1_000).toFixed(1)} s\n`);
}
