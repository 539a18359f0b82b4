// Costs and the margin guard: what a sale is expected to cost, the lowest price at which a bundle is sold, allowances,
// and the raise of a vendor's dearer bundles.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { STANDARD_TIER_ID, tiers } from "../../../db/schema/catalog.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as costs from "../../../src/core/catalog/costs.ts";
import * as margins from "../../../src/core/catalog/margins.ts";
import * as prices from "../../../src/core/catalog/prices.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { transact } from "../../../src/core/platform/transactions.ts";
import { count } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const by = world.yaw.by("admin");
const ama = await world.person("ama", "GH₵ 9000.00");
const VENDORS = ["desk", "datamart", "hubnet"];
const set = (productId: number, vendor: string, costPesewas: number) =>
  costs.set(db, { by, costs: [{ productId, vendor, costPesewas }], vendors: VENDORS.map((code) => ({ code })) });
const change = (values: Partial<settings.Settings>) => settings.change(db, { by, values });
const stateOf = async (productId: number) => {
  const { costPesewas, lowestPricePesewas, paused } = await products.get(db, productId);
  return { cost: costPesewas, lowest: lowestPricePesewas, isPaused: paused !== null };
};
let numbers = 0;
const lineOf = (productId: number, quantity = 1) => {
  numbers += 1;
  return { productId, msisdn: `0541${String(numbers).padStart(6, "0")}`, quantity };
};
const buy = (productId: number) => orders.buy(db, { by: ama.by(), key: null, line: lineOf(productId) });
let sizes = 0;
const bundle = (price = "3.90") => {
  sizes += 1;
  return world.product("MTN", `${sizes}GB`, price);
};
await change({ route_mtn: "datamart,hubnet,desk" });

describe("the expected cost", () => {
  test("is that of the first of the route whose cost is known, and follows costs and routes at once", async () => {
    const { id } = await bundle();
    expect(await stateOf(id)).toEqual({ cost: null, lowest: null, isPaused: false });
    await set(id, "hubnet", 350);
    expect(await stateOf(id)).toEqual({ cost: 350, lowest: 350, isPaused: false });
    await set(id, "datamart", 380);
    expect((await stateOf(id)).cost).toBe(380);
    await change({ route_mtn: "hubnet,datamart" });
    expect((await stateOf(id)).cost).toBe(350);
    await change({ route_mtn: "desk" });
    expect(await stateOf(id)).toEqual({ cost: null, lowest: null, isPaused: false });
    await set(id, "desk", 300);
    expect((await stateOf(id)).cost).toBe(300);
    await change({ route_mtn: "datamart,hubnet,desk" });
    expect((await stateOf(id)).cost).toBe(380);
  });

  test("is the lowest of the route where it goes by cost", async () => {
    const { id } = await bundle();
    await set(id, "datamart", 380);
    await set(id, "hubnet", 350);
    await change({ routes_by_cost: "TELECEL, MTN" });
    expect((await stateOf(id)).cost).toBe(350);
    await change({ routes_by_cost: "" });
    expect((await stateOf(id)).cost).toBe(380);
  });

  test("of AFA is the desk's", async () => {
    await products.ensureAfa(db);
    const { id } = await products.afa(db);
    await set(id, "desk", 100);
    expect((await stateOf(id)).cost).toBe(100);
  });

  test("is kept with each order, for its quantity", async () => {
    const { id } = await bundle();
    await set(id, "datamart", 380);
    const { answer } = await orders.buy(db, { by: ama.by(), key: null, line: lineOf(id, 3) });
    const [row] = await db.execute(sql`select cost_pesewas, is_cost_final from orders where id = ${answer.order.id}`);
    expect(row).toEqual({ cost_pesewas: 3 * 380, is_cost_final: false });
  });

  test("survives changes at the same moment by two admins and a worker", async () => {
    const { id } = await bundle("9.90");
    await Promise.all([
      ...[1, 2, 3, 4].map((n) => set(id, "datamart", 300 + n)),
      ...[0, 1, 2].map((n) => change({ margin_floor_pesewas: n * 10, margin_guard: "pause" })),
      products.edit(db, { by, productId: id, name: "MTN renamed" }),
      costs.allow(db, { by, productId: id, reason: "Race" }),
      db.transaction((tx) => costs.record(tx, [{ productId: id, vendor: "hubnet", costPesewas: 310, at: new Date() }])),
    ]);
    await costs.endAllowance(db, { by, productId: id });
    await change({ margin_floor_pesewas: 0, margin_guard: "warn" });
    // The audit after the test compares every product with its rows.
    expect((await stateOf(id)).lowest).toBeGreaterThanOrEqual(301);
  });
});

