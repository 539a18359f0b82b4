// The one place that decides whether a payment was paid. Webhook, browser return, poller and reconciler all call
// `settle`; whoever is first wins and the others see the same answer. It asks the provider, compares with our row, and
// credits our amount.
import { and, asc, desc, eq, inArray, lt, lte, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { orderEvents, orders, users } from "../../db/schema.ts";
import { payments } from "../../db/schema-payments.ts";
import { limits, type PaymentState } from "../shared/domain.ts";
import { show } from "../shared/money.ts";
import type { GatewayTransaction, PaymentGateway } from "./gateway.ts";
import * as hookDeliveries from "./hook-deliveries.ts";
import * as jobs from "./jobs.ts";
import * as ledger from "./ledger.ts";
import * as metrics from "./metrics.ts";
import * as notices from "./notices.ts";
import { paymentCondition } from "./payment-search.ts";
import type { Payment } from "./payments.ts";
import * as promptLimits from "./prompt-limits.ts";
import * as reversals from "./reversals.ts";
import * as settings from "./settings.ts";
import { addToDays, countChange } from "./sums.ts";
import { traced } from "./traces.ts";

/** Seconds after the start at which a pending payment is asked about; after the last it counts as expired. */
export const POLL_AFTER_SECONDS = [12, 30, 60, 120, 190, 600, 3600, 21_600, 86_400] as const;
const POLLS_MAX = 1000;
export const firstPoll = sql`coalesce(${payments.pollAt}, now() + make_interval(secs => ${POLL_AFTER_SECONDS[0]}))`;

export type Settled = { payment: Payment; verdict: Verdict | "unclear" | "not_found" } | null;
export type Verdict = "credit" | "wait" | "fail" | "reversed" | "review";

/**
 * Brings a payment to where the provider says it is, any number of times with one effect; null for a reference that is
 * not ours. An answer that is not sure changes nothing.
 */
export async function settle(db: Db, gateway: PaymentGateway, reference: string): Promise<Settled> {
  const look = () => lookAndApply(db, gateway, reference);
  const settled = await traced("settlement", {}, look, (one) => ({ verdict: one?.verdict ?? "not_ours" }));
  if (settled) metrics.settlements.inc({ verdict: settled.verdict });
  return settled;
}

async function lookAndApply(db: Db, gateway: PaymentGateway, reference: string): Promise<Settled> {
  const [known] = await db.select().from(payments).where(eq(payments.reference, reference));
  if (!known) return null;
  const answer = await gateway.verify(reference);
  if (answer.kind !== "found") return { payment: known, verdict: answer.kind };
  const verdict = judge(answer.transaction, known, gateway.domain);
  return db.transaction(async (tx) => {
    // Wallet, payment, order: everybody locks in this order.
    await ledger.lockWallets(tx, [known.userId]);
    const [payment] = await tx.select().from(payments).where(eq(payments.id, known.id)).for("update");
    await apply(tx, payment!, verdict, answer.transaction);
    const [now] = await tx.select().from(payments).where(eq(payments.id, known.id));
    return { payment: now!, verdict };
  });
}

/**
 * What the provider's answer means for our row. The amount asked for must be ours to the pesewa; the amount paid may be
 * more, when the fee is passed on to the payer, and is never what is credited. "abandoned" is no end: it is also what
 * an open page looks like (Paystack, "Verify Transaction").
 */
export function judge(
  transaction: GatewayTransaction,
  want: { reference: string; amountPesewas: number },
  domain: string,
): Verdict {
  if (transaction.reference !== want.reference || transaction.domain !== domain) return "review";
  switch (transaction.status) {
    case "success": {
      const { amountPesewas: paid, requestedPesewas: asked } = transaction;
      const isOurs = transaction.currency === "GHS" && asked === want.amountPesewas;
      return isOurs && paid !== null && paid >= want.amountPesewas ? "credit" : "review";
    }
    case "failed":
      return "fail";
    case "reversed":
    case "reversal-pending":
      return "reversed";
    default:
      return "wait";
  }
}

export type PaymentRow = Payment & { username: string };

/** Everybody's payments for admins, newest first, from below `cursor` on; perhaps only one user's or those of one state. */
export async function list(
  db: Db,
  filter: { state?: PaymentState | undefined; userId?: number | undefined; search?: string | undefined },
  page: { cursor?: number | undefined; limit: number },
): Promise<PaymentRow[]> {
  const rows = await db
    .select({ payment: payments, username: users.username })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .where(
      and(
        filter.state && eq(payments.state, filter.state),
        filter.search ? paymentCondition(filter.search.trim()) : undefined,
        filter.userId === undefined ? undefined : eq(payments.userId, filter.userId),
        page.cursor ? lt(payments.id, page.cursor) : undefined,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
  return rows.map((row) => ({ ...row.payment, username: row.username }));
}

/** Ends a payment that the provider refused outright. Money that comes all the same is still credited. */
export async function markFailed(db: Db, paymentId: number, reason: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [failed] = await tx
      .update(payments)
      .set({ state: "failed", reason: reason.slice(0, 300), pollAt: null, updatedAt: sql`now()` })
      .where(and(eq(payments.id, paymentId), inArray(payments.state, ["created", "pending"])))
      .returning();
    if (failed) await notices.topUpFailed(tx, failed, reason);
  });
}

/** Settles up to `countMax` payments that are due to be asked about; returns how many there were. */
export async function pollDue(db: Db, gateway: PaymentGateway, countMax: number): Promise<number> {
  const due = await db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(payments)
      .where(lte(payments.pollAt, sql`now()`))
      .orderBy(asc(payments.pollAt))
      .limit(countMax)
      .for("update", { skipLocked: true });
    for (const row of rows) await planNextPoll(tx, row);
    return rows;
  });
  const settled = await Promise.allSettled(due.map(({ reference }) => settle(db, gateway, reference)));
  await expireOverdue(db, due);
  // One that cannot be settled holds up none of the others.
  const fault = settled.find((one) => one.status === "rejected");
  if (fault) throw fault.reason;
  return due.length;
}

