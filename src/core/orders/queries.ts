// Orders as they are read: lists that page by key, one order, its timeline.
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, max, type SQL, sql } from "drizzle-orm";
import { type Db, databaseError, type Tx } from "../../../db/connect.ts";
import { afaRegistrations } from "../../../db/schema/afa.ts";
import { users } from "../../../db/schema/identity.ts";
import { orderEvents, orders } from "../../../db/schema/orders.ts";
import {
  type By,
  DELIVERY_KINDS,
  isAdmin,
  limits,
  OPEN_STATUSES,
  type Operator,
  type OrderStatus,
  TO_SEND_STATUSES,
} from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { isBundle } from "../platform/sql.ts";
import type { Order, OrderEvent } from "./buy.ts";
import { searchCondition } from "./search.ts";

export type OrderFilter = {
  /** Only this user's orders; left out for the admins' list. */
  userId?: number | undefined;
  bulkOrderId?: number | undefined;
  /** Free words, as order-search.ts reads them. */
  search?: string | undefined;
  /** Whether an admin searches: by people and vendors' references, too. Left out: where everybody's orders are listed. */
  isAdmins?: boolean | undefined;
  status?: OrderStatus | undefined;
  operator?: Operator | undefined;
  /** Only orders that are not finished. */
  open?: boolean | undefined;
  /** Only bundles that are paid and to be sent now. */
  toSend?: boolean | undefined;
  /** Without AFA registrations, which have a queue of their own. */
  bundlesOnly?: boolean | undefined;
  /** Only orders that were paid, whatever became of them. */
  paidOnly?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Only orders with a higher id. */
  sinceId?: number | undefined;
};

export type OrderRow = Order & { username: string };

type Span = { cursor?: number | undefined; limit: number };

