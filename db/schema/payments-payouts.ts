// Paystack's payouts to the shop's bank, with their payments, and comparisons of its balance with the books.
import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { id, identity, instant, pesewas } from "./columns.ts";

/** A payout (Paystack: settlement). Booked once, when Paystack says that it succeeded. */
export const payouts = pgTable(
  "payouts",
  {
    id: identity(),
    domain: text().notNull(),
    /** Paystack's id of it. */
    providerId: text().notNull(),
    status: text().notNull(),
    /** What the bank gets. */
    amountPesewas: pesewas().notNull(),
    /** What its payments brought before fees. */
    processedPesewas: pesewas().notNull(),
    feesPesewas: pesewas().notNull(),
    settledAt: instant(),
    /** When it was booked; null until Paystack says that it succeeded. */
    bookedAt: instant(),
    /** Whether its list of payments has been read to the end. */
    isListed: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("payouts_once").on(t.domain, t.providerId),
    index("payouts_unfinished").on(t.id).where(sql`${t.bookedAt} is null or not ${t.isListed}`),
    check("payouts_amounts", sql`${t.amountPesewas} >= 0 and ${t.processedPesewas} >= 0 and ${t.feesPesewas} >= 0`),
    check("payouts_booked_when_succeeded", sql`${t.bookedAt} is null or ${t.status} = 'success'`),
  ],
);

/** A payment that a payout contains, as Paystack lists it. */
export const payoutPayments = pgTable(
  "payout_payments",
  {
    payoutId: id()
      .notNull()
      .references(() => payouts.id),
    /** Paystack's id of the transaction. */
    providerId: text().notNull(),
    reference: text().notNull(),
    amountPesewas: pesewas().notNull(),
    feesPesewas: pesewas().notNull(),
    /** Ours; null for a payment that the shop does not know. */
    paymentId: id(),
  },
  (t) => [
    primaryKey({ name: "payout_payments_pkey", columns: [t.payoutId, t.providerId] }),
    index("payout_payments_reference").on(t.reference),
  ],
);

/** A comparison of Paystack's balance with the books. */
export const balanceChecks = pgTable(
  "balance_checks",
  {
    id: identity(),
    domain: text().notNull(),
    providerPesewas: pesewas().notNull(),
    booksPesewas: pesewas().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index("balance_checks_newest").on(t.domain, t.id)],
);
