// Sessions by USSD as rows: read with whoever dialled, held while something is changed for them, and written with the
// screen that was shown. A row is written by its version, so that of two requests at once one is overtaken and looks again.
// No connection is held meanwhile: what a session does takes connections of its own, and a pool that waits for itself
// would stand still.
import type { Db, Sql } from "../../../db/connect.ts";
import type { UserStatus } from "../../shared/domain.ts";
import type { KnownPin } from "../identity/pins.ts";
import * as messages from "../messaging/messages.ts";
import * as unfinished from "../orders/unfinished-purchases.ts";

/** How far the text of a session was read: its length, and a keyed digest of it. Of what was typed nothing is kept. */
export type Cursor = { length: number; mac: string };

export type Session<Context> = {
  msisdn: string;
  serviceCode: string;
  userId: number | null;
  state: string;
  context: Context;
  /** Null while the first answer is not written. */
  cursor: Cursor | null;
  answer: string | null;
  hops: number;
  version: number;
  /** Somebody is changing something for it at this moment. */
  isBusy: boolean;
  /** We said the last word, or it is too old to go on. */
  isOver: boolean;
};

/** Whose phone it is at this moment. */
export type Owner = { userId: number; status: UserStatus; pin: KnownPin | null };

export type Seen<Context> = {
  session: Session<Context> | null;
  owner: Owner | null;
  /** Of a phone that has no such session yet: how many it opened of late. */
  recentCount: number;
};

/** A session lasts three minutes at most at any operator; after this nobody goes on with it, and it is counted. */
export const SESSION_MINUTES = 10;
/** Longer than a request may take. */
const HOLD_SECONDS = 10;

