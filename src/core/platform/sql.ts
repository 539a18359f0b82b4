// Conditions that many queries share.
import { type Column, like, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { orders } from "../../../db/schema/orders.ts";

/** Whether a column holds one of these ids. One parameter, however many they are; none match an empty list. */
export function isAmong(column: SQLWrapper, ids: readonly number[]): SQL {
  return sql`${column} = any(${sql.param(ids)}::bigint[])`;
}

/**
 * Whether a column holds one of the ids that a query finds: some of many, perhaps locked. As an array they are found once,
 * and each row by its key. As a list in a query, a plan that was made when the table was empty reads all of it once for
 * each, and may take more than the query's limit.
 */
export function isAmongFound(column: SQLWrapper, found: SQLWrapper): SQL {
  return sql`${column} = any(array(${found}))`;
}

/** Orders of bundles: a person for AFA is an order, too, and waits in a queue of their own. */
export const isBundle = sql`not exists (select 1 from afa_registrations where order_id = ${orders.id})`;

/** Fewer digits than these are in almost every number, and too few for the index on parts of numbers. */
const DIGITS_MIN = 3;

/**
 * Where a number (233541234567) has these digits in it: anywhere as they were typed, or at its beginning as that is told
 * at home and abroad (054, 23354, 0023354). Fewer than three digits are nowhere.
 */
export function hasDigits(msisdn: Column, digits: string): SQL[] {
  if (digits.length < DIGITS_MIN) return [];
  const patterns = [`%${digits}%`];
  const [, national] = /^(?:00233|0(?!0))(\d+)$/.exec(digits) ?? [];
  if (national) patterns.push(`233${national}%`);
  return patterns.map((pattern) => like(msisdn, pattern));
}
