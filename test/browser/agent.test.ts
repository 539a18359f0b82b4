// The shop for visitors and agents, screen by screen in a real browser, with every message. The journeys are also run
// with the keyboard and without scripts.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as products from "../../src/core/catalog/products.ts";
import * as users from "../../src/core/identity/users.ts";
import * as settings from "../../src/core/platform/settings.ts";
import type { Person } from "../support/world.ts";
import { DESK, describeInBrowser, openBrowser } from "./browser.ts";
import { button, card, download, field, fold, link, openMarket, reads } from "./journeys.ts";

const market = await openMarket();
const { world, paystack, client } = market;
const admin = world.yaw.by("admin");
const tigo = await world.product("AIRTELTIGO", "1GB", "3.90");
for (const operator of ["AIRTELTIGO", "TELECEL"] as const) await world.product(operator, "50GB", "210.00");
await world.product("MTN", "50GB", "210.00");

const pathOf = (page: Page) => new URL(page.url()).pathname;
/** The button's label while its form is being sent. A page that is being left answers no other question. */
const labelWhileSending = (page: Page, label: string) =>
  button(page, label).evaluate(
    (it) =>
      new Promise<string>((resolve) => {
        const look = () => resolve(it.textContent);
        new MutationObserver(look).observe(it, { childList: true, characterData: true, subtree: true });
      }),
  );

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world, market.environment);
  const asAgent = (walk: (page: Page, agent: Person) => Promise<void>) => async () => {
    const agent = await market.agent();
    await visit(agent, (page) => walk(page, agent));
  };

  describe("a visitor", () => {
    test("reads the pitch, finds login and sign-up, and is redirected from any other page to the login", () =>
      visit(null, async (page) => {
        await page.goto("/");
        for (const text of ["Sell data for every network", "No setup fees", "Support Mon-Fri 9AM-5PM"])
          await reads(page, text);
        await link(page, "Get Started").first().click();
        await page.waitForURL("**/signup");
        await page.goBack();
        await link(page, "Login").first().click();
        await page.waitForURL("**/login");
        for (const path of ["/nowhere", "/nowhere/else", "/dashboard"]) {
          await page.goto(path);
          expect(pathOf(page)).toBe("/login");
        }
        await page.goto("/status");
        await page.getByRole("heading", { name: "Deliveries right now" }).waitFor();
        await page.goto("/mtn-data");
        expect(page.url()).toEndWith("/login?next=%2Fmtn-data");
      }));

    test("signs up, reads what is wrong, waits for the answer, and logs in", () =>
      visit(null, async (page) => {
        await page.goto("/signup");
        const fillIn = async (password: string, again: string) => {
          await field(page, "Password").fill(password);
          await field(page, "Confirm password").fill(again);
        };
        await field(page, "Username").fill("esi");
        await field(page, "Email").fill("esi@example.com");
        await fillIn("long enough", "another one");
        await button(page, "Create Account").click();
        await reads(page, "Passwords don't match");
        await fillIn("short", "short");
        await button(page, "Create Account").click();
        await reads(page, "Password must be at least 6 characters");
        await fillIn("bundles for all", "bundles for all");
        await button(page, "Show password").click();
        await page.locator("[name=password][type=text]").waitFor();
        await button(page, "Show password").click();
        await page.locator("[name=password][type=password]").waitFor();
        const answered = Promise.withResolvers<void>();
        await page.route("**/signup", async (route) => {
          await answered.promise;
          await route.continue();
        });
        const pending = labelWhileSending(page, "Create Account");
        await button(page, "Create Account").click({ noWaitAfter: true });
        expect(await pending).toBe("Creating Account...");
        answered.resolve();
        await reads(page, "Account created successfully! Please log in.");
        expect(pathOf(page)).toBe("/login");
        await field(page, "Email").fill("esi@example.com");
        await field(page, "Password").fill("not mine");
        await button(page, "Login").click();
        await reads(page, "Wrong email or password");
        await field(page, "Password").fill("bundles for all");
        await button(page, "Login").click();
        await page.waitForURL("**/dashboard");
        await page.getByRole("heading", { name: "Welcome, esi" }).waitFor();
      }));

    test("cannot take a name that exists, and finds help for a forgotten password", () =>
      visit(null, async (page) => {
        const taken = await market.agent();
        await page.goto("/signup");
        await field(page, "Username").fill(taken.username);
        await field(page, "Email").fill("new@example.com");
        for (const label of ["Password", "Confirm password"]) await field(page, label).fill("long enough");
        await button(page, "Create Account").click();
        await reads(page, "This username is already taken");
        await link(page, "Sign in").click();
        await link(page, "Sign Up").click();
        await page.goBack();
        await link(page, "Forgot Password?").click();
        await page.getByRole("heading", { name: "Forgot password" }).waitFor();
      }));

    test("who is banned reads so", () =>
      visit(null, async (page) => {
        const banned = await market.agent();
        await users.ban(world.db, { by: admin, userId: banned.id });
        await page.goto("/login");
        await field(page, "Email").fill(banned.email);
        await field(page, "Password").fill(banned.password);
        await button(page, "Login").click();
        await reads(page, "This account has been banned. Contact support.");
      }));
  });

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
        for (const place of [
          "Dashboard",
          "MMTN",
          "MTN AFA",
          "ATAirtelTigo",
          "TTelecel",
          "My Orders",
          "Support",
        ])
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
          ["Add Funds", "/wallet/top-up"],
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
        await reads(
          page,
          "Failed to verify payment. If you paid, the money will come into your wallet automatically.",
        );
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
      await page.locator(".key").scrollIntoViewIfNeeded();
      await page.locator("is-land[drawn] canvas").waitFor();
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
        await reads(page, "Enter a valid Ghana number, such as 0541234567");
        await field(page, "Recipient number").fill("0261234567");
        await fold(page, "More than one").click();
        await field(page, "Quantity").fill("0");
        await button(page, "Pay with Wallet").click();
        await reads(page, "Quantity must be a whole number from 1 to 100");
        await field(page, "Quantity").fill("1");
        await button(page, "Pay with Wallet").click();
        await reads(page, "You need GH₵ 110.00 more.");
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
        await buy("7.50", () => products.pause(world.db, { ...change, message: "Back at noon" }));
        await reads(page, "This bundle is paused at the moment");
        await reads(page, "Back at noon");
        await products.pause(world.db, { ...change, message: null });
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
        expect(lines.slice(1).map((line) => line.split(",").slice(0, 1).concat(line.split(",")[2]!))).toEqual(
          [
            [String(second), "PENDING"],
            [String(first), "COMPLETED"],
          ],
        );
        const fresh = await download(page, () => link(page, "Export New Only").click());
        expect(fresh.name).toBe("new_orders.csv");
        expect(fresh.text).toMatch(/^OPERATOR,NUMBER,GIGs\r\nTELECEL,054 \d{3} \d{4},2\r\n$/);
        const row = page.locator(`.row-link[href="/orders/${first}"]`);
        expect(await row.isVisible()).toBe(true);
        await link(page, "On the way").click();
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
      await link(page, "I have sent money").click();
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
      for (const text of ["Enter your full name", "Enter a subject", "Say what happened"])
        await reads(page, text);
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
