// The server is killed while agents buy: what was acknowledged is there, what was asked twice happened once.
import { expect, test } from "bun:test";
import { count, eq } from "drizzle-orm";
import { orders } from "../../db/schema.ts";
import { startShop } from "../support/shop.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";

const world = await openWorld();
const client = openApp(world);

test("no acknowledged order is missing after kills, and every request retried with its key has one effect", async () => {
  const bundle = await world.product("MTN", "1GB", "3.90");
  const people = await Promise.all(
    Array.from({ length: 20 }, (_, i) => world.person(`agent${i}`, i % 4 === 0 ? "GH₵ 19.50" : "GH₵ 400.00")),
  );
  const tokens = new Map(await Promise.all(people.map(async (p) => [p, await client.tokenOf(p)] as const)));
  let shop = await startShop(world.url);
  const placed = new Map<string, number>();
  let refused = 0;
  let asked = 0;
  const ASKED_MAX = 1200;

  /** Asks under one key until the shop answers, however often the connection breaks. */
  const buy = async (person: Person, key: string, msisdn: string): Promise<void> => {
    for (;;) {
      const response = await fetch(`${shop.url}/api/v1/orders`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${tokens.get(person)}`,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: JSON.stringify({ productId: bundle.id, msisdn, quantity: 1, pay: "wallet" }),
      }).catch(() => null);
      const body = await response?.json().catch(() => null);
      if (response?.status === 201 && body) {
        placed.set(key, body.id);
        return;
      }
      if (response?.status === 422 && body) {
        expect(body.code).toBe("wallet.insufficient_balance");
        refused += 1;
        return;
      }
      await Bun.sleep(20);
    }
  };
  const agent = async () => {
    while (asked < ASKED_MAX) {
      const n = asked++;
      await buy(people[n % people.length]!, `key-${n}`, `054${String(1_000_000 + n)}`);
    }
  };
  const agents = Promise.all(Array.from({ length: 24 }, agent));
  for (let kills = 1; kills <= 3; kills++) {
    // Between a quarter and three quarters of the work is a moment when many requests are under way.
    while (asked < (ASKED_MAX / 4) * kills) await Bun.sleep(1);
    await shop.kill();
    shop = await startShop(world.url);
  }
  await agents;

  expect(placed.size + refused).toBe(ASKED_MAX);
  expect(new Set(placed.values()).size).toBe(placed.size);
  const [stored] = await world.db.select({ count: count() }).from(orders);
  expect(stored!.count).toBe(placed.size);
  // The poor ones could afford five each.
  for (const poor of people.filter((_, i) => i % 4 === 0)) {
    const [own] = await world.db.select({ count: count() }).from(orders).where(eq(orders.userId, poor.id));
    expect(own!.count).toBe(5);
    expect(await world.balanceOf(poor)).toBe(0);
  }
  expect(await shop.stop()).toBe(0);
}, 60_000);
