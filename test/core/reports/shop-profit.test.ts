// The shop's profit by day: random sales, deliveries, refunds and late costs over several days, compared with a plain
// sum of the orders by every dimension; and what marks a day, is counted once, and survives a crash.
import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as ledgerAudit from "../../../src/core/ledger/audit.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as profitDays from "../../../src/core/reports/profit-days.ts";
import { addDays, today } from "../../../src/core/reports/sales-history.ts";
import * as shopProfit from "../../../src/core/reports/shop-profit.ts";
import * as shopProfitBy from "../../../src/core/reports/shop-profit-by.ts";
import { lineFor, randomFrom, seed } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import * as given from "../../support/profit.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundles = [
  await world.product("MTN", "1GB", "3.90"),
  await world.product("MTN", "5GB", "20.90"),
  await world.product("TELECEL", "2GB", "7.00"),
];
const [mtn] = bundles as [(typeof bundles)[number]];
const people = [await world.person("ama", "GH₵ 9,000.00"), await world.person("kofi", "GH₵ 9,000.00")];
const [ama] = people as [(typeof people)[number]];

const buy = async (person = ama, product = mtn, quantity = 1) =>
  (await orders.buy(db, { by: person.by(), key: null, line: lineFor(product, { quantity }) })).answer.order.id;
const move = (orderId: number, to: "FAILED" | "COMPLETED") =>
  statusChanges.moveOne(db, { by: yaw.by("admin"), key: null, orderId, to });
const setCost = (id: number, cost: number | null) => given.setCost(db, id, cost);
const passDay = () => given.passDays(db);

const marked = async () =>
  (
    await db.execute<{ day: string }>(
      sql`select distinct to_char(day, 'YYYY-MM-DD') as day from profit_days_stale where not is_open`,
    )
  ).map(({ day }) => day);
const span = { first: addDays(today(), -9), last: today() };
const totals = async () => (await shopProfit.ofSpan(db, span)).total;
const recount = async () => {
  await db.execute(sql`update profit_days_stale set counted_at = null`);
  return profitDays.countDue(db);
};

describe("the count of a day", () => {
  test("has what was sold, what it cost, and no profit of what has no known cost", async () => {
    const [first, second] = [await buy(ama, mtn, 2), await buy()];
    await setCost(first, 700);
    await recount();
    expect(await totals()).toMatchObject({
      ...{ orders: 2, amountPesewas: 1170, costPesewas: 700, uncostedOrders: 1, uncostedPesewas: 390 },
      ...{ profitPesewas: 80, marginPercent: 10.3, feesPesewas: 0, lossesPesewas: 0 },
    });
    await setCost(second, 400);
    await recount();
    expect(await totals()).toMatchObject({ profitPesewas: 70, uncostedOrders: 0 });
  });

  test("of today writes no mark, whatever changes", async () => {
    const id = await buy();
    await setCost(id, 300);
    await move(id, "FAILED");
    expect(await marked()).toEqual([]);
  });

  test("is made again when an earlier order is refunded, completed by the desk, or gets its cost", async () => {
    const [refunded, completed, costed] = [await buy(), await buy(), await buy()];
    await passDay();
    await recount();
    const yesterday = addDays(today(), -1);
    for (const change of [
      () => move(refunded, "FAILED"),
      () => setCost(costed, 377),
      () =>
        db.execute(sql`
          insert into attempts (order_id, user_id, vendor, reference, state, sends, sent_at)
          values (${completed}, ${ama.id}, 'desk', 'DF9999T1', 'processing', 1, now())`),
      () => db.execute(sql`update attempts set state = 'failed', ended_at = now() where reference = 'DF9999T1'`),
    ]) {
      expect(await marked()).toEqual([]);
      await change();
      expect(await marked()).toEqual([yesterday]);
      expect((await shopProfit.ofSpan(db, span)).waitingDays).toBe(1);
      await recount();
    }
    await move(completed, "COMPLETED");
    // Neither the status before nor the note of a sale is in the figures.
    expect(await marked()).toEqual([]);
  });

  test("keeps the mark when it is not committed, and is made by one worker", async () => {
    const id = await buy();
    await passDay();
    await recount();
    await setCost(id, 111);
    const crash = new Error("crash");
    const crashed = db.transaction(async (tx) => {
      await profitDays.countNext(tx as unknown as typeof db);
      throw crash;
    });
    await crashed.catch((error: unknown) => {
      if (error !== crash) throw error;
    });
    expect(await marked()).toEqual([addDays(today(), -1)]);
    const counted = await Promise.all([profitDays.countNext(db), profitDays.countNext(db)]);
    expect(counted.filter((day) => day !== null).length).toBeGreaterThanOrEqual(1);
    await recount();
    expect(await marked()).toEqual([]);
  });

  test("is not made wrong by a change while it is being made", async () => {
    const id = await buy();
    await passDay();
    await recount();
    await setCost(id, 200);
    await db.transaction(async (tx) => {
      expect(await profitDays.countNext(tx as unknown as typeof db)).toBe(addDays(today(), -1));
      // It waits for nothing, and its mark is not the one that was taken.
      await setCost(id, 250);
    });
    expect(await marked()).toEqual([addDays(today(), -1)]);
    await recount();
    expect((await ledgerAudit.audit(db)).findings).toEqual([]);
  });
});

