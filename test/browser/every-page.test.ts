// Accessibility of every page, in an empty shop and in one in use, on a phone, a tablet and a desktop, light and dark:
// axe has no objection, and no page scrolls sideways, with text at twice its size either.
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { fillShop, type ListedPage, ORDINARY, PAGES, type Used } from "../support/pages.ts";
import { openWorld, type Person } from "../support/world.ts";
import { newObjectionsTo } from "./axe.ts";
import { DESK, describeInBrowser, openBrowser, PHONE } from "./browser.ts";
import { button, field, fold, reads } from "./journeys.ts";

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const buyer = await world.person("buyer", "GH₵ 50.00");
type Role = ListedPage["as"];

/** The longest possible name, without a place to break: pages have to fit it. */
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
/** Fills the shop once. */
const inUse = () => {
  filled ??= fillShop(world, paystack, LONG);
  return filled;
};

describeInBrowser("every page", () => {
  const { visit } = openBrowser(world, { PAYSTACK_BASE_URL: paystack.url, HOOK_THIS_MACHINE: "true" });
  /** Runs the roles' pages concurrently: the browser's renderers do the work. */
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

  test("of an empty shop is accessible", async () => {
    const addresses = (role: Role) => PAGES.filter((it) => it.as === role && it.needsNothing).map((it) => it.path);
    const agent = await world.person("newcomer");
    expect(await findings({ agent, admin: world.yaw }, addresses, quickLook)).toEqual([]);
  });

  /** Every so many of the pages of a shop in use: all at once take minutes. */
  const PARTS = 4;
  test.each(Array.from({ length: PARTS }, (_, part) => part + 1))(
    `of a shop in use, with names of the greatest length, is accessible, part %p of ${PARTS}`,
    async (part) => {
      const used = await inUse();
      const addresses = (role: Role) =>
        PAGES.filter((it) => it.as === role)
          .filter((_, at) => at % PARTS === part - 1)
          .flatMap(({ addresses }) => addresses(used));
      const people = { visitor: null, agent: used.agent, admin: world.yaw };
      expect(await findings(people, addresses, everyLook)).toEqual([]);
    },
  );

  test("that answers a form, or opens over another, is accessible", async () => {
    const used = await inUse();
    const all: string[] = [];
    const walkAll = (as: Role) => async (page: Page) => {
      for (const [turn, [label, path, act]] of ANSWERS[as].entries()) {
        await page.setViewportSize(PHONE);
        await page.goto(typeof path === "string" ? path : path(used));
        await act(page);
        all.push(...(await findingsHere(page, label, everyLook(turn))));
      }
    };
    const people = { visitor: null, agent: buyer, admin: world.yaw };
    await Promise.all(Object.entries(people).map(([as, person]) => visit(person, walkAll(as as Role))));
    expect(all).toEqual([]);
  });
});

type Answer = [label: string, path: string | ((used: Used) => string), act: (page: Page) => Promise<void>];

