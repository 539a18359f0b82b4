// The inventory, by forms alone: adding, editing, pausing and deleting products.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as products from "../../src/core/catalog/products.ts";
import type { BundleVendor } from "../../src/core/fulfilment/vendor.ts";
import { NOT_YET, pausedTitle } from "../../src/shared/pause.ts";
import { built } from "../../src/web/island.tsx";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { filledIn, type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const ADD = "Add bundle";
const list = "/admin/prices";
const errorOf = (seen: Seen, id: string) => seen.document.getElementById(`${id}-error`)?.textContent;
const asAdmin = () => visitorAs(client, world.yaw);

test("an empty shop asks for its first product, which is MTN's unless another network is chosen", async () => {
  const visit = await asAdmin();
  const empty = await visit.open(list);
  expect(empty.text).toContain("No bundle is on sale yet. Add your first one, or many from a list.");
  const added = await visit.press(empty, ADD, { name: "Starter", size: "1GB", price: "3.90", cost: "3.70" });
  expect(added.text).toContain("Added Starter 1GB.");
  const [product] = await products.list(world.db);
  expect(product).toMatchObject({ operator: "MTN", name: "Starter", volumeMb: 1000, pricePesewas: 390 });
  expect(product).toMatchObject({ costPesewas: 370, paused: null });
});

test("after a bundle the form is open for the next size of the same name, network, kind and supplier", async () => {
  const suppliers = ["datamart", "hubnet"].map((code) => ({ code, name: code }) as BundleVendor);
  const visit = await visitorAs(openApp(world, undefined, suppliers), world.yaw);
  const chosen = { operator: "AIRTELTIGO", family: "AT_BIGTIME", vendor: "hubnet" };
  const typed = { ...chosen, name: "Again", price: "90", confirmPrice: "90", sellWithoutCost: "1" };
  const added = await visit.press(await visit.open(list), ADD, { ...typed, size: "71GB" });
  expect(added.path).toBe(`${list}?add=AIRTELTIGO&family=AT_BIGTIME&vendor=hubnet&name=Again#add-size`);
  expect(added.document.querySelector("details.adding")!.hasAttribute("open")).toBe(true);
  const { body } = filledIn(added, ADD);
  expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({ ...chosen, name: "Again", size: "", cost: "" });
});

describe("a bundle without a cost", () => {
  const add = async (size: string, more: Record<string, string> = {}) => {
    const visit = await asAdmin();
    const typed = { name: "Waiting", size, price: "90", confirmPrice: "90", ...more };
    return { visit, added: await visit.press(await visit.open(list), ADD, typed) };
  };
  const named = async (size: string) =>
    (await products.list(world.db)).find((one) => one.name === "Waiting" && one.size === size)!;

  test("is not on sale until its cost is entered, which is where adding it leads", async () => {
    const { visit, added } = await add("51GB");
    const { id } = await named("51GB");
    expect([added.path, added.text]).toEqual([
      `/admin/products/${id}#costs`,
      expect.stringContaining("Added Waiting 51GB. Enter its cost to put it on sale."),
    ]);
    const efua = await world.person("efua", "GH₵ 200.00");
    const line = { productId: id, msisdn: "0241000001", quantity: 1 };
    const buys = () => orders.buy(world.db, { by: efua.by(), key: null, line });
    await expect(buys()).rejects.toMatchObject({ code: "product.paused", message: "This bundle is not on sale yet" });
    expect((await visit.open(list)).text).toContain("Not on sale yet: 1");
    await visit.press(added, "Save costs", { "cost.desk": "88" });
    expect((await buys()).answer.order.amountPesewas).toBe(9000);
    expect((await visit.open(list)).text).not.toContain("Not on sale yet: 1");
  });

  test("is on sale without it once somebody says so: as it is added, on its page, or for all that wait", async () => {
    await add("52GB", { sellWithoutCost: "1" });
    expect((await named("52GB")).paused).toBeNull();
    const { visit, added } = await add("53GB");
    expect((await visit.press(added, "Sell it without a cost")).text).toContain("It is on sale.");
    expect((await named("53GB")).paused).toBeNull();
    for (const size of ["54GB", "55GB"]) await add(size);
    const waiting = await visit.open(`${list}?show=not_yet`);
    expect(waiting.text).toContain("2 bundles are not on sale yet, because their costs are not known");
    // One that waits only since then was not among those that were shown.
    await add("56GB");
    expect((await visit.press(waiting, "Sell all 2 without a cost")).text).toContain("2 bundles are on sale.");
    const paused = await Promise.all(["54GB", "55GB", "56GB"].map(named));
    expect(paused.map((one) => one.paused)).toEqual([null, null, NOT_YET]);
    expect((await visit.press(waiting, "Sell all 2 without a cost")).text).toContain("They were on sale already.");
  });

  test("that somebody has paused with a message of their own stays paused when its cost is entered", async () => {
    const { visit, added } = await add("57GB");
    const paused = await visit.press(added, "Save pause", { message: "From Monday" });
    await visit.press(paused, "Save costs", { "cost.desk": "88" });
    expect((await named("57GB")).paused).toEqual({ message: "From Monday", until: null });
  });
});

test("a product needs all its fields and a price, and exists once; what was typed is kept", async () => {
  await world.product("MTN", "2GB", "7.80");
  const visit = await asAdmin();
  const page = await visit.open(list);
  const typed = { operator: "MTN", name: "mtn 2gb", size: "2GB", price: "8" };
  const lacking = await visit.press(page, ADD, { ...typed, price: " " });
  expect([lacking.status, errorOf(lacking, "add-price")]).toEqual([
    422,
    "Enter an amount above zero with at most two decimals",
  ]);
  expect(lacking.document.getElementById("add-name")!.getAttribute("value")).toBe("mtn 2gb");
  for (const price of ["0", "-1", "3.905", "abc", "1e3", "99999999999"]) {
    const refused = await visit.press(page, ADD, { ...typed, price });
    expect(errorOf(refused, "add-price")).toStartWith("Enter an amount above zero");
  }
  expect(errorOf(await visit.press(page, ADD, typed), "add-name")).toContain("already has a product");
});

test("a product gets a new name and price; a sold order keeps its price, and the history shows both", async () => {
  const product = await world.product("TELECEL", "5GB", "20");
  const ama = await world.person("ama", "GH₵ 100.00");
  const line = { productId: product.id, msisdn: "0201234567", quantity: 1 };
  const { answer } = await orders.buy(world.db, { by: ama.by(), key: null, line });
  const visit = await asAdmin();
  const page = await visit.open(`/admin/products/${product.id}`);
  const saved = await visit.press(page, "Save product", { size: "6GB", price: "GH₵ 21.50" });
  expect(saved.text).toContain("Product saved.");
  expect(await products.get(world.db, product.id)).toMatchObject({ volumeMb: 6000, pricePesewas: 2150 });
  expect(saved.text).toMatch(/Price history ?GH₵ 21\.50from .*by admin ?GH₵ 20\.00from/);
  expect((await visit.open(`/orders/${answer.order.id}`)).text).toContain("GH₵ 20.00");
  const emptied = await visit.press(saved, "Save product", { name: " " });
  expect(errorOf(emptied, "edit-name")).toBe("Please fill all product fields");
  const refused = await visit.press(saved, "Save product", { price: "free" });
  expect(errorOf(refused, "edit-price")).toBe("Enter an amount above zero with at most two decimals");
  expect(refused.document.getElementById("edit-price")!.getAttribute("value")).toBe("free");
});

longTest(
  "a product's USSD number is shown and changed; one that is taken or means something else is refused",
  async () => {
    const [one, two] = [await world.product("TELECEL", "7GB", "20"), await world.product("TELECEL", "800MB", "22")];
    const visit = await asAdmin();
    const page = await visit.open(`/admin/products/${one.id}`);
    const shown = (seen: Seen) => seen.document.getElementById("edit-ussdNumber")?.getAttribute("value");
    expect(shown(page)).toBe(String(one.ussdNumber));
    expect(shown(await visit.press(page, "Save product", { ussdNumber: "70" }))).toBe("70");
    for (const ussdNumber of ["9", "99", "0", "", "abc", "10000", "1.5", "8"])
      expect([ussdNumber, errorOf(await visit.press(page, "Save product", { ussdNumber }), "edit-ussdNumber")]).toEqual(
        [ussdNumber, "Choose the bundle's size in whole GB, or a number from 51 to 9999. 9 and 99 mean other things"],
      );
    const taken = await visit.press(page, "Save product", { ussdNumber: String(two.ussdNumber) });
    expect(errorOf(taken, "edit-ussdNumber")).toBe(
      "Another bundle of this network has this number, or had it in the last 90 days",
    );
    await products.ensureAfa(world.db);
    const afa = await products.afa(world.db);
    expect((await visit.open(`/admin/products/${afa.id}`)).document.getElementById("edit-ussdNumber")).toBeNull();
  },
);

test("a paused product shows its buyers the reason, and is sold again once it is resumed", async () => {
  const product = await world.product("AIRTELTIGO", "1GB", "4");
  const visit = await asAdmin();
  const page = await visit.open(`/admin/products/${product.id}`);
  expect(errorOf(await visit.press(page, "Pause sale", { message: " " }), "pause-message")).toContain(
    "Tell the buyers why",
  );
  const paused = await visit.press(page, "Pause sale", { message: "Back at noon" });
  expect(paused.text).toContain("Buyers read: Back at noon");
  expect((await visit.open(list)).text).toContain("Paused");
  const kofi = await world.person("kofi", "GH₵ 10.00");
  const line = { productId: product.id, msisdn: "0271234567", quantity: 1 };
  const buy = () => orders.buy(world.db, { by: kofi.by(), key: null, line });
  expect(buy()).rejects.toMatchObject({ code: "product.paused" });
  await visit.press(paused, "Resume sale");
  await buy();
});

test("a pause may have an end; an impossible one is refused beside its field, and what was typed is kept", async () => {
  const product = await world.product("MTN", "7GB", "30");
  const visit = await asAdmin();
  const page = await visit.open(`/admin/products/${product.id}`);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
  for (const until of [inDays(-1), inDays(91), "tomorrow", "2026-02-31T10:00", "2026-11-24", ""]) {
    const typed = { message: "MTN is slow", end: "at", until };
    const seen = await visit.press(page, "Pause sale", typed);
    expect([until, seen.status, errorOf(seen, "pause-until")]).toEqual([until, 422, expect.any(String)]);
    expect(seen.document.getElementById("pause-message")!.getAttribute("value")).toBe("MTN is slow");
    expect(seen.document.getElementById("pause-until")!.getAttribute("value")).toBe(until);
    expect(seen.document.querySelector("#pause-end option[selected]")!.getAttribute("value")).toBe("at");
  }
  expect((await products.get(world.db, product.id)).paused).toBeNull();
  const until = inDays(3);
  const paused = await visit.press(page, "Pause sale", { message: "MTN is slow", end: "at", until });
  const title = pausedTitle({ until: new Date(`${until}Z`) });
  expect(title).toMatch(/^Paused until \d+ \w+, \d\d:\d\d$/);
  expect(paused.text).toContain(`${title}, then it is on sale again automatically.`);
  expect(paused.document.querySelector("h2 + .note")!.previousElementSibling!.textContent).toBe(title);
  expect((await visit.open(list)).text).toContain(title);
  const later = await visit.press(paused, "Save pause", { message: "MTN is down", until: inDays(4) });
  expect(later.text).toContain("Buyers read: MTN is down");
  expect(later.text).toContain(pausedTitle({ until: new Date(`${inDays(4)}Z`) }));
  expect((await visit.press(later, "Resume sale")).text).toContain("On sale");
});

test.each([
  ["60", 60],
  ["180", 180],
])("a pause ends after the %s minutes that were chosen, at a whole minute", async (end, minutes) => {
  const product = await world.product("MTN", `${minutes}GB`, "30");
  const visit = await asAdmin();
  const before = Date.now();
  await visit.press(await visit.open(`/admin/products/${product.id}`), "Pause sale", {
    message: "Slow",
    end,
    until: "",
  });
  const until = (await products.get(world.db, product.id)).paused!.until!.getTime();
  expect(until % 60_000).toBe(0);
  expect(until).toBeWithin(before + minutes * 60_000, Date.now() + (minutes + 1) * 60_000 + 1);
});

test("a pause can end at midnight in Ghana; a time that is typed counts only when midnight is not chosen", async () => {
  const product = await world.product("MTN", "8GB", "30");
  const visit = await asAdmin();
  const page = await visit.open(`/admin/products/${product.id}`);
  await visit.press(page, "Pause sale", { message: "Slow", end: "midnight" });
  const { until } = (await products.get(world.db, product.id)).paused!;
  expect(until!.toISOString()).toEndWith("T00:00:00.000Z");
  expect(until!.getTime() - Date.now()).toBeWithin(-60_000, 86_400_001);
  const typed = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16);
  await visit.press(page, "Pause sale", { message: "Slow", until: typed });
  expect((await products.get(world.db, product.id)).paused!.until!.toISOString()).toStartWith(typed);
});

