// USSD sessions, and usage figures by day.

import { sql } from "drizzle-orm";
import { check, date, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

/**
 * A USSD session. What was typed is not stored, because it may contain a PIN: the cursor has its length and a keyed
 * digest. Columns that change with each answer have no index, so that an answer updates one row and no index.
 */
export const ussdSessions = pgTable(
  "ussd_sessions",
  {
    /** The gateway's id of it. */
    id: text().primaryKey(),
    /** The caller, 233541234567, and the dialled code. */
    msisdn: text().notNull(),
    serviceCode: text().notNull(),
    userId: id(),
    /** The current screen, and the data of this and later screens. */
    state: text().notNull(),
    context: jsonb().notNull().default({}),
    cursorLength: integer(),
    cursorMac: text(),
    answer: text(),
    /**
     * When the answer left the shop, in milliseconds after it was written; null while it has not. Kept where requests
     * are not numbered, 0 elsewhere.
     */
    leftAfterMs: integer().default(0),
    /** The digest of the last request that got this answer without being taken as a reply to it. */
    repeatMac: text(),
    hops: integer().notNull().default(0),
    /** Counts writes, so that of two concurrent requests one fails. */
    version: integer().notNull().default(0),
    /** The lease of a request that is changing something for this session. */
    busyUntil: instant(),
    /** The screens shown, in order, and those whose input was not understood. */
    path: text().array().notNull().default([]),
    stumbles: text().array().notNull().default([]),
    startedAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    /** When we ended it. */
    endedAt: instant(),
    /** The gateway's status of its end. */
    endStatus: text(),
    durationMs: integer(),
    /** When it was added to the figures of its day. */
    countedAt: instant(),
  },
  (t) => [
    index("ussd_sessions_msisdn").on(t.msisdn, t.startedAt),
    index("ussd_sessions_started").on(t.startedAt),
    check("ussd_sessions_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
    check("ussd_sessions_answer_fits", sql`length(${t.answer}) <= 160`),
    check("ussd_sessions_cursor_whole", sql`(${t.cursorLength} is null) = (${t.cursorMac} is null)`),
  ],
);

/** The sessions of a day, by their start in Accra. */
export const ussdDays = pgTable("ussd_days", {
  day: date({ mode: "string" }).primaryKey(),
  sessions: integer().notNull(),
  hops: integer().notNull(),
  /** Sessions with a purchase, and sessions left while an input was expected. */
  bought: integer().notNull(),
  left: integer().notNull(),
  stumbles: integer().notNull(),
  /** Sessions that the gateway reports as failed, and requests that failed with "please dial again". */
  failed: integer().notNull().default(0),
  failures: integer().notNull().default(0),
});

/** The same by screen: how often it was shown, was the last one, and got an input that was not understood. */
export const ussdScreenDays = pgTable(
  "ussd_screen_days",
  {
    day: date({ mode: "string" }).notNull(),
    screen: text().notNull(),
    shown: integer().notNull(),
    left: integer().notNull(),
    stumbles: integer().notNull(),
  },
  (t) => [primaryKey({ name: "ussd_screen_days_pkey", columns: [t.day, t.screen] })],
);
