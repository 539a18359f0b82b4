// Bulk lists that an agent typed: checked at an address of their own, saved for later, gone on with. A draft holds no
// money and no rule: it is read anew whenever it is looked at. Placing it marks it placed in the very commit that places
// its orders, so that no list is placed twice; what is left of it becomes a draft in the same commit.
import { and, desc, eq, or, sql } from "drizzle-orm";
import type { Db, Sql } from "../../../db/connect.ts";
import { bulkDrafts } from "../../../db/schema/orders.ts";
import type { FigureMeaning, OtherNetworkMeaning } from "../../shared/bulk-bundles.ts";
import { type By, limits, type Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { uploadLimits } from "../../shared/upload-limits.ts";
import { deleteInParts } from "../platform/parts.ts";

export type Draft = typeof bulkDrafts.$inferSelect;
export type DraftSummary = Pick<Draft, "id" | "operator" | "lineCount" | "updatedAt">;

/** What is to be kept. With `draftId` it takes that draft's place; `key` is the form's, so that sent twice it is one. */
export type DraftAsked = {
  draftId: number | null;
  key: string;
  operator: Operator;
  productId: number | null;
  lines: string;
  lineCount: number;
  /** False for a list that is only checked: it is soon forgotten, and the oldest makes room for a new one. */
  isKept: boolean;
  allowsRepeats?: boolean;
};

/** The drafts that whoever asks saved for later, the one that was changed last first. */
export async function list(db: Db, by: By): Promise<DraftSummary[]> {
  const { id, operator: of, lineCount, updatedAt } = bulkDrafts;
  const isTheirs = and(eq(bulkDrafts.userId, by.userId!), eq(bulkDrafts.isKept, true));
  return db
    .select({ id, operator: of, lineCount, updatedAt })
    .from(bulkDrafts)
    .where(isTheirs)
    .orderBy(desc(updatedAt), desc(id))
    .limit(limits.bulkDrafts);
}

/** One draft with its lines. Throws draft.not_found when there is none of this id, or it is somebody else's. */
export async function get(db: Db, by: By, draftId: number): Promise<Draft> {
  const [draft] = await db
    .select()
    .from(bulkDrafts)
    .where(and(eq(bulkDrafts.id, draftId), eq(bulkDrafts.userId, by.userId!)));
  if (!draft) throw new AppError("draft.not_found");
  return draft;
}

/** Whether the shop has what was sent from the form with this key, placed or not. */
export async function isKnown(db: Db, by: By, key: string): Promise<boolean> {
  const [row] = await db
    .select({ id: bulkDrafts.id })
    .from(bulkDrafts)
    .where(and(eq(bulkDrafts.userId, by.userId!), or(eq(bulkDrafts.key, key), eq(bulkDrafts.lastKey, key))));
  return row !== undefined;
}

/**
 * Keeps lines as a draft and returns its id. What was placed already stays placed, whatever is sent from its form again.
 * Throws draft.too_many when it is to be kept for later.
 */
export async function save(db: Db, ask: { by: By; draft: DraftAsked }): Promise<number> {
  const userId = ask.by.userId!;
  const draftId = await db.$client.begin(async (tx) => {
    const sql = tx as unknown as Sql;
    // Placing locks the wallet, too: whoever counts drafts does it alone.
    await sql`select 1 from wallets where user_id = ${userId} for update`;
    const id = (await change(sql, userId, ask.draft)) ?? (await put(sql, userId, ask.draft));
    if (ask.draft.isKept) await checkRoom(sql, userId);
    else await dropOldChecks(sql, userId);
    return id;
  });
  return draftId as number;
}

export type Answers = {
  figures?: FigureMeaning | undefined;
  otherNetworks?: OtherNetworkMeaning | undefined;
  allowsRepeats: boolean;
};

/**
 * Answers a draft's questions and changes its lines. Throws bulk.list_changed when it is not the version that was looked
 * at, or has been placed.
 */
export async function answer(
  db: Db,
  ask: { by: By; draftId: number; version: number; answers: Answers; lines: string; lineCount: number },
): Promise<void> {
  const { draftId, version, answers, ...text } = ask;
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
        eq(bulkDrafts.userId, ask.by.userId!),
        eq(bulkDrafts.version, version),
        sql`${bulkDrafts.bulkOrderId} is null`,
      ),
    )
    .returning({ id: bulkDrafts.id });
  if (!changed) throw new AppError("bulk.list_changed");
}

/** What is left of a list when the rest of it is placed. */
export type Rest = { draftId: number; version: number; lines: string; lineCount: number };

