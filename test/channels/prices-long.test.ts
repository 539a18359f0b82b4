// Every order's price is the list's of its moment, through long random histories.
import { afterAll, expect, test } from "bun:test";
import { seed, sized, times } from "../support/asking.ts";
import { openWorld } from "../support/world.ts";
import { expectListPrices, openPricedShop, runHistory } from "./price-histories.ts";

const shop = await openPricedShop(await openWorld());
afterAll(shop.close);

test.each(times(sized(2), (n) => seed + n))(
  "each order has the price of its moment through a long random history (seed %i)",
  async (own) => {
    await runHistory(shop, { seed: own, changes: 200 });
    expect(await expectListPrices(shop)).toBeGreaterThan(100);
  },
);
