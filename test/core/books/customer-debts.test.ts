// Customers' debts to an agent: marked on the agent's own sold orders, apart from the ledger, and limited in number.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as customerDebts from "../../../src/core/books/customer-debts.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as sellingPrices from "../../../src/core/catalog/selling-prices.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { today } from "../../../src/core/reports/sales-history.ts";
import { count, holdWallet, lineFor, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const [KWAME, ESI] = ["233241000001", "233241000002"];

let people = 0;
const agent = () => world.person(`seller${++people}`, "GH₵ 500.00");
const buy = async (person: Person, msisdn = KWAME) => {
  const ask = { by: person.by(), key: null, line: lineFor(bundle, { msisdn }), allowDuplicate: true };
  return (await orders.buy(db, ask)).answer.order.id;
};
const mark = (person: Person, orderId: number, amountPesewas?: number) =>
  customerDebts.mark(db, { by: person.by(), orderId, amountPesewas });
const setPaid = (person: Person, orderId: number, isPaid: boolean) =>
  customerDebts.setPaid(db, { by: person.by(), orderId, isPaid });
const fail = (orderId: number) => statusChanges.moveOne(db, { by: yaw.by("admin"), key: null, orderId, to: "FAILED" });
const owedTo = (person: Person) => customerDebts.owed(db, person.id);
const debtsOf = (person: Person) => count(db, sql`from customer_debts where user_id = ${person.id}`);

describe("a debt", () => {
  test("is the order's cost, or its selling price, or what the agent says, and moves no money", async () => {
    const ama = await agent();
    const [first, second] = [await buy(ama), await buy(ama)];
    expect((await mark(ama, first)).amountPesewas).toBe(390);
    await sellingPrices.save(db, { by: ama.by(), prices: new Map([[bundle.id, 500]]) });
    const priced = await buy(ama, ESI);
    expect((await mark(ama, priced)).amountPesewas).toBe(500);
    expect((await mark(ama, second, 450)).amountPesewas).toBe(450);
    expect((await mark(ama, second, 200)).amountPesewas).toBe(200);
    expect(await owedTo(ama)).toEqual([
      { msisdn: KWAME, amountPesewas: 590, orders: 2 },
      { msisdn: ESI, amountPesewas: 500, orders: 1 },
    ]);
    const day = { first: today(), last: today() };
    expect(await customerDebts.owedFor(db, ama.id, day)).toBe(1090);
    expect(await customerDebts.owedFor(db, ama.id, { first: "2026-01-01", last: "2026-01-31" })).toBe(0);
    expect(await world.balanceOf(ama)).toBe(50_000 - 3 * 390);
  });

  test("ends when it is paid, is back when that was a mistake, and can be forgotten", async () => {
    const ama = await agent();
    const id = await buy(ama);
    await mark(ama, id);
    const open = async () =>
      (await customerDebts.openOf(db, ama.id, KWAME, 10)).map(({ orderId, amountPesewas }) => [orderId, amountPesewas]);
    expect((await setPaid(ama, id, true)).paidAt).not.toBeNull();
    expect([await owedTo(ama), await open()]).toEqual([[], []]);
    await setPaid(ama, id, false);
    expect(await open()).toEqual([[id, 390]]);
    await customerDebts.forget(db, { by: ama.by(), orderId: id });
    expect([await open(), await debtsOf(ama)]).toEqual([[], 0]);
    expect(await outcome(setPaid(ama, id, true))).toBe("order.not_found");
  });

  test("is marked, paid and forgotten by nobody but the order's agent, admins included", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    const id = await buy(ama);
    for (const other of [kofi, yaw]) expect(await outcome(mark(other, id))).toBe("order.not_found");
    await mark(ama, id);
    for (const other of [kofi, yaw]) {
      expect(await outcome(setPaid(other, id, true))).toBe("order.not_found");
      await customerDebts.forget(db, { by: other.by(), orderId: id });
      expect(await customerDebts.ofOrders(db, other.id, [id])).toEqual(new Map());
      expect(await customerDebts.openOf(db, other.id, KWAME, 10)).toEqual([]);
    }
    expect((await customerDebts.ofOrders(db, ama.id, [id])).get(id)).toMatchObject({
      amountPesewas: 390,
      paidAt: null,
    });
  });

  test("is for what was sold: not for an unpaid order, nor one that was refunded before or after", async () => {
    const ama = await agent();
    const unpaid = await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(bundle) });
    expect(await outcome(mark(ama, unpaid.answer.id))).toBe("request.invalid");
    const [before, after] = [await buy(ama), await buy(ama)];
    await fail(before);
    expect(await outcome(mark(ama, before))).toBe("request.invalid");
    await mark(ama, after);
    await fail(after);
    expect(await owedTo(ama)).toEqual([]);
    expect(await customerDebts.openOf(db, ama.id, KWAME, 10)).toEqual([]);
  });

  test("is above zero and below what an amount may be", async () => {
    const ama = await agent();
    const id = await buy(ama);
    for (const amount of [0, -1, 1_000_000_001])
      expect([amount, await outcome(mark(ama, id, amount))]).toEqual([amount, "request.invalid"]);
    expect(await debtsOf(ama)).toBe(0);
  });

  test("that was paid is kept for some months, and all are deleted with the account", async () => {
    const ama = await agent();
    const ids = [await buy(ama), await buy(ama)];
    for (const id of ids) await mark(ama, id);
    await setPaid(ama, ids[0]!, true);
    await customerDebts.forgetPaid(db);
    expect(await debtsOf(ama)).toBe(2);
    const old = sql`now() - interval '91 days'`;
    await db.execute(sql`
      update customer_debts set created_at = ${old}, paid_at = case when paid_at is not null then ${old} end`);
    await customerDebts.forgetPaid(db);
    expect(await debtsOf(ama)).toBe(1);
    for (const id of ids)
      for (const to of ["PROCESSING", "COMPLETED"] as const)
        await statusChanges.moveOne(db, { by: yaw.by("admin"), key: null, orderId: id, to });
    await spendAll(ama);
    await users.remove(db, { by: yaw.by(), userId: ama.id });
    expect(await debtsOf(ama)).toBe(0);
  });
});

