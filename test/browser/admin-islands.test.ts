// The admins' island in a real browser: menus, lists and charts are loaded when they are used, work under the pages'
// policy and with the keyboard alone, and are accessible.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as orders from "../../src/core/buying/buy.ts";
import { openWorld } from "../support/world.ts";
import { objectionsTo } from "./axe.ts";
import { DESK, describeInBrowser, openBrowser, PHONE, seeChart } from "./browser.ts";

const world = await openWorld();
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 50.00");
const kofi = await world.person("kofi", "GH₵ 50.00");
for (const [i, person] of [ama, ama, kofi].entries()) {
  const line = { productId: bundle.id, msisdn: `024000000${i}`, quantity: 1 };
  await orders.buy(world.db, { by: person.by(), key: null, line });
}

describeInBrowser("in an admin's browser,", () => {
  const { visit } = openBrowser(world);
  const open = (
    path: string,
    walk: (page: Page) => Promise<void>,
    look: { viewport: typeof DESK; colorScheme?: "light" | "dark" } = { viewport: DESK },
  ) =>
    visit(
      world.yaw,
      async (page) => {
        await page.goto(path);
        await walk(page);
      },
      look,
    );

  test("a row's menu does the same as its buttons, by the keyboard alone", () =>
    open("/orders", async (page) => {
      await page.getByRole("button", { name: "Process … order 3" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: "Complete" }).waitFor();
      await focusIn(page, "menu");
      // First a confirmation: it opens beside the row, with the field for the reason.
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "reason");
      await page.getByRole("button", { name: "Process … order 3" }).focus();
      await page.keyboard.press("Enter");
      await focusIn(page, "menu");
      for (const key of ["Home", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
      await page.getByText("Order 3 status updated to COMPLETED").waitFor();
    }));

  test("the menus and lists are loaded at the first use, and look as before it", () =>
    open("/orders?all=1", async (page) => {
      const scripts: string[] = [];
      page.on("request", (request) => request.url().includes("/built/") && scripts.push(request.url()));
      await page.reload();
      await page.locator("is-land[ready]").last().waitFor({ state: "attached" });
      const menu = page.getByRole("button", { name: "Process … order 2" });
      await menu.waitFor();
      expect(scripts.filter((url) => url.includes("/admin-"))).toEqual([]);
      await page.getByText("Filters").click();
      const look = () =>
        page.evaluate(() =>
          [...document.querySelectorAll(".more, .pop-button, #user-choice")].map((control) => {
            const { x, y, width, height } = control.getBoundingClientRect();
            return [control.textContent, (control as HTMLInputElement).placeholder, x, y, width, height];
          }),
        );
      const before = await look();
      expect(before.length).toBeGreaterThan(4);
      await menu.hover();
      await page.locator(".more[data-headlessui-state]").first().waitFor();
      expect(await look()).toEqual(before);
      expect(scripts.filter((url) => url.includes("/admin-"))).toHaveLength(1);
    }));

  test("what is pressed and typed before they are there is not lost", () =>
    open("/orders?all=1", async (page) => {
      const arrive = Promise.withResolvers<void>();
      await page.route(/\/built\/admin-/, async (route) => {
        await arrive.promise;
        await route.continue();
      });
      await page.getByText("Filters").click();
      await page.getByRole("combobox", { name: "User" }).pressSequentially("am");
      arrive.resolve();
      await page.getByRole("option", { name: /ama@example\.com/ }).waitFor();
      expect(await page.getByRole("combobox", { name: "User" }).inputValue()).toBe("am");
    }));

  test("a menu that is pressed before it is there opens when it is", () =>
    open(
      "/orders",
      async (page) => {
        const arrive = Promise.withResolvers<void>();
        await page.route(/\/built\/admin-/, async (route) => {
          await arrive.promise;
          await route.continue();
        });
        await page.getByRole("button", { name: "Process … order 2" }).click();
        expect(await page.getByRole("menu").count()).toBe(0);
        arrive.resolve();
        await page.getByRole("menuitem", { name: "Complete" }).waitFor();
        expect(await page.getByRole("button", { name: "Process … order 2" }).count()).toBe(1);
      },
      { viewport: PHONE },
    ));

  test("orders are filtered by a user who is found while typing, and by a status with its colour", () =>
    open("/orders?all=1", async (page) => {
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
    }));

  test("the list shows what is typed into its search, with the menus, boxes and keys of its rows", () =>
    open("/orders?all=1", async (page) => {
      await page.getByText("next and previous row").waitFor();
      await page.locator(".more").first().waitFor();
      const search = page.getByRole("searchbox", { name: "Search" });
      await search.pressSequentially("0240000002");
      await page.locator(".filter-chips", { hasText: "Search: 0240000002" }).waitFor();
      expect(await page.locator("tbody .at-id").allTextContents()).toEqual(["#3"]);
      expect(new URL(page.url()).searchParams.get("search")).toBe("0240000002");
      expect(
        await search.evaluate((field: HTMLInputElement) => [field === document.activeElement, field.value]),
      ).toEqual([true, "0240000002"]);
      await page.getByText("1 row", { exact: true }).waitFor({ state: "attached" });
      await page.getByText("Searching all orders").waitFor();
      for (let n = 0; n < 3; n++) await search.press("Backspace");
      await page.locator(".filter-chips", { hasText: /Search: 0240000$/ }).waitFor();
      await search.blur();
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      expect(await page.getByRole("checkbox", { name: "Select order 3" }).isChecked()).toBe(true);
      await page.getByRole("button", { name: "Process 1" }).waitFor();
      await page.getByRole("button", { name: "Process … order 2" }).click();
      await page.getByRole("menuitem", { name: "Complete" }).waitFor();
      expect(await objectionsTo(page)).toEqual([]);
      await page.keyboard.press("Escape");
      // What is ticked stays in view.
      const answered = page.waitForResponse(/search=0240000002/);
      await search.fill("0240000002");
      await answered;
      expect(await page.getByRole("checkbox", { name: "Select order 3" }).isChecked()).toBe(true);
      expect(await page.locator("tbody tr").count()).toBe(3);
    }));

  for (const colorScheme of ["light", "dark"] as const)
    for (const viewport of [PHONE, DESK])
      test(`axe has no objection: ${colorScheme}, ${viewport.width} px, with a menu and a list open`, () =>
        open(
          "/orders?all=1&status=PENDING",
          async (page) => {
            await page.getByRole("button", { name: "Process … order 1" }).click();
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
          },
          { viewport, colorScheme },
        ));

  test("the chart replaces the drawing once it is visible, and can be zoomed and moved", () =>
    open("/admin/statistics?range=90", async (page) => {
      await seeChart(page);
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
    }));

  test("the chart never widens the page, not even between a narrower window and its redrawing", () =>
    open(
      "/admin/statistics",
      async (page) => {
        // Without the observer that redraws it, that moment lasts.
        await page.addInitScript(() => {
          ResizeObserver.prototype.observe = () => {};
        });
        await page.reload();
        await seeChart(page);
        await page.setViewportSize(PHONE);
        const [drawn, visible, scrolled] = await page.evaluate(() => [
          document.querySelector(".u-wrap")!.clientWidth,
          innerWidth,
          document.scrollingElement!.scrollWidth,
        ]);
        expect(drawn).toBeGreaterThan(visible!);
        expect(scrolled).toBe(visible!);
      },
      { viewport: DESK },
    ));
});

/** Preact moves the focus after painting: a key that is pressed earlier goes to the button. */
async function focusIn(page: Page, role: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.getAttribute("role") === wanted, role);
}
