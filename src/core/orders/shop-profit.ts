// The shop's profit: what paid orders brought in less what they cost, payment fees and losses. An order whose cost is
// not known is in the sales and not in the profit. profit-days.ts counts the days, so that a span costs the same
// however many orders it had.
import { type SQL, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import type { Operator } from "../../shared/domain.ts";
import * as fees from "../ledger/fees.ts";
import { addDays, type DaySpan, daysBetween, today } from "./sales-history.ts";

/** What the profit is shown by. */
export const DIMENSIONS = ["day", "product", "operator", "vendor", "agent", "tier"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export type Profit = {
  orders: number;
  amountPesewas: number;
  /** Of the orders whose cost is known. */
  costPesewas: number;
  /** Orders without a known cost, and their sales, which the profit leaves out. */
  uncostedOrders: number;
  uncostedPesewas: number;
  /** What the payment provider kept, and what was delivered after its refund cost; null where they have none. */
  feesPesewas: number | null;
  lossesPesewas: number | null;
  /** Losses whose cost is not known. */
  uncostedLosses: number;
  /** Negative when more was spent than earned. */
  profitPesewas: number;
  /** Of the sales with a known cost, to one decimal; null without any. */
  marginPercent: number | null;
};

export type ProfitRow = Profit & {
  /** The day, or the id or code of what was sold, who delivered it or who bought it; null for the rest of them. */
  key: string | null;
  name: string;
};

export type SpanProfit = {
  total: Profit;
  /** Of the same number of days, right before them. */
  totalBefore: Profit;
  /** Days of the span that wait for being counted again. */
  waitingDays: number;
};

type Only = { operator?: Operator | undefined };

/** Rows of one dimension; the others are summed in one more. */
const ROWS_MAX = 50;

/** The profit of a span next to the span before it. Of one operator it is before fees and losses, which have none. */
export async function ofSpan(db: Db, span: DaySpan, only: Only = {}): Promise<SpanProfit> {
  const before = {
    first: addDays(span.first, -daysBetween(span.first, span.last)),
    last: addDays(span.first, -1),
  };
  const [days, daysBefore, waitingDays] = await Promise.all([
    byDay(db, span, only),
    byDay(db, before, only),
    countWaiting(db, span),
  ]);
  return { total: totalOf(days, only), totalBefore: totalOf(daysBefore, only), waitingDays };
}

/** The profit of a span by day, newest first, or by what sold most; from the 51st on in one row. */
export async function by(db: Db, dimension: Dimension, span: DaySpan, only: Only = {}): Promise<ProfitRow[]> {
  if (dimension === "day") return (await byDay(db, span, only)).reverse();
  const { key, name, table } = GROUPS[dimension];
  const rows = await db.execute<Sums & { key: string | null; parts: number }>(sql`
    with sums as (
      select ${key} as key, ${SUMS} from ${table} where ${isIn(span, only)} group by 1),
    ranked as (
      select *, least(row_number() over (order by amount desc, key), ${ROWS_MAX + 1}) as place from sums)
    select case when place <= ${ROWS_MAX} then min(key)::text end as key, count(*)::int as parts,
           sum(orders)::bigint as orders, sum(amount)::bigint as amount, sum(cost)::bigint as cost,
           sum(uncosted_orders)::bigint as uncosted_orders, sum(uncosted)::bigint as uncosted
    from ranked group by place order by place`);
  const names = await namesOf(
    db,
    name,
    rows.flatMap((row) => (row.key === null ? [] : [row.key])),
  );
  return rows.map((row) => ({
    key: row.key,
    name: row.key === null ? `${row.parts.toLocaleString("en")} others` : (names.get(row.key) ?? row.key),
    ...profitOf(row, null),
  }));
}

export type TodayProfit = {
  today: Profit;
  yesterday: Profit;
  /** When today was last counted; null before the first time. */
  countedAt: Date | null;
};

/** Today's profit as it was last counted, and all of yesterday's. */
export async function ofToday(db: Db): Promise<TodayProfit> {
  const day = today();
  const [days, [mark]] = await Promise.all([
    byDay(db, { first: addDays(day, -1), last: day }, {}),
    db.execute<{ counted_at: string | null }>(
      sql`select max(counted_at)::text as counted_at from profit_days_stale where day = ${day}::date and is_open`,
    ),
  ]);
  const ofDay = (key: string) =>
    totalOf(
      days.filter((row) => row.key === key),
      {},
    );
  return {
    today: ofDay(day),
    yesterday: ofDay(addDays(day, -1)),
    countedAt: mark?.counted_at ? new Date(mark.counted_at) : null,
  };
}

type Sums = { orders: number; amount: number; cost: number; uncosted_orders: number; uncosted: number };
type Spent = { fees: number; losses: number; uncostedLosses: number };

const SUMS = sql`
  sum(orders)::bigint as orders, sum(amount_pesewas)::bigint as amount, sum(cost_pesewas)::bigint as cost,
  sum(uncosted_orders)::bigint as uncosted_orders, sum(uncosted_pesewas)::bigint as uncosted`;

const NO_SUMS: Sums = { orders: 0, amount: 0, cost: 0, uncosted_orders: 0, uncosted: 0 };

/** Where each dimension stands, and the names of its keys. */
const GROUPS: Record<Exclude<Dimension, "day">, { key: SQL; table: SQL; name: SQL | null }> = {
  product: {
    key: sql`product_id`,
    table: sql`profit_days`,
    name: sql`select id::text as key, name || ' ' || size as name from products`,
  },
  operator: {
    key: sql`operator`,
    table: sql`profit_days`,
    name: sql`select code as key, name from operators`,
  },
  vendor: { key: sql`vendor`, table: sql`profit_days`, name: null },
  agent: {
    key: sql`user_id`,
    table: sql`profit_agent_days`,
    name: sql`select id::text as key, username as name from users`,
  },
  tier: {
    key: sql`tier_id`,
    table: sql`profit_days`,
    name: sql`
      select id::text as key, name || case when deleted_at is null then '' else ' (deleted)' end as name from tiers`,
  },
};

function isIn({ first, last }: DaySpan, { operator }: Only): SQL {
  const isOperators = operator ? sql`and operator = ${operator}` : sql``;
  return sql`day between ${first}::date and ${last}::date ${isOperators}`;
}

async function namesOf(tx: Reads, name: SQL | null, keys: string[]): Promise<Map<string, string>> {
  if (!name || keys.length === 0) return new Map();
  const rows = await tx.execute<{ key: string; name: string }>(
    sql`select key, name from (${name}) n where key = any(${sql.param(keys)}::text[])`,
  );
  return new Map(rows.map((row) => [row.key, row.name]));
}

/** The days of a span that had sales, fees or losses, oldest first. */
async function byDay(db: Db, span: DaySpan, only: Only): Promise<ProfitRow[]> {
  const [rows, spent] = await Promise.all([
    db.execute<Sums & { day: string }>(sql`
      select to_char(day, 'YYYY-MM-DD') as day, ${SUMS} from profit_days where ${isIn(span, only)}
      group by profit_days.day`),
    only.operator ? new Map<string, Spent>() : spentOn(db, span),
  ]);
  const sold = new Map(rows.map((row) => [row.day, row]));
  return [...new Set([...sold.keys(), ...spent.keys()])].sort().map((day) => ({
    key: day,
    name: day,
    ...profitOf(sold.get(day) ?? NO_SUMS, only.operator ? null : (spent.get(day) ?? NOTHING_SPENT)),
  }));
}

const NOTHING_SPENT: Spent = { fees: 0, losses: 0, uncostedLosses: 0 };

/** Fees by the day of their payment, losses by the day on which they were found out. */
async function spentOn(db: Db, span: DaySpan): Promise<Map<string, Spent>> {
  const [kept, lost] = await Promise.all([
    fees.ofSpan(db, span),
    // Losses are few, and what a vendor charged may be known only later, with its attempt.
    db.execute<{ day: string; cost: number; uncosted: number }>(sql`
      select to_char(l.day, 'YYYY-MM-DD') as day, coalesce(sum(l.cost), 0)::bigint as cost,
             count(*) filter (where l.cost is null)::int as uncosted
      from (select (l.created_at at time zone 'Africa/Accra')::date as day,
                   coalesce(l.cost_pesewas, a.cost_pesewas) as cost
            from losses l left join attempts a on a.id = l.attempt_id) l
      where l.day between ${span.first}::date and ${span.last}::date group by l.day`),
  ]);
  const spent = new Map<string, Spent>(
    lost.map(({ day, cost, uncosted }) => [day, { fees: 0, losses: cost, uncostedLosses: uncosted }]),
  );
  for (const { day, feesPesewas } of kept)
    spent.set(day, { ...(spent.get(day) ?? NOTHING_SPENT), fees: feesPesewas });
  return spent;
}

/** `spent` is null for one operator, which has no fees and losses of its own. */
function profitOf(sums: Sums, spent: Spent | null): Profit {
  const { orders, amount, cost, uncosted_orders, uncosted } = sums;
  const { fees, losses, uncostedLosses } = spent ?? NOTHING_SPENT;
  const costed = amount - uncosted;
  const profitPesewas = costed - cost - fees - losses;
  return {
    orders,
    amountPesewas: amount,
    costPesewas: cost,
    uncostedOrders: uncosted_orders,
    uncostedPesewas: uncosted,
    feesPesewas: spent && fees,
    lossesPesewas: spent && losses,
    uncostedLosses,
    profitPesewas,
    marginPercent: costed === 0 ? null : Math.round((profitPesewas / costed) * 1000) / 10,
  };
}

function totalOf(rows: Profit[], { operator }: Only): Profit {
  const add = (field: keyof Profit) => rows.reduce((sum, row) => sum + (row[field] ?? 0), 0);
  return profitOf(
    {
      orders: add("orders"),
      amount: add("amountPesewas"),
      cost: add("costPesewas"),
      uncosted_orders: add("uncostedOrders"),
      uncosted: add("uncostedPesewas"),
    },
    operator
      ? null
      : { fees: add("feesPesewas"), losses: add("lossesPesewas"), uncostedLosses: add("uncostedLosses") },
  );
}

/** Days of a span that are over and changed since they were counted, or were never counted. */
async function countWaiting(tx: Reads, { first, last }: DaySpan): Promise<number> {
  const [row] = await tx.execute<{ days: number }>(sql`
    select count(distinct day)::int as days from profit_days_stale
    where day between ${first}::date and ${last}::date and (not is_open or counted_at is null)`);
  return row!.days;
}
