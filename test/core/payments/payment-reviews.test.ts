// Payment reviews: an admin decides once, and afterwards our books and Paystack's list agree.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Steering } from "../../../dev/simulators/paystack/paystack.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import type * as payments from "../../../src/core/payments/payments.ts";
import * as reconciliation from "../../../src/core/payments/reconciliation.ts";
import * as reviews from "../../../src/core/payments/reviews.ts";
import type { PaymentDecision } from "../../../src/shared/domain.ts";
import { key, outcome, times } from "../../support/asking.ts";
import type { Person } from "../../support/world.ts";
import { openPaying, SECRET_KEY } from "./paying.ts";

const shop = await openPaying();
const { world, db, paystack, gateway } = shop;
const { yaw } = world;
const by = yaw.by("admin");

/** A payment of GH₵ 50.00 that differs at Paystack. */
async function reviewed(person: Person, steering: Steering = { amount: 4000 }): Promise<payments.Payment> {
  const { reference } = await shop.paidTopUp(person, 5000);
  paystack.steer(reference, steering);
  await shop.settle(reference);
  const payment = await shop.row(reference);
  expect(payment.state).toBe("review");
  return payment;
}

const decide = (paymentId: number, decision: PaymentDecision, more: { by?: typeof by; key?: string } = {}) =>
  reviews.decide(db, {
    by: more.by ?? by,
    key: more.key ? key(more.key, "decide") : null,
    paymentId,
    decision,
    reason: "The payer was called",
  });

const differencesOf = async (reference: string) => {
  const day = 86_400_000;
  const span = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
  const { differences } = await reconciliation.reconcile(db, gateway, { ...span, fix: false });
  return differences.filter((one) => one.reference === reference);
};

