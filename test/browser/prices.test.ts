// The price table in a browser: twenty prices in five presses, margins while typing, and nothing left unsaved unasked.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
import { BUNDLES_ON_SALE } from "../../dev/seed/bundles.ts";
import * as priceHistory from "../../src/core/catalog/price-history.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as tiers from "../../src/core/catalog/tiers.ts";
import { times } from "../support/asking.ts";
import { openWorld } from "../support/world.ts";
import { DESK, describeInBrowser, openBrowser } from "./browser.ts";

const world = await openWorld();
const bundles: products.Product[] = [];
for (const n of times(20, (i) => i + 1)) bundles.push(await world.product("MTN", `${n}GB`, `${n * 4}.00`));
await world.db.execute(sql`
  insert into product_costs (product_id, vendor, seen_at, cost_pesewas, source)
  select id, 'desk', clock_timestamp(), price_pesewas - 30, 'admin' from products`);

const PATH = "/admin/prices";
const cell = (page: Page, n: number) => page.locator(`[name="price.${bundles[n]!.id}.1"]`);
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });

/** Counts what a hand does besides typing: clicks. */
function countingHand() {
  let presses = 0;
  return {
    press: async (target: Locator) => {
      presses += 1;
      await target.click();
    },
    presses: () => presses,
  };
}

const raised = async () => {
  const list = await products.list(world.db);
  return bundles.filter(({ id, pricePesewas }) => list.find((it) => it.id === id)!.pricePesewas === pricePesewas + 10);
};

const addGroups = async () => {
  const all = await tiers.list(world.db);
  for (const name of ["Silver", "Gold"])
    if (all.every((one) => one.name !== name)) await tiers.add(world.db, { by: world.yaw.by("admin"), name });
};

describeInBrowser("in the price table,", () => {
  const { visit } = openBrowser(world);

  test.each([true, false])("twenty prices are typed, checked and saved in five presses (script: %p)", (isScripted) =>
    visit(
      world.yaw,
      async (page) => {
        const hand = countingHand();
        await page.goto("/admin");
        await hand.press(
          page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Bundles", exact: true }),
        );
        await page.waitForURL(`**${PATH}`);
        await hand.press(cell(page, 0));
        for (const [n, { pricePesewas }] of bundles.entries()) {
          // One types over a cell, and the arrow or Tab leads to that of the next product, with Tab over its link.
          for (const key of n === 0 ? [] : isScripted ? ["ArrowDown"] : ["Tab", "Tab"]) await page.keyboard.press(key);
          expect(await cell(page, n).evaluate((field) => field === document.activeElement)).toBe(true);
          await page.keyboard.press("Control+A");
          await page.keyboard.type(((pricePesewas + 10) / 100).toFixed(2));
        }
        await hand.press(button(page, "Preview changes"));
        await hand.press(button(page, "Save 20 prices"));
        await page.getByText("20 prices are changed.").waitFor();
        expect(hand.presses()).toBeLessThanOrEqual(5);
        expect(await raised()).toHaveLength(20);
        await button(page, "Undo").first().click();
        await page.getByText("20 prices are what they were before.").waitFor();
        expect(await raised()).toHaveLength(0);
        expect(await priceHistory.last(world.db)).toMatchObject({ count: 20 });
      },
      { viewport: DESK, javaScriptEnabled: isScripted },
    ),
  );

  test("a cell shows its margin while it is typed, is marked and counted, and is not left by mistake", () =>
    visit(
      world.yaw,
      async (page) => {
        await page.goto(PATH);
        await page.getByText("An empty cell has the Standard price.").waitFor();
        const gain = page.locator(".cell", { has: cell(page, 0) }).locator("[data-gain]");
        await cell(page, 0).fill("4.10");
        await page.getByText("1 price changed").waitFor();
        expect(await gain.textContent()).toBe("+0.40 · 10.8%");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.type("1.00");
        await page.getByText("2 prices changed").waitFor();
        expect(await page.locator(".cell.changed").count()).toBe(2);
        await page.getByText("Not sold: below 7.70").waitFor();
        const dialogType = new Promise<string>((resolve) =>
          page.once("dialog", async (dialog) => {
            await dialog.dismiss();
            resolve(dialog.type());
          }),
        );
        await page.getByRole("link", { name: "Import and export", exact: true }).click({ noWaitAfter: true });
        expect(await dialogType).toBe("beforeunload");
        expect(new URL(page.url()).pathname).toBe(PATH);
        await cell(page, 1).fill("8.00");
        await page.keyboard.press("ArrowUp");
        await page.keyboard.type("4.00");
        await page.getByText("No price changed").waitFor();
        await page.getByRole("link", { name: "Import and export", exact: true }).click();
        await page.waitForURL(`**${PATH}/file`);
      },
      { viewport: DESK },
    ));

  test("a bundle is one low line, and the prices of three groups fit beside the menu", async () => {
    await addGroups();
    await visit(
      world.yaw,
      async (page) => {
        await page.goto(PATH);
        const heights = await page
          .locator(".prices tbody tr")
          .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
        expect(heights.length).toBeGreaterThanOrEqual(20);
        expect(heights.filter((height) => height > 32)).toEqual([]);
        const wide = await page.locator(".scroll").evaluate((box) => box.scrollWidth - box.clientWidth);
        expect(wide).toBeLessThanOrEqual(0);
      },
      { viewport: DESK },
    );
  });

  test("a bundle is paused and resumed by the menu of its row", () =>
    visit(
      world.yaw,
      async (page) => {
        await page.goto(PATH);
        const choose = async (label: string) => {
          await button(page, "More for MTN 3GB").click();
          await page.getByRole("menuitem", { name: label }).click();
        };
        const row = page.getByRole("row").filter({ has: cell(page, 2) });
        await choose("Pause");
        await page.getByText("Paused: buyers of MTN 3GB read").waitFor();
        expect(await row.locator(".chip").textContent()).toBe("Paused");
        await choose("Resume");
        await page.getByText("MTN 3GB is on sale.").waitFor();
        await choose("Delete …");
        const dialog = page.getByRole("dialog", { name: "Delete MTN 3GB" });
        await dialog.getByText("Past orders keep it.").waitFor();
        await page.waitForFunction(() => document.activeElement?.textContent === "Cancel");
        await page.keyboard.press("Enter");
        await dialog.waitFor({ state: "hidden" });
        expect(await products.get(world.db, bundles[2]!.id)).toMatchObject({ paused: null });
      },
      { viewport: DESK },
    ));
});

