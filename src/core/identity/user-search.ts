// The admins' list of users, with its search.
import { and, arrayContains, desc, eq, ilike, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { limits, ROLES, type Role, type UserStatus } from "../../shared/domain.ts";
import { type User, visible } from "./users.ts";

export type UserFilter = {
  search?: string | undefined;
  status?: UserStatus | undefined;
  role?: Role | undefined;
};
export type UserRow = User & { balancePesewas: number };

/** Users newest first, those before the id `cursor`. The search matches username, e-mail, roles, status and id. */
export async function list(
  db: Db,
  filter: UserFilter,
  page: { cursor?: number | undefined; limit: number },
): Promise<UserRow[]> {
  return db
    .select({ ...visible, balancePesewas: sql<number>`coalesce(${wallets.balancePesewas}, 0)` })
    .from(users)
    .leftJoin(wallets, eq(wallets.userId, users.id))
    .where(
      and(
        filter.status ? eq(users.status, filter.status) : ne(users.status, "CLOSED"),
        filter.role && arrayContains(users.roles, [filter.role]),
        filter.search ? searchCondition(filter.search.trim()) : undefined,
        page.cursor ? lt(users.id, page.cursor) : undefined,
      ),
    )
    .orderBy(desc(users.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
}

function searchCondition(search: string): SQL | undefined {
  const pattern = `%${search.replace(/[%_\\]/g, "\\$&")}%`;
  const roles = ROLES.filter((role) => role.startsWith(search.toUpperCase()));
  return or(
    ilike(users.username, pattern),
    ilike(users.email, pattern),
    ilike(users.status, pattern),
    /^\d{1,15}$/.test(search) ? eq(users.id, Number(search)) : undefined,
    ...roles.map((role) => arrayContains(users.roles, [role])),
  );
}
