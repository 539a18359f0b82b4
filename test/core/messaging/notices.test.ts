// Notices by SMS: written in the commit of the change, once, and only to those who have a phone and want them.
import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { phones as phoneTable } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as phones from "../../../src/core/identity/phones/phones.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as notices from "../../../src/core/messaging/notices.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import { gsm7Length } from "../../../src/shared/phones/sms-text.ts";
import { count, key, lineFor, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import type { Person } from "../../support/world.ts";
import { openPaying } from "../payments/paying.ts";

const shop = await openPaying();
const { world, db, settle } = shop;
const { yaw } = world;
const bundle = await world.product("TELECEL", "2GB", "9.00");

let made = 0;
async function agent(isReachable = true): Promise<Person> {
  made += 1;
  const person = await world.person(`agent${made}`, "GH₵ 100.00");
  const msisdn = `2335500000${made + 10}`;
  if (isReachable) await db.insert(phoneTable).values({ userId: person.id, msisdn });
  return person;
}
const bought = async (person: Person, msisdn = "0201234567") => {
  const line = { ...lineFor(bundle), msisdn };
  return (await orders.buy(db, { by: person.by(), key: null, line })).answer.order;
};
const noticesTo = async ({ id }: Person) =>
  (await db.select().from(messages).where(eq(messages.userId, id)).orderBy(messages.id)).map(({ body }) => body);
const fail = (ids: number[], more = {}) =>
  statusChanges.move(db, { by: yaw.by("admin"), key: null, ids, to: "FAILED", ...more });

test("a failed order's SMS names the order, the refund and the balance", async () => {
  const ama = await agent();
  const { id } = await bought(ama);
  await fail([id], { key: key("once") });
  await fail([id], { key: key("once") });
  await fail([id]);
  const event = `order ${id} failed: Telecel 2GB to 0201234567`;
  const text = `DataFie: ${event}. GHS 9.00 is back in your wallet. Balance GHS 100.00.`;
  expect(await noticesTo(ama)).toEqual([text]);
  expect(gsm7Length(text)).toBeLessThanOrEqual(160);
  expect(await count(db, sql`from jobs where kind = 'send_message'`)).toBe(1);
});

test("several orders that fail at once are one SMS to each owner", async () => {
  const [ama, kofi, silent] = [await agent(), await agent(), await agent(false)];
  const ids: number[] = [];
  for (const person of [ama, kofi, silent])
    for (const n of times(3, (i) => i)) ids.push((await bought(person, `020000000${n}`)).id);
  await fail(ids);
  const text = "DataFie: 3 orders failed. GHS 27.00 is back in your wallet. Balance GHS 100.00.";
  expect(await noticesTo(ama)).toEqual([text]);
  expect(await noticesTo(kofi)).toEqual([text]);
  expect(await noticesTo(silent)).toEqual([]);
});

test("nobody is notified of what they did themselves, or of an order that was never paid", async () => {
  const ama = await agent();
  await cancelling.cancel(db, { by: ama.by(), key: null, orderId: (await bought(ama)).id });
  const unpaid = await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(bundle) });
  await fail([unpaid.answer.id]);
  expect(await noticesTo(ama)).toEqual([]);
});

test("a settled payment is notified once, however often it is checked", async () => {
  const ama = await agent();
  const { reference } = await shop.paidTopUp(ama, 2000);
  await Promise.all(times(4, () => settle(reference)));
  expect(await noticesTo(ama)).toEqual(["DataFie: GHS 20.00 is in your wallet. Balance GHS 120.00."]);
});

test("a payment for an order is not a top-up, unless the order could no longer be paid", async () => {
  const ama = await agent();
  const paid = await shop.orderPage(ama);
  await shop.paystack.pay(paid.page.reference);
  await settle(paid.page.reference);
  expect(await noticesTo(ama)).toEqual([]);
  const late = await shop.orderPage(ama);
  await fail([late.order.id]);
  await shop.paystack.pay(late.page.reference);
  await settle(late.page.reference);
  expect(await noticesTo(ama)).toEqual([
    "DataFie: order 14 was not bought: it can no longer be paid. Your GHS 3.90 is in your wallet. Balance GHS 103.90.",
  ]);
});

