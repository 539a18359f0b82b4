// "Process" assigns an order to a sender: the admin, as a batch under their name, or the route. And exporting new
// orders gives each to one admin, whatever its route, unless a sender already has it.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as newOrders from "../../../src/core/fulfilment/desk/new-orders.ts";
import * as holders from "../../../src/core/fulfilment/holders.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import type * as transitions from "../../../src/core/orders/transitions.ts";
import { count, lineFor, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openDelivering } from "../fulfilment/delivering.ts";

const shop = await openDelivering();
const { db, bundle, world, ama } = shop;
const by = world.yaw.by("admin");

const holderOf = async (id: number) => (await holders.ofOrders(db, [id])).get(id);
const orderOf = (id: number) => orderQueries.get(db, by, id);
const unpaid = async () =>
  (await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(bundle) })).answer.id;
const process = (id: number, more: Omit<Partial<transitions.TransitionRequest>, "to"> = {}) =>
  statusChanges.moveOne(db, { by, key: null, orderId: id, to: "PROCESSING", ...more });
const take = (on = db) => newOrders.take(on, { by, key: null, operator: null });
const countOf = async () => (await newOrders.count(db, null)).reduce((sum, one) => sum + one.count, 0);
const nobodySends = () =>
  count(
    db,
    sql`from orders o where status = 'PROCESSING' and not exists (select from attempts a
      where a.order_id = o.id and a.state not in ('failed', 'refunded', 'withdrawn'))`,
  );

describe("an order that an admin processes", () => {
  test("is in a desk batch under that admin's name, and no vendor gets it", async () => {
    const id = await shop.buy();
    expect((await process(id)).answer.status).toBe("PROCESSING");
    const holder = await holderOf(id);
    expect(holder).toMatchObject({ vendor: "desk", state: "processing", takenBy: "admin" });
    expect((await desk.batch(db, holder!.batchId!)).orders.map((order) => order.id)).toEqual([id]);
    await shop.pass(60);
    expect(shop.callsTo("datamart")).toBe(0);
    expect(await nobodySends()).toBe(0);
  });

  test("goes to its route at once when the admin chooses so, without the cancellation window", async () => {
    const id = await shop.buy();
    await db.execute(sql`update jobs set run_at = now() + interval '1 hour' where subject_id = ${id}`);
    expect((await process(id, { via: "route" })).answer.status).toBe("PENDING");
    await shop.pass(60);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", attempts: ["datamart delivered"] });
  });

  test("and was paid in cash has its delivery promise and its route like any other", async () => {
    const [byRoute, byHand] = [await unpaid(), await unpaid()];
    await process(byRoute, { via: "route", paidInCash: true });
    await process(byHand, { paidInCash: true });
    for (const id of [byRoute, byHand]) {
      const order = await orderOf(id);
      expect(order).toMatchObject({ paymentMethod: "cash" });
      expect(order.deliverBy!.getTime() - order.paidAt!.getTime()).toBe(1440 * 60_000);
    }
    await shop.pass(60);
    expect(await shop.story(byRoute)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart delivered"],
    });
    expect(await holderOf(byHand)).toMatchObject({ vendor: "desk", takenBy: "admin" });
  });

  test("is refused while a vendor is being called with it", async () => {
    const id = await shop.buy();
    await shop.work();
    await db.execute(sql`update orders set status = 'PENDING' where id = ${id}`);
    expect(await outcome(process(id))).toBe("order.handed_over");
    expect(await outcome(process(id, { via: "route" }))).toBe("order.handed_over");
    await db.execute(sql`update orders set status = 'PROCESSING' where id = ${id}`);
  });

  test("together with others is one batch, and a second admin who processes them gets none", async () => {
    const ids = [await shop.buy(), await shop.buy(), await shop.buy()];
    const both = await withSecondServer(world, (other) =>
      Promise.all([db, other].map((on) => statusChanges.move(on, { by, key: null, ids, to: "PROCESSING" }))),
    );
    const outcomes = both.flatMap(({ answer }) => answer.map(({ refusal }) => refusal ?? "moved"));
    expect(tally(outcomes)).toEqual({ moved: 3, "order.move_not_allowed": 3 });
    const held = await holders.ofOrders(db, ids);
    expect(new Set([...held.values()].map(({ batchId }) => batchId)).size).toBe(1);
    expect(await count(db, sql`from attempts where order_id in ${ids}`)).toBe(3);
  });

  longTest("at the moment when it is dispatched to its vendor has one of the two senders", async () => {
    for (let round = 0; round < 6; round++) {
      const id = await shop.buy();
      const [processed] = await Promise.all([outcome(process(id)), shop.work()]);
      await shop.work();
      const { attempts } = await shop.story(id);
      expect(["done", "order.handed_over", "order.move_not_allowed"]).toContain(processed);
      const alive = attempts.filter((attempt) => !attempt.endsWith("withdrawn"));
      expect(alive.length).toBe(1);
      expect(alive[0]!.startsWith("desk")).toBe(processed === "done");
    }
  });
});

