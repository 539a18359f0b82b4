// The outbox of SMS and e-mail. A message is written in the commit of the change it reports; a worker marks it as
// sending, then sends it. A message whose outcome is unknown is not simply sent again.
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Db, Sql, Tx } from "../../../db/connect.ts";
import { phones } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import type { MessageChannel, MessageState } from "../../shared/domain.ts";
import { smsText } from "../../shared/sms-text.ts";
import * as jobs from "../platform/jobs.ts";
import { deleteInParts, inParts } from "../platform/parts.ts";
import * as deliveryReports from "./delivery-reports.ts";
import type { Translate } from "./languages/translate.ts";
import type { Senders, Sent } from "./sender.ts";
import type { Mail } from "./texts.ts";
import * as wordings from "./wordings.ts";

export type Message = typeof messages.$inferSelect;
export type NewMessage = {
  userId: number | null;
  kind: string;
  channel: MessageChannel;
  /** 233541234567, an e-mail address, or the id of a push subscription. */
  recipient: string;
  /** Of an e-mail; empty for an SMS. */
  subject: string;
  body: string;
  /** For a message with a code: how long the code is valid. Its body is deleted once it is sent. */
  codeSeconds?: number;
  /** The message it resends. */
  againOf?: number;
};

const NOTICE_SECONDS = 24 * 3600;
const KEPT_DAYS = 90;
const TRIES_MAX = 3;
/** An SMS whose outcome is unknown is sent once more after this; Africa's Talking has no way to check. */
const AFTER_UNKNOWN_SECONDS = 60;
/** The same after a killed worker; with the lease that had to end first, it is under a minute in total. */
const AFTER_KILL_SECONDS = 20;

/** Queues a message in the caller's transaction. The text of an SMS is reduced to one part of GSM-7. */
export async function queue(tx: Tx, message: NewMessage): Promise<void> {
  await queueAll(tx, [message]);
}

type Addressee = { id: number; email: string | null };

/** Queues an e-mail to an account's mailbox; does nothing without one. */
export async function queueMail(tx: Tx, to: Addressee, mail: Mail): Promise<void> {
  await queueAll(tx, mailTo(to, mail));
}

/** The message that carries an e-mail to an account's mailbox; none without one. */
export function mailTo({ id, email }: Addressee, { kind, subject, mail }: Mail): NewMessage[] {
  return email === null
    ? []
    : [{ userId: id, kind, channel: "email", recipient: email, subject, body: mail }];
}

/** Queues an SMS to an account's confirmed phone, in its language; does nothing without one. */
export async function queueToPhone(
  tx: Tx,
  { userId, kind, textFor }: { userId: number; kind: string; textFor: (t: Translate) => string },
): Promise<void> {
  const [phone] = await tx.select({ msisdn: phones.msisdn }).from(phones).where(eq(phones.userId, userId));
  if (!phone) return;
  const body = textFor(await wordings.translateFor(tx, userId));
  await queue(tx, { userId, kind, channel: "sms", recipient: phone.msisdn, subject: "", body });
}

/** SQL that queues an SMS about an accepted order to its user's phone, beside the CTE `written` of its statement. */
export function queuedToOwner(sql: Sql, body: string): ReturnType<Sql> {
  return sql`, notice as (
      insert into messages (user_id, kind, channel, recipient, body, send_before)
      select user_id, 'order_accepted', 'sms', phones.msisdn, ${smsText(body)}, now() + interval '1 day'
      from written join phones using (user_id) returning id),
    queued as (insert into jobs (kind, subject_id) select 'send_message', id from notice)`;
}

/** Queues many messages; returns their ids. */
export async function queueAll(tx: Tx, batch: NewMessage[]): Promise<number[]> {
  const ids: number[] = [];
  await inParts(batch.map(rowOf), async (rows) => {
    const queued = await tx
      .insert(messages)
      .values(rows)
      .returning({ id: messages.id, channel: messages.channel });
    for (const [kind, some] of Map.groupBy(queued, jobOf))
      await jobs.enqueueAll(
        tx,
        kind,
        some.map(({ id }) => id),
      );
    ids.push(...queued.map(({ id }) => id));
  });
  return ids;
}

/** Push messages are sent apart: they go to servers that users name, and a slow one must not hold up a code. */
function jobOf({ channel }: { channel: MessageChannel }): jobs.JobKind {
  return channel === "push" ? "send_push" : "send_message";
}

function rowOf(message: NewMessage) {
  const { userId, kind, channel, recipient, subject, body, codeSeconds, againOf } = message;
  return {
    userId,
    kind,
    channel,
    recipient,
    subject: channel === "email" ? subject : null,
    body: channel === "sms" ? smsText(body) : body,
    carriesCode: codeSeconds !== undefined,
    againOf: againOf ?? null,
    sendBefore: sql`now() + make_interval(secs => ${codeSeconds ?? NOTICE_SECONDS})`,
  };
}

/** The outcome of sending one message; `reason` is safe to log. */
export type Report = { messageId: number; kind: Sent["kind"]; reason: string | null };

