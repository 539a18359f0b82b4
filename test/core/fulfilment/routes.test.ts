// Routes: the cheapest vendor within its bounds or the fixed order, never to anybody who is known to take more than was
// paid, the move of orders away from a vendor that has come to, and the figures by which vendors are judged.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as costs from "../../../src/core/catalog/costs.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as dispatch from "../../../src/core/fulfilment/dispatch.ts";
import { type CostOf, ranked } from "../../../src/core/fulfilment/routes.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import { type VendorFigures, vendorFigures } from "../../../src/core/fulfilment/vendor-figures.ts";
import * as vendorStates from "../../../src/core/fulfilment/vendors.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { count, lineFor, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, world, ama } = shop;
const by = world.yaw.by("admin");
const MINUTE = 60;
const VENDORS = ["datamart", "hubnet", "africastalking", "desk"];
const change = (values: Partial<settings.Settings>) => settings.change(db, { by, values });
const takes = (product: { id: number }, vendor: string, costPesewas: number) =>
  costs.set(db, {
    by,
    costs: [{ productId: product.id, vendor, costPesewas }],
    vendors: VENDORS.map((code) => ({ code })),
  });
const pause = (code: string) => vendorStates.setPause(db, { by, code, note: "Slow" });
let made = 0;
/** 5 GB of MTN at GH₵ 20.90, without known costs. */
const newBundle = async () => {
  const bundle = { operator: "MTN", name: `Five ${++made}`, size: "5GB", pricePesewas: 2090 };
  return (await products.add(db, { by, ...bundle })).answer;
};
/** This database to somebody who has not measured yet: figures are kept for a minute. */
const unmeasured = () => Object.create(db) as Db;
const route = () => routing.routeDue(unmeasured(), shop.vendors, 500);
const send = async (on: Db = db) => {
  for (const vendor of shop.vendors) await dispatch.sendDue(on, vendor, () => null, shop.vendors);
};
const attemptsOf = async (id: number) => (await shop.story(id)).attempts;
/** Who gets an order of this bundle, with what becomes true between its sale and its route. */
const givenTo = async (product: products.Product, meanwhile: () => Promise<unknown> = async () => {}) => {
  const id = await shop.buy("0001", { product });
  await meanwhile();
  await route();
  return (await attemptsOf(id)).at(-1);
};

/** What a vendor has sent lately: `sent` orders delivered after `minutes`, or else out or unknown since then. */
async function hasSent(
  vendor: string,
  { sent, minutes, state = "delivered" }: { sent: number; minutes: number; state?: string },
): Promise<void> {
  const lines = times(sent, () => lineFor(shop.bundle));
  const { answer } = await buyBulk(db, { by: ama.by(), key: null, lines });
  const ids = answer.orders.map(({ id }) => id);
  const ended = sql.raw(state === "delivered" ? "now()" : "null");
  await db.execute(sql`
    insert into attempts (order_id, user_id, vendor, reference, state, sends, sent_at, ended_at, due_at)
    select id, user_id, ${vendor}, 'DF' || id || 'T1', ${state}, 1, now() - make_interval(mins => ${minutes}),
           ${ended}, 'infinity'
    from orders where id = any(${sql.param(ids)}::bigint[])`);
  await db.execute(sql`delete from jobs where subject_id = any(${sql.param(ids)}::bigint[])`);
}

beforeEach(async () => {
  await db.execute(sql`update attempts set sent_at = sent_at - interval '4 days'`);
  await db.execute(sql`delete from rate_limits`);
  await change({ route_mtn: "datamart,hubnet,africastalking", routes_by_cost: "" });
});

