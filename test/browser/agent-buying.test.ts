// Buying a bundle and following an order, screen by screen in a real browser, with every message.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as products from "../../src/core/catalog/products.ts";
import { pauseProduct } from "../support/pausing.ts";
import type { Person } from "../support/world.ts";
import { describeInBrowser, openBrowser } from "./browser.ts";
import { button, card, download, field, fold, link, openMarket, reads } from "./journeys.ts";

const market = await openMarket();
const { world, client } = market;
const admin = world.yaw.by("admin");
await world.product("AIRTELTIGO", "1GB", "3.90");
for (const operator of ["AIRTELTIGO", "TELECEL"] as const) await world.product(operator, "50GB", "210.00");
await world.product("MTN", "50GB", "210.00");

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world, market.environment);
  const asAgent = (walk: (page: Page, agent: Person) => Promise<void>) => async () => {
    const agent = await market.agent();
    await visit(agent, (page) => walk(page, agent));
  };

  describe("the buying page", () => {
    test(
      "shows each network's bundles at its address, with their price range",
      asAgent(async (page) => {
        for (const [name, path] of [
          ["MTN", "/mtn-data"],
          ["AirtelTigo", "/airtel-tigo"],
          ["Telecel", "/telecel"],
        ] as const) {
          await page.goto(path);
          await page.getByRole("heading", { name: `${name} data` }).waitFor();
          await reads(page, name === "Telecel" ? "₵8.00 – ₵210.00" : "₵3.90 – ₵210.00");
        }
      }),
    );

    test(
      "refuses invalid purchases",
      asAgent(async (page) => {
        await page.goto("/airtel-tigo");
        expect(await field(page, "Recipient number").getAttribute("placeholder")).toBe("0541234567");
        await fold(page, "More than one").click();
        expect(await field(page, "Quantity").inputValue()).toBe("1");
        await button(page, "Pay with Wallet").click();
        await reads(page, "Select package and enter number");
        await card(page, "50GB GH₵ 210.00").check();
        await field(page, "Recipient number").fill("12345");
        await button(page, "Pay with Wallet").click();
        await reads(page, "Number is too short (5 of 10 digits)");
        await field(page, "Recipient number").fill("0261234567");
        await fold(page, "More than one").click();
        await field(page, "Quantity").fill("0");
        await button(page, "Pay with Wallet").click();
        await reads(page, "Quantity must be a whole number from 1 to 100");
        await field(page, "Quantity").fill("1");
        await link(page, "Top up GH₵ 110.00").waitFor();
        expect(await button(page, "Pay with Wallet").isVisible()).toBe(false);
        await page.goto("/airtel-tigo");
        await link(page, "Buy for many numbers at once").click();
        await button(page, "Check list").click();
        await reads(page, "Add at least one number");
        // Lines may name their sizes, so a package is asked for only when one does not.
        await field(page, "Numbers").fill("0261234567");
        await button(page, "Check list").click();
        await page.locator(".error", { hasText: "Select a package" }).waitFor();
        expect(await field(page, "Package").getAttribute("aria-invalid")).toBe("true");
      }),
    );

    test(
      "asks before a repeated order, and says when a bundle is gone or its price has changed",
      asAgent(async (page) => {
        const bundle = await world.product("MTN", "7GB", "7.00");
        const number = market.newNumber();
        const buy = async (price: string, before: () => Promise<unknown> = async () => {}) => {
          await page.goto("/mtn-data");
          await field(page, "Recipient number").fill(number);
          await card(page, `7GB GH₵ ${price}`).check();
          await before();
          await button(page, "Pay with Wallet").click();
        };
        await buy("7.00");
        await reads(page, "Paid with wallet successfully.");
        await buy("7.00");
        await reads(page, "Order it again?");
        await button(page, "Yes, order it again").click();
        await reads(page, "Paid with wallet successfully.");
        const change = { by: admin, productId: bundle.id };
        await buy("7.00", () => products.edit(world.db, { ...change, pricePesewas: 750 }));
        await reads(page, "The price has changed. Check it and try again.");
        await buy("7.50", () => pauseProduct(world.db, { ...change, message: "Back at noon" }));
        await reads(page, "This bundle is paused at the moment");
        await reads(page, "Back at noon");
        await pauseProduct(world.db, { ...change, message: null });
        await buy("7.50", () => products.retire(world.db, change));
        await reads(page, "Invalid package selected");
      }),
    );

    test(
      "warns about a number of another network, and accepts the lines of a file",
      asAgent(async (page) => {
        await page.goto("/telecel");
        await page.locator("form.counter is-land[on=load][ready]").first().waitFor({ state: "attached" });
        await field(page, "Recipient number").fill("0541234567");
        await page.getByRole("radio", { name: "Telecel" }).check();
        await reads(page, "054 123 4567 looks like MTN");
        await page.goto("/bulk?operator=TELECEL");
        await field(page, "Package").selectOption({ index: 1 });
        await field(page, "Numbers").scrollIntoViewIfNeeded();
        await page.locator("is-land[src*=bulk-check][ready]").waitFor({ state: "attached" });
        const buffer = Buffer.from("0201234567\n0201234568,2\n");
        await field(page, "Or a file").setInputFiles({ name: "n.csv", mimeType: "text/csv", buffer });
        await reads(page, "2 good lines");
        await button(page, "Check list").click();
        await button(page, "Place Bulk Orders (2)").click();
        await reads(page, "Created 2 orders");
      }),
    );
  });

  describe("orders", () => {
    test(
      "can be searched, and exported as files with the same content as the list",
      asAgent(async (page, agent) => {
        await page.goto("/orders");
        await reads(page, "No orders found");
        const [first, second] = [await market.order(agent), await market.order(agent, market.twoGb)];
        await client.call(world.yaw, "PATCH", `/api/v1/admin/orders/${first}/status`, {
          status: "COMPLETED",
        });
        await page.goto("/orders?all=1");
        await fold(page, "More").click();
        const all = await download(page, () => link(page, "Export All").click());
        expect(all.name).toBe("orders.csv");
        const lines = all.text.trim().split("\r\n");
        expect(lines[0]).toBe("Order ID,Number,Status,Operator,Product,Quantity,Amount,Date,Reference,Own data");
        expect(lines.slice(1).map((line) => line.split(",").slice(0, 1).concat(line.split(",")[2]!))).toEqual([
          [String(second), "PENDING"],
          [String(first), "COMPLETED"],
        ]);
        const fresh = await download(page, () => link(page, "Export New Only").click());
        expect(fresh.name).toBe("new_orders.csv");
        expect(fresh.text).toMatch(/^OPERATOR,NUMBER,GIGs\r\nTELECEL,054 \d{3} \d{4},2\r\n$/);
        const row = page.locator(`.row-link[href="/orders/${first}"]`);
        expect(await row.isVisible()).toBe(true);
        await link(page, "Open").click();
        await page.locator(".finished").locator(row).waitFor();
        await link(page, "Show all orders").click();
        await page.waitForURL("**/orders?all=1");
        await row.waitFor();
      }),
    );

    test(
      "show their history, can be paid from the wallet, and cancelled while nobody has them",
      asAgent(async (page, agent) => {
        const unpaid = await market.order(agent, market.oneGb, null);
        await page.goto(`/orders/${unpaid}`);
        await reads(page, "Unpaid");
        await button(page, "Pay with Wallet").click();
        await reads(page, `Paid with wallet successfully. Order #${unpaid} is on its way.`);
        await reads(page, "Paid GH₵ 3.90");
        await button(page, "Cancel (").click();
        await reads(page, `Order #${unpaid} is cancelled. GH₵ 3.90 is back in your wallet.`);
        expect(await world.balanceOf(agent)).toBe(10_000);
        const foreign = await market.order(await market.agent());
        await page.goto(`/orders/${foreign}`);
        await reads(page, "Order not found");
      }),
    );

    test(
      "can be reported by their number from the list",
      asAgent(async (page, agent) => {
        const id = await market.order(agent);
        await page.goto("/orders");
        await fold(page, "More").click();
        await fold(page, "Report an Issue").click();
        await field(page, "Order ID").fill("999999");
        await button(page, "Submit Report").click();
        await reads(page, "Order not found");
        await field(page, "Order ID").fill(`#${id}`);
        await button(page, "Submit Report").click();
        await reads(page, `Your report about order #${id} has been sent. Support will answer.`);
      }),
    );
  });
});
