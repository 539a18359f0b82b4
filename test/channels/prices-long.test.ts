// Every order's price is the list's of its moment: a long random history, in several parts.
import { afterAll, expect, test } from "bun:test";
import { seed, times } from "../support/asking.ts";
import { openWorld } from "../support/world.ts";
import { expectListPrices, openPricedShop, runHistory } from "./price-histories.ts";

const PARTS = Number(process.env.TEST_PARTS ?? 5);
const shop = await openPricedShop(await openWorld());
afterAll(shop.close);

test.each(times(PARTS, (n) => seed + n))(
  "each order has the price of its moment through a long random history (seed %i)",
  async (own) => {
    await runHistory(shop, { seed: own, changes: 200 });
    expect(await expectListPrices(shop)).toBeGreaterThan(100);
  },
);
