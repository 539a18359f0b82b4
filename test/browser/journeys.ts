// The journeys that the shop is for, each written once. With a mouse, without scripts and with the keyboard alone, only
// the hand that walks them differs.
import { afterAll, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { startMessages } from "../../dev/simulators/messages.ts";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import * as afa from "../../src/core/afa/registrations.ts";
import * as products from "../../src/core/catalog/products.ts";
import { DESK } from "../../src/shared/domain.ts";
import { applyResults } from "../support/desk.ts";
import { dispatchNow } from "../support/pages.ts";
import { openApp, openWorld, type Person, TEST_CARDS } from "../support/world.ts";
import { workbook } from "../support/xlsx.ts";
import type { Visits } from "./browser.ts";

/** How somebody works a page: with a mouse, or with the keyboard alone. */
export type Hand = {
  /** Whether pages run scripts, which collect a row's further actions in a menu, and read files ahead. */
  hasScripts: boolean;
  press: (target: Locator) => Promise<void>;
  /** Chooses an item of the open menu. */
  pick: (item: Locator) => Promise<void>;
  fill: (field: Locator, text: string) => Promise<void>;
  choose: (select: Locator, option: string) => Promise<void>;
};

export const mouse: Hand = {
  hasScripts: true,
  press: (target) => target.click(),
  pick: (item) => item.click(),
  fill: (field, text) => field.fill(text),
  choose: async (select, option) => void (await select.selectOption({ label: option })),
};

/** A shop with agents, Yaw the admin, two bundles, AFA, a simulated Paystack, and phones and mailboxes to read. */
export async function openMarket() {
  const world = await openWorld();
  const [paystack, messages] = await Promise.all([startPaystack({ approveSeconds: 1000 }), startMessages()]);
  afterAll(() => Promise.all([paystack.stop(), messages.stop()]));
  const client = openApp(world, paystack);
  const [oneGb, twoGb] = [await world.product("MTN", "1GB", "3.90"), await world.product("TELECEL", "2GB", "8.00")];
  await products.ensureAfa(world.db);
  let people = 0;
  let numbers = 1_000_000;
  let cards = 100_000_000;
  const newNumber = () => `054${++numbers}`;
  const newCard = () => `GHA-${++cards}-1`;
  /** Orders one bundle and returns the order's id. */
  const order = async (
    person: Person,
    bundle: products.Product = oneGb,
    pay: "wallet" | null = "wallet",
    msisdn = newNumber(),
  ) => {
    const line = { productId: bundle.id, msisdn, quantity: 1, ...(pay && { pay }) };
    const { status, body } = await client.call(person, "POST", "/api/v1/orders", line);
    if (status !== 201) throw new Error(`no order: ${JSON.stringify(body)}`);
    return body.id as number;
  };
  return {
    ...{ world, client, paystack, oneGb, twoGb, order },
    /** Another agent with GH₵ 100.00. */
    agent: () => world.person(`ama${++people}`, "GH₵ 100.00"),
    /** A number without orders. */
    newNumber,
    /** A Ghana Card without a registration. */
    newCard,
    /** A submitted AFA registration: its id, and the card. */
    registration: async (person: Person) => {
      const ghCardId = newCard();
      const someone = { fullName: "Kwame Boateng", phone: newNumber(), ghCardId, location: "Tamale" };
      const ask = { by: person.by("web"), key: null, people: [someone] };
      const { answer } = await afa.register(world.db, TEST_CARDS, ask);
      return { id: answer.registrations[0]!.id, ghCardId };
    },
    /** An order that waits at the desk. */
    orderAtDesk: async (person: Person) => {
      const msisdn = newNumber();
      const id = await order(person, oneGb, "wallet", msisdn);
      await dispatchNow(world, [id], DESK);
      return { id, msisdn };
    },
    /** The code that was sent to this mailbox or phone (+233541234567), read on the simulator's page. */
    codeTo: async (page: Page, recipient: string): Promise<string> => {
      const inbox = await page.context().newPage();
      const letter = inbox.locator("li", { hasText: recipient }).first();
      do await inbox.goto(messages.pageUrl);
      while ((await letter.count()) === 0);
      const code = /\d{6}/.exec((await letter.locator("p").textContent())!)![0];
      await inbox.close();
      return code;
    },
    environment: {
      PAYSTACK_BASE_URL: paystack.url,
      PAYSTACK_SECRET_KEY: paystack.secretKey,
      AT_BASE_URL: messages.sms.baseUrl,
      AT_USERNAME: messages.sms.username,
      AT_API_KEY: messages.sms.apiKey,
      SMTP_URL: messages.smtpUrl,
      WORKER_POLL_SECONDS: "0.1",
    },
  };
}
export type Market = Awaited<ReturnType<typeof openMarket>>;

type Walk = (page: Page, hand: Hand, market: Market, agent: Person) => Promise<void>;
export type Journey = { name: string; as: "visitor" | "agent" | "admin"; walk: Walk };

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
export const button = (page: Page, name: string) => page.getByRole("button", { name });
export const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name });
/** A bundle's card on the buying page: "1GB GH₵ 3.90". */
export const card = (page: Page, label: string) => page.getByRole("radio", { name: label });
/** The control that opens and closes a part of the page. */
export const fold = (page: Page, label: string) => page.locator("summary", { hasText: label });
/** Opens a part of the page that is folded on a phone. */
async function unfold(page: Page, hand: Hand, label: string): Promise<void> {
  const summary = fold(page, label);
  if (await summary.isVisible()) await hand.press(summary);
}
/** The file that is downloaded by this. */
export async function download(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent("download"), act()]);
  return { name: file.suggestedFilename(), text: await Bun.file(await file.path()).text() };
}
/** Waits until the page shows this text. */
export const reads = (page: Page, text: string) => page.getByText(text).filter({ visible: true }).first().waitFor();

