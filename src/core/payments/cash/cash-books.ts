// The shop's cash for those who keep it: takings by person and day, closes, and the safe.
import { and, desc, eq, sql } from "drizzle-orm";
import type { Reads } from "../../../../db/connect.ts";
import { users } from "../../../../db/schema/identity.ts";
import { cashCloses } from "../../../../db/schema/payments-cash.ts";
import { limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { show } from "../../../shared/money.ts";
import type { CashClose } from "./cash.ts";

export type PersonsCash = {
  userId: number;
  username: string;
  /** Orders that the person was paid for in cash on the day, and their sum. */
  orders: number;
  takenPesewas: number;
  /** The cash that the person still holds, from any day. */
  openPesewas: number;
};

/** Each person who took cash on this day (as 2026-11-21) or still has some. */
export async function byPerson(tx: Reads, day: string): Promise<PersonsCash[]> {
  const rows = await tx.execute<PersonsCash>(sql`
    with taken as (
      select by_user_id as user_id, sum(amount_pesewas)::bigint as pesewas,
             count(*) filter (where (created_at at time zone 'Africa/Accra')::date = ${day}::date)::int as orders,
             coalesce(sum(amount_pesewas) filter (
               where (created_at at time zone 'Africa/Accra')::date = ${day}::date), 0)::bigint as on_day
      from transfers where reason = 'cash_sale' group by by_user_id),
    handed as (
      select user_id, sum(expected_pesewas)::bigint as pesewas from cash_closes
      where state <> 'refused' group by user_id)
    select t.user_id as "userId", u.username, t.orders, t.on_day as "takenPesewas",
           (t.pesewas - coalesce(h.pesewas, 0))::bigint as "openPesewas"
    from taken t join users u on u.id = t.user_id left join handed h on h.user_id = t.user_id
    where t.orders > 0 or t.pesewas <> coalesce(h.pesewas, 0)
    order by u.username`);
  return [...rows];
}

export type CashSale = { orderId: number; amountPesewas: number; at: Date };

/** The cash that a person took last, newest first. */
export async function latestOf(tx: Reads, userId: number, countMax: number): Promise<CashSale[]> {
  const rows = await tx.execute<{ orderId: number; amountPesewas: number; at: string }>(sql`
    select subject_id as "orderId", amount_pesewas as "amountPesewas", created_at as at
    from transfers where reason = 'cash_sale' and by_user_id = ${userId} order by id desc limit ${countMax}`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

export type CloseRow = CashClose & { username: string; to: string; decidedBy: string | null };

/** Closes newest first: those that wait, or all of a person or of everybody. */
export async function closes(
  tx: Reads,
  filter: { state?: CashClose["state"]; userId?: number },
  countMax: number,
): Promise<CloseRow[]> {
  const to = tx.select({ id: users.id, name: users.username }).from(users).as("receiver");
  const decider = tx.select({ id: users.id, name: users.username }).from(users).as("decider");
  const rows = await tx
    .select({ close: cashCloses, username: users.username, to: to.name, decidedBy: decider.name })
    .from(cashCloses)
    .innerJoin(users, eq(users.id, cashCloses.userId))
    .innerJoin(to, eq(to.id, cashCloses.toUserId))
    .leftJoin(decider, eq(decider.id, cashCloses.decidedByUserId))
    .where(
      and(
        filter.state && eq(cashCloses.state, filter.state),
        filter.userId === undefined ? undefined : eq(cashCloses.userId, filter.userId),
      ),
    )
    .orderBy(desc(cashCloses.id))
    .limit(Math.min(countMax, limits.pageSizeMax));
  return rows.map(({ close, ...row }) => ({ ...close, ...row }));
}

/** What is in the safe: handed in, less what was brought to the bank and paid out of wallets. */
export async function inSafe(tx: Reads): Promise<number> {
  const [row] = await tx.execute<{ pesewas: number }>(sql`
    select coalesce(sum(case 'safe' when debit then amount_pesewas when credit then -amount_pesewas end), 0)::bigint
           as pesewas
    from transfers where reason in ('cash_handed_in', 'cash_banked', 'wallet_payout')`);
  return row!.pesewas;
}

/** For an amount that leaves the safe, under the lock of cash. Throws cash.safe_short; returns what is in it. */
export async function requireInSafe(tx: Reads, amountPesewas: number): Promise<number> {
  const safePesewas = await inSafe(tx);
  if (amountPesewas <= safePesewas) return safePesewas;
  const waiting = await tx.$count(cashCloses, eq(cashCloses.state, "waiting"));
  const holds = `The safe holds ${show(safePesewas)}`;
  const message =
    waiting > 0 ? `${holds}. Accept the cash that was handed in first.` : `${holds}, and nobody has handed in more.`;
  throw new AppError("cash.safe_short", { fields: { amount: message } }, message);
}
