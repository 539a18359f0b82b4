// Deadlines of orders: completes delivered orders and refunds overdue ones. An order that a vendor or admin still holds
// is not refunded automatically, because it would be delivered all the same: it waits for a deadline of its own, and
// then an admin decides. What nobody was sent is always refunded; what may have been delivered, up to the bound of
// automatic refunds.

import { and, asc, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { attempts as attemptTable } from "../../../db/schema/fulfilment.ts";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import { accraDay, accraTime, isSameDay } from "../../shared/accra.ts";
import { isOpen, SYSTEM } from "../../shared/domain.ts";
import * as automaticRefunds from "../orders/automatic-refunds.ts";
import * as losses from "../orders/losses.ts";
import type { Order } from "../orders/order.ts";
import * as timeline from "../orders/timeline.ts";
import * as transitions from "../orders/transitions.ts";
import * as jobs from "../platform/jobs.ts";
import { isAmong, isDue } from "../platform/sql.ts";
import * as switches from "../platform/switches.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import * as holders from "./holders.ts";

const OVERDUE_AT_ONCE = 500;
/** How long after its deadline an order may wait for a last status check. */
const LAST_CHECK_SECONDS = 120;

/** Completes delivered orders without an open dispute; returns how many jobs were handled. */
export async function completeDue(db: Db, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "complete_order", countMax);
  if (due.length === 0) return 0;
  await jobs.handleAll(db, due, (some) => complete(db, some));
  return due.length;
}

async function complete(db: Db, due: jobs.Job[]): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await transitions.lockOrders(
      tx,
      due.map((job) => job.subjectId),
    );
    const held = await disputedOrders.among(tx, [...found.keys()]);
    const delivered = [...found.values()].filter((order) => order.status === "DELIVERED" && !held.has(order.id));
    await transitions.apply(tx, SYSTEM, delivered, "COMPLETED", null);
    await jobs.finish(
      tx,
      due.map((job) => job.id),
    );
  });
}

/**
 * SQL: whether the order's live attempt is confirmed to be held: by a vendor that waits for the number, by a vendor
 * that confirmed it after the deadline, or in an open desk batch.
 */
const IS_HELD: SQL<boolean> = sql<boolean>`case ${attemptTable.state}
  when 'held' then true
  when 'accepted' then coalesce(${attemptTable.confirmedAt} >= ${orderTable.deliverBy}, false)
  when 'processing' then ${attemptTable.vendor} = 'desk'
    or coalesce(${attemptTable.confirmedAt} >= ${orderTable.deliverBy}, false)
  else false end`;

/**
 * SQL on an overdue order and its live attempt: a person decides about it, because its agent had too many losses, or
 * because it may have been delivered and is above the bound of automatic refunds.
 */
export const IS_FOR_PERSON: SQL<boolean> = sql<boolean>`(
  ${losses.needsManualRefund(orderTable.userId)}
  or ${holders.MAY_DELIVER} and not ${IS_HELD}
    and coalesce(${orderTable.deliverBy} <= now() - make_interval(secs => ${LAST_CHECK_SECONDS}), false)
    and not ${fitsBound(orderTable.userId, sql`${orderTable.amountPesewas}`)})`;

function fitsBound(userId: SQLWrapper, pesewas: SQL): SQL<boolean> {
  return automaticRefunds.fits(userId, { orders: sql`1`, pesewas });
}

/**
 * Refunds paid orders past their deadline; returns how many it handled. Those at a vendor get a last status check
 * first. Those confirmed to be held keep waiting, and their buyers get the reason. Those of agents with too many
 * losses, and those above the bound, are left to an admin. While refunds are closed, none is refunded.
 */
