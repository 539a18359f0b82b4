// Reading the log: the owner's rows and no others, by every filter, by the indexes, and a limited number at a time.
import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { newRequestId } from "../../../src/core/platform/request-ids.ts";
import * as queries from "../../../src/core/requests/queries.ts";
import { refusal } from "../../support/asking.ts";
import { addLogged } from "../../support/logged-requests.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const [AMA, KOFI, BUSY, QUIET] = [101, 102, 103, 104];
const START = Date.UTC(2026, 10, 10, 12);
const at = (minutes: number) => new Date(START + minutes * 60_000);

type Given = { userId: number; minute: number; keyId?: number; method?: string; route?: string } & {
  status?: number;
  code?: string;
  orderId?: number;
};

/** Adds a request in a row of its own. */
function add({ userId, minute, keyId = 1, ...own }: Given): Promise<number> {
  const route = own.route ?? "/api/v1/orders";
  const requestId = newRequestId(at(minute).getTime());
  const bodies = { request: { value: { a: 1 } }, answer: { value: { b: 2 } } };
  const about = {
    key: { userId, keyId },
    at: at(minute).getTime(),
    url: `http://localhost${route}`,
    requestId,
  };
  return addLogged(db, [{ ...about, ...bodies, ...own }]);
}

const bought = await add({ userId: AMA, minute: 0, orderId: 4711 });
const duplicate = await add({ userId: AMA, minute: 10, status: 409, code: "order.duplicate" });
const looked = await add({
  userId: AMA,
  minute: 20,
  keyId: 2,
  method: "GET",
  route: "/api/v1/orders/:id",
  status: 200,
  orderId: 4711,
});
const failed = await add({ userId: AMA, minute: 30, status: 503, code: "service.unavailable" });
const foreign = await add({ userId: KOFI, minute: 15, orderId: 4711 });
const idsOf = async (filter: queries.RequestFilter, reader: queries.Reader = { userId: AMA }) =>
  (await queries.list(db, reader, filter, { limit: 50 })).rows.map(({ id }) => id);

test("an account sees its own requests, newest first, and nothing of others", async () => {
  expect(await idsOf({})).toEqual([failed, looked, duplicate, bought]);
  expect(await idsOf({}, { userId: KOFI })).toEqual([foreign]);
  expect(await idsOf({}, { userId: 999 })).toEqual([]);
  expect(await queries.get(db, { userId: AMA }, bought)).toMatchObject({
    requestBody: '{"a":1}',
    orderId: 4711,
  });
  for (const id of [foreign, 999_999])
    expect((await refusal(queries.get(db, { userId: AMA }, id))).code).toBe("log.request_not_found");
});

test("a key sees the requests that were made with it, and not those of the account's other keys", async () => {
  const reader = { userId: AMA, keyId: 2 };
  expect(await idsOf({}, reader)).toEqual([looked]);
  expect(await idsOf({ keyId: 1 }, reader)).toEqual([]);
  expect((await refusal(queries.get(db, reader, bought))).code).toBe("log.request_not_found");
  expect((await queries.get(db, reader, looked)).id).toBe(looked);
});

test("each filter lets pass what it names", async () => {
  const idOf = async (id: number) => (await queries.get(db, { userId: AMA }, id)).requestId;
  const filters: [queries.RequestFilter, number[]][] = [
    [{ keyId: 2 }, [looked]],
    [{ method: "GET" }, [looked]],
    [{ route: "/api/v1/orders" }, [failed, duplicate, bought]],
    [{ method: "POST", route: "/api/v1/orders/:id" }, []],
    [{ status: 409 }, [duplicate]],
    [{ status: 2 }, [looked, bought]],
    [{ status: 5 }, [failed]],
    [{ code: "order.duplicate" }, [duplicate]],
    [{ from: at(10) }, [failed, looked, duplicate]],
    [{ to: at(10) }, [bought]],
    [{ from: at(5), to: at(25) }, [looked, duplicate]],
    [{ from: at(500) }, []],
    [{ to: at(-500) }, []],
    [{ requestId: await idOf(duplicate) }, [duplicate]],
    [{ requestId: newRequestId(at(10).getTime() + 5) }, []],
    [{ requestId: "no id of ours" }, []],
    [{ orderId: 4711 }, [looked, bought]],
    [{ orderId: 4711, method: "POST" }, [bought]],
    [{ orderId: 4712 }, []],
  ];
  for (const [filter, ids] of filters) expect([filter, await idsOf(filter)]).toEqual([filter, ids]);
});

