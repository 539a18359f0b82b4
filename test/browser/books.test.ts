// The picture of a price list, which the browser itself draws.
import { expect, test } from "bun:test";
import * as sellingPrices from "../../src/core/catalog/selling-prices.ts";
import { openWorld } from "../support/world.ts";
import { describeInBrowser, openBrowser, PHONE } from "./browser.ts";

const world = await openWorld();
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama");
await sellingPrices.save(world.db, { by: ama.by("web"), prices: new Map([[bundle.id, 450]]) });

describeInBrowser("a price list", () => {
  const { visit } = openBrowser(world);

  test("is saved as a picture of a status' size where a phone cannot share it", async () => {
    await visit(
      ama,
      async (page) => {
        await page.goto("/prices/share");
        await page.evaluate("navigator.canShare = () => false");
        const saved = page.waitForEvent("download");
        await page.getByText("Picture for Status").click();
        const download = await saved;
        expect(download.suggestedFilename()).toBe("prices.png");
        const bytes = await Bun.file(await download.path()).bytes();
        const view = new DataView(bytes.buffer);
        expect(new TextDecoder().decode(bytes.subarray(1, 4))).toBe("PNG");
        expect([view.getUint32(16), view.getUint32(20)]).toEqual([1080, 1920]);
      },
      { viewport: PHONE },
    );
  });
});
