// The log of the requests that programs make with API keys, for their owners to look into.
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

/**
 * Rows only come, in batches, and go with their age. Every index is paid for by each purchase of a program, so there
 * are two: an account's requests in their order, which is also where a time and a request id are found, and those of an
 * order. No foreign keys, as on every hot table.
 */
export const apiRequests = pgTable(
  "api_requests",
  {
    id: bigint({ mode: "number" }).notNull().generatedByDefaultAsIdentity(),
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
    address: text().notNull(),
    /** JSON without secrets; one that was too long is cut and ends with "…". */
    requestBody: text(),
    answerBody: text(),
    /** A purchase from the wallet, which was answered with its order as placed: `answerBody` is told from there. */
    isPurchase: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ name: "api_requests_pkey", columns: [t.userId, t.id] }),
    index("api_requests_order").on(t.orderId, t.id).where(sql`${t.orderId} is not null`),
    check("api_requests_status_known", sql`${t.status} between 100 and 599`),
    check(
      "api_requests_bodies_cut",
      sql`coalesce(octet_length(${t.requestBody}), 0) <= 4096 and coalesce(octet_length(${t.answerBody}), 0) <= 4096`,
    ),
  ],
);
