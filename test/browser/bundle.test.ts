// A real browser on the bundle page: the islands come alive under the page's own policy, and nothing is refused by it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { SESSION_COOKIE } from "../../src/server.ts";
import { type Shop, startShop } from "../support/shop.ts";
import { openApp, openWorld } from "../support/world.ts";

const executablePath = process.env.CHROMIUM_PATH || "/usr/bin/chromium";
const hasBrowser = existsSync(executablePath);
if (!hasBrowser)
  console.error(
    `The tests in a browser are left out: there is none at ${executablePath} (set CHROMIUM_PATH).`,
  );

const world = await openWorld();
await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 10.00");
const token = await openApp(world).tokenOf(ama);

describe.if(hasBrowser)("in a browser,", () => {
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

  /** A page, on a phone, with everything that its console says. */
  const open = async (path: string, { person = token, javaScriptEnabled = true } = {}) => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 360, height: 740 } });
    if (person) await context.addCookies([{ name: SESSION_COOKIE, value: person, url: shop.url }]);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(shop.url + path);
    return { page, complaints };
  };

  test("a typed number shows its network, and the total with the balance after it", async () => {
    const { page, complaints } = await open("/mtn-data");
    await page.selectOption("#field-productId", { label: "1GB – GH₵ 3.90" });
    await page.locator("#field-msisdn").pressSequentially("0201234567");
    await page.fill("#field-quantity", "2");
    await page.getByText("020 123 4567 looks like Telecel").waitFor();
    const total = await page.locator(".cost").first().textContent();
    expect(total).toBe("TotalGH₵ 7.80Wallet balance afterwardsGH₵ 2.20");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("what was typed before the scripts came is kept and answered", async () => {
    const { page, complaints } = await open("/login", { person: "" });
    await page.route("**/built/**", async (route) => {
      await Bun.sleep(300);
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    await page.fill("[name=password]", "a secret");
    await page.getByRole("button", { name: "Show password" }).click();
    expect(await page.inputValue("[name=password]")).toBe("a secret");
    expect(await page.getAttribute("[name=password]", "type")).toBe("text");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("pasted lines are counted, and a bad one is mended in place and sent mended", async () => {
    const { page, complaints } = await open("/mtn-data");
    await page.locator("#bulk-lines").scrollIntoViewIfNeeded();
    await page.fill("#bulk-lines", "0541234567\n12345");
    await page.getByRole("textbox", { name: "Line 2" }).fill("0241234567");
    await page.getByRole("textbox", { name: "Line 2" }).press("Enter");
    await page.getByText("2 good lines").waitFor();
    await page.selectOption("#bulk-product", { label: "1GB – GH₵ 3.90" });
    await page.getByRole("button", { name: "Check Bulk Order" }).click();
    await page.getByRole("button", { name: "Place Bulk Orders (2)" }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("nobody is shut out: axe finds nothing to object to on a page in use", async () => {
    const { page } = await open("/mtn-data");
    await page.selectOption("#field-productId", { label: "1GB – GH₵ 3.90" });
    await page.fill("#field-msisdn", "0201234567");
    await page.fill("#bulk-lines", "0541234567\n0541234567\n12345");
    await page.getByRole("button", { name: /^Repeated/ }).waitFor();
    await page.evaluate(await Bun.file(require.resolve("axe-core/axe.min.js")).text());
    const objections = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const { violations } = await axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    });
    expect(objections).toEqual([]);
    await page.context().close();
  });

  test("the page works without scripts, and shows nothing that needs one", async () => {
    const { page } = await open("/mtn-data", { javaScriptEnabled: false });
    expect(await page.getByRole("button", { name: "Check Bulk Order" }).isVisible()).toBe(true);
    await page.selectOption("#field-productId", { label: "1GB – GH₵ 3.90" });
    await page.fill("#field-msisdn", "0201234567");
    await page.getByRole("button", { name: "Pay with Wallet" }).click();
    await page.getByText("Paid with wallet successfully").waitFor();
    await page.context().close();
  });
});
