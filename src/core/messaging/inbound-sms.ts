// Inbound SMS, each handled once however often the gateway sends it. The row that records it, the reply and its effect
// are one commit, so a crash leaves all or none of them, and the gateway repeats the message.
import { eq, lt, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { inboundSms } from "../../../db/schema/messaging.ts";
import type { InboundCommand } from "../../shared/domain.ts";
import { smsText } from "../../shared/phones/sms-text.ts";
import { deleteInParts } from "../platform/parts.ts";

/** The gateway's id of the message, and its sender: 233541234567. */
export type Inbound = { id: string; msisdn: string };
export type Handled = {
  userId: number | null;
  command: InboundCommand;
  /** "bought", "pin_wrong", an error code … */
  outcome: string;
  /** The reply, or null for none. */
  answer: string | null;
};

/** Thrown when the message has been handled meanwhile, to roll back everything else in the transaction. */
export class Repeated extends Error {}

export const KEPT_DAYS = 30;

/** Whether a message with this id was handled before. */
export async function isHandled(tx: Reads, id: string): Promise<boolean> {
  const [row] = await tx.select({ id: inboundSms.id }).from(inboundSms).where(eq(inboundSms.id, id));
  return row !== undefined;
}

/** Records a message's outcome and queues the reply, in the caller's transaction. Throws Repeated. */
export async function conclude(tx: Tx, { id, msisdn }: Inbound, handled: Handled): Promise<void> {
  const { userId, command, outcome } = handled;
  const body = handled.answer === null ? null : smsText(handled.answer);
  const rows = await tx.execute(sql`
    with kept as (
      insert into inbound_sms (id, msisdn, user_id, command, outcome)
      values (${id}, ${msisdn}, ${userId}, ${command}, ${outcome})
      on conflict do nothing returning id),
    reply as (
      insert into messages (user_id, kind, channel, recipient, body, passes_opt_out, send_before)
      select ${userId}::bigint, 'sms_answer', 'sms', ${msisdn}, ${body}, true, now() + interval '1 day'
      from kept where ${body}::text is not null
      returning id),
    queued as (
      insert into jobs (kind, subject_id) select 'send_message', id from reply)
    select id from kept`);
  if (rows.length === 0) throw new Repeated();
}

/** Deletes messages that the gateway no longer repeats; it repeats them for twelve hours. */
export async function forgetOld(db: Db): Promise<void> {
  const cutoff = sql`now() - make_interval(days => ${KEPT_DAYS})`;
  await deleteInParts(db, inboundSms, lt(inboundSms.handledAt, cutoff));
}