export const journeys: Journey[] = [
  { name: "buying a bundle", as: "agent", walk: buy },
  { name: "an order's result, cancelled in time, and its receipt", as: "agent", walk: cancelInTime },
  { name: "a bulk order", as: "agent", walk: buyInBulk },
  { name: "a bulk order from a file", as: "agent", walk: buyFromFile },
  { name: "registering people for AFA", as: "agent", walk: registerPeople },
  { name: "a top-up", as: "agent", walk: topUp },
  { name: "searching orders", as: "agent", walk: search },
  { name: "asking support", as: "agent", walk: askSupport },
  { name: "confirming a phone", as: "agent", walk: confirmPhone },
  { name: "a forgotten password", as: "visitor", walk: setNewPassword },
  { name: "changing an order's status", as: "admin", walk: changeStatus },
  { name: "refunding an order, with a note", as: "admin", walk: refund },
  { name: "the queue for AFA", as: "admin", walk: workAfaQueue },
  { name: "a batch of the desk", as: "admin", walk: sendByHand },
  { name: "watching over suppliers", as: "admin", walk: watchVendors },
  { name: "keeping the products", as: "admin", walk: manageProducts },
  { name: "keeping the users", as: "admin", walk: manageUsers },
];

/** Presses a row's action, or what opens its confirmation: in the row's menu, or in the row itself. */
export async function openInRow(page: Page, hand: Hand, row: string, label: string, menu = "More for"): Promise<void> {
  if (!hand.hasScripts) return hand.press(page.locator("summary, button", { hasText: `${label} ${row}` }));
  await hand.press(button(page, `${menu} ${row}`));
  await hand.pick(page.getByRole("menuitem", { name: label }));
}

/** Takes a new order from a list, to send it by hand. */
export async function takeInRow(page: Page, hand: Hand, id: number): Promise<void> {
  if (!hand.hasScripts) await hand.press(fold(page, `Process … order ${id}`));
  await openInRow(page, hand, `order ${id}`, "Send it myself", "Process …");
}

