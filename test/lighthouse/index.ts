// The `bun run lighthouse` command: Lighthouse's four scores of the pages that agents use, on its profile of a phone,
// against the demonstration shop. Each is the median of three runs; a score below 95 ends it with 1. --only
// /orders,/wallet measures these, --runs 5 repeats more often, --write keeps the table in test/bench/RESULTS.md.
// Lighthouse is installed beside the project for it, because it brings 390 packages that nothing else needs.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { pages as declared } from "../../src/web/pages/index.tsx";
import { median } from "../bench/numbers.ts";
import { table, withNew } from "../bench/report.ts";
import { hasBrowser, launchBrowser } from "../browser/chromium.ts";
import { type DemoShop, openDemoShop } from "../support/demo-shop.ts";
import { freePort } from "../support/shop.ts";
import own from "./package.json";

const SCORE_MIN = 95;
/** On a busy machine it loses the start of a recording now and then, and says itself that it should be repeated. */
const TRIES = 3;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Scores = Record<(typeof CATEGORIES)[number], number>;
/** Kept between runs, because installing takes longer than measuring. */
const HOME = join(import.meta.dir, "../../.data/lighthouse");
const RESULTS = join(import.meta.dir, "../bench/RESULTS.md");

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    runs: { type: "string", default: "3" },
    write: { type: "boolean" },
  },
});
const progress = (line: string) => void process.stdout.write(`${line}\n`);

if (!hasBrowser()) process.exit(1);
await install();
const port = freePort();
const [shop, browser] = await Promise.all([openDemoShop(), launchBrowser([`--remote-debugging-port=${port}`])]);
let isFastEnough = false;
try {
  const measured = await measure(shop);
  const section = sectionOf(measured).join("\n");
  progress(section);
  if (options.write) {
    const args = process.argv.slice(2).map((word) => ` ${word}`);
    const kept = await Bun.file(RESULTS).text();
    await Bun.write(RESULTS, withNew(kept, section, `bun run lighthouse${args.join("")}`));
  }
  isFastEnough = measured.every(({ scores }) => Object.values(scores).every((score) => score >= SCORE_MIN));
} finally {
  await browser.close();
  await shop.close();
}
process.exit(isFastEnough ? 0 : 1);

type Measured = { path: string; scores: Scores };

async function measure(shop: DemoShop): Promise<Measured[]> {
  const token = await shop.logIn("ama");
  const measured: Measured[] = [];
  for (const { path, address, isPublic } of await targets(shop, token)) {
    if (options.only && !options.only.split(",").includes(path)) continue;
    const cookie = isPublic ? null : `${SESSION_COOKIE}=${token}`;
    const runs: Scores[] = [];
    for (let run = 0; run < Number(options.runs); run++) runs.push(await scoresOf(shop.url + address, cookie));
    const scores = Object.fromEntries(
      CATEGORIES.map((category) => [category, median(runs.map((scores) => scores[category]))]),
    ) as Scores;
    measured.push({ path, scores });
    progress(`  ${path}: ${Object.values(scores).join(" ")}`);
  }
  return measured;
}

/** The measured pages by their paths, each with an address. */
async function targets(shop: DemoShop, token: string) {
  const headers = { cookie: `${SESSION_COOKIE}=${token}` };
  const list = await (await fetch(`${shop.url}/orders?all=1`, { headers })).text();
  const order = /\/orders\/\d+/.exec(list)?.[0];
  if (!order) throw new Error("the demonstration shop's order list has no order");
  const buying = declared.some(({ path }) => path === "/buy") ? "/buy" : "/mtn-data";
  const personal = ["/dashboard", buying, "/orders", "/orders/:id", "/wallet"];
  return [
    ...["/", "/login"].map((path) => ({ path, address: path, isPublic: true })),
    ...personal.map((path) => ({ path, address: path.includes(":") ? order : path, isPublic: false })),
  ];
}

async function scoresOf(url: string, cookie: string | null): Promise<Scores> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await runOnce(url, cookie);
    } catch (error) {
      if (left === 0) throw error;
      progress(`  once more: ${(error as Error).message}`);
    }
  }
}

/** One run of Lighthouse's own command, in the running browser, signed in by the cookie. */
async function runOnce(url: string, cookie: string | null): Promise<Scores> {
  const child = Bun.spawn(
    [
      ...[process.execPath, join(HOME, "node_modules/lighthouse/cli/index.js"), url, `--port=${port}`],
      ...["--output=json", "--output-path=stdout", "--quiet", `--only-categories=${CATEGORIES.join(",")}`],
      ...(cookie ? [`--extra-headers=${JSON.stringify({ cookie })}`] : []),
    ],
    { cwd: HOME, stdout: "pipe", stderr: "pipe" },
  );
  const [output, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`Lighthouse ended with ${code} on ${url}:\n${complaint}`);
  const report = JSON.parse(output) as Report;
  if (report.runtimeError) throw new Error(`Lighthouse on ${url}: ${report.runtimeError.message}`);
  if (new URL(report.finalDisplayedUrl).pathname !== new URL(url).pathname)
    throw new Error(`${url} led to ${report.finalDisplayedUrl}`);
  const scores = CATEGORIES.map((name) => [name, Math.round((report.categories[name]?.score ?? 0) * 100)]);
  return Object.fromEntries(scores) as Scores;
}

type Report = {
  finalDisplayedUrl: string;
  runtimeError?: { message: string };
  categories: Record<string, { score: number | null } | undefined>;
};

function sectionOf(measured: Measured[]): string[] {
  return [
    "## Lighthouse\n",
    `Lighthouse ${own.dependencies.lighthouse} on its profile of a phone (slow 4G and a 4 times slower processor,`,
    `both simulated), against the demonstration shop; medians of ${options.runs} runs.`,
    `Each is to be at least ${SCORE_MIN}.\n`,
    ...table(
      ["page", ...CATEGORIES],
      measured.map(({ path, scores }) => [path, ...CATEGORIES.map((category) => String(scores[category]))]),
    ),
    "",
  ];
}

/** Installs the pinned version, unless it is there. */
async function install(): Promise<void> {
  const wanted = `${JSON.stringify(own, null, 2)}\n`;
  const manifest = Bun.file(join(HOME, "package.json"));
  if (existsSync(join(HOME, "node_modules/lighthouse")) && (await manifest.text()) === wanted) return;
  progress("  installing Lighthouse, which takes a minute");
  await mkdir(HOME, { recursive: true });
  await manifest.write(wanted);
  const child = Bun.spawn([process.execPath, "install", "--no-save", "--no-summary"], {
    cwd: HOME,
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("Lighthouse could not be installed");
}
