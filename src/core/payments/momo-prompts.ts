// Top-ups and orders by mobile money prompt, requested on a phone. A phone has one session at a time, so the prompt
// can appear only after ours has ended: we store the payment and a job, and a worker sends it some
// seconds later. Telecel may require a voucher, which the agent gets from another dial code and enters in ours.
import { and, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { payments, prompts } from "../../../db/schema/payments.ts";
import type { ByUser, Network } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as unpaidOrders from "../buying/unpaid-orders.ts";
import * as limits from "../ledger/limits.ts";
import * as wallet from "../ledger/wallet.ts";
import * as messages from "../messaging/messages.ts";
import * as smsTexts from "../messaging/texts/sms-texts.ts";
import { type Key, once } from "../platform/idempotency.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings/settings.ts";
import * as switches from "../platform/switches.ts";
import type { PaymentGateway } from "./gateway.ts";
import * as paying from "./payments.ts";
import * as promptLimits from "./prompt-limits.ts";
import * as settlement from "./settlement.ts";
import * as topUpLimits from "./top-up-limits.ts";

/** After our session has ended, while the phone is still in the agent's hand. */
const ASK_AFTER_SECONDS = 5;
/** How long a prompt or voucher is valid, roughly. */
const OPEN_MINUTES = 5;
/** The largest amount of one prompt, in pesewas: GHS 5,000. */
export const PROMPT_PESEWAS_MAX = 500_000;

type PromptRequest = {
  by: ByUser;
  key: Key;
  amountPesewas: number;
  network: Network;
  /** The payer's number, 233541234567. */
  msisdn: string;
  /** The code to dial at that time. */
  serviceCode: string;
};

/**
 * Records a top-up and schedules its prompt. One at a time per account.
 * Throws payment.below_minimum, payment.in_progress, payment.daily_limit, payment.balance_limit, auth.banned,
 * account.frozen, service.closed, request.rate_limited, request.key_reused.
 */
export async function request(db: Db, { by, key, amountPesewas, ...payer }: PromptRequest): Promise<void> {
  const userId = by.userId;
  const place = async (tx: Tx) => {
    if (await open(tx, userId)) throw new AppError("payment.in_progress");
    const { id: paymentId } = await paying.openTopUp(tx, by, amountPesewas);
    await promptLimits.count(tx, userId, payer.msisdn);
    await tx.insert(prompts).values({ paymentId, userId, ...payer });
    await jobs.enqueue(tx, "ask_payer", paymentId, ASK_AFTER_SECONDS);
    return paymentId;
  };
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, userId);
  await once(db, userId, key, ["prompt", amountPesewas, payer.network, payer.msisdn], place, lockFirst);
}

type OrderRequest = Omit<PromptRequest, "amountPesewas"> & Pick<unpaidOrders.NewOrder, "line" | "allowDuplicate">;

/**
 * Places an order without paying it, and schedules a prompt for exactly its price: it is paid when the money comes, by
 * the rules of any payment for an order. Returns the order's id. Throws as `request` and unpaid-orders.create, and
 * order.daily_limit, order.hourly_limit, payment.daily_limit, payment.balance_limit.
 */
export async function requestForOrder(db: Db, command: OrderRequest): Promise<number> {
  const { by, key, line, allowDuplicate, ...payer } = command;
  const userId = by.userId;
  const place = async (tx: Tx) => {
    await switches.requireOpenFor(tx, by, "sales", "top_ups");
    if (await open(tx, userId)) throw new AppError("payment.in_progress");
    const order = await unpaidOrders.createWithin(tx, {
      by,
      line,
      ...(allowDuplicate && { allowDuplicate }),
    });
    const { id: orderId, amountPesewas } = order;
    await limits.refuseBeyond(tx, userId, { amountPesewas, orders: 1 });
    await topUpLimits.refuseBeyond(tx, { userId, orderId, amountPesewas });
    await promptLimits.count(tx, userId, payer.msisdn);
    const { id: paymentId } = await paying.create(tx, { userId, orderId, amountPesewas });
    await tx.insert(prompts).values({ paymentId, userId, ...payer });
    await jobs.enqueue(tx, "ask_payer", paymentId, ASK_AFTER_SECONDS);
    return order.id;
  };
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, userId);
  const content = ["prompt for order", line, allowDuplicate ?? false, payer.network, payer.msisdn];
  const { answer: orderId } = await once(db, userId, key, content, place, lockFirst);
  return orderId;
}

export type OpenPrompt = { paymentId: number; amountPesewas: number; msisdn: string; needsVoucher: boolean };

