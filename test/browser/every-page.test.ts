// Every page, in an empty shop and in one in use, on a phone and at a desk, light and dark: nobody is shut out (axe finds
// nothing at all to object to), and nothing makes a page scroll sideways.
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { pages } from "../../src/web/index.tsx";
import { startPaystack } from "../simulators/paystack.ts";
import { fillShop, type ListedPage, NOT_LISTED, ORDINARY, PAGES, type Used } from "../support/pages.ts";
import { openWorld, type Person } from "../support/world.ts";
import { DESK, describeInBrowser, objectionsTo, openBrowser, PHONE } from "./browser.ts";
import { button, field, reads } from "./journeys.ts";

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const buyer = await world.person("buyer", "GH₵ 50.00");
type Role = ListedPage["as"];

test("every page stands in the table of pages", () => {
  const listed = new Set([...PAGES.map((page) => page.path), ...NOT_LISTED]);
  expect(pages.filter((page) => page.show && !listed.has(page.path)).map((page) => page.path)).toEqual([]);
});

/** As long as a name can be, without a place to break: what pages have to bear. */
const long = "W".repeat(60);
const LONG = {
  username: long.slice(0, 50),
  email: `${long}@${"w".repeat(60)}.example.com`,
  product: long,
  size: "500000000000000000MB",
  message: `${long} ${ORDINARY.message} ${long}${long}`,
  name: long,
};

let filled: Promise<Used> | undefined;
/** Fills the shop, once. */
const inUse = () => {
  filled ??= fillShop(world, paystack, LONG);
  return filled;
};

describeInBrowser("every page", () => {
  const { visit } = openBrowser(world, { PAYSTACK_BASE_URL: paystack.url });
  /** Each role's pages at the same time: it is the browser's renderers that work. */
  const findings = async (
    people: Partial<Record<Role, Person | null>>,
    addressesOf: (role: Role) => string[],
    looks: Look[],
  ) => {
    const all: string[] = [];
    const walks = Object.entries(people).map(([role, person]) =>
      visit(person, async (page) => {
        all.push(...(await findingsOn(page, addressesOf(role as Role), looks)));
      }),
    );
    await Promise.all(walks);
    return all;
  };

  test("of an empty shop bars nobody", async () => {
    const addresses = (role: Role) => PAGES.filter((it) => it.as === role && !it.at).map((it) => it.path);
    const agent = await world.person("newcomer");
    expect(await findings({ agent, admin: world.yaw }, addresses, TWO_LOOKS)).toEqual([]);
  }, 300_000);

  test("of a shop in use, where every name is as long as it can be, bars nobody", async () => {
    const used = await inUse();
    const addresses = (role: Role) =>
      PAGES.filter((it) => it.as === role).map(({ path, at }) => at?.(used) ?? path);
    const people = { visitor: null, agent: used.agent, admin: world.yaw };
    expect(await findings(people, addresses, EVERY_LOOK)).toEqual([]);
  }, 300_000);

  for (const [what, as, path, act] of ANSWERS) {
    test(`bars nobody: ${what}`, () =>
      visit(as === "admin" ? world.yaw : buyer, async (page) => {
        await inUse();
        await page.goto(path);
        await act(page);
        expect(await findingsHere(page, what, EVERY_LOOK)).toEqual([]);
      }));
  }
});

type Answer = [what: string, as: "agent" | "admin", path: string, act: (page: Page) => Promise<void>];

/** Pages that are the answer to a form, and what opens over a page. */
const ANSWERS: Answer[] = [
  [
    "a purchase that was refused",
    "agent",
    "/airtel-tigo",
    async (page) => {
      await button(page, "Pay with Wallet").click();
      await reads(page, "Select package and enter number");
    },
  ],
  [
    "a bulk order that is to be checked",
    "agent",
    "/airtel-tigo",
    async (page) => {
      await field(page, "Package").nth(1).selectOption({ index: 1 });
      await field(page, "Numbers").fill(`0271234567\n0271234567\n${long}`);
      await button(page, "Check Bulk Order").click();
      await button(page, "Place Bulk Orders").waitFor();
    },
  ],
  [
    "the question before orders are moved",
    "admin",
    "/orders",
    async (page) => {
      await page.getByRole("checkbox", { name: "Select order" }).first().check();
      await button(page, "FAILED").first().click();
      await reads(page, "Will move");
    },
  ],
  [
    "the books",
    "admin",
    "/admin/books",
    async (page) => {
      await button(page, "Check the books").click();
      await reads(page, "The books balance.");
    },
  ],
  ["the dialog for a top-up", "agent", "/dashboard", (page) => button(page, "Top Up").first().click()],
  ["the drawer", "agent", "/support", (page) => button(page, "Menu").click()],
];

/** The rules that a theme can break: it changes colours and nothing else. */
const COLOURS = ["color-contrast", "link-in-text-block"];

type Look = { size: typeof PHONE; colorScheme: "light" | "dark"; axe: "all" | "colours" | null };
const EVERY_LOOK: Look[] = [
  { size: PHONE, colorScheme: "light", axe: "all" },
  { size: PHONE, colorScheme: "dark", axe: "colours" },
  { size: { width: 768, height: 1024 }, colorScheme: "dark", axe: null },
  { size: DESK, colorScheme: "dark", axe: "colours" },
  { size: DESK, colorScheme: "light", axe: "all" },
];
/** An empty page is a part of a full one but for a few words. */
const TWO_LOOKS: Look[] = [
  { size: PHONE, colorScheme: "light", axe: "all" },
  { size: DESK, colorScheme: "dark", axe: "colours" },
];

/** What axe objects to on these pages, and which of them can be moved sideways. */
async function findingsOn(page: Page, addresses: string[], looks: Look[]): Promise<string[]> {
  const findings: string[] = [];
  await stay(page);
  for (const address of addresses) {
    const response = await page.goto(address);
    if (response?.status() !== 200) findings.push(`${address}: status ${response?.status()}`);
    findings.push(...(await findingsHere(page, address, looks)));
  }
  return findings;
}

/** The pages that lead on by themselves, or look again, stay as they are while they are looked at. */
async function stay(page: Page): Promise<void> {
  await page.route(/\/(logout|payments\/)/, async (route) => {
    const response = await route.fetch();
    const { refresh: _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
}

async function findingsHere(page: Page, what: string, looks: Look[]): Promise<string[]> {
  const findings: string[] = [];
  for (const { size, colorScheme, axe } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const isTooWide = await page.evaluate(() => document.scrollingElement!.scrollWidth > innerWidth);
    const where = `${what} at ${size.width} px, ${colorScheme}`;
    if (isTooWide) findings.push(`${where}: scrolls sideways`);
    if (!axe) continue;
    const objections = await objectionsTo(page, axe === "colours" ? { runOnly: COLOURS } : {});
    findings.push(...objections.map((words) => `${where}: ${words}`));
  }
  return findings;
}
