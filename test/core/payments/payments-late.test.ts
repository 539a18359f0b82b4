// Late payments, for orders that can no longer be bought: the money stays in the wallet, and the payer gets the reason.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as costs from "../../../src/core/catalog/costs.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import * as settlement from "../../../src/core/payments/settlement.ts";
import type { ErrorCode } from "../../../src/shared/errors/app-error.ts";
import { count, outcome, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { pauseNetwork } from "../../support/pausing.ts";
import { openPaying } from "./paying.ts";

const shop = await openPaying();
const { world, db, paystack } = shop;
const by = world.yaw.by("admin");
const [bundle] = await products.list(db, "MTN");

let names = 0;
/** An agent with a confirmed phone, and an order of theirs whose page at Paystack is open. */
async function paying() {
  const person = await world.person(`payer-${++names}`);
  await db.execute(sql`
    insert into phones (user_id, msisdn, proved_at) values (${person.id}, ${`23354100${1000 + names}`}, now())`);
  return { person, ...(await shop.orderPage(person)) };
}

async function paid(reference: string): Promise<void> {
  await paystack.pay(reference);
  await shop.settle(reference);
}

const deskTakes = (costPesewas: number) =>
  costs.set(db, {
    by,
    costs: [{ productId: bundle!.id, vendor: "desk", costPesewas }],
    vendors: [],
  });
const CHANGES: [string, string, ErrorCode, () => Promise<unknown>, () => Promise<unknown>][] = [
  [
    "its network is paused",
    "the bundle is paused",
    "product.paused",
    () => pauseNetwork(db, { by, operator: "MTN", message: "MTN is down" }),
    () => pauseNetwork(db, { by, operator: "MTN", message: null }),
  ],
  [
    "it is dearer",
    "the price has gone up",
    "order.price_changed",
    () => products.edit(db, { by, productId: bundle!.id, pricePesewas: 780, confirmPrice: true }),
    () => products.edit(db, { by, productId: bundle!.id, pricePesewas: 390, confirmPrice: true }),
  ],
  [
    "it costs more than its price",
    "the bundle is paused",
    "product.paused",
    () => deskTakes(391),
    () => deskTakes(300),
  ],
  [
    "it is off the shelf",
    "the bundle is no longer on sale",
    "product.not_found",
    () => db.execute(sql`update products set retired_at = now() where id = ${bundle!.id}`),
    () => db.execute(sql`update products set retired_at = null where id = ${bundle!.id}`),
  ],
];

longTest.each(CHANGES)("a bundle is not bought when meanwhile %s", async (_, reason, code, change, back) => {
  const { person, order, page } = await paying();
  await change();
  try {
    await paid(page.reference);
    expect([(await shop.orderNow(order.id)).status, await world.balanceOf(person)]).toEqual(["PENDING", 390]);
    const [event] = await db.execute<{ note: string }>(sql`
      select note from order_events where order_id = ${order.id} order by id desc limit 1`);
    expect(event!.note).toContain(reason);
    const [sms] = await db.execute<{ body: string }>(sql`
      select body from messages where user_id = ${person.id} order by id desc limit 1`);
    expect(sms!.body).toStartWith(
      `DataFie: order ${order.id} was not bought: ${reason}. Your GHS 3.90 is in your wallet`,
    );
    expect(sms!.body.length).toBeLessThanOrEqual(160);
    // No page is opened to pay for it either.
    expect(await outcome(shop.checkOut(person, { orderId: order.id }))).toBe(code);
  } finally {
    await back();
  }
});

longTest("a bundle that became cheaper is bought at the price that was paid", async () => {
  const { order, page } = await paying();
  await products.edit(db, { by, productId: bundle!.id, pricePesewas: 300 });
  await paid(page.reference);
  expect((await shop.orderNow(order.id)).status).toBe("PAID");
  await products.edit(db, { by, productId: bundle!.id, pricePesewas: 390, confirmPrice: true });
});

longTest("after a ban, payments on open pages stay in the wallet, and nothing is sent", async () => {
  const { person, order, page } = await paying();
  const more = await Promise.all(times(3, () => shop.orderPage(person)));
  await users.ban(db, { by, userId: person.id });
  const pages = [{ order, page }, ...more];
  for (const one of pages) await paid(one.page.reference);
  for (const one of pages) expect((await shop.orderNow(one.order.id)).paidAt).toBeNull();
  expect(await world.balanceOf(person)).toBe(4 * 390);
  const ids = pages.map((one) => one.order.id);
  expect(await count(db, sql`from jobs where kind = 'dispatch_order' and subject_id in ${ids}`)).toBe(0);
});

test("a payment whose worker died during the last check is checked again, and ends", async () => {
  const person = await world.person("forgotten");
  const { reference } = await shop.topUp(person);
  const last = settlement.POLL_AFTER_SECONDS.length;
  await db.execute(sql`update payments set polls = ${last - 1} where reference = ${reference}`);
  // The worker has planned the last check, makes it, and dies.
  const { promise: isCalled, resolve: called } = Promise.withResolvers<void>();
  const never = { ...shop.gateway, verify: () => called() ?? new Promise<never>(() => {}) };
  void shop.poll(never);
  await isCalled;
  await shop.poll();
  expect(await shop.row(reference)).toMatchObject({ state: "expired", pollAt: null });
});

test("a deposit of a deleted account is not approved, and can be refused", async () => {
  const person = await world.person("gone");
  const filed = await deposits.file(db, {
    by: person.by(),
    transactionId: "40125566123",
    amountPesewas: 5000,
  });
  await users.remove(db, { by, userId: person.id });
  expect(await outcome(deposits.approve(db, { by, key: null, depositId: filed.id }))).toBe("user.closed");
  const refusing = deposits.refuse(db, {
    by,
    key: null,
    depositId: filed.id,
    reason: "The account is deleted",
  });
  expect(await outcome(refusing)).toBe("done");
});