export async function refundOverdue(db: Db): Promise<number> {
  const late = await selectLate(db);
  if (late.length === 0) return 0;
  return db.transaction(async (tx) => {
    const lateSeconds = new Map(late.map((order) => [order.id, order.lateSeconds]));
    const ids = [...lateSeconds.keys()];
    const found = await transitions.lockOrders(tx, ids);
    const areClosed = await switches.areClosed(tx, "refunds");
    const verdicts = await decide(tx, lateSeconds);
    const withVerdict = (verdict: Verdict) =>
      ids.flatMap((id) => {
        const order = found.get(id);
        const isLate = order && isOpen(order.status) && order.deliverBy;
        return isLate && verdicts.get(id) === verdict ? [order] : [];
      });
    await checkFirst(tx, withVerdict("ask"));
    const waiting = withVerdict("wait");
    await keepWaiting(tx, waiting);
    const broken = areClosed
      ? []
      : [
          ...withVerdict("refund"),
          ...(await automaticRefunds.take(tx, withVerdict("refund within bound"), "not_delivered")),
        ];
    for (const [reason, orders] of Map.groupBy(broken, overdueReason)) {
      await transitions.apply(tx, SYSTEM, orders, "FAILED", reason);
    }
    return broken.length + waiting.length;
  });
}

/** The outlook of an open order for its buyer and admins: its state, the deadline, and a message. */
export type Outlook = {
  state: "promised" | "number_held" | "with_network" | "being_sent" | "checking";
  until: Date | null;
  message: string;
};

/** The outlook of a paid open order; null for others, or without a delivery promise. */
export async function outlook(tx: Reads, order: Order): Promise<Outlook | null> {
  if (!isOpen(order.status) || !order.paidAt) return null;
  const holder = (await holders.ofOrders(tx, [order.id])).get(order.id);
  const now = new Date();
  const isLate = order.deliverBy !== null && order.deliverBy <= now;
  const waitsFor = holder && heldAs(holder, order, isLate);
  if (waitsFor) {
    const { deadline: until } = holder;
    if (!until || until <= now) return CHECKING;
    return { state: waitsFor, until, message: waitingMessage(waitsFor, until) };
  }
  if (!order.deliverBy) return null;
  if (isLate) return CHECKING;
  const until = order.deliverBy;
  const userId = sql`${order.userId}::bigint`;
  const [row] = await tx.execute<{ needs_person: boolean; fits: boolean }>(sql`
    select ${losses.needsManualRefund(userId)} as needs_person,
           ${fitsBound(userId, sql`${order.amountPesewas}::bigint`)} as fits`);
  const byThen = `If it has not arrived by ${clock(until)}, `;
  if (row!.needs_person || (holders.mayDeliver(holder) && !row!.fits))
    return { state: "promised", until, message: `${byThen}our team decides about a refund.` };
  const message = holders.mayDeliver(holder)
    ? `${byThen}we refund you. If the network confirms that it is on its way, we wait for it and tell you here.`
    : `${byThen}we refund you.`;
  return { state: "promised", until, message };
}

const CHECKING: Outlook = {
  state: "checking",
  until: null,
  message: "This order is late. Our team is checking it: you will get the data or your money back.",
};

type Held = Exclude<Outlook["state"], "promised" | "checking">;

function heldAs(
  { vendor, state, confirmedAt }: Pick<holders.Holder, "vendor" | "state" | "confirmedAt">,
  { deliverBy }: Order,
  isLate: boolean,
): Held | null {
  if (holders.isInBatch({ vendor, state })) return "being_sent";
  if (state === "held") return "number_held";
  const isAtWork = state === "accepted" || state === "processing";
  return isLate && isAtWork && confirmedAt && confirmedAt >= deliverBy! ? "with_network" : null;
}

function waitingMessage(held: Held, until: Date): string {
  switch (held) {
    case "being_sent":
      return `Our team is sending this order by hand. It should arrive by ${clock(until)}.`;
    case "number_held":
      return (
        "The network is holding this order until the number can receive it: a new SIM must be activated first. " +
        `We wait until ${clock(until)}, then our team decides.`
      );
    case "with_network":
      return `The network says that this order is on its way. We wait until ${clock(until)}, then our team decides.`;
  }
}

