// Profit: what an order's agent charged at the moment of the sale, less what it cost, compared with a plain account of
// random days.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as sellingPrices from "../../../src/core/catalog/selling-prices.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as profit from "../../../src/core/reports/profit.ts";
import { addDays, today } from "../../../src/core/reports/sales-history.ts";
import { lineFor, randomFrom, seed } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundles = [
  await world.product("MTN", "1GB", "3.90"),
  await world.product("MTN", "5GB", "20.90"),
  await world.product("TELECEL", "2GB", "7.00"),
];
const [mtn] = bundles as [products.Product];

let people = 0;
const agent = () => world.person(`seller${++people}`, "GH₵ 5,000.00");
const set = (person: Person, product: { id: number }, price: number | null) =>
  sellingPrices.save(db, { by: person.by(), prices: new Map([[product.id, price]]) });
const buy = async (person: Person, product = mtn, quantity = 1) =>
  (await orders.buy(db, { by: person.by(), key: null, line: lineFor(product, { quantity }) })).answer.order;
const fail = (id: number) => statusChanges.moveOne(db, { by: yaw.by("admin"), key: null, orderId: id, to: "FAILED" });
const span = { first: addDays(today(), -6), last: today() };
const week = async (person: Person) => {
  const found = await profit.ofSpan(db, person.id, span);
  if (found === null || found === "too many") throw new Error(`no profit: ${found}`);
  return found;
};

describe("the profit of an order", () => {
  test("is by the price of the moment of its sale, whatever the agent and the shop charge later", async () => {
    const ama = await agent();
    await set(ama, mtn, 450);
    const { id } = await buy(ama, mtn, 3);
    await set(ama, mtn, 900);
    await products.edit(db, { by: yaw.by("admin"), productId: mtn.id, pricePesewas: 400 });
    expect((await profit.ofOrders(db, ama.id, [id])).get(id)).toEqual({
      sellingPesewas: 1350,
      profitPesewas: 180,
    });
    await products.edit(db, { by: yaw.by("admin"), productId: mtn.id, pricePesewas: 390 });
    expect(await profit.todayProfit(db, ama.id)).toBe(180);
  });

  test("is none before there was a price, after it was taken back, once refunded, and while unpaid", async () => {
    const ama = await agent();
    const early = await buy(ama);
    await set(ama, mtn, 450);
    const [good, failed] = [await buy(ama), await buy(ama)];
    await fail(failed.id);
    const unpaid = await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(mtn) });
    await set(ama, mtn, null);
    const late = await buy(ama);
    const ids = [early.id, good.id, failed.id, unpaid.answer.id, late.id];
    expect([...(await profit.ofOrders(db, ama.id, ids)).keys()]).toEqual([good.id]);
    expect(await week(ama)).toMatchObject({ profitPesewas: 60, pricedOrders: 1 });
  });

  test("may be a loss, and is nobody else's", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    await set(ama, mtn, 300);
    const { id } = await buy(ama);
    expect(await profit.todayProfit(db, ama.id)).toBe(-90);
    expect(await profit.ofOrders(db, kofi.id, [id])).toEqual(new Map());
    expect(await profit.ofSpan(db, kofi.id, span)).toBeNull();
    expect(await profit.todayProfit(db, kofi.id)).toBeNull();
  });
});

test("more orders than can be counted at once are not counted, and shorter spans of them still are", async () => {
  const ama = await agent();
  await set(ama, mtn, 450);
  await buy(ama);
  const isUndone = new Error("undone");
  // Totals without orders would be an audit finding, so they are rolled back.
  const read = db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into user_days (user_id, day, operator, orders, amount_pesewas, volume_mb)
      values (${ama.id}, ${addDays(today(), -3)}::date, 'MTN', 30000, 1, 1)`);
    expect(await profit.ofSpan(tx as unknown as typeof db, ama.id, span)).toBe("too many");
    const day = { first: today(), last: today() };
    expect(await profit.ofSpan(tx as unknown as typeof db, ama.id, day)).toMatchObject({ profitPesewas: 60 });
    throw isUndone;
  });
  await read.catch((error: unknown) => {
    if (error !== isUndone) throw error;
  });
});

longTest(`random prices, sales and refunds add up by day, from seed ${seed}`, async () => {
  const draw = randomFrom(seed);
  const ama = await agent();
  const prices = new Map<number, number | null>();
  const expected = new Map<string, { profitPesewas: number; pricedOrders: number }>();
  const sold: { id: number; day: string; profitPesewas: number | null }[] = [];
  for (let step = 0; step < 120; step++) {
    const product = bundles[draw(bundles.length)]!;
    const event = draw(10);
    if (event < 3) {
      const price = draw(5) === 0 ? null : 100 + draw(3_000);
      await set(ama, product, price);
      prices.set(product.id, price);
    } else if (event < 9 || sold.length === 0) {
      const quantity = 1 + draw(3);
      const { id } = await buy(ama, product, quantity);
      const price = prices.get(product.id) ?? null;
      const profitPesewas = price === null ? null : (price - product.pricePesewas) * quantity;
      sold.push({ id, day: today(), profitPesewas });
    } else {
      const [failed] = sold.splice(draw(sold.length), 1);
      await fail(failed!.id);
    }
  }
  for (const { day, profitPesewas } of sold) {
    if (profitPesewas === null) continue;
    const before = expected.get(day) ?? { profitPesewas: 0, pricedOrders: 0 };
    expected.set(day, {
      profitPesewas: before.profitPesewas + profitPesewas,
      pricedOrders: before.pricedOrders + 1,
    });
  }
  const found = await week(ama);
  expect(found.days).toEqual([...expected].map(([day, sums]) => ({ day, ...sums })));
  expect(found.profitPesewas).toBe(sold.reduce((sum, one) => sum + (one.profitPesewas ?? 0), 0));
  const each = await profit.ofOrders(
    db,
    ama.id,
    sold.map(({ id }) => id),
  );
  expect([...each.values()].reduce((sum, one) => sum + one.profitPesewas, 0)).toBe(found.profitPesewas);
});