/** What is known before a request of a session is answered, in one read. */
export async function look<Context>(
  { $client: sql }: Pick<Db, "$client">,
  { sessionId, msisdn }: { sessionId: string; msisdn: string },
): Promise<Seen<Context>> {
  const [row] = await sql`
    select u.id as owner_id, u.status as owner_status,
           pins.digest as pin_digest, pins.msisdn as pin_msisdn, coalesce(pins.locked_until > now(), false) as pin_is_locked,
           coalesce(recent.count, 0)::int as recent_count,
           s.msisdn, s.service_code, s.user_id, s.state, s.context, s.cursor_length, s.cursor_mac, s.answer, s.hops,
           s.version, coalesce(s.busy_until > now(), false) as is_busy,
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
  return {
    session: found.state === null ? null : sessionOf<Context>(found),
    owner:
      found.owner_id === null
        ? null
        : { userId: found.owner_id, status: found.owner_status, pin: pinIn(found) },
    recentCount: found.recent_count,
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

/** The key of what is done in answer to a word of a session, the same however often the request comes. */
export function keyOf(sessionId: string, word: number): { scope: typeof KEY_SCOPE; key: string } {
  return { scope: KEY_SCOPE, key: `ussd:${sessionId}:${word}` };
}

/** Which row is meant, as of which version; 0 for one that is not there yet. */
export type Place = {
  sessionId: string;
  msisdn: string;
  serviceCode: string;
  userId: number | null;
  version: number;
};

/**
 * Keeps everybody else away from a session while something is changed for it, at most for some seconds: the row of a
 * process that died comes back. Null when somebody else was first.
 */
export async function hold({ $client: sql }: Db, place: Place, state: string): Promise<Place | null> {
  const { sessionId, msisdn, serviceCode, userId, version } = place;
  const until = sql`now() + make_interval(secs => ${HOLD_SECONDS})`;
  const rows =
    version === 0
      ? await sql`
          with ${unhurried(sql)}
          insert into ussd_sessions (id, msisdn, service_code, user_id, state, version, busy_until)
          select ${sessionId}, ${msisdn}, ${serviceCode}, ${userId}::bigint, ${state}, 1, ${until} from unhurried
          on conflict do nothing returning version`
      : await sql`
          with ${unhurried(sql)}
          update ussd_sessions set busy_until = ${until}, version = version + 1 from unhurried
          where id = ${sessionId} and version = ${version} and (busy_until is null or busy_until <= now())
          returning version`;
  return rows[0] ? { ...place, version: rows[0].version } : null;
}

/** What a session is after an answer. */
export type Written<Context> = {
  state: string;
  context: Context;
  cursor: Cursor;
  answer: string;
  /** The screens whose answer was not understood in this request. */
  stumbles: readonly string[];
  isEnd: boolean;
  /** An SMS to the account's phone about what was just bought: the last screen of a session is easily lost. */
  receipt: string | null;
  /** What is kept as unfinished from now on (null: nothing any more), where that has changed. */
  unfinished?: Unfinished | null;
};

/**
 * Writes an answer with all that follows from it. False when somebody else has written the session meanwhile: then nothing
 * was. What the power takes with it is read and answered anew, because how far the text was read is taken, too.
 */
export async function write<Context>(
  { $client: sql }: Pick<Db, "$client">,
  place: Place,
  now: Written<Context>,
): Promise<boolean> {
  const { sessionId, msisdn, serviceCode, userId, version } = place;
  const { state, cursor, answer, isEnd, receipt } = now;
  const context = JSON.stringify(now.context);
  const stumbles = sql`array(select json_array_elements_text(${JSON.stringify(now.stumbles)}::text::json))`;
  const written =
    version === 0
      ? sql`
          insert into ussd_sessions (id, msisdn, service_code, user_id, state, context, cursor_length, cursor_mac, answer,
                                     hops, version, path, stumbles, ended_at)
          select ${sessionId}, ${msisdn}, ${serviceCode}, ${userId}::bigint, ${state}, ${context}::text::jsonb,
                 ${cursor.length}::int, ${cursor.mac}, ${answer}, 1, 1, array[${state}::text], ${stumbles},
                 case when ${isEnd}::boolean then now() end
          from unhurried on conflict do nothing returning user_id`
      : sql`
          update ussd_sessions set state = ${state}, context = ${context}::text::jsonb, cursor_length = ${cursor.length},
            cursor_mac = ${cursor.mac}, answer = ${answer}, hops = hops + 1, version = version + 1, busy_until = null,
            path = path || ${state}::text, stumbles = stumbles || ${stumbles},
            updated_at = now(), ended_at = case when ${isEnd}::boolean then now() end
          from unhurried where id = ${sessionId} and version = ${version} returning user_id`;
  const rows = await sql`
    with ${unhurried(sql)}, written as (${written}) ${receipt === null ? sql`` : messages.queuedToOwner(sql, receipt)}
    ${now.unfinished === undefined ? sql`` : unfinished.kept(sql, now.unfinished, serviceCode)}
    select user_id from written`;
  return rows.length === 1;
}

/**
 * SQL for a statement of its own whose commit need not reach the disk before it is answered. (What is committed after it
 * and does wait for the disk takes it along.)
 */
function unhurried(sql: Sql): Fragment {
  return sql`unhurried as materialized (select set_config('synchronous_commit', 'off', true))`;
}

/** An order that was placed in a session by a process that ended before it could write that down. */
export type Orphan = { sessionId: string; orderId: number };

/** Sessions that were held when their process ended, and in which something was bought. */
export async function orphans({ $client: sql }: Db): Promise<Orphan[]> {
  const rows = await sql<Orphan[]>`
    select s.id as "sessionId", i.order_id as "orderId"
    from ussd_sessions s
    join idempotency i on i.user_id = s.user_id and i.scope = ${KEY_SCOPE} and i.order_id is not null
      and starts_with(i.key, 'ussd:' || s.id || ':')
    where s.busy_until < now() and s.counted_at is null and s.started_at > now() - interval '1 day'
    limit 100`;
  return [...rows];
}

/** Writes down that something was bought in a session that its process could not finish, with the SMS about it, once. */
export async function adopt({ $client: sql }: Db, sessionId: string, receipt: string): Promise<void> {
  await sql`
    with written as (
      update ussd_sessions set state = 'bought', busy_until = null, version = version + 1,
        path = path || 'bought'::text, updated_at = now(), ended_at = now()
      where id = ${sessionId} and busy_until < now() returning user_id)
    ${messages.queuedToOwner(sql, receipt)}
    select user_id from written`;
}

/** Notes that a request of a session failed through a fault of ours; one that is not known is in the log alone. */
export async function noteFault({ $client: sql }: Db, sessionId: string): Promise<void> {
  await sql`
    update ussd_sessions set stumbles = stumbles || 'failure'::text where id = ${sessionId} and counted_at is null`;
}

/** What the gateway says when a session is over, without what was typed. */
export type EndReport = {
  sessionId: string;
  msisdn: string;
  status: string;
  durationMs: number | null;
};

/** Keeps the first report of a session's end; one about an unknown session, or from another phone, is nothing to us. */
export async function end({ $client: sql }: Db, report: EndReport): Promise<void> {
  await sql`
    update ussd_sessions set end_status = ${report.status}, duration_ms = ${report.durationMs}
    where id = ${report.sessionId} and msisdn = ${report.msisdn} and end_status is null`;
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
    hops: row.hops,
    version: row.version,
    isBusy: row.is_busy,
    isOver: row.is_over,
  };
}
