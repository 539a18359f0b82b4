// The outbox of SMS and e-mail. A message is written in the commit of the change it reports; a worker marks it as
// sending, then sends it. A message whose outcome is unknown is not simply sent again.
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Db, Sql, Tx } from "../../../db/connect.ts";
import { phones } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import type { MessageChannel, SmsGateway } from "../../shared/domain.ts";
import { smsText } from "../../shared/phones/sms-text.ts";
import * as jobs from "../platform/jobs.ts";
import { deleteInParts, inParts } from "../platform/parts.ts";
import * as deliveryReports from "./delivery-reports.ts";
import type { Translate } from "./languages/translate.ts";
import * as optOuts from "./opt-outs.ts";
import { type Plan, planOf } from "./retry-plan.ts";
import type { Senders, Sent } from "./sender.ts";
import * as smsAttempts from "./sms-attempts.ts";
import type { Mail } from "./texts/texts.ts";
import * as wordings from "./texts/wordings.ts";

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
  /** It goes to a number that stopped notices as well: its recipient requested it, or it protects their account. */
  passesOptOut?: boolean;
  /** For a message with a code: how long the code is valid. Its body is deleted once it is sent. */
  codeSeconds?: number;
  /** The message it resends. */
  againOf?: number;
};

const NOTICE_SECONDS = 24 * 3600;
export const KEPT_DAYS = 90;

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
  return email === null ? [] : [{ userId: id, kind, channel: "email", recipient: email, subject, body: mail }];
}

type ToPhone = Pick<NewMessage, "kind" | "passesOptOut"> & {
  userId: number;
  textFor: (t: Translate) => string;
};

/** Queues an SMS to an account's confirmed phone, in its language; does nothing without one. */
export async function queueToPhone(tx: Tx, { userId, textFor, ...more }: ToPhone): Promise<void> {
  const [phone] = await tx.select({ msisdn: phones.msisdn }).from(phones).where(eq(phones.userId, userId));
  if (!phone) return;
  const body = textFor(await wordings.translateFor(tx, userId));
  await queue(tx, { ...more, userId, channel: "sms", recipient: phone.msisdn, subject: "", body });
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
    const queued = await tx.insert(messages).values(rows).returning({ id: messages.id, channel: messages.channel });
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
  const { userId, kind, channel, recipient, subject, body, passesOptOut, codeSeconds, againOf } = message;
  return {
    userId,
    kind,
    channel,
    recipient,
    subject: channel === "email" ? subject : null,
    body: channel === "sms" ? smsText(body) : body,
    carriesCode: codeSeconds !== undefined,
    passesOptOut: passesOptOut ?? false,
    againOf: againOf ?? null,
    sendBefore: sql`now() + make_interval(secs => ${codeSeconds ?? NOTICE_SECONDS})`,
  };
}

/** The outcome of sending one message; `reason` is safe to log. `isPassedOn`: its SMS fall-back is due now. */
export type Report = {
  messageId: number;
  kind: Sent["kind"];
  reason: string | null;
  gateway: SmsGateway | null;
  isPassedOn: boolean;
};

/** Sends up to `countMax` due messages concurrently, push messages or the others; any number of workers may do so. */
export async function sendDue(
  db: Db,
  senders: Senders,
  countMax: number,
  kind: "send_message" | "send_push" = "send_message",
): Promise<Report[]> {
  const due = await jobs.claim(db, kind, countMax);
  const route = due.length > 0 && senders.sms ? await smsAttempts.routeOf(db, senders.sms) : [];
  const results = await jobs.whileHolding(db, due, () =>
    Promise.allSettled(due.map((job) => sendOne(db, { senders, route }, job))),
  );
  const fault = results.find((result) => result.status === "rejected");
  if (fault) throw fault.reason;
  return results.flatMap((result) => (result.status === "fulfilled" && result.value ? [result.value] : []));
}

/** Deletes messages older than three months, and their reports. */
export async function forgetOld(db: Db): Promise<void> {
  await deliveryReports.forgetOld(db, KEPT_DAYS);
  await optOuts.forgetOld(db);
  await deleteInParts(db, messages, lt(messages.createdAt, sql`now() - make_interval(days => ${KEPT_DAYS})`));
}

type Ways = { senders: Senders; route: readonly SmsGateway[] };

async function sendOne(db: Db, ways: Ways, job: jobs.Job): Promise<Report | null> {
  const begun = await begin(db, job, ways.route);
  if (!begun) return null;
  const { message } = begun;
  const outcome = begun.outcome ?? (await send(ways.senders, begun));
  const { attempt, wasInterrupted = false } = begun;
  const plan = planOf(message, { next: attempt?.next ?? null, wasInterrupted, rounds: job.attempts }, outcome);
  await conclude(db, job, begun, outcome, plan);
  return {
    messageId: message.id,
    kind: outcome.kind,
    reason: outcome.kind === "accepted" ? null : outcome.reason,
    gateway: message.gateway,
    isPassedOn: plan.waitSeconds === 0,
  };
}

