// A wallet's movements by day and kind, with the balances before and after: what a daily closing is made of. Only the
// rows of those days are read, however long the wallet has existed.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import type { WalletReason } from "../../../db/schema/ledger.ts";

/** Movements of one kind; `pesewas` is negative for money out. */
export type Part = { count: number; pesewas: number };

export const TURNOVER_KINDS = ["topUps", "orders", "refunds", "corrections", "reversals"] as const;
export type TurnoverKind = (typeof TURNOVER_KINDS)[number];

export type DayTurnover = Record<TurnoverKind, Part> & {
  /** In Accra's time, as 2026-11-21. */
  day: string;
  openingPesewas: number;
  closingPesewas: number;
};

const KIND_OF: Record<WalletReason, TurnoverKind> = {
  topup: "topUps",
  claim: "topUps",
  charge: "orders",
  refund: "refunds",
  refund_taken_back: "orders",
  refund_again: "refunds",
  adjustment: "corrections",
  reversal: "reversals",
  debt_paid: "reversals",
  claim_reversal: "reversals",
  // Only an agent who was let back in ever reads of such a day.
  wallet_payout: "corrections",
};

/** The wallet's turnover on each of these days, which follow each other; days without movements keep the balance. */
export async function dailyTurnover(tx: Reads, userId: number, days: readonly string[]): Promise<DayTurnover[]> {
  const first = Date.parse(days[0]!);
  const end = Date.parse(days.at(-1)!) + 86_400_000;
  const [firstId, endId] = [await firstIdSince(tx, userId, first), await firstIdSince(tx, userId, end)];
  const rows = await tx.execute<{ day: string; reason: WalletReason; count: number; pesewas: number }>(sql`
    select to_char((created_at at time zone 'Africa/Accra')::date, 'YYYY-MM-DD') as day, reason, count(*)::int as count,
           sum(case when credit = 'wallet' then amount_pesewas else -amount_pesewas end)::bigint as pesewas
    from transfers where user_id = ${userId} and id >= ${firstId} and id < ${endId} and ${OF_WALLET}
    group by 1, 2`);
  const ofDay = Map.groupBy(rows, ({ day }) => day);
  let balance = await balanceBefore(tx, userId, firstId);
  return days.map((day) => {
    const turnover = { ...none(), day, openingPesewas: balance, closingPesewas: balance };
    for (const { reason, count, pesewas } of ofDay.get(day) ?? []) {
      const part = turnover[KIND_OF[reason]];
      part.count += count;
      part.pesewas += pesewas;
      turnover.closingPesewas += pesewas;
    }
    balance = turnover.closingPesewas;
    return turnover;
  });
}

function none(): Record<TurnoverKind, Part> {
  const part = (): Part => ({ count: 0, pesewas: 0 });
  return { topUps: part(), orders: part(), refunds: part(), corrections: part(), reversals: part() };
}

const OF_WALLET = sql`'wallet' in (debit, credit)`;

/**
 * The first id of this wallet that is not older than a moment, by binary search in the index of its transfers: within a
 * wallet, ids and times grow together.
 */
async function firstIdSince(tx: Reads, userId: number, momentMs: number): Promise<number> {
  const moment = new Date(momentMs).toISOString();
  const [row] = await tx.execute<{ id: number }>(sql`
    with recursive span (low, high) as (
      select coalesce(min(id), 0), coalesce(max(id), 0) + 1
      from transfers where user_id = ${userId} and ${OF_WALLET}
      union all
      select case when seen.created_at < ${moment}::timestamptz then seen.id + 1 else low end,
             case when seen.created_at < ${moment}::timestamptz then high else (low + high) / 2 end
      from span, lateral (
        select id, created_at from transfers
        where user_id = ${userId} and id >= (low + high) / 2 and ${OF_WALLET} order by id limit 1) seen
      where low < high
    )
    select max(low) as id from span`);
  return row!.id;
}

async function balanceBefore(tx: Reads, userId: number, id: number): Promise<number> {
  const [last] = await tx.execute<{ balance: number }>(sql`
    select balance_after_pesewas as balance from transfers
    where user_id = ${userId} and id < ${id} and ${OF_WALLET} order by id desc limit 1`);
  return last?.balance ?? 0;
}
