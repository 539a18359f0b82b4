// Margins through the API: what needs attention, and the raise of a vendor's bundles exactly as its plan says.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as costs from "../../src/core/catalog/costs.ts";
import * as margins from "../../src/core/catalog/margins.ts";
import * as prices from "../../src/core/catalog/prices.ts";
import { transact } from "../../src/core/platform/transactions.ts";
import { count } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const { db, yaw } = world;
const call = checkedCalls(openApp(world));
const one = await world.product("MTN", "1GB", "3.90");
const two = await world.product("MTN", "2GB", "8.40");
const MARGINS = "/api/v1/admin/margins";
const take = (productId: number, costPesewas: number) =>
  costs.set(db, {
    by: yaw.by("admin"),
    costs: [{ productId, vendor: "desk", costPesewas }],
    vendors: [],
  });
const bundleOf = ({ id: productId, size }: { id: number; size: string }) => ({
  ...{ productId, operator: "MTN", family: "MTN", name: `MTN ${size}`, size },
});

longTest("thin prices and risen costs are listed, and raised by the plan's fingerprint, once a key", async () => {
  await take(one.id, 380);
  await take(two.id, 760);
  expect((await call(yaw, "GET", MARGINS)).body).toEqual({ thinPrices: [], costRises: [] });
  await take(one.id, 400);
  await take(two.id, 770);
  expect((await call(yaw, "GET", MARGINS)).body).toEqual({
    thinPrices: [
      {
        ...bundleOf(one),
        ...{ price: 3.9, cost: 4, neededPrice: 4, vendors: ["desk"], tiers: ["Standard"], accounts: 0 },
        sold: false,
      },
    ],
    // 7.70 is 1.3 % more than 7.60, which is less than the setting.
    costRises: [{ ...bundleOf(one), vendor: "desk", costBefore: 3.8, cost: 4 }],
  });
  const { body: plan } = await call(yaw, "GET", `${MARGINS}/raise?vendor=desk`);
  const standard = { tierId: 1, tier: "Standard" };
  expect(plan).toEqual({
    vendor: "desk",
    fingerprint: expect.any(String),
    prices: [
      { ...bundleOf(one), ...standard, priceBefore: 3.9, price: 4.1, costBefore: 3.8, cost: 4 },
      { ...bundleOf(two), ...standard, priceBefore: 8.4, price: 8.5, costBefore: 7.6, cost: 7.7 },
    ],
  });
  const raise = (fingerprint: string, key?: string) =>
    call(yaw, "POST", `${MARGINS}/raise`, { vendor: "desk", fingerprint }, key ? { "idempotency-key": key } : {});
  expect((await raise("another")).body.code).toBe("cost.raise_changed");
  const made = await raise(plan.fingerprint, "raise-1");
  const { changeId, ...rest } = made.body;
  expect(rest).toEqual({ count: 2, from: expect.any(String) });
  expect((await raise(plan.fingerprint, "raise-1")).body.changeId).toBe(changeId);
  expect((await raise(plan.fingerprint)).body.code).toBe("cost.raise_changed");
  expect((await call(yaw, "GET", MARGINS)).body).toEqual({ thinPrices: [], costRises: [] });
  const { body: empty } = await call(yaw, "GET", `${MARGINS}/raise?vendor=hubnet`);
  expect(empty.prices).toEqual([]);
  expect(
    (await call(yaw, "POST", `${MARGINS}/raise`, { vendor: "hubnet", fingerprint: empty.fingerprint })).body,
  ).toEqual({ changeId: null, count: 0, from: null });
  const undone = await call(yaw, "POST", `/api/v1/admin/prices/changes/${changeId}/undo`);
  expect(undone.body).toMatchObject({ count: 2, left: [] });
});

test("a raise waits for a change of prices that is being made, and is refused if it was not shown", async () => {
  await take(one.id, 420);
  const { fingerprint } = await margins.planRaise(db, "desk");
  const by = yaw.by("admin");
  const raising = await db.transaction(async (tx) => {
    await costs.lock(tx);
    const begun = margins.raise(db, { by, key: null, vendor: "desk", fingerprint }).catch((error) => error);
    const waiters = sql`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await count(db, waiters)) === 0) await Bun.sleep(5);
    const dearer = { productId: one.id, tierId: 1, pricePesewas: 500 };
    await transact(db, (other) => prices.insert(other, [dearer], { byUserId: yaw.id, since: null }));
    return { begun };
  });
  expect(await raising.begun).toMatchObject({ code: "cost.raise_changed" });
});
