// Deliveries by a vendor in the last days, written as they stand after them.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";

type Delivered = { vendor: string; userId: number; productId: number; count: number; unknown?: number };

/** At one hour of each of the last three days, each for 100 pesewas, or of unknown cost. */
export async function delivered(db: Db, { vendor, userId, productId, count, unknown = 0 }: Delivered): Promise<void> {
  await db.execute(sql`
    with o as (
      insert into orders (status, user_id, product_id, operator, family, product_name, product_size, volume_mb,
                          unit_price_pesewas, quantity, amount_pesewas, msisdn, channel)
      select 'PENDING', ${userId}, ${productId}, 'MTN', 'MTN', 'MTN', '1GB', 1000, 390, 1, 390,
             '2335400' || lpad(n::text, 5, '0'), 'web'
      from generate_series(1, ${count}::int) n returning id),
    numbered as (select id, row_number() over (order by id) as n from o)
    insert into attempts (order_id, user_id, vendor, reference, state, sends, sent_at, due_at, ended_at, cost_pesewas)
    select id, ${userId}, ${vendor}, 'DF' || lpad(id::text, 6, '0') || 'T1', 'delivered', 1, ended_at, now(), ended_at,
           case when n > ${unknown} then 100 end
    from numbered, lateral (
      select date_trunc('hour', now()) - (n % 3) * interval '1 day' - interval '59 min' as ended_at) e`);
  await db.execute(sql`insert into order_count_deltas (status, delta) values ('PENDING', ${count})`);
}