/** The account's open top-up by prompt, or null. */
export async function open(tx: Reads, userId: number): Promise<OpenPrompt | null> {
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
 * Cancels the caller's own open top-up, so that another can begin: a prompt not sent yet is not sent. A payer who still
 * approves one that was sent has paid, and it is credited. Throws payment.not_payable when it is not open.
 */
export async function cancel(
  db: Db,
  { by, key, paymentId }: { by: ByUser; key: Key; paymentId: number },
): Promise<void> {
  const userId = by.userId;
  await once(db, userId, key, ["give up", paymentId], async (tx) => {
    const waiting = await open(tx, userId);
    if (waiting?.paymentId !== paymentId) throw new AppError("payment.not_payable");
    await tx.update(prompts).set({ givenUpAt: sql`now()`, voucher: null }).where(eq(prompts.paymentId, paymentId));
    return paymentId;
  });
}

/**
 * Stores the voucher for the caller's own top-up, for a worker to submit. Throws payment.not_payable,
 * request.key_reused.
 */
export async function storeVoucher(
  db: Db,
  { by, key, paymentId, voucher }: { by: ByUser; key: Key; paymentId: number; voucher: string },
): Promise<void> {
  const userId = by.userId;
  // The voucher is not part of the stored fingerprint: it is stored only until it is submitted.
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

/** How many of the newest payments are searched for the last prompt. */
const SEARCHED = 20;

export type Prompt = { amountPesewas: number; network: Network; msisdn: string };

/** The last top-up that was paid by a prompt, however it was requested; null when none of the newest payments was. */
export async function last(db: Db, userId: number): Promise<Prompt | null> {
  const recent = await paying.list(db, userId, { limit: SEARCHED });
  for (const { state, orderId, network, payerMsisdn, amountPesewas } of recent)
    if (state === "paid" && orderId === null && network && payerMsisdn)
      return { amountPesewas, network, msisdn: payerMsisdn };
  return null;
}

/** Sends due prompts, and notifies payers who need a voucher; returns how many prompts were due. */
export async function sendDue(db: Db, gateway: PaymentGateway, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "ask_payer", countMax);
  await forEach(db, due, async ({ subjectId }) => {
    const { payment, prompt } = await get(db, subjectId);
    if (prompt.givenUpAt) return;
    const by: ByUser = { userId: prompt.userId, roles: [], channel: "ussd" };
    // By its order, whose state may have changed since.
    const subject = payment.orderId === null ? { paymentId: payment.id } : { orderId: payment.orderId };
    const { network, msisdn } = prompt;
    // A repeated charge prompts once: the second finds the payment pending.
    const charged = await paying.charge(db, gateway, { by, subject, network, msisdn, isCounted: true });
    if (charged.state === "pending" && charged.needsCode) await requestVoucher(db, payment);
  });
  return due.length;
}

/**
 * Submits stored vouchers; returns how many. Each is deleted before it is submitted, so that none is submitted twice.
 */
export async function submitDueVouchers(db: Db, gateway: PaymentGateway, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "hand_in_voucher", countMax);
  await forEach(db, due, async ({ subjectId }) => {
    const { payment, prompt } = await get(db, subjectId);
    const [taken] = await db
      .update(prompts)
      .set({ voucher: null })
      .where(and(eq(prompts.paymentId, payment.id), isNotNull(prompts.voucher)))
      .returning({ paymentId: prompts.paymentId });
    if (!taken) return;
    const by: ByUser = { userId: prompt.userId, roles: [], channel: "ussd" };
    await paying.submitCode(db, gateway, { by, reference: payment.reference, code: prompt.voucher! });
  });
  return due.length;
}

/** Handles jobs one by one: a fault is retried later, a refusal fails the payment for good. */
async function forEach(db: Db, due: jobs.Job[], handle: (job: jobs.Job) => Promise<void>): Promise<void> {
  await jobs.whileHolding(db, due, async () => {
    for (const job of due) {
      try {
        await handle(job);
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

async function requestVoucher(db: Db, { id: paymentId, userId, amountPesewas }: paying.Payment): Promise<void> {
  await db.transaction(async (tx) => {
    const [first] = await tx
      .update(prompts)
      .set({ voucherRequestedAt: sql`now()` })
      .where(and(eq(prompts.paymentId, paymentId), isNull(prompts.voucherRequestedAt)))
      .returning({ paymentId: prompts.paymentId });
    if (!first) return;
    const serviceCode = await settings.get(tx, "ussd_code");
    await messages.queueToPhone(tx, {
      userId,
      kind: "voucher_wanted",
      passesOptOut: true,
      textFor: (t) => smsTexts.voucherWanted(t, amountPesewas, serviceCode),
    });
  });
}
