// Checkout: leading a payer to Paystack's page when Paystack is slow or fails, and paying orders from the payments.

import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Fault } from "../../../dev/simulators/paystack/paystack.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as payments from "../../../src/core/payments/payments.ts";
import * as webhookDeliveries from "../../../src/core/webhooks/deliveries.ts";
import * as hooks from "../../../src/core/webhooks/endpoints.ts";
import { count, outcome, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openHook } from "../../support/webhook.ts";
import { createTestHooks, TEST_JWT_SECRET } from "../../support/world.ts";
import { creditsOf, openPaying, SECRET_KEY } from "./paying.ts";

const shop = await openPaying();
const { world, db, paystack } = shop;
const esi = await world.person("esi", "20.00");

const INITIALIZE = "POST /transaction/initialize";
const start = async () => {
  const { answer } = await payments.startTopUp(db, { by: esi.by(), key: null, amountPesewas: 2000 });
  return { paymentId: answer.id };
};
const rowsOf = (paymentId: number) =>
  db.execute<{ reference: string; state: string; supersedes_id: number | null }>(sql`
    select reference, state, supersedes_id from payments where id = ${paymentId} or supersedes_id = ${paymentId}
    order by id`);

test("a payment is committed before Paystack is called, with a reference that Paystack accepts", async () => {
  const subject = await start();
  paystack.steer("next", { payAtOnce: true, webhook: "beforeReply" });
  const page = await shop.checkOut(esi, subject);
  // The webhook was stored before initialize answered, and found its payment.
  await shop.workOff();
  const seen = await shop.row(page.reference);
  expect(seen).toMatchObject({ state: "paid", authorizationUrl: page.authorizationUrl });
  expect(page.reference).toMatch(/^tp-[0-9a-f-]{36}$/);
  expect(await creditsOf(db, page.reference)).toBe(1);
});

test("the open page of a payment is reused instead of opening a second one", async () => {
  const subject = await start();
  const first = await shop.checkOut(esi, subject);
  const before = paystack.requests().length;
  expect(await shop.checkOut(esi, subject)).toEqual(first);
  expect(paystack.requests().length).toBe(before);
});

test("many requests at once, at two servers, are all led to a page of the payment", async () => {
  const subject = await start();
  const ask = {
    by: esi.by(),
    subject,
    email: null,
    callbackUrl: "http://localhost/",
    cancelUrl: "http://localhost/",
  };
  const pages = await withSecondServer(world, (other) =>
    Promise.all(times(12, (i) => payments.checkOut(i % 2 ? db : other, shop.gateway, ask))),
  );
  for (const page of pages) expect(page.authorizationUrl).toStartWith(`${paystack.url}/`);
  // At worst each server has opened its own page.
  expect(new Set(pages.map((page) => page.authorizationUrl)).size).toBeLessThanOrEqual(2);
});

const broken: [string, Fault, boolean][] = [
  ["answers 500", "http500", false],
  ["answers with a page of HTML", "html502", false],
  ["says that there were too many calls", { kind: "429", resetSeconds: 60 }, false],
  ["breaks the connection before it did anything", "dropBefore", false],
  ["breaks the connection after it opened the page", "dropAfter", true],
  ["answers nothing after it opened the page", "emptyBody", true],
  ["answers after we stopped listening", { kind: "delay", ms: 400 }, true],
];
longTest.each(broken)(
  "when Paystack %s, the payer may try again, and every page is creditable",
  async (_, fault, isOpen) => {
    const before = await world.balanceOf(esi);
    const subject = await start();
    paystack.fault(INITIALIZE, fault);
    const hasty = shop.gatewayWith({ timeoutMs: 150 });
    const calls = paystack.requests().length;
    expect(await outcome(shop.checkOut(esi, subject, hasty))).toBe("payment.gateway_down");
    // A call that may have succeeded is not repeated automatically.
    expect(paystack.requests().length).toBe(calls + 1);
    const [old] = await rowsOf(subject.paymentId);
    expect(old).toMatchObject({ state: "pending" });
    while (isOpen && !paystack.transactions().some(({ reference }) => reference === old!.reference)) await Bun.sleep(5);
    const page = await shop.checkOut(esi, subject);
    // A page exists but its address is lost: a new reference replaces it.
    expect(page.reference === old!.reference).toBe(!isOpen);
    expect((await rowsOf(subject.paymentId)).length).toBe(isOpen ? 2 : 1);
    const references = (await rowsOf(subject.paymentId)).map(({ reference }) => reference);
    for (const reference of references) {
      await paystack.pay(reference);
      expect((await shop.settle(reference))!.payment.state).toBe("paid");
    }
    expect(await world.balanceOf(esi)).toBe(before + 2000 * references.length);
  },
);