describe("a cost", () => {
  test("is recorded when it differs, with who and when, and only as an admin", async () => {
    const { id } = await bundle();
    expect((await set(id, "datamart", 370)).answer).toEqual([
      { productId: id, vendor: "datamart", costPesewas: 370, beforePesewas: null },
    ]);
    expect((await set(id, "datamart", 370)).answer).toEqual([]);
    await set(id, "datamart", 375);
    expect(await costs.history(db, id)).toMatchObject([
      { vendor: "datamart", costPesewas: 375, source: "admin", username: world.yaw.username },
      { vendor: "datamart", costPesewas: 370 },
    ]);
    const refused = (list: costs.Cost[], admin = by) =>
      costs.set(db, { by: admin, costs: list, vendors: VENDORS.map((code) => ({ code })) }).catch(({ code }) => code);
    const cost = { productId: id, vendor: "datamart", costPesewas: 1 };
    expect(await refused([cost], ama.by())).toBe("auth.forbidden");
    expect(await refused([{ ...cost, vendor: "nobody" }])).toBe("cost.vendor_unknown");
    expect(await refused([cost, { ...cost, costPesewas: 2 }])).toBe("cost.twice");
    expect(await refused([{ ...cost, productId: 999_999 }])).toBe("product.not_found");
    expect(await refused(Array.from({ length: 2001 }, (_, n) => ({ ...cost, productId: n })))).toBe("request.invalid");
  });

  test("that a vendor reports late does not replace a newer one", async () => {
    const { id } = await bundle();
    const sentAt = new Date(Date.now() - 60_000);
    await set(id, "datamart", 370);
    const record = (costPesewas: number, at: Date) =>
      db.transaction((tx) => costs.record(tx, [{ productId: id, vendor: "datamart", costPesewas, at }]));
    await record(340, sentAt);
    expect((await stateOf(id)).cost).toBe(370);
    await record(372, new Date(Date.now() + 1000));
    expect((await stateOf(id)).cost).toBe(372);
    expect((await costs.newest(db, [id]))[0]).toMatchObject({ source: "vendor", username: null });
  });

  test("is recorded once by two workers with the same report", async () => {
    const { id } = await bundle();
    const at = new Date();
    const record = () =>
      db.transaction((tx) =>
        costs.record(tx, [{ productId: id, vendor: "datamart", costPesewas: 372, at: new Date() }]),
      );
    await Promise.all([record(), record(), record()]);
    expect(await count(db, sql`from product_costs where product_id = ${id}`)).toBe(1);
    expect(at).toBeDate();
  });
});

