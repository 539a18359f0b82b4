// Costs and sales below cost through the API: reading all or one product's, setting many, and the allowance.
import { expect, test } from "bun:test";
import * as costs from "../../src/core/catalog/costs.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { createHubnet } from "../../src/gateways/vendors/hubnet.ts";
import { times } from "../support/asking.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const { db, yaw } = world;
const hubnet = createHubnet({ baseUrl: "http://127.0.0.1:1", apiKey: "nobody answers" });
const call = checkedCalls(openApp(world, undefined, [hubnet]));
await settings.change(db, { by: yaw.by("admin"), values: { route_mtn: "hubnet,desk" } });
const one = await world.product("MTN", "1GB", "3.90");
const two = await world.product("MTN", "2GB", "7.80");
const COSTS = "/api/v1/admin/costs";
const ofProduct = (id: number, end: "costs" | "below-cost") => `/api/v1/admin/products/${id}/${end}`;
const at = (productId: number, cost: number, more: object = {}) => ({
  ...{ productId, vendor: "hubnet", cost, ...more },
});
const put = (list: object[]) => call(yaw, "PUT", COSTS, { costs: list });

test("costs are set together, once, and read by page or by product with their history", async () => {
  const wanted = [at(one.id, 3.7, { was: null }), at(one.id, 3.5, { vendor: "desk" }), at(two.id, 0)];
  expect((await put(wanted)).body).toEqual({
    count: 3,
    costs: [
      { productId: one.id, vendor: "hubnet", cost: 3.7, was: null },
      { productId: one.id, vendor: "desk", cost: 3.5, was: null },
      { productId: two.id, vendor: "hubnet", cost: 0, was: null },
    ],
  });
  // The same again changes nothing, although `was` is another by now.
  expect((await put(wanted)).body).toEqual({ count: 0, costs: [] });
  const newest = await call(yaw, "GET", `${COSTS}?limit=1`);
  expect(newest.body).toMatchObject([{ id: two.id, cost: 0, lowestPrice: 0, belowCost: null }]);
  const next = /<(.*)>; rel="next"/.exec(newest.headers.get("link")!)![1]!;
  const known = { vendor: "hubnet", cost: 3.7, since: expect.any(String), source: "admin", by: "admin" };
  const shown = {
    ...{ id: one.id, operator: "MTN", family: "MTN", name: "MTN 1GB", size: "1GB" },
    ...{ cost: 3.7, lowestPrice: 3.7, belowCost: null },
    costs: [{ ...known, vendor: "desk", cost: 3.5 }, known],
  };
  expect((await call(yaw, "GET", next)).body).toEqual([shown]);
  await put([at(one.id, 3.75, { was: 3.7 })]);
  const { body } = await call(yaw, "GET", ofProduct(one.id, "costs"));
  expect(body.cost).toBe(3.75);
  expect(body.history[0]).toMatchObject({ vendor: "hubnet", cost: 3.75 });
  expect(body.history).toHaveLength(3);
});

test("a product is added with its cost, or waits for it, and is on sale as soon as that is set", async () => {
  const add = async (size: string, more: object) =>
    (await call(yaw, "POST", "/api/v1/products", { name: "MTN", size, price: 90, confirmPrice: true, ...more })).body;
  const priced = await add("41GB", { cost: 80, vendor: "hubnet", awaitsCost: true });
  expect(priced).toMatchObject({ paused: null });
  expect((await call(yaw, "GET", ofProduct(priced.id, "costs"))).body.costs).toMatchObject([
    { vendor: "hubnet", cost: 80, by: "admin" },
  ]);
  expect(await add("42GB", {})).toMatchObject({ paused: null });
  const waiting = await add("43GB", { awaitsCost: true });
  expect(waiting).toMatchObject({ paused: "It will be on sale soon", pausedUntil: null });
  await put([at(waiting.id, 85)]);
  expect((await products.get(db, waiting.id)).paused).toBeNull();
});

test("a report of a vendor has nobody as its author", async () => {
  const product = await world.product("MTN", "3GB", "12.00");
  const charge = { productId: product.id, vendor: "hubnet", costPesewas: 1100, at: new Date() };
  await db.transaction((tx) => costs.record(tx, [charge]));
  const { body } = await call(yaw, "GET", ofProduct(product.id, "costs"));
  expect(body.costs).toMatchObject([{ cost: 11, source: "vendor", by: null }]);
});

test("nothing is set when a part is refused", async () => {
  const gone = await world.product("MTN", "4GB", "15.00");
  await products.retire(db, { by: yaw.by("admin"), productId: gone.id });
  const good = at(two.id, 7);
  for (const [list, code] of [
    [[good, at(one.id, 3.8, { vendor: "nobody" })], "cost.vendor_unknown"],
    [[good, at(two.id, 7.1)], "cost.twice"],
    [[good, at(gone.id, 14)], "product.not_found"],
    [[good, at(one.id, 3.8, { was: 3.6 })], "cost.changed_meanwhile"],
    [[good, at(one.id, 3.8, { was: null })], "cost.changed_meanwhile"],
    [[good, at(one.id, -1)], "request.invalid"],
    [[good, at(one.id, 3.805)], "request.invalid"],
    [[good, { ...good, cost: "3.80" }], "request.invalid"],
    [[], "request.invalid"],
    [times(2001, () => good), "request.invalid"],
  ] as const)
    expect([code, (await put([...list])).body.code]).toEqual([code, code]);
  expect((await products.get(db, two.id)).costPesewas).toBe(0);
  expect((await call(yaw, "GET", ofProduct(gone.id, "costs"))).body.code).toBe("product.not_found");
  const listed = (await call(yaw, "GET", COSTS)).body.map(({ id }: { id: number }) => id);
  expect(listed).not.toContain(gone.id);
  const many = times(2000, (n) => at(n === 0 ? two.id : 900_000 + n, 7));
  expect((await put(many)).body.code).toBe("product.not_found");
});

test("a sale below cost is allowed for a reason, replaced, ended, and ended again", async () => {
  const product = await world.product("MTN", "5GB", "18.00");
  await put([at(product.id, 19)]);
  const path = ofProduct(product.id, "below-cost");
  for (const reason of ["", "  "])
    expect((await call(yaw, "POST", path, { reason })).body.code).toBe("cost.reason_missing");
  expect((await call(yaw, "POST", path, { reason: "x".repeat(201) })).body.code).toBe("request.invalid");
  const allowed = await call(yaw, "POST", path, { reason: " Brings new agents " });
  expect(allowed.body).toMatchObject({ cost: 19, lowestPrice: null, belowCost: "Brings new agents" });
  expect((await call(yaw, "POST", path, { reason: "Another" })).body.belowCost).toBe("Another");
  for (const _ of [1, 2])
    expect((await call(yaw, "DELETE", path)).body).toMatchObject({ lowestPrice: 19, belowCost: null });
  for (const method of ["POST", "DELETE"]) {
    const body = method === "POST" ? { reason: "Nothing there" } : undefined;
    expect((await call(yaw, method, ofProduct(999_999, "below-cost"), body)).body.code).toBe("product.not_found");
  }
  expect((await call(yaw, "GET", ofProduct(999_999, "costs"))).body.code).toBe("product.not_found");
});

test("only admins read costs", async () => {
  const ama = await world.person("ama");
  for (const path of [COSTS, ofProduct(one.id, "costs")])
    expect((await call(ama, "GET", path)).body.code).toBe("auth.forbidden");
});
