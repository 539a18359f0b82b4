// Every page, in an empty shop and in one in use, on a phone, a tablet and at a desk, light and dark: nobody is shut out
// (axe finds nothing at all to object to), and nothing makes a page scroll sideways.
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startPaystack } from "../../simulators/paystack.ts";
import { fillShop, type ListedPage, ORDINARY, PAGES, type Used } from "../support/pages.ts";
import { openWorld, type Person } from "../support/world.ts";
import { DESK, describeInBrowser, objectionsTo, openBrowser, PHONE } from "./browser.ts";
import { button, field, reads } from "./journeys.ts";

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const buyer = await world.person("buyer", "GH₵ 50.00");
type Role = ListedPage["as"];

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
  const { visit } = openBrowser(world, { PAYSTACK_BASE_URL: paystack.url, HOOK_THIS_MACHINE: "true" });
  /** Each role's pages at the same time: it is the browser's renderers that work. */
  const findings = async (
    people: Partial<Record<Role, Person | null>>,
    addressesOf: (role: Role) => string[],
    looks: typeof everyLook,
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
    const addresses = (role: Role) =>
      PAGES.filter((it) => it.as === role && it.needsNothing).map((it) => it.path);
    const agent = await world.person("newcomer");
    expect(await findings({ agent, admin: world.yaw }, addresses, quickLook)).toEqual([]);
  });

  test("of a shop in use, where every name is as long as it can be, bars nobody", async () => {
    const used = await inUse();
    const addresses = (role: Role) =>
      PAGES.filter((it) => it.as === role).flatMap(({ addresses }) => addresses(used));
    const people = { visitor: null, agent: used.agent, admin: world.yaw };
    expect(await findings(people, addresses, everyLook)).toEqual([]);
  });

  test("that answers a form, or opens over another, bars nobody", async () => {
    const used = await inUse();
    const all: string[] = [];
    const walkAll = (as: Role) => async (page: Page) => {
      for (const [turn, [what, path, act]] of ANSWERS[as].entries()) {
        await page.setViewportSize(PHONE);
        await page.goto(typeof path === "string" ? path : path(used));
        await act(page);
        all.push(...(await findingsHere(page, what, everyLook(turn))));
      }
    };
    const people = { visitor: null, agent: buyer, admin: world.yaw };
    await Promise.all(Object.entries(people).map(([as, person]) => visit(person, walkAll(as as Role))));
    expect(all).toEqual([]);
  });
});

type Answer = [what: string, path: string | ((used: Used) => string), act: (page: Page) => Promise<void>];