/**
 * Steps from now, not from when the row was made: a top-up may be led to its page long after it was started, and must
 * not use up all its polls at once then.
 */
async function planNextPoll(tx: Tx, { id, polls }: Payment): Promise<void> {
  const [last, next] = [POLL_AFTER_SECONDS[polls] ?? 0, POLL_AFTER_SECONDS[polls + 1]];
  const pollAt = next === undefined ? null : sql`now() + make_interval(secs => ${next - last})`;
  await tx
    .update(payments)
    // One that is opened again and again never runs its counter over.
    .set({ polls: Math.min(polls + 1, POLLS_MAX), pollAt })
    .where(eq(payments.id, id));
}

/** A payment that the last poll still found open has expired; a late success would be credited all the same. */
async function expireOverdue(db: Db, due: Payment[]): Promise<void> {
  const last = due
    .filter((payment) => payment.polls + 1 >= POLL_AFTER_SECONDS.length)
    .map((payment) => payment.id);
  if (last.length === 0) return;
  await db
    .update(payments)
    .set({ state: "expired", reason: "Not paid within 24 hours", updatedAt: sql`now()` })
    .where(and(inArray(payments.id, last), eq(payments.state, "pending")));
}

async function apply(
  tx: Tx,
  payment: Payment,
  verdict: Verdict,
  transaction: GatewayTransaction,
): Promise<void> {
  if (payment.state === "paid" || payment.state === "reversed") {
    // "reversal-pending" follows any refund, also of a part, and a refund may fail: its own events say what went back.
    if (transaction.status === "reversed" && verdict === "reversed")
      await reversals.bookWhole(tx, payment, transaction.message);
    return;
  }
  switch (verdict) {
    case "credit":
      if (await isOfAnother(tx, payment, transaction))
        return note(tx, payment, "review", "Paystack's transaction has paid another payment already");
      return credit(tx, payment, transaction);
    case "fail":
      return note(tx, payment, "failed", transaction.message ?? "The payment failed");
    case "review":
      return note(tx, payment, "review", reviewReason(payment, transaction));
    case "reversed":
      // It was paid and given back without our ever crediting it: nothing is owed, and an admin should know.
      return note(
        tx,
        payment,
        "review",
        `Paystack says ${transaction.status}, and nothing was credited here`,
      );
    case "wait":
  }
}

