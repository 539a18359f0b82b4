// The statements that find what a rule looks for. Each begins with the events of a span of time, by an index and no
// more than `eventsMax` of them, and looks at each by its account's own rows. Rounds, the preview and the look before
// routing run the same statement over other spans, so that a preview shows what a rule would have raised.
import { type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import type { SignalEvidence, SignalKind } from "../../shared/signals.ts";

/** The most movements of a wallet after a top-up that are looked at: one bulk order of full length. */
const MOVEMENTS_MAX = 10_000;
/** The most rows of an account that are counted for one event. */
const ROWS_MAX = 100;
/** The most ids that evidence names. */
const IDS_MAX = 20;

export type Span = {
  from: SQL;
  /** Of these accounts only. */
  userIds?: readonly number[] | undefined;
  eventsMax: number;
};

/** What a rule found: a cause with its evidence. */
export type Found = {
  cause: string;
  userId: number;
  at: Date;
  evidence: SignalEvidence;
  /** Anybody can make it happen in this account's name, so that it is noted and does nothing to the account. */
  isForgeable: boolean;
};

export type Finding = {
  found: Found[];
  /** How many events were looked at, and when the last of them happened. */
  events: number;
  lastAt: Date | null;
};

/** What a rule finds in a span, oldest first. `isNew`: without what was raised already. */
export async function find(
  tx: Reads,
  kind: SignalKind,
  parameters: Record<string, number>,
  span: Span,
  { isNew }: { isNew: boolean },
): Promise<Finding> {
  const [row] = await tx.execute<Row>(statementOf(kind, parameters, span, { isNew }));
  return {
    found: row!.found.map((one) => ({ ...one, at: new Date(one.at) })),
    events: row!.events,
    lastAt: row!.last_at === null ? null : new Date(row!.last_at),
  };
}

type Row = { events: number; last_at: string | null; found: (Omit<Found, "at"> & { at: string })[] };

/** The statement of `find`: one row, with what was found as JSON. */
export function statementOf(
  kind: SignalKind,
  parameters: Record<string, number>,
  span: Span,
  { isNew }: { isNew: boolean },
): SQL {
  const { events, judged } = STATEMENTS[kind](parameters, span);
  const raisedAlready = sql`where not exists (
    select from signals s where s.kind = ${kind} and s.cause = found.cause)`;
  return sql`
    with events as materialized (${events} order by at, id limit ${span.eventsMax}),
    found as (${judged})
    select (select count(*) from events)::int as events, (select max(at) from events)::text as last_at,
      coalesce((
        select jsonb_agg(jsonb_build_object('cause', found.cause, 'userId', found.user_id, 'at', found.at,
          'evidence', found.evidence, 'isForgeable', found.is_forgeable) order by found.at, found.cause)
        from found ${isNew ? raisedAlready : sql``}), '[]') as found`;
}

/**
 * `events`: id, user_id, at and what else is needed of each, without an order. `judged`: cause, user_id, at, evidence
 * and is_forgeable of those of `events e` that the rule is about.
 */
type Statement = { events: SQL; judged: SQL };

const STATEMENTS: Record<SignalKind, (p: Record<string, number>, span: Span) => Statement> = {
  young_top_up: ({ accountDays, topUpPesewas, minutes, percent }, span) => ({
    events: sql`
      select t.id, t.user_id, t.created_at as at, t.amount_pesewas,
        floor(extract(epoch from t.created_at - u.created_at) / 3600)::int as account_hours
      from transfers t join users u on u.id = t.user_id
      where t.reason in ('topup', 'claim') and t.amount_pesewas >= ${topUpPesewas}
        and u.created_at > t.created_at - make_interval(days => ${accountDays})
        and ${within(sql`t.created_at`, sql`t.user_id`, span)}`,
    judged: sql`
      select e.id::text as cause, e.user_id, e.at, false as is_forgeable,
        jsonb_build_object('transferId', e.id, 'topUpPesewas', e.amount_pesewas, 'accountHours', e.account_hours,
          'spentPesewas', s.spent, 'purchases', s.purchases, 'minutes', ${minutes}::int,
          'orderIds', s.order_ids) as evidence
      from events e cross join lateral (
        select sum(amount_pesewas) as spent, count(*)::int as purchases,
          (array_agg(subject_id order by id))[1:${IDS_MAX}] as order_ids
        from (select id, reason, amount_pesewas, subject_id, created_at from transfers
              where user_id = e.user_id and id > e.id order by id limit ${MOVEMENTS_MAX}) m
        where m.reason = 'charge' and m.created_at <= e.at + make_interval(mins => ${minutes})) s
      where s.spent * 100 >= e.amount_pesewas * ${percent}`,
  }),
  takeover: ({ hours, lines }, span) => {
    const since = sql`e.at - make_interval(hours => ${hours})`;
    return {
      events: sql`
        select b.id, b.user_id, b.created_at as at, b.lines, b.amount_pesewas from bulk_orders b
        where b.lines >= ${lines} and ${within(sql`b.created_at`, sql`b.user_id`, span)}`,
      judged: sql`
        select e.id::text as cause, e.user_id, e.at, false as is_forgeable,
          jsonb_build_object('bulkOrderId', e.id, 'lines', e.lines, 'amountPesewas', e.amount_pesewas,
            'loginId', l.id, 'loginMinutes', ${minutesSince(sql`l.at`)}, 'pinMinutes', ${minutesSince(sql`p.at`)}
          ) as evidence
        from events e cross join lateral (
          select id, at from logins where user_id = e.user_id and is_new_device and at between ${since} and e.at
          order by at desc, id desc limit 1) l
        cross join lateral (
          select created_at as at from audit_log
          where subject_type = 'user' and subject_id = e.user_id::text
            and action in ('user.pin', 'user.pin_forgotten') and created_at between ${since} and e.at
          order by id desc limit 1) p`,
    };
  },
  // Raised when the count is reached, and again only after it was below in between: one burst is one signal.
  wrong_pins: ({ count, minutes }, span) => ({
    events: sql`
      select w.id, w.user_id, w.at, w.channel from wrong_pins w
      where ${within(sql`w.at`, sql`w.user_id`, span)}`,
    judged: sql`
      select e.id::text as cause, e.user_id, e.at, e.channel = 'sms' as is_forgeable,
        jsonb_build_object('channel', e.channel, 'count', ${count}::int, 'minutes', ${minutes}::int,
          'firstAt', to_char(tries.at[${count}] at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as evidence
      from events e cross join lateral (
        select array(
          select w.at from wrong_pins w
          where w.user_id = e.user_id and w.channel = e.channel and (w.at, w.id) <= (e.at, e.id)
          order by w.at desc, w.id desc limit ${count! + 1}) as at) tries
      where tries.at[${count}] > e.at - make_interval(mins => ${minutes})
        and coalesce(tries.at[${count! + 1}] <= tries.at[2] - make_interval(mins => ${minutes}), true)`,
  }),
  deposits_refused: ({ count, days }, span) => ({
    events: sql`
      select c.id, c.user_id, c.decided_at as at from deposits c
      where c.state = 'refused' and ${within(sql`c.decided_at`, sql`c.user_id`, span)}`,
    judged: counted({
      rows: sql`select id, amount_pesewas from deposits where user_id = e.user_id and state = 'refused'
        and ${before(sql`decided_at`, sql`id`, days!)}`,
      ...{ count: count!, days: days!, ids: "depositIds" },
    }),
  }),
  deposit_repeated: ({ days }, span) => ({
    events: sql`
      select c.id, c.user_id, c.created_at as at, c.transaction_id, c.amount_pesewas from deposits c
      where ${within(sql`c.created_at`, sql`c.user_id`, span)}`,
    judged: sql`
      select e.id::text as cause, e.user_id, e.at, false as is_forgeable,
        jsonb_build_object('depositId', e.id, 'userId', e.user_id, 'amountPesewas', e.amount_pesewas,
          'transactionId', e.transaction_id, 'firstId', f.id, 'firstUserId', f.user_id) as evidence
      from events e cross join lateral (
        select c.id, c.user_id from deposits c
        where c.transaction_id = e.transaction_id and c.id < e.id
          and c.created_at > e.at - make_interval(days => ${days})
          and (c.user_id <> e.user_id or c.decided_at <= e.at and c.state = 'refused')
        order by c.user_id = e.user_id, c.id limit 1) f`,
  }),
  // A report that was refunded because nobody decided it counts as a loss.
  losses: ({ count, days }, span) => ({
    events: sql`
      select * from (
        select l.id, l.id::text as cause, l.user_id, l.created_at as at from losses l
        where l.recovered_at is null and ${within(sql`l.created_at`, sql`l.user_id`, span)}
        union all
        select r.order_id, 'report of ' || r.order_id, r.user_id, r.created_at from automatic_refunds r
        where r.kind = 'not_received' and ${within(sql`r.created_at`, sql`r.user_id`, span)}) e`,
    judged: counted({
      rows: sql`
        select order_id as id, amount_pesewas from losses where user_id = e.user_id
          and recovered_at is null and ${before(sql`created_at`, sql`id`, days!)}
        union
        select order_id, amount_pesewas from automatic_refunds where user_id = e.user_id
          and kind = 'not_received' and ${before(sql`created_at`, sql`order_id`, days!)}`,
      ...{ count: count!, days: days!, ids: "orderIds", cause: sql`e.cause` },
    }),
  }),
  disputes: ({ count, days }, span) => ({
    events: sql`
      select r.id, r.user_id, r.created_at as at from payment_reversals r
      where r.kind = 'chargeback' and ${within(sql`r.created_at`, sql`r.user_id`, span)}`,
    judged: counted({
      rows: sql`select id, amount_pesewas from payment_reversals where user_id = e.user_id and kind = 'chargeback'
        and ${before(sql`created_at`, sql`id`, days!)}`,
      ...{ count: count!, days: days!, ids: "chargebackIds" },
    }),
  }),
};

function within(at: SQL, userId: SQL, { from, userIds }: Span): SQL {
  const ofThese = userIds ? sql`and ${userId} = any(${sql.param([...userIds])}::bigint[])` : sql``;
  return sql`${at} >= ${from} and ${at} <= now() ${ofThese}`;
}

/** Up to the event, and within days before it. */
function before(at: SQL, id: SQL, days: number): SQL {
  return sql`${at} > e.at - make_interval(days => ${days}) and (${at}, ${id}) <= (e.at, e.id)`;
}

type Counted = { rows: SQL; count: number; days: number; ids: string; cause?: SQL };

/** Every event by which an account has at least so many is a cause of its own. */
function counted({ rows, count, days, ids, cause = sql`e.id::text` }: Counted): SQL {
  return sql`
    select ${cause} as cause, e.user_id, e.at, false as is_forgeable,
      jsonb_build_object('count', n.count, 'days', ${days}::int, 'amountPesewas', n.pesewas,
        ${ids}::text, n.ids) as evidence
    from events e cross join lateral (
      select count(*)::int as count, sum(amount_pesewas)::bigint as pesewas,
        (array_agg(id order by id desc))[1:${IDS_MAX}] as ids
      from (${rows} limit ${ROWS_MAX}) r) n
    where n.count >= ${count}`;
}

function minutesSince(at: SQL): SQL {
  return sql`floor(extract(epoch from e.at - ${at}) / 60)::int`;
}
