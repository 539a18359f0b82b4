// The shop by the keyboard alone: Tab, Enter, Space and the arrows, with a visible focus ring.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as products from "../../src/core/catalog/products.ts";
import { DESK, describeInBrowser, openBrowser, PHONE } from "./browser.ts";
import { button, field, journeys, openMarket, reads, take } from "./journeys.ts";
import { keyboard, tabTo } from "./keyboard.ts";

const market = await openMarket();
const ama = await market.agent();

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
