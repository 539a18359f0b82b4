// Mobile money: one prompt on the phone, whose result comes from checks with Paystack.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { type Fault, RIGHT_OTP } from "../../../dev/simulators/paystack/paystack.ts";
import * as payments from "../../../src/core/payments/payments.ts";
import type { Network } from "../../../src/shared/domain.ts";
import { count, outcome, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openPaying } from "./paying.ts";

const shop = await openPaying({ otpForTelecel: true });
const { world, db, paystack } = shop;
const abena = await world.person("abena");

const start = async (amountPesewas = 2000): Promise<payments.Subject> => {
  const { answer } = await payments.startTopUp(db, { by: abena.by(), key: null, amountPesewas });
  return { paymentId: answer.id };
};
const charge = async (msisdn: string, network: Network = "mtn", gateway = shop.gateway, subject?: payments.Subject) =>
  payments.charge(db, gateway, { by: abena.by(), subject: subject ?? (await start()), network, msisdn });
const now = async ({ reference }: payments.Payment) => (await shop.settle(reference))!.payment;
const submit = (payment: payments.Payment, code: string, gateway = shop.gateway) =>
  payments.submitCode(db, gateway, { by: abena.by(), reference: payment.reference, code });
const chargesOf = ({ reference }: payments.Payment) =>
  paystack.requests().filter(({ route, body }) => route === "POST /charge" && JSON.stringify(body).includes(reference));

beforeEach(async () => {
  // The limits on prompts have tests of their own.
  await db.execute(sql`delete from rate_limits`);
});

longTest.each<Network>(["mtn", "atl"])("%s asks the phone, and the approval is credited", async (network) => {
  const before = await world.balanceOf(abena);
  const payment = await charge("233541000000", network);
  expect(payment).toMatchObject({ state: "pending", needsCode: false, network, payerMsisdn: "233541000000" });
  expect(payment.providerMessage).toBe("Please complete authorization process on your mobile phone");
  expect(chargesOf(payment)[0]!.body).toMatchObject({
    amount: 2000,
    currency: "GHS",
    mobile_money: { phone: "0541000000", provider: network },
  });
  expect((await now(payment)).state).toBe("pending");
  await paystack.approve(payment.reference);
  expect((await now(payment)).state).toBe("paid");
  expect(await world.balanceOf(abena)).toBe(before + 2000);
});

test("Telecel needs a voucher before the prompt", async () => {
  const payment = await charge("233501000000", "vod");
  expect(payment).toMatchObject({ state: "pending", needsCode: true });
  expect(payment.providerMessage).toContain("*110#");
  const result = await submit(payment, RIGHT_OTP);
  expect(result).toMatchObject({ state: "pending", needsCode: false });
  await paystack.approve(payment.reference);
  expect((await now(payment)).state).toBe("paid");
  // The code is stored nowhere.
  const whole = JSON.stringify(await db.execute(sql`select * from payments`));
  expect(whole).not.toContain(RIGHT_OTP);
  expect(shop.logged()).not.toContain(RIGHT_OTP);
});

test("a voucher that is accepted at once settles at once", async () => {
  const payment = await charge("233501000005", "vod");
  expect((await submit(payment, RIGHT_OTP)).state).toBe("paid");
});

test("a wrong code ends the payment, and another attempt needs another payment", async () => {
  const before = await world.balanceOf(abena);
  const payment = await charge("233501000000", "vod");
  expect(await submit(payment, "000000")).toMatchObject({ state: "failed", needsCode: false });
  expect(await outcome(submit(payment, RIGHT_OTP))).toBe("payment.not_payable");
  expect(await world.balanceOf(abena)).toBe(before);
  const again = {
    by: abena.by(),
    subject: { paymentId: payment.id },
    network: "vod" as const,
    msisdn: "233501000000",
  };
  expect(await outcome(payments.charge(db, shop.gateway, again))).toBe("payment.not_payable");
});

test("nobody can submit a code for somebody else's payment", async () => {
  const stranger = await world.person("stranger");
  const payment = await charge("233501000000", "vod");
  const work = payments.submitCode(db, shop.gateway, {
    by: stranger.by(),
    reference: payment.reference,
    code: "000000",
  });
  expect(await outcome(work)).toBe("payment.not_found");
  expect((await now(payment)).state).toBe("pending");
});

test("a prompt that the payer refuses has failed, with the reason", async () => {
  const payment = await charge("233541000001");
  paystack.refuse(payment.reference);
  expect(await now(payment)).toMatchObject({
    state: "failed",
    reason: "The payer refused the payment on the phone",
  });
});

test("a prompt without an answer has failed after 180 seconds", async () => {
  const payment = await charge("233541000002");
  shop.pass(179);
  expect((await now(payment)).state).toBe("pending");
  shop.pass(2);
  await shop.poll();
  expect(await shop.row(payment.reference)).toMatchObject({
    state: "failed",
    reason: "The payer did not approve the payment in time",
  });
});

