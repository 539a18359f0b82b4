// The admins' list of users, with its search.
import { and, arrayContains, asc, desc, eq, ilike, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { phones, users } from "../../../db/schema/identity.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { limits, ROLES, type Role, type UserStatus } from "../../shared/domain.ts";
import { containsDigits, isAmongFound } from "../platform/sql.ts";
import { type User, visible } from "./users.ts";

export type UserFilter = {
  search?: string | undefined;
  status?: UserStatus | undefined;
  role?: Role | undefined;
};
export type UserRow = User & { balancePesewas: number };

/**
 * Users newest first, those before the id `cursor`. The search matches username, e-mail, phone number, roles, status
 * and id.
 */
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

/** The most users that a part of a name can match. */
const MATCHES_MAX = 200;

/** The ids of at most 200 users with this text in their username or e-mail, or these digits in their phone number. */
export async function idsMatching(tx: Reads, search: string): Promise<number[]> {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(isCalled(search))
    .orderBy(asc(users.id))
    .limit(MATCHES_MAX);
  return found.map(({ id }) => id);
}

/** Whether a user's name, e-mail or phone number has this text in it. */
export function isCalled(search: string): SQL {
  const pattern = `%${search.replace(/[%_\\]/g, "\\$&")}%`;
  const digits = search.replace(/[\s\-()+]/g, "");
  const byNumber = /^\d+$/.test(digits) ? containsDigits(phones.msisdn, digits) : [];
  return or(
    ilike(users.username, pattern),
    ilike(users.email, pattern),
    ...byNumber.map((isNumber) =>
      isAmongFound(users.id, sql`select ${phones.userId} from ${phones} where ${isNumber}`),
    ),
  )!;
}

function searchCondition(search: string): SQL | undefined {
  const upper = search.toUpperCase();
  // From three letters on, the middle of a role matches, too.
  const roles = ROLES.filter((role) => role.startsWith(upper) || (upper.length >= 3 && role.includes(upper)));
  return or(
    isCalled(search),
    ilike(users.status, `%${search.replace(/[%_\\]/g, "\\$&")}%`),
    /^\d{1,15}$/.test(search) ? eq(users.id, Number(search)) : undefined,
    ...roles.map((role) => arrayContains(users.roles, [role])),
  );
}
