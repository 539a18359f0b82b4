// Buying: each purchase is paid once, and a wallet never pays more than its balance.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import {
  count,
  freshNumber,
  key,
  lineFor,
  outcome,
  refusal,
  tally,
  times,
  withSecondServer,
} from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const bundle = await world.product("MTN", "1GB", "3.90");

const buy = (person: Person, more: { key?: string; msisdn?: string; quantity?: number } = {}, on = db) =>
  orders.buy(on, {
    by: person.by(),
    key: more.key ? key(more.key) : null,
    line: lineFor(bundle, {
      ...(more.msisdn && { msisdn: more.msisdn }),
      ...(more.quantity && { quantity: more.quantity }),
    }),
  });
const ordersOf = (person: Person) => count(db, sql`from orders where user_id = ${person.id}`);
const chargesOf = (person: Person) => count(db, sql`from transfers where user_id = ${person.id} and reason = 'charge'`);
const jobsOf = (person: Person) =>
  count(db, sql`from jobs j join orders o on o.id = j.subject_id where o.user_id = ${person.id}`);

test("a purchase is an order, a charge, a job and a lower balance, in one commit", async () => {
  const ama = await world.person("ama", "GH₵ 10.00");
  const { answer, replayed } = await buy(ama, { msisdn: "+233 54 123 4567", quantity: 2 });
  expect(replayed).toBe(false);
  expect(answer.balancePesewas).toBe(220);
  expect(answer.order).toMatchObject({
    userId: ama.id,
    status: "PENDING",
    msisdn: "233541234567",
    quantity: 2,
    unitPricePesewas: 390,
    amountPesewas: 780,
    operator: "MTN",
    productName: "MTN 1GB",
    productSize: "1GB",
    paymentMethod: "wallet",
    refundedAt: null,
  });
  expect(answer.order.paidAt).toBeInstanceOf(Date);
  expect(await world.balanceOf(ama)).toBe(220);
  expect([await ordersOf(ama), await chargesOf(ama), await jobsOf(ama)]).toEqual([1, 1, 1]);
  const [stored] = await db.query.orders.findMany({ where: (o, { eq }) => eq(o.id, answer.order.id) });
  expect(stored).toEqual(answer.order);
});

test("of forty purchases at once, a wallet with money for ten pays for exactly ten", async () => {
  const efua = await world.person("efua", "GH₵ 41.00");
  const outcomes = await Promise.all(times(40, () => outcome(buy(efua))));
  expect(tally(outcomes)).toEqual({ done: 10, "wallet.insufficient_balance": 30 });
  expect(await world.balanceOf(efua)).toBe(200);
  expect([await ordersOf(efua), await chargesOf(efua), await jobsOf(efua)]).toEqual([10, 10, 10]);
});

test("the same holds when two servers sell from one wallet", async () => {
  const esi = await world.person("esi", "GH₵ 41.00");
  const outcomes = await withSecondServer(world, (other) =>
    Promise.all(times(40, (i) => outcome(buy(esi, {}, i % 2 ? other : db)))),
  );
  expect(tally(outcomes)).toEqual({ done: 10, "wallet.insufficient_balance": 30 });
  expect(await world.balanceOf(esi)).toBe(200);
  expect([await ordersOf(esi), await chargesOf(esi), await jobsOf(esi)]).toEqual([10, 10, 10]);
});

test("of simultaneous purchases, one that is too expensive does not prevent a cheaper one after it", async () => {
  const ama = await world.person("cheaper", "GH₵ 12.00");
  const outcomes = await Promise.all([2, 2, 1].map((quantity) => outcome(buy(ama, { quantity }))));
  expect(outcomes).toEqual(["done", "wallet.insufficient_balance", "done"]);
  expect([await world.balanceOf(ama), await ordersOf(ama), await chargesOf(ama)]).toEqual([30, 2, 2]);
});

test("buyers whose purchases are made by the same statement each pay their own", async () => {
  // Enough of them that some share a statement, however they are distributed over partitions.
  const buyers = await Promise.all(times(8, (i) => world.person(`own-${i}`, "GH₵ 20.00")));
  const quantityOf = (i: number) => 1 + (i % 6);
  const outcomes = await Promise.all(buyers.map((buyer, i) => outcome(buy(buyer, { quantity: quantityOf(i) }))));
  const balances = await Promise.all(buyers.map((buyer) => world.balanceOf(buyer)));
  for (const i of buyers.keys()) {
    const isAffordable = quantityOf(i) <= 5;
    const expected = isAffordable ? ["done", 2000 - 390 * quantityOf(i)] : ["wallet.insufficient_balance", 2000];
    expect([outcomes[i], balances[i]]).toEqual(expected);
  }
});

test("a refusal for insufficient balance gives the amounts required, available and missing", async () => {
  const kofi = await world.person("kofi", "GH₵ 2.10");
  const refused = await refusal(buy(kofi));
  expect(refused.code).toBe("wallet.insufficient_balance");
  expect(refused.message).toBe("Insufficient wallet balance");
  expect(refused.details).toEqual({ required: 3.9, balance: 2.1, held: 0, available: 2.1, missing: 1.8 });
});

