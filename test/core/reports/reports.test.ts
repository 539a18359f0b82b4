// Reports: the figures of dashboards are totals kept beside the orders, compared here with a plain count of the orders.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as dailyTotals from "../../../src/core/orders/daily-totals.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as reports from "../../../src/core/reports/reports.ts";
import { STATUSES } from "../../../src/shared/domain.ts";
import { operatorCodes } from "../../../src/shared/operators.ts";
import { count, lineFor, outcome, randomFrom, seed, times, withSecondServer } from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundles = [
  await world.product("MTN", "1GB", "3.90"),
  await world.product("TELECEL", "500MB", "2.00"),
  await world.product("AIRTELTIGO", "1.5GB", "6.10"),
  await world.product("MTN", "2GB", "1.00"),
];
// As it was entered before sizes were checked.
await db.execute(sql`update products set size = 'Night bundle', volume_mb = null where size = '2GB'`);
const people = [await world.person("ama", "GH₵ 2000.00"), await world.person("kofi", "GH₵ 2000.00")];

type Totals = { sales: number; orders: number };
const sold = sql`paid_at is not null and status <> 'FAILED'`;

async function plainOverview(person: Person) {
  const [totals] = await db.execute<Totals & { all: number }>(sql`
    select coalesce(sum(amount_pesewas) filter (where ${sold}), 0)::bigint as sales, count(*)::int as all
    from orders where user_id = ${person.id}`);
  const volumes = await db.execute<{ operator: string; mb: number }>(sql`
    select operator, sum(coalesce(volume_mb, 0) * quantity)::bigint as mb from orders
    where user_id = ${person.id} and ${sold} group by operator`);
  const byOperator = new Map(volumes.map((row) => [row.operator, row.mb]));
  return {
    salesPesewas: totals!.sales,
    ordersCount: totals!.all,
    volumeMbByOperator: Object.fromEntries(
      operatorCodes().map((operator) => [operator, byOperator.get(operator) ?? 0]),
    ),
  };
}

