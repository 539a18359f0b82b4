// The `bun run bench` command: it measures the budgets for buying as ratios to what they are compared with, in one
// run. --only purchases|bulk|lists|find|pages|rendering|delivery|ussd|request-log measures a part, --quick is a short
// run, --write keeps the figures in RESULTS.md (a part's beside the existing ones).
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openBigShops } from "./big-shops.ts";
import { measureBulk } from "./bulk.ts";
import { measureDelivery } from "./delivery.ts";
import { measureFinds } from "./find.ts";
import { measureLists } from "./lists.ts";
import { measurePages } from "./pages.ts";
import { measurePurchases } from "./purchases.ts";
import { measureRendering } from "./rendering.ts";
import { report, verdicts, withNew } from "./report.ts";
import { measureRequestLog } from "./request-log.ts";
import { measureUssd } from "./ussd.ts";
import { openServer } from "./world.ts";

const { values: options } = parseArgs({
  options: { quick: { type: "boolean" }, only: { type: "string" }, write: { type: "boolean" } },
});
const PARTS = ["purchases", "bulk", "lists", "find", "pages", "rendering", "delivery", "ussd", "request-log"];
if (options.only && !PARTS.includes(options.only)) {
  console.error(`--only takes ${PARTS.join(", ")}`);
  process.exit(1);
}
const isWanted = (part: string) => !options.only || options.only === part;
const pace = options.quick ? { rounds: 1, seconds: 1, secondsAside: 1 } : { rounds: 3, seconds: 4, secondsAside: 2 };
const sizes = options.quick ? { small: 10_000, large: 1_000_000 } : { small: 50_000, large: 5_000_000 };
const progress = (line: string) => void process.stdout.write(`${line}\n`);

const server = await openServer();
let isWithinBudgets = false;
try {
  if (isWanted("purchases")) progress("Purchases");
  const purchases = isWanted("purchases") ? await measurePurchases(server, pace, progress) : null;
  if (isWanted("bulk")) progress("Bulk orders");
  const bulk = isWanted("bulk") ? await measureBulk(server, options.quick ? 2 : 7, progress) : null;
  if (isWanted("lists") || isWanted("find")) progress("Lists and the search");
  const { lists, find } = await measureBigShops();
  if (isWanted("pages")) progress("Pages");
  const pages = isWanted("pages") ? await measurePages(server, options.quick ? 1 : 3, progress) : null;
  if (isWanted("rendering")) progress("Rendering");
  const rendering = isWanted("rendering") ? await measureRendering(server, pace, progress) : null;
  if (isWanted("delivery")) progress("Delivery");
  const delivery = isWanted("delivery") ? await measureDelivery(server, progress) : null;
  if (isWanted("ussd")) progress("USSD");
  const ussd = isWanted("ussd") ? await measureUssd(server, pace, progress) : null;
  if (isWanted("request-log")) progress("Log of requests");
  const requestLog = isWanted("request-log") ? await measureRequestLog(server, pace, progress) : null;
  const figures = { purchases, bulk, lists, find, pages, rendering, delivery, ussd, requestLog };
  const command = `bun run bench${process.argv
    .slice(2)
    .map((word) => ` ${word}`)
    .join("")}`;
  const text = report(figures, server.facts, command);
  progress(`\n${text}`);
  if (options.write) {
    const results = Bun.file(join(import.meta.dir, "RESULTS.md"));
    await results.write(options.only ? withNew(await results.text(), text, command) : text);
  }
  isWithinBudgets = verdicts(figures).every((verdict) => verdict.holds);
} finally {
  await server.close();
}
process.exit(isWithinBudgets ? 0 : 1);

/** Both parts in the same shops, which take long to fill. */
async function measureBigShops() {
  if (!isWanted("lists") && !isWanted("find")) return { lists: null, find: null };
  const shops = await openBigShops(server, sizes, progress);
  try {
    return {
      lists: isWanted("lists") ? await measureLists(shops, options.quick ? 5 : 25) : null,
      find: isWanted("find") ? await measureFinds(shops, options.quick ? 5 : 40) : null,
    };
  } finally {
    await shops.close();
  }
}
