// Messages for admins: who was sent what, whether it arrived, and resending what did not. The text of a message with a
// code is never shown.
import { asc, desc, eq, ilike, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Reads } from "../../../db/connect.ts";
import { phones, users } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import {
  limits,
  MESSAGE_CHANNELS,
  MESSAGE_STATES,
  type MessageChannel,
  type MessageState,
} from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as } from "../../shared/fields.ts";
import { Id } from "../../shared/inputs.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { command } from "../platform/commands.ts";
import { isAmong } from "../platform/sql.ts";
import * as outbox from "./messages.ts";
import * as optOuts from "./opt-outs.ts";
import * as smsAttempts from "./sms-attempts.ts";

export type MessageFilter = {
  /** Any of these; left out: any state. */
  states?: readonly MessageState[] | undefined;
  channel?: MessageChannel | undefined;
  kind?: string | undefined;
  /** The recipient: a whole number, a whole e-mail address, or part of a username. */
  search?: string | undefined;
};

/** States of messages that may never have arrived. */
export const FAILED_STATES = ["failed", "undelivered", "unknown"] as const satisfies readonly MessageState[];

export type MessageRow = Omit<outbox.Message, "body"> & {
  /** Null for a message with a code, also while it is queued. */
  body: string | null;
  username: string | null;
  /** The message that resent this one. */
  againId: number | null;
  canSendAgain: boolean;
  /** Of an SMS, oldest first. */
  tries: smsAttempts.SmsAttempt[];
};

/** At most `limit` messages, newest first, those before the id `cursor`. */
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
  const tries = await smsAttempts.ofAll(db, ids);
  return rows.map(({ message, username, againId }) => ({
    ...message,
    tries: tries.get(message.id) ?? [],
    body: message.carriesCode ? null : message.body,
    username,
    againId,
    canSendAgain: againId === null && canBeResent(message),
  }));
}

/** The kinds of messages that exist, by name. */
export async function kinds(tx: Reads): Promise<string[]> {
  // Skips through the index from kind to kind: there are few kinds, and perhaps a million messages.
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
 * Resends a message that did not arrive, once, as a new message; a second request answers with the first's id (`isNew`
 * false). Only to an address that its account still has, because a number may have a new owner by now.
 */
export const sendAgain = command({
  name: "message.again",
  right: "messages.see",
  about: "Send a message again that did not arrive, once",
  subject: "message",
  input: { messageId: as("message", Id) },
  errors: ["message.not_found", "message.not_again"],
  run: async ({ tx, audit }, { messageId }) => {
    const [message] = await tx.select().from(messages).where(eq(messages.id, messageId)).for("update");
    if (!message) throw new AppError("message.not_found");
    const [resent] = await tx.select({ id: messages.id }).from(messages).where(eq(messages.againOf, message.id));
    if (resent) return { messageId: resent.id, isNew: false };
    await requireResendable(tx, message);
    const { userId, kind, channel, recipient, subject, body, passesOptOut } = message;
    const copy = { userId, kind, channel, recipient, subject: subject ?? "", body: body!, passesOptOut };
    const [again] = await outbox.queueAll(tx, [{ ...copy, againOf: message.id }]);
    await audit(message.id, {
      before: { state: message.state, reason: message.reportReason ?? message.lastError },
      after: { kind, again },
    });
    return { messageId: again!, isNew: true };
  },
});

/** A push message that failed has lost its browser. */
function canBeResent({ channel, state, carriesCode }: outbox.Message): boolean {
  return channel !== "push" && !carriesCode && (state === "failed" || state === "undelivered");
}

