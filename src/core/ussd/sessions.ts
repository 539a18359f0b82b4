// USSD sessions as rows: read with the caller's account, held while something is changed for them, and written with the
// screen shown. Writes check the row's version, so that of two concurrent requests one fails and reads again. A session
// holds no connection meanwhile: its work takes connections of its own, and a pool that waits for itself would
// deadlock.
import type { Db, Sql } from "../../../db/connect.ts";
import type { Language, UserStatus } from "../../shared/domain.ts";
import * as unfinished from "../buying/unfinished-purchases.ts";
import type { KnownPin } from "../identity/phones/pins.ts";
import { type Translate, translatorOf } from "../messaging/languages/translate.ts";
import * as messages from "../messaging/messages.ts";
import * as wordings from "../messaging/texts/wordings.ts";
import * as operatorRegistry from "../platform/operator-registry.ts";
import { DEFAULTS } from "../platform/settings/settings.ts";

/**
 * How far a session was read: the length of its text, or the number of the request, and a keyed digest. What was typed
 * is not stored.
 */
export type Cursor = { length: number; mac: string };

export type Session<Context> = {
  msisdn: string;
  /** The dialled code as the gateway names it; empty if it does not. */
  serviceCode: string;
  userId: number | null;
  state: string;
  context: Context;
  /** Null until the first answer is written. */
  cursor: Cursor | null;
  answer: string | null;
  /** When the answer left the shop, in milliseconds by the database's clock; null while it has not. */
  leftMsAgo: number | null;
  /** The digest of the last request that got this answer without being taken as a reply to it. */
  repeatMac: string | null;
  hops: number;
  version: number;
  /** A request is changing something for it right now. */
  isBusy: boolean;
  /** It has ended, or is too old to continue. */
  isOver: boolean;
};

/** The account that the phone belongs to now. */
export type Owner = {
  userId: number;
  status: UserStatus;
  pin: KnownPin | null;
  /** Registered by USSD, and the code that confirms the phone was not typed yet. */
  awaitsCode: boolean;
  /** The account wants to be asked for its PIN before its balance or orders are shown. */
  requiresPin: boolean;
};

export type Seen<Context> = {
  session: Session<Context> | null;
  owner: Owner | null;
  /** For a new session: how many this phone has opened recently. */
  recentCount: number;
  /** The code to dial, by the setting: *920*55#. */
  dialCode: string;
  /** Whether a purchase offers another one, by the setting. */
  offersAnother: boolean;
  /** The texts in the account's language, and the languages that one can choose from. */
  t: Translate;
  languages: readonly Language[];
};

/** A session lasts at most three minutes with any operator; after this it cannot continue, and is counted. */
export const SESSION_MINUTES = 10;
/** Longer than a request may take. */
const HOLD_SECONDS = 10;

