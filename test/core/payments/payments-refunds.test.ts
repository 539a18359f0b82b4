// Refunds and chargebacks at Paystack after the credit: in any order, each booked once.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { JsonObject, RefundStatus } from "../../../dev/simulators/paystack/paystack.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import { process as act } from "../../../src/core/payments/paystack-webhooks.ts";
import { count, randomFrom, seed, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openPaying } from "./paying.ts";

const shop = await openPaying();
const { world, db, paystack } = shop;
const akua = await world.person("akua");

/** A top-up that was paid and credited. */
async function credited(amountPesewas = 2000): Promise<string> {
  const { reference } = await shop.paidTopUp(akua, amountPesewas);
  await shop.settle(reference);
  return reference;
}

/** Changes a refund's state and sends the event. */
async function setStatus(id: bigint, status: RefundStatus): Promise<void> {
  await paystack.moveRefund(id, status);
  const { reference } = paystack.refunds().find((one) => one.id === id)!;
  await deliver(reference, `refund.${status}`);
}

async function deliver(reference: string, event: string): Promise<void> {
  const [delivery] = await paystack.deliver(reference, { event });
  expect(delivery!.attempts[0]!.status).toBe(200);
  await shop.workOff();
}

const backOf = async (reference: string): Promise<number> => {
  const [row] = await db.execute<{ sum: number }>(sql`
    select coalesce(sum(t.amount_pesewas), 0)::bigint as sum from transfers t
    join payment_reversals r on r.id = t.subject_id join payments p on p.id = r.payment_id
    where t.reason in ('reversal', 'debt') and p.reference = ${reference}`);
  return row!.sum;
};

test("a full refund is debited once, when it is processed and not before", async () => {
  const before = await world.balanceOf(akua);
  const reference = await credited();
  const id = await shop.refundAtPaystack(reference, 2000);
  await deliver(reference, "refund.pending");
  await setStatus(id, "processing");
  expect(await world.balanceOf(akua)).toBe(before + 2000);
  expect((await shop.row(reference)).state).toBe("paid");
  await setStatus(id, "processed");
  expect(await world.balanceOf(akua)).toBe(before);
  expect((await shop.row(reference)).state).toBe("reversed");
  for (const event of ["refund.pending", "refund.processing", "refund.processed", "charge.success"])
    await deliver(reference, event);
  await shop.settle(reference);
  expect(await backOf(reference)).toBe(2000);
});

longTest("a partial refund is booked with its amount, also while another is in progress", async () => {
  const before = await world.balanceOf(akua);
  const reference = await credited();
  const [first, second] = [await shop.refundAtPaystack(reference, 500), await shop.refundAtPaystack(reference, 700)];
  await deliver(reference, "refund.pending");
  await shop.settle(reference);
  expect(await backOf(reference)).toBe(0);
  await setStatus(first, "processed");
  expect(await world.balanceOf(akua)).toBe(before + 1500);
  await setStatus(second, "processed");
  expect(await world.balanceOf(akua)).toBe(before + 800);
  expect((await shop.row(reference)).state).toBe("paid");
  await setStatus(await shop.refundAtPaystack(reference, 800), "processed");
  expect(await world.balanceOf(akua)).toBe(before);
  expect((await shop.row(reference)).state).toBe("reversed");
});

test("a failed refund debits nothing", async () => {
  const before = await world.balanceOf(akua);
  const reference = await credited();
  const id = await shop.refundAtPaystack(reference, 2000);
  await deliver(reference, "refund.pending");
  await setStatus(id, "needs-attention");
  await setStatus(id, "failed");
  await shop.settle(reference);
  expect(await world.balanceOf(akua)).toBe(before + 2000);
  expect((await shop.row(reference)).state).toBe("paid");
});

longTest("refund events in any order, doubled, book the processed refunds", async () => {
  const random = randomFrom(seed);
  for (const _ of times(12, (i) => i)) {
    const before = await world.balanceOf(akua);
    const reference = await credited();
    const id = await shop.refundAtPaystack(reference, 600);
    await paystack.moveRefund(id, "processing");
    await paystack.moveRefund(id, "processed");
    const events = ["refund.pending", "refund.processing", "refund.processed", "charge.success"]
      .flatMap((event) => [event, event])
      .map((event) => ({ event, at: random(1000) }))
      .toSorted((a, b) => a.at - b.at);
    await Promise.all(events.map(({ event }) => paystack.deliver(reference, { event })));
    await Promise.all([shop.workOff(), shop.settle(reference), shop.workOff()]);
    await shop.workOff();
    expect(await backOf(reference)).toBe(600);
    expect(await world.balanceOf(akua)).toBe(before + 1400);
  }
});

test("two refunds of the same amount, without references of their own, are both booked", async () => {
  const before = await world.balanceOf(akua);
  const reference = await credited();
  for (const day of [10, 11]) {
    await paystack.moveRefund(await shop.refundAtPaystack(reference, 500), "processed");
    await sendProcessed(reference, { amount: "500", processed_at: `2026-11-${day}T10:00:00Z` });
  }
  expect([await backOf(reference), await world.balanceOf(akua)]).toEqual([1000, before + 1000]);
});