/** Pages that are the answer to a form, and what opens over a page. */
const ANSWERS: Record<Role, Answer[]> = {
  visitor: [
    [
      "a new password that is refused",
      "/reset-password",
      async (page) => {
        await button(page, "Set Password").click();
        await page.locator("[aria-invalid=true]").first().waitFor();
      },
    ],
  ],
  agent: [
    [
      "a purchase that was refused",
      "/airtel-tigo",
      async (page) => {
        await button(page, "Pay with Wallet").click();
        await reads(page, "Select package and enter number");
      },
    ],
    [
      "a bulk order that is to be checked",
      "/bulk?operator=AIRTELTIGO",
      async (page) => {
        await field(page, "Package").selectOption({ index: 1 });
        await field(page, "Numbers").fill(`0271234567\n0271234567\n${long}`);
        await button(page, "Check list").click();
        await button(page, "Place Bulk Orders").waitFor();
      },
    ],
    [
      "a bulk order without a package",
      "/bulk?operator=AIRTELTIGO",
      async (page) => {
        await button(page, "Check list").click();
        await page.locator("#bulk-product-error").waitFor();
      },
    ],
    [
      "people for AFA who cannot be registered",
      "/mtn-afa",
      async (page) => {
        await button(page, "Add another person").click();
        await page.getByLabel("MTN number").last().fill("0201234567");
        await button(page, "Register 2 people").click();
        await reads(page, "Nobody was registered");
      },
    ],
    [
      "a phone that waits for its code",
      "/profile/phone",
      async (page) => {
        await field(page, "Phone number").fill("0545550000");
        await field(page, "Current password").fill(buyer.password);
        await button(page, "Send Code").click();
        await button(page, "Confirm Phone").click();
        await reads(page, "This code is wrong");
      },
    ],
    [
      "a webhook that is refused, and the secret of one that is made",
      "/profile/webhooks",
      async (page) => {
        await field(page, "Address").fill(`http://10.0.0.1/${long}`);
        await button(page, "Add Webhook").click();
        await reads(page, "on the public internet");
        await field(page, "Address").fill(`http://127.0.0.1:60000/${long}`);
        await field(page, "Description").fill(long);
        await button(page, "Add Webhook").click();
        await reads(page, "is not shown again");
      },
    ],
    ["the dialog for a top-up", "/dashboard", (page) => button(page, "Top Up").first().click()],
    ["the drawer", "/support", (page) => button(page, "Menu").click()],
  ],
  admin: [
    [
      "the question before orders are moved",
      "/orders",
      async (page) => {
        await page.getByRole("checkbox", { name: "Select order" }).first().check();
        await button(page, "FAILED").first().click();
        await reads(page, "Will move");
      },
    ],
    [
      "the question before people are refused",
      "/admin/afa",
      async (page) => {
        await page.getByRole("checkbox", { name: "Select registration" }).first().check();
        await button(page, "Refuse …").click();
        await button(page, "Refuse and refund").click();
        await reads(page, "Say why");
      },
    ],
    [
      "a card that is shown",
      (used) => `/admin/afa/${used.afa}`,
      async (page) => {
        await button(page, "Show the number").click();
        await reads(page, "has recorded that you saw it");
      },
    ],
    [
      "the dialog for a refund",
      ({ order }) => `/orders/${order}`,
      (page) => button(page, "Refund …").click(),
    ],
    [
      "the dialog for a user",
      ({ agent }) => `/admin/users/${agent.id}`,
      (page) => button(page, "Edit").click(),
    ],
    [
      "results that say nothing",
      ({ batch }) => `/admin/desk/${batch}`,
      async (page) => {
        await field(page, "Results").fill(`0541234567,${long}`);
        await button(page, "Save results").click();
        await reads(page, "say delivered, failed or pending");
      },
    ],
    [
      "the books",
      "/admin/books",
      async (page) => {
        await button(page, "Check everything").click();
        // By the time it is looked at, the check may wait, run or be over.
        await reads(page, "The books will be checked in a moment.");
      },
    ],
  ],
};

/** The rules that a theme can break: it changes colours and nothing else. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** What axe is asked. */
const RULES = { all: {}, colours: { runOnly: COLOURS }, "all but colours": { without: COLOURS } };

type Look = {
  size: typeof PHONE;
  colorScheme: "light" | "dark";
  axe: "all" | "colours" | "all but colours" | null;
};
const [LIGHT, DARK] = [{ colorScheme: "light" }, { colorScheme: "dark" }] as const;
const TABLET = { width: 768, height: 1024 };

/** Everything on a phone, and at a desk whatever its room changes; dark at one of them, by turns. */
function everyLook(turn: number): Look[] {
  const inTheDark = { size: turn % 2 === 0 ? PHONE : DESK, ...DARK, axe: "colours" } as const;
  return [
    { size: PHONE, ...LIGHT, axe: "all" },
    { size: TABLET, ...LIGHT, axe: null },
    { size: DESK, ...LIGHT, axe: "all but colours" },
    inTheDark,
  ];
}
/** An empty page is a part of a full one but for a few words. */
const quickLook = (): Look[] => [
  { size: PHONE, ...LIGHT, axe: "all" },
  { size: DESK, ...LIGHT, axe: null },
];

/** What axe objects to on these pages, and which of them can be moved sideways. */
async function findingsOn(page: Page, addresses: string[], looks: typeof everyLook): Promise<string[]> {
  const findings: string[] = [];
  await stay(page);
  for (const [turn, address] of addresses.entries()) {
    const response = await page.goto(address);
    if (response?.status() !== 200) findings.push(`${address}: status ${response?.status()}`);
    findings.push(...(await findingsHere(page, address, looks(turn))));
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
    const objections = await objectionsTo(page, RULES[axe]);
    findings.push(...objections.map((words) => `${where}: ${words}`));
  }
  return findings;
}
