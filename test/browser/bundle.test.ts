// The buying page in a real browser: its islands are hydrated under the page's policy, which blocks none of them.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openWorld } from "../support/world.ts";
import { objectionsTo } from "./axe.ts";
import { describeInBrowser, openBrowser } from "./browser.ts";
import { card } from "./journeys.ts";

const world = await openWorld();
await world.product("MTN", "1GB", "3.90");
await world.product("TELECEL", "2GB", "4.50");
const ama = await world.person("ama", "GH₵ 10.00");

/** Waits until the form's islands are hydrated. */
const counter = (page: Page) =>
  page.locator("form.counter is-land[on=load][ready]").nth(1).waitFor({ state: "attached" });

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world);

  test("a typed number chooses its network, and the bar says what is sold and what it leaves", () =>
    visit(ama, async (page) => {
      await page.goto("/buy");
      await counter(page);
      await page.locator("#field-msisdn").pressSequentially("0201234567");
      await page.getByRole("heading", { name: "Telecel data" }).waitFor();
      expect(await page.getByRole("heading", { name: "MTN data" }).isVisible()).toBe(false);
      await card(page, "2GB GH₵ 4.50").check();
      await page.getByText("2GB to 020 123 4567").waitFor();
      await page.getByText("More than one").click();
      await page.fill("#field-quantity", "3");
      await page.getByText("Top up GH₵ 3.50").waitFor();
      // It stands in the place of the button that could not work.
      expect(await page.getByRole("button", { name: "Pay with Wallet" }).count()).toBe(0);
    }));

  test("without a script the choice of a network shows its bundles", () =>
    visit(
      ama,
      async (page) => {
        await page.goto("/buy");
        for (const name of ["Telecel", "MTN"]) {
          await page.getByRole("radio", { name, exact: true }).check();
          await page.getByRole("heading", { name: `${name} data` }).waitFor();
          expect(await page.getByRole("heading", { name: / data$/, level: 2 }).count()).toBe(1);
        }
      },
      { javaScriptEnabled: false },
    ));

  test("a tap on a recent recipient fills in the sale in place, and what was typed before is offered again", async () =>
    visit(await world.person("esi", "GH₵ 20.00"), async (page) => {
      await page.goto("/buy");
      await counter(page);
      await page.fill("#field-msisdn", "0541112223");
      await card(page, "1GB GH₵ 3.90").check();
      await page.getByRole("button", { name: "Pay with Wallet" }).click();
      await page.getByText("Paid with wallet successfully").waitFor();
      await page.goto("/buy");
      await counter(page);
      await page.fill("#field-msisdn", "0245550");
      await page.goto("/buy");
      await page.getByText("Not sold yet: 0245550").waitFor();
      await page.getByRole("link", { name: "054 111 2223 · 1GB" }).click();
      await page.getByText("1GB to 054 111 2223").waitFor();
      expect(new URL(page.url()).search).toBe("");
    }));

  test("what was typed before the scripts were loaded is kept and used", () =>
    visit(null, async (page) => {
      const typed = Promise.withResolvers<void>();
      await page.route("**/built/**", async (route) => {
        await typed.promise;
        await route.continue();
      });
      await page.goto("/login", { waitUntil: "commit" });
      await page.fill("[name=password]", "a secret");
      typed.resolve();
      await page.getByRole("button", { name: "Show password" }).click();
      expect(await page.inputValue("[name=password]")).toBe("a secret");
      await page.locator("[name=password][type=text]").waitFor();
    }));

  test("pasted lines are counted, and an invalid one is fixed in place and sent as fixed", () =>
    visit(ama, async (page) => {
      await page.goto("/bulk?operator=MTN");
      await page.locator("#bulk-lines").scrollIntoViewIfNeeded();
      await page.fill("#bulk-lines", "0541234567\n12345");
      await page.getByRole("textbox", { name: "Line 2" }).fill("0241234567");
      await page.getByRole("textbox", { name: "Line 2" }).press("Enter");
      await page.getByText("2 good lines").waitFor();
      await page.selectOption("#bulk-product", { label: "1GB – GH₵ 3.90" });
      await page.getByRole("button", { name: "Check list" }).click();
      await page.getByRole("button", { name: "Place Bulk Orders (2)" }).waitFor();
    }));

  test("axe has no objection to the page in use", () =>
    visit(ama, async (page) => {
      await page.goto("/buy");
      await counter(page);
      await page.fill("#field-msisdn", "0201234567");
      await page.getByRole("radio", { name: "MTN", exact: true }).check();
      await card(page, "1GB GH₵ 3.90").check();
      await page.getByText("looks like Telecel").waitFor();
      expect(await objectionsTo(page)).toEqual([]);
      await page.goto("/bulk?operator=MTN");
      await page.fill("#bulk-lines", "0541234567\n0541234567\n12345");
      await page.getByRole("button", { name: /^Repeated/ }).waitFor();
      expect(await objectionsTo(page)).toEqual([]);
    }));

  test("the page works without scripts, and shows nothing that needs them", () =>
    visit(
      ama,
      async (page) => {
        await page.goto("/bulk?operator=MTN");
        expect(await page.getByRole("button", { name: "Check list" }).isVisible()).toBe(true);
        await page.goto("/mtn-data");
        await page.fill("#field-msisdn", "0201234567");
        await card(page, "1GB GH₵ 3.90").check();
        await page.getByRole("button", { name: "Pay with Wallet" }).click();
        await page.getByText("Is 020 123 4567 on MTN?").waitFor();
        await page.getByRole("button", { name: "Yes, it was moved to MTN" }).click();
        await page.getByText("Paid with wallet successfully").waitFor();
      },
      { javaScriptEnabled: false, refusedAt: "/mtn-data" },
    ));
});
