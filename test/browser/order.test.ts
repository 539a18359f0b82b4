// An order's page and its receipt in a browser: both follow the order without losing the place, Enter goes on to the
// next sale, and both fit a phone with large text and thumbs.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as cancelling from "../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { receiptToken } from "../support/pages.ts";
import { openWorld } from "../support/world.ts";
import { objectionsTo } from "./axe.ts";
import { DESK, describeInBrowser, openBrowser, PHONE } from "./browser.ts";
import { button, link, reads } from "./journeys.ts";

const world = await openWorld();
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 1000.00");

let numbers = 0;
const line = () => ({ productId: bundle.id, msisdn: `024555${String(1000 + ++numbers)}`, quantity: 1 });
const bought = async () => (await orders.buy(world.db, { by: ama.by(), key: null, line: line() })).answer.order.id;
const unpaid = async () => (await unpaidOrders.create(world.db, { by: ama.by(), key: null, line: line() })).answer.id;
const move = (orderId: number, to: "PROCESSING" | "DELIVERED" | "FAILED") =>
  statusChanges.moveOne(world.db, {
    by: world.yaw.by("admin"),
    key: null,
    orderId,
    to,
    reason: "No such number",
  });
/** 58 mm at 96 dots an inch. */
const TILL_PX = 219;
const state = (page: Page) => page.locator(".headline .state");
const pathOf = { order: (id: number) => `/orders/${id}`, receipt: (id: number) => `/r/${receiptToken(id)}` };

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world);

  for (const kind of ["order", "receipt"] as const) {
    test(`an ${kind === "order" ? "order's page" : "order's receipt"} follows it to the end, in place`, () =>
      visit(kind === "order" ? ama : null, async (page) => {
        const id = await bought();
        await page.clock.install();
        await page.goto(pathOf[kind](id));
        await reads(page, "Updates by itself");
        await page.evaluate(() => Object.assign(document.body, { isSame: true }));
        await move(id, "PROCESSING");
        await move(id, "DELIVERED");
        await page.clock.fastForward(5_000);
        await state(page).getByText("Delivered", { exact: true }).waitFor();
        expect(await page.title()).toStartWith(kind === "order" ? "Delivered: 1 GB to" : "1 GB for 024 •••");
        expect(await page.evaluate(() => Reflect.get(document.body, "isSame"))).toBe(true);
        expect(await page.getByText("Updates by itself").count()).toBe(0);
        if (kind === "order") await page.locator(".steps .good", { hasText: "Delivered" }).waitFor();
        else expect(await page.locator(".facts").textContent()).toContain("Delivered");
      }));
  }

  test("a part that appears works: its number is copied, and what failed is bought again", () =>
    visit(ama, async (page) => {
      const id = await bought();
      await page.clock.install();
      await page.goto(`/orders/${id}`);
      await button(page, "Copy number").waitFor();
      await move(id, "FAILED");
      await page.clock.fastForward(5_000);
      await reads(page, "GH₵ 3.90 is back in your wallet.");
      expect(await link(page, "Buy again").getAttribute("class")).toBe("button wide");
      expect(await button(page, "Cancel").count()).toBe(0);
      await button(page, "Copy number").click();
      await reads(page, "Copied");
    }));

  test("after paying, the whole answer is on a phone's screen, and has the focus", () =>
    visit(ama, async (page) => {
      await page.goto(`/orders/${await unpaid()}`);
      await button(page, "Pay with Wallet").click();
      await reads(page, "Paid with wallet successfully.");
      await button(page, "Copy number").waitFor();
      expect(await page.evaluate(() => document.activeElement?.className)).toStartWith("headline");
      expect(await page.evaluate(() => scrollY)).toBe(0);
      const top = (await page.locator("header.top").boundingBox())!;
      for (const part of [".sign", ".state", "h1", ".next"]) {
        const { y, height } = (await page.locator(`.headline ${part}`).boundingBox())!;
        expect([part, y >= top.y + top.height, y + height <= PHONE.height - 56]).toEqual([part, true, true]);
      }
    }));

  test("after paying, all actions are on a phone's first screen, in targets of at least 44 px, in one row", () =>
    visit(ama, async (page) => {
      await page.goto(`/orders/${await unpaid()}`);
      await button(page, "Pay with Wallet").click();
      await reads(page, "Paid with wallet successfully.");
      await button(page, "Copy number").waitFor();
      const tiles = await page.locator(".acts .act").evaluateAll((all) =>
        all.map((one) => {
          const { top, bottom, width } = one.getBoundingClientRect();
          return { top, height: bottom - top, width };
        }),
      );
      expect(tiles).toHaveLength(4);
      expect(new Set(tiles.map(({ top }) => Math.round(top))).size).toBe(1);
      for (const { height, width } of tiles) expect(Math.min(height, width)).toBeGreaterThanOrEqual(44);
      const next = await link(page, "Next sale").boundingBox();
      expect(next!.y + next!.height).toBeLessThan(PHONE.height - 56);
    }));

  test("on a till's roll an order and its receipt are the facts of the sale, without the agent's own", () =>
    visit(ama, async (page) => {
      await page.setViewportSize({ width: TILL_PX, height: 800 });
      await page.emulateMedia({ media: "print" });
      const id = await bought();
      for (const to of ["PROCESSING", "DELIVERED"] as const) await move(id, to);
      await page.goto(pathOf.order(id));
      const shown = await textOnPaper(page);
      for (const fact of ["Delivered", "1 GB", `#${id}`, "MTN 1GB", "Ordered"]) expect(shown).toContain(fact);
      for (const own of ["3.90", "Profit", "Menu", "Home", "Report", "owing", "Copy"]) expect(shown).not.toContain(own);
      expect(await page.locator("button:visible, input:visible, nav:visible").count()).toBe(0);
      expect(await unevenOnPaper(page)).toEqual([]);
      await page.goto(pathOf.receipt(id));
      expect(await textOnPaper(page)).toContain("024 •••");
      expect(await unevenOnPaper(page)).toEqual([]);
    }));

  test("every state is accessible, light on a phone and dark on a desktop, and fits with text at 200%", () =>
    visit(ama, async (page) => {
      const [coming, delivered, failed, cancelled] = [await bought(), await bought(), await bought(), await bought()];
      for (const to of ["PROCESSING", "DELIVERED"] as const) await move(delivered, to);
      await move(failed, "FAILED");
      await cancelling.cancel(world.db, { by: ama.by(), key: null, orderId: cancelled });
      const all = [coming, delivered, failed, cancelled, await unpaid()];
      const findings: string[] = [];
      for (const path of all.flatMap((id) => [pathOf.order(id), pathOf.receipt(id)])) {
        await page.goto(path);
        findings.push(...(await findingsOn(page, path)));
      }
      findings.push(...(await page.goto("/r/none").then(() => findingsOn(page, "/r/none"))));
      expect(findings).toEqual([]);
    }));
});

// biome-ignore lint/performance/useDomNodeTextContent: what is not printed does not count.
const textOnPaper = (page: Page) => page.locator("body").innerText();

/** What is cut at the paper's edge, and the facts whose names are broken. */
function unevenOnPaper(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>("main *")].filter((one) => one.offsetParent);
    const isBroken = (one: HTMLElement) => one.matches("dt") && one.offsetHeight > 24;
    return all
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || isBroken(one))
      .map((one) => one.outerHTML.slice(0, 100));
  });
}

async function findingsOn(page: Page, path: string): Promise<string[]> {
  const findings: string[] = [];
  const looks = [
    { size: PHONE, colorScheme: "light" },
    { size: DESK, colorScheme: "dark" },
  ] as const;
  for (const { size, colorScheme } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const objections = await objectionsTo(page);
    findings.push(...objections.map((one) => `${path} at ${size.width} px, ${colorScheme}: ${one}`));
  }
  await page.setViewportSize(PHONE);
  const tooWide = await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
    if (document.scrollingElement!.scrollWidth <= innerWidth) return null;
    const all = [...document.querySelectorAll("main *")];
    return all.filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML);
  });
  return tooWide ? [...findings, `${path} scrolls sideways with large text: ${tooWide}`] : findings;
}
