// Payouts of the payment provider to the shop's bank, booked from its own list: each once, when it succeeded. With them
// and the fees of the payments, the books say what the provider holds; its own balance is compared with that.
import { and, asc, desc, eq, inArray, isNull, lt, not, type or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { payments } from "../../../db/schema/payments.ts";
import { balanceChecks, payoutPayments, payouts } from "../../../db/schema/payments-payouts.ts";
import { limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as } from "../../shared/fields.ts";
import { AboveZero, Cedis } from "../../shared/inputs.ts";
import { show } from "../../shared/money.ts";
import { heldByPaystack } from "../ledger/accounts.ts";
import * as ledger from "../ledger/ledger.ts";
import { lock } from "../platform/advisory-locks.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { command } from "../platform/commands.ts";
import type { GatewayPayout, GatewayTransaction, PaymentGateway } from "./gateway.ts";

export type Payout = typeof payouts.$inferSelect;
export type PayoutPayment = typeof payoutPayments.$inferSelect;
export type BalanceCheck = typeof balanceChecks.$inferSelect;

/** The user of transfers that concern no person. */
const SHOP_ITSELF = 0;
/** The most pages of payouts, or of one payout's payments, in one round; the next one goes on. */
const PAGES_MAX = 20;
/** Payouts whose payments are read in one round. */
const LISTED_AT_ONCE = 20;
const CHECKS_KEPT_DAYS = 90;
const DAY_MS = 86_400_000;

/** Does a round of `sync` if it is due: a few times an hour, however many workers ask. */
export async function syncDue(db: Db, gateway: PaymentGateway): Promise<void> {
  if (await budgets.trySpend(db, "payouts.shop", gateway.domain)) await sync(db, gateway);
}

/**
 * Reads the provider's payouts, books those that succeeded, reads their payments, and compares the balance; idempotent,
 * and complete again after any interruption. Throws payment.gateway_down when a list cannot be read.
 */
export async function sync(db: Db, gateway: PaymentGateway): Promise<void> {
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await gateway.listPayouts({ page });
    if (answer.kind === "unclear") throw notAnswering(answer.reason);
    const isUnfinished = await keep(db, gateway.domain, answer.payouts);
    // Newest first: behind a page of known and finished ones is nothing new.
    if (!answer.hasMore || !isUnfinished) break;
  }
  await bookSucceeded(db, gateway.domain);
  await listPayments(db, gateway);
  await compareBalance(db, gateway);
}

function notAnswering(reason: string): AppError {
  const message = "Paystack is not answering, so its payouts were not read. Try again in a minute.";
  return new AppError("payment.gateway_down", { reason }, message);
}

/** Stores payouts as the provider lists them; false when all of them were known and finished. */
async function keep(db: Db, domain: string, listed: GatewayPayout[]): Promise<boolean> {
  const own = listed.filter((row) => row.currency === "GHS" && row.domain === domain);
  if (own.length === 0) return listed.length > 0;
  const values = own.map(({ providerId, status, amountPesewas, processedPesewas, feesPesewas, settledAt }) => ({
    ...{ domain, providerId, status, amountPesewas, processedPesewas, feesPesewas },
    settledAt: settledAt === null ? null : new Date(settledAt),
  }));
  const changed = await db
    .insert(payouts)
    .values(values)
    .onConflictDoUpdate({
      target: [payouts.domain, payouts.providerId],
      set: {
        status: sql`excluded.status`,
        amountPesewas: sql`excluded.amount_pesewas`,
        processedPesewas: sql`excluded.processed_pesewas`,
        feesPesewas: sql`excluded.fees_pesewas`,
        settledAt: sql`excluded.settled_at`,
      },
      // A booked one stays as it was booked.
      setWhere: isNull(payouts.bookedAt),
    })
    .returning({ id: payouts.id });
  return changed.length > 0;
}

/** Books each payout that succeeded, in a commit of its own. */
async function bookSucceeded(db: Db, domain: string): Promise<void> {
  const isDue = and(eq(payouts.domain, domain), eq(payouts.status, "success"), isNull(payouts.bookedAt));
  const due = await db.select({ id: payouts.id }).from(payouts).where(isDue).orderBy(asc(payouts.id));
  for (const { id } of due)
    await db.transaction(async (tx) => {
      const [payout] = await tx.select().from(payouts).where(eq(payouts.id, id)).for("update");
      if (payout!.bookedAt === null && payout!.status === "success") await book(tx, payout!, null);
    });
}

