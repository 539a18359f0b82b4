// Waits as money meets them: for some hours after a SIM alone could have changed how an account is entered or pays,
// nothing is spent where that change lets somebody in. identity/phone-waits.ts begins and ends them.
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { PHONE_WAIT_CAUSES, type PhoneWaitCause, phoneWaits } from "../../../db/schema/ledger-limits.ts";
import { accraDayTime } from "../../shared/accra.ts";
import type { Channel } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";

export type Wait = { cause: PhoneWaitCause; until: Date };

/** Whoever spends, and by which channel. */
type Spender = { userId: number; channel: Channel };

/** What each cause closes: a new PIN or phone lets somebody in by USSD and SMS alone, a password by any channel. */
const CLOSES_ALL: Record<PhoneWaitCause, boolean> = { phone: false, pin: false, password: true, claim: true };

const CLOSING_ALL = PHONE_WAIT_CAUSES.filter((cause) => CLOSES_ALL[cause])
  .map((cause) => `'${cause}'`)
  .join(", ");

/** SQL for whether a user waits before they spend by a channel. */
export const isWaiting = (userId: string, channel: string) => `exists (
  select from phone_waits h where h.user_id = ${userId} and h.until > now() and h.lifted_at is null
    and (h.cause in (${CLOSING_ALL}) or ${channel} in ('ussd', 'sms')))`;

/** SQL for whether the owner of the wallet `w` was claimed, and its wait is over. */
export const HAS_WAITED_AS_CLAIMED = `exists (
  select from phone_waits h where h.user_id = w.user_id and h.cause = 'claim'
    and (h.until <= now() or h.lifted_at is not null))`;

/** Whether a wait closes all channels, not USSD and SMS alone. */
export const isEverywhere = ({ cause }: Wait): boolean => CLOSES_ALL[cause];

/** The wait that closes this channel and ends last; null when the account may spend by it. */
export async function of(tx: Reads, { userId, channel }: Spender): Promise<Wait | null> {
  const [found] = await tx
    .select({ cause: phoneWaits.cause, until: phoneWaits.until })
    .from(phoneWaits)
    .where(
      and(
        eq(phoneWaits.userId, userId),
        isNull(phoneWaits.liftedAt),
        gt(phoneWaits.until, sql`now()`),
        sql`(${phoneWaits.cause} in (${sql.raw(CLOSING_ALL)}) or ${channel}::text in ('ussd', 'sms'))`,
      ),
    )
    .orderBy(desc(phoneWaits.until))
    .limit(1);
  return found ?? null;
}

/** Throws account.waits, with its end, for an account that may not spend by this channel yet. */
export async function refuse(tx: Reads, by: Spender): Promise<void> {
  const wait = await of(tx, by);
  if (wait) throw refusal(wait);
}

/**
 * Throws account.waits for an account whose owner may be somebody with the SIM alone: it changes nothing by which it is
 * entered or pays.
 */
export async function refuseChange(tx: Reads, userId: number): Promise<void> {
  await refuse(tx, { userId, channel: "web" });
}

/** The error account.waits, for an account that a purchase found waiting. */
export async function refusalOf(tx: Reads, by: Spender): Promise<AppError> {
  // It may have ended since.
  return refusal((await of(tx, by)) ?? { cause: "pin", until: new Date() });
}

function refusal({ cause, until }: Wait): AppError {
  const [reason, next] = REASONS[cause];
  const start = `For your safety, this works again from ${accraDayTime(until)}: ${reason}.`;
  const message = `${start} Your money is safe. ${next}`;
  return new AppError("account.waits", { cause, until: until.toISOString() }, message);
}

const ASK = "If you cannot wait, ask support.";
const BUY_ON_THE_WEB = "Until then, buy on our website.";

const REASONS: Record<PhoneWaitCause, [reason: string, next: string]> = {
  phone: ["your phone was changed", BUY_ON_THE_WEB],
  pin: ["your PIN was reset by a code", BUY_ON_THE_WEB],
  password: [
    "your password was set with a code to your phone",
    "Set one with a code to your email, and it works at once, or ask support.",
  ],
  claim: ["the account was opened here with a code to its phone", ASK],
};
