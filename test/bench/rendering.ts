// The order list rendered by the shop and by Next.js, in turns on one core: same database, session check, query and
// components, so that only the way to the page differs. Next.js is installed beside the project for it, and its page
// is built from the shop's own source.
import { existsSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { cpus } from "node:os";
import { join, relative } from "node:path";
import own from "../../package.json";
import { buyBulk } from "../../src/core/buying/buy-bulk.ts";
import { cookieName } from "../../src/http/requests.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { menuOf } from "../../src/web/navigation.ts";
import { freePort, startShop } from "../support/shop.ts";
import { TEST_JWT_SECRET } from "../support/world.ts";
import nextPackage from "./next/package.json";
import { median, numberAt } from "./numbers.ts";
import type { Pace } from "./purchases.ts";
import { type BenchServer, openShop } from "./world.ts";

/** Pages per second, and per second of processor time of the server. */
export type Rendered = { perSecond: number; perProcessorSecond: number; bytes: number };
export type RenderingFigures = {
  nextVersion: string;
  rows: number;
  ours: Rendered;
  next: Rendered;
  ratio: number;
};

const ROWS = 50;
const PATH = "/orders?all=1";
const AT_ONCE = 16;
/** By then both are fully compiled. */
const WARM_UP_SECONDS = 10;
const ROOT = join(import.meta.dir, "../..");
/** Kept between runs, because installing takes longer than measuring. */
const SITE = join(ROOT, ".data/bench-next");

/** Null if processes cannot be bound to a core, or Next.js is not available. */
export async function measureRendering(
  server: BenchServer,
  pace: Pace,
  progress: (line: string) => void,
): Promise<RenderingFigures | null> {
  if (process.platform !== "linux" || cpus().length < 2) {
    progress("  left out: it needs Linux and two processors, one for each side of the socket");
    return null;
  }
  const url = await server.database("bench_rendering");
  const cookie = await fillList(url);
  if (!(await buildSite(progress))) return null;
  // The program shows its public address, so the local one must be known beforehand.
  const port = Number(freePort());
  const program = await startShop(url, { ...AS_IN_PRODUCTION, PORT: String(port) });
  const shop = { ...program, url: `http://127.0.0.1:${port}` };
  const site = await startSite(url);
  try {
    // The servers have the first core to themselves, one at a time; the client stays off it.
    await pin(shop.pid, "0");
    await pin(site.pid, "0");
    await pin(process.pid, `1-${cpus().length - 1}`);
    await expectSamePage([shop, site], cookie);
    const sides = { ours: shop, next: site };
    const runs = { ours: [] as Rendered[], next: [] as Rendered[] };
    for (const side of [shop, site]) await load(side, cookie, WARM_UP_SECONDS);
    for (let round = 0; round < pace.rounds; round++) {
      for (const name of ["ours", "next"] as const) runs[name].push(await load(sides[name], cookie, pace.seconds * 2));
      const [ours, next] = [runs.ours.at(-1)!, runs.next.at(-1)!];
      progress(`  ${Math.round(ours.perProcessorSecond)} pages against ${Math.round(next.perProcessorSecond)}`);
    }
    const [ours, next] = [medianOf(runs.ours), medianOf(runs.next)];
    const ratio = ours.perProcessorSecond / next.perProcessorSecond;
    return { nextVersion: nextPackage.dependencies.next, rows: ROWS, ours, next, ratio };
  } finally {
    await pin(process.pid, `0-${cpus().length - 1}`);
    await site.stop();
    await shop.stop();
  }
}

/** The real program in production mode: React, too, differs in development. */
const AS_IN_PRODUCTION = {
  NODE_ENV: "production",
  RUN: "server",
  LOG_LEVEL: "warn",
  BASE_URL: "https://shop.example",
  HOSTS: "127.0.0.1",
  PAYSTACK_SECRET_KEY: "sk_live_nobody_answers",
};

/** An agent with more orders than fit on a page; returns the cookie of their session. */
async function fillList(url: string): Promise<string> {
  const { db, firstAgentId, productIds, tokens, close } = await openShop(url, 1);
  const by: ByUser = { userId: firstAgentId, roles: ["USER"], channel: "web" };
  const lines = Array.from({ length: ROWS * 4 }, (_, n) => ({
    productId: productIds[n % productIds.length]!,
    msisdn: `0${numberAt(n).slice(3)}`,
    quantity: 1 + (n % 3),
  }));
  await buyBulk(db, { by, key: { scope: "bench", key: "1" }, lines });
  await db.$client`vacuum analyze`;
  await close();
  return `${cookieName(SESSION_COOKIE, AS_IN_PRODUCTION.BASE_URL)}=${tokens[0]}`;
}

type Side = { url: string; pid: number };

/** Both show exactly the same rows, as many as fit on a page. */
async function expectSamePage(sides: Side[], cookie: string): Promise<void> {
  const [ours = [], next = []] = await Promise.all(sides.map((side) => rowsOf(side, cookie)));
  if (ours.length !== ROWS) throw new Error(`the page has ${ours.length} rows in place of ${ROWS}`);
  if (ours.join() !== next.join()) throw new Error("the two pages do not show the same rows");
}

/** The rows of a side's page. How long ago an order was may differ by a minute, and its moment stands beside it. */
async function rowsOf({ url }: Side, cookie: string): Promise<string[]> {
  const response = await fetch(`${url}${PATH}`, { headers: { cookie } });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  const rows = (await response.text()).match(/<a class="row-link".*?<\/li>/gs) ?? [];
  return rows.map((row) => row.replace(/(<time dateTime="[^"]+">)(?:Just now|\d+ min ago)(?=<\/time>)/, "$1"));
}

async function load({ url, pid }: Side, cookie: string, seconds: number): Promise<Rendered> {
  let [pages, bytes] = [0, 0];
  const before = await processorSecondsOf(pid);
  const endsAt = performance.now() + seconds * 1000;
  const readOn = async () => {
    while (performance.now() < endsAt) {
      const response = await fetch(`${url}${PATH}`, { headers: { cookie, "accept-encoding": "identity" } });
      bytes = (await response.arrayBuffer()).byteLength;
      if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
      pages += 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, readOn));
  const tookSeconds = (performance.now() - startedAt) / 1000;
  const workedSeconds = (await processorSecondsOf(pid)) - before;
  return { perSecond: pages / tookSeconds, perProcessorSecond: pages / workedSeconds, bytes };
}

function medianOf(runs: Rendered[]): Rendered {
  const of = (name: keyof Rendered) => median(runs.map((run) => run[name]));
  return { perSecond: of("perSecond"), perProcessorSecond: of("perProcessorSecond"), bytes: of("bytes") };
}

/** Agents' pages use none of these, and their imports are for browsers or for Bun alone: only their names are kept. */
const EMPTIED = [
  "src/web/html.tsx",
  "src/web/island.tsx",
  "src/web/ui/orders/desk.tsx",
  "src/web/ui/orders/draft-list.tsx",
  "src/core/identity/logins/passwords.ts",
  "islands/*.tsx",
];
/** A server component of Next.js has no contexts; an agent's page shows what the default of each says. */
const CONTEXTS = `const Provider = ({ children }) => children;
export const createContext = (value) => ({ Provider, value });
export const useContext = (context) => context.value;
`;
/** The packages that the page's modules import, in the shop's own versions. */
const PACKAGES = ["@opentelemetry/api", "drizzle-orm", "postgres", "prom-client", "react", "react-dom", "zod"] as const;

/** Makes the production build; what is installed stays for the next time. False if it cannot be installed. */
async function buildSite(progress: (line: string) => void): Promise<boolean> {
  const { version: jose } = await Bun.file(join(ROOT, "node_modules/jose/package.json")).json();
  const versions = PACKAGES.map((name) => [name, own.dependencies[name]]);
  const dependencies = { ...nextPackage.dependencies, ...Object.fromEntries(versions), jose };
  const wanted = `${JSON.stringify({ ...nextPackage, dependencies }, null, 2)}\n`;
  await mkdir(SITE, { recursive: true });
  const manifest = Bun.file(join(SITE, "package.json"));
  if (!existsSync(join(SITE, "node_modules/next")) || (await manifest.text()) !== wanted) {
    progress("  installing Next.js, which takes a minute");
    await manifest.write(wanted);
    try {
      await command(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"]);
    } catch (error) {
      progress(`  left out: ${(error as Error).message}`);
      return false;
    }
  }
  for (const name of ["app", "shop", ".next"]) await rm(join(SITE, name), { recursive: true, force: true });
  await cp(join(import.meta.dir, "next/app"), join(SITE, "app"), { recursive: true });
  await cp(join(import.meta.dir, "next/next.config.mjs"), join(SITE, "next.config.mjs"));
  for (const name of ["src", "channels", "db"])
    await cp(join(ROOT, name), join(SITE, "shop", name), { recursive: true });
  await adapt();
  await Bun.write(join(SITE, "shop/menu.json"), JSON.stringify(menuOf({ roles: ["USER"] })));
  progress("  building its page");
  await command([NEXT, "build"]);
  return true;
}

/** Makes server components of the copied modules. */
async function adapt(): Promise<void> {
  const shop = join(SITE, "shop");
  for (const pattern of EMPTIED)
    for (const path of new Bun.Glob(pattern).scanSync({ cwd: ROOT }))
      await Bun.write(join(shop, path), withoutContent(await Bun.file(join(ROOT, path)).text()));
  await Bun.write(join(shop, "contexts.js"), CONTEXTS);
  for (const path of new Bun.Glob("src/web/**/*.tsx").scanSync({ cwd: shop })) {
    const source = await Bun.file(join(shop, path)).text();
    if (source.includes("createContext")) await Bun.write(join(shop, path), withOwnContexts(source, path));
  }
}

/** A module's names without what they do; nothing of them is rendered. */
function withoutContent(source: string): string {
  const names = [...source.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, name]) => name);
  return names.map((name) => `export const ${name} = () => null;`).join("\n");
}

function withOwnContexts(source: string, path: string): string {
  const own = `import { createContext, useContext } from "${relative(join("/", path, ".."), "/contexts.js")}";\n`;
  return (
    own + source.replace(/^import .* from "react";$/m, (line) => line.replace(/\b(createContext|useContext),? ?/g, ""))
  );
}

const NEXT = join(SITE, "node_modules/.bin/next");
const ENVIRONMENT = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };

async function command(args: string[], cwd = SITE): Promise<string> {
  const child = Bun.spawn(args, { cwd, env: ENVIRONMENT, stdout: "pipe", stderr: "pipe" });
  const [output, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}${complaint}`);
  return output;
}

async function startSite(databaseUrl: string): Promise<Side & { stop: () => Promise<void> }> {
  const child = Bun.spawn([NEXT, "start", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: SITE,
    env: { ...ENVIRONMENT, DATABASE_URL: databaseUrl, JWT_SECRET: TEST_JWT_SECRET },
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
  const reader = child.stdout.getReader();
  for (const decoder = new TextDecoder(); !address(); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`Next.js ended before it was ready; it said:\n${output}`);
    output += decoder.decode(value, { stream: true });
  }
  return {
    url: address()!,
    pid: child.pid,
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

/** Binds a process, with all its threads, to these cores. */
async function pin(pid: number, cores: string): Promise<void> {
  await command(["taskset", "--all-tasks", "--cpu-list", "--pid", cores, String(pid)], ROOT);
}

/** The processor time of a process and its children, in ticks of 10 ms (proc_pid_stat(5), utime and stime). */
async function processorSecondsOf(pid: number): Promise<number> {
  const children = await command(["ps", "-o", "pid=", "--ppid", String(pid)], ROOT).catch(() => "");
  const pids = [pid, ...children.split(/\s+/).filter(Boolean).map(Number)];
  const ticks = await Promise.all(
    pids.map(async (one) => {
      const stat = await Bun.file(`/proc/${one}/stat`).text();
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(fields[11]) + Number(fields[12]);
    }),
  );
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}
