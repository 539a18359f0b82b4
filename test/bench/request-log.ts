// The cost of the log of requests: purchases per second by API keys with the log and without it, in turns. Both are in
// one process: two with the same code differ by up to a tenth, whatever they do. Afterwards every acknowledged purchase
// of the one must be in the log, and none of the other.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../src/core/identity/logins/sessions.ts";
import { newKey, SCOPES } from "../../src/shared/api-keys.ts";
import type { Outcome } from "./client.ts";
import { median, trimmedMean } from "./numbers.ts";
import { openBuyers, type Pace } from "./purchases.ts";
import { type BenchServer, type BenchShop, openShop } from "./world.ts";

export type RequestLogFigures = {
  pairs: number;
  clients: number;
  with: Side;
  without: Side;
  /** The share of the throughput that the log takes, and its standard error: the trimmed mean of the pairs. */
  share: number;
  shareError: number;
  /** The same of the processor time of a purchase, server and database together; it minds other work less. */
  processorShare: number;
  processorShareError: number;
  logged: number;
  acknowledged: number;
};
type Side = { perSecond: number; p99Ms: number; processorMicroseconds: number };

const AGENTS = 1_000;
const CLIENTS = 64;
/** As long as a request waits to be written: as many are written meanwhile as come in. */
const SLICE_SECONDS = 2;
/** For each second of the pace. Many, because the machine's other work comes and goes. */
const PAIRS = 9;

/** Each pair is measured first on the one side and then on the other, in turns, with what the log has left to write. */
export async function measureRequestLog(
  server: BenchServer,
  pace: Pace,
  progress: (line: string) => void,
): Promise<RequestLogFigures> {
  const url = await server.database("bench_request_log");
  const shop = await openShop(url, AGENTS);
  // Waits for a disk vary by more than the log takes, and leave time in which it could hide.
  await shop.db.$client.unsafe("alter database bench_request_log set synchronous_commit = off");
  const tokens = await makeKeys(shop);
  const served = await openProcess(url);
  const [on, off] = [served.ports.with, served.ports.without].map((port) =>
    openSide(shop, { port, pid: served.pid, tokens }),
  ) as [OpenSide, OpenSide];
  const sides = [on, off];
  let numbers = 0;
  const run = async (side: OpenSide) => {
    const outcome = await side.run(numbers, served.flush);
    numbers += outcome.acknowledged;
    return outcome;
  };
  try {
    progress("  warming up");
    for (const side of sides) await run(side);
    const pairs: { on: Measured; off: Measured }[] = [];
    for (let n = 0; n < pace.rounds * pace.seconds * PAIRS; n++) {
      const measured = new Map<OpenSide, Measured>();
      // The first one has a rested server, so they take turns.
      for (const side of n % 2 === 0 ? [on, off] : [off, on]) measured.set(side, await run(side));
      pairs.push({ on: measured.get(on)!, off: measured.get(off)! });
      const { on: one, off: other } = pairs.at(-1)!;
      progress(`  ${Math.round(one.perSecond)} a second with the log, ${Math.round(other.perSecond)} without`);
    }
    for (const side of sides) side.close();
    await served.stop();
    const [row] = await shop.db.$client<{ count: number }[]>`select count(*)::int as count from api_requests`;
    const ratio = (value: (one: Measured) => number) =>
      trimmedMean(pairs.map((pair) => value(pair.on) / value(pair.off)));
    const throughput = ratio(({ perSecond }) => perSecond);
    const processor = ratio(({ processorMicroseconds }) => processorMicroseconds);
    return {
      ...{ pairs: pairs.length, clients: CLIENTS, logged: row!.count, acknowledged: on.acknowledged() },
      with: sideOf(pairs.map((pair) => pair.on)),
      without: sideOf(pairs.map((pair) => pair.off)),
      ...{ share: 1 - throughput.mean, shareError: throughput.error },
      ...{ processorShare: processor.mean - 1, processorShareError: processor.error },
    };
  } finally {
    served.kill();
    await shop.close();
  }
}

type Measured = Outcome & { processorMicroseconds: number };

async function openProcess(url: string) {
  const { promise, resolve } = Promise.withResolvers<{ with: number; without: number }>();
  let flushed = Promise.withResolvers<void>();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "key-shop.ts"), url], {
    ipc: (message) =>
      message === "flushed" ? flushed.resolve() : resolve(message as { with: number; without: number }),
    stdio: ["ignore", "inherit", "inherit"],
  });
  const flush = () => {
    flushed = Promise.withResolvers();
    child.send("flush");
    return flushed.promise;
  };
  const stop = async () => {
    child.send("stop");
    await child.exited;
  };
  return { ports: await promise, pid: child.pid, flush, stop, kill: () => child.kill() };
}

type OpenSide = {
  run: (firstNumber: number, flush: () => Promise<void>) => Promise<Measured>;
  acknowledged: () => number;
  close: () => void;
};

function openSide(shop: BenchShop, { port, pid, tokens }: { port: number; pid: number; tokens: string[] }): OpenSide {
  const buyers = openBuyers({ port, tokens, productIds: shop.productIds });
  let acknowledged = 0;
  return {
    run: async (firstNumber, flush) => {
      const before = await processorMs(shop, pid);
      const load = { clients: CLIENTS, seconds: SLICE_SECONDS, isHot: false, firstNumber };
      const outcome = await buyers.run(load);
      await flush();
      const spent = (await processorMs(shop, pid)) - before;
      if (outcome.failures.length > 0) throw new Error(`purchases were refused:\n${outcome.failures.join("\n")}`);
      acknowledged += outcome.acknowledged;
      return { ...outcome, processorMicroseconds: (spent * 1000) / outcome.acknowledged };
    },
    acknowledged: () => acknowledged,
    close: () => buyers.close(),
  };
}

/** A key for each agent's program, in the order of the tokens of `openShop`. */
async function makeKeys({ db, firstAgentId, tokens }: BenchShop): Promise<string[]> {
  const keys = tokens.map(() => newKey("live"));
  const rows = keys.map((key, n) => ({
    ...{ user_id: firstAgentId + n, name: "bench", digest: digestOf(key), shown: key.slice(0, 13) },
    scopes: [...SCOPES],
  }));
  await db.$client`insert into api_keys ${db.$client(rows)}`;
  return keys;
}

/** Processor time so far of a shop's process and of its connections' backends, in ms. */
async function processorMs({ db }: BenchShop, pid: number): Promise<number> {
  const backends = await db.$client<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = ${`datafie ${pid}`}`;
  return [pid, ...backends.map((backend) => backend.pid)].reduce((sum, one) => sum + ticksOf(one) * 10, 0);
}

/** Of a hundredth of a second each, in user and system mode; 0 where there is no /proc. */
function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

function sideOf(all: Measured[]): Side {
  const of = (value: (one: Measured) => number) => median(all.map(value));
  return {
    perSecond: of((one) => one.perSecond),
    p99Ms: of((one) => one.p99Ms),
    processorMicroseconds: of((one) => one.processorMicroseconds),
  };
}