async function requireResendable(tx: Reads, message: outbox.Message): Promise<void> {
  const refuse = (reason: string): never => {
    throw new AppError("message.not_again", undefined, reason);
  };
  if (message.carriesCode) refuse("It carried a code. The agent can request a new one.");
  if (!canBeResent(message)) refuse("Only messages that failed or did not arrive can be sent again.");
  const optOut = message.channel === "sms" ? await optOuts.latestOf(tx, message.recipient) : null;
  if (optOut && !optOut.endedAt && !optOuts.passes(message))
    refuse("This number has stopped SMS notices. Its owner can text START, or allow SMS in the profile.");
  if (message.userId === null) return;
  const [owner] = await tx
    .select({ status: users.status, email: users.email, msisdn: phones.msisdn })
    .from(users)
    .leftJoin(phones, eq(phones.userId, users.id))
    .where(eq(users.id, message.userId));
  if (owner?.status !== "ACTIVE") refuse("The account is no longer active.");
  const isCurrent =
    message.channel === "sms" ? owner!.msisdn === message.recipient : owner!.email === message.recipient;
  // email_changed goes to the account's previous mailbox on purpose.
  if (!isCurrent && message.kind !== "email_changed")
    refuse("This phone or e-mail address no longer belongs to the account.");
}

type Span = { cursor?: number | undefined; limit: number };

/**
 * Each channel and state, and each recipient searched for, is a range of an index that ends with the id: one page is
 * read from each range and no more, even for one message in a million. The ranges are compared as whole rows, not
 * column by column, because no other index has that order: the planner must not guess that a rare match comes soon in a
 * scan of all ids.
 */
async function idsOf(db: Db, filter: MessageFilter, { cursor, limit }: Span): Promise<number[]> {
  const channels = sql`${sql.param(filter.channel ? [filter.channel] : [...MESSAGE_CHANNELS])}::text[]`;
  const states = sql`${sql.param([...(filter.states ?? MESSAGE_STATES)])}::text[]`;
  const { kind } = filter;
  const recipients = filter.search ? await recipientsOf(db, filter.search) : null;
  const isKind = kind === undefined ? sql`true` : sql`m.kind = ${kind}`;
  const matches = sql`m.channel = any(${channels}) and m.state = any(${states}) and ${isKind}`;
  const state = { from: sql`unnest(${channels}) as c(channel) cross join unnest(${states}) as s(state)` };
  const ranges = recipients
    ? { ...recipients, matches }
    : kind === undefined
      ? { ...state, columns: ["channel", "state"], values: sql`c.channel, s.state`, matches: sql`true` }
      : {
          ...state,
          columns: ["kind", "channel", "state"],
          values: sql`${kind}::text, c.channel, s.state`,
          matches: sql`true`,
        };
  const columns = [...ranges.columns, "id"].map((name) => `m.${name}`);
  const row = sql.raw(`(${columns.join(", ")})`);
  const newestFirst = sql.raw(columns.map((name) => `${name} desc`).join(", "));
  const rows = await db.execute<{ id: number }>(sql`
    select found.id from ${ranges.from} cross join lateral (
      select m.id from messages m
      where ${row} >= (${ranges.values}, 0::bigint)
        and ${row} < (${ranges.values}, ${cursor ?? Number.MAX_SAFE_INTEGER}::bigint) and ${ranges.matches}
      order by ${newestFirst} limit ${limit}) found
    order by found.id desc limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** The most users that part of a name can match. */
const USERS_SEARCHED = 20;

async function recipientsOf(db: Db, search: string): Promise<{ from: SQL; columns: string[]; values: SQL }> {
  const msisdn = parseMsisdn(search);
  if (msisdn || search.includes("@")) {
    const recipient = msisdn ?? search.toLowerCase();
    return { from: sql`(select ${recipient}::text as key) k`, columns: ["recipient"], values: sql`k.key` };
  }
  const named = await db
    .select({ id: users.id })
    .from(users)
    .where(ilike(users.username, `%${search.replace(/[%_\\]/g, "\\$&")}%`))
    .orderBy(asc(users.id))
    .limit(USERS_SEARCHED);
  const ids = sql.param(named.map(({ id }) => id));
  return { from: sql`unnest(${ids}::bigint[]) as k(key)`, columns: ["user_id"], values: sql`k.key` };
}