test("an approved deposit is a top-up, a refused one is not", async () => {
  const ama = await agent();
  const filed = async (transactionId: string) => {
    return (await deposits.file(db, { by: ama.by(), transactionId, amountPesewas: 1500 })).id;
  };
  const asAdmin = { by: yaw.by("admin"), key: null };
  await deposits.refuse(db, { ...asAdmin, depositId: await filed("1234567890"), reason: "not found" });
  await deposits.approve(db, { ...asAdmin, depositId: await filed("1234567891") });
  expect(await noticesTo(ama)).toEqual(["DataFie: GHS 15.00 is in your wallet. Balance GHS 115.00."]);
});

longTest("each kind can be switched off, and a banned account gets nothing", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  await phones.chooseNotices(db, {
    by: ama.by("web"),
    wantsRefunds: false,
    wantsTopUps: true,
    wantsDeliveries: false,
  });
  const { reference } = await shop.paidTopUp(ama, 500);
  await fail([(await bought(ama)).id, (await bought(kofi)).id]);
  await settle(reference);
  expect((await noticesTo(ama)).map((text) => text?.slice(9, 17))).toEqual(["GHS 5.00"]);
  expect(await noticesTo(kofi)).toHaveLength(1);
  const { id } = await bought(kofi);
  await users.ban(db, { by: yaw.by("admin"), userId: kofi.id });
  await fail([id]);
  expect(await noticesTo(kofi)).toHaveLength(1);
});

test("a notice is rolled back with the change that it is about", async () => {
  const ama = await agent();
  const order = await bought(ama);
  // A transition writes its audit entry last; when that fails, all of it is rolled back.
  await db.execute(sql`alter table audit_log add constraint no_room check (false) not valid`);
  expect(
    await fail([order.id]).then(
      () => "moved",
      () => "undone",
    ),
  ).toBe("undone");
  await db.execute(sql`alter table audit_log drop constraint no_room`);
  expect(await noticesTo(ama)).toEqual([]);
  expect(await wallet.balance(db, ama.id)).toBe(10_000 - 900);
});

test("deliveries are notified to those who have chosen it, and to nobody else", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  await phones.chooseNotices(db, {
    by: ama.by("web"),
    wantsRefunds: true,
    wantsTopUps: true,
    wantsDeliveries: true,
  });
  const ids = [(await bought(ama)).id, (await bought(kofi)).id];
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids, to });
  const text = `DataFie: order ${ids[0]} is delivered: Telecel 2GB to 0201234567.`;
  expect(await noticesTo(ama)).toEqual([text]);
  expect(gsm7Length(text)).toBeLessThanOrEqual(160);
  expect(await noticesTo(kofi)).toEqual([]);
});

/** The texts written by purchases and by everything else, oldest first. */
async function noticesOf(person: Person): Promise<(string | null)[]> {
  while ((await notices.sendDue(db, 10)) > 0);
  return noticesTo(person);
}
const choose = (person: Person, choice: Partial<phones.Choice>) =>
  phones.chooseNotices(db, { by: person.by("web"), ...choice });
const jobsOf = (kind: string) => count(db, sql`from jobs where kind = ${kind}`);

test("purchases are not notified unless chosen, and then nothing is queued for them either", async () => {
  const ama = await agent();
  await bought(ama);
  expect([await jobsOf("tell_accepted"), await jobsOf("tell_balance_low")]).toEqual([0, 0]);
  const silent = await agent(false);
  await choose(silent, { notifyPurchases: true, lowBalancePesewas: 20_000 });
  await bought(silent);
  expect([await jobsOf("tell_accepted"), await noticesOf(silent)]).toEqual([0, []]);
});

