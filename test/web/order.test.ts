// An order's page as its buyer's answer to "did it arrive?": the state as the headline, the money, and the next step.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as cancelling from "../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { DESK } from "../../src/shared/domain.ts";
import { dispatchNow, receiptToken } from "../support/pages.ts";
import { paidHoursAgo } from "../support/past.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const by = world.yaw.by("admin");
const bundle = await world.product("MTN", "1GB", "3.90");

let people = 0;
let numbers = 0;
const agent = async (balance = "GH₵ 100.00") => {
  const person = await world.person(`seller${++people}`, balance);
  return { person, visit: await visitorAs(client, person) };
};
const lineFor = (quantity = 1) => ({
  productId: bundle.id,
  msisdn: `024${String(5_550_000 + ++numbers)}`,
  quantity,
});
const bought = async (person: Person, quantity = 1) =>
  (await orders.buy(world.db, { by: person.by(), key: null, line: lineFor(quantity) })).answer.order;
const unpaid = async (person: Person) =>
  (await unpaidOrders.create(world.db, { by: person.by(), key: null, line: lineFor() })).answer;
const move = (orderId: number, to: "PROCESSING" | "DELIVERED" | "FAILED", reason?: string) =>
  statusChanges.moveOne(world.db, { by, key: null, orderId, to, ...(reason && { reason }) });
/** Lets this much time pass since the order was paid. */
const later = (orderId: number, seconds: number) =>
  world.db.execute(sql`
    update orders set paid_at = paid_at - make_interval(secs => ${seconds}) where id = ${orderId}`);

const stateOf = (seen: Seen) => seen.document.querySelector(".headline .state")!.textContent;
const headingOf = (seen: Seen) => seen.document.querySelector("h1")!.textContent;
const linkOf = (seen: Seen, text: string) =>
  [...seen.document.querySelectorAll("main a")].find((a) => a.textContent === text)?.getAttribute("href");

describe("the headline", () => {
  test("says what goes to which number, with the network and the amount; so does the tab's title", async () => {
    const { person, visit } = await agent();
    const order = await bought(person, 3);
    const seen = await visit.open(`/orders/${order.id}`);
    const number = `024 555 ${order.msisdn.slice(-4)}`;
    expect([stateOf(seen), headingOf(seen)]).toEqual(["On its way", `3 × 1 GB to ${number}`]);
    expect(seen.document.querySelector(".headline .meta")!.textContent).toMatch(/^M MTN ?GH₵ 11\.70$/);
    expect(seen.document.title).toStartWith(`On its way: 3 × 1 GB to ${number}`);
    expect(seen.document.querySelector(".headline")!.getAttribute("role")).toBe("status");
  });

  test("of a delivered order says when it arrived", async () => {
    const { person, visit } = await agent();
    const order = await bought(person);
    await move(order.id, "PROCESSING");
    await move(order.id, "DELIVERED");
    await later(order.id, 48);
    const seen = await visit.open(`/orders/${order.id}`);
    expect(stateOf(seen)).toBe("Delivered");
    expect(seen.text).toMatch(/Arrived at \d\d:\d\d, (48|49|5\d) seconds after it was paid\./);
    await paidHoursAgo(world.db, order.id, 3);
    expect((await visit.open(`/orders/${order.id}`)).text).toMatch(/Arrived at \d\d:\d\d\./);
  });

  test("of a failed order says why, where the money is, and how to go on", async () => {
    const { person, visit } = await agent();
    const order = await bought(person);
    await move(order.id, "FAILED", "The number is not in use");
    const seen = await visit.open(`/orders/${order.id}`);
    expect(stateOf(seen)).toBe("Failed and refunded");
    expect(seen.text).toContain("The number is not in use");
    expect(seen.text).toContain("GH₵ 3.90 is back in your wallet.");
    const again = linkOf(seen, "Buy again")!;
    expect(again).toBe(`/buy?msisdn=0${order.msisdn.slice(3)}&product=${bundle.id}&again=1`);
    const steps = [...seen.document.querySelectorAll(".steps li.bad strong")].map((it) => it.textContent);
    expect(steps).toEqual(["Failed"]);
  });

  test("of a cancelled order says that the money is back, or that nothing was paid", async () => {
    const { person, visit } = await agent();
    const [paid, waiting] = [await bought(person), await unpaid(person)];
    for (const { id } of [paid, waiting])
      await cancelling.cancel(world.db, { by: person.by(), key: null, orderId: id });
    const [seen, other] = [await visit.open(`/orders/${paid.id}`), await visit.open(`/orders/${waiting.id}`)];
    expect([stateOf(seen), stateOf(other)]).toEqual(["Cancelled", "Cancelled"]);
    expect(seen.text).toContain("GH₵ 3.90 is back in your wallet.");
    expect(other.text).toContain("Nothing was paid.");
  });
});

