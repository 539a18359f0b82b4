// What a USSD session remembers, and the figures of USSD by day.

import { sql } from "drizzle-orm";
import { check, date, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

/**
 * A session that the operator opened by a dial. What was typed is kept nowhere, because PINs are among it: how far it was
 * read stands here as a length and a keyed digest. No index on what changes with each answer, so that an answer rewrites
 * one row and no index.
 */
export const ussdSessions = pgTable(
  "ussd_sessions",
  {
    /** The gateway's name for it. */
    id: text().primaryKey(),
    /** Who dialled, 233541234567, and what. */
    msisdn: text().notNull(),
    serviceCode: text().notNull(),
    userId: id(),
    /** The screen that is shown, and what it and those after it know. */
    state: text().notNull(),
    context: jsonb().notNull().default({}),
    cursorLength: integer(),
    cursorMac: text(),
    answer: text(),
    hops: integer().notNull().default(0),
    /** Counts writes, so that of two requests at once one finds itself overtaken. */
    version: integer().notNull().default(0),
    /** Until then somebody is about to change something for this session, and everybody else waits. */
    busyUntil: instant(),
    /** The screens that were shown, in order, and those whose answer was not understood. */
    path: text().array().notNull().default([]),
    stumbles: text().array().notNull().default([]),
    startedAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    /** When we said the last word. */
    endedAt: instant(),
    /** What the gateway said about its end. */
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

/** The sessions of a day, by when they began in Accra. */
export const ussdDays = pgTable("ussd_days", {
  day: date({ mode: "string" }).primaryKey(),
  sessions: integer().notNull(),
  hops: integer().notNull(),
  /** Sessions that bought, and sessions that were left while an answer was waited for. */
  bought: integer().notNull(),
  left: integer().notNull(),
  stumbles: integer().notNull(),
  /** Sessions that the gateway says have failed, and requests that were answered with "please dial again". */
  failed: integer().notNull().default(0),
  failures: integer().notNull().default(0),
});

/** The same by screen: how often it was shown, was the last one, and got an answer that nobody understood. */
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
