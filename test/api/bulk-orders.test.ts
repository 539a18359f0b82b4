// Bulk orders by id: their list, how far one is, and the orders of one among an agent's, by filters that find them
// without reading the rest.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { freshNumber, times } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const { db, yaw } = world;
const call = checkedCalls(openApp(world));
const ama = await world.person("ama", "GH₵ 900.00");
const kofi = await world.person("kofi", "GH₵ 900.00");
const bundle = await world.product("MTN", "1GB", "3.90");

const line = (more: object = {}) => ({ productId: bundle.id, msisdn: freshNumber(), ...more });
const place = async (orders: object[], more: object = {}, person = ama) =>
  (await call(person, "POST", "/api/v1/orders/bulk", { orders, ...more })).body;
const get = (path: string, person = ama) => call(person, "GET", `/api/v1${path}`);
const move = (ids: number[], to: "PROCESSING" | "DELIVERED" | "COMPLETED" | "FAILED") =>
  statusChanges.move(db, { by: yaw.by("admin"), key: null, ids, to, reason: "said so" });
const idsOf = (orders: { id: number }[]) => orders.map(({ id }) => id);
const none = { PENDING: 0, PAID: 0, PROCESSING: 0, DELIVERED: 0, COMPLETED: 0, FAILED: 0 };

describe("a bulk order by its id", () => {
  longTest("has its counts by status, what went back, and the share that is done", async () => {
    const metadata = { month: "November" };
    const { bulkOrderId: id, orders } = await place(
      times(7, () => line()),
      { reference: "PAY-11", metadata },
    );
    const path = `/bulk-orders/${id}`;
    const placed = { id, userId: ama.id, count: 7, amount: 27.3, reference: "PAY-11", metadata };
    expect((await get(path)).body).toEqual({
      ...placed,
      createdAt: orders[0].createdAt,
      statuses: { ...none, PENDING: 7 },
      refunded: { count: 0, amount: 0 },
      progress: 0,
      finished: false,
    });
    const ids = idsOf(orders) as [number, number, number, number, number];
    await move(ids.slice(0, 6), "PROCESSING");
    await move(ids.slice(0, 3), "DELIVERED");
    // Three of seven, rounded down: nothing looks finished before it is.
    expect((await get(path)).body).toMatchObject({ progress: 0.428, finished: false });
    await move(ids.slice(0, 1), "COMPLETED");
    await move(ids.slice(3, 5), "FAILED");
    expect((await get(path)).body).toMatchObject({
      statuses: { PENDING: 1, PAID: 0, PROCESSING: 1, DELIVERED: 2, COMPLETED: 1, FAILED: 2 },
      refunded: { count: 2, amount: 7.8 },
      progress: 0.714,
      finished: false,
    });
    await move(ids.slice(5), "FAILED");
    expect((await get(path)).body).toMatchObject({ progress: 1, finished: true });
  });

  test("is not somebody else's, but staff see any", async () => {
    const { bulkOrderId: id } = await place([line()]);
    expect((await get(`/bulk-orders/${id}`, kofi)).body).toMatchObject({ code: "bulk.not_found" });
    expect((await get("/bulk-orders/999999")).body).toMatchObject({ code: "bulk.not_found" });
    expect((await get(`/bulk-orders/${id}`, yaw)).body).toMatchObject({ id, userId: ama.id });
  });
});

describe("the list of bulk orders", () => {
  test("is newest first, in pages, and of one's own", async () => {
    const mine = await world.person("esi", "GH₵ 900.00");
    const placed: number[] = [];
    for (const n of times(5, (n) => n))
      placed.push((await place([line()], { reference: `B-${n % 2}` }, mine)).bulkOrderId);
    const first = await get("/bulk-orders?limit=2", mine);
    expect(idsOf(first.body)).toEqual([placed[4]!, placed[3]!]);
    expect(first.body[0]).toMatchObject({ count: 1, amount: 3.9, reference: "B-0", metadata: null });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
    const second = await call(mine, "GET", next);
    expect(idsOf(second.body)).toEqual([placed[2]!, placed[1]!]);
    expect(idsOf((await get("/bulk-orders?reference=B-1", mine)).body)).toEqual([placed[3]!, placed[1]!]);
    expect((await get("/bulk-orders?reference=B-1", kofi)).body).toEqual([]);
  });
});