async function send({ sms, ...others }: Senders, { message, attempt }: Begun): Promise<Sent> {
  const { channel } = message;
  const sender = channel === "sms" ? message.gateway && sms?.[message.gateway] : others[channel];
  if (!sender) return { kind: "refused", reason: `${channel} is not configured` };
  return sender.send({ ...message, body: message.body!, isRepeat: attempt?.isRepeat ?? false });
}

/** `wasInterrupted`: a worker was killed while sending it. */
type Begun = { message: Message; outcome: Sent | null; attempt: Attempt | null; wasInterrupted?: boolean };
/** The attempt at an SMS, and the gateway that is left if this one certainly does not send it. */
type Attempt = { id: number; isRepeat: boolean; next: SmsGateway | null };

/** Marks the message as sending; one so marked already belonged to a worker that died. */
async function begin(db: Db, job: jobs.Job, route: readonly SmsGateway[]): Promise<Begun | null> {
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({
        message: messages,
        isLate: sql<boolean>`${messages.sendBefore} <= now()`,
        isToOptedOut: optOuts.isToOptedOut,
      })
      .from(messages)
      .where(eq(messages.id, job.subjectId))
      .for("update");
    const message = found?.message;
    if (message?.state !== "queued" && message?.state !== "sending") {
      await jobs.finish(tx, [job.id]);
      return null;
    }
    const earlier = (await smsAttempts.ofAll(tx, [message.id])).get(message.id) ?? [];
    if (message.state === "sending") return interrupted(message, earlier);
    const refused = (reason: string): Begun => ({
      message,
      outcome: { kind: "refused", reason },
      attempt: null,
    });
    if (found!.isLate) return refused(message.lastError ?? "too late");
    if (message.channel !== "sms") return { message: await markSending(tx, message), outcome: null, attempt: null };
    if (found!.isToOptedOut && !optOuts.passes(message)) return refused("the number has stopped SMS notices");
    const left = route.filter((code) => !earlier.some((it) => it.gateway === code && it.outcome === "refused"));
    const gateway = left.find((code) => code === message.gateway) ?? left[0];
    if (!gateway) return refused(message.lastError ?? "sms is not configured");
    const attempt = {
      id: await smsAttempts.start(tx, message.id, gateway),
      isRepeat: earlier.length > 0,
      next: left[left.indexOf(gateway) + 1] ?? null,
    };
    return { message: await markSending(tx, message, gateway), outcome: null, attempt };
  });
}

function interrupted(message: Message, attempts: smsAttempts.SmsAttempt[]): Begun {
  const last = attempts.at(-1);
  return {
    message,
    outcome: { kind: "unknown", reason: "the worker was stopped while sending it" },
    // The gateway is not to blame, so it is the one to be called again.
    attempt: last ? { id: last.id, isRepeat: true, next: last.gateway } : null,
    wasInterrupted: true,
  };
}

async function markSending(tx: Tx, { id }: Message, gateway: SmsGateway | null = null): Promise<Message> {
  const [sending] = await tx
    .update(messages)
    .set({ state: "sending", gateway, attempts: sql`${messages.attempts} + 1`, updatedAt: sql`now()` })
    .where(eq(messages.id, id))
    .returning();
  return sending!;
}

/** Records the outcome and finishes or postpones the job, in one commit. */
async function conclude(db: Db, job: jobs.Job, { message, attempt }: Begun, outcome: Sent, plan: Plan): Promise<void> {
  const { state, waitSeconds } = plan;
  const { gateway } = message;
  const smsId = gateway && outcome.kind === "accepted" ? outcome.providerId : null;
  await db.transaction(async (tx) => {
    if (smsId) await deliveryReports.lockMessage(tx, gateway!, smsId);
    const [recorded] = await tx
      .update(messages)
      .set({
        state,
        ...(outcome.kind === "accepted" ? { providerId: outcome.providerId } : { lastError: outcome.reason }),
        ...(plan.gateway !== undefined && { gateway: plan.gateway }),
        ...(plan.isUncounted && { attempts: message.attempts - 1 }),
        ...(message.carriesCode && state !== "queued" && { body: null }),
        updatedAt: sql`now()`,
      })
      .where(
        and(
          eq(messages.id, message.id),
          eq(messages.attempts, message.attempts),
          inArray(messages.state, ["queued", "sending"]),
          attempt ? smsAttempts.isLatest(attempt.id) : undefined,
        ),
      )
      .returning({ id: messages.id });
    // Another worker has concluded it meanwhile, and its plan stands.
    if (!recorded) return;
    if (attempt) await smsAttempts.end(tx, attempt.id, outcome);
    // The network's report may have arrived before the provider's answer to us.
    if (smsId) await deliveryReports.applyWaiting(tx, gateway!, smsId);
    if (waitSeconds === null) await jobs.finish(tx, [job.id]);
    else await jobs.postpone(tx, job.id, waitSeconds);
  });
}
