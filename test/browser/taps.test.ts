// The effort of a sale at 360 px: an agent's taps and typed fields from the dashboard until it is on its way.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { BUNDLES_ON_SALE } from "../../dev/seed/bundles.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as products from "../../src/core/catalog/products.ts";
import { parseCedis } from "../../src/shared/money.ts";
import { openWorld } from "../support/world.ts";
import { describeInBrowser, openBrowser } from "./browser.ts";

const world = await openWorld();
// Everything that the demonstration shop sells, so that a bundle has to be found among many.
for (const { operator, family, name, sizes } of BUNDLES_ON_SALE) {
  for (const [size, price] of Object.entries(sizes)) {
    const pricePesewas = parseCedis(price)!;
    const bundle = { operator, family, name, size, pricePesewas, confirmPrice: true };
    await products.add(world.db, { by: world.yaw.by("admin"), ...bundle });
  }
}

type Effort = { taps: number; typed: number; scrolls: number };
const TOUCH = { hasTouch: true, isMobile: true };

type Thumb = {
  tap: (target: Locator) => Promise<void>;
  /** Taps a field and types into it. */
  type: (field: Locator, text: string) => Promise<void>;
  effort: () => Effort;
};

/**
 * A thumb that counts. It acts as a person can: nothing is touched that is covered or moves, and what is not in view is
 * scrolled to.
 */
function countingThumb(): Thumb {
  const effort: Effort = { taps: 0, typed: 0, scrolls: 0 };
  const tap = async (target: Locator) => {
    effort.taps += 1;
    if (!(await isInView(target))) effort.scrolls += 1;
    await target.tap();
  };
  return {
    tap,
    type: async (field, text) => {
      await tap(field);
      effort.typed += 1;
      await field.pressSequentially(text);
    },
    effort: () => effort,
  };
}

/** Whether its middle can be touched without scrolling. */
const isInView = (target: Locator) =>
  target.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

/** The headline of the order's own page says that it is on its way. */
async function isOnItsWay(page: Page): Promise<void> {
  await page.waitForURL(/\/orders\/\d+$/);
  await page.locator(".headline", { hasText: "On its way" }).waitFor();
}

const quickBuy = (page: Page) => page.locator("form", { has: page.getByLabel("Recipient number") }).first();

describeInBrowser("on a phone of 360 px,", () => {
  const { visit } = openBrowser(world);
  test("the thumb counts a tap and a typed field", () =>
    visit(
      null,
      async (page) => {
        const thumb = countingThumb();
        await page.goto("/login");
        await thumb.type(page.getByLabel("Email"), "ama@example.com");
        await thumb.tap(page.getByRole("link", { name: "Sign Up" }).first());
        await page.waitForURL("**/signup");
        expect(thumb.effort()).toEqual({ taps: 2, typed: 1, scrolls: 0 });
        await page.goto("/");
        await thumb.tap(page.getByRole("link").last());
        expect(thumb.effort()).toEqual({ taps: 3, typed: 1, scrolls: 1 });
      },
      TOUCH,
    ));

  test("a sale takes at most three taps and one typed number", async () => {
    const ama = await world.person("ama", "GH₵ 50.00");
    await visit(
      ama,
      async (page) => {
        const thumb = countingThumb();
        await page.goto("/dashboard");
        await thumb.type(quickBuy(page).getByLabel("Recipient number"), "0241234567");
        await thumb.tap(quickBuy(page).locator("label.MTN", { hasText: "1GB" }));
        await thumb.tap(quickBuy(page).getByRole("button", { name: /^Pay/ }));
        await isOnItsWay(page);
        expect(thumb.effort().taps).toBeLessThanOrEqual(3);
        expect(thumb.effort()).toMatchObject({ typed: 1, scrolls: 0 });
      },
      TOUCH,
    );
    expect(await world.balanceOf(ama)).toBe(4610);
  });

  test("a bundle that the dashboard does not offer takes one tap more, and is offered there from then on", async () => {
    const kofi = await world.person("kofi", "GH₵ 50.00");
    await visit(
      kofi,
      async (page) => {
        const thumb = countingThumb();
        await page.goto("/dashboard");
        await thumb.type(quickBuy(page).getByLabel("Recipient number"), "0241234569");
        await thumb.tap(quickBuy(page).getByRole("button", { name: "All bundles" }));
        await thumb.tap(page.locator("label.MTN", { hasText: /^\D*5GB/ }));
        await thumb.tap(page.getByRole("button", { name: /^Pay with Wallet/ }));
        await isOnItsWay(page);
        expect(thumb.effort()).toMatchObject({ taps: 4, typed: 1 });
        await page.goto("/dashboard");
        await quickBuy(page)
          .locator("label.MTN", { hasText: /^\D*5GB/ })
          .waitFor();
      },
      TOUCH,
    );
    expect(await world.balanceOf(kofi)).toBe(2910);
  });

  test("a repeated sale takes two taps and no typing", async () => {
    const esi = await world.person("esi", "GH₵ 50.00");
    const sold = (await products.list(world.db, "MTN")).find(({ size }) => size === "2GB")!;
    const line = { productId: sold.id, msisdn: "0241234568", quantity: 1 };
    await orders.buy(world.db, { by: esi.by(), key: null, line });
    await visit(
      esi,
      async (page) => {
        const thumb = countingThumb();
        await page.goto("/dashboard");
        await thumb.tap(page.getByRole("link", { name: /Repeat last order/ }));
        await thumb.tap(page.getByRole("button", { name: /^Pay/ }).first());
        await isOnItsWay(page);
        expect(thumb.effort()).toEqual({ taps: 2, typed: 0, scrolls: 0 });
      },
      TOUCH,
    );
    expect(await world.balanceOf(esi)).toBe(3320);
  });
});
