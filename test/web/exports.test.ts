// Exports of orders: whose orders they hold, under which filters, and that neither their size nor their texts do harm.

import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as products from "../../src/core/catalog/products.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import { accraSheetMoment } from "../../src/shared/accra.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { sheetText, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const oneGb = await world.product("MTN", "1GB", "3.90");
const half = await world.product("TELECEL", "500MB", "2.00");

let people = 0;
const agent = () => world.person(`seller${++people}`, "GH₵ 100.00");
async function order(person: Person, line: Record<string, unknown> = {}): Promise<number> {
  const body = { productId: oneGb.id, msisdn: "0541234567", quantity: 1, pay: "wallet", ...line };
  const reply = await client.call(person, "POST", "/api/v1/orders", { allowDuplicate: true, ...body });
  expect(reply.status).toBe(201);
  return reply.body.id;
}
const move = (id: number, status: string) =>
  client.call(world.yaw, "PATCH", `/api/v1/admin/orders/${id}/status`, { status });
async function download(person: Person, query: string) {
  const response = await client.browse(person, `/orders/export?${query}`);
  const text = await sheetText(response);
  return { response, text, lines: text.split("\r\n").slice(0, -1) };
}
const idsIn = (lines: string[]) => lines.slice(1).map((line) => Number(line.split(",")[0]));

describe("orders.csv", () => {
  test("has an agent's own orders, newest first, in the specified columns", async () => {
    const ama = await agent();
    await order(await agent());
    const first = await order(ama);
    const second = await order(ama, { productId: half.id, msisdn: "0207654321", quantity: 2 });
    const { response, text, lines } = await download(ama, "kind=all");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="orders.csv"');
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(text).toEndWith("\r\n");
    const [head, ...rows] = lines;
    expect(head).toBe("Order ID,Number,Status,Operator,Product,Quantity,Amount,Date,Reference,Own data");
    const moment = /\d{2}\/\d{2}\/\d{4} \d{2}:\d{2},,$/;
    expect(rows.map((row) => row.replace(moment, "when"))).toEqual([
      `${second},020 765 4321,PENDING,TELECEL,TELECEL 500MB 500MB,2,4.00,when`,
      `${first},054 123 4567,PENDING,MTN,MTN 1GB 1GB,1,3.90,when`,
    ]);
  });

  test("has everybody's orders with the user's id for an admin, and only the admin's own under My Orders", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    const [his, hers] = [await order(kofi), await order(ama)];
    const { lines } = await download(world.yaw, "kind=all");
    expect(lines[0]).toBe("Order ID,User ID,Number,Status,Operator,Product,Quantity,Amount,Date,Reference,Own data");
    expect(lines[1]).toStartWith(`${hers},${ama.id},054 123 4567,`);
    expect(lines[2]).toStartWith(`${his},${kofi.id},054 123 4567,`);
    expect((await download(world.yaw, "kind=all&tab=mine")).lines.length).toBe(1);
  });

  test("never has somebody else's orders, whatever the address asks for", async () => {
    const ama = await agent();
    const foreign = await order(await agent());
    for (const query of ["kind=all&tab=all", "kind=all&userId=1", `kind=all&search=${foreign}`])
      expect((await download(ama, query)).lines.length).toBe(1);
  });

  test("applies the filters of the list, except 'only new', which is for the other file", async () => {
    const ama = await agent();
    const [mtn, telecel] = [await order(ama), await order(ama, { productId: half.id, msisdn: "0207654321" })];
    await move(mtn, "COMPLETED");
    const ids = async (query: string) => idsIn((await download(ama, query)).lines);
    expect(await ids("kind=all")).toEqual([telecel, mtn]);
    expect(await ids("kind=all&status=COMPLETED")).toEqual([mtn]);
    expect(await ids("kind=all&operator=TELECEL")).toEqual([telecel]);
    expect(await ids("kind=all&search=0207654321")).toEqual([telecel]);
    expect(await ids("kind=all&from=2099-01-01")).toEqual([]);
    expect(await ids("kind=all&to=2020-01-01")).toEqual([]);
  });

  test("neutralises formulas in a product's name", async () => {
    const by = world.yaw.by("admin");
    const ask = { by, operator: "MTN", name: `=HYPERLINK("x")`, size: "3GB", pricePesewas: 100 } as const;
    const {
      answer: { id },
    } = await products.add(world.db, ask);
    const ama = await agent();
    await order(ama, { productId: id });
    expect((await download(ama, "kind=all")).text).toContain(`,"'=HYPERLINK(""x"") 3GB",`);
  });
});

