// Messages as admins look at them: what was sent to whom, what became of it, and sending again what did not arrive. What
// a code said is never among it.
import { asc, desc, eq, ilike, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../../db/connect.ts";
import { phones, users } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import {
  type By,
  isAdmin,
  limits,
  MESSAGE_CHANNELS,
  MESSAGE_STATES,
  type MessageChannel,
  type MessageState,
} from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import { isAmong } from "../platform/sql.ts";
import * as outbox from "./messages.ts";

export type MessageFilter = {
  /** Any of these; left out: whatever became of it. */
  states?: readonly MessageState[] | undefined;
  channel?: MessageChannel | undefined;
  kind?: string | undefined;
  /** Whom it went to: a whole number, a whole e-mail address, or a part of a username. */
  search?: string | undefined;
};

/** What may have gone wrong for good. */
export const TROUBLE = ["failed", "undelivered", "unknown"] as const satisfies readonly MessageState[];

export type MessageRow = Omit<outbox.Message, "body"> & {
  /** Null of a message with a code, also while it still waits to be sent. */
  body: string | null;
  username: string | null;
  /** The message by which this one was sent again. */
  againId: number | null;
  canSendAgain: boolean;
};

/** Messages newest first, from below `cursor` on; at most `limit`. */
export async function list(
  db: Db,
  filter: MessageFilter,
  page: { cursor?: number | undefined; limit: number },
): Promise<MessageRow[]> {
  const ids = await idsOf(db, filter, { ...page, limit: Math.min(page.limit, limits.pageSizeMax) });
  const again = alias(messages, "again");
  const rows = await db
    .select({ message: messages, username: users.username, againId: again.id })
    .from(messages)
    .leftJoin(users, eq(users.id, messages.userId))
    .leftJoin(again, eq(again.againOf, messages.id))
    .where(isAmong(messages.id, ids))
    .orderBy(desc(messages.id));
  return rows.map(({ message, username, againId }) => ({
    ...message,
    body: message.carriesCode ? null : message.body,
    username,
    againId,
    canSendAgain: againId === null && mayGoAgain(message),
  }));
}

/** The kinds that there are messages of, by name. */
export async function kinds(tx: Tx): Promise<string[]> {
  // From one to the next through the index: few kinds, and perhaps a million messages.
  const rows = await tx.execute<{ kind: string }>(sql`
    with recursive found (kind) as (
      select min(kind) from messages
      union all
      select (select min(kind) from messages where kind > found.kind) from found where found.kind is not null
    )
    select kind from found where kind is not null`);
  return rows.map(({ kind }) => kind);
}

/**
 * Sends a message that did not arrive again, as a new one, once: whoever asks second is told of the first (`isNew` false).
 * Only to where its account can still be reached there, because a number may be somebody else's by now.
 * Throws auth.forbidden, message.not_found, message.not_again.
 */
export async function sendAgain(
  db: Db,
  ask: { by: By; key: Key | null; messageId: number },
): Promise<Answered<{ messageId: number; isNew: boolean }>> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  return once(db, ask.by.userId!, ask.key, ["message.again", ask.messageId], async (tx) => {
    const [message] = await tx.select().from(messages).where(eq(messages.id, ask.messageId)).for("update");
    if (!message) throw new AppError("message.not_found");
    const [sent] = await tx
      .select({ id: messages.id })
      .from(messages)
      .where(eq(messages.againOf, message.id));
    if (sent) return { messageId: sent.id, isNew: false };
    await refuseAgain(tx, message);
    const { userId, kind, channel, recipient, subject, body } = message;
    const copy = { userId, kind, channel, recipient, subject: subject ?? "", body: body! };
    const [messageId] = await outbox.queueAll(tx, [{ ...copy, againOf: message.id }]);
    await auditLog.record(tx, ask.by, [
      {
        action: "message.again",
        subjectType: "message",
        subjectId: message.id,
        before: { state: message.state, reason: message.reportReason ?? message.lastError },
        after: { kind, again: messageId },
      },
    ]);
    return { messageId: messageId!, isNew: true };
  });
}

function mayGoAgain({ state, carriesCode }: outbox.Message): boolean {
  return !carriesCode && (state === "failed" || state === "undelivered");
}

