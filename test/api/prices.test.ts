// Prices and tiers through the API: reading and setting many, planning, undoing, tiers, and an account's exceptions.

import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { count, times } from "../support/asking.ts";
import { deskTakes } from "../support/costs.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const { db, yaw } = world;
const call = checkedCalls(openApp(world));
const one = await world.product("MTN", "1GB", "3.90");
const two = await world.product("TELECEL", "2GB", "8.00");
const ama = await world.person("ama", "GH₵ 500.00");
const PRICES = "/api/v1/admin/prices";
const TIERS = "/api/v1/admin/tiers";
const standard = (price: number, more: object = {}) => ({ productId: one.id, tierId: 1, price, ...more });
const priceOf = async (productId: number) =>
  (await call(ama, "GET", "/api/v1/products")).body.find(({ id }: { id: number }) => id === productId).price;

longTest("prices are read with tiers and costs, set together, and agents see and pay their own", async () => {
  const { body: gold } = await call(yaw, "POST", TIERS, { name: "Gold" });
  await deskTakes(db, one.id, 370);
  const prices = [standard(4), { productId: one.id, tierId: gold.id, price: 3.8 }];
  const set = await call(yaw, "PUT", PRICES, { prices, note: "Up" });
  expect(set.body).toMatchObject({ count: 2, changeId: expect.any(Number) });
  const { body: table } = await call(yaw, "GET", PRICES);
  expect(table.tiers).toEqual([
    { id: 1, name: "Standard" },
    { id: gold.id, name: "Gold" },
  ]);
  expect(table.products.find(({ productId }: { productId: number }) => productId === one.id)).toEqual({
    ...{ productId: one.id, operator: "MTN", family: "MTN", name: "MTN 1GB", size: "1GB" },
    ...{ cost: 3.7, lowestPrice: 3.7 },
    prices: [
      { tierId: 1, price: 4 },
      { tierId: gold.id, price: 3.8 },
    ],
  });
  expect(await priceOf(one.id)).toBe(4);
  const given = await call(yaw, "PUT", `/api/v1/admin/users/${ama.id}/tier`, { tierId: gold.id });
  expect(given.body).toEqual({ tier: gold, exceptions: [] });
  expect(await priceOf(one.id)).toBe(3.8);
  const order = { productId: one.id, msisdn: "0541234567", pay: "wallet", amount: 4 };
  const refused = await call(ama, "POST", "/api/v1/orders", order);
  expect(refused.body).toMatchObject({ code: "order.price_changed", details: { currentPrice: 3.8 } });
  expect((await call(ama, "POST", "/api/v1/orders", { ...order, amount: 3.8 })).body.amount).toBe(3.8);
});

longTest("nothing of a change is made when a part is refused; what must be confirmed is named", async () => {
  const before = await priceOf(two.id);
  const own = { productId: two.id, tierId: 1 };
  for (const [prices, code] of [
    [[{ ...own, price: 9 }, standard(4.1, { productId: 999_999 })], "product.not_found"],
    [[{ ...own, price: 9 }, standard(4.1, { tierId: 999_999 })], "tier.not_found"],
    [
      [
        { ...own, price: 9 },
        { ...own, price: 9.5 },
      ],
      "price.repeated",
    ],
    [[{ ...own, price: null }], "price.standard_needed"],
    [[{ ...own, price: 9, was: 7 }], "price.changed_meanwhile"],
    [[{ ...own, price: 90 }], "price.needs_confirmation"],
    [[{ ...own, price: 0 }], "request.invalid"],
    [[], "request.invalid"],
    [times(1001, () => standard(4.1)), "request.too_large"],
  ] as const)
    expect([code, (await call(yaw, "PUT", PRICES, { prices })).body.code]).toEqual([code, code]);
  const past = { prices: [{ ...own, price: 9 }], from: "2020-01-01T00:00:00Z" };
  expect((await call(yaw, "PUT", PRICES, past)).body.code).toBe("price.from_invalid");
  expect(await priceOf(two.id)).toBe(before);
  const odd = await call(yaw, "PUT", PRICES, { prices: [{ ...own, price: 90 }], confirm: true });
  expect([odd.status, await priceOf(two.id)]).toEqual([200, 90]);
  await call(yaw, "POST", `${PRICES}/changes/${odd.body.changeId}/undo`);
  expect(await priceOf(two.id)).toBe(before);
});