test("a date is written in Ghana's time, to the minute", () => {
  expect(accraSheetMoment(new Date("2026-11-22T07:09:43.645Z"))).toBe("22/11/2026 07:09");
  expect(accraSheetMoment(new Date("2026-01-02T00:00:00Z"))).toBe("02/01/2026 00:00");
});

test("a wallet's statement is exported for spreadsheets, while the API's format stays unchanged", async () => {
  const ama = await agent();
  await order(ama);
  const today = new Date().toISOString().slice(0, 10);
  const range = `from=${today}&to=${today}`;
  const response = await client.browse(ama, `/wallet/statement/export?${range}`);
  const bytes = await response.bytes();
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = new TextDecoder().decode(bytes).split("\r\n");
  const [day, month, year] = [today.slice(8), today.slice(5, 7), today.slice(0, 4)];
  expect(lines[1]).toBe(`${day}/${month}/${year} 00:00,OPENING,Opening balance,,,0.00`);
  expect(lines[3]).toMatch(/^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2},SPEND,.*,-3\.90,96\.10$/);
  const api = await client.call(ama, "GET", `/api/v1/wallet/statement?${range}&format=csv`);
  expect(api.body).toContain(`\r\n${today}T00:00:00.000Z,OPENING,`);
  const wrong = await client.browse(ama, "/wallet/statement/export?from=yesterday");
  expect([wrong.status, wrong.headers.get("location")]).toEqual([303, "/wallet"]);
});

describe("new_orders.csv", () => {
  test("has only paid orders that are PENDING or PROCESSING, with the size that was sold in GB", async () => {
    const ama = await agent();
    await order(ama, { msisdn: "0541000001" });
    await move(await order(ama, { msisdn: "0541000002" }), "PROCESSING");
    for (const status of ["COMPLETED", "FAILED"]) await move(await order(ama), status);
    await order(ama, { pay: undefined, msisdn: "0541000003" });
    await order(ama, { productId: half.id, msisdn: "0207654321" });
    const { response, lines } = await download(ama, "kind=new");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="new_orders.csv"');
    expect(lines).toEqual([
      "OPERATOR,NUMBER,GIGs",
      "TELECEL,020 765 4321,0.5",
      "MTN,054 100 0002,1",
      "MTN,054 100 0001,1",
    ]);
    expect((await download(ama, "kind=new&operator=TELECEL")).lines.length).toBe(2);
  });

  test("has a line for each bundle of an order, so that none is missed", async () => {
    const ama = await agent();
    await order(ama, { quantity: 3 });
    expect((await download(ama, "kind=new")).lines.slice(1)).toEqual(Array(3).fill("MTN,054 123 4567,1"));
  });
});

test("the links on the page lead to the files with the page's filters", async () => {
  const ama = await agent();
  const telecel = await order(ama, { productId: half.id, msisdn: "0207654321" });
  await order(ama);
  const visit = await visitorAs(client, ama);
  const seen = await visit.open("/orders?operator=TELECEL&all=1&cursor=999999999");
  const linkOf = (text: string) =>
    [...seen.document.querySelectorAll("main a")].find((a) => a.textContent === text)!.getAttribute("href")!;
  const all = await visit.open(linkOf("Export All"));
  expect(idsIn(all.html.split("\r\n").slice(0, -1))).toEqual([telecel]);
  expect((await visit.open(linkOf("Export New Only"))).html).toBe(
    "OPERATOR,NUMBER,GIGs\r\nTELECEL,020 765 4321,0.5\r\n",
  );
});

