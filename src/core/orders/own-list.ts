// Extras of an agent's list of orders: how many are unfinished, and what has changed since.
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { oneOf } from "../../../db/schema/columns.ts";
import { orders } from "../../../db/schema/orders.ts";
import { limits, OPEN_STATUSES } from "../../shared/domain.ts";
import { type OrderState, stateOf } from "../../shared/orders/order-states.ts";
import { isAmong } from "../platform/sql.ts";
import { IS_REPORTED } from "../support/disputed-orders.ts";

/** Only the newest orders are counted, by the index of an agent's orders: it costs the same however many there are. */
const COUNTED = 200;

/** The unfinished and the unpaid ones among an agent's newest orders. `isMore`: there may be older ones. */
export type Unfinished = { open: number; unpaid: number; isMore: boolean };

/** Counts an agent's unfinished orders. Those of earlier days are few, and finished by their deadlines. */
export async function unfinished(db: Reads, userId: number): Promise<Unfinished> {
  const [row] = await db.execute<{ open: number; unpaid: number; is_more: boolean }>(unfinishedQuery(userId));
  return { open: row!.open, unpaid: row!.unpaid, isMore: row!.is_more };
}

/** Reads an agent's newest orders by their index, as `newCountQuery` does. */
export function unfinishedQuery(userId: number): SQL {
  return sql`
    select count(*) filter (where status in (${oneOf(OPEN_STATUSES)}))::int as open,
           count(*) filter (where status = 'PENDING' and paid_at is null)::int as unpaid,
           count(*) = ${COUNTED} and min(created_at) > now() - interval '1 day' as is_more
    from (select status, paid_at, created_at from orders where user_id between ${userId} and ${userId}
          order by user_id desc, id desc limit ${COUNTED}) newest`;
}

/** A list as an agent sees it: its newest order, whether it only holds unfinished ones, and those that may change. */
export type ShownList = {
  /** Null for a part of the orders, to which new ones do not belong. */
  newestId: number | null;
  isOpenOnly: boolean;
  ids: number[];
};

export type Changes = {
  /** Of the list's orders, by id. */
  states: Record<number, OrderState>;
  /** The number of orders that are newer than the list. */
  newCount: number;
};

/** More than these are counted as these. */
const NEW_MAX = 100;

/** The present states of a list's orders, and the number of newer ones; of the agent's own orders only. */
export async function changes(db: Db, userId: number, shown: ShownList): Promise<Changes> {
  const { newestId, isOpenOnly } = shown;
  const ids = shown.ids.slice(0, limits.pageSize);
  const { id, status, paidAt, note } = orders;
  const [rows, [newer]] = await Promise.all([
    db
      .select({ id, status, paidAt, note, isReported: IS_REPORTED })
      .from(orders)
      .where(and(eq(orders.userId, userId), isAmong(orders.id, ids)))
      .limit(limits.pageSize),
    newestId === null ? [] : db.execute<{ count: number }>(newCountQuery(userId, { newestId, isOpenOnly })),
  ]);
  return {
    states: Object.fromEntries(rows.map((order) => [order.id, stateOf(order)])),
    newCount: newer?.count ?? 0,
  };
}

/**
 * Counts newer orders among an agent's newest. The range of users, which is one user, makes the planner read these by
 * their index (see recipients.ts), and not the unfinished orders of the whole shop, which every open page would ask for
 * again and again.
 */
export function newCountQuery(userId: number, shown: { newestId: number; isOpenOnly: boolean }): SQL {
  return sql`
    select least(count(*), ${NEW_MAX})::int as count from (
      select status from orders where user_id between ${userId} and ${userId} and id > ${shown.newestId}
      order by user_id desc, id desc limit ${COUNTED}) newer
    ${shown.isOpenOnly ? sql`where status in (${oneOf(OPEN_STATUSES)})` : sql``}`;
}
