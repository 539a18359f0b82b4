// The shop for admins, screen by screen in a real browser, with every message. The journeys are also run with the
// keyboard and without scripts.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as auditRuns from "../../src/core/ledger/audit-runs.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import { DESK, describeInBrowser, openBrowser } from "./browser.ts";
import { button, download, field, fold, link, mouse, openInRow, openMarket, reads, takeInRow } from "./journeys.ts";

const market = await openMarket();
const { world, paystack, client } = market;
const pathOf = (page: Page) => new URL(page.url()).pathname;

describeInBrowser("in a browser, an admin", () => {
  const { visit } = openBrowser(world, market.environment);
  const asAdmin = (walk: (page: Page) => Promise<void>) => () => visit(world.yaw, walk, { viewport: DESK });

  test("logs in to the admin dashboard, with the admin's menu", () =>
    visit(
      null,
      async (page) => {
        await page.goto("/login");
        await field(page, "Email").fill(world.yaw.email);
        await field(page, "Password").fill(world.yaw.password);
        await button(page, "Login").click();
        await page.waitForURL("**/admin");
        const menu = page.getByRole("navigation", { name: "Main" });
        for (const [name, path] of [
          ["Orders", "/orders"],
          ["Inbox", "/admin/support"],
          ["Bundles", "/admin/prices"],
          ["Agents", "/admin/users"],
          ["Suppliers", "/admin/vendors"],
          ["Money", "/admin/payments"],
          ["Reports", "/admin/statistics"],
          ["Settings", "/admin/settings"],
          ["Team", "/admin/staff"],
          ["Today", "/admin"],
        ] as const) {
          await menu.getByRole("link", { name, exact: true }).click();
          await page.waitForURL(`**${path}`);
          expect(await menu.locator("[aria-current=page]").allTextContents()).toEqual([name]);
        }
        await page.goto("/");
        await page.getByRole("heading", { name: "Welcome to your shop" }).waitFor();
      },
      { viewport: DESK },
    ));

  describe("on the dashboard", () => {
    test(
      "reads six figures, finds three tabs with their counts, and moves the latest orders",
      asAdmin(async (page) => {
        const agent = await market.agent();
        const id = await market.order(agent);
        await page.goto("/dashboard");
        await fold(page, "All-time figures").click();
        for (const name of ["Total Orders", "Processing", "Delivered", "Completed", "Pending", "Failed"])
          await page.getByRole("heading", { name, exact: true }).waitFor();
        await reads(page, "% success");
        await reads(page, "% of all");
        await link(page, "Refresh").click();
        await takeInRow(page, mouse, id);
        await reads(page, `Order ${id} status updated to PROCESSING`);
        await openInRow(page, mouse, `order ${id}`, "Complete");
        await reads(page, `Order ${id} status updated to COMPLETED`);
        // A COMPLETED order can still fail; nothing leads out of FAILED.
        await fold(page, `Fail … order ${id}`).click();
        await field(page, `Reason for failing order ${id}`).fill("Wrong number");
        await button(page, `Fail and refund GH₵ 3.90 order ${id}`).click();
        await reads(page, `Order ${id} status updated to FAILED`);
        expect(await page.getByRole("button", { name: new RegExp(`order ${id}$`) }).count()).toBe(0);
        expect(await world.balanceOf(agent)).toBe(10_000);
        const tabs = page.getByRole("navigation", { name: "Manage" });
        for (const [name, path] of [
          ["Orders", "/orders?all=1"],
          ["Bundles", "/admin/prices"],
          ["Agents", "/admin/users"],
        ] as const) {
          const label = await tabs.getByRole("link", { name }).textContent();
          expect(label).toMatch(new RegExp(`^${name} \\(\\d+\\)$`));
          expect(await tabs.getByRole("link", { name }).getAttribute("href")).toBe(path);
        }
        await link(page, "Settings").click();
        await page.waitForURL("**/admin/settings");
      }),
    );
  });

  describe("with orders", () => {
    test(
      "finds anybody's by number, name and status, and exports them",
      asAdmin(async (page) => {
        const agent = await market.agent();
        const id = await market.order(agent, market.twoGb);
        await page.goto("/orders");
        await page.getByRole("heading", { name: "Orders", exact: true }).waitFor();
        const search = page.getByRole("searchbox", { name: "Search" });
        for (const query of [String(id), agent.username, "telecel", "pending"]) {
          await search.fill(query);
          await button(page, "Search").click();
          await page.waitForURL(`**search=${query}**`);
          await page.getByRole("link", { name: `#${id}`, exact: true }).waitFor();
        }
        await search.fill(agent.username);
        await button(page, "Search").click();
        await page.waitForURL(`**search=${agent.username}**`);
        const file = await download(page, () => link(page, "Export All").click());
        const lines = file.text.trim().split("\r\n");
        expect(lines[0]).toBe(
          "Order ID,User ID,Number,Status,Operator,Product,Quantity,Amount,Date,Reference,Own data",
        );
        expect(lines.slice(1).map((line) => line.split(",").slice(0, 2))).toEqual([[String(id), String(agent.id)]]);
        await search.fill("nobody at all");
        await button(page, "Search").click();
        await reads(page, "No matching orders found");
        await page.getByRole("link", { name: "My Orders" }).click();
        await page.getByRole("heading", { name: "My Orders" }).waitFor();
        await reads(page, "No orders found");
      }),
    );

    test(
      "moves ticked and matching ones after a preview, and reads which could not be moved",
      asAdmin(async (page) => {
        const agent = await market.agent();
        const [first, second] = [await market.order(agent), await market.order(agent)];
        const unpaid = await market.order(agent, market.oneGb, null);
        await page.goto(`/orders?search=${agent.username}`);
        // What is done with many is shown once some are ticked.
        expect(await page.getByRole("button", { name: "Process", exact: true }).isVisible()).toBe(false);
        for (const id of [first, second, unpaid])
          await page.getByRole("checkbox", { name: `Select order ${id}` }).check();
        await page.getByRole("button", { name: "Process 3", exact: true }).click();
        await reads(page, "1: This order has not been paid yet.");
        await link(page, "Back").click();
        await page.getByRole("checkbox", { name: `Select order ${first}` }).check();
        await field(page, "Which orders").selectOption({ label: "All orders that match" });
        await page.getByRole("button", { name: "Process", exact: true }).click();
        await button(page, "Send 2 orders myself").click();
        await reads(page, "2 orders moved to PROCESSING. 1 not moved: This order has not been paid yet.");
        await page.goto(`/orders?search=${agent.username}`);
        await fold(page, "Cash …").click();
        await button(page, `I took GH₵ 3.90 in cash: Complete order ${unpaid}`).click();
        await reads(page, `Order ${unpaid} status updated to COMPLETED`);
        await page.goto(`/orders/${unpaid}`);
        await reads(page, "In cash");
      }),
    );
  });

  test(
    "sees what a product lacks, and pauses a network for everybody",
    asAdmin(async (page) => {
      await page.goto("/admin/prices");
      await fold(page, "Add a bundle").click();
      expect(await field(page, "Operator").inputValue()).toBe("MTN");
      await field(page, "Product Name").fill("  ");
      await field(page, "Size").fill("1GB");
      await field(page, "Price in GH₵").fill("3");
      await button(page, "Add bundle").click();
      await reads(page, "Please fill all product fields");
      await field(page, "Product Name").fill(market.oneGb.name);
      await button(page, "Add bundle").click();
      await reads(page, "This network already has a product with this name and size");
      await page.getByRole("searchbox", { name: "Search bundles" }).fill("nothing like it");
      await button(page, "Search").click();
      await reads(page, "No matching bundles found.");
      await page.goto("/admin/switches");
      await button(page, "Pause Telecel").click();
      expect(await field(page, "Message for buyers of Telecel").evaluate((it) => it.matches(":invalid"))).toBe(true);
      await field(page, "Message for buyers of Telecel").fill("Back on Monday");
      await button(page, "Pause Telecel").click();
      await reads(page, "Paused: nobody can buy it until you resume it.");
      await page.goto("/telecel");
      await reads(page, "Back on Monday");
      expect(await page.getByRole("radio", { name: "Paused" }).count()).toBeGreaterThan(0);
      expect(await page.locator(".offer.TELECEL input:enabled").count()).toBe(0);
      await page.goto("/admin/switches");
      await button(page, "Resume Telecel").click();
      await reads(page, "It is on sale.");
    }),
  );

  test(
    "finds users, and sees what an account or a correction lacks",
    asAdmin(async (page) => {
      const agent = await market.agent();
      await page.goto("/admin/users");
      const search = page.getByRole("searchbox", { name: "Search users" });
      await search.fill("no such person");
      await button(page, "Search").click();
      await reads(page, "No matching users found.");
      await search.fill(agent.email);
      await button(page, "Search").click();
      await reads(page, agent.username);
      await fold(page, "Create agent").click();
      await field(page, "Username").fill(agent.username);
      await field(page, "Email").fill("another@example.com");
      await field(page, "Password").fill("short");
      await button(page, "Create agent").click();
      await reads(page, "Password must be at least 6 characters");
      await field(page, "Password").fill("long enough");
      await button(page, "Create agent").click();
      await reads(page, "This username is already taken");
      await page.goto("/admin/staff");
      await fold(page, "Add somebody").click();
      await field(page, "Username").fill("second-admin");
      await field(page, "Email").fill("another@example.com");
      await field(page, "Password").fill("long enough");
      await button(page, "Create account").click();
      await reads(page, "Staff need a password of at least 12 characters");
      await page.goto(`/admin/users/${agent.id}`);
      await fold(page, "Add or take money …").click();
      await field(page, "Correct by GH₵").fill("-100.01");
      await field(page, "Reason").fill("Too much");
      await button(page, "Correct the wallet").click();
      await reads(page, "Insufficient wallet balance");
      await openInRow(page, mouse, `user ${agent.id}`, "Delete …");
      await reads(page, "Ban the account, pay the money out to its owner, then delete it.");
      await page.goto(`/admin/users/${world.yaw.id}`);
      await page.getByRole("heading", { name: "Wallet", exact: true }).waitFor();
      // Admins cannot ban or delete themselves.
      expect(await fold(page, "Ban …").count()).toBe(0);
      expect(await fold(page, "Delete …").count()).toBe(0);
    }),
  );

  test(
    "edits what agents read, and finds every change in the audit log",
    asAdmin(async (page) => {
      await page.goto("/admin/settings");
      await field(page, "Minimum top-up (GH₵)").fill("none");
      await button(page, "Save settings").click();
      await reads(page, "Enter an amount above zero with at most two decimals");
      await field(page, "Minimum top-up (GH₵)").fill("6");
      await field(page, "Mobile money number").fill("0540000000");
      await button(page, "Save settings").click();
      await reads(page, "Settings saved.");
      await page.getByRole("navigation", { name: "Settings" }).getByText("History").click();
      await field(page, "About").selectOption({ label: "setting" });
      await button(page, "Show").click();
      await page.waitForURL("**type=setting**");
      await page.getByText("GH₵ 6.00").first().waitFor();
      await page.goto("/wallet/top-up");
      await reads(page, "Minimum GH₵ 6.00");
    }),
  );

  test(
    "manages the money: deposits, payments, Paystack's list and the books",
    asAdmin(async (page) => {
      const agent = await market.agent();
      const file = (transactionId: string) =>
        deposits.file(world.db, { by: agent.by("web"), transactionId, amountPesewas: 5_000 });
      for (const transactionId of ["40125566701", "40125566702"]) await file(transactionId);
      await page.goto("/admin/claims");
      await fold(page, "Approve GH₵ 50.00 …").last().click();
      expect(await world.balanceOf(agent)).toBe(10_000);
      await button(page, "Approve GH₵ 50.00").click();
      await reads(page, "Approved: the money is in the agent's wallet.");
      expect(await world.balanceOf(agent)).toBe(15_000);
      await fold(page, "Refuse …").click();
      await button(page, "Refuse").click();
      await reads(page, "Say why");
      await field(page, "Reason for the agent").fill("No such transfer");
      await button(page, "Refuse").click();
      await reads(page, "Refused: the agent can read your reason.");
      await reads(page, "No deposits are waiting.");
      await link(page, "Show decided").click();
      await reads(page, "No such transfer");

      const started = await client.call(agent, "POST", "/api/v1/wallet/topup/init", { amount: 20 });
      const { transactionId } = started.body;
      const { body } = await client.call(agent, "POST", "/api/v1/paystack/init", { transactionId });
      await paystack.pay(body.reference);
      const tabs = page.getByRole("navigation", { name: "Money" });
      const parts = (name: string) => page.getByRole("navigation", { name, exact: true });
      await parts("In").getByText("Payments").click();
      await reads(page, body.reference);
      await parts("In").getByText("Disputes").click();
      await reads(page, "No disputes or refunds at Paystack.");
      await tabs.getByText("Bank").click();
      await parts("Bank").getByText("Compare with Paystack").click();
      await button(page, "Compare").click();
      await reads(page, "Differences (1)");
      await button(page, "Settle what Paystack confirms").click();
      await reads(page, "Everything agrees now.");
      expect(await world.balanceOf(agent)).toBe(17_000);
      await tabs.getByText("Month").click();
      await parts("Month").getByText("Books").click();
      await button(page, "Check everything").click();
      await reads(page, "The balances will be checked in a moment.");
      await auditRuns.runOpen(world.db);
      await page.reload();
      await reads(page, "The books balance.");
    }),
  );

  test(
    "reads agents' requests",
    asAdmin(async (page) => {
      const agent = await market.agent();
      const id = await market.order(agent);
      await client.browse(agent, "/orders/report", { orderId: String(id), message: "It has not come" });
      await page.goto("/support");
      expect(pathOf(page)).toBe("/admin/support");
      await reads(page, "It has not come");
      await link(page, `About order #${id}`).click();
      await page.waitForURL(/support\/\d+$/);
      await field(page, "Answer").fill("MTN has sent it again");
      await button(page, "Send answer").click();
      await reads(page, "Your answer has been sent.");
    }),
  );

  test(
    "of an empty shop sees the first steps",
    asAdmin(async (page) => {
      await world.db.$client`update products set retired_at = now() where retired_at is null and line = 'bundle'`;
      await page.goto("/admin/prices");
      await reads(page, "No bundle is on sale yet. Add your first one, or many from a list.");
    }),
  );
});