describe("the margin guard", () => {
  test("sells nothing below its cost: one, in bulk, unpaid, or ordered before the cost rose", async () => {
    const dear = await bundle("3.90");
    const sound = await bundle("9.90");
    const early = await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineOf(dear.id) });
    await set(dear.id, "datamart", 395);
    expect(buy(dear.id)).rejects.toMatchObject({ code: "product.paused" });
    const line = lineOf(dear.id);
    expect(unpaidOrders.create(db, { by: ama.by(), key: null, line })).rejects.toMatchObject({
      code: "product.paused",
    });
    const { id: orderId } = early.answer;
    expect(unpaidOrders.spend(db, { by: ama.by(), key: null, orderId })).rejects.toMatchObject({
      code: "product.paused",
    });
    const bulk = { by: ama.by(), key: null, lines: [lineOf(sound.id), lineOf(dear.id)] };
    expect(buyBulk(db, bulk)).rejects.toMatchObject({ code: "bulk.lines_refused" });
    expect(await count(db, sql`from orders where product_id = ${dear.id} and paid_at is not null`)).toBe(0);
    // At cost it is sold.
    await products.edit(db, { by, productId: dear.id, pricePesewas: 395 });
    await buy(dear.id);
  });

  test("pauses or only warns between cost and floor, by the larger of its two floors", async () => {
    const { id } = await bundle("4.00");
    await set(id, "datamart", 390);
    await change({ margin_floor_percent: 5, margin_floor_pesewas: 5 });
    expect(await stateOf(id)).toEqual({ cost: 390, lowest: 390, isPaused: false });
    expect(await margins.thinPrices(db)).toContainEqual(
      expect.objectContaining({ productId: id, neededPesewas: 410, isPaused: false, tiers: ["Standard"] }),
    );
    await change({ margin_guard: "pause" });
    expect(await stateOf(id)).toEqual({ cost: 390, lowest: 410, isPaused: true });
    await change({ margin_floor_percent: 0 });
    expect(await stateOf(id)).toEqual({ cost: 390, lowest: 395, isPaused: false });
    await change({ margin_guard: "warn", margin_floor_pesewas: 0 });
    expect((await margins.thinPrices(db)).filter(({ productId }) => productId === id)).toEqual([]);
  });

  test("counts for each tier's and each account's price alike", async () => {
    const { id } = await bundle("4.50");
    const [gold] = await db.insert(tiers).values({ name: "Gold" }).returning();
    const kofi = await world.person("kofi", "GH₵ 100.00");
    const esi = await world.person("esi", "GH₵ 100.00");
    await db.execute(sql`update users set tier_id = ${gold!.id} where id = ${kofi.id}`);
    const { since } = await transact(db, (tx) =>
      prices.insert(
        tx,
        [
          { productId: id, tierId: gold!.id, pricePesewas: 400 },
          { productId: id, userId: esi.id, pricePesewas: 380 },
        ],
        { byUserId: by.userId, since: null },
      ),
    );
    await prices.begun(db, since);
    await set(id, "datamart", 410);
    const buyAs = (person: typeof ama) => orders.buy(db, { by: person.by(), key: null, line: lineOf(id) });
    await buyAs(ama);
    expect(buyAs(kofi)).rejects.toMatchObject({ code: "product.paused" });
    expect(buyAs(esi)).rejects.toMatchObject({ code: "product.paused" });
    expect((await products.listFor(db, kofi.id)).find((one) => one.id === id)!.paused).not.toBeNull();
    expect(await margins.thinPrices(db)).toContainEqual(
      expect.objectContaining({
        ...{ productId: id, pricePesewas: 380, costPesewas: 410, vendors: ["datamart"], isPaused: true },
        ...{ tiers: ["Gold"], accounts: 1 },
      }),
    );
  });

  test("lets a bundle be sold below cost that an admin allowed by name, until that ends", async () => {
    const { id } = await bundle();
    await set(id, "datamart", 395);
    expect(costs.allow(db, { by, productId: id, reason: "  " })).rejects.toMatchObject({
      code: "cost.reason_missing",
    });
    expect(costs.allow(db, { by: ama.by(), productId: id, reason: "Why not" })).rejects.toMatchObject({
      code: "auth.forbidden",
    });
    await costs.allow(db, { by, productId: id, reason: "Brings new agents" });
    expect(await stateOf(id)).toEqual({ cost: 395, lowest: null, isPaused: false });
    expect((await margins.thinPrices(db)).some(({ productId }) => productId === id)).toBe(false);
    await buy(id);
    await costs.endAllowance(db, { by, productId: id });
    expect(buy(id)).rejects.toMatchObject({ code: "product.paused" });
    expect(
      await count(db, sql`from audit_log where subject_id = ${String(id)} and action like 'product.below_cost%'`),
    ).toBe(2);
  });

  longTest("never sells below the lowest price, whatever costs, floors, prices and allowances become", async () => {
    const { id } = await bundle("5.00");
    let seed = 17;
    const draw = (max: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor(seed / 65_536) % max;
    };
    const acts = [
      () => set(id, VENDORS[draw(3)]!, 380 + draw(60)),
      () => change({ margin_floor_pesewas: draw(20), margin_guard: ["warn", "pause"][draw(2)]! }),
      () =>
        draw(2) === 0
          ? costs.endAllowance(db, { by, productId: id })
          : costs.allow(db, { by, productId: id, reason: "Drawn" }),
      () => products.edit(db, { by, productId: id, pricePesewas: 390 + draw(60) }),
    ];
    const ways = [
      () => buy(id),
      () => buyBulk(db, { by: ama.by(), key: null, lines: [lineOf(id)] }),
      () => unpaidOrders.create(db, { by: ama.by(), key: null, line: lineOf(id) }),
    ];
    const sold = { yes: 0, no: 0 };
    for (let round = 0; round < 60; round++) {
      await acts[draw(acts.length)]!();
      const product = await products.get(db, id);
      const lowest = product.lowestPricePesewas ?? 0;
      if (product.belowCostReason === null) expect(lowest).toBeGreaterThanOrEqual(product.costPesewas ?? 0);
      const isSold = await ways[draw(ways.length)]!().then(
        () => true,
        () => false,
      );
      expect(isSold).toBe(product.pricePesewas >= lowest);
      sold[isSold ? "yes" : "no"] += 1;
    }
    expect(Math.min(sold.yes, sold.no)).toBeGreaterThan(5);
    await change({ margin_floor_pesewas: 0, margin_guard: "warn" });
  });
});

