// Costs, by forms alone: typed on a product's page, changed by a file or by pasted rows, the sale below cost, and the
// marks of what is not sold.
import { beforeAll, expect, test } from "bun:test";
import * as costs from "../../src/core/catalog/costs.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as tiers from "../../src/core/catalog/tiers.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { createDataMart } from "../../src/gateways/vendors/datamart.ts";
import { createHubnet } from "../../src/gateways/vendors/hubnet.ts";
import { times } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, type Visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const nobody = { baseUrl: "http://127.0.0.1:1", apiKey: "nobody answers" };
const client = openApp(world, undefined, [createDataMart({ ...nobody, webhookSecret: null }), createHubnet(nobody)]);
const VENDORS = ["datamart", "hubnet", "desk"];
const FILE = "/admin/prices/costs";
const HEADING = "Product,Network,Bundle,Supplier,Cost";
await settings.change(db, { by, values: { route_mtn: "datamart,hubnet,desk" } });
const bundle = (size: string, price: string) => world.product("MTN", size, price);
const costOf = async ({ id }: { id: number }, vendor = "datamart") =>
  (await costs.newest(db, [id])).find((cost) => cost.vendor === vendor)?.costPesewas;
const set = (productId: number, costPesewas: number, vendor = "datamart") =>
  costs.set(db, { by, costs: [{ productId, vendor, costPesewas }], vendors: VENDORS.map((code) => ({ code })) });
const pageOf = ({ id }: { id: number }) => `/admin/products/${id}`;
const field = (vendor: string) => `cost.${vendor}`;
const shown = (seen: Seen, vendor: string) =>
  seen.document.getElementById(`costs-${field(vendor)}`)?.getAttribute("value");
const errorOf = (seen: Seen, id: string) => seen.document.getElementById(`${id}-error`)?.textContent;

let visit: Visitor;
beforeAll(async () => {
  visit = await visitorAs(client, yaw);
});
const upload = async (text: string, name = "costs.csv") =>
  visit.press(await visit.open(FILE), "Show the difference", {}, { file: new File([text], name) });
const paste = async (pasted: string) => visit.press(await visit.open(FILE), "Show the difference", { pasted });

test("a page has a field for each vendor of the family and the desk, and says since when and by whom", async () => {
  const big = await world.product("AIRTELTIGO", "1GB", "4.00");
  await products.edit(db, { by, productId: big.id, family: "AT_BIGTIME" });
  const offered = async (product: { id: number }) =>
    (await visit.open(pageOf(product))).document.querySelectorAll("#costs input[type=text], #costs label");
  const labels = [...(await offered(big))].map(({ textContent }) => textContent);
  expect(labels).toEqual(["Hubnet, GH₵ for one", "The desk, GH₵ for one"]);
  const one = await bundle("1GB", "3.90");
  const page = await visit.open(pageOf(one));
  expect([shown(page, "datamart"), shown(page, "hubnet"), shown(page, "desk")]).toEqual(["", "", ""]);
  expect(page.text).toContain("Expected costnot known");
  const saved = await visit.press(page, "Save costs", {
    [field("datamart")]: "3.70",
    [field("desk")]: "3.50",
  });
  expect([saved.path, saved.text]).toEqual([pageOf(one), expect.stringContaining("2 costs are saved.")]);
  expect([shown(saved, "datamart"), shown(saved, "desk")]).toEqual(["3.70", "3.50"]);
  expect(saved.text).toMatch(/Since .* by admin/);
  expect(saved.text).toContain("Expected costGH₵ 3.70Lowest priceGH₵ 3.70StandardGH₵ 3.90 +0.20 · 5.4%");
  expect((await visit.press(saved, "Save costs")).text).toContain("Nothing changed.");
  expect(await costs.history(db, one.id)).toHaveLength(2);
});

test("the AFA registration's cost is the desk's alone", async () => {
  await products.ensureAfa(db);
  const afa = await products.afa(db);
  const page = await visit.open(pageOf(afa));
  expect([shown(page, "datamart"), shown(page, "desk")]).toEqual([undefined, ""]);
  expect((await visit.press(page, "Save costs", { [field("desk")]: "1" })).text).toContain("1 cost is saved.");
  expect((await products.afa(db)).costPesewas).toBe(100);
});

longTest("what is no cost is named beside its field, and the others keep what was typed", async () => {
  const product = await bundle("2GB", "7.80");
  await set(product.id, 740);
  const page = await visit.open(pageOf(product));
  for (const typed of ["abc", "-1", "3.905", "=1+1", "99999999999"]) {
    const refused = await visit.press(page, "Save costs", {
      ...{ [field("datamart")]: typed, [field("hubnet")]: "7.60" },
    });
    expect([refused.status, errorOf(refused, "costs-cost.datamart")]).toEqual([422, "Enter an amount like 3.95"]);
    expect([shown(refused, "datamart"), shown(refused, "hubnet")]).toEqual([typed, "7.60"]);
  }
  const emptied = await visit.press(page, "Save costs", { [field("datamart")]: "" });
  expect(errorOf(emptied, "costs-cost.datamart")).toBe("A known cost can be replaced, but not removed");
  expect([await costOf(product), await costOf(product, "hubnet")]).toEqual([740, undefined]);
});