longTest(`random sales, deliveries, refunds and late costs add up by every dimension, from seed ${seed}`, async () => {
  const draw = randomFrom(seed);
  const vendors = ["datamart", "hubnet", "desk"];
  const ids: number[] = [];
  for (let step = 0; step < 120; step++) {
    const [event, at] = [draw(12), ids[draw(Math.max(1, ids.length))]];
    if (event < 6 || at === undefined) ids.push(await buy(people[draw(2)], bundles[draw(bundles.length)], 1 + draw(3)));
    else if (event < 8) await setCost(at, draw(4) === 0 ? null : draw(2_000));
    else if (event === 8) await move(at, "FAILED").catch(() => undefined);
    else if (event === 9)
      await db.execute(sql`
        insert into attempts (order_id, user_id, vendor, reference, state, sends, sent_at)
        values (${at}, ${ama.id}, ${vendors[draw(3)]!}, ${`DF${at}T${step}`}, 'processing', 1, now())
        on conflict do nothing`);
    else if (event === 10) await db.execute(sql`update orders set tier_id = ${draw(3) || null} where id = ${at}`);
    else await passDay();
    if (draw(6) === 0) await recount();
    if (draw(40) === 0) {
      await recount();
      await compare();
    }
  }
  await recount();
  await compare();
});

/** Each dimension's key of an order, as the plain sum has it. */
const KEYS: Record<shopProfitBy.Dimension, SQL> = {
  day: sql`to_char(o.paid_at at time zone 'Africa/Accra', 'YYYY-MM-DD')`,
  product: sql`o.product_id::text`,
  operator: sql`o.operator`,
  vendor: sql`coalesce((select vendor from attempts a where a.order_id = o.id
    and a.state in ('queued', 'sending', 'unknown', 'accepted', 'processing', 'held', 'delivered')), '')`,
  agent: sql`o.user_id::text`,
  tier: sql`coalesce(o.tier_id, 1)::text`,
};

/** Compares every figure of every dimension, of all networks and of each, with the orders themselves. */
async function compare(): Promise<void> {
  for (const operator of [undefined, "MTN", "TELECEL"] as const) {
    for (const dimension of shopProfitBy.DIMENSIONS) {
      const plain = await db.execute<Record<string, unknown>>(sql`
        select ${KEYS[dimension]} as key, count(*)::int as orders, sum(amount_pesewas)::int as sales,
               coalesce(sum(cost_pesewas), 0)::int as cost,
               count(*) filter (where cost_pesewas is null)::int as uncosted,
               coalesce(sum(amount_pesewas - cost_pesewas), 0)::int as profit
        from orders o
        where paid_at is not null and status <> 'FAILED' and paid_at >= ${span.first}::date
          and ${operator ? sql`o.operator = ${operator}` : sql`true`}
        group by 1 order by 1`);
      const rows = (await shopProfitBy.by(db, dimension, span, { operator })).map((row) => ({
        ...{ key: row.key!, orders: row.orders, sales: row.amountPesewas, cost: row.costPesewas },
        ...{ uncosted: row.uncostedOrders, profit: row.profitPesewas },
      }));
      rows.sort((one, other) => (one.key < other.key ? -1 : 1));
      const sorted = [...plain].sort((one, other) => (String(one.key) < String(other.key) ? -1 : 1));
      expect([dimension, operator, rows]).toEqual([dimension, operator, sorted.map((row) => ({ ...row })) as never]);
      const { total } = await shopProfit.ofSpan(db, span, { operator });
      const sum = (field: "orders" | "profit" | "sales") => rows.reduce((all, row) => all + row[field], 0);
      expect([total.orders, total.amountPesewas, total.profitPesewas]).toEqual([
        ...[sum("orders"), sum("sales"), sum("profit")],
      ]);
    }
  }
}
