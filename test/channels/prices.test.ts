// Every order's price is the list's of its moment, by every channel, whatever changes meanwhile. A short run;
// prices-long.test.ts has a longer one.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as priceChanges from "../../src/core/catalog/price-changes.ts";
import * as accountTiers from "../../src/core/identity/account-tiers.ts";
import { seed, sized } from "../support/asking.ts";
import { openWorld } from "../support/world.ts";
import { visitorAs } from "../web/visitor.ts";
import { expectListPrices, openPricedShop, PIN, runHistory, WAYS } from "./price-histories.ts";

const shop = await openPricedShop(await openWorld());
afterAll(shop.close);

test(`each order has the price of its moment through a random history (seed ${seed})`, async () => {
  const bought = await runHistory(shop, { seed, changes: sized(40) });
  expect(WAYS.filter((way) => bought[way] === 0)).toEqual([]);
  expect(await expectListPrices(shop)).toBeGreaterThan(50);
});

test("a tier that changes while a page or a screen is open is paid at no other price than was shown", async () => {
  const { world, agents, bundles, clients, tierIds } = shop;
  const { db, yaw } = world;
  const by = yaw.by("admin");
  const [bundle, { person, phone }] = [bundles[0]!, agents[0]!];
  await db.execute(sql`delete from rate_limits`);
  await db.execute(sql`update ussd_sessions set started_at = started_at - interval '2 days'`);
  // Whatever the history has left: a price of its own in each tier, and no exception.
  const prices = tierIds.map((tierId, n) => ({ productId: bundle.id, tierId, pricePesewas: 601 + n }));
  const none = { productId: bundle.id, userId: person.id, pricePesewas: null };
  await priceChanges.set(db, {
    by,
    key: null,
    prices: [...prices, none],
    since: null,
    note: "",
    isConfirmed: true,
  });
  const setTier = (n: number) => accountTiers.setTier(db, { by, userId: person.id, tierId: tierIds[n]! });
  await setTier(0);
  const visit = await visitorAs(clients[0]!, person);
  const page = await visit.open("/mtn-data");
  const screen = await phone.dial(`1*1*${bundle.ussdNumber}*0541999001`);
  expect(screen.text).toContain("GHS 6.01");
  await setTier(1);
  const pressed = await visit.press(page, "Pay", { productId: `${bundle.id}@601`, msisdn: "0541999002" });
  expect([pressed.status, pressed.text]).toEqual([409, expect.stringContaining("6.02")]);
  const repriced = await phone.reply(PIN);
  expect([repriced.isOpen, repriced.text]).toEqual([true, expect.stringContaining("6.02")]);
  const line = { productId: bundle.id, msisdn: "0541999003", pay: "wallet", amount: 6.01 };
  const { body } = await clients[1]!.call(person, "POST", "/api/v1/orders", line);
  expect(body).toMatchObject({ code: "order.price_changed", details: { currentPrice: 6.02 } });
  const paid = await clients[1]!.call(person, "POST", "/api/v1/orders", { ...line, amount: 6.02 });
  expect(paid.body.amount).toBe(6.02);
});