/** Everything needed to answer a request of a session, in one query. */
export async function look<Context>(
  db: Db,
  { sessionId, msisdn }: { sessionId: string; msisdn: string },
): Promise<Seen<Context>> {
  const { $client: sql } = db;
  const [row] = await sql`
    select u.id as owner_id, u.status as owner_status, u.language as owner_language,
           p.code_awaited_since is not null as awaits_code, p.requires_pin,
           ${sql.unsafe(wordings.VERSION)} as texts_version,
           ${sql.unsafe(operatorRegistry.VERSION)} as operators_version,
           pins.digest as pin_digest, pins.msisdn as pin_msisdn,
           coalesce(pins.locked_until > now(), false) as pin_is_locked,
           coalesce(recent.count, 0)::int as recent_count,
           s.msisdn, s.service_code, s.user_id, s.state, s.context, s.cursor_length, s.cursor_mac, s.answer, s.hops,
           s.version, coalesce(s.busy_until > now(), false) as is_busy,
           extract(epoch from now() - s.updated_at)::float8 * 1000 - s.left_after_ms as left_ms_ago, s.repeat_mac,
           coalesce((select value #>> '{}' from settings where key = 'ussd_code'),
                    ${DEFAULTS.ussd_code}) as dial_code,
           coalesce((select (value #>> '{}')::boolean from settings where key = 'ussd_another'),
                    ${DEFAULTS.ussd_another}) as offers_another,
           s.ended_at is not null or s.started_at < now() - make_interval(mins => ${SESSION_MINUTES}) as is_over
    from (select 1) one
    left join phones p on p.msisdn = ${msisdn}
    left join users u on u.id = p.user_id
    left join pins on pins.user_id = u.id
    left join ussd_sessions s on s.id = ${sessionId}
    left join lateral (
      select count(*) from ussd_sessions
      where s.id is null and msisdn = ${msisdn} and started_at > now() - make_interval(mins => ${SESSION_MINUTES})
    ) recent on true`;
  const found = row!;
  await operatorRegistry.at(db, found.operators_version);
  const texts = await wordings.at(db, found.texts_version);
  return {
    session: found.state === null ? null : sessionOf<Context>(found),
    owner:
      found.owner_id === null
        ? null
        : {
            userId: found.owner_id,
            status: found.owner_status,
            pin: pinIn(found),
            awaitsCode: found.awaits_code,
            requiresPin: found.requires_pin,
          },
    recentCount: found.recent_count,
    dialCode: found.dial_code,
    offersAnother: found.offers_another,
    t: translatorOf(texts, wordings.languageOf(texts, found.owner_language)),
    languages: texts.languages,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver
function pinIn(row: Record<string, any>): KnownPin | null {
  const { pin_digest: digest, pin_msisdn: msisdn, pin_is_locked: isLocked } = row;
  return digest === null ? null : { digest, msisdn, isLocked };
}

type Fragment = ReturnType<Sql>;
type Unfinished = unfinished.Unfinished;

const KEY_SCOPE = "ussd";

/** The idempotency key of the work for one input of a session, the same however often its request comes. */
export function keyOf(sessionId: string, input: string): { scope: typeof KEY_SCOPE; key: string } {
  return { scope: KEY_SCOPE, key: `ussd:${sessionId}:${input}` };
}

/** A session's row and version; version 0 for one that is not stored yet. */
export type Place = {
  sessionId: string;
  msisdn: string;
  serviceCode: string;
  userId: number | null;
  version: number;
};

/**
 * Locks a session while something is changed for it, for some seconds at most, so that it is released when its process
 * dies. Null when another request was first.
 */
export async function hold({ $client: sql }: Db, place: Place, state: string): Promise<Place | null> {
  const { sessionId, msisdn, serviceCode, userId, version } = place;
  const until = sql`now() + make_interval(secs => ${HOLD_SECONDS})`;
  const rows =
    version === 0
      ? await sql`
          with ${noSync(sql)}
          insert into ussd_sessions (id, msisdn, service_code, user_id, state, version, busy_until)
          select ${sessionId}, ${msisdn}, ${serviceCode}, ${userId}::bigint, ${state}, 1, ${until} from no_sync
          on conflict do nothing returning version`
      : await sql`
          with ${noSync(sql)}
          update ussd_sessions set busy_until = ${until}, version = version + 1 from no_sync
          where id = ${sessionId} and version = ${version} and (busy_until is null or busy_until <= now())
          returning version`;
  return rows[0] ? { ...place, version: rows[0].version } : null;
}

/** The state of a session after an answer. */
export type Written<Context> = {
  state: string;
  context: Context;
  cursor: Cursor;
  answer: string;
  /** The answer counts as shown at once, because requests are numbered; otherwise `noteLeft` says when it has left. */
  leavesAtOnce: boolean;
  /** The screens whose input was not understood in this request. */
  stumbles: readonly string[];
  isEnd: boolean;
  /** An SMS receipt to the account's phone: the last screen of a session is easily lost. */
  receipt: string | null;
  /** The unfinished purchase to remember (null: none), if it has changed, and the code to dial for it. */
  unfinished?: Unfinished | null;
  dialCode: string;
};

/**
 * Writes an answer with its effects. False, and nothing written, when another request has written the session
 * meanwhile. A write lost in a power cut is answered again, because the cursor is lost with it.
 */
export async function write<Context>(
  { $client: sql }: Pick<Db, "$client">,
  place: Place,
  now: Written<Context>,
): Promise<boolean> {
  const { sessionId, msisdn, serviceCode, userId, version } = place;
  const { state, cursor, answer, isEnd, receipt, dialCode } = now;
  const leftAfterMs = now.leavesAtOnce ? 0 : null;
  const context = JSON.stringify(now.context);
  const stumbles = sql`array(select json_array_elements_text(${JSON.stringify(now.stumbles)}::text::json))`;
  const written =
    version === 0
      ? sql`
          insert into ussd_sessions (id, msisdn, service_code, user_id, state, context, cursor_length, cursor_mac,
                                     answer, left_after_ms, hops, version, path, stumbles, ended_at)
          select ${sessionId}, ${msisdn}, ${serviceCode}, ${userId}::bigint, ${state}, ${context}::text::jsonb,
                 ${cursor.length}::int, ${cursor.mac}, ${answer}, ${leftAfterMs}::int, 1, 1, array[${state}::text],
                 ${stumbles}, case when ${isEnd}::boolean then now() end
          from no_sync on conflict do nothing returning user_id`
      : sql`
          update ussd_sessions set state = ${state}, context = ${context}::text::jsonb,
            cursor_length = ${cursor.length}, cursor_mac = ${cursor.mac}, answer = ${answer},
            left_after_ms = ${leftAfterMs}::int, repeat_mac = null,
            hops = hops + 1, version = version + 1, busy_until = null,
            -- An unknown phone may have registered in this session.
            user_id = coalesce(user_id, ${userId}::bigint),
            path = path || ${state}::text, stumbles = stumbles || ${stumbles},
            updated_at = now(), ended_at = case when ${isEnd}::boolean then now() else ended_at end
          from no_sync where id = ${sessionId} and version = ${version} returning user_id`;
  const rows = await sql`
    with ${noSync(sql)}, written as (${written}) ${receipt === null ? sql`` : messages.queuedToOwner(sql, receipt)}
    ${now.unfinished === undefined ? sql`` : unfinished.storeCte(sql, now.unfinished, { userId, dialCode })}
    select user_id from written`;
  return rows.length === 1;
}

/**
 * Notes, once, that the answer of this version leaves the shop now, and the digest of a request that only got it again.
 * Does nothing once another request has written or held the session.
 */
export async function noteLeft(
  { $client: sql }: Pick<Db, "$client">,
  { sessionId, version }: Pick<Place, "sessionId" | "version">,
  repeatMac: string | null,
): Promise<void> {
  await sql`
    with ${noSync(sql)}
    update ussd_sessions set repeat_mac = coalesce(${repeatMac}::text, repeat_mac),
      left_after_ms = coalesce(left_after_ms, floor(extract(epoch from now() - updated_at) * 1000)::int)
    from no_sync where id = ${sessionId} and version = ${version}`;
}

/**
 * SQL for a single-statement transaction whose commit need not reach the disk before its answer. (A later commit that
 * does wait for the disk flushes it as well.)
 */
function noSync(sql: Sql): Fragment {
  return sql`no_sync as materialized (select set_config('synchronous_commit', 'off', true))`;
}

/** An order placed in a session whose process ended before it could write the answer. */
export type Orphan = { sessionId: string; orderId: number };

/**
 * Sessions that were locked when their process ended, and in which an order was placed since their last answer; one may
 * have placed and answered others before.
 */
export async function orphans({ $client: sql }: Db): Promise<Orphan[]> {
  const rows = await sql<Orphan[]>`
    select s.id as "sessionId", i.order_id as "orderId"
    from ussd_sessions s
    join idempotency i on i.user_id = s.user_id and i.scope = ${KEY_SCOPE} and i.order_id is not null
      and starts_with(i.key, 'ussd:' || s.id || ':') and i.created_at > s.updated_at
    where s.busy_until < now() and s.counted_at is null and s.started_at > now() - interval '1 day'
    limit 100`;
  return [...rows];
}

/** Ends such a session as bought and queues its receipt, once. */
export async function adopt({ $client: sql }: Db, sessionId: string, receipt: string): Promise<void> {
  await sql`
    with written as (
      update ussd_sessions set state = 'bought', busy_until = null, version = version + 1,
        path = path || 'bought'::text, updated_at = now(), ended_at = now()
      where id = ${sessionId} and busy_until < now() returning user_id)
    ${messages.queuedToOwner(sql, receipt)}
    select user_id from written`;
}

/** Records an internal fault in a session's figures; for an unknown session there is only the log. */
export async function noteFault({ $client: sql }: Db, sessionId: string): Promise<void> {
  await sql`
    update ussd_sessions set stumbles = stumbles || 'failure'::text where id = ${sessionId} and counted_at is null`;
}

/** The gateway's report of a session's end, without what was typed. */
export type EndReport = {
  sessionId: string;
  msisdn: string;
  status: string;
  durationMs: number | null;
};

/** Stores the first report of a session's end; ignores one for an unknown session or another phone. */
export async function end({ $client: sql }: Db, report: EndReport): Promise<void> {
  await sql`
    update ussd_sessions set end_status = ${report.status}, duration_ms = ${report.durationMs}, ${forgetPins(sql)}
    where id = ${report.sessionId} and msisdn = ${report.msisdn} and end_status is null`;
}

/** The gateway's report that a session was cut off: by its caller, or by the network's time limit. */
export type CutReport = { sessionId: string; msisdn: string; status: "Release" | "Timeout" };

/**
 * Ends a session that was cut off: it cannot continue, and counts as left unless we had ended it before. Ignores an
 * unknown session or another phone.
 */
export async function cutOff({ $client: sql }: Db, { sessionId, msisdn, status }: CutReport): Promise<void> {
  await sql`
    update ussd_sessions
    set end_status = case when ended_at is null then ${status} else 'Success' end,
      ended_at = coalesce(ended_at, now()), ${forgetPins(sql)}
    where id = ${sessionId} and msisdn = ${msisdn} and end_status is null`;
}

/** What a session keeps of a chosen PIN between its screens is worth nothing once it has ended. */
function forgetPins(sql: Sql): Fragment {
  return sql`context = context - 'pinChange' - 'registering'`;
}

// biome-ignore lint/suspicious/noExplicitAny: the columns of the read above.
function sessionOf<Context>(row: Record<string, any>): Session<Context> {
  return {
    msisdn: row.msisdn,
    serviceCode: row.service_code,
    userId: row.user_id,
    state: row.state,
    context: row.context,
    cursor: row.cursor_mac === null ? null : { length: row.cursor_length, mac: row.cursor_mac },
    answer: row.answer,
    leftMsAgo: row.left_ms_ago,
    repeatMac: row.repeat_mac,
    hops: row.hops,
    version: row.version,
    isBusy: row.is_busy,
    isOver: row.is_over,
  };
}
