// The daily closing against the wallet's statement and a plain sum of the orders, day by day, in the month of the
// demonstration shop and after random work.
import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../../db/connect.ts";
import { seedDemo } from "../../../dev/seed/demo.ts";
import { CLOSING_DAYS_MAX, closings, owedOn } from "../../../src/core/books/closing.ts";
import * as customerDebts from "../../../src/core/books/customer-debts.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as sellingPrices from "../../../src/core/catalog/selling-prices.ts";
import { TURNOVER_KINDS } from "../../../src/core/ledger/daily-turnover.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as profit from "../../../src/core/reports/profit.ts";
import { addDays, today } from "../../../src/core/reports/sales-history.ts";
import { lineFor, randomFrom, seed } from "../../support/asking.ts";
import { freshDatabase } from "../../support/database.ts";
import { openWorld, TEST_CARDS } from "../../support/world.ts";

const world = await openWorld();
const demo = await freshDatabase();
const demoDb = connect(demo.url, { max: 4 });
await seedDemo(demoDb, { cards: TEST_CARDS, log: () => {} });
afterAll(async () => {
  await disconnect(demoDb);
  await demo.drop();
});

const KIND_OF = {
  TOPUP: "topUps",
  SPEND: "orders",
  REFUND: "refunds",
  ADJUST: "corrections",
  REVERSAL: "reversals",
  PAYOUT: "corrections",
} as const;

/** What the statement of a day says in the words of a closing. */
async function byStatement(db: typeof demoDb, userId: number, day: string) {
  const from = new Date(day);
  const statement = await wallet.statement(db, userId, from, new Date(from.getTime() + 86_400_000));
  const sums = Object.fromEntries(TURNOVER_KINDS.map((kind) => [kind, { count: 0, pesewas: 0 }]));
  for (const { type, changePesewas } of statement.entries) {
    const part = sums[KIND_OF[type]]!;
    part.count += 1;
    part.pesewas += changePesewas;
  }
  const { openingPesewas, closingPesewas } = statement;
  return { day, openingPesewas, closingPesewas, ...sums };
}

/** A new account in the demonstration shop, in whose books a test may write what nobody could do, such as a future. */
async function bookkeeper(name: string): Promise<number> {
  const [user] = await demoDb.execute<{ id: number }>(sql`
    insert into users (username, email, password_hash) values (${name}, ${`${name}@example.com`}, '') returning id`);
  return user!.id;
}

const withoutProfit = ({ profit: _, ...turnover }: Awaited<ReturnType<typeof closings>>[number]) => turnover;

describe("in the demonstration shop", () => {
  test("every day of every agent equals the statement to the pesewa, and follows the day before", async () => {
    const last = addDays(today(), 1);
    const first = addDays(last, 1 - CLOSING_DAYS_MAX);
    const people = await demoDb.execute<{ id: number }>(sql`select user_id as id from wallets order by 1`);
    let movements = 0;
    for (const { id } of people) {
      const days = await closings(demoDb, id, { first, last });
      expect(days).toHaveLength(CLOSING_DAYS_MAX);
      for (const [i, day] of days.entries()) {
        expect(withoutProfit(day)).toEqual((await byStatement(demoDb, id, day.day)) as never);
        const inside = TURNOVER_KINDS.reduce((sum, kind) => sum + day[kind].pesewas, 0);
        expect(day.closingPesewas).toBe(day.openingPesewas + inside);
        if (i > 0) expect(day.openingPesewas).toBe(days[i - 1]!.closingPesewas);
        movements += TURNOVER_KINDS.reduce((sum, kind) => sum + day[kind].count, 0);
      }
      expect(days.at(-1)!.closingPesewas).toBe(await wallet.balance(demoDb, id));
    }
    expect(movements).toBeGreaterThan(200);
  });

  test("the profit of every day is that of its orders, one by one", async () => {
    const [ama] = await demoDb.execute<{ id: number }>(sql`select id from users where username = 'ama'`);
    const bundles = await products.list(demoDb);
    // A new price each week.
    for (const [i, { id, pricePesewas }] of bundles.entries())
      await demoDb.execute(sql`
        insert into selling_prices (user_id, product_id, since, price_pesewas)
        select ${ama!.id}, ${id}, now() - w * interval '7 days', ${pricePesewas} + 10 * w + ${i}
        from generate_series(1, 4) w`);
    const sold = await demoDb.execute<{ day: string; id: number }>(sql`
      select to_char(paid_at, 'YYYY-MM-DD') as day, id from orders
      where user_id = ${ama!.id} and paid_at is not null order by id`);
    const each = await profit.ofOrders(
      demoDb,
      ama!.id,
      sold.map(({ id }) => id),
    );
    expect(each.size).toBeGreaterThan(50);
    const last = today();
    const days = await closings(demoDb, ama!.id, { first: addDays(last, 1 - CLOSING_DAYS_MAX), last });
    for (const { day, profit } of days) {
      const own = sold.flatMap((order) => (order.day === day ? (each.get(order.id) ?? []) : []));
      expect([day, profit]).toEqual([
        day,
        { pesewas: own.reduce((sum, { profitPesewas }) => sum + profitPesewas, 0), pricedOrders: own.length },
      ]);
    }
  });
});