/** Sends up to `countMax` due messages concurrently, push messages or the others; any number of workers may do so. */
export async function sendDue(
  db: Db,
  senders: Senders,
  countMax: number,
  kind: "send_message" | "send_push" = "send_message",
): Promise<Report[]> {
  const due = await jobs.claim(db, kind, countMax);
  const results = await jobs.whileHolding(db, due, () =>
    Promise.allSettled(due.map((job) => sendOne(db, senders, job))),
  );
  const fault = results.find((result) => result.status === "rejected");
  if (fault) throw fault.reason;
  return results.flatMap((result) => (result.status === "fulfilled" && result.value ? [result.value] : []));
}

/** Deletes messages older than three months, and their reports. */
export async function forgetOld(db: Db): Promise<void> {
  await deliveryReports.forgetOld(db, KEPT_DAYS);
  await deleteInParts(db, messages, lt(messages.createdAt, sql`now() - make_interval(days => ${KEPT_DAYS})`));
}

async function sendOne(db: Db, senders: Senders, job: jobs.Job): Promise<Report | null> {
  const begun = await begin(db, job);
  if (!begun) return null;
  const { message } = begun;
  const outcome = begun.outcome ?? (await send(senders, message));
  await conclude(
    db,
    job,
    message,
    outcome,
    begun.wasInterrupted ? AFTER_KILL_SECONDS : AFTER_UNKNOWN_SECONDS,
  );
  const reason = outcome.kind === "accepted" ? null : outcome.reason;
  return { messageId: message.id, kind: outcome.kind, reason };
}

async function send(senders: Senders, message: Message): Promise<Sent> {
  const sender = senders[message.channel];
  if (!sender) return { kind: "refused", reason: `${message.channel} is not configured` };
  return sender.send({ ...message, body: message.body! });
}

/** `wasInterrupted`: a worker was killed while sending it. */
type Begun = { message: Message; outcome: Sent | null; wasInterrupted?: boolean };

/** Marks the message as sending; one so marked already belonged to a worker that died. */
async function begin(db: Db, job: jobs.Job): Promise<Begun | null> {
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({ message: messages, isLate: sql<boolean>`${messages.sendBefore} <= now()` })
      .from(messages)
      .where(eq(messages.id, job.subjectId))
      .for("update");
    const message = found?.message;
    if (message?.state === "sending")
      return {
        message,
        outcome: { kind: "unknown", reason: "the worker was stopped while sending it" },
        wasInterrupted: true,
      };
    if (message?.state !== "queued") {
      await jobs.finish(tx, [job.id]);
      return null;
    }
    if (found!.isLate)
      return { message, outcome: { kind: "refused", reason: message.lastError ?? "too late" } };
    const [sending] = await tx
      .update(messages)
      .set({ state: "sending", attempts: sql`${messages.attempts} + 1`, updatedAt: sql`now()` })
      .where(eq(messages.id, message.id))
      .returning();
    return { message: sending!, outcome: null };
  });
}

/** Records the outcome and finishes or postpones the job, in one commit. */
async function conclude(
  db: Db,
  job: jobs.Job,
  message: Message,
  outcome: Sent,
  afterUnknown: number,
): Promise<void> {
  const { state, waitSeconds } = planOf(message, job, outcome, afterUnknown);
  const smsId = message.channel === "sms" && outcome.kind === "accepted" ? outcome.providerId : null;
  await db.transaction(async (tx) => {
    if (smsId) await deliveryReports.lockMessage(tx, smsId);
    const [recorded] = await tx
      .update(messages)
      .set({
        state,
        ...(outcome.kind === "accepted" ? { providerId: outcome.providerId } : { lastError: outcome.reason }),
        // Not a real attempt: the provider's account, not the message, was the obstacle.
        ...(outcome.kind === "down" && { attempts: message.attempts - 1 }),
        ...(message.carriesCode && state !== "queued" && { body: null }),
        updatedAt: sql`now()`,
      })
      .where(
        and(
          eq(messages.id, message.id),
          eq(messages.attempts, message.attempts),
          inArray(messages.state, ["queued", "sending"]),
        ),
      )
      .returning({ id: messages.id });
    // Another worker has concluded it meanwhile, and its plan stands.
    if (!recorded) return;
    // The network's report may have arrived before the provider's answer to us.
    if (smsId) await deliveryReports.applyWaiting(tx, smsId);
    if (waitSeconds === null) await jobs.finish(tx, [job.id]);
    else await jobs.postpone(tx, job.id, waitSeconds);
  });
}

type Plan = { state: MessageState; waitSeconds: number | null };

/**
 * The next state after an outcome. An e-mail with an unknown outcome may be sent again, because it keeps its
 * Message-ID, and so may a push message, which keeps its tag; an SMS only once more, and never with a code.
 */
function planOf(message: Message, job: jobs.Job, outcome: Sent, afterUnknown: number): Plan {
  const again = (waitSeconds: number): Plan => ({ state: "queued", waitSeconds });
  const over = (state: MessageState): Plan => ({ state, waitSeconds: null });
  const { attempts, channel, carriesCode } = message;
  switch (outcome.kind) {
    case "accepted":
      return over("sent");
    case "refused":
      return over("failed");
    case "down":
      return again(60 * Math.min(job.attempts, 5));
    case "busy":
      return attempts >= TRIES_MAX ? over("failed") : again(15 * 4 ** attempts);
    case "unknown": {
      const triesMax = channel !== "sms" ? TRIES_MAX : carriesCode ? 1 : 2;
      return attempts >= triesMax ? over("unknown") : again(afterUnknown);
    }
  }
}
