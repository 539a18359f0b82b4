// The report of the measurements, for the screen and for RESULTS.md with the machine.
import { readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { type MutationFigures, type MutationRow, scoreOf } from "../mutation/figures.ts";
import type { ScaleFigures } from "../scale/trial.ts";
import type { Ratio } from "./big-shops.ts";
import type { BulkRow } from "./bulk.ts";
import type { DeliveryFigures } from "./delivery.ts";
import type { FindFigures } from "./find.ts";
import type { ListFigures } from "./lists.ts";
import type { Latency } from "./numbers.ts";
import type { PageFigures } from "./pages.ts";
import type { Cell, PurchaseFigures } from "./purchases.ts";
import type { Rendered, RenderingFigures } from "./rendering.ts";
import type { RequestLogFigures } from "./request-log.ts";
import type { UssdFigures } from "./ussd.ts";
import type { BenchServer } from "./world.ts";

export type Figures = {
  purchases: PurchaseFigures | null;
  bulk: BulkRow[] | null;
  lists: ListFigures | null;
  find: FindFigures | null;
  pages: PageFigures | null;
  rendering: RenderingFigures | null;
  delivery: DeliveryFigures | null;
  ussd: UssdFigures | null;
  requestLog: RequestLogFigures | null;
  /** Measured by its own command. */
  scale?: ScaleFigures;
};

type Verdict = { label: string; budget: string; measured: string; holds: boolean };

/** The budgets that these figures are about. */
export function verdicts({
  purchases,
  bulk,
  lists,
  find,
  pages,
  rendering,
  delivery,
  ussd,
  requestLog,
  scale,
}: Figures): Verdict[] {
  const cell = (isHot: boolean) => purchases?.cells.find((c) => c.clients === 64 && c.isHot === isHot);
  const [many, hot, large] = [cell(false), cell(true), bulk?.find((row) => row.lines === 10_000)];
  return [
    many && atLeast("purchases per second, 64 clients, many wallets, against the function", many.ratio, 1),
    hot && atLeast("the same on one hot wallet", hot.ratio, 4),
    large && atMost("a bulk order of 10,000 lines, against a bare INSERT … SELECT", large.ratio, 1.5),
    lists &&
      atMost(
        `the admin's lists and figures, with ${count(lists.large)} orders against ${count(lists.small)}, the worst`,
        Math.max(...lists.rows.map((row) => row.ratio)),
        1.5,
      ),
    ...(find ? findVerdicts(find) : []),
    ...(pages ? pageVerdicts(pages) : []),
    rendering &&
      atLeast(
        `pages of the order list (${rendering.rows} rows) per second and core, ` +
          `against Next.js ${rendering.nextVersion}`,
        rendering.ratio,
        5,
      ),
    delivery && {
      label: "calls to a vendor in any minute, while 10,000 orders are handed to it",
      budget: `at most ${delivery.limitPerMinute}`,
      measured: String(delivery.callsInFullestMinute),
      holds: delivery.callsInFullestMinute <= delivery.limitPerMinute,
    },
    ...(ussd ? ussdVerdicts(ussd) : []),
    ...(requestLog ? requestLogVerdicts(requestLog) : []),
    ...(scale ? scaleVerdicts(scale) : []),
  ].filter((verdict) => verdict != null);
}

function findVerdicts({ small, large, digits, p95Ms, busyP95Ms, purchasesPerSecond }: FindFigures): Verdict[] {
  const sizes = `with ${count(large)} orders against ${count(small)}`;
  const everything = `the search of staff over everything, among ${count(large)} orders, p95`;
  const inTime = (label: string, tookMs: number) => ({
    ...{ label, budget: "at most 150 ms", measured: `${ms(tookMs)} ms`, holds: tookMs <= 150 },
  });
  return [
    atMost(
      `a search by the last digits of a number, ${sizes}, the worst`,
      Math.max(...digits.map(({ ratio }) => ratio)),
      1.5,
    ),
    inTime(everything, p95Ms),
    inTime(`the same while agents buy ${perSecond(purchasesPerSecond)} times a second`, busyP95Ms),
  ];
}

function ussdVerdicts({ sessions, ratios }: UssdFigures): Verdict[] {
  const answer = `a USSD answer's p99 under ${sessions} sessions`;
  return [
    atMost(`${answer}, against that of \`GET /wallet/balance\``, ratios.balance, 3),
    atMost(`${answer}, against a bare read's past the API`, ratios.bare, 5),
  ];
}

function requestLogVerdicts({ share, shareError, logged, acknowledged }: RequestLogFigures): Verdict[] {
  return [
    {
      label: "the throughput of purchases by API keys that the log of requests takes",
      budget: "at most 2.0 %",
      measured: `${percent(share)} ± ${percent(shareError)}`,
      holds: share <= 0.02,
    },
    {
      label: "of these purchases, in the log",
      budget: "all",
      measured: logged === acknowledged ? "all" : `${count(logged)} of ${count(acknowledged)}`,
      holds: logged === acknowledged,
    },
  ];
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function pageVerdicts({ rows, slow }: PageFigures): Verdict[] {
  const of = (path: string) => rows.find((row) => row.path === path)!;
  const buying = of("/buy");
  return [
    atMostBytes("the landing page, everything, brotli", of("/").all, 12_000),
    atMostBytes("the landing page, JavaScript", of("/").js, 0),
    atMostBytes("the buying page, everything, brotli", buying.all, 28_000),
    atMostBytes("the buying page, JavaScript", buying.js, 16_000),
    atMostBytes("the dashboard, everything, brotli", of("/dashboard").all, 22_000),
    ...(slow
      ? [
          {
            label: "the buying page on slow 3G and a 4 times slower processor can be sent",
            budget: "before its islands",
            measured: `${count(Math.round(slow.submittableMs))} ms (islands ${count(Math.round(slow.islandsMs!))} ms)`,
            holds: slow.submittableMs < slow.islandsMs!,
          },
        ]
      : []),
  ];
}

function scaleVerdicts({ phases, ordersOfOneKey, deliveredTwice, findings }: ScaleFigures): Verdict[] {
  const none = (label: string, number: number) => ({
    ...{ label, budget: "none", measured: number === 0 ? "none" : count(number), holds: number === 0 },
  });
  return [
    ...phases.map(({ label, failures }) =>
      none(`purchases that failed with many processes: ${label}`, failures.length),
    ),
    none("orders delivered twice by many workers", deliveredTwice),
    none("findings of the audit after it", findings.length),
    none("orders too many of one key that went to every server at once", ordersOfOneKey - 1),
  ];
}

/** Everything as Markdown that is also readable on a screen. */
export function report(figures: Figures, facts: BenchServer["facts"], command: string): string {
  const { purchases, bulk, lists, find, pages, rendering, delivery, ussd, requestLog, scale } = figures;
  return [
    "# What the bench measured\n",
    ...about(facts, command),
    "\n## Budgets\n",
    ...table(
      ["what", "budget", "measured", ""],
      verdicts(figures).map(({ label, budget, measured, holds }) => [
        label,
        budget,
        measured,
        holds ? "holds" : "BROKEN",
      ]),
    ),
    ...(purchases ? purchaseSection(purchases) : []),
    ...(bulk ? bulkSection(bulk) : []),
    ...(lists ? listSection(lists) : []),
    ...(find ? findSection(find) : []),
    ...(pages ? pageSection(pages) : []),
    ...(rendering ? renderingSection(rendering) : []),
    ...(delivery ? deliverySection(delivery) : []),
    ...(ussd ? ussdSection(ussd) : []),
    ...(requestLog ? requestLogSection(requestLog) : []),
    ...(scale ? scaleSection(scale) : []),
    "",
  ].join("\n");
}

/** The existing report, with the newly measured sections and budgets replaced; the rest stays as it was. */
export function withNew(kept: string, measured: string, command: string): string {
  const sectionsOf = (text: string) => {
    // A text may begin with a section.
    const [head, ...sections] = `\n${text}`.split(/^(?=## )/m);
    return { head: head!, sections: new Map(sections.map((section) => [section.split("\n")[0]!, section])) };
  };
  const [before, now] = [sectionsOf(kept), sectionsOf(measured)];
  const day = `${new Date().toISOString().slice(0, 10)}, \`${command}\`.`;
  for (const [title, section] of now.sections) {
    const old = before.sections.get(title);
    const isBudgets = title === "## Budgets";
    const text = isBudgets && old ? withNewRows(old, section) : section.replace("\n\n", `\n\n${day}\n`);
    before.sections.set(title, text);
  }
  const sections = [...before.sections.values()].map((section) => section.trimEnd());
  return `${[before.head.trimStart(), ...sections].join("\n\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

/** The rows of a table by their first cell, new ones replacing old, padded to the widest. */
function withNewRows(kept: string, measured: string): string {
  const rowsOf = (text: string) =>
    [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row!.split(" | ").map((cell) => cell.trim()));
  const [[head, , ...old], [, , ...fresh]] = [rowsOf(kept), rowsOf(measured)];
  const rows = new Map([...old, ...fresh].map((row) => [row[0]!, row]));
  return ["## Budgets", "", ...table(head!, [...rows.values()]), ""].join("\n");
}

function about(facts: BenchServer["facts"], command: string): string[] {
  const processors = cpus();
  const model = processors[0]?.model ?? "unknown";
  return [
    `${new Date().toISOString().slice(0, 10)}, \`${command}\`\n`,
    `- ${processors.length} processors (${model}), ${Math.round(totalmem() / 2 ** 30)} GB, ` +
      `${process.platform} ${release()}${load()}`,
    `- Postgres ${facts.version}: fsync ${facts.fsync}, shared_buffers ${facts.shared_buffers}, ` +
      `max_wal_size ${facts.max_wal_size}`,
    `- Bun ${Bun.version}\n`,
    "Server, database and clients share the machine. Figures per second depend on whatever else runs on it; the",
    "ratios, measured in turns within one run, are what counts.",
  ];
}

/** Other work makes every figure worse, so the report says how busy the machine was. */
function load(): string {
  try {
    return `, load ${readFileSync("/proc/loadavg", "utf8").split(" ").slice(0, 2).join(" and ")} at the end`;
  } catch {
    return "";
  }
}

function purchaseSection({ cells, driver, rounds, orders }: PurchaseFigures): string[] {
  const row = (cell: Cell) => [
    `${cell.isHot ? "one hot wallet" : "many wallets"}, ${cell.clients}`,
    perSecond(cell.ours.perSecond),
    `${ms(cell.ours.p50Ms)} / ${ms(cell.ours.p99Ms)}`,
    perSecond(cell.function.perSecond) +
      (cell.functionClients < cell.clients ? ` (${cell.functionClients} clients)` : ""),
    `${ms(cell.function.p50Ms)} / ${ms(cell.function.p99Ms)}`,
    cell.ratio.toFixed(2),
  ];
  return [
    "\n## Purchases\n",
    'Ours: `POST /api/v1/orders` with `pay: "wallet"`, a bearer token and an Idempotency-Key, over keep-alive sockets',
    "to the real program (`src/app/main.ts`) in its own process; the client is another. The function: `function.sql`,",
    `one call per purchase, writing the same rows in the same tables, called by ${driver}. Medians of`,
    `${rounds} rounds in turns; ${orders.toLocaleString("en")} purchases were acknowledged, all are in the database, ` +
      "and the books balance.\n",
    ...table(
      ["wallets, clients", "ours per second", "p50 / p99 ms", "function per second", "p50 / p99 ms", "ratio"],
      cells.map(row),
    ),
  ];
}

function bulkSection(rows: BulkRow[]): string[] {
  const line = ({ lines, http, core, bare, ratio, coreRatio }: BulkRow) => [
    lines.toLocaleString("en"),
    `${ms(http.medianMs)} (${ms(http.p99Ms)})`,
    `${ms(core.medianMs)} (${ms(core.p99Ms)})`,
    `${ms(bare.medianMs)} (${ms(bare.p99Ms)})`,
    ratio.toFixed(2),
    coreRatio.toFixed(2),
  ];
  return [
    "\n## Bulk orders\n",
    "Ours: `POST /api/v1/orders/bulk` to the end of its answer, which names every order; and `orders.buyBulk` alone.",
    "Bare: `bare.sql`, which inserts the same orders, transfers and jobs into the same tables with the same indexes,",
    "prepared, from JSON text, in one commit, and checks, locks, charges and answers nothing. Medians (p99), in",
    "turns.\n",
    ...table(["lines", "HTTP ms", "core ms", "bare ms", "HTTP / bare", "core / bare"], rows.map(line)),
  ];
}

function listSection({ small, large, rows }: ListFigures): string[] {
  return [
    "\n## Lists\n",
    `The same questions to the application in a shop of ${count(small)} and one of ${count(large)} orders (and as many`,
    "transfers) of 5,000 agents, in turns; medians of the whole answer. The books of both balance.\n",
    ...ratioTable(small, large, rows),
  ];
}

function findSection({ small, large, digits, finds, purchasesPerSecond }: FindFigures): string[] {
  return [
    "\n## Search\n",
    "The list of orders searched by a number's digits, each time another's, in the shops of the lists, in turns;",
    "medians of the whole answer.\n",
    ...ratioTable(small, large, digits),
    "",
    `The search of staff over everything, each time for another, among ${count(large)} orders, a payment for each`,
    "twentieth of them and their deliveries; also while agents buy in the same process " +
      `${perSecond(purchasesPerSecond)} times a second.\n`,
    ...table(
      ["what", "first ms", "median ms", "p95 ms", "p95 ms meanwhile"],
      finds.map((row) => [row.label, ...[row.firstMs, row.medianMs, row.p95Ms, row.busyP95Ms].map(ms)]),
    ),
  ];
}

function ratioTable(small: number, large: number, rows: Ratio[]): string[] {
  return table(
    ["what", `${count(small)} ms`, `${count(large)} ms`, "ratio"],
    rows.map((row) => [row.label, ms(row.smallMs), ms(row.largeMs), row.ratio.toFixed(2)]),
  );
}

function pageSection({ rows, slow }: PageFigures): string[] {
  return [
    "\n## Pages\n",
    "Transferred bytes (brotli; the icon as it is) of everything that a browser fetches for a page of a shop in use.",
    "The stylesheet and the islands' loader are inlined and counted in their own columns. Of a page with several",
    "states, the heaviest.\n",
    ...table(
      ["page, for whom", "HTML", "CSS", "JS", "images", "all", "requests"],
      rows.map((row) => [
        `${row.path}, ${row.as}`,
        ...[row.html, row.css, row.js, row.images, row.all].map(count),
        String(row.requests),
      ]),
    ),
    ...(slow
      ? [
          "",
          "The buying page on slow 3G (400 kbit/s, 2,000 ms for each request) and a 4 times slower processor, from the",
          "request; medians.\n",
          ...table(
            ["painted ms", "can be sent ms", "islands ms"],
            [[slow.paintedMs, slow.submittableMs, slow.islandsMs!].map((figure) => count(Math.round(figure)))],
          ),
        ]
      : []),
  ];
}

const count = (figure: number) => figure.toLocaleString("en");

function atLeast(label: string, ratio: number, min: number): Verdict {
  return { label, budget: `at least ${min.toFixed(1)}`, measured: ratio.toFixed(2), holds: ratio >= min };
}

function atMost(label: string, ratio: number, max: number): Verdict {
  return { label, budget: `at most ${max.toFixed(1)}`, measured: ratio.toFixed(2), holds: ratio <= max };
}

function atMostBytes(label: string, figure: number, max: number): Verdict {
  const [budget, measured] = [`at most ${count(max)} bytes`, `${count(figure)} bytes`];
  return { label, budget, measured, holds: figure <= max };
}

/** A table as the formatter writes it, because the report is a file of the project. */
export function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length), 3));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}

