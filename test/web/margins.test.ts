// Margins by forms alone: what stands above the price table, the raise of a vendor's bundles and of one, and routes by
// cost.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { tiers } from "../../db/schema/catalog.ts";
import { auditLog } from "../../db/schema/platform.ts";
import * as costs from "../../src/core/catalog/costs.ts";
import * as priceChanges from "../../src/core/catalog/price-changes.ts";
import * as products from "../../src/core/catalog/products.ts";
import type { BundleVendor } from "../../src/core/fulfilment/vendor.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const named = (code: string, name: string) =>
  ({
    ...{ code, name, serves: () => true },
    can: { lines: ["MTN"], batchMax: 1, callsPerMinute: 60 },
  }) as unknown as BundleVendor;
const known = [named("datamart", "DataMart"), named("hubnet", "Hubnet")];
const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const client = openApp(world, undefined, known);
const one = await world.product("MTN", "1GB", "3.90");
const two = await world.product("MTN", "2GB", "8.40");
await world.product("MTN", "5GB", "20.00");
const [gold] = await db.insert(tiers).values({ name: "Gold" }).returning();
await settings.change(db, { by, values: { route_mtn: "datamart, hubnet" } });
const take = (productId: number, vendor: string, costPesewas: number) =>
  costs.set(db, {
    by,
    costs: [{ productId, vendor, costPesewas }],
    vendors: [{ code: "datamart" }, { code: "hubnet" }],
  });
const setPrice = (productId: number, tierId: number, pricePesewas: number | null) =>
  priceChanges.set(db, {
    ...{ by, key: null, since: null, note: "", isConfirmed: true },
    prices: [{ productId, tierId, pricePesewas }],
  });
await setPrice(one.id, gold!.id, 385);
const priceOf = async ({ id }: { id: number }) => (await products.get(db, id)).pricePesewas;
/** What stands above the prices. */
const noteOn = ({ document }: Seen) => document.getElementById("margins")?.textContent?.replace(/\s+/g, " ");

test("the price table has no margins above it while every price is above its cost", async () => {
  await take(one.id, "datamart", 380);
  await take(two.id, "datamart", 760);
  const visit = await visitorAs(client, yaw);
  expect(noteOn(await visit.open("/admin/prices"))).toBeUndefined();
  expect((await visit.open("/admin")).text).not.toContain("price too low");
});

test("above the table are prices below cost and dearer suppliers, whose bundles are raised in one press", async () => {
  await take(one.id, "datamart", 388);
  await take(two.id, "datamart", 800);
  const visit = await visitorAs(client, yaw);
  const dashboard = await visit.open("/admin");
  expect(dashboard.text).toContain("1 price too low");
  // 2.1 % more is less than the setting's 3.
  expect(dashboard.text).toContain("1 supplier raised its prices");
  // "Stuck" is of orders, and says nothing of prices.
  expect((await visit.open("/admin/delivery")).text).toContain("Nothing needs attention");
  const page = await visit.open("/admin/prices");
  const shown = noteOn(page);
  expect(shown).toContain("DataMart raised MTN 2GB by 5.3%, 7.60 → 8.00.");
  expect(shown).toContain("1 price is too low. Nothing is sold below its cost unless you allow it by name.");
  expect(shown).toContain("MTN 1GB sells at 3.85 (Gold) and costs 3.88 at DataMart. Not sold");
  const links = [...page.document.querySelectorAll("#margins a")].map((link) => link.getAttribute("href"));
  expect(links).toEqual([
    "/admin/prices/raise?vendor=datamart",
    `/admin/prices/raise?product=${one.id}`,
    `/admin/products/${one.id}`,
    `/admin/products/${one.id}#below-cost`,
  ]);

  const preview = await visit.open(links[0]!);
  expect(preview.text).toContain("Raise 3 prices by the costs of DataMart");
  const rows = [...preview.document.querySelectorAll("tbody tr")].map((row) => row.textContent?.replace(/\s+/g, " "));
  expect(rows).toHaveLength(3);
  expect(rows.find((row) => row?.includes("2GB"))).toMatch(/7\.60.*8\.00.*8\.40.*8\.80.*0\.80 · 10\.0%/);
  // Gold goes up by the rise of 0.08 as well, which is above its cost.
  expect(rows.find((row) => row?.includes("Gold"))).toMatch(/3\.85.*3\.93/);

  // What another admin changes meanwhile is not raised unseen.
  await setPrice(two.id, gold!.id, 830);
  const refused = await visit.press(preview, "Raise 3 prices");
  expect(refused.text).toContain("Prices or costs have changed since. Check the new list, then confirm it.");
  const done = await visit.press(refused, "Raise 4 prices");
  expect(done.path).toBe("/admin/prices/changes");
  expect(done.text).toContain("4 prices are raised, for purchases from now on. Undo is here.");
  expect([await priceOf(one), await priceOf(two)]).toEqual([398, 880]);
  expect(noteOn(await visit.open("/admin/prices"))).toBeUndefined();
  expect((await visit.open("/admin/prices/raise?vendor=datamart")).text).toContain("No price has to be raised");

  const undone = await visit.press(done, "Undo");
  expect(undone.text).toContain("4 prices are what they were before.");
  expect([await priceOf(one), await priceOf(two)]).toEqual([390, 840]);
  expect(noteOn(await visit.open("/admin/prices"))).toContain("MTN 1GB sells at 3.85 (Gold)");
});

