// Balances of banned and deleted accounts that the shop paid out to their owners.
import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { PAYOUT_METHODS, type PayoutMethod } from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";
import { users } from "./identity.ts";

/** All that could be spent of a wallet at that moment; the subject of a transfer. Rows only come. */
export const walletPayouts = pgTable(
  "wallet_payouts",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    amountPesewas: pesewas().notNull(),
    method: text().$type<PayoutMethod>().notNull(),
    /** The mobile money number that was paid; null for cash. */
    msisdn: text(),
    /** Who got the money, as in the mobile money account or on the signed receipt. */
    name: text().notNull(),
    /** The transaction ID of the network, or the number of the signed receipt. */
    reference: text().notNull(),
    reason: text().notNull(),
    /** Whether the cash came out of the safe, by the same transfer; not of older ones. */
    isFromSafe: boolean().notNull().default(false),
    byUserId: id().notNull(),
    /** Who agreed; null where nobody else could. */
    agreedByUserId: id(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    // One transfer of the network, or one receipt, pays one wallet once.
    uniqueIndex("wallet_payouts_reference_once").on(t.method, sql`lower(${t.reference})`),
    index("wallet_payouts_user").on(t.userId, t.id),
    check("wallet_payouts_from_safe_in_cash", sql`not ${t.isFromSafe} or ${t.method} = 'cash'`),
    check("wallet_payouts_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("wallet_payouts_method_known", sql`${t.method} in (${oneOf(PAYOUT_METHODS)})`),
    check("wallet_payouts_number_of_momo", sql`(${t.method} = 'momo') = (${t.msisdn} is not null)`),
    check("wallet_payouts_number_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
    check(
      "wallet_payouts_told_whole",
      sql`btrim(${t.name}) <> '' and btrim(${t.reference}) <> '' and btrim(${t.reason}) <> ''`,
    ),
    check(
      "wallet_payouts_for_another",
      sql`${t.byUserId} <> ${t.userId} and ${t.agreedByUserId} <> ${t.userId} and ${t.agreedByUserId} <> ${t.byUserId}`,
    ),
  ],
);
