// Bulk orders through the whole stack and through the core alone, compared with a plain INSERT … SELECT of the same
// rows, in turns. The plain rows go into a separate database with the same content, because they would not balance.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, disconnect } from "../../db/connect.ts";
import { buyBulk } from "../../src/core/buying/buy-bulk.ts";
import { audit } from "../../src/core/ledger/audit.ts";
import { startShop } from "../support/shop.ts";
import { type Latency, latencyOf, median, numberAt } from "./numbers.ts";
import { type BenchServer, type BenchShop, openShop } from "./world.ts";

export type BulkSide = Latency & { medianMs: number };
export type BulkRow = {
  lines: number;
  http: BulkSide;
  core: BulkSide;
  bare: BulkSide;
  ratio: number;
  coreRatio: number;
};

type Line = { productId: number; msisdn: string; quantity: number };
/** Places one bulk order and returns how long it took. */
type Place = (lines: Line[]) => Promise<number>;

const SIZES = [100, 1_000, 10_000];
const AGENTS = 100;

/** Each size `rounds` times on each side (the small ones more often), and the audit afterwards. */
export async function measureBulk(
  server: BenchServer,
  rounds: number,
  progress: (line: string) => void,
): Promise<BulkRow[]> {
  const url = await server.database("bench_bulk");
  const shop = await openShop(url, AGENTS);
  const bareShop = await openShop(await server.database("bench_bare"), AGENTS);
  const process = await startShop(url, { RUN: "server", LOG_LEVEL: "warn" });
  const coreDb = connect(url);
  try {
    const sides = {
      http: overHttp(process.url, shop),
      core: throughCore(coreDb, shop),
      bare: bareInsert(bareShop),
    };
    let count = 0;
    const draw = (size: number): Line[] =>
      Array.from({ length: size }, () => ({
        productId: shop.productIds[count % shop.productIds.length]!,
        msisdn: `0${numberAt(count++).slice(3)}`,
        quantity: 1,
      }));
    for (const place of Object.values(sides)) for (let n = 0; n < 6; n++) await place(draw(1_000));
    const rows: BulkRow[] = [];
    for (const size of SIZES) {
      const times = { http: [] as number[], core: [] as number[], bare: [] as number[] };
      const repeats = rounds * (size < 10_000 ? 4 : 1);
      for (let n = 0; n < repeats; n++) {
        for (const name of ["http", "core", "bare"] as const) times[name].push(await sides[name](draw(size)));
      }
      rows.push(rowOf(size, times));
      progress(`  ${size} lines, ${repeats} times on each side`);
    }
    await check(shop);
    return rows;
  } finally {
    await process.stop();
    await disconnect(coreDb);
    await bareShop.close();
    await shop.close();
  }
}

function rowOf(lines: number, times: Record<"http" | "core" | "bare", number[]>): BulkRow {
  const side = (durations: number[]): BulkSide => ({ medianMs: median(durations), ...latencyOf(durations) });
  const [http, core, bare] = [side(times.http), side(times.core), side(times.bare)];
  return {
    lines,
    http,
    core,
    bare,
    ratio: http.medianMs / bare.medianMs,
    coreRatio: core.medianMs / bare.medianMs,
  };
}

/** The whole round trip, with the answer read to its end. */
function overHttp(url: string, { tokens }: BenchShop): Place {
  return async (lines) => {
    const body = JSON.stringify({ orders: lines });
    const headers = {
      authorization: `Bearer ${tokens[0]}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    };
    const startedAt = performance.now();
    const response = await fetch(`${url}/api/v1/orders/bulk`, { method: "POST", headers, body });
    const answer = await response.text();
    const tookMs = performance.now() - startedAt;
    const { count } = JSON.parse(answer) as { count: number };
    if (response.status !== 201 || count !== lines.length) throw new Error(answer.slice(0, 600));
    return tookMs;
  };
}

function throughCore(db: BenchShop["db"], { firstAgentId }: BenchShop): Place {
  const by = { userId: firstAgentId + 1, roles: ["USER"] as const, channel: "api" as const };
  return async (lines) => {
    const startedAt = performance.now();
    const key = { scope: "bench", key: crypto.randomUUID() };
    const { answer } = await buyBulk(db, { by, key, lines });
    if (answer.orders.length !== lines.length) throw new Error("not all lines were placed");
    return performance.now() - startedAt;
  };
}

function bareInsert({ db, firstAgentId }: BenchShop): Place {
  const statement = readFileSync(join(import.meta.dir, "bare.sql"), "utf8");
  return async (lines) => {
    const startedAt = performance.now();
    const rows = lines.map(({ productId, msisdn, quantity }, n) => ({
      n,
      product_id: productId,
      msisdn: `233${msisdn.slice(1)}`,
      quantity,
    }));
    await db.$client.unsafe(statement, [JSON.stringify(rows), firstAgentId], { prepare: true });
    return performance.now() - startedAt;
  };
}

async function check({ db }: BenchShop): Promise<void> {
  const { findings } = await audit(db);
  if (findings.length > 0) throw new Error(`the books do not balance: ${JSON.stringify(findings.slice(0, 5))}`);
}
