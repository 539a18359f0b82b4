// A forgotten PIN: a code by SMS to the account's confirmed phone stands in for it. The code alone moves no money: it
// begins a wait (phone-waits.ts), in which the owner of a stolen SIM can act on the notice.
import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/connect.ts";
import { phones } from "../../../../db/schema/identity.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { parseMsisdn } from "../../../shared/phones/msisdn.ts";
import * as freezing from "../../ledger/freezing.ts";
import * as messages from "../../messaging/messages.ts";
import * as wordings from "../../messaging/texts/wordings.ts";
import * as budgets from "../../platform/budgets/budgets.ts";
import * as switches from "../../platform/switches.ts";
import { transact } from "../../platform/transactions.ts";
import * as codes from "../logins/codes.ts";
import * as question from "./owner-question.ts";
import { beginForgotten, type PinChange } from "./pin-change.ts";

/**
 * Sends a code to the account's phone; nothing when one was just sent. Throws account.frozen, service.closed,
 * code.no_channel, pin.no_phone, request.rate_limited.
 */
export async function sendCode(db: Db, keys: codes.CodeKeys, by: ByUser): Promise<void> {
  const { userId } = by;
  if (!keys.channels.sms) throw new AppError("code.no_channel");
  // The SMS costs the shop money.
  await switches.requireOpenFor(db, by);
  await freezing.refuse(db, userId);
  const recipient = await phoneOf(db, userId);
  if (!recipient) throw new AppError("pin.no_phone");
  await transact(db, async (tx) => {
    const code = await codes.issue(tx, keys, { userId, purpose: "pin", recipient });
    if (code === null) return;
    await budgets.spend(tx, "ussd.code", recipient);
    const t = await wordings.translateFor(tx, userId);
    await messages.queue(tx, {
      ...{ userId, kind: "pin_code", channel: "sms", recipient, subject: "" },
      body: t("sms.pin_code", { code }),
      codeSeconds: codes.CODE_SECONDS,
    });
  });
}

/**
 * Takes the code, once; returns the change of PIN that it authorises, null for a wrong code. Where there is a question
 * besides, the change is unanswered. Throws account.frozen.
 */
export async function begin(
  db: Db,
  keys: Pick<codes.CodeKeys, "key">,
  { by: { userId }, code }: { by: ByUser; code: string },
): Promise<PinChange | null> {
  await freezing.refuse(db, userId);
  const recipient = await phoneOf(db, userId);
  if (!recipient) return null;
  const proof = { userId, purpose: "pin" as const, recipient, code };
  if ((await codes.check(db, keys, proof)) !== "right") return null;
  return transact(db, async (tx) => {
    const change = await beginForgotten(tx, userId);
    if (!change || !(await codes.spend(tx, keys, proof))) return null;
    return (await question.hasQuestion(tx, userId)) ? { ...change, isUnanswered: true } : change;
  });
}

/**
 * Takes an answer to the question besides the code: the change of PIN without its longer wait, or null for a wrong one.
 * Throws request.rate_limited.
 */
export async function answer(
  db: Db,
  { by: { userId }, change, typed }: { by: ByUser; change: PinChange; typed: string },
): Promise<PinChange | null> {
  await budgets.spend(db, "pin.question", userId);
  const msisdn = parseMsisdn(typed);
  if (!msisdn || !(await question.isAnswer(db, userId, msisdn))) return null;
  const { isUnanswered: _, ...answered } = change;
  return answered;
}

async function phoneOf(db: Db, userId: number): Promise<string | null> {
  const [phone] = await db.select({ msisdn: phones.msisdn }).from(phones).where(eq(phones.userId, userId));
  return phone?.msisdn ?? null;
}