test("a payment that is approved at once is verified before it is credited", async () => {
  const before = paystack.requests().length;
  const payment = await charge("233541000003");
  expect(payment.state).toBe("paid");
  const result = paystack.requests().slice(before);
  expect(result.map(({ route }) => route)).toEqual(["POST /charge", "GET /transaction/verify/:reference"]);
});

test("an answer of success that verify does not confirm credits nothing", async () => {
  const before = await world.balanceOf(abena);
  paystack.steer("next", { amount: 1 });
  expect((await charge("233541000003")).state).toBe("review");
  expect(await world.balanceOf(abena)).toBe(before);
});

test("a charge that is pending at Paystack stays open, and is credited when it succeeds", async () => {
  const payment = await charge("233541000004");
  expect(payment).toMatchObject({ state: "pending", needsCode: false });
  expect((await now(payment)).state).toBe("pending");
  await paystack.approve(payment.reference);
  await paystack.deliver(payment.reference);
  await shop.workOff();
  expect((await shop.row(payment.reference)).state).toBe("paid");
});

test("a number that Paystack finds too short fails, although the call succeeded", async () => {
  const payment = await charge("23354");
  expect(payment.state).toBe("failed");
  expect(paystack.requests().findLast(({ route }) => route === "POST /charge")!.status).toBe(200);
});

const broken: [string, Fault, boolean][] = [
  ["answers 500", "http500", false],
  ["answers with a page of HTML", "html502", false],
  ["says that there were too many calls", "429", false],
  ["breaks the connection before it result the phone", "dropBefore", false],
  ["breaks the connection after it result the phone", "dropAfter", true],
  ["answers nothing after it result the phone", "emptyBody", true],
  ["answers after we stopped listening", { kind: "delay", ms: 300 }, true],
];
longTest.each(broken)(
  "when Paystack %s, the phone is never result twice and the poller learns the rest",
  async (_, fault, isChecked) => {
    const before = await world.balanceOf(abena);
    const subject = await start();
    paystack.fault("POST /charge", fault);
    const payment = await charge("233541000000", "mtn", shop.gatewayWith({ timeoutMs: 1000 }), subject);
    expect(payment.state).toBe("pending");
    expect(payment.pollAt).not.toBeNull();
    const again = await charge("233541000000", "mtn", shop.gateway, subject);
    expect(again).toMatchObject({ reference: payment.reference, state: "pending" });
    const elsewhere = await outcome(charge("233541000009", "mtn", shop.gateway, subject));
    expect(elsewhere).toBe("payment.in_progress");
    expect(chargesOf(payment).length).toBe(1);
    const isKnown = () => paystack.transactions().some(({ reference }) => reference === payment.reference);
    while (isChecked && !isKnown()) await Bun.sleep(5);
    expect(isKnown()).toBe(isChecked);
    if (isChecked) await paystack.approve(payment.reference);
    await shop.poll();
    expect((await shop.row(payment.reference)).state).toBe(isChecked ? "paid" : "pending");
    expect(await world.balanceOf(abena)).toBe(before + (isChecked ? 2000 : 0));
  },
);

test("a code whose answer is lost leaves the payment open until a check finds its result", async () => {
  const payment = await charge("233501000005", "vod");
  paystack.fault("POST /charge/submit_otp", "dropAfter");
  expect((await submit(payment, RIGHT_OTP)).state).toBe("pending");
  await shop.poll();
  expect((await shop.row(payment.reference)).state).toBe("paid");
});

test("of eight impatient taps one sends a prompt", async () => {
  const subject = await start();
  const payments = await Promise.all(times(8, () => charge("233541000000", "mtn", shop.gateway, subject)));
  expect(new Set(payments.map((payment) => payment.reference)).size).toBe(1);
  expect(chargesOf(payments[0]!).length).toBe(1);
});

test("an order is paid by a prompt, and a second approval for it stays in the wallet", async () => {
  const before = await world.balanceOf(abena);
  const order = await shop.order(abena);
  const payment = await charge("233541000000", "mtn", shop.gateway, { orderId: order.id });
  const page = await shop.checkOut(abena, { orderId: order.id });
  await paystack.approve(payment.reference);
  await paystack.pay(page.reference);
  await Promise.all([payment, page, payment, page].map(({ reference }) => shop.settle(reference)));
  expect(await shop.orderNow(order.id)).toMatchObject({ status: "PAID", paymentMethod: "paystack" });
  expect(await world.balanceOf(abena)).toBe(before + order.amountPesewas);
  expect(await count(db, sql`from payments where order_id = ${order.id} and state = 'paid'`)).toBe(2);
});
