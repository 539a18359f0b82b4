// Drafts of bulk orders: lists that an agent has typed, checked at an address of their own, saved and continued later.
// A draft stores only text, which is checked again on every view. It is marked as placed in the commit that places its
// orders, so that no list is placed twice; the lines left over become a new draft in the same commit.
import { and, desc, eq, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { bulkDrafts } from "../../../db/schema/orders.ts";
import { type ByUser, limits, type Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { FigureMeaning, OtherNetworkMeaning } from "../../shared/lists/bulk-bundles.ts";
import { currentOperator } from "../../shared/operators.ts";
import { uploadLimits } from "../../shared/upload-limits.ts";
import * as ledger from "../ledger/ledger.ts";
import { deleteInParts } from "../platform/parts.ts";
import { transact } from "../platform/transactions.ts";

export type Draft = typeof bulkDrafts.$inferSelect;
export type DraftSummary = Pick<Draft, "id" | "operator" | "lineCount" | "updatedAt">;

/**
 * A draft to save. With `draftId` it replaces that draft; `key` is the form's, so that a form sent twice saves once.
 */
export type DraftInput = {
  draftId: number | null;
  key: string;
  /** The network of all its numbers; null: each number's own. */
  operator: Operator | null;
  productId: number | null;
  lines: string;
  lineCount: number;
  /** False for a list that is only being checked: it is deleted soon, the oldest first. */
  isKept: boolean;
  allowsRepeats?: boolean;
};

/** The caller's saved drafts, last changed first. */
export async function list(db: Db, by: ByUser): Promise<DraftSummary[]> {
  const { id, operator: of, lineCount, updatedAt } = bulkDrafts;
  const isOwn = and(eq(bulkDrafts.userId, by.userId), eq(bulkDrafts.isKept, true));
  return db
    .select({ id, operator: of, lineCount, updatedAt })
    .from(bulkDrafts)
    .where(isOwn)
    .orderBy(desc(updatedAt), desc(id))
    .limit(limits.bulkDrafts);
}

/** One draft with its lines. Throws draft.not_found, also for somebody else's. */
export async function get(db: Db, by: ByUser, draftId: number): Promise<Draft> {
  const [draft] = await db
    .select()
    .from(bulkDrafts)
    .where(and(eq(bulkDrafts.id, draftId), eq(bulkDrafts.userId, by.userId)));
  if (!draft) throw new AppError("draft.not_found");
  return { ...draft, operator: draft.operator && currentOperator(draft.operator) };
}

/** Whether the form with this key has been received, placed or not. */
export async function isKnown(db: Db, by: ByUser, key: string): Promise<boolean> {
  const [row] = await db
    .select({ id: bulkDrafts.id })
    .from(bulkDrafts)
    .where(and(eq(bulkDrafts.userId, by.userId), or(eq(bulkDrafts.key, key), eq(bulkDrafts.lastKey, key))));
  return row !== undefined;
}

/**
 * Saves lines as a draft and returns its id. A placed draft stays placed, even when its form is sent again. Throws
 * draft.too_many for one that is to be kept.
 */
export async function save(db: Db, command: { by: ByUser; draft: DraftInput }): Promise<number> {
  const userId = command.by.userId;
  return transact(db, async (tx) => {
    // Placing locks the wallet too, so that drafts are counted by one transaction at a time.
    await ledger.lockWallets(tx, [userId]);
    const id = (await change(tx, userId, command.draft)) ?? (await put(tx, userId, command.draft));
    if (command.draft.isKept) await checkRoom(tx, userId);
    else await dropOldChecks(tx, userId);
    return id;
  });
}

/** Saves a checked list for later, as it is. A placed one stays placed. Throws draft.too_many. */
export async function keep(db: Db, command: { by: ByUser; draftId: number }): Promise<void> {
  const userId = command.by.userId;
  await transact(db, async (tx) => {
    // Placing locks the wallet too, so that no list is both placed and saved.
    await ledger.lockWallets(tx, [userId]);
    await tx.execute(sql`
      update bulk_drafts set is_kept = true, updated_at = now()
      where id = ${command.draftId} and user_id = ${userId} and bulk_order_id is null`);
    await checkRoom(tx, userId);
  });
}

export type Answers = {
  figures?: FigureMeaning | undefined;
  otherNetworks?: OtherNetworkMeaning | undefined;
  allowsRepeats: boolean;
};

/**
 * Stores the answers to a draft's questions and its changed lines. Throws bulk.list_changed when the version differs or
 * the draft has been placed.
 */
export async function answer(
  db: Db,
  command: {
    by: ByUser;
    draftId: number;
    version: number;
    answers: Answers;
    lines: string;
    lineCount: number;
  },
): Promise<void> {
  const { draftId, version, answers, ...text } = command;
  const [changed] = await db
    .update(bulkDrafts)
    .set({
      ...answers,
      lines: text.lines,
      lineCount: text.lineCount,
      version: version + 1,
      updatedAt: sql`now()`,
    })
    .where(
      and(
        eq(bulkDrafts.id, draftId),
        eq(bulkDrafts.userId, command.by.userId),
        eq(bulkDrafts.version, version),
        sql`${bulkDrafts.bulkOrderId} is null`,
      ),
    )
    .returning({ id: bulkDrafts.id });
  if (!changed) throw new AppError("bulk.list_changed");
}

/** The lines left of a draft when the others are placed. */
export type Rest = { draftId: number; version: number; lines: string; lineCount: number };

/**
 * Marks a draft as placed, in the transaction that places its orders (which has locked the buyer's wallet); the lines
 * left over become a new draft. Both are committed together or not at all. Throws bulk.list_changed when the version
 * differs or the draft was placed before; draft.too_many.
 */
export async function markPlaced(tx: Tx, userId: number, bulkOrderId: number, rest: Rest): Promise<void> {
  const [draft] = await tx.execute<{ key: string }>(sql`
    update bulk_drafts set bulk_order_id = ${bulkOrderId}, is_kept = false, lines = '', version = version + 1,
      updated_at = now()
    where id = ${rest.draftId} and user_id = ${userId} and version = ${rest.version} and bulk_order_id is null
    returning key`);
  if (!draft) throw new AppError("bulk.list_changed");
  if (rest.lineCount === 0) return;
  await tx.execute(sql`
    insert into bulk_drafts (user_id, key, operator, product_id, lines, line_count, figures, other_networks)
    select user_id, ${`rest of ${rest.draftId}`}, operator, product_id, ${rest.lines}, ${rest.lineCount}, figures,
      other_networks
    from bulk_drafts where id = ${rest.draftId}`);
  await checkRoom(tx, userId);
}

/** Deletes a draft; no error when there is none. */
export async function remove(db: Db, command: { by: ByUser; draftId: number }): Promise<void> {
  await db.delete(bulkDrafts).where(and(eq(bulkDrafts.id, command.draftId), eq(bulkDrafts.userId, command.by.userId)));
}

/** Deletes lists that were only checked after some days, and saved drafts that were not continued. */
export async function forgetOld(db: Db): Promise<void> {
  await deleteInParts(
    db,
    bulkDrafts,
    sql`${bulkDrafts.updatedAt} < now() - make_interval(days => ${uploadLimits.checkDays})
      and (not ${bulkDrafts.isKept}
        or ${bulkDrafts.updatedAt} < now() - make_interval(days => ${uploadLimits.draftDays}))`,
  );
}

/** A saved draft stays saved while it is being checked. Changed lines clear the answers to its questions. */
async function change(tx: Tx, userId: number, draft: DraftInput): Promise<number | null> {
  const { draftId, key, operator, productId, lines, lineCount, isKept, allowsRepeats = false } = draft;
  if (draftId === null) return null;
  const [changed] = await tx.execute<{ id: number }>(sql`
    update bulk_drafts set operator = ${operator}, product_id = ${productId}, lines = ${lines},
      line_count = ${lineCount}, is_kept = is_kept or ${isKept}, version = version + 1, updated_at = now(),
      allows_repeats = ${allowsRepeats}, last_key = ${key},
      figures = case when lines = ${lines} then figures end,
      other_networks = case when lines = ${lines} then other_networks end
    where user_id = ${userId} and id = ${draftId} and bulk_order_id is null returning id`);
  return changed?.id ?? null;
}

async function put(tx: Tx, userId: number, draft: DraftInput): Promise<number> {
  const { key, operator, productId, lines, lineCount, isKept, allowsRepeats = false } = draft;
  const [inserted] = await tx.execute<{ id: number }>(sql`
    insert into bulk_drafts as d (user_id, key, operator, product_id, lines, line_count, is_kept, allows_repeats)
    values (${userId}, ${key}, ${operator}, ${productId}, ${lines}, ${lineCount}, ${isKept}, ${allowsRepeats})
    on conflict (user_id, key) do update set operator = excluded.operator, product_id = excluded.product_id,
      lines = excluded.lines, line_count = excluded.line_count, is_kept = d.is_kept or excluded.is_kept,
      allows_repeats = excluded.allows_repeats, version = d.version + 1, updated_at = now()
    where d.bulk_order_id is null
    returning id`);
  if (inserted) return inserted.id;
  const [placed] = await tx.execute<{ id: number }>(sql`
    select id from bulk_drafts where user_id = ${userId} and key = ${key}`);
  return placed!.id;
}

async function checkRoom(tx: Tx, userId: number): Promise<void> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from bulk_drafts where user_id = ${userId} and is_kept`);
  if (row!.count > limits.bulkDrafts) throw new AppError("draft.too_many");
}

/** Placed ones are small and tell whoever returns to them that they were placed, so they stay. */
async function dropOldChecks(tx: Tx, userId: number): Promise<void> {
  await tx.execute(sql`
    delete from bulk_drafts where id in (
      select id from bulk_drafts where user_id = ${userId} and not is_kept and bulk_order_id is null
      order by updated_at desc, id desc offset ${uploadLimits.checks})`);
}
