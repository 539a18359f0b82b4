// Fees of payments: what Paystack kept is booked once, with the credit or later, as far as it is the shop's cost.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Steering } from "../../../dev/simulators/paystack/paystack.ts";
import { heldByPaystack } from "../../../src/core/ledger/accounts.ts";
import * as ledgerAudit from "../../../src/core/ledger/audit.ts";
import * as fees from "../../../src/core/ledger/fees.ts";
import { syncRefunds } from "../../../src/core/payments/refunds.ts";
import * as reviews from "../../../src/core/payments/reviews.ts";
import { settle } from "../../../src/core/payments/settlement.ts";
import { count, holdWallet, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { comparing, openPaying } from "./paying.ts";

const shop = await openPaying();
const { world, db, paystack } = shop;
const ama = await world.person("ama");

/** Paystack's fee on GH₵ 20.00, as the simulator calculates it. */
const FEE = 39;

/** The fee transfers of a payment: accounts, pesewas and wallet balance. */
async function feesOf(reference: string) {
  const rows = await db.execute(sql`
    select t.debit, t.credit, t.amount_pesewas::int as pesewas, t.balance_after_pesewas as balance
    from transfers t join payments p on p.id = t.subject_id and p.user_id = t.user_id
    where t.reason = 'payment_fee' and p.reference = ${reference}`);
  return rows.map((row) => ({ ...row }));
}
const booked = (pesewas: number) => [{ debit: "fees", credit: "paystack", pesewas, balance: null }];

async function paidWith(steering: Steering, amountPesewas = 2000): Promise<string> {
  const { reference } = await shop.paidTopUp(ama, amountPesewas);
  paystack.steer(reference, steering);
  return reference;
}

const { compare, differencesOf: differences } = comparing(shop);

test("a fee is booked with the credit, takes nothing from the wallet, and leaves what Paystack holds", async () => {
  const before = { wallet: await world.balanceOf(ama), held: await heldByPaystack(db) };
  const reference = await paidWith({});
  await shop.settle(reference);
  await shop.settle(reference);
  expect(await feesOf(reference)).toEqual(booked(FEE));
  expect(await shop.row(reference)).toMatchObject({ feesPesewas: FEE, feesByPayerPesewas: 0 });
  expect(await world.balanceOf(ama)).toBe(before.wallet + 2000);
  expect(await heldByPaystack(db)).toBe(before.held + 2000 - FEE);
});

test("the fee of an order's payment is booked with it", async () => {
  const { order, page } = await shop.orderPage(ama);
  await paystack.pay(page.reference);
  await shop.settle(page.reference);
  expect((await shop.orderNow(order.id)).status).toBe("PAID");
  expect(await feesOf(page.reference)).toEqual(booked(8));
});

const unbooked: [string, Steering, Partial<{ feesPesewas: number | null; feesByPayerPesewas: number }>][] = [
  ["nobody says what it is", { fees: null }, { feesPesewas: null, feesByPayerPesewas: 0 }],
  ["it is nothing", { fees: 0 }, { feesPesewas: 0, feesByPayerPesewas: 0 }],
  [
    "the payer bore it on top",
    { amount: 2040, requestedAmount: 2000, fees: 40 },
    { feesPesewas: 40, feesByPayerPesewas: 40 },
  ],
  ["it is more than was paid", { fees: 2001 }, { feesPesewas: null, feesByPayerPesewas: 0 }],
  ["it is below zero", { fees: -1 }, { feesPesewas: null, feesByPayerPesewas: 0 }],
];
longTest.each(unbooked)("the payment is credited and no fee is booked when %s", async (_, steering, row) => {
  const before = await world.balanceOf(ama);
  const reference = await paidWith(steering);
  expect((await shop.settle(reference))!.payment).toMatchObject({ state: "paid", ...row });
  expect(await world.balanceOf(ama)).toBe(before + 2000);
  expect(await feesOf(reference)).toEqual([]);
});

test("of a fee that the payer bore in part, the rest is booked", async () => {
  const reference = await paidWith({ amount: 2030, requestedAmount: 2000, fees: 40 });
  await shop.settle(reference);
  expect(await feesOf(reference)).toEqual(booked(10));
  expect(await shop.row(reference)).toMatchObject({ feesPesewas: 40, feesByPayerPesewas: 30 });
});

test("a fee that cannot be right is mailed to admins once, stays a difference, and is booked when right", async () => {
  const reference = await paidWith({ fees: 100_000 });
  for (const _ of times(2, (i) => i)) await shop.settle(reference);
  const mailed = sql`from messages where kind = 'fee_not_booked' and body like ${`%GHS 1000.00%${reference}%`}`;
  expect(await count(db, mailed)).toBe(1);
  expect(await differences(reference, true)).toMatchObject([
    {
      kind: "other_fee",
      message: "Paystack reports a fee of GH₵ 1,000.00, which cannot be right: it is not booked",
      providerPesewas: 100_000,
      creditedPesewas: 0,
    },
  ]);
  paystack.steer(reference, { fees: FEE });
  expect(await differences(reference, true)).toEqual([]);
  expect(await feesOf(reference)).toEqual(booked(FEE));
});

test("a fee that arrives after the credit is booked by the next webhook, once however often it repeats", async () => {
  paystack.steer("next", { fees: null });
  const { reference } = await shop.paidTopUp(ama);
  await shop.settle(reference);
  expect(await feesOf(reference)).toEqual([]);
  paystack.steer(reference, { fees: FEE });
  for (const _ of times(2, (i) => i)) {
    await paystack.deliver(reference, { copies: 3, parallel: true });
    await shop.workOff();
  }
  expect(await feesOf(reference)).toEqual(booked(FEE));
});

test("a fee that arrives after the credit is reported by a reconciliation, and booked by a fix", async () => {
  const reference = await paidWith({ fees: null });
  await shop.settle(reference);
  expect(await differences(reference)).toEqual([]);
  paystack.steer(reference, { fees: FEE });
  expect(await differences(reference)).toMatchObject([
    {
      kind: "fee_not_booked",
      message: "Paystack kept a fee of GH₵ 0.39, which is not booked here",
      providerPesewas: FEE,
      creditedPesewas: 0,
    },
  ]);
  expect(await feesOf(reference)).toEqual([]);
  const before = (await compare(false)).feesPesewas;
  for (const _ of times(2, (i) => i)) expect(await differences(reference, true)).toEqual([]);
  expect(await feesOf(reference)).toEqual(booked(FEE));
  expect((await compare(false)).feesPesewas).toBe(before + FEE);
});

test("a fee that Paystack changes later stays as it was booked, and is a difference", async () => {
  const reference = await paidWith({});
  await shop.settle(reference);
  paystack.steer(reference, { fees: 45 });
  expect(await differences(reference, true)).toMatchObject([
    {
      kind: "other_fee",
      message: "Paystack kept a fee of GH₵ 0.45, but GH₵ 0.39 is booked here",
      providerPesewas: 45,
      creditedPesewas: FEE,
    },
  ]);
  expect(await feesOf(reference)).toEqual(booked(FEE));
  expect((await shop.row(reference)).feesPesewas).toBe(FEE);
  paystack.steer(reference, { fees: FEE });
});

longTest.each([
  ["and is the shop's cost", { fees: FEE }, booked(FEE)],
  ["and the payer bore", { amount: 2000 + FEE, requestedAmount: 2000, fees: FEE }, []],
])("a fee that a server of the previous version noted without booking %s is put right by a fix", async (...given) => {
  const [, steering, expected] = given;
  const reference = await paidWith({ fees: null });
  await shop.settle(reference);
  await db.execute(sql`update payments set fees_pesewas = ${FEE} where reference = ${reference}`);
  const { findings } = await ledgerAudit.audit(db);
  expect(findings.map(({ rule }) => rule)).toContain("credited_payment_has_its_fee");
  paystack.steer(reference, steering);
  expect(await differences(reference, true)).toEqual([]);
  expect(await feesOf(reference)).toEqual(expected);
  expect((await ledgerAudit.audit(db)).findings).toEqual([]);
});

test("the fee of a payment in review is booked when an admin credits what was paid", async () => {
  const reference = await paidWith({ amount: 1500, requestedAmount: 1500, fees: 29 });
  const { payment } = (await shop.settle(reference))!;
  expect(payment).toMatchObject({ state: "review", feesPesewas: 29 });
  expect(await feesOf(reference)).toEqual([]);
  const by = world.yaw.by("admin");
  const decision = { by, key: null, paymentId: payment.id, reason: "The payer confirms it" };
  await reviews.decide(db, { ...decision, decision: "credit_paid" });
  expect(await feesOf(reference)).toEqual(booked(29));
});

test("a refunded payment leaves its fee booked, and a fee reported after the reversal is booked", async () => {
  const before = await heldByPaystack(db);
  const early = await paidWith({});
  const late = await paidWith({ fees: null });
  for (const reference of [early, late]) {
    await shop.settle(reference);
    await paystack.moveRefund(await shop.refundAtPaystack(reference, 2000), "processed");
    await syncRefunds(db, shop.gateway, reference);
    expect((await shop.row(reference)).state).toBe("reversed");
  }
  paystack.steer(late, { fees: FEE });
  expect(await differences(late)).toMatchObject([{ kind: "fee_not_booked" }]);
  expect(await differences(late, true)).toEqual([]);
  for (const reference of [early, late]) expect(await feesOf(reference)).toEqual(booked(FEE));
  expect(await heldByPaystack(db)).toBe(before - 2 * FEE);
});

longTest("sixteen settlements at once, at two servers, book a late fee once", async () => {
  const reference = await paidWith({ fees: null });
  await shop.settle(reference);
  paystack.steer(reference, { fees: FEE });
  const held = await holdWallet(db, ama.id);
  await withSecondServer(world, async (other) => {
    const settling = times(16, (i) => settle(i % 2 ? db : other, shop.gateway, reference));
    await held.waiting(12);
    await held.release();
    for (const settled of await Promise.all(settling)) expect(settled!.payment.feesPesewas).toBe(FEE);
  });
  expect(await feesOf(reference)).toEqual(booked(FEE));
});

longTest("the fees of a span are by the day of the credit, also those booked later", async () => {
  const days = ["2026-03-01", "2026-03-02", "2026-03-04"] as const;
  const [first, second, after] = [await paidWith({}), await paidWith({ fees: null }), await paidWith({})];
  for (const reference of [first, second, after]) await shop.settle(reference);
  const instants = ["2026-03-01T00:00:00Z", "2026-03-02T23:59:59.999Z", "2026-03-03T00:00:00Z"];
  for (const [i, reference] of [first, second, after].entries())
    await db.execute(sql`update payments set paid_at = ${instants[i]} where reference = ${reference}`);
  paystack.steer(second, { fees: 45 });
  await shop.settle(second);
  const span = (first: string, last: string) => fees.ofSpan(db, { first, last });
  expect(await span(days[0], days[1])).toEqual([
    { day: "2026-03-01", feesPesewas: FEE },
    { day: "2026-03-02", feesPesewas: 45 },
  ]);
  expect(await span(days[1], days[2])).toEqual([
    { day: "2026-03-02", feesPesewas: 45 },
    { day: "2026-03-03", feesPesewas: FEE },
  ]);
  expect(await span(days[2], days[2])).toEqual([]);
});