describe("the menu of a row", () => {
  const rowOf = (seen: Seen, id: number) =>
    seen.document.querySelector(`a[href="/admin/products/${id}"]`)!.closest("tr")!;

  test("pauses and resumes its bundle, and sends none of the prices that are typed", async () => {
    const product = await world.product("TELECEL", "11GB", "44");
    const visit = await asAdmin();
    const here = `${list}?show=TELECEL`;
    const label = "Telecel 11GB";
    const page = await visit.open(here);
    expect(rowOf(page, product.id).querySelector(".chip")).toBeNull();
    expect(filledIn(page, `Pause ${label}`).body).toBe(`action=pause+${product.id}`);
    const paused = await visit.press(page, `Pause ${label}`);
    expect([paused.path, paused.text]).toEqual([
      here,
      expect.stringContaining(`Paused: buyers of ${label} read “Not on sale at the moment”, until you resume it.`),
    ]);
    expect((await products.get(world.db, product.id)).paused).toEqual({
      message: "Not on sale at the moment",
      until: null,
    });
    expect(rowOf(paused, product.id).textContent).toContain("Paused");
    expect((await visit.press(paused, `Resume ${label}`)).text).toContain(`${label} is on sale.`);
    expect((await products.get(world.db, product.id)).paused).toBeNull();
  });

  test("deletes it after a question, and only leads to a page without scripts", async () => {
    const product = await world.product("TELECEL", "12GB", "46");
    const visit = await asAdmin();
    const page = await visit.open(list);
    const menu = rowOf(page, product.id).querySelector("[data-desk=row]")!;
    expect([...menu.children].filter((control) => !control.hasAttribute("hidden"))).toEqual([]);
    const dialog = page.document.getElementById(menu.querySelector("[popovertarget]")!.getAttribute("popovertarget")!)!;
    expect(dialog.textContent).toContain("Delete Telecel 12GB?It will no longer be sold. Past orders keep it.");
    expect(dialog.getAttribute("popover")).toBe("auto");
    const gone = await visit.press(page, "Delete Telecel 12GB");
    expect([gone.path, gone.text]).toEqual([list, expect.stringContaining("Deleted TELECEL 12GB 12GB.")]);
    expect((await visit.press(page, "Delete Telecel 12GB")).text).toContain("Invalid package selected");
  });
});

