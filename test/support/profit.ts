// Steps of tests of the shop's profit: give orders costs, and let days pass.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";

/** Gives an order a cost, or takes it away, as the vendor's report does later. */
export async function setCost(db: Db, orderId: number, costPesewas: number | null): Promise<void> {
  await db.execute(sql`update orders set cost_pesewas = ${costPesewas} where id = ${orderId}`);
}

/** Everything that was bought so far happened `days` days earlier; the daily totals follow. */
export async function passDays(db: Db, days = 1): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      update orders set created_at = created_at - make_interval(days => ${days}),
        paid_at = paid_at - make_interval(days => ${days})`);
    await tx.execute(sql`delete from user_days`);
    await tx.execute(sql`
      insert into user_days (user_id, day, operator, orders, amount_pesewas, volume_mb)
      select user_id, (paid_at at time zone 'Africa/Accra')::date, operator, count(*), sum(amount_pesewas),
             sum(coalesce(volume_mb, 0) * quantity)
      from orders where paid_at is not null and status <> 'FAILED' group by 1, 2, 3`);
    await tx.execute(sql`delete from shop_day_deltas`);
    await tx.execute(sql`delete from shop_days`);
    await tx.execute(sql`
      insert into shop_days (day, operator, orders, amount_pesewas, volume_mb)
      select day, operator, sum(orders), sum(amount_pesewas), sum(volume_mb) from user_days group by 1, 2`);
  });
}
