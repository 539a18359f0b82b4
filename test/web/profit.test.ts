// The shop's profit for admins, without scripts: the days, the figures and what they leave out, the tables and where
// their rows lead, the files, and the API.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as profitDays from "../../src/core/reports/profit-days.ts";
import { addDays, today } from "../../src/core/reports/sales-history.ts";
import { passDays, setCost } from "../support/profit.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db } = world;
const client = openApp(world);
const [mtn, telecel] = [await world.product("MTN", "1GB", "3.90"), await world.product("TELECEL", "2GB", "7.00")];
const ama = await world.person("ama", "GH₵ 50.00");
const best = await world.product("MTN", "3GB", "10.00");
// No screen calls a bundle by its own name, and a spreadsheet would run the name of the group that all buy at.
await db.execute(sql`update products set name = 'MTN UP2U' where id = ${best.id}`);
await db.execute(sql`update tiers set name = '=2+5'`);
let numbers = 0;
const buy = async (product: { id: number }) => {
  const line = { productId: product.id, msisdn: `0241${String(300_000 + ++numbers)}`, quantity: 1 };
  return (await orders.buy(db, { by: ama.by(), key: null, line })).answer.order.id;
};

const admin = await visitorAs(client, world.yaw);
const figures = (seen: Seen) =>
  Object.fromEntries(
    [...seen.document.querySelectorAll(".sums > .card")].map((card) => [
      card.querySelector("h2")!.textContent,
      card.querySelector(".figure")!.textContent,
    ]),
  );
const rows = (seen: Seen) =>
  [...seen.document.querySelectorAll("table tbody tr")].map((row) => row.querySelector("td")!.textContent);
const links = (seen: Seen) =>
  [...seen.document.querySelectorAll("table tbody td:first-child a")].map((link) => link.getAttribute("href"));

test("a shop without sales says so, and days that are not counted yet are named", async () => {
  const empty = await admin.open("/admin/profit?by=agent");
  expect(figures(empty)).toEqual({
    ...{ Profit: "GH₵ 0.00", Margin: "–", Sales: "GH₵ 0.00", "Cost of bundles": "GH₵ 0.00" },
    ...{ "Payment fees": "GH₵ 0.00", Losses: "GH₵ 0.00" },
  });
  expect(empty.text).toContain("Nothing was sold on these days.");
  expect(empty.text).not.toMatch(/NaN|Infinity|undefined/);
  expect(empty.text).toContain("1 of these days is still to be counted");
  for (const product of [mtn, mtn, telecel, best])
    await setCost(db, await buy(product), product === telecel ? null : 300);
  await profitDays.countDue(db);
});

test("the profit is of sales with a known cost, and the page says what it leaves out", async () => {
  const seen = await admin.open("/admin/profit");
  // 3.90 + 3.90 + 10.00 less three times 3.00.
  expect(figures(seen)).toMatchObject({ Profit: "GH₵ 8.80", Margin: "49.4%", Sales: "GH₵ 24.80" });
  expect(seen.text).toContain("GH₵ 7.00 of sales (1 order) has no known cost, so profit leaves it out.");
  expect(seen.text).not.toContain("still to be counted");
  expect(seen.text).toMatch(/Today up to \d\d:\d\d\./);
  expect(figures(await admin.open("/admin/statistics")).Profit).toBe("GH₵ 8.80");
});

test("is compared with the days before", async () => {
  const seen = await admin.open(`/admin/profit?from=${addDays(today(), 1)}&to=${addDays(today(), 1)}`);
  expect(seen.text).toContain("compared with the day before");
  expect(seen.text).toContain("GH₵ 8.80 less than in the day before");
  expect(figures(seen)).toMatchObject({ Profit: "GH₵ 0.00", Margin: "–" });
});

test("is not compared with days on which there was no shop", async () => {
  for (const path of ["/admin/profit", "/admin/statistics"]) {
    const seen = await admin.open(path);
    expect(seen.text).toContain(", without failed orders. Nothing to compare with: the first sale was on ");
    expect([path, /(than|Nothing|As much as) in the 30 days before/.test(seen.text)]).toEqual([path, false]);
    // Nor does the chart have a line of them, or a key.
    expect(seen.document.querySelectorAll(".history polyline, .key")).toHaveLength(1);
    expect(JSON.parse(seen.document.querySelector("is-land[on=visible]")!.getAttribute("props")!).before).toEqual([]);
  }
});