describe("an unpaid order", () => {
  test("offers to pay it from the wallet or by MoMo, and to cancel it", async () => {
    const { person, visit } = await agent();
    const order = await unpaid(person);
    const seen = await visit.open(`/orders/${order.id}`);
    expect(stateOf(seen)).toBe("Not paid");
    expect(linkOf(seen, "Pay with MoMo or card")).toBe(`/checkout?order=${order.id}`);
    const paid = await visit.press(seen, "Pay with Wallet");
    expect([stateOf(paid), paid.text]).toEqual([
      "On its way",
      expect.stringContaining("Paid with wallet successfully."),
    ]);
    const cancelled = await visit.press(await visit.open(`/orders/${(await unpaid(person)).id}`), "Cancel");
    expect(stateOf(cancelled)).toBe("Cancelled");
  });

  test("offers a top-up of what is missing, and the way back, when the wallet has too little", async () => {
    const { person, visit } = await agent("GH₵ 3.00");
    const order = await unpaid(person);
    const seen = await visit.open(`/orders/${order.id}`);
    expect(linkOf(seen, "Top up GH₵ 0.90")).toBe(`/wallet/top-up?amount=0.90&back=%2Forders%2F${order.id}`);
    expect(seen.text).not.toContain("Pay with Wallet");
  });
});

describe("cancelling", () => {
  const secondsIn = (seen: Seen) => Number(/Cancel \((\d+) s\)/.exec(seen.text)?.[1]);

  test("shows the seconds that are left, right after every reload", async () => {
    const { person, visit } = await agent();
    const order = await bought(person);
    const path = `/orders/${order.id}`;
    const first = secondsIn(await visit.open(path));
    expect([first > 35, first <= 45]).toEqual([true, true]);
    await later(order.id, 20);
    const second = secondsIn(await visit.open(path));
    expect(first - second).toBeGreaterThanOrEqual(20);
    await settings.change(world.db, { by, values: { dispatch_hold_seconds: 100 } });
    expect(secondsIn(await visit.open(path))).toBeGreaterThan(second + 40);
    await settings.change(world.db, { by, values: { dispatch_hold_seconds: 45 } });
    expect(await world.balanceOf(person)).toBe(9610);
    await visit.press(await visit.open(path), "Cancel (");
    expect(await world.balanceOf(person)).toBe(10_000);
  });

  test("is offered without seconds while an order waits longer than it had to", async () => {
    const { person, visit } = await agent();
    const order = await bought(person);
    await later(order.id, 60);
    const seen = await visit.open(`/orders/${order.id}`);
    expect(secondsIn(seen)).toBeNaN();
    expect(stateOf(await visit.press(seen, "Cancel"))).toBe("Cancelled");
  });

  test("is refused kindly once the order is being sent, and the page goes on", async () => {
    const { person, visit } = await agent();
    const order = await bought(person);
    const page = await visit.open(`/orders/${order.id}`);
    await dispatchNow(world, [order.id], DESK);
    await world.db.execute(sql`update attempts set state = 'processing', sent_at = now() where order_id = ${order.id}`);
    const seen = await visit.press(page, "Cancel (");
    expect([seen.status, stateOf(seen)]).toEqual([409, "On its way"]);
    expect(seen.document.querySelector("[role=alert]")!.textContent).toBe(
      "It is too late to cancel: this order is already being sent.",
    );
    expect(seen.text).not.toContain("Cancel (");
    expect(await world.balanceOf(person)).toBe(9610);
  });
});