test("a purchase is notified once, with its own price and balance, whatever is bought before it is sent", async () => {
  const ama = await agent();
  await choose(ama, { notifyPurchases: true });
  const [first, second] = [await bought(ama), await bought(ama, "0201234568")];
  const texts = [
    `DataFie: order ${first.id} is paid: Telecel 2GB to 0201234567, GHS 9.00. Balance GHS 91.00.`,
    `DataFie: order ${second.id} is paid: Telecel 2GB to 0201234568, GHS 9.00. Balance GHS 82.00.`,
  ];
  await withSecondServer(world, (other) => Promise.all(times(4, (n) => notices.sendDue(n % 2 ? db : other, 10))));
  expect((await noticesOf(ama)).sort()).toEqual(texts.sort());
  for (const text of texts) expect(gsm7Length(text)).toBeLessThanOrEqual(160);
});

test("a purchase by USSD is notified by its receipt alone", async () => {
  const ama = await agent();
  await choose(ama, { notifyPurchases: true });
  for (const channel of ["ussd", "sms"] as const)
    await orders.buy(db, { by: ama.by(channel), key: null, line: lineFor(bundle), allowDuplicate: true });
  expect([await jobsOf("tell_accepted"), await noticesOf(ama)]).toEqual([0, []]);
});

test("a bulk order is one SMS, a purchase that is sent twice is one, and a refused one is none", async () => {
  const ama = await agent();
  await choose(ama, { notifyPurchases: true });
  const lines = times(5, (n) => ({ ...lineFor(bundle), msisdn: `020111111${n}` }));
  const { answer } = await buyBulk(db, { by: ama.by(), key: null, lines });
  expect(await noticesOf(ama)).toEqual([
    `DataFie: 5 orders are paid (${answer.orders[0]!.id} and others), GHS 45.00. Balance GHS 55.00.`,
  ]);
  const once = {
    by: ama.by(),
    key: key("accepted-once"),
    line: { ...lineFor(bundle), msisdn: "0202222222" },
  };
  for (const _ of times(3, (n) => n)) await orders.buy(db, once);
  const dear = { ...lineFor(bundle), msisdn: "0203333333", quantity: 99 };
  await expect(orders.buy(db, { by: ama.by(), key: null, line: dear })).rejects.toThrow();
  expect(await noticesOf(ama)).toHaveLength(2);
});

test("an order that is paid later is notified when it is paid, from the wallet or by a payment", async () => {
  const ama = await agent();
  await choose(ama, { notifyPurchases: true, lowBalancePesewas: 9_500 });
  const line = { ...lineFor(bundle), msisdn: "0201234567" };
  const { answer } = await unpaidOrders.create(db, { by: ama.by(), key: null, line });
  expect(await noticesOf(ama)).toEqual([]);
  await unpaidOrders.spend(db, { by: ama.by(), key: null, orderId: answer.id });
  expect(await noticesOf(ama)).toEqual([
    `DataFie: order ${answer.id} is paid: Telecel 2GB to 0201234567, GHS 9.00. Balance GHS 91.00.`,
    "DataFie: your balance is GHS 91.00, below GHS 95.00. Top up to keep selling.",
  ]);
  const { order, page } = await shop.orderPage(ama);
  await shop.paystack.pay(page.reference);
  await Promise.all(times(3, () => settle(page.reference)));
  const notices = await noticesOf(ama);
  expect(notices).toHaveLength(3);
  expect(notices[2]).toStartWith(`DataFie: order ${order.id} is paid`);
});

