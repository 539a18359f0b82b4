// Cash: what staff handed in by day, and what the shop brought to its bank.
import { sql } from "drizzle-orm";
import { check, date, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, identity, instant, pesewas } from "./columns.ts";
import { users } from "./identity.ts";

/** One person's cash of a day, handed in to a colleague who counts it. An accepted one never changes. */
export const cashCloses = pgTable(
  "cash_closes",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** In Accra's time, as 2026-11-21. */
    day: date({ mode: "string" }).notNull(),
    /** The colleague to whom the money was given. */
    toUserId: id()
      .notNull()
      .references(() => users.id),
    /** What the person had taken and not handed in before. */
    expectedPesewas: pesewas().notNull(),
    countedPesewas: pesewas().notNull(),
    /** Why counted and expected differ. */
    reason: text(),
    state: text().$type<"waiting" | "accepted" | "refused">().notNull().default("waiting"),
    decidedByUserId: id(),
    decidedAt: instant(),
    /** Why it was refused. */
    refusal: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("cash_closes_once_a_day").on(t.userId, t.day).where(sql`${t.state} <> 'refused'`),
    index("cash_closes_day").on(t.day, t.id),
    index("cash_closes_waiting").on(t.id).where(sql`${t.state} = 'waiting'`),
    check("cash_closes_state_known", sql`${t.state} in ('waiting', 'accepted', 'refused')`),
    check("cash_closes_to_another", sql`${t.toUserId} <> ${t.userId}`),
    check("cash_closes_decided_by_another", sql`${t.decidedByUserId} <> ${t.userId}`),
    check("cash_closes_decided_by_somebody", sql`(${t.state} = 'waiting') = (${t.decidedByUserId} is null)`),
    check(
      "cash_closes_amounts",
      sql`${t.expectedPesewas} >= 0 and ${t.countedPesewas} >= 0
      and ${t.expectedPesewas} + ${t.countedPesewas} > 0`,
    ),
    check(
      "cash_closes_difference_explained",
      sql`${t.expectedPesewas} = ${t.countedPesewas} or btrim(coalesce(${t.reason}, '')) <> ''`,
    ),
  ],
);

/**
 * Cash from the safe that somebody brought to the shop's bank, and what somebody else then saw of it on the bank's
 * statement. What is written stays.
 */
export const bankDeposits = pgTable(
  "bank_deposits",
  {
    id: identity(),
    amountPesewas: pesewas().notNull(),
    /** The number on the bank's slip. */
    slip: text().notNull(),
    byUserId: id()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull().defaultNow(),
    /** What the bank's statement shows of it; null until somebody has looked. */
    seenPesewas: pesewas(),
    seenByUserId: id(),
    seenAt: instant(),
    /** Why the statement shows another amount. */
    seenReason: text(),
  },
  (t) => [
    check(
      "bank_deposits_seen_whole",
      sql`(${t.seenAt} is null) = (${t.seenPesewas} is null) and (${t.seenAt} is null) = (${t.seenByUserId} is null)
        and (${t.seenReason} is null or ${t.seenAt} is not null)`,
    ),
    check("bank_deposits_seen_by_another", sql`${t.seenByUserId} <> ${t.byUserId}`),
    check(
      "bank_deposits_seen_difference_explained",
      sql`${t.seenPesewas} >= 0
        and (${t.seenPesewas} = ${t.amountPesewas} or btrim(coalesce(${t.seenReason}, '')) <> '')`,
    ),
    uniqueIndex("bank_deposits_slip_once").on(sql`lower(${t.slip})`),
    check("bank_deposits_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("bank_deposits_slip_given", sql`btrim(${t.slip}) <> '' and length(${t.slip}) <= 60`),
  ],
);