describe("the raise of a vendor's dearer bundles", () => {
  longTest("raises every tier by the rise, at least to the floor, as it was shown, once", async () => {
    await db.execute(sql`update products set retired_at = now() where line = 'bundle'`);
    const risen = await bundle("4.50");
    const thin = await bundle("3.90");
    const allowed = await bundle("3.95");
    const [silver] = await db.insert(tiers).values({ name: "Silver" }).returning();
    await set(risen.id, "hubnet", 400);
    const { since } = await transact(db, (tx) =>
      prices.insert(tx, [{ productId: risen.id, tierId: silver!.id, pricePesewas: 430 }], {
        ...{ byUserId: by.userId, since: null },
      }),
    );
    await prices.begun(db, since);
    await products.edit(db, { by, productId: risen.id, pricePesewas: 455 });
    await set(risen.id, "hubnet", 420);
    await set(thin.id, "hubnet", 395);
    await costs.allow(db, { by, productId: allowed.id, reason: "Brings new agents" });
    await set(allowed.id, "hubnet", 410);
    expect(await margins.risesToNotice(db)).toMatchObject([
      { productId: risen.id, vendor: "hubnet", beforePesewas: 400, costPesewas: 420 },
    ]);
    const plan = await margins.planRaise(db, "hubnet");
    expect(plan.rows.map((row) => [row.productId, row.tier, row.beforePesewas, row.afterPesewas])).toEqual([
      [risen.id, "Standard", 455, 475],
      [risen.id, "Silver", 430, 450],
      [thin.id, "Standard", 390, 395],
    ]);
    const wish = { by, key: null, vendor: "hubnet", fingerprint: plan.fingerprint };
    expect(margins.raise(db, { ...wish, fingerprint: "another" })).rejects.toMatchObject({
      code: "cost.raise_changed",
    });
    const both = await Promise.allSettled([margins.raise(db, wish), margins.raise(db, wish)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await products.get(db, risen.id)).pricePesewas).toBe(475);
    expect(await margins.risesToNotice(db)).toEqual([]);
    expect(await margins.planRaise(db, "hubnet")).toMatchObject({ rows: [] });
    const [row] = await db.select().from(tiers).where(eq(tiers.id, STANDARD_TIER_ID));
    expect(row!.name).toBe("Standard");
  });
});
