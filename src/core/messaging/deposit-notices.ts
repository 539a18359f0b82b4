// Notices about manual deposits to their agents, by SMS.
import { eq } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { phones } from "../../../db/schema/identity.ts";
import { notify } from "./notices.ts";
import * as smsTexts from "./texts/sms-texts.ts";

/** A manual deposit that was credited with another amount than its agent reported. */
export async function corrected(
  tx: Tx,
  deposit: { userId: number; transactionId: string; amountPesewas: number; reportedPesewas: number },
): Promise<void> {
  await notify(tx, "wallet_topped_up", eq(phones.wantsTopUps, true), [deposit.userId], (reader) =>
    smsTexts.depositCorrected(reader.t, deposit),
  );
}

/** A manual deposit that the statement does not show, with what its agent can check. */
export async function notFound(
  tx: Tx,
  deposit: { userId: number; transactionId: string; amountPesewas: number },
): Promise<void> {
  await notify(tx, "wallet_topped_up", eq(phones.wantsTopUps, true), [deposit.userId], (reader) =>
    smsTexts.depositNotFound(reader.t, deposit),
  );
}
