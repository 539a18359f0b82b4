// Tables of the shop's profit: by day, product, operator, vendor, agent or tier, the first rows and the rest in one.
import { type SQL, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { DESK } from "../../shared/domain.ts";
import { bundleName } from "../../shared/operators.ts";
import { byDay, isIn, type Only, type ProfitRow, profitOf, SUMS, type Sums, totalOf } from "./profit-figures.ts";
import type { DaySpan } from "./sales-history.ts";

/** What the profit is shown by. */
export const DIMENSIONS = ["day", "product", "operator", "vendor", "agent", "tier"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What the rows are in order of, the most first. */
export const SORTS = ["profit", "sales"] as const;
export type Sort = (typeof SORTS)[number];

type Choice = Only & {
  /** Without one, days are the newest first, and everything else by profit. */
  sort?: Sort | undefined;
  /** How many rows there are before the rest is summed in one more. */
  rowsMax?: number | undefined;
};

const ROWS_MAX = 50;

/**
 * The profit of a span by one dimension; its rows add up to the whole. Only days have fees and losses: by anything
 * else, and of one operator, the profit is before them.
 */
export async function by(db: Db, dimension: Dimension, span: DaySpan, choice: Choice = {}): Promise<ProfitRow[]> {
  return dimension === "day" ? byDays(db, span, choice) : byGroup(db, GROUPS[dimension], span, choice);
}

async function byDays(db: Db, span: DaySpan, choice: Choice): Promise<ProfitRow[]> {
  const { sort, rowsMax = ROWS_MAX } = choice;
  const days = (await byDay(db, span, choice)).reverse();
  const field = sort === "sales" ? "amountPesewas" : "profitPesewas";
  if (sort) days.sort((a, b) => b[field] - a[field]);
  const rest = days.splice(rowsMax);
  if (rest.length === 0) return days;
  return [...days, { key: null, name: othersText(rest.length, "day"), ...totalOf(rest, choice) }];
}

type Group = { one: string; key: SQL; table: SQL; names: SQL };

/** Where each dimension stands, and the names of its keys. */
const GROUPS: Record<Exclude<Dimension, "day">, Group> = {
  product: {
    ...{ one: "bundle", key: sql`product_id`, table: sql`profit_days` },
    names: sql`select id::text as key, operator, family, size from products`,
  },
  operator: {
    ...{ one: "network", key: sql`operator`, table: sql`profit_days` },
    names: sql`select code as key, name from operators`,
  },
  vendor: {
    ...{ one: "vendor", key: sql`vendor`, table: sql`profit_days` },
    // The others are known by their codes.
    names: sql`select * from (values (${DESK}, 'The desk'), ('', 'No supplier')) v (key, name)`,
  },
  agent: {
    ...{ one: "agent", key: sql`user_id`, table: sql`profit_agent_days` },
    names: sql`select id::text as key, username as name from users`,
  },
  tier: {
    ...{ one: "tier", key: sql`tier_id`, table: sql`profit_days` },
    names: sql`
      select id::text as key, name || case when deleted_at is null then '' else ' (deleted)' end as name from tiers`,
  },
};

const MEASURES: Record<Sort, SQL> = { profit: sql`amount - uncosted - cost`, sales: sql`amount` };

async function byGroup(db: Db, group: Group, span: DaySpan, choice: Choice): Promise<ProfitRow[]> {
  const { sort = "profit", rowsMax = ROWS_MAX } = choice;
  const { key, table, one } = group;
  const rows = await db.execute<Sums & { key: string | null; parts: number }>(sql`
    with sums as (
      select ${key} as key, ${SUMS} from ${table} where ${isIn(span, choice)} group by 1),
    ranked as (
      select *, least(row_number() over (order by ${MEASURES[sort]} desc, key), ${rowsMax + 1}) as place from sums)
    select case when place <= ${rowsMax} then min(key)::text end as key, count(*)::int as parts,
           sum(orders)::bigint as orders, sum(amount)::bigint as amount, sum(cost)::bigint as cost,
           sum(uncosted_orders)::bigint as uncosted_orders, sum(uncosted)::bigint as uncosted
    from ranked group by place order by place`);
  const names = await namesOf(
    db,
    group,
    rows.flatMap((row) => (row.key === null ? [] : [row.key])),
  );
  return rows.map((row) => ({
    key: row.key,
    name: row.key === null ? othersText(row.parts, one) : (names.get(row.key) ?? row.key),
    ...profitOf(row, null),
  }));
}

const othersText = (count: number, one: string) =>
  `${count.toLocaleString("en")} other ${count === 1 ? one : `${one}s`}`;

async function namesOf(tx: Reads, { names }: Group, keys: string[]): Promise<Map<string, string>> {
  const rows = await tx.execute<{ key: string } & ({ name: string } | Parameters<typeof bundleName>[0])>(
    sql`select * from (${names}) n where key = any(${sql.param(keys)}::text[])`,
  );
  return new Map(rows.map((row) => [row.key, "name" in row ? row.name : bundleName(row)]));
}
