// Limits on top-ups: how many a young account may begin in a day, and the balance that none may pass. What arrives is
// credited all the same.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { STANDARD_TIER_ID } from "../../../src/core/catalog/tiers.ts";
import * as freezes from "../../../src/core/identity/freezes.ts";
import * as spendingLimits from "../../../src/core/identity/spending-limits.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as deposits from "../../../src/core/payments/deposits.ts";
import { giveUp } from "../../../src/core/payments/giving-up.ts";
import * as payments from "../../../src/core/payments/payments.ts";
import * as topUpLimits from "../../../src/core/payments/top-up-limits.ts";
import { count, outcome, refusal, tally, times, withSecondServer } from "../../support/asking.ts";
import type { Person } from "../../support/world.ts";
import { openPaying } from "./paying.ts";

const paying = await openPaying();
const { world, db, paystack } = paying;
const admin = world.yaw.by("admin");

const limit = (bounds: Partial<spendingLimits.Bounds>) =>
  spendingLimits.setTier(db, {
    ...{ by: admin, tierId: STANDARD_TIER_ID },
    bounds: { ...spendingLimits.NO_BOUNDS, ...bounds },
  });
const start = (person: Person, amountPesewas = 2000, on = db) =>
  payments.startTopUp(on, { by: person.by(), key: null, amountPesewas });
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
  await db.execute(
    sql`update payments set created_at = created_at - interval '1 day' where user_id = ${ama.id}`,
  );
  await db.execute(
    sql`update claims set created_at = created_at - interval '1 day' where user_id = ${ama.id}`,
  );
  await start(ama);
  await start(ama);
  expect(await outcome(start(ama))).toBe("payment.daily_limit");
  await db.execute(sql`update users set created_at = now() - interval '15 days' where id = ${ama.id}`);
  await start(ama);
});

test("one that failed, was given up or was left alone makes room; one under way does not", async () => {
  await limit({ youngDays: 14, youngTopUpsMax: 1 });
  const ama = await somebody();
  await paying.topUp(ama);
  expect(await outcome(start(ama))).toBe("payment.daily_limit");
  await giveUp(db, { by: ama.by() });
  const { reference } = await paying.topUp(ama);
  await db.execute(
    sql`update payments set created_at = now() - interval '16 minutes' where reference = ${reference}`,
  );
  await start(ama);
  // Paid after all: it is credited, and the day is over for top-ups.
  await paystack.pay(reference);
  await paying.settle(reference);
  expect(await world.balanceOf(ama)).toBe(2000);
  expect((await topUpLimits.left(db, ama.id)).topUpsLeft).toBe(0);
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

test("two top-ups at once, at two servers, do not pass together what one may not", async () => {
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
