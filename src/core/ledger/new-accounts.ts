// Accounts that were opened by USSD: nobody has seen more of their owner than a phone, so a daily limit of their own
// bounds them (limits.ts). It ends when the account gets an e-mail and a password, after its wait if it takes one, or
// money from the mobile money of that phone, whose owner the network has identified.
import { and, eq } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { phones } from "../../../db/schema/identity.ts";
import { wallets } from "../../../db/schema/ledger.ts";

/** Lifts the limit of an account, which then has a mailbox and a password. */
export async function lift(tx: Tx, userId: number): Promise<void> {
  await tx.update(wallets).set({ isCapped: false }).where(eq(wallets.userId, userId));
}

/** Lifts the limit if this payer (233541234567, or null for a card) is the account's own phone. */
export async function liftByPayment(tx: Tx, userId: number, payerMsisdn: string | null): Promise<void> {
  if (payerMsisdn === null) return;
  const isOwn = and(eq(phones.userId, userId), eq(phones.msisdn, payerMsisdn));
  if ((await tx.$count(phones, isOwn)) > 0) await lift(tx, userId);
}