test("a cost that a vendor has reported meanwhile is not overwritten unseen", async () => {
  const product = await bundle("3GB", "11.70");
  await set(product.id, 1100);
  const page = await visit.open(pageOf(product));
  const at = new Date(Date.now() + 1000);
  await db.transaction((tx) =>
    costs.record(tx, [{ productId: product.id, vendor: "datamart", costPesewas: 1150, at }]),
  );
  const refused = await visit.press(page, "Save costs", { [field("datamart")]: "11.20" });
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("Some of these costs have changed meanwhile."),
  ]);
  expect(refused.text).toMatch(/Now GH₵ 11\.50\. Since .* reported/);
  expect([shown(refused, "datamart"), await costOf(product)]).toEqual(["11.20", 1150]);
});

longTest("the history has each cost with its change, newest first, and the last hundred of them", async () => {
  const product = await bundle("4GB", "99.00");
  await set(product.id, 1500);
  await set(product.id, 1400, "hubnet");
  await set(product.id, 1550);
  const seen = await visit.open(pageOf(product));
  expect(seen.text).toMatch(
    /Cost history ?GH₵ 15\.50 DataMart GH \+GH₵ 0\.50.*GH₵ 14\.00 Hubnet ?Since.*GH₵ 15\.00 DataMart GH ?Since/,
  );
  for (const n of times(101, (at) => at)) await set(product.id, 1600 + n);
  const rows = (await visit.open(pageOf(product))).document.querySelectorAll("details .rows li");
  expect(rows).toHaveLength(100);
});

test("each tier's margin is there, and what is not sold is marked on the page and in both lists", async () => {
  const product = await bundle("5GB", "19.00");
  await tiers.add(db, { by, name: "Gold <b>" });
  const page = await visit.open(pageOf(product));
  const saved = await visit.press(page, "Save costs", { [field("datamart")]: "20.03" });
  expect(saved.text).toContain("1 cost is saved. 1 bundle is not sold now where the price is too low");
  expect(saved.text).toContain("Gold <b>GH₵ 19.00 −1.03 · −5.1% Not sold: below 20.03");
  expect(saved.text).toContain("Not on saleNot sold: below 20.03");
  const list = await visit.open("/admin/prices?search=MTN 5GB");
  expect(list.text).toContain("20.03Standard−1.03 · −5.1% Not sold: below 20.03");
  expect(list.document.querySelector('a[href="/admin/prices?show=not_sold"]')).not.toBeNull();
  const table = await visit.open("/admin/prices?show=not_sold");
  expect(table.document.querySelectorAll("tbody tr")).toHaveLength(1);
  expect(table.text).toContain("−1.03 · −5.1% Not sold: below 20.03");
});

longTest("a sale below cost is allowed for a reason and ended by one press; lists have the reason", async () => {
  const product = await bundle("6GB", "21.00");
  await set(product.id, 2200);
  const page = await visit.open(pageOf(product));
  const [none, long] = [
    await visit.press(page, "Allow a sale below cost", { reason: "  " }),
    await visit.press(page, "Allow a sale below cost", { reason: "x".repeat(201) }),
  ];
  expect([none.status, errorOf(none, "allow-reason")]).toEqual([422, "Say why it may be sold below cost"]);
  expect(errorOf(long, "allow-reason")).toBe("At most 200 characters");
  const allowed = await visit.press(page, "Allow a sale below cost", { reason: "Brings <i>new</i> agents" });
  expect(allowed.text).toContain("Allowed, because: Brings <i>new</i> agents");
  expect(await products.get(db, product.id)).toMatchObject({ lowestPricePesewas: null, paused: null });
  const table = await visit.open("/admin/prices?show=below_cost");
  expect(table.text).toContain("Allowed below cost Brings <i>new</i> agents");
  expect(table.text).toContain("−1.00 · −4.5% Below cost");
  expect((await visit.open("/admin/products?search=6GB")).text).toContain("Allowed below cost");
  const ended = await visit.press(allowed, "End");
  expect(ended.text).toContain("It is not sold below its cost any more.");
  expect((await products.get(db, product.id)).paused).not.toBeNull();
});