/**
 * Marks a draft as placed, inside of the commit that places its orders (which has locked the buyer's wallet); the lines
 * that are left are a draft of their own from then on. If the power goes out before that commit, nothing was placed and
 * the draft is as it was; after it, both are done. Throws bulk.list_changed when the draft is not the version that was
 * looked at, or was placed already; draft.too_many.
 */
export async function markPlaced(sql: Sql, userId: number, bulkOrderId: number, rest: Rest): Promise<void> {
  const [draft] = await sql<{ key: string }[]>`
    update bulk_drafts set bulk_order_id = ${bulkOrderId}, is_kept = false, lines = '', version = version + 1,
      updated_at = now()
    where id = ${rest.draftId} and user_id = ${userId} and version = ${rest.version} and bulk_order_id is null
    returning key`;
  if (!draft) throw new AppError("bulk.list_changed");
  if (rest.lineCount === 0) return;
  await sql`
    insert into bulk_drafts (user_id, key, operator, product_id, lines, line_count, figures, other_networks)
    select user_id, ${`rest of ${rest.draftId}`}, operator, product_id, ${rest.lines}, ${rest.lineCount}, figures,
      other_networks
    from bulk_drafts where id = ${rest.draftId}`;
  await checkRoom(sql, userId);
}

/** Deletes a draft; one that is gone already is no error. */
export async function remove(db: Db, ask: { by: By; draftId: number }): Promise<void> {
  await db
    .delete(bulkDrafts)
    .where(and(eq(bulkDrafts.id, ask.draftId), eq(bulkDrafts.userId, ask.by.userId!)));
}

/** Forgets lists that were only checked after some days, and saved ones that nobody went on with. */
export async function forgetOld(db: Db): Promise<void> {
  await deleteInParts(
    db,
    bulkDrafts,
    sql`${bulkDrafts.updatedAt} < now() - make_interval(days => ${uploadLimits.checkDays})
      and (not ${bulkDrafts.isKept}
        or ${bulkDrafts.updatedAt} < now() - make_interval(days => ${uploadLimits.draftDays}))`,
  );
}

/** Saved for later, it stays so while it is checked. The questions about other lines are asked anew. */
async function change(sql: Sql, userId: number, draft: DraftAsked): Promise<number | null> {
  const { draftId, key, operator, productId, lines, lineCount, isKept, allowsRepeats = false } = draft;
  if (draftId === null) return null;
  const [changed] = await sql<{ id: number }[]>`
    update bulk_drafts set operator = ${operator}, product_id = ${productId}, lines = ${lines},
      line_count = ${lineCount}, is_kept = is_kept or ${isKept}, version = version + 1, updated_at = now(),
      allows_repeats = ${allowsRepeats}, last_key = ${key},
      figures = case when lines = ${lines} then figures end,
      other_networks = case when lines = ${lines} then other_networks end
    where user_id = ${userId} and id = ${draftId} and bulk_order_id is null returning id`;
  return changed?.id ?? null;
}

async function put(sql: Sql, userId: number, draft: DraftAsked): Promise<number> {
  const { key, operator, productId, lines, lineCount, isKept, allowsRepeats = false } = draft;
  const [made] = await sql<{ id: number }[]>`
    insert into bulk_drafts as d (user_id, key, operator, product_id, lines, line_count, is_kept, allows_repeats)
    values (${userId}, ${key}, ${operator}, ${productId}, ${lines}, ${lineCount}, ${isKept}, ${allowsRepeats})
    on conflict (user_id, key) do update set operator = excluded.operator, product_id = excluded.product_id,
      lines = excluded.lines, line_count = excluded.line_count, is_kept = d.is_kept or excluded.is_kept,
      allows_repeats = excluded.allows_repeats, version = d.version + 1, updated_at = now()
    where d.bulk_order_id is null
    returning id`;
  if (made) return made.id;
  const [placed] = await sql<{ id: number }[]>`
    select id from bulk_drafts where user_id = ${userId} and key = ${key}`;
  return placed!.id;
}

async function checkRoom(sql: Sql, userId: number): Promise<void> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from bulk_drafts where user_id = ${userId} and is_kept`;
  if (row!.count > limits.bulkDrafts) throw new AppError("draft.too_many");
}

/** Those that became a bulk order weigh nothing, and say so to whoever goes back to them: they stay their days. */
async function dropOldChecks(sql: Sql, userId: number): Promise<void> {
  await sql`
    delete from bulk_drafts where id in (
      select id from bulk_drafts where user_id = ${userId} and not is_kept and bulk_order_id is null
      order by updated_at desc, id desc offset ${uploadLimits.checks})`;
}