async function book(tx: Tx, { id, amountPesewas }: Payout, byUserId: number | null): Promise<void> {
  const accounts = { debit: "bank", credit: "paystack", reason: "payout" } as const;
  if (amountPesewas > 0)
    await ledger.post(tx, [{ ...accounts, userId: SHOP_ITSELF, amountPesewas, subjectId: id, byUserId }]);
  await tx.update(payouts).set({ bookedAt: sql`now()` }).where(eq(payouts.id, id));
}

/** Reads the payments of payouts that have not been read to the end. */
async function listPayments(db: Db, gateway: PaymentGateway): Promise<void> {
  const open = await db
    .select()
    .from(payouts)
    .where(and(eq(payouts.domain, gateway.domain), not(payouts.isListed)))
    .orderBy(asc(payouts.id))
    .limit(LISTED_AT_ONCE);
  for (const payout of open) {
    for (let page = 1; ; page++) {
      const answer = await gateway.payoutPayments({ providerId: payout.providerId, page });
      if (answer.kind === "unclear") throw notAnswering(answer.reason);
      await keepPayments(db, payout, answer.transactions);
      if (!answer.hasMore || page >= PAGES_MAX * 10) break;
    }
    await db.update(payouts).set({ isListed: true }).where(eq(payouts.id, payout.id));
  }
}

async function keepPayments(db: Db, payout: Payout, listed: GatewayTransaction[]): Promise<void> {
  if (listed.length === 0) return;
  const references = listed.map(({ reference }) => reference);
  const known = await db
    .select({ id: payments.id, reference: payments.reference })
    .from(payments)
    .where(and(inArray(payments.reference, references), eq(payments.domain, payout.domain)));
  const idOf = new Map(known.map(({ id, reference }) => [reference, id]));
  await db
    .insert(payoutPayments)
    .values(
      listed.map(({ providerId, reference, amountPesewas, feesPesewas }) => ({
        payoutId: payout.id,
        providerId: providerId ?? reference,
        reference,
        amountPesewas: amountPesewas ?? 0,
        feesPesewas: feesPesewas ?? 0,
        paymentId: idOf.get(reference) ?? null,
      })),
    )
    .onConflictDoNothing();
}

async function compareBalance(db: Db, gateway: PaymentGateway): Promise<void> {
  const answer = await gateway.balance();
  if (answer.kind === "unclear") throw notAnswering(answer.reason);
  const booksPesewas = await heldByPaystack(db);
  const { domain } = gateway;
  await db.insert(balanceChecks).values({ domain, providerPesewas: answer.balancePesewas, booksPesewas });
  await db
    .delete(balanceChecks)
    .where(lt(balanceChecks.createdAt, sql`now() - make_interval(days => ${CHECKS_KEPT_DAYS})`));
}

/** The newest comparison of the provider's balance with the books; null before the first. */
export async function latestCheck(tx: Reads, domain: string): Promise<BalanceCheck | null> {
  const [row] = await tx
    .select()
    .from(balanceChecks)
    .where(eq(balanceChecks.domain, domain))
    .orderBy(desc(balanceChecks.id))
    .limit(1);
  return row ?? null;
}

