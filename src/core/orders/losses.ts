// Losses: orders that were delivered after they had been refunded. Each is recorded with its agent and vendor, so that
// getting both data and money repeatedly is noticed.
import { and, desc, eq, isNull, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { losses } from "../../../db/schema/orders.ts";
import type { ByUser } from "../../shared/domain.ts";
import * as costs from "../catalog/costs.ts";
import * as automaticRefunds from "./automatic-refunds.ts";

export type Loss = typeof losses.$inferSelect & { username: string; settledBy: string | null };

/** The concern about an attempt that delivered a refunded order. */
export const CONCERN = "Delivered after the refund";
/** The concerns about late deliveries, as a regular expression. */
export const CONCERNS = `^${CONCERN}$| delivered it after it had failed$`;

/** From this many losses within LOSS_DAYS on, an agent's refunds need a person. */
export const LOSSES_MAX = 2;
export const LOSS_DAYS = 30;

/**
 * Records which of these attempts delivered a refunded order, in the caller's transaction, which has locked the orders.
 * It costs what its vendor charged, or else what was known of the vendor or the desk. Idempotent: an order is a loss
 * once, and once more after its first refund was taken back.
 */
export async function record(tx: Tx, attemptIds: number[]): Promise<void> {
  if (attemptIds.length === 0) return;
  await tx.execute(sql`
    insert into losses (order_id, user_id, attempt_id, vendor, desk_batch_id, amount_pesewas, cost_pesewas)
    select o.id, o.user_id, a.id, a.vendor, a.desk_batch_id, o.amount_pesewas,
           coalesce(a.cost_pesewas, ${costs.knownWhenSent} * o.quantity)
    from attempts a join orders o on o.id = a.order_id
    where a.id = any(${sql.param(attemptIds)}::bigint[]) and o.status = 'FAILED' and o.refunded_at is not null
    order by a.id
    on conflict (order_id) do update set
      attempt_id = excluded.attempt_id, vendor = excluded.vendor, desk_batch_id = excluded.desk_batch_id,
      cost_pesewas = excluded.cost_pesewas, created_at = now(), note = null, settled_at = null,
      settled_by_user_id = null, recovered_at = null
    where losses.recovered_at is not null`);
}

/** Gives the losses by these attempts the charges that their vendors reported since. */
export async function correctCosts(tx: Tx, attemptIds: number[]): Promise<void> {
  if (attemptIds.length === 0) return;
  await tx.execute(sql`
    update losses l set cost_pesewas = a.cost_pesewas from attempts a
    where a.id = l.attempt_id and a.id = any(${sql.param(attemptIds)}::bigint[])
      and a.cost_pesewas is distinct from l.cost_pesewas`);
}

/**
 * SQL: whether this agent's refunds need a person, because of recent losses. A report that was refunded because nobody
 * decided it counts as one, towards what the clock may refund at most.
 */
export function needsManualRefund(userId: SQLWrapper): SQL<boolean> {
  const isRecent = sql`created_at > now() - make_interval(days => ${LOSS_DAYS})`;
  return sql<boolean>`(${userId} = any(array(
    select c.user_id from (
      select user_id, count(*) filter (where is_loss) as losses, count(distinct order_id) as orders
      from (
        select user_id, order_id, true as is_loss from losses where ${isRecent} and recovered_at is null
        union all
        select user_id, order_id, false from automatic_refunds where ${isRecent} and kind = 'not_received') r
      group by user_id) c
    where c.losses >= ${LOSSES_MAX} or c.orders >= ${automaticRefunds.allowedOrders(sql`c.user_id`)})))`;
}

export type LossTotal = {
  /** A username or a vendor's code. */
  name: string;
  userId: number | null;
  count: number;
  amountPesewas: number;
  /** What vendors charged for it, as far as known. */
  costPesewas: number;
  /** How many of these are within LOSS_DAYS. */
  recentCount: number;
};

/** Total losses by agent and by vendor, largest first, without recovered ones. Amounts in pesewas. */
export async function totals(tx: Reads): Promise<{ byAgent: LossTotal[]; byVendor: LossTotal[] }> {
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
      .where(isNull(losses.recoveredAt))
      .groupBy(users.username, losses.userId)
      .orderBy(desc(sums.amountPesewas))
      .limit(50),
    tx
      .select({ name: losses.vendor, userId: sql<number | null>`null`, ...sums })
      .from(losses)
      .where(isNull(losses.recoveredAt))
      .groupBy(losses.vendor)
      .orderBy(desc(sums.amountPesewas)),
  ]);
  return { byAgent, byVendor };
}

/** SQL: whether an attempt's loss is still to be looked into. */
export function isOpenFor(attemptId: SQLWrapper): SQL {
  return sql`exists (select from losses l where l.attempt_id = ${attemptId} and l.settled_at is null)`;
}

/** At most `limit` losses, newest first, those before the id `cursor`; all, or those still to be looked into. */
export async function list(
  db: Db,
  page: { cursor?: number | undefined; limit: number },
  { isOpen = false } = {},
): Promise<Loss[]> {
  const rows = await db
    .select({
      loss: losses,
      username: users.username,
      settledBy: sql<string | null>`(select username from users s where s.id = ${losses.settledByUserId})`,
    })
    .from(losses)
    .innerJoin(users, eq(users.id, losses.userId))
    .where(and(page.cursor ? lt(losses.id, page.cursor) : undefined, isOpen ? isNull(losses.settledAt) : undefined))
    .orderBy(desc(losses.id))
    .limit(page.limit);
  return rows.map(({ loss, ...row }) => ({ ...loss, ...row }));
}

/** Settles the loss by this attempt with an admin's note, unless it is settled already. */
export async function settle(tx: Tx, by: ByUser, attemptId: number, note: string): Promise<void> {
  await tx
    .update(losses)
    .set({ note, settledAt: sql`now()`, settledByUserId: by.userId })
    .where(and(eq(losses.attemptId, attemptId), isNull(losses.settledAt)));
}

/** The loss of an order, if any, is none any more: its refund was taken back. Settles it with a note. */
export async function recover(tx: Tx, by: ByUser, orderId: number, note: string): Promise<void> {
  await tx
    .update(losses)
    .set({
      recoveredAt: sql`now()`,
      note: sql`coalesce(${losses.note} || '. ', '') || ${note}::text`,
      settledAt: sql`coalesce(${losses.settledAt}, now())`,
      settledByUserId: sql`coalesce(${losses.settledByUserId}, ${by.userId})`,
    })
    .where(and(eq(losses.orderId, orderId), isNull(losses.recoveredAt)));
}
