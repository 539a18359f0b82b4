// Deadlines of orders: delivered ones are completed, and promises that were not kept are refunded. What somebody holds is
// not refunded by the clock, because it would be delivered all the same: it waits until a deadline of its own, and then a
// person decides.

import { and, asc, inArray, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { attempts as attemptTable } from "../../../db/schema/fulfilment.ts";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import { accraDay, accraTime, isSameDay } from "../../shared/accra.ts";
import { isOpen, OPEN_STATUSES, SYSTEM } from "../../shared/domain.ts";
import type { Order } from "../orders/buy.ts";
import * as losses from "../orders/losses.ts";
import * as timeline from "../orders/timeline.ts";
import * as transitions from "../orders/transitions.ts";
import * as jobs from "../platform/jobs.ts";
import { isAmong } from "../platform/sql.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import * as holders from "./holders.ts";

const PROMISES_AT_ONCE = 500;
/** How long after its deadline an order may wait for a last question to its vendor. */
const LAST_QUESTION_SECONDS = 120;

/** Completes delivered orders, but for those that are said not to have arrived; returns how many jobs were worked off. */
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
    const delivered = [...found.values()].filter(
      (order) => order.status === "DELIVERED" && !held.has(order.id),
    );
    await transitions.apply(tx, SYSTEM, delivered, "COMPLETED", null);
    await jobs.finish(
      tx,
      due.map((job) => job.id),
    );
  });
}

/**
 * SQL: whether the order's living attempt is held by somebody who says so: a vendor that waits for the number, a vendor that
 * confirmed it after the promise, or a desk batch that is out.
 */
export const IS_HELD: SQL<boolean> = sql<boolean>`case ${attemptTable.state}
  when 'held' then true
  when 'accepted' then coalesce(${attemptTable.confirmedAt} >= ${orderTable.deliverBy}, false)
  when 'processing' then ${attemptTable.vendor} = 'desk'
    or coalesce(${attemptTable.confirmedAt} >= ${orderTable.deliverBy}, false)
  else false end`;

/**
 * Refunds paid orders whose promise has passed; returns how many it dealt with. A vendor that has one is asked a last time
 * first. What a vendor says it holds, and what stands in a batch that is out, waits on, and its buyer is told for what.
 * The orders of agents with too many losses are left to a person.
 */
export async function refundOverdue(db: Db): Promise<number> {
  const late = await selectLate(db);
  if (late.length === 0) return 0;
  return db.transaction(async (tx) => {
    const lateSeconds = new Map(late.map((order) => [order.id, order.lateSeconds]));
    const ids = [...lateSeconds.keys()];
    const found = await transitions.lockOrders(tx, ids);
    const verdicts = await judge(tx, lateSeconds);
    const those = (verdict: Verdict) =>
      ids.flatMap((id) => {
        const order = found.get(id);
        const isLate = order && isOpen(order.status) && order.deliverBy;
        return isLate && verdicts.get(id) === verdict ? [order] : [];
      });
    await askFirst(tx, those("ask"));
    const waiting = those("wait");
    await letWait(tx, waiting);
    const broken = those("refund");
    for (const [reason, orders] of Map.groupBy(broken, brokenPromise)) {
      await transitions.apply(tx, SYSTEM, orders, "FAILED", reason);
    }
    return broken.length + waiting.length;
  });
}

/** What is known of a late order to its buyer and to whoever looks after it: where it is, and until when that is waited for. */
export type Outlook = {
  state: "promised" | "number_held" | "with_network" | "being_sent" | "checking";
  until: Date | null;
  message: string;
};

