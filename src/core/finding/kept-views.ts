// Views of lists that staff keep: the filters of a list under a name, for oneself or shared with all staff.
import { and, asc, eq, or, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { keptViews } from "../../../db/schema/finding.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { hasRight, isOwner, type Right, requireRight } from "../../shared/rights.ts";
import * as advisoryLocks from "../platform/advisory-locks.ts";
import * as auditLog from "../platform/audit-log.ts";
import { transact } from "../platform/transactions.ts";

/** The lists whose views are kept, by path: the right to see them, and the filters in their addresses. */
const LISTS = {
  "/orders": {
    right: "orders.see",
    filters: ["search", "status", "operator", "from", "to", "user", "bulk", "unpaid", "open", "all"],
  },
  "/admin/payments": { right: "payments.see", filters: ["search", "state"] },
  "/admin/users": { right: "agents.see", filters: ["search", "status", "role"] },
} as const satisfies Record<string, { right: Right; filters: readonly string[] }>;
export type ListPath = keyof typeof LISTS;

/** A page with more could not be read. */
const VIEWS_MAX = 20;

export const NAME_CHARS_MAX = 40;

export type KeptView = {
  id: number;
  path: ListPath;
  name: string;
  query: string;
  isShared: boolean;
  userId: number;
  username: string;
};

/** The views of a list that somebody sees, or of all lists: first the shared ones, then their own, oldest first. */
export async function list(db: Reads, by: ByUser, path?: ListPath): Promise<KeptView[]> {
  requireRight(by, "shop.see");
  const rows = await db
    .select({ view: keptViews, username: users.username })
    .from(keptViews)
    .innerJoin(users, eq(users.id, keptViews.userId))
    .where(and(or(keptViews.isShared, eq(keptViews.userId, by.userId)), path && eq(keptViews.path, path)))
    .orderBy(sql`${keptViews.isShared} desc`, asc(keptViews.id))
    .limit(2 * VIEWS_MAX);
  return rows.map(({ view, username }) => asView(view, username)).filter((view) => maySee(by, view.path));
}

/** The filters of an address that a view keeps, in their order; empty when it filters nothing. */
export function queryOf(path: ListPath, params: URLSearchParams): string {
  const kept = new URLSearchParams();
  for (const name of LISTS[path].filters) {
    const value = params.getAll(name).at(-1)?.trim();
    // "All" is off unless it is asked for.
    if (value && !(name === "all" && value === "0")) kept.set(name, value);
  }
  return kept.toString();
}

/**
 * Keeps the filters of a list, at most 20 for oneself, and 20 shared ones in the shop.
 * Throws auth.forbidden, view.empty, view.exists, view.too_many.
 */
export async function keep(
  db: Db,
  command: { by: ByUser; path: ListPath; name: string; query: string; isShared: boolean },
): Promise<KeptView> {
  const { by, path, name, isShared } = command;
  requireRight(by, LISTS[path].right);
  if (isShared) requireRight(by, "views.share");
  const query = queryOf(path, new URLSearchParams(command.query));
  if (query === "") throw new AppError("view.empty");
  return refuseDuplicate(() =>
    transact(db, async (tx) => {
      // One at a time, so that two cannot both be the last.
      await advisoryLocks.lock(tx, "views");
      await refuseTooMany(tx, by.userId, isShared);
      const row = { userId: by.userId, path, name: name.trim(), query, isShared };
      const [view] = await tx.insert(keptViews).values(row).returning();
      await record(tx, by, "view.keep", view!.id, { after: { path, name: view!.name, query, isShared } });
      return get(tx, view!.id);
    }),
  );
}

/** Gives one's own view another name. Throws view.not_found, also for somebody else's, and view.exists. */
export async function rename(
  db: Db,
  { by, viewId, name }: { by: ByUser; viewId: number; name: string },
): Promise<void> {
  await refuseDuplicate(() =>
    transact(db, async (tx) => {
      const before = await lockOwn(tx, by, viewId);
      if (before.name === name.trim()) return;
      await tx.update(keptViews).set({ name: name.trim() }).where(eq(keptViews.id, viewId));
      await record(tx, by, "view.rename", viewId, {
        before: { name: before.name },
        after: { name: name.trim() },
      });
    }),
  );
}

/** Deletes one's own view; the owner of the shop also deletes shared ones. Throws view.not_found. */
export async function remove(db: Db, { by, viewId }: { by: ByUser; viewId: number }): Promise<void> {
  await transact(db, async (tx) => {
    const { path, name, query, isShared } = await lockOwn(tx, by, viewId, isOwner(by));
    await tx.delete(keptViews).where(eq(keptViews.id, viewId));
    await record(tx, by, "view.delete", viewId, { before: { path, name, query, isShared } });
  });
}

function maySee(by: ByUser, path: string): boolean {
  return Object.hasOwn(LISTS, path) && hasRight(by, LISTS[path as ListPath].right);
}

function asView({ createdAt: _, ...view }: typeof keptViews.$inferSelect, username: string): KeptView {
  return { ...view, path: view.path as ListPath, username };
}

async function get(tx: Tx, viewId: number): Promise<KeptView> {
  const [row] = await tx
    .select({ view: keptViews, username: users.username })
    .from(keptViews)
    .innerJoin(users, eq(users.id, keptViews.userId))
    .where(eq(keptViews.id, viewId));
  return asView(row!.view, row!.username);
}

async function refuseTooMany(tx: Tx, userId: number, isShared: boolean): Promise<void> {
  const own = and(eq(keptViews.isShared, false), eq(keptViews.userId, userId));
  const count = await tx.$count(keptViews, isShared ? eq(keptViews.isShared, true) : own);
  if (count >= VIEWS_MAX) throw new AppError("view.too_many");
}

async function lockOwn(
  tx: Tx,
  by: ByUser,
  viewId: number,
  mayBeShared = false,
): Promise<typeof keptViews.$inferSelect> {
  requireRight(by, "shop.see");
  const [view] = await tx.select().from(keptViews).where(eq(keptViews.id, viewId)).for("update");
  const isOwn = view && (view.userId === by.userId || (mayBeShared && view.isShared));
  if (!isOwn) throw new AppError("view.not_found");
  return view;
}

async function record(
  tx: Tx,
  by: ByUser,
  action: string,
  viewId: number,
  change: { before?: unknown; after?: unknown },
): Promise<void> {
  await auditLog.record(tx, by, [{ action, subjectType: "view", subjectId: viewId, ...change }]);
}

/** Throws view.exists for a name that the same list already has. */
async function refuseDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (databaseError(error)?.constraint !== "kept_views_name_once") throw error;
    throw new AppError("view.exists");
  }
}