describe("Export New Only", () => {
  const clear = async () => {
    if ((await countOf()) > 0) await take();
  };

  test("takes orders without a sender, whatever their route, and nobody can take or cancel them again", async () => {
    await clear();
    const unrouted = await shop.buy();
    await shop.routeBy("desk");
    const atDesk = await shop.buy();
    await shop.work();
    await db.execute(sql`update vendors set paused_for = 'admin', paused_at = now() where code = 'datamart'`);
    await shop.routeBy("datamart");
    const queued = await shop.buy();
    await shop.work();
    const late = await shop.buy();
    await unpaid();
    const { answer } = await take();
    const { orders: taken } = await desk.batch(db, answer.batchId);
    expect(taken.map(({ id }) => id)).toEqual([unrouted, atDesk, queued, late]);
    expect(taken.every(({ status }) => status === "PROCESSING")).toBe(true);
    expect(await outcome(take())).toBe("desk.nothing_waiting");
    const cancel = cancelling.cancel(db, { by: ama.by(), key: null, orderId: atDesk });
    expect(await outcome(cancel)).toBe("order.not_cancellable");
    await shop.pass(60);
    expect(shop.callsTo("datamart")).toBe(0);
    expect(await shop.story(queued)).toMatchObject({ attempts: ["datamart withdrawn", "desk processing"] });
  });

  test("leaves out orders with a vendor, in a batch, or about to be refunded", async () => {
    await clear();
    const atVendor = await shop.buy("0015");
    await shop.work();
    const inBatch = await shop.buy();
    await process(inBatch);
    const broken = await shop.buy();
    await db.execute(sql`update orders set deliver_by = now() where id = ${broken}`);
    expect((await shop.story(atVendor)).attempts).toEqual(["datamart processing"]);
    expect(await countOf()).toBe(0);
    expect(await outcome(take())).toBe("desk.nothing_waiting");
  });

  test("by many admins at once, at two servers, puts no order into two batches", async () => {
    await clear();
    const ids = [];
    for (const _ of times(12, String)) ids.push(await shop.buy());
    const ends = await withSecondServer(world, (other) =>
      Promise.allSettled(times(8, (i) => take(i % 2 ? db : other))),
    );
    const taken: number[] = [];
    for (const end of ends) {
      if (end.status === "rejected") expect(end.reason.code).toBe("desk.nothing_waiting");
      else taken.push(...(await desk.batch(db, end.value.answer.batchId)).orders.map(({ id }) => id));
    }
    expect(taken.toSorted((a, b) => a - b)).toEqual(ids);
  });

  test("counts by network, including orders routed to a vendor and those without a size in GB", async () => {
    await clear();
    const odd = await world.product("TELECEL", "1GB", "1.00");
    await db.execute(sql`update products set size = 'Unlimited', volume_mb = null where id = ${odd.id}`);
    await shop.buy();
    await shop.buy("0001", { product: odd, msisdn: "0201234567" });
    expect(await newOrders.count(db, null)).toEqual([
      { operator: "MTN", count: 1, forVendors: 0, oddSizes: 0 },
      { operator: "TELECEL", count: 1, forVendors: 0, oddSizes: 1 },
    ]);
    expect((await newOrders.count(db, "TELECEL")).length).toBe(1);
  });

  test("is only for admins", async () => {
    expect(await outcome(newOrders.take(db, { by: ama.by(), key: null, operator: null }))).toBe("auth.forbidden");
  });
});
