// The people who run the shop: who they are, in which role, and how well their accounts are kept.
import { and, asc, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { secondFactors, users } from "../../../db/schema/identity.ts";
import { isOwner } from "../../shared/rights.ts";
import { type User, visible } from "./users.ts";

export type StaffMember = User & {
  /** Null: never, or not since logins are noted here. */
  lastLoginAt: Date | null;
  /** Since when logins need a code; null while they do not. */
  secondFactorSince: Date | null;
};

/** Everybody who runs the shop or is banned from it, the owners first. */
export async function list(tx: Reads): Promise<StaffMember[]> {
  const rows = await tx
    .select({ ...visible, lastLoginAt: users.lastLoginAt, secondFactorSince: secondFactors.confirmedAt })
    .from(users)
    .leftJoin(secondFactors, and(eq(secondFactors.userId, users.id), isNotNull(secondFactors.confirmedAt)))
    .where(and(sql`${users.roles} <> array['USER']`, ne(users.status, "CLOSED")))
    .orderBy(desc(eq(users.status, "ACTIVE")), asc(users.id));
  return [...rows.filter(isOwner), ...rows.filter((row) => !isOwner(row))];
}
