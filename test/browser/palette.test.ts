// The palette of staff in a real browser: by keyboard alone, by touch, and for those with fewer rights.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as orders from "../../src/core/buying/buy.ts";
import { openWorld } from "../support/world.ts";
import { objectionsTo } from "./axe.ts";
import { DESK, describeInBrowser, openBrowser, PHONE } from "./browser.ts";

const world = await openWorld();
const ama = await world.person("ama", "GH₵ 100.00");
const kwame = await world.person("kwame", undefined, ["DESK"]);
const oneGb = await world.product("MTN", "1GB", "3.90");
const line = { productId: oneGb.id, msisdn: "0241112223", quantity: 1 };
const { answer } = await orders.buy(world.db, { by: ama.by(), key: null, line });
const orderId = answer.order.id;

const pathOf = (page: Page) => new URL(page.url()).pathname;
const input = (page: Page) => page.getByRole("combobox", { name: "Search everything" });
const chosen = (page: Page) => page.locator(".palette [role=option][aria-selected=true]");
/** The script that the keys need is loaded when the browser is idle. */
const ready = (page: Page) => page.waitForSelector("is-land[ready] .finder", { state: "attached" });

/** What a screen reader reads: the option that the field names as the active one. */
async function activeOption(page: Page): Promise<string | null> {
  const id = await input(page).getAttribute("aria-activedescendant");
  return id && page.locator(`#${id}`).textContent();
}

describeInBrowser("in a browser, the palette", () => {
  const { visit } = openBrowser(world);

  test("is opened, searched and left by the keyboard alone", () =>
    visit(
      world.yaw,
      async (page) => {
        await page.goto("/orders");
        await ready(page);
        await page.keyboard.press("Control+k");
        await input(page).waitFor();
        await page.getByRole("option", { name: "Today", exact: true }).waitFor();
        expect(await activeOption(page)).toBe("Today");
        await page.keyboard.press("ArrowUp");
        const last = await activeOption(page);
        await page.keyboard.press("ArrowDown");
        expect([await activeOption(page), last === "Today"]).toEqual(["Today", false]);
        expect(await objectionsTo(page)).toEqual([]);
        await page.keyboard.press("Escape");
        await page.locator(".palette[open]").waitFor({ state: "detached" });

        await page.keyboard.press("Control+k");
        await page.keyboard.type("raise");
        await page.keyboard.press("Enter");
        await page.waitForURL("**/admin/prices");

        await ready(page);
        await page.keyboard.press("Meta+k");
        await page.getByRole("group", { name: "Recent" }).getByRole("option", { name: "Bundles" }).waitFor();
        await page.keyboard.type("2223");
        const order = page.getByRole("option", { name: `Order #${orderId}` });
        await order.waitFor();
        for (let n = 0; n < 5 && !(await order.getAttribute("aria-selected"))?.startsWith("t"); n++)
          await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await page.waitForURL(`**/orders/${orderId}`);

        await ready(page);
        await page.keyboard.press("Control+k");
        await chosen(page)
          .filter({ hasText: `Order #${orderId}` })
          .waitFor();
        await page.keyboard.type("nowhere at all");
        await page.keyboard.press("Enter");
        await page.waitForURL("**/admin/find?q=nowhere+at+all");
      },
      { viewport: DESK },
    ));

  test("opens by touch, and fits on a phone", () =>
    visit(
      world.yaw,
      async (page) => {
        await page.goto("/orders");
        await ready(page);
        await page.getByRole("banner").getByRole("link", { name: "Search" }).tap();
        await input(page).fill("ama");
        await page.getByRole("option", { name: "ama" }).first().waitFor();
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        await page.getByRole("option", { name: "ama@example.com" }).tap();
        await page.waitForURL(`**/admin/users/${ama.id}`);
      },
      { viewport: PHONE, hasTouch: true },
    ));

  test("keeps no name or number in the browser, and nothing of another account", () =>
    visit(
      kwame,
      async (page) => {
        await page.goto("/orders");
        await page.evaluate(() => localStorage.setItem("chosen of 1", '["/admin/settings"]'));
        await ready(page);
        await page.keyboard.press("Control+k");
        await page.getByRole("option", { name: "To send by hand" }).first().waitFor();
        expect(await page.getByRole("option", { name: "Settings" }).count()).toBe(0);
        expect(await page.getByRole("group", { name: "Recent" }).count()).toBe(0);
        await page.keyboard.type("0241112223");
        await page.getByRole("option", { name: "All orders for this number" }).click();
        await page.waitForURL("**/orders?search=0241112223");
        const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
        expect(kept).not.toContain("0241112223");
        expect(kept).not.toContain("/admin/settings");
        expect(pathOf(page)).toBe("/orders");
      },
      { viewport: DESK },
    ));
});
