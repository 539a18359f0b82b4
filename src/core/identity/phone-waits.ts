// Waits: after another phone than before, or a PIN in place of a forgotten one, an account spends nothing by USSD and
// SMS for some hours. Whoever stole a SIM or a session has that time against them, and the owner has it to act on the
// notices. Web and API ask for the password, and go on.
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { type PhoneWaitCause, phoneWaits } from "../../../db/schema/ledger-limits.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requireConfirmed, requireRight, requireRightOver } from "../../shared/rights.ts";
import * as accountTexts from "../messaging/account-texts.ts";
import * as messages from "../messaging/messages.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as settings from "../platform/settings.ts";
import { transact } from "../platform/transactions.ts";
import * as users from "./users.ts";

export type PhoneWait = { cause: PhoneWaitCause; until: Date };

/** Begins a wait of the shop's hours in the caller's transaction; returns its end. */
export async function begin(tx: Tx, userId: number, cause: PhoneWaitCause): Promise<Date> {
  const hours = await settings.get(tx, "phone_wait_hours");
  const [begun] = await tx
    .insert(phoneWaits)
    .values({ userId, cause, until: sql`now() + make_interval(hours => ${hours})` })
    .returning({ until: phoneWaits.until });
  return begun!.until;
}

/** The wait in force that ends last; null when the account may spend by phone. */
export async function of(tx: Reads, userId: number): Promise<PhoneWait | null> {
  const [found] = await tx
    .select({ cause: phoneWaits.cause, until: phoneWaits.until })
    .from(phoneWaits)
    .where(isInForce(userId))
    .orderBy(desc(phoneWaits.until))
    .limit(1);
  return found ?? null;
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
 * owner. Throws auth.forbidden, auth.confirm_needed, auth.own_account, user.not_found, wait.none.
 */
export async function lift(
  db: Db,
  { by, userId, reason }: { by: ByUser; userId: number; reason: string },
): Promise<void> {
  requireRight(by, "agents.manage");
  requireConfirmed(by);
  if (userId === by.userId) throw new AppError("auth.own_account");
  await transact(db, async (tx) => {
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
    await auditLog.record(tx, by, [
      {
        ...{ action: "user.phone_wait_lift", subjectType: "user", subjectId: userId },
        ...{ before: { until: until.at(-1) }, after: { reason } },
      },
    ]);
  });
}

function isInForce(userId: number) {
  return and(eq(phoneWaits.userId, userId), isNull(phoneWaits.liftedAt), gt(phoneWaits.until, sql`now()`));
}
