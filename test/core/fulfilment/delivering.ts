// The world of the delivery tests: a shop whose vendors are simulated over HTTP, a clock that is advanced instead of
// waited for, and the invariants that must hold after every test.
import { afterAll, afterEach, beforeEach, expect } from "bun:test";
import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { attempts as attemptTable } from "../../../db/schema/fulfilment.ts";
import { orderEvents } from "../../../db/schema/orders.ts";
import { startVendors, type VendorSimulator } from "../../../dev/simulators/vendors/vendors.ts";
import { processVendorEvents } from "../../../src/app/worker.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import type { Product } from "../../../src/core/catalog/products.ts";
import { attention } from "../../../src/core/fulfilment/attention.ts";
import * as deadlines from "../../../src/core/fulfilment/deadlines.ts";
import * as dispatch from "../../../src/core/fulfilment/dispatch.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import type { BundleVendor } from "../../../src/core/fulfilment/vendor.ts";
import { addressOf, addressToken } from "../../../src/core/fulfilment/vendor-webhooks.ts";
import * as vendorStates from "../../../src/core/fulfilment/vendors.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { createVendors } from "../../../src/gateways/vendors/index.ts";
import type { AdminTarget, AttemptState, OrderStatus } from "../../../src/shared/domain.ts";
import { createLog } from "../../../src/telemetry/log.ts";
import { count } from "../../support/asking.ts";
import { openWorld, type Person, TEST_JWT_SECRET, testApp, type World } from "../../support/world.ts";

/** The admin's decision on orders that are not refunded automatically: state unknown, and the deadline has passed. */
export async function decideOverdue({ db, yaw }: World): Promise<void> {
  const { overdue, late } = await attention(db);
  const ids = [...overdue, ...late.filter(({ isForPerson }) => isForPerson)].map(({ order }) => order.id);
  const reason = "Nobody can say whether it arrived";
  await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids, to: "FAILED", reason });
}

/** Long enough for a call to arrive on a busy machine, short enough to wait for. */
const IMPATIENT_MS = 1500;
/** Rounds of work without a pause; more mean an endless loop. */
const ROUNDS_MAX = 200;

export type Story = {
  status: OrderStatus;
  /** The delivery attempts in sequence, with their results: "datamart failed". */
  attempts: string[];
  /** What the order has cost its buyer so far. */
  paidPesewas: number;
  /** Its timeline for admins, oldest first: the notes, or the status where there is none. */
  timeline: string[];
  concerns: string[];
};

export type Delivering = {
  world: World;
  db: Db;
  ama: Person;
  /** 5 GB of MTN. */
  bundle: Product;
  simulator: VendorSimulator;
  vendors: BundleVendor[];
  vendor: (code: string) => BundleVendor;
  /** The vendors of MTN's route, in sequence: "datamart,hubnet". */
  routeBy: (codes: string) => Promise<void>;
  /** The delivery promise, after which an order is refunded. */
  promise: (minutes: number) => Promise<void>;
  /** Places a paid order for a new number with this ending, which steers the simulator; returns its id. */
  buy: (ending?: string, more?: { product?: Product; quantity?: number; msisdn?: string }) => Promise<number>;
  /** Does everything that is due, until nothing is, without letting time pass. */
  work: (on?: Db) => Promise<void>;
  /**
   * Lets time pass at once, here and at the vendors, and does what becomes due on the way, each at its time; with
   * `leapSeconds`, everything due within that span at once, for days whose exact times do not matter.
   */
  pass: (seconds: number, leapSeconds?: number) => Promise<void>;
  move: (orderId: number, to: AdminTarget) => Promise<void>;
  story: (orderId: number) => Promise<Story>;
  /** The reference of an order's newest attempt. */
  referenceOf: (orderId: number) => Promise<string>;
  /** The number of calls with orders that a vendor has received. */
  callsTo: (vendor: "datamart" | "hubnet" | "africastalking") => number;
  /** Sets whether the shop accepts webhooks; when it does not, it answers 503. */
  listen: (isListening: boolean) => void;
};