describe("a day is from midnight to midnight in Accra", () => {
  const [before, first, second, after] = [2, 3, 4, 5].map((ahead) => addDays(today(), ahead)) as [
    string,
    string,
    string,
    string,
  ];

  test("for the wallet, of which every kind of movement counts once and those past it do not", async () => {
    const [userId, other] = [await bookkeeper("midnight"), await bookkeeper("beside")];
    // Each with the balance after it; null for money that does not pass the wallet.
    const movements: [owner: number, at: string, from: string, to: string, amount: number, reason: string][] = [
      [userId, `${before}T23:59:59.999Z`, "paystack", "wallet", 10_000, "topup"],
      [other, `${before}T23:59:59.999Z`, "paystack", "wallet", 77_000, "topup"],
      [userId, `${first}T00:00:00.000Z`, "wallet", "sales", 390, "charge"],
      [userId, `${first}T09:00:00.000Z`, "cash", "wallet", 2_000, "claim"],
      [userId, `${first}T09:00:01.000Z`, "cash", "sales", 5_000, "cash_sale"],
      [userId, `${first}T10:00:00.000Z`, "wallet", "paystack", 700, "reversal"],
      [userId, `${first}T10:00:01.000Z`, "receivables", "paystack", 900, "debt"],
      [userId, `${first}T10:00:02.000Z`, "wallet", "receivables", 900, "debt_paid"],
      [userId, `${first}T23:59:59.999Z`, "sales", "wallet", 390, "refund"],
      [userId, `${second}T00:00:00.000Z`, "adjustments", "wallet", 50, "adjustment"],
    ];
    const balances = new Map<number, number>();
    for (const [i, [owner, at, from, to, amount, reason]] of movements.entries()) {
      const change = to === "wallet" ? amount : from === "wallet" ? -amount : 0;
      balances.set(owner, (balances.get(owner) ?? 0) + change);
      await demoDb.execute(sql`
        insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas,
          created_at)
        values (${owner}, ${from}, ${to}, ${amount}, ${reason}, ${9_000_000 + i},
          ${change === 0 ? null : balances.get(owner)!}, ${at}::timestamptz)`);
    }
    const nothing = { count: 0, pesewas: 0 };
    const days = await closings(demoDb, userId, { first, last: second });
    expect(days.map(withoutProfit)).toEqual([
      {
        day: first,
        openingPesewas: 10_000,
        closingPesewas: 10_400,
        topUps: { count: 1, pesewas: 2_000 },
        orders: { count: 1, pesewas: -390 },
        refunds: { count: 1, pesewas: 390 },
        corrections: nothing,
        reversals: { count: 2, pesewas: -1_600 },
      },
      {
        ...{ day: second, openingPesewas: 10_400, closingPesewas: 10_450 },
        ...{ topUps: nothing, orders: nothing, refunds: nothing, reversals: nothing },
        corrections: { count: 1, pesewas: 50 },
      },
    ]);
    for (const day of [before, first, second, after]) {
      const [alone] = await closings(demoDb, userId, { first: day, last: day });
      expect(withoutProfit(alone!)).toEqual((await byStatement(demoDb, userId, day)) as never);
    }
  });

  test("for profit and debts: the day of an order's payment, also when it was placed on the day before", async () => {
    const userId = await bookkeeper("midnight2");
    const [bundle] = await products.list(demoDb);
    await demoDb.execute(sql`
      insert into selling_prices (user_id, product_id, since, price_pesewas)
      values (${userId}, ${bundle!.id}, now(), 500)`);
    // Ids grow with the time of placing, as everywhere. The quantity says which order it is.
    const sold: [quantity: number, placed: string, paid: string, status: string][] = [
      [1, `${before}T00:30:00Z`, `${first}T00:00:00.000Z`, "COMPLETED"],
      [32, `${before}T22:00:00Z`, `${before}T23:59:59.999Z`, "COMPLETED"],
      [2, `${first}T12:00:00Z`, `${first}T23:59:59.999Z`, "COMPLETED"],
      [4, `${first}T23:59:00Z`, `${second}T00:00:00.000Z`, "COMPLETED"],
      [64, `${second}T12:00:00Z`, `${second}T12:00:00.000Z`, "FAILED"],
      [8, `${second}T23:30:00Z`, `${second}T23:59:59.999Z`, "COMPLETED"],
      [16, `${second}T23:59:00Z`, `${after}T00:00:00.000Z`, "COMPLETED"],
    ];
    for (const [quantity, placed, paid, status] of sold)
      await demoDb.execute(sql`
        with placed as (
          insert into orders (status, user_id, product_id, operator, product_name, product_size, unit_price_pesewas,
            quantity, amount_pesewas, msisdn, channel, payment_method, paid_at, refunded_at, created_at)
          values (${status}, ${userId}, ${bundle!.id}, 'MTN', 'MTN 1GB', '1GB', 400, ${quantity}, ${400 * quantity},
            '233241000009', 'web', 'wallet', ${paid}::timestamptz,
            ${status === "FAILED" ? paid : null}::timestamptz, ${placed}::timestamptz)
          returning id)
        insert into customer_debts (order_id, user_id, msisdn, amount_pesewas)
        select id, ${userId}, '233241000009', ${quantity} from placed`);
    const sums = (quantity: number, pricedOrders: number) => ({
      profitPesewas: 100 * quantity,
      pricedOrders,
    });
    const expected = {
      [before]: sums(32, 1),
      [first]: sums(3, 2),
      [second]: sums(12, 2),
      [after]: sums(16, 1),
    };
    expect(await profit.ofSpan(demoDb, userId, { first, last: second })).toEqual({
      days: [first, second].map((day) => ({ day, ...expected[day]! })),
      ...sums(15, 4),
    });
    for (const [day, sum] of Object.entries(expected)) {
      expect(await profit.ofSpan(demoDb, userId, { first: day, last: day })).toMatchObject(sum);
      const ofDayPesewas = sum.profitPesewas / 100;
      expect(await owedOn(demoDb, userId, day)).toEqual({ ofDayPesewas, allPesewas: 63 });
    }
  });
});

