// Reading the log of programs' requests: lists with filters, which look through a limited number of rows at a time, and
// one request with its bodies.
import {
  and,
  arrayContains,
  desc,
  eq,
  getViewSelectedFields,
  gte,
  lt,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import { REQUESTS_A_ROW, apiRequests as view, wholeApiRequests as wholeView } from "../../../db/schema/requests.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { placedPurchase } from "../buying/first-answers.ts";
import { purchaseJson } from "../orders/json.ts";
import { timeOfRequestId } from "../platform/request-ids.ts";
import { keptBody } from "./bodies.ts";

const { rowId, place, orderIds, isPurchase, ...listed } = getViewSelectedFields(view);

/** A request without its bodies. */
export type LoggedRequest = Omit<typeof view.$inferSelect, "rowId" | "place" | "orderIds" | "isPurchase">;
export type WholeRequest = LoggedRequest & { requestBody: string | null; answerBody: string | null };

/** Whose requests somebody may see: an account's, or only those made with one of its keys. */
export type Reader = { userId: number; keyId?: number | undefined };

export type RequestFilter = {
  keyId?: number | undefined;
  method?: string | undefined;
  /** The pattern of a route. */
  route?: string | undefined;
  /** A status (404), or the first digit of its class (4). */
  status?: number | undefined;
  /** The code of an error. */
  code?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  requestId?: string | undefined;
  orderId?: number | undefined;
};

export type RequestPage = {
  rows: LoggedRequest[];
  /** The id to continue after; null at the end. A page may be short, or empty, and not be the last. */
  next: number | null;
};

/** The log as the owner of the keys reads it: that of this shop, or the sandbox's. */
export type RequestLog = {
  list: (by: ByUser, filter: RequestFilter, page: PagePosition) => Promise<RequestPage>;
  get: (by: ByUser, id: number) => Promise<WholeRequest>;
};

/** The log of the mode that is not the shop's own; null: the sandbox is not set up. */
export type OtherLog = RequestLog | null;

/** The log of this database. */
export function logOf(db: Db): RequestLog {
  return {
    list: ({ userId }, filter, page) => list(db, { userId }, filter, page),
    get: ({ userId }, id) => get(db, { userId }, id),
  };
}

type PagePosition = { cursor?: number | undefined; limit: number };

/** Requests of an account that one page looks through for what a filter lets pass. */
export const LOOKED_THROUGH = 10_000;

/** An account's requests, newest first, those before the id `cursor`. */
export async function list(
  tx: Reads,
  reader: Reader,
  filter: RequestFilter,
  { cursor, limit }: PagePosition,
): Promise<RequestPage> {
  const position = { cursor, ...(await positionOf(tx, reader, filter)) };
  const found = await listQuery(tx, reader, filter, { limit, ...position });
  const rows = found.map(({ rowId: _, place: __, ...request }) => request);
  if (rows.length === limit) return { rows, next: rows.at(-1)!.id };
  const seen = seenQuery(tx, reader, filter, position);
  const [row] = await tx.select({ count: sql<number>`count(*)::int`, last: sql<number>`min(${seen.id})` }).from(seen);
  return { rows, next: row!.count === LOOKED_THROUGH ? Number(row!.last) : null };
}

/** One request with its bodies. Throws log.request_not_found, also for one that is not the reader's. */
export async function get(tx: Reads, { userId, keyId }: Reader, id: number): Promise<WholeRequest> {
  const isIt = and(eq(wholeView.userId, userId), eq(wholeView.rowId, rowOf(id)), eq(wholeView.id, id));
  const [found] = await tx
    .select()
    .from(wholeView)
    .where(and(isIt, keyId ? eq(wholeView.keyId, keyId) : undefined));
  if (!found) throw new AppError("log.request_not_found");
  const { rowId: _, place: __, orderIds: ___, isPurchase: isOfOrder, ...request } = found;
  return isOfOrder ? { ...request, answerBody: await purchaseAnswer(tx, request.orderId!) } : request;
}

/**
 * SQL for the ids of the rows from the one that the request `afterId` is in (null: from the first): as many as `limit`
 * requests after it need, for a copy of them all in parts.
 */
export function rowsAfter(userId: number, afterId: number | null, limit: number): SQL {
  return sql`
    select id from (
      select id, sum(count) over (order by id) - count as before from (
        select id, count from api_request_rows where user_id = ${userId} and id >= ${rowOf(afterId ?? 0)}
        order by id limit ${limit + 1}) first) counted
    where before < ${limit + REQUESTS_A_ROW}`;
}

/** What a purchase was answered with, as a repetition with its idempotency key is. */
async function purchaseAnswer(tx: Reads, orderId: number): Promise<string | null> {
  const purchase = await placedPurchase(tx, orderId);
  return purchase && keptBody({ value: purchaseJson(purchase) });
}

/** The row that the request with this id is in. */
const rowOf = (id: number) => Math.floor(id / REQUESTS_A_ROW);

/** The rows from `firstRow` up to `endRow`, exclusive. */
type Span = { firstRow?: number | undefined; endRow?: number | undefined };
/** Where to look: at the rows of a filter's times, and for a purchase at those of its order's. */
type Position = Span & { purchased?: Span | undefined; cursor?: number | undefined; limit: number };

/** The query of a page, for tests of its plan. */
export function listQuery(tx: Reads, reader: Reader, filter: RequestFilter, { limit, ...position }: Position) {
  const seen = seenQuery(tx, reader, filter, position);
  return tx
    .select()
    .from(seen)
    .where(passing(seen, reader, filter))
    .orderBy(desc(seen.rowId), desc(seen.place))
    .limit(limit);
}

/** The requests that a page looks through: those of an order by its index and its time, all others in their order. */
function seenQuery(
  tx: Reads,
  { userId }: Reader,
  { orderId }: RequestFilter,
  { cursor, purchased, ...span }: Omit<Position, "limit">,
) {
  return tx
    .select({ ...listed, rowId, place })
    .from(view)
    .where(
      and(
        eq(view.userId, userId),
        orderId === undefined ? undefined : isAbout(orderId, purchased),
        cursor === undefined ? undefined : and(lte(rowId, rowOf(cursor)), lt(view.id, cursor)),
        isWithin(span),
      ),
    )
    .orderBy(desc(rowId), desc(place))
    .limit(LOOKED_THROUGH)
    .as("seen");
}

function isAbout(orderId: number, purchased: Span | undefined): SQL | undefined {
  // The index is of these rows alone.
  const isIndexed = and(sql`${orderIds} <> '{}'`, arrayContains(orderIds, [orderId]));
  return and(eq(view.orderId, orderId), purchased ? or(isIndexed, isWithin(purchased)) : isIndexed);
}

function isWithin({ firstRow, endRow }: Span): SQL | undefined {
  return and(
    firstRow === undefined ? undefined : gte(rowId, firstRow),
    endRow === undefined ? undefined : lt(rowId, endRow),
  );
}

type Seen = ReturnType<typeof seenQuery>;

function passing(seen: Seen, reader: Reader, filter: RequestFilter): SQL | undefined {
  const { keyId, method, route, status, code, from, to, requestId } = filter;
  const is = (column: SQLWrapper, value: string | number | undefined) =>
    value === undefined ? undefined : sql`${column} = ${value}`;
  const isClass = status !== undefined && status < 10;
  return and(
    is(seen.keyId, reader.keyId),
    is(seen.keyId, keyId),
    is(seen.method, method),
    is(seen.route, route),
    isClass ? sql`${seen.status} / 100 = ${status}` : is(seen.status, status),
    is(seen.code, code),
    from && gte(seen.at, from),
    to && lt(seen.at, to),
    is(seen.requestId, requestId),
  );
}

/**
 * Rows follow the times of their last requests but for a batch's age and the servers' clocks; the times of the requests
 * themselves are compared as well.
 */
const SLACK_MS = 60_000;

/** Where a filter's requests are: the log is not read from its newest row to an old one. */
async function positionOf(
  tx: Reads,
  { userId }: Reader,
  { from, to, requestId, orderId }: RequestFilter,
): Promise<Omit<Position, "limit">> {
  const at = requestId === undefined ? null : timeOfRequestId(requestId);
  const span = await spanOf(tx, userId, at ?? from, at ?? to);
  if (orderId === undefined) return span;
  const [order] = await tx
    .select({ createdAt: orders.createdAt })
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.userId, userId)));
  if (!order) return span;
  return { ...span, purchased: await spanOf(tx, userId, order.createdAt, order.createdAt) };
}

