// Looking orders up: lists that page by key, one order, its timeline.
import { and, asc, desc, eq, gte, inArray, like, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { orderEvents, orders, users } from "../../db/schema.ts";
import {
  type By,
  isAdmin,
  limits,
  OPEN_STATUSES,
  OPERATORS,
  type Operator,
  type OrderStatus,
  STATUSES,
} from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import type { Order, OrderEvent } from "./orders.ts";

export type OrderFilter = {
  /** Only this user's orders; left out for the admins' list. */
  userId?: number | undefined;
  /** Free words: a number or part of it, an id, an operator, a status. */
  search?: string | undefined;
  status?: OrderStatus | undefined;
  operator?: Operator | undefined;
  /** Only orders that are not finished. */
  open?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

export type OrderRow = Order & { username: string };

/** Orders newest first, from below `cursor` on; at most `limit`. */
export async function list(
  db: Db,
  filter: OrderFilter,
  page: { cursor?: number | undefined; limit: number },
): Promise<OrderRow[]> {
  const conditions = and(...filterConditions(filter), page.cursor ? lt(orders.id, page.cursor) : undefined);
  const rows = await db
    .select({ order: orders, username: users.username })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(conditions)
    .orderBy(desc(orders.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
  return rows.map((row) => ({ ...row.order, username: row.username }));
}

/** One order; throws order.not_found when it does not exist or is not `by`'s to see. */
export async function get(db: Db, by: By, orderId: number): Promise<OrderRow> {
  const [row] = await db
    .select({ order: orders, username: users.username })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, orderId));
  if (!row || (row.order.userId !== by.userId && !isAdmin(by))) throw new AppError("order.not_found");
  return { ...row.order, username: row.username };
}

/** What happened to an order after it was placed, oldest first. */
export async function events(db: Db, orderId: number): Promise<OrderEvent[]> {
  return db.select().from(orderEvents).where(eq(orderEvents.orderId, orderId)).orderBy(asc(orderEvents.id));
}

function filterConditions(filter: OrderFilter): (SQL | undefined)[] {
  return [
    filter.userId === undefined ? undefined : eq(orders.userId, filter.userId),
    filter.status && eq(orders.status, filter.status),
    filter.open ? inArray(orders.status, [...OPEN_STATUSES]) : undefined,
    filter.operator && eq(orders.operator, filter.operator),
    filter.from && gte(orders.createdAt, filter.from),
    filter.to && lt(orders.createdAt, filter.to),
    filter.search ? searchCondition(filter.search.trim(), filter.userId === undefined) : undefined,
  ];
}

/** Digits look for a number or an id (admins: also a user's id); words for an operator, a status, a username. */
function searchCondition(words: string, everybody: boolean): SQL | undefined {
  if (words === "") return undefined;
  const digits = words.replace(/[\s\-()+#]/g, "");
  if (/^\d+$/.test(digits)) {
    const national = digits.replace(/^(?:00)?233(?=\d)|^0+/, "");
    const isId = digits.length <= 15 && !words.startsWith("0") && !words.startsWith("+");
    return or(
      isId ? eq(orders.id, Number(digits)) : undefined,
      isId && everybody ? eq(orders.userId, Number(digits)) : undefined,
      // Shorter parts would match almost everything and cannot use the index.
      national.length >= 4 ? like(orders.msisdn, `%${national}%`) : undefined,
      sql`false`,
    );
  }
  const upper = words.toUpperCase();
  const pattern = `%${words.replace(/[%_\\]/g, "\\$&")}%`;
  const status = STATUSES.filter((word) => word.startsWith(upper));
  const operator = OPERATORS.filter((word) => word.startsWith(upper.replace(/[\s-]/g, "")));
  return or(
    status.length > 0 ? inArray(orders.status, status) : undefined,
    operator.length > 0 ? inArray(orders.operator, operator) : undefined,
    everybody
      ? sql`${orders.userId} in (select u.id from users u where u.username ilike ${pattern} order by u.id limit 200)`
      : undefined,
    sql`false`,
  );
}
