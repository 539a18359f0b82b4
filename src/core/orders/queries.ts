// Queries of orders: lists paged by id, single orders, their timelines.
import {
  and,
  asc,
  between,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  type SQL,
  sql,
} from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { afaRegistrations } from "../../../db/schema/afa.ts";
import { users } from "../../../db/schema/identity.ts";
import { orderEvents, orders } from "../../../db/schema/orders.ts";
import {
  type ByUser,
  DELIVERY_KINDS,
  limits,
  OPEN_STATUSES,
  type Operator,
  type OrderStatus,
  TO_SEND_STATUSES,
} from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { hasRight } from "../../shared/rights.ts";
import { firstOrderIdSince, isBundle } from "../platform/sql.ts";
import { IS_REPORTED } from "../support/disputed-orders.ts";
import { allIds, type Ids, isInMany, readNewest } from "./number-search.ts";
import type { Order, OrderEvent } from "./order.ts";
import { digitsTyped, type Searcher, searchCondition } from "./search.ts";

export type OrderFilter = {
  /** Only this user's orders; left out for the admins' list. */
  userId?: number | undefined;
  bulkOrderId?: number | undefined;
  /** The reference that its program gave it, exactly. */
  reference?: string | undefined;
  /** A whole number in stored form, 233541234567. */
  msisdn?: string | undefined;
  /** Free text, as search.ts reads it. */
  search?: string | undefined;
  /**
   * Whether an admin searches, who also finds users and vendors' references. Default: when all users' orders are
   * listed.
   */
  isAdmins?: boolean | undefined;
  status?: OrderStatus | undefined;
  operator?: Operator | undefined;
  /** Only unfinished orders. */
  open?: boolean | undefined;
  /** Only orders that wait to be paid. */
  unpaid?: boolean | undefined;
  /** Only paid bundles that are waiting to be sent. */
  toSend?: boolean | undefined;
  /** Excludes AFA registrations, which have a queue of their own. */
  bundlesOnly?: boolean | undefined;
  /** Only sales that may be made again: paid, and neither cancelled nor failed. */
  repeatable?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Only orders with these ids. */
  ids?: Ids | undefined;
};

export type OrderRow = Order & { username: string };
/** `isReported`: its agent has reported it as not received, and nobody has decided yet. */
export type ListedOrder = OrderRow & { isReported: boolean };

const shown = {
  id: orders.id,
  status: orders.status,
  operator: orders.operator,
  family: orders.family,
  productId: orders.productId,
  productSize: orders.productSize,
  quantity: orders.quantity,
  amountPesewas: orders.amountPesewas,
  msisdn: orders.msisdn,
  paidAt: orders.paidAt,
  note: orders.note,
  createdAt: orders.createdAt,
};
/** What a row of an agent's list shows of an order. */
export type ShownOrder = Pick<ListedOrder, keyof typeof shown | "isReported">;

type Columns<Row> = { [Name in keyof Row]: AnyPgColumn | SQL };
/** `customerName`: as its agent keeps it in their address book. */
export type OwnOrder = ShownOrder & { customerName: string | null };
/** Reading and decoding the columns that nobody sees would take as long as those of a row. */
const OWN_COLUMNS: Columns<OwnOrder> = {
  ...shown,
  isReported: IS_REPORTED,
  customerName: sql`(select c.name from contacts c where c.user_id = orders.user_id and c.msisdn = orders.msisdn
    and c.removed_at is null)`,
};

/** `isOldestFirst` is for what waits, and not for a search. */
type Span = { cursor?: number | undefined; limit: number; isOldestFirst?: boolean };

/** At most `limit` orders, newest first, those before the id `cursor`; oldest first, those after it. */
export function list(db: Reads, filter: OrderFilter, page: Span): Promise<ListedOrder[]> {
  return read(db, filter, page, LISTED_COLUMNS);
}

