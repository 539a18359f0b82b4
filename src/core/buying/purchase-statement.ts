// The purchase statement: one SQL statement that checks, charges, records and queues any number of order lines. A
// single purchase is one group of one line, a bulk order one group of up to ten thousand, and concurrent purchases are
// many groups in one statement. Each group is placed whole or not at all, with a verdict of its own.
import { type Db, handleOf, type Sql } from "../../../db/connect.ts";
import { limits, type Operator } from "../../shared/domain.ts";
import { currentOperator } from "../../shared/operators.ts";
import { priceNow } from "../catalog/prices.ts";
import { IS_FROZEN } from "../ledger/freezing.ts";
import { DAY_LEFT, HOUR_LEFT, hourCounted } from "../ledger/limits.ts";
import { isWaiting } from "../ledger/waits.ts";
import { IN_ACCRA_NOW, KEY_LEFT } from "../orders/key-caps.ts";
import { DEFAULTS, DELIVER_BY } from "../platform/settings/settings.ts";
import { arrayLiteral } from "../platform/sql.ts";
import { closesPurchase } from "../platform/switches.ts";
import {
  type BulkRow,
  bulkVerdictOf,
  type PurchaseGroup,
  type PurchaseRow,
  type Verdict,
  verdictOf,
} from "./purchase-groups.ts";

/** Runs the statement for these groups; returns their verdicts in the same order. */
export async function place(db: Db, groups: PurchaseGroup[]): Promise<Verdict[]> {
  return runStatement(db.$client, groups);
}

/**
 * As `place`, for groups of one buyer, with the wallet locked first (waiting up to `lockWaitMs`), so that no verdict is
 * stale. Each group's `alongside` runs in the same transaction. `beforeCommit` gets the verdicts; if it throws, nothing
 * is placed.
 */
export async function placeLockedFirst(
  db: Db,
  groups: PurchaseGroup[],
  lockWaitMs: number,
  beforeCommit: (verdicts: Verdict[]) => void,
): Promise<Verdict[]> {
  return db.transaction(async (tx) => {
    const handle = handleOf(tx);
    await handle`
      select 1 from wallets
      where user_id = ${groups[0]!.userId} and set_config('lock_timeout', ${`${lockWaitMs}ms`}, true) <> ''
      for update`;
    const verdicts = await runStatement(handle, groups);
    for (const [g, verdict] of verdicts.entries())
      if (verdict.kind === "placed") await groups[g]!.alongside?.(tx, verdict);
    beforeCommit(verdicts);
    return verdicts;
  });
}

async function runStatement(sql: Sql, groups: PurchaseGroup[]): Promise<Verdict[]> {
  const { parameters, offerOfLine } = parametersOf(groups);
  const isLarge = offerOfLine.length > LINES_OF_ONE_PLAN;
  const [first] = groups;
  const texts = groups.some(({ keyId }) => keyId !== undefined) ? BY_KEY : BY_PERSON;
  const text = first?.bulk ? (isLarge ? texts.largeBulkOrder : texts.bulkOrder) : texts.singlePurchases;
  const rows = (await sql.unsafe(text, parameters, {
    prepare: !isLarge && (sql.options?.prepare ?? true),
  })) as unknown[];
  if (!first?.bulk) return (rows as PurchaseRow[]).map((row, g) => verdictOf(row, groups[g]!));
  return [bulkVerdictOf((rows as BulkRow[])[0]!, first, offerOfLine)];
}

/** The moment of the verdict: the transaction may have waited for the wallet since it began. */
const PLACED_AT = "statement_timestamp()";

const IS_RECENT = `d.status <> 'FAILED' and d.created_at > now() - interval '${limits.duplicateWindowMinutes} minutes'`;

/**
 * Whether the buyer has a recent order of a line's bundle for its number, looked up line by line. "+ 0" keeps the
 * planner from reading all of the buyer's orders, which it expects to be few in a new shop.
 */
