// The demonstration is seeded within a minute; afterwards its timestamps are spread over the month they represent.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";

/** What is written from a moment of the seed on, until the next mark, represents another one. */
type Mark = { from: string; at: string };

/** What is written from now on represents the moment `at`, in milliseconds. */
export async function markOf(db: Db, at: number): Promise<Mark> {
  const [clock] = await db.execute<{ now: string }>(sql`select clock_timestamp()::text as now`);
  return { from: clock!.now, at: new Date(at).toISOString() };
}

/** Every timestamp that a step wrote becomes the time that the step represents. */
export async function spreadOverTheMonth(db: Db, marks: Mark[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      create temporary table step on commit drop as
      select at::timestamptz as at, tstzrange(started, lead(started) over (order by started)) as during
      from (select s.at, s."from"::timestamptz as started
            from json_to_recordset(${JSON.stringify(marks)}::json) as s(at text, "from" text)) m`);
    await tx.execute(sql`create index on step using gist (during)`);
    // The only place where transfers and prices may change, before anybody has relied on them.
    await tx.execute(sql`alter table transfers disable trigger transfers_append_only`);
    await tx.execute(sql`alter table prices disable trigger prices_begun_stay`);
    for (const [table, columns] of Object.entries(MOMENTS)) {
      for (const column of columns) {
        await tx.execute(sql`
          update ${sql.identifier(table)} t set ${sql.identifier(column)} = s.at
          from step s where s.during @> t.${sql.identifier(column)}`);
      }
    }
    await tx.execute(sql`update desk_batches set deadline = created_at + interval '2 hours'`);
    await tx.execute(sql`alter table transfers enable trigger transfers_append_only`);
    await tx.execute(sql`alter table prices enable trigger prices_begun_stay`);
    await tx.execute(sql`update users set created_at = (select min(at) from step)`);
    await tx.execute(sql`update products set created_at = (select min(at) from step)`);
    await tx.execute(sql`delete from user_days`);
    await tx.execute(sql`
      insert into user_days (user_id, day, operator, orders, amount_pesewas, volume_mb)
      select user_id, (paid_at at time zone 'Africa/Accra')::date, operator, count(*), sum(amount_pesewas),
             sum(coalesce(volume_mb, 0) * quantity)
      from orders where paid_at is not null and status <> 'FAILED' group by 1, 2, 3`);
    await tx.execute(sql`truncate shop_days, shop_day_deltas`);
    await tx.execute(sql`
      insert into shop_days (day, operator, orders, amount_pesewas, volume_mb)
      select day, operator, sum(orders), sum(amount_pesewas), sum(volume_mb) from user_days group by 1, 2`);
    await tx.execute(sql`
      delete from jobs j using orders o where o.id = j.subject_id and o.status not in ('PENDING', 'PAID')`);
  });
}

const MOMENTS = {
  orders: ["created_at", "updated_at", "paid_at", "refunded_at"],
  bulk_orders: ["created_at"],
  order_events: ["created_at"],
  transfers: ["created_at"],
  adjustments: ["created_at"],
  audit_log: ["created_at"],
  afa_registrations: ["created_at", "refused_at"],
  payments: ["created_at", "updated_at", "paid_at"],
  payment_reversals: ["created_at", "ended_at"],
  payouts: ["created_at", "booked_at"],
  balance_checks: ["created_at"],
  attempts: ["created_at", "sent_at", "ended_at"],
  desk_batches: ["created_at"],
  contacts: ["created_at", "updated_at"],
  selling_prices: ["since"],
  tiers: ["created_at"],
  price_changes: ["since", "created_at"],
  prices: ["since"],
  product_costs: ["seen_at"],
};
