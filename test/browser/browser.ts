// One browser and one shop for a file of tests: pages on which somebody is signed in, all that their consoles complain
// of, and what axe finds on them.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { type Shop, startShop } from "../support/shop.ts";
import { openApp, type Person, type World } from "../support/world.ts";
import { hasBrowser, launchBrowser, PHONE } from "./chromium.ts";

export { DESK, PHONE } from "./chromium.ts";

/** For tests that need a browser: they are left out, with a word about it, where there is none. */
export const describeInBrowser = describe.if(hasBrowser());

/** Long enough for a machine that does something else as well, short enough to say what was waited for. */
const PATIENCE_MS = 60_000;

type Options = Pick<BrowserContextOptions, "javaScriptEnabled" | "viewport" | "colorScheme"> & {
  /** The path of a form whose refusal a script reads, as a part of the walk. */
  refusedAt?: string;
};

export type Visits = {
  /** The address of the shop; relative addresses on a page are on it. */
  url: () => string;
  /** Walks through the shop as this person (null: a stranger), on a phone unless told; no console may complain meanwhile. */
  visit: (person: Person | null, walk: (page: Page) => Promise<void>, options?: Options) => Promise<void>;
};

/** Opens a shop on this world, and a browser, around the tests of the `describe` that it is called in. */
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
    visit: async (person, walk, { refusedAt, ...options } = {}) => {
      const context = await browser.newContext({ baseURL: shop.url, viewport: PHONE, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      if (person)
        await context.addCookies([{ name: SESSION_COOKIE, value: await tokenOf(person), url: shop.url }]);
      const complaints: string[] = [];
      context.on("page", (page) => listenTo(page, { shopUrl: shop.url, refusedAt, complaints }));
      const page = await context.newPage();
      try {
        await walk(page);
      } catch (error) {
        console.error(`The walk ended on ${page.url()}; the console says ${JSON.stringify(complaints)}`);
        throw error;
      } finally {
        await context.close();
      }
      expect(complaints).toEqual([]);
    },
  };
}

type Listening = { shopUrl: string; refusedAt: string | undefined; complaints: string[] };

/** What a console says is a complaint of the shop's, but for a refusal: there the page itself has a status of 4xx or 503. */
function listenTo(page: Page, { shopUrl, refusedAt, complaints }: Listening): void {
  page.on("console", (message) => {
    const from = message.location().url;
    const isElsewhere = from !== "" && !from.startsWith(shopUrl);
    const isForm = from === page.url().split("#")[0] || from === shopUrl + refusedAt;
    const isRefusal = /status of (4\d\d|503)/.test(message.text()) && isForm;
    if (!isElsewhere && !isRefusal) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
}

const axeSource = Bun.file(require.resolve("axe-core/axe.min.js"));

/** What axe objects to on the page as it stands, a line for each rule: serious, minor, all of it, but for what is left out. */
export async function objectionsTo(
  page: Page,
  options: { runOnly?: string[]; without?: string[] } = {},
): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.evaluate(await axeSource.text());
  return page.evaluate(async ({ runOnly, without = [] }) => {
    type Violation = { id: string; impact: string; nodes: { html: string }[] };
    type Axe = { run: (options: object) => Promise<{ violations: Violation[] }> };
    const { axe } = globalThis as unknown as { axe: Axe };
    const rules = runOnly
      ? { runOnly: { type: "rule", values: runOnly } }
      : { rules: Object.fromEntries(without.map((id) => [id, { enabled: false }])) };
    const quick = { resultTypes: ["violations"], preload: false, iframes: false };
    const { violations } = await axe.run({ ...quick, ...rules });
    const lineOf = ({ id, impact, nodes }: Violation) =>
      `${id} (${impact}): ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`;
    return violations.map(lineOf);
  }, options);
}