/** Walks a journey as its role: a visitor, a new agent, or the admin. */
export async function take(
  { as, walk }: Journey,
  { visit }: Visits,
  market: Market,
  hand: Hand,
  options?: Parameters<Visits["visit"]>[2],
): Promise<void> {
  const agent = await market.agent();
  const person = { visitor: null, agent, admin: market.world.yaw }[as];
  return visit(person, (page) => walk(page, hand, market, agent), options);
}

async function buy(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const before = await market.world.balanceOf(ama);
  const number = market.newNumber();
  await page.goto("/buy");
  await hand.fill(field(page, "Recipient number"), number);
  await hand.press(card(page, "1GB GH₵ 3.90"));
  if (hand.hasScripts) await reads(page, `1GB to ${number.replace(IN_PARTS, "$1 $2 $3")}`);
  await hand.press(button(page, "Pay with Wallet"));
  await reads(page, "Paid with wallet successfully.");
  expect(new URL(page.url()).pathname).toMatch(/^\/orders\/\d+$/);
  expect(await market.world.balanceOf(ama)).toBe(before - 390);
}

async function cancelInTime(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const before = await market.world.balanceOf(ama);
  const id = await market.order(ama, market.oneGb, "wallet", "0245550012");
  await page.goto(`/orders/${id}`);
  await page.getByRole("heading", { name: "1 GB to 024 555 0012" }).waitFor();
  await reads(page, "On its way");
  const message = new URL((await link(page, "Share on WhatsApp").getAttribute("href"))!).searchParams.get("text")!;
  await hand.press(button(page, "Cancel ("));
  await reads(page, `Order #${id} is cancelled. GH₵ 3.90 is back in your wallet.`);
  await reads(page, "Cancelled");
  expect(await market.world.balanceOf(ama)).toBe(before);
  expect(await link(page, "Next sale").getAttribute("href")).toBe("/buy");
  await page.goto(new URL(message.split("here: ")[1]!).pathname);
  await page.getByRole("heading", { name: "1 GB for 024 ••• 0012" }).waitFor();
  await reads(page, "Your seller did not send it.");
}

async function buyInBulk(page: Page, hand: Hand, market: Market): Promise<void> {
  const numbers = [market.newNumber(), market.newNumber()];
  await page.goto("/bulk?operator=MTN");
  await hand.choose(field(page, "Package"), "1GB – GH₵ 3.90");
  await hand.fill(field(page, "Numbers"), `${numbers.join("\n")}\n12345`);
  await hand.press(button(page, "Check list"));
  await reads(page, "Nothing has been placed or paid yet.");
  await hand.press(button(page, "Place Bulk Orders (2), keep 1 as a draft"));
  await reads(page, "Created 2 orders. Kept as a draft: 1");
  await reads(page, "0 of 2 delivered");
  expect(new URL(page.url()).pathname).toMatch(/^\/bulk\/\d+$/);
}

/** Phone numbers in files for Excel contain spaces, which keep their leading zero. */
const IN_PARTS = /^(\d{3})(\d{3})(\d{4})$/;

async function buyFromFile(page: Page, hand: Hand, market: Market): Promise<void> {
  const [first, second] = [market.newNumber(), market.newNumber()];
  const sheet = workbook([
    ["Phone", "Qty"],
    [first, 2],
    [second, null],
    ["0541", null],
  ]);
  await page.goto("/bulk?operator=MTN");
  await hand.choose(field(page, "Package"), "1GB – GH₵ 3.90");
  if (hand.hasScripts) {
    await field(page, "Numbers").scrollIntoViewIfNeeded();
    await page.locator("is-land[src*=bulk-check][ready]").waitFor({ state: "attached" });
  }
  const file = { name: "numbers.xlsx", mimeType: "application/octet-stream", buffer: Buffer.from(sheet) };
  await field(page, "Or a file").setInputFiles(file);
  if (hand.hasScripts) await reads(page, "2 good lines");
  await hand.press(button(page, "Check list"));
  await hand.press(button(page, "Place Bulk Orders (2), keep 1 as a draft"));
  await reads(page, "Created 2 orders. Kept as a draft: 1");
  const { name, text } = await download(page, () => hand.press(link(page, "Download the result")));
  expect(name).toMatch(/^bulk-order-\d+\.csv$/);
  const rows = text.trim().split("\r\n");
  expect(rows.slice(1).map((row) => row.split(",").slice(0, 3))).toEqual([
    [first.replace(IN_PARTS, "$1 $2 $3"), "2", "7.80"],
    [second.replace(IN_PARTS, "$1 $2 $3"), "1", "3.90"],
  ]);
  await page.goto("/bulk");
  await hand.press(fold(page, "Bulk drafts (1)"));
  await hand.press(link(page, "Continue"));
  await page.waitForURL("**/bulk/check/*");
  await hand.press(button(page, "Change the list"));
  await page.waitForURL("**/bulk?draft=*");
  expect(await field(page, "Numbers").inputValue()).toBe("0541");
}

