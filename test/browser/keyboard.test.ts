// The shop by the keyboard alone: Tab, Enter, Space and the arrows, with a visible focus ring.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import * as products from "../../src/core/catalog/products.ts";
import { DESK, describeInBrowser, openBrowser, PHONE } from "./browser.ts";
import { button, field, type Hand, journeys, openMarket, reads, take } from "./journeys.ts";

const market = await openMarket();
const ama = await market.agent();

/** More tab stops than any page of these tests has. */
const STOPS_MAX = 150;

/**
 * Presses Tab until this has the focus, and the focus is visible. On a fresh page the first link skips the menu, unless
 * the page's address already does.
 */
async function tabTo(target: Locator): Promise<void> {
  const element = (await target.elementHandle())!;
  const isBehindMenu = await element.evaluate(
    (one) =>
      document.activeElement === document.body && location.hash === "" && one.closest("#content") !== null,
  );
  if (isBehindMenu) for (const key of ["Tab", "Enter"]) await target.page().keyboard.press(key);
  for (let i = 0; i < STOPS_MAX; i++) {
    const [isThere, ring] = await element.evaluate((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return [one === document.activeElement, `${outlineStyle} ${outlineWidth}`];
    });
    if (isThere) {
      expect([`${target}`, ring]).toEqual([`${target}`, "solid 3px"]);
      return;
    }
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`${STOPS_MAX} times Tab do not lead to ${target}`);
}

const keyboard: Hand = {
  hasScripts: true,
  press: async (target) => {
    await tabTo(target);
    const isBox = await target.evaluate((it) => it.matches("[type=checkbox], [type=radio]"));
    await target.page().keyboard.press(isBox ? "Space" : "Enter");
  },
  pick: async (item) => {
    const menu = item.page().getByRole("menu");
    await menu.and(item.page().locator(":focus")).waitFor();
    for (let i = 0; i < (await menu.getByRole("menuitem").count()); i++) {
      await item.page().keyboard.press("ArrowDown");
      const id = await menu.getAttribute("aria-activedescendant");
      if (id === (await item.getAttribute("id"))) return item.page().keyboard.press("Enter");
    }
    throw new Error(`The arrows do not lead to ${item}`);
  },
  fill: async (target, text) => {
    await tabTo(target);
    await target.page().keyboard.press("Control+a");
    await target.page().keyboard.press("Delete");
    await target.page().keyboard.type(text);
  },
  choose: async (target, option) => {
    await tabTo(target);
    const [at, wanted] = await target.evaluate((it, label) => {
      const select = it as HTMLSelectElement;
      return [select.selectedIndex, [...select.options].findIndex((one) => one.label === label)];
    }, option);
    for (let i = 0; i < Math.abs(wanted! - at!); i++)
      await target.page().keyboard.press(wanted! > at! ? "ArrowDown" : "ArrowUp");
    expect(await target.evaluate((it) => (it as HTMLSelectElement).selectedIndex)).toBe(wanted!);
  },
};

/** The accessible name of the focused element, by its label or its text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const it = document.activeElement!;
    const label = (it as HTMLInputElement).labels?.[0]?.textContent;
    return it.getAttribute("aria-label") ?? label ?? it.textContent?.trim() ?? "";
  });

describeInBrowser("with the keyboard alone,", () => {
  const visits = openBrowser(market.world, market.environment);
  const { visit } = visits;

  for (const journey of journeys) {
    test(`${journey.name} works`, () => take(journey, visits, market, keyboard, { viewport: DESK }));
  }

  test("the first stop of a page skips to its content", () =>
    visit(ama, async (page) => {
      await page.goto("/wallet");
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe("Skip to content");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement!.closest("#content") !== null)).toBe(true);
    }));

  test("a bundle is sold from the number on: an arrow to the cards, another along them, and Enter", () =>
    visit(ama, async (page) => {
      const bigger = await market.world.product("MTN", "3GB", "12.50");
      await page.goto("/buy");
      await page.locator("form.counter is-land[on=load][ready]").nth(1).waitFor({ state: "attached" });
      expect(await focused(page)).toBe("Recipient number");
      await page.keyboard.type(market.newNumber());
      for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
      await reads(page, "3GB to ");
      await page.keyboard.press("Enter");
      await reads(page, "Paid with wallet successfully.");
      await reads(page, "MTN 3GB for");
      await products.retire(market.world.db, { by: market.world.yaw.by("admin"), productId: bigger.id });
    }));

  test("the phone's drawer opens, leads to pages, closes with Escape and returns the focus", () =>
    visit(
      ama,
      async (page) => {
        await page.goto("/support");
        const drawer = page.getByRole("navigation", { name: "Main" });
        expect(await drawer.isVisible()).toBe(false);
        await keyboard.press(button(page, "More"));
        await drawer.waitFor();
        await tabTo(drawer.getByRole("link", { name: "Telecel" }));
        await page.keyboard.press("Escape");
        await drawer.waitFor({ state: "hidden" });
        expect(await focused(page)).toBe("More");
        await page.keyboard.press("Enter");
        await keyboard.press(drawer.getByRole("link", { name: "Telecel" }));
        await page.waitForURL("**/telecel");
      },
      { viewport: PHONE },
    ));

  test("the top-up dialog opens, can be filled in, and returns the focus when it closes", () =>
    visit(ama, async (page) => {
      await page.goto("/dashboard");
      const dialog = page.getByRole("dialog", { name: "Top Up Wallet" });
      const opener = button(page, "Top Up").first();
      await keyboard.press(opener);
      await dialog.waitFor();
      await tabTo(dialog.getByRole("button", { name: "Close" }));
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "hidden" });
      expect(await focused(page)).toBe("Top Up");
      await page.keyboard.press("Enter");
      await dialog.waitFor();
      await keyboard.press(page.getByRole("radio", { name: "20", exact: true }));
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      expect(await focused(page)).toBe("Top Up");
    }));

  test("a refusal is announced, and its field is marked", () =>
    visit(ama, async (page) => {
      await page.goto("/wallet/top-up");
      await keyboard.fill(field(page, "Other amount"), "4.99");
      await keyboard.fill(field(page, "Mobile money number"), "0541234567");
      await page.keyboard.press("Enter");
      await reads(page, "The minimum top-up is GH₵ 5.00");
      const amount = field(page, "Other amount");
      expect(await amount.getAttribute("aria-invalid")).toBe("true");
      const description = await amount.getAttribute("aria-describedby");
      expect(description).toStartWith("top-up-amount-error");
      await keyboard.fill(amount, "1.234");
      await page.keyboard.press("Enter");
      await reads(page, "Please enter a valid amount");
    }));
});
