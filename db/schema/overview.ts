// Work that waits for a person: since when, who wants to be notified and how, and who has been.
import { sql } from "drizzle-orm";
import { check, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

/** How somebody of the staff is notified of a kind. Without a row: as an owner by default, or not at all. */
export const waitingChoices = pgTable(
  "waiting_choices",
  {
    userId: id().notNull(),
    kind: text().notNull(),
    channel: text().$type<"none" | "email" | "sms">().notNull(),
    chosenAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: "waiting_choices_pkey", columns: [t.userId, t.kind] }),
    check("waiting_choices_kind_is_a_word", sql`${t.kind} ~ '^[a-z_]{1,40}$'`),
    check("waiting_choices_channel_known", sql`${t.channel} in ('none', 'email', 'sms')`),
  ],
);

/** The kinds that wait now, since the worker first saw them. */
export const waitingKinds = pgTable(
  "waiting_kinds",
  { kind: text().primaryKey(), beganAt: instant().notNull().defaultNow() },
  (t) => [check("waiting_kinds_kind_is_a_word", sql`${t.kind} ~ '^[a-z_]{1,40}$'`)],
);

/** How often somebody was notified of a kind since it began to wait. */
export const waitingNotices = pgTable(
  "waiting_notices",
  {
    userId: id().notNull(),
    kind: text()
      .notNull()
      .references(() => waitingKinds.kind, { onDelete: "cascade" }),
    times: smallint().notNull(),
    sentAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ name: "waiting_notices_pkey", columns: [t.userId, t.kind] }),
    check("waiting_notices_once_or_twice", sql`${t.times} in (1, 2)`),
  ],
);