const RECENT_BY_LINE = `(
             select true from orders d
             where d.user_id + 0 = a.user_id and d.msisdn = l.msisdn and d.product_id = p.product_id
               and ${IS_RECENT} limit 1)`;

/**
 * The same for thousands of lines, whose numbers are looked up at once, in a fraction of the time. The array is made in
 * the statement, so that the planner expects ten numbers and uses their index.
 */
const RECENT_AT_ONCE = `(a.user_id, l.msisdn, p.product_id) in (
             select d.user_id, d.msisdn, d.product_id from orders d
             where d.msisdn = any(array(select msisdn from line)) and ${IS_RECENT})`;

/**
 * Whether the buyer has an order with a line's reference. Its wallet is locked and what this statement reads about it
 * is not too old, or its verdict is not taken: so no other can come in between, and the unique index agrees.
 */
export const IS_REFERENCE_USED = `(
             select true from orders d where d.user_id = a.user_id and d.reference = l.reference limit 1)`;

/** `bulkRow` writes the row of a bulk order, `bulkVerdict` refuses one; `lines` is how many lines a group has. */
type Variant = { bulkRow: string; bulkVerdict: string; isRecent: string; lines: string };

/** Groups of one line. */
const OF_SINGLE: Omit<Variant, "isRecent"> = { bulkRow: "", bulkVerdict: "", lines: "1" };

const BULK_ROW = `
bulk as (
  insert into bulk_orders (id, user_id, lines, amount_pesewas, channel, reference, metadata, is_reference_unique,
                           created_at)
  select s.bulk_order_id, s.user_id, s.orders, s.amount, s.channel, a.reference, a.metadata::jsonb,
         (a.is_reference_unique and a.reference is not null) or null, ${PLACED_AT}
  from (select g, bulk_order_id, user_id, channel, sum(orders) as orders, sum(amount) as amount
        from sold where bulk_order_id is not null group by g, bulk_order_id, user_id, channel) s
  join request a on a.g = s.g
),
`;

const BULK_VERDICT = `
           when a.is_reference_unique and (select true from bulk_orders b
                                           where b.user_id = a.user_id and b.reference = a.reference limit 1)
             then 'order.reference_used'`;

/** One group of many lines. */
const OF_BULK: Omit<Variant, "isRecent"> = {
  bulkRow: BULK_ROW,
  bulkVerdict: BULK_VERDICT,
  lines: "count(*)::int",
};

// What only purchases by an API key need: its limit of the day, and the count of what it spends. Statements without
// such a purchase do not have these parts, and are as fast as if there were no keys.

/** Pieces of the statement by their place in it; all empty without a key. */
type KeyParts = {
  parameter: string;
  column: string;
  keys: string;
  judged: string;
  joined: string;
  fits: string;
  settled: string;
  decided: string;
  summed: string;
  answer: string[];
};

export const WITHOUT_KEY: KeyParts = {
  ...{ parameter: "", column: "", keys: "", judged: "", joined: "" },
  ...{ fits: "", settled: "", decided: "", summed: "", answer: [] },
};

/**
 * Keys that replaced each other count together, also when both are used in one statement. A key's purchases are its
 * owner's, whose wallet is locked: no other purchase by it can be under way, and one before has made this one stale.
 */
const WITH_KEY: KeyParts = {
  parameter: ", $25::bigint[]",
  column: ", key_id",
  keys: `
api_key as materialized (
  select k.id, coalesce(k.first_id, k.id) as first_id, ${KEY_LEFT} as key_left
  from api_keys k where k.id = any($25::bigint[])
),`,
  judged: ", a.key_id, k.first_id, k.key_left",
  joined: "left join api_key k on k.id = a.key_id",
  fits: `
         and (j.key_left is null or j.key_left - sum(j.total) filter (where j.verdict is null)
           over (partition by j.first_id order by j.g) >= 0)`,
  settled: `,
         (f.key_left - coalesce(sum(f.total) filter (where f.fits) over (partition by f.first_id), 0))::bigint
           as key_left_after`,
  decided: ", f.key_id, f.first_id, f.key_left_after as key_left",
  summed: `
key_summed as (
  insert into api_key_days as d (key_id, day, amount_pesewas)
  select first_id, ${IN_ACCRA_NOW}, sum(amount) from decided
  where fits and first_id is not null group by first_id order by first_id
  on conflict (key_id, day) do update set amount_pesewas = d.amount_pesewas + excluded.amount_pesewas
),`,
  answer: ["key_left"],
};

