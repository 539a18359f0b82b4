// New orders: paid bundles that nobody has been handed. An admin takes them as a batch of the desk, whatever their route.
import { and, asc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { attempts as attemptTable } from "../../../db/schema/fulfilment.ts";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import { type By, DESK, isAdmin, OPEN_STATUSES, type Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { Order } from "../orders/buy.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import { isAmong, isBundle } from "../platform/sql.ts";
import { handTo, IS_IN_TIME } from "./desk.ts";
import * as holders from "./holders.ts";

/** So many at most are taken at once: a file that a portal bears, and a page that one can work with. */
export const NEW_ORDERS_MAX = 5_000;

export type NewOrders = {
  operator: Operator;
  count: number;
  /** Of these, how many would go to a vendor if nobody took them. */
  forVendors: number;
  /** Of these, how many have a size that is no number of GB, and must be sent by hand. */
  oddSizes: number;
};

/** Orders that nobody has: what "Export New Only" takes, by operator; perhaps of one operator only. */
export async function count(tx: Tx, operator: Operator | null): Promise<NewOrders[]> {
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
 * Takes orders that nobody has, the oldest first and at most `NEW_ORDERS_MAX`, as one batch under the admin's name:
 * paid bundles at the desk, on their way to a route, or waiting for a vendor that has not been sent them.
 * Throws auth.forbidden, desk.nothing_waiting.
 */
export async function take(
  db: Db,
  ask: { by: By; key: Key | null; operator: Operator | null },
): Promise<Answered<{ batchId: number; orders: number }>> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  return once(db, ask.by.userId!, ask.key, ["new_orders.take", ask.operator], async (tx) => {
    const found = await tx
      .select({ id: orderTable.id })
      .from(orderTable)
      .leftJoin(attemptTable, and(eq(attemptTable.orderId, orderTable.id), holders.IS_ALIVE))
      .where(isNew(ask.operator))
      .orderBy(asc(orderTable.id))
      .limit(NEW_ORDERS_MAX);
    const ids = found.map(({ id }) => id);
    const locked = await lockNew(tx, ids, ask.operator);
    if (locked.length === 0) throw new AppError("desk.nothing_waiting");
    return handTo(tx, ask.by, locked);
  });
}

/** SQL: paid bundles, still in time, that nobody has been handed. */
function isNew(operator: Operator | null): SQL {
  return and(
    inArray(orderTable.status, [...OPEN_STATUSES]),
    isNotNull(orderTable.paidAt),
    isBundle,
    IS_IN_TIME,
    operator === null ? undefined : eq(orderTable.operator, operator),
    sql`case when ${attemptTable.id} is null then ${orderTable.status} <> 'PROCESSING'
      else ${attemptTable.state} = 'queued' and (${attemptTable.vendor} = ${DESK} or ${attemptTable.sends} = 0) end`,
  )!;
}

/** Those of these orders that are still new once they are locked; whoever held one before may have taken it. */
async function lockNew(tx: Tx, ids: number[], operator: Operator | null): Promise<Order[]> {
  const locked = await tx
    .select()
    .from(orderTable)
    .where(isAmong(orderTable.id, ids))
    .orderBy(asc(orderTable.id))
    // What another admin or a worker is taking at this moment is theirs.
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