test("an allowance that is given or ended while the page is open is no surprise", async () => {
  const product = await bundle("7GB", "21.00");
  await set(product.id, 2200);
  const before = await visit.open(pageOf(product));
  await costs.allow(db, { by, productId: product.id, reason: "By another admin" });
  const open = await visit.open(pageOf(product));
  // Costs are saved whatever became of the allowance, and another reason replaces the first.
  expect((await visit.press(before, "Save costs", { [field("desk")]: "20" })).text).toContain("1 cost is saved.");
  const replaced = await visit.press(before, "Allow a sale below cost", { reason: "Mine" });
  expect(replaced.text).toContain("Allowed, because: Mine");
  await costs.endAllowance(db, { by, productId: product.id });
  const ended = await visit.press(open, "End");
  expect([ended.status, (await products.get(db, product.id)).belowCostReason]).toEqual([200, null]);
  await products.retire(db, { by, productId: product.id });
  expect((await visit.press(open, "End")).status).toBe(404);
  expect((await visit.press(open, "Save costs", { [field("desk")]: "19" })).status).toBe(404);
});

test("the file has each product at each of its vendors, and nothing that a spreadsheet would run", async () => {
  const formula = await world.product("TELECEL", "5GB", "20.00");
  await products.edit(db, { by, productId: formula.id, name: '=cmd|"calc"!A1' });
  await set(formula.id, 1950, "desk");
  const file = await visit.open(`${FILE}/export`);
  const lines = file.html
    .replace(/^\ufeff/, "")
    .trim()
    .split("\r\n");
  expect(lines[0]).toBe(HEADING);
  expect(lines.filter((line) => line.startsWith(`${formula.id},`))).toEqual([
    `${formula.id},Telecel,"'=cmd|""calc""!A1 5GB",datamart,`,
    `${formula.id},Telecel,"'=cmd|""calc""!A1 5GB",desk,19.50`,
  ]);
  expect((await upload(file.html)).text).toContain("No cost is different from what it is now.");
  await products.retire(db, { by, productId: formula.id });
});

test("a changed file is shown as a difference and saved; unusual costs are asked about", async () => {
  const [one, two] = [await bundle("8GB", "30.00"), await bundle("9GB", "33.00")];
  await set(one.id, 2800);
  const text = `${HEADING}\n${one.id},,,DATAMART,2.81\n${two.id},,,Hubnet,GH₵ 31.00\n${two.id},,,desk,34`;
  const preview = await upload(text.replaceAll(",", ";"));
  expect(preview.text).toContain("Check 3 costs");
  expect(preview.text).toContain("Check 1 cost at the top: far from the cost before.");
  expect(preview.text).toContain("DataMart GHGH₵ 28.00 GH₵ 2.81Unusual");
  expect(preview.text).toContain("The desknot known GH₵ 34.00Above the price of GH₵ 33.00");
  expect(await costOf(two, "hubnet")).toBeUndefined();
  const saved = await visit.press(preview, "Save the other 2 costs");
  expect([saved.path, saved.text]).toEqual([FILE, expect.stringContaining("2 costs are saved.")]);
  expect([await costOf(one), await costOf(two, "hubnet"), await costOf(two, "desk")]).toEqual([2800, 3100, 3400]);
  const again = await upload(text);
  expect((await visit.press(again, "Save 1 cost, also what is marked")).text).toContain("1 cost is saved.");
  expect(await costOf(one)).toBe(281);
});

test("pasted rows are read with their columns in any order; a file and rows together are refused", async () => {
  const product = await bundle("11GB", "40.00");
  const pasted = `Cost\tProduct\tVendor\n36.00\t${product.id}\thubnet`;
  const preview = await paste(pasted);
  await visit.press(preview, "Save 1 cost");
  expect(await costOf(product, "hubnet")).toBe(3600);
  const page = await visit.open(FILE);
  const both = await visit.press(page, "Show the difference", { pasted }, { file: new File(["x"], "c.csv") });
  expect([both.status, errorOf(both, "field-file")]).toEqual([422, "Choose a file or paste rows, not both."]);
  expect((await paste("  ")).text).toContain("Choose a file, or paste rows.");
  const wrong = await paste("12 datamart 3.95");
  expect(errorOf(wrong, "field-pasted")).toContain("name the columns Product, Supplier and Cost");
  expect(wrong.document.querySelector("textarea")!.textContent).toContain("12 datamart 3.95");
});

