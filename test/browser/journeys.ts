// The eight journeys that the shop is for, each told once: with a mouse, without scripts and with the keyboard alone they
// differ by the hand that walks them.
import { afterAll, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type * as products from "../../src/core/products.ts";
import { startPaystack } from "../simulators/paystack.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import type { Visits } from "./browser.ts";

/** How somebody works a page: with a mouse, or with the keyboard alone. */
export type Hand = {
  /** Whether there are scripts: they gather a row's further actions in a menu. */
  hasMenus: boolean;
  press: (target: Locator) => Promise<void>;
  /** Takes this from the menu that is open. */
  pick: (item: Locator) => Promise<void>;
  fill: (field: Locator, text: string) => Promise<void>;
  choose: (select: Locator, option: string) => Promise<void>;
};

export const mouse: Hand = {
  hasMenus: true,
  press: (target) => target.click(),
  pick: (item) => item.click(),
  fill: (field, text) => field.fill(text),
  choose: async (select, option) => void (await select.selectOption({ label: option })),
};

/** A shop with agents, Yaw the admin, two bundles, and a Paystack to pay at. */
export async function openMarket() {
  const world = await openWorld();
  const paystack = await startPaystack({ approveSeconds: 1000 });
  afterAll(() => paystack.stop());
  const client = openApp(world, paystack);
  const [oneGb, twoGb] = [
    await world.product("MTN", "1GB", "3.90"),
    await world.product("TELECEL", "2GB", "8.00"),
  ];
  let people = 0;
  let numbers = 1_000_000;
  return {
    ...{ world, client, paystack, oneGb, twoGb },
    /** Another agent with GH₵ 100.00. */
    agent: () => world.person(`ama${++people}`, "GH₵ 100.00"),
    /** A number that nobody has bought for. */
    newNumber: () => `054${++numbers}`,
    /** Orders one bundle and returns the order's id. */
    order: async (person: Person, bundle: products.Product = oneGb, pay: "wallet" | null = "wallet") => {
      const line = { productId: bundle.id, msisdn: `054${++numbers}`, quantity: 1, ...(pay && { pay }) };
      const { status, body } = await client.call(person, "POST", "/api/v1/orders", line);
      if (status !== 201) throw new Error(`no order: ${JSON.stringify(body)}`);
      return body.id as number;
    },
    environment: { PAYSTACK_BASE_URL: paystack.url, PAYSTACK_SECRET_KEY: paystack.secretKey },
  };
}
export type Market = Awaited<ReturnType<typeof openMarket>>;

type Walk = (page: Page, hand: Hand, market: Market, agent: Person) => Promise<void>;
export type Journey = { name: string; as: "agent" | "admin"; walk: Walk };

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
export const button = (page: Page, name: string) => page.getByRole("button", { name });
export const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name });
/** What opens and closes a part of the page. */
export const fold = (page: Page, words: string) => page.locator("summary", { hasText: words });
/** Waits until the page says so. */
export const reads = (page: Page, words: string) =>
  page.getByText(words).filter({ visible: true }).first().waitFor();

export const journeys: Journey[] = [
  { name: "buying a bundle", as: "agent", walk: buy },
  { name: "a bulk order", as: "agent", walk: buyInBulk },
  { name: "a top-up", as: "agent", walk: topUp },
  { name: "searching orders", as: "agent", walk: search },
  { name: "asking support", as: "agent", walk: askSupport },
  { name: "changing an order's status", as: "admin", walk: changeStatus },
  { name: "keeping the products", as: "admin", walk: keepProducts },
  { name: "keeping the users", as: "admin", walk: keepUsers },
];

/** Opens what a row asks before it is done: from the row's menu, or where it stands in the row. */
export async function openInRow(page: Page, hand: Hand, row: string, words: string): Promise<void> {
  if (!hand.hasMenus) return hand.press(fold(page, `${words} ${row}`));
  await hand.press(button(page, `More for ${row}`));
  await hand.pick(page.getByRole("menuitem", { name: words }));
}

