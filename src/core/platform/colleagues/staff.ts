// The condition on accounts that selects the shop's staff.
import { and, arrayOverlaps, eq, type SQL, sql } from "drizzle-orm";
import { users } from "../../../../db/schema/identity.ts";
import { type Right, rolesWith } from "../../../shared/rights.ts";

const IS_FREE = sql`not exists (
  select from freezes f where f.user_id = ${users.id} and f.ended_at is null and coalesce(f.until > now(), true))`;

/**
 * The active accounts with a right that are not frozen. Read with the index of staff, however many agents there are.
 */
export function isActiveWith(right: Right): SQL {
  const isStaff = sql`${users.roles} <> array['USER']`;
  return and(eq(users.status, "ACTIVE"), isStaff, arrayOverlaps(users.roles, rolesWith(right)), IS_FREE)!;
}