/** Books a payout by hand, where Paystack's list cannot be read. */
export const bookByHand = command({
  name: "payout.by_hand",
  right: "payments.decide",
  about: "Book a payout of Paystack by hand, where its list cannot be read",
  subject: "payout",
  input: {
    domain: z.enum(["test", "live"]),
    providerId: as(
      "settlement",
      z
        .string()
        .regex(/^\d{1,20}$/, "Digits only, as on Paystack's dashboard")
        .describe("Paystack's number of the settlement, so that its list does not book it again"),
    ),
    amountPesewas: as("amount", AboveZero),
    heldPesewas: as("held", Cedis.describe("What the books said Paystack holds, when it was asked for")),
  },
  errors: ["payout.known", "payout.too_much", "payout.moved"],
  run: async ({ tx, by, audit }, { domain, providerId, amountPesewas, ...seen }) => {
    await lock(tx, "payouts");
    const heldPesewas = await heldByPaystack(tx);
    if (heldPesewas !== seen.heldPesewas) throw new AppError("payout.moved");
    if (amountPesewas > heldPesewas) {
      const message = `By the books Paystack holds ${show(heldPesewas)}`;
      throw new AppError("payout.too_much", { fields: { amount: message } }, message);
    }
    const sums = { amountPesewas, processedPesewas: amountPesewas, feesPesewas: 0 };
    const [row] = await tx
      .insert(payouts)
      .values({ domain, providerId, status: "success", ...sums, settledAt: sql`now()` })
      .onConflictDoNothing()
      .returning();
    if (!row) throw new AppError("payout.known");
    await book(tx, row, by.userId);
    await audit(row.id, { after: { settlement: providerId, amount: show(amountPesewas) } });
    return { payoutId: row.id };
  },
});

export type PayoutRow = Payout & {
  /** Its payments as listed, and how many of them are not ours. */
  payments: number;
  unknown: number;
  /** What its payments brought less their fees, in pesewas. */
  listedPesewas: number;
};

/** Payouts newest first, those before the id `cursor`. */
export async function list(
  db: Reads,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<PayoutRow[]> {
  return select(db, cursor ? lt(payouts.id, cursor) : undefined, Math.min(limit, limits.pageSizeMax));
}

/** One payout. Throws payout.not_found. */
export async function get(db: Reads, id: number): Promise<PayoutRow> {
  const [row] = await select(db, eq(payouts.id, id), 1);
  if (!row) throw new AppError("payout.not_found");
  return row;
}

/** The days that a payout is about: from the end of the day of the one before to that of its own. */
export async function daysOf(db: Reads, payout: Payout): Promise<{ from: Date; until: Date }> {
  const isBefore = and(eq(payouts.domain, payout.domain), lt(payouts.id, payout.id));
  const [before] = await db.select().from(payouts).where(isBefore).orderBy(desc(payouts.id)).limit(1);
  const dayAfter = (at: Date) => new Date(at.getTime() + DAY_MS);
  const at = (one: Payout) => one.settledAt ?? one.createdAt;
  return { from: before ? dayAfter(at(before)) : new Date(0), until: dayAfter(at(payout)) };
}

async function select(db: Reads, condition: ReturnType<typeof or>, countMax: number): Promise<PayoutRow[]> {
  const listed = db
    .select({
      payoutId: payoutPayments.payoutId,
      payments: sql<number>`count(*)::int`.as("payments"),
      unknown: sql<number>`(count(*) filter (where payment_id is null))::int`.as("unknown"),
      listedPesewas: sql<number>`sum(${payoutPayments.amountPesewas} - ${payoutPayments.feesPesewas})::bigint`.as(
        "listed_pesewas",
      ),
    })
    .from(payoutPayments)
    .groupBy(payoutPayments.payoutId)
    .as("listed");
  const rows = await db
    .select({
      payout: payouts,
      payments: sql<number>`coalesce(${listed.payments}, 0)`,
      unknown: sql<number>`coalesce(${listed.unknown}, 0)`,
      listedPesewas: sql<number>`coalesce(${listed.listedPesewas}, 0)::bigint`,
    })
    .from(payouts)
    .leftJoin(listed, eq(listed.payoutId, payouts.id))
    .where(condition)
    .orderBy(desc(payouts.id))
    .limit(countMax);
  return rows.map(({ payout, ...row }) => ({ ...payout, ...row }));
}

/** The payments of a payout, in batches by their id, so that a long list is never in memory at once. */
export async function* paymentsOf(db: Db, payoutId: number, batchSize = 1_000): AsyncGenerator<PayoutPayment[]> {
  for (let after = ""; ; ) {
    const rows = await db
      .select()
      .from(payoutPayments)
      .where(and(eq(payoutPayments.payoutId, payoutId), sql`${payoutPayments.providerId} > ${after}`))
      .orderBy(asc(payoutPayments.providerId))
      .limit(batchSize);
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.providerId;
  }
}