/** As `list`; `prepare` is called before each statement over orders, of which digits of a number can take several. */
async function read<Row extends ShownOrder>(
  db: Reads,
  filter: OrderFilter,
  span: Span,
  columns: Columns<Row>,
  prepare: () => Promise<unknown> = async () => {},
): Promise<Row[]> {
  const page = { ...span, limit: Math.min(span.limit, limits.pageSizeMax) };
  await prepare();
  const { search = "", ids, ...others } = filter;
  const digitCount = ids ? 0 : digitsTyped(search);
  if (digitCount === 0) return select(db, filter, page, columns);
  const conditionOn = await searchCondition(db, search, searcherOf(filter));
  return readNewest(db, digitCount, page, async (range, wanted) => {
    await prepare();
    const areFew = !isInMany(digitCount, range);
    return select(db, { ...others, ids: range }, { limit: wanted, areFew }, columns, conditionOn?.(range));
  });
}

/** Orders by one statement. */
async function select<Row extends ShownOrder>(
  db: Reads,
  filter: OrderFilter,
  /**
   * `areFew`: all that match are read and sorted, because they are few. In order, all others would be read before them.
   */
  { cursor, limit, isOldestFirst = false, areFew = false }: Span & { areFew?: boolean },
  columns: Columns<Row>,
  searched?: SQL,
): Promise<Row[]> {
  // The orders of a number are few, too, and so are open ones, which are the last that are met from the oldest on.
  const isSorted = areFew || filter.msisdn !== undefined || (isOldestFirst && filter.open);
  const range = isSorted ? null : rangeOf(filter);
  const conditions = await conditionsOf(db, filter, range);
  const [inOrder, beyond] = isOldestFirst ? [asc, gt] : [desc, lt];
  const byId = inOrder(isSorted ? sql`${orders.id} + 0` : orders.id);
  const order = range ? [inOrder(orders[range]), byId] : [byId];
  const rows = await db
    .select(columns as Columns<ShownOrder>)
    .from(orders)
    .where(and(conditions, searched, cursor ? beyond(orders.id, cursor) : undefined))
    .orderBy(...order)
    .limit(limit);
  return rows as unknown[] as Row[];
}

/** Looked up for the page alone. A join is planned for all that may match, and reads every user for them. */
const usernameOf = sql<string>`(select u.username from users u where u.id = ${orders.userId})`;

const LISTED_COLUMNS: Columns<ListedOrder> = {
  ...getTableColumns(orders),
  username: usernameOf,
  isReported: IS_REPORTED,
};

/** The columns of the indexes that have orders newest first: those of a user, and those of a bulk order. */
type Range = "userId" | "bulkOrderId" | null;

/**
 * The column that a filter's orders are read by, as a range that is one value, in the order of the index on it and the
 * id: otherwise the planner reads the orders of the whole shop backwards until it has enough, which takes longer with
 * every year for a user who has stopped selling. The index on references has a user's in the same order. Null where
 * the filter selects by something else as well, and another index may be better.
 */
function rangeOf({ userId, bulkOrderId, reference, search, ...others }: OrderFilter): Range {
  if (search) return null;
  if (bulkOrderId !== undefined) return "bulkOrderId";
  const isAlone = Object.values(others).every((value) => !value);
  return userId !== undefined && (isAlone || reference !== undefined) ? "userId" : null;
}

/** Whether a column holds a value; `asRange`: in words that keep its place in the order of the rows. */
function isOne(column: typeof orders.userId | typeof orders.bulkOrderId, value: number, asRange: boolean) {
  return asRange ? between(column, value, value) : eq(column, value);
}

/**
 * The ids of the newest matching bundle orders, as many as one transition may include; `isMore` when there are more.
 * `registrations`: how many AFA registrations match as well, which are not among them.
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
  reference: orders.reference,
  metadata: orders.metadata,
  createdAt: orders.createdAt,
};
export type ExportedOrder = Pick<Order, keyof typeof exported>;

/**
 * All matching orders, newest first, in batches by id, so that a million of them are never in memory at once, and no
 * transaction stays open for a slow reader. Orders placed meanwhile are not included.
 */