type Late = { id: number; lateSeconds: number };

/** Overdue orders that are not settled or left to an admin. */
async function selectLate(db: Db): Promise<Late[]> {
  return db
    .select({
      id: orderTable.id,
      lateSeconds: sql<number>`extract(epoch from now() - ${orderTable.deliverBy})::float8`,
    })
    .from(orderTable)
    .leftJoin(attemptTable, and(sql`${attemptTable.orderId} = ${orderTable.id}`, holders.IS_ALIVE))
    .where(
      and(
        isDue,
        sql`${orderTable.deliverBy} <= now()`,
        sql`not (${attemptTable.overdueAt} is not null and ${IS_HELD})`,
        sql`not ${IS_FOR_PERSON}`,
      ),
    )
    .orderBy(asc(orderTable.id))
    .limit(OVERDUE_AT_ONCE);
}

type Verdict = "refund" | "refund within bound" | "ask" | "wait";

/** The verdict on each of these overdue orders, which are locked. */
async function decide(tx: Reads, lateSeconds: Map<number, number>): Promise<Map<number, Verdict>> {
  const ids = [...lateSeconds.keys()];
  const rows = await tx
    .select({
      id: orderTable.id,
      vendor: attemptTable.vendor,
      state: attemptTable.state,
      isHeld: sql<boolean>`coalesce(${IS_HELD}, false)`,
      wasChecked: sql<boolean>`coalesce(${attemptTable.checkedAt} >= ${orderTable.deliverBy}, false)`,
    })
    .from(orderTable)
    .leftJoin(attemptTable, and(sql`${attemptTable.orderId} = ${orderTable.id}`, holders.IS_ALIVE))
    .where(isAmong(orderTable.id, ids));
  return new Map(
    rows.map(({ id, vendor, state, isHeld, wasChecked }) => {
      if (isHeld) return [id, "wait"];
      const isSent = vendor !== null && state !== "queued";
      // A vendor that has acknowledged it may answer the next check; for an unknown outcome one check is enough.
      const isKnown = state === "accepted" || state === "processing";
      const isOver = lateSeconds.get(id)! > LAST_CHECK_SECONDS || (wasChecked && !isKnown);
      if (!isSent) return [id, "refund"];
      return [id, isOver ? "refund within bound" : "ask"];
    }),
  );
}

/** Puts the status checks of these at the front of the queue. */
async function checkFirst(tx: Tx, orders: Order[]): Promise<void> {
  await tx
    .update(attemptTable)
    .set({ dueAt: sql`now() - interval '1 day'` })
    .where(
      and(
        isAmong(
          attemptTable.orderId,
          orders.map(({ id }) => id),
        ),
        inArray(attemptTable.state, ["unknown", "accepted", "processing", "held"]),
      ),
    );
}

/** Notes once on the timelines of overdue orders that are still held what they wait for, and until when. */
async function keepWaiting(tx: Tx, orders: Order[]): Promise<void> {
  if (orders.length === 0) return;
  const ids = orders.map(({ id }) => id);
  await tx
    .update(attemptTable)
    .set({ overdueAt: sql`now()` })
    .where(and(isAmong(attemptTable.orderId, ids), holders.IS_ALIVE));
  const found = await holders.ofOrders(tx, ids);
  await timeline.append(
    tx,
    SYSTEM,
    orders.map((order) => {
      const holder = found.get(order.id)!;
      const held = heldAs(holder, order, true)!;
      const message = holder.deadline ? waitingMessage(held, holder.deadline) : CHECKING.message;
      const note = `${overdueReason(order)}. ${message}`;
      return { order, note };
    }),
  );
}

function overdueReason({ deliverBy }: Order): string {
  return `Not delivered by the promised time (${accraTime(deliverBy!)})`;
}

/** The time of day, with the date if it is not today. */
function clock(at: Date): string {
  return isSameDay(at, new Date()) ? accraTime(at) : `${accraTime(at)} on ${accraDay(at)}`;
}