test("the prices of one bundle are raised to its cost in the preview of prices", async () => {
  const visit = await visitorAs(client, yaw);
  const preview = await visit.open(`/admin/prices/raise?product=${one.id}`);
  expect(preview.text).toContain("Check 1 price");
  expect(preview.text).toContain("3.85");
  const saved = await visit.press(preview, "Save 1 price");
  expect(saved.path).toBe("/admin/prices");
  expect(saved.text).toContain("1 price is changed. You can undo it here, or under Price changes.");
  expect(noteOn(saved)).toBeUndefined();
  const again = await visit.open(`/admin/prices/raise?product=${one.id}`);
  expect(again.text).toContain("No price is different from what it is now.");
  for (const path of ["?product=999999", "?vendor=nobody", ""])
    expect((await visit.open(`/admin/prices/raise${path}`)).status).toBe(404);
});

test("a small margin above cost is above the table until the bundle is allowed by name", async () => {
  await settings.change(db, { by, values: { margin_floor_pesewas: 10 } });
  const visit = await visitorAs(client, yaw);
  const shown = noteOn(await visit.open("/admin/prices"));
  expect(shown).toContain("MTN 1GB sells at 3.88 (Gold, Standard) and costs 3.88 at DataMart. Small margin");
  await costs.allow(db, { by, productId: one.id, reason: "Brings agents" });
  expect(noteOn(await visit.open("/admin/prices"))).toBeUndefined();
  await costs.endAllowance(db, { by, productId: one.id });
  await settings.change(db, { by, values: { margin_floor_pesewas: 0 } });
});

test("a link fills in the formula of the price table", async () => {
  const visit = await visitorAs(client, yaw);
  const table = await visit.open("/admin/prices?kind=cost_percent&by=5");
  const preview = await visit.press(table, "Preview all shown");
  expect(preview.text).toContain("Check");
  expect(preview.text).toContain("4.10");
  expect(preview.document.querySelector("[name=note]")?.getAttribute("value")).toContain("Cost + % 5");
  expect((await visit.open("/admin/prices?kind=nonsense&by=<b>")).status).toBe(200);
});

test("a family's route goes by cost by choice, with the figures that decide, and the choice is logged", async () => {
  await take(one.id, "hubnet", 370);
  await take(two.id, "hubnet", 790);
  await sentAndDelivered("hubnet", 90);
  const visit = await visitorAs(client, yaw);
  const page = await visit.open("/admin/vendors");
  expect(page.text).toContain("3.88 for 1GB, the cheapest for 0 of 2; too few deliveries to judge.");
  expect(page.text).toContain("3.70 for 1GB, the cheapest for 2 of 2");
  expect(page.text).not.toContain("Within bounds");
  const saved = await visit.press(page, "Save routes", { order_mtn: "cost" });
  expect(await settings.get(db, "routes_by_cost")).toBe("MTN");
  expect(saved.text).toContain("too few deliveries to judge. Within bounds");
  expect(saved.text).toMatch(/nine of ten within 90 min, 0.0% unknown. Last: too slow/);
  expect((await products.get(db, one.id)).costPesewas).toBe(370);
  const [logged] = await db.select().from(auditLog).where(sql`${auditLog.subjectId} = 'routes_by_cost'`);
  expect(logged).toMatchObject({ action: "setting.change", before: "", after: "MTN" });

  await settings.change(db, { by, values: { slow_delivery_minutes: 100 } });
  expect((await visit.open("/admin/vendors")).text).not.toContain("Last: too slow");

  await visit.press(await visit.open("/admin/vendors"), "Save routes", { order_mtn: "" });
  expect(await settings.get(db, "routes_by_cost")).toBe("");
  const refused = await visit.press(await visit.open("/admin/vendors"), "Save routes", {
    order_mtn: "cost",
    "route_mtn.datamart": "2",
  });
  expect(refused.text).toContain("Another one has this place already");
  expect(await settings.get(db, "routes_by_cost")).toBe("");
});

/** Twelve deliveries of a vendor that took this long. */
async function sentAndDelivered(vendor: string, minutes: number): Promise<void> {
  await db.execute(sql`
    with o as (
      insert into orders (status, user_id, product_id, operator, family, product_name, product_size, volume_mb,
                          unit_price_pesewas, quantity, amount_pesewas, msisdn, channel)
      select 'PENDING', ${yaw.id}, ${one.id}, 'MTN', 'MTN', 'MTN', '1GB', 1000, 390, 1, 390,
             '23354000' || lpad(n::text, 4, '0'), 'web'
      from generate_series(1, 12) n returning id)
    insert into attempts (order_id, user_id, vendor, reference, state, sends, sent_at, due_at, ended_at)
    select id, ${yaw.id}, ${vendor}, 'DF' || lpad(id::text, 6, '0') || 'T1', 'delivered', 1,
           now() - make_interval(mins => ${minutes}), now(), now() from o`);
  await db.execute(sql`insert into order_count_deltas (status, delta) values ('PENDING', 12)`);
}