async function registerPeople(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const before = await market.world.balanceOf(ama);
  const numbers = [market.newNumber(), market.newNumber()];
  await page.goto("/mtn-afa");
  await hand.press(button(page, "Add another person"));
  await page.getByRole("group", { name: "Person 2" }).waitFor();
  for (const [i, number] of numbers.entries()) {
    const person = page.getByRole("group", { name: `Person ${i + 1}` });
    await hand.fill(person.getByLabel("Full name"), `Kofi Mensah ${i + 1}`);
    await hand.fill(person.getByLabel("MTN number"), i === 0 ? "12345" : number);
    await hand.fill(person.getByLabel("Ghana Card number"), market.newCard());
    await hand.fill(person.getByLabel("Location"), "Kumasi, Adum");
  }
  await hand.press(button(page, "Register 2 people for GH₵ 10.00"));
  await reads(page, "Nothing was paid yet.");
  await hand.fill(page.getByLabel("MTN number").first(), numbers[0]!);
  await hand.press(button(page, "Register 2 people for GH₵ 10.00"));
  await reads(page, "2 people are submitted for AFA. GH₵ 10.00 was paid from your wallet.");
  expect(await market.world.balanceOf(ama)).toBe(before - 1000);
  for (const i of [1, 2])
    await page
      .getByRole("row", { name: `Kofi Mensah ${i}` })
      .getByText("Submitted")
      .waitFor();
}

async function topUp(page: Page, hand: Hand, { world }: Market, ama: Person): Promise<void> {
  const before = await world.balanceOf(ama);
  await page.goto("/wallet/top-up");
  await hand.press(page.getByRole("radio", { name: "20", exact: true }));
  await hand.press(button(page, "Card or bank"));
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
  const row = (id: number) => page.locator(`.row-link[href="/orders/${id}"]`);
  const isListed = (id: number) => row(id).isVisible();
  await page.goto("/orders");
  const isDoneBelow = () => page.locator(".finished").locator(row(done)).isVisible();
  expect([await isListed(open), await isDoneBelow()]).toEqual([true, true]);
  await hand.fill(box, String(done));
  await hand.press(button(page, "Search"));
  // A search covers everything, also what is hidden while browsing.
  await page.waitForURL(/search=/);
  await row(done).waitFor();
  await hand.fill(box, "no such order");
  await hand.press(button(page, "Search"));
  await reads(page, "No matching orders found");
  await hand.fill(box, "");
  await hand.press(button(page, "Search"));
  await reads(page, "Latest only.");
  await hand.press(link(page, "Failed"));
  await page.waitForURL(/status=FAILED/);
  expect([await isListed(open), await isListed(done)]).toEqual([false, false]);
  await hand.press(fold(page, "More"));
  await hand.choose(field(page, "Network"), "Telecel");
  await hand.choose(field(page, "Status"), "COMPLETED");
  await hand.press(button(page, "Show"));
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
  await reads(page, "Your request has been sent. Support will answer here.");
  await reads(page, `About ${id}`);
  await page.goto(`/orders/${id}`);
  await hand.press(fold(page, "Report an Issue"));
  await hand.fill(field(page, "What is wrong?"), "It has not come");
  await hand.press(button(page, "Submit Report"));
  await reads(page, `Your report about order #${id} has been sent. Support will answer.`);
}