test("rows that cannot be read are named, and the good ones are saved if chosen", async () => {
  const [good, gone] = [await bundle("12GB", "44.00"), await bundle("13GB", "48.00")];
  await products.retire(db, { by, productId: gone.id });
  const big = await world.product("AIRTELTIGO", "2GB", "8.00");
  await products.edit(db, { by, productId: big.id, family: "AT_BIGTIME" });
  const rows = [
    `${gone.id},,,datamart,40`,
    "999999,,,datamart,40",
    `${good.id},,,telepathy,40`,
    `${big.id},,,datamart,6`,
    `${good.id},,,datamart,39.505`,
    `${good.id},,,datamart,"39,50 GHS"`,
    `${good.id},,,hubnet,39.50`,
    `${good.id},,,hubnet,39.60`,
    `${good.id},,,desk,`,
    ",,,desk,1",
  ];
  const preview = await upload([HEADING, ...rows].join("\n"));
  for (const line of [
    `Row 2: ${gone.id} is not on sale`,
    "Row 3: 999999 is not on sale",
    "Row 4: there is no supplier called “telepathy”",
    "Row 5: DataMart GH does not sell AT BigTime 2GB",
    "Row 6: “39.505” is not a cost",
    `Row 9: product ${good.id} at Hubnet is there twice with different costs: neither is used`,
    "Row 11: a row without a product is not on sale",
  ])
    expect(preview.text).toContain(line);
  const saved = await visit.press(preview, "Save the good ones (1)");
  expect(saved.text).toContain("1 cost is saved.");
  expect([await costOf(good, "hubnet"), await costOf(good), await costOf(good, "desk")]).toEqual([
    ...[undefined, 3950, undefined],
  ]);
});

test("a file that is no cost file, too long or too large is refused as a whole", async () => {
  for (const [text, message] of [
    ["number,size\n0541234567,1GB", "name the columns Product, Supplier and Cost"],
    ["", "Choose a file, or paste rows."],
    [`Product,Supplier,Cost,Cost\n1,desk,1,2`, "The column Cost is there twice."],
    [`${HEADING}\n${"1,,,desk,\n".repeat(2001)}`, "At most 2,000 rows"],
    [`${HEADING}\n${times(101, (n) => `${900_000 + n},,,desk,1`).join("\n")}`, "Too many of these rows"],
    [`${HEADING}\n1,,${"x".repeat(400_001)},desk,1`, "too large for a file of costs"],
    ["x".repeat(2_100_000), "up to 2 MB can be read"],
  ] as const)
    expect((await upload(text)).text).toContain(message);
  expect((await paste("x".repeat(262_145))).status).toBe(413);
});

test("a preview that somebody has overtaken says so and shows the difference again, without what is gone", async () => {
  const [one, two, three] = [
    await bundle("14GB", "50.00"),
    await bundle("16GB", "60.00"),
    await bundle("17GB", "70.00"),
  ];
  await set(one.id, 4000);
  const rows = [one, two, three].map(({ id }, n) => `${id},,,datamart,${45 + n}`);
  const preview = await upload([HEADING, ...rows].join("\n"));
  await set(one.id, 4200);
  const overtaken = await visit.press(preview, "Save 3 costs");
  expect([overtaken.status, overtaken.text]).toEqual([
    409,
    expect.stringContaining("Some of these costs have changed meanwhile."),
  ]);
  expect(overtaken.text).toContain("GH₵ 42.00 GH₵ 45.00");
  expect(await costOf(two)).toBeUndefined();
  // What somebody has entered in the same way is no conflict.
  await set(two.id, 4600);
  await products.retire(db, { by, productId: three.id });
  const without = await visit.press(overtaken, "Save 3 costs");
  expect([without.status, without.text]).toEqual([404, expect.stringContaining("Check 1 cost")]);
  expect(without.text).toContain(`Product ${three.id} is not on sale any more`);
  await visit.press(without, "Save the good ones (1)");
  expect([await costOf(one), await costOf(two), await costOf(three)]).toEqual([4500, 4600, undefined]);
});

test("only admins reach any of it, and no form that is made up is saved", async () => {
  const ama = await world.person("ama");
  const product = await bundle("18GB", "80.00");
  for (const path of ["", "/export"]) expect((await client.browse(ama, FILE + path)).status).toBe(403);
  const made = (changes: string) => client.browse(yaw, FILE, { action: "save", changes });
  const forged = { action: "save", changes: `${product.id}.datamart=>1` };
  expect((await client.browse(ama, FILE, forged)).status).toBe(403);
  expect((await client.browse(ama, pageOf(product), { action: "allow", reason: "Mine" })).status).toBe(403);
  for (const changes of ["x", `${product.id}.datamart=>-1`, `${product.id}.datamart=>9999999999`])
    expect([changes, (await made(changes)).status]).toEqual([changes, 422]);
  expect((await made(`${product.id}.nobody=>100`)).status).toBe(422);
  const twice = `${product.id}.desk=>100 ${product.id}.desk=>200`;
  expect((await made(twice)).status).toBe(422);
  expect((await made(times(2001, (n) => `${n + 1}.desk=>100`).join(" "))).status).toBe(413);
  expect(await costs.newest(db, [product.id])).toEqual([]);
});