/** The rows between two moments. */
async function spanOf(tx: Reads, userId: number, first: Date | undefined, end: Date | undefined): Promise<Span> {
  if (!first && !end) return {};
  const rowSince = (time: Date | undefined, slackMs: number) =>
    time ? firstRowSince(userId, new Date(time.getTime() + slackMs)) : sql`select null::bigint`;
  const [row] = await tx.execute<{ first: number | null; last: number | null }>(
    sql`select (${rowSince(first, -SLACK_MS)}) as first, (${rowSince(end, SLACK_MS)}) as last`,
  );
  return { firstRow: row!.first ?? undefined, endRow: row!.last ?? undefined };
}

/** A query for the id of an account's first row that ends after a moment, by binary search. */
function firstRowSince(userId: number, moment: Date): SQL {
  return sql`
    with recursive span (low, high) as (
      select coalesce(min(id), 0), coalesce(max(id), 0) + 1 from api_request_rows where user_id = ${userId}
      union all
      select case when seen.at < ${moment.toISOString()}::timestamptz then seen.id + 1 else low end,
             case when seen.at < ${moment.toISOString()}::timestamptz then high else (low + high) / 2 end
      from span, lateral (
        select r.id, r.at from api_request_rows r where r.user_id = ${userId} and r.id >= (low + high) / 2
        order by r.id limit 1) seen
      where low < high
    )
    select max(low) from span`;
}
