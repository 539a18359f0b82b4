// Top-ups that are asked for on a phone. A phone carries one session at a time, so that mobile money can ask its owner only
// when ours is over: the payment and a job are written, and a worker asks some seconds later. Telecel may want a voucher,
// which its owner fetches by another dial and types in ours.
import { and, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { payments, prompts } from "../../../db/schema/payments.ts";
import type { By, Network } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as wallet from "../ledger/wallet.ts";
import * as messages from "../messaging/messages.ts";
import * as texts from "../messaging/texts.ts";
import { type Key, once } from "../platform/idempotency.ts";
import * as jobs from "../platform/jobs.ts";
import type { PaymentGateway } from "./gateway.ts";
import * as paying from "./payments.ts";
import * as promptLimits from "./prompt-limits.ts";
import * as settlement from "./settlement.ts";

/** After our session is over, and soon enough to be still in its owner's hand. */
const ASK_AFTER_SECONDS = 5;
/** A prompt or voucher is good for about so long. */
const OPEN_MINUTES = 5;
/** What one prompt may be about, in pesewas: GHS 5,000. */
export const PROMPT_PESEWAS_MAX = 500_000;

type PromptAsked = {
  by: By;
  key: Key;
  amountPesewas: number;
  network: Network;
  /** Who is asked to pay, 233541234567. */
  msisdn: string;
  serviceCode: string;
};

/**
 * Records a top-up and when its payer is to be asked; nothing has been paid. One at a time for an account.
 * Throws payment.below_minimum, payment.in_progress, auth.banned, request.rate_limited, request.key_reused.
 */
export async function ask(db: Db, { by, key, amountPesewas, ...payer }: PromptAsked): Promise<void> {
  const userId = by.userId!;
  const place = async (tx: Tx) => {
    if (await open(tx, userId)) throw new AppError("payment.in_progress");
    const { id: paymentId } = await paying.openTopUp(tx, userId, amountPesewas);
    await promptLimits.count(tx, userId, payer.msisdn);
    await tx.insert(prompts).values({ paymentId, userId, ...payer });
    await jobs.enqueue(tx, "ask_payer", paymentId, ASK_AFTER_SECONDS);
    return paymentId;
  };
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, userId);
  await once(db, userId, key, ["prompt", amountPesewas, payer.network, payer.msisdn], place, lockFirst);
}

export type OpenPrompt = { paymentId: number; amountPesewas: number; msisdn: string; needsVoucher: boolean };

/** The top-up that an account has under way, or null. */
export async function open(tx: Tx, userId: number): Promise<OpenPrompt | null> {
  const [row] = await tx
    .select({
      paymentId: payments.id,
      amountPesewas: payments.amountPesewas,
      msisdn: prompts.msisdn,
      needsVoucher: sql<boolean>`${payments.needsCode} and ${prompts.voucher} is null`,
    })
    .from(prompts)
    .innerJoin(payments, eq(payments.id, prompts.paymentId))
    .where(
      and(
        eq(prompts.userId, userId),
        inArray(payments.state, ["created", "pending"]),
        isNull(prompts.givenUpAt),
        sql`${prompts.createdAt} > now() - make_interval(mins => ${OPEN_MINUTES})`,
      ),
    )
    .orderBy(desc(prompts.paymentId))
    .limit(1);
  return row ?? null;
}

/**
 * Gives up one's own top-up that is under way, so that another can begin: a payer who was not asked yet is not asked any
 * more. One who was and still approves has paid, and it is credited. Throws payment.not_payable when it is over.
 */
export async function giveUp(
  db: Db,
  { by, key, paymentId }: { by: By; key: Key; paymentId: number },
): Promise<void> {
  const userId = by.userId!;
  await once(db, userId, key, ["give up", paymentId], async (tx) => {
    const waiting = await open(tx, userId);
    if (waiting?.paymentId !== paymentId) throw new AppError("payment.not_payable");
    await tx
      .update(prompts)
      .set({ givenUpAt: sql`now()`, voucher: null })
      .where(eq(prompts.paymentId, paymentId));
    return paymentId;
  });
}

