// One browser and one shop for a test file: pages with somebody logged in, and the complaints of their consoles.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { type Shop, startShop } from "../support/shop.ts";
import { openApp, type Person, type World } from "../support/world.ts";
import { hasBrowser, launchBrowser, PHONE } from "./chromium.ts";

export { DESK, PHONE } from "./chromium.ts";

/** `describe` for tests that need a browser; without one they are skipped with a notice. */
export const describeInBrowser = describe.if(hasBrowser());

/** Long enough for a busy computer, short enough for an error that names what was awaited. */
export const PATIENCE_MS = 60_000;
/** Chromium has been seen not to answer when a page that was just being left is closed; it ends with the browser. */
const CLOSING_MS = 10_000;

type Options = Pick<
  BrowserContextOptions,
  "javaScriptEnabled" | "viewport" | "colorScheme" | "hasTouch" | "isMobile"
> & {
  /** The path of a form whose refusal a script reads as a part of the walk. */
  refusedAt?: string;
  /** With the service worker, at this address (a connection that can break). Failed requests are then no complaints. */
  withWorkerAt?: () => string;
};

export type Visits = {
  /** The address of the shop, to which relative addresses are resolved. */
  url: () => string;
  /** Walks through the shop as this person (null: a visitor), on a phone by default. No console may complain. */
  visit: (person: Person | null, walk: (page: Page) => Promise<void>, options?: Options) => Promise<void>;
};

/** Scrolls to the chart of days, which is drawn once it is in view. */
export async function seeChart(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Chart of" }).evaluate((tabs) => tabs.scrollIntoView());
  await page.locator("is-land[drawn] canvas").waitFor();
}

/** Runs a shop on this world, and a browser, for the tests of the `describe` in which it is called. */
export function openBrowser(world: World, environment: Record<string, string> = {}): Visits {
  let browser: Browser;
  let shop: Shop;
  beforeAll(async () => {
    [shop, browser] = await Promise.all([startShop(world.url, environment), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await shop.stop();
  });
  const { tokenOf } = openApp(world);
  return {
    url: () => shop.url,
    visit: async (person, walk, { refusedAt, withWorkerAt, ...options } = {}) => {
      const baseURL = withWorkerAt?.() ?? shop.url;
      const serviceWorkers = withWorkerAt ? "allow" : "block";
      const context = await browser.newContext({ baseURL, serviceWorkers, viewport: PHONE, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      if (person) await context.addCookies([{ name: SESSION_COOKIE, value: await tokenOf(person), url: baseURL }]);
      const complaints: string[] = [];
      context.on("page", (page) =>
        listenTo(page, { shopUrl: baseURL, refusedAt, complaints, breaks: withWorkerAt !== undefined }),
      );
      const page = await context.newPage();
      try {
        await walk(page);
      } catch (error) {
        console.error(`The walk ended on ${page.url()}; the console says ${JSON.stringify(complaints)}`);
        throw error;
      } finally {
        await Promise.race([context.close(), Bun.sleep(CLOSING_MS)]);
      }
      expect(complaints).toEqual([]);
    },
  };
}

/** Chromium's note on a field that would have had the focus, if somebody had not been typing in another already. */
const TYPED_FIRST = "Autofocus processing was blocked because a document already has a focused element.";
const NO_WORKER = "Service Worker registration blocked by Playwright";
const NOTES = [TYPED_FIRST, NO_WORKER];

type Listening = { shopUrl: string; refusedAt: string | undefined; complaints: string[]; breaks: boolean };

/** Collects console messages as complaints, except for refusals, where the page itself has a status of 4xx or 503. */
export function listenTo(page: Page, { shopUrl, refusedAt, complaints, breaks }: Listening): void {
  page.on("console", (message) => {
    const from = message.location().url;
    const isElsewhere = from !== "" && !from.startsWith(shopUrl);
    const isForm = from === page.url().split("#")[0] || from === shopUrl + refusedAt;
    const isRefusal = /status of (4\d\d|503)/.test(message.text()) && isForm;
    const isExpected = isRefusal || NOTES.includes(message.text()) || (breaks && /net::ERR_/.test(message.text()));
    if (!isElsewhere && !isExpected) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
}