test("a list goes on where the last page ended", async () => {
  const first = await queries.list(db, { userId: AMA }, {}, { limit: 3 });
  expect([first.rows.map(({ id }) => id), first.next]).toEqual([[failed, looked, duplicate], duplicate]);
  const second = await queries.list(db, { userId: AMA }, {}, { limit: 3, cursor: first.next! });
  expect([second.rows.map(({ id }) => id), second.next]).toEqual([[bought], null]);
});

describe("in a log of many requests", async () => {
  // A tenth of a second apart, of which every thousandth fails; two accounts in turns, a hundred requests a row.
  const when = (n: number) => START + n * 100;
  const oldId = newRequestId(when(4_000));
  const requests = Array.from({ length: 50_000 }, (_, n) => ({
    ...{
      key: { userId: (n + 1) % 2 === 0 ? BUSY : QUIET, keyId: 1 },
      at: when(n + 1),
      orderId: n + 1,
    },
    ...{ status: (n + 1) % 1_000 === 0 ? 500 : 201, requestId: n + 1 === 4_000 ? oldId : `old${n + 1}` },
  }));
  for (let first = 0; first < requests.length; first += 200) await addLogged(db, requests.slice(first, first + 200));
  await db.execute(sql`vacuum analyze api_request_rows`);
  const reader = { userId: BUSY };

  /** The rows that a query reads from the table, each with a hundred requests, and the index by which. */
  async function planOf(query: SQL): Promise<{ index: string; rows: number }> {
    const plan = await db.execute(sql`explain (analyze, costs off, timing off) ${query}`);
    const lines = plan.map((row) => Object.values(row)[0] as string);
    const scan = lines.find((line) => /(Index|Bitmap Heap) Scan .*on api_request_rows/.test(line))!;
    expect(lines.filter((line) => /Seq Scan on api_request_rows/.test(line))).toEqual([]);
    const index = lines.find((line) => /Index Scan/.test(line))!;
    return { index: /(?:using|on) (\w+)/.exec(index)![1]!, rows: Number(/rows=(\d+)/.exec(scan)![1]) };
  }
  const page = (filter: queries.RequestFilter, position = {}) =>
    planOf(queries.listQuery(db, reader, filter, { limit: 51, ...position }).getSQL());

  test("a page reads by the index of the account what it shows, and one row to see where that ends", async () => {
    expect(await page({})).toEqual({ index: "api_request_rows_pkey", rows: 2 });
    expect(await page({}, { cursor: 300_060 })).toEqual({ index: "api_request_rows_pkey", rows: 2 });
  });

  test("an order is found by its own index, also when it is old", async () => {
    expect(await page({ orderId: 2 })).toEqual({ index: "api_request_rows_order_ids", rows: 1 });
    expect(await page({ orderId: 2, status: 404 })).toEqual({ index: "api_request_rows_order_ids", rows: 1 });
  });

  test("an order's purchase is looked for in the rows of its time alone", async () => {
    const { rows } = await page({ orderId: 2 }, { purchased: { firstRow: 300, endRow: 306 } });
    // Three of the account, and the one that is found by the index.
    expect(rows).toBe(4);
  });

  test("a filter looks through ten thousand requests at a time, and says where to go on", async () => {
    const plan = await page({ status: 404 });
    expect(plan).toEqual({ index: "api_request_rows_pkey", rows: queries.LOOKED_THROUGH / 100 + 1 });
    const found: number[] = [];
    let pages = 0;
    for (let cursor: number | undefined; pages < 20; pages++) {
      const { rows, next } = await queries.list(db, reader, { status: 500 }, { limit: 7, cursor });
      found.push(...rows.map(({ orderId }) => orderId!));
      if (!next) break;
      cursor = next;
    }
    expect(found).toEqual(Array.from({ length: 50 }, (_, n) => 50_000 - n * 1_000));
    expect(pages).toBeGreaterThanOrEqual(7);
    const none = await queries.list(db, reader, { code: "order.duplicate" }, { limit: 50 });
    expect([none.rows, none.next]).toEqual([[], expect.any(Number)]);
  });

  test("an old span and an old request id are found without reading from the newest row", async () => {
    const [from, to] = [new Date(when(2_000)), new Date(when(2_020))];
    const { rows, next } = await queries.list(db, reader, { from, to }, { limit: 50 });
    expect(rows.map(({ orderId }) => orderId)).toEqual([2018, 2016, 2014, 2012, 2010, 2008, 2006, 2004, 2002, 2000]);
    expect(next).toBeNull();
    const one = await queries.list(db, reader, { requestId: oldId }, { limit: 50 });
    expect([one.rows.map(({ orderId }) => orderId), one.next]).toEqual([[4000], null]);
  });
});