const OF_BUYER = { user: "d.user_id", tier: "d.tier_id", hasOwn: "d.has_own_prices" };

/** All but the answer. `byKey`: some purchases are by API key. */
const decidedAndWritten = ({ bulkRow, bulkVerdict, isRecent, lines }: Variant, byKey: KeyParts) => `
with
-- 1. The requests: groups (an order, or a bulk order) and their lines.
request as materialized (
  select n::int - 1 as g, r.*
  from unnest((select $1::bigint[]), $2::text[], $3::bool[], $4::bool[],
              $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bool[]${byKey.parameter})
    with ordinality as r(user_id, channel, bulk, allow_duplicate, scope, key, fingerprint, reference, metadata,
                         is_reference_unique${byKey.column}, n)
),${byKey.keys}
line as materialized (
  select l.*
  from unnest((select $11::int[]), $12::int[], $13::text[], $14::int[], $15::text[], $16::bigint[], $17::bool[],
              $18::bool[], $19::text[], $20::text[], $21::text[])
    with ordinality as l(g, offer, msisdn, quantity, operator, expected, is_repeated, has_twin, reference, metadata,
                         once, n)
),
-- The settings of an order, read once.
terms as materialized (
  select ${DELIVER_BY} as deliver_by,
         now() + make_interval(secs => coalesce(
           (select (value #>> '{}')::float8 from settings where key = 'dispatch_hold_seconds'),
           ${DEFAULTS.dispatch_hold_seconds})) as dispatch_at
),

-- 2. Lock each wallet once, always in the same order, so that two statements cannot deadlock.
--    The locked read sees the newest row; the plain read sees the row as it was when this statement began. Where they
--    differ, money was moved or an order written in between, and everything else this statement reads about that buyer
--    is too old. It must not even write: Postgres first checks the new row as computed from the old one, and after a
--    credit in between would refuse it as a balance below zero.
--    Wallets locked by others are skipped, so that other buyers need not wait for them, and no other wait is long.
--    ($24 repeats the buyers, because Postgres uses the index for an array and would scan the table for a join.)
seen as materialized (
  select w.user_id, w.version, u.status, u.tier_id, u.has_own_prices from wallets w join users u on u.id = w.user_id
  where w.user_id = any($24::bigint[]) and u.id = any($24::bigint[])
),
wallet as materialized (
  select user_id, balance_pesewas as balance, held_pesewas as held, version, notify_purchases,
         low_balance_pesewas as low_balance, is_capped, day_max_pesewas, hour_orders_max, hour_at, hour_orders,
         is_frozen, frozen_until
  from wallets
  where user_id = any($24::bigint[]) and (select set_config('lock_timeout', coalesce(
    nullif(current_setting('lock_timeout'), '0'), '2s'), true)) <> ''
  order by user_id for update skip locked
),

-- 3. Each product for each buyer, once however many lines name it: its price, and whether it can be bought.
offer as materialized (
  select w.n::int as n, p.id as product_id, d.user_id, d.tier_id, p.operator, p.family, p.name, p.size, p.volume_mb,
         p.cost_pesewas, c.price_pesewas,
         is_paused(p.paused_message, p.paused_until) or is_paused(o.paused_message, o.paused_until)
           or c.price_pesewas < coalesce(p.lowest_price_pesewas, 0) as is_paused
  from unnest((select $22::bigint[]), $23::bigint[]) with ordinality as w(user_id, product_id, n)
  -- Each has one; an inner join, Postgres expects, leaves hardly any.
  left join seen d on d.user_id = w.user_id
  join products p on p.id = w.product_id and p.retired_at is null and p.line = 'bundle'
  join operators o on o.code = p.operator
  cross join lateral (
    select ${priceNow({ ...OF_BUYER, product: "p.id" }, PLACED_AT)} as price_pesewas
    -- Evaluated once, though it is used twice.
    offset 0) c
),

-- 4. Each line against its offer: its amount, and why it is refused, in order of precedence.
priced as materialized (
  select l.n, l.g, a.user_id, a.channel, a.bulk, l.msisdn, l.quantity,
         p.product_id, p.operator, p.family, p.name, p.size, p.volume_mb, p.price_pesewas, p.tier_id, p.cost_pesewas,
         p.price_pesewas * l.quantity as amount, p.cost_pesewas * l.quantity as cost,
         l.reference, l.metadata, l.once,
         case
           when p.product_id is null then 'product.not_found'
           when l.operator <> p.operator then 'order.operator_mismatch'
           when p.is_paused then 'product.paused'
           when l.expected <> p.price_pesewas * l.quantity then 'order.price_changed'
           when l.once = 'repeated' or (l.once is not null and ${IS_REFERENCE_USED})
             then 'order.reference_used'
           when a.allow_duplicate then null
           when l.is_repeated then 'order.duplicate'
           when ${isRecent}
             then 'order.duplicate'
         end as refusal,
         -- The same bundle for the same number, or a reference that is wanted once, in an earlier group of this
         -- statement: left to the next statement.
         (not a.allow_duplicate and l.has_twin) or l.once = 'twin' as has_twin
  from line l
  left join request a on a.g = l.g
  left join offer p on p.n = l.offer
),

-- 5. Each group: its buyer, whether its key is known, whether a line is refused. Null: only money can still refuse it.
judged as materialized (
  select a.g, a.user_id, a.bulk, s.total, s.lines, w.balance, w.held, w.notify_purchases, w.low_balance,
         ${DAY_LEFT} as day_left, ${HOUR_LEFT} as hour_left${byKey.judged},
         case
           when seen.status is distinct from 'ACTIVE' then 'auth.banned'
           when w.user_id is null or seen.version <> w.version then 'stale'
           when (select true from idempotency i
                 where i.user_id = a.user_id and i.scope = a.scope and i.key = a.key limit 1) then 'known'
           when ${closesPurchase("a.channel")} then 'service.closed'
           when ${IS_FROZEN} then 'account.frozen'
           when ${isWaiting("a.user_id", "a.channel")} then 'account.waits'${bulkVerdict}
           when s.refused then 'lines'
           when s.has_twin then 'again'
         end as verdict
  from request a
  join (select g, sum(amount)::bigint as total, ${lines} as lines, bool_or(refusal is not null) as refused,
               bool_or(has_twin) as has_twin
        from priced group by g) s on s.g = a.g
  left join wallet w on w.user_id = a.user_id
  left join seen on seen.user_id = a.user_id
  ${byKey.joined}
),

-- 6. Money, first come, first served: a group that the balance less held money cannot pay, or a limit of the day or
--    the hour does not allow, is left out as a whole. ("least" passes over the limit that there is not.)
fitting as materialized (
  select j.*,
         j.verdict is null
         and least(j.balance - j.held, j.day_left) - sum(j.total) filter (where j.verdict is null)
           over (partition by j.user_id order by j.g) >= 0
         and (j.hour_left is null or j.hour_left - sum(j.lines) filter (where j.verdict is null)
           over (partition by j.user_id order by j.g) >= 0)${byKey.fits} as fits,
         case when j.bulk then nextval('bulk_orders_id_seq') end as bulk_order_id
  from judged j
),

-- 7. What the groups before have spent of a buyer's money, and what is left after all of them.
settled as materialized (
  select f.*${byKey.settled},
         f.balance - coalesce(sum(f.total) filter (where f.fits) over (
           partition by f.user_id order by f.g rows between unbounded preceding and 1 preceding), 0) as balance_before,
         (f.balance - coalesce(sum(f.total) filter (where f.fits) over buyer, 0))::bigint as balance_left,
         (f.day_left - coalesce(sum(f.total) filter (where f.fits) over buyer, 0))::bigint as day_left_after
  from fitting f
  window buyer as (partition by f.user_id)
),

-- 8. Every line with its verdict; placed ones get their order id and the balance after them. Buyers' money is spent in
--    the order of the groups, and a group's in the order of its lines.
decided as materialized (
  select case when d.fits then nextval('orders_id_seq') end as order_id, d.*
  from (
    select p.*, f.fits, f.verdict, f.total, f.held, f.notify_purchases, f.low_balance,
           case when f.fits then f.bulk_order_id end as bulk_order_id,
           (f.balance_before - sum(p.amount) over (
             partition by p.g order by p.n rows unbounded preceding))::bigint as balance_after,
           f.balance_left, f.day_left_after as day_left, f.hour_left${byKey.decided}
    from priced p join settled f on f.g = p.g
    order by p.g, p.n
  ) d
),
-- What is placed, added up once for all that need its sums.
sold as materialized (
  select g, user_id, bulk, bulk_order_id, channel, notify_purchases, operator, min(order_id) as order_id,
         count(*)::int as orders, sum(amount)::bigint as amount,
         sum(coalesce(volume_mb, 0)::bigint * quantity) as volume_mb
  from decided where fits
  group by g, user_id, bulk, bulk_order_id, channel, notify_purchases, operator
),

-- 9. Write: the wallets, the orders, one transfer and one job per order, the key, and the daily totals.
charged as (
  update wallets w set balance_pesewas = w.balance_pesewas - c.total, version = w.version + 1,
    ${hourCounted("c.orders")}
  from (select user_id, sum(amount) as total, sum(orders)::int as orders from sold group by user_id) c
  where w.user_id = c.user_id and w.user_id = any($24::bigint[])
),
${bulkRow}ordered as (
  insert into orders (id, user_id, bulk_order_id, product_id, operator, family, product_name, product_size, volume_mb,
                      unit_price_pesewas, quantity, amount_pesewas, tier_id, cost_pesewas, msisdn, channel,
                      payment_method, paid_at, created_at, updated_at, deliver_by, reference, metadata,
                      is_reference_unique${byKey.column})
  select order_id, user_id, bulk_order_id, product_id, operator, family, name, size, volume_mb,
         price_pesewas, quantity, amount, tier_id, cost, msisdn, channel, 'wallet',
         ${PLACED_AT}, ${PLACED_AT}, ${PLACED_AT}, (select deliver_by from terms),
         reference, metadata::jsonb, once is not null or null${byKey.column}
  from decided where fits
),${byKey.summed}
transferred as (
  insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas, by_user_id)
  select user_id, 'wallet', 'sales', amount, 'charge', order_id, balance_after, user_id
  from decided where fits
),
-- The jobs that dispatch, and notices by SMS that the buyer chose, for the worker to write: a group was accepted, or
-- little is left to spend. The locked wallets hold the choice, so that nothing more is read for buyers without notices;
-- purchases by phone get a receipt anyway. Exactly one charged line crosses from above the low-balance amount to below
-- it, until the balance is above it again.
queued as (
  insert into jobs (kind, subject_id, run_at)
  select 'dispatch_order', order_id, (select dispatch_at from terms)
  from decided where fits
  union all
  select 'tell_accepted', min(order_id), now() from sold
  where notify_purchases and channel not in ('ussd', 'sms') group by g
  union all
  select 'tell_balance_low', order_id, now() from decided
  where fits and balance_after - held < low_balance and balance_after - held + amount >= low_balance
),
keyed as (
  insert into idempotency (user_id, scope, key, fingerprint, order_id, bulk_order_id)
  select a.user_id, a.scope, a.key, a.fingerprint, case when not a.bulk then d.order_id end, d.bulk_order_id
  from request a
  join (select g, min(order_id) as order_id, min(bulk_order_id) as bulk_order_id from sold group by g) d on d.g = a.g
  where a.key is not null
),
summed as (
  insert into user_days as d (user_id, day, operator, orders, amount_pesewas, volume_mb)
  select user_id, (${PLACED_AT} at time zone 'Africa/Accra')::date, operator,
         sum(orders), sum(amount), sum(volume_mb)
  from sold group by user_id, operator order by user_id, operator
  on conflict (user_id, day, operator) do update set
    orders = d.orders + excluded.orders,
    amount_pesewas = d.amount_pesewas + excluded.amount_pesewas,
    volume_mb = d.volume_mb + excluded.volume_mb
),
summed_for_all as (
  insert into shop_day_deltas (day, operator, orders, amount_pesewas, volume_mb)
  select (${PLACED_AT} at time zone 'Africa/Accra')::date, operator,
         sum(orders), sum(amount), sum(volume_mb)
  from sold group by operator
),
counted as (
  insert into order_count_deltas (status, delta)
  select 'PENDING', sum(orders) from sold having count(*) > 0
)`;

