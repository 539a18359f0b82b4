// An agent's own selling prices. A price is a row in time: the last one before a sale is the sale's price, so that a
// purchase neither reads nor writes any, and a change has no effect on what was sold before.
import { sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import type { ByUser } from "../../shared/domain.ts";
import { transact } from "../platform/transactions.ts";

/** Superseded prices of an account: forty bundles at 250 each. Beyond them the oldest are forgotten. */
const SUPERSEDED_MAX = 10_000;

/** The current selling prices of these products in pesewas; those without one are left out. */
export async function currentOf(
  tx: Reads,
  userId: number,
  productIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await tx.execute<{ id: number; price: number }>(sql`
    select p.id, s.price_pesewas as price
    from unnest(${sql.param([...productIds])}::bigint[]) p (id), lateral (
      select price_pesewas from selling_prices
      where user_id = ${userId} and product_id = p.id order by since desc limit 1) s
    where s.price_pesewas is not null`);
  return new Map(rows.map(({ id, price }) => [id, price]));
}

/** Whether an account has ever set a selling price. */
export async function hasSome(tx: Reads, userId: number): Promise<boolean> {
  const [row] = await tx.execute<{ has: boolean }>(
    sql`select exists (select from selling_prices where user_id = ${userId}) as has`,
  );
  return row!.has;
}

/** Sets prices from now on, in pesewas; null for none. Unchanged ones stay as they are. Returns how many changed. */
export async function save(
  db: Db,
  command: { by: ByUser; prices: ReadonlyMap<number, number | null> },
): Promise<number> {
  const { userId } = command.by;
  const rows = [...command.prices].map(([product_id, price]) => ({ product_id, price }));
  if (rows.length === 0) return 0;
  return transact(db, async (tx) => {
    const { count } = await tx.execute(sql`
      insert into selling_prices as s (user_id, product_id, price_pesewas)
      select ${userId}, r.product_id, r.price
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(product_id bigint, price bigint)
      left join lateral (
        select price_pesewas from selling_prices
        where user_id = ${userId} and product_id = r.product_id order by since desc limit 1) last on true
      where r.price is distinct from last.price_pesewas
      on conflict (user_id, product_id, since) do update set price_pesewas = excluded.price_pesewas`);
    await tx.execute(sql`
      delete from selling_prices where ctid = any(array(
        select ctid from (
          select ctid, since, row_number() over (partition by product_id order by since desc) as age
          from selling_prices where user_id = ${userId}) s
        where age > 1 order by since desc offset ${SUPERSEDED_MAX}))`);
    return count;
  });
}
