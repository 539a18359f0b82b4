// Webhooks from Paystack: stored before they are acknowledged, processed by the worker, in any order and however often
// they arrive. No event is trusted about money in or refunds: it only triggers a status check.
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../../db/connect.ts";
import { payments, webhookEvents } from "../../../db/schema/payments.ts";
import { parseExactly } from "../../shared/json.ts";
import * as ledger from "../ledger/ledger.ts";
import * as jobs from "../platform/jobs.ts";
import type { PaymentGateway } from "./gateway.ts";
import { syncRefunds } from "./refunds.ts";
import * as reversals from "./reversals.ts";
import { settle } from "./settlement.ts";

/** Postgres stores neither NUL nor lone surrogates. */
const text = z.string().refine((value) => !value.includes("\u0000") && value.isWellFormed());

/**
 * An event (Paystack, "Webhooks"); refund events have the payment in transaction_reference. Only the needed fields are
 * stored: the rest identifies cards and people.
 */
const Moment = z.iso.datetime({ offset: true }).nullish().catch(null);
const Event = z.object({
  event: text.max(100),
  data: z
    .object({
      id: z.union([z.number(), text]).nullish(),
      domain: text.nullish(),
      status: text.nullish(),
      reference: text.nullish(),
      transaction_reference: text.nullish(),
      /** Sometimes text, sometimes a number. */
      amount: z.coerce.number().nullish().catch(null),
      /** The amount of a partial chargeback. */
      refund_amount: z.coerce.number().nullish().catch(null),
      resolution: text.nullish(),
      /** The deadline for evidence against a chargeback; both spellings occur. */
      dueAt: Moment,
      due_at: Moment,
      transaction: z.object({ reference: text.nullish() }).nullish().catch(null),
    })
    .catch({}),
});
type Event = z.infer<typeof Event>;

export type Received = "stored" | "known" | "unsigned" | "unreadable";

/** Stores and queues an event with a valid signature, in one commit; only then may it be acknowledged. */
export async function receive(
  db: Db,
  gateway: PaymentGateway,
  raw: Uint8Array,
  signature: string | null,
): Promise<Received> {
  if (!gateway.isSigned(raw, signature)) return "unsigned";
  const event = parse(raw);
  if (!event) return "unreadable";
  return db.transaction(async (tx) => {
    const [stored] = await tx
      .insert(webhookEvents)
      .values({
        provider: "paystack",
        dedupeKey: dedupeKey(event, raw),
        event: event.event,
        reference: referenceOf(event),
        body: event,
      })
      .onConflictDoNothing()
      .returning({ id: webhookEvents.id });
    if (!stored) return "known";
    await jobs.enqueue(tx, "process_webhook", stored.id);
    return "stored";
  });
}

/** Processes one stored event. Throws when the status check gets no answer, so that the job is retried. */
export async function process(db: Db, gateway: PaymentGateway, eventId: number): Promise<void> {
  const [stored] = await db.select().from(webhookEvents).where(eq(webhookEvents.id, eventId));
  if (!stored || stored.processedAt) return;
  const outcome = await apply(db, gateway, stored.body as Event, stored.reference);
  await db.update(webhookEvents).set({ processedAt: sql`now()`, outcome }).where(eq(webhookEvents.id, eventId));
}

async function apply(db: Db, gateway: PaymentGateway, event: Event, reference: string | null): Promise<string> {
  if (reference === null) return "no reference";
  const [known] = await db.select().from(payments).where(eq(payments.reference, reference));
  if (!known) return "unknown reference";
  const report = chargebackIn(event);
  // Before the status check, so that it is booked as a chargeback and not as the reversal that the check then shows.
  if (report && known.paidAt) await applyChargeback(db, known, report);
  const settled = await settle(db, gateway, reference);
  if (settled!.verdict === "unclear") throw new Error("no answer from the payment provider");
  if (report && !known.paidAt) await applyChargeback(db, known, report);
  if (report) return `chargeback: ${report.state}`;
  if (!event.event.startsWith("refund.")) return `settled: ${settled!.payment.state}`;
  await syncRefunds(db, gateway, reference);
  return "refunds: as listed";
}

async function applyChargeback(
  db: Db,
  { id, userId }: { id: number; userId: number },
  report: reversals.ChargebackReport,
): Promise<void> {
  await db.transaction(async (tx) => {
    await ledger.lockWallets(tx, [userId]);
    const [payment] = await tx.select().from(payments).where(eq(payments.id, id)).for("update");
    await reversals.applyChargeback(tx, payment!, report);
  });
}

/** The event's chargeback, which Paystack calls a dispute; null for other events. */
function chargebackIn({ event, data }: Event): reversals.ChargebackReport | null {
  if (!event.startsWith("charge.dispute.")) return null;
  const isLost = data.resolution === "merchant-accepted" || data.resolution === "auto-accepted";
  const amount = data.refund_amount || data.amount;
  const dueAt = data.dueAt ?? data.due_at;
  return {
    id: String(data.id ?? ""),
    amountPesewas: Number.isSafeInteger(amount) && amount! > 0 ? amount! : null,
    state: event !== "charge.dispute.resolve" ? "open" : isLost ? "lost" : "won",
    dueAt: dueAt ? new Date(dueAt) : null,
    note: data.resolution ?? data.status ?? null,
  };
}

function parse(raw: Uint8Array): Event | null {
  try {
    const event = Event.safeParse(parseExactly(new TextDecoder("utf-8", { fatal: true }).decode(raw)));
    return event.success ? event.data : null;
  } catch {
    return null;
  }
}

function referenceOf({ data }: Event): string | null {
  return data.transaction_reference ?? data.reference ?? data.transaction?.reference ?? null;
}

/**
 * Events have no id: the same subject and state make a repetition. For refunds the bytes decide, because two refunds of
 * one payment may look the same, and their events only trigger a status check.
 */
function dedupeKey(event: Event, raw: Uint8Array): string {
  const { id, amount, domain, status, resolution } = event.data;
  const subject = [id, referenceOf(event)].filter((name) => name != null).join(" ");
  if (subject === "" || event.event.startsWith("refund."))
    return new Bun.CryptoHasher("sha256").update(raw).digest("hex");
  const parts = [event.event, domain, subject, amount, status, resolution];
  return parts
    .map((part) => part ?? "")
    .join(":")
    .slice(0, 300);
}
