// The one place that decides whether a payment was paid. Webhook, browser return, poller and reconciler all call
// `settle`; whoever is first wins and the others see the same answer. It asks the provider, compares with our row, and
// credits our amount.
import { and, asc, desc, eq, inArray, lt, lte, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { payments } from "../../../db/schema/payments.ts";
import { limits, type PaymentState } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { decimal, show } from "../../shared/money.ts";
import * as ledger from "../ledger/ledger.ts";
import * as notices from "../messaging/notices.ts";
import * as metrics from "../platform/metrics.ts";
import { traced } from "../platform/tracing.ts";
import * as crediting from "./crediting.ts";
import type { GatewayTransaction, PaymentGateway } from "./gateway.ts";
import type { Payment } from "./payments.ts";
import * as promptLimits from "./prompt-limits.ts";
import * as reversals from "./reversals.ts";
import { paymentCondition } from "./search.ts";

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
      return "reversed";
    // Also "reversal-pending": a refund of a part, or one that may still fail. It will be "success" or "reversed".
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

/** One payment, for admins. Throws payment.not_found. */
export async function get(db: Db, paymentId: number): Promise<PaymentRow> {
  const [row] = await db
    .select({ payment: payments, username: users.username })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .where(eq(payments.id, paymentId));
  if (!row) throw new AppError("payment.not_found");
  return { ...row.payment, username: row.username };
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

/** After the last poll it is asked once more, unless it is over by then: a worker may end before it can say so. */
const LAST_LEASE_SECONDS = 600;

/**
 * Steps from now, not from when the row was made: a top-up may be led to its page long after it was started, and must
 * not use up all its polls at once then.
 */
async function planNextPoll(tx: Tx, { id, polls }: Payment): Promise<void> {
  const [last, next] = [POLL_AFTER_SECONDS[polls] ?? 0, POLL_AFTER_SECONDS[polls + 1]];
  const seconds = next === undefined ? LAST_LEASE_SECONDS : next - last;
  await tx
    .update(payments)
    // One that is opened again and again never runs its counter over.
    .set({
      polls: Math.min(polls + 1, POLLS_MAX),
      pollAt: sql`now() + make_interval(secs => ${seconds})`,
    })
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
    .set({ state: "expired", reason: "Not paid within 24 hours", pollAt: null, updatedAt: sql`now()` })
    .where(and(inArray(payments.id, last), eq(payments.state, "pending")));
}

async function apply(
  tx: Tx,
  payment: Payment,
  verdict: Verdict,
  transaction: GatewayTransaction,
): Promise<void> {
  if (payment.state === "paid" || payment.state === "reversed") {
    if (verdict === "reversed") await reversals.bookWhole(tx, payment, transaction.message);
    return;
  }
  // A person has decided about it, and what the provider goes on saying changes nothing.
  if (payment.state === "closed") return;
  switch (verdict) {
    case "credit":
      if (await isOfAnother(tx, payment, transaction)) return review(tx, payment, PAID_ANOTHER, null);
      if (await isOwnerGone(tx, payment))
        return review(tx, payment, OWNER_GONE, paidTo(payment, transaction));
      return credit(tx, payment, transaction);
    case "fail":
      return note(tx, payment, "failed", transaction.message ?? "The payment failed");
    case "review":
      if (await isOfAnother(tx, payment, transaction)) return review(tx, payment, PAID_ANOTHER, null);
      return review(tx, payment, reviewReason(payment, transaction), paidTo(payment, transaction));
    case "reversed":
      // It was paid and given back without our ever crediting it: nothing is owed, and an admin should know.
      return review(tx, payment, `Paystack says ${transaction.status}, and nothing was credited here`, null);
    case "wait":
  }
}

const PAID_ANOTHER = "Paystack's transaction has paid another payment already";
const OWNER_GONE = "Paid after the account was deleted: refund it at Paystack";

/** The transaction as far as it brought money for us; null when it did not. */
function paidTo(
  payment: Payment,
  { status, currency, domain, reference, ...paid }: GatewayTransaction,
): Pick<GatewayTransaction, "amountPesewas" | "providerId" | "feesPesewas"> | null {
  const isOurs = status === "success" && currency === "GHS" && domain === payment.domain;
  const { amountPesewas, providerId, feesPesewas } = paid;
  if (!isOurs || reference !== payment.reference || (amountPesewas ?? 0) <= 0) return null;
  return { amountPesewas, providerId, feesPesewas };
}

async function isOwnerGone(tx: Tx, { userId }: Payment): Promise<boolean> {
  const [owner] = await tx.select({ status: users.status }).from(users).where(eq(users.id, userId));
  return owner?.status === "CLOSED";
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
  const { providerId, domain, feesPesewas } = transaction;
  const set = { providerId, domain, feesPesewas, reason: null, paidPesewas: null };
  const credited = await crediting.toWallet(tx, payment, payment.amountPesewas, set);
  if (payment.payerMsisdn) await promptLimits.giveBack(tx, payment.userId, payment.payerMsisdn);
  await crediting.use(tx, credited, credited.amountPesewas);
}

/** Leaves a payment to a person, with what was paid of it. */
async function review(
  tx: Tx,
  payment: Payment,
  reason: string,
  paid: Pick<GatewayTransaction, "amountPesewas" | "providerId" | "feesPesewas"> | null,
): Promise<void> {
  const { amountPesewas: paidPesewas = null, ...seen } = paid ?? {};
  await tx
    .update(payments)
    .set({ ...seen, paidPesewas })
    .where(eq(payments.id, payment.id));
  await note(tx, payment, "review", reason);
}

async function note(tx: Tx, payment: Payment, state: "failed" | "review", reason: string): Promise<void> {
  await tx
    .update(payments)
    .set({ state, reason: reason.slice(0, 300), needsCode: false, pollAt: null, updatedAt: sql`now()` })
    .where(eq(payments.id, payment.id));
  if (state === "failed" && payment.state !== "failed") await notices.topUpFailed(tx, payment, reason);
}

function reviewReason(payment: Payment, transaction: GatewayTransaction): string {
  const { status, currency, domain, amountPesewas, requestedPesewas } = transaction;
  const said = (pesewas: number | null) =>
    pesewas === null ? "nothing" : currency === "GHS" ? show(pesewas) : `${currency} ${decimal(pesewas)}`;
  const expected = `expected ${show(payment.amountPesewas)} in ${payment.domain}`;
  return `Paystack says ${status}: paid ${said(amountPesewas)} of ${said(requestedPesewas)} in ${domain}; ${expected}`;
}