longTest.each<[string, Fault]>([
  ["answers 500", "http500"],
  ["answers with a page of HTML", "html502"],
  ["says that there were too many calls", "429"],
  ["breaks the connection", "dropBefore"],
  ["breaks the connection after its work", "dropAfter"],
  ["answers nothing", "emptyBody"],
  ["answers too late", { kind: "delay", ms: 400 }],
  ["never answers", "hang"],
])(
  "when Paystack %s to the question whether it was paid, nothing changes until it is before again",
  async (_, fault) => {
    const { reference } = await shop.paidTopUp(esi);
    paystack.fault("GET /transaction/verify/:reference", fault);
    const hasty = shop.gatewayWith({ timeoutMs: 150 });
    const before = await shop.row(reference);
    expect((await shop.settle(reference, hasty))!.verdict).toBe("unclear");
    expect(await shop.row(reference)).toEqual(before);
    await shop.poll();
    expect((await shop.row(reference)).state).toBe("paid");
  },
);

test("with a wrong key no payment changes its state, no call is repeated, and the key stays secret", async () => {
  const wrong = shop.gatewayWith({ secretKey: `${SECRET_KEY}_wrong` });
  const { reference } = await shop.paidTopUp(esi);
  const subject = await start();
  const before = paystack.requests().length;
  expect((await shop.settle(reference, wrong))!.verdict).toBe("unclear");
  expect(await outcome(shop.checkOut(esi, subject, wrong))).toBe("payment.gateway_down");
  const answers = paystack.requests().slice(before);
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  expect((await shop.row(reference)).state).toBe("pending");
  expect((await shop.checkOut(esi, subject)).authorizationUrl).toStartWith(paystack.url);
});

test("a refusal by Paystack ends the payment with its message", async () => {
  const subject = await start();
  const work = payments.checkOut(db, shop.gateway, {
    by: esi.by(),
    subject,
    email: "not an address",
    callbackUrl: "http://localhost/back",
    cancelUrl: "http://localhost/wallet",
  });
  expect(await outcome(work)).toBe("payment.refused");
  const [row] = await rowsOf(subject.paymentId);
  expect((await shop.row(row!.reference)).reason).toMatch(/email/i);
  expect(row!.state).toBe("failed");
});

test("a reference that Paystack already knows is replaced, and both are credited if both are paid", async () => {
  const before = await world.balanceOf(esi);
  const subject = await start();
  const [old] = await rowsOf(subject.paymentId);
  await shop.gateway.initialize({
    reference: old!.reference,
    amountPesewas: 2000,
    email: esi.email,
    callbackUrl: "http://localhost/back",
    cancelUrl: "http://localhost/wallet",
  });
  const page = await shop.checkOut(esi, subject);
  expect(page.reference).not.toBe(old!.reference);
  expect(await shop.row(page.reference)).toMatchObject({ supersedesId: subject.paymentId, state: "pending" });
  expect((await shop.row(old!.reference)).pollAt).not.toBeNull();
  await paystack.pay(old!.reference);
  await paystack.pay(page.reference);
  await shop.poll();
  expect(await world.balanceOf(esi)).toBe(before + 4000);
});

test("an order that a page pays is sent to its owner's webhook once, however often it is settled", async () => {
  const keys = { key: hooks.hookKey(TEST_JWT_SECRET), sender: createTestHooks() };
  const { hook } = await openHook(db, keys, { by: esi.by(), url: "http://hook.example/" });
  const { order, page } = await shop.orderPage(esi);
  await paystack.pay(page.reference);
  await Promise.all(times(5, () => shop.settle(page.reference)));
  const deliveries = await webhookDeliveries.list(db, hook.id, { limit: 10 });
  expect(deliveries.map(({ body }) => JSON.parse(body).data)).toMatchObject([
    { id: order.id, previousStatus: "PENDING", status: "PAID", paid: true, paymentMethod: "paystack" },
  ]);
  await hooks.remove(db, { by: esi.by(), hookId: hook.id });
});