test("today alone is not compared with a whole day, and one day has no chart of days", async () => {
  const setBack = (days: number) =>
    db.execute(sql`
      update orders set created_at = created_at - make_interval(days => ${days})
      where id = (select min(id) from orders)`);
  await setBack(9);
  for (const path of ["/admin/profit", "/admin/statistics"]) {
    const found = async (first: string, last: string) => {
      const { text, document } = await admin.open(`${path}?from=${first}&to=${last}`);
      const charts = ["history", "hours"].map((name) => document.querySelectorAll(`.${name}`).length);
      return [path, ...charts, / in the (\d+ )?days? before/.test(text), text.includes("today is not over")];
    };
    const yesterday = addDays(today(), -1);
    expect(await found(today(), today())).toEqual([path, 0, path === "/admin/statistics" ? 1 : 0, false, true]);
    expect(await found(yesterday, yesterday)).toEqual([path, 0, 0, true, false]);
    expect(await found(yesterday, today())).toEqual([path, 1, 0, true, false]);
  }
  await setBack(-9);
});

test("of one network is before fees and losses, which have none", async () => {
  const seen = await admin.open("/admin/profit?operator=TELECEL");
  expect(figures(seen)).toEqual({
    ...{ "Profit before fees and losses": "GH₵ 0.00", Margin: "–" },
    ...{ Sales: "GH₵ 7.00", "Cost of bundles": "GH₵ 0.00" },
  });
});

describe("a table", () => {
  test("is by day, bundle, network, vendor, agent or tier, and its rows lead to their pages", async () => {
    const of = async (by: string) => {
      const seen = await admin.open(`/admin/profit?by=${by}`);
      return [rows(seen), links(seen)];
    };
    const onDay = `/admin/profit?by=product&from=${today()}&to=${today()}`;
    expect((await of("day"))[1]).toEqual([onDay]);
    expect(await of("product")).toEqual([
      ["MTN 3GB", "MTN 1GB", "Telecel 2GB"],
      [best, mtn, telecel].map(({ id }) => `/admin/products/${id}`),
    ]);
    expect(await of("operator")).toEqual([
      ["MTN", "Telecel"],
      ["/admin/networks/MTN", "/admin/networks/TELECEL"],
    ]);
    expect(await of("agent")).toEqual([["ama"], [`/admin/users/${ama.id}`]]);
    expect(await of("vendor")).toEqual([["No supplier"], []]);
    expect(await of("tier")).toEqual([["=2+5"], ["/admin/prices/tiers"]]);
    for (const [, paths] of await Promise.all(["product", "operator", "agent", "tier"].map(of)))
      for (const path of paths!) expect([path, (await admin.open(path!)).status]).toEqual([path, 200]);
  });

  test("has no column of what no row has", async () => {
    const heads = async (path: string) => {
      const { document } = await admin.open(path);
      return [...document.querySelectorAll("thead th")].map(({ textContent }) => textContent);
    };
    const always = ["Network", "Profit", "Margin", "Sales", "Cost"];
    expect(await heads("/admin/profit?by=operator")).toEqual([...always, "No known cost", "Orders"]);
    expect(await heads("/admin/profit?by=operator&operator=MTN")).toEqual([...always, "Orders"]);
  });

  test("has numbers of orders that open them, by day, bundle, network and agent", async () => {
    for (const by of ["day", "product", "operator", "agent"]) {
      const row = (await admin.open(`/admin/profit?by=${by}`)).document.querySelector("table tbody tr")!;
      const link = row.querySelector("td:last-child a")!;
      const opened = await admin.open(link.getAttribute("href")!);
      expect([by, opened.document.querySelectorAll(".orders tbody tr").length]).toEqual([
        by,
        Number(link.textContent!.replace(/\D/g, "")),
      ]);
    }
  });

  test("is in order of profit or sales", async () => {
    expect(rows(await admin.open("/admin/profit?by=product&sort=sales"))).toEqual([
      ...["MTN 3GB", "MTN 1GB", "Telecel 2GB"],
    ]);
    await setCost(db, await buy(telecel), 100);
    await db.execute(sql`update profit_days_stale set counted_at = null`);
    await profitDays.countDue(db);
    expect(rows(await admin.open("/admin/profit?by=product&sort=profit"))).toEqual([
      ...["MTN 3GB", "Telecel 2GB", "MTN 1GB"],
    ]);
    expect(rows(await admin.open("/admin/profit?by=product&sort=sales"))).toEqual([
      ...["Telecel 2GB", "MTN 3GB", "MTN 1GB"],
    ]);
  });

  test("falls back to the default when the address cannot be read", async () => {
    for (const query of ["by=x&sort=y&operator=z", "from=2020-01-01&to=2026-01-01", "range=-1&by='><script>"]) {
      const seen = await admin.open(`/admin/profit?${query}`);
      expect([query, seen.status, rows(seen).length]).toEqual([query, 200, 1]);
      expect(seen.html).not.toContain("'><script>");
    }
  });
});