describe("the list of orders", () => {
  test("is filtered by bulk order, reference and exact number, together and in pages", async () => {
    const msisdn = freshNumber();
    const { bulkOrderId: id, orders } = await place(times(5, (n) => line({ reference: `F-${n % 2}` })));
    const alone = (await call(ama, "POST", "/api/v1/orders", { ...line({ reference: "F-1" }), msisdn })).body;
    await call(kofi, "POST", "/api/v1/orders", line({ reference: "F-1" }));
    const ids = idsOf(orders) as [number, number, number, number, number];
    const found = async (query: string, person = ama) => idsOf((await get(`/orders?${query}`, person)).body);
    expect(await found(`bulkOrderId=${id}`)).toEqual(ids.toReversed());
    expect(await found(`bulkOrderId=${id}&limit=2&cursor=${ids[3]}`)).toEqual([ids[2]!, ids[1]!]);
    expect(await found(`bulkOrderId=${id}&reference=F-1`)).toEqual([ids[3]!, ids[1]!]);
    expect(await found("reference=F-1")).toEqual([alone.id, ids[3]!, ids[1]!]);
    expect(await found(`reference=F-1&limit=1&cursor=${alone.id}`)).toEqual([ids[3]!]);
    expect(await found("reference=f-1")).toEqual([]);
    for (const written of [msisdn, `+233 ${msisdn.slice(1)}`, `00233${msisdn.slice(1)}`])
      expect(await found(`msisdn=${encodeURIComponent(written)}`)).toEqual([alone.id]);
    expect(await found(`msisdn=${msisdn}&reference=F-0`)).toEqual([]);
    expect(await found(`msisdn=${msisdn}&status=PENDING&open=true`)).toEqual([alone.id]);
    expect(await found(`bulkOrderId=${id}`, kofi)).toEqual([]);
    expect(await found(`msisdn=${msisdn}`, kofi)).toEqual([]);
    const [newest] = await found(`reference=F-1&search=${alone.id}`);
    expect(newest).toBe(alone.id);
  });

  test("refuses filters that nothing could match", async () => {
    const fields = async (query: string) => (await get(`/orders?${query}`)).body.details.fields;
    expect(await fields("bulkOrderId=0")).toEqual({ bulkOrderId: "must be an id, such as 4711" });
    expect(Object.keys(await fields("reference=two%20words"))).toEqual(["reference"]);
    for (const msisdn of ["12", "0541", "x".repeat(41), ""]) {
      const { status, body } = await get(`/orders?msisdn=${msisdn}`);
      expect([msisdn, status, body.code]).toEqual([msisdn, 422, "msisdn.invalid"]);
    }
  });
});

describe("the check of long lists", () => {
  const PREVIEW = "/api/v1/orders/bulk/preview";
  const long = { orders: times(10_000, () => ({ productId: bundle.id, msisdn: "0541234567" })) };

  longTest("is in the budget of lines, whose end is noticed before the list is parsed", async () => {
    const esi = await world.person("previewer");
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await call(esi, "POST", PREVIEW, long)).status);
    expect(statuses).toEqual([...times(10, () => 200), 429]);
    const unreadable = { orders: times(10_000, () => ({ productId: "", msisdn: "0541234567" })) };
    const refused = await call(esi, "POST", "/api/v1/orders/bulk", unreadable);
    expect([refused.status, refused.body.code]).toEqual([429, "request.rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // Short lists are not counted.
    expect((await call(esi, "POST", PREVIEW, { orders: [line()] })).status).toBe(200);
  });

  longTest("counts lists that cannot be read, too", async () => {
    const yaa = await world.person("unreadable");
    const bad = { orders: times(10_000, () => ({ productId: "", msisdn: "0541234567" })) };
    const codes: string[] = [];
    for (let n = 0; n < 11; n++) codes.push((await call(yaa, "POST", "/api/v1/orders/bulk", bad)).body.code);
    expect([...new Set(codes.slice(0, 10)), codes[10]]).toEqual(["product.not_found", "request.rate_limited"]);
  });

  test("takes back what a placed list had counted", async () => {
    const orders = times(150, () => line());
    const { body } = await call(kofi, "POST", "/api/v1/orders/bulk", { orders });
    expect(body.orders).toHaveLength(150);
    const [row] = await db.execute(sql`select count from rate_limits where bucket = ${`bulk.refused:${kofi.id}`}`);
    expect(row).toEqual({ count: 0 });
  });
});
