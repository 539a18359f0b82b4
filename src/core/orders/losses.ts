// Losses: what was delivered after its money went back. Each is a row under the names of the agent and of who delivered
// it, so that nobody gets data and money again and again without being noticed.
import { and, desc, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { losses } from "../../../db/schema/orders.ts";
import type { By } from "../../shared/domain.ts";

export type Loss = typeof losses.$inferSelect & { username: string; settledBy: string | null };

/** An agent with so many losses within so many days is refunded by a person only. */
export const LOSSES_MAX = 2;
export const LOSS_DAYS = 30;

/**
 * Writes down which of these attempts delivered an order whose money had gone back, in the caller's transaction, which
 * holds the orders. The same attempts again change nothing: an order is lost once.
 */
export async function record(tx: Tx, attemptIds: number[]): Promise<void> {
  if (attemptIds.length === 0) return;
  await tx.execute(sql`
    insert into losses (order_id, user_id, attempt_id, vendor, desk_batch_id, amount_pesewas, cost_pesewas)
    select o.id, o.user_id, a.id, a.vendor, a.desk_batch_id, o.amount_pesewas, a.cost_pesewas
    from attempts a join orders o on o.id = a.order_id
    where a.id = any(${sql.param(attemptIds)}::bigint[]) and o.status = 'FAILED' and o.refunded_at is not null
    order by a.id
    on conflict (order_id) do nothing`);
}

/** SQL: whether only a person gives this agent's money back, because of what was lost to them lately. */
export function isRefundedByPersonOnly(userId: SQLWrapper): SQL<boolean> {
  return sql<boolean>`(${userId} = any(array(
    select user_id from losses where created_at > now() - make_interval(days => ${LOSS_DAYS})
    group by user_id having count(*) >= ${LOSSES_MAX})))`;
}

export type LossTotal = {
  /** A username or a vendor's code. */
  name: string;
  userId: number | null;
  count: number;
  amountPesewas: number;
  /** What vendors took for it, as far as they said. */
  costPesewas: number;
  /** Of these, how many in the last days that count. */
  recentCount: number;
};

/** All losses added up by agent and by who delivered them, the largest sums first. Amounts in pesewas. */
export async function totals(tx: Tx): Promise<{ byAgent: LossTotal[]; byVendor: LossTotal[] }> {
  const sums = {
    count: sql<number>`count(*)::int`,
    amountPesewas: sql<number>`sum(${losses.amountPesewas})::bigint`,
    costPesewas: sql<number>`coalesce(sum(${losses.costPesewas}), 0)::bigint`,
    recentCount: sql<number>`count(*) filter (
      where ${losses.createdAt} > now() - make_interval(days => ${LOSS_DAYS}))::int`,
  };
  const [byAgent, byVendor] = await Promise.all([
    tx
      .select({ name: users.username, userId: sql<number | null>`${losses.userId}`, ...sums })
      .from(losses)
      .innerJoin(users, eq(users.id, losses.userId))
      .groupBy(users.username, losses.userId)
      .orderBy(desc(sums.amountPesewas))
      .limit(50),
    tx
      .select({ name: losses.vendor, userId: sql<number | null>`null`, ...sums })
      .from(losses)
      .groupBy(losses.vendor)
      .orderBy(desc(sums.amountPesewas)),
  ]);
  return { byAgent, byVendor };
}

/** Losses newest first, from below `cursor` on; at most `limit`. */
export async function list(db: Db, page: { cursor?: number | undefined; limit: number }): Promise<Loss[]> {
  const rows = await db
    .select({
      loss: losses,
      username: users.username,
      settledBy: sql<string | null>`(select username from users s where s.id = ${losses.settledByUserId})`,
    })
    .from(losses)
    .innerJoin(users, eq(users.id, losses.userId))
    .where(page.cursor ? sql`${losses.id} < ${page.cursor}` : undefined)
    .orderBy(desc(losses.id))
    .limit(page.limit);
  return rows.map(({ loss, ...row }) => ({ ...loss, ...row }));
}

/** Notes what a person found out about the loss by this attempt, if it is one that nobody has noted anything about. */
export async function settle(tx: Tx, by: By, attemptId: number, note: string): Promise<void> {
  await tx
    .update(losses)
    .set({ note, settledAt: sql`now()`, settledByUserId: by.userId })
    .where(and(eq(losses.attemptId, attemptId), isNull(losses.settledAt)));
}
