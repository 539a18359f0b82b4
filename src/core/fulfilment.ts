// From paid to delivered: who is to send each order, sending it, and asking what became of it. A vendor is called between
// two transactions, never within one.
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { orderEvents, orders as orderTable } from "../../db/schema.ts";
import { attempts as attemptTable } from "../../db/schema-fulfilment.ts";
import { isOpen, OPEN_STATUSES, SYSTEM } from "../shared/domain.ts";
import * as attempts from "./attempts.ts";
import { isAmong, isBundle } from "./conditions.ts";
import * as jobs from "./jobs.ts";
import * as moves from "./moves.ts";
import type { Order } from "./orders.ts";
import { isTelling, type News } from "./outcome-rules.ts";
import { learn } from "./outcomes.ts";
import * as settings from "./settings.ts";
import { type BundleVendor, DESK, type Looked, type Parcel, type Placed } from "./vendor.ts";
import * as vendors from "./vendors.ts";

/** Renewed while the call lasts: who has not renewed it by then never will. */
const SENDING_SECONDS = jobs.LEASE_SECONDS;
const LOOK_UPS_AT_ONCE = 5;
const BATCHES_AHEAD = 10;
const SENT_AGAIN_TOGETHER = 10;
const IS_IN_TIME = sql`(${orderTable.deliverBy} is null or ${orderTable.deliverBy} > now())`;

/**
 * Decides who sends each due order: the first of its route that has not failed at it. Nobody left means that it fails
 * and its money goes back. Returns how many jobs were worked off.
 */
export async function routeDue(db: Db, known: readonly BundleVendor[], countMax: number): Promise<number> {
  const due = await jobs.claim(db, "dispatch_order", countMax);
  if (due.length === 0) return 0;
  const ids = due.map((job) => job.subjectId);
  const { hopeless, orderIds } = await db.transaction(async (tx) => {
    const waiting = await lockWaiting(tx, ids);
    const routed = await route(tx, known, waiting);
    const placed = routed.flatMap(({ order, vendor, number }) => (vendor ? [{ order, vendor, number }] : []));
    await attempts.queue(tx, placed);
    await tellDesk(tx, placed);
    const hopeless = new Set(routed.flatMap(({ order, vendor }) => (vendor ? [] : [order.id])));
    await jobs.finish(
      tx,
      due.filter((job) => !hopeless.has(job.subjectId)).map((job) => job.id),
    );
    return { hopeless, orderIds: [...hopeless] };
  });
  if (orderIds.length > 0) {
    // The money of these goes back, so their wallets are locked first, as everybody does.
    await db.transaction(async (tx) => {
      const found = [...(await moves.lockOrders(tx, orderIds)).values()];
      const tried = await attempts.ofOrders(tx, orderIds);
      for (const order of found.filter(
        // An admin may have taken it meanwhile, to send it by hand.
        (one) => isWaiting(one) && isFree(one, tried.get(one.id) ?? []),
      )) {
        const words = tried.get(order.id)?.at(-1)?.words;
        await moves.apply(
          tx,
          SYSTEM,
          [order],
          "FAILED",
          isTelling(words) ? `Not delivered: ${words}` : "Not delivered",
        );
      }
      await jobs.finish(
        tx,
        due.filter((job) => hopeless.has(job.subjectId)).map((job) => job.id),
      );
    });
  }
  return due.length;
}

/**
 * Sends what is queued for a vendor, in one call of it, when its rate allows one; returns how many parcels went. Each
 * attempt says that it is being sent before the call, so that whatever happens to us, nobody sends it again unasked.
 */
export async function sendDue(
  db: Db,
  vendor: BundleVendor,
  webhookUrlOf: (code: string) => string | null,
): Promise<number> {
  if (!(await hasQueued(db, vendor)) || !(await vendors.takeCall(db, vendor))) return 0;
  const sending = await handOver(db, vendor);
  if (sending.length === 0) return 0;
  const webhookUrl = webhookUrlOf(vendor.code);
  const parcels = sending.map(({ attempt, order }) => parcelOf(attempt, order, webhookUrl));
  const placed = await jobs.whileRenewing(
    () => renewSending(db, sending),
    () => vendor.place(parcels),
  );
  await learn(
    db,
    vendor,
    sending.map(({ attempt }, i) => ({ attemptId: attempt.id, news: newsOf(placed[i]) })),
  );
  return sending.length;
}

