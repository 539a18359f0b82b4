// The price table by forms alone: typing, computing, the file, planning, undoing, tiers and exceptions.

import { beforeAll, expect, test } from "bun:test";
import * as priceHistory from "../../src/core/catalog/price-history.ts";
import * as priceTable from "../../src/core/catalog/price-table.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as tiers from "../../src/core/catalog/tiers.ts";
import * as accountTiers from "../../src/core/identity/account-tiers.ts";
import * as users from "../../src/core/identity/users.ts";
import { show } from "../../src/shared/money.ts";
import { deskTakes } from "../support/costs.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, type Visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const PATH = "/admin/prices";
const one = await world.product("MTN", "1GB", "3.90");
const two = await world.product("MTN", "2GB", "7.80");
const tele = await world.product("TELECEL", "5GB", "20.00");
await deskTakes(db, one.id, 370);
const { answer: gold } = await tiers.add(db, { by: yaw.by("admin"), name: "Gold" });
const field = (product: products.Product, tierId = 1) => `price.${product.id}.${tierId}`;
const standardOf = async (product: products.Product) => (await products.get(db, product.id)).pricePesewas;
const ownOf = async (product: products.Product) =>
  (await priceTable.read(db)).products.find(({ id }) => id === product.id)!.own;
const shownIn = (seen: Seen, id: string) => seen.document.getElementById(id)?.getAttribute("value");
const errorOf = (seen: Seen, id: string) => seen.document.getElementById(`${id}-error`)?.textContent;

let visit: Visitor;
beforeAll(async () => {
  visit = await visitorAs(client, yaw);
});

test("the table has costs, prices and margins, and shows a network or a kind alone", async () => {
  const seen = await visit.open(PATH);
  expect([shownIn(seen, field(one)), shownIn(seen, field(one, gold.id))]).toEqual(["3.90", ""]);
  expect(seen.text).toContain("MTN 1GB3.70");
  expect(seen.text).toContain("+0.20 · 5.4%");
  expect(seen.text).toMatch(/not known/i);
  const telecel = await visit.press(seen, "Search", { show: "TELECEL" });
  expect(telecel.path).toBe(`${PATH}?search=&show=TELECEL`);
  expect(shownIn(telecel, field(one))).toBeUndefined();
  expect(shownIn(telecel, field(tele))).toBe("20.00");
});

longTest("typed prices are saved after a preview with old and new, and undone by one press", async () => {
  const table = await visit.open(PATH);
  const typed = { [field(one)]: "4.00", [field(two, gold.id)]: "GH₵ 7.50" };
  const preview = await visit.press(table, "Preview changes", typed);
  expect(preview.text).toContain("Check 2 prices");
  expect(preview.text).toContain("GH₵ 3.90 GH₵ 4.00+0.30 · 8.1%");
  expect(await standardOf(one)).toBe(390);
  const saved = await visit.press(preview, "Save 2 prices", { note: "Monday" });
  expect([saved.path, saved.text]).toEqual([PATH, expect.stringContaining("2 prices are changed.")]);
  expect([await standardOf(one), (await ownOf(two)).get(gold.id)]).toEqual([400, 750]);
  expect(saved.text).toContain("Last change: 2 prices, Monday by admin");
  const undone = await visit.press(saved, "Undo");
  expect(undone.text).toContain("2 prices are what they were before.");
  expect([await standardOf(one), (await ownOf(two)).has(gold.id)]).toEqual([390, false]);
  expect((await visit.press(undone, "Preview changes")).text).toContain("Nothing has been changed yet.");
});

test("a cell that is no price is named beside it, and the others keep what was typed", async () => {
  const table = await visit.open(PATH);
  const typed = { [field(one)]: "abc", [field(two)]: "", [field(tele)]: "21" };
  const refused = await visit.press(table, "Preview changes", typed);
  expect([refused.status, errorOf(refused, field(one))]).toEqual([422, "Enter an amount like 4.50"]);
  expect(errorOf(refused, field(two))).toBe("Every product needs this price");
  expect([shownIn(refused, field(one)), shownIn(refused, field(tele))]).toEqual(["abc", "21"]);
  for (const price of ["0", "-1", "3.905", "1e3", "99999999999"])
    expect(errorOf(await visit.press(table, "Preview changes", { [field(one)]: price }), field(one))).toBeDefined();
});

longTest("prices below cost and unusual ones are asked about once, together, and none is lost", async () => {
  const table = await visit.open(PATH);
  const typed = { [field(one)]: "3.50", [field(two)]: "78", [field(tele)]: "21.00" };
  const preview = await visit.press(table, "Preview changes", typed);
  expect(preview.text).toContain("Check 2 prices at the top: below cost, far from the price before.");
  const others = await visit.press(preview, "Save the other one");
  expect(others.text).toContain("1 price is changed.");
  expect([await standardOf(one), await standardOf(two), await standardOf(tele)]).toEqual([390, 780, 2100]);
  const again = await visit.press(await visit.open(PATH), "Preview changes", typed);
  expect((await visit.press(again, "Save 2 prices, also what is marked")).text).toContain("2 prices are changed.");
  expect([await standardOf(one), await standardOf(two)]).toEqual([350, 7800]);
  await visit.press(await visit.open(PATH), "Undo");
});

