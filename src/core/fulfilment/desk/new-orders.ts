// New orders: paid bundles that are not yet dispatched. An admin takes them as a desk batch, whatever their route.
import { and, asc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { attempts as attemptTable } from "../../../../db/schema/fulfilment.ts";
import { orders as orderTable } from "../../../../db/schema/orders.ts";
import { DESK, OPEN_STATUSES } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Operator } from "../../../shared/inputs.ts";
import type { Order } from "../../orders/order.ts";
import { command } from "../../platform/commands.ts";
import { isAmong, isBundle } from "../../platform/sql.ts";
import * as holders from "../holders.ts";
import { MAY_BE_SENT, takeBatch } from "./desk.ts";

/** The most orders in one batch: a file that portals accept, and a page one can work with. */
export const NEW_ORDERS_MAX = 5_000;

export type NewOrders = {
  operator: Operator;
  count: number;
  /** How many of these would otherwise go to a vendor. */
  forVendors: number;
  /** How many of these have a size that is not in MB or GB, and must be sent by hand. */
  oddSizes: number;
};

/** The new orders that "Export New Only" would take, by operator; of one operator if given. */
export async function count(tx: Reads, operator: Operator | null): Promise<NewOrders[]> {
  const rows = await tx
    .select({
      operator: orderTable.operator,
      count: sql<number>`count(*)::int`,
      forVendors: sql<number>`count(*) filter (where ${attemptTable.vendor} <> ${DESK})::int`,
      oddSizes: sql<number>`count(*) filter (where ${orderTable.volumeMb} is null)::int`,
    })
    .from(orderTable)
    .leftJoin(attemptTable, and(eq(attemptTable.orderId, orderTable.id), holders.IS_ALIVE))
    .where(isNew(operator))
    .groupBy(orderTable.operator)
    .orderBy(orderTable.operator);
  return rows;
}

/**
 * Takes new orders, oldest first and at most `NEW_ORDERS_MAX`, as one batch in the caller's name: paid bundles at the
 * desk, before routing, or queued for a vendor and not sent.
 */
export const take = command({
  name: "batch.take_new",
  right: "orders.work",
  about: "Take new orders as a batch of yours, whatever their route",
  subject: "batch",
  input: { operator: Operator.nullable() },
  errors: ["desk.nothing_waiting"],
  run: async ({ tx, by }, { operator }) => {
    const found = await tx
      .select({ id: orderTable.id })
      .from(orderTable)
      .leftJoin(attemptTable, and(eq(attemptTable.orderId, orderTable.id), holders.IS_ALIVE))
      .where(isNew(operator))
      .orderBy(asc(orderTable.id))
      .limit(NEW_ORDERS_MAX);
    const ids = found.map(({ id }) => id);
    const locked = await lockNew(tx, ids, operator);
    if (locked.length === 0) throw new AppError("desk.nothing_waiting");
    return takeBatch(tx, by, locked);
  },
});

/** SQL: paid bundles before their deadline that are not yet dispatched. */
function isNew(operator: Operator | null): SQL {
  return and(
    inArray(orderTable.status, [...OPEN_STATUSES]),
    isNotNull(orderTable.paidAt),
    isBundle,
    MAY_BE_SENT,
    operator === null ? undefined : eq(orderTable.operator, operator),
    sql`case when ${attemptTable.id} is null then ${orderTable.status} <> 'PROCESSING'
      else ${attemptTable.state} = 'queued' and (${attemptTable.vendor} = ${DESK} or ${attemptTable.sends} = 0) end`,
  )!;
}

/** Locks these orders and returns those still new, because one may have been taken while its lock was awaited. */
async function lockNew(tx: Tx, ids: number[], operator: Operator | null): Promise<Order[]> {
  const locked = await tx
    .select()
    .from(orderTable)
    .where(isAmong(orderTable.id, ids))
    .orderBy(asc(orderTable.id))
    // Orders that another admin or a worker is taking right now are skipped.
    .for("update", { skipLocked: true });
  const still = await tx
    .select({ id: orderTable.id })
    .from(orderTable)
    .leftJoin(attemptTable, and(eq(attemptTable.orderId, orderTable.id), holders.IS_ALIVE))
    .where(
      and(
        isAmong(
          orderTable.id,
          locked.map(({ id }) => id),
        ),
        isNew(operator),
      ),
    );
  const fresh = new Set(still.map(({ id }) => id));
  return locked.filter(({ id }) => fresh.has(id));
}
