// An agent's orders and dashboard on a phone: rows for a thumb, as many as fit, a dashboard of a screen and a half, a
// list that keeps up by itself, large letters, and keys on a laptop.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as orders from "../../src/core/buying/buy.ts";
import * as contacts from "../../src/core/identity/contacts.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { openWorld } from "../support/world.ts";
import { objectionsTo } from "./axe.ts";
import { DESK, describeInBrowser, openBrowser, PHONE } from "./browser.ts";

const world = await openWorld();
const oneGb = await world.product("MTN", "1GB", "3.90");
const tenGb = await world.product("TELECEL", "10GB", "42.00");
const ama = await world.person("ama", "GH₵ 4,958,710.00");
const kofi = await world.person("kofi", "GH₵ 1,000.00");
let numbers = 0;
const buy = async (product = oneGb) => {
  const line = { productId: product.id, msisdn: `024100${String(++numbers).padStart(4, "0")}`, quantity: 1 };
  return (await orders.buy(world.db, { by: ama.by(), key: null, line })).answer.order.id;
};
for (let n = 0; n < 12; n++) await buy(n % 2 ? oneGb : tenGb);

const SCREEN = { width: 360, height: 800 };
const bottomBar = (page: Page) => page.getByRole("navigation", { name: "Shortcuts" }).boundingBox();
const scrollsSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world);

  test("rows are links of 64 to 72 px, at least seven of which are in view at once", () =>
    visit(
      ama,
      async (page) => {
        await page.goto("/orders");
        const rows = await page.locator(".row-link").evaluateAll((all) =>
          all.map((row) => {
            const { top, bottom, height, right } = row.getBoundingClientRect();
            const act = row.nextElementSibling!.getBoundingClientRect();
            return {
              top,
              bottom,
              height,
              isWhole: act.left - right < 1 && act.width >= 44 && act.height >= 44,
            };
          }),
        );
        expect(rows).toHaveLength(12);
        expect(rows.filter(({ height, isWhole }) => height < 64 || height > 72 || !isWhole)).toEqual([]);
        const { y: end } = (await bottomBar(page))!;
        expect(rows.filter(({ bottom }) => bottom <= end).length).toBeGreaterThanOrEqual(7);
        const number = page.locator(".row-link strong").first();
        expect(await number.evaluate((it) => it.scrollWidth <= it.clientWidth)).toBe(true);
        await number.click();
        await page.waitForURL(/\/orders\/\d+$/);
      },
      { viewport: SCREEN },
    ));

  test("no row of orders or of the wallet is cut, also of a refund and of a named customer", async () => {
    const efua = { msisdn: "0201234567", name: "Auntie Efua" };
    const line = { productId: tenGb.id, msisdn: efua.msisdn, quantity: 2 };
    const sale = await orders.buy(world.db, { by: kofi.by(), key: null, line });
    const ids = [sale.answer.order.id];
    const by = world.yaw.by("admin");
    await statusChanges.move(world.db, { by, key: null, ids, to: "FAILED", reason: "No network" });
    await contacts.save(world.db, { by: kofi.by(), ...efua, note: "" });
    await visit(
      kofi,
      async (page) => {
        for (const path of ["/orders?all=1", "/wallet"]) {
          await page.goto(path);
          const cut = await page
            .locator(".row-link > .what *:not(.sr)")
            .evaluateAll((parts) =>
              parts.filter((it) => it.scrollWidth > it.clientWidth && it.clientWidth > 0).map((it) => it.textContent),
            );
          expect([path, cut]).toEqual([path, []]);
        }
        const rows = page.locator(".row-link", { hasText: "Refund" });
        expect(await rows.first().locator(".line").textContent()).toStartWith("2 x Telecel 10GB");
      },
      { viewport: SCREEN },
    );
  });

  test("the dashboard is a screen and a half up to its last orders, with its small form for a sale", () =>
    visit(
      ama,
      async (page) => {
        await page.goto("/dashboard");
        const list = page.getByRole("list", { name: "Recent orders" });
        expect(await list.getByRole("listitem").count()).toBe(5);
        const { y, height } = (await list.boundingBox())!;
        expect(await page.locator(".quick-buy").isVisible()).toBe(true);
        expect(y + height).toBeLessThanOrEqual(1.5 * PHONE.height);
      },
      { viewport: PHONE },
    ));

  test.each([
    { colorScheme: "light", viewport: SCREEN },
    { colorScheme: "dark", viewport: DESK },
  ] as const)("the list and the dashboard, all open, are accessible: $colorScheme", (options) =>
    visit(
      ama,
      async (page) => {
        for (const path of ["/orders", "/orders?all=1&search=24", "/dashboard"]) {
          await page.goto(path);
          await page.evaluate(() => {
            for (const fold of document.querySelectorAll("details")) fold.open = true;
          });
          expect([path, await objectionsTo(page)]).toEqual([path, []]);
        }
      },
      options,
    ),
  );

  test("letters of twice the size, and a narrow phone, never scroll sideways", () =>
    visit(
      ama,
      async (page) => {
        for (const [width, zoom] of [
          [320, "100%"],
          [360, "200%"],
        ] as const) {
          await page.setViewportSize({ width, height: 800 });
          for (const path of ["/orders", "/dashboard"]) {
            await page.goto(path);
            await page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), zoom);
            expect([path, zoom, await scrollsSideways(page)]).toEqual([path, zoom, false]);
          }
        }
      },
      { viewport: SCREEN },
    ));

  test("a list shows new states and new orders by itself, and says when it cannot", () =>
    visit(
      ama,
      async (page) => {
        const last = await buy();
        await page.clock.install();
        await page.goto("/orders");
        await page.locator("is-land[src*=orders-watch][ready]").waitFor({ state: "attached" });
        await statusChanges.move(world.db, {
          by: world.yaw.by("admin"),
          key: null,
          ids: [last],
          to: "COMPLETED",
        });
        const added = await buy();
        await page.clock.fastForward(5_000);
        await page.locator(`[data-order="${last}"]`, { hasText: "COMPLETED" }).waitFor();
        await page.getByRole("link", { name: "1 new order · Show" }).click();
        await page.locator(`.row-link[href="/orders/${added}"]`).waitFor();
        await page.locator("is-land[src*=orders-watch][ready]").waitFor({ state: "attached" });
        await page.context().setOffline(true);
        await page.getByRole("link", { name: "Updates paused · Refresh" }).waitFor();
        await page.context().setOffline(false);
        await page.getByRole("link", { name: "Updates paused · Refresh" }).waitFor({ state: "detached" });
      },
      { viewport: SCREEN },
    ));

  test("without scripts the same rows, chips and tools work", () =>
    visit(
      ama,
      async (page) => {
        await page.goto("/orders");
        const chips = page.getByRole("navigation", { name: "State of the orders" });
        await chips.getByRole("link", { name: "Failed" }).click();
        await page.getByText("No matching orders found").waitFor();
        await chips.getByRole("link", { name: "All", exact: true }).click();
        expect(await page.locator(".row-link").count()).toBeGreaterThanOrEqual(12);
        await page.locator("summary", { hasText: "More" }).click();
        for (const name of ["Export All", "Export New Only", "Refresh"])
          expect(await page.getByRole("link", { name }).isVisible()).toBe(true);
        await page.getByRole("searchbox", { name: "Search" }).fill("10GB");
        await page.getByRole("button", { name: "Search" }).click();
        await page.waitForURL(/search=10GB/);
        expect(await page.locator(".row-link").count()).toBe(6);
      },
      { viewport: SCREEN, javaScriptEnabled: false },
    ));

  test("on a laptop / leads to the search and n to a new sale", () =>
    visit(
      ama,
      async (page) => {
        await page.goto("/dashboard");
        await page.getByText("new sale").waitFor();
        await page.keyboard.press("/");
        await page.waitForURL("**/orders#search");
        await page.locator("#search:focus").waitFor();
        await page.keyboard.type("n");
        expect(await page.locator("#search").inputValue()).toBe("n");
        await page.locator("#search").blur();
        await page.getByText("new sale").waitFor();
        await page.keyboard.press("n");
        await page.waitForURL("**/buy");
      },
      { viewport: DESK },
    ));

  test("n leads to a new sale from every page, but not away from what was typed", () =>
    visit(
      ama,
      async (page) => {
        await page.goto("/support");
        await page.getByText("new sale").waitFor();
        await page.getByLabel("Message").fill("Where is it?");
        await page.getByLabel("Message").blur();
        await page.keyboard.press("n");
        expect(await page.getByLabel("Message").inputValue()).toBe("Where is it?");
        await page.goto("/wallet");
        await page.getByText("new sale").waitFor();
        await page.keyboard.press("n");
        await page.waitForURL("**/buy");
      },
      { viewport: DESK },
    ));
});