describe("the sequence of a route", () => {
  const within: VendorFigures = { vendor: "", family: "MTN", slowSeconds: 3600, unknownPercent: 5 };
  const slow = (vendor: string) => ({ ...within, vendor, slowSeconds: 3601 });
  const unclear = (vendor: string) => ({ ...within, vendor, unknownPercent: 5.1 });
  const sequence = (routeOf: string, costOf: Record<string, number>, figures: VendorFigures[] = [], byCost = "MTN") => {
    const values = { ...settings.DEFAULTS, route_mtn: routeOf, routes_by_cost: byCost };
    const of: CostOf = (code) => costOf[code] ?? null;
    return ranked(values, "MTN", of, figures).join(" ");
  };

  test.each([
    ["the cheapest first, equals in the order of the route", { a: 3, b: 1, c: 1 }, [], "b c a desk"],
    ["one at its bounds is within them", { a: 1, b: 2 }, [{ ...within, vendor: "a" }], "a b c desk"],
    ["a slow one after those whose cost is not known", { a: 1, b: 2 }, [slow("a")], "b c a desk"],
    ["one that is often unknown likewise", { a: 1, b: 2 }, [unclear("a")], "b c a desk"],
    ["slow with another family does not count", { a: 1, b: 2 }, [{ ...slow("a"), family: "X" }], "a b c desk"],
    ["all out of bounds keep the order of the route", { a: 2, b: 1 }, [slow("a"), slow("b"), slow("c")], "a b c desk"],
    ["too few to judge keep nobody out", { a: 1, b: 2 }, [{ ...within, vendor: "a", slowSeconds: null }], "a b c desk"],
    ["nothing is known", {}, [], "a b c desk"],
    ["the desk with a cost stands where that puts it", { a: 3, b: 1, desk: 2 }, [], "b desk a c"],
    ["a cost of zero is known", { a: 1, b: 0 }, [], "b a c desk"],
  ] as [string, Record<string, number>, VendorFigures[], string][])("by cost: %s", (_, costOf, figures, expected) => {
    expect(sequence("a,b,c,desk", costOf, figures)).toBe(expected);
  });

  test("by cost: the desk without a cost is last wherever it stands", () => {
    expect(sequence("desk,a,b", { b: 1 })).toBe("b a desk");
  });

  test("in fixed order is the order of the route, whatever the costs and figures", () => {
    expect(sequence("a,desk,b", { b: 1, a: 9 }, [slow("a")], "TELECEL")).toBe("a desk b");
  });

  test.each(["MTN", "telecel, mtn", "TELECEL MTN"])("goes by cost where the setting says %p", (byCost) => {
    expect(sequence("a,b", { a: 2, b: 1 }, [], byCost)).toBe("b a");
    expect(sequence("a,b", { a: 2, b: 1 }, [], "MTN_UP2U")).toBe("a b");
  });
});

describe("an order by cost", () => {
  beforeEach(() => change({ routes_by_cost: "MTN" }));
  const priced = async () => {
    const product = await newBundle();
    await takes(product, "datamart", 1950);
    await takes(product, "hubnet", 1900);
    return product;
  };

  test("goes to the cheapest; while that is paused to the next; while all are, it waits for the cheapest", async () => {
    const product = await priced();
    expect(await givenTo(product)).toBe("hubnet queued");
    await pause("hubnet");
    expect(await givenTo(product)).toBe("datamart queued");
    await pause("datamart");
    await pause("africastalking");
    expect(await givenTo(product)).toBe("hubnet queued");
  });

  test("goes past the cheapest while nine of ten deliveries take too long", async () => {
    const product = await priced();
    await hasSent("hubnet", { sent: 9, minutes: 61 });
    expect(await givenTo(product)).toBe("hubnet queued");
    await hasSent("hubnet", { sent: 1, minutes: 61 });
    expect(await givenTo(product)).toBe("datamart queued");
    await change({ slow_delivery_minutes: 62 });
    expect(await givenTo(product)).toBe("hubnet queued");
    await change({ slow_delivery_minutes: 60 });
  });

  test("goes past a cheapest that takes orders and delivers nothing", async () => {
    const product = await priced();
    await hasSent("hubnet", { sent: 12, minutes: 30, state: "processing" });
    expect(await givenTo(product)).toBe("hubnet queued");
    await hasSent("hubnet", { sent: 12, minutes: 90, state: "processing" });
    expect(await givenTo(product)).toBe("datamart queued");
  });

  test("goes past the cheapest while too many results are unknown, also those that are known by now", async () => {
    const product = await priced();
    await hasSent("hubnet", { sent: 19, minutes: 1 });
    await hasSent("hubnet", { sent: 1, minutes: 1, state: "unknown" });
    expect(await givenTo(product)).toBe("hubnet queued");
    // One that was checked between its sending and its delivery.
    await db.execute(sql`
      insert into order_events (order_id, user_id, channel, kind, detail, created_at)
      select order_id, user_id, 'system', 'checking', 'No clear answer', sent_at from attempts
      where vendor = 'hubnet' and state = 'delivered' order by id desc limit 1`);
    expect(await givenTo(product)).toBe("datamart queued");
  });

  test("goes to the desk when that is the cheapest, and last when its cost is not known", async () => {
    const product = await priced();
    await change({ route_mtn: "desk,datamart,hubnet" });
    expect(await givenTo(product)).toBe("hubnet queued");
    await takes(product, "desk", 1800);
    expect(await givenTo(product)).toBe("desk queued");
  });
});

