// The edges of the shop's profit: costs that come late or never, money that is given back, deleted tiers, payment fees
// and losses, one network, long tables, days without a worker, and two workers at once.
import { afterAll, describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { connect, type Db, disconnect, type Tx } from "../../../db/connect.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as tiers from "../../../src/core/catalog/tiers.ts";
import * as accountTiers from "../../../src/core/identity/account-tiers.ts";
import * as losses from "../../../src/core/orders/losses.ts";
import * as orderCosts from "../../../src/core/orders/order-costs.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as advisoryLocks from "../../../src/core/platform/advisory-locks.ts";
import * as profitDays from "../../../src/core/reports/profit-days.ts";
import { addDays, today } from "../../../src/core/reports/sales-history.ts";
import * as shopProfit from "../../../src/core/reports/shop-profit.ts";
import * as shopProfitBy from "../../../src/core/reports/shop-profit-by.ts";
import { lineFor } from "../../support/asking.ts";
import { deskTakes } from "../../support/costs.ts";
import { longTest } from "../../support/long.ts";
import { passDays, setCost } from "../../support/profit.ts";
import { openPaying } from "../payments/paying.ts";

const shop = await openPaying();
const { world, db } = shop;
const mtn = await world.product("MTN", "5GB", "20.00");
const telecel = await world.product("TELECEL", "2GB", "7.00");
const ama = await world.person("ama", "GH₵ 900.00");
const second = connect(world.url, { max: 2, statementTimeoutMs: 5_000 });
afterAll(() => disconnect(second));

const buy = async (product = mtn) =>
  (await orders.buy(db, { by: ama.by(), key: null, line: lineFor(product) })).answer.order.id;
const move = (orderId: number, to: "FAILED" | "COMPLETED") =>
  statusChanges.moveOne(db, { by: world.yaw.by("admin"), key: null, orderId, to });
const recount = async () => {
  await db.execute(sql`update profit_days_stale set counted_at = null`);
  await profitDays.countDue(db);
};
const span = { first: addDays(today(), -9), last: today() };
const total = async () => (await shopProfit.ofSpan(db, span)).total;
const by = (dimension: shopProfitBy.Dimension, choice = {}) => shopProfitBy.by(db, dimension, span, choice);

/** An attempt of the order that a vendor or the desk has, or has ended. */
async function attempt(orderId: number, state: "processing" | "delivered", vendor = "datamart") {
  const [row] = await db.execute<{ id: number }>(sql`
    insert into attempts (order_id, user_id, vendor, reference, state, sends, sent_at, ended_at)
    values (${orderId}, ${ama.id}, ${vendor}, ${`DF${orderId}T1`}, ${state}, 1, now(),
            ${state === "delivered" ? sql`now()` : null})
    returning id`);
  return row!.id;
}

/** What a test changes in the total. */
async function changes(run: () => Promise<unknown>) {
  await recount();
  const before = await total();
  await run();
  await recount();
  const now = await total();
  return {
    orders: now.orders - before.orders,
    amount: now.amountPesewas - before.amountPesewas,
    cost: now.costPesewas - before.costPesewas,
    uncosted: now.uncostedPesewas - before.uncostedPesewas,
    fees: now.feesPesewas! - before.feesPesewas!,
    losses: now.lossesPesewas! - before.lossesPesewas!,
    profit: now.profitPesewas - before.profitPesewas,
  };
}
const nothing = { orders: 0, amount: 0, cost: 0, uncosted: 0, fees: 0, losses: 0, profit: 0 };

describe("a cost", () => {
  longTest("that arrives after a refund is no cost of the day, and neither is the sale", async () => {
    const id = await buy();
    await setCost(db, id, 1900);
    await passDays(db);
    await recount();
    expect(await changes(() => move(id, "FAILED"))).toEqual({
      ...nothing,
      ...{ orders: -1, amount: -2000, cost: -1900, profit: -100 },
    });
    expect(await changes(() => setCost(db, id, 1950))).toEqual(nothing);
  });

  test("of a delivery after the refund is a loss, which gets its charge when that is known", async () => {
    const id = await buy();
    await passDays(db);
    await move(id, "FAILED");
    const attemptId = await attempt(id, "delivered");
    expect(await changes(() => db.transaction((tx) => losses.record(tx, [attemptId])))).toEqual(nothing);
    expect((await total()).uncostedLosses).toBe(1);
    const charged = await changes(() =>
      db.transaction(async (tx) => {
        await tx.execute(sql`update attempts set cost_pesewas = 1890 where id = ${attemptId}`);
        await losses.correctCosts(tx, [attemptId]);
      }),
    );
    expect(charged).toEqual({ ...nothing, losses: 1890, profit: -1890 });
    expect((await total()).uncostedLosses).toBe(0);
    // On the day on which it was found out, and not on that of the sale.
    const [day] = await by("day");
    expect([day!.key, day!.lossesPesewas]).toEqual([today(), 1890]);
  });

  test("is the estimate until the vendor's own is known, also days later", async () => {
    const id = await buy();
    await setCost(db, id, 1800);
    await move(id, "COMPLETED");
    await passDays(db, 2);
    await attempt(id, "delivered");
    const charged = await changes(async () => {
      await db.execute(sql`update attempts set cost_pesewas = 1925 where order_id = ${id}`);
      await db.transaction((tx) => orderCosts.settle(tx, [id]));
    });
    expect(charged).toEqual({ ...nothing, cost: 125, profit: -125 });
  });

  test("of a desk order is the desk's, and without one its sale has no profit", async () => {
    const sold = await changes(async () => {
      const id = await buy(telecel);
      await move(id, "COMPLETED");
      await attempt(id, "delivered", "desk");
    });
    expect(sold).toEqual({ ...nothing, orders: 1, amount: 700, uncosted: 700 });
    const desk = (await by("vendor")).find(({ key }) => key === "desk")!;
    expect([desk.name, desk.uncostedPesewas, desk.profitPesewas, desk.marginPercent]).toEqual([
      ...["The desk", 700, 0, null],
    ]);
    await deskTakes(db, telecel.id, 650);
    await buy(telecel);
    await recount();
    expect((await by("product")).find(({ key }) => key === String(telecel.id))).toMatchObject({
      ...{ costPesewas: 650, uncostedPesewas: 700, profitPesewas: 50 },
    });
  });
});

test("an order that is completed the next day stays on the day of its payment, with who delivered it", async () => {
  const id = await buy();
  await setCost(db, id, 1900);
  await passDays(db);
  await recount();
  const days = async () => (await by("day")).map(({ key, orders }) => [key, orders]);
  const before = await days();
  await move(id, "COMPLETED");
  await attempt(id, "delivered", "hubnet");
  expect((await shopProfit.ofSpan(db, span)).waitingDays).toBe(1);
  await recount();
  expect(await days()).toEqual(before);
  expect((await by("vendor")).find(({ key }) => key === "hubnet")).toMatchObject({
    orders: 1,
    name: "hubnet",
  });
});

test("a deleted tier keeps its profit, and its name says that it is deleted", async () => {
  const admin = world.yaw.by("admin");
  const { answer: gold } = await tiers.add(db, { by: admin, name: "Gold" });
  const id = await buy();
  await db.execute(sql`update orders set tier_id = ${gold.id} where id = ${id}`);
  await recount();
  const named = async () => (await by("tier")).map(({ key, name, orders }) => [key, name, orders]);
  expect(await named()).toContainEqual([String(gold.id), "Gold", 1]);
  await accountTiers.removeTier(db, { by: admin, tierId: gold.id, toTierId: 1, accounts: 0 });
  await recount();
  expect(await named()).toContainEqual([String(gold.id), "Gold (deleted)", 1]);
});

describe("payment fees and losses", () => {
  test("are taken off the profit of their day, and belong to no product, agent or network", async () => {
    const paid = await changes(async () => {
      const { reference } = await shop.paidTopUp(ama, 2000);
      await shop.settle(reference);
    });
    // Paystack's 1.95 % of GH₵ 20.00.
    expect(paid).toEqual({ ...nothing, fees: 39, profit: -39 });
    const { feesPesewas, lossesPesewas, profitPesewas } = await total();
    expect([feesPesewas! > 0, lossesPesewas! > 0]).toEqual([true, true]);
    for (const dimension of ["product", "operator", "vendor", "agent", "tier"] as const) {
      const sum = (await by(dimension)).reduce((all, row) => all + row.profitPesewas, 0);
      expect([dimension, sum]).toEqual([dimension, profitPesewas + feesPesewas! + lossesPesewas!]);
    }
  });

  test("are in no figure of one network, which has its own orders alone", async () => {
    const only = { operator: "TELECEL" } as const;
    const { total: ofOne } = await shopProfit.ofSpan(db, span, only);
    const plain = await db.execute<{ orders: number; profit: number }>(sql`
      select count(*)::int as orders, coalesce(sum(amount_pesewas - cost_pesewas), 0)::bigint as profit from orders
      where paid_at is not null and status <> 'FAILED' and operator = 'TELECEL'`);
    expect(ofOne).toMatchObject({
      ...{ orders: plain[0]!.orders, profitPesewas: plain[0]!.profit },
      ...{ feesPesewas: null, lossesPesewas: null },
    });
    expect(ofOne.orders).toBeGreaterThan(0);
    for (const dimension of shopProfitBy.DIMENSIONS) {
      const sum = (await by(dimension, only)).reduce((all, row) => all + row.orders, 0);
      expect([dimension, sum]).toEqual([dimension, ofOne.orders]);
    }
  });
});

test("from the 51st on the rows are one, and all of them add up to the total, in either order", async () => {
  const day = "2021-03-01";
  const then = { first: day, last: day };
  // Days that wait for being counted are not compared with orders.
  await db.execute(sql`insert into profit_days_stale (day) values (${day})`);
  await db.execute(sql`
    insert into profit_agent_days
      (day, user_id, operator, orders, amount_pesewas, cost_pesewas, uncosted_orders, uncosted_pesewas)
    select ${day}::date, 100000 + n, 'MTN', 2, 1000 + n, 3 * n, 1, 10 from generate_series(1, 60) n`);
  const sumOf = (rows: { profitPesewas: number }[]) => rows.reduce((sum, row) => sum + row.profitPesewas, 0);
  // The profit of n is 990 - 2n: the more sold, the less earned.
  const byProfit = await shopProfitBy.by(db, "agent", then);
  expect([byProfit.length, byProfit[0]!.key, byProfit.at(-1)!.name, byProfit.at(-1)!.orders]).toEqual([
    ...[51, "100001", "10 other agents", 20],
  ]);
  const bySales = await shopProfitBy.by(db, "agent", then, { sort: "sales", rowsMax: 3 });
  expect(bySales.map(({ key }) => key)).toEqual(["100060", "100059", "100058", null]);
  const all = 60 * 990 - 2 * ((60 * 61) / 2);
  expect([sumOf(byProfit), sumOf(bySales)]).toEqual([all, all]);
  // Counted at last, the day has no orders.
  await profitDays.countDue(db);
  expect(await shopProfitBy.by(db, "agent", then)).toEqual([]);
});

test("days are the newest first, and beyond the rows there are the rest is summed", async () => {
  const [newest, rest] = await by("day", { rowsMax: 1 });
  const all = await by("day");
  expect(newest).toEqual(all[0]);
  const sum = all.slice(1).reduce((pesewas, row) => pesewas + row.profitPesewas, 0);
  expect([rest!.key, rest!.profitPesewas]).toEqual([null, sum]);
});

test("days that began while no worker ran wait, and are counted by the next one", async () => {
  await recount();
  const before = await total();
  // The last worker ended three days ago, with everything counted.
  await passDays(db, 3);
  await db.execute(sql`delete from profit_days_stale where not is_open`);
  await db.execute(sql`update profit_days_stale set day = day - 3, counted_at = counted_at - interval '3 days'`);
  for (const table of ["profit_days", "profit_agent_days"])
    await db.execute(sql`update ${sql.identifier(table)} set day = day - 3`);
  expect((await shopProfit.ofSpan(db, span)).waitingDays).toBe(3);
  const id = await buy();
  await setCost(db, id, 1900);
  expect(await profitDays.countDue(db)).toBeGreaterThanOrEqual(4);
  const { waitingDays, countedAt, total: now } = await shopProfit.ofSpan(db, span);
  expect([waitingDays, countedAt! <= new Date()]).toEqual([0, true]);
  expect([now.orders, now.costPesewas]).toEqual([before.orders + 1, before.costPesewas + 1900]);
});

test("a day is counted by one worker at a time: what the other read before may be older", async () => {
  const id = await buy();
  await setCost(db, id, 1600);
  await db.execute(sql`update profit_days_stale set counted_at = null`);
  await db.transaction(async (tx) => {
    expect(await profitDays.countNext(tx as unknown as Db)).toBe(today());
    expect(await profitDays.countNext(second)).toBeNull();
  });
});

test("a change of settings that takes long does not hold up the count", async () => {
  await db.execute(sql`update profit_days_stale set counted_at = null`);
  await db.transaction(async (tx) => {
    await advisoryLocks.lock(tx, "settings");
    expect(await profitDays.countNext(second)).toBe(today());
  });
});

test("a change that is committed while its day is being read has the day counted once more", async () => {
  const id = await buy();
  await setCost(db, id, 1600);
  await passDays(db);
  await recount();
  await setCost(db, id, 1610);
  const whileReading = after("with sold as", () => setCost(second, id, 1620));
  expect(await profitDays.countNext(whileReading)).toBe(addDays(today(), -1));
  expect((await shopProfit.ofSpan(db, span)).waitingDays).toBe(1);
  expect(await changes(async () => undefined)).toEqual(nothing);
});

/** The database, where something happens right after each statement of a transaction with this text. */
function after(text: string, happens: () => Promise<void>): Db {
  const watch = (tx: Tx) =>
    new Proxy(tx, {
      get: (target, name) =>
        name === "execute"
          ? async (query: SQL) => {
              const rows = await target.execute(query);
              if (new PgDialect().sqlToQuery(query).sql.includes(text)) await happens();
              return rows;
            }
          : Reflect.get(target, name),
    });
  return { transaction: (run: (tx: Tx) => unknown) => db.transaction(async (tx) => run(watch(tx))) } as never;
}

test("two workers count at once, while costs change, and what they leave is the sum of the orders", async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => buy()));
  await passDays(db);
  const counting = async (worker: Db) => {
    for (let round = 0; round < 8; round++) await profitDays.countDue(worker);
  };
  const changing = async () => {
    for (let round = 0; round < 12; round++) await setCost(db, ids[round % 6]!, 1700 + round);
  };
  await Promise.all([counting(db), counting(second), changing()]);
  await profitDays.countDue(second);
  const [plain] = await db.execute<{ orders: number; cost: number }>(sql`
    select count(*)::int as orders, sum(cost_pesewas)::bigint as cost from orders
    where paid_at is not null and status <> 'FAILED' and paid_at < date_trunc('day', now())
      and paid_at >= ${span.first}::date`);
  const past = (await by("day")).filter(({ key }) => key !== today());
  const sum = (field: "orders" | "costPesewas") => past.reduce((all, row) => all + row[field], 0);
  expect([sum("orders"), sum("costPesewas")]).toEqual([plain!.orders, plain!.cost]);
});
