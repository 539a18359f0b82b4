// The weight of every page, and how soon the buying page is usable on a weak phone and a slow network.
import { connect, disconnect } from "../../db/connect.ts";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { hasBrowser, launchBrowser, PHONE } from "../browser/chromium.ts";
import { arrivalOf, slowDown, type Times } from "../browser/slow.ts";
import { fillShop, PAGES } from "../support/pages.ts";
import { startShop } from "../support/shop.ts";
import { type Weight, weigh } from "../support/weight.ts";
import { openApp, type Person, populate } from "../support/world.ts";
import { median } from "./numbers.ts";
import type { BenchServer } from "./world.ts";

export type PageRow = { as: string; path: string } & Weight;
export type PageFigures = {
  rows: PageRow[];
  /** Null without a browser. */
  slow: Times | null;
};

const BUYING_PAGE = "/buy";

/**
 * Weighs every page of the table in a shop in use (of several states the heaviest), and opens the buying page slowly
 * `rounds` times.
 */
export async function measurePages(
  server: BenchServer,
  rounds: number,
  progress: (line: string) => void,
): Promise<PageFigures> {
  const url = await server.database("bench_pages");
  const db = connect(url, { max: 4 });
  const paystack = await startPaystack();
  try {
    const world = await populate(db, url);
    const used = await fillShop(world, paystack);
    const client = openApp(world, paystack);
    const people: Record<string, Person | null> = { visitor: null, agent: used.agent, admin: world.yaw };
    const heaviest = new Map<string, PageRow>();
    for (const { as, path, addresses } of PAGES) {
      const browse = (it: string) => client.browse(people[as]!, it, undefined, { "accept-encoding": "br" });
      for (const address of addresses(used)) {
        const row = { as, path, ...(await weigh(browse, address)) };
        const known = heaviest.get(`${as} ${path}`);
        if (!known || known.all < row.all) heaviest.set(`${as} ${path}`, row);
        progress(`  ${path} (${as}): ${row.all} bytes`);
      }
    }
    const rows = [...heaviest.values()];
    const slow = hasBrowser() ? await arriveSlowly(url, await client.tokenOf(used.agent), rounds, progress) : null;
    return { rows, slow };
  } finally {
    await paystack.stop();
    await disconnect(db);
  }
}

async function arriveSlowly(
  url: string,
  token: string,
  rounds: number,
  progress: (line: string) => void,
): Promise<Times> {
  const [shop, browser] = await Promise.all([startShop(url), launchBrowser()]);
  const arrivals: Times[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ baseURL: shop.url, viewport: PHONE });
      await context.addCookies([{ name: SESSION_COOKIE, value: token, url: shop.url }]);
      const page = await context.newPage();
      await slowDown(page);
      await page.goto(BUYING_PAGE);
      const arrival = await arrivalOf(page, { withIslands: true });
      progress(
        `  slowly: painted after ${Math.round(arrival.paintedMs)} ms, ` +
          `sendable after ${Math.round(arrival.submittableMs)} ms`,
      );
      arrivals.push(arrival);
      await context.close();
    }
  } finally {
    await browser.close();
    await shop.stop();
  }
  const medianOf = (name: keyof Times) => median(arrivals.map((arrival) => arrival[name]!));
  return {
    paintedMs: medianOf("paintedMs"),
    submittableMs: medianOf("submittableMs"),
    islandsMs: medianOf("islandsMs"),
  };
}