const perSecond = (figure: number) => Math.round(figure).toLocaleString("en");
const ms = (figure: number) => (figure < 100 ? figure.toFixed(1) : Math.round(figure).toLocaleString("en"));

function renderingSection({ nextVersion, rows, ours, next, ratio }: RenderingFigures): string[] {
  const row = (label: string, side: Rendered) => [
    label,
    perSecond(side.perProcessorSecond),
    perSecond(side.perSecond),
    count(side.bytes),
  ];
  return [
    "\n## Rendering\n",
    `An agent's order list with ${rows} rows, 16 requests at a time without compression, from the shop`,
    `and from Next.js ${nextVersion} (next build, next start; a server component, rendered per request), in turns,`,
    "each on the same single core, with the clients elsewhere. Both check the same session, send the same queries to",
    "the same database, and render the same components of the shop, with exactly the same rows. Per second of the",
    "server's processor time, and of the clock; medians. The stylesheet is part of the shop's page, and separate from",
    "that of Next.js.\n",
    ...table(
      ["from", "pages per core's second", "pages per second", "bytes"],
      [row("the shop", ours), row(`Next.js (${ratio.toFixed(2)} times)`, next)],
    ),
  ];
}

function deliverySection(figures: DeliveryFigures): string[] {
  const { lines, seconds, leastSeconds, limitPerMinute, callsInFullestMinute, refusedCalls, rows } = figures;
  return [
    "\n## Delivery\n",
    `A bulk order of ${count(lines)} lines to a simulated DataMart, 50 a call: all were dispatched after ` +
      `${Math.round(seconds)} s (its limit`,
    `of ${limitPerMinute} calls a minute allows ${Math.round(leastSeconds)} s). ` +
      `The busiest minute had ${callsInFullestMinute} calls; ${refusedCalls} were refused as too many.`,
    "Server and worker are one process. A page and a purchase, each four times a second, before and during:\n",
    ...table(
      ["what", "before, p50 / p99 ms", "during, p50 / p99 ms"],
      rows.map(({ label, before, during }) => [
        label,
        `${ms(before.p50Ms)} / ${ms(before.p99Ms)}`,
        `${ms(during.p50Ms)} / ${ms(during.p99Ms)}`,
      ]),
    ),
  ];
}

