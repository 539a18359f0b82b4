// Limits on top-ups: how often a young account may pay in on a day, and the balance that none may pass. Payments for
// orders count as well. What arrives is credited all the same.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import { STANDARD_TIER_ID } from "../../../src/core/catalog/tiers.ts";
import * as freezes from "../../../src/core/identity/freezes.ts";
import * as spendingLimits from "../../../src/core/identity/spending-limits.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import { giveUp } from "../../../src/core/payments/giving-up.ts";
import * as prompts from "../../../src/core/payments/momo-prompts.ts";
import * as payments from "../../../src/core/payments/payments.ts";
import * as settlement from "../../../src/core/payments/settlement.ts";
import * as topUpLimits from "../../../src/core/payments/top-up-limits.ts";
import { count, key, lineFor, outcome, refusal, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import type { Person } from "../../support/world.ts";
import { openPaying, withoutBudgets } from "./paying.ts";

const paying = await openPaying();
const { world, db, paystack } = paying;
const admin = world.yaw.by("admin");

const limit = (bounds: Partial<spendingLimits.Bounds>) =>
  spendingLimits.setTier(db, {
    ...{ by: admin, tierId: STANDARD_TIER_ID },
    ...{ ...spendingLimits.NO_BOUNDS, ...bounds },
  });
const start = (person: Person, amountPesewas = 2000, on = db) =>
  payments.startTopUp(on, { by: person.by(), key: null, amountPesewas });
const prompt = (person: Person, subject: payments.Subject) =>
  payments.charge(db, paying.gateway, { by: person.by(), subject, network: "mtn", msisdn: "233551234987" });
const passMinutes = ({ id }: Person, minutes: number) =>
  db.execute(sql`
    update payments set created_at = created_at - make_interval(mins => ${minutes}) where user_id = ${id}`);
let people = 0;
const somebody = (balance?: string) => world.person(`payer${++people}`, balance);
const freeze = ({ id }: Person) =>
  freezes.freeze(db, { by: admin, userId: id, reason: "r", message: "We are checking", until: null });

beforeEach(async () => {
  await limit({});
});

test("a young account begins few top-ups a day, counting deposits; an older one as many as it likes", async () => {
  await limit({ youngDays: 14, youngTopUpsMax: 2 });
  const ama = await somebody();
  const { reference } = await paying.paidTopUp(ama);
  await paying.settle(reference);
  await deposits.file(db, { by: ama.by(), transactionId: "40125560001", amountPesewas: 5000 });
  const refused = await refusal(start(ama));
  expect(refused.code).toBe("payment.daily_limit");
  expect(refused.message).toBe(
    "A new account can top up 2 times a day. You can top up again after midnight. If you need more, ask support.",
  );
  // Money that was sent is reported whatever the limit.
  await deposits.file(db, { by: ama.by(), transactionId: "40125560002", amountPesewas: 5000 });
  await db.execute(sql`
    update payments set created_at = created_at - interval '1 day', paid_at = paid_at - interval '1 day'
    where user_id = ${ama.id}`);
  await db.execute(sql`update deposits set created_at = created_at - interval '1 day' where user_id = ${ama.id}`);
  await start(ama);
  await start(ama);
  expect(await outcome(start(ama))).toBe("payment.daily_limit");
  await db.execute(sql`update users set created_at = now() - interval '15 days' where id = ${ama.id}`);
  await start(ama);
});

test("an opened page counts until it cannot be paid any more, also given up or left alone", async () => {
  await limit({ youngDays: 14, youngTopUpsMax: 1 });
  const ama = await somebody();
  const { reference } = await paying.topUp(ama);
  await passMinutes(ama, 16);
  await giveUp(db, { by: ama.by() });
  const refused = await refusal(start(ama));
  expect([refused.code, refused.message]).toEqual([
    "payment.daily_limit",
    "A new account can top up once a day. A payment that you have begun counts until it is paid " +
      "or has failed, for a day at most. If you need more, ask support.",
  ]);
  // Paid after all: it is credited, and the day is over for top-ups.
  await paystack.pay(reference);
  await paying.settle(reference);
  expect(await world.balanceOf(ama)).toBe(2000);
  expect((await topUpLimits.left(db, ama.id)).topUpsLeft).toBe(0);
  const esi = await somebody();
  const page = await paying.topUp(esi);
  await settlement.markFailed(db, (await paying.row(page.reference)).id, "Declined");
  await paying.topUp(esi);
});

test("a page that nobody has asked about for its day is dead, and makes room", async () => {
  await limit({ youngDays: 14, youngTopUpsMax: 1 });
  const ama = await somebody();
  await paying.topUp(ama);
  for (let poll = 0; poll < settlement.POLL_AFTER_SECONDS.length; poll++) await paying.poll();
  await paying.topUp(ama);
});

test("payments begun long ago are asked about again when they are taken to the provider", async () => {
  await limit({ youngDays: 14, youngTopUpsMax: 1 });
  const eve = await somebody();
  await withoutBudgets(db, eve);
  const ids: number[] = [];
  for (let n = 0; n < 6; n++) {
    ids.push((await start(eve)).answer.id);
    await passMinutes(eve, 16);
  }
  // At once, as a page and as a prompt: one may be paid, and is opened again as often as its payer likes.
  const outcomes = await Promise.all(
    ids.map((paymentId, n) => outcome(n % 2 ? paying.checkOut(eve, { paymentId }) : prompt(eve, { paymentId }))),
  );
  expect(tally(outcomes)).toEqual({ done: 1, "payment.daily_limit": 5 });
  expect(await count(db, sql`from payments where user_id = ${eve.id} and state <> 'created'`)).toBe(1);
  const began = outcomes.indexOf("done");
  const again = { paymentId: ids[began]! };
  expect(await outcome(began % 2 ? paying.checkOut(eve, again) : prompt(eve, again))).toBe("done");
});

longTest("a payment for an order is a top-up: paid and cancelled, it brings no more than one", async () => {
  await limit({ youngDays: 14, youngTopUpsMax: 1 });
  const mallory = await somebody();
  const { order, page } = await paying.orderPage(mallory);
  const another = await paying.order(mallory);
  // Under way, it counts; the order's own page is given again.
  expect(await outcome(paying.checkOut(mallory, { orderId: another.id }))).toBe("payment.daily_limit");
  expect((await paying.checkOut(mallory, { orderId: order.id })).reference).toBe(page.reference);
  await paystack.pay(page.reference);
  await paying.settle(page.reference);
  await cancelling.cancel(db, { by: mallory.by(), key: null, orderId: order.id });
  expect(await world.balanceOf(mallory)).toBe(order.amountPesewas);
  expect((await topUpLimits.left(db, mallory.id)).topUpsLeft).toBe(0);
  const refused = await refusal(paying.checkOut(mallory, { orderId: another.id }));
  expect([refused.code, refused.message]).toEqual([
    "payment.daily_limit",
    "A new account can pay by card or mobile money once a day, top-ups included. " +
      "You can pay this order from your wallet. You can pay again after midnight. If you need more, ask support.",
  ]);
  const bundle = await world.product("MTN", "2GB", "3.90");
  const byUssd = {
    by: mallory.by(),
    key: key("momo"),
    line: lineFor(bundle),
    network: "mtn",
    serviceCode: "*1#",
  } as const;
  const prompted = prompts.requestForOrder(db, { ...byUssd, msisdn: "233241234567" });
  expect(await outcome(prompted)).toBe("payment.daily_limit");
  expect(await outcome(start(mallory))).toBe("payment.daily_limit");
  // No row is left of what was refused.
  expect(await count(db, sql`from payments where user_id = ${mallory.id}`)).toBe(1);
});

test("money that its owner can take back from orders counts towards the balance, however they were paid", async () => {
  const mallory = await somebody();
  const [first, second] = [await paying.orderPage(mallory), await paying.order(mallory)];
  await paystack.pay(first.page.reference);
  await paying.settle(first.page.reference);
  await limit({ balanceMaxPesewas: 700 });
  expect((await topUpLimits.left(db, mallory.id)).roomPesewas).toBe(700 - 390);
  const refused = await refusal(paying.checkOut(mallory, { orderId: second.id }));
  expect([refused.code, refused.message]).toEqual([
    "payment.balance_limit",
    "Your wallet can hold up to GH₵ 7.00, and this payment would come to it if the order were cancelled. " +
      "It has room for GH₵ 3.10 now. Pay this order from your wallet, or ask support.",
  ]);
  await cancelling.cancel(db, { by: mallory.by(), key: null, orderId: first.order.id });
  expect((await topUpLimits.left(db, mallory.id)).roomPesewas).toBe(700 - 390);
  // Bought from the wallet, it is still there to come back; sent, it is not.
  const bundle = await world.product("MTN", "3GB", "3.90");
  const { order } = (await orders.buy(db, { by: mallory.by(), key: null, line: lineFor(bundle) })).answer;
  expect((await topUpLimits.left(db, mallory.id)).roomPesewas).toBe(700 - 390);
  await statusChanges.move(db, { by: admin, key: null, ids: [order.id], to: "PROCESSING" });
  expect((await topUpLimits.left(db, mallory.id)).roomPesewas).toBe(700);
});

test("money for a page that was opened yesterday counts on the day on which it comes", async () => {
  await limit({ youngDays: 14, youngTopUpsMax: 1 });
  const ama = await somebody();
  const { reference } = await paying.paidTopUp(ama);
  await passMinutes(ama, 24 * 60);
  expect(await outcome(start(ama))).toBe("payment.daily_limit");
  await paying.settle(reference);
  expect(await outcome(start(ama))).toBe("payment.daily_limit");
  await db.execute(sql`update payments set paid_at = paid_at - interval '1 day' where user_id = ${ama.id}`);
  await start(ama);
});

test("no top-up begins that would pass the balance, with those under way; what arrives is credited", async () => {
  await limit({ balanceMaxPesewas: 10_000 });
  const ama = await somebody("GH₵ 70.00");
  const refused = await refusal(start(ama, 3001));
  expect(refused).toMatchObject({ code: "payment.balance_limit", details: { limit: 100, left: 30 } });
  expect(refused.message).toBe(
    "Your wallet can hold up to GH₵ 100.00. Top up at most GH₵ 30.00 now. If you need more, ask support.",
  );
  const { reference } = await paying.paidTopUp(ama, 3000);
  expect((await refusal(start(ama, 500))).details).toMatchObject({ left: 0 });
  await limit({ balanceMaxPesewas: 5000 });
  await paying.settle(reference);
  expect(await world.balanceOf(ama)).toBe(10_000);
  expect((await refusal(start(ama, 500))).message).toContain("It has no room for more now.");
});

longTest("two top-ups at once, at two servers, do not pass together what one may not", async () => {
  for (const bounds of [{ youngDays: 14, youngTopUpsMax: 3 }, { balanceMaxPesewas: 7000 }]) {
    await limit(bounds);
    const ama = await somebody();
    const outcomes = await withSecondServer(world, (other) =>
      Promise.all(times(20, (n) => outcome(start(ama, 2000, n % 2 ? db : other)))),
    );
    expect(tally(outcomes)).toEqual({
      done: 3,
      [bounds.balanceMaxPesewas ? "payment.balance_limit" : "payment.daily_limit"]: 17,
    });
  }
});

test("a payment for an order beyond a limit is refused before it begins; a paid one fills the wallet", async () => {
  const ama = await somebody();
  const { order, page } = await paying.orderPage(ama);
  await limit({ dayMaxPesewas: 100 });
  expect(await outcome(paying.checkOut(ama, { orderId: order.id }))).toBe("order.daily_limit");
  await paystack.pay(page.reference);
  await paying.settle(page.reference);
  expect(await world.balanceOf(ama)).toBe(order.amountPesewas);
  expect((await orderQueries.get(db, ama.by(), order.id)).paidAt).toBeNull();
  const [note] = await db.execute<{ note: string }>(
    sql`select note from order_events where order_id = ${order.id} order by id desc limit 1`,
  );
  expect(note!.note).toContain("it would pass a limit of the account. The money is in the wallet.");
});

test("a frozen account starts none, and what was paid for an order stays in its wallet", async () => {
  const ama = await somebody();
  const { order, page } = await paying.orderPage(ama);
  const begun = await paying.topUp(ama);
  await freeze(ama);
  expect([await outcome(start(ama)), await outcome(paying.checkOut(ama, { orderId: order.id }))]).toEqual([
    "account.frozen",
    "account.frozen",
  ]);
  for (const { reference } of [page, begun]) {
    await paystack.pay(reference);
    await paying.settle(reference);
  }
  expect(await world.balanceOf(ama)).toBe(order.amountPesewas + 2000);
  expect(await count(db, sql`from orders where id = ${order.id} and paid_at is null`)).toBe(1);
});
