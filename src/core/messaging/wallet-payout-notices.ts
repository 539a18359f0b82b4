// Receipts of balances that were paid out, to whatever contact is left of the owner: the mailbox and the confirmed
// phone, whose owner so learns of a payout that went to somebody else; without that phone, the number that was paid.
import { eq } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { phones } from "../../../db/schema/identity.ts";
import type { UserStatus } from "../../shared/domain.ts";
import { plain } from "../../shared/money.ts";
import { localMsisdn, spacedMsisdn } from "../../shared/phones/msisdn.ts";
import * as messages from "./messages.ts";
import { letter } from "./texts/texts.ts";
import * as wordings from "./texts/wordings.ts";

type Owner = { id: number; username: string; email: string | null; status: UserStatus };
/** `msisdn` is the number that was paid; null for cash. */
type Payout = { amountPesewas: number; msisdn: string | null; reference: string };

const KIND = "wallet_paid_out";

/** Queues the receipts of a payout. A deleted account has neither mailbox nor phone. */
export async function paidOut(tx: Tx, owner: Owner, payout: Payout): Promise<void> {
  const { id: userId, username } = owner;
  if (owner.status !== "CLOSED")
    await messages.queueMail(tx, owner, {
      kind: KIND,
      subject: "We paid out your DataFie wallet",
      mail: letter(username, `${sentence(payout)}.`, "If this was not for you, contact support at once."),
    });
  const [phone] = await tx.select({ msisdn: phones.msisdn }).from(phones).where(eq(phones.userId, userId));
  const recipient = phone?.msisdn ?? payout.msisdn;
  if (!recipient) return;
  const t = await wordings.translateFor(tx, userId);
  const { amountPesewas, msisdn, reference: transaction } = payout;
  const amount = plain(amountPesewas);
  const body = msisdn
    ? t("sms.paid_out", { amount, number: localMsisdn(msisdn), transaction })
    : t("sms.paid_out.cash", { amount, transaction });
  const sms = { userId, kind: KIND, channel: "sms" as const, recipient, subject: "", body };
  await messages.queue(tx, { ...sms, passesOptOut: true });
}

function sentence({ amountPesewas, msisdn, reference }: Payout): string {
  const amount = plain(amountPesewas);
  return msisdn
    ? `We paid ${amount} from your wallet to ${spacedMsisdn(msisdn)} by mobile money, transaction ${reference}`
    : `We paid ${amount} from your wallet in cash, receipt ${reference}`;
}
