// The `bun run test` command in its three sizes: `quick` is for use while working, `long` runs the slow files and the
// slow tests of others, and without a name it runs everything else. Each ends with the ten slowest files and, so that
// they are found at the end of a cut log, with the failures once more.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LONG_MARK } from "./support/long.ts";

/**
 * Tests that start, kill or build processes, break connections, load the shop for long, pass through hours of its time,
 * or try every route, form, journey, page, role, switch or island in one more way; and the slowest of a rule in every
 * channel.
 */
const LONG = [
  "test/api/addresses.test.ts",
  "test/api/assignment.test.ts",
  "test/api/contract.test.ts",
  "test/api/crash.test.ts",
  "test/api/delivery-crash.test.ts",
  "test/api/guide-languages.test.ts",
  "test/api/hooks.test.ts",
  "test/api/image.test.ts",
  "test/api/input.test.ts",
  "test/api/key-rotation.test.ts",
  "test/api/late.test.ts",
  "test/api/message-crash.test.ts",
  "test/api/others.test.ts",
  "test/api/payment-crash.test.ts",
  "test/api/provider-keys.test.ts",
  "test/api/request-log-stop.test.ts",
  "test/api/sandbox-at-once.test.ts",
  "test/api/sandbox-demo.test.ts",
  "test/api/sandbox-wall.test.ts",
  "test/api/sandbox.test.ts",
  "test/api/sms-crash.test.ts",
  "test/api/sms-fallback-crash.test.ts",
  "test/api/start.test.ts",
  "test/api/stopping.test.ts",
  "test/api/taken-up.test.ts",
  "test/api/tracing.test.ts",
  "test/browser/admin-islands.test.ts",
  "test/browser/admin.test.ts",
  "test/browser/agent-buying.test.ts",
  "test/browser/agent-payments.test.ts",
  "test/browser/agent.test.ts",
  "test/browser/books.test.ts",
  "test/browser/bulk.test.ts",
  "test/browser/bundle.test.ts",
  "test/browser/day.test.ts",
  "test/browser/developers.test.ts",
  "test/browser/every-page.test.ts",
  "test/browser/keyboard.test.ts",
  "test/browser/landing.test.ts",
  "test/browser/offline.test.ts",
  "test/browser/order.test.ts",
  "test/browser/orders.test.ts",
  "test/browser/palette.test.ts",
  "test/browser/prices.test.ts",
  "test/browser/slow.test.ts",
  "test/browser/taps.test.ts",
  "test/browser/today.test.ts",
  "test/browser/touch.test.ts",
  "test/browser/without-scripts.test.ts",
  "test/channels/margin-guard.test.ts",
  "test/channels/prices-long.test.ts",
  "test/channels/prices.test.ts",
  "test/channels/ussd-crash.test.ts",
  "test/channels/ussd-dialogue.test.ts",
  "test/channels/ussd-property.test.ts",
  "test/channels/ussd-shortcuts.test.ts",
  "test/channels/ussd-unnumbered.test.ts",
  "test/clients/drift.test.ts",
  "test/clients/generators.test.ts",
  "test/clients/new-developer.test.ts",
  "test/clients/published.test.ts",
  "test/core/books/closing.test.ts",
  "test/core/buying/favourites.test.ts",
  "test/core/buying/storm.test.ts",
  "test/core/catalog/costs-property.test.ts",
  "test/core/catalog/slow-prices.test.ts",
  "test/core/fulfilment/deadlines.test.ts",
  "test/core/fulfilment/delivery-rules.test.ts",
  "test/core/fulfilment/delivery-simulated.test.ts",
  "test/core/fulfilment/merged-network.test.ts",
  "test/core/fulfilment/rerouting-random.test.ts",
  "test/core/fulfilment/suspended.test.ts",
  "test/core/fulfilment/what-agents-read.test.ts",
  "test/core/orders/number-search-cost.test.ts",
  "test/core/orders/order-filters.test.ts",
  "test/core/overview/switches.test.ts",
  "test/core/payments/payments-property.test.ts",
  "test/core/platform/app-role.test.ts",
  "test/core/requests/queries.test.ts",
  "test/core/sandbox/clock.test.ts",
  "test/core/webhooks/announcing.test.ts",
  "test/db/embedded.test.ts",
  "test/db/migrate.test.ts",
  "test/db/seed.test.ts",
  "test/dialogues",
  "test/insiders",
  "test/islands/preact.test.ts",
  "test/mutation",
  "test/torture",
  "test/web/exports.test.ts",
  "test/web/hostile.test.ts",
  "test/web/kept-forms.test.ts",
  "test/web/roles.test.ts",
  "test/web/staff-weight.test.ts",
  "test/web/uploads.test.ts",
  "test/web/work.test.ts",
];
/** Files that change the globals of their process (a document): each has one of its own. */
const ISOLATED = ["test/browser", "test/islands"];
const QUICK = ["test/unit", "test/core"];
/** Left out of the quick run: these rooms call providers, and wait for their simulators. */
const WITH_PROVIDERS = ["fulfilment", "messaging", "payments", "webhooks"].map((room) => `test/core/${room}`);