function ussdSection({ sessions, bought, alone, gateways, flatOut }: UssdFigures): string[] {
  const row = (label: string, { p50Ms, p99Ms }: Latency) => [label, ms(p50Ms), ms(p99Ms)];
  const speed = (one: UssdFigures["flatOut"]["hops"]) =>
    `${perSecond(one.perSecond)} a second (p99 ${ms(one.p99Ms)} ms)`;
  const { balance, bare, hops } = flatOut;
  return [
    "\n## USSD\n",
    `${sessions} concurrent sessions by each gateway in turn, each buying a bundle in about six requests and starting`,
    "again; as many clients that ask for their balance by `GET /api/v1/wallet/balance`; and as many that make a bare",
    "read by primary key past the API: all at the same time, over the same HTTP and pool. Each pauses for up to two",
    "seconds between two requests. A request that pays compares the PIN's digest and places the order. Medians of the",
    "rounds' percentiles.",
    `${count(bought)} purchases were confirmed, all are in the database, and the books balance. Without a pause, in`,
    `turns: balances ${speed(balance)}, bare reads ${speed(bare)}, requests of sessions ${speed(hops)}.\n`,
    ...table(
      ["what", "p50 ms", "p99 ms"],
      [
        row("a balance while nobody dials", alone.balance),
        row("a bare read while nobody dials", alone.bare),
        ...gateways.flatMap(({ gateway, reads, hops, browsing, paying, ratios }) => [
          row(`${gateway}: a balance meanwhile`, reads.balance),
          row(`${gateway}: a bare read meanwhile`, reads.bare),
          row(`${gateway}: a request (p99 ${ratios.balance.toFixed(2)} and ${ratios.bare.toFixed(2)} times)`, hops),
          row(`${gateway}: one that looks and chooses`, browsing),
          row(`${gateway}: one that pays`, paying),
        ]),
      ],
    ),
  ];
}