/** Walks a journey as whoever it belongs to, an agent of its own or the admin. */
export async function take(
  { as, walk }: Journey,
  { visit }: Visits,
  market: Market,
  hand: Hand,
  options?: Parameters<Visits["visit"]>[2],
): Promise<void> {
  const agent = await market.agent();
  const person = as === "admin" ? market.world.yaw : agent;
  return visit(person, (page) => walk(page, hand, market, agent), options);
}

async function buy(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const before = await market.world.balanceOf(ama);
  await page.goto("/mtn-data");
  await hand.choose(field(page, "Package").first(), "1GB – GH₵ 3.90");
  await hand.fill(field(page, "Recipient number"), market.newNumber());
  await hand.press(button(page, "Pay with Wallet"));
  await reads(page, "Paid with wallet successfully.");
  expect(new URL(page.url()).pathname).toBe("/orders");
  expect(await market.world.balanceOf(ama)).toBe(before - 390);
}

async function buyInBulk(page: Page, hand: Hand, market: Market): Promise<void> {
  const numbers = [market.newNumber(), market.newNumber()];
  await page.goto("/mtn-data");
  await hand.choose(field(page, "Package").nth(1), "1GB – GH₵ 3.90");
  await hand.fill(field(page, "Numbers"), `${numbers.join("\n")}\n12345`);
  await hand.press(button(page, "Check Bulk Order"));
  await reads(page, "Nothing has been placed or paid yet.");
  await hand.press(button(page, "Place Bulk Orders (2), keep 1 as a draft"));
  await reads(page, "Created 2 orders. Kept as a draft: 1");
  await reads(page, "0 of 2 delivered");
  expect(new URL(page.url()).pathname).toMatch(/^\/bulk\/\d+$/);
}

async function topUp(page: Page, hand: Hand, { world }: Market, ama: Person): Promise<void> {
  const before = await world.balanceOf(ama);
  await page.goto("/wallet/top-up");
  await hand.fill(field(page, "Amount in GH₵"), "20");
  await hand.press(button(page, "Pay with Paystack"));
  await reads(page, "no real money moves here");
  await hand.press(button(page, "Pay GH₵ 20.00"));
  await reads(page, "Wallet top-up completed successfully!");
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  expect(await world.balanceOf(ama)).toBe(before + 2000);
}

async function search(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const { client, world } = market;
  const [open, done] = [await market.order(ama), await market.order(ama, market.twoGb)];
  await client.call(world.yaw, "PATCH", `/api/v1/admin/orders/${done}/status`, { status: "COMPLETED" });
  const box = page.getByRole("searchbox", { name: "Search" });
  const isListed = (id: number) => page.getByRole("link", { name: `#${id}`, exact: true }).isVisible();
  await page.goto("/orders");
  expect([await isListed(open), await isListed(done)]).toEqual([true, false]);
  await hand.fill(box, String(done));
  await hand.press(button(page, "Search"));
  await reads(page, "No matching orders found");
  await hand.press(page.getByRole("checkbox", { name: "Show only new" }));
  await hand.press(button(page, "Search"));
  await page.getByRole("link", { name: `#${done}`, exact: true }).waitFor();
  await hand.fill(box, "");
  await hand.press(fold(page, "Filters"));
  await hand.choose(field(page, "Network"), "Telecel");
  await hand.choose(field(page, "Status"), "COMPLETED");
  await hand.press(button(page, "Search"));
  await page.waitForURL(/status=COMPLETED/);
  expect([await isListed(open), await isListed(done)]).toEqual([false, true]);
}

async function askSupport(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const id = await market.order(ama);
  await page.goto("/support");
  await hand.fill(field(page, "Full name"), "Ama Mensah");
  await hand.fill(field(page, "Subject"), `About ${id}`);
  await hand.fill(field(page, "Message"), "Is there a price list?");
  await hand.press(button(page, "Submit Request"));
  await reads(page, "Support has your request and will answer.");
  await reads(page, `About ${id}`);
  await page.goto(`/orders/${id}`);
  await hand.press(fold(page, "Report an Issue"));
  await hand.fill(field(page, "What is wrong?"), "It has not come");
  await hand.press(button(page, "Submit Report"));
  await reads(page, `Support has your report about order #${id} and will answer.`);
}