export async function* inBatches(db: Db, filter: OrderFilter, batchSize = 1_000): AsyncGenerator<ExportedOrder[]> {
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

/** One order; throws order.not_found when it does not exist or `by` may not see it. */
export async function get(db: Db, by: ByUser, orderId: number): Promise<ListedOrder> {
  const [row] = await db
    .select({ order: orders, username: users.username, isReported: IS_REPORTED })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, orderId));
  if (!row || (row.order.userId !== by.userId && !hasRight(by, "orders.see"))) throw new AppError("order.not_found");
  const { order, ...others } = row;
  return { ...order, ...others };
}

/** The orders before and after one, in the sequence in which they were placed. */
export type Beside = { before: number | null; after: number | null };

export async function beside(tx: Reads, orderId: number): Promise<Beside> {
  const [row] = await tx.execute<Beside>(sql`
    select (select max(id) from orders where id < ${orderId}) as before,
           (select min(id) from orders where id > ${orderId}) as after`);
  return row!;
}

export type TimelineEvent = OrderEvent & { byUsername: string | null };

/**
 * An order's timeline, oldest first. Admins read vendors, their messages and internal notes; the agent reads deliveries
 * in the shop's own wording, without repetitions in a row.
 */
export async function events(db: Db, by: ByUser, orderId: number): Promise<TimelineEvent[]> {
  const rows = await db
    .select({ event: orderEvents, byUsername: users.username })
    .from(orderEvents)
    .leftJoin(users, eq(users.id, orderEvents.byUserId))
    .where(
      and(eq(orderEvents.orderId, orderId), hasRight(by, "orders.see") ? undefined : eq(orderEvents.isInternal, false)),
    )
    .orderBy(asc(orderEvents.id));
  const timeline = rows.map(({ event, byUsername }) => ({ ...event, byUsername }));
  return hasRight(by, "orders.see")
    ? timeline.map((event) => ({ ...event, note: event.detail ?? event.note }))
    : timeline.map(forAgent).filter((event, i, events) => event.toStatus || !isRepeated(event, events[i - 1]));
}

function forAgent(event: TimelineEvent): TimelineEvent {
  return { ...event, note: event.kind ? DELIVERY_KINDS[event.kind] : event.note, detail: null };
}

function isRepeated({ kind }: TimelineEvent, before: TimelineEvent | undefined): boolean {
  return kind !== null && kind === before?.kind;
}

/** The time limit of a search over all orders; one that exceeds it is repeated over the newest only. */
const SEARCH_MS = 1_500;
const SEARCHED_NEWEST = 200_000;

/**
 * As `list`, with a time limit. `isCut`: the search took too long, and covered only the newest orders (before
 * `cursor`).
 */
export function search(db: Db, filter: OrderFilter, page: Span, timeMs = SEARCH_MS): Promise<Found<ListedOrder>> {
  return find(db, filter, page, LISTED_COLUMNS, timeMs);
}

/** As `search`, for an agent's list: with no more of each order than its row shows. */
export function searchOwn(db: Db, filter: OrderFilter, page: Span): Promise<Found<OwnOrder>> {
  return find(db, filter, page, OWN_COLUMNS, SEARCH_MS);
}

type Found<Row> = { rows: Row[]; isCut: boolean };

async function find<Row extends ShownOrder>(
  db: Db,
  filter: OrderFilter,
  page: Span,
  columns: Columns<Row>,
  timeMs: number,
): Promise<Found<Row>> {
  if (!filter.search?.trim()) return { rows: await read(db, filter, page, columns), isCut: false };
  try {
    return { rows: await db.transaction((tx) => searchIn(tx, filter, page, columns, timeMs)), isCut: false };
  } catch (error) {
    if (databaseError(error)?.code !== QUERY_CANCELED) throw error;
    const to = page.cursor ?? (await allIds(db)).to;
    const ids = { from: Math.max(0, to - SEARCHED_NEWEST), to };
    return { rows: await read(db, { ...filter, ids }, page, columns), isCut: true };
  }
}

