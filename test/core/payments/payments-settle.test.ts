// Settlement: only payments that Paystack confirms as paid, ours and of the right amount are credited.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Steering } from "../../../dev/simulators/paystack/paystack.ts";
import * as payments from "../../../src/core/payments/payments.ts";
import { syncRefunds } from "../../../src/core/payments/refunds.ts";
import { POLL_AFTER_SECONDS, pollDue, settle } from "../../../src/core/payments/settlement.ts";
import { holdWallet, refusal, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { creditsOf, openPaying } from "./paying.ts";

const shop = await openPaying();
const { world, db, paystack } = shop;
const ama = await world.person("ama");

test("a payment that was paid is credited once, with our amount and Paystack's id and fee", async () => {
  const before = await world.balanceOf(ama);
  const { reference } = await shop.paidTopUp(ama);
  const settled = await shop.settle(reference);
  expect(settled!.verdict).toBe("credit");
  expect(settled!.payment).toMatchObject({ state: "paid", pollAt: null, feesPesewas: 39, domain: "test" });
  expect(settled!.payment.providerId).toBe(String(paystack.transactions().at(-1)!.id));
  expect(await world.balanceOf(ama)).toBe(before + 2000);
  await shop.settle(reference);
  expect(await world.balanceOf(ama)).toBe(before + 2000);
});

const undecided = ["abandoned", "ongoing", "pending", "processing", "queued", "a-word-nobody-has-heard", ""];
longTest.each(undecided)("while Paystack says %p nothing is decided, and success is credited later", async (status) => {
  const before = await world.balanceOf(ama);
  const { reference } = await shop.topUp(ama);
  paystack.steer(reference, { status });
  expect(await shop.settle(reference)).toMatchObject({ verdict: "wait", payment: { state: "pending" } });
  expect((await shop.row(reference)).pollAt).not.toBeNull();
  expect(await world.balanceOf(ama)).toBe(before);
  paystack.steer(reference, { status: "success" });
  await paystack.pay(reference);
  expect(await shop.settle(reference)).toMatchObject({ verdict: "credit", payment: { state: "paid" } });
  expect(await world.balanceOf(ama)).toBe(before + 2000);
});

test("a page that was only opened, and a card that was declined there, leave the payment open", async () => {
  const { reference } = await shop.topUp(ama);
  expect((await shop.settle(reference))!.payment.state).toBe("pending");
  paystack.decline(reference);
  expect((await shop.settle(reference))!.payment.state).toBe("pending");
  await paystack.pay(reference);
  expect((await shop.settle(reference))!.payment.state).toBe("paid");
});

test("a failed payment has a reason, is not checked again, and is still credited if the money comes", async () => {
  const before = await world.balanceOf(ama);
  const { reference } = await shop.topUp(ama);
  paystack.fail(reference, "Insufficient funds");
  const { payment } = (await shop.settle(reference))!;
  expect(payment).toMatchObject({ state: "failed", pollAt: null });
  expect(payment.reason).toBe("Insufficient funds");
  expect(await world.balanceOf(ama)).toBe(before);
  await paystack.pay(reference);
  expect((await shop.settle(reference))!.payment).toMatchObject({ state: "paid", reason: null });
  expect(await world.balanceOf(ama)).toBe(before + 2000);
});

test("a payment that is reversed before it was credited is not credited, and put under review", async () => {
  const before = await world.balanceOf(ama);
  const { reference } = await shop.paidTopUp(ama);
  paystack.steer(reference, { status: "reversed" });
  const settled = await shop.settle(reference);
  expect(settled).toMatchObject({ verdict: "reversed", payment: { state: "review" } });
  expect(settled!.payment.reason).toContain("reversed");
  expect(await world.balanceOf(ama)).toBe(before);
});

test("a payment with a pending partial refund is credited once that is settled, less the part", async () => {
  const before = await world.balanceOf(ama);
  const { reference } = await shop.paidTopUp(ama);
  const refund = await shop.refundAtPaystack(reference, 500);
  expect(await shop.settle(reference)).toMatchObject({ verdict: "wait", payment: { state: "pending" } });
  await paystack.moveRefund(refund, "processed");
  expect(await shop.settle(reference)).toMatchObject({ verdict: "credit", payment: { state: "paid" } });
  await syncRefunds(world.db, shop.gateway, reference);
  expect(await world.balanceOf(ama)).toBe(before + 1500);
});

const wrong: [string, Steering, string][] = [
  ["less was paid than was sent", { amount: 1999 }, "paid GH₵ 19.99 of GH₵ 20.00"],
  ["less was sent and paid than our row says", { amount: 10, requestedAmount: 10 }, "paid GH₵ 0.10 of GH₵ 0.10"],
  ["more was sent than our row says", { amount: 9000, requestedAmount: 9000 }, "of GH₵ 90.00"],
  ["more was paid and nobody says what was sent", { amount: 2050, requestedAmount: null }, "paid GH₵ 20.50"],
  ["naira were paid", { currency: "NGN" }, "NGN 20.00"],
  ["the currency is spelt otherwise", { currency: "ghs" }, "ghs 20.00"],
  ["it is a payment of the live mode", { domain: "live" }, "in live"],
  ["the amount is no number of pesewas", { amount: 2000.5 }, "paid nothing"],
  ["the amount is below zero", { amount: -2000 }, "paid −GH₵ 20.00"],
];
longTest.each(wrong)(
  "nothing is credited when %s, and the payment is put under review",
  async (_, steering, reason) => {
    const before = await world.balanceOf(ama);
    const { reference } = await shop.paidTopUp(ama);
    paystack.steer(reference, steering);
    const settled = await shop.settle(reference);
    expect(settled).toMatchObject({
      verdict: "review",
      payment: { state: "review", paidAt: null, pollAt: null },
    });
    expect(settled!.payment.reason).toContain(reason);
    expect(settled!.payment.reason).toContain("expected GH₵ 20.00 in test");
    expect(await creditsOf(db, reference)).toBe(0);
    expect(await world.balanceOf(ama)).toBe(before);
  },
);

const right: [string, Steering][] = [
  ["the payer bore the fee on top", { amount: 2040, requestedAmount: 2000 }],
  ["nobody says what was sent and the sum is ours", { requestedAmount: null }],
  ["the fee is not known", { fees: null }],
  ["the fee is odd", { fees: 100_000 }],
  ["metadata is empty", { metadata: "" }],
  ["metadata is a number", { metadata: 0 }],
  ["metadata names another payment and another wallet", { metadata: { reference: "tp-1", userId: 1 } }],
];
longTest.each(right)("exactly our amount is credited when %s", async (_, steering) => {
  const before = await world.balanceOf(ama);
  const { reference } = await shop.paidTopUp(ama);
  paystack.steer(reference, steering);
  expect((await shop.settle(reference))!.payment.state).toBe("paid");
  expect(await world.balanceOf(ama)).toBe(before + 2000);
});

test("an id beyond 2^53 is stored to the last digit, and its neighbour is another payment", async () => {
  for (const id of [9_007_199_254_740_993n, 9_007_199_254_740_992n, 18_446_744_073_709_551_615n]) {
    const { reference } = await shop.paidTopUp(ama);
    paystack.steer(reference, { id });
    expect((await shop.settle(reference))!.payment).toMatchObject({ state: "paid", providerId: String(id) });
  }
});

test("a payment under review is credited once the provider's record is right", async () => {
  const before = await world.balanceOf(ama);
  const { reference } = await shop.paidTopUp(ama);
  paystack.steer(reference, { currency: "NGN" });
  expect((await shop.settle(reference))!.payment.state).toBe("review");
  paystack.steer(reference, { currency: "GHS" });
  expect((await shop.settle(reference))!.payment).toMatchObject({ state: "paid", reason: null });
  expect(await world.balanceOf(ama)).toBe(before + 2000);
});

test("sixteen settlements at once, at two servers, credit once and return the same", async () => {
  const before = await world.balanceOf(ama);
  const { reference } = await shop.paidTopUp(ama);

  const held = await holdWallet(db, ama.id);
  const all = await withSecondServer(world, async (other) => {
    const settling = times(16, (i) => settle(i % 2 ? db : other, shop.gateway, reference));
    // All have queried Paystack and wait for the same wallet.
    await held.waiting(12);
    await held.release();
    return Promise.all(settling);
  });
  for (const settled of all) expect(settled).toEqual(all[0]!);
  expect(all[0]!.payment.state).toBe("paid");
  expect(await creditsOf(db, reference)).toBe(1);
  expect(await world.balanceOf(ama)).toBe(before + 2000);
});

test("a reference that is not ours is not checked, and one that Paystack does not know changes nothing", async () => {
  const sent = paystack.requests().length;
  expect(await shop.settle("tp-somebody-else")).toBeNull();
  expect(paystack.requests().length).toBe(sent);
  const { answer } = await payments.startTopUp(db, { by: ama.by(), key: null, amountPesewas: 2000 });
  expect(await shop.settle(answer.reference)).toMatchObject({
    verdict: "not_found",
    payment: { state: "created" },
  });
});

test("somebody else's payment is not found, and its money goes to whoever started it", async () => {
  const kofi = await world.person("kofi");
  const { reference } = await shop.paidTopUp(ama);
  expect((await refusal(payments.get(db, kofi.by(), reference))).code).toBe("payment.not_found");
  await shop.settle(reference);
  expect(await world.balanceOf(kofi)).toBe(0);
});

test("a payment without a webhook and without a returning browser is found by a check", async () => {
  const before = await world.balanceOf(ama);
  paystack.steer("next", { webhook: "lost" });
  const { reference } = await shop.paidTopUp(ama);
  expect(await world.balanceOf(ama)).toBe(before);
  expect(await shop.poll()).toBeGreaterThan(0);
  expect((await shop.row(reference)).state).toBe("paid");
  expect(await world.balanceOf(ama)).toBe(before + 2000);
});

test("checks become rarer, the last one ends the payment, and money after that is still credited", async () => {
  const before = await world.balanceOf(ama);
  const { reference } = await shop.topUp(ama);
  for (const [n] of POLL_AFTER_SECONDS.entries()) {
    expect(await shop.row(reference)).toMatchObject({ state: "pending", polls: n });
    await shop.poll();
  }
  expect(await shop.row(reference)).toMatchObject({ state: "expired", pollAt: null });
  expect(await shop.poll()).toBe(0);
  shop.pass(25 * 3600);
  await paystack.pay(reference);
  await paystack.deliver(reference);
  await shop.workOff();
  expect(await shop.row(reference)).toMatchObject({ state: "paid", reason: null });
  expect(await world.balanceOf(ama)).toBe(before + 2000);
});

test("a top-up that was started long ago is checked from the opening of its page", async () => {
  const { answer } = await payments.startTopUp(db, { by: ama.by(), key: null, amountPesewas: 2000 });
  await db.execute(sql`update payments set created_at = now() - interval '2 days' where id = ${answer.id}`);
  const { reference } = await shop.checkOut(ama, { paymentId: answer.id });
  await shop.poll();
  const [{ seconds } = { seconds: 0 }] = await db.execute<{ seconds: number }>(
    sql`select extract(epoch from poll_at - now())::float as seconds from payments where reference = ${reference}`,
  );
  expect(seconds).toBeGreaterThan(10);
  expect((await shop.row(reference)).state).toBe("pending");
});

longTest("two servers at once check each payment once", async () => {
  const references = await Promise.all(times(8, async () => (await shop.paidTopUp(ama)).reference));
  await db.execute(sql`update payments set poll_at = now() where poll_at is not null`);

  const before = paystack.requests().length;
  await withSecondServer(world, (other) =>
    Promise.all([db, other, db, other].map((on) => pollDue(on, shop.gateway, 1000))),
  );
  const sent = paystack.requests().slice(before);
  for (const reference of references) {
    expect(sent.filter(({ path }) => path.endsWith(reference)).length).toBe(1);
    expect((await shop.row(reference)).state).toBe("paid");
  }
});
