// The shop for visitors in a real browser: the pitch, the sign-up, the login, with every message.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as users from "../../src/core/identity/users.ts";
import { describeInBrowser, openBrowser } from "./browser.ts";
import { button, field, link, openMarket, reads } from "./journeys.ts";

const market = await openMarket();
const { world } = market;
const admin = world.yaw.by("admin");

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

  describe("a visitor", () => {
    test("reads the pitch, finds login and sign-up, and is redirected from any other page to the login", () =>
      visit(null, async (page) => {
        await page.goto("/");
        for (const text of ["Sell data for every network", "No setup fees"]) await reads(page, text);
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
        await page.waitForURL("**/signup");
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
});
