import { type SQL, sql } from "drizzle-orm";

/**
 * SQL: the name that a user has given their shop, for customers to read; null where they have given it none. `userId`:
 * the user's id, with its table's name.
 */
export function shopNameOf(userId: SQL): SQL<string | null> {
  return sql<string | null>`(select p.shop_name from phones p where p.user_id = ${userId})`;
}
