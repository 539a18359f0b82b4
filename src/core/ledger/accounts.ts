// The accounts of the ledger: what went into and out of each, and what Paystack holds.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";

/** What Paystack holds for us by our books, in pesewas: top-ups less reversals, fees and payouts. Takes no lock. */
export async function heldByPaystack(tx: Reads): Promise<number> {
  const [row] = await tx.execute<{ pesewas: number }>(sql`
    select coalesce(sum(case reason when 'topup' then amount_pesewas else -amount_pesewas end), 0)::bigint as pesewas
    from transfers where reason in ('topup', 'reversal', 'debt', 'payment_fee', 'payout')`);
  return row!.pesewas;
}

export type Account = { code: string; name: string; inPesewas: number; outPesewas: number };

/** The accounts as the books list them: where money is first. */
const ORDER = [
  ...["paystack", "momo", "bank", "cash", "safe"],
  ...["adjustments", "paid_out", "wallet", "receivables", "sales", "fees"],
];

/** What went into and out of each ledger account, in pesewas, from the flows between them; in total, in equals out. */
export async function accountsOf(
  tx: Reads,
  flows: { debit: string; credit: string; pesewas: number }[],
): Promise<Account[]> {
  const rows = await tx.execute<{ code: string; name: string }>(sql`
    select code, name from ledger_accounts
    order by array_position(${sql.param(ORDER)}::text[], code)`);
  const sum = (side: "debit" | "credit", code: string) =>
    flows.filter((flow) => flow[side] === code).reduce((total, { pesewas }) => total + pesewas, 0);
  return rows.map(({ code, name }) => ({
    code,
    name,
    inPesewas: sum("credit", code),
    outPesewas: sum("debit", code),
  }));
}
