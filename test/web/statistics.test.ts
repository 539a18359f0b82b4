// Sales history and the shop's statistics, without scripts: periods, operators, measures, captions, the file.
import { describe, expect, test } from "bun:test";
import * as orders from "../../src/core/buying/buy.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const [mtn, telecel] = [await world.product("MTN", "1GB", "3.90"), await world.product("TELECEL", "2GB", "7.00")];
const [ama, kofi] = [await world.person("ama", "GH₵ 50.00"), await world.person("kofi", "GH₵ 50.00")];
let numbers = 0;
for (const [person, product] of [
  [ama, mtn],
  [ama, telecel],
  [kofi, mtn],
] as const) {
  const line = { productId: product.id, msisdn: `0241${String(300_000 + ++numbers)}`, quantity: 1 };
  await orders.buy(world.db, { by: person.by(), key: null, line });
}
const today = new Date().toISOString().slice(0, 10);
const figures = (seen: Seen) => [...seen.document.querySelectorAll(".figure")].map((figure) => figure.textContent);
const current = (seen: Seen) =>
  [...seen.document.querySelectorAll(".tabs [aria-current]")].map((tab) => tab.textContent);

test("an agent sees their own sales, an admin everybody's, and no agent the shop's", async () => {
  const visit = await visitorAs(client, ama);
  expect(figures(await visit.open("/statistics"))).toEqual(["GH₵ 10.90", "2", "3 GB"]);
  expect((await visit.open("/admin/statistics")).status).toBe(403);
  expect((await visit.open("/admin/statistics/export")).status).toBe(403);
  const admin = await visitorAs(client, world.yaw);
  // The worker has counted no profit yet.
  expect(figures(await admin.open("/admin/statistics"))).toEqual(["GH₵ 14.80", "3", "4 GB", "GH₵ 0.00"]);
  // A user's id in the address has no effect.
  expect(figures(await visit.open(`/statistics?user=${kofi.id}&userId=${kofi.id}`))[1]).toBe("2");
});

describe("the period", () => {
  test("is a number of days up to today, thirty by default", async () => {
    const visit = await visitorAs(client, ama);
    expect(current(await visit.open("/statistics"))).toEqual(["30 days", "Amount"]);
    const year = await visit.open("/statistics?range=365&by=volume");
    expect(current(year)).toEqual(["1 year", "Data"]);
    expect(year.text).toContain("compared with the 365 days before");
    expect(year.text).toContain("Figures by month");
  });

  test("can be any two days, with one network", async () => {
    const visit = await visitorAs(client, ama);
    const page = await visit.open("/statistics?range=7&by=orders");
    const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
    const seen = await visit.press(page, "Show", { from: yesterday, to: today, operator: "TELECEL" });
    expect(figures(seen)).toEqual(["GH₵ 7.00", "1", "2 GB"]);
    expect(seen.text).toContain("compared with the 2 days before. Today is not over.");
    expect(current(seen)).toEqual(["Orders"]);
    // The networks are listed beside each other, whichever is drawn.
    expect(seen.text).toMatch(/MTN ?GH₵ 3\.90.*36%/);
  });

  test("falls back to the default when it cannot be read, and is limited in length", async () => {
    const visit = await visitorAs(client, ama);
    for (const query of [
      "range=9&by=x&operator=y",
      "from=2026-02-30&to=2026-03-01",
      "from=2026-03-02&to=2026-03-01",
      "from=2020-01-01&to=2026-01-01",
      `from=${encodeURIComponent("'><script>")}&to=x`,
    ]) {
      const seen = await visit.open(`/statistics?${query}`);
      expect([query, seen.status, current(seen)]).toEqual([query, 200, ["30 days", "Amount"]]);
      expect(seen.html).not.toContain("'><script>");
    }
  });
});

test("the server draws the chart with its figures as a table, and scripts take over afterwards", async () => {
  const seen = await (await visitorAs(client, ama)).open("/statistics?range=7");
  expect(seen.document.querySelectorAll(".history polyline")).toHaveLength(2);
  expect(seen.document.querySelectorAll("details tbody tr")).toHaveLength(7);
  const island = seen.document.querySelector("is-land")!;
  expect(island.getAttribute("on")).toBe("visible");
  // No script is fetched before the chart is near the screen.
  expect(seen.html).not.toContain(`<link rel="modulepreload" href="${island.getAttribute("src")}"`);
});

test("the days are named as briefly as they are clear", async () => {
  const visit = await visitorAs(client, ama);
  for (const [from, to, text] of [
    ["2026-11-01", "2026-11-30", "1 to 30 Nov 2026, without failed orders"],
    ["2026-10-28", "2026-11-03", "28 Oct to 3 Nov 2026, without"],
    ["2025-12-28", "2026-01-03", "28 Dec 2025 to 3 Jan 2026, without"],
    ["2026-11-01", "2026-11-01", "1 Nov 2026, without"],
  ] as const)
    expect(
      (await visit.open(`/statistics?from=${from}&to=${to}`)).document.querySelector("p.soft")!.textContent,
    ).toStartWith(text);
});

test("a period without sales says so, without a made-up percentage", async () => {
  const seen = await (await visitorAs(client, ama)).open("/statistics?from=2021-01-01&to=2021-01-31");
  expect(seen.text).toContain("Nothing was sold on these days.");
  expect(seen.text).not.toMatch(/NaN|Infinity|[+−±]\d+%/);
});

test("the file has every day of the period", async () => {
  const visit = await visitorAs(client, ama);
  const page = await visit.open("/statistics?range=7&operator=MTN");
  const link = [...page.document.querySelectorAll("a")].find((a) => a.textContent === "Download CSV")!;
  const file = await visit.open(link.getAttribute("href")!);
  const lines = file.html.trim().split("\r\n");
  expect(file.headers.get("content-type")).toContain("text/csv");
  expect(lines).toHaveLength(8);
  expect([lines[0], lines.at(-1)]).toEqual(["Day,Amount,Orders,GB", `${today},3.90,1,1`]);
});
