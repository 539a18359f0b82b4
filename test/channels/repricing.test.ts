// A bundle that is not sold because its price is too low, on every channel: no list offers it, and whoever asks for it
// reads what to do instead, and not that the shop would lose by it.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as costs from "../../src/core/catalog/costs.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { count, lineFor } from "../support/asking.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitor, visitorAs } from "../web/visitor.ts";
import { equipPhone, openLine, PIN, walk } from "./dialling.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
await settings.change(db, { by: yaw.by("admin"), values: { visitor_prices: true } });
const one = await world.product("MTN", "1GB", "3.90");
await world.product("MTN", "2GB", "8.40");
const telecel = await world.product("TELECEL", "1GB", "3.90");
const afa = await products.ensureAfa(db).then(() => products.afa(db));
const ama = await world.person("ama", "GH₵ 100.00");
const msisdn = "233541234567";
await equipPhone(world, ama, msisdn);
const phone = openLine(world).phone(msisdn);
const visit = await visitorAs(client, ama);
const before = {
  page: await visit.open("/mtn-data"),
  unpaid: (await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(one) })).answer,
};
await walk(phone, "1", "1", "1", "0549990001", PIN);
const ordersBefore = await count(db, sql`from orders`);
await costs.set(db, {
  by: yaw.by("admin"),
  costs: [one, telecel, afa].map(({ id }) => ({ productId: id, vendor: "desk", costPesewas: 100_000 })),
  vendors: [],
});
const REFUSAL = "The price of this bundle is being updated. Please try another bundle or come back later.";
const call = (method: string, path: string, body?: object) => client.call(ama, method, `/api/v1${path}`, body);

test("on the web, lists say so and do not offer it, and forms that were open are refused", async () => {
  const stranger = visitor(client.app);
  expect((await stranger.open("/")).text).toContain("waiting for a new price");
  expect((await stranger.open("/status")).text).not.toContain("price");
  const page = await visit.open("/mtn-data");
  expect(page.text).toContain(
    "Some MTN bundles are waiting for a new price" +
      "Some prices are being updated. Please choose another bundle or come back later.",
  );
  const card = page.document.querySelector(`#field-productId input[value^="${one.id}@"]`)!;
  expect(card.hasAttribute("disabled")).toBe(true);
  expect(card.closest("label")!.textContent).toContain("Waiting for a new price");
  expect((await visit.open("/telecel")).text).toContain("Telecel bundles are waiting for a new price");
  const order = { productId: `${one.id}@390`, msisdn: "0541234599" };
  const refused = await visit.press(before.page, "Pay with Wallet", order);
  expect(refused.document.getElementById("field-productId-error")?.textContent).toBe(REFUSAL);
  const list = await visit.press(await visit.open("/bulk?operator=MTN"), "Check list", {
    productId: "each",
    lines: "0541234567 1GB\n0541234568 2GB\n",
  });
  expect(list.text).toContain(REFUSAL);
  const unpaid = await visit.open(`/orders/${before.unpaid.id}`);
  expect((await visit.press(unpaid, "Pay with Wallet")).text).toContain(
    "This bundle is waiting for a new price. Pay for it later, or choose another one.",
  );
  expect((await visit.open("/mtn-afa")).text).toContain("AFA registration is waiting for a new price");
});

test("the API lists it as paused, and refuses it alone, in a list and in its preview", async () => {
  const { body: listed } = await call("GET", "/products");
  const found = listed.find(({ id }: { id: number }) => id === one.id);
  expect(found).toMatchObject({ paused: "Its price is being updated", pausedUntil: null });
  const line = { productId: one.id, msisdn: "0541234599" };
  const alone = await call("POST", "/orders", { ...line, pay: "wallet" });
  expect([alone.status, alone.body]).toMatchObject([
    409,
    { code: "product.paused", message: REFUSAL, details: { message: "Its price is being updated" } },
  ]);
  const preview = await call("POST", "/orders/bulk/preview", { orders: [line] });
  expect(preview.body.lines[0]).toMatchObject({ code: "product.paused", message: REFUSAL });
  const bulk = await call("POST", "/orders/bulk", { orders: [line] });
  expect(bulk.body.details.lines[0]).toMatchObject({ code: "product.paused", message: REFUSAL });
});

test("by USSD and SMS it is listed with the reason, and refused in one screen and one message", async () => {
  const list = await walk(phone, "1", "1");
  expect(list.text).toContain("1 1GB waiting for a new price\n2 2GB 8.40");
  expect((await phone.reply("1")).text).toStartWith("1GB is waiting for a new price. Choose another.\n");
  const repeated = await phone.dial(`5*1*1*1*0549990002*${PIN}`);
  expect(repeated.text).toStartWith("MTN 1GB is waiting for a new price.\n");
  expect((await walk(phone, "1", "2")).text).toStartWith("Telecel is waiting for a new price.\n");
  await phone.sendSms(`BUY MTN 1GB 0549990003 ${PIN}`);
  await phone.sendSms(`BUY MTN 7GB 0549990003 ${PIN}`);
  const answers = await db.execute<{ body: string }>(
    sql`select body from messages where kind = 'sms_answer' order by id desc limit 2`,
  );
  expect(answers.map(({ body }) => body)).toEqual([
    "DataFie: nothing was bought. MTN has no 7GB. Choose from 2GB",
    "DataFie: nothing was bought. The price of MTN 1GB for 0549990003 is being updated. " +
      "Please try another bundle or come back later.",
  ]);
  expect(await count(db, sql`from orders`)).toBe(ordersBefore);
});