test(`after random purchases and transitions, the dashboards agree with a plain count (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const ids: number[] = [];
  for (const _ of times(60, (i) => i)) {
    const person = people[random(2)]!;
    const line = lineFor(bundles[random(bundles.length)]!, { quantity: 1 + random(4) });
    const ask = { by: person.by(), key: null, line };
    ids.push(
      random(4) === 0 ? (await unpaidOrders.create(db, ask)).answer.id : (await orders.buy(db, ask)).answer.order.id,
    );
  }
  const lines = times(20, () => lineFor(bundles[random(bundles.length)]!));
  ids.push(...(await buyBulk(db, { by: people[0]!.by(), key: null, lines })).answer.orders.map((o) => o.id));
  for (const _ of times(12, (i) => i)) {
    const to = (["PROCESSING", "DELIVERED", "COMPLETED", "FAILED"] as const)[random(4)]!;
    const some = times(12, () => ids[random(ids.length)]!);
    await statusChanges.move(db, { by: yaw.by(), key: null, ids: some, to, paidInCash: random(2) === 0 });
  }

  for (const person of people) {
    const overview = await reports.overview(db, person.id);
    const plain = await plainOverview(person);
    expect(overview).toMatchObject(plain);
    expect(overview.thisMonth.salesPesewas).toBe(plain.salesPesewas);
    expect(overview.lastSevenDays).toHaveLength(7);
    expect(overview.lastSevenDays.at(-1)!.salesPesewas).toBe(plain.salesPesewas);
    const newest = await db.execute<{ id: number }>(
      sql`select id from orders where user_id = ${person.id} order by id desc limit 4`,
    );
    expect(overview.recentOrders.map((order) => order.id)).toEqual(newest.map((row) => row.id));
  }
  await statsAgree();
});

/** Compares the admins' figures with a plain count, and checks that folding the deltas does not change them. */
async function statsAgree(): Promise<void> {
  const stats = await reports.adminStats(db);
  const rows = await db.execute<{ status: string; count: number }>(
    sql`select status, count(*)::int as count from orders group by status`,
  );
  const counts = new Map(rows.map((row) => [row.status, row.count]));
  const byStatus = Object.fromEntries(STATUSES.map((status) => [status, counts.get(status) ?? 0]));
  const total = rows.reduce((sum, row) => sum + row.count, 0);
  const [money] = await db.execute<{ wallets: number; today: number }>(sql`
    select (select sum(balance_pesewas)::bigint from wallets) as wallets,
           (select coalesce(sum(amount_pesewas), 0)::bigint from orders
            where ${sold}
              and (paid_at at time zone 'Africa/Accra')::date = (now() at time zone 'Africa/Accra')::date) as today`);
  expect(stats).toMatchObject({
    totalOrders: total,
    byStatus: byStatus as typeof stats.byStatus,
    successPercent: Math.round(((byStatus.COMPLETED! + byStatus.DELIVERED!) / total) * 100),
    failurePercent: Math.round((byStatus.FAILED! / total) * 100),
    usersCount: 3,
    agentsCount: 2,
    productsCount: 4,
    onSaleCount: 4,
    walletsPesewas: money!.wallets,
    salesTodayPesewas: money!.today,
  });
}

test("folding the deltas, by two workers at once, changes no figure", async () => {
  const before = await reports.adminStats(db);
  const [counts, days] = [sql`from order_count_deltas`, sql`from shop_day_deltas`];
  const notes = (await count(db, counts)) + (await count(db, days));
  expect(await count(db, days)).toBeGreaterThan(0);
  const folded = await withSecondServer(world, (other) =>
    Promise.all(times(6, (i) => dailyTotals.fold(i % 2 ? db : other))),
  );
  expect(folded.reduce((sum, n) => sum + n, 0)).toBe(notes);
  expect([await count(db, counts), await count(db, days)]).toEqual([0, 0]);
  expect(await reports.adminStats(db)).toEqual(before);
  expect(await dailyTotals.fold(db)).toBe(0);
});

test("sales count on the day of payment, and a refund is deducted from that day, not from today", async () => {
  const person = await world.person("daily", "GH₵ 100.00");
  const bought = await Promise.all(
    times(
      3,
      async () => (await orders.buy(db, { by: person.by(), key: null, line: lineFor(bundles[0]!) })).answer.order,
    ),
  );
  const backTo = async (ids: number[], days: number) => {
    for (const id of ids) {
      await db.execute(sql`update orders set paid_at = paid_at - make_interval(days => ${days}) where id = ${id}`);
    }
    await db.execute(sql`
      insert into user_days (user_id, day, operator, orders, amount_pesewas, volume_mb)
      select user_id, day - ${days}::int, operator,
        ${ids.length}::int, ${ids.length * 390}::int, ${ids.length * 1000}::int
      from user_days where user_id = ${person.id} and day = (now() at time zone 'Africa/Accra')::date`);
    await db.execute(sql`
      update user_days set orders = orders - ${ids.length}::int,
        amount_pesewas = amount_pesewas - ${ids.length * 390}::int,
        volume_mb = volume_mb - ${ids.length * 1000}::int
      where user_id = ${person.id} and day = (now() at time zone 'Africa/Accra')::date`);
    await db.execute(sql`
      insert into shop_day_deltas (day, operator, orders, amount_pesewas, volume_mb)
      select (now() at time zone 'Africa/Accra')::date - v.ago::int, 'MTN', v.sign * ${ids.length}::int,
             v.sign * ${ids.length * 390}::int, v.sign * ${ids.length * 1000}::int
      from (values (0, -1), (${days}, 1)) v(ago, sign)`);
  };
  await backTo([bought[0]!.id, bought[1]!.id], 3);
  const salesByDay = async () =>
    (await reports.overview(db, person.id)).lastSevenDays.map((day) => [day.salesPesewas, day.orders]);
  expect(await salesByDay()).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
    [780, 2],
    [0, 0],
    [0, 0],
    [390, 1],
  ]);
  await statusChanges.moveOne(db, { by: yaw.by(), key: null, orderId: bought[0]!.id, to: "FAILED" });
  expect(await salesByDay()).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
    [390, 1],
    [0, 0],
    [0, 0],
    [390, 1],
  ]);
  const days = (await reports.overview(db, person.id)).lastSevenDays.map((day) => day.day);
  expect(days).toEqual([...days].sort());
});

test("this month and last month are counted separately", async () => {
  const person = await world.person("monthly");
  // Daily totals without orders would be an audit finding, so they are rolled back.
  const isUndone = new Error("undone");
  const read = db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into user_days (user_id, day, operator, orders, amount_pesewas, volume_mb)
      select ${person.id}, (date_trunc('month', now() at time zone 'Africa/Accra') + v.shift)::date,
        'MTN', 1, v.amount, v.amount
      from (values ('0 days'::interval, 100), ('-1 day', 20), ('-1 month', 3), ('-1 month -1 day', 5000))
        v(shift, amount)`);
    const { thisMonth, lastMonth, salesPesewas } = await reports.overview(tx as unknown as Db, person.id);
    expect({ thisMonth, lastMonth, salesPesewas }).toEqual({
      thisMonth: { volumeMb: 100, salesPesewas: 100 },
      lastMonth: { volumeMb: 23, salesPesewas: 23 },
      salesPesewas: 5123,
    });
    throw isUndone;
  });
  await read.catch((error: unknown) => {
    if (error !== isUndone) throw error;
  });
});

test("this month is compared with last month up to the same day", async () => {
  const person = await world.person("so-far");
  const isUndone = new Error("undone");
  const read = db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into user_days (user_id, day, operator, orders, amount_pesewas, volume_mb)
      select ${person.id}, v.day::date, 'MTN', 1, sum(v.mb), sum(v.mb)
      from (select (now() at time zone 'Africa/Accra')::date as today) t, lateral (values
        (t.today - interval '1 month', 7), (date_trunc('month', t.today) - interval '1 month', 30),
        (t.today - interval '1 month' + interval '1 day', 500)) v(day, mb)
      group by v.day::date`);
    const { lastMonthSoFarMb } = await reports.overview(tx as unknown as Db, person.id);
    expect(lastMonthSoFarMb).toBe(37);
    throw isUndone;
  });
  await read.catch((error: unknown) => {
    if (error !== isUndone) throw error;
  });
});

test("an empty shop has zeros, not NaN", async () => {
  const overview = await reports.overview(db, yaw.id);
  expect(overview).toMatchObject({ salesPesewas: 0, ordersCount: 0, recentOrders: [] });
  expect(await outcome(reports.adminStats(db))).toBe("done");
});
