// The shop for agents, screen by screen in a real browser, with every message. The journeys are also run
// with the keyboard and without scripts.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as settings from "../../src/core/platform/settings/settings.ts";
import type { Person } from "../support/world.ts";
import { DESK, describeInBrowser, openBrowser, seeChart } from "./browser.ts";
import { button, download, field, fold, link, openMarket, reads } from "./journeys.ts";

const market = await openMarket();
const { world, client } = market;
const admin = world.yaw.by("admin");
const tigo = await world.product("AIRTELTIGO", "1GB", "3.90");
for (const operator of ["AIRTELTIGO", "TELECEL"] as const) await world.product(operator, "50GB", "210.00");
await world.product("MTN", "50GB", "210.00");

const pathOf = (page: Page) => new URL(page.url()).pathname;

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world, market.environment);
  const asAgent = (walk: (page: Page, agent: Person) => Promise<void>) => async () => {
    const agent = await market.agent();
    await visit(agent, (page) => walk(page, agent));
  };

  describe("the frame of the pages", () => {
    test(
      "has the agent's menu, marks the current page, and redirects unknown paths to the dashboard",
      asAgent(async (page, agent) => {
        await page.setViewportSize(DESK);
        await page.goto("/nowhere");
        expect(pathOf(page)).toBe("/dashboard");
        const menu = page.getByRole("navigation", { name: "Main" });
        const places = await menu.getByRole("listitem").getByRole("link").allTextContents();
        // A network's badge has its letters.
        for (const place of ["Dashboard", "MMTN", "MTN AFA", "ATAirtelTigo", "TTelecel", "My Orders", "Support"])
          expect(places).toContain(place);
        for (const [name, path] of [
          ["MTN", "/mtn-data"],
          ["AirtelTigo", "/airtel-tigo"],
          ["Telecel", "/telecel"],
          ["MTN AFA", "/mtn-afa"],
          ["My Orders", "/orders"],
          ["Support", "/support"],
          ["Dashboard", "/"],
        ] as const) {
          await menu.getByRole("link", { name, exact: true }).click();
          await page.waitForURL(`**${path}`);
          const current = menu.locator("[aria-current=page]");
          await current.and(menu.getByRole("link", { name, exact: true })).waitFor();
          expect(await current.count()).toBe(1);
        }
        await menu.getByRole("link", { name: agent.username }).click();
        await page.waitForURL("**/profile");
      }),
    );

    test(
      "opens its drawer from the bar at the bottom of a phone",
      asAgent(async (page) => {
        await page.goto("/orders");
        const menu = page.getByRole("navigation", { name: "Main" });
        expect(await menu.isVisible()).toBe(false);
        await button(page, "More").click();
        await menu.getByRole("link", { name: "Support" }).click();
        await page.waitForURL("**/support");
      }),
    );

    test(
      "logs out with a notice, and leads to the login after two and a half seconds",
      asAgent(async (page) => {
        await page.setViewportSize(DESK);
        await page.goto("/support");
        await button(page, "Logout").click();
        await reads(page, "You have been logged out");
        const since = performance.now();
        await reads(page, "Redirecting you to the login page...");
        await page.waitForURL("**/login");
        expect(performance.now() - since).toBeGreaterThan(1500);
        await page.goto("/support");
        expect(pathOf(page)).toBe("/login");
      }),
    );

    test(
      "tells the agent when the session has ended",
      asAgent(async (page, agent) => {
        await page.goto("/support");
        await world.db.$client`delete from sessions where user_id = ${agent.id}`;
        await page.goto("/orders");
        await reads(page, "Your session has ended. Log in again.");
        expect(page.url()).toEndWith("/login?next=%2Forders");
      }),
    );
  });

  describe("the dashboard", () => {
    test(
      "counts what was bought, lists the last five orders, and links to the rest",
      asAgent(async (page, agent) => {
        await page.goto("/dashboard");
        await reads(page, "First steps");
        for (let n = 0; n < 6; n++) await market.order(agent, n === 0 ? tigo : market.oneGb);
        await link(page, "Refresh").click();
        const recent = page.getByRole("list", { name: "Recent orders" });
        await recent.waitFor();
        expect(await page.locator(".hero .figure").textContent()).toBe("GH₵ 76.60");
        expect(await page.locator(".today").textContent()).toBe("Sales todayGH₵ 23.40Orders today6");
        expect(await recent.locator(".row-link").count()).toBe(5);
        const allTime = page.getByRole("heading", { name: "All time" }).locator("../..");
        for (const text of ["Orders6", "Total spent without failed ordersGH₵ 23.40", "Data sold6 GB"])
          expect(await allTime.textContent()).toContain(text);
        await reads(page, "AirtelTigo");
        await fold(page, "Figures").click();
        await page.getByRole("row", { name: "6 GH₵ 23.40" }).waitFor();
        for (const [name, path] of [
          ["New Order", "/buy"],
          ["View Orders", "/orders"],
          ["View All", "/orders?all=1"],
          ["Top up", "/wallet/top-up"],
        ] as const)
          expect(await link(page, name).getAttribute("href")).toBe(path);
      }),
    );

    test(
      "shows a new agent the first steps, until they are hidden",
      asAgent(async (page) => {
        await page.goto("/dashboard");
        await reads(page, "Done: Top up your wallet");
        expect(await link(page, "Confirm your phone").getAttribute("href")).toBe("/profile/phone");
        await button(page, "Hide these steps").click();
        await page.getByText("No orders yet.").waitFor();
        expect(await page.getByText("First steps").count()).toBe(0);
      }),
    );

    test(
      "tops up the wallet, from its dialog to Paystack and back with the money",
      asAgent(async (page) => {
        await page.goto("/dashboard");
        await button(page, "Top Up").first().click();
        const dialog = page.getByRole("dialog", { name: "Top Up Wallet" });
        await dialog.getByText("Minimum GH₵ 5.00").waitFor();
        await dialog.getByLabel("Other amount").fill("0");
        // With scripts, the button is disabled until there is an amount.
        await dialog.getByRole("button", { name: "Card or bank", disabled: true }).waitFor();
        await dialog.getByLabel("Other amount").fill("4.99");
        await dialog.getByRole("button", { name: "Card or bank" }).click();
        await reads(page, "The minimum top-up is GH₵ 5.00");
        await field(page, "Other amount").fill("25");
        await button(page, "Card or bank").click();
        await button(page, "Pay GH₵ 25.00").click();
        await reads(page, "Wallet top-up completed successfully!");
        await reads(page, "GH₵ 125.00");
        // The return address that other programs use proves nothing.
        await page.goto("/dashboard?wallet=success&reference=tp-none");
        await reads(page, "Payment not found");
      }),
    );
  });

  test(
    "an order's page updates by itself",
    asAgent(async (page, agent) => {
      const id = await market.order(agent);
      await page.clock.install();
      await page.goto(`/orders/${id}`);
      await reads(page, "Updates by itself");
      const status = { status: "PROCESSING" };
      await client.call(world.yaw, "PATCH", `/api/v1/admin/orders/${id}/status`, status);
      await page.clock.fastForward(5_000);
      await page.locator("main .chip", { hasText: "PROCESSING" }).waitFor();
    }),
  );

  test(
    "the sales history is drawn, explored by days and networks, and downloaded as a file",
    asAgent(async (page, agent) => {
      await page.goto("/statistics");
      await reads(page, "Nothing was sold on these days.");
      await market.order(agent);
      await market.order(agent, market.twoGb);
      await page.getByRole("navigation", { name: "How long" }).getByText("7 days").click();
      await seeChart(page);
      await fold(page, "Other days, or one network").click();
      await field(page, "Network").selectOption({ label: "Telecel" });
      await button(page, "Show").click();
      await page.waitForURL("**operator=TELECEL**");
      await page.getByRole("row", { name: /^Telecel .*GH₵ 8\.00/ }).waitFor();
      const file = await download(page, () => link(page, "Download CSV").click());
      expect(file.text).toContain("8.00");
      expect(file.text).not.toContain("3.90");
    }),
  );

  test(
    "the wallet shows its movements, exports a statement, and accepts a manual deposit",
    asAgent(async (page, agent) => {
      await market.order(agent);
      await page.goto("/wallet/manual");
      await reads(page, "Not offered at the moment.");
      const values = { manual_payment_number: "0540000000", manual_payment_name: "DataFie Ltd" };
      await settings.change(world.db, { by: admin, values });
      await page.reload();
      for (const text of ["0540000000", "DataFie Ltd", "GH₵ 10.00"]) await reads(page, text);
      await page.goto("/wallet");
      for (const text of ["−GH₵ 3.90", "Balance 96.10"]) await reads(page, text);
      await fold(page, "More: statements").click();
      const file = await download(page, () => button(page, "Download CSV").click());
      expect(file.text).toContain("-3.90");
      await link(page, "Send mobile money yourself").click();
      await link(page, "Confirm your transfer").click();
      await field(page, "Transaction ID").fill("none");
      await field(page, "Amount in GH₵").fill("9.99");
      await button(page, "Report deposit").click();
      await reads(page, "Enter the transaction ID from the mobile money message, digits only");
      await field(page, "Transaction ID").fill("40125566778");
      await button(page, "Report deposit").click();
      await reads(page, "The minimum deposit is GH₵ 10.00");
      await field(page, "Amount in GH₵").fill("50");
      await button(page, "Report deposit").click();
      await reads(page, "Thank you. We will look for your transfer and credit your wallet.");
      await link(page, "Report a delay").click();
      await button(page, "Send to support").click();
      await reads(page, "Say what happened");
      await field(page, "What should we know?").fill("Sent an hour ago");
      await button(page, "Send to support").click();
      await reads(page, "Your report has been sent. Support will answer.");
    }),
  );

  test(
    "support shows its contact details, and says which fields are missing",
    asAgent(async (page, agent) => {
      const values = { support_email: "help@example.com", support_phone: "030 000 0000" };
      await settings.change(world.db, { by: admin, values });
      await page.goto("/support");
      for (const text of ["help@example.com", "030 000 0000", "Mon-Fri 9AM-5PM"]) await reads(page, text);
      expect(await field(page, "Full name").inputValue()).toBe(agent.username);
      await field(page, "Full name").fill("");
      await button(page, "Submit Request").click();
      for (const text of ["Enter your full name", "Enter a subject", "Say what happened"]) await reads(page, text);
    }),
  );

  test(
    "the profile changes the name, and the password with the old one",
    asAgent(async (page, agent) => {
      await page.goto("/profile");
      await link(page, "Name and email").click();
      await field(page, "Username").fill(`${agent.username}-shop`);
      await field(page, "Current password").fill("wrong");
      await button(page, "Save").click();
      await reads(page, "The current password is wrong");
      await field(page, "Current password").fill(agent.password);
      await button(page, "Save").click();
      await reads(page, "Saved. Your other devices are logged out.");
      await link(page, "Password").click();
      const change = async (again: string) => {
        await field(page, "New password").fill("one for the road");
        await field(page, "Confirm new password").fill(again);
        await field(page, "Current password").fill(agent.password);
        await button(page, "Change Password").click();
      };
      await change("another");
      await reads(page, "Passwords don't match");
      await change("one for the road");
      await reads(page, "Your password has been changed. Your other devices are logged out.");
    }),
  );

  test(
    "an agent cannot open admin pages",
    asAgent(async (page) => {
      await page.goto("/admin");
      await reads(page, "It is for the people who run the shop.");
    }),
  );
});