function requestLogSection(figures: RequestLogFigures): string[] {
  const row = (label: string, side: RequestLogFigures["with"]) => [
    ...[label, perSecond(side.perSecond), ms(side.p99Ms)],
    `${Math.round(side.processorMicroseconds)} µs`,
  ];
  return [
    "\n## Log of requests\n",
    `Purchases by API keys of many accounts, ${figures.clients} clients, on two ports of one process, of`,
    `which one logs requests; ${figures.pairs} pairs in turns. Here commits do not wait for the disk: those`,
    "waits vary by more than the log takes, and leave time in which it could hide. By the mean of the pairs,",
    `without the eighth at either end, the log takes ${percent(figures.share)} (standard error`,
    `${percent(figures.shareError)}) of the purchases per second, and ${percent(figures.processorShare)}`,
    `(${percent(figures.processorShareError)}) more processor time for one, server and database together. Of`,
    `${count(figures.acknowledged)} purchases with the log,`,
    `${count(figures.logged)} are in it.\n`,
    ...table(
      ["purchases", "a second", "p99 ms", "processor time of one"],
      [row("with the log", figures.with), row("without it", figures.without)],
    ),
  ];
}

/** Added to the bench's own, for `bun run mutation`. */
export function mutationSection({ sampled, all, seed, minutes, left, rows, total }: MutationFigures): string[] {
  const line = (row: MutationRow) => [
    row.file,
    ...[row.killed, row.timeout, row.survived, row.unreached].map(count),
    `${scoreOf(row).toFixed(0)} %`,
  ];
  return [
    "\n## Mutants\n",
    `${count(sampled)} of ${count(all)} small changes to src/core and src/shared (Stryker's, and changes of SQL),`,
    `drawn with the seed ${seed}, in ${Math.round(minutes)} minutes. Killed: a test fails, or (timeout) does not end.`,
    "Survived: every test that reaches it passes. Unreached: no test does. Tests that kill processes or need a",
    "browser take no part, nor do these, which fail on the instrumented source: " +
      `${left.map((file) => file.replace("test/", "")).join(", ") || "none"}.\n`,
    ...table(["file", "killed", "timeout", "survived", "unreached", "score"], [line(total), ...rows.map(line)]),
  ];
}

