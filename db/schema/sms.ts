// The table of SMS that people sent to us.
import { sql } from "drizzle-orm";
import { check, index, pgTable, text } from "drizzle-orm/pg-core";
import { INBOUND_COMMANDS, type InboundCommand } from "../../src/shared/domain.ts";
import { id, instant, oneOf } from "../columns.ts";

/**
 * An SMS that was acted on, in the commit of what it did: one that comes again finds it. What it said is kept nowhere,
 * because PINs are among it; that no digit gets in here is a rule of the table's.
 */
export const inboundSms = pgTable(
  "inbound_sms",
  {
    /** The gateway's name for it. */
    id: text().primaryKey(),
    /** Who sent it, 233541234567, and whose phone that was. */
    msisdn: text().notNull(),
    userId: id(),
    command: text().$type<InboundCommand>().notNull(),
    /** "bought", "pin_wrong", "wallet.insufficient_balance" … */
    outcome: text().notNull(),
    handledAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("inbound_sms_age").on(t.handledAt),
    check("inbound_sms_command_known", sql`${t.command} in (${oneOf(INBOUND_COMMANDS)})`),
    check("inbound_sms_outcome_is_a_word", sql`${t.outcome} ~ '^[a-z_.]{1,40}$'`),
  ],
);
