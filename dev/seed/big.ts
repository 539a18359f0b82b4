// A big shop for measurements: set-based, one commit per chunk, with books that balance. Each chunk is a period in
// which every agent is funded first, buys, and gets refunds at the end.
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";

const CHUNK = 50_000;
const AGENTS = 5_000;
const DAYS = 90;

/** Adds `count` orders of agents without a password; `onProgress` gets the number so far after each chunk. */
export async function seedBig(db: Db, count: number, onProgress: (done: number) => void): Promise<void> {
  await ensureAgents(db);
  for (let done = 0; done < count; ) {
    const size = Math.min(CHUNK, count - done);
    const start = 1 - done / count;
    await addChunk(db, size, start * DAYS, (1 - (done + size) / count) * DAYS);
    done += size;
    onProgress(done);
  }
  await db.execute(sql`analyze orders`);
  await db.execute(sql`analyze transfers`);
}

async function ensureAgents(db: Db): Promise<void> {
  await db.execute(sql`
    with added as (
      insert into users (username, email, password_hash)
      select 'agent-' || n, 'agent-' || n || '@example.com', '' from generate_series(1, ${AGENTS}) n
      on conflict do nothing returning id)
    insert into wallets (user_id) select id from added`);
}

/** Orders between `fromDays` and `toDays` ago, with everything that belongs to them, in one commit. */
async function addChunk(db: Db, size: number, fromDays: number, toDays: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`
      create temporary table span on commit drop as
      select now() - make_interval(secs => ${fromDays * 86_400}) as begins,
             now() - make_interval(secs => ${toDays * 86_400}) as ends`);
    await drawOrders(tx, size);
    await insertOrders(tx);
    await insertMoney(tx);
    await insertSums(tx);
  });
}

/** Draws who buys what and when, and each order's status; assigns ids in chronological order. */
async function drawOrders(tx: Tx, size: number): Promise<void> {
  await tx.execute(sql`
    create temporary table placed on commit drop as
    select nextval('orders_id_seq') as id, drawn.*
    from (
      select a.user_id, p.id as product_id, p.operator, p.family, p.name, p.size, p.volume_mb,
             p.price_pesewas as amount, p.cost_pesewas as cost,
             '233' || (case p.operator when 'MTN' then '54' when 'TELECEL' then '20' else '27' end)
               || lpad(floor(random() * 10000000)::int::text, 7, '0') as msisdn,
             case when s.fate < 0.72 then 'COMPLETED' when s.fate < 0.86 then 'DELIVERED'
                  when s.fate < 0.91 then 'PROCESSING' when s.fate < 0.95 then 'FAILED' else 'PENDING' end as status,
             s.fate < 0.99 as is_paid,
             span.begins + (span.ends - span.begins) * (s.n / ${size + 1}::float8) as at
      from span
      cross join (select n, random() as fate, random() as who, random() as what from generate_series(1, ${size}) n) s
      join (select id as user_id, row_number() over (order by id) as place from users where username like 'agent-%') a
        on a.place = 1 + floor(s.who * ${AGENTS})
      join (select *, row_number() over (order by price_pesewas, id) as place, count(*) over () as count
            from products where retired_at is null and line = 'bundle' and price_pesewas < 5000) p
        on p.place = 1 + floor(s.what * p.count)
      order by s.n
    ) drawn`);
}