/** The demonstration's bundles and groups, each bundle so many times, in place of those above. */
const fill = async (times: number) => {
  await addGroups();
  await world.db.execute(sql`update products set retired_at = now() where line = 'bundle'`);
  for (const { operator, family, name, sizes } of BUNDLES_ON_SALE)
    for (const [size, price] of Object.entries(sizes))
      for (let n = 0; n < times; n++)
        await products.add(world.db, {
          ...{ by: world.yaw.by("admin"), operator, family, size, vendor: "desk" },
          ...{ name: n === 0 ? name : `${name} ${n}`, pricePesewas: Math.round(Number(price) * 100) },
          ...{ costPesewas: Math.round(Number(price) * 57), confirmPrice: true, awaitsCost: true },
        });
};

describeInBrowser("the price table with the demonstration's bundles", () => {
  const { visit } = openBrowser(world);

  test("has no column cut and 22 rows on the first screen of a desktop, below the headings of networks", async () => {
    await fill(1);
    await world.db.execute(sql`
      update products set paused_message = 'Slow' where name = 'AT Big Time' and size = '60GB'`);
    await visit(
      world.yaw,
      async (page) => {
        await page.goto(PATH);
        await button(page, "More for MTN 1GB").waitFor();
        const seen = await page.evaluate(() => {
          const edge = document.querySelector(".card:has(.prices)")!.getBoundingClientRect().right;
          const bar = document.querySelector(".pay-bar")!.getBoundingClientRect().top;
          const parts = [...document.querySelectorAll(".prices :is(td, th, td *)")];
          return {
            cut: parts.filter((part) => part.getBoundingClientRect().right > edge).map((part) => part.textContent),
            rows: [...document.querySelectorAll(".prices [data-rows] > tr")].filter(
              (row) => row.getBoundingClientRect().bottom <= bar,
            ).length,
            shortened: [...document.querySelectorAll(".prices td:first-child, .prices td:first-child bdi")]
              .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0)
              .map((part) => part.textContent),
            isScrolling: [...document.querySelectorAll(".scroll")].some((box) => box.scrollHeight > box.clientHeight),
            wide: document.documentElement.scrollWidth - innerWidth,
            headings: [...document.querySelectorAll(".group th")].map((heading) => heading.textContent),
          };
        });
        expect(seen).toMatchObject({ cut: [], shortened: [], isScrolling: false, wide: 0 });
        expect(seen.rows).toBeGreaterThanOrEqual(22);
        expect(seen.headings).toEqual([
          "MTN UP2U 14",
          "AT BigTime 8",
          "AT iShare 17",
          "Telecel 5959 13",
          "AFA registration 1",
        ]);
        // The name stands in the heading, or in the bundle's own with other spaces.
        for (const name of ["MTN UP2U", "AT Big Time", "Telecel 5959"])
          expect(await page.locator(".prices td", { hasText: name }).count()).toBe(0);
      },
      { viewport: { width: 1280, height: 900 } },
    );
  });

  test("is at most 4,000 px tall on a phone with twice as many, folded by network, with a price at once", async () => {
    await fill(2);
    await visit(world.yaw, async (page) => {
      await page.goto(PATH);
      const { height, price, bar } = await page.evaluate(() => ({
        height: document.documentElement.scrollHeight,
        price: document.querySelector(".prices input[inputmode]")!.getBoundingClientRect().bottom,
        bar: document.querySelector(".pay-bar")!.getBoundingClientRect().top,
      }));
      expect(height).toBeLessThanOrEqual(4_000);
      expect(price).toBeLessThanOrEqual(bar);
      const seenRows = () => page.locator(".prices [data-rows] > tr").filter({ visible: true }).count();
      expect(await seenRows()).toBe(28);
      await page.getByLabel("Telecel 26").check();
      expect(await seenRows()).toBe(28 + 26);
      await page.getByLabel("MTN 28").uncheck();
      expect(await seenRows()).toBe(26);
    });
  });
});
