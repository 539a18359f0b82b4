// Tests with the shop, or its database, killed while agents buy: acknowledged orders exist, and repeated requests
// took effect once.
import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count, eq } from "drizzle-orm";
import { orders } from "../../db/schema/orders.ts";
import { killServer } from "../support/power.ts";
import { startShop } from "../support/shop.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";

const world = await openWorld();
const client = openApp(world);

test("after kills no acknowledged order is missing, and a request that is repeated has one effect", async () => {
  const bundle = await world.product("MTN", "1GB", "3.90");
  const people = await Promise.all(
    Array.from({ length: 20 }, (_, i) => world.person(`agent${i}`, i % 4 === 0 ? "GH₵ 19.50" : "GH₵ 400.00")),
  );
  const tokens = new Map(await Promise.all(people.map(async (p) => [p, await client.tokenOf(p)] as const)));
  let shop = await startShop(world.url);
  const placed = new Map<string, number>();
  let refused = 0;
  let started = 0;
  const REQUESTS = 1200;

  /** Repeats a request under one key until the shop answers, however often the connection breaks. */
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
    while (started < REQUESTS) {
      const n = started++;
      await buy(people[n % people.length]!, `key-${n}`, `054${String(1_000_000 + n)}`);
    }
  };
  const agents = Promise.all(Array.from({ length: 24 }, agent));
  for (let kills = 1; kills <= 3; kills++) {
    // Between a quarter and three quarters of the work, many requests are in progress.
    while (started < (REQUESTS / 4) * kills) await Bun.sleep(1);
    await shop.kill();
    shop = await startShop(world.url);
  }
  await agents;

  expect(placed.size + refused).toBe(REQUESTS);
  expect(new Set(placed.values()).size).toBe(placed.size);
  const [stored] = await world.db.select({ count: count() }).from(orders);
  expect(stored!.count).toBe(placed.size);
  // The agents with little money could afford five each.
  for (const poor of people.filter((_, i) => i % 4 === 0)) {
    const [own] = await world.db.select({ count: count() }).from(orders).where(eq(orders.userId, poor.id));
    expect(own!.count).toBe(5);
    expect(await world.balanceOf(poor)).toBe(0);
  }
  expect(await shop.stop()).toBe(0);
});

test("a shop whose own database is killed says so at once, and continues without a restart", async () => {
  const dir = mkdtempSync(join(tmpdir(), "shop-"));
  chmodSync(dir, 0o755);
  const admin = { email: "yaw@example.com", password: "correct horse battery" };
  const shop = await startShop("", {
    DATA_DIR: dir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  try {
    const ask = async (path: string, init?: RequestInit) => {
      const startedAt = performance.now();
      const response = await fetch(shop.url + path, init);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      return response;
    };
    const post = (path: string, body: unknown, token?: string, key = "once") =>
      ask(path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "idempotency-key": key,
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
    const { token } = await (await post("/api/v1/auth/login", admin)).json();
    const product = { operator: "MTN", name: "MTN 1GB", size: "1GB", price: 3.9 };
    expect((await post("/api/v1/products", product, token)).status).toBe(201);

    const pidFile = join(dir, "postgres/data/postmaster.pid");
    killServer(Number(readFileSync(pidFile, "utf8").split("\n")[0]));
    const answers = await Promise.all(["/readyz", "/api/v1/auth/me", "/login", "/orders"].map((path) => ask(path)));
    for (const answer of answers) expect([200, 303, 401, 503]).toContain(answer.status);

    const deadline = Date.now() + 30_000;
    while ((await ask("/readyz")).status !== 200) {
      expect(Date.now()).toBeLessThan(deadline);
      await Bun.sleep(50);
    }
    const repeated = await post("/api/v1/products", product, token);
    expect([repeated.status, repeated.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    const again = await post("/api/v1/products", product, token, "another");
    expect([again.status, (await again.json()).code]).toEqual([409, "product.exists"]);
  } finally {
    expect(await shop.stop()).toBe(0);
    rmSync(dir, { recursive: true, force: true });
  }
});
