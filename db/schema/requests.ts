// The log of the requests that programs make with API keys, for their owners to look into.
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

/** At most as many requests are in one row: their ids are made of its id and their place in it. */
export const REQUESTS_A_ROW = 1_000;

/**
 * An account's requests that were written together, one after the other in one text: a row for each would cost every
 * purchase of a program twice as much. Rows only come, and go with their age. Every index is paid for as well, so there
 * are two: an account's rows in their order, where a time, a request id and a purchase are found as well, and what
 * orders the other requests are about. No foreign keys, as on every hot table.
 */
export const apiRequestRows = pgTable(
  "api_request_rows",
  {
    id: bigint({ mode: "number" }).notNull().generatedByDefaultAsIdentity(),
    userId: id().notNull(),
    /** When the last of them arrived. */
    at: instant().notNull(),
    count: smallint().notNull(),
    /** What its requests are about, but for purchases: when those were made, their orders say. */
    orderIds: id().array().notNull().default([]),
    /** U+001E is between two requests and U+001F between their fields, neither of which any field has. */
    requests: text().notNull(),
    /** In the same way what was sent and answered, which lists and filters need not read. */
    bodies: text().notNull(),
  },
  (t) => [
    primaryKey({ name: "api_request_rows_pkey", columns: [t.userId, t.id] }),
    index("api_request_rows_order_ids").using("gin", t.orderIds).where(sql`${t.orderIds} <> '{}'`),
    check("api_request_rows_some", sql`${t.count} between 1 and ${sql.raw(String(REQUESTS_A_ROW))}`),
    // Two bodies of at most 4096 bytes, and what is between them.
    check("api_request_rows_bodies_cut", sql`octet_length(${t.bodies}) <= ${t.count} * 8194`),
  ],
);

/** What the views take apart: the fields in the order in which core/requests/lines.ts writes them. */
const requestFields = () => ({
  id: bigint({ mode: "number" }).notNull(),
  rowId: id().notNull(),
  /** Their place in the row, from 1. */
  place: integer().notNull(),
  /** When it arrived, by the clock of the server that answered it. */
  at: instant().notNull(),
  userId: id().notNull(),
  keyId: id().notNull(),
  method: text().notNull(),
  /** The pattern of its route; "unknown" when there is none. */
  route: text().notNull(),
  /** The address as it was sent, with its query, without secrets. */
  path: text().notNull(),
  status: smallint().notNull(),
  /** The error code of a refusal. */
  code: text(),
  ms: integer().notNull(),
  requestId: text().notNull(),
  orderId: id(),
  bulkOrderId: id(),
  idempotencyKey: text(),
  /** The answer to an earlier request with the same idempotency key. */
  isReplayed: boolean().notNull(),
  /** A purchase from the wallet, which was answered with its order as placed: `answerBody` is made from there. */
  isPurchase: boolean().notNull(),
  address: text().notNull(),
  /** Of all requests of its row, but for purchases. */
  orderIds: id().array().notNull(),
});

/** The requests, one by one, for lists and filters: their bodies are not read. */
export const apiRequests = pgView("api_requests", requestFields()).existing();

/** And with their bodies. */
export const wholeApiRequests = pgView("whole_api_requests", {
  ...requestFields(),
  /** JSON without secrets; one that was too long is cut and ends with "…". */
  requestBody: text(),
  answerBody: text(),
}).existing();