describe("the next sale", () => {
  const headline = (seen: Seen) => seen.document.querySelector(".headline")!;
  const linkTo = (seen: Seen) =>
    [...seen.document.querySelectorAll("main a")].find((a) => a.textContent === "Next sale")!;

  test("is the page's main button right after paying, while the headline has the focus", async () => {
    const { person, visit } = await agent();
    const order = await unpaid(person);
    const paid = await visit.press(await visit.open(`/orders/${order.id}`), "Pay with Wallet");
    expect([headline(paid).hasAttribute("autofocus"), linkTo(paid).className]).toEqual([true, "button wide"]);
    expect(linkTo(paid).hasAttribute("autofocus")).toBe(false);
    expect(linkTo(paid).getAttribute("href")).toBe("/buy");
    const reloaded = await visit.open(`/orders/${order.id}`);
    expect(headline(reloaded).hasAttribute("autofocus")).toBe(false);
  });

  test("has one button beside it that cancels, which is not repeated in the notice", async () => {
    const { person, visit } = await agent();
    const paid = await visit.press(await visit.open(`/orders/${(await unpaid(person)).id}`), "Pay with Wallet");
    expect(paid.text.match(/Cancel \(/g)).toHaveLength(1);
  });
});

describe("sharing", () => {
  test("is a message for WhatsApp with the number and the address of the receipt, which opens", async () => {
    const { person, visit } = await agent();
    const order = await bought(person);
    const shared = new URL(linkOf(await visit.open(`/orders/${order.id}`), "Share on WhatsApp")!);
    const message = shared.searchParams.get("text")!;
    const number = `024 555 ${order.msisdn.slice(-4)}`;
    expect(shared.origin + shared.pathname).toBe(`https://wa.me/${order.msisdn}`);
    expect(message).toBe(
      `1 GB MTN for ${number} is on its way. Follow it here: http://localhost/r/${receiptToken(order.id)}`,
    );
    expect((await client.browse(null, new URL(message.split(": ")[1]!).pathname)).status).toBe(200);
    await move(order.id, "PROCESSING");
    await move(order.id, "DELIVERED");
    const after = linkOf(await visit.open(`/orders/${order.id}`), "Share on WhatsApp")!;
    expect(new URL(after).searchParams.get("text")).toStartWith(`1 GB MTN for ${number} has arrived.`);
  });

  test("is not offered for an order of which nothing will arrive", async () => {
    const { person, visit } = await agent();
    const [failed, waiting] = [await bought(person), await unpaid(person)];
    await move(failed.id, "FAILED");
    for (const { id } of [failed, waiting])
      expect(linkOf(await visit.open(`/orders/${id}`), "Share on WhatsApp")).toBeUndefined();
  });
});

test("an admin sees the same page with the tools, and none of its buyer's actions", async () => {
  const { person } = await agent();
  const order = await bought(person);
  const seen = await (await visitorAs(client, world.yaw)).open(`/orders/${order.id}`);
  expect([stateOf(seen), seen.text]).toEqual(["Waiting to be sent", expect.stringContaining("Actions")]);
  expect(seen.text).not.toMatch(/Cancel \(|Buy again|Next sale|Share on WhatsApp|Another contact/);
});

test("the page answers its own script with a mark that changes with every event, until the end", async () => {
  const { person } = await agent();
  const order = await bought(person);
  const ask = async (as: Person | null) => {
    const path = `/orders/${order.id}`;
    const response = await client.browse(as, path, undefined, { accept: "application/json" });
    return response.status === 200 ? ((await response.json()) as object) : response.status;
  };
  const first = await ask(person);
  expect([first, await ask(person)]).toEqual([{ mark: expect.any(String), isOver: false }, first]);
  await move(order.id, "PROCESSING");
  expect(await ask(person)).not.toEqual(first);
  await move(order.id, "DELIVERED");
  expect(await ask(person)).toMatchObject({ isOver: true });
  expect([await ask(null), await ask((await agent()).person)]).toEqual([303, 404]);
});
