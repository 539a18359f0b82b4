// A real browser on the admins' pages: menus, lists and charts come alive under the pages' own policy, can be used with
// the keyboard alone, and shut nobody out.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import * as orders from "../../src/core/orders.ts";
import { SESSION_COOKIE } from "../../src/server.ts";
import { type Shop, startShop } from "../support/shop.ts";
import { openApp, openWorld } from "../support/world.ts";

const executablePath = process.env.CHROMIUM_PATH || "/usr/bin/chromium";

const world = await openWorld();
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 50.00");
const kofi = await world.person("kofi", "GH₵ 50.00");
for (const [i, person] of [ama, ama, kofi].entries()) {
  const line = { productId: bundle.id, msisdn: `024000000${i}`, quantity: 1 };
  await orders.buy(world.db, { by: person.by(), key: null, line });
}
const client = openApp(world);

describe.if(existsSync(executablePath))("in an admin's browser,", () => {
  let browser: Browser;
  let shop: Shop;

  beforeAll(async () => {
    shop = await startShop(world.url);
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await shop.stop();
  });

  const open = async (path: string, { width = 1280, colorScheme = "light" as "light" | "dark" } = {}) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const token = await client.tokenOf(world.yaw);
    await context.addCookies([{ name: SESSION_COOKIE, value: token, url: shop.url }]);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(shop.url + path);
    return { page, complaints, close: () => context.close() };
  };

  test("a row's menu does what its buttons did, by the keyboard alone", async () => {
    const { page, complaints, close } = await open("/orders");
    await page.getByRole("button", { name: "More for order 3" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Complete" }).waitFor();
    await focusIn(page, "menu");
    // A question first: it comes out beside the row, with its button ready.
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("Fail and give"));
    await page.getByRole("button", { name: "More for order 3" }).focus();
    await page.keyboard.press("Enter");
    await focusIn(page, "menu");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.getByText("Order 3 status updated to COMPLETED").waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test("orders are filtered by a user who is found as one types, and by a status with its colour", async () => {
    const { page, complaints, close } = await open("/orders?all=1");
    await page.getByText("Filters").click();
    await page.getByRole("combobox", { name: "User" }).fill("am");
    await page.getByRole("option", { name: /ama@example\.com/ }).waitFor();
    await page.keyboard.press("Enter");
    expect(await page.inputValue("[name=user]")).toBe(String(ama.id));
    await page.getByRole("button", { name: "Status: Any" }).click();
    await page.getByRole("option", { name: "PENDING" }).click();
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/user=\d+/);
    expect(new URL(page.url()).searchParams.get("status")).toBe("PENDING");
    expect(await page.locator(".orders tbody tr").count()).toBe(2);
    expect(await page.getByRole("combobox", { name: "User" }).inputValue()).toBe("ama");
    expect(complaints).toEqual([]);
    await close();
  });

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [360, 1280])
      test(`nobody is shut out: ${colorScheme}, ${width} px, with a menu and a list open`, async () => {
        const { page, complaints, close } = await open("/orders?all=1&status=PENDING", {
          width,
          colorScheme,
        });
        await page.getByRole("button", { name: "More for order 1" }).click();
        await page.getByRole("menu").waitFor();
        expect(await objectionsTo(page)).toEqual([]);
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Status: PENDING" }).click();
        await page.getByRole("listbox").waitFor();
        expect(await objectionsTo(page)).toEqual([]);
        const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map(({ id }) => id));
        expect(ids.length).toBe(new Set(ids).size);
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(tooWide).toBeLessThanOrEqual(0);
        expect(complaints).toEqual([]);
        await close();
      });

  test("the chart takes the drawing's place once it is seen, and is looked at closer and sideways", async () => {
    const { page, complaints, close } = await open("/admin/statistics?range=90");
    await page.locator(".key").scrollIntoViewIfNeeded();
    await page.locator("is-land[drawn] canvas").waitFor();
    expect(await page.locator(".history").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByRole("button", { name: "All days" }).click();
    await page.getByRole("button", { name: "All days" }).waitFor({ state: "detached" });
    const over = page.locator(".u-over");
    const box = (await over.boundingBox())!;
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2);
    expect(await page.locator(".plot-tip").textContent()).toContain("GH₵ 11.70");
    expect(await objectionsTo(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});

/** Preact gives the focus after it has painted: a key that comes sooner goes to the button. */
async function focusIn(page: Page, role: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.getAttribute("role") === wanted, role);
}

async function objectionsTo(page: Page): Promise<string[]> {
  await page.evaluate(await Bun.file(require.resolve("axe-core/axe.min.js")).text());
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}