async function refundAtPaystack(transaction: string, amount: number): Promise<void> {
  const response = await fetch(`${paystack.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction, amount }),
  });
  expect(response.status).toBe(200);
  await paystack.moveRefund(paystack.refunds().at(-1)!.id, "processed");
}

let names = 0;
const somebody = () => world.person(`payer-${++names}`);

test("the reason of a review has its amounts in cedis, and the list offers a decision", async () => {
  const payment = await reviewed(await somebody());
  expect(payment.reason).toBe("Paystack says success: paid GH₵ 40.00 of GH₵ 50.00 in test; expected GH₵ 50.00 in test");
  expect(await differencesOf(payment.reference)).toMatchObject([
    {
      kind: "not_credited",
      message: "Paid at Paystack, but waiting for a decision here",
      providerPesewas: 4000,
    },
  ]);
});

describe("less was paid than requested", () => {
  test("the paid amount can be credited, and no more can be charged back", async () => {
    const person = await somebody();
    const { id, reference } = await reviewed(person);
    const { answer } = await decide(id, "credit_paid");
    expect(answer).toMatchObject({ creditedPesewas: 4000, lossPesewas: 0 });
    expect(await world.balanceOf(person)).toBe(4000);
    expect(await shop.row(reference)).toMatchObject({
      state: "paid",
      decision: "credit_paid",
      creditedPesewas: 4000,
    });
    expect(await differencesOf(reference)).toEqual([]);
    await paystack.dispute(reference, "resolve", "merchant-accepted");
    await shop.settle(reference);
    expect(await wallet.standing(db, person.id)).toMatchObject({ balancePesewas: 0, owedPesewas: 0 });
  });

  test("the requested amount can be credited, as a credit and a correction that names the loss", async () => {
    const person = await somebody();
    const { id, reference } = await reviewed(person);
    const { answer } = await decide(id, "credit_asked");
    expect(answer).toMatchObject({ creditedPesewas: 5000, lossPesewas: 1000 });
    const entries = await wallet.history(db, person.id, { limit: 5 });
    expect(entries.map(({ type, changePesewas }) => [type, changePesewas])).toEqual([
      ["ADJUST", 1000],
      ["TOPUP", 4000],
    ]);
    expect(entries[0]!.description).toContain(reference);
    expect(await differencesOf(reference)).toEqual([]);
  });

  test("a refund can be recorded, which credits nothing and agrees with the list after the refund", async () => {
    const person = await somebody();
    const { id, reference } = await reviewed(person);
    await decide(id, "refunded");
    expect([await world.balanceOf(person), (await shop.row(reference)).state]).toEqual([0, "closed"]);
    expect(await differencesOf(reference)).toMatchObject([{ kind: "not_refunded" }]);
    await refundAtPaystack(reference, 4000);
    await paystack.deliver(reference, { event: "refund.processed" });
    await shop.workOff();
    await shop.settle(reference);
    expect([await world.balanceOf(person), (await shop.row(reference)).state]).toEqual([0, "closed"]);
    expect(await differencesOf(reference)).toEqual([]);
  });
});

test("more was paid than requested: the paid amount can be credited, and nothing is lost", async () => {
  const person = await somebody();
  const { id, reference } = await reviewed(person, { amount: 9000, requestedAmount: 9000 });
  expect(await outcome(decide(id, "credit_asked"))).toBe("payment.choice_missing");
  await decide(id, "credit_paid");
  expect(await world.balanceOf(person)).toBe(9000);
  expect(await differencesOf(reference)).toEqual([]);
});

test.each([
  ["it is other money", { currency: "NGN" }],
  ["it went back before it was credited", { status: "reversed" }],
  ["it is of the other mode", { domain: "live" as const }],
])("nothing of it is ours, because %s: what was asked for would be the shop's loss", async (_, steering) => {
  const person = await somebody();
  const { id, reference } = await reviewed(person, steering);
  expect(await outcome(decide(id, "credit_paid"))).toBe("payment.choice_missing");
  const { answer } = await decide(id, "credit_asked");
  expect(answer).toMatchObject({ creditedPesewas: 5000, lossPesewas: 5000 });
  expect([await world.balanceOf(person), (await shop.row(reference)).state]).toEqual([5000, "closed"]);
  expect(await differencesOf(reference)).toEqual([]);
});

test("an order with a short payment is bought when the requested amount is credited, not the paid one", async () => {
  for (const [decision, status, balance] of [
    ["credit_asked", "PAID", 0],
    ["credit_paid", "PENDING", 300],
  ] as const) {
    const person = await somebody();
    const { order, page } = await shop.orderPage(person);
    await paystack.pay(page.reference);
    paystack.steer(page.reference, { amount: 300 });
    await shop.settle(page.reference);
    await decide((await shop.row(page.reference)).id, decision);
    expect([(await shop.orderNow(order.id)).status, await world.balanceOf(person)]).toEqual([status, balance]);
  }
});

describe("a decision", () => {
  test("is made once, by the first admin, and recorded with name and reason", async () => {
    const person = await somebody();
    const { id } = await reviewed(person);
    const other = await world.person("second-admin", undefined, ["ACCOUNTS"]);
    const outcomes = await Promise.all(
      times(6, (i) =>
        outcome(decide(id, i % 2 ? "credit_paid" : "credit_asked", { by: i % 2 ? other.by("admin") : by })),
      ),
    );
    expect(outcomes.toSorted()).toEqual(["done", ...times(5, () => "payment.not_in_review")]);
    const [trace] = await db.execute<{ action: string; after: { reason: string } }>(sql`
      select action, after from audit_log where subject_type = 'payment' and subject_id = ${String(id)}`);
    expect(trace!.action).toMatch(/^payment\.credit_/);
    expect(trace!.after.reason).toBe("The payer was called");
  });

  test("that is sent twice gets the same answer", async () => {
    const person = await somebody();
    const { id } = await reviewed(person);
    const first = await decide(id, "credit_paid", { key: "once" });
    expect(await decide(id, "credit_paid", { key: "once" })).toEqual({ ...first, replayed: true });
    expect(await world.balanceOf(person)).toBe(4000);
  });

  test("needs a reason, and an admin other than the payer", async () => {
    const { id } = await reviewed(await somebody());
    const own = await reviewed(yaw);
    const agent = await somebody();
    const silent = reviews.decide(db, { by, key: null, paymentId: id, decision: "refunded", reason: "  " });
    expect(await outcome(silent)).toBe("request.invalid");
    expect(await outcome(decide(id, "refunded", { by: agent.by() }))).toBe("auth.forbidden");
    expect(await outcome(decide(own.id, "credit_paid"))).toBe("auth.own_account");
    expect(await outcome(decide(987_654_321, "refunded"))).toBe("payment.not_found");
  });

  test("is final: later reports from Paystack change nothing", async () => {
    const person = await somebody();
    const { id, reference } = await reviewed(person);
    await decide(id, "refunded");
    paystack.steer(reference, { amount: 5000 });
    await shop.settle(reference);
    expect([await world.balanceOf(person), (await shop.row(reference)).state]).toEqual([0, "closed"]);
    paystack.steer(reference, { amount: 4000 });
  });
});

test("a payment to a deleted account waits for a decision, and can only be refunded", async () => {
  const person = await somebody();
  const { reference } = await shop.topUp(person, 5000);
  await users.remove(db, { by, userId: person.id });
  await paystack.pay(reference);
  await shop.settle(reference);
  const payment = await shop.row(reference);
  expect([payment.state, await world.balanceOf(person)]).toEqual(["review", 0]);
  expect(payment.reason).toContain("account was deleted");
  expect(await outcome(decide(payment.id, "credit_paid"))).toBe("user.closed");
  await refundAtPaystack(reference, 5000);
  expect(await outcome(decide(payment.id, "refunded"))).toBe("done");
});
