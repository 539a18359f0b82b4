// Open differences between our books and the provider's list. Each waits for a person until a later comparison of the
// same payment finds none.
import { asc, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { reconciliationDifferences as table } from "../../../db/schema/payments.ts";
import type { Difference } from "./reconciliation.ts";

export type OpenDifference = Pick<typeof table.$inferSelect, "reference" | "amountPesewas" | "foundAt"> &
  Pick<Difference, "kind">;

/** The open differences, those found first before others. */
export async function list(tx: Reads, limit: number): Promise<OpenDifference[]> {
  const rows = await tx.select().from(table).orderBy(asc(table.foundAt), asc(table.reference)).limit(limit);
  return rows as OpenDifference[];
}

/**
 * Keeps the differences that a comparison found, and forgets those of the payments that it compared and found equal.
 * One that is found again keeps the moment at which it was found first.
 */
export async function keep(
  db: Db,
  { compared, differences }: { compared: readonly string[]; differences: readonly Difference[] },
): Promise<void> {
  const rows = differences.map(({ reference, kind, providerPesewas, creditedPesewas }) => ({
    reference,
    kind,
    amount_pesewas: Math.max(providerPesewas ?? 0, creditedPesewas ?? 0) || null,
  }));
  const found = sql`
    json_to_recordset(${JSON.stringify(rows)}::json) as r(reference text, kind text, amount_pesewas bigint)`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      delete from reconciliation_differences d
      where d.reference = any(${sql.param([...compared])}::text[])
        and not exists (select from ${found} where r.reference = d.reference and r.kind = d.kind)`);
    await tx.execute(sql`
      insert into reconciliation_differences (reference, kind, amount_pesewas)
      select distinct on (reference, kind) reference, kind, amount_pesewas from ${found}
      on conflict (reference, kind) do update set amount_pesewas = excluded.amount_pesewas`);
  });
}