async function changeStatus(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const [first, second, third] = [await market.order(ama), await market.order(ama), await market.order(ama)];
  await page.goto("/orders");
  await hand.press(button(page, `Process order ${first}`));
  await reads(page, `Order ${first} status updated to PROCESSING`);
  await hand.press(button(page, `Deliver order ${first}`));
  await reads(page, `Order ${first} status updated to DELIVERED`);
  const before = await market.world.balanceOf(ama);
  await openInRow(page, hand, `order ${second}`, "Fail …");
  await hand.press(button(page, `Fail and give GH₵ 3.90 back order ${second}`));
  await reads(page, `Order ${second} status updated to FAILED`);
  expect(await market.world.balanceOf(ama)).toBe(before + 390);
  await hand.press(page.getByRole("checkbox", { name: `Select order ${third}` }));
  await hand.press(button(page, "COMPLETED"));
  await hand.press(button(page, "Move 1 orders"));
  await reads(page, `Order ${third} status updated to COMPLETED`);
}

async function keepProducts(page: Page, hand: Hand, { world }: Market): Promise<void> {
  const name = `Airtel ${crypto.randomUUID().slice(0, 6)}`;
  await page.goto("/admin/products");
  await hand.choose(field(page, "Operator"), "AirtelTigo");
  await hand.fill(field(page, "Product Name"), name);
  await hand.fill(field(page, "Size"), "5GB");
  await hand.fill(field(page, "Price in GH₵"), "20");
  await hand.press(button(page, "Add Product"));
  await reads(page, `Added ${name} 5GB.`);
  await hand.press(link(page, name));
  await hand.fill(field(page, "Price in GH₵"), "21.50");
  await hand.press(button(page, "Save product"));
  await reads(page, "Product saved.");
  await hand.fill(field(page, "Message for buyers"), "Back at noon");
  await hand.press(button(page, "Pause sale"));
  await reads(page, "Paused: it cannot be bought until you resume it.");
  await hand.press(button(page, "Resume sale"));
  await reads(page, "It can be bought again.");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await hand.press(fold(page, "Delete …"));
  await reads(page, "Are you sure you want to delete this product?");
  await hand.press(button(page, `Delete product ${id}`));
  await reads(page, `Deleted ${name} 5GB.`);
  const [left] = await world.db.$client`select 1 from products where name = ${name} and retired_at is null`;
  expect(left).toBeUndefined();
}

async function keepUsers(page: Page, hand: Hand): Promise<void> {
  const name = `kofi${crypto.randomUUID().slice(0, 6)}`;
  await page.goto("/admin/users");
  await hand.press(fold(page, "Create user"));
  await hand.fill(field(page, "Username"), name);
  await hand.fill(field(page, "Email"), `${name}@example.com`);
  await hand.fill(field(page, "Password"), "correct horse battery");
  await hand.press(button(page, "Create User"));
  await reads(page, `Created: ${name} can log in now.`);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await hand.press(button(page, "Edit"));
  await hand.fill(field(page, "Username"), `${name}-2`);
  await hand.press(button(page, "Save user"));
  await reads(page, "User saved.");
  for (const [amount, words] of [
    ["50.00", "Corrected by GH₵ 50.00: the wallet holds GH₵ 50.00 now."],
    ["-50.00", "Corrected by −GH₵ 50.00: the wallet holds GH₵ 0.00 now."],
  ] as const) {
    await hand.fill(field(page, "Correct by GH₵"), amount);
    await hand.fill(field(page, "Reason"), "Cash paid at the office");
    await hand.press(button(page, "Correct the wallet"));
    await reads(page, words);
  }
  await hand.press(fold(page, "Ban …"));
  await hand.press(button(page, `Ban user ${id}`));
  await reads(page, `Banned: ${name}-2 is logged out everywhere.`);
  await hand.press(button(page, `Unban user ${id}`));
  await reads(page, `Unbanned: ${name}-2 can log in again.`);
  await hand.press(fold(page, "Delete …"));
  await reads(page, "Delete user?");
  await hand.press(button(page, `Delete user ${id}`));
  await reads(page, `User ${id} was deleted.`);
}