/** Takes the voucher for one's own top-up, to be handed in by a worker. Throws payment.not_payable, request.key_reused. */
export async function takeVoucher(
  db: Db,
  { by, key, paymentId, voucher }: { by: By; key: Key; paymentId: number; voucher: string },
): Promise<void> {
  const userId = by.userId!;
  // The voucher is no part of the kept fingerprint: it is kept nowhere but until it is handed in.
  await once(db, userId, key, ["voucher", paymentId], async (tx) => {
    const waiting = await open(tx, userId);
    if (waiting?.paymentId !== paymentId || !waiting.needsVoucher) throw new AppError("payment.not_payable");
    const [taken] = await tx
      .update(prompts)
      .set({ voucher })
      .where(and(eq(prompts.paymentId, paymentId), isNull(prompts.voucher)))
      .returning({ paymentId: prompts.paymentId });
    if (!taken) throw new AppError("payment.not_payable");
    await jobs.enqueue(tx, "hand_in_voucher", paymentId);
    return paymentId;
  });
}

/** Asks the payers whose time has come, and tells those who need a voucher; returns how many there were. */
export async function askDue(db: Db, gateway: PaymentGateway, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "ask_payer", countMax);
  await forEach(db, due, async ({ subjectId }) => {
    const { payment, prompt } = await get(db, subjectId);
    if (prompt.givenUpAt) return;
    const by: By = { userId: prompt.userId, roles: [], channel: "ussd" };
    const subject = { paymentId: payment.id };
    const { network, msisdn } = prompt;
    // Charging twice asks once: the second one finds that the payer was asked.
    const asked = await paying.charge(db, gateway, { by, subject, network, msisdn, isCounted: true });
    if (asked.state === "pending" && asked.needsCode) await askForVoucher(db, payment, prompt);
  });
  return due.length;
}

/** Hands in vouchers that were typed; returns how many there were. A voucher is forgotten before it is handed in, so that none is twice. */
export async function handInDue(db: Db, gateway: PaymentGateway, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "hand_in_voucher", countMax);
  await forEach(db, due, async ({ subjectId }) => {
    const { payment, prompt } = await get(db, subjectId);
    const [taken] = await db
      .update(prompts)
      .set({ voucher: null })
      .where(and(eq(prompts.paymentId, payment.id), isNotNull(prompts.voucher)))
      .returning({ paymentId: prompts.paymentId });
    if (!taken) return;
    const by: By = { userId: prompt.userId, roles: [], channel: "ussd" };
    await paying.submitCode(db, gateway, { by, reference: payment.reference, code: prompt.voucher! });
  });
  return due.length;
}

/** One that fails is tried again later and holds up no other; a refusal is the end of it. */
async function forEach(db: Db, due: jobs.Job[], act: (job: jobs.Job) => Promise<void>): Promise<void> {
  await jobs.whileHolding(db, due, async () => {
    for (const job of due) {
      try {
        await act(job);
        await jobs.finish(db, [job.id]);
      } catch (error) {
        if (error instanceof AppError && error.status < 500) {
          await settlement.markFailed(db, job.subjectId, error.message);
          await jobs.finish(db, [job.id]);
        } else await jobs.fail(db, [job.id], error instanceof AppError ? error.code : "fault");
      }
    }
  });
}

async function get(db: Db, paymentId: number) {
  const [row] = await db
    .select({ payment: payments, prompt: prompts })
    .from(prompts)
    .innerJoin(payments, eq(payments.id, prompts.paymentId))
    .where(eq(prompts.paymentId, paymentId));
  return row!;
}

async function askForVoucher(
  db: Db,
  { id: paymentId, userId, amountPesewas }: paying.Payment,
  { serviceCode }: typeof prompts.$inferSelect,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [first] = await tx
      .update(prompts)
      .set({ voucherAskedAt: sql`now()` })
      .where(and(eq(prompts.paymentId, paymentId), isNull(prompts.voucherAskedAt)))
      .returning({ paymentId: prompts.paymentId });
    if (!first) return;
    const body = texts.voucherWanted(amountPesewas, serviceCode);
    await messages.queueToPhone(tx, { userId, kind: "voucher_wanted", body });
  });
}
