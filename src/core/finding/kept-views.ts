// Views of lists that staff keep: the filters of a list under a name, for oneself or shared with all staff.
import { and, asc, eq, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Reads, Tx } from "../../../db/connect.ts";
import { keptViews } from "../../../db/schema/finding.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as } from "../../shared/fields.ts";
import { Id, requiredText, text } from "../../shared/inputs.ts";
import { hasRight, isOwner, type Right, requireRight } from "../../shared/rights.ts";
import * as advisoryLocks from "../platform/advisory-locks.ts";
import { command, type Logged, opposite } from "../platform/commands.ts";

/** The lists whose views are kept, by path: the right to see them, and the filters in their addresses. */
const LISTS = {
  "/orders": {
    right: "orders.see",
    filters: ["search", "status", "operator", "from", "to", "user", "bulk", "unpaid", "open", "all", "order"],
  },
  "/admin/payments": { right: "payments.see", filters: ["search", "state"] },
  "/admin/users": { right: "agents.see", filters: ["search", "status", "role", "all"] },
} as const satisfies Record<string, { right: Right; filters: readonly string[] }>;
export type ListPath = keyof typeof LISTS;
export const PATHS = Object.keys(LISTS) as ListPath[];

/** The query of everything that a list has; empty where it hides nothing unless it is asked for all. */
export function wholeOf(path: ListPath): string {
  return (LISTS[path].filters as readonly string[]).includes("all") ? "all=1" : "";
}

/** A page with more could not be read. */
const VIEWS_MAX = 20;

export type KeptView = {
  id: number;
  path: ListPath;
  name: string;
  query: string;
  isShared: boolean;
  userId: number;
  username: string;
};

type Kept = Pick<KeptView, "path" | "name" | "query" | "isShared">;

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

const Name = requiredText(40, "Give the view a name");
const ONCE = { kept_views_name_once: "view.exists" } as const;

/** Keeps the filters of a list, at most 20 for oneself, and 20 shared ones in the shop. */
export const keep = command({
  name: "view.keep",
  right: "shop.see",
  about: "Keep the filters of a list under a name, for yourself or for all staff",
  subject: "view",
  input: { path: z.enum(PATHS), name: Name, query: text(500), isShared: z.boolean() },
  errors: ["view.empty", "view.exists", "view.too_many"],
  constraints: ONCE,
  run: async ({ tx, by, audit }, { path, name, isShared, ...given }) => {
    requireRight(by, LISTS[path].right);
    if (isShared) requireRight(by, "views.share");
    const query = queryOf(path, new URLSearchParams(given.query));
    if (query === "") throw new AppError("view.empty");
    // One at a time, so that two cannot both be the last.
    await advisoryLocks.lock(tx, "views");
    await refuseTooMany(tx, by.userId, isShared);
    const row = { userId: by.userId, path, name, query, isShared };
    const [view] = await tx.insert(keptViews).values(row).returning();
    await audit(view!.id, { after: { path, name, query, isShared } });
    return get(tx, view!.id);
  },
});

/** Gives one's own view another name. */
export const rename = command({
  name: "view.rename",
  right: "shop.see",
  about: "Give your own view another name",
  subject: "view",
  input: { viewId: as("view", Id), name: Name },
  errors: ["view.not_found", "view.exists"],
  constraints: ONCE,
  undo: ({ subjectId, before: { name } }: Logged<{ name: string }>) => ({ viewId: Number(subjectId), name }),
  run: async ({ tx, by, audit }, { viewId, name }) => {
    const before = await lockOwn(tx, by, viewId);
    if (before.name === name) return;
    await tx.update(keptViews).set({ name }).where(eq(keptViews.id, viewId));
    await audit(viewId, { before: { name: before.name }, after: { name } });
  },
});

/** Deletes one's own view; the owner of the shop also deletes shared ones. */
export const remove = command({
  name: "view.delete",
  right: "shop.see",
  about: "Delete your own view, or as the owner a shared one",
  subject: "view",
  input: { viewId: as("view", Id) },
  errors: ["view.not_found"],
  // Somebody else's would come back as one of whoever deleted it.
  undo: ({ before: { userId, ...view } }: Logged<Kept & { userId?: number }>) =>
    userId === undefined ? opposite(keep, view) : null,
  run: async ({ tx, by, audit }, { viewId }) => {
    const { path, name, query, isShared, userId } = await lockOwn(tx, by, viewId, isOwner(by));
    await tx.delete(keptViews).where(eq(keptViews.id, viewId));
    await audit(viewId, { before: { path, name, query, isShared, ...(userId !== by.userId && { userId }) } });
  },
});

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
  const [view] = await tx.select().from(keptViews).where(eq(keptViews.id, viewId)).for("update");
  const isOwn = view && (view.userId === by.userId || (mayBeShared && view.isShared));
  if (!isOwn) throw new AppError("view.not_found");
  return view;
}