/** Opens a world with all three vendors, MTN by DataMart, and checks the invariants of delivery after each test. */
export async function openDelivering(): Promise<Delivering> {
  const world = await openWorld();
  const { db, yaw } = world;
  const simulator = await startVendors();
  const impatient = Object.fromEntries(
    Object.entries(simulator.settings).map(([code, values]) => [code, { ...values, timeoutMs: IMPATIENT_MS }]),
  ) as unknown as VendorSimulator["settings"];
  const vendors = createVendors(impatient);
  const shop = listen(world, vendors);
  const webhookUrlOf = (code: string) => addressOf(shop.url, TEST_JWT_SECRET, code);
  const bundle = await world.product("MTN", "5GB", "20.90");
  const ama = await world.person("ama", "GH₵ 90000.00");
  const by = yaw.by("admin");
  await settings.change(db, {
    by,
    values: { dispatch_hold_seconds: 0, route_mtn: "datamart", complete_after_seconds: 86_400 },
  });
  await vendorStates.enrol(db, vendors);

  beforeEach(async () => {
    simulator.reset();
    simulator.switch({
      webhookUrls: { datamart: webhookUrlOf("datamart"), africastalking: webhookUrlOf("africastalking") },
    });
    shop.listen(true);
    await db.execute(sql`update vendors set paused_for = null, paused_message = null, paused_at = null,
      next_call_at = now(), balance_pesewas = null`);
    await settings.change(db, { by, values: { route_mtn: "datamart", refund_promise_minutes: 1440 } });
  });
  afterEach(async () => {
    await expectInvariants(db, simulator);
    // Work that a test has left open must not be done in the next one.
    await db.execute(sql`update attempts set due_at = 'infinity' where ended_at is null`);
    await db.execute(sql`update orders set deliver_by = null where deliver_by is not null`);
    await db.execute(sql`delete from jobs`);
    await db.execute(sql`delete from rate_limits`);
    await db.execute(sql`delete from losses`);
    await db.execute(sql`delete from automatic_refunds`);
  });
  afterAll(async () => {
    await shop.stop();
    await simulator.stop();
  });

  let numbers = 0;
  let seenAtMs = performance.now();
  /** The vendors' clock stands still, so it is advanced by the time that has really passed, too. */
  const advance = async (seconds: number) => {
    const nowMs = performance.now();
    await simulator.advance(seconds + (nowMs - seenAtMs) / 1000);
    seenAtMs = nowMs;
  };
  const log = createLog("warn");
  const work = async (on: Db = db) => {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      let done = await routing.routeDue(on, vendors, 500);
      for (const vendor of vendors) {
        done += await dispatch.sendDue(on, vendor, webhookUrlOf, vendors);
        done += await dispatch.checkDue(on, vendor);
      }
      done += await count(on, sql`from jobs where kind = 'process_vendor_event' and run_at <= now()`);
      await processVendorEvents(on, vendors, log);
      done += await deadlines.completeDue(on, 500);
      done += await deadlines.refundOverdue(on);
      if (done === 0) return;
    }
    throw new Error("The work does not end");
  };
  return {
    world,
    db,
    ama,
    bundle,
    simulator,
    vendors,
    vendor: (code) => vendors.find((one) => one.code === code)!,
    work,
    routeBy: async (codes) => void (await settings.change(db, { by, values: { route_mtn: codes } })),
    promise: async (minutes) => void (await settings.change(db, { by, values: { refund_promise_minutes: minutes } })),
    buy: async (ending = "0001", { product = bundle, quantity = 1, msisdn } = {}) => {
      numbers += 1;
      const line = {
        productId: product.id,
        msisdn: msisdn ?? `054${String(numbers).padStart(3, "0")}${ending}`,
        quantity,
      };
      const { answer } = await orders.buy(db, { by: ama.by(), key: null, line, allowDuplicate: true });
      return answer.order.id;
    },
    pass: async (seconds, leapSeconds = 0) => {
      for (let left = seconds; ; ) {
        // What becomes due during the work is done next.
        const since = await timeNow(db);
        await work();
        if (left <= 0) return;
        const step = Math.min(left, Math.max(leapSeconds, await secondsToNext(db, vendors, since)));
        await advance(step);
        await putBack(db, step);
        left -= step;
      }
    },
    move: async (orderId, to) => void (await statusChanges.moveOne(db, { by, key: null, orderId, to })),
    story: (orderId) => storyOf(world, orderId),
    referenceOf: async (orderId) => (await attemptsOf(db, orderId)).at(-1)!.reference,
    callsTo: (vendor) =>
      simulator.requests().filter(({ method, path }) => method === "POST" && path.startsWith(`/${vendor}/`)).length,
    listen: shop.listen,
  };
}

async function timeNow(db: Db): Promise<string> {
  const [row] = await db.execute<{ now: string }>(sql`select clock_timestamp()::text as now`);
  return row!.now;
}

