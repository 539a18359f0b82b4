// The baseline: pgbench calls a hand-written purchase function, prepared. Where pgbench is not installed, a process
// of our own calls the same function through the driver.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Load, Outcome } from "./client.ts";
import { latencyOf } from "./numbers.ts";
import type { BenchShop } from "./world.ts";

export type Driver = { name: string; run: (load: Load) => Promise<Outcome> };

/** Creates the function in the shop's database and finds a driver to call it. */
export async function openFunction(shop: BenchShop): Promise<Driver> {
  await shop.db.$client.unsafe(readFileSync(join(import.meta.dir, "function.sql"), "utf8"));
  const program = findPgbench();
  if (program) return { name: "pgbench -M prepared", run: (load) => runPgbench(program, shop, load) };
  const name = "the driver postgres.js (no pgbench here)";
  return { name, run: (load) => runDriver(shop, load) };
}

function findPgbench(): string | null {
  const onPath = Bun.which("pgbench");
  if (onPath) return onPath;
  const found = [
    ...new Bun.Glob("*/bin/pgbench").scanSync({
      cwd: "/usr/lib/postgresql",
      throwErrorOnBrokenSymlink: false,
    }),
  ];
  const newest = found.sort().at(-1);
  return newest ? join("/usr/lib/postgresql", newest) : null;
}

async function runPgbench(program: string, shop: BenchShop, load: Load): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    writeFileSync(join(folder, "script.sql"), scriptFor(shop, load.isHot));
    const threads = Math.min(load.clients, availableParallelism());
    const options = ["--protocol=prepared", "--no-vacuum", `--client=${load.clients}`, `--jobs=${threads}`];
    const logging = ["--log", `--log-prefix=${join(folder, "log")}`];
    const command = [program, ...options, ...logging, `--time=${load.seconds}`, `--file=${join(folder, "script.sql")}`];
    const child = Bun.spawn(command, { env: environmentFor(shop.url), stdout: "pipe", stderr: "pipe" });
    const [output, complaints] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if ((await child.exited) !== 0) throw new Error(`pgbench failed:\n${complaints}`);
    const figure = (pattern: RegExp) => Number(pattern.exec(output)![1]);
    return {
      perSecond: figure(/tps = ([\d.]+)/),
      ...latencyOf(durationsIn(folder)),
      acknowledged: figure(/actually processed: (\d+)/),
      failures: [],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Numbers begin with 23, which the shop's buyers here do not use, so no order is a duplicate of another. */
function scriptFor({ firstAgentId, hotAgentId, productIds }: BenchShop, isHot: boolean): string {
  const agents = isHot ? [hotAgentId, hotAgentId] : [firstAgentId, hotAgentId - 1];
  return [
    `\\set buyer random(${agents.join(", ")})`,
    `\\set product random(${productIds[0]}, ${productIds.at(-1)})`,
    "\\set number random(2332300000000 / 10, 2332399999999 / 10)",
    "SELECT bench_purchase(:buyer, :product, :number::text, gen_random_uuid()::text);",
  ].join("\n");
}

/** The third field of each line is a call's duration in microseconds. */
function* durationsIn(folder: string): Generator<number> {
  for (const name of readdirSync(folder).filter((file) => file.startsWith("log"))) {
    for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
      if (line) yield Number(line.split(" ")[2]) / 1000;
    }
  }
}

/** The password goes through the environment, because anybody can read a command line. */
function environmentFor(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    PATH: process.env.PATH ?? "",
    PGHOST: hostname,
    PGPORT: port || "5432",
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
  };
}

async function runDriver(shop: BenchShop, load: Load): Promise<Outcome> {
  const { url, firstAgentId, hotAgentId, productIds } = shop;
  const agents = load.isHot ? [hotAgentId, hotAgentId] : [firstAgentId, hotAgentId - 1];
  const ask = JSON.stringify({ ...load, url, agents, products: [productIds[0], productIds.at(-1)] });
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "driver.ts"), ask], { stdout: "pipe" });
  return (await new Response(child.stdout).json()) as Outcome;
}
