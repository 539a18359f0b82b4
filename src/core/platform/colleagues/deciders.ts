// The people who may decide a colleague's request: those with the right of the act who do not owe the asker their place
// among the staff. Changes of staff accounts are kept for that, so that nobody makes themselves the only one.
import { and, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { staffChanges } from "../../../../db/schema/approvals.ts";
import { users } from "../../../../db/schema/identity.ts";
import type { ByUser, Role } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { hasRight, isStaff, type Right } from "../../../shared/rights.ts";
import { lock } from "../advisory-locks.ts";
import { isActiveWith } from "./staff.ts";

/** The time in which nobody decides requests by whoever gave them their role or changed their account. */
const DEPENDENT_DAYS = 7;

/** An act to decide about: who asks, the right that it takes, and the accounts that it concerns. */
export type Question = { askerId: number; right: Right; concerns: readonly number[] };

/** `isAlone`: nobody else could decide, and that is not the asker's own doing of the last week. */
export type Deciders = { ids: number[]; isAlone: boolean };

/** The people who may decide an act now. */
export async function decidersOf(tx: Reads, question: Question): Promise<Deciders> {
  const { askerId, right, concerns } = question;
  const holders = await othersWith(tx, askerId, right);
  const changes = await changesBy(tx, askerId);
  const dependent = new Set(changes.map(({ userId }) => userId));
  // Whoever had the right before the first change could have decided, but for the asker.
  const firsts = [...dependent].map((id) => changes.find(({ userId }) => userId === id)!);
  const ids = holders.map(({ id }) => id).filter((id) => !dependent.has(id) && !concerns.includes(id));
  const isOwnDoing = firsts.some((before) => hasRight(before, right));
  return { ids, isAlone: ids.length === 0 && !isOwnDoing };
}

/**
 * Refuses whoever may not decide. An act that is carried out asks under the lock of the second person, so that nobody
 * is made dependent in the same moment. Throws approval.own, auth.forbidden, approval.concerns_you, approval.too_new.
 */
export async function requireDecider(
  tx: Reads,
  decider: Pick<ByUser, "userId">,
  { askerId, right, concerns }: Question,
): Promise<void> {
  const { userId } = decider;
  if (userId === askerId) throw new AppError("approval.own");
  const holders = await othersWith(tx, askerId, right);
  if (!holders.some(({ id }) => id === userId)) throw new AppError("auth.forbidden");
  if (concerns.includes(userId)) throw new AppError("approval.concerns_you");
  const [row] = await tx.execute<{ isDependent: boolean }>(
    sql`select ${owesPlaceTo(sql`${askerId}::bigint`, userId)} as "isDependent"`,
  );
  if (row!.isDependent) throw new AppError("approval.too_new");
}

/** SQL: whether somebody owes an asker their place among the staff, and may not decide for them yet. */
export function owesPlaceTo(askerId: SQLWrapper, userId: number): SQL<boolean> {
  return sql<boolean>`exists (
    select from ${staffChanges} where ${staffChanges.userId} = ${userId} and ${madeBy(askerId)})`;
}

/** SQL: the change was made by somebody within those days. */
function madeBy(userId: SQLWrapper | number): SQL {
  return sql`(${staffChanges.byUserId} = ${userId}
    and ${staffChanges.createdAt} > now() - make_interval(days => ${DEPENDENT_DAYS}))`;
}

/** An account before and after a change; null where there is none that can log in. */
type Account = { roles: readonly Role[] } | null;

/**
 * Keeps a change of a staff account by somebody else: roles given or taken, a ban or its end, a freeze, another e-mail
 * address, a removed second factor. Call it in the transaction of each; accounts that are not of staff are left out.
 */
export async function noteStaffChange(
  tx: Tx,
  by: ByUser,
  change: { userId: number; before: Account; after: Account },
): Promise<void> {
  const { userId, before, after } = change;
  const wasStaff = before !== null && isStaff(before);
  const isNow = after !== null && isStaff(after);
  if (userId === by.userId || (!wasStaff && !isNow)) return;
  await lock(tx, "secondPerson");
  await tx.insert(staffChanges).values({ userId, byUserId: by.userId, roles: [...(before?.roles ?? [])] });
}

/** The people with a right, but for the asker. */
async function othersWith(tx: Reads, askerId: number, right: Right): Promise<{ id: number }[]> {
  return tx
    .select({ id: users.id })
    .from(users)
    .where(and(isActiveWith(right), ne(users.id, askerId)))
    .orderBy(users.id);
}

/** The changes that somebody has made within those days, oldest first. */
async function changesBy(tx: Reads, byUserId: number): Promise<{ userId: number; roles: Role[] }[]> {
  return tx
    .select({ userId: staffChanges.userId, roles: staffChanges.roles })
    .from(staffChanges)
    .where(madeBy(byUserId))
    .orderBy(staffChanges.id);
}
