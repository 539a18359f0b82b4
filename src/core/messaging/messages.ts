// Messages to people: SMS and e-mail. A message is a row of the same commit as the change it tells of; a worker sends it,
// after noting that it is about to. What is not sure is never sent blindly again.
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Db, Sql, Tx } from "../../../db/connect.ts";
import { phones } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import type { MessageChannel, MessageState } from "../../shared/domain.ts";
import { smsText } from "../../shared/sms-text.ts";
import * as jobs from "../platform/jobs.ts";
import { deleteInParts, inParts } from "../platform/parts.ts";
import * as deliveryReports from "./delivery-reports.ts";
import type { Senders, Sent } from "./sender.ts";

export type Message = typeof messages.$inferSelect;
export type NewMessage = {
  userId: number | null;
  kind: string;
  channel: MessageChannel;
  /** 233541234567, or an e-mail address. */
  recipient: string;
  /** Of an e-mail; an SMS has none. */
  subject: string;
  body: string;
  /** Given when it carries a code: how long the code is good. The body is kept no longer than until it is sent. */
  codeSeconds?: number;
  /** The message that it repeats. */
  againOf?: number;
};

const NOTICE_SECONDS = 24 * 3600;
const KEPT_DAYS = 90;
const TRIES_MAX = 3;
/** An SMS whose outcome is unknown is sent once more after this; Africa's Talking offers no way to ask. */
const AFTER_UNKNOWN_SECONDS = 60;
/** The same for what a killed worker left: it has waited for the end of a lease, and both together are under a minute. */
const AFTER_KILL_SECONDS = 20;

/** Writes a message in the caller's transaction, to be sent after it. An SMS becomes one part of GSM-7 text. */
export async function queue(tx: Tx, message: NewMessage): Promise<void> {
  await queueAll(tx, [message]);
}

/** Queues an SMS to an account's proved phone; without one it does nothing. */
export async function queueToPhone(
  tx: Tx,
  { userId, kind, body }: { userId: number; kind: string; body: string },
): Promise<void> {
  const [phone] = await tx.select({ msisdn: phones.msisdn }).from(phones).where(eq(phones.userId, userId));
  if (!phone) return;
  await queue(tx, { userId, kind, channel: "sms", recipient: phone.msisdn, subject: "", body });
}

/** SQL beside a row that is `written` in the same statement: an SMS about an accepted order to the phone of its user. */
export function queuedToOwner(sql: Sql, body: string): ReturnType<Sql> {
  return sql`, told as (
      insert into messages (user_id, kind, channel, recipient, body, send_before)
      select user_id, 'order_accepted', 'sms', phones.msisdn, ${smsText(body)}, now() + interval '1 day'
      from written join phones using (user_id) returning id),
    queued as (insert into jobs (kind, subject_id) select 'send_message', id from told)`;
}

/** The same for many. Gives their ids. */
export async function queueAll(tx: Tx, all: NewMessage[]): Promise<number[]> {
  const ids: number[] = [];
  await inParts(all.map(rowOf), async (rows) => {
    const queued = (await tx.insert(messages).values(rows).returning({ id: messages.id })).map(
      ({ id }) => id,
    );
    await jobs.enqueueAll(tx, "send_message", queued);
    ids.push(...queued);
  });
  return ids;
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

/** What became of one message that was due; `reason` is fit for a log. */
export type Report = { messageId: number; kind: Sent["kind"]; reason: string | null };

/** Sends up to `countMax` messages that are due, at once; any number of workers may do so. */
export async function sendDue(db: Db, senders: Senders, countMax: number): Promise<Report[]> {
  const due = await jobs.claim(db, "send_message", countMax);
  const done = await jobs.holding(db, due, () =>
    Promise.allSettled(due.map((job) => sendOne(db, senders, job))),
  );
  const fault = done.find((one) => one.status === "rejected");
  if (fault) throw fault.reason;
  return done.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []));
}

/** Deletes what is older than three months. */
export async function forgetOld(db: Db): Promise<void> {
  await deliveryReports.forgetOld(db, KEPT_DAYS);
  await deleteInParts(db, messages, lt(messages.createdAt, sql`now() - make_interval(days => ${KEPT_DAYS})`));
}

async function sendOne(db: Db, senders: Senders, job: jobs.Job): Promise<Report | null> {
  const begun = await begin(db, job);
  if (!begun) return null;
  const { message } = begun;
  const outcome = begun.outcome ?? (await handOver(senders, message));
  await conclude(db, job, message, outcome, begun.isLeft ? AFTER_KILL_SECONDS : AFTER_UNKNOWN_SECONDS);
  const reason = outcome.kind === "accepted" ? null : outcome.reason;
  return { messageId: message.id, kind: outcome.kind, reason };
}

async function handOver(senders: Senders, message: Message): Promise<Sent> {
  const sender = senders[message.channel];
  if (!sender) return { kind: "refused", reason: `${message.channel} is not set up` };
  return sender.send({ ...message, body: message.body! });
}

/** `isLeft`: by a worker that was killed. */
type Begun = { message: Message; outcome: Sent | null; isLeft?: boolean };

/** Notes that the message is about to be handed over; one that was noted already was left by a worker that died. */
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
        outcome: { kind: "unknown", reason: "the worker ended while it was sent" },
        isLeft: true,
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

/** Records the outcome and ends the job, or puts it off, in one commit. */
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
    if (smsId) await deliveryReports.queueUp(tx, smsId);
    const [recorded] = await tx
      .update(messages)
      .set({
        state,
        ...(outcome.kind === "accepted" ? { providerId: outcome.providerId } : { lastError: outcome.reason }),
        // It was not tried in earnest: the account, not the message, was in the way.
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
    // Another worker has concluded it meanwhile: what that one planned stands.
    if (!recorded) return;
    // The network may have been quicker than the provider's answer to us.
    if (smsId) await deliveryReports.applyWaiting(tx, smsId);
    if (waitSeconds === null) await jobs.finish(tx, [job.id]);
    else await jobs.postpone(tx, job.id, waitSeconds);
  });
}

type Plan = { state: MessageState; waitSeconds: number | null };

/**
 * What follows from an outcome. An e-mail may be sent again when nobody knows whether it arrived, because it carries the
 * same Message-ID; an SMS only once, and never when it carries a code.
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
      const most = channel === "email" ? TRIES_MAX : carriesCode ? 1 : 2;
      return attempts >= most ? over("unknown") : again(afterUnknown);
    }
  }
}
