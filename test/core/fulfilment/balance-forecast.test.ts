// Tests of the forecast of balances at vendors: hour by hour, from known costs alone, and nothing from too little.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { measure, usedUpAt } from "../../../src/core/fulfilment/balance-forecast.ts";
import { delivered } from "../../support/deliveries.ts";
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

test("an average day has the costs of the last days at their hour; too few or unknown ones say nothing", async () => {
  const ofAma = { userId: ama.id, productId: bundle.id };
  await delivered(db, { ...ofAma, vendor: "datamart", count: 30 });
  await delivered(db, { ...ofAma, vendor: "hubnet", count: 19 });
  await delivered(db, { ...ofAma, vendor: "africastalking", count: 30, unknown: 4 });
  const costs = await measure(db);
  expect([...costs.keys()]).toEqual(["datamart"]);
  const [known] = await db.execute<{ hour: number }>(sql`
    select distinct extract(hour from ended_at at time zone 'UTC')::int as hour from attempts`);
  expect(costs.get("datamart")).toEqual(evenly.map((_, at) => (at === known!.hour ? 1000 : 0)));
});
