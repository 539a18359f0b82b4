// Random days of delivery: vendors that answer in every way, pauses, moves, workers, late reports and the desk, in any
// sequence and some at once. Whatever happens, no order is delivered twice, none is delivered and refunded, none is
// lost, and the books hold.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { connect, type Db, disconnect } from "../../../db/connect.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as dispatch from "../../../src/core/fulfilment/dispatch.ts";
import { applyReports } from "../../../src/core/fulfilment/outcomes.ts";
import * as rerouting from "../../../src/core/fulfilment/rerouting.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import { MOVE_TARGETS, type MoveTarget } from "../../../src/core/fulfilment/routing.ts";
import type { BundleVendor, Dispatch, Placed } from "../../../src/core/fulfilment/vendor.ts";
import * as vendors from "../../../src/core/fulfilment/vendors.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { AppError } from "../../../src/shared/errors/app-error.ts";
import { count, lineFor, seed, sized } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const RUNS = sized(8);
const world = await openWorld();
const { db } = world;
const by = world.yaw.by("admin");
const ama = await world.person("ama", "GH₵ 90000.00");
const bundle = await world.product("MTN", "1GB", "3.90");
let other: Db;
beforeAll(async () => {
  other = connect(world.url, { max: 10 });
  await settings.change(db, {
    by,
    values: { dispatch_hold_seconds: 0, refund_promise_minutes: 0, route_mtn: "first,second" },
  });
});
afterAll(() => disconnect(other));

/** How a vendor takes an order, and what then is true. */
const MANNERS = [
  // Taken and delivered, said at once, later, or never.
  "delivered",
  "accepted",
  "accepted, answer lost",
  // The same, and it denies having what it was sent once: a second call under the same reference is how to find out.
  "accepted, not found",
  // Not taken, and said so or not.
  "answer lost",
  "float_empty",
  "network_down",
  "out_of_stock",
  // Taken, and not delivered.
  "failed",
] as const;
type Manner = (typeof MANNERS)[number];

/** A vendor that does what `manner` says, and remembers what is true of each reference. */
function createVendor(code: string) {
  const called = new Set<string>();
  const truth = new Map<string, "has" | "hidden" | "delivered" | "failed">();
  const vendor = { manner: "delivered" as Manner, canCheckStatus: true };
  const placed = ({ reference }: Dispatch): Placed => {
    const taken = (state: "accepted" | "delivered" | "failed"): Placed => ({
      ...{ kind: "taken", state, vendorReference: reference, costPesewas: null, message: null },
    });
    const isFirst = !called.has(reference);
    called.add(reference);
    if (truth.has(reference)) return { kind: "known_reference", message: null };
    switch (vendor.manner) {
      case "answer lost":
        return { kind: "unclear", message: null };
      case "float_empty":
      case "network_down":
      case "out_of_stock":
        return { kind: "not_taken", reason: vendor.manner, retryAfterSeconds: null, message: null };
      case "failed":
        truth.set(reference, "failed");
        return taken("failed");
      case "delivered":
        truth.set(reference, "delivered");
        return taken("delivered");
      default:
        truth.set(reference, vendor.manner === "accepted, not found" && isFirst ? "hidden" : "has");
        return vendor.manner === "accepted" ? taken("accepted") : { kind: "unclear", message: null };
    }
  };
  const bundleVendor: BundleVendor = {
    code,
    name: code,
    can: {
      ...{ lines: ["MTN"], batchMax: 3, callsPerMinute: 60_000, canCheckStatus: true },
      ...{ settlesWithinSeconds: 60, statusChecksPerMinute: 60_000, statusCheckEverySeconds: 1 },
    },
    serves: () => true,
    place: async (dispatches) => dispatches.map(placed),
    checkStatus: async ({ reference }) => {
      const state = truth.get(reference);
      if (!state || state === "hidden") return { kind: "not_found" };
      const shown = state === "has" ? "processing" : state;
      return { kind: "found", state: shown, vendorReference: reference, message: null };
    },
    balance: async () => ({ kind: "unclear", message: null }),
    readWebhook: () => "unsigned",
  };
  /** Delivers what it has; each delivery is certain from then on, told or not. */
  const deliver = () => {
    for (const [reference, state] of truth)
      if (state === "has" || state === "hidden") truth.set(reference, "delivered");
  };
  return { ...{ code, vendor, bundleVendor, truth, deliver } };
}
type Simulated = ReturnType<typeof createVendor>;

