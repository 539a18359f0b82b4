// Applies delivery reports from any source (a vendor's answer, its webhook, a status check, a timeout) to attempts,
// orders and the ledger. attempt-states.ts decides the next state; here it becomes rows, transitions and refunds.
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { attempts as table } from "../../../db/schema/fulfilment.ts";
import { DELIVERY_KINDS, isOpen, SYSTEM } from "../../shared/domain.ts";
import { type Attempt, ofOrders as attemptsOfOrders, isAlive, withdrawQueued } from "../orders/attempts.ts";
import * as losses from "../orders/losses.ts";
import type { Order } from "../orders/order.ts";
import * as timeline from "../orders/timeline.ts";
import * as transitions from "../orders/transitions.ts";
import * as jobs from "../platform/jobs.ts";
import { isAmong } from "../platform/sql.ts";
import { type DeliveryReport, next, type Situation, type Step, WAIT_SECONDS } from "./attempt-states.ts";
import * as charges from "./charges.ts";
import { type BundleVendor, HOLDS_FOR_HOURS } from "./vendor.ts";
import * as vendors from "./vendors.ts";

/** The number of days on which a delivery is compared with its vendor's records. */
const DELIVERY_CHECKS = 3;

/**
 * Applies reports about attempts at one vendor to attempts, orders, money and timelines, in one commit.
 * `isStatusCheck`: they answer status checks, whose time is recorded even without a result. `isTrial`: they answer a
 * call that tests whether an empty float has been refilled.
 */
export async function applyReports(
  db: Db,
  vendor: BundleVendor,
  reports: { attemptId: number; report: DeliveryReport }[],
  { isStatusCheck = false, isTrial = false } = {},
): Promise<void> {
  if (reports.length === 0) return;
  await db.transaction(async (tx) => {
    const ids = reports.map(({ attemptId }) => attemptId);
    const owners = await tx.select({ orderId: table.orderId }).from(table).where(isAmong(table.id, ids));
    const orders = await transitions.lockOrders(
      tx,
      owners.map(({ orderId }) => orderId),
    );
    const attempts = await lockAttempts(tx, ids);
    const charged = await charges.keep(tx, reports);
    const changes = reports.flatMap(({ attemptId, report }): Change[] => {
      const attempt = attempts.get(attemptId);
      const order = attempt && orders.get(attempt.orderId);
      const step = order && next(attempt, order.status, report, vendor);
      return step ? [{ attempt, order, report, step }] : [];
    });
    const steps = await preventSecondDelivery(tx, changes);
    await writeAttempts(tx, vendor, steps);
    if (isStatusCheck) await tx.update(table).set({ checkedAt: sql`now()` }).where(isAmong(table.id, ids));
    await transitionOrders(tx, steps);
    const isDelivery = ({ report }: Change) => report.kind === "state" && report.state === "delivered";
    await losses.record(
      tx,
      steps.filter(isDelivery).map(({ attempt }) => attempt.id),
    );
    await jobs.enqueueAll(
      tx,
      "dispatch_order",
      steps.filter(({ step }) => step.goesOn).map(({ order }) => order.id),
    );
    await applyToVendor(tx, vendor, steps);
    if (isTrial && steps.some(({ report }) => report.kind === "state"))
      await vendors.resumeAfterEmptyFloat(tx, vendor.code);
    await charges.passOn(tx, charged);
  });
}

async function lockAttempts(tx: Tx, ids: number[]): Promise<Map<number, Attempt & Situation>> {
  const sentSecondsAgo = sql<number | null>`extract(epoch from now() - ${table.sentAt})::float8`;
  const rows = await tx
    .select({ attempt: table, sentSecondsAgo })
    .from(table)
    .where(isAmong(table.id, ids))
    .orderBy(table.id)
    .for("update");
  return new Map(rows.map(({ attempt, sentSecondsAgo }) => [attempt.id, { ...attempt, sentSecondsAgo }]));
}

/**
 * Counts a late delivery after a failure as delivered, if the next attempt has not been sent: that one is withdrawn.
 * The concern stays, because such a vendor may change its report again.
 */
async function preventSecondDelivery(tx: Tx, changes: Change[]): Promise<Change[]> {
  const late = changes.filter(({ step, order }) => step.hasArrivedLate && isOpen(order.status));
  if (late.length === 0) return changes;
  const orderIds = late.map(({ order }) => order.id);
  const tried = await attemptsOfOrders(tx, orderIds);
  const spared = new Set(
    orderIds.filter((id) => {
      const alive = tried.get(id)?.find(isAlive);
      return !alive || (alive.state === "queued" && alive.sentAt === null);
    }),
  );
  await withdrawQueued(tx, [...spared]);
  return changes.map((change) =>
    spared.has(change.order.id) && change.step.hasArrivedLate
      ? { ...change, step: { ...change.step, state: "delivered", to: "DELIVERED" } }
      : change,
  );
}

type Change = { attempt: Attempt; order: Order; report: DeliveryReport; step: Step };

