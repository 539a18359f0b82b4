// Chargebacks, which Paystack calls disputes: the amount held while one is open, its outcomes, and the admins' view.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as replies from "../../../channels/sms/replies.ts";
import * as afa from "../../../src/core/afa/registrations.ts";
import * as bulk from "../../../src/core/buying/bulk-orders.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import { inEnglish } from "../../../src/core/messaging/languages/translate.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as chargebacks from "../../../src/core/payments/chargebacks.ts";
import { count, freshNumber, key, lineFor, outcome, refusal, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { type Person, TEST_CARDS } from "../../support/world.ts";
import { openPaying, SECRET_KEY } from "./paying.ts";

const shop = await openPaying();
const { world, db, paystack } = shop;
const by = world.yaw.by("admin");
const bundle = await world.product("MTN", "2GB", "8.40");

const stands = async (person: Person) => {
  const { balancePesewas, heldPesewas, owedPesewas } = await wallet.standing(db, person.id);
  return [balancePesewas, heldPesewas, owedPesewas];
};
const buy = (person: Person, more: { key?: string } = {}) =>
  orders.buy(db, { by: person.by(), key: more.key ? key(more.key) : null, line: lineFor(bundle) });

async function credited(person: Person, amountPesewas: number): Promise<string> {
  const { reference } = await shop.paidTopUp(person, amountPesewas);
  await shop.settle(reference);
  return reference;
}

async function dispute(
  reference: string,
  step: "create" | "remind" | "resolve",
  resolution?: "merchant-accepted" | "declined",
): Promise<void> {
  await paystack.dispute(reference, step, resolution);
  await paystack.deliver(reference, { event: `charge.dispute.${step}` });
  await shop.workOff();
}

/** An admin refunds part of a payment at Paystack. */
async function refund(transaction: string, amount: number): Promise<void> {
  await fetch(`${paystack.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction, amount }),
  });
  await paystack.moveRefund(paystack.refunds().at(-1)!.id, "processed");
  await paystack.deliver(transaction, { event: "refund.processed" });
  await shop.workOff();
}

let names = 0;
/** An agent with GH₵ 20.00 of their own and an open chargeback of GH₵ 10.00. */
async function disputed(): Promise<{ person: Person; reference: string }> {
  const person = await world.person(`disputed-${++names}`, "GH₵ 20.00");
  const reference = await credited(person, 1000);
  await dispute(reference, "create");
  expect(await stands(person)).toEqual([3000, 1000, 0]);
  return { person, reference };
}

describe("while it is open", () => {
  test("its amount cannot be spent, and the refusal names it as held", async () => {
    const { person } = await disputed();
    expect([await outcome(buy(person)), await outcome(buy(person))]).toEqual(["done", "done"]);
    const refused = await refusal(buy(person));
    expect(refused).toMatchObject({
      code: "wallet.insufficient_balance",
      details: { required: 8.4, balance: 13.2, held: 10, available: 3.2, missing: 5.2 },
    });
    expect(refused.message).toContain("GH₵ 10.00 is held");
  });

  test("many purchases at once stop at the held amount", async () => {
    const { person } = await disputed();
    const outcomes = await Promise.all(times(12, () => outcome(buy(person))));
    expect(outcomes.filter((one) => one === "done").length).toBe(2);
    expect(await stands(person)).toEqual([3000 - 2 * 840, 1000, 0]);
  });

  test("a bulk order can use only the available amount", async () => {
    const { person } = await disputed();
    const lines = times(3, () => lineFor(bundle));
    const seen = await bulk.preview(db, { by: person.by(), lines });
    expect([seen.balancePesewas, seen.availablePesewas, seen.affordableCount]).toEqual([3000, 2000, 2]);
    const refused = await refusal(buyBulk(db, { by: person.by(), key: null, lines }));
    expect(refused).toMatchObject({
      code: "wallet.insufficient_balance",
      details: { held: 10, affordableCount: 2 },
    });
    expect(await outcome(buyBulk(db, { by: person.by(), key: null, lines: lines.slice(1) }))).toBe("done");
  });

  test("an order that was created before is not paid from it", async () => {
    const { person } = await disputed();
    const line = lineFor(bundle, { quantity: 3 });
    const { answer: order } = await unpaidOrders.create(db, { by: person.by(), key: null, line });
    const paying = unpaidOrders.spend(db, { by: person.by(), key: null, orderId: order.id });
    expect((await refusal(paying)).details).toMatchObject({ held: 10 });
  });

  test("an AFA registration is not paid from it", async () => {
    await products.ensureAfa(db);
    const { person } = await disputed();
    const someone = (n: number) => ({
      fullName: "Akosua Mensah",
      phone: freshNumber(),
      ghCardId: `GHA-${100_000_000 + names * 10 + n}-1`,
      location: "Kumasi",
    });
    const people = times(5, someone);
    const registering = afa.register(db, TEST_CARDS, { by: person.by(), key: null, people });
    expect((await refusal(registering)).details).toMatchObject({ held: 10 });
  });

  test("its owner gets one SMS with the amounts held and owed", () => {
    const text = replies.balance(inEnglish, {
      balancePesewas: 1_600_000,
      heldPesewas: 2_000_000,
      owedPesewas: 0,
    });
    expect(text).toBe("DataFie: GHS 0.00 is available. GHS 20000.00 is held until the bank decides.");
    const owing = replies.balance(inEnglish, {
      balancePesewas: 0,
      heldPesewas: 2_000_000,
      owedPesewas: 1_000_000,
    });
    expect(owing.length).toBeLessThanOrEqual(160);
  });

  longTest("a correction can remove only the available amount", async () => {
    const { person } = await disputed();
    const take = (amountPesewas: number) =>
      wallet.adjust(db, { by, key: null, userId: person.id, amountPesewas, reason: "test" });
    expect(await outcome(take(-2001))).toBe("wallet.insufficient_balance");
    expect(await outcome(take(-2000))).toBe("done");
  });

  test("an order whose payment arrives then stays unpaid if the wallet needs the money, with the reason", async () => {
    const person = await world.person("spent-before");
    const reference = await credited(person, 840);
    await buy(person);
    await dispute(reference, "create");
    expect(await stands(person)).toEqual([0, 840, 0]);
    const { order, page } = await shop.orderPage(person);
    await paystack.pay(page.reference);
    await shop.settle(page.reference);
    expect([await stands(person), (await shop.orderNow(order.id)).status]).toEqual([[390, 840, 0], "PENDING"]);
  });

  test("earlier orders stay paid, and their refunds go to the agent", async () => {
    const person = await world.person("bought-before");
    const reference = await credited(person, 840);
    const { order } = (await buy(person)).answer;
    await dispute(reference, "create");
    expect((await shop.orderNow(order.id)).status).toBe("PENDING");
    await cancelling.cancel(db, { by: person.by(), key: null, orderId: order.id });
    expect(await stands(person)).toEqual([840, 840, 0]);
  });

  test("the account is not deleted, although it is empty", async () => {
    const person = await world.person("leaving");
    const reference = await credited(person, 840);
    const { order } = (await buy(person)).answer;
    await statusChanges.move(db, { by, key: null, ids: [order.id], to: "COMPLETED" });
    await dispute(reference, "create");
    expect(await outcome(users.remove(db, { by, userId: person.id }))).toBe("user.owes");
  });
});

describe("its outcome", () => {
  test("won: the whole balance is available again", async () => {
    const { person, reference } = await disputed();
    await dispute(reference, "resolve", "declined");
    expect(await stands(person)).toEqual([3000, 0, 0]);
    await dispute(reference, "remind");
    expect(await stands(person)).toEqual([3000, 0, 0]);
  });

  test("lost: the amount is debited once, and nothing is held any more", async () => {
    const { person, reference } = await disputed();
    for (const _ of times(2, (i) => i)) await dispute(reference, "resolve", "merchant-accepted");
    await shop.settle(reference);
    expect(await stands(person)).toEqual([2000, 0, 0]);
    const [row] = await db.execute(sql`
      select note, state from payment_reversals where user_id = ${person.id}`);
    expect({ ...row }).toEqual({ note: "merchant-accepted", state: "booked" });
  });

  test("lost without an event: the payment's status at Paystack ends it", async () => {
    const { person, reference } = await disputed();
    await paystack.dispute(reference, "resolve", "merchant-accepted");
    await shop.settle(reference);
    expect(await stands(person)).toEqual([2000, 0, 0]);
    expect(await count(db, sql`from payment_reversals where user_id = ${person.id} and kind = 'refund'`)).toBe(0);
  });

  test("lost after the wallet was spent on earlier orders: the rest is owed", async () => {
    const person = await world.person("late-loser");
    const reference = await credited(person, 1000);
    await buy(person);
    await dispute(reference, "create");
    expect(await stands(person)).toEqual([160, 1000, 0]);
    await dispute(reference, "resolve", "merchant-accepted");
    expect(await stands(person)).toEqual([0, 0, 840]);
  });

  longTest("racing with purchases: it debits the remaining balance, and the rest is owed", async () => {
    for (const _ of times(5, (i) => i)) {
      const person = await world.person(`racer-${++names}`);
      const reference = await credited(person, 1680);
      await paystack.dispute(reference, "resolve", "merchant-accepted");
      await paystack.deliver(reference, { event: "charge.dispute.resolve" });
      const bought = await Promise.all([
        outcome(buy(person)),
        shop.workOff().then(() => "worked"),
        outcome(buy(person)),
      ]);
      const spent = bought.filter((one) => one === "done").length * 840;
      expect(await stands(person)).toEqual([0, 0, spent]);
    }
  });
});

describe("the held amount", () => {
  test("is never more than the rest of the payment", async () => {
    const { person, reference } = await disputed();
    await refund(reference, 400);
    expect(await stands(person)).toEqual([2600, 600, 0]);
    await dispute(reference, "resolve", "merchant-accepted");
    expect(await stands(person)).toEqual([2000, 0, 0]);
  });

  test("adds up over the payments of an account, and each ends separately", async () => {
    const person = await world.person("two-banks");
    const [first, second] = [await credited(person, 1000), await credited(person, 500)];
    for (const reference of [first, second]) await dispute(reference, "create");
    expect(await stands(person)).toEqual([1500, 1500, 0]);
    await dispute(second, "resolve", "merchant-accepted");
    expect(await stands(person)).toEqual([1000, 1000, 0]);
    await dispute(first, "resolve", "declined");
    expect(await stands(person)).toEqual([1000, 0, 0]);
  });

  test("is held from the credit when the chargeback came before it", async () => {
    const person = await world.person("slow-shop");
    const { reference } = await shop.paidTopUp(person, 1000);
    paystack.fault("GET /transaction/verify/:reference", { kind: "http500" });
    await paystack.dispute(reference, "create");
    await paystack.deliver(reference, { event: "charge.dispute.create" });
    await shop.workOff();
    await shop.workOff();
    await shop.settle(reference);
    expect(await stands(person)).toEqual([1000, 1000, 0]);
  });
});

describe("admins", () => {
  longTest("get one e-mail when one opens, with its deadline", async () => {
    const { person, reference } = await disputed();
    await dispute(reference, "remind");
    const mails = await db.execute<{ recipient: string; subject: string; body: string }>(sql`
      select recipient, subject, body from messages
      where kind = 'chargeback_opened' and body like ${`%${reference}%`}`);
    expect(mails.map(({ recipient }) => recipient)).toEqual([world.yaw.email]);
    expect(mails[0]!.subject).toBe(`Dispute over GHS 10.00 by ${person.username}`);
    expect(mails[0]!.body).toMatch(/accepts evidence until \d+ \w+ \d{4}/);
  });

  test("see the open ones by deadline, with the evidence to send", async () => {
    const { person, reference } = await disputed();
    const { order } = (await buy(person)).answer;
    await statusChanges.move(db, { by, key: null, ids: [order.id], to: "COMPLETED" });
    const open = await chargebacks.open(db);
    const deadlines = open.map(({ dueAt }) => dueAt!.getTime());
    expect(deadlines).toEqual(deadlines.toSorted((a, b) => a - b));
    const own = open.find(({ payment }) => payment.reference === reference)!;
    expect(own).toMatchObject({ username: person.username, heldPesewas: 1000 });
    // Bought after the chargeback, so it proves nothing about this payment.
    expect((await chargebacks.get(db, own.id)).evidence).toEqual([]);
  });

  longTest("see the open ones until they end, the nearest deadline first", async () => {
    const [far, near] = [await disputed(), await disputed()];
    for (const [{ person }, days] of [
      [far, 9],
      [near, -1],
    ] as const)
      await db.execute(sql`
        update payment_reversals set due_at = now() + make_interval(days => ${days}) where user_id = ${person.id}`);
    const names = async () => (await chargebacks.open(db)).map(({ username }) => username);
    const listed = await names();
    expect([listed[0], listed.at(-1)]).toEqual([near.person.username, far.person.username]);
    await dispute(near.reference, "resolve", "declined");
    expect(await names()).toEqual(listed.slice(1));
  });

  longTest("get the delivered order of a payment as evidence, with the time and the vendor's message", async () => {
    const person = await world.person("got-it");
    const { order, page } = await shop.orderPage(person);
    await paystack.pay(page.reference);
    await shop.settle(page.reference);
    for (const to of ["PROCESSING", "COMPLETED"] as const)
      await statusChanges.move(db, { by, key: null, ids: [order.id], to });
    await db.execute(sql`
      update attempts set vendor = 'datamart', vendor_reference = 'DM-77', vendor_message = 'Delivered',
        state = 'delivered'
      where order_id = ${order.id}`);
    await dispute(page.reference, "create");
    const own = (await chargebacks.open(db)).find(({ payment }) => payment.reference === page.reference)!;
    const { evidence } = await chargebacks.get(db, own.id);
    expect(evidence).toMatchObject([
      { order: { id: order.id, msisdn: order.msisdn }, vendorReference: "DM-77", confirmation: "Delivered" },
    ]);
    expect(evidence[0]!.deliveredAt).toBeInstanceOf(Date);
  });
});
