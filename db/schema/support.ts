// Requests to support and their threads.

import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { DISPUTE_OUTCOMES, type DisputeOutcome } from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf } from "./columns.ts";
import { users } from "./identity.ts";

const REQUEST_SUBJECTS = ["general", "order", "claim"] as const;

/**
 * A request to support, also about an order or a deposit. A dispute (kind not_received) reports that a delivered order
 * has not arrived: it has a deadline, and only its outcome closes it.
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
    /** When support replied last; null while the author waits for a reply. */
    answeredAt: instant(),
    /** The deadline of a dispute, after which it is refunded. */
    dueAt: instant(),
    outcome: text().$type<DisputeOutcome>(),
    /** The proof of delivery. */
    proof: text(),
    closedAt: instant(),
    closedByUserId: id(),
    /** Whoever of staff looks after it; null for nobody yet. */
    assignedToUserId: id().references(() => users.id),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("support_requests_user").on(t.userId, t.id),
    index("support_requests_open").on(t.id).where(sql`${t.state} = 'open'`),
    index("support_requests_about").on(t.subjectId).where(sql`${t.subjectId} is not null`),
    // Once per order: not again after a decision.
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
        then ${t.subjectType} = 'order' and ${t.dueAt} is not null and (${t.outcome} is not null) = (${
          t.state
        } = 'closed')
        else ${t.dueAt} is null and ${t.outcome} is null end`,
    ),
    check(
      "support_requests_delivered_with_proof",
      sql`${t.outcome} <> 'delivered' or btrim(coalesce(${t.proof}, '')) <> ''`,
    ),
  ],
);

/** The messages of a request after it was filed. Append-only: a trigger refuses changes. */
export const supportMessages = pgTable(
  "support_messages",
  {
    id: identity(),
    requestId: id()
      .notNull()
      .references(() => supportRequests.id),
    /** Whether support wrote it, or the author of the request. */
    isSupport: boolean().notNull(),
    /** Null for automatic messages. */
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

/** Answers that staff keep under a name to send again, and edit before each use. */
export const keptAnswers = pgTable(
  "kept_answers",
  {
    id: identity(),
    name: text().notNull(),
    message: text().notNull(),
    changedByUserId: id()
      .notNull()
      .references(() => users.id),
    changedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("kept_answers_name_once").on(sql`lower(${t.name})`),
    check("kept_answers_name_is_short", sql`char_length(btrim(${t.name})) between 1 and 60`),
    check("kept_answers_say_something", sql`btrim(${t.message}) <> ''`),
  ],
);
