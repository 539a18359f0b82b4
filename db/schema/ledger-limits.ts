// Bounds of spending: limits of tiers and of single accounts, freezes, and waits before spending by phone.
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { tiers } from "./catalog.ts";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";
import { users } from "./identity.ts";

/** Null: no such limit. */
const bounds = () => ({
  /** Pesewas spent in a day. */
  dayMaxPesewas: pesewas(),
  /** Orders in a clock hour. */
  hourOrdersMax: integer(),
  /** Top-ups in a day of an account younger than `youngDays`. */
  youngDays: integer(),
  youngTopUpsMax: integer(),
  /** No top-up begins that would pass this balance. */
  balanceMaxPesewas: pesewas(),
});

type Bounds = Record<keyof ReturnType<typeof bounds>, unknown>;

const areSound = (t: Bounds) => sql`
  coalesce(${t.dayMaxPesewas}, 0) >= 0 and coalesce(${t.hourOrdersMax}, 0) >= 0
  and coalesce(${t.youngDays}, 1) > 0 and coalesce(${t.youngTopUpsMax}, 0) >= 0
  and coalesce(${t.balanceMaxPesewas}, 0) >= 0
  and (${t.youngDays} is null) = (${t.youngTopUpsMax} is null)`;

/** A tier without a row has no limits. */
export const tierLimits = pgTable(
  "tier_limits",
  {
    tierId: id()
      .primaryKey()
      .references(() => tiers.id),
    ...bounds(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [check("tier_limits_sound", areSound(t))],
);

/** The limits of one account, instead of its tier's, until they end. */
export const accountLimits = pgTable(
  "account_limits",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    ...bounds(),
    /** For staff. */
    reason: text().notNull(),
    /** When they end by themselves; null: when somebody ends them. */
    until: instant(),
    byUserId: id().notNull(),
    createdAt: instant().notNull().defaultNow(),
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex("account_limits_one_in_force").on(t.userId).where(sql`${t.endedAt} is null`),
    check("account_limits_sound", areSound(t)),
    check("account_limits_reason_given", sql`btrim(${t.reason}) <> ''`),
  ],
);

/** An account that may look and not spend, short of a ban. */
export const freezes = pgTable(
  "freezes",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** For staff. */
    reason: text().notNull(),
    /** For the agent. */
    message: text().notNull(),
    /** When it ends by itself; null: when somebody ends it. */
    until: instant(),
    /** Null: a signal. */
    byUserId: id(),
    createdAt: instant().notNull().defaultNow(),
    endedAt: instant(),
    /** Null when it ended by itself. */
    endedByUserId: id(),
    endReason: text(),
  },
  (t) => [
    uniqueIndex("freezes_one_in_force").on(t.userId).where(sql`${t.endedAt} is null`),
    check("freezes_reasons_given", sql`btrim(${t.reason}) <> '' and btrim(${t.message}) <> ''`),
    check(
      "freezes_end_whole",
      sql`(${t.endedByUserId} is null) = (${t.endReason} is null)
        and (${t.endedAt} is not null or ${t.endReason} is null)`,
    ),
  ],
);

/**
 * What begins a wait: another phone than before, a PIN in place of a forgotten one, a password set with a code to the
 * phone, or an account opened by USSD that got its password so.
 */
export const PHONE_WAIT_CAUSES = ["phone", "pin", "password", "claim"] as const;

export type PhoneWaitCause = (typeof PHONE_WAIT_CAUSES)[number];

/**
 * A time in which an account spends nothing by USSD and SMS, after a password or claim nothing at all; of several in
 * force, the latest end holds.
 */
export const phoneWaits = pgTable(
  "phone_waits",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    cause: text().$type<PhoneWaitCause>().notNull(),
    until: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
    /** When staff, or its owner by a code to the mailbox, ended it early; null for one that ends by itself. */
    liftedAt: instant(),
    liftedByUserId: id(),
    liftReason: text(),
  },
  (t) => [
    index("phone_waits_user").on(t.userId, t.until),
    check("phone_waits_cause_known", sql`${t.cause} in (${oneOf(PHONE_WAIT_CAUSES)})`),
    check(
      "phone_waits_lift_whole",
      sql`(${t.liftedAt} is null) = (${t.liftedByUserId} is null)
        and (${t.liftedAt} is null) = (btrim(coalesce(${t.liftReason}, '')) = '')`,
    ),
  ],
);