describe("the file", () => {
  test("has what the table has, and no formula", async () => {
    const page = await admin.open("/admin/profit?by=tier&range=7");
    const link = [...page.document.querySelectorAll("a")].find((a) => a.textContent === "Download CSV")!;
    const file = await admin.open(link.getAttribute("href")!);
    expect(file.headers.get("content-disposition")).toContain(`profit-by-tier-${addDays(today(), -6)}-`);
    expect(file.html.trim().split("\r\n")).toEqual([
      "Group,Orders,Sales,Cost,Sales without a known cost,Profit,Margin %",
      "'=2+5,5,31.80,10.00,7.00,14.80,59.7",
    ]);
    expect((await admin.open("/admin/profit/export?by=product")).html.trim().split("\r\n").slice(1)).toEqual([
      "MTN 3GB,1,10.00,3.00,0.00,7.00,70",
      "Telecel 2GB,2,14.00,1.00,7.00,6.00,85.7",
      "MTN 1GB,2,7.80,6.00,0.00,1.80,23.1",
    ]);
  });

  test("by day has fees and losses too, and is a workbook where wanted", async () => {
    const file = await admin.open("/admin/profit/export?by=day");
    expect(file.html.trim().split("\r\n")).toEqual([
      "Day,Orders,Sales,Cost,Sales without a known cost,Payment fees,Losses,Profit,Margin %",
      `${today()},5,31.80,10.00,7.00,0.00,0.00,14.80,59.7`,
    ]);
    const { headers, status } = await admin.open("/admin/profit/export?by=agent&format=xlsx");
    expect([status, headers.get("content-type")]).toEqual([
      200,
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]);
  });
});

test("nobody but an admin sees it", async () => {
  const agent = await visitorAs(client, ama);
  for (const path of ["/admin/profit", "/admin/profit/export"]) expect((await agent.open(path)).status).toBe(403);
  expect((await client.call(ama, "GET", `/api/v1/admin/profit?from=${today()}&to=${today()}`)).status).toBe(403);
});

describe("the API", () => {
  const ask = (query: string) => client.call(world.yaw, "GET", `/api/v1/admin/profit?${query}`);

  test("has the figures of a span, beside those before, and rows that add up", async () => {
    const { status, body } = await ask(`from=${today()}&to=${today()}&by=product&limit=1`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ from: today(), to: today(), by: "product", waitingDays: 0 },
      total: { orders: 5, sales: 31.8, cost: 10, uncostedOrders: 1, uncostedSales: 7, profit: 14.8, fees: 0 },
      before: { orders: 0, profit: 0, marginPercent: null },
      rows: [
        { key: String(best.id), name: "MTN 3GB", profit: 7, fees: null },
        { key: null, name: "2 other bundles", profit: 7.8 },
      ],
    });
    const stats = (await client.call(world.yaw, "GET", "/api/v1/admin/stats")).body;
    expect([stats.profitToday.profit, stats.profitYesterday.profit]).toEqual([14.8, 0]);
  });

  test("refuses days that are none, too many, or the wrong way round, and what it does not know", async () => {
    const messages = async (query: string) => {
      const { status, body } = await ask(query);
      return [status, body.error?.details?.fields ?? body.details?.fields];
    };
    const [from, to] = [addDays(today(), -366), today()];
    expect((await messages("from=x&to=2026-11-21"))[0]).toBe(422);
    expect((await messages("to=2026-11-21"))[0]).toBe(422);
    expect(await messages(`from=${from}&to=${to}`)).toEqual([422, { to: "at most 366 days at a time" }]);
    expect(await messages(`from=${to}&to=${from}`)).toEqual([422, { to: "must not be before from" }]);
    for (const query of ["by=colour", "sort=name", "operator=NOBODY", "limit=0", "limit=201", "offset=3"])
      expect([query, (await messages(`from=${to}&to=${to}&${query}`))[0]]).toEqual([query, 422]);
  });
});

test("days on which more was spent than earned are below zero in the chart, and within it", async () => {
  const id = await buy(mtn);
  await setCost(db, id, 3000);
  await passDays(db, 2);
  await db.execute(sql`update profit_days_stale set counted_at = null`);
  await profitDays.countDue(db);
  const seen = await admin.open(`/admin/profit?from=${addDays(today(), -3)}&to=${today()}`);
  expect(figures(seen).Profit).toBe("−GH₵ 11.30");
  expect(rows(seen)).toHaveLength(1);
  const [zero, line] = ["polygon", "polyline:not(.before)"].map((of) =>
    seen.document
      .querySelector(`.history ${of}`)!
      .getAttribute("points")!
      .split(" ")
      .map((point) => Number(point.split(",")[1])),
  );
  // Nothing, the loss, nothing twice: in a box whose y goes down from 0 to 100.
  expect([line![1], line![0] === zero![0], line!.every((y) => y >= 0 && y <= 100)]).toEqual([100, true, true]);
  expect(zero![0]).toBeLessThan(1);
  // What is compared with a loss has no percentage.
  await db.execute(sql`
    update orders set created_at = created_at - interval '9 days' where id = (select min(id) from orders)`);
  const next = await admin.open(`/admin/profit?from=${addDays(today(), -1)}&to=${today()}`);
  expect(next.text).toContain("GH₵ 11.30 more than in the 2 days before");
});