test("a product is deleted on its page after a confirmation; repeating it is harmless", async () => {
  const product = await world.product("TELECEL", "10GB", "40");
  const visit = await asAdmin();
  const page = await visit.open(`/admin/products/${product.id}`);
  expect(page.document.getElementById("delete")!.textContent).toContain("Past orders keep it.");
  const gone = await visit.press(page, "Delete Telecel 10GB");
  expect([gone.path, gone.text]).toEqual([list, expect.stringContaining("Deleted TELECEL 10GB 10GB.")]);
  expect((await visit.press(page, "Delete Telecel 10GB")).status).toBe(404);
  for (const id of [product.id, "0", "x", "99999999999999999"])
    expect((await visit.open(`/admin/products/${id}`)).text).toContain("There is no such product on sale");
});

test("the inventory can be searched by name, size, network and id, and its address holds the search", async () => {
  const product = await world.product("AIRTELTIGO", "33GB", "90");
  const visit = await asAdmin();
  const names = async (search: string) =>
    (await visit.press(await visit.open(list), "Search", { search })).document.querySelectorAll("tbody tr").length;
  expect(await names("33gb")).toBe(1);
  expect(await names(`telecel ${product.size}`)).toBe(0);
  expect(await names("airteltigo 3")).toBe(1);
  const none = await visit.open(`${list}?search=%3Cb%3Enothing`);
  expect(none.text).toContain("No matching bundles found.");
});