describe.each(["", "MTN"])("by cost %p: an order", (routes_by_cost) => {
  beforeEach(() => change({ routes_by_cost }));

  test("goes past whoever is known to take more than was paid, and to whom takes exactly that", async () => {
    const [product, exact] = [await newBundle(), await newBundle()];
    expect(await givenTo(product, () => takes(product, "datamart", 2091))).toBe("hubnet queued");
    expect(await givenTo(exact, () => takes(exact, "datamart", 2090))).toBe("datamart queued");
  });

  test("of three counts three times the cost", async () => {
    const product = await newBundle();
    const id = await shop.buy("0001", { product, quantity: 3 });
    await takes(product, "datamart", 2091);
    await route();
    expect(await attemptsOf(id)).toEqual(["hubnet queued"]);
  });

  test("stays with its route when its bundle is allowed below cost", async () => {
    const product = await newBundle();
    await costs.allow(db, { by, productId: product.id, reason: "Brings new agents" });
    await takes(product, "datamart", 2500);
    await takes(product, "hubnet", 2600);
    await takes(product, "africastalking", 2600);
    expect(await givenTo(product)).toBe("datamart queued");
  });

  test("goes to the desk when all take more, also where the route does not name it", async () => {
    const product = await newBundle();
    const allDear = async () => {
      for (const vendor of VENDORS) await takes(product, vendor, 2500);
    };
    expect(await givenTo(product, allDear)).toBe("desk queued");
    expect((await shop.story((await newest()).id)).timeline).toContain("At the desk, waiting to be sent");
  });

  test("goes past a desk that is known to take more", async () => {
    const product = await newBundle();
    await change({ route_mtn: "desk,hubnet" });
    expect(await givenTo(product, () => takes(product, "desk", 2500))).toBe("hubnet queued");
  });

  test("that a vendor has refused is not sent to a dearer one, but to the desk", async () => {
    const product = await newBundle();
    await change({ route_mtn: "datamart,hubnet" });
    // Out of stock.
    const id = await shop.buy("0010", { product });
    await takes(product, "hubnet", 2500);
    await route();
    await send();
    await route();
    expect(await attemptsOf(id)).toEqual(["datamart failed", "desk queued"]);
  });
});

const newest = async () => {
  const [row] = await db.execute<{ id: number }>(sql`select max(id)::int as id from orders`);
  return row!;
};

describe("a vendor that has come to take more than was paid", () => {
  test("is sent nothing that was sold before: it goes to the next, or to the desk", async () => {
    const [product, hopeless] = [await newBundle(), await newBundle()];
    const sold = await shop.buy("0001", { product });
    const lost = await shop.buy("0001", { product: hopeless });
    await route();
    expect([await attemptsOf(sold), await attemptsOf(lost)]).toEqual([["datamart queued"], ["datamart queued"]]);
    await takes(product, "datamart", 2500);
    for (const vendor of VENDORS) await takes(hopeless, vendor, 2500);
    await shop.work();
    expect(shop.callsTo("datamart")).toBe(0);
    expect(await attemptsOf(lost)).toEqual(["datamart withdrawn", "desk queued"]);
    await shop.pass(5 * MINUTE);
    expect(await shop.story(sold)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart withdrawn", "hubnet delivered"],
      paidPesewas: 2090,
    });
    expect((await shop.story(sold)).timeline).toContain(
      "Moved from DataMart GH to Hubnet, because it would have cost more than was paid",
    );
    expect(
      await count(
        db,
        sql`from audit_log where action = 'vendor.move_waiting' and (after->'orders') @> ${String(lost)}::jsonb`,
      ),
    ).toBe(1);
  });

  test("is left once by two workers at the same moment, and by the second server too", async () => {
    const product = await newBundle();
    const ids = await Promise.all(times(8, () => shop.buy("0001", { product })));
    await route();
    await takes(product, "datamart", 2500);
    await withSecondServer(world, async (other) => {
      await Promise.all([send(), send(other), send(), send(other)]);
    });
    expect(shop.callsTo("datamart")).toBe(0);
    for (const id of ids)
      expect((await attemptsOf(id)).map((one) => one.split(" ")[0])).toEqual(["datamart", "hubnet"]);
  });

  longTest("keeps what it may have, and what is allowed below cost", async () => {
    const [product, allowed] = [await newBundle(), await newBundle()];
    await costs.allow(db, { by, productId: allowed.id, reason: "Brings new agents" });
    const [again, kept] = [await shop.buy("0001", { product }), await shop.buy("0001", { product: allowed })];
    await route();
    // It was sent, and its vendor said that it never came.
    await db.execute(sql`update attempts set sends = 1, sent_at = now() where order_id = ${again}`);
    await takes(product, "datamart", 2500);
    await takes(allowed, "datamart", 2500);
    await send();
    await shop.pass(2 * MINUTE);
    expect([await attemptsOf(again), await attemptsOf(kept)]).toEqual([["datamart delivered"], ["datamart delivered"]]);
  });

  test("gets it back when its cost is corrected in time", async () => {
    const product = await newBundle();
    const id = await shop.buy("0001", { product });
    await route();
    await takes(product, "datamart", 2500);
    await takes(product, "datamart", 2000);
    await send();
    expect(await attemptsOf(id)).toEqual([expect.stringMatching(/^datamart (accepted|processing)$/)]);
  });
});

