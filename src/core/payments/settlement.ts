// Settlement of payments, the only place that decides whether one was paid. Webhooks, browser returns, the poller and
// the reconciliation all call `settle`; the first one wins and the others get the same result. It checks the status
// with the provider, compares it with our row, and credits our amount.
import { and, asc, desc, eq, inArray, lt, lte, ne, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { payments } from "../../../db/schema/payments.ts";
import { limits, type PaymentState } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { decimal, show } from "../../shared/money.ts";
import * as ledger from "../ledger/ledger.ts";
import * as notices from "../messaging/notices.ts";
import * as staffNotices from "../messaging/staff-notices.ts";
import * as metrics from "../platform/metrics.ts";
import { traced } from "../platform/tracing.ts";
import * as crediting from "./crediting.ts";
import * as fees from "./fees.ts";
import type { GatewayTransaction, PaymentGateway } from "./gateway.ts";
import type { Payment } from "./payments.ts";
import * as promptLimits from "./prompt-limits.ts";
import * as reversals from "./reversals.ts";
import { paymentCondition } from "./search.ts";

/** Seconds after its start at which a pending payment is polled; after the last it expires. */
export const POLL_AFTER_SECONDS = [12, 30, 60, 120, 190, 600, 3600, 21_600, 86_400] as const;
const POLLS_MAX = 1000;
export const firstPoll = sql`coalesce(${payments.pollAt}, now() + make_interval(secs => ${POLL_AFTER_SECONDS[0]}))`;

export type Settled = { payment: Payment; verdict: Verdict | "unclear" | "not_found" } | null;
export type Verdict = "credit" | "wait" | "fail" | "reversed" | "review";

/**
 * Brings a payment to the state that the provider reports; idempotent. Null for a reference that is not ours. An
 * unclear answer changes nothing.
 */
export async function settle(db: Db, gateway: PaymentGateway, reference: string): Promise<Settled> {
  const work = () => checkAndApply(db, gateway, reference);
  const describe = (result: Settled) => ({ verdict: result?.verdict ?? "not_ours" });
  const settled = await traced("settlement", {}, work, describe);
  if (settled) metrics.settlements.inc({ verdict: settled.verdict });
  return settled;
}

async function checkAndApply(db: Db, gateway: PaymentGateway, reference: string): Promise<Settled> {
  const [known] = await db.select().from(payments).where(eq(payments.reference, reference));
  if (!known) return null;
  const answer = await gateway.verify(reference);
  if (answer.kind !== "found") return { payment: known, verdict: answer.kind };
  const verdict = verdictOn(answer.transaction, known, gateway.domain);
  return db.transaction(async (tx) => {
    // Wallet, payment, order: the lock order of the core.
    await ledger.lockWallets(tx, [known.userId]);
    const [payment] = await tx.select().from(payments).where(eq(payments.id, known.id)).for("update");
    await apply(tx, payment!, verdict, answer.transaction);
    const [updated] = await tx.select().from(payments).where(eq(payments.id, known.id));
    return { payment: updated!, verdict };
  });
}

/**
 * The verdict on the provider's answer for our row. The requested amount must be ours to the pesewa; the paid amount
 * may be more, when the fee is passed on to the payer, and is never what is credited. "abandoned" is not final: an open
 * page has that status, too (Paystack, "Verify Transaction").
 */
function verdictOn(
  transaction: GatewayTransaction,
  expected: { reference: string; amountPesewas: number },
  domain: string,
): Verdict {
  if (transaction.reference !== expected.reference || transaction.domain !== domain) return "review";
  switch (transaction.status) {
    case "success": {
      const { amountPesewas: paid, requestedPesewas: requested } = transaction;
      const isOurs = transaction.currency === "GHS" && requested === expected.amountPesewas;
      return isOurs && paid !== null && paid >= expected.amountPesewas ? "credit" : "review";
    }
    case "failed":
      return "fail";
    case "reversed":
      return "reversed";
    // Also "reversal-pending": a partial refund, or one that may still fail. It becomes "success" or "reversed".
    default:
      return "wait";
  }
}

export type PaymentRow = Payment & { username: string };

/** All payments for admins, newest first, those before the id `cursor`; optionally of one user or state. */
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
        filter.search?.trim() ? await paymentCondition(db, filter.search.trim()) : undefined,
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

/** Fails a payment that the provider refused outright. Money that still arrives is credited. */
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

/** Settles up to `countMax` payments that are due for polling; returns how many. */
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
  // A payment that cannot be settled must not hold up the others.
  const fault = settled.find((result) => result.status === "rejected");
  if (fault) throw fault.reason;
  return due.length;
}

/** After the last poll it is polled once more unless it has ended: the worker may die before it records the result. */
const LAST_LEASE_SECONDS = 600;

/**
 * Intervals count from now, not from the row's creation: a top-up may be opened long after it was started, and must not
 * use up all its polls at once.
 */