test("what is typed into a product is always shown as plain text", async () => {
  // Characters that change the direction of neighbouring text are removed on input.
  const shown = `"><script>alert(1)</script>`;
  const nasty = `${shown}\u202E`;
  const visit = await asAdmin();
  const added = await visit.press(await visit.open(list), ADD, { name: nasty, size: "1GB", price: "4", cost: "3" });
  const product = (await products.list(world.db)).find((one) => one.name === shown)!;
  // A size as it could be entered before sizes were checked.
  await world.db.execute(sql`update products set size = '<i>' where id = ${product.id}`);
  const page = await visit.press(await visit.open(`/admin/products/${product.id}`), "Pause sale", { message: nasty });
  for (const seen of [added, page, await visit.open(list)]) {
    expect(seen.html.replace(`<script>${built.loader}</script>`, "")).not.toMatch(/<script|<i>/);
    expect(seen.document.title).not.toContain("undefined");
  }
});

test("a price that changes by more than half needs a confirmation, which holds for that price alone", async () => {
  const product = await world.product("TELECEL", "25GB", "92");
  const visit = await asAdmin();
  const page = await visit.open(`/admin/products/${product.id}`);
  const confirmation = await visit.press(page, "Save product", { price: "920" });
  expect([confirmation.status, errorOf(confirmation, "edit-price")]).toEqual([
    409,
    "GH₵ 920.00 is far from the usual GH₵ 92.00. Check the price, then confirm it.",
  ]);
  const otherwise = await visit.press(confirmation, "Yes, sell it at GH₵ 920", { price: "9200" });
  expect(otherwise.text).toContain("GH₵ 9,200.00 is far from the usual GH₵ 92.00");
  await visit.press(confirmation, "Yes, sell it at GH₵ 920");
  expect((await products.get(world.db, product.id)).pricePesewas).toBe(92_000);
  const adding = { name: "Another", size: "25GB", price: "9.20", operator: "MTN" };
  const new_ = await visit.press(await visit.open(list), ADD, adding);
  expect(errorOf(new_, "add-price")).toContain("is far from the usual GH₵ 920.00");
  expect((await visit.press(new_, "Yes, sell it at GH₵ 9.20")).text).toContain("Added Another 25GB.");
});

