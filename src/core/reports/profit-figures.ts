// Figures of the shop's profit, made of the counted days: sums of orders by day, and beside them what payments and
// losses cost, which have a day and nothing else.
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import type { Operator } from "../../shared/domain.ts";
import * as fees from "../ledger/fees.ts";
import { addDays, type DaySpan } from "./sales-history.ts";

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

/** Restricts the figures to one operator; they are then before fees and losses, which have none. */
export type Only = { operator?: Operator | undefined };

/** Sums of the counted rows, as SQL has them. `uncosted` is what orders without a known cost were sold for. */
export type Sums = {
  orders: number;
  amount: number;
  cost: number;
  uncosted_orders: number;
  uncosted: number;
};
type Spent = { fees: number; losses: number; uncostedLosses: number };

/** SQL: the sums of rows of `profit_days` or `profit_agent_days`. */
export const SUMS = sql`
  sum(orders)::bigint as orders, sum(amount_pesewas)::bigint as amount, sum(cost_pesewas)::bigint as cost,
  sum(uncosted_orders)::bigint as uncosted_orders, sum(uncosted_pesewas)::bigint as uncosted`;

const NO_SUMS: Sums = { orders: 0, amount: 0, cost: 0, uncosted_orders: 0, uncosted: 0 };
const NOTHING_SPENT: Spent = { fees: 0, losses: 0, uncostedLosses: 0 };

/** SQL: whether a counted row belongs to the span, and to the operator. */
export function isIn({ first, last }: DaySpan, { operator }: Only): SQL {
  const isOperators = operator ? sql`and operator = ${operator}` : sql``;
  return sql`day between ${first}::date and ${last}::date ${isOperators}`;
}

/** The days of a span that had sales, fees or losses, oldest first. */
export async function byDay(db: Db, span: DaySpan, only: Only): Promise<ProfitRow[]> {
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

/** `spent` is null where there are no fees and losses of its own. */
export function profitOf(sums: Sums, spent: Spent | null): Profit {
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

/** The sum of days. */
export function totalOf(rows: Profit[], { operator }: Only): Profit {
  const add = (field: keyof Profit) => rows.reduce((sum, row) => sum + (row[field] ?? 0), 0);
  return profitOf(
    {
      orders: add("orders"),
      amount: add("amountPesewas"),
      cost: add("costPesewas"),
      uncosted_orders: add("uncostedOrders"),
      uncosted: add("uncostedPesewas"),
    },
    operator ? null : { fees: add("feesPesewas"), losses: add("lossesPesewas"), uncostedLosses: add("uncostedLosses") },
  );
}

/** Fees by the day of their payment, losses by the day on which they were found out. */
async function spentOn(db: Db, span: DaySpan): Promise<Map<string, Spent>> {
  const [kept, lost] = await Promise.all([fees.ofSpan(db, span), lossesOn(db, span)]);
  const spent = new Map<string, Spent>(
    lost.map(({ day, cost, uncosted }) => [day, { fees: 0, losses: cost, uncostedLosses: uncosted }]),
  );
  for (const { day, feesPesewas } of kept) spent.set(day, { ...(spent.get(day) ?? NOTHING_SPENT), fees: feesPesewas });
  return spent;
}

/** What losses cost, by day. They are few, and what a vendor charged may be known only later, with its attempt. */
function lossesOn(db: Db, { first, last }: DaySpan): Promise<{ day: string; cost: number; uncosted: number }[]> {
  const [from, to] = [first, addDays(last, 1)].map((day) => new Date(day).toISOString());
  return db.execute(sql`
    select to_char(day, 'YYYY-MM-DD') as day, coalesce(sum(cost), 0)::bigint as cost,
           count(*) filter (where cost is null)::int as uncosted
    from (select (l.created_at at time zone 'Africa/Accra')::date as day,
                 coalesce(l.cost_pesewas, a.cost_pesewas) as cost
          from losses l left join attempts a on a.id = l.attempt_id
          where l.created_at >= ${from}::timestamptz and l.created_at < ${to}::timestamptz
            and l.recovered_at is null) lost
    group by lost.day`);
}