function scaleSection({ about, clients, phases, orders, memory }: ScaleFigures): string[] {
  return [
    "\n## Many processes\n",
    `${about}; ${clients} clients`,
    `buy without a pause through the proxy, nine purchases and then a bulk order of five${load()}. In`,
    "the rolling restart each process in turn gets SIGTERM, exits with 0 and is restarted; the clients repeat nothing,",
    "so any answer but 201 is a failure; only after the shop's own timeout of nine seconds, as on an overloaded",
    "machine, it counts as late and is repeated. When PgBouncer is killed, 503 with Retry-After is repeated with the",
    "same key.",
    `All ${count(orders)} acknowledged orders are in the database once and no other, and the books balance.\n`,
    ...table(
      ["meanwhile", "s", "restarts", "purchases", "bulk orders", "asked again", "late", "failures", "p50 / p99 ms"],
      phases.map(({ label, p50Ms, p99Ms, failures, ...phase }) => [
        ...[label, phase.seconds.toFixed(0), count(phase.restarts), count(phase.purchases)],
        ...[count(phase.bulkOrders), count(phase.retried), count(phase.late), count(failures.length)],
        `${ms(p50Ms)} / ${ms(p99Ms)}`,
      ]),
    ),
    "",
    "Memory that each process holds for itself (proportional set size) at the end, in MB:\n",
    ...table(
      ["process", "MB"],
      memory.map(({ name, megabytes }) => [name, count(Math.round(megabytes))]),
    ),
  ];
}