async function insertOrders(tx: Tx): Promise<void> {
  await tx.execute(sql`
    insert into orders (id, status, user_id, product_id, operator, family, product_name, product_size, volume_mb,
                        unit_price_pesewas, quantity, amount_pesewas, tier_id, cost_pesewas,
                        msisdn, channel, payment_method, paid_at,
                        refunded_at, created_at, updated_at)
    select id, status, user_id, product_id, operator, family, name, size, volume_mb, amount, 1, amount, 1, cost, msisdn,
           'api',
           case when is_paid then 'wallet' end, case when is_paid then at end,
           case when is_paid and status = 'FAILED' then ends end, at,
           case when status = 'PENDING' then at else ends end
    from placed cross join span order by id`);
  await tx.execute(sql`
    insert into order_events (order_id, user_id, from_status, to_status, channel, created_at)
    select id, user_id, 'PENDING', status, 'system', ends
    from placed cross join span where status <> 'PENDING' order by id`);
  // A vendor has the PROCESSING orders, without status checks during a measurement.
  await tx.execute(sql`
    insert into attempts (order_id, user_id, vendor, reference, state, sends, sent_at, due_at, created_at)
    select id, user_id, 'datamart', 'DF' || lpad(id::text, greatest(4, length(id::text)), '0') || 'T1',
           'processing', 1, ends, now() + interval '10 years', ends
    from placed cross join span where status = 'PROCESSING' order by id`);
}

/** Funds each buyer, then charges, then refunds failed orders, so that each wallet's running balance is in order. */
async function insertMoney(tx: Tx): Promise<void> {
  await tx.execute(sql`
    create temporary table funded on commit drop as
    select nextval('adjustments_id_seq') as id, user_id, amount
    from (select user_id, sum(amount) as amount from placed where is_paid group by user_id order by user_id) f`);
  await tx.execute(sql`
    insert into adjustments (id, user_id, amount_pesewas, reason, created_at)
    select id, user_id, amount, 'Funded for measuring', begins from funded cross join span`);
  await tx.execute(sql`
    with entry as (
      select user_id, 'adjustments' as debit, 'wallet' as credit, amount, 'adjustment' as reason, id as subject_id,
             begins as at, 0 as turn
      from funded cross join span
      union all
      select user_id, 'wallet', 'sales', amount, 'charge', id, at, 1 from placed where is_paid
      union all
      select user_id, 'sales', 'wallet', amount, 'refund', id, ends, 2
      from placed cross join span where is_paid and status = 'FAILED')
    insert into transfers
      (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas, created_at)
    select e.user_id, e.debit, e.credit, e.amount, e.reason, e.subject_id,
           w.balance_pesewas + sum(case e.credit when 'wallet' then e.amount else -e.amount end)
             over (partition by e.user_id order by e.turn, e.subject_id), e.at
    from entry e join wallets w using (user_id)
    order by e.turn, e.subject_id`);
  await tx.execute(sql`
    update wallets w set balance_pesewas = w.balance_pesewas + r.amount
    from (select user_id, sum(amount) as amount from placed where is_paid and status = 'FAILED' group by user_id) r
    where r.user_id = w.user_id`);
}

async function insertSums(tx: Tx): Promise<void> {
  await tx.execute(sql`
    insert into user_days as d (user_id, day, operator, orders, amount_pesewas, volume_mb)
    select user_id, (at at time zone 'Africa/Accra')::date, operator, count(*), sum(amount), sum(coalesce(volume_mb, 0))
    from placed where is_paid and status <> 'FAILED' group by 1, 2, 3
    on conflict (user_id, day, operator) do update set
      orders = d.orders + excluded.orders, amount_pesewas = d.amount_pesewas + excluded.amount_pesewas,
      volume_mb = d.volume_mb + excluded.volume_mb`);
  await tx.execute(sql`
    insert into shop_day_deltas (day, operator, orders, amount_pesewas, volume_mb)
    select (at at time zone 'Africa/Accra')::date, operator, count(*), sum(amount), sum(coalesce(volume_mb, 0))
    from placed where is_paid and status <> 'FAILED' group by 1, 2`);
  await tx.execute(sql`
    insert into order_count_deltas (status, delta) select status, count(*) from placed group by status`);
  // Orders of the shop are paid today, so that nothing else marks the days of new ones.
  await tx.execute(sql`
    insert into profit_days_stale (day) select distinct (at at time zone 'Africa/Accra')::date from placed`);
}
