// Open differences between our books and the provider's list. Each waits for a person until a later comparison of the
// same payment finds none.
import { and, desc, eq, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { payments, reconciliationDifferences } from "../../../db/schema/payments.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { Reason, requiredText } from "../../shared/inputs.ts";
import { show } from "../../shared/money.ts";
import { command } from "../platform/commands.ts";
import type { Difference } from "./reconciliation.ts";

export type OpenDifference = {
  reference: string;
  kind: Difference["kind"];
  amountPesewas: number | null;
  foundAt: Date;
  /** Ours; null for a payment that the shop does not know. */
  paymentId: number | null;
  /** No payment that it is about was made before. */
  since: Date;
};

/** Those that wait, the latest found first. */
export async function list(tx: Reads, countMax: number): Promise<OpenDifference[]> {
  const rows = await tx
    .select({ difference: reconciliationDifferences, paymentId: payments.id, since: SINCE })
    .from(reconciliationDifferences)
    .leftJoin(payments, eq(payments.reference, reconciliationDifferences.reference))
    .orderBy(desc(reconciliationDifferences.foundAt), reconciliationDifferences.reference)
    .limit(countMax);
  return rows.map(({ difference, ...row }) => ({ ...difference, ...row, kind: difference.kind as Difference["kind"] }));
}

/** When ours was started; of another, the week before it was paid out, or the day before it was found. */
const SINCE = sql<Date>`coalesce(${payments.createdAt}, (
  select min(o.settled_at) - interval '7 days' from payout_payments p join payouts o on o.id = p.payout_id
  where p.reference = ${reconciliationDifferences.reference}
), ${reconciliationDifferences.foundAt} - interval '1 day')`.mapWith(payments.createdAt);

/** Closes one that a person has settled where no comparison sees it. A comparison of its days may find it again. */
export const close = command({
  name: "difference.close",
  right: "payments.decide",
  about: "Close a difference to Paystack's list that was settled elsewhere",
  subject: "payment",
  input: {
    reference: requiredText(100, "Name the payment"),
    kind: requiredText(40, "Name the difference"),
    reason: Reason,
  },
  errors: ["payment.not_found"],
  run: async ({ tx, audit }, { reference, kind, reason }) => {
    const isThis = and(eq(reconciliationDifferences.reference, reference), eq(reconciliationDifferences.kind, kind));
    const [closed] = await tx.delete(reconciliationDifferences).where(isThis).returning();
    if (!closed) throw new AppError("payment.not_found");
    const { amountPesewas } = closed;
    await audit(reference, { after: { reason, ...(amountPesewas !== null && { amount: show(amountPesewas) }) } });
  },
});

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