async function confirmPhone(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const number = market.newNumber();
  await page.goto("/profile");
  await hand.press(link(page, "Phone Not set"));
  await hand.fill(field(page, "Phone number"), number);
  await hand.fill(field(page, "Current password"), ama.password);
  await hand.press(button(page, "Send Code"));
  await reads(page, "We sent an SMS with six digits");
  await hand.fill(field(page, "Code"), "000 000");
  await hand.press(button(page, "Confirm Phone"));
  await reads(page, "This code is wrong or has expired.");
  await hand.fill(field(page, "Code"), await market.codeTo(page, number.replace("0", "+233")));
  await hand.press(button(page, "Confirm Phone"));
  await reads(page, "is confirmed.");
}

async function setNewPassword(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  await page.goto("/login");
  await hand.press(link(page, "Forgot Password?"));
  await hand.fill(field(page, "Email or phone number"), ama.email);
  await hand.press(button(page, "Send Code"));
  await reads(page, "If there is such an account, a code is on its way.");
  await hand.fill(field(page, "Code"), await market.codeTo(page, ama.email));
  for (const label of ["New password", "Confirm new password"]) await hand.fill(field(page, label), "one for the road");
  await hand.press(button(page, "Set Password"));
  await reads(page, "Your password has been changed. Log in with the new one.");
  await hand.fill(field(page, "Email"), ama.email);
  await hand.fill(field(page, "Password"), "one for the road");
  await hand.press(button(page, "Login"));
  await page.getByRole("heading", { name: `Welcome, ${ama.username}` }).waitFor();
}

async function changeStatus(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const [first, second, third] = [await market.order(ama), await market.order(ama), await market.order(ama)];
  await page.goto("/orders");
  await takeInRow(page, hand, first);
  await reads(page, `Order ${first} status updated to PROCESSING`);
  await hand.press(button(page, `Deliver order ${first}`));
  await reads(page, `Order ${first} status updated to DELIVERED`);
  const before = await market.world.balanceOf(ama);
  await openInRow(page, hand, `order ${second}`, "Fail …", "Process …");
  await hand.fill(field(page, `Reason for failing order ${second}`), "Wrong number");
  await hand.press(button(page, `Fail and refund GH₵ 3.90 order ${second}`));
  await reads(page, `Order ${second} status updated to FAILED`);
  expect(await market.world.balanceOf(ama)).toBe(before + 390);
  await hand.press(page.getByRole("checkbox", { name: `Select order ${third}` }));
  await hand.press(page.getByRole("button", { name: hand.hasScripts ? "Complete 1" : "Complete", exact: true }));
  await hand.press(button(page, "Move 1 order"));
  await reads(page, `Order ${third} status updated to COMPLETED`);
}

async function refund(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const id = await market.order(ama);
  const before = await market.world.balanceOf(ama);
  await page.goto(`/orders/${id}`);
  await hand.press(fold(page, "Add a note"));
  await hand.fill(field(page, "Note"), "Called her about it");
  await hand.press(button(page, "Add note"));
  await reads(page, "Note added, for staff only.");
  await hand.press(button(page, "Refund …"));
  await hand.press(button(page, "Fail and refund GH₵ 3.90"));
  await reads(page, "Say why");
  await hand.fill(field(page, "Reason"), "The network refused the number");
  await hand.press(button(page, "Fail and refund GH₵ 3.90"));
  await reads(page, `Order ${id} status updated to FAILED. GH₵ 3.90 is refunded`);
  expect(await market.world.balanceOf(ama)).toBe(before + 390);
  for (const text of ["Called her about it", "The network refused the number"]) await reads(page, text);
}