async function planNextPoll(tx: Tx, { id, polls }: Payment): Promise<void> {
  const [last, next] = [POLL_AFTER_SECONDS[polls] ?? 0, POLL_AFTER_SECONDS[polls + 1]];
  const seconds = next === undefined ? LAST_LEASE_SECONDS : next - last;
  await tx
    .update(payments)
    // Capped, so that a payment that is reopened again and again does not overflow the counter.
    .set({
      polls: Math.min(polls + 1, POLLS_MAX),
      pollAt: sql`now() + make_interval(secs => ${seconds})`,
    })
    .where(eq(payments.id, id));
}

/**
 * Expires payments that were still open at the last poll, and stops asking about those that their payer gave up; a late
 * success is credited all the same.
 */
async function expireOverdue(db: Db, due: Payment[]): Promise<void> {
  const last = due.filter((payment) => payment.polls + 1 >= POLL_AFTER_SECONDS.length).map((payment) => payment.id);
  if (last.length === 0) return;
  await db
    .update(payments)
    .set({
      state: "expired",
      reason: sql`coalesce(${payments.reason}, 'Not paid within 24 hours')`,
      pollAt: null,
      updatedAt: sql`now()`,
    })
    .where(and(inArray(payments.id, last), inArray(payments.state, ["pending", "expired"])));
}

async function apply(tx: Tx, payment: Payment, verdict: Verdict, transaction: GatewayTransaction): Promise<void> {
  if (payment.state === "paid" || payment.state === "reversed") {
    await fees.bookReported(tx, payment, transaction);
    if (verdict === "reversed") await reversals.bookWhole(tx, payment, transaction.message);
    return;
  }
  // An admin has decided, and further reports change nothing.
  if (payment.state === "closed") return;
  switch (verdict) {
    case "credit":
      if (await isOfAnother(tx, payment, transaction)) return review(tx, payment, PAID_ANOTHER, null);
      if (await isOwnerGone(tx, payment)) return review(tx, payment, OWNER_GONE, paidTo(payment, transaction));
      return credit(tx, payment, transaction);
    case "fail":
      return note(tx, payment, "failed", transaction.message ?? "The payment failed");
    case "review":
      if (await isOfAnother(tx, payment, transaction)) return review(tx, payment, PAID_ANOTHER, null);
      return review(tx, payment, reviewReason(payment, transaction), paidTo(payment, transaction));
    case "reversed":
      // Paid and reversed without our ever crediting it: nothing is owed, but an admin should know.
      return review(tx, payment, `Paystack says ${transaction.status}, but nothing was credited here`, null);
    case "wait":
  }
}

const PAID_ANOTHER = "This Paystack transaction has already paid another payment";
const OWNER_GONE = "Paid after the account was deleted: refund it at Paystack";

/** The amounts of a transaction that brought us money; null when it did not. */
function paidTo(
  payment: Payment,
  { status, currency, domain, reference, ...paid }: GatewayTransaction,
): Pick<GatewayTransaction, "amountPesewas" | "providerId" | "feesPesewas"> | null {
  const isOurs = status === "success" && currency === "GHS" && domain === payment.domain;
  const { amountPesewas, providerId, feesPesewas } = paid;
  if (!isOurs || reference !== payment.reference || (amountPesewas ?? 0) <= 0) return null;
  return { amountPesewas, providerId, feesPesewas: fees.isImplausible(paid) ? null : feesPesewas };
}

async function isOwnerGone(tx: Reads, { userId }: Payment): Promise<boolean> {
  const [owner] = await tx.select({ status: users.status }).from(users).where(eq(users.id, userId));
  return owner?.status === "CLOSED";
}

/** Whether the transaction has already paid another payment. */
async function isOfAnother(tx: Reads, payment: Payment, { providerId, domain }: GatewayTransaction): Promise<boolean> {
  if (providerId === null) return false;
  const [other] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.domain, domain), eq(payments.providerId, providerId), ne(payments.id, payment.id)));
  return other !== undefined;
}

async function credit(tx: Tx, payment: Payment, transaction: GatewayTransaction): Promise<void> {
  const { providerId, domain } = transaction;
  const known = fees.feesOf(transaction, payment.amountPesewas);
  const set = { providerId, domain, ...known, reason: null, paidPesewas: null };
  const credited = await crediting.toWallet(tx, payment, payment.amountPesewas, set);
  if (fees.isImplausible(transaction))
    await staffNotices.feeNotBooked(tx, { ...payment, feesPesewas: transaction.feesPesewas! });
  if (payment.payerMsisdn) await promptLimits.giveBack(tx, payment.userId, payment.payerMsisdn);
  await crediting.use(tx, credited, credited.amountPesewas);
}

/** Puts a payment into review, with the amount that was paid. */
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
  const amountText = (pesewas: number | null) =>
    pesewas === null ? "nothing" : currency === "GHS" ? show(pesewas) : `${currency} ${decimal(pesewas)}`;
  const expected = `expected ${show(payment.amountPesewas)} in ${payment.domain}`;
  const paid = `paid ${amountText(amountPesewas)} of ${amountText(requestedPesewas)} in ${domain}`;
  return `Paystack says ${status}: ${paid}; ${expected}`;
}