/** An event as Paystack sends it for a processed refund: without an id or reference of its own. */
async function sendProcessed(reference: string, more: JsonObject): Promise<void> {
  const data = {
    status: "processed",
    transaction_reference: reference,
    refund_reference: null,
    domain: "test",
  };
  await paystack.deliverEvent("refund.processed", { ...data, ...more });
  await shop.workOff();
}

longTest.each([
  ["0", "0"],
  ["missing", undefined],
  ["all of the payment", "2000"],
])("an event of a refund whose amount is %s books what Paystack lists, and no more", async (_, amount) => {
  const reference = await credited();
  await sendProcessed(reference, amount === undefined ? {} : { amount });
  expect(await backOf(reference)).toBe(0);
  await paystack.moveRefund(await shop.refundAtPaystack(reference, 300), "processed");
  await sendProcessed(reference, { ...(amount !== undefined && { amount }), copy: "again" });
  expect(await backOf(reference)).toBe(300);
});

test("a refund is booked when its event came before Paystack could be queried", async () => {
  const reference = await credited();
  await paystack.moveRefund(await shop.refundAtPaystack(reference, 300), "processed");
  paystack.fault("GET /refund", { kind: "http500" });
  await sendProcessed(reference, { amount: "300" });
  expect(await backOf(reference)).toBe(0);
  await shop.workOff();
  expect(await backOf(reference)).toBe(300);
});

test("a refund whose event is processed again, after the worker has died, is booked once", async () => {
  const reference = await credited();
  await paystack.moveRefund(await shop.refundAtPaystack(reference, 300), "processed");
  await sendProcessed(reference, { amount: "300" });
  const [event] = await db.execute<{ id: number }>(sql`
    update webhook_events set processed_at = null where reference = ${reference} returning id`);
  await act(db, shop.gateway, event!.id);
  expect(await backOf(reference)).toBe(300);
});

test("a refund that was processed before our credit is left to an admin", async () => {
  const before = await world.balanceOf(akua);
  const { reference } = await shop.paidTopUp(akua);
  await setStatus(await shop.refundAtPaystack(reference, 2000), "processed");
  await paystack.deliver(reference);
  await shop.workOff();
  expect((await shop.row(reference)).state).toBe("review");
  expect(await backOf(reference)).toBe(0);
  expect(await world.balanceOf(akua)).toBe(before);
});

test("a partial refund before our credit debits nothing", async () => {
  const before = await world.balanceOf(akua);
  const { reference } = await shop.paidTopUp(akua);
  const [part, rest] = [await shop.refundAtPaystack(reference, 500), await shop.refundAtPaystack(reference, 1500)];
  // While a refund may still fail, there is nothing to decide; once all of it is refunded, an admin sees it.
  for (const [id, state] of [
    [part, "pending"],
    [rest, "review"],
  ] as const) {
    await setStatus(id, "processed");
    expect((await shop.row(reference)).state).toBe(state);
    expect([await backOf(reference), await world.balanceOf(akua)]).toEqual([0, before]);
  }
});

longTest("a partial refund before our credit is deducted when the rest of the refund fails", async () => {
  const before = await world.balanceOf(akua);
  const { reference } = await shop.paidTopUp(akua);
  const [part, rest] = [await shop.refundAtPaystack(reference, 500), await shop.refundAtPaystack(reference, 1500)];
  await setStatus(part, "processed");
  await setStatus(rest, "failed");
  await paystack.deliver(reference);
  await shop.workOff();
  await shop.settle(reference);
  expect([(await shop.row(reference)).state, await backOf(reference)]).toEqual(["paid", 500]);
  expect(await world.balanceOf(akua)).toBe(before + 1500);
});

longTest("an order whose payment was partly refunded before our credit is paid, and the part is owed", async () => {
  const buyer = await world.person("buyer");
  const { order, page } = await shop.orderPage(buyer);
  await paystack.pay(page.reference);
  const [part, rest] = [
    await shop.refundAtPaystack(page.reference, 100),
    await shop.refundAtPaystack(page.reference, order.amountPesewas - 100),
  ];
  await setStatus(part, "processed");
  await setStatus(rest, "failed");
  await shop.settle(page.reference);
  expect((await shop.orderNow(order.id)).status).toBe("PAID");
  expect([await backOf(page.reference), await world.balanceOf(buyer)]).toEqual([100, 0]);
  expect((await wallet.standing(db, buyer.id)).owedPesewas).toBe(100);
});

test("two payments that Paystack lists as reversed, without a refund, are both booked", async () => {
  const before = await world.balanceOf(akua);
  const references = [await credited(), await credited()];
  for (const reference of references) {
    await paystack.moveRefund(await shop.refundAtPaystack(reference, 2000), "processed");
    await shop.settle(reference);
    expect([await backOf(reference), (await shop.row(reference)).state]).toEqual([2000, "reversed"]);
  }
  expect(await world.balanceOf(akua)).toBe(before);
});

