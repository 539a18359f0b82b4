// Reconciliation of our books with Paystack's list: lost payments are found and fixed, other differences are reported.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Fault } from "../../../dev/simulators/paystack/paystack.ts";
import { refusal, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { comparing, creditsOf, openPaying, SECRET_KEY } from "./paying.ts";

const shop = await openPaying();
const { world, db, paystack } = shop;
const efua = await world.person("efua");

const { compare, differencesOf: about } = comparing(shop);

test("a payment whose webhook was lost is found in the list, reported, and credited by a fix", async () => {
  const before = await world.balanceOf(efua);
  const { reference } = await shop.paidTopUp(efua);
  expect(await about(reference)).toMatchObject([
    { kind: "not_credited", providerPesewas: 2000, creditedPesewas: null },
  ]);
  expect(await creditsOf(db, reference)).toBe(0);
  expect(await about(reference, true)).toEqual([]);
  expect(await world.balanceOf(efua)).toBe(before + 2000);
  expect(await compare(true)).toMatchObject({ differences: [] });
});

test("a payment that expired or failed here, or was superseded, is found, too", async () => {
  const before = await world.balanceOf(efua);
  const references = [];
  for (const state of ["expired", "failed"]) {
    const { reference } = await shop.paidTopUp(efua);
    await db.execute(sql`update payments set state = ${state}, poll_at = null where reference = ${reference}`);
    references.push(reference);
  }
  const { reference: old, paymentId } = await shop.topUp(efua);
  await db.execute(sql`update payments set authorization_url = null where reference = ${old}`);
  await shop.checkOut(efua, { paymentId });
  await paystack.pay(old);
  await compare(true);
  for (const reference of [...references, old]) expect((await shop.row(reference)).state).toBe("paid");
  expect(await world.balanceOf(efua)).toBe(before + 6000);
});

test("a payment for another business on the same account is reported, and credited to nobody", async () => {
  const response = await fetch(`${paystack.url}/transaction/initialize`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ email: "walkin@example.com", amount: 700, currency: "GHS", reference: "pos-1" }),
  });
  expect(response.status).toBe(200);
  await paystack.pay("pos-1");
  expect(await about("pos-1", true)).toMatchObject([{ kind: "not_ours", providerPesewas: 700 }]);
});

test("a payment of another amount is reported and not credited", async () => {
  const { reference } = await shop.paidTopUp(efua);
  paystack.steer(reference, { amount: 100, requestedAmount: 100 });
  expect(await about(reference, true)).toMatchObject([{ kind: "not_credited" }]);
  expect((await shop.row(reference)).state).toBe("review");
});

test("a credit that Paystack later lists with another amount, or as never paid, is reported", async () => {
  const { reference } = await shop.paidTopUp(efua);
  await shop.settle(reference);
  paystack.steer(reference, { amount: 100, requestedAmount: 100 });
  expect(await about(reference)).toMatchObject([{ kind: "other_amount", creditedPesewas: 2000 }]);
  paystack.steer(reference, { amount: 2000, requestedAmount: 2000, status: "failed" });
  expect(await about(reference)).toMatchObject([{ kind: "not_at_provider", creditedPesewas: 2000 }]);
  paystack.steer(reference, { status: "success" });
  expect(await about(reference)).toEqual([]);
});

test("a payment that was reversed at Paystack without an event is debited by a fix", async () => {
  const before = await world.balanceOf(efua);
  const { reference } = await shop.paidTopUp(efua);
  await shop.settle(reference);
  await paystack.dispute(reference, "resolve", "merchant-accepted");
  expect(await about(reference)).toMatchObject([{ kind: "not_reversed", creditedPesewas: 2000 }]);
  expect(await about(reference, true)).toEqual([]);
  expect((await shop.row(reference)).state).toBe("reversed");
  expect(await world.balanceOf(efua)).toBe(before);
});

/** A part that an admin refunds on Paystack's dashboard, without an event to us. */
async function refundQuietly(transaction: string, amount: number): Promise<void> {
  await fetch(`${paystack.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction, amount }),
  });
  await paystack.moveRefund(paystack.refunds().at(-1)!.id, "processed");
}

test("parts that were refunded at Paystack without an event are reported, and debited by a fix", async () => {
  const before = await world.balanceOf(efua);
  const { reference } = await shop.paidTopUp(efua);
  await shop.settle(reference);
  for (const amount of [500, 500]) await refundQuietly(reference, amount);
  expect(await about(reference)).toMatchObject([
    {
      kind: "not_reversed",
      message: "GH₵ 10.00 was refunded at Paystack, but not taken back here",
      creditedPesewas: 2000,
    },
  ]);
  for (const _ of times(2, (i) => i)) expect(await about(reference, true)).toEqual([]);
  expect([await world.balanceOf(efua), (await shop.row(reference)).state]).toEqual([before + 1000, "paid"]);
});

test("the refund of a lost chargeback is not debited a second time", async () => {
  const before = await world.balanceOf(efua);
  const { reference } = await shop.paidTopUp(efua);
  await shop.settle(reference);
  await paystack.dispute(reference, "resolve", "merchant-accepted");
  await paystack.deliver(reference, { event: "charge.dispute.resolve" });
  await shop.workOff();
  await paystack.deliverEvent("refund.processed", { transaction_reference: reference, status: "processed" });
  await shop.workOff();
  expect(await about(reference, true)).toEqual([]);
  expect(await world.balanceOf(efua)).toBe(before);
});

test("the totals contain the amount paid, also of a payment that waits for a decision", async () => {
  const sums = async () => (await compare(false)).providerPesewas;
  const before = await sums();
  const { reference } = await shop.paidTopUp(efua, 5000);
  paystack.steer(reference, { amount: 4000 });
  expect(await sums()).toBe(before + 4000);
  paystack.steer(reference, { amount: 5000 });
});

test.each<[string, Fault]>([
  ["answers 500", "http500"],
  ["answers with a page of HTML", "html502"],
  ["says that there were too many calls", "429"],
  ["breaks the connection", "dropBefore"],
])("when Paystack %s, half a list is no comparison", async (_, fault) => {
  paystack.fault("GET /transaction", fault);
  const { code, message } = await refusal(compare(true));
  expect(code).toBe("payment.gateway_down");
  expect(message).toContain("not everything was compared");
});

longTest("several pages of the list are read to the end, and the totals agree", async () => {
  const started = await Promise.all(times(120, () => shop.paidTopUp(efua, 1000)));
  const before = paystack.requests().length;
  const result = await compare(true);
  const pages = paystack
    .requests()
    .slice(before)
    .filter(({ route }) => route === "GET /transaction");
  expect(pages.length).toBe(2);
  const rows = await Promise.all(started.map(({ reference }) => shop.row(reference)));
  expect(rows.map(({ state }) => state)).toEqual(times(120, () => "paid"));
  expect(result.providerCount).toBeGreaterThanOrEqual(120);
});

longTest("reconciliation, checks, webhooks and returning browsers at once credit once", async () => {
  const before = await world.balanceOf(efua);
  const pages = await Promise.all(times(10, () => shop.paidTopUp(efua)));
  await Promise.all(pages.map(({ reference }) => paystack.deliver(reference, { copies: 2, parallel: true })));
  await Promise.all([
    compare(true),
    shop.poll(),
    shop.workOff(),
    compare(true),
    ...pages.map(({ reference }) => shop.settle(reference)),
  ]);
  expect(await world.balanceOf(efua)).toBe(before + 20_000);
});
