// Payments through Paystack in a real browser: what agents read when they succeed, fail, or take long.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Person } from "../support/world.ts";
import { describeInBrowser, openBrowser } from "./browser.ts";
import { button, card, field, link, openMarket, reads } from "./journeys.ts";

const market = await openMarket();
const { world, paystack } = market;

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world, market.environment);
  const asAgent = (walk: (page: Page, agent: Person) => Promise<void>) => async () => {
    const agent = await market.agent();
    await visit(agent, (page) => walk(page, agent));
  };

  describe("a payment through Paystack", () => {
    const startTopUp = async (page: Page, amount = "20") => {
      await page.goto("/wallet/top-up");
      await field(page, "Other amount").fill(amount);
      await button(page, "Card or bank").click();
    };

    test(
      "that cannot be started says so, and can be sent again",
      asAgent(async (page) => {
        paystack.fault("POST /transaction/initialize", { kind: "html502" });
        await startTopUp(page);
        await reads(
          page,
          "Failed to start payment. The payment service is not answering; nothing was charged. Try again later.",
        );
        await button(page, "Send it again").click();
        await button(page, "Pay GH₵ 20.00").click();
        await reads(page, "Wallet top-up completed successfully!");
      }),
    );

    test(
      "that cannot be verified says so, and is not lost",
      asAgent(async (page, agent) => {
        await startTopUp(page);
        await button(page, "Pay GH₵ 20.00").waitFor();
        paystack.fault("GET /transaction/verify/:reference", { kind: "html502" }, 2);
        await button(page, "Pay GH₵ 20.00").click();
        await reads(page, "Waiting for the payment");
        await button(page, "Check now").click();
        await reads(page, "Failed to verify payment. If you paid, the money will come into your wallet automatically.");
        await button(page, "Send it again").click();
        await reads(page, "Wallet top-up completed successfully!");
        expect(await world.balanceOf(agent)).toBe(12_000);
      }),
    );

    test(
      "stays pending when the payer leaves; when declined, shows the reason and can be started again",
      asAgent(async (page) => {
        await startTopUp(page);
        await button(page, "Return without paying").click();
        await reads(page, "Waiting for the payment");
        await link(page, "Go to the payment page").click();
        await button(page, "Fail for good").click();
        await button(page, "Return to the shop").click();
        await reads(page, "Declined by the bank");
        await link(page, "Start again").click();
        expect(await field(page, "Other amount").inputValue()).toBe("20.00");
      }),
    );

    test(
      "is requested on a phone, and succeeds when its owner approves",
      asAgent(async (page) => {
        await page.goto("/wallet/top-up");
        await field(page, "Other amount").fill("30");
        await button(page, "Send prompt to my phone").click();
        await reads(page, "Enter the mobile money number");
        await field(page, "Mobile money number").fill("0241234599");
        await button(page, "Send prompt to my phone").click();
        await reads(page, "No prompt? Dial *170#");
        const phone = await page.context().newPage();
        await phone.goto(`${paystack.url}/phone`);
        await phone.getByRole("button", { name: "Approve GH₵ 30.00" }).click();
        await phone.getByRole("heading", { name: "Phone" }).waitFor();
        await button(page, "Check now").click();
        await reads(page, "Wallet top-up completed successfully!");
      }),
    );

    test(
      "pays an order by MoMo at the checkout",
      asAgent(async (page) => {
        await page.goto("/mtn-data");
        await field(page, "Recipient number").fill(market.newNumber());
        await card(page, "1GB GH₵ 3.90").check();
        await button(page, "Pay with MoMo").click();
        await page.getByRole("heading", { name: /^MTN 1GB to 054/ }).waitFor();
        const id = new URL(page.url()).searchParams.get("order");
        const facts = await page.locator("dl").textContent();
        expect(facts).toStartWith(`Order ID${id}`);
        expect(facts).toEndWith("TotalGH₵ 3.90");
        await field(page, "Email for the receipt").fill("");
        await button(page, "Card or bank").click();
        await reads(page, "User email is required for payment processing");
        await field(page, "Email for the receipt").fill("receipts@example.com");
        await button(page, "Card or bank").click();
        await reads(page, "receipts@example.com");
        await button(page, "Pay GH₵ 3.90").click();
        await reads(page, `Payment received. Order #${id} is paid and on its way.`);
        await page.goto(`/checkout?order=${id}`);
        await reads(page, "This order is already paid");
      }),
    );
  });
});
