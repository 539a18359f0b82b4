// Heights of pages on a phone with the demonstration's data: none of agents or staff is so tall that its end is out of
// reach, the list of all orders begins on the first screen, and what is folded for that is one touch away.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as keptViews from "../../src/core/finding/kept-views.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { pages as declared } from "../../src/web/pages/index.tsx";
import { type DemoShop, openDemoShop } from "../support/demo-shop.ts";
import { longTest } from "../support/long.ts";
import { type ListedPage, PAGES, type Used } from "../support/pages.ts";
import { openWorld } from "../support/world.ts";
import { DESK, describeInBrowser, openBrowser, PHONE } from "./browser.ts";
import { launchBrowser } from "./chromium.ts";

const HEIGHT_MAX = 4_000;
/** Of the pages about one of many, such as an order, this number is measured. */
const EACH_MAX = 4;
const PEOPLE: [as: ListedPage["as"], username: string][] = [
  ["agent", "ama"],
  ["agent", "esi"],
  ["admin", "yaw"],
];
/** No ids are known in advance: examples that need one are not found, and left out. */
const NO_IDS = {} as Used;

type Measured = { path: string; address: string; height: number };

describeInBrowser("with the demonstration's data", () => {
  let shop: DemoShop;
  let browser: Browser;
  beforeAll(async () => {
    [shop, browser] = await Promise.all([openDemoShop(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await shop.close();
  });

  const openAs = async (username: string, viewport = PHONE) => {
    const context = await browser.newContext({ baseURL: shop.url, viewport, serviceWorkers: "block" });
    await context.addCookies([{ name: SESSION_COOKIE, value: await shop.logIn(username), url: shop.url }]);
    return context.newPage();
  };

  longTest.each(PEOPLE)("no page of %s is taller than 4,000 px on a phone: %s", async (as, username) => {
    const pages = PAGES.filter((page) => page.as === as);
    const measured = await measure(await openAs(username), pages);
    // Most have something to be about in the demonstration.
    expect(new Set(measured.map(({ path }) => path)).size).toBeGreaterThan(pages.length * 0.7);
    const tooTall = measured.filter(({ height }) => height > HEIGHT_MAX);
    expect(tooTall.map(({ address, height }) => `${address} is ${height} px tall`)).toEqual([]);
  });

  longTest("the list of all orders shows its first one on a phone without scrolling", async () => {
    const page = await openAs("yaw");
    for (const address of ["/orders", "/orders?all=1"]) {
      await page.goto(address);
      const first = page.locator("tbody tr").first();
      const bottom = await first.evaluate((row) => row.getBoundingClientRect().bottom);
      expect([address, bottom, bottom <= PHONE.height]).toEqual([address, bottom, true]);
    }
  });

  longTest("the rows of a long table are all there for a tick, and on a desktop at once", async () => {
    const visibleOf = (page: Page) =>
      page.locator("tbody tr").evaluateAll((rows) => rows.filter((row) => row.checkVisibility()).length);
    const [phone, desk] = await Promise.all([openAs("yaw"), openAs("yaw", DESK)]);
    await Promise.all([phone.goto("/admin/texts"), desk.goto("/admin/texts")]);
    const count = await desk.locator("tbody tr").count();
    expect(count).toBeGreaterThan(50);
    expect(await visibleOf(desk)).toBe(count);
    expect(await desk.getByText("Show all").isVisible()).toBe(false);
    expect(await visibleOf(phone)).toBeLessThan(count / 2);
    await phone.getByLabel(`Show all ${count}`).check();
    expect(await visibleOf(phone)).toBe(count);
  });

  longTest("what is folded on a phone opens there, and is open on a desktop", async () => {
    const [phone, desk] = await Promise.all([openAs("yaw"), openAs("yaw", DESK)]);
    await Promise.all([phone.goto("/admin/audit"), desk.goto("/admin/audit")]);
    const field = (page: Page) => page.locator(".phone-fold :is(input, select)").first();
    expect(await field(desk).isVisible()).toBe(true);
    expect(await desk.locator(".phone-fold > summary").isVisible()).toBe(false);
    expect(await field(phone).isVisible()).toBe(false);
    await phone.locator(".phone-fold > summary").click();
    expect(await field(phone).isVisible()).toBe(true);
  });
});

const world = await openWorld();

describeInBrowser("with a morning's open orders", () => {
  const { visit } = openBrowser(world);

  test("fifty of them, each with its buttons, are no taller on a phone than any page", async () => {
    const by = world.yaw.by("admin");
    const efua = await world.person("efua-mensah", "GH₵ 50,000.00");
    const sold = [await world.product("MTN", "1GB", "3.90"), await world.product("TELECEL", "100GB", "374.00")];
    for (let n = 0; n < 51; n++) {
      const line = {
        productId: sold[n % 2]!.id,
        msisdn: `02410000${String(n).padStart(2, "0")}`,
        quantity: 1 + (n % 2),
      };
      const placed = { by: efua.by(), key: null, line };
      if (n % 5 === 0) await unpaidOrders.create(world.db, placed);
      else await orders.buy(world.db, placed);
    }
    await statusChanges.move(world.db, { by, key: null, ids: [2, 3, 4, 7, 8, 9], to: "PROCESSING" });
    await world.db.execute(sql`
      update orders set created_at = created_at - interval '40 hours' where id % 3 = 0 and paid_at is not null`);
    for (const name of ["Failed on MTN", "Telecel"])
      await keptViews.keep(world.db, { by, path: "/orders", name, query: "status=FAILED", isShared: true });
    await visit(world.yaw, async (page) => {
      await page.goto("/orders");
      await page.locator(".more").nth(49).waitFor();
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect([height, height < HEIGHT_MAX]).toEqual([height, true]);
      expect(await page.locator("tbody tr").count()).toBe(50);
    });
  });
});

/** The heights of these pages: of those about one thing, at the addresses that the others link to. */
async function measure(page: Page, pages: readonly ListedPage[]): Promise<Measured[]> {
  const [about, plain] = [true, false].map((isAbout) => pages.filter(({ path }) => path.includes(":") === isAbout));
  const forms = about!.map(({ path }) => ({ path, form: new RegExp(`^${path.replace(/:\w+/, "[^/]+")}$`), count: 0 }));
  const next = plain!.flatMap(({ path, addresses }) => addresses(NO_IDS).map((address) => ({ path, address })));
  const seen = new Set(declared.map(({ path }) => path));
  const measured: Measured[] = [];
  for (const { path, address } of next) {
    const answer = await page.goto(address);
    if (!answer?.ok()) continue;
    const { height, links } = await page.evaluate(() => ({
      height: document.documentElement.scrollHeight,
      links: [...document.links].filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname),
    }));
    measured.push({ path, address, height });
    for (const link of links.filter((one) => !seen.has(one))) {
      seen.add(link);
      const one = forms.find(({ form }) => form.test(link));
      if (!one || one.count >= EACH_MAX) continue;
      one.count += 1;
      next.push({ path: one.path, address: link });
    }
  }
  return measured;
}
