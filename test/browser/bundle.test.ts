// The bundle page in a real browser: its islands are hydrated under the page's policy, which blocks none of them.
import { expect, test } from "bun:test";
import { openWorld } from "../support/world.ts";
import { describeInBrowser, objectionsTo, openBrowser } from "./browser.ts";

const world = await openWorld();
await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 10.00");

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world);

  test("a typed number shows its network, the total, and the balance after the purchase", () =>
    visit(ama, async (page) => {
      await page.goto("/mtn-data");
      await page.selectOption("#field-productId", { label: "1GB – GH₵ 3.90" });
      await page.locator("#field-msisdn").pressSequentially("0201234567");
      await page.fill("#field-quantity", "2");
      await page.getByText("020 123 4567 looks like Telecel").waitFor();
      const total = await page.locator(".cost").first().textContent();
      expect(total).toBe("TotalGH₵ 7.80Available afterwardsGH₵ 2.20");
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
      await page.goto("/mtn-data");
      await page.selectOption("#field-productId", { label: "1GB – GH₵ 3.90" });
      await page.fill("#field-msisdn", "0201234567");
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
        await page.selectOption("#field-productId", { label: "1GB – GH₵ 3.90" });
        await page.fill("#field-msisdn", "0201234567");
        await page.getByRole("button", { name: "Pay with Wallet" }).click();
        await page.getByText("Is 020 123 4567 on MTN?").waitFor();
        await page.getByRole("button", { name: "Yes, it was moved to MTN" }).click();
        await page.getByText("Paid with wallet successfully").waitFor();
      },
      { javaScriptEnabled: false, refusedAt: "/mtn-data" },
    ));
});
