// Requests that a second person decides, what people did alone, and changes of the accounts of staff.

import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { APPROVAL_STATES, type ApprovalState, type Channel, type Role } from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";

/** What somebody saw of a thing: compared (`state`, `version`) or only shown (`facts`). */
export type Seen = {
  state: Record<string, string | number | null>;
  version?: string;
  facts?: Record<string, string | number | null>;
};

/** An act that one person asked for, and that another agrees to or refuses. */
export const approvals = pgTable(
  "approvals",
  {
    id: identity(),
    kind: text().notNull(),
    /** The right of the act, which whoever decides must have, too. */
    right: text().notNull(),
    /** What the act changes, as in "wallet 12". */
    subject: text().notNull(),
    /** The accounts concerned, whose owners decide nothing about them. */
    concerns: id().array().notNull().default([]),
    amountPesewas: pesewas(),
    /** What the act is called with; null once it is decided and held a secret. */
    command: jsonb().$type<Record<string, unknown>>(),
    seen: jsonb().$type<Seen>().notNull(),
    /** "add GH₵ 500.00 to ama's wallet" */
    summary: text().notNull(),
    reason: text(),
    requestedByUserId: id().notNull(),
    channel: text().$type<Channel>().notNull(),
    /** The idempotency key of the request that asked; the act is done under it. */
    keyScope: text(),
    key: text(),
    state: text().$type<ApprovalState>().notNull().default("open"),
    decidedByUserId: id(),
    decidedAt: instant(),
    /** Why it was refused, or was not done. */
    note: text(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("approvals_one_open").on(t.kind, t.subject).where(sql`${t.state} = 'open'`),
    index("approvals_due").on(t.expiresAt).where(sql`${t.state} = 'open'`),
    index("approvals_asker").on(t.requestedByUserId, t.id),
    check("approvals_state_known", sql`${t.state} in (${oneOf(APPROVAL_STATES)})`),
    check("approvals_decided_by_another", sql`${t.decidedByUserId} <> ${t.requestedByUserId}`),
    check(
      "approvals_decided_by_a_person",
      sql`(${t.state} in ('agreed', 'refused')) = (${t.decidedByUserId} is not null)`,
    ),
    check("approvals_open_until_decided", sql`(${t.state} = 'open') = (${t.decidedAt} is null)`),
  ],
);

/** What somebody did without a second person: within a limit, or as the only one who could decide. */
export const loneActs = pgTable(
  "lone_acts",
  {
    id: identity(),
    kind: text().notNull(),
    /** The limit that it counts towards; null for what has no amount. */
    limitName: text(),
    byUserId: id().notNull(),
    /** The account that the money moved for. */
    userId: id(),
    pesewas: pesewas().notNull().default(0),
    /** Above the limit, because nobody else could decide: it is shown for a week and told by e-mail. */
    isLoud: boolean().notNull().default(false),
    /** What a loud one did. The others only count: what they did is in the log of changes. */
    summary: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("lone_acts_person").on(t.byUserId, t.limitName, t.createdAt),
    index("lone_acts_account").on(t.userId, t.limitName, t.createdAt),
    index("lone_acts_loud").on(t.createdAt).where(sql`${t.isLoud}`),
    check("lone_acts_not_negative", sql`${t.pesewas} >= 0`),
    check("lone_acts_loud_says_what", sql`not ${t.isLoud} or ${t.summary} is not null`),
  ],
);

/** Who gave somebody a place among the staff, or changed their account so that they might not decide freely. */
export const staffChanges = pgTable(
  "staff_changes",
  {
    id: identity(),
    userId: id().notNull(),
    byUserId: id().notNull(),
    /** The roles that somebody had before it, if they could log in. */
    roles: text().array().$type<Role[]>().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index("staff_changes_person").on(t.byUserId, t.createdAt)],
);