async function workAfaQueue(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const [first, second] = [await market.registration(ama), await market.registration(ama)];
  const before = await market.world.balanceOf(ama);
  await page.goto("/admin/afa");
  await hand.press(page.getByRole("checkbox", { name: `Select registration ${first.id}` }));
  await hand.press(button(page, "Sent to MTN"));
  await reads(page, "1 registration: Sent to MTN.");
  await page.goto(`/admin/afa/${first.id}`);
  expect(await page.getByText(first.ghCardId).count()).toBe(0);
  await hand.press(button(page, "Show the number"));
  await reads(page, first.ghCardId);
  await hand.press(button(page, "Registered"));
  await reads(page, "1 registration: Registered.");
  expect(await page.getByText(first.ghCardId).count()).toBe(0);
  await page.goto(`/admin/afa/${second.id}`);
  await hand.press(fold(page, "Refuse …"));
  await hand.press(button(page, "Refuse and refund GH₵ 5.00"));
  await reads(page, "Say why it is refused");
  await hand.fill(field(page, "Reason"), "The card has expired");
  await hand.press(button(page, "Refuse and refund GH₵ 5.00"));
  await reads(page, "1 registration: Refused.");
  expect(await market.world.balanceOf(ama)).toBe(before + 500);
}

async function sendByHand(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const [first, second, third] = [
    await market.orderAtDesk(ama),
    await market.orderAtDesk(ama),
    await market.orderAtDesk(ama),
  ];
  const before = await market.world.balanceOf(ama);
  await page.goto("/admin/desk");
  const ofMtn = page.getByRole("listitem").filter({ hasText: "MTN" });
  // Orders of earlier journeys come to the desk meanwhile, and the oldest are taken first.
  await hand.fill(ofMtn.getByLabel("Take the oldest"), "40");
  await hand.press(ofMtn.getByRole("button", { name: "Take a batch" }));
  await reads(page, "yours to send. Nobody else gets them.");
  const file = await download(page, () => hand.press(link(page, "Download file")));
  for (const { msisdn } of [first, second, third]) expect(file.text).toContain(`MTN,${msisdn},1\r\n`);
  await hand.fill(field(page, "Or paste lines"), `${first.msisdn},delivered\n${second.msisdn},failed,No such SIM`);
  await hand.press(button(page, "Save results"));
  await reads(page, "Check before you save");
  await hand.press(button(page, "Save: 1 delivered, 1 failed, refund GH₵ 3.90"));
  await reads(page, "until then nothing is moved, refunded or sent");
  await applyResults(market.world.db);
  expect(await market.world.balanceOf(ama)).toBe(before + 390);
  await hand.press(fold(page, "Not yours to send after all?"));
  await hand.press(button(page, "Release the rest"));
  await reads(page, "returned to the desk.");
}

async function watchVendors(page: Page, hand: Hand, market: Market, ama: Person): Promise<void> {
  const { id } = await market.orderAtDesk(ama);
  const concern = `Delivered after the money of ${id} went back`;
  await market.world.db.$client`update attempts set concern = ${concern} where order_id = ${id}`;
  await page.goto("/admin/vendors");
  await hand.press(link(page, "Hubnet"));
  await hand.fill(field(page, "Reason"), "Their portal is down");
  await hand.press(button(page, "Pause Hubnet"));
  await reads(page, "Paused. New orders go to the next in their route");
  await page.goto("/admin/delivery");
  await reads(page, "Their portal is down");
  const row = page.getByRole("row").filter({ hasText: concern });
  await hand.fill(row.getByLabel("Your findings"), "The supplier credits it");
  await hand.press(row.getByRole("button", { name: "Dismiss" }));
  await row.waitFor({ state: "detached" });
  await page.goto("/admin/vendors/hubnet");
  await hand.press(button(page, "Resume Hubnet"));
  await reads(page, "Resumed: orders are sent there again.");
  await hand.press(link(page, "All suppliers"));
  const telecel = page.getByRole("group", { name: "Telecel" }).getByLabel("The desk");
  await hand.choose(telecel, "Not used");
  await hand.press(button(page, "Save routes"));
  await reads(page, "Choose who sends Telecel");
  await hand.choose(telecel, "1st");
  await hand.press(button(page, "Save routes"));
  await reads(page, "Routes saved. They apply to orders from now on.");
}

