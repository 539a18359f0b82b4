// Tests of the reconciliation with Paystack: each kind of difference is named, and an incomplete list is not
// compared.
import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { payments } from "../../db/schema/payments.ts";
import { reconcile } from "../../src/core/payments/reconciliation.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { openTill } from "./paying.ts";

const { world, paystack, get, topUp, paidTopUp, verify } = await openTill();
const { db, yaw } = world;
const ama = await world.person("ama");
const gateway = createPaystack({ baseUrl: paystack.url, secretKey: paystack.secretKey });
const hour = (shift: number) => new Date(Date.now() + shift * 3_600_000).toISOString();
const compare = async (from = begin, to = hour(1)) => get(yaw, `/admin/reconciliation?from=${from}&to=${to}`);
const settled = async (amount: number) => {
  const { reference } = await paidTopUp(ama, amount);
  expect((await verify(ama, reference)).body.status).toBe("paid");
  return reference;
};
/** A Paystack account with another till: a payment that is not ours. */
const foreign = async (reference: string, amount: number) => {
  await fetch(`${paystack.url}/transaction/initialize`, {
    method: "POST",
    headers: { authorization: `Bearer ${paystack.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ email: "u1@example.com", amount, currency: "GHS", reference }),
  });
  await paystack.pay(reference);
};

// Each test compares its own payments, those since its start.
let begin = "";
beforeEach(() => {
  begin = new Date().toISOString();
});

test("books that agree are reported with the same counts and sums on both sides", async () => {
  await settled(20);
  await settled(7.5);
  await topUp(ama, 100);
  const { status, body } = await compare();
  expect([status, body]).toMatchObject([
    200,
    {
      provider: { count: 2, amount: 27.5 },
      credited: { count: 2, amount: 27.5 },
      fees: 0.54,
      differences: [],
    },
  ]);
});

test("a fee that the payer bore is no difference", async () => {
  const { reference } = await topUp(ama, 20);
  paystack.steer(reference, { amount: 2039 });
  await paystack.pay(reference);
  await verify(ama, reference);
  expect((await compare()).body).toMatchObject({ provider: { amount: 20 }, differences: [] });
});

test("a fee that is not booked is listed, and admins read what was kept of each payment", async () => {
  const { reference } = await topUp(ama, 20);
  paystack.steer(reference, { amount: 2010, requestedAmount: 2000, fees: null });
  await paystack.pay(reference);
  await verify(ama, reference);
  const inList = async () => {
    const { body } = await get(yaw, "/admin/payments?limit=1");
    return [body[0].reference, body[0].fees, body[0].feesByPayer];
  };
  expect(await inList()).toEqual([reference, null, 0]);
  paystack.steer(reference, { fees: 39 });
  expect((await compare()).body).toMatchObject({
    fees: 0,
    differences: [{ reference, kind: "fee_not_booked", provider: 0.29, credited: 0 }],
  });
  await verify(ama, reference);
  await reconcile(db, gateway, { from: new Date(begin), to: new Date(hour(1)), fix: true });
  expect((await compare()).body).toMatchObject({ fees: 0.29, differences: [] });
  expect(await inList()).toEqual([reference, 0.39, 0.1]);
});

test("a payment at Paystack that is not ours is listed", async () => {
  await foreign("from-the-dashboard", 500);
  expect((await compare()).body).toMatchObject({
    provider: { count: 1, amount: 5 },
    credited: { count: 0, amount: 0 },
    differences: [{ reference: "from-the-dashboard", kind: "not_ours", provider: 5, credited: null }],
  });
});

test("a payment that was paid and not credited is listed, which does not credit it", async () => {
  const before = await world.balanceOf(ama);
  const { reference } = await paidTopUp(ama, 20);
  for (let look = 0; look < 2; look++) {
    const { differences } = (await compare()).body;
    expect(differences).toMatchObject([{ reference, kind: "not_credited", provider: 20, credited: null }]);
    expect(differences[0].words).toBe("Paid at Paystack, but still waiting here");
  }
  expect(await world.balanceOf(ama)).toBe(before);
});

test("the worker's comparison credits what was paid and not credited, once", async () => {
  const before = await world.balanceOf(ama);
  await paidTopUp(ama, 20);
  const span = { from: new Date(begin), to: new Date(hour(1)), fix: true };
  const seen = await Promise.all(Array.from({ length: 5 }, () => reconcile(db, gateway, span)));
  for (const { differences } of seen) expect(differences).toEqual([]);
  expect(await world.balanceOf(ama)).toBe(before + 2000);
});

test("a payment in review stays a difference until somebody has decided it", async () => {
  const { reference } = await topUp(ama, 20);
  paystack.steer(reference, { requestedAmount: 1 });
  await paystack.pay(reference);
  const span = { from: new Date(begin), to: new Date(hour(1)), fix: true };
  const { differences } = await reconcile(db, gateway, span);
  expect(differences).toMatchObject([{ reference, kind: "not_credited" }]);
  expect(differences[0]!.message).toContain("waiting for a decision here");
});

test("a payment that was credited with another amount than at Paystack is listed", async () => {
  const reference = await settled(20);
  paystack.steer(reference, { requestedAmount: 1500, amount: 1500 });
  expect((await compare()).body.differences).toMatchObject([
    { reference, kind: "other_amount", provider: 15, credited: 20 },
  ]);
});

test("a payment that was credited but is not paid at Paystack is listed", async () => {
  const denied = await settled(30);
  paystack.steer(denied, { status: "failed" });
  const renamed = await settled(20);
  paystack.steer(renamed, { status: "failed" });
  const forgotten = "tp-that-paystack-never-saw";
  await db.update(payments).set({ reference: forgotten }).where(eq(payments.reference, renamed));
  const { body } = await compare();
  expect(body).toMatchObject({ provider: { count: 0 }, credited: { count: 2, amount: 50 } });
  expect(new Set(body.differences.map((row: { reference: string }) => row.reference))).toEqual(
    new Set([forgotten, denied]),
  );
  for (const row of body.differences) expect(row).toMatchObject({ kind: "not_at_provider", provider: null });
});

test("a payment that was refunded is no difference", async () => {
  const reference = await settled(20);
  await paystack.dispute(reference, "resolve", "merchant-accepted");
  await verify(ama, reference);
  expect((await compare()).body.differences).toEqual([]);
});

test("a payment that was started just before the period and paid in it is not missed", async () => {
  const reference = await settled(20);
  const early = new Date(Date.now() - 2 * 3_600_000);
  await db.update(payments).set({ createdAt: early }).where(eq(payments.reference, reference));
  expect((await compare()).body.differences).toEqual([]);
});

test("a list of many pages is read to its end", async () => {
  for (let i = 0; i < 205; i++) await foreign(`other-${i}`, 100);
  const { provider, differences } = (await compare()).body;
  expect(provider).toEqual({ count: 205, amount: 205 });
  expect(differences).toHaveLength(205);
  expect(new Set(differences.map((row: { reference: string }) => row.reference)).size).toBe(205);
});

test("nothing is compared when the list cannot be read completely", async () => {
  await settled(20);
  for (const fault of ["http500", "html502", "429", "emptyBody", "dropBefore"] as const) {
    paystack.fault("GET /transaction", fault);
    const { status, body } = await compare();
    expect([fault, status, body.code]).toEqual([fault, 503, "payment.gateway_down"]);
  }
  paystack.steer(await settled(20), { status: "abandoned" });
  paystack.fault("GET /transaction/verify/:reference", "http500");
  expect((await compare()).body.code).toBe("payment.gateway_down");
});

test("only admins may compare, for a valid period", async () => {
  const path = `/admin/reconciliation?from=${hour(-1)}&to=${hour(1)}`;
  expect((await get(ama, path)).body.code).toBe("auth.forbidden");
  expect((await get(null, path)).status).toBe(401);
  for (const query of ["", "?from=2026-11-20", "?from=yesterday&to=today"])
    expect((await get(yaw, `/admin/reconciliation${query}`)).status).toBe(422);
});
