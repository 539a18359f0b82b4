// Ordering first and paying later: an order that was created is paid once, by its owner, at its own amount.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import type { Order } from "../../../src/core/orders/order.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import type { ErrorCode } from "../../../src/shared/errors/app-error.ts";
import {
  count,
  freshNumber,
  holdWallet,
  key,
  lineFor,
  outcome,
  refusal,
  tally,
  times,
  withSecondServer,
} from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { pauseNetwork, pauseProduct } from "../../support/pausing.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");

async function created(person: Person, quantity = 1): Promise<Order> {
  const ask = { by: person.by(), key: null, line: lineFor(bundle, { quantity }) };
  return (await unpaidOrders.create(db, ask)).answer;
}
const spend = (
  person: Person,
  orderId: number,
  more: { key?: string; expectedPesewas?: number; note?: string } = {},
  on = db,
) =>
  unpaidOrders.spend(on, {
    by: person.by(),
    orderId,
    ...more,
    key: more.key ? key(more.key, "spend") : null,
  });
const chargesOf = (order: Order) => count(db, sql`from transfers where reason = 'charge' and subject_id = ${order.id}`);

test("an order that is created is unpaid and costs nothing; paying it charges it and queues it", async () => {
  const ama = await world.person("ama", "GH₵ 10.00");
  const order = await created(ama, 2);
  expect(order).toMatchObject({ status: "PENDING", paidAt: null, paymentMethod: null, amountPesewas: 780 });
  expect(await world.balanceOf(ama)).toBe(1000);
  expect(await count(db, sql`from jobs where subject_id = ${order.id}`)).toBe(0);

  const { answer } = await spend(ama, order.id, { expectedPesewas: 780, note: "MTN 1" });
  expect(answer.balancePesewas).toBe(220);
  expect(answer.order).toMatchObject({ status: "PENDING", paymentMethod: "wallet", note: "MTN 1" });
  expect(answer.order.paidAt).toBeInstanceOf(Date);
  expect(await world.balanceOf(ama)).toBe(220);
  expect([await chargesOf(order), await count(db, sql`from jobs where subject_id = ${order.id}`)]).toEqual([1, 1]);
});

longTest("forty payments of one order at once are one charge, also at two servers", async () => {
  const person = await world.person("fortypayer", "GH₵ 100.00");
  const order = await created(person);
  const outcomes = await withSecondServer(world, (other) =>
    Promise.all(times(40, (i) => outcome(spend(person, order.id, {}, i % 2 ? db : other)))),
  );
  expect(tally(outcomes)).toEqual({ done: 1, "order.already_paid": 39 });
  expect(await chargesOf(order)).toBe(1);
  expect(await world.balanceOf(person)).toBe(10_000 - 390);
});

test("forty payments under one key are one charge and forty equal answers", async () => {
  const person = await world.person("keypayer", "GH₵ 100.00");
  const order = await created(person);
  const answers = await Promise.all(times(40, () => spend(person, order.id, { key: "pay" })));
  expect(answers.filter((a) => !a.replayed)).toHaveLength(1);
  for (const { answer } of answers) expect(answer).toEqual(answers[0]!.answer);
  expect(await chargesOf(order)).toBe(1);
  const other = await created(person);
  expect(await outcome(spend(person, other.id, { key: "pay" }))).toBe("request.key_reused");
});

test("of two orders paid at once from a wallet for one, one is paid", async () => {
  const person = await world.person("onlyone", "GH₵ 4.00");
  const both = [await created(person), await created(person)];
  const outcomes = await Promise.all(both.map((order) => outcome(spend(person, order.id))));
  expect(tally(outcomes)).toEqual({ done: 1, "wallet.insufficient_balance": 1 });
  expect(await world.balanceOf(person)).toBe(10);
});

test("an amount that is not the order's is refused and charges nothing", async () => {
  const person = await world.person("wrongamount", "GH₵ 100.00");
  const order = await created(person);
  for (const expectedPesewas of [389, 391, 0, -390, 39_000]) {
    expect(await outcome(spend(person, order.id, { expectedPesewas }))).toBe("order.price_changed");
  }
  expect(await chargesOf(order)).toBe(0);
});

