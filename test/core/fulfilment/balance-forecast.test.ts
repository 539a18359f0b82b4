// Tests of the forecast of balances at vendors: hour by hour, from known costs alone, and nothing from too little.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { measure, usedUpAt } from "../../../src/core/fulfilment/balance-forecast.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama");

const evenly = new Array<number>(24).fill(100);
const byDay = evenly.map((cost, hour) => (hour >= 8 && hour < 20 ? cost : 0));
const at = (time: string) => new Date(`2026-11-30T${time}Z`);

test.each([
  ["an hour and a half of even sales", 150, at("10:00"), evenly, at("11:30")],
  ["from the middle of an hour", 100, at("10:30"), evenly, at("11:30")],
  ["over a night without sales", 150, at("19:00"), byDay, new Date("2026-12-01T08:30Z")],
  ["nothing is left", 0, at("10:00"), evenly, at("10:00")],
  ["nothing is sold", 1, at("10:00"), new Array<number>(24).fill(0), null],
  ["a week and more", 7 * 24 * 100 + 1, at("10:00"), evenly, null],
])("%s", (_, balance, from, costs, expected) => {
  expect(usedUpAt(balance, from, costs)).toEqual(expected);
});

/** Deliveries by a vendor at an hour of each of the last three days, each for 100 pesewas, or of unknown cost. */
async function delivered(vendor: string, count: number, unknown: number): Promise<void> {
  await db.execute(sql`
    with o as (
      insert into orders (status, user_id, product_id, operator, family, product_name, product_size, volume_mb,
                          unit_price_pesewas, quantity, amount_pesewas, msisdn, channel)
      select 'PENDING', ${ama.id}, ${bundle.id}, 'MTN', 'MTN', 'MTN', '1GB', 1000, 390, 1, 390,
             '2335400' || lpad(n::text, 5, '0'), 'web'
      from generate_series(1, ${count}::int) n returning id),
    numbered as (select id, row_number() over (order by id) as n from o)
    insert into attempts (order_id, user_id, vendor, reference, state, sends, sent_at, due_at, ended_at, cost_pesewas)
    select id, ${ama.id}, ${vendor}, 'DF' || lpad(id::text, 6, '0') || 'T1', 'delivered', 1, ended_at, now(), ended_at,
           case when n > ${unknown} then 100 end
    from numbered, lateral (
      select date_trunc('hour', now()) - (n % 3) * interval '1 day' - interval '59 min' as ended_at) e`);
  await db.execute(sql`insert into order_count_deltas (status, delta) values ('PENDING', ${count})`);
}

test("an average day has the costs of the last days at their hour; too few or unknown ones say nothing", async () => {
  await delivered("datamart", 30, 0);
  await delivered("hubnet", 19, 0);
  await delivered("africastalking", 30, 4);
  const costs = await measure(db);
  expect([...costs.keys()]).toEqual(["datamart"]);
  const [known] = await db.execute<{ hour: number }>(sql`
    select distinct extract(hour from ended_at at time zone 'UTC')::int as hour from attempts`);
  expect(costs.get("datamart")).toEqual(evenly.map((_, at) => (at === known!.hour ? 1000 : 0)));
});