/** How long it is until a vendor may be called for what waits for it; null when nothing does, or the vendor is paused. */
export async function turnInMs(db: Db, { code }: BundleVendor): Promise<number | null> {
  const [row] = await db.execute<{ ms: number }>(sql`
    select extract(epoch from next_call_at - now())::float8 * 1000 as ms from vendors
    where code = ${code} and paused_for is null and exists (
      select from attempts where vendor = ${code} and state = 'queued' and due_at <= now())`);
  return row ? Math.max(0, row.ms) : null;
}

/** Asks a vendor about parcels whose outcome is due to be known; returns how many were asked about. */
export async function askDue(db: Db, vendor: BundleVendor): Promise<number> {
  const lost = await attempts.claimDue(db, vendor.code, ["sending"], {
    countMax: 500,
    leaseSeconds: jobs.LEASE_SECONDS,
  });
  await learn(
    db,
    vendor,
    lost.map(({ id }) => ({ attemptId: id, news: { kind: "unclear", words: null } })),
  );
  const due = vendor.can.canLookUp ? await claimQuestions(db, vendor) : [];
  const told = await Promise.all(
    due.map(async ({ id, reference, vendorReference }) => ({
      attemptId: id,
      news: newsOfLooked(await vendor.lookUp({ reference, vendorReference })),
    })),
  );
  await learn(db, vendor, told, { wasAsked: true });
  return due.length;
}

/** What to ask about now, within the vendor's rate: first what nobody knows anything of. */
async function claimQuestions(db: Db, vendor: BundleVendor): Promise<attempts.Attempt[]> {
  for (const states of [["unknown"], ["accepted", "processing", "held"]] as const) {
    if (!(await attempts.hasDue(db, vendor.code, states))) continue;
    if (!(await vendors.takeQuestions(db, vendor, LOOK_UPS_AT_ONCE))) return [];
    const due = await attempts.claimDue(db, vendor.code, states, {
      countMax: LOOK_UPS_AT_ONCE,
      leaseSeconds: jobs.LEASE_SECONDS,
    });
    if (due.length > 0) return due;
  }
  return [];
}

/** Paid orders of bundles that are not delivered yet, locked. */
async function lockWaiting(tx: Tx, ids: number[]): Promise<Order[]> {
  const found = await tx
    .select()
    .from(orderTable)
    .where(and(isAmong(orderTable.id, ids), isBundle))
    .orderBy(asc(orderTable.id))
    .for("update");
  return found.filter(isWaiting);
}

function isWaiting({ status, paidAt }: Order): boolean {
  return paidAt !== null && isOpen(status);
}

/** Whether nobody has the order: one that is PROCESSING without a failed attempt is in an admin's hands. */
function isFree({ status }: Order, before: attempts.Attempt[]): boolean {
  if (before.some(attempts.isAlive)) return false;
  const last = before.at(-1)?.state;
  return status !== "PROCESSING" || last === "failed" || last === "refunded";
}

type Routed = { order: Order; vendor: string | null; number: number };

async function route(tx: Tx, known: readonly BundleVendor[], waiting: Order[]): Promise<Routed[]> {
  if (waiting.length === 0) return [];
  const values = await settings.all(tx);
  const tried = await attempts.ofOrders(
    tx,
    waiting.map(({ id }) => id),
  );
  return waiting.flatMap((order): Routed[] => {
    const before = tried.get(order.id) ?? [];
    if (!isFree(order, before)) return [];
    const line = vendors.lineOf(order.operator, order.productName);
    const served = vendors.routeOf(values, line).filter((code) => {
      if (code === DESK) return true;
      const vendor = known.find((one) => one.code === code);
      return order.volumeMb !== null && vendor?.serves(line, order.volumeMb * order.quantity);
    });
    // Nobody of the route serves such a bundle: a person can.
    const route = served.length > 0 ? served : [DESK];
    const failed = new Set(before.filter(({ state }) => state !== "withdrawn").map(({ vendor }) => vendor));
    const vendor = route.find((code) => !failed.has(code)) ?? null;
    return [{ order, vendor, number: before.length + 1 }];
  });
}

async function tellDesk(tx: Tx, placed: { order: Order; vendor: string }[]): Promise<void> {
  const atDesk = placed.filter(({ vendor }) => vendor === DESK);
  if (atDesk.length === 0) return;
  await tx.insert(orderEvents).values(
    atDesk.map(({ order }) => ({
      orderId: order.id,
      userId: order.userId,
      note: "At the desk, waiting to be sent",
      channel: "system" as const,
    })),
  );
}