type Day = { sellers: Simulated[]; ids: number[]; byHand: Map<number, number> };

const nothingThere = (error: unknown) => {
  if (!(error instanceof AppError)) throw error;
  return { answer: null };
};
const known = ({ sellers }: Day) => sellers.map(({ bundleVendor }) => bundleVendor);

async function work(day: Day, on: Db): Promise<void> {
  await routing.routeDue(on, known(day), 100);
  for (const vendor of known(day)) {
    await dispatch.sendDue(on, vendor, () => null, known(day));
    await dispatch.checkDue(on, vendor);
  }
}

/** Everything that waits for its time is due, and what was sent was sent long ago. */
async function passTime(on: Db): Promise<void> {
  await on.execute(sql`
    update attempts set due_at = now() - interval '1 second', sent_at = sent_at - interval '1 hour'
    where ended_at is null`);
  await on.execute(sql`update vendors set next_call_at = now()`);
  await on.execute(sql`update jobs set run_at = now() where run_at > now()`);
}

/** Somebody takes everything at the desk and sends it by hand. */
async function workAtDesk(day: Day, on: Db): Promise<void> {
  const { answer } = await desk.take(on, { by, key: null, operator: "MTN", countMax: 500 }).catch(nothingThere);
  if (!answer) return;
  const { orders: taken } = await desk.batch(on, answer.batchId);
  for (const { id } of taken) day.byHand.set(id, (day.byHand.get(id) ?? 0) + 1);
  const ids = taken.map(({ id }) => id);
  await statusChanges.move(on, { by, key: null, ids, to: "DELIVERED" });
}

/** A vendor reports a delivery, perhaps again and much later, also about what has left it. */
async function reportLate(seller: Simulated, on: Db): Promise<void> {
  seller.deliver();
  for (const [reference, state] of seller.truth) {
    if (state !== "delivered") continue;
    const [attempt] = await on.execute<{ id: number }>(
      sql`select id from attempts where reference = ${reference} and vendor = ${seller.code}`,
    );
    await applyReports(on, seller.bundleVendor, [
      { attemptId: attempt!.id, report: { kind: "state", state, vendorReference: reference, message: null } },
    ]);
  }
}

type Act = (day: Day, on: Db) => Promise<unknown>;
const which = fc.nat(1);
const buying = fc.integer({ min: 1, max: 4 }).map((length): [string, Act] => [
  `buy ${length}`,
  async ({ ids }, on) => {
    const lines = Array.from({ length }, () => lineFor(bundle));
    const { answer } = await buyBulk(on, { by: ama.by(), key: null, lines });
    ids.push(...answer.orders.map(({ id }) => id));
  },
]);
/** Often what is hardest to get right. */
const manner = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...MANNERS) },
  { weight: 1, arbitrary: fc.constant<Manner>("accepted, not found") },
);
const behaving = fc.tuple(which, manner).map(([n, next]): [string, Act] => [
  `vendor ${n}: ${next}`,
  async ({ sellers }) => {
    sellers[n]!.vendor.manner = next;
  },
]);
const pausing = fc
  .tuple(which, fc.boolean())
  .map(([n, isPaused]): [string, Act] => [
    `${isPaused ? "pause" : "resume"} ${n}`,
    ({ sellers }, on) => vendors.setPause(on, { by, code: sellers[n]!.code, note: isPaused ? "Dead" : null }),
  ]);
const moving = fc
  .tuple(which, fc.constantFrom<MoveTarget>(...MOVE_TARGETS), fc.boolean())
  .map(([n, to, isOnlySeen]): [string, Act] => [
    `move from ${n} to ${to}`,
    async (day, on) => {
      const wanted = { by, code: day.sellers[n]!.code, to, productIds: null, paidBefore: null };
      const { throughAttemptId } = await rerouting.preview(on, known(day), wanted);
      if (isOnlySeen && throughAttemptId === null) return;
      const through = isOnlySeen ? throughAttemptId! : Number.MAX_SAFE_INTEGER;
      await rerouting.move(on, { ...wanted, vendors: known(day), key: null, throughAttemptId: through });
    },
  ]);
