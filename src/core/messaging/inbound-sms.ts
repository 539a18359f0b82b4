// SMS that people send to us: each is acted on once, however often the gateway sends it. The row that says so, the answer
// to it and what it did are one commit, so that a crash leaves all of them or none, and the message comes again.
import { eq, lt, sql } from "drizzle-orm";
import type { Db, Sql, Tx } from "../../../db/connect.ts";
import { inboundSms } from "../../../db/schema/messaging.ts";
import type { InboundCommand } from "../../shared/domain.ts";
import { smsText } from "../../shared/sms-text.ts";
import { deleteInParts } from "../platform/parts.ts";

/** The gateway's name for the message, and who sent it: 233541234567. */
export type Inbound = { id: string; msisdn: string };
export type Handled = {
  userId: number | null;
  command: InboundCommand;
  /** A word for what came of it: "bought", "pin_wrong", a code of the catalogue. */
  outcome: string;
  /** What is sent back as an SMS, or null. */
  answer: string | null;
};

/** The same message has been acted on meanwhile: whatever else this commit held must not be. */
export class Repeated extends Error {}

const KEPT_DAYS = 30;

export async function isHandled(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.select({ id: inboundSms.id }).from(inboundSms).where(eq(inboundSms.id, id));
  return row !== undefined;
}

/** Notes what came of a message and queues the answer, in the caller's transaction. Throws Repeated. */
export async function conclude(tx: Tx, message: Inbound, handled: Handled): Promise<void> {
  await write((text, ...values) => tx.execute(sql(text, ...values)), message, handled);
}

/** The same in the transaction of a purchase. */
export async function concludeWith(purchase: Sql, message: Inbound, handled: Handled): Promise<void> {
  await write((text, ...values) => purchase(text, ...values), message, handled);
}

/** Deletes what the gateway no longer repeats; it does so for twelve hours. */
export async function forgetOld(db: Db): Promise<void> {
  const oldest = sql`now() - make_interval(days => ${KEPT_DAYS})`;
  await deleteInParts(db, inboundSms, lt(inboundSms.handledAt, oldest));
}

type Run = (
  text: TemplateStringsArray,
  ...values: (string | number | null)[]
) => PromiseLike<readonly Record<string, unknown>[]>;

async function write(run: Run, { id, msisdn }: Inbound, handled: Handled): Promise<void> {
  const { userId, command, outcome } = handled;
  const body = handled.answer === null ? null : smsText(handled.answer);
  const rows = await run`
    with kept as (
      insert into inbound_sms (id, msisdn, user_id, command, outcome)
      values (${id}, ${msisdn}, ${userId}, ${command}, ${outcome})
      on conflict do nothing returning id),
    told as (
      insert into messages (user_id, kind, channel, recipient, body, send_before)
      select ${userId}::bigint, 'sms_answer', 'sms', ${msisdn}, ${body}, now() + interval '1 day'
      from kept where ${body}::text is not null
      returning id),
    queued as (
      insert into jobs (kind, subject_id) select 'send_message', id from told)
    select id from kept`;
  if (rows.length === 0) throw new Repeated();
}