test("a computed change covers what is shown, is rounded, and leaves what has no cost", async () => {
  const table = await visit.open(`${PATH}?show=MTN`);
  const preview = await visit.press(table, "Preview all shown", { by: "5", rounding: "10" });
  expect(preview.text).toContain("GH₵ 3.90 GH₵ 4.10");
  expect(preview.text).toContain("GH₵ 7.80 GH₵ 8.20");
  expect(preview.text).not.toContain("Telecel 5GB");
  const onCost = await visit.press(table, "Preview all shown", {
    ...{ kind: "cost_amount", by: "0.30", tier: String(gold.id) },
  });
  expect(onCost.text).toContain("MTN 2GB: its cost is not known");
  const saved = await visit.press(onCost, "Save the good ones (1)");
  expect(saved.path).toBe(`${PATH}?show=MTN`);
  expect([(await ownOf(one)).get(gold.id), await standardOf(two)]).toEqual([400, 780]);
  expect(await priceHistory.last(db)).toMatchObject({ note: "MTN, Gold: Cost + GH₵ 0.30", count: 1 });
  const none = await visit.press(table, "Preview all shown", { by: "a lot" });
  expect(errorOf(none, "formula-by")).toBe("Enter a number like 5 or -2.5");
});

test("a change begins at its time, is listed as planned, and can be taken back", async () => {
  const table = await visit.open(PATH);
  const preview = await visit.press(table, "Preview changes", { [field(one)]: "4.20" });
  const past = await visit.press(preview, "Save 1 price", {
    from: "at",
    at: "2020-01-01T00:00",
    note: "New Year",
  });
  expect([past.status, past.text]).toEqual([422, expect.stringContaining("Choose a moment in the future")]);
  const planned = await visit.press(past, "Save 1 price", { from: "tomorrow", at: "" });
  expect(planned.text).toMatch(/1 price is planned from \d+ \w+ \d+, 00:00\./);
  expect((await visit.open("/admin/prices")).text).toMatch(/A change is planned for \d+ \w+ \d+, 00:00\. See it/);
  expect(await standardOf(one)).toBe(390);
  expect((await visit.open(`/admin/products/${one.id}`)).text).toContain("PlannedGH₵ 4.20");
  const changes = await visit.open(`${PATH}/changes`);
  expect(changes.text).toContain("Planned");
  const taken = await visit.press(changes, "Take back");
  expect(taken.text).toContain("Cancelled: its prices will not begin.");
  expect(await priceHistory.planned(db)).toEqual([]);
});

test("a preview that another admin has overtaken says so, and shows the difference again", async () => {
  const table = await visit.open(PATH);
  const mine = await visit.press(table, "Preview changes", { [field(tele)]: "22.00" });
  await products.edit(db, { by: yaw.by("admin"), productId: tele.id, pricePesewas: 2300 });
  const refused = await visit.press(mine, "Save 1 price");
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("Somebody has changed some of")]);
  expect(refused.text).toContain("GH₵ 23.00 GH₵ 22.00");
  await visit.press(refused, "Save 1 price");
  expect(await standardOf(tele)).toBe(2200);
});

test("the file is downloaded, changed, checked and saved; the tier's own column is read", async () => {
  const file = await visit.open(`${PATH}/file/export`);
  const lines = file.html
    .replace(/^\ufeff/, "")
    .trim()
    .split("\r\n");
  expect(lines[0]).toBe("Product,Network,Kind,Name,Size,Cost,Standard,Gold");
  expect(lines.find((line) => line.startsWith(`${one.id},`))).toBe(`${one.id},MTN,MTN,MTN 1GB,1GB,3.70,3.90,4.00`);
  const changed = file.html.replace("3.70,3.90,4.00", "3.70,3.95,").replaceAll(",", ";");
  const upload = async (text: string, name = "new.csv") =>
    visit.press(await visit.open(`${PATH}/file`), "Show the difference", {}, { file: new File([text], name) });
  const preview = await upload(changed);
  expect(preview.text).toContain("Check 2 prices");
  const saved = await visit.press(preview, "Save 2 prices");
  expect(saved.path).toBe(`${PATH}/file`);
  expect(await ownOf(one)).toEqual(new Map([[1, 395]]));
  expect((await priceHistory.last(db))!.note).toBe("File new.csv");
  expect((await upload(file.html.replace("Gold", "Silver"))).text).toContain("There is no group called “Silver”.");
  expect((await upload("number,size\n0541234567,1GB")).text).toContain("This is not a price file");
  expect((await upload(`${lines[0]}\n${`${one.id},,,,,,4.00,\n`.repeat(1001)}`)).text).toContain("at most 1,000 rows");
});