test("an AirtelTigo bundle's family is chosen, shown, and can be changed; its size is checked", async () => {
  const visit = await asAdmin();
  const typed = { operator: "AIRTELTIGO", name: "AT BT", size: "15 gb", price: "56.30" };
  const refused = await visit.press(await visit.open(list), ADD, { ...typed, size: "banana" });
  expect(errorOf(refused, "add-size")).toBe("Write the size like 5GB or 500MB");
  await visit.press(refused, ADD, { ...typed, family: "AT_BIGTIME" });
  expect((await visit.open(list)).text).toContain("AT BigTime 15GB AT BT");
  const product = (await products.list(world.db)).find(({ name }) => name === "AT BT")!;
  expect(product).toMatchObject({ family: "AT_BIGTIME", volumeMb: 15_000 });
  const page = await visit.open(`/admin/products/${product.id}`);
  await visit.press(page, "Save product", { family: "AT_ISHARE" });
  expect((await products.get(world.db, product.id)).family).toBe("AT_ISHARE");
  const wrong = await visit.press(await visit.open(list), ADD, {
    ...typed,
    operator: "MTN",
    family: "AT_ISHARE",
  });
  expect(errorOf(wrong, "add-family")).toContain("belongs to another network");
});

test("the list's former address leads to it, with what was searched for", async () => {
  const visit = await asAdmin();
  expect((await visit.open("/admin/products?search=33gb")).path).toBe(`${list}?search=33gb`);
});

test("only admins can open the inventory", async () => {
  const product = await world.product("MTN", "77GB", "200");
  const esi = await world.person("esi", "GH₵ 1.00");
  const visit = await visitorAs(client, esi);
  for (const path of [list, `/admin/products/${product.id}`]) {
    expect((await visit.open(path)).status).toBe(403);
    expect((await client.browse(esi, path, { action: "delete", name: "x", size: "1GB", price: "1" })).status).toBe(403);
  }
  expect((await products.get(world.db, product.id)).retiredAt).toBeNull();
  expect(products.edit(world.db, { by: esi.by(), productId: product.id, name: "x" })).rejects.toMatchObject({
    code: "auth.forbidden",
  });
});