test("an order of a bundle that became cheaper is paid at the price it was ordered at", async () => {
  const person = await world.person("oldprice", "GH₵ 100.00");
  const product = await world.product("TELECEL", "1GB", "5.00");
  const ask = { by: person.by(), key: null, line: lineFor(product) };
  const { answer: order } = await unpaidOrders.create(db, ask);
  await db.execute(sql`update products set price_pesewas = 400 where id = ${product.id}`);
  expect((await spend(person, order.id, { expectedPesewas: 500 })).answer.balancePesewas).toBe(9500);
});

const GONE_BY: [string, ErrorCode, (productId: number) => Promise<unknown>][] = [
  [
    "dearer",
    "order.price_changed",
    (id) => products.edit(db, { by: yaw.by(), productId: id, pricePesewas: 900, confirmPrice: true }),
  ],
  ["off the shelf", "product.not_found", (id) => products.retire(db, { by: yaw.by(), productId: id })],
  ["paused", "product.paused", (id) => pauseProduct(db, { by: yaw.by(), productId: id, message: "Back at 6" })],
];
test.each(GONE_BY)(
  "an unpaid order whose bundle is %s by now is not paid, and says what to do",
  async (how, code, change) => {
    const person = await world.person(`late ${how}`.replaceAll(" ", "-"), "GH₵ 100.00");
    const product = await world.product("TELECEL", `${2 + GONE_BY.findIndex(([one]) => one === how)}GB`, "5.00");
    const { answer: order } = await unpaidOrders.create(db, {
      by: person.by(),
      key: null,
      line: lineFor(product),
    });
    await change(product.id);
    const refused = await refusal(spend(person, order.id));
    expect(refused.code).toBe(code);
    expect(refused.message).toMatch(/again|later|another/);
    expect([await chargesOf(order), await world.balanceOf(person)]).toEqual([0, 10_000]);
  },
);

test("an unpaid order of a paused network cannot be paid until its sales resume", async () => {
  const person = await world.person("waits-for-mtn", "GH₵ 100.00");
  const order = await created(person);
  await pauseNetwork(db, { by: yaw.by("admin"), operator: "MTN", message: "MTN is down" });
  expect(await outcome(spend(person, order.id))).toBe("product.paused");
  await pauseNetwork(db, { by: yaw.by("admin"), operator: "MTN", message: null });
  expect(await outcome(spend(person, order.id))).toBe("done");
});

test("somebody else's order gets the same answer as one that does not exist", async () => {
  const owner = await world.person("owner", "GH₵ 10.00");
  const thief = await world.person("thief", "GH₵ 10.00");
  const order = await created(owner);
  expect(await outcome(spend(thief, order.id))).toBe("order.not_found");
  expect(await outcome(spend(thief, 987_654_321))).toBe("order.not_found");
  // Not even an admin can pay another's order from a wallet.
  expect(await outcome(spend(yaw, order.id))).toBe("order.not_found");
  expect(await chargesOf(order)).toBe(0);
});

test("an order that was cancelled, failed or has expired can no longer be paid", async () => {
  const person = await world.person("toolate", "GH₵ 100.00");
  const [cancelled, failed, expired] = [await created(person), await created(person), await created(person)];
  await cancelling.cancel(db, { by: person.by(), key: null, orderId: cancelled.id });
  await statusChanges.moveOne(db, { by: yaw.by(), key: null, orderId: failed.id, to: "FAILED" });
  await db.execute(sql`update orders set created_at = now() - interval '25 hours' where id = ${expired.id}`);
  expect(await unpaidOrders.expire(db)).toBe(1);
  for (const order of [cancelled, failed, expired]) {
    expect(await outcome(spend(person, order.id))).toBe("order.not_payable");
  }
  expect(await world.balanceOf(person)).toBe(10_000);
});

test("an order refused for insufficient balance can be paid after a top-up, under the same key", async () => {
  const person = await world.person("topper", "GH₵ 1.00");
  const order = await created(person);
  expect(await outcome(spend(person, order.id, { key: "again" }))).toBe("wallet.insufficient_balance");
  const { adjust } = await import("../../../src/core/ledger/wallet.ts");
  await adjust(db, { by: yaw.by(), key: null, userId: person.id, amountPesewas: 300, reason: "top-up" });
  expect((await spend(person, order.id, { key: "again" })).answer.balancePesewas).toBe(10);
});

