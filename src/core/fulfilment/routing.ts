// Routing: assigns each paid order to a vendor or the desk by the route of its family, and moves waiting orders away
// from a vendor.
import { and, asc, eq, gt, isNull, lte, max, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { products } from "../../../db/schema/catalog.ts";
import { attempts as attemptTable } from "../../../db/schema/fulfilment.ts";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import { type By, type ByUser, DELIVERY_KINDS, DESK, isOpen, SYSTEM } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { familyOf } from "../../shared/operators.ts";
import { requireRight } from "../../shared/rights.ts";
import * as costs from "../catalog/costs.ts";
import * as attempts from "../orders/attempts.ts";
import { failureOfAttempts } from "../orders/failures.ts";
import type { Order } from "../orders/order.ts";
import * as timeline from "../orders/timeline.ts";
import * as transitions from "../orders/transitions.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings/settings.ts";
import { isAmong, isBundle } from "../platform/sql.ts";
import { isInformative } from "./attempt-states.ts";
import * as attemptQueue from "./queue.ts";
import { mayBeSentAlready } from "./restore.ts";
import { affordable, ranked } from "./routes.ts";
import type { BundleVendor } from "./vendor.ts";
import { type VendorFigures, vendorFigures } from "./vendor-figures.ts";
import * as vendors from "./vendors.ts";

const MOVED_AT_ONCE = 500;

/** Looks at orders by their ids before they are queued: what it holds is held from its first moment in a queue. */
export type LookFirst = (orderIds: number[]) => Promise<void>;

/**
 * Routes each due order to the first of its route that has not failed it and is not paused. With none left it fails and
 * is refunded. One bad order does not hold up the others. Returns how many jobs were handled; throws the last error of
 * jobs that failed alone.
 */
export async function routeDue(
  db: Db,
  known: readonly BundleVendor[],
  countMax: number,
  lookFirst: LookFirst = async () => {},
): Promise<number> {
  const due = await jobs.claim(db, "dispatch_order", countMax);
  if (due.length > 0) await lookFirst(due.map((job) => job.subjectId));
  if (due.length > 0) await jobs.handleAll(db, due, (some) => routeSome(db, known, some));
  return due.length;
}

async function routeSome(db: Db, known: readonly BundleVendor[], due: jobs.Job[]): Promise<void> {
  const ids = due.map((job) => job.subjectId);
  const figures = await figuresForRoutes(db);
  const hopeless = await db.transaction(async (tx) => {
    const routed = await route(tx, known, await lockWaiting(tx, ids), { figures });
    const placed = routed.flatMap(({ order, vendor, number }) => (vendor ? [{ order, vendor, number }] : []));
    await attemptQueue.enqueue(tx, placed);
    await noteAtDesk(tx, placed);
    const left = new Set(routed.flatMap(({ order, vendor }) => (vendor ? [] : [order.id])));
    await jobs.finish(
      tx,
      due.filter((job) => !left.has(job.subjectId)).map((job) => job.id),
    );
    return left;
  });
  if (hopeless.size === 0) return;
  // These are refunded, so their wallets are locked first: the lock order of the core.
  await db.transaction(async (tx) => {
    const found = [...(await transitions.lockOrders(tx, [...hopeless])).values()];
    const tried = await attempts.ofOrders(tx, [...hopeless]);
    // An admin may have taken one meanwhile, to send it by hand.
    const isHopeless = (order: Order) => isWaiting(order) && isFree(order, tried.get(order.id) ?? []);
    for (const order of found.filter(isHopeless)) {
      const message = tried.get(order.id)?.at(-1)?.vendorMessage;
      const detail = isInformative(message) ? `Not delivered: ${message}` : "Not delivered";
      await transitions.apply(tx, SYSTEM, [order], "FAILED", DELIVERY_KINDS.refused, () => ({
        kind: "refused",
        detail,
        failure: failureOfAttempts(tried.get(order.id) ?? []),
      }));
    }
    await jobs.finish(
      tx,
      due.filter((job) => hopeless.has(job.subjectId)).map((job) => job.id),
    );
  });
}

/**
 * Takes orders that wait for a vendor and were certainly never sent there along their current route. Orders that the
 * vendor may have stay with it, as do those with no other vendor. Returns how many were moved, and how many stay.
 * Throws auth.forbidden, vendor.not_found.
 */
export async function moveWaiting(
  db: Db,
  known: readonly BundleVendor[],
  { by, code }: { by: ByUser; code: string },
): Promise<{ moved: number; left: number }> {
  requireRight(by, "delivery.manage");
  const from = known.find((vendor) => vendor.code === code);
  if (!from) throw new AppError("vendor.not_found");
  const waits = and(eq(attemptTable.vendor, code), sql`${attemptTable.state} = 'queued'`, eq(attemptTable.sends, 0));
  const [end] = await db
    .select({ id: max(attemptTable.id) })
    .from(attemptTable)
    .where(waits);
  const figures = await figuresForRoutes(db);
  const reason = "not sent before";
  let moved = 0;
  // Orders queued meanwhile have already followed the current route.
  for (let after = 0; end?.id; ) {
    const some = await db
      .select({ id: attemptTable.id, orderId: attemptTable.orderId })
      .from(attemptTable)
      .where(and(waits, gt(attemptTable.id, after), lte(attemptTable.id, end.id)))
      .orderBy(asc(attemptTable.id))
      .limit(MOVED_AT_ONCE);
    if (some.length === 0) break;
    after = some.at(-1)!.id;
    const ids = some.map(({ orderId }) => orderId);
    moved += await db.transaction((tx) => moveSome(tx, known, ids, { from, by, figures, reason }));
  }
  const [left] = await db.select({ count: sql<number>`count(*)::int` }).from(attemptTable).where(waits);
  return { moved, left: left!.count };
}

/**
 * Moves the first orders that wait for a vendor, and were certainly never sent there, to the next of their route if the
 * vendor has come to take more than was paid for them. Returns how many.
 */
export async function leaveTooDear(db: Db, known: readonly BundleVendor[], from: BundleVendor): Promise<number> {
  const { id, orderId, vendor, state, sends, dueAt } = attemptTable;
  const first = db
    .select({ orderId })
    .from(attemptTable)
    .where(and(eq(vendor, from.code), sql`${state} = 'queued' and ${dueAt} <= now()`, eq(sends, 0)))
    .orderBy(asc(dueAt), asc(id))
    .limit(MOVED_AT_ONCE)
    .as("first");
  const tooDear = await db
    .select({ id: orderTable.id })
    .from(first)
    .innerJoin(orderTable, eq(orderTable.id, first.orderId))
    .where(costs.takesMoreThanPaid(from.code));
  if (tooDear.length === 0) return 0;
  const figures = await figuresForRoutes(db);
  const ids = tooDear.map((order) => order.id);
  const reason = "because it would have cost more than was paid";
  return db.transaction((tx) => moveSome(tx, known, ids, { from, by: SYSTEM, figures, reason }));
}

/** Figures of vendors; none while no route goes by cost. */
export async function figuresForRoutes(db: Reads): Promise<readonly VendorFigures[]> {
  return (await settings.get(db, "routes_by_cost")) === "" ? [] : vendorFigures(db);
}

type Moving = {
  from: Pick<BundleVendor, "code" | "name">;
  by: By;
  figures: readonly VendorFigures[];
  reason: string;
};

async function moveSome(
  tx: Tx,
  known: readonly BundleVendor[],
  orderIds: number[],
  { from, by, figures, reason }: Moving,
): Promise<number> {
  const waiting = await lockWaiting(tx, orderIds);
  const routed = await route(tx, known, waiting, { leaving: from.code, figures });
  const moving = routed.flatMap(({ order, vendor, number }) =>
    vendor !== null && vendor !== from.code ? [{ order, vendor, number }] : [],
  );
  await reassign(tx, known, moving, { from, by, reason });
  return moving.length;
}

/** An order with who gets it, and as which of its attempts. */
export type Placing = { order: Order; vendor: string; number: number };

/**
 * Gives locked orders that wait for a vendor, and were certainly never sent there, to others: their attempts there are
 * withdrawn, and new ones queued.
 */
export async function reassign(
  tx: Tx,
  known: readonly BundleVendor[],
  moving: Placing[],
  { from, by, reason }: Pick<Moving, "from" | "by" | "reason">,
): Promise<void> {
  if (moving.length === 0) return;
  const ids = moving.map(({ order }) => order.id);
  await attempts.withdrawQueued(tx, ids);
  await attemptQueue.enqueue(tx, moving);
  await timeline.append(
    tx,
    by,
    moving.map(({ order, vendor }) => ({
      order,
      note: `Moved from ${from.name} to ${nameOf(known, vendor)}, ${reason}`,
      isInternal: true,
    })),
  );
  await auditLog.record(tx, by, [
    { action: "vendor.move_waiting", subjectType: "vendor", subjectId: from.code, after: { orders: ids } },
  ]);
}

/** A vendor or the desk as it stands in a sentence. */
export function nameOf(known: readonly BundleVendor[], code: string): string {
  return known.find((vendor) => vendor.code === code)?.name ?? (code === DESK ? "the desk" : code);
}

/** Locks the paid, undelivered bundle orders among these. */
export async function lockWaiting(tx: Tx, ids: number[]): Promise<Order[]> {
  const select = () =>
    tx
      .select()
      .from(orderTable)
      .where(and(isAmong(orderTable.id, ids), isBundle))
      .orderBy(asc(orderTable.id))
      .for("update");
  const found = await select();
  const isOld = found.some(({ family }) => family === null);
  if (isOld) await fillFamilies(tx, ids);
  return (isOld ? await select() : found).filter(isWaiting);
}

/** Gives orders from before products had families their product's family. */
async function fillFamilies(tx: Tx, ids: number[]): Promise<void> {
  const family = sql`(select ${products.family} from ${products} where ${products.id} = ${orderTable.productId})`;
  await tx
    .update(orderTable)
    .set({ family })
    .where(and(isAmong(orderTable.id, ids), isNull(orderTable.family)));
}

/** Whether an order is paid and still to be delivered. */
export function isWaiting({ status, paidAt }: Order): boolean {
  return paidAt !== null && isOpen(status);
}

/** Whether nobody has the order: a PROCESSING one without a failed attempt is with an admin. */
function isFree({ status }: Order, before: attempts.Attempt[]): boolean {
  if (before.some(attempts.isAlive)) return false;
  const last = before.at(-1)?.state;
  return status !== "PROCESSING" || last === "failed" || last === "refunded";
}

type Routed = Omit<Placing, "vendor"> & { vendor: string | null };

/** Where orders go that leave a vendor: to the next of their route that sends now, or to the desk. */
export const MOVE_TARGETS = ["next", "desk"] as const;
export type MoveTarget = (typeof MOVE_TARGETS)[number];

type Routing = {
  figures: readonly VendorFigures[];
  /** Attempts that wait for this vendor, unsent, count as free. */
  leaving?: string;
  /** Away from that vendor whatever the route says; null for those that nobody else sends now. */
  to?: MoveTarget;
};

/** Who gets each of these orders by its route; null when nobody is left. Orders that somebody has are left out. */
export async function route(
  tx: Reads,
  known: readonly BundleVendor[],
  waiting: Order[],
  { leaving, figures, to }: Routing,
): Promise<Routed[]> {
  if (waiting.length === 0) return [];
  const [values, prices, states, needsCheck, tried] = [
    await settings.all(tx),
    await costs.listOf(tx, [...new Set(waiting.map(({ productId }) => productId))]),
    await vendors.states(tx),
    await mayBeSentAlready(tx),
    await attempts.ofOrders(
      tx,
      waiting.map(({ id }) => id),
    ),
  ];
  return waiting.flatMap((order): Routed[] => {
    const before = tried.get(order.id) ?? [];
    const others = besides(order, before, leaving);
    if (!others) return [];
    const number = before.length + 1;
    if (to === "desk") return [{ order, vendor: needsCheck(order.id) ? null : DESK, number }];
    const family = familyOf(order);
    const costOf = (code: string) => {
      const pesewas = prices.of(order.productId, code);
      return pesewas === null ? null : pesewas * order.quantity;
    };
    const served = ranked(values, family, costOf, figures).filter((code) => serves(known, code, order));
    // No vendor of the route serves such a bundle, but the desk can.
    const route = served.length > 0 ? served : [DESK];
    const failed = new Set(others.filter(({ state }) => state !== "withdrawn").map(({ vendor }) => vendor));
    const open = route.filter((code) => !failed.has(code) && !(to && code === leaving));
    // One that it may have been sent to keeps it, whatever it takes.
    const isBound = needsCheck(order.id) || prices.isAllowedBelow(order.productId);
    const left = isBound ? open : affordable(open, costOf, order.amountPesewas, failed);
    // When all that are left are paused, it waits for the first of them. So does an order that the first may have had
    // before a restore: nobody else may send it before that vendor's status check.
    const active = needsCheck(order.id) ? null : left.find((code) => !states.get(code)?.pausedFor);
    const vendor = active ?? (to ? null : left[0]) ?? null;
    return [{ order, vendor, number }];
  });
}

/** An order's attempts besides one that waits, unsent, at the vendor it leaves; null when somebody has the order. */
function besides(order: Order, before: attempts.Attempt[], leaving: string | undefined): attempts.Attempt[] | null {
  if (!leaving) return isFree(order, before) ? before : null;
  const others = before.filter(({ vendor, state, sends }) => vendor !== leaving || state !== "queued" || sends > 0);
  return others.length < before.length ? others : null;
}

function serves(known: readonly BundleVendor[], code: string, order: Order): boolean {
  if (code === DESK) return true;
  const vendor = known.find((one) => one.code === code);
  return order.volumeMb !== null && (vendor?.serves(familyOf(order), order.volumeMb * order.quantity) ?? false);
}

async function noteAtDesk(tx: Tx, placed: { order: Order; vendor: string }[]): Promise<void> {
  const atDesk = placed.filter(({ vendor }) => vendor === DESK);
  const entry = { kind: "queued" as const, detail: "At the desk, waiting to be sent" };
  await timeline.append(
    tx,
    SYSTEM,
    atDesk.map(({ order }) => ({ order, ...entry })),
  );
}