/** What a paid order that is on its way waits for; null when it is not, or when nothing was promised. */
export async function outlook(tx: Tx, order: Order): Promise<Outlook | null> {
  if (!isOpen(order.status) || !order.paidAt) return null;
  const holder = (await holders.ofOrders(tx, [order.id])).get(order.id);
  const now = new Date();
  const isLate = order.deliverBy !== null && order.deliverBy <= now;
  const waitsFor = holder && heldAs(holder, order, isLate);
  if (waitsFor) {
    const { until } = holder;
    if (!until || until <= now) return CHECKING;
    return { state: waitsFor, until, message: waitingWords(waitsFor, until) };
  }
  if (!order.deliverBy) return null;
  if (isLate) return CHECKING;
  const until = order.deliverBy;
  const [row] = await tx.execute<{ is_barred: boolean }>(
    sql`select ${losses.needsManualRefund(sql`${order.userId}::bigint`)} as is_barred`,
  );
  const byThen = `If it has not arrived by ${clock(until)}, `;
  if (row!.is_barred)
    return { state: "promised", until, message: `${byThen}our team decides about a refund.` };
  const message = holders.mayDeliver(holder)
    ? `${byThen}we refund you. If the network says then that it is on its way, we wait for it and say so here.`
    : `${byThen}we refund you.`;
  return { state: "promised", until, message };
}

const CHECKING: Outlook = {
  state: "checking",
  until: null,
  message: "This order is late. Our team is checking it: it is delivered, or you get your money back.",
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

function waitingWords(held: Held, until: Date): string {
  switch (held) {
    case "being_sent":
      return `Our team is sending this order by hand. It should arrive by ${clock(until)}.`;
    case "number_held":
      return `The network holds this order until the number can receive it: a new SIM must be activated first. We wait until ${clock(until)}, then our team decides.`;
    case "with_network":
      return `The network says that this order is on its way. We wait until ${clock(until)}, then our team decides.`;
  }
}

type Late = { id: number; lateSeconds: number };

/** Late orders about which the clock still has something to decide. */
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
        inArray(orderTable.status, [...OPEN_STATUSES]),
        sql`${orderTable.deliverBy} <= now()`,
        sql`not (${attemptTable.overdueAt} is not null and ${IS_HELD})`,
        sql`not ${losses.needsManualRefund(orderTable.userId)}`,
      ),
    )
    .orderBy(asc(orderTable.id))
    .limit(PROMISES_AT_ONCE);
}

type Verdict = "refund" | "ask" | "wait";

/** What becomes of each of these late orders, which are locked. */
async function judge(tx: Tx, lateSeconds: Map<number, number>): Promise<Map<number, Verdict>> {
  const ids = [...lateSeconds.keys()];
  const rows = await tx
    .select({
      id: orderTable.id,
      vendor: attemptTable.vendor,
      state: attemptTable.state,
      isHeld: sql<boolean>`coalesce(${IS_HELD}, false)`,
      wasAsked: sql<boolean>`coalesce(${attemptTable.lookedUpAt} >= ${orderTable.deliverBy}, false)`,
    })
    .from(orderTable)
    .leftJoin(attemptTable, and(sql`${attemptTable.orderId} = ${orderTable.id}`, holders.IS_ALIVE))
    .where(isAmong(orderTable.id, ids));
  return new Map(
    rows.map(({ id, vendor, state, isHeld, wasAsked }) => {
      if (isHeld) return [id, "wait"];
      const isOut = vendor !== null && state !== "queued";
      // Who has said that they have it may answer the next question; of whom nobody knows anything, one is enough.
      const isKnown = state === "accepted" || state === "processing";
      const isOver = lateSeconds.get(id)! > LAST_QUESTION_SECONDS || (wasAsked && !isKnown);
      return [id, isOut && !isOver ? "ask" : "refund"];
    }),
  );
}

/** Has vendors asked about these before all others that wait to be asked about. */
async function askFirst(tx: Tx, orders: Order[]): Promise<void> {
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

/** Their promise has passed and somebody holds them: their buyers are told once what is waited for, and until when. */
async function letWait(tx: Tx, orders: Order[]): Promise<void> {
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
      const words = holder.until ? waitingWords(held, holder.until) : CHECKING.message;
      const note = `${brokenPromise(order)}. ${words}`;
      return { order, note };
    }),
  );
}

function brokenPromise({ deliverBy }: Order): string {
  return `Not delivered by ${accraTime(deliverBy!)}, as promised`;
}

/** The time of day; with its day, when that is not today. */
function clock(at: Date): string {
  return isSameDay(at, new Date()) ? accraTime(at) : `${accraTime(at)} on ${accraDay(at)}`;
}
