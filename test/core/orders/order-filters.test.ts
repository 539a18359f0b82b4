// Filters of an account's orders by bulk order, reference and number: each reads what it shows, however many orders the
// shop and the account have, and a purchase with a reference reads one.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import * as bulkResults from "../../../src/core/buying/bulk-results.ts";
import { ordersWith } from "../../../src/core/buying/own-references.ts";
import { IS_REFERENCE_USED } from "../../../src/core/buying/purchase-statement.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import { searchCondition } from "../../../src/core/orders/search.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const [ama, kofi] = [await world.person("ama"), await world.person("kofi")];

const ORDERS = 60_000;
const BULK = 1_000_001;
const LIMIT = 20;

/**
 * Reads in a shop of many orders, of which none remains. Half are ama's, whose oldest 2,000 are one bulk order and have
 * references, half of them the same; kofi's have the same references, too, and hers are all for one of two numbers.
 */
async function inBigShop(read: (tx: Tx) => Promise<void>): Promise<void> {
  const isOver = new Error("over");
  const trial = db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into orders (status, user_id, product_id, operator, product_name, product_size, unit_price_pesewas,
        quantity, amount_pesewas, msisdn, channel, payment_method, paid_at, bulk_order_id, reference)
      select 'COMPLETED', case when n % 2 = 0 then ${ama.id}::bigint else ${kofi.id}::bigint end, ${bundle.id}, 'MTN',
        'MTN 1GB', '1GB', 390, 1, 390, '23324' || lpad((n / 6)::text, 7, '0'), 'api', 'wallet', now(),
        case when n % 2 = 0 and n <= 4000 then ${BULK}::bigint end,
        case when n > 4000 then null when n % 4 = 0 then 'same' else 'INV-' || n / 2 end
      from generate_series(1, ${ORDERS}) n`);
    await tx.execute(sql`analyze orders`);
    await read(tx);
    throw isOver;
  });
  await trial.catch((error) => {
    if (error !== isOver) throw error;
  });
}

/** The rows of orders that a query reads, and how many it returns. */
async function reading(tx: Tx, query: () => Promise<{ length: number }>): Promise<[rows: number, read: number]> {
  const rowsRead = async () => {
    const [row] = await tx.execute<{ count: number }>(sql`
      select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as count
      from pg_stat_xact_user_tables where relname = 'orders'`);
    return row!.count;
  };
  const before = await rowsRead();
  const { length } = await query();
  return [length, (await rowsRead()) - before];
}

test("a page of a filter reads no more than a page, behind all newer orders", async () => {
  await inBigShop(async (tx) => {
    const newest = LIMIT;
    for (const [filter, rows, readMax] of [
      [{ bulkOrderId: BULK }, newest, LIMIT],
      [{ bulkOrderId: BULK, status: "COMPLETED" }, newest, LIMIT],
      [{ reference: "same" }, newest, LIMIT],
      [{ reference: "INV-999" }, 1, 2],
      [{ msisdn: "233240000123" }, 3, 12],
      [{ msisdn: "233240000123", bulkOrderId: BULK }, 3, 12],
    ] as const) {
      const list = () => orderQueries.list(tx, { ...filter, userId: ama.id }, { limit: LIMIT });
      const [found, read] = await reading(tx, list);
      expect([filter, found]).toEqual([filter, rows]);
      expect([filter, read <= readMax]).toEqual([filter, true]);
    }
  });
});

test("what waits longest is read without the finished orders before it", async () => {
  await inBigShop(async (tx) => {
    const OPEN = 3_000;
    await tx.execute(sql`
      insert into orders (status, user_id, product_id, operator, product_name, product_size, unit_price_pesewas,
        quantity, amount_pesewas, msisdn, channel, payment_method, paid_at)
      select 'PROCESSING', ${kofi.id}, ${bundle.id}, 'MTN', 'MTN 1GB', '1GB', 390, 1, 390, '233241234567', 'api',
        'wallet', now() from generate_series(1, ${OPEN}) n`);
    await tx.execute(sql`analyze orders`);
    for (const filter of [{ open: true }, { status: "PROCESSING" }] as const) {
      const page = (cursor?: number) =>
        orderQueries.list(tx, { ...filter, isAdmins: true }, { limit: LIMIT, cursor, isOldestFirst: true });
      const [found, read] = await reading(tx, page);
      expect([filter, found]).toEqual([filter, LIMIT]);
      expect([filter, read, read <= OPEN + LIMIT]).toEqual([filter, read, true]);
      const first = (await page()).map(({ id }) => id);
      const next = (await page(first.at(-1))).map(({ id }) => id);
      expect([...first, ...next]).toEqual(Array.from({ length: 2 * LIMIT }, (_, n) => first[0]! + n));
    }
  });
});

test("a reference among sixty thousand orders reads the orders that have it alone", async () => {
  await inBigShop(async (tx) => {
    const [, read] = await reading(tx, async () => {
      const found = await ordersWith(tx, ama.id, ["INV-999", "INV-1", "new"]);
      return { length: found.size };
    });
    expect(read).toBeLessThanOrEqual(4);
    const check = sql.raw(`select ${IS_REFERENCE_USED} as used from
      (values (${ama.id}::bigint)) a(user_id), (values ('INV-999'), ('new'), ('same')) l(reference)`);
    const [, ofStatement] = await reading(tx, () => tx.execute(check));
    expect(ofStatement).toBeLessThanOrEqual(3);
    const conditionOn = () => searchCondition(tx, "INV-999", { isAdmin: false, userId: ama.id });
    const [, ofSearch] = await reading(tx, async () => ({ length: (await conditionOn()) ? 1 : 0 }));
    expect(ofSearch).toBeLessThanOrEqual(2);
  });
});

test("the progress of a bulk order reads its own orders alone", async () => {
  await inBigShop(async (tx) => {
    await tx.execute(sql`insert into bulk_orders (id, user_id, lines, amount_pesewas, channel)
      values (${BULK}, ${ama.id}, 2000, 780000, 'api')`);
    const progress = async () => {
      const { counts, refunded } = await bulkResults.get(tx, ama.by(), BULK);
      expect([counts, refunded]).toEqual([{ COMPLETED: 2000 }, { orders: 0, amountPesewas: 0 }]);
      return { length: 1 };
    };
    const [, read] = await reading(tx, progress);
    expect(read).toBeLessThanOrEqual(2000);
  });
});
