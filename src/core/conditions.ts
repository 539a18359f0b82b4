// Conditions that many queries share.
import { type Column, like, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { orders } from "../../db/schema.ts";

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

/**
 * Where a number (233541234567) has these digits in it: as they were typed, or without the beginning that it is told by at
 * home and abroad. Fewer than four would match almost everything, and cannot use the index.
 */
export function hasDigits(msisdn: Column, digits: string): SQL[] {
  const national = digits.replace(/^(?:00)?233(?=\d)|^0+/, "");
  const parts = [...new Set([digits, national])].filter((part) => part.length >= 4);
  return parts.map((part) => like(msisdn, `%${part}%`));
}
