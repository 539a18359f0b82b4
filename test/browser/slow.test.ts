// The buying page on a weak phone and a slow network: its form can be sent as soon as it is painted, without islands.
import { expect, test } from "bun:test";
import { openWorld } from "../support/world.ts";
import { describeInBrowser, openBrowser } from "./browser.ts";
import { button, card, field, reads } from "./journeys.ts";
import { arrivalOf, slowDown } from "./slow.ts";

const world = await openWorld();
await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 10.00");

describeInBrowser("on slow 3G and a 4 times slower processor,", () => {
  const { visit } = openBrowser(world);

  test("the form can be sent once it is painted, long before its islands are loaded", () =>
    visit(ama, async (page) => {
      await slowDown(page);
      await page.goto("/buy");
      const arrival = await arrivalOf(page, { withIslands: true });
      const { paintedMs, submittableMs, islandsMs, loadedBySubmittable } = arrival;
      console.error(
        `The buying page: painted after ${Math.round(paintedMs)} ms, ` +
          `can be sent after ${Math.round(submittableMs)} ms, islands after ${Math.round(islandsMs!)} ms`,
      );
      // The rest of the same document is all that it waits for. How long that takes, the bench measures: a clock would
      // count the time of whatever else a busy machine does, too.
      expect(loadedBySubmittable.filter((address) => address.endsWith(".js"))).toEqual([]);
      expect(islandsMs! - submittableMs).toBeGreaterThan(1000);
    }));

  test("an order can be placed without waiting for the islands", () =>
    visit(ama, async (page) => {
      await slowDown(page);
      const isOver = Promise.withResolvers<void>();
      await page.route("**/built/**", async (route) => {
        await isOver.promise;
        // The form page's islands are no longer needed.
        await route.continue().catch(() => {});
      });
      await page.goto("/buy", { waitUntil: "commit" });
      await arrivalOf(page);
      await field(page, "Recipient number").fill("0541234567");
      await card(page, "1GB GH₵ 3.90").check();
      await button(page, "Pay with Wallet").click({ noWaitAfter: true });
      await reads(page, "Paid with wallet successfully.");
      isOver.resolve();
      expect(await world.balanceOf(ama)).toBe(610);
    }));
});
