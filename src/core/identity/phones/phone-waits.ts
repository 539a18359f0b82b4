// Waits: after another phone than before, or a PIN in place of a forgotten one, an account spends nothing by USSD and
// SMS for some hours; web and API ask for the password, and go on. After a password that was set with a code to the
// phone they wait as well. Whoever stole a SIM or a session has that time against them, and the owner has it to act on
// the notices. ledger/waits.ts is what purchases and payments meet.
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { type PhoneWaitCause, phoneWaits } from "../../../../db/schema/ledger-limits.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Id, Reason } from "../../../shared/inputs.ts";
import { requireRightOver } from "../../../shared/rights.ts";
import * as waits from "../../ledger/waits.ts";
import * as messages from "../../messaging/messages.ts";
import * as accountTexts from "../../messaging/texts/account-texts.ts";
import { command } from "../../platform/commands.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as users from "../users.ts";

/**
 * Begins a wait in the caller's transaction; returns its end. It takes the shop's hours, twice as long where no
 * e-mail can warn its owner, and twice as long again where a question besides the code was not answered.
 */
export async function begin(
  tx: Tx,
  { id: userId, email }: Owner,
  cause: PhoneWaitCause,
  { isUnanswered = false } = {},
): Promise<Date> {
  const hours = (await hoursFor(tx, email)) * (isUnanswered ? 2 : 1);
  const [begun] = await tx
    .insert(phoneWaits)
    .values({ userId, cause, until: sql`now() + make_interval(hours => ${hours})` })
    .returning({ until: phoneWaits.until });
  return begun!.until;
}

/** How many hours an account with this mailbox waits; null: it has none. */
export async function hoursFor(tx: Reads, email: string | null): Promise<number> {
  return (await settings.get(tx, "phone_wait_hours")) * (email === null ? 2 : 1);
}

/** `email`: the mailbox that its owner had before, where the notice goes; null without one. */
type Owner = { id: number; email: string | null };

/** The wait in force that ends last, also one of USSD and SMS alone; null when the account may spend by phone. */
export async function of(tx: Reads, userId: number): Promise<waits.Wait | null> {
  return waits.of(tx, { userId, channel: "ussd" });
}

/** Ends the waits after a password set by SMS, in the transaction that sets one by a code to the account's mailbox. */
export async function endByMail(tx: Tx, userId: number): Promise<void> {
  await tx
    .update(phoneWaits)
    .set({
      liftedAt: sql`now()`,
      liftedByUserId: userId,
      liftReason: "New password by a code to the mailbox",
    })
    .where(and(isInForce(userId), eq(phoneWaits.cause, "password")));
}

/** Whether an account without a phone had one before, so that its next one is not its first. */
export async function hadPhone(tx: Reads, userId: number): Promise<boolean> {
  const [found] = await tx
    .select({ id: phoneWaits.id })
    .from(phoneWaits)
    .where(and(eq(phoneWaits.userId, userId), eq(phoneWaits.cause, "phone")))
    .limit(1);
  return found !== undefined;
}

/**
 * Ends an account's wait early, as staff who know that its owner changed the phone or the PIN, with a reason; tells the
 * owner.
 */
export const lift = command({
  name: "user.phone_wait_lift",
  right: "agents.manage",
  about: "End an account's wait before it buys by phone",
  subject: "user",
  input: { userId: Id, reason: Reason },
  errors: ["user.not_found", "wait.none", "auth.own_account"],
  isConfirmed: true,
  run: async ({ tx, by, audit }, { userId, reason }) => {
    if (userId === by.userId) throw new AppError("auth.own_account");
    const user = await users.get(tx, userId);
    requireRightOver(by, user, "agents.manage");
    const lifted = await tx
      .update(phoneWaits)
      .set({ liftedAt: sql`now()`, liftedByUserId: by.userId, liftReason: reason })
      .where(isInForce(userId))
      .returning({ until: phoneWaits.until });
    if (lifted.length === 0) throw new AppError("wait.none");
    await messages.queueMail(tx, user, accountTexts.phoneWaitLifted(user.username));
    const until = lifted.map((wait) => wait.until.toISOString()).sort();
    await audit(userId, { before: { until: until.at(-1) }, after: { reason } });
    return { userId };
  },
});

function isInForce(userId: number) {
  return and(eq(phoneWaits.userId, userId), isNull(phoneWaits.liftedAt), gt(phoneWaits.until, sql`now()`));
}
