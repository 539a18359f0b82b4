// Delivery reports of SMS. They arrive in any order, twice, late, or before our own call to the provider has returned.
// Each is stored; a message only ever moves to a more certain status.
import { and, asc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { messages } from "../../../db/schema/messaging.ts";
import { webhookEvents } from "../../../db/schema/payments.ts";
import type { MessageState, SmsGateway } from "../../shared/domain.ts";
import { deleteInParts } from "../platform/parts.ts";
import { isAmongFound } from "../platform/sql.ts";

export type DeliveryReport = {
  gateway: SmsGateway;
  /** The provider's id of the message. */
  providerId: string;
  status: string;
  /** Why it did not arrive, as the provider puts it, in more than one spelling. */
  reason: string | null;
  /** Further fields worth storing. Not the number: the message has it, and loses it when its owner's account closes. */
  more: Record<string, string>;
};

/**
 * How certain each gateway's statuses are. A phone that was off may still get the message, and a network that gave up
 * is overruled by the phone's own confirmation. Africa's Talking: "Delivery reports"; Arkesel: the statuses of its
 * SMS API v2. Hubtel's contract has no reports.
 */
const RANKS: Record<SmsGateway, ReadonlyMap<string, number>> = {
  africastalking: new Map([
    ["Sent", 1],
    ["Submitted", 2],
    ["Buffered", 3],
    ["AbsentSubscriber", 6],
    ["Expired", 8],
    ["Rejected", 8],
    ["Failed", 8],
    ["Success", 9],
  ]),
  arkesel: new Map([
    ["QUEUED", 1],
    ["SUBMITTED", 2],
    ["PROHIBITED", 8],
    ["NOT_DELIVERED", 8],
    ["EXPIRED", 8],
    ["DELIVERED", 9],
  ]),
  hubtel: new Map(),
};
const DELIVERED = 9;
const UNDELIVERED = 6;

/** The name of a gateway's reports among the stored events. */
const providerOf = (gateway: SmsGateway) => `${gateway}-sms`;

/** Stores a report and applies it if its message is known; otherwise it waits. A repeated report returns "known". */
export async function receive(db: Db, report: DeliveryReport): Promise<"stored" | "known"> {
  const { gateway, providerId, status, reason, more } = report;
  return db.transaction(async (tx) => {
    await lockMessage(tx, gateway, providerId);
    const stored = await tx
      .insert(webhookEvents)
      .values({
        provider: providerOf(gateway),
        dedupeKey: [providerId, status, reason ?? ""].join(":").slice(0, 300),
        event: status.slice(0, 100),
        reference: providerId,
        body: { ...more, reason },
      })
      .onConflictDoNothing()
      .returning({ id: webhookEvents.id });
    if (stored.length === 0) return "known";
    await applyWaiting(tx, gateway, providerId);
    return "stored";
  });
}

/**
 * Serialises work on one message until the transaction ends: storing a report, and recording the provider's id for the
 * message. The second then sees the first; in parallel each would miss the other.
 */
export async function lockMessage(tx: Tx, gateway: SmsGateway, providerId: string): Promise<void> {
  const name = `${providerOf(gateway)}:${providerId}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** Applies the stored reports of a message once its id is known. Changes only that message. */
export async function applyWaiting(tx: Tx, gateway: SmsGateway, providerId: string): Promise<void> {
  const waiting = await tx
    .select()
    .from(webhookEvents)
    .where(
      and(
        eq(webhookEvents.reference, providerId),
        eq(webhookEvents.provider, providerOf(gateway)),
        isNull(webhookEvents.processedAt),
      ),
    )
    .orderBy(asc(webhookEvents.id));
  if (waiting.length === 0) return;
  const [message] = await tx
    .select({ id: messages.id, status: messages.reportStatus })
    .from(messages)
    .where(and(eq(messages.providerId, providerId), eq(messages.channel, "sms"), isBy(gateway)))
    .for("update");
  if (!message) return;
  let status = message.status;
  for (const event of waiting) {
    const outcome = outcomeOf(gateway, event.event, status);
    if (outcome === "applied") {
      status = event.event;
      await tx.update(messages).set(changeOf(gateway, event)).where(eq(messages.id, message.id));
    }
    await tx.update(webhookEvents).set({ processedAt: sql`now()`, outcome }).where(eq(webhookEvents.id, event.id));
  }
}

/** Deletes reports older than messages are kept. Call it before old messages are deleted. */
export async function forgetOld(db: Db, days: number): Promise<void> {
  const cutoff = sql`now() - make_interval(days => ${days})`;
  // As text in the statement, for the index of these reports. Those of other gateways go with their messages.
  const isFirst = sql`${webhookEvents.provider} = '${sql.raw(providerOf("africastalking"))}'`;
  await deleteInParts(db, webhookEvents, and(isFirst, lt(webhookEvents.receivedAt, cutoff))!);
  const old = sql`select ${messages.providerId} from ${messages}
    where ${messages.createdAt} < ${cutoff} and ${messages.gateway} = 'arkesel' and ${messages.providerId} is not null`;
  const isOther = eq(webhookEvents.provider, providerOf("arkesel"));
  await deleteInParts(db, webhookEvents, and(isOther, isAmongFound(webhookEvents.reference, old))!);
}

/** SQL on a message: this gateway sent it. Before there were others, it was Africa's Talking. */
function isBy(gateway: SmsGateway): SQL {
  return sql`coalesce(${messages.gateway}, 'africastalking') = ${gateway}`;
}

function outcomeOf(
  gateway: SmsGateway,
  status: string,
  before: string | null,
): "applied" | "less certain" | "unknown status" {
  const ranks = RANKS[gateway];
  const rank = ranks.get(status);
  if (rank === undefined) return "unknown status";
  return rank > (ranks.get(before ?? "") ?? 0) ? "applied" : "less certain";
}

function changeOf(gateway: SmsGateway, { event, body, receivedAt }: typeof webhookEvents.$inferSelect) {
  const { reason } = body as { reason: string | null };
  const state = stateOf(RANKS[gateway].get(event)!);
  return {
    ...(state && { state }),
    reportStatus: event,
    reportReason: state === "delivered" ? null : reason,
    reportedAt: receivedAt,
    updatedAt: sql`now()`,
  };
}

/** Null while the message is in transit. */
function stateOf(rank: number): MessageState | null {
  if (rank >= DELIVERED) return "delivered";
  return rank >= UNDELIVERED ? "undelivered" : null;
}