const COMMON = ["verdict", "total", "balance_left", "held", "day_left", "hour_left"];

/** The columns of a verdict; of what a bulk order's lines have in common, any will do. */
const verdictColumns = ({ answer }: KeyParts, of: (column: string) => string) => `
  ${[...COMMON, ...answer].map((column) => `${of(column)} as ${column}`).join()},
  ${PLACED_AT} as placed_at, (select deliver_by from terms) as deliver_by`;

/** A row for each purchase. */
const singlePurchases = (byKey: KeyParts) => `${decidedAndWritten({ ...OF_SINGLE, isRecent: RECENT_BY_LINE }, byKey)}
select ${verdictColumns(byKey, (column) => column)}, refusal, order_id, balance_after,
       operator, family, name, size, volume_mb, price_pesewas, tier_id, cost_pesewas
from decided order by n`;

/** One row: the driver takes longer to read ten thousand than Postgres to write the orders. */
const bulkOrder = (byKey: KeyParts, isRecent: string) => `${decidedAndWritten({ ...OF_BULK, isRecent }, byKey)}
select ${verdictColumns(byKey, (column) => `min(${column})`)}, min(bulk_order_id) as bulk_order_id,
       string_agg(order_id::text, ',' order by n) as order_ids,
       json_agg(json_build_array(n - 1, refusal) order by n) filter (where refusal is not null) as refusals,
       (select json_agg(o) from offer o) as offers
from decided`;

