// Extras of an agent's list: the number of unfinished orders, and the changes since it was shown.
import { expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as ownList from "../../../src/core/orders/own-list.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { lineFor, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const oneGb = await world.product("MTN", "1GB", "3.90");
const buy = async (person: Person) =>
  (await orders.buy(db, { by: person.by(), key: null, line: lineFor(oneGb) })).answer.order.id;
const complete = (id: number) =>
  statusChanges.move(db, { by: world.yaw.by("admin"), key: null, ids: [id], to: "COMPLETED" });

test("unfinished orders are counted, unpaid ones among them, and nobody else's", async () => {
  const [ama, kofi] = [await world.person("ama", "GH₵ 50.00"), await world.person("kofi", "GH₵ 50.00")];
  const [done] = [await buy(ama), await buy(ama), await buy(kofi)];
  await complete(done!);
  await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(oneGb) });
  expect(await ownList.unfinished(db, ama.id)).toEqual({ open: 2, unpaid: 1, isMore: false });
});

test("of very many orders only the newest are counted, which is said as long as the others are of today", async () => {
  const busy = await world.person("busy", "GH₵ 2,000.00");
  const lines = times(201, () => lineFor(oneGb));
  await buyBulk(db, { by: busy.by(), key: null, lines });
  expect(await ownList.unfinished(db, busy.id)).toEqual({ open: 200, unpaid: 0, isMore: true });
  await db.execute(sql`update orders set created_at = created_at - interval '2 days' where user_id = ${busy.id}`);
  expect(await ownList.unfinished(db, busy.id)).toEqual({ open: 200, unpaid: 0, isMore: false });
  // A list that is far behind counts no further than a hundred.
  const shown = { newestId: 0, isOpenOnly: true, ids: [] };
  expect((await ownList.changes(db, busy.id, shown)).newCount).toBe(100);
});

/** Reads in a shop of 20,000 orders, half of them unfinished; nothing of it remains. */
async function inBigShop(ownerOf: SQL, read: (tx: Tx) => Promise<void>): Promise<void> {
  const isOver = new Error("over");
  const trial = db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into orders (status, user_id, product_id, operator, product_name, product_size, unit_price_pesewas,
        quantity, amount_pesewas, msisdn, channel, payment_method, paid_at)
      select case when n % 2 = 0 then 'PROCESSING' else 'COMPLETED' end, ${ownerOf}, ${oneGb.id}, 'MTN', 'MTN 1GB',
        '1GB', 390, 1, 390, '23324' || lpad(n::text, 7, '0'), 'web', 'wallet', now()
      from generate_series(1, 20000) n`);
    await tx.execute(sql`analyze orders`);
    await read(tx);
    throw isOver;
  });
  await trial.catch((error) => {
    if (error !== isOver) throw error;
  });
}

longTest("new orders are sought among the agent's newest, by an index, not among all unfinished ones", async () => {
  const [small, big] = [await world.person("small"), await world.person("big")];
  const owner = sql`case when n = 1 then ${small.id} when n % 2 = 1 then ${big.id} else 1000 + n % 50 end`;
  await inBigShop(owner, async (tx) => {
    const queries = [small, big].flatMap(({ id }) => [
      ownList.newCountQuery(id, { newestId: 0, isOpenOnly: true }),
      ownList.unfinishedQuery(id),
    ]);
    for (const query of queries) {
      const plan = await tx.execute(sql`explain (analyze, costs off, timing off) ${query}`);
      const lines = plan.map((row) => Object.values(row)[0] as string);
      const scan = lines.find((line) => / Scan .*on orders/.test(line))!;
      expect(scan).toContain("Index Scan Backward using orders_user");
      expect(Number(/rows=(\d+)/.exec(scan)![1])).toBeLessThanOrEqual(200);
    }
  });
});

longTest("the list of an agent who has stopped selling reads no more than it shows", async () => {
  const idle = await world.person("idle");
  const owner = sql`case when n <= 1000 then ${idle.id} else 1000 + n % 50 end`;
  await inBigShop(owner, async (tx) => {
    const rowsRead = async () => {
      const [row] = await tx.execute<{ count: number }>(sql`
        select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as count
        from pg_stat_xact_user_tables where relname = 'orders'`);
      return row!.count;
    };
    const before = await rowsRead();
    expect(await orderQueries.list(tx, { userId: idle.id, isAdmins: false }, { limit: 20 })).toHaveLength(20);
    expect((await rowsRead()) - before).toBeLessThanOrEqual(40);
  });
});

test("changes are the states of the agent's own orders, of no more than a page's", async () => {
  const [esi, yaa] = [await world.person("esi", "GH₵ 50.00"), await world.person("yaa", "GH₵ 50.00")];
  const [first, second, foreign] = [await buy(esi), await buy(esi), await buy(yaa)];
  await complete(second);
  const shown = { newestId: first, isOpenOnly: false, ids: [first, second, foreign] };
  expect(await ownList.changes(db, esi.id, shown)).toEqual({
    states: { [first]: "PENDING", [second]: "COMPLETED" },
    newCount: 1,
  });
  expect((await ownList.changes(db, esi.id, { ...shown, isOpenOnly: true })).newCount).toBe(0);
  expect((await ownList.changes(db, esi.id, { ...shown, newestId: null })).newCount).toBe(0);
  const crowd = [...times(50, (i) => 1_000_000 + i), first];
  expect((await ownList.changes(db, esi.id, { ...shown, ids: crowd })).states).toEqual({});
});
