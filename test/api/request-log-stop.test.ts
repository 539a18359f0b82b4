// Requests that wait to be written to the log when the process ends: a stop writes them, and a kill loses them and
// nothing else.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { count, freshNumber } from "../support/asking.ts";
import { makeKey } from "../support/keys.ts";
import { type Shop, startShop } from "../support/shop.ts";
import { openWorld } from "../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama", "GH₵ 100.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const key = await makeKey(db, ama.by());

async function buy(shop: Shop): Promise<number> {
  const response = await fetch(`${shop.url}/api/v1/orders`, {
    method: "POST",
    headers: { ...key.headers, "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body: JSON.stringify({ productId: bundle.id, msisdn: freshNumber(), quantity: 1, pay: "wallet" }),
  });
  return response.status;
}
const orders = () => count(db, sql`from orders`);
const logged = () => count(db, sql`from api_requests`);

test("a process that is stopped writes what waits, before it ends", async () => {
  const shop = await startShop(world.url, { RUN: "server" });
  expect([await buy(shop), await buy(shop)]).toEqual([201, 201]);
  expect(await shop.stop()).toBe(0);
  expect([await orders(), await logged()]).toEqual([2, 2]);
});

test("a process that is killed loses what waited, at most two seconds of the log, and no purchase", async () => {
  const shop = await startShop(world.url, { RUN: "server" });
  expect(await buy(shop)).toBe(201);
  while ((await logged()) < 3) await Bun.sleep(20);
  expect(await buy(shop)).toBe(201);
  await shop.kill();
  expect(await orders()).toBe(4);
  expect([3, 4]).toContain(await logged());
});
