// Networks as admins keep them: one that is added sells by every channel without a restart, in every process; renamed,
// retired and merged ones show so everywhere.
import { beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { RESERVED_PATHS } from "../../src/core/catalog/operators/operator-names.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { operatorName } from "../../src/shared/operators.ts";
import { gsm7Length } from "../../src/shared/phones/sms-text.ts";
import { pages } from "../../src/web/pages/index.tsx";
import { equipPhone, openLine, PIN, walk } from "../channels/dialling.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const line = openLine(world);
const AMA = "233541111111";
const ama = await world.person("ama", "GH₵ 500.00");
await equipPhone(world, ama, AMA);
await world.product("MTN", "1GB", "3.90");
const telecel = await world.product("TELECEL", "1GB", "4.00");
const admin = await visitorAs(client, yaw);
const agent = await visitorAs(client, ama);
const LIST = "/admin/networks";
const errorOf = (seen: Seen, id: string) => seen.document.getElementById(`${id}-error`)?.textContent;
const newest = async () => (await orderQueries.list(db, { userId: ama.id }, { limit: 1 }))[0]!;
const add = (operator: string, name: string, size: string, pricePesewas = 500) =>
  products.add(db, { by: yaw.by("admin"), operator, name, size, pricePesewas, confirmPrice: true });

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

const GLO = {
  ...{ operator: "GLO", path: "/glo-data", name: "Glo", shortName: "Glo", letters: "G", color: "#3fae2a" },
  ...{ ussdLabel: "Glo Ghana", ussdPosition: "4", prefixes: "022, 028", aliases: "Globacom" },
};

test("a network is added by form; a refused form keeps what was typed", async () => {
  const page = await admin.open(LIST);
  const refused = await admin.press(page, "Add network", { ...GLO, color: "#808080" });
  expect([refused.status, errorOf(refused, "add-color")]).toEqual([422, expect.stringContaining("letters")]);
  expect(refused.document.getElementById("add-aliases")!.getAttribute("value")).toBe("Globacom");
  for (const [field, value] of [
    ["operator", "GL-O"],
    ["path", "/admin"],
    ["prefixes", "123"],
    ["name", "A name that is too long"],
    ["ussdPosition", "9"],
  ] as const)
    expect((await admin.press(page, "Add network", { ...GLO, [field]: value })).status).toBe(422);
  const taken = await admin.press(page, "Add network", { ...GLO, prefixes: "024" });
  expect(errorOf(taken, "add-prefixes")).toContain("024 belongs to MTN");
  const added = await admin.press(page, "Add network", { ...GLO, prefixes: "022" });
  expect([added.path, added.text]).toEqual([`${LIST}/GLO`, expect.stringContaining("Added Glo.")]);
  await add("GLO", "Glo 1GB", "1GB");
  await add("GLO", "Glo 2GB", "2GB", 900);
});

test("it has a page, a place in the menu and its colours, and sells there", async () => {
  const page = await agent.open("/glo-data");
  expect(page.status).toBe(200);
  expect(page.document.querySelector('nav a[href="/glo-data"]')!.textContent).toContain("Glo");
  expect(page.document.querySelector('nav [aria-current="page"]')!.getAttribute("href")).toBe("/glo-data");
  expect(page.html).toContain(".GLO{--hue:#3fae2a;");
  expect(JSON.parse(page.document.querySelector("meta[name=operators]")!.getAttribute("content")!)).toContainEqual(
    expect.objectContaining({ code: "GLO", prefixes: ["22"] }),
  );
  const [bundle] = await products.list(db, "GLO");
  const bought = await agent.press(page, "Pay with Wallet", {
    msisdn: "0221234567",
    productId: `${bundle!.id}@${bundle!.pricePesewas}`,
  });
  expect(bought.text).toContain("Glo 1GB for 022 123 4567");
  expect((await newest()).operator).toBe("GLO");
  await settings.change(db, { by: yaw.by("admin"), values: { visitor_prices: true } });
  expect((await visitor(client.app).open("/")).text).toContain("Glo");
});

test("it sells through the API, which names it", async () => {
  const [bundle] = await products.list(db, "GLO");
  const order = { productId: bundle!.id, operator: "GLO", msisdn: "0221234568", quantity: 1, amount: 5 };
  const bought = await client.call(ama, "POST", "/api/v1/orders", order);
  expect([bought.status, bought.body.operator]).toEqual([201, "GLO"]);
  const other = await client.call(ama, "POST", "/api/v1/orders", { ...order, operator: "NONE" });
  expect([other.status, other.body.code]).toEqual([422, "request.invalid"]);
  const overview = await client.call(ama, "GET", "/api/v1/dashboard/overview");
  expect(overview.body.usageByOperator).toMatchObject({ MTN: 0, AIRTELTIGO: 0, TELECEL: 0, GLO: 1 });
});

test("it is in the menu by USSD, and sells there", async () => {
  const phone = line.phone(AMA);
  const menu = await walk(phone, "1");
  expect(menu.text).toBe("Choose network\n1 MTN\n2 Telecel\n3 AT (AirtelTigo)\n4 Glo Ghana\n0 Back");
  expect(gsm7Length(`CON ${menu.text}`)).toBeLessThanOrEqual(160);
  const paid = await walk(phone, "1", "4", "2", "0221234569", PIN);
  expect(paid.text).toContain("Glo 2GB for 0221234569");
  // A number that is typed first leads to the network of its prefix.
  expect((await walk(phone, "0221234570")).text).toStartWith("Glo");
});

test("SMS and lists understand its names", async () => {
  await line.phone(AMA).sendSms(`BUY GLOBACOM 1GB 0221234571 ${PIN}`);
  expect(await newest()).toMatchObject({ operator: "GLO", msisdn: "233221234571", channel: "sms" });
  const lines = "0221234572 1GB\n0241234567 2GB globacom";
  const checked = await agent.press(await agent.open("/bulk"), "Check list", { lines });
  expect(checked.text).toContain("Place Bulk Orders (2)");
  const placed = await agent.press(checked, "Place Bulk Orders (2)");
  expect(placed.text).toContain("Created 2 orders");
  const orders = await orderQueries.list(db, { userId: ama.id }, { limit: 2 });
  expect(orders.map(({ operator }) => operator)).toEqual(["GLO", "GLO"]);
});

test("a network that another process added is known from the next request on, by every channel", async () => {
  const addElsewhere = async (code: string) => {
    const command = [process.execPath, join(import.meta.dir, "../support/add-network.ts"), world.url, code];
    expect(await Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit"] }).exited).toBe(0);
  };
  await addElsewhere("SURF");
  expect(operatorName("SURF")).toBe("SURF");
  expect((await agent.open("/surf")).status).toBe(200);
  expect(operatorName("SURF")).toBe("Surf");
  await db.execute(sql`update operators set name = 'Wave', ussd_label = 'Wave' where code = 'SURF'`);
  const changed = () => db.execute(sql`update operator_state set version = gen_random_uuid()`);
  await changed();
  expect((await walk(line.phone(AMA), "1")).text).toContain("5 Wave");
  await db.execute(sql`update operators set name = 'Tide' where code = 'SURF'`);
  await changed();
  expect((await visitor(client.app).open("/")).html).toContain("Tide");
});

test("a rename shows everywhere, and is undone", async () => {
  const page = await admin.open(`${LIST}/GLO`);
  const saved = await admin.press(page, "Save", { name: "Glo GH", aliases: "Globacom, Glo" });
  expect(saved.text).toContain("Saved.");
  expect((await agent.open("/orders")).text).toContain("Glo GH");
  expect((await agent.open("/glo-data")).text).toContain("Glo GH data");
  await admin.press(saved, "Save", { name: "Glo", aliases: "Globacom" });
  expect((await agent.open("/glo-data")).text).not.toContain("Glo GH data");
  const log = await admin.open("/admin/audit?type=operator");
  expect(log.text).toContain("Glo GH");
});

test("a prefix moves when that is confirmed", async () => {
  const page = await admin.open(`${LIST}/GLO`);
  const refused = await admin.press(page, "Save", { prefixes: "022 057" });
  expect(errorOf(refused, "edit-prefixes")).toContain("057 belongs to AirtelTigo");
  await admin.press(refused, "Save", { takesPrefixes: "yes" });
  expect(
    (await agent.open("/buy?msisdn=0571234567")).document.querySelector("[value=GLO]:checked, [value=GLO][checked]"),
  ).not.toBeNull();
});

test("a retired network says what will happen first; its page leads on, and it comes back", async () => {
  const ask = await admin.open(`${LIST}/GLO/retire`);
  expect(ask.text).toContain("2 bundles will go off sale");
  const done = await admin.press(ask, "Retire Glo");
  expect(done.text).toContain("Glo is retired: 2 bundles went off sale.");
  const led = await agent.open("/glo-data");
  expect([led.path, led.text]).toEqual(["/buy", expect.stringContaining("Glo is no longer sold here")]);
  expect((await walk(line.phone(AMA), "1")).text).not.toContain("Glo");
  // Its orders keep its name.
  expect((await agent.open("/orders")).text).toContain("Glo");
  const back = await admin.press(await admin.open(`${LIST}/GLO`), "Put Glo on sale again");
  expect(back.text).toContain("On sale again, with 2 bundles.");
  expect((await agent.open("/glo-data")).path).toBe("/glo-data");
});

test("a merged network says first what will move; its page leads on, and a form sent there still buys", async () => {
  const form = await agent.open("/glo-data");
  const ask = await admin.press(await admin.open(`${LIST}/GLO`), "See what would move …", {
    into: "TELECEL",
  });
  expect(ask.text).toContain("Glo 1GB 1GB from 1 to 51");
  const done = await admin.press(ask, "Merge Glo into Telecel");
  expect([done.path, done.text]).toEqual([`${LIST}/TELECEL`, expect.stringContaining("Glo is part of Telecel now")]);
  const led = await agent.open("/glo-data?msisdn=0221234599");
  expect([led.path, led.text]).toEqual(["/telecel?msisdn=0221234599", expect.stringContaining("its bundles are here")]);
  const bundle = (await products.bundlesOf(db, "TELECEL", yaw.id)).find(({ family }) => family === "GLO")!;
  const bought = await agent.press(form, "Pay with Wallet", {
    msisdn: "0221234573",
    productId: `${bundle.id}@${bundle.pricePesewas}`,
  });
  expect(bought.status).toBe(200);
  expect(await newest()).toMatchObject({ operator: "TELECEL", family: "GLO" });
  expect((await products.bundlesOf(db, "TELECEL", yaw.id))[0]!.id).toBe(telecel.id);
  expect((await admin.open(`${LIST}/GLO`)).text).toContain("Merged into Telecel");
});

test("no page's address can become a network's", () => {
  const first = pages.map(({ path }) => path.split("/")[1]!).filter((part) => part.length > 1);
  expect(first.filter((part) => !RESERVED_PATHS.has(part))).toEqual([]);
});