/** Above this a statement is planned for its own number of lines, which takes some milliseconds. */
const LINES_OF_ONE_PLAN = 200;

/**
 * The statement for single purchases, for a bulk order, and for a large one: there the planner sees how long the
 * arrays are. Behind a subquery it expects ten elements, whatever they are, so that one prepared plan does; but it
 * would compare each of ten thousand lines with every offer.
 */
const textsWith = (byKey: KeyParts) => ({
  singlePurchases: singlePurchases(byKey),
  bulkOrder: bulkOrder(byKey, RECENT_BY_LINE),
  largeBulkOrder: bulkOrder(byKey, RECENT_AT_ONCE).replaceAll(/\(select (\$\d+::\w+\[\])\)/g, "$1"),
});

const BY_PERSON = textsWith(WITHOUT_KEY);
const BY_KEY = textsWith(WITH_KEY);

/** The parameters in the statement's order, and the number of each line's product, from 1, among those wanted. */
function parametersOf(groups: readonly PurchaseGroup[]): {
  parameters: string[];
  offerOfLine: number[];
} {
  const { lines, wanted } = columnsOf(groups);
  const columns = [
    groups.map(({ userId }) => userId),
    groups.map(({ channel }) => channel),
    groups.map(({ bulk }) => bulk),
    groups.map(({ allowDuplicate }) => allowDuplicate),
    groups.map(({ key }) => key?.scope),
    groups.map(({ key }) => key?.key),
    groups.map(({ key }) => key?.fingerprint),
    groups.map(({ reference }) => reference),
    groups.map(({ metadata }) => metadata && JSON.stringify(metadata)),
    groups.map(({ isReferenceUnique }) => isReferenceUnique),
    ...Object.values(lines),
    ...Object.values(wanted),
    [...new Set(groups.map(({ userId }) => userId))],
    // Only the statement for purchases by API key has a place for these.
    ...(groups.some(({ keyId }) => keyId !== undefined) ? [groups.map(({ keyId }) => keyId)] : []),
  ];
  return { parameters: columns.map(arrayLiteral), offerOfLine: lines.offer };
}