test("changes are listed; a planned one is taken back and a made one undone, each once", async () => {
  const from = new Date(Date.now() + 3_600_000).toISOString();
  const { body: later } = await call(yaw, "PUT", PRICES, { prices: [standard(4.5)], from });
  expect(later).toEqual({ changeId: later.changeId, count: 1, from });
  const planned = async () => (await call(yaw, "GET", `${PRICES}/changes?planned=true`)).body;
  expect(await planned()).toMatchObject([{ id: later.changeId, from, planned: true, by: "admin" }]);
  const path = `${PRICES}/changes/${later.changeId}`;
  expect((await call(yaw, "POST", `${path}/undo`)).body.code).toBe("price.change_planned");
  expect((await call(yaw, "DELETE", path)).body).toEqual({ id: later.changeId, removed: true });
  expect((await call(yaw, "DELETE", path)).body.code).toBe("price.change_not_found");
  expect(await planned()).toEqual([]);
  const { body: made } = await call(yaw, "PUT", PRICES, { prices: [standard(4.6)] });
  const undo = () => call(yaw, "POST", `${PRICES}/changes/${made.changeId}/undo`);
  expect((await undo()).body).toMatchObject({ count: 1, left: [] });
  expect((await undo()).body.code).toBe("price.undone_already");
  const [undone, first] = (await call(yaw, "GET", `${PRICES}/changes?limit=2`)).body;
  expect([undone.undoes, first.undoneBy]).toEqual([made.changeId, undone.id]);
});

test("a tier is renamed and deleted with the number of accounts that go elsewhere", async () => {
  const { body: tier } = await call(yaw, "POST", TIERS, { name: "Bronze" });
  expect((await call(yaw, "POST", TIERS, { name: "BRONZE" })).body.code).toBe("tier.exists");
  expect((await call(yaw, "PATCH", `${TIERS}/${tier.id}`, { name: "Iron" })).body.name).toBe("Iron");
  const kofi = await world.person("kofi");
  await call(yaw, "PUT", `/api/v1/admin/users/${kofi.id}/tier`, { tierId: tier.id });
  const refused = await call(yaw, "DELETE", `${TIERS}/${tier.id}?accounts=0`);
  expect(refused.body).toMatchObject({ code: "tier.has_accounts", details: { accounts: 1 } });
  expect((await call(yaw, "DELETE", `${TIERS}/${tier.id}`)).status).toBe(422);
  expect((await call(yaw, "DELETE", `${TIERS}/${tier.id}?accounts=1`)).body).toEqual({
    ...{ id: tier.id, removed: true, accounts: 1 },
    to: { id: 1, name: "Standard" },
  });
  expect((await call(yaw, "DELETE", `${TIERS}/1?accounts=0&to=2`)).body.code).toBe("tier.standard_stays");
});

test("an account's exceptions are set and ended, with the tier's price beside", async () => {
  const esi = await world.person("esi");
  const path = `/api/v1/admin/users/${esi.id}/prices`;
  const set = (price: number | null) => call(yaw, "PUT", path, { exceptions: [{ productId: two.id, price }] });
  expect((await set(7.5)).body.count).toBe(1);
  expect((await call(yaw, "GET", path)).body).toEqual({
    tier: { id: 1, name: "Standard" },
    exceptions: [{ productId: two.id, price: 7.5, tierPrice: 8 }],
  });
  await set(null);
  expect((await call(yaw, "GET", path)).body.exceptions).toEqual([]);
  const nobody = await call(yaw, "PUT", "/api/v1/admin/users/999999/prices", {
    exceptions: [{ productId: two.id, price: 7.5 }],
  });
  expect(nobody.body.code).toBe("user.not_found");
});

test("a single product's price is changed as before, and is one change of the list", async () => {
  const before = await count(db, sql`from price_changes`);
  await call(yaw, "PATCH", `/api/v1/products/${two.id}`, { price: 8.2 });
  expect([await priceOf(two.id), await count(db, sql`from price_changes`)]).toEqual([8.2, before + 1]);
});