async function hasQueued(db: Db, { code }: BundleVendor): Promise<boolean> {
  const [row] = await selectQueued(db, code).limit(1);
  return row !== undefined;
}

/** What waits to be sent to a vendor, in the order of an index, whatever the shop has sent before. */
function selectQueued(tx: Tx, code: string) {
  const { id, orderId, sends, dueAt, vendor, state } = attemptTable;
  return tx
    .select({ id, orderId, sends, dueAt })
    .from(attemptTable)
    .where(and(eq(vendor, code), sql`${state} = 'queued'`, sql`${dueAt} <= now()`))
    .orderBy(asc(dueAt), asc(id))
    .$dynamic();
}

/**
 * What goes with the next call. An order whose promise is broken already is left to `keepPromises`: sent now, it would be
 * delivered and paid back. Looking a few batches ahead, what must not be sent stands in nobody's way.
 */
async function selectBatch(tx: Tx, { code, can }: BundleVendor) {
  const ahead = selectQueued(tx, code)
    .limit(can.batchMax * BATCHES_AHEAD)
    .as("ahead");
  const queued = await tx
    .select({ id: ahead.id, orderId: ahead.orderId, sends: ahead.sends })
    .from(ahead)
    .innerJoin(orderTable, eq(orderTable.id, ahead.orderId))
    .where(and(inArray(orderTable.status, [...OPEN_STATUSES]), IS_IN_TIME))
    .orderBy(asc(ahead.dueAt), asc(ahead.id))
    .limit(can.batchMax);
  // What was lost once goes with few others: one number that a vendor cannot bear must not lose the whole batch again.
  const isAgain = queued[0] !== undefined && queued[0].sends > 0;
  const alike = queued.filter(({ sends }) => sends > 0 === isAgain);
  return isAgain ? alike.slice(0, SENT_AGAIN_TOGETHER) : alike;
}

type Sending = { attempt: attempts.Attempt; order: Order };

/** Takes queued attempts whose orders still want to be sent, and marks them as being sent. */
async function handOver(db: Db, vendor: BundleVendor): Promise<Sending[]> {
  return db.transaction(async (tx) => {
    const candidates = await selectBatch(tx, vendor);
    const orderIds = candidates.map(({ orderId }) => orderId);
    // The order first, as everybody who changes an attempt does; what another worker holds is left to it.
    const orders = await tx
      .select()
      .from(orderTable)
      .where(and(isAmong(orderTable.id, orderIds), IS_IN_TIME))
      .orderBy(asc(orderTable.id))
      .for("update", { skipLocked: true });
    const waiting = new Map(orders.filter(isWaiting).map((order) => [order.id, order]));
    const wanted = candidates.filter(({ orderId }) => waiting.has(orderId)).map(({ id }) => id);
    const taken = await tx
      .update(attemptTable)
      .set({
        state: "sending",
        sends: sql`${attemptTable.sends} + 1`,
        sentAt: sql`now()`,
        dueAt: sql`now() + make_interval(secs => ${SENDING_SECONDS})`,
      })
      .where(
        and(
          isAmong(attemptTable.id, wanted),
          eq(attemptTable.state, "queued"),
          sql`${attemptTable.dueAt} <= now()`,
        ),
      )
      .returning();
    return taken.map((attempt) => ({ attempt, order: waiting.get(attempt.orderId)! }));
  });
}

/** What somebody has told about meanwhile is left as it is. */
async function renewSending(db: Db, sending: Sending[]): Promise<void> {
  const ids = sending.map(({ attempt }) => attempt.id);
  await db
    .update(attemptTable)
    .set({ dueAt: sql`now() + make_interval(secs => ${SENDING_SECONDS})` })
    .where(and(isAmong(attemptTable.id, ids), eq(attemptTable.state, "sending")));
}

function parcelOf({ reference }: attempts.Attempt, order: Order, webhookUrl: string | null): Parcel {
  return {
    reference,
    msisdn: order.msisdn,
    operator: order.operator,
    line: vendors.lineOf(order.operator, order.productName),
    volumeMb: order.volumeMb! * order.quantity,
    webhookUrl,
  };
}

function newsOf(placed: Placed | undefined): News {
  if (!placed) return { kind: "unclear", words: null };
  if (placed.kind === "taken") return { ...placed, kind: "state" };
  if (placed.kind === "known_reference") return { kind: "unclear", words: placed.words };
  return placed;
}

function newsOfLooked(looked: Looked): News {
  return looked.kind === "found" ? { ...looked, kind: "state" } : looked;
}
