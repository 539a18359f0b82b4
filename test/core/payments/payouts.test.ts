// Paystack's payouts: each is booked once, when it succeeded, and with the fees of the payments the books say what
// Paystack holds, as its own balance does.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { heldByPaystack } from "../../../src/core/ledger/accounts.ts";
import * as payouts from "../../../src/core/payments/payouts.ts";
import { syncRefunds } from "../../../src/core/payments/refunds.ts";
import { AppError } from "../../../src/shared/errors/app-error.ts";
import { count, hold, outcome, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openPaying } from "./paying.ts";

const shop = await openPaying();
const { world, db, paystack, gateway } = shop;
const efua = await world.person("efua");
const acct = await world.person("abena", undefined, ["ACCOUNTS"]);

const paid = async () => {
  const { reference } = await shop.paidTopUp(efua);
  await shop.settle(reference);
  return reference;
};
const booked = () => count(db, sql`from transfers where reason = 'payout'`);
const sync = () => payouts.sync(db, gateway);
const newest = async () => (await payouts.list(db, { limit: 1 }))[0]!;
const check = async () => (await payouts.latestCheck(db, gateway.domain))!;

longTest("a payout that succeeded is booked once, with its payments, and the balance agrees", async () => {
  const references = [await paid(), await paid(), await paid()];
  await sync();
  expect(await booked()).toBe(0);
  expect(await check()).toMatchObject({ providerPesewas: 3 * 1961, booksPesewas: 3 * 1961 });
  paystack.settle();
  await Promise.all([sync(), sync(), sync()]);
  await sync();
  expect(await booked()).toBe(1);
  const payout = await newest();
  expect(payout).toMatchObject({
    ...{ amountPesewas: 5883, processedPesewas: 6000, feesPesewas: 117, status: "success" },
    ...{ payments: 3, unknown: 0, listedPesewas: 5883, isListed: true },
  });
  const [batch] = await Array.fromAsync(payouts.paymentsOf(db, payout.id));
  expect(batch!.map(({ reference }) => reference).sort()).toEqual(references.sort());
  expect(await heldByPaystack(db)).toBe(0);
  expect(await check()).toMatchObject({ providerPesewas: 0, booksPesewas: 0 });
});

test("one that is being paid out is booked when it has succeeded, and never when it failed", async () => {
  await paid();
  const id = paystack.settle("processing");
  const before = await booked();
  await sync();
  expect(await newest()).toMatchObject({ status: "processing", bookedAt: null });
  paystack.moveSettlement(id, "failed");
  await sync();
  expect(await booked()).toBe(before);
  paystack.moveSettlement(id, "success");
  await sync();
  expect(await booked()).toBe(before + 1);
});

test("one that several workers find at the same moment is booked once, and none of them fails", async () => {
  await paid();
  const id = String(paystack.settle("processing"));
  await sync();
  paystack.moveSettlement(Number(id), "success");
  await db.execute(sql`update payouts set status = 'success' where provider_id = ${id}`);
  const before = await booked();
  const row = await hold(db, sql`select from payouts where provider_id = ${id} for no key update`);
  // A round first stores what is listed, which waits for the row as well.
  const rounds = [sync(), sync()];
  await row.waiting(2);
  await row.release();
  await Promise.all(rounds);
  expect(await booked()).toBe(before + 1);
});

test("what Paystack keeps back for a refund is not at the bank, and the balance agrees", async () => {
  const reference = await paid();
  const refund = await shop.refundAtPaystack(reference, 500);
  await paystack.moveRefund(refund, "processed");
  await shop.workOff();
  await syncRefunds(db, gateway, reference);
  paystack.settle();
  await sync();
  expect(await newest()).toMatchObject({ amountPesewas: 1461, listedPesewas: 1961 });
  expect(await check()).toMatchObject({ providerPesewas: 0, booksPesewas: 0 });
});

test("a fault of any call leaves it to the next round, which completes it", async () => {
  await paid();
  paystack.settle();
  const before = await booked();
  paystack.fault("GET /settlement", "http500");
  expect(await outcome(sync())).toBe("payment.gateway_down");
  expect(await booked()).toBe(before);
  paystack.fault("GET /settlement/:id/transactions", "http500");
  expect(await outcome(sync())).toBe("payment.gateway_down");
  expect(await booked()).toBe(before + 1);
  expect((await newest()).isListed).toBe(false);
  await sync();
  expect(await newest()).toMatchObject({ isListed: true, payments: 1 });
  expect(await booked()).toBe(before + 1);
});

test("a payment that the shop does not know is in the payout, and in the difference", async () => {
  await fetch(`${paystack.url}/transaction/initialize`, {
    method: "POST",
    headers: { authorization: `Bearer ${paystack.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ email: "walkin@example.com", amount: 700, currency: "GHS", reference: "pos-1" }),
  });
  await paystack.pay("pos-1");
  await sync();
  const { providerPesewas, booksPesewas } = await check();
  expect(providerPesewas - booksPesewas).toBe(686);
  paystack.settle();
  await sync();
  expect(await newest()).toMatchObject({ payments: 1, unknown: 1 });
  await db.execute(sql`delete from balance_checks`);
});

longTest("more than a page of payouts is read to the end, and later rounds stop at what is known", async () => {
  for (const _ of times(120, (n) => n)) paystack.settle();
  await sync();
  expect(await count(db, sql`from payouts`)).toBe(paystack.settle() - 3_090_024);
  const from = paystack.requests().length;
  await sync();
  const pages = paystack
    .requests()
    .slice(from)
    .filter(({ path }) => path === "/settlement");
  expect(pages.length).toBeLessThanOrEqual(2);
});

test("a payout booked by hand is not booked again from the list", async () => {
  await paid();
  // The earlier payout of money that is not ours left the books below Paystack.
  const heldPesewas = await heldByPaystack(db);
  const by = acct.by("admin");
  const hand = { by, key: null, domain: gateway.domain, providerId: "77", amountPesewas: 100, heldPesewas };
  expect(await outcome(payouts.bookByHand(db, { ...hand, heldPesewas: 1 }))).toBe("payout.moved");
  expect(await outcome(payouts.bookByHand(db, { ...hand, amountPesewas: heldPesewas + 1 }))).toBe("payout.too_much");
  const undone = db.transaction(async (tx) => {
    const payout = { domain: gateway.domain, providerId: "78", amountPesewas: 100, heldPesewas };
    await payouts.bookByHand.within(tx, by, payout);
    throw new AppError("service.busy");
  });
  expect(await outcome(undone)).toBe("service.busy");
  const id = String(paystack.settle());
  const before = await booked();
  expect(await outcome(payouts.bookByHand(db, { ...hand, providerId: id }))).toBe("done");
  const again = { ...hand, providerId: id, heldPesewas: heldPesewas - 100 };
  expect(await outcome(payouts.bookByHand(db, again))).toBe("payout.known");
  await sync();
  expect(await booked()).toBe(before + 1);
  expect(await outcome(payouts.get(db, 999_999))).toBe("payout.not_found");
});