test("products that are gone and cells that are no prices are named; the good ones are saved if chosen", async () => {
  const gone = await world.product("MTN", "30GB", "90.00");
  await products.retire(db, { by: yaw.by("admin"), productId: gone.id });
  const text = [
    "Product,Network,Kind,Name,Size,Cost,Standard,Gold",
    `${gone.id},MTN,MTN,MTN 30GB,30GB,,95.00,`,
    "999999,MTN,MTN,Never,1GB,,4.00,",
    `${one.id},MTN,MTN,MTN 1GB,1GB,,"3.951",4.10`,
    `${two.id},MTN,MTN,MTN 2GB,2GB,,7.90,x`,
    `${two.id},MTN,MTN,MTN 2GB,2GB,,7.90,`,
  ].join("\n");
  const before = [await standardOf(one), await standardOf(two)];
  const page = await visit.open(`${PATH}/file`);
  const preview = await visit.press(page, "Show the difference", {}, { file: new File([text], "p.csv") });
  for (const line of [
    `Row 2: ${gone.id} MTN MTN 30GB is not on sale`,
    "Row 3: 999999 MTN Never is not on sale",
    "Row 4, Standard: “3.951” is not a price",
    "Row 5, Gold: “x” is not a price",
    `Row 6: product ${two.id} is in the file twice`,
  ])
    expect(preview.text).toContain(line);
  expect([await standardOf(one), await standardOf(two)]).toEqual(before);
  await visit.press(preview, "Save the good ones (2)");
  expect([await standardOf(two), (await ownOf(one)).get(gold.id)]).toEqual([790, 410]);
});

test("a tier is added, renamed and deleted, and says how many accounts go where", async () => {
  const page = await visit.open(`${PATH}/tiers`);
  const added = await visit.press(page, "Add group", { name: "Bronze" });
  expect(added.text).toContain("Added Bronze.");
  expect((await visit.press(page, "Add group", { name: "bronze" })).text).toContain("There is a group with this name");
  const bronze = (await tiers.list(db)).find(({ name }) => name === "Bronze")!;
  const esi = await world.person("esi");
  const shown = await visit.open(`${PATH}/tiers`);
  const ofEsi = await visit.open(`/admin/users/${esi.id}/prices`);
  expect((await visit.press(ofEsi, "Save group", { tierId: String(bronze.id) })).text).toContain(
    "The group is Bronze from now on.",
  );
  const stale = await visit.press(shown, "Delete Bronze");
  expect([stale.status, stale.text]).toEqual([409, expect.stringContaining("1 account has the group Bronze.")]);
  const gone = await visit.press(stale, "Delete Bronze", { to: String(gold.id) });
  expect(gone.text).toContain("Group deleted. 1 account has the group Gold now.");
  expect((await accountTiers.tierOf(db, esi.id)).id).toBe(gold.id);
});

longTest("an account's exceptions are set and ended beside its tier's prices; a ban keeps them", async () => {
  const kofi = await world.person("kofi");
  const path = `/admin/users/${kofi.id}/prices`;
  const page = await visit.open(path);
  expect(page.text).toContain(show(await standardOf(one)));
  const preview = await visit.press(page, "Preview exceptions", { [`price.${one.id}`]: "3.80" });
  expect(preview.text).toContain("kofi");
  const saved = await visit.press(preview, "Save 1 price");
  expect([saved.path, shownIn(saved, `price.${one.id}`)]).toEqual([path, "3.80"]);
  expect(await priceTable.exceptionsOf(db, kofi.id)).toEqual(new Map([[one.id, 380]]));
  await users.ban(db, { by: yaw.by("admin"), userId: kofi.id });
  expect((await visit.open(path)).text).toContain("have no effect until it is not");
  const ending = await visit.press(await visit.open(path), "Preview exceptions", { [`price.${one.id}`]: "" });
  await visit.press(ending, "Save 1 price");
  expect(await priceTable.exceptionsOf(db, kofi.id)).toEqual(new Map());
  const refused = await visit.press(await visit.open(path), "Preview exceptions", {
    [`price.${one.id}`]: "free",
  });
  expect(errorOf(refused, `price.${one.id}`)).toBe("Enter an amount like 4.50");
});

test("only admins reach any of it", async () => {
  const ama = await world.person("ama");
  for (const path of ["", "/changes", "/tiers", "/file", "/file/export"])
    expect((await client.browse(ama, PATH + path)).status).toBe(403);
  const form = { action: "save", changes: `${one.id}.1=395>1` };
  expect((await client.browse(ama, PATH, form)).status).toBe(403);
});