/** The time until something more is due, and at least a little. */
async function secondsToNext(db: Db, vendors: readonly BundleVendor[], since: string): Promise<number> {
  const checkable = sql.param(vendors.filter(({ can }) => can.canCheckStatus).map(({ code }) => code));
  const [row] = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from least(
      (select min(due_at) from attempts
       where (state in ('queued', 'sending') and vendor <> 'desk'
              or state in ('unknown', 'accepted', 'processing', 'held') and vendor = any(${checkable}::text[]))
         and due_at > ${since}::timestamptz),
      (select min(resets_at) from rate_limits
       where resets_at > ${since}::timestamptz and bucket like 'status checks at %'),
      (select min(next_call_at) from vendors v
       where next_call_at > ${since}::timestamptz and coalesce(paused_for, 'float_empty') = 'float_empty' and exists (
         select 1 from attempts a where a.vendor = v.code and a.state = 'queued' and a.due_at <= now())),
      (select min(run_at) from jobs where run_at > ${since}::timestamptz),
      (select min(deliver_by) from orders
       where status in ('PENDING', 'PAID', 'PROCESSING') and deliver_by > ${since}::timestamptz),
      now() + interval '1 day') - now())::float8 as seconds`);
  return Math.max(row!.seconds, 0.05);
}

/** Advances the shop's clock: moves every stored time back by this much. */
async function putBack(db: Db, seconds: number): Promise<void> {
  const by = sql`make_interval(secs => ${seconds})`;
  await db.execute(sql`update attempts set due_at = due_at - ${by}, sent_at = sent_at - ${by},
    checked_at = checked_at - ${by}, confirmed_at = confirmed_at - ${by}, hold_until = hold_until - ${by},
    overdue_at = overdue_at - ${by} where ended_at is null and due_at < 'infinity'`);
  await db.execute(sql`update desk_batches set created_at = created_at - ${by}, deadline = deadline - ${by}`);
  await db.execute(sql`update vendors set next_call_at = next_call_at - ${by}, paused_at = paused_at - ${by}`);
  await db.execute(sql`update jobs set run_at = run_at - ${by}`);
  await db.execute(sql`update rate_limits set resets_at = resets_at - ${by}`);
  await db.execute(sql`update orders set deliver_by = deliver_by - ${by}
    where status in ('PENDING', 'PAID', 'PROCESSING') and deliver_by is not null`);
}

/** Starts the application on a port, for the vendors to call. */
function listen(world: World, vendors: BundleVendor[]) {
  let isListening = true;
  const app = testApp(world.db, { vendors, log: createLog("fatal") });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => (isListening ? app.fetch(request) : new Response(null, { status: 503 })),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    stop: () => server.stop(true),
    listen: (is: boolean) => {
      isListening = is;
    },
  };
}

/** The path of a vendor's webhooks, with its token or another. */
export function webhookPath(code: string, token = addressToken(TEST_JWT_SECRET, code)): string {
  return `/webhooks/vendors/${code}/${token}`;
}

function attemptsOf(db: Db, orderId: number) {
  return db.select().from(attemptTable).where(eq(attemptTable.orderId, orderId)).orderBy(asc(attemptTable.id));
}

async function storyOf(world: World, orderId: number): Promise<Story> {
  const { db, yaw } = world;
  const order = await orderQueries.get(db, yaw.by("admin"), orderId);
  const tried = await attemptsOf(db, orderId);
  const events = await db
    .select()
    .from(orderEvents)
    .where(eq(orderEvents.orderId, orderId))
    .orderBy(asc(orderEvents.id));
  const [money] = await db.execute<{ pesewas: number }>(sql`
    select coalesce(sum(case reason when 'charge' then amount_pesewas else -amount_pesewas end), 0)::int as pesewas
    from transfers where subject_id = ${orderId} and reason in ('charge', 'refund')`);
  return {
    status: order.status,
    attempts: tried.map(({ vendor, state }) => `${vendor} ${state satisfies AttemptState}`),
    paidPesewas: money!.pesewas,
    timeline: events.map(({ note, detail, toStatus }) => detail ?? note ?? toStatus!),
    concerns: tried.flatMap(({ concern }) => concern ?? []),
  };
}

/**
 * The invariants of delivery: no order is sent or arrives twice, every failed paid order is refunded once, and no order
 * that may still arrive is refunded. (The books balance: the world of every test checks that.)
 */
export async function expectInvariants(
  db: Db,
  simulator: Pick<VendorSimulator, "deliveries">,
  { isDouble = () => false }: { isDouble?: (orderId: number) => boolean } = {},
): Promise<void> {
  const twice = await db.execute(sql`
    select order_id from attempts where state not in ('failed', 'refunded', 'withdrawn')
    group by 1 having count(*) > 1`);
  expect([...twice]).toEqual([]);
  const owners = await db
    .select({ reference: attemptTable.reference, orderId: attemptTable.orderId })
    .from(attemptTable);
  const orderOf = new Map(owners.map(({ reference, orderId }) => [reference, orderId]));
  const arrived = new Map<number, number>();
  for (const { reference, count } of simulator.deliveries()) {
    const orderId = orderOf.get(reference);
    expect([reference, orderId !== undefined]).toEqual([reference, true]);
    arrived.set(orderId!, (arrived.get(orderId!) ?? 0) + count);
  }
  const double = [...arrived].filter(([orderId, count]) => count > 1 && !isDouble(orderId));
  expect(double).toEqual([]);
  const unpaid = await db.execute(sql`
    select o.id, o.status, count(t.id)::int as refunds from orders o
    left join transfers t on t.reason = 'refund' and t.subject_id = o.id
    where o.paid_at is not null group by o.id, o.status
    having count(t.id) <> (o.status = 'FAILED')::int`);
  expect([...unpaid]).toEqual([]);
}