const root = join(import.meta.dir, "..");
for (const path of [...LONG, ...ISOLATED, ...QUICK, ...WITH_PROVIDERS])
  if (!existsSync(join(root, path))) throw new Error(`test/run.ts names ${path}, which does not exist`);
const timings = join(root, ".data/test/timings.json");
const size = process.argv[2] ?? "all";
if (!["all", "quick", "long"].includes(size)) {
  console.error("bun test/run.ts [quick|long]");
  process.exit(1);
}

mkdirSync(join(root, ".data/test"), { recursive: true });
const before = await measured();
const codes: number[] = [];
const failures: string[][] = [];
const LINES_OF_A_FAILURE = 30;
const printed = { file: "", sinceLastTest: [] as string[], failure: null as string[] | null, isListed: false };
if (size === "long") {
  codes.push(await run(LONG));
  const named = `${LONG_MARK.replace(/[()]/g, "\\$&")}$`;
  codes.push(await run(["--no-isolate", `--test-name-pattern=${named}`, ...withLongTests()]));
} else if (size === "quick")
  codes.push(await run(["--no-isolate", ...without([...LONG, ...WITH_PROVIDERS]), ...QUICK]));
else {
  codes.push(await run(["--no-isolate", ...without([...LONG, ...ISOLATED])]));
  codes.push(await run([...without(LONG), ...ISOLATED]));
}
await listSlowest();
if (failures.length > 0) process.stdout.write(`\nThe failures, once more:\n${failures.flat().join("\n")}\n`);
process.exit(codes.find((code) => code !== 0) ?? 0);

async function run(options: string[]): Promise<number> {
  const colours = process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};
  const times = [`--timings=${timings}`, "--update-timings"];
  const tests = Bun.spawn([process.execPath, "test", "--parallel=3", ...times, ...options], {
    cwd: root,
    env: { ...process.env, ...colours, TEST_RUN: size === "long" ? "long" : "short" },
    stdio: ["inherit", "inherit", "pipe"],
  });
  await passOn(tests.stderr);
  return tests.exited;
}

/** Passes on what Bun prints, and keeps each failure: its file, its name, and what was printed before and after it. */
async function passOn(output: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  printed.isListed = false;
  let unfinished = "";
  for await (const bytes of output) {
    process.stderr.write(bytes);
    const lines = (unfinished + decoder.decode(bytes, { stream: true })).split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) read(Bun.stripANSI(line));
  }
}

function read(line: string): void {
  // Bun's own list at its end names them a second time.
  if (/^\d+ tests? failed:$/.test(line)) printed.isListed = true;
  if (printed.isListed) return;
  if (/^(test\/\S+:$|\((pass|skip|todo)\) | *\d+ pass$)/.test(line)) {
    if (line.startsWith("test/")) printed.file = line;
    printed.sinceLastTest = [];
    printed.failure = null;
  } else if (/^(\(fail\)|✗) /.test(line)) {
    printed.failure = [printed.file, ...printed.sinceLastTest.slice(-LINES_OF_A_FAILURE), line];
    printed.sinceLastTest = [];
    failures.push(printed.failure);
  } else {
    printed.sinceLastTest.push(line);
    if (printed.sinceLastTest.length <= LINES_OF_A_FAILURE) printed.failure?.push(line);
  }
}

/** The files with some long tests, which are not long as a whole. */
function withLongTests(): string[] {
  const files = [...new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync(root)].sort();
  const isLong = (file: string) => LONG.some((path) => file === path || file.startsWith(`${path}/`));
  return files.filter((file) => !isLong(file) && readFileSync(join(root, file), "utf8").includes("longTest"));
}

function without(paths: string[]): string[] {
  return paths.map((path) => `--path-ignore-patterns=${path.endsWith(".ts") ? path : `${path}/**`}`);
}

type Timings = Record<string, number>;

async function measured(): Promise<Timings> {
  const file = Bun.file(timings);
  return (await file.exists()) ? ((await file.json()) as { files: Timings }).files : {};
}

/** Lists the slowest files of this run, which are those with a new time. */
async function listSlowest(): Promise<void> {
  const now = await measured();
  const slowest = Object.entries(now)
    .filter(([path, ms]) => before[path] !== ms)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10);
  process.stdout.write("\nThe slowest files:\n");
  for (const [path, ms] of slowest) process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)} s  ${path}\n`);
}
