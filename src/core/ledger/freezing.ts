// Freezes as money meets them: whether an account may spend, and what its owner reads. identity/freezes.ts begins and
// ends them.
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { freezes } from "../../../db/schema/ledger-limits.ts";
import { accraDayTime } from "../../shared/accra.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { sentence } from "../../shared/text.ts";

/** SQL for whether the wallet `w` is frozen now. */
export const IS_FROZEN = "w.is_frozen and coalesce(w.frozen_until > statement_timestamp(), true)";

/** A freeze as the account's owner reads it. */
export type Frozen = { message: string; until: Date | null };

/** The freeze in force, as its owner reads it; null when the account may spend. */
export async function of(tx: Reads, userId: number): Promise<Frozen | null> {
  const [found] = await tx
    .select({ message: freezes.message, until: freezes.until })
    .from(freezes)
    .where(and(eq(freezes.userId, userId), isNull(freezes.endedAt), sql`coalesce(${freezes.until} > now(), true)`))
    .orderBy(desc(freezes.id))
    .limit(1);
  return found ?? null;
}

/** Throws account.frozen, with its words and its end, for an account that may not spend or change how it spends. */
export async function refuse(tx: Reads, userId: number): Promise<void> {
  const frozen = await of(tx, userId);
  if (frozen) throw refusal(frozen);
}

/** The error account.frozen, for an account that a purchase found frozen. */
export async function refusalOf(tx: Reads, userId: number): Promise<AppError> {
  // It may have ended since.
  return refusal((await of(tx, userId)) ?? { message: "Try again now.", until: null });
}

function refusal({ message, until }: Frozen): AppError {
  const details = { message, until: until?.toISOString() ?? null };
  const end = until ? ` It ends on ${accraDayTime(until)}.` : "";
  return new AppError(
    "account.frozen",
    details,
    `Your account is frozen for now, and your money is safe. ${sentence(message)}${end} Questions? Ask support.`,
  );
}

/** Marks a wallet, which the caller has locked, as frozen until `until` (null: until somebody ends it), or as free. */
export async function mark(tx: Tx, userId: number, state: { until: Date | null } | null): Promise<void> {
  await tx
    .update(wallets)
    .set({ isFrozen: state !== null, frozenUntil: state?.until ?? null })
    .where(eq(wallets.userId, userId));
}
