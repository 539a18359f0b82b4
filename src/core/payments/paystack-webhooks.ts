// Events from the payment provider: kept before they are acknowledged, acted upon by the worker, in whatever order and
// however often they come. No event is believed about money that came in or was refunded: it only says when to ask.
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

/** Postgres holds neither a NUL nor half a character. */
const text = z.string().refine((value) => !value.includes("\u0000") && value.isWellFormed());

/**
 * What Paystack sends (Paystack, "Webhooks"); refund events name the payment in transaction_reference. Only what is
 * needed is kept: the rest names cards and people.
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
      /** What a chargeback takes back, when that is not all of it. */
      refund_amount: z.coerce.number().nullish().catch(null),
      resolution: text.nullish(),
      /** Until when evidence against a chargeback is taken; both spellings are seen. */
      dueAt: Moment,
      due_at: Moment,
      transaction: z.object({ reference: text.nullish() }).nullish().catch(null),
    })
    .catch({}),
});
type Event = z.infer<typeof Event>;

export type Received = "stored" | "known" | "unsigned" | "unreadable";

/** Keeps an event whose signature is ours, and queues it, in one commit. Only after that may it be acknowledged. */
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

/** Acts on one stored event. Throws when the provider could not be asked: the job is then tried again. */
export async function process(db: Db, gateway: PaymentGateway, eventId: number): Promise<void> {
  const [stored] = await db.select().from(webhookEvents).where(eq(webhookEvents.id, eventId));
  if (!stored || stored.processedAt) return;
  const outcome = await act(db, gateway, stored.body as Event, stored.reference);
  await db
    .update(webhookEvents)
    .set({ processedAt: sql`now()`, outcome })
    .where(eq(webhookEvents.id, eventId));
}

async function act(db: Db, gateway: PaymentGateway, event: Event, reference: string | null): Promise<string> {
  if (reference === null) return "names no payment";
  const [known] = await db.select().from(payments).where(eq(payments.reference, reference));
  if (!known) return "unknown reference";
  const report = chargebackIn(event);
  // Taken in before the payment is looked up, so that it is booked as a chargeback and not as what the payment then says.
  if (report && known.paidAt) await takeIn(db, known, report);
  const settled = await settle(db, gateway, reference);
  if (settled!.verdict === "unclear") throw new Error("the payment provider could not be asked");
  if (report && !known.paidAt) await takeIn(db, known, report);
  if (report) return `chargeback: ${report.state}`;
  if (!event.event.startsWith("refund.")) return `settled: ${settled!.payment.state}`;
  await syncRefunds(db, gateway, reference);
  return "refunds: as listed";
}

async function takeIn(
  db: Db,
  { id, userId }: { id: number; userId: number },
  report: reversals.ChargebackReport,
): Promise<void> {
  await db.transaction(async (tx) => {
    await ledger.lockWallets(tx, [userId]);
    const [payment] = await tx.select().from(payments).where(eq(payments.id, id)).for("update");
    await reversals.takeChargeback(tx, payment!, report);
  });
}

/** What the event says of a chargeback, which Paystack calls a dispute; null when it is about something else. */
function chargebackIn({ event, data }: Event): reversals.ChargebackReport | null {
  if (!event.startsWith("charge.dispute.")) return null;
  const isLost = data.resolution === "merchant-accepted" || data.resolution === "auto-accepted";
  const told = data.refund_amount || data.amount;
  const dueAt = data.dueAt ?? data.due_at;
  return {
    id: String(data.id ?? ""),
    amountPesewas: Number.isSafeInteger(told) && told! > 0 ? told! : null,
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
 * There is no event id: what makes an event the same again is what it is about and the state that it tells. Two refunds
 * of one payment may tell the very same, and an event of them only says when to ask: there the bytes decide.
 */
function dedupeKey(event: Event, raw: Uint8Array): string {
  const { id, amount, domain, status, resolution } = event.data;
  const subject = [id, referenceOf(event)].filter((name) => name != null).join(" ");
  if (subject === "" || event.event.startsWith("refund."))
    return new Bun.CryptoHasher("sha256").update(raw).digest("hex");
  const told = [event.event, domain, subject, amount, status, resolution];
  return told
    .map((part) => part ?? "")
    .join(":")
    .slice(0, 300);
}