test("an account keeps at most 2,000 open debts; those of refunded orders make room, paid ones take none", async () => {
  const ama = await agent();
  const ids = [await buy(ama), await buy(ama), await buy(ama)];
  const refunded = await buy(ama);
  const kofi = await agent();
  const theirs = await buy(kofi);
  for (const [person, id] of [
    [ama, refunded],
    [kofi, theirs],
  ] as const) {
    await mark(person, id);
    await fail(id);
  }
  // Debts of orders from before, whose ids no test uses.
  await db.execute(sql`
    insert into customer_debts (order_id, user_id, msisdn, amount_pesewas)
    select -n, ${ama.id}, ${KWAME}, 100 from generate_series(1, 1998) n`);
  await withSecondServer(world, async (other) => {
    const marks = ids.map((orderId, i) => outcome(customerDebts.mark(i % 2 ? db : other, { by: ama.by(), orderId })));
    expect(tally(await Promise.all(marks))).toEqual({ done: 2, "request.invalid": 1 });
  });
  // Room is made among one's own.
  expect(await debtsOf(kofi)).toBe(1);
  await db.execute(sql`update customer_debts set paid_at = now() where order_id = -1`);
  const outcomes = await Promise.all(times(3, (i) => outcome(mark(ama, ids[i]!))));
  expect(outcomes).toEqual(["done", "done", "done"]);
  // A mistake is undone only where there is room.
  await setPaid(ama, ids[0]!, true);
  await db.execute(sql`update customer_debts set paid_at = null where order_id = -1`);
  expect(await outcome(setPaid(ama, ids[0]!, false))).toBe("request.invalid");
  await db.execute(sql`delete from customer_debts where order_id < 0`);
});

test("marks and undone payments of an account are counted one after the other", async () => {
  const ama = await agent();
  const [id, paid] = [await buy(ama), await buy(ama)];
  await mark(ama, paid);
  await setPaid(ama, paid, true);
  for (const act of [() => mark(ama, id), () => setPaid(ama, paid, false)]) {
    const wallet = await holdWallet(db, ama.id);
    const done = act().then(() => "did not wait");
    expect(await Promise.race([done, wallet.waiting(1).then(() => "waits")])).toBe("waits");
    await wallet.release();
    await done;
  }
});

longTest("of very many debts and orders, those are read that are still owed, each order by its id", async () => {
  const ama = await agent();
  const isOver = new Error("over");
  const trial = db.transaction(async (tx) => {
    await tx.execute(sql`
      with placed as (
        insert into orders (status, user_id, product_id, operator, product_name, product_size, unit_price_pesewas,
          quantity, amount_pesewas, msisdn, channel, payment_method, paid_at)
        select 'COMPLETED', case when n % 4 = 0 then ${ama.id} else 1000 + n % 50 end, ${bundle.id}, 'MTN', 'MTN 1GB',
          '1GB', 390, 1, 390, ${KWAME}, 'web', 'wallet', now()
        from generate_series(1, 30000) n
        returning id, user_id)
      insert into customer_debts (order_id, user_id, msisdn, amount_pesewas, paid_at)
      select id, user_id, ${KWAME}, 100, case when id % 5 > 0 then now() end from placed`);
    await tx.execute(sql`analyze customer_debts`);
    await tx.execute(sql`analyze orders`);
    const plan = await tx.execute(sql`
      explain (analyze, costs off, timing off) select sum(d.amount_pesewas) from ${customerDebts.openDebts(ama.id)}`);
    const lines = plan.map((row) => Object.values(row)[0] as string);
    expect(lines.filter((line) => / (on|using) orders/.test(line)).join()).toContain("orders_pkey");
    const debts = lines.find((line) => / Scan .*customer_debts/.test(line))!;
    expect(lines.join("\n")).toContain("customer_debts_user");
    expect(Number(/rows=(\d+)/.exec(debts)![1])).toBeLessThan(2_000);
    expect(lines.join("\n")).not.toMatch(/Seq Scan/);
    throw isOver;
  });
  await trial.catch((error) => {
    if (error !== isOver) throw error;
  });
});

async function spendAll(person: Person): Promise<void> {
  const balance = await world.balanceOf(person);
  const ask = { by: yaw.by("admin"), key: null, userId: person.id, reason: "closing" };
  await wallet.adjust(db, { ...ask, amountPesewas: -balance });
}
