// The pages of staff in a real browser: a laptop's window shows at least twenty orders, and the numbers in the menu
// and the title follow what waits, in every page that is open.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { openWorld } from "../support/world.ts";
import { describeInBrowser, openBrowser } from "./browser.ts";

const world = await openWorld();
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");
// However slow the computer, none of the orders is sent, and waits at the desk, before the last test is done.
await settings.change(world.db, { by: world.yaw.by("admin"), values: { dispatch_hold_seconds: 3600 } });
for (let n = 0; n < 30; n++) {
  const line = { productId: bundle.id, msisdn: `024100${String(n).padStart(4, "0")}`, quantity: 1 };
  await orders.buy(world.db, { by: ama.by(), key: null, line });
}
const ask = () =>
  world.db.execute(sql`
    insert into support_requests (user_id, subject_type, message) values (${ama.id}, 'general', 'Where is it?')`);

describeInBrowser("for staff in a browser,", () => {
  const { visit } = openBrowser(world);

  test("a window of 1280 by 900 shows at least twenty orders, one line each", () =>
    visit(
      world.yaw,
      async (page) => {
        await page.goto("/orders");
        await page.locator("td .tiny:visible").first().waitFor();
        const rows = await page.locator("tbody tr").evaluateAll((all) =>
          all.map((row) => {
            const { bottom, height } = row.getBoundingClientRect();
            return { bottom, height };
          }),
        );
        expect(rows.filter(({ bottom }) => bottom <= 900).length).toBeGreaterThanOrEqual(20);
        expect(rows.filter(({ height }) => height > 34)).toEqual([]);
      },
      { viewport: { width: 1280, height: 900 } },
    ));

  test("what is done with many orders is offered once some are ticked, with their number", () =>
    visit(world.yaw, async (page) => {
      await page.goto("/orders");
      const [process, choice] = [page.locator(".bulk button").first(), page.locator(".bulk option").first()];
      expect(await process.isVisible()).toBe(false);
      for (const n of [0, 1]) await page.locator("[type=checkbox][name=ids]").nth(n).check();
      await process.waitFor();
      await page.locator("is-land[ready]").first().waitFor({ state: "attached" });
      await page.locator("[type=checkbox][name=ids]").nth(2).check();
      await page.waitForFunction(() => document.querySelector(".bulk option")?.textContent === "Selected orders (3)");
      expect(await choice.textContent()).toBe("Selected orders (3)");
      expect(await process.textContent()).toBe("Process 3");
      for (const n of [0, 1, 2]) await page.locator("[type=checkbox][name=ids]").nth(n).uncheck();
      expect([await process.isVisible(), await page.getByLabel("Which orders").isVisible()]).toEqual([false, false]);
      await page.locator("[type=checkbox][name=ids]").last().check();
      // They follow the list down to its end.
      const { y, height } = (await process.boundingBox())!;
      expect([y >= 0, y + height <= page.viewportSize()!.height]).toEqual([true, true]);
      await page.getByLabel("Which orders").selectOption({ label: "All on this page (30)" });
      await page.getByRole("button", { name: "Process 30" }).waitFor();
      await page.getByLabel("Which orders").selectOption({ label: "All orders that match" });
      await page.getByRole("button", { name: "Process", exact: true }).waitFor();
    }));

  test("numbers in the menu, on its button and in the title follow what waits, in each open page", () =>
    visit(
      world.yaw,
      async (page) => {
        await page.goto("/admin/users");
        const other = await page.context().newPage();
        await other.goto("/admin/products");
        for (const one of [page, other]) {
          expect(await one.title()).not.toMatch(/^\(/);
          await one.locator('is-land[src*="waiting-watch"][ready]').waitFor({ state: "attached" });
        }
        await ask();
        for (const one of [page, other]) {
          await one.waitForFunction(() => document.title.startsWith("(1) "));
          expect(await one.locator('.menu [data-waiting="all"]').textContent()).toBe("1 waiting");
        }
        // The page that has the stream is closed, and another one takes it over.
        await page.close();
        await ask();
        await other.waitForFunction(() => document.title.startsWith("(2) "));
      },
      { viewport: { width: 360, height: 800 } },
    ));
});
