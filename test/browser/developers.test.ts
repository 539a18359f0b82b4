// The developers' pages as they look where the shop has a sandbox: the choice between its keys and live ones, and the
// guide beside the menu.
import { expect, test } from "bun:test";
import { openWorld } from "../support/world.ts";
import { DESK, describeInBrowser, openBrowser, PHONE } from "./browser.ts";

const world = await openWorld();
const ama = await world.person("ama", "GH₵ 50.00");

describeInBrowser("for developers", () => {
  // It need not answer for its keys to be offered.
  const { visit } = openBrowser(world, { SANDBOX_URL: "http://127.0.0.1:9" });

  test("the choice between live and test keys is a short line each", async () => {
    await visit(ama, async (page) => {
      for (const size of [PHONE, DESK]) {
        await page.setViewportSize(size);
        await page.goto("/profile/developers");
        const choices = page.locator("label", { has: page.locator("input[name=mode]") });
        expect(await choices.count()).toBe(2);
        for (const choice of await choices.all()) {
          const [label, input] = [await choice.boundingBox(), await choice.locator("input").boundingBox()];
          expect(input!.width).toBeLessThan(30);
          expect(label!.height).toBeLessThan(80);
        }
      }
    });
  });

  test("the guide's band does not cover the menu of somebody who is logged in", async () => {
    await visit(ama, async (page) => {
      await page.setViewportSize(DESK);
      await page.goto("/developers");
      expect(await page.locator(".guide > .kente").isVisible()).toBe(false);
    });
    await visit(null, async (page) => {
      await page.goto("/developers");
      expect(await page.locator(".guide > .kente").isVisible()).toBe(true);
    });
  });
});
