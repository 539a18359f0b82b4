// The daily limit of accounts that were opened by USSD: nobody has seen more of their owner than a phone. It ends when
// the account gets an e-mail and a password, or money from the mobile money of that phone, whose owner the network has
// identified.
import { and, eq, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { phones } from "../../../db/schema/identity.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { AppError, type ErrorDetails } from "../../shared/errors/app-error.ts";
import { show, toCedis } from "../../shared/money.ts";
import * as settings from "../platform/settings.ts";

/**
 * SQL for what the wallet `w` may still spend today, in pesewas; null for one without the limit, for which nothing more
 * is read. Refunded orders of the day do not count.
 */
export const DAY_LEFT = `
  case when w.is_capped then greatest(0, coalesce(
      (select (value #>> '{}')::bigint from settings where key = 'new_account_day_max_pesewas'),
      ${settings.DEFAULTS.new_account_day_max_pesewas})
    - coalesce((select sum(d.amount_pesewas) from user_days d
                where d.user_id = w.user_id and d.day = (now() at time zone 'Africa/Accra')::date), 0))::bigint
  end`;

/** Throws order.daily_limit when a wallet, which the caller has locked, may not spend this much more today. */
export async function refuseBeyond(tx: Tx, userId: number, amountPesewas: number): Promise<void> {
  const [row] = await tx.execute<{ left: number | null }>(
    sql`select ${sql.raw(DAY_LEFT)} as "left" from wallets w where w.user_id = ${userId}`,
  );
  const left = row?.left ?? null;
  if (left !== null && amountPesewas > left) throw await refusal(tx, left);
}

/** The error order.daily_limit, with the limit and what is left of it today. */
export async function refusal(tx: Reads, leftPesewas: number): Promise<AppError> {
  const limitPesewas = await settings.get(tx, "new_account_day_max_pesewas");
  const details = { limit: toCedis(limitPesewas), left: toCedis(leftPesewas) };
  const message =
    `New accounts can spend ${show(limitPesewas)} a day, and ${show(leftPesewas)} is left today. ` +
    "Add money from your own mobile money number to lift the limit, or claim your account on our website.";
  return new AppError("order.daily_limit", details, message);
}

/** A new account's limit a day, and what is left of it today. */
export type DayLimit = { limitPesewas: number; leftPesewas: number };

/** The amounts in the details of order.daily_limit. */
export function dayLimitIn(details: ErrorDetails | undefined): DayLimit {
  return { limitPesewas: toPesewas(details!.limit), leftPesewas: toPesewas(details!.left) };
}

function toPesewas(cedis: unknown): number {
  return Math.round(Number(cedis) * 100);
}

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
