// Requests to support and their threads.

import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { DISPUTE_OUTCOMES, type DisputeOutcome } from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf } from "./columns.ts";
import { users } from "./identity.ts";

const REQUEST_SUBJECTS = ["general", "order", "claim"] as const;

/**
 * What somebody asks support to look at. A report about an order or a claim has no form of its own: only words. A case
 * says that a delivered order has not arrived: it has a deadline, and is closed by its outcome and by nothing else.
 */
export const supportRequests = pgTable(
  "support_requests",
  {
    id: identity(),
    userId: id().notNull(),
    kind: text().$type<"request" | "not_received">().notNull().default("request"),
    subjectType: text().$type<(typeof REQUEST_SUBJECTS)[number]>().notNull(),
    subjectId: id(),
    fullName: text(),
    email: text(),
    subject: text(),
    message: text().notNull(),
    state: text().$type<"open" | "closed">().notNull().default("open"),
    /** When support had the last word; null while somebody waits for it. */
    answeredAt: instant(),
    /** A case that is not decided by then ends with the money back. */
    dueAt: instant(),
    outcome: text().$type<DisputeOutcome>(),
    /** What shows that the data arrived. */
    proof: text(),
    closedAt: instant(),
    closedByUserId: id(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("support_requests_user").on(t.userId, t.id),
    index("support_requests_open").on(t.id).where(sql`${t.state} = 'open'`),
    index("support_requests_about").on(t.subjectId).where(sql`${t.subjectId} is not null`),
    // Asked once: not again after it was decided.
    uniqueIndex("support_requests_one_case_per_order").on(t.subjectId).where(sql`${t.kind} = 'not_received'`),
    index("support_requests_due").on(t.dueAt).where(sql`${t.kind} = 'not_received' and ${t.state} = 'open'`),
    check("support_requests_state_known", sql`${t.state} in ('open', 'closed')`),
    check("support_requests_kind_known", sql`${t.kind} in ('request', 'not_received')`),
    check("support_requests_subject_known", sql`${t.subjectType} in (${oneOf(REQUEST_SUBJECTS)})`),
    check("support_requests_about_something", sql`(${t.subjectType} = 'general') = (${t.subjectId} is null)`),
    check("support_requests_closed_when_stated", sql`${t.closedAt} is null or ${t.state} = 'closed'`),
    check("support_requests_outcome_known", sql`${t.outcome} in (${oneOf(DISPUTE_OUTCOMES)})`),
    check(
      "support_requests_case_is_whole",
      sql`case ${t.kind} when 'not_received'
        then ${t.subjectType} = 'order' and ${t.dueAt} is not null and (${t.outcome} is not null) = (${t.state} = 'closed')
        else ${t.dueAt} is null and ${t.outcome} is null end`,
    ),
    check(
      "support_requests_delivered_with_proof",
      sql`${t.outcome} <> 'delivered' or btrim(coalesce(${t.proof}, '')) <> ''`,
    ),
  ],
);

/** What was said about a request after it was filed. Append-only: a trigger refuses changes. */
export const supportMessages = pgTable(
  "support_messages",
  {
    id: identity(),
    requestId: id()
      .notNull()
      .references(() => supportRequests.id),
    /** Whether support said it, or the person who asked. */
    isSupport: boolean().notNull(),
    /** Null when the shop itself says what a clock decided. */
    byUserId: id().references(() => users.id),
    message: text().notNull(),
    createdAt: instant().notNull().default(sql`clock_timestamp()`),
  },
  (t) => [
    index("support_messages_request").on(t.requestId, t.id),
    check("support_messages_say_something", sql`btrim(${t.message}) <> ''`),
    check("support_messages_asker_is_somebody", sql`${t.isSupport} or ${t.byUserId} is not null`),
  ],
);
