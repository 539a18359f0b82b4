// Ten thousand orders dispatched to a vendor at its permitted rate, and how fast the web stays meanwhile: a page and
// a purchase, each requested again and again before and during it, in the real program with its worker in the same
// process.
import { sql } from "drizzle-orm";
import { startVendors, type VendorSimulator } from "../../dev/simulators/vendors/vendors.ts";
import { startShop } from "../support/shop.ts";
import { type Latency, latencyOf, numberAt } from "./numbers.ts";
import { type BenchServer, type BenchShop, openShop } from "./world.ts";

export type DeliveryFigures = {
  lines: number;
  /** From the answer to the bulk order until the vendor has the last one. */
  seconds: number;
  /** The fastest that the vendor's limit allows. */
  leastSeconds: number;
  limitPerMinute: number;
  /** Placing calls in the busiest minute. */
  callsInFullestMinute: number;
  /** Calls that the vendor refused for exceeding its rate. */
  refusedCalls: number;
  rows: { label: string; before: Latency; during: Latency }[];
};

const LINES = 10_000;
const LIMIT_PER_MINUTE = 150;
const BATCH = 50;
const AGENTS = 20;
const QUIET_SECONDS = 10;

/** Places a bulk order of `LINES` and watches until the vendor has all of it. */
export async function measureDelivery(server: BenchServer, progress: (line: string) => void): Promise<DeliveryFigures> {
  const url = await server.database("bench_delivery");
  const shop = await openShop(url, AGENTS);
  const vendors = await startVendors({ speed: 1, start: Date.now() });
  vendors.switch({ floats: { datamart: 1e10 }, coolDownSeconds: 0 });
  const { baseUrl, apiKey, webhookSecret } = vendors.settings.datamart;
  await shop.db.execute(sql`
    insert into settings (key, value) values ('route_mtn', '"datamart"'), ('dispatch_hold_seconds', '0')`);
  const program = await startShop(url, {
    RUN: "both",
    LOG_LEVEL: "warn",
    DATAMART_BASE_URL: baseUrl,
    DATAMART_API_KEY: apiKey,
    DATAMART_WEBHOOK_SECRET: webhookSecret!,
  });
  try {
    const products = await shop.db.execute<{ id: number }>(
      sql`select id from products where operator = 'MTN' and line = 'bundle' order by id`,
    );
    const productIds = products.map(({ id }) => id);
    const questions = {
      page: pageOf(program.url, shop),
      purchase: purchaseOf(program.url, shop, productIds),
    };
    await watch(questions, () => Bun.sleep(2000));
    const before = await watch(questions, () => Bun.sleep(QUIET_SECONDS * 1000));
    progress(`  quiet for ${QUIET_SECONDS} seconds`);
    vendors.reset();
    vendors.switch({ speed: 1, floats: { datamart: 1e10 }, coolDownSeconds: 0 });
    await placeBulk(program.url, shop, productIds);
    const startedAt = performance.now();
    const during = await watch(questions, () => untilDispatched(shop, progress));
    const seconds = (performance.now() - startedAt) / 1000;
    const calls = placingCalls(vendors);
    return {
      lines: LINES,
      seconds,
      leastSeconds: (LINES / BATCH / LIMIT_PER_MINUTE) * 60,
      limitPerMinute: LIMIT_PER_MINUTE,
      callsInFullestMinute: fullestMinute(calls.map(({ at }) => at.getTime())),
      refusedCalls: calls.filter(({ status }) => status === 429).length,
      rows: (["page", "purchase"] as const).map((label) => ({
        label: label === "page" ? "the orders page" : "a purchase by the API",
        before: latencyOf(before[label]),
        during: latencyOf(during[label]),
      })),
    };
  } finally {
    await program.stop();
    await vendors.stop();
    await shop.close();
  }
}

type Questions = Record<"page" | "purchase", () => Promise<number>>;

/** Sends each request four times a second until the work is over; returns the durations. */
async function watch(questions: Questions, work: () => Promise<void>): Promise<Record<keyof Questions, number[]>> {
  const times = { page: [] as number[], purchase: [] as number[] };
  let isOver = false;
  const ask = async (label: keyof Questions) => {
    while (!isOver) {
      const startedAt = performance.now();
      times[label].push(await questions[label]());
      await Bun.sleep(Math.max(0, 250 - (performance.now() - startedAt)));
    }
  };
  const asking = Promise.all([ask("page"), ask("purchase")]);
  await work();
  isOver = true;
  await asking;
  return times;
}

function pageOf(url: string, { tokens }: BenchShop): () => Promise<number> {
  return async () => timed(() => fetch(`${url}/orders`, { headers: { cookie: `session=${tokens[1]}` } }), 200);
}

function purchaseOf(url: string, { tokens }: BenchShop, productIds: number[]): () => Promise<number> {
  let count = 0;
  return async () => {
    count += 1;
    const line = {
      productId: productIds[count % productIds.length],
      msisdn: plainNumber(LINES + count),
      quantity: 1,
      pay: "wallet",
    };
    return timed(() => post(`${url}/api/v1/orders`, tokens[2]!, line), 201);
  };
}

async function placeBulk(url: string, { tokens }: BenchShop, productIds: number[]): Promise<void> {
  const lines = Array.from({ length: LINES }, (_, n) => ({
    productId: productIds[n % productIds.length],
    msisdn: plainNumber(n),
    quantity: 1,
  }));
  await timed(() => post(`${url}/api/v1/orders/bulk`, tokens[0]!, { orders: lines }), 201);
}

/** Numbers that the simulated vendors deliver to, and that never repeat. */
function plainNumber(n: number): string {
  const number = `0${numberAt(n).slice(3)}`;
  return number.slice(-4).startsWith("00") ? `${number.slice(0, -4)}9${number.slice(-3)}` : number;
}

function post(url: string, token: string, body: object): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
}

async function timed(ask: () => Promise<Response>, status: number): Promise<number> {
  const startedAt = performance.now();
  const response = await ask();
  const answer = await response.text();
  if (response.status !== status) throw new Error(answer.slice(0, 600));
  return performance.now() - startedAt;
}

/** Single purchases meanwhile come after the bulk order, and are not waited for. */
async function untilDispatched({ db, firstAgentId }: BenchShop, progress: (line: string) => void): Promise<void> {
  for (let seconds = 0; ; seconds++) {
    const [row] = await db.execute<{ count: number }>(sql`
      select count(*)::int as count from attempts
      where user_id = ${firstAgentId} and state not in ('queued', 'sending')`);
    if (seconds % 20 === 0) progress(`  ${row!.count} dispatched`);
    if (row!.count >= LINES) return;
    if (seconds > 600) throw new Error(`only ${row!.count} were dispatched in ten minutes`);
    await Bun.sleep(1000);
  }
}

function placingCalls(vendors: VendorSimulator) {
  return vendors.requests().filter(({ method, path }) => method === "POST" && path.startsWith("/datamart/"));
}

function fullestMinute(at: number[]): number {
  let fullest = 0;
  for (let from = 0, to = 0; to < at.length; to++) {
    while (at[to]! - at[from]! >= 60_000) from += 1;
    fullest = Math.max(fullest, to - from + 1);
  }
  return fullest;
}
