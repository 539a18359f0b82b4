// The pages for visitors in a real browser: prices on the first screen of a small phone, a picture that waits, large
// text, and no objection of axe in light and dark.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { DEMO_PITCH } from "../../dev/seed/demo-landing.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { addProducts } from "../bench/world.ts";
import { openWorld } from "../support/world.ts";
import { objectionsTo } from "./axe.ts";
import { DESK, describeInBrowser, openBrowser, PHONE } from "./browser.ts";

const world = await openWorld();
await addProducts(world.db);
await settings.change(world.db, { by: world.yaw.by("admin"), values: DEMO_PITCH });

const widthOf = (page: Page) => page.evaluate(() => document.scrollingElement!.scrollWidth);

describeInBrowser("a visitor", () => {
  const { visit } = openBrowser(world);

  test("sees prices of all networks and both buttons on the first screen of a small phone", () =>
    visit(null, async (page) => {
      await page.goto("/");
      const topOfBar = (await page.locator(".ways").boundingBox())!.y;
      for (const row of [0, 1, 2]) {
        const box = (await page.locator(".board tbody tr").nth(row).boundingBox())!;
        expect(box.y + box.height).toBeLessThanOrEqual(topOfBar);
      }
      for (const name of ["Get Started", "Login"]) {
        const box = (await page.getByRole("link", { name }).boundingBox())!;
        expect(box.y + box.height).toBeLessThanOrEqual(PHONE.height);
        expect(box.height).toBeGreaterThanOrEqual(44);
      }
    }));

  test.each(["/", "/status", "/nothing.html"])("reads %s in light and dark, at 360 and 1280 px", (path) =>
    visit(null, async (page) => {
      for (const viewport of [PHONE, DESK])
        for (const colorScheme of ["light", "dark"] as const) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          await page.goto(path);
          if (path === "/") await page.locator("summary").click();
          expect(await objectionsTo(page)).toEqual([]);
          expect(await widthOf(page)).toBeLessThanOrEqual(viewport.width);
        }
    }),
  );

  test.each(["/", "/status", "/nothing.html"])(
    "reads %s with text twice as large, without scrolling sideways",
    (path) =>
      visit(null, async (page) => {
        await page.goto(path);
        await page.evaluate(() => {
          document.documentElement.style.fontSize = "200%";
        });
        if (path === "/") await page.locator("summary").click();
        expect(await widthOf(page)).toBeLessThanOrEqual(PHONE.width);
      }),
  );

  test("finds no touch target below 44 px", () =>
    visit(null, async (page) => {
      for (const path of ["/", "/status", "/nothing.html"]) {
        await page.goto(path);
        const low = await page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>("main a, main summary")]
            .map((one) => [one.textContent, Math.round(one.getBoundingClientRect().height)] as const)
            .filter(([, height]) => height < 44),
        );
        expect([path, low]).toEqual([path, []]);
      }
    }));
});