async function refuseAgain(tx: Tx, message: outbox.Message): Promise<void> {
  const refuse = (words: string): never => {
    throw new AppError("message.not_again", undefined, words);
  };
  if (message.carriesCode) refuse("It carried a code: whoever needs one asks for a new one.");
  if (!mayGoAgain(message)) refuse("Only what failed or did not arrive is sent again.");
  if (message.userId === null) return;
  const [owner] = await tx
    .select({ status: users.status, email: users.email, msisdn: phones.msisdn })
    .from(users)
    .leftJoin(phones, eq(phones.userId, users.id))
    .where(eq(users.id, message.userId));
  if (owner?.status !== "ACTIVE") refuse("The account is not active any more.");
  const isTheirs =
    message.channel === "sms" ? owner!.msisdn === message.recipient : owner!.email === message.recipient;
  // One kind goes to the mailbox that was theirs, on purpose.
  if (!isTheirs && message.kind !== "email_changed")
    refuse("This is no longer where the account is reached.");
}

type Span = { cursor?: number | undefined; limit: number };

/**
 * Each channel and state, and each of those who are searched for, is a range of an index that ends with the id: a page is
 * read from each range and no more, be it one message in a million. The ranges are compared as whole rows, and not each
 * column on its own, because then no other index has that order: the planner must not guess that what is rare is soon
 * met among all ids.
 */
async function idsOf(db: Db, filter: MessageFilter, { cursor, limit }: Span): Promise<number[]> {
  const channels = sql`${sql.param(filter.channel ? [filter.channel] : [...MESSAGE_CHANNELS])}::text[]`;
  const states = sql`${sql.param([...(filter.states ?? MESSAGE_STATES)])}::text[]`;
  const { kind } = filter;
  const meant = filter.search ? await whoIsMeant(db, filter.search) : null;
  const isKind = kind === undefined ? sql`true` : sql`m.kind = ${kind}`;
  const isSuch = sql`m.channel = any(${channels}) and m.state = any(${states}) and ${isKind}`;
  const state = { from: sql`unnest(${channels}) as c(channel) cross join unnest(${states}) as s(state)` };
  const ranges = meant
    ? { ...meant, isSuch }
    : kind === undefined
      ? { ...state, columns: ["channel", "state"], is: sql`c.channel, s.state`, isSuch: sql`true` }
      : {
          ...state,
          columns: ["kind", "channel", "state"],
          is: sql`${kind}::text, c.channel, s.state`,
          isSuch: sql`true`,
        };
  const columns = [...ranges.columns, "id"].map((name) => `m.${name}`);
  const row = sql.raw(`(${columns.join(", ")})`);
  const newestFirst = sql.raw(columns.map((name) => `${name} desc`).join(", "));
  const rows = await db.execute<{ id: number }>(sql`
    select found.id from ${ranges.from} cross join lateral (
      select m.id from messages m
      where ${row} >= (${ranges.is}, 0::bigint)
        and ${row} < (${ranges.is}, ${cursor ?? Number.MAX_SAFE_INTEGER}::bigint) and ${ranges.isSuch}
      order by ${newestFirst} limit ${limit}) found
    order by found.id desc limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** So many users at most are meant by a part of a name. */
const USERS_SEARCHED = 20;

async function whoIsMeant(db: Db, words: string): Promise<{ from: SQL; columns: string[]; is: SQL }> {
  const msisdn = parseMsisdn(words);
  if (msisdn || words.includes("@")) {
    const recipient = msisdn ?? words.toLowerCase();
    return { from: sql`(select ${recipient}::text as key) k`, columns: ["recipient"], is: sql`k.key` };
  }
  const named = await db
    .select({ id: users.id })
    .from(users)
    .where(ilike(users.username, `%${words.replace(/[%_\\]/g, "\\$&")}%`))
    .orderBy(asc(users.id))
    .limit(USERS_SEARCHED);
  const ids = sql.param(named.map(({ id }) => id));
  return { from: sql`unnest(${ids}::bigint[]) as k(key)`, columns: ["user_id"], is: sql`k.key` };
}
