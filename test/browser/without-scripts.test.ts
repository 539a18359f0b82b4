// The shop's journeys in a browser that runs no scripts.
import { test } from "bun:test";
import { describeInBrowser, openBrowser } from "./browser.ts";
import { journeys, mouse, openMarket, take } from "./journeys.ts";

const market = await openMarket();

describeInBrowser("without scripts,", () => {
  const visits = openBrowser(market.world, market.environment);

  for (const journey of journeys) {
    test(`${journey.name} works`, () =>
      take(journey, visits, market, { ...mouse, hasScripts: false }, { javaScriptEnabled: false }));
  }
});