test("a repeated payment gets the first answer, whatever has happened to the order", async () => {
  const person = await world.person("repeater", "GH₵ 10.00");
  const order = await created(person);
  const first = await spend(person, order.id, { key: "first" });
  await statusChanges.moveOne(db, { by: yaw.by(), key: null, orderId: order.id, to: "FAILED" });
  expect(await spend(person, order.id, { key: "first" })).toEqual({ ...first, replayed: true });
});

test("a repeated creation under its key is the same order, forty times at once", async () => {
  const person = await world.person("creator");
  const line = { productId: bundle.id, msisdn: freshNumber(), quantity: 1 };
  const ask = { by: person.by(), key: key("create"), line };
  const answers = await Promise.all(times(40, () => unpaidOrders.create(db, ask)));
  expect(answers.filter((a) => !a.replayed)).toHaveLength(1);
  for (const { answer } of answers) expect(answer).toEqual(answers[0]!.answer);
  expect(await count(db, sql`from orders where user_id = ${person.id}`)).toBe(1);
});

test("two equal orders created at the same instant without a key are one, and one is a duplicate", async () => {
  const person = await world.person("twincreator");
  for (const _ of times(5, (i) => i)) {
    const ask = { by: person.by(), key: null, line: lineFor(bundle) };
    const outcomes = await Promise.all(times(4, () => outcome(unpaidOrders.create(db, ask))));
    expect(tally(outcomes)).toEqual({ done: 1, "order.duplicate": 3 });
  }
});

longTest(
  "an order that is created and one that is bought at the same instant are one, also at two servers",
  async () => {
    const person = await world.person("mixed", "GH₵ 100.00");
    await withSecondServer(world, async (other) => {
      for (const round of times(20, (i) => i)) {
        const ask = { by: person.by(), key: null, line: lineFor(bundle) };
        const [one, two] = round % 2 ? [db, other] : [other, db];
        const asks = [() => outcome(unpaidOrders.create(one, ask)), () => outcome(orders.buy(two, ask))];
        const outcomes = await Promise.all((round % 4 < 2 ? asks : asks.toReversed()).map((ask) => ask()));
        expect(tally(outcomes)).toEqual({ done: 1, "order.duplicate": 1 });
      }
    });
  },
);

test("a purchase that waited for the commit of an order sees that order", async () => {
  const person = await world.person("patient", "GH₵ 100.00");
  const ask = { by: person.by(), key: null, line: lineFor(bundle) };
  const held = await holdWallet(db, person.id);
  const creation = outcome(unpaidOrders.create(db, ask));
  await held.waiting(1);
  const purchase = outcome(orders.buy(db, ask));
  await held.waiting(2);
  await held.release();
  expect([await creation, await purchase].sort()).toEqual(["done", "order.duplicate"]);
});

test("a banned user can neither create an order nor pay an existing one", async () => {
  const person = await world.person("barred", "GH₵ 10.00");
  const order = await created(person);
  await users.ban(db, { by: yaw.by(), userId: person.id });
  expect(await outcome(spend(person, order.id))).toBe("auth.banned");
  expect(await outcome(unpaidOrders.create(db, { by: person.by(), key: null, line: lineFor(bundle) }))).toBe(
    "auth.banned",
  );
  expect(await world.balanceOf(person)).toBe(1000);
});

test("a paid order waits for the time of the setting before it is dispatched", async () => {
  const person = await world.person("waiter", "GH₵ 100.00");
  const secondsUntilDue = async (orderId: number) => {
    const [row] = await db.execute<{ seconds: number }>(
      sql`select extract(epoch from run_at - created_at)::float8 as seconds from jobs where subject_id = ${orderId}`,
    );
    return Math.round(row!.seconds);
  };
  const paidLater = async () => {
    const order = await created(person);
    await spend(person, order.id);
    return order.id;
  };
  const paidAtOnce = async () => {
    const ask = { by: person.by(), key: null, line: lineFor(bundle) };
    return (await orders.buy(db, ask)).answer.order.id;
  };
  for (const seconds of [0, 90, 45]) {
    await settings.change(db, { by: yaw.by(), values: { dispatch_hold_seconds: seconds } });
    expect(await secondsUntilDue(await paidLater())).toBe(seconds);
    expect(await secondsUntilDue(await paidAtOnce())).toBe(seconds);
  }
  await db.execute(sql`delete from settings`);
  // Without a setting, a purchase waits for the default time, as a payment does.
  expect(await secondsUntilDue(await paidLater())).toBe(45);
  expect(await secondsUntilDue(await paidAtOnce())).toBe(45);
});
