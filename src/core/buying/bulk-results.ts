// Results of placed bulk orders: their progress, and the outcome of each line.
import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { bulkOrders, orders } from "../../../db/schema/orders.ts";
import { type ByUser, limits, type OrderStatus } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { hasRight } from "../../shared/rights.ts";
import type { Order } from "../orders/order.ts";

export type BulkOrder = typeof bulkOrders.$inferSelect;

export type BulkResult = BulkOrder & {
  username: string;
  /** Its orders by status; a status without orders is left out. */
  counts: Partial<Record<OrderStatus, number>>;
  /** Those whose money is back. */
  refunded: { orders: number; amountPesewas: number };
};

/** An account's bulk orders, newest first, those before the id `cursor`; `reference`: only those with this one. */
export async function list(
  db: Reads,
  userId: number,
  { cursor, limit, reference }: { cursor?: number | undefined; limit: number; reference?: string | undefined },
): Promise<BulkOrder[]> {
  return db
    .select()
    .from(bulkOrders)
    .where(
      and(
        eq(bulkOrders.userId, userId),
        reference === undefined ? undefined : eq(bulkOrders.reference, reference),
        cursor ? lt(bulkOrders.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(bulkOrders.id))
    .limit(Math.min(limit, limits.pageSizeMax));
}

type Counted = { status: OrderStatus; orders: number; refunded: number; refundedPesewas: number };

/**
 * A bulk order with its progress, in one statement. Throws bulk.not_found when it does not exist or `by` may not see
 * it.
 */
export async function get(db: Reads, by: ByUser, bulkOrderId: number): Promise<BulkResult> {
  const counted = sql<Counted[] | null>`(
    select json_agg(c) from (
      select o.status, count(*) as orders, count(o.refunded_at) as refunded,
             coalesce(sum(o.amount_pesewas) filter (where o.refunded_at is not null), 0) as "refundedPesewas"
      from orders o where o.bulk_order_id = bulk_orders.id group by o.status) c)`;
  const [row] = await db
    .select({ bulk: bulkOrders, username: users.username, counted })
    .from(bulkOrders)
    .innerJoin(users, eq(users.id, bulkOrders.userId))
    .where(eq(bulkOrders.id, bulkOrderId));
  if (!row || (row.bulk.userId !== by.userId && !hasRight(by, "orders.see"))) throw new AppError("bulk.not_found");
  const byStatus = row.counted ?? [];
  return {
    ...row.bulk,
    username: row.username,
    counts: Object.fromEntries(byStatus.map(({ status, orders }) => [status, orders])),
    refunded: {
      orders: byStatus.reduce((sum, { refunded }) => sum + refunded, 0),
      amountPesewas: byStatus.reduce((sum, { refundedPesewas }) => sum + refundedPesewas, 0),
    },
  };
}

/** Its orders of one bundle; `volumeMb` is that of one, and unknown for bundles sold before volumes were stored. */
export type BoughtBundle = Pick<Order, "operator" | "family" | "productSize" | "volumeMb"> & {
  lines: number;
  quantity: number;
};

/** Far more kinds of bundles than are on sale. */
const BUNDLES_MAX = 100;

/** What it consists of, the most frequent bundle first. */
export async function bundles(db: Db, bulkOrderId: number): Promise<BoughtBundle[]> {
  const { operator, family, productSize, volumeMb } = orders;
  const lines = sql<number>`count(*)`.mapWith(Number);
  const quantity = sql<number>`sum(${orders.quantity})`.mapWith(Number);
  return db
    .select({ operator, family, productSize, volumeMb, lines, quantity })
    .from(orders)
    .where(eq(orders.bulkOrderId, bulkOrderId))
    .groupBy(operator, family, productSize, volumeMb)
    .orderBy(desc(lines), asc(productSize))
    .limit(BUNDLES_MAX);
}

const line = {
  id: orders.id,
  msisdn: orders.msisdn,
  quantity: orders.quantity,
  amountPesewas: orders.amountPesewas,
  status: orders.status,
  reference: orders.reference,
};
export type ResultLine = Pick<Order, keyof typeof line> & { reason: string | null };

/** Its orders in the order of its lines, in batches by id, each with the reason if it failed. */
export async function* lines(db: Db, bulkOrderId: number, batchSize = 1_000): AsyncGenerator<ResultLine[]> {
  // Full column names: Drizzle's would lose their table here and be read as the event's. A vendor's message is in the
  // event, what the buyer reads instead is in the order.
  const reason = sql<string | null>`case when orders.status = 'FAILED' then (
    select case when e.kind is null then e.note else orders.note end from order_events e
    where e.order_id = orders.id and e.to_status = 'FAILED' order by e.id desc limit 1) end`;
  for (let after = 0; ; ) {
    const rows = await db
      .select({ ...line, reason: reason.as("reason") })
      .from(orders)
      .where(and(eq(orders.bulkOrderId, bulkOrderId), gt(orders.id, after)))
      .orderBy(asc(orders.id))
      .limit(batchSize);
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.id;
  }
}