/** Orders newest first, from below `cursor` on; at most `limit`. */
export async function list(db: Tx, filter: OrderFilter, page: Span): Promise<OrderRow[]> {
  const rows = await db
    .select({ order: orders, username: users.username })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(and(await conditionsOf(db, filter), page.cursor ? lt(orders.id, page.cursor) : undefined))
    .orderBy(desc(orders.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
  return rows.map((row) => ({ ...row.order, username: row.username }));
}

/** AFA registrations that wait to be sent to MTN. */
export async function countOpenRegistrations(db: Db): Promise<number> {
  return countRegistrations(db, { open: true });
}

/**
 * The ids of the newest bundle orders that match, as many as can be moved at once; `isMore` when there are more.
 * `registrations`: how many AFA registrations match as well, and are not among them.
 */
export async function idsMatching(
  db: Db,
  filter: OrderFilter,
): Promise<{ ids: number[]; isMore: boolean; registrations: number }> {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(await conditionsOf(db, { ...filter, bundlesOnly: true }))
    .orderBy(desc(orders.id))
    .limit(limits.bulkMoveOrders + 1);
  const ids = rows.slice(0, limits.bulkMoveOrders).map((row) => row.id);
  return { ids, isMore: rows.length > ids.length, registrations: await countRegistrations(db, filter) };
}

async function countRegistrations(db: Db, filter: OrderFilter): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(afaRegistrations)
    .innerJoin(orders, eq(orders.id, afaRegistrations.orderId))
    .where(await conditionsOf(db, filter));
  return row!.count;
}

const exported = {
  id: orders.id,
  userId: orders.userId,
  msisdn: orders.msisdn,
  status: orders.status,
  operator: orders.operator,
  family: orders.family,
  productName: orders.productName,
  productSize: orders.productSize,
  volumeMb: orders.volumeMb,
  quantity: orders.quantity,
  amountPesewas: orders.amountPesewas,
  createdAt: orders.createdAt,
};
export type ExportedOrder = Pick<Order, keyof typeof exported>;

/**
 * All orders that match, newest first, a batch at a time by key: a million of them never sit in memory, and no
 * transaction stays open while a slow reader takes them. What is ordered meanwhile is not among them.
 */
export async function* inBatches(
  db: Db,
  filter: OrderFilter,
  batchSize = 1_000,
): AsyncGenerator<ExportedOrder[]> {
  const conditions = await conditionsOf(db, filter);
  let cursor: number | undefined;
  for (;;) {
    const rows = await db
      .select(exported)
      .from(orders)
      .where(and(conditions, cursor ? lt(orders.id, cursor) : undefined))
      .orderBy(desc(orders.id))
      .limit(batchSize);
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    cursor = rows.at(-1)!.id;
  }
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

export type TimelineEvent = OrderEvent & { byUsername: string | null };

/**
 * What happened to an order after it was placed, oldest first. Admins read who delivers and what they said, and their own
 * notes; its agent reads what was heard in the shop's words, the same only once in a row.
 */
export async function events(db: Db, by: By, orderId: number): Promise<TimelineEvent[]> {
  const rows = await db
    .select({ event: orderEvents, byUsername: users.username })
    .from(orderEvents)
    .leftJoin(users, eq(users.id, orderEvents.byUserId))
    .where(and(eq(orderEvents.orderId, orderId), isAdmin(by) ? undefined : eq(orderEvents.isInternal, false)))
    .orderBy(asc(orderEvents.id));
  const all = rows.map(({ event, byUsername }) => ({ ...event, byUsername }));
  return isAdmin(by)
    ? all.map((event) => ({ ...event, note: event.detail ?? event.note }))
    : all.map(forAgent).filter((event, i, events) => event.toStatus || !isRepeated(event, events[i - 1]));
}

function forAgent(event: TimelineEvent): TimelineEvent {
  return { ...event, note: event.kind ? DELIVERY_KINDS[event.kind] : event.note, detail: null };
}

function isRepeated({ kind }: TimelineEvent, before: TimelineEvent | undefined): boolean {
  return kind !== null && kind === before?.kind;
}

/** A search may take this long over all orders; one that does not end looks through the newest of them only. */
const SEARCH_MS = 1_500;
const SEARCHED_NEWEST = 200_000;

/**
 * The same list for a page that somebody waits for. `isCut`: the search took too long, and only the newest orders (from
 * `cursor` on) were looked through.
 */
export async function search(
  db: Db,
  filter: OrderFilter,
  page: Span,
  timeMs = SEARCH_MS,
): Promise<{ rows: OrderRow[]; isCut: boolean }> {
  if (!filter.search?.trim()) return { rows: await list(db, filter, page), isCut: false };
  try {
    const rows = await db.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = ${timeMs}`));
      return list(tx, filter, page);
    });
    return { rows, isCut: false };
  } catch (error) {
    if (databaseError(error)?.code !== QUERY_CANCELED) throw error;
    const [newest] = await db.select({ id: max(orders.id) }).from(orders);
    const sinceId = (page.cursor ?? newest?.id ?? 0) - SEARCHED_NEWEST;
    return { rows: await list(db, { ...filter, sinceId }, page), isCut: true };
  }
}

/** What Postgres calls a statement that ran out of time. */
const QUERY_CANCELED = "57014";

async function conditionsOf(db: Tx, filter: OrderFilter): Promise<SQL | undefined> {
  return and(
    filter.userId === undefined ? undefined : eq(orders.userId, filter.userId),
    filter.bulkOrderId === undefined ? undefined : eq(orders.bulkOrderId, filter.bulkOrderId),
    filter.status && eq(orders.status, filter.status),
    filter.open ? inArray(orders.status, [...OPEN_STATUSES]) : undefined,
    filter.toSend ? and(inArray(orders.status, [...TO_SEND_STATUSES]), isNotNull(orders.paidAt)) : undefined,
    filter.toSend || filter.bundlesOnly ? isBundle : undefined,
    filter.paidOnly ? isNotNull(orders.paidAt) : undefined,
    filter.operator && eq(orders.operator, filter.operator),
    filter.from && gte(orders.createdAt, filter.from),
    filter.to && lt(orders.createdAt, filter.to),
    filter.from && gte(orders.id, await firstIdSince(db, filter.from.getTime() - ID_SLACK_MS)),
    filter.to && lt(orders.id, await firstIdSince(db, filter.to.getTime() + ID_SLACK_MS)),
    filter.sinceId === undefined ? undefined : gt(orders.id, filter.sinceId),
    filter.search
      ? await searchCondition(db, filter.search, {
          isAdmin: filter.isAdmins ?? filter.userId === undefined,
          userId: filter.userId,
        })
      : undefined,
  );
}

/** Ids are given a moment before the order's time is, and never in another order by more than this. */
const ID_SLACK_MS = 10 * 60_000;

/**
 * The id from which on orders are not older than a moment, found by halving: ids grow with time, so that a list of some
 * days reads those days only, without an index on time for every purchase to keep.
 */
async function firstIdSince(db: Tx, momentMs: number): Promise<number> {
  const moment = new Date(momentMs).toISOString();
  const [row] = await db.execute<{ id: number }>(sql`
    with recursive span (low, high) as (
      select coalesce(min(id), 0), coalesce(max(id), 0) + 1 from orders
      union all
      select case when seen.created_at < ${moment}::timestamptz then seen.id + 1 else low end,
             case when seen.created_at < ${moment}::timestamptz then high else (low + high) / 2 end
      from span, lateral (
        select o.id, o.created_at from orders o where o.id >= (low + high) / 2 order by o.id limit 1) seen
      where low < high
    )
    select max(low) as id from span`);
  return row!.id;
}
