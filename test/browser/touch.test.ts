// Touch targets, dialogs and refused forms in a browser: buttons are large enough for a thumb, what is behind a dialog
// cannot be reached, and after a refusal the focus is where the error can be corrected.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as orders from "../../src/core/buying/buy.ts";
import { openWorld } from "../support/world.ts";
import { DESK, describeInBrowser, openBrowser } from "./browser.ts";

const world = await openWorld();
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 4,958,710.00");
for (const msisdn of ["0241234567", "0241234568"]) {
  const line = { productId: bundle.id, msisdn, quantity: 1 };
  await orders.buy(world.db, { by: ama.by(), key: null, line });
}
const LEAST = 44;

/** The touch targets in the page's content that are too low. */
const lowTargets = (page: Page) =>
  page.evaluate((least) => {
    const all = [...document.querySelectorAll<HTMLElement>("main a, main button, main summary, main select")];
    return all
      .filter((one) => one.checkVisibility() && !one.closest("thead"))
      .map((one) => {
        // A link's touch target may extend beyond its text.
        const after = getComputedStyle(one, "::after");
        const reach = after.position === "absolute" ? one.closest("tr, .beside > div")! : one;
        return { label: one.textContent!.trim(), height: Math.round(reach.getBoundingClientRect().height) };
      })
      .filter(({ height }) => height < least)
      .map(({ label, height }) => `${label}: ${height}`);
  }, LEAST);

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world);

  test("every touch target on a phone is at least 44 px high", () =>
    visit(ama, async (page) => {
      for (const path of [
        "/dashboard",
        "/orders",
        "/buy",
        "/wallet",
        "/wallet/top-up",
        "/orders/1",
        "/support",
        "/profile",
        "/profile/phone",
        "/wallet/manual",
      ]) {
        await page.goto(path);
        expect([path, await lowTargets(page)]).toEqual([path, []]);
      }
    }));

  test("every touch target in the low rows of staff is at least 44 px high", () =>
    visit(world.yaw, async (page) => {
      for (const path of [
        "/admin",
        "/orders?all=1",
        "/admin/prices",
        "/admin/staff",
        "/admin/users",
        `/admin/users/${ama.id}`,
        `/admin/users/${ama.id}/orders`,
        `/admin/users/${ama.id}/statement`,
        "/admin/audit",
        "/admin/texts",
        "/admin/profit",
      ]) {
        await page.goto(path);
        expect([path, await lowTargets(page)]).toEqual([path, []]);
      }
    }));

  test("a row opens its order wherever it is touched", () =>
    visit(ama, async (page) => {
      await page.goto("/orders");
      await page.locator(".row-link .chip").first().click();
      await page.waitForURL(/\/orders\/\d+$/);
    }));

  test.each([320, 768, 1024, 1280])("amounts in millions fit in their card at %d px", (width) =>
    visit(
      ama,
      async (page) => {
        await page.goto("/dashboard");
        const over = await page.evaluate(() =>
          [...document.querySelectorAll(".hero, .today > div, .row-link, .facts")].flatMap((card) => {
            const sums = [...card.querySelectorAll(".money")].map((sum) => sum.getBoundingClientRect().right);
            return Math.max(...sums) > card.getBoundingClientRect().right ? [card.textContent] : [];
          }),
        );
        expect(over).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      },
      { viewport: { width, height: 800 } },
    ),
  );

  test("a dialog takes the focus, keeps it, and returns it when it closes", () =>
    visit(
      ama,
      async (page) => {
        await page.goto("/dashboard");
        const isAlive = page.locator("#top-up is-land[ready]");
        await isAlive.nth(2).waitFor({ state: "attached" });
        await page.getByRole("button", { name: "Top Up" }).first().click();
        await page.locator("#top-up [name=preset]:focus").waitFor();
        const focused = () =>
          page.evaluate(() => [
            document.activeElement!.closest("#top-up") !== null,
            (document.activeElement as HTMLInputElement).name,
          ]);
        expect(await focused()).toEqual([true, "preset"]);
        for (let i = 0; i < 12; i++) {
          await page.keyboard.press("Tab");
          const [isInside] = await focused();
          // Between the dialog's last and first stop is the browser's own frame.
          expect(isInside || (await page.evaluate(() => document.activeElement === document.body))).toBe(true);
        }
        await page.keyboard.press("Escape");
        expect(await page.locator("[inert]").count()).toBe(0);
      },
      { viewport: DESK },
    ));

  test("after a refusal the browser focuses the field with the error", () =>
    visit(
      ama,
      async (page) => {
        await page.goto("/mtn-data");
        await page.fill("#field-msisdn", "0541234567");
        await page.getByRole("radio", { name: "1GB GH₵ 3.90" }).check();
        await page.getByText("More than one").click();
        await page.fill("#field-quantity", "0");
        await page.getByRole("button", { name: "Pay with Wallet" }).click();
        await page.locator("#field-quantity-error").waitFor();
        expect(await page.evaluate(() => document.activeElement!.id)).toBe("field-quantity");
        expect(
          await page.locator("#field-quantity-error").evaluate((one) => one.getBoundingClientRect().bottom),
        ).toBeLessThan(740);
      },
      { refusedAt: "/mtn-data" },
    ));

  test("a button that costs money shows that it is working", () =>
    visit(ama, async (page) => {
      const answered = Promise.withResolvers<void>();
      await page.goto("/mtn-data");
      await page.locator("form is-land[ready]").nth(2).waitFor({ state: "attached" });
      await page.fill("#field-msisdn", "0551234567");
      await page.getByRole("radio", { name: "1GB GH₵ 3.90" }).check();
      let sent = 0;
      await page.route("**/mtn-data", async (route) => {
        sent += 1;
        await answered.promise;
        await route.continue();
      });
      const label = await page.evaluate(() => {
        const [wallet, momo] = [...document.querySelectorAll<HTMLButtonElement>("button[name=pay]")];
        for (const button of [wallet!, wallet!, momo!]) button.click();
        return wallet!.textContent;
      });
      expect(label).toBe("Paying…");
      answered.resolve();
      await page.getByText("Paid with wallet successfully").waitFor();
      expect(sent).toBe(1);
      await page.getByRole("button", { name: /^Cancel \(\d+ s\)$/ }).click();
      await page.getByText("is cancelled. GH₵ 3.90 is back in your wallet.").waitFor();
    }));
});