async function writeAttempts(tx: Tx, { can }: BundleVendor, steps: Change[]): Promise<void> {
  if (steps.length === 0) return;
  const rows = steps.map(({ attempt, report, step }) => ({
    id: attempt.id,
    state: step.state,
    due_in: step.dueInSeconds,
    vendor_reference: report.kind === "state" ? report.vendorReference : null,
    message: "message" in report ? report.message : null,
    concern: step.concern,
    unsent: step.isUnsent ? 1 : 0,
    not_taken: report.kind === "not_taken" && step.state === "failed" ? report.reason : null,
    alone: step.goesAlone && attempt.sentTogether > 1,
    seen: step.isSeen,
    confirmed: report.kind === "state",
  }));
  const checks = can.canCheckStatus ? DELIVERY_CHECKS : 0;
  const { holdsForHours = HOLDS_FOR_HOURS } = can;
  await tx.execute(sql`
    update attempts a set
      state = n.state,
      due_at = now() + case when n.state = 'delivered' then interval '1 day' else make_interval(secs => n.due_in) end,
      vendor_reference = coalesce(n.vendor_reference, a.vendor_reference),
      vendor_message = coalesce(n.message, a.vendor_message),
      concern = coalesce(n.concern, a.concern),
      not_taken = coalesce(n.not_taken, a.not_taken),
      sends = a.sends - n.unsent,
      alone = a.alone or n.alone,
      seen_by_vendor = a.seen_by_vendor or n.seen,
      checks_left = case when n.state <> 'delivered' then 0 when a.state <> 'delivered' then ${checks}::int
                         else a.checks_left end,
      confirmed_at = case when n.confirmed then now() else a.confirmed_at end,
      hold_until = case when n.confirmed
        then coalesce(a.hold_until, a.sent_at + make_interval(hours => ${holdsForHours})) else a.hold_until end,
      ended_at = case when n.state in ('delivered', 'failed', 'refunded', 'withdrawn')
                      then coalesce(a.ended_at, now()) end
    from json_to_recordset(${JSON.stringify(rows)}::json) as n(
      id bigint, state text, due_in float8, vendor_reference text, message text, concern text, not_taken text,
      unsent int, alone boolean, seen boolean, confirmed boolean)
    where a.id = n.id`);
}

async function transitionOrders(tx: Tx, steps: Change[]): Promise<void> {
  const noted = steps.filter(({ step, order }) => step.note !== null && !transitionFor(step, order));
  await timeline.append(
    tx,
    SYSTEM,
    noted.map(({ order, step }) => ({ order, kind: step.kind, detail: step.note })),
  );
  const moving = steps.flatMap(({ step, order }) => {
    const to = transitionFor(step, order);
    return to ? [{ order, to, kind: step.kind, detail: step.note }] : [];
  });
  // An order that is delivered before it was PROCESSING passes through PROCESSING.
  const ahead = moving.filter(({ to, order }) => to === "DELIVERED" && order.status !== "PROCESSING");
  await transitions.apply(
    tx,
    SYSTEM,
    ahead.map(({ order }) => order),
    "PROCESSING",
    null,
  );
  for (const { order } of ahead) order.status = "PROCESSING";
  // A call has up to fifty orders: moved one by one, they would keep fifty wallets locked all the while.
  for (const group of Map.groupBy(moving, ({ to, kind }) => `${to} ${kind}`).values()) {
    const texts = new Map(group.map(({ order, kind, detail }) => [order.id, { kind, detail }]));
    const { to, kind } = group[0]!;
    await transitions.apply(
      tx,
      SYSTEM,
      group.map(({ order }) => order),
      to,
      to === "FAILED" && kind ? DELIVERY_KINDS[kind] : null,
      ({ id }) => texts.get(id)!,
    );
  }
}

/** The transition that a step requires of its order; null when the order is already there or beyond. */
function transitionFor({ to }: Step, { status }: Order): Step["to"] {
  const isBefore = status === "PENDING" || status === "PAID";
  if (to === "PROCESSING") return isBefore ? to : null;
  if (to === "DELIVERED") return isBefore || status === "PROCESSING" ? to : null;
  if (to === "FAILED") return status === "FAILED" ? null : to;
  return null;
}

/** Applies what the reports say about the vendor itself: pauses and rate limits. */
async function applyToVendor(tx: Tx, vendor: BundleVendor, steps: Change[]): Promise<void> {
  const refused = steps.flatMap(({ report }) => (report.kind === "not_taken" ? [report] : []));
  // Mostly a whole batch is refused for one reason.
  for (const [reason, [report]] of Map.groupBy(refused, (refusal) => refusal.reason)) {
    if (reason === "float_empty" || reason === "key_refused")
      await vendors.pauseFor(tx, vendor, reason, report!.message);
    if (reason === "rate_limited")
      await vendors.holdCalls(tx, vendor.code, report!.retryAfterSeconds ?? WAIT_SECONDS.rate_limited);
  }
}
