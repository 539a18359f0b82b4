// Accounts that were opened by USSD: nobody has seen more of their owner than a phone, so a daily limit of their own
// bounds them (limits.ts). It ends once the account has an e-mail and a password and does not wait, or here with money
// from the mobile money of that phone, whose owner the network has identified.
import { and, eq } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { phones } from "../../../db/schema/identity.ts";
import { wallets } from "../../../db/schema/ledger.ts";

/** Lifts the limit if this payer (233541234567, or null for a card) is the account's own phone. */
export async function liftByPayment(tx: Tx, userId: number, payerMsisdn: string | null): Promise<void> {
  if (payerMsisdn === null) return;
  const isOwn = and(eq(phones.userId, userId), eq(phones.msisdn, payerMsisdn));
  if ((await tx.$count(phones, isOwn)) === 0) return;
  await tx.update(wallets).set({ isCapped: false }).where(eq(wallets.userId, userId));
}
