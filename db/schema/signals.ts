// Signals: the rules by which accounts are watched, what they raised, and what staff noted about accounts.
import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, text, unique } from "drizzle-orm/pg-core";
import {
  SIGNAL_EFFECTS,
  SIGNAL_KINDS,
  type SignalEffect,
  type SignalEvidence,
  type SignalKind,
} from "../../src/shared/signals.ts";
import { id, identity, instant, oneOf } from "./columns.ts";
import { users } from "./identity.ts";

/** One row for each kind. */
export const signalRules = pgTable(
  "signal_rules",
  {
    kind: text().$type<SignalKind>().primaryKey(),
    isOn: boolean().notNull().default(true),
    effect: text().$type<SignalEffect>().notNull(),
    /** Whole numbers by name; money in pesewas. */
    parameters: jsonb().$type<Record<string, number>>().notNull(),
    /** What the agent reads when the account is frozen. */
    message: text().notNull(),
    /** What happened before this moment raises nothing: the rule was off, or another one. */
    since: instant().notNull().defaultNow(),
    /** From here on the next round looks. */
    mark: instant().notNull().defaultNow(),
    updatedByUserId: id(),
  },
  (t) => [
    check("signal_rules_kind_known", sql`${t.kind} in (${oneOf(SIGNAL_KINDS)})`),
    check("signal_rules_effect_known", sql`${t.effect} in (${oneOf(SIGNAL_EFFECTS)})`),
    check("signal_rules_parameters_are_named", sql`jsonb_typeof(${t.parameters}) = 'object'`),
    check("signal_rules_message_given", sql`btrim(${t.message}) <> '' and char_length(${t.message}) <= 200`),
  ],
);

/** What a rule found, once for each cause. It stays as it was raised; closing it is all that changes. */
export const signals = pgTable(
  "signals",
  {
    id: identity(),
    kind: text().$type<SignalKind>().notNull(),
    /** The id of what caused it: a top-up, a bulk order, a deposit … */
    cause: text().notNull(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** What was done. An account of staff is never frozen by a rule. */
    effect: text().$type<SignalEffect>().notNull(),
    evidence: jsonb().$type<SignalEvidence>().notNull(),
    /** When the cause happened. */
    happenedAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
    closedAt: instant(),
    closedByUserId: id(),
    /** What came out, for staff. */
    note: text(),
  },
  (t) => [
    unique("signals_once_per_cause").on(t.kind, t.cause),
    index("signals_user").on(t.userId, t.id),
    index("signals_open").on(t.id).where(sql`${t.closedAt} is null`),
    index("signals_closed").on(t.closedAt).where(sql`${t.closedAt} is not null`),
    check("signals_kind_known", sql`${t.kind} in (${oneOf(SIGNAL_KINDS)})`),
    check("signals_effect_known", sql`${t.effect} in (${oneOf(SIGNAL_EFFECTS)})`),
    check(
      "signals_closed_with_note",
      sql`(${t.closedAt} is null) = (${t.closedByUserId} is null)
        and (${t.closedAt} is null) = (${t.note} is null) and btrim(${t.note}) <> ''`,
    ),
  ],
);

/** What staff noted about an account. Rows only come, and go with the account. */
export const agentNotes = pgTable(
  "agent_notes",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    byUserId: id().notNull(),
    note: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index("agent_notes_user").on(t.userId, t.id), check("agent_notes_not_empty", sql`btrim(${t.note}) <> ''`)],
);
