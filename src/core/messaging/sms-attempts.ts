// Attempts to send an SMS: by which gateway, and what became of each. A message goes by the chosen gateway, and by the
// fall-back once the first has certainly not sent it.
import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { messages, smsAttempts } from "../../../db/schema/messaging.ts";
import { SMS_GATEWAYS, type SmsGateway } from "../../shared/domain.ts";
import * as settings from "../platform/settings/settings.ts";
import { isAmong } from "../platform/sql.ts";
import type { Sent, SmsSenders } from "./sender.ts";

export type SmsAttempt = typeof smsAttempts.$inferSelect;

/**
 * The gateways in turn: the chosen one, then the fall-back. One without keys is left out; if both are, the first that
 * has keys takes their place, so that a wrong choice stops no codes.
 */
export async function routeOf(tx: Reads, senders: SmsSenders): Promise<SmsGateway[]> {
  const { sms_gateway: first, sms_fallback: second } = await settings.all(tx);
  const chosen = [...new Set([first, second])].map((code) => SMS_GATEWAYS.find((known) => known === code));
  const route = chosen.filter((code) => code !== undefined && senders[code] !== undefined) as SmsGateway[];
  return route.length > 0 ? route : SMS_GATEWAYS.filter((code) => senders[code]).slice(0, 1);
}

/** Records that a gateway is about to be called; returns the attempt's id. */
export async function start(tx: Tx, messageId: number, gateway: SmsGateway): Promise<number> {
  const [attempt] = await tx.insert(smsAttempts).values({ messageId, gateway }).returning({ id: smsAttempts.id });
  return attempt!.id;
}

/** Records the outcome of an attempt. One that our own limit stopped was none, and is deleted. */
export async function end(tx: Tx, attemptId: number, outcome: Sent): Promise<void> {
  const isThis = eq(smsAttempts.id, attemptId);
  if (outcome.kind === "refused" && outcome.barred === "limit") {
    await tx.delete(smsAttempts).where(isThis);
    return;
  }
  const reason = outcome.kind === "accepted" ? null : outcome.reason;
  await tx.update(smsAttempts).set({ outcome: outcome.kind, reason }).where(isThis);
}

/** The attempts of these messages, by message, oldest first. */
export async function ofAll(tx: Reads, messageIds: number[]): Promise<Map<number, SmsAttempt[]>> {
  const rows = await tx
    .select()
    .from(smsAttempts)
    .where(isAmong(smsAttempts.messageId, messageIds))
    .orderBy(asc(smsAttempts.id));
  return Map.groupBy(rows, ({ messageId }) => messageId);
}

/** SQL on a message: no later attempt than this one has begun. */
export function isLatest(attemptId: number): SQL {
  return sql`not exists (
    select from sms_attempts later where later.message_id = ${messages.id} and later.id > ${attemptId})`;
}
