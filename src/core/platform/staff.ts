// Who runs the shop, as a condition on accounts.
import { and, arrayOverlaps, eq, type SQL, sql } from "drizzle-orm";
import { users } from "../../../db/schema/identity.ts";
import { type Right, rolesWith } from "../../shared/rights.ts";

/** The active accounts with a right. Read with the index of staff, however many agents there are. */
export function isActiveWith(right: Right): SQL {
  const isStaff = sql`${users.roles} <> array['USER']`;
  return and(eq(users.status, "ACTIVE"), isStaff, arrayOverlaps(users.roles, rolesWith(right)))!;
}