test("a payment whose refund failed before our credit is credited", async () => {
  const before = await world.balanceOf(akua);
  const { reference } = await shop.paidTopUp(akua);
  const id = await shop.refundAtPaystack(reference, 2000);
  await deliver(reference, "refund.pending");
  expect((await shop.row(reference)).state).toBe("pending");
  await setStatus(id, "failed");
  expect((await shop.row(reference)).state).toBe("paid");
  expect(await world.balanceOf(akua)).toBe(before + 2000);
});

test("a refund of money that was spent is owed, and no wallet falls below zero", async () => {
  const spender = await world.person("spender");
  const { order, page } = await shop.orderPage(spender);
  await paystack.pay(page.reference);
  await shop.settle(page.reference);
  await setStatus(await shop.refundAtPaystack(page.reference, order.amountPesewas), "processed");
  expect(await world.balanceOf(spender)).toBe(0);
  expect(await backOf(page.reference)).toBe(order.amountPesewas);
  expect((await wallet.standing(db, spender.id)).owedPesewas).toBe(order.amountPesewas);
  expect((await shop.orderNow(order.id)).status).toBe("PAID");
  expect((await shop.row(page.reference)).state).toBe("reversed");
});

test("a lost chargeback is debited once, however often and in whatever order its events come", async () => {
  const before = await world.balanceOf(akua);
  const reference = await credited();
  await paystack.dispute(reference, "create");
  await deliver(reference, "charge.dispute.create");
  await paystack.dispute(reference, "remind");
  await deliver(reference, "charge.dispute.remind");
  expect(await world.balanceOf(akua)).toBe(before + 2000);
  await paystack.dispute(reference, "resolve", "merchant-accepted");
  for (const event of ["resolve", "remind", "create", "resolve"]) await deliver(reference, `charge.dispute.${event}`);
  expect(await world.balanceOf(akua)).toBe(before);
  expect((await shop.row(reference)).state).toBe("reversed");
});

test("a won chargeback debits nothing", async () => {
  const before = await world.balanceOf(akua);
  const reference = await credited();
  await paystack.dispute(reference, "create");
  await paystack.dispute(reference, "resolve", "declined");
  await deliver(reference, "charge.dispute.resolve");
  await deliver(reference, "charge.dispute.create");
  expect(await world.balanceOf(akua)).toBe(before + 2000);
  const rows = sql`from payment_reversals r join payments p on p.id = r.payment_id where p.reference = ${reference}`;
  expect(await count(db, sql`${rows} and r.kind = 'chargeback' and r.state = 'closed'`)).toBe(1);
});

test("lost chargebacks whose ids are equal after rounding are two", async () => {
  const references = [await credited(), await credited()];
  const ids = [9_007_199_254_740_992n, 9_007_199_254_740_993n];
  for (const [n, reference] of references.entries()) {
    const data = {
      status: "resolved",
      resolution: "merchant-accepted",
      domain: "test",
      transaction: { reference },
    };
    await paystack.deliverEvent("charge.dispute.resolve", { ...data, id: ids[n]! });
    await shop.workOff();
  }
  for (const reference of references) expect(await backOf(reference)).toBe(2000);
});

test("a refund and a lost chargeback of one payment never debit more than was paid", async () => {
  const before = await world.balanceOf(akua);
  const reference = await credited();
  await setStatus(await shop.refundAtPaystack(reference, 1500), "processed");
  await paystack.dispute(reference, "resolve", "merchant-accepted");
  await deliver(reference, "charge.dispute.resolve");
  await shop.settle(reference);
  expect(await backOf(reference)).toBe(2000);
  expect(await world.balanceOf(akua)).toBe(before);
});

longTest.each(["99999999", "-5", "much", null])(
  "a refund event with the amount %p never takes more than was paid",
  async (amount) => {
    const before = await world.balanceOf(akua);
    const reference = await credited();
    await paystack.deliverEvent("refund.processed", {
      transaction_reference: reference,
      status: "processed",
      amount,
    });
    await shop.workOff();
    expect(await backOf(reference)).toBeLessThanOrEqual(2000);
    expect(await world.balanceOf(akua)).toBeGreaterThanOrEqual(before);
  },
);

longTest("a refund racing with purchases debits the remaining balance, and the rest is owed", async () => {
  for (const _ of times(6, (i) => i)) {
    const reference = await credited();
    const balance = await world.balanceOf(akua);
    const id = await shop.refundAtPaystack(reference, 2000);
    await paystack.moveRefund(id, "processed");
    await paystack.deliver(reference, { event: "refund.processed" });
    const take = { by: world.yaw.by("admin"), key: null, userId: akua.id, reason: "race" };
    await Promise.allSettled([
      shop.workOff(),
      wallet.adjust(db, { ...take, amountPesewas: -balance }),
      shop.settle(reference),
    ]);
    expect(await backOf(reference)).toBe(2000);
    expect(await world.balanceOf(akua)).toBeGreaterThanOrEqual(0);
  }
});