async function manageProducts(page: Page, hand: Hand, { world }: Market): Promise<void> {
  const name = `Airtel ${crypto.randomUUID().slice(0, 6)}`;
  await page.goto("/admin/prices");
  await hand.press(fold(page, "Add a bundle"));
  await hand.choose(field(page, "Operator"), "AirtelTigo");
  await hand.fill(field(page, "Product Name"), name);
  await hand.fill(field(page, "Size"), "5GB");
  await hand.fill(field(page, "Price in GH₵"), "20");
  await hand.fill(field(page, "Cost in GH₵"), "18.50");
  await hand.press(button(page, "Add bundle"));
  await reads(page, `Added ${name} 5GB.`);
  await hand.press(page.getByRole("row", { name }).getByRole("link"));
  await hand.fill(field(page, "Price in GH₵"), "21.50");
  await hand.press(button(page, "Save product"));
  await reads(page, "Product saved.");
  await hand.fill(field(page, "Message for buyers"), "Back at noon");
  await hand.choose(field(page, "Ends"), "In 1 hour");
  await hand.press(button(page, "Pause sale"));
  await reads(page, ", then it is on sale again automatically.");
  await hand.press(button(page, "Resume sale"));
  await reads(page, "It is on sale.");
  await hand.press(button(page, "Delete …"));
  await reads(page, "Past orders keep it.");
  await hand.press(page.getByRole("button", { name: /^Delete .+ 5GB$/ }));
  await reads(page, `Deleted ${name} 5GB.`);
  const [left] = await world.db.$client`select 1 from products where name = ${name} and retired_at is null`;
  expect(left).toBeUndefined();
}

async function manageUsers(page: Page, hand: Hand): Promise<void> {
  const name = `kofi${crypto.randomUUID().slice(0, 6)}`;
  await page.goto("/admin/users");
  await hand.press(fold(page, "Create agent"));
  await hand.fill(field(page, "Username"), name);
  await hand.fill(field(page, "Email"), `${name}@example.com`);
  await hand.fill(field(page, "Password"), "correct horse battery");
  await hand.press(button(page, "Create agent"));
  await reads(page, `Created: ${name} can log in now.`);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await hand.press(button(page, "Edit"));
  await hand.fill(field(page, "Username"), `${name}-2`);
  await hand.choose(field(page, "Role"), "Support");
  await hand.press(button(page, "Save user"));
  await reads(page, "User saved.");
  await page.getByRole("definition").filter({ hasText: "Support" }).waitFor();
  for (const [amount, text] of [
    ["50.00", "Corrected by GH₵ 50.00: the wallet now holds GH₵ 50.00."],
    ["-50.00", "Corrected by −GH₵ 50.00: the wallet now holds GH₵ 0.00."],
  ] as const) {
    await hand.press(fold(page, "Add or take money …"));
    await hand.fill(field(page, "Correct by GH₵"), amount);
    await hand.fill(field(page, "Reason"), "Cash paid at the office");
    await hand.press(button(page, "Correct the wallet"));
    await reads(page, text);
  }
  const tabs = page.getByRole("navigation", { name: "About this user" });
  await hand.press(tabs.getByRole("link", { name: "Activity" }));
  await hand.press(page.getByRole("navigation", { name: "Activity" }).getByRole("link", { name: "Statement" }));
  await reads(page, "Cash paid at the office");
  await unfold(page, hand, "Other days, or as a file");
  const statement = await download(page, () => hand.press(button(page, "Download CSV")));
  expect(statement.text).toContain("-50.00");
  await hand.press(tabs.getByRole("link", { name: "Overview" }));
  await openInRow(page, hand, `user ${id}`, "Ban …");
  await hand.press(button(page, `Ban user ${id}`));
  await reads(page, `Banned: ${name}-2 is logged out everywhere.`);
  await hand.press(button(page, `Unban user ${id}`));
  await reads(page, `Unbanned: ${name}-2 can log in again.`);
  await openInRow(page, hand, `user ${id}`, "Delete …");
  await reads(page, "Delete user?");
  await hand.press(button(page, `Delete user ${id}`));
  await reads(page, `User ${id} was deleted.`);
}
