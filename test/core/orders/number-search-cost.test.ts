// The cost of a search by part of a number: it reads the orders of the newest block that have it, however many there
// are before it. Counted in rows, so that it is the same on any machine.
import { beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { seedBig } from "../../../dev/seed/big.ts";
import * as find from "../../../src/core/finding/find.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
/** One in as many ids is an order, so that a block has 4,096. */
const STEP = 128;
const BLOCK = 524_288;
const ORDERS = 35_000;
const PAGE = 2;
/** The newest order, and the like. */
const FEW = 5;

beforeAll(async () => {
  await world.product("MTN", "1GB", "3.90");
  await db.execute(sql.raw(`alter sequence orders_id_seq increment by ${STEP} restart with ${STEP}`));
  await seedBig(db, ORDERS, () => {});
});

/** The rows of the table that reading takes, as Postgres counts them on a connection. */
async function rowsReadBy(reading: (tx: Reads) => Promise<unknown[]>): Promise<number> {
  return db.transaction(async (tx) => {
    const count = async () => {
      const [row] = await tx.execute<{ count: number }>(sql`
        select (seq_tup_read + idx_tup_fetch)::int as count
        from pg_stat_xact_user_tables where relname = 'orders'`);
      return row!.count;
    };
    const before = await count();
    expect(await reading(tx)).toHaveLength(PAGE);
    return (await count()) - before;
  });
}

/** The four digits, no agent's id, that most of the newest orders have; how many of these and of all have them. */
async function commonDigits() {
  const [row] = await db.execute<{ digits: string; newest: number; all: number }>(sql`
    with common as (
      select right(msisdn, 4) as digits from orders where right(msisdn, 4) > '6000'
        and id >= ((select max(id) from orders) / ${BLOCK}) * ${BLOCK}
      group by 1 order by count(*) desc, 1 limit 1)
    select digits, count(*)::int as all, (count(*) filter (
        where id >= ((select max(id) from orders) / ${BLOCK}) * ${BLOCK}))::int as newest
    from common, orders where msisdn like '%' || digits || '%' group by digits`);
  return row!;
}

test("a page of a search by four digits reads twice the orders of the newest block that have them", async () => {
  const { digits, newest, all } = await commonDigits();
  expect(newest).toBeGreaterThanOrEqual(PAGE);
  expect(all).toBeGreaterThan(newest + FEW);
  const read = await rowsReadBy((tx) => orderQueries.list(tx, { search: digits, isAdmins: true }, { limit: PAGE }));
  expect(read).toBeLessThanOrEqual(2 * newest + FEW);
});

test("the palette finds a number by its last digits as the list does", async () => {
  const { digits } = await commonDigits();
  const hits = await find.find(db, yaw.by("admin"), digits);
  const ids = hits.flatMap(({ kind, id }) => (kind === "order" ? [id] : []));
  const rows = await orderQueries.list(db, { search: digits, isAdmins: true }, { limit: ids.length });
  expect(ids).toEqual(rows.map(({ id }) => id));
});
