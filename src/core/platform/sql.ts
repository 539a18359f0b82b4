// SQL conditions shared by many queries.
import { type Column, like, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { oneOf } from "../../../db/schema/columns.ts";
import { orders } from "../../../db/schema/orders.ts";
import { OPEN_STATUSES } from "../../shared/domain.ts";

/**
 * The literal of a Postgres array; null and undefined are NULL. For a parameter that the statement casts. Joined at
 * once, because every purchase makes two dozen of these.
 */
export function arrayLiteral(values: readonly Value[]): string {
  return `{${values.map(elementOf).join()}}`;
}

function elementOf(value: Value) {
  return typeof value === "string" ? quoted(value) : (value ?? "NULL");
}

type Value = string | number | boolean | null | undefined;

function quoted(text: string): string {
  const isPlain = !text.includes('"') && !text.includes("\\");
  return `"${isPlain ? text : text.replace(/["\\]/g, "\\$&")}"`;
}

/** Whether a column holds one of these ids. One parameter, however many there are; an empty list matches nothing. */
export function isAmong(column: SQLWrapper, ids: readonly number[]): SQL {
  return sql`${column} = any(${sql.param(ids)}::bigint[])`;
}

/** As `isAmong` for texts. */
export function isAnyOf(column: SQLWrapper, texts: readonly string[]): SQL {
  return sql`${column} = any(${sql.param(texts)}::text[])`;
}

/**
 * Whether a column holds one of the ids that a query finds. As an array they are found once, and each row by its key.
 * With `in (select …)`, a plan made when the table was empty rescans all of it for each row, and may lock more rows
 * than the query's limit.
 */
export function isAmongFound(column: SQLWrapper, found: SQLWrapper): SQL {
  return sql`${column} = any(array(${found}))`;
}

/** Orders of bundles: an AFA registration is an order too, and waits in a queue of its own. */
export const isBundle = sql`not exists (select 1 from afa_registrations where order_id = ${orders.id})`;

/** Orders that are open and paid, in the words of the index `orders_due`, so that every plan can use it. */
export const isDue = sql`${orders.status} in (${oneOf(OPEN_STATUSES)}) and ${orders.paidAt} is not null`;

/** A query for the `id` of the first order that is not older than a moment, by binary search. */
export function firstOrderIdSince(moment: SQL): SQL {
  return sql`
    with recursive span (low, high) as (
      select coalesce(min(id), 0), coalesce(max(id), 0) + 1 from public.orders
      union all
      select case when seen.created_at < ${moment} then seen.id + 1 else low end,
             case when seen.created_at < ${moment} then high else (low + high) / 2 end
      from span, lateral (
        select o.id, o.created_at from public.orders o where o.id >= (low + high) / 2 order by o.id limit 1) seen
      where low < high
    )
    select max(low) as id from span`;
}

/** Fewer digits occur in almost every number, and are too few for the trigram index. */
const DIGITS_MIN = 3;

/**
 * Conditions for a number (233541234567) that contains these digits: anywhere as typed, or at its beginning in national
 * or international notation (054, 23354, 0023354). Fewer than three digits match nothing.
 */
export function containsDigits(msisdn: Column, digits: string): SQL[] {
  if (digits.length < DIGITS_MIN) return [];
  const patterns = [`%${digits}%`];
  const [, national] = /^(?:00233|0(?!0))(\d+)$/.exec(digits) ?? [];
  if (national) patterns.push(`233${national}%`);
  return patterns.map((pattern) => like(msisdn, pattern));
}

/**
 * SQL: the name that a user has given their shop, for customers to read; null where they have given it none. `userId`:
 * the user's id, with its table's name.
 */
export function shopNameOf(userId: SQL): SQL<string | null> {
  return sql<string | null>`(select p.shop_name from phones p where p.user_id = ${userId})`;
}