describe("the figures of vendors", () => {
  /** Rows of attempts that this connection has read so far. */
  const rowsRead = async (tx: Tx) => {
    const [row] = await tx.execute<{ rows: number }>(sql`
      select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
      from pg_stat_xact_user_tables where relname = 'attempts'`);
    return row!.rows;
  };
  const figureOf = async (vendor: string, on: Db = unmeasured()) =>
    (await vendorFigures(on)).find((one) => one.vendor === vendor);

  test("say how long nine of ten took and how many were unknown, of the last three days and by family", async () => {
    await hasSent("hubnet", { sent: 18, minutes: 10 });
    await hasSent("hubnet", { sent: 2, minutes: 50 });
    expect(await figureOf("hubnet")).toMatchObject({ family: "MTN", unknownPercent: 0 });
    // The ninth tenth lies between the two, nearer to ten minutes.
    expect((await figureOf("hubnet"))!.slowSeconds).toBeWithin(10 * MINUTE, 15 * MINUTE);
    await hasSent("hubnet", { sent: 5, minutes: 1, state: "unknown" });
    expect((await figureOf("hubnet"))!.unknownPercent).toBe(20);
    await db.execute(sql`update attempts set sent_at = sent_at - interval '3 days' where vendor = 'hubnet'`);
    expect(await figureOf("hubnet")).toBeUndefined();
  });

  test("are none for the desk, and null where fewer than ten were sent", async () => {
    await hasSent("desk", { sent: 12, minutes: 600 });
    await hasSent("hubnet", { sent: 9, minutes: 600 });
    expect(await vendorFigures(unmeasured())).toEqual([
      { vendor: "hubnet", family: "MTN", slowSeconds: null, unknownPercent: null },
    ]);
  });

  test("are measured once a minute, by a process", async () => {
    const on = unmeasured();
    expect(await figureOf("hubnet", on)).toBeUndefined();
    await hasSent("hubnet", { sent: 12, minutes: 10 });
    expect(await figureOf("hubnet", on)).toBeUndefined();
    expect(await figureOf("hubnet")).toBeDefined();
  });

  longTest("are read from the newest 20,000 attempts, however many there are", async () => {
    await hasSent("hubnet", { sent: 12, minutes: 10 });
    const { id: orderId } = await newest();
    const fill = (rows: number) =>
      db.execute(sql`
        insert into attempts (order_id, user_id, vendor, reference, state, sends, sent_at, ended_at)
        select ${orderId}, ${ama.id}, 'datamart', 'FILL' || gen_random_uuid(), 'failed', 1, now(), now()
        from generate_series(1, ${rows}::int)`);
    await fill(19_988);
    expect(await figureOf("hubnet")).toBeDefined();
    await fill(1);
    // Eleven are left of its twelve.
    expect(await figureOf("hubnet")).toBeDefined();
    await fill(60_000);
    await db.execute(sql`analyze attempts, orders`);
    expect(await figureOf("hubnet")).toBeUndefined();
    const read = await db.transaction(async (tx) => {
      const before = await rowsRead(tx);
      await vendorFigures(tx as unknown as Db);
      return (await rowsRead(tx)) - before;
    });
    expect(read).toBe(20_000);
    await db.execute(sql`delete from attempts where reference like 'FILL%'`);
  });
});