describe("one key", () => {
  test("used forty times at once is one order, and forty equal answers, 39 of them marked as repeated", async () => {
    const person = await world.person("keyed", "GH₵ 100.00");
    const msisdn = freshNumber();
    const answers = await Promise.all(times(40, () => buy(person, { key: "forty", msisdn })));
    expect(answers.filter((a) => a.replayed)).toHaveLength(39);
    for (const { answer } of answers) expect(answer).toEqual(answers[0]!.answer);
    expect([await ordersOf(person), await chargesOf(person), await jobsOf(person)]).toEqual([1, 1, 1]);
    expect(await world.balanceOf(person)).toBe(10_000 - 390);
  });

  test("used at two servers at once is still one order", async () => {
    const person = await world.person("twoservers", "GH₵ 100.00");
    await withSecondServer(world, async (other) => {
      for (const round of times(5, (i) => `round-${i}`)) {
        const msisdn = freshNumber();
        const answers = await Promise.all(times(40, (i) => buy(person, { key: round, msisdn }, i % 2 ? other : db)));
        expect(answers.filter((a) => !a.replayed)).toHaveLength(1);
        for (const { answer } of answers) expect(answer).toEqual(answers[0]!.answer);
      }
    });
    expect([await ordersOf(person), await chargesOf(person), await jobsOf(person)]).toEqual([5, 5, 5]);
  });

  test("with other content is refused, whichever part differs, and also at the same moment", async () => {
    const person = await world.person("reuser", "GH₵ 100.00");
    const msisdn = freshNumber();
    await buy(person, { key: "first", msisdn });
    expect(await outcome(buy(person, { key: "first", msisdn, quantity: 2 }))).toBe("request.key_reused");
    expect(await outcome(buy(person, { key: "first" }))).toBe("request.key_reused");
    const both = await Promise.all(
      [1, 2].map((quantity) => outcome(buy(person, { key: "at-once", msisdn: freshNumber(), quantity }))),
    );
    expect(both.sort()).toEqual(["done", "request.key_reused"]);
    expect(await ordersOf(person)).toBe(2);
  });

  test("belongs to its buyer and its route: the same text elsewhere is another key", async () => {
    const [one, two] = [await world.person("owner1", "GH₵ 10.00"), await world.person("owner2", "GH₵ 10.00")];
    await buy(one, { key: "mine" });
    expect((await buy(two, { key: "mine" })).replayed).toBe(false);
    const elsewhere = { by: one.by(), key: key("mine", "POST /buy"), line: lineFor(bundle) };
    expect((await orders.buy(db, elsewhere)).replayed).toBe(false);
  });

  test("used for an unpaid order and for a purchase at the same moment makes one of them", async () => {
    const person = await world.person("eitheror", "GH₵ 100.00");
    for (const round of times(5, (i) => `either-${i}`)) {
      const line = lineFor(bundle);
      const outcomes = await Promise.all([
        outcome(unpaidOrders.create(db, { by: person.by(), key: key(round), line })),
        outcome(orders.buy(db, { by: person.by(), key: key(round), line })),
      ]);
      expect(outcomes.sort()).toEqual(["done", "request.key_reused"]);
    }
    expect(await ordersOf(person)).toBe(5);
  });

  test("returns the first answer even after the order failed, the price changed and the wallet is empty", async () => {
    const person = await world.person("later", "GH₵ 10.00");
    const product = await world.product("TELECEL", "2GB", "8.00");
    const ask = {
      by: person.by(),
      key: key("remember"),
      line: lineFor(product, { expectedPesewas: 800 }),
    };
    const first = await orders.buy(db, ask);
    await statusChanges.moveOne(db, {
      by: world.yaw.by(),
      key: null,
      orderId: first.answer.order.id,
      to: "FAILED",
      reason: "no network",
    });
    await db.execute(sql`update products set price_pesewas = 900 where id = ${product.id}`);
    await wallet.adjust(db, {
      by: world.yaw.by(),
      key: null,
      userId: person.id,
      amountPesewas: -1000,
      reason: "emptied",
    });
    const again = await orders.buy(db, ask);
    expect(again).toEqual({ answer: first.answer, replayed: true });
    expect(again.answer.order.status).toBe("PENDING");
    expect(again.answer.balancePesewas).toBe(200);
    expect(await ordersOf(person)).toBe(1);
  });

  test("whose purchase was refused can be used again after a top-up: a refusal stores nothing", async () => {
    const person = await world.person("topsup", "GH₵ 1.00");
    const msisdn = freshNumber();
    const tables = sql`from orders where user_id = ${person.id}`;
    expect(await outcome(buy(person, { key: "retry", msisdn }))).toBe("wallet.insufficient_balance");
    expect(await count(db, tables)).toBe(0);
    expect(await count(db, sql`from idempotency where user_id = ${person.id}`)).toBe(0);
    expect(await count(db, sql`from user_days where user_id = ${person.id}`)).toBe(0);
    await wallet.adjust(db, {
      by: world.yaw.by(),
      key: null,
      userId: person.id,
      amountPesewas: 300,
      reason: "top-up",
    });
    expect(await buy(person, { key: "retry", msisdn })).toMatchObject({
      replayed: false,
      answer: { balancePesewas: 10 },
    });
  });
});

test("an order keeps the price it was sold at, and a refund is what was paid", async () => {
  const person = await world.person("pricekeeper", "GH₵ 20.00");
  const product = await world.product("AIRTELTIGO", "5GB", "5.00");
  const ask = { by: person.by(), key: null, line: lineFor(product, { quantity: 3 }) };
  const { order } = (await orders.buy(db, ask)).answer;
  await db.execute(
    sql`update products set price_pesewas = 999, name = 'renamed', size = '9GB' where id = ${product.id}`,
  );
  const failed = await statusChanges.moveOne(db, {
    by: world.yaw.by(),
    key: null,
    orderId: order.id,
    to: "FAILED",
  });
  expect(failed.answer).toMatchObject({
    unitPricePesewas: 500,
    amountPesewas: 1500,
    productName: "AIRTELTIGO 5GB",
    productSize: "5GB",
  });
  expect(await world.balanceOf(person)).toBe(2000);
});
