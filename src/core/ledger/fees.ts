// Fees in the books: what the payment provider kept of credited payments, as the shop's cost.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";

export type DayFees = {
  /** In Accra's time, as 2026-11-21. */
  day: string;
  feesPesewas: number;
};

const DAY_MS = 86_400_000;

/**
 * The fees of the payments credited on the days from `first` to `last` (as 2026-11-21), by the day of the credit, also
 * where they were booked later; oldest first, days without fees left out. The index `payments_with_fees` finds the
 * payments, and each one's transfer is found by its subject, so that only what belongs to the span is read.
 */
export async function ofSpan(tx: Reads, { first, last }: { first: string; last: string }): Promise<DayFees[]> {
  const from = new Date(Date.parse(first)).toISOString();
  const to = new Date(Date.parse(last) + DAY_MS).toISOString();
  const rows = await tx.execute<DayFees>(sql`
    select to_char((p.paid_at at time zone 'Africa/Accra')::date, 'YYYY-MM-DD') as day,
           sum(t.amount_pesewas)::bigint as "feesPesewas"
    from payments p join transfers t on t.reason = 'payment_fee' and t.subject_id = p.id
    where p.fees_pesewas > 0 and p.paid_at >= ${from}::timestamptz and p.paid_at < ${to}::timestamptz
    group by 1 order by 1`);
  return rows.map(({ day, feesPesewas }) => ({ day, feesPesewas }));
}

/** The booked fees of these payments, in pesewas by the payment's id; payments without one are left out. */
export async function bookedFor(tx: Reads, paymentIds: number[]): Promise<Map<number, number>> {
  const rows = await tx.execute<{ id: number; pesewas: number }>(sql`
    select subject_id as id, amount_pesewas as pesewas from transfers
    where reason = 'payment_fee' and subject_id = any(${sql.param(paymentIds)}::bigint[])`);
  return new Map(rows.map(({ id, pesewas }) => [id, pesewas]));
}
