// The search by part of a number over many blocks of orders: page by page it finds what a plain comparison finds.
import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { seedBig } from "../../../dev/seed/big.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
/** One in as many ids is an order, so that a few of them are in dozens of blocks, of which each ends with one. */
const STEP = 16_384;
const BLOCK = 524_288;
const PAGE = 20;

type Row = { id: number; user_id: number; msisdn: string; status: string };
let rows: Row[] = [];

beforeAll(async () => {
  await world.product("MTN", "1GB", "3.90");
  await world.product("TELECEL", "5GB", "20.00");
  await db.execute(sql.raw(`alter sequence orders_id_seq increment by ${STEP} restart with ${STEP - 1}`));
  await seedBig(db, 2_000, () => {});
  rows = await db.execute<Row>(sql`select id, user_id, msisdn, status from orders order by id desc`);
});

/** All pages of a search. */
async function found(search: string, filter: Partial<orderQueries.OrderFilter> = {}): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: number | undefined; ; cursor = ids.at(-1)) {
    const page = await orderQueries.search(db, { search, isAdmins: true, ...filter }, { cursor, limit: PAGE });
    ids.push(...page.rows.map(({ id }) => id));
    if (page.rows.length < PAGE) return ids;
  }
}

const matching = (matches: (row: Row) => boolean) => rows.filter(matches).map(({ id }) => id);
/** Digits that begin with 0 are a beginning, too, and are also found there. */
const naively = (typed: string) => (row: Row) => row.msisdn.slice(3).includes(typed);

describe("a search by part of a number", () => {
  longTest.each([3, 4, 5, 6, 7, 8])("of %p digits finds all orders, newest first", async (count) => {
    expect(rows.length).toBeGreaterThan(1_900);
    for (let at = 0; at < 12; at++) {
      const national = rows[(at * 997) % rows.length]!.msisdn.slice(3);
      const begin = at % (national.length - count + 1);
      const typed = national.slice(begin, begin + count);
      if (typed.startsWith("0")) continue;
      const expected = matching(
        (row) => naively(typed)(row) || row.user_id === Number(typed) || row.id === Number(typed),
      );
      expect([typed, await found(typed)]).toEqual([typed, expected]);
    }
  });

  longTest.each(["354", "320", "327", "3354"])(
    "%p, of which the country code has the first, is no match",
    async (typed) => {
      expect(await found(typed)).toEqual(
        matching((row) => naively(typed)(row) || row.user_id === Number(typed) || row.id === Number(typed)),
      );
    },
  );

  longTest.each(["054", "0541", "23354", "0023320", "05412", "+23320"])("%p finds a beginning", async (typed) => {
    const national = typed.replace(/^(\+233|00233|233|0)/, "");
    const expected = matching((row) => row.msisdn.startsWith(`233${national}`) || naively(typed.replace("+", ""))(row));
    expect(expected.length).toBeGreaterThan(0);
    expect(await found(typed)).toEqual(expected);
  });

  test("finds the last orders of a status, however far back they are", async () => {
    // With a 0 first they would be a beginning, too.
    const typed = rows.map(({ msisdn }) => msisdn.slice(-3)).findLast((end) => !end.startsWith("0"))!;
    const failed = rows.filter(({ status }) => status === "FAILED");
    const expected = failed.filter((row) => naively(typed)(row) || row.user_id === Number(typed));
    expect(await found(typed, { status: "FAILED" })).toEqual(expected.map(({ id }) => id));
    const [order] = failed.slice(-1);
    expect(await found(order!.msisdn.slice(-4), { status: "FAILED" })).toContain(order!.id);
  });

  test("finds the last order before those that are read first", async () => {
    const first = (Math.floor(rows[0]!.id / BLOCK) - 1) * BLOCK;
    const order = rows.find(({ id }) => id === first - 1)!;
    expect(await found(order.msisdn.slice(-5))).toContain(order.id);
  });

  test("finds nothing where nothing is, and not the number of a part across its prefix", async () => {
    // Every number begins with 233; the random ones may have any five digits behind it.
    const across = rows.map(({ msisdn }) => `33${msisdn.slice(3, 6)}`);
    const typed = across.find((part) => !rows.some(naively(part)))!;
    expect(await found(typed)).toEqual([]);
    expect(await found("1000000001")).toEqual([]);
  });

  test("also finds the orders of the agent, and the order, of that id", async () => {
    const { id, user_id: userId } = rows[7]!;
    const own = rows.filter((row) => row.user_id === userId);
    expect(await found(String(userId))).toEqual(expect.arrayContaining(own.map((order) => order.id)));
    expect(await found(String(id))).toContain(id);
  });

  test("takes its keys from the index as the database makes them", async () => {
    const [row] = await db.execute<{ keys: number[] }>(sql`select number_keys(${2 * BLOCK}, '233541234567') as keys`);
    expect(row!.keys).toEqual([5412, 4123, 1234, 2345, 3456, 4567].map((part) => 2 * 16_384 + part));
  });
});