test(`random work of a day ends with its sums, from seed ${seed}`, async () => {
  const { db, yaw } = world;
  const draw = randomFrom(seed);
  const bundle = await world.product("MTN", "1GB", "3.90");
  const ama = await world.person("ama", "GH₵ 50.00");
  await sellingPrices.save(db, { by: ama.by(), prices: new Map([[bundle.id, 500]]) });
  const open: number[] = [];
  for (let step = 0; step < 60; step++) {
    const event = draw(6);
    const amountPesewas = (draw(2) === 0 ? 1 : -1) * (1 + draw(200));
    if (event === 0)
      await wallet
        .adjust(db, { by: yaw.by("admin"), key: null, userId: ama.id, amountPesewas, reason: "a correction" })
        .catch(() => {});
    else if (event === 1 && open.length > 0) {
      const [orderId] = open.splice(draw(open.length), 1);
      await statusChanges.moveOne(db, { by: yaw.by("admin"), key: null, orderId: orderId!, to: "FAILED" });
    } else {
      const line = lineFor(bundle, { quantity: 1 + draw(2) });
      const bought = await orders.buy(db, { by: ama.by(), key: null, line }).catch(() => null);
      if (bought) open.push(bought.answer.order.id);
    }
  }
  const [before, day, after] = await closings(db, ama.id, {
    first: addDays(today(), -1),
    last: addDays(today(), 1),
  });
  expect(withoutProfit(day!)).toEqual((await byStatement(db, ama.id, today())) as never);
  expect(day!.closingPesewas).toBe(await wallet.balance(db, ama.id));
  expect([before!.closingPesewas, after!.openingPesewas]).toEqual([0, day!.closingPesewas]);
  expect(day!.profit!.pricedOrders).toBe(open.length);
});

test("an agent without a movement has days of nothing, and a long span ends with its last days", async () => {
  const { db } = world;
  const kofi = await world.person("kofi");
  const days = await closings(db, kofi.id, { first: "2020-01-01", last: today() });
  expect([days.length, days.at(-1)!.day]).toEqual([CLOSING_DAYS_MAX, today()]);
  expect(days[0]).toMatchObject({ openingPesewas: 0, closingPesewas: 0, profit: null });
});

test("what is owed belongs to the day on which the order was paid", async () => {
  const { db } = world;
  const bundle = await world.product("TELECEL", "2GB", "7.00");
  const esi = await world.person("esi", "GH₵ 50.00");
  const { order } = (await orders.buy(db, { by: esi.by(), key: null, line: lineFor(bundle) })).answer;
  await customerDebts.mark(db, { by: esi.by(), orderId: order.id });
  expect(await owedOn(db, esi.id, today())).toEqual({ ofDayPesewas: 700, allPesewas: 700 });
  expect(await owedOn(db, esi.id, addDays(today(), -1))).toEqual({ ofDayPesewas: 0, allPesewas: 700 });
});