/** Pages that answer a form, and dialogs over a page. */
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
      "a sale from the dashboard that was refused",
      "/dashboard",
      async (page) => {
        await button(page, "Pay").click();
        await reads(page, "Select package and enter number");
      },
    ],
    [
      "the question whether a number is on this network",
      "/airtel-tigo",
      async (page) => {
        await page.locator("form.counter is-land[on=load][ready]").nth(1).waitFor({ state: "attached" });
        await field(page, "Recipient number").fill("0241234567");
        // A known number chooses its network, which can be changed.
        await page.getByRole("radio", { name: "AirtelTigo" }).check();
        await page.locator("label.bundle.AIRTELTIGO").first().click();
        await button(page, "Pay with Wallet").click();
        await reads(page, "Is 024 123 4567 on AirtelTigo?");
      },
    ],
    [
      "the question whether a sale is wanted again",
      ({ product }) => `/buy?msisdn=0241234567&product=${product}`,
      async (page) => {
        await button(page, "Pay with Wallet").click();
        await reads(page, "Paid with wallet successfully");
        await page.goBack();
        await page.reload();
        await button(page, "Pay with Wallet").click();
        await reads(page, "Order it again?");
      },
    ],
    [
      "the filters and files of the orders",
      "/orders",
      async (page) => {
        await fold(page, "More").click();
        await field(page, "Network").waitFor();
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
        await field(page, "Numbers").fill("0271234567");
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
        await reads(page, "Nothing was paid yet.");
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
    ["the drawer", "/support", (page) => button(page, "More").click()],
  ],
  admin: [
    [
      "the question before orders are moved",
      "/orders",
      async (page) => {
        await page.getByRole("checkbox", { name: "Select order" }).first().check();
        await page.getByRole("button", { name: "Fail 1" }).first().click();
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
    ["the dialog for a refund", ({ order }) => `/orders/${order}`, (page) => button(page, "Refund …").click()],
    ["the dialog for a user", ({ agent }) => `/admin/users/${agent.id}`, (page) => button(page, "Edit").click()],
    [
      "results that have to be explained",
      ({ batch }) => `/admin/desk/${batch}`,
      async (page) => {
        await field(page, "Or paste lines").fill(`0541234567,${long}`);
        await button(page, "Save results").click();
        await reads(page, "Choose what these mean, then check again");
      },
    ],
    [
      "the books",
      "/admin/books",
      async (page) => {
        await button(page, "Check everything").click();
        // By now the check may be waiting, running or finished.
        await reads(page, "The balances will be checked in a moment.");
      },
    ],
  ],
};

/** The rules that a theme can break, as it changes only colours. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** The sets of rules that axe checks. */
const RULES = { all: {}, colours: { runOnly: COLOURS }, "all but colours": { without: COLOURS } };

/** The looks of texts whose contrast has been checked, in either theme. */
const looksSeen = new Set<string>();

type Look = {
  size: typeof PHONE;
  colorScheme: "light" | "dark";
  axe: "all" | "colours" | "all but colours" | null;
  /** Text at twice its size, as the browser's settings allow. */
  isLarge?: boolean;
};
const [LIGHT, DARK] = [{ colorScheme: "light" }, { colorScheme: "dark" }] as const;
const TABLET = { width: 768, height: 1024 };

/** All rules on a phone, and on a desktop those that its width affects; dark on one of them in turn. */
function everyLook(turn: number): Look[] {
  const inTheDark = { size: turn % 2 === 0 ? PHONE : DESK, ...DARK, axe: "colours" } as const;
  return [
    { size: PHONE, ...LIGHT, axe: "all" },
    { size: TABLET, ...LIGHT, axe: null },
    { size: DESK, ...LIGHT, axe: "all but colours" },
    { size: PHONE, ...LIGHT, axe: null, isLarge: true },
    inTheDark,
  ];
}
/** Fewer looks: an empty page is nearly a part of a full one. */
const quickLook = (): Look[] => [
  { size: PHONE, ...LIGHT, axe: "all" },
  { size: DESK, ...LIGHT, axe: null },
];

/** axe's objections to these pages, and the pages that scroll sideways. */
async function findingsOn(page: Page, addresses: string[], looks: typeof everyLook): Promise<string[]> {
  const findings: string[] = [];
  await freeze(page);
  for (const [turn, address] of addresses.entries()) {
    const response = await page.goto(address);
    if (response?.status() !== 200) findings.push(`${address}: status ${response?.status()}`);
    findings.push(...(await findingsHere(page, address, looks(turn))));
  }
  return findings;
}

/** Keeps pages that redirect or refresh by themselves unchanged while they are checked. */
async function freeze(page: Page): Promise<void> {
  await page.route(/\/(logout|payments\/)/, async (route) => {
    const response = await route.fetch();
    const { refresh: _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
}

async function findingsHere(page: Page, label: string, looks: Look[]): Promise<string[]> {
  const findings: string[] = [];
  for (const { size, colorScheme, axe, isLarge = false } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const tooWide = await page.evaluate(widestIfTooWide, isLarge ? "200%" : "");
    const where = `${label} at ${size.width} px, ${colorScheme}${isLarge ? ", text at 200 %" : ""}`;
    if (tooWide) findings.push(`${where}: scrolls sideways, ${tooWide}`);
    if (!axe) continue;
    const objections = await newObjectionsTo(page, RULES[axe], axe === "all but colours" ? null : looksSeen);
    findings.push(...objections.map((objection) => `${where}: ${objection}`));
  }
  return findings;
}

/** With text of this size: the innermost element that reaches furthest, on a page that scrolls sideways. */
function widestIfTooWide(fontSize: string): string | null {
  const root = document.documentElement;
  root.style.fontSize = fontSize;
  const isTooWide = document.scrollingElement!.scrollWidth > innerWidth;
  const rightOf = (element: Element) => element.getBoundingClientRect().right;
  // Of equal ones the last is the innermost. To measure every element takes long on a large page.
  const all = isTooWide ? [...document.body.querySelectorAll("*")].reverse() : [];
  const [widest] = all.sort((a, b) => rightOf(b) - rightOf(a));
  root.style.fontSize = "";
  return widest?.outerHTML.slice(0, 200) ?? null;
}
