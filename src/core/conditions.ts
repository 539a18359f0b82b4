// Conditions that many queries share.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { orders } from "../../db/schema.ts";

/** Whether a column holds one of these ids. One parameter, however many they are; none match an empty list. */
export function isAmong(column: SQLWrapper, ids: readonly number[]): SQL {
  return sql`${column} = any(${sql.param(ids)}::bigint[])`;
}

/** Orders of bundles: a person for AFA is an order, too, and waits in a queue of their own. */
export const isBundle = sql`not exists (select 1 from afa_registrations where order_id = ${orders.id})`;