function searchIn<Row extends ShownOrder>(
  tx: Tx,
  filter: OrderFilter,
  page: Span,
  columns: Columns<Row>,
  timeMs: number,
): Promise<Row[]> {
  const until = performance.now() + timeMs;
  // Workers take longer to start than a page takes to be read.
  const limitTime = () =>
    tx.execute(sql`
      select set_config('statement_timeout', ${String(Math.max(1, Math.round(until - performance.now())))}, true),
             set_config('max_parallel_workers_per_gather', '0', true)`);
  return read(tx, filter, page, columns, limitTime);
}

/** Postgres' code of a statement that was cancelled by its timeout. */
const QUERY_CANCELED = "57014";

/** The conditions of a filter; `range`: the column that is read as a range. */
async function conditionsOf(db: Reads, filter: OrderFilter, range: Range = null): Promise<SQL | undefined> {
  const { userId, bulkOrderId } = filter;
  return and(
    userId === undefined ? undefined : isOne(orders.userId, userId, range === "userId"),
    bulkOrderId === undefined ? undefined : isOne(orders.bulkOrderId, bulkOrderId, range === "bulkOrderId"),
    filter.reference === undefined ? undefined : eq(orders.reference, filter.reference),
    filter.msisdn === undefined ? undefined : eq(orders.msisdn, filter.msisdn),
    filter.status && eq(orders.status, filter.status),
    filter.open ? inArray(orders.status, [...OPEN_STATUSES]) : undefined,
    filter.toSend ? and(inArray(orders.status, [...TO_SEND_STATUSES]), isNotNull(orders.paidAt)) : undefined,
    filter.toSend || filter.bundlesOnly ? isBundle : undefined,
    filter.unpaid ? and(eq(orders.status, "PENDING"), isNull(orders.paidAt)) : undefined,
    filter.repeatable ? and(isNotNull(orders.paidAt), ne(orders.status, "FAILED")) : undefined,
    filter.operator ? eq(orders.operator, filter.operator) : undefined,
    filter.from && gte(orders.createdAt, filter.from),
    filter.to && lt(orders.createdAt, filter.to),
    filter.from && gte(orders.id, await firstIdSince(db, filter.from.getTime() - ID_SLACK_MS)),
    filter.to && lt(orders.id, await firstIdSince(db, filter.to.getTime() + ID_SLACK_MS)),
    filter.ids && between(orders.id, filter.ids.from, filter.ids.to),
    filter.search ? await searchedIn(db, filter) : undefined,
  );
}

async function searchedIn(db: Reads, { search = "", ids, ...filter }: OrderFilter): Promise<SQL | undefined> {
  const conditionOn = await searchCondition(db, search, searcherOf(filter));
  return conditionOn?.(ids ?? (await allIds(db)));
}

function searcherOf({ userId, isAdmins = false }: OrderFilter): Searcher {
  return isAdmins || userId === undefined ? { isAdmin: true } : { isAdmin: false, userId };
}

/** Ids are assigned slightly before the order's time, and out of its sequence by less than this. */
const ID_SLACK_MS = 10 * 60_000;

/**
 * The first id that is not older than a moment, by binary search: ids grow with time, so that a list of some days reads
 * only those days, without an index on time that every purchase would have to maintain.
 */
export async function firstIdSince(db: Reads, momentMs: number): Promise<number> {
  const moment = sql`${new Date(momentMs).toISOString()}::timestamptz`;
  const [row] = await db.execute<{ id: number }>(firstOrderIdSince(moment));
  return row!.id;
}