test("forty purchases at once cross the threshold once, and send one SMS", async () => {
  const ama = await agent();
  await choose(ama, { lowBalancePesewas: 5_000 });
  const cheap = await world.product("TELECEL", "100MB", "2.00");
  await withSecondServer(world, (other) =>
    Promise.all(
      times(40, (n) =>
        orders.buy(n % 2 ? db : other, {
          by: ama.by(),
          key: null,
          line: { ...lineFor(cheap), msisdn: `02044444${String(n).padStart(2, "0")}` },
        }),
      ),
    ),
  );
  expect(await jobsOf("tell_balance_low")).toBe(1);
  expect(await noticesOf(ama)).toEqual([
    "DataFie: your balance is GHS 20.00, below GHS 50.00. Top up to keep selling.",
  ]);
});

test("a low balance is notified again only after it has been above the threshold", async () => {
  const ama = await agent();
  await choose(ama, { lowBalancePesewas: 9_500 });
  const topUp = async (amountPesewas: number) => settle((await shop.paidTopUp(ama, amountPesewas)).reference);
  const lows = async () => (await noticesOf(ama)).filter((text) => text?.includes("below")).length;
  const seen: number[] = [];
  let n = 0;
  const buy = async () => {
    n += 1;
    await bought(ama, `020555555${n}`);
    seen.push(await lows());
  };
  await buy(); // 91.00
  await buy(); // 82.00
  await topUp(1_300); // 95.00: not below it, and so above it
  await buy(); // 86.00
  await topUp(500); // 91.00: still below
  await buy(); // 82.00
  expect(seen).toEqual([1, 1, 2, 2]);
});

test("a balance that was topped up before the worker runs is no longer low, and is not notified", async () => {
  const ama = await agent();
  await choose(ama, { lowBalancePesewas: 9_500 });
  await bought(ama);
  expect(await jobsOf("tell_balance_low")).toBe(1);
  await settle((await shop.paidTopUp(ama, 5_000)).reference);
  expect((await noticesOf(ama)).filter((text) => text?.includes("below"))).toEqual([]);
});

test("a bulk order that lowers the balance line by line crosses the threshold once", async () => {
  const ama = await agent();
  await choose(ama, { lowBalancePesewas: 9_000 });
  const lines = times(8, (n) => ({ ...lineFor(bundle), msisdn: `020666666${n}` }));
  await buyBulk(db, { by: ama.by(), key: null, lines });
  expect(await noticesOf(ama)).toEqual([
    "DataFie: your balance is GHS 28.00, below GHS 90.00. Top up to keep selling.",
  ]);
});

test("the choices about purchases are removed with the phone", async () => {
  const ama = await agent();
  await choose(ama, { notifyPurchases: true, lowBalancePesewas: 9_500 });
  await phones.unbind(db, { by: yaw.by("admin"), userId: ama.id });
  expect(await phones.purchaseChoice(db, ama.id)).toEqual({
    notifyPurchases: false,
    lowBalancePesewas: null,
  });
  await bought(ama);
  expect(await jobsOf("tell_accepted")).toBe(0);
});

test("the old e-mail address is notified of a change, whoever made it, and the new one is not", async () => {
  const ama = await agent();
  const toMailbox = (address: string) => count(db, sql`from messages where recipient = ${address}`);
  const before = ama.email;
  const change = {
    by: ama.by("web"),
    sessionId: "none",
    currentPassword: ama.password,
    username: ama.username,
  };
  await profile.rename(db, { ...change, email: before.toUpperCase() });
  expect(await toMailbox(before)).toBe(0);
  await profile.rename(db, { ...change, email: "ama.new@example.com" });
  await users.edit(db, { by: yaw.by("admin"), userId: ama.id, username: "ama2" });
  await users.edit(db, { by: yaw.by("admin"), userId: ama.id, email: "ama.third@example.com" });
  const notices = await db.select().from(messages).where(eq(messages.kind, "email_changed"));
  expect(notices.map(({ recipient }) => recipient)).toEqual([before, "ama.new@example.com"]);
  expect(notices[0]!.body).toContain("a***@example.com");
  expect(notices[0]!.body).not.toContain("ama.new");
  expect(await toMailbox("ama.third@example.com")).toBe(0);
});