test("a paid page pays its order in the same commit, and leaves the balance unchanged", async () => {
  const before = await world.balanceOf(esi);
  const { order, page } = await shop.orderPage(esi);
  expect(page.amountPesewas).toBe(order.amountPesewas);
  await paystack.pay(page.reference);
  await shop.settle(page.reference);
  const now = await shop.orderNow(order.id);
  expect(now).toMatchObject({ status: "PAID", paymentMethod: "paystack" });
  expect(now.paidAt).not.toBeNull();
  expect(await world.balanceOf(esi)).toBe(before);
  expect(await count(db, sql`from jobs where kind = 'dispatch_order' and subject_id = ${order.id}`)).toBe(1);
  // One transaction wrote the credit, the charge, the payment and the order.
  const [written] = await db.execute<{ transactions: number }>(sql`
    select count(distinct x)::int as transactions from (
      select xmin::text as x from transfers where reason = 'charge' and subject_id = ${order.id}
      union all select xmin::text from transfers where reason = 'topup' and subject_id = ${page.paymentId}
      union all select xmin::text from payments where reference = ${page.reference}
      union all select xmin::text from orders where id = ${order.id}) x`);
  expect(written!.transactions).toBe(1);
});

test("an order's page is offered again while it is open, also to twenty impatient clicks", async () => {
  const { order, page } = await shop.orderPage(esi);
  const pages = await Promise.all(times(20, () => shop.checkOut(esi, { orderId: order.id })));
  for (const again of pages) expect(again).toEqual(page);
  expect(await count(db, sql`from payments where order_id = ${order.id}`)).toBe(1);
});

test.each<[string, (orderId: number) => Promise<unknown>]>([
  ["cancelled", (orderId) => cancelling.cancel(db, { by: esi.by(), key: null, orderId })],
  [
    "expired",
    async (orderId) => {
      await db.execute(sql`update orders set created_at = now() - interval '25 hours' where id = ${orderId}`);
      return unpaidOrders.expire(db);
    },
  ],
  ["paid from the wallet", (orderId) => unpaidOrders.spend(db, { by: esi.by(), key: null, orderId })],
])("money for an order that was %s meanwhile stays in the wallet, and the order says so", async (_, deed) => {
  const { order, page } = await shop.orderPage(esi);
  await deed(order.id);
  const before = await world.balanceOf(esi);
  const was = await shop.orderNow(order.id);
  await paystack.pay(page.reference);
  expect((await shop.settle(page.reference))!.payment.state).toBe("paid");
  expect(await world.balanceOf(esi)).toBe(before + order.amountPesewas);
  expect(await shop.orderNow(order.id)).toEqual(was);
  expect(await count(db, sql`from order_events where order_id = ${order.id} and note like '%is in the wallet%'`)).toBe(
    1,
  );
  expect(await outcome(shop.checkOut(esi, { orderId: order.id }))).toStartWith("order.");
});

test("of two payments for one order, one pays it and the other stays in the wallet", async () => {
  const before = await world.balanceOf(esi);
  const { order, page } = await shop.orderPage(esi);
  // The page's address is lost, so a second page is opened; the payer finds the first one in a tab.
  await db.execute(sql`update payments set authorization_url = null where reference = ${page.reference}`);
  const second = await shop.checkOut(esi, { orderId: order.id });
  await Promise.all([page, second].map(({ reference }) => paystack.pay(reference)));
  await Promise.all(
    times(4, () => [page, second])
      .flat()
      .map(({ reference }) => shop.settle(reference)),
  );
  expect((await shop.orderNow(order.id)).status).toBe("PAID");
  expect(await world.balanceOf(esi)).toBe(before + order.amountPesewas);
});

longTest("an order that is cancelled while its payment arrives is refunded or left unpaid, never lost", async () => {
  for (const _ of times(10, (i) => i)) {
    const before = await world.balanceOf(esi);
    const { order, page } = await shop.orderPage(esi);
    await paystack.pay(page.reference);
    await Promise.all([
      shop.settle(page.reference),
      cancelling.cancel(db, { by: esi.by(), key: null, orderId: order.id }),
      shop.settle(page.reference),
    ]);
    expect((await shop.orderNow(order.id)).status).toBe("FAILED");
    expect(await world.balanceOf(esi)).toBe(before + order.amountPesewas);
  }
});

test("nobody can pay for somebody else's order or top-up", async () => {
  const yaa = await world.person("yaa");
  const { order } = await shop.orderPage(esi);
  expect(await outcome(shop.checkOut(yaa, { orderId: order.id }))).toBe("order.not_found");
  expect(await outcome(shop.checkOut(yaa, await start()))).toBe("payment.not_found");
});