const working = fc.constant<[string, Act]>(["work", work]);
const passing = fc.constant<[string, Act]>([
  "an hour passes",
  async (day, on) => {
    await passTime(on);
    await work(day, on);
  },
]);
const atDesk = fc.constant<[string, Act]>(["desk", workAtDesk]);
const reporting = which.map((n): [string, Act] => [
  `vendor ${n} reports`,
  ({ sellers }, on) => reportLate(sellers[n]!, on),
]);
const often = [moving, working, passing].map((arbitrary) => ({ weight: 3, arbitrary }));
const seldom = [buying, behaving, pausing, atDesk, reporting].map((arbitrary) => ({ weight: 1, arbitrary }));
const one = fc.oneof(...often, ...seldom);
/** One act, or two at the same moment on two servers. */
const step = fc.oneof({ weight: 2, arbitrary: one.map((act) => [act]) }, { weight: 1, arbitrary: fc.tuple(one, one) });
/** How both vendors begin, with the first sale. */
const morning = fc.tuple(fc.tuple(manner, manner), buying);

/** Everybody answers well again, and all that is left is done. */
async function endDay(day: Day): Promise<void> {
  for (const { code, vendor } of day.sellers) {
    vendor.manner = "delivered";
    await vendors.setPause(db, { by, code, note: null });
  }
  const open = sql`from orders where status in ('PENDING', 'PAID', 'PROCESSING')`;
  for (let round = 0; round < 20 && (await count(db, open)) > 0; round++) {
    for (const { deliver } of day.sellers) deliver();
    await passTime(db);
    await work(day, db);
    await workAtDesk(day, db);
  }
}

async function expectNobodyTwiceNorLost(day: Day): Promise<void> {
  const rows = await db.execute<{ id: number; status: string; reference: string; refunds: number }>(sql`
    select o.id, o.status, a.reference,
           (select count(*)::int from transfers t where t.reason = 'refund' and t.subject_id = o.id) as refunds
    from orders o left join attempts a on a.order_id = o.id where o.id = any(${sql.param(day.ids)}::bigint[])`);
  const delivered = new Set(
    day.sellers.flatMap(({ truth }) =>
      [...truth].flatMap(([reference, state]) => (state === "delivered" ? [reference] : [])),
    ),
  );
  for (const [id, own] of Map.groupBy(rows, (row) => row.id)) {
    const byVendors = own.filter(({ reference }) => delivered.has(reference)).length;
    const times = byVendors + (day.byHand.get(id) ?? 0);
    const { status, refunds } = own[0]!;
    const isDelivered = status === "DELIVERED" || status === "COMPLETED";
    // Delivered once and kept, or not delivered and refunded once: nothing else.
    expect({ id, status, times, refunds }).toEqual(
      isDelivered ? { id, status, times: 1, refunds: 0 } : { id, status: "FAILED", times: 0, refunds: 1 },
    );
  }
}

test(`no order is delivered twice, none is lost, whatever happens (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(morning, fc.array(step, { minLength: 5, maxLength: 25 }), async ([manners, first], steps) => {
      await db.execute(sql`update attempts set due_at = 'infinity' where ended_at is null`);
      await db.execute(sql`delete from jobs`);
      const day: Day = { sellers: ["first", "second"].map(createVendor), ids: [], byHand: new Map() };
      for (const [n, manner] of manners.entries()) day.sellers[n]!.vendor.manner = manner;
      await vendors.enrol(db, known(day));
      await db.execute(sql`
          update vendors set paused_for = null, paused_message = null, paused_at = null, next_call_at = now()`);
      for (const acts of [[first], ...steps])
        await Promise.all(acts.map(([, act], n) => act(day, n === 0 ? db : other)));
      await endDay(day);
      await expectNobodyTwiceNorLost(day);
    }),
    { numRuns: RUNS, seed },
  );
}, 600_000);
