// The price table in a browser: twenty prices in five presses, margins while typing, and nothing left unsaved unasked.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
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
          // One types over a cell, and Tab leads to the next product and its cell.
          for (const _ of n > 0 ? ["link", "cell"] : []) await page.keyboard.press("Tab");
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
    for (const name of ["Silver", "Gold"]) await tiers.add(world.db, { by: world.yaw.by("admin"), name });
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
});
