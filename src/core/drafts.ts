// Drafts of bulk orders. A draft is an agent's own typing and holds no money and no rule: it is read anew when it is
// continued. What is left of a bulk order becomes a draft in the very commit that places the rest of it.
import { and, desc, eq } from "drizzle-orm";
import type { Db, Sql } from "../../db/connect.ts";
import { bulkDrafts } from "../../db/schema-drafts.ts";
import { type By, limits, type Operator } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";

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
};

/** The drafts of whoever asks, the one that was changed last first. */
export async function list(db: Db, by: By, operator?: Operator): Promise<DraftSummary[]> {
  const { id, operator: of, lineCount, updatedAt } = bulkDrafts;
  return db
    .select({ id, operator: of, lineCount, updatedAt })
    .from(bulkDrafts)
    .where(and(eq(bulkDrafts.userId, by.userId!), operator && eq(of, operator)))
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

/** Keeps lines as a draft and returns its id. Throws draft.too_many. */
export async function save(db: Db, ask: { by: By; draft: DraftAsked }): Promise<number> {
  const userId = ask.by.userId!;
  const draftId = await db.$client.begin(async (sql) => {
    // Placing locks the wallet, too: whoever counts drafts does it alone.
    await sql`select 1 from wallets where user_id = ${userId} for update`;
    return put(sql as unknown as Sql, userId, ask.draft);
  });
  return draftId as number;
}

/**
 * What becomes of the lines that were not placed, inside of the commit that places the others (which has locked the
 * buyer's wallet): they are the draft from now on, and with none left the draft is gone. If the power goes out before
 * that commit, nothing was placed and the draft is as it was; after it, both are done. Throws draft.too_many.
 */
export async function keepRest(sql: Sql, userId: number, rest: DraftAsked): Promise<void> {
  if (rest.lineCount > 0) await put(sql, userId, rest);
  else if (rest.draftId !== null)
    await sql`delete from bulk_drafts where id = ${rest.draftId} and user_id = ${userId}`;
}

/** Deletes a draft; one that is gone already is no error. */
export async function remove(db: Db, ask: { by: By; draftId: number }): Promise<void> {
  await db
    .delete(bulkDrafts)
    .where(and(eq(bulkDrafts.id, ask.draftId), eq(bulkDrafts.userId, ask.by.userId!)));
}

async function put(sql: Sql, userId: number, draft: DraftAsked): Promise<number> {
  const { draftId, key, operator, productId, lines, lineCount } = draft;
  if (draftId !== null) {
    const [changed] = await sql<{ id: number }[]>`
      update bulk_drafts set operator = ${operator}, product_id = ${productId}, lines = ${lines},
        line_count = ${lineCount}, updated_at = now()
      where user_id = ${userId} and id = ${draftId} returning id`;
    if (changed) return changed.id;
  }
  const [made] = await sql<{ id: number }[]>`
    insert into bulk_drafts (user_id, key, operator, product_id, lines, line_count)
    select ${userId}, ${key}, ${operator}, ${productId}::bigint, ${lines}, ${lineCount}
    where (select count(*) from bulk_drafts where user_id = ${userId} and key <> ${key}) < ${limits.bulkDrafts}
    on conflict (user_id, key) do update set operator = excluded.operator, product_id = excluded.product_id,
      lines = excluded.lines, line_count = excluded.line_count, updated_at = now()
    returning id`;
  if (!made) throw new AppError("draft.too_many");
  return made.id;
}