/** One transaction of the provider's pays one payment of ours. */
async function isOfAnother(
  tx: Tx,
  payment: Payment,
  { providerId, domain }: GatewayTransaction,
): Promise<boolean> {
  if (providerId === null) return false;
  const [other] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(eq(payments.domain, domain), eq(payments.providerId, providerId), ne(payments.id, payment.id)),
    );
  return other !== undefined;
}

async function credit(tx: Tx, payment: Payment, transaction: GatewayTransaction): Promise<void> {
  const { userId, amountPesewas } = payment;
  // After this point the credit must succeed.
  await ledger.post(tx, [
    {
      userId,
      debit: "paystack",
      credit: "wallet",
      amountPesewas,
      reason: "topup",
      subjectId: payment.id,
      byUserId: null,
    },
  ]);
  await tx
    .update(payments)
    .set({
      state: "paid",
      paidAt: sql`now()`,
      providerId: transaction.providerId,
      domain: transaction.domain,
      feesPesewas: transaction.feesPesewas,
      reason: null,
      needsCode: false,
      pollAt: null,
      updatedAt: sql`now()`,
    })
    .where(eq(payments.id, payment.id));
  if (payment.payerMsisdn) await promptLimits.giveBack(tx, userId, payment.payerMsisdn);
  const hasPaidOrder = payment.orderId !== null && (await payOrder(tx, payment, payment.orderId));
  // After the order, which the payer was promised: what the wallet then lacks, the shop bears.
  await reversals.bookDue(tx, payment);
  if (!hasPaidOrder) await notices.walletToppedUp(tx, payment);
}

/** Pays the order that the payment was started for, or leaves the money in the wallet and says so (false). */
async function payOrder(tx: Tx, payment: Payment, orderId: number): Promise<boolean> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for("update");
  const event = { orderId, userId: payment.userId, channel: "system" as const };
  if (!order || order.paidAt || order.status !== "PENDING" || order.amountPesewas !== payment.amountPesewas) {
    const words = `A payment of ${show(payment.amountPesewas)} arrived when this order could no longer be paid. The money is in the wallet.`;
    await tx.insert(orderEvents).values({ ...event, note: words });
    return false;
  }
  const { userId, amountPesewas } = order;
  const [balancePesewas] = await ledger.post(tx, [
    {
      userId,
      debit: "wallet",
      credit: "sales",
      amountPesewas,
      reason: "charge",
      subjectId: orderId,
      byUserId: null,
    },
  ]);
  const [paid] = await tx
    .update(orders)
    .set({
      status: "PAID",
      paidAt: sql`now()`,
      deliverBy: sql.raw(settings.DELIVER_BY),
      paymentMethod: "paystack",
      updatedAt: sql`now()`,
    })
    .where(eq(orders.id, orderId))
    .returning();
  await addToDays(tx, [paid!], 1);
  await countChange(tx, [
    ["PENDING", -1],
    ["PAID", 1],
  ]);
  await tx.insert(orderEvents).values({ ...event, fromStatus: "PENDING", toStatus: "PAID" });
  await hookDeliveries.ordersMoved(tx, [{ order: paid!, from: "PENDING" }]);
  // The wallet is where it was before the payment: nothing to say of a low balance.
  await notices.ordersAccepted(tx, userId, {
    first: paid!,
    orders: 1,
    amountPesewas,
    balancePesewas: balancePesewas!,
  });
  await jobs.enqueue(tx, "dispatch_order", orderId, await settings.get(tx, "dispatch_hold_seconds"));
  return true;
}

async function note(tx: Tx, payment: Payment, state: "failed" | "review", reason: string): Promise<void> {
  await tx
    .update(payments)
    .set({ state, reason: reason.slice(0, 300), needsCode: false, pollAt: null, updatedAt: sql`now()` })
    .where(eq(payments.id, payment.id));
  if (state === "failed" && payment.state !== "failed") await notices.topUpFailed(tx, payment, reason);
}

function reviewReason(payment: Payment, transaction: GatewayTransaction): string {
  const said = `${transaction.currency} ${transaction.amountPesewas} asked ${transaction.requestedPesewas} in ${transaction.domain}`;
  return `Paystack says ${transaction.status}, ${said}; expected GHS ${payment.amountPesewas} in ${payment.domain}`;
}