/** The columns of the lines, and of the products that they want, for each buyer; in the statement's order, too. */
function columnsOf(groups: readonly PurchaseGroup[]) {
  const lines = {
    g: [] as number[],
    /** The number of its product among those wanted. */
    offer: [] as number[],
    msisdn: [] as string[],
    quantity: [] as number[],
    operator: [] as (Operator | null | undefined)[],
    expected: [] as (number | null | undefined)[],
    /** An earlier line of its group has the same product and phone number. */
    isRepeated: [] as boolean[],
    /** A line of another group of this statement has. */
    hasTwin: [] as boolean[],
    reference: [] as (string | undefined)[],
    metadata: [] as (string | undefined)[],
    once: [] as (Once | undefined)[],
  };
  const wanted = { userId: [] as number[], productId: [] as number[] };
  const offers = new Map<string, number>();
  const earlier = new Map<string, { first: number; last: number }>();
  const onceOf = referencesSeen();
  for (const [g, group] of groups.entries()) {
    const { userId } = group;
    for (const { productId, msisdn, quantity, operator, expectedPesewas, reference, metadata } of group.lines) {
      const id = `${userId} ${productId}`;
      let offer = offers.get(id);
      if (offer === undefined) {
        wanted.userId.push(userId);
        offer = wanted.productId.push(productId);
        offers.set(id, offer);
      }
      const same = earlier.get(`${offer} ${msisdn}`);
      earlier.set(`${offer} ${msisdn}`, { first: same?.first ?? g, last: g });
      lines.g.push(g);
      lines.offer.push(offer);
      lines.msisdn.push(msisdn);
      lines.quantity.push(quantity);
      lines.operator.push(operator && currentOperator(operator));
      lines.expected.push(expectedPesewas);
      lines.isRepeated.push(same?.last === g);
      lines.hasTwin.push(same !== undefined && same.first !== g);
      lines.reference.push(reference);
      lines.metadata.push(metadata && JSON.stringify(metadata));
      lines.once.push(reference === undefined ? undefined : onceOf(g, group, reference));
    }
  }
  return { lines, wanted };
}

/**
 * A reference that no other order of its buyer may have: the first in this statement, again in its own group, or in an
 * earlier group that may be placed or not.
 */
type Once = "first" | "repeated" | "twin";

/** Returns a function that notes a line's reference, and says what it is if it is to be the only one. */
function referencesSeen(): (g: number, group: PurchaseGroup, reference: string) => Once | undefined {
  const lastGroup = new Map<string, number>();
  return (g, { userId, isReferenceUnique }, reference) => {
    const id = `${userId} ${reference}`;
    const last = lastGroup.get(id);
    lastGroup.set(id, g);
    if (!isReferenceUnique) return undefined;
    if (last === undefined) return "first";
    return last === g ? "repeated" : "twin";
  };
}