test("a visitor gets the login, and a HEAD request gets no body", async () => {
  const stranger = await client.browse(null, "/orders/export?kind=all");
  expect([stranger.status, stranger.headers.get("location")]).toEqual([
    303,
    "/login?next=%2Forders%2Fexport%3Fkind%3Dall",
  ]);
  const request = new Request("http://localhost/orders/export?kind=all", {
    method: "HEAD",
    headers: { cookie: `session=${await client.tokenOf(await agent())}` },
  });
  const head = await client.app.fetch(request);
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

describe("an admin's “Export New Only”", () => {
  test("creates a batch in their name by its button, not by its link, with the batch's file", async () => {
    const ama = await agent();
    const ids = [
      await order(ama, { msisdn: "0541000011" }),
      await order(ama, { productId: half.id, msisdn: "0207654311" }),
    ];
    const visit = await visitorAs(client, world.yaw);
    const statuses = async () => {
      const rows = await Promise.all(ids.map((id) => orderQueries.get(world.db, world.yaw.by("admin"), id)));
      return rows.map(({ status }) => status);
    };
    const link = (await visit.open("/orders")).document.querySelector('a[href^="/admin/desk/new"]');
    expect(link?.textContent).toBe("Export New Only");
    // The old address leads to the page as well.
    const page = await visit.open("/orders/export?kind=new");
    expect(page.path).toBe("/admin/desk/new");
    expect(await statuses()).toEqual(["PENDING", "PENDING"]);
    const batch = await visit.press(page, "Take ");
    expect(batch.text).toContain("yours to send");
    expect(await statuses()).toEqual(["PROCESSING", "PROCESSING"]);
    const file = await client.browse(world.yaw, `${batch.path}/file`);
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="new_orders.csv"');
    const lines = (await file.text()).split("\r\n");
    expect(lines[0]).toBe("OPERATOR,NUMBER,GIGs");
    expect(lines).toEqual(expect.arrayContaining(["MTN,0541000011,1", "TELECEL,0207654311,0.5"]));
    expect((await visit.open("/admin/desk/new")).text).toContain("No new orders");
  });

  test("says when a size is not in GB, and never leaves the cell empty", async () => {
    const odd = await world.product("TELECEL", "2GB", "9.00");
    await world.db.execute(sql`update products set size = 'Unlimited', volume_mb = null where id = ${odd.id}`);
    await order(await agent(), { productId: odd.id, msisdn: "0207654312" });
    const visit = await visitorAs(client, world.yaw);
    const page = await visit.open("/admin/desk/new?operator=TELECEL");
    expect(page.text).toContain("1 with a size that is not in GB");
    const batch = await visit.press(page, "Take 1 order");
    expect(batch.text).toContain("1 order has a size that is not in GB. Send it by hand:");
    const file = await (await client.browse(world.yaw, `${batch.path}/file`)).text();
    expect(file).toContain("TELECEL,0207654312,Unlimited");
  });
});

// The last one, so that no other has its orders in its lists.
describe("a long list", () => {
  const count = 4_500;
  const rich = async () => {
    const person = await world.person(`rich${++people}`, "GH₵ 20,000.00");
    const orders = Array.from({ length: count }, (_, i) => ({
      productId: oneGb.id,
      msisdn: `054${1_000_000 + i}`,
      quantity: 1,
    }));
    const reply = await client.call(person, "POST", "/api/v1/orders/bulk", { orders });
    expect(reply.body.count).toBe(count);
    return person;
  };

  test("is sent completely and without repeats, in batches, and stops when the reader goes away", async () => {
    const person = await rich();
    const { lines } = await download(person, "kind=all");
    expect(lines.length).toBe(count + 1);
    const ids = idsIn(lines);
    expect(new Set(ids).size).toBe(count);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));

    const response = await client.browse(person, "/orders/export?kind=all");
    const reader = response.body!.getReader();
    const next = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await next()).toBe("");
    const piece = await next();
    expect(piece.split("\r\n").length).toBeLessThan(1_100);
    await reader.cancel();

    const batches: number[] = [];
    for await (const batch of orderQueries.inBatches(world.db, { userId: person.id }, 1_500))
      batches.push(batch.length);
    expect(batches).toEqual([1_500, 1_500, 1_500]);
  });
});
