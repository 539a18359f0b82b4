// Delivery reports of SMS. They arrive in any order, twice, late, or before our own call to the provider has returned.
// Each is stored; a message only ever moves to a more certain status.
import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { messages } from "../../../db/schema/messaging.ts";
import { webhookEvents } from "../../../db/schema/payments.ts";
import type { MessageState } from "../../shared/domain.ts";
import { deleteInParts } from "../platform/parts.ts";

export type DeliveryReport = {
  /** The provider's id of the message. */
  providerId: string;
  status: string;
  /** Why it did not arrive, as the provider puts it, in more than one spelling. */
  reason: string | null;
  /** Further fields worth storing. Not the number: the message has it, and loses it when its owner's account closes. */
  more: Record<string, string>;
};

const PROVIDER = "africastalking-sms";

/**
 * How certain a status is (Africa's Talking, "Delivery reports"). A phone that was off may still get the message, and a
 * network that gave up is overruled by the phone's own confirmation.
 */
const RANKS = new Map([
  ["Sent", 1],
  ["Submitted", 2],
  ["Buffered", 3],
  ["AbsentSubscriber", 6],
  ["Expired", 8],
  ["Rejected", 8],
  ["Failed", 8],
  ["Success", 9],
]);

/** Stores a report and applies it if its message is known; otherwise it waits. A repeated report returns "known". */
export async function receive(db: Db, report: DeliveryReport): Promise<"stored" | "known"> {
  const { providerId, status, reason, more } = report;
  return db.transaction(async (tx) => {
    await lockMessage(tx, providerId);
    const stored = await tx
      .insert(webhookEvents)
      .values({
        provider: PROVIDER,
        dedupeKey: [providerId, status, reason ?? ""].join(":").slice(0, 300),
        event: status.slice(0, 100),
        reference: providerId,
        body: { ...more, reason },
      })
      .onConflictDoNothing()
      .returning({ id: webhookEvents.id });
    if (stored.length === 0) return "known";
    await applyWaiting(tx, providerId);
    return "stored";
  });
}

/**
 * Serialises work on one message until the transaction ends: storing a report, and recording the provider's id for the
 * message. The second then sees the first; in parallel each would miss the other.
 */
export async function lockMessage(tx: Tx, providerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${PROVIDER}:${providerId}`}, 0))`);
}

/** Applies the stored reports of a message once its id is known. Changes only that message. */
export async function applyWaiting(tx: Tx, providerId: string): Promise<void> {
  const waiting = await tx
    .select()
    .from(webhookEvents)
    .where(
      and(
        eq(webhookEvents.reference, providerId),
        eq(webhookEvents.provider, PROVIDER),
        isNull(webhookEvents.processedAt),
      ),
    )
    .orderBy(asc(webhookEvents.id));
  if (waiting.length === 0) return;
  const [message] = await tx
    .select({ id: messages.id, status: messages.reportStatus })
    .from(messages)
    .where(and(eq(messages.providerId, providerId), eq(messages.channel, "sms")))
    .for("update");
  if (!message) return;
  let status = message.status;
  for (const event of waiting) {
    const outcome = outcomeOf(event.event, status);
    if (outcome === "applied") {
      status = event.event;
      await tx.update(messages).set(changeOf(event)).where(eq(messages.id, message.id));
    }
    await tx
      .update(webhookEvents)
      .set({ processedAt: sql`now()`, outcome })
      .where(eq(webhookEvents.id, event.id));
  }
}

/** Deletes reports older than messages are kept. */
export async function forgetOld(db: Db, days: number): Promise<void> {
  const isOld = and(
    sql`${webhookEvents.provider} = '${sql.raw(PROVIDER)}'`,
    lt(webhookEvents.receivedAt, sql`now() - make_interval(days => ${days})`),
  );
  await deleteInParts(db, webhookEvents, isOld!);
}

function outcomeOf(status: string, before: string | null): "applied" | "less certain" | "unknown status" {
  const rank = RANKS.get(status);
  if (rank === undefined) return "unknown status";
  return rank > (RANKS.get(before ?? "") ?? 0) ? "applied" : "less certain";
}

function changeOf({ event, body, receivedAt }: typeof webhookEvents.$inferSelect) {
  const { reason } = body as { reason: string | null };
  const state = stateOf(event);
  return {
    ...(state && { state }),
    reportStatus: event,
    reportReason: state === "delivered" ? null : reason,
    reportedAt: receivedAt,
    updatedAt: sql`now()`,
  };
}

/** Null while the message is in transit. */
function stateOf(status: string): MessageState | null {
  const rank = RANKS.get(status)!;
  if (rank >= RANKS.get("Success")!) return "delivered";
  return rank >= RANKS.get("AbsentSubscriber")! ? "undelivered" : null;
}
