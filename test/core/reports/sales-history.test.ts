// The sales history over any span of days, compared with a plain count of the orders.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as salesHistory from "../../../src/core/reports/sales-history.ts";
import { lineFor } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const [mtn, telecel] = [await world.product("MTN", "1GB", "3.90"), await world.product("TELECEL", "2GB", "7.00")];
const today = new Date().toISOString().slice(0, 10);
const week = { first: salesHistory.addDays(today, -6), last: today };

test("sales are paid orders that have not failed, by day and network, of one account or all", async () => {
  const [ama, kofi] = [await world.person("ama", "GH₵ 50.00"), await world.person("kofi", "GH₵ 50.00")];
  const buy = async (person: typeof ama, product: typeof mtn) =>
    (await orders.buy(db, { by: person.by(), key: null, line: lineFor(product) })).answer.order.id;
  await buy(ama, mtn);
  await buy(ama, telecel);
  await buy(kofi, mtn);
  const failed = await buy(kofi, telecel);
  await statusChanges.moveOne(db, { by: yaw.by("admin"), key: null, orderId: failed, to: "FAILED" });
  await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(mtn) });

  const own = await salesHistory.sales(db, week, { userId: ama.id });
  expect(own.total).toEqual({ amountPesewas: 1090, orders: 2, volumeMb: 3000 });
  expect(own.days).toHaveLength(7);
  expect(own.days.at(-1)).toEqual({ day: today, amountPesewas: 1090, orders: 2, volumeMb: 3000 });
  expect(own.byOperator.AIRTELTIGO).toEqual({ amountPesewas: 0, orders: 0, volumeMb: 0 });
  expect(own.byOperator.TELECEL).toEqual({ amountPesewas: 700, orders: 1, volumeMb: 2000 });

  const all = await salesHistory.sales(db, week, {});
  expect(all.total).toEqual({ amountPesewas: 1480, orders: 3, volumeMb: 4000 });
  const onlyMtn = await salesHistory.sales(db, week, { operator: "MTN" });
  expect(onlyMtn.total).toEqual({ amountPesewas: 780, orders: 2, volumeMb: 2000 });
  // The span that it is compared with stays complete.
  expect(onlyMtn.byOperator).toEqual(all.byOperator);
});

test("the period before is as long and directly before, and no day belongs to both", async () => {
  const person = await world.person("spans");
  const isUndone = new Error("undone");
  // Daily totals without orders would be an audit finding, so they are rolled back.
  const read = db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into user_days (user_id, day, operator, orders, amount_pesewas, volume_mb)
      select ${person.id}, v.day::date, 'MTN', 1, v.amount, v.amount
      from (values ('2026-02-26', 1), ('2026-02-27', 20), ('2026-02-28', 300),
        ('2026-03-01', 4000), ('2026-03-02', 50000), ('2026-03-03', 600000)) v(day, amount)`);
    const span = { first: "2026-03-01", last: "2026-03-02" };
    const sales = await salesHistory.sales(tx as unknown as Db, span, { userId: person.id });
    expect(sales.daysBefore.map((day) => [day.day, day.amountPesewas])).toEqual([
      ["2026-02-27", 20],
      ["2026-02-28", 300],
    ]);
    expect([sales.total.amountPesewas, sales.totalBefore.amountPesewas]).toEqual([54_000, 320]);
    expect(sales.byOperator.MTN!.amountPesewas).toBe(54_000);
    expect(salesHistory.byMonth([...sales.daysBefore, ...sales.days])).toMatchObject([
      { month: "2026-02", amountPesewas: 320 },
      { month: "2026-03", amountPesewas: 54_000 },
    ]);
    throw isUndone;
  });
  await read.catch((error: unknown) => {
    if (error !== isUndone) throw error;
  });
});

describe("days", () => {
  test("are counted inclusively, over months and leap years", () => {
    expect(salesHistory.daysBetween("2026-11-21", "2026-11-21")).toBe(1);
    expect(salesHistory.daysBetween("2028-02-01", "2028-03-01")).toBe(30);
    expect(salesHistory.addDays("2028-02-28", 1)).toBe("2028-02-29");
    expect(salesHistory.addDays("2026-01-01", -1)).toBe("2025-12-31");
  });
});
