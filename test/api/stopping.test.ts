// Tests of a stop: the process exits in time and with 0, whatever the providers do.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startVendors } from "../../dev/simulators/vendors/vendors.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { freePort, spawnShop, startShop } from "../support/shop.ts";
import { openWorld } from "../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const vendors = await startVendors({ speed: 60 });
afterAll(() => vendors.stop());

test("a worker whose vendor never answers stops on request, and the next one checks the status", async () => {
  const { baseUrl, apiKey, webhookSecret } = vendors.settings.datamart;
  vendors.switch({ floats: { datamart: 1e9 }, coolDownSeconds: 0 });
  const start = () =>
    startShop(world.url, {
      RUN: "worker",
      BASE_URL: "http://127.0.0.1:1",
      DATAMART_BASE_URL: baseUrl,
      DATAMART_API_KEY: apiKey,
      DATAMART_WEBHOOK_SECRET: webhookSecret!,
      WORKER_POLL_SECONDS: "0.05",
    });
  await settings.change(db, {
    by: yaw.by("admin"),
    values: { route_mtn: "datamart", dispatch_hold_seconds: 0 },
  });
  const ama = await world.person("ama", "GH₵ 10.00");
  const product = await world.product("MTN", "1GB", "3.90");
  const line = { productId: product.id, msisdn: "0541230005", quantity: 1 };
  const { answer } = await orders.buy(db, { by: ama.by(), key: null, line });
  const worker = await start();
  while (!vendors.requests().some(({ path, status }) => path.includes("purchase") && status === null))
    await Bun.sleep(20);
  const stoppedAt = performance.now();
  expect(await worker.stop()).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(10_000);

  // Its lease expires at once, so that the test does not have to wait for it.
  await db.execute(sql`update attempts set due_at = now() where ended_at is null`);
  const next = await start();
  const statusOf = async () => {
    const [row] = await db.execute<{ status: string }>(sql`select status from orders where id = ${answer.order.id}`);
    return row!.status;
  };
  while ((await statusOf()) !== "DELIVERED") {
    await db.execute(sql`update attempts set due_at = now() where ended_at is null`);
    await Bun.sleep(100);
  }
  expect(vendors.deliveries().map(({ count }) => count)).toEqual([1]);
  expect(await next.stop()).toBe(0);
});

test("a program that is asked to stop as soon as it accepts requests exits with 0", async () => {
  const port = freePort();
  const starting = spawnShop(world.url, { PORT: port });
  const isAccepting = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    );
  while (!(await isAccepting())) await Bun.sleep(1);
  starting.kill("SIGTERM");
  expect(await starting.exited).toBe(0);
});
