// Tables for all rooms: jobs, idempotency keys, rate limits, settings, switches, the audit log, kept forms, and what
// the shop is.

import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { KEY_MODES, type KeyMode } from "../../src/shared/api-keys.ts";
import type { SwitchName } from "../../src/shared/switches.ts";
import { id, identity, instant, oneOf } from "./columns.ts";

/** Counters of rate limits, shared by all processes. */
export const rateLimits = pgTable("rate_limits", {
  bucket: text().primaryKey(),
  count: integer().notNull(),
  resetsAt: instant().notNull(),
});

export const settings = pgTable("settings", {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: instant().notNull().defaultNow(),
  updatedByUserId: id(),
});

/**
 * Keys and addresses of providers that an owner entered in the browser, encrypted, by their names in the environment,
 * which goes before them.
 */
export const providerKeys = pgTable("provider_keys", {
  name: text().primaryKey(),
  sealed: text().notNull(),
  updatedAt: instant().notNull().defaultNow(),
  updatedByUserId: id(),
});

/**
 * Kill switches that staff have closed, until they open them or their end comes; without a row, a switch is open. Only
 * `closed_switches()` says which are closed now.
 */
export const switches = pgTable(
  "switches",
  {
    name: text().$type<SwitchName>().primaryKey(),
    /** What people read who meet it. */
    message: text().notNull(),
    /** For staff. */
    reason: text().notNull(),
    until: instant(),
    closedByUserId: id().notNull(),
    closedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check(
      "switches_name_known",
      sql`${t.name} in ('sales', 'web', 'api', 'ussd', 'sms', 'top_ups', 'cancelling', 'refunds')`,
    ),
    check("switches_message_length", sql`length(${t.message}) between 1 and 90`),
    check("switches_reason_length", sql`length(${t.reason}) between 1 and 300`),
  ],
);

/**
 * The first answer to a request with an idempotency key. A purchase stores its order or bulk order, from which the
 * answer is rebuilt; everything else stores the answer itself.
 */
export const idempotency = pgTable(
  "idempotency",
  {
    userId: id().notNull(),
    scope: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    orderId: id(),
    bulkOrderId: id(),
    answer: jsonb(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: "idempotency_pkey", columns: [t.userId, t.scope, t.key] }),
    index("idempotency_age").on(t.createdAt),
    check("idempotency_key_length", sql`length(${t.key}) between 1 and 255`),
  ],
);

// ---------------------------------------------------------------- jobs and logs

/** Work to do after a commit. A claim is a lease: `run_at` moves ahead, so a dead worker's job comes back. */
export const jobs = pgTable(
  "jobs",
  {
    id: identity(),
    kind: text().notNull(),
    subjectId: id().notNull(),
    attempts: smallint().notNull().default(0),
    runAt: instant().notNull().defaultNow(),
    lastError: text(),
    deadAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("jobs_due").on(t.kind, t.runAt, t.id).where(sql`${t.deadAt} is null`),
    index("jobs_dead").on(t.id).where(sql`${t.deadAt} is not null`),
  ],
);

export const auditLog = pgTable(
  "audit_log",
  {
    id: identity(),
    byUserId: id(),
    /** The admin's name at that time, which stays when the account is deleted. */
    byUsername: text(),
    /** Who agreed to it, where it took a second person. */
    agreedByUserId: id(),
    agreedByUsername: text(),
    action: text().notNull(),
    subjectType: text().notNull(),
    subjectId: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    requestId: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("audit_log_subject").on(t.subjectType, t.subjectId, t.id),
    index("audit_log_author").on(t.byUserId, t.createdAt, t.id),
    index("audit_log_day").on(t.createdAt, t.id),
  ],
);

/**
 * What came from the gateways of USSD and SMS, counted by hour: requests that could not be read, errors, and how USSD
 * sessions ended. The hour is that of the request, or of the session's start.
 */
export const gatewayHours = pgTable(
  "gateway_hours",
  {
    hour: instant().notNull(),
    channel: text().$type<"ussd" | "sms">().notNull(),
    gateway: text().notNull(),
    /** "unreadable", "failure", "bought" … */
    kind: text().notNull(),
    count: integer().notNull(),
  },
  (t) => [
    primaryKey({ name: "gateway_hours_pkey", columns: [t.hour, t.channel, t.gateway, t.kind] }),
    check("gateway_hours_kind_is_a_word", sql`${t.kind} ~ '^[a-z_]{1,20}$'`),
  ],
);

/** A form kept for after a login or top-up, encrypted under a token that only its browser has. */
export const keptForms = pgTable(
  "kept_forms",
  {
    /** The token's digest. */
    id: text().primaryKey(),
    /** Its owner; null for a visitor. */
    userId: id(),
    sealed: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    index("kept_forms_expiry").on(t.expiresAt),
    check("kept_forms_size", sql`octet_length(${t.sealed}) <= 131072`),
  ],
);

/**
 * What the shop in this database is: a live one or a sandbox, written at its first start and never changed, so that
 * keys of one never reach rows of the other; and whether it is the demonstration shop, on which production refuses to
 * start.
 */
export const shopFacts = pgTable(
  "shop_facts",
  {
    only: boolean().primaryKey().default(true),
    /** Null until a shop starts on it for the first time. */
    mode: text().$type<KeyMode>(),
    demonstration: boolean().notNull().default(false),
    /** True while the demonstration shop is being seeded, and therefore incomplete. */
    seeding: boolean().notNull().default(false),
  },
  (t) => [
    check("shop_facts_one_row", sql`${t.only}`),
    check("shop_facts_mode_known", sql`${t.mode} in (${oneOf(KEY_MODES)})`),
  ],
);
