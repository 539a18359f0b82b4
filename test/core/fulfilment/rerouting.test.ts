// Moves of orders away from a vendor that died at noon: what was seen and was never sent goes, in one commit and once;
// what the vendor may have stays, and nobody gets data twice.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as dispatch from "../../../src/core/fulfilment/dispatch.ts";
import { applyReports } from "../../../src/core/fulfilment/outcomes.ts";
import * as rerouting from "../../../src/core/fulfilment/rerouting.ts";
import type { MoveTarget } from "../../../src/core/fulfilment/routing.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import type { BundleVendor } from "../../../src/core/fulfilment/vendor.ts";
import { vendorOverview } from "../../../src/core/fulfilment/vendor-overview.ts";
import * as vendors from "../../../src/core/fulfilment/vendors.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { count, hold, key, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { paidHoursAgo } from "../../support/past.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, world, bundle } = shop;
const by = world.yaw.by("admin");
const PRICE = bundle.pricePesewas;
const MINUTE = 60;
const small = await world.product("MTN", "1GB", "3.90");
const datamart = shop.vendor("datamart");

const pause = (code: string, note: string | null = "Dead at noon") => vendors.setPause(db, { by, code, note });
const attemptsOf = async (id: number) => (await shop.story(id)).attempts;
const route = () => routing.routeDue(db, shop.vendors, 500);
const send = (on: Db = db, vendor: BundleVendor = datamart) => dispatch.sendDue(on, vendor, () => null, shop.vendors);
const all = { code: "datamart", productIds: null, paidBefore: null };
const preview = (to: MoveTarget = "next", more: Partial<rerouting.Wanted> = {}) =>
  rerouting.preview(db, shop.vendors, { ...all, by, to, ...more });
type Move = Partial<Omit<Parameters<typeof rerouting.move>[1], "by">>;
const move = async (more: Move = {}, on: Db = db) => {
  const throughAttemptId = more.throughAttemptId ?? Number.MAX_SAFE_INTEGER;
  const command = { ...all, by, key: null, to: "next" as const, ...more, throughAttemptId };
  return (await rerouting.move(on, { ...command, vendors: shop.vendors })).answer;
};
/** Orders that wait for DataMart, which is paused. */
async function waiting(length: number, more: { product?: typeof small; quantity?: number } = {}) {
  const ids: number[] = [];
  for (const _ of times(length, () => 0)) ids.push(await shop.buy("0001", more));
  await route();
  return ids;
}

// Orders that another test has left waiting must not be moved in this one.
beforeEach(async () => {
  const left = await db.execute<{ id: number }>(sql`select order_id as id from attempts where state = 'queued'`);
  const ids = left.map(({ id }) => id);
  await statusChanges.move(db, { by, key: null, ids, to: "FAILED", reason: "Left by another test" });
  await shop.routeBy("datamart");
  await pause("datamart");
});

describe("a move to the next of the route", () => {
  longTest("does what its preview says, and the orders are delivered once by their promised time", async () => {
    const [first, second] = [await waiting(2), await waiting(1, { product: small })];
    const ids = [...first, ...second];
    const deadlines = () =>
      db.execute(sql`select id, deliver_by from orders where id = any(${sql.param(ids)}::bigint[]) order by id`);
    const promised = [...(await deadlines())];
    await shop.routeBy("datamart,hubnet");
    const seen = await preview();
    expect(seen).toMatchObject({
      ...{ orders: 3, pesewas: 2 * PRICE + 390, staying: 0, isMore: false },
      receivers: [{ vendor: "hubnet", orders: 3, pesewas: 2 * PRICE + 390 }],
      bundles: [
        { productId: bundle.id, orders: 2, pesewas: 2 * PRICE },
        { productId: small.id, orders: 1, pesewas: 390 },
      ],
    });
    for (const id of ids) expect(await attemptsOf(id)).toEqual(["datamart queued"]);
    const { throughAttemptId, isMore: _, ...promise } = seen;
    expect(await move({ throughAttemptId: throughAttemptId! })).toEqual(promise);
    for (const id of ids) expect(await attemptsOf(id)).toEqual(["datamart withdrawn", "hubnet queued"]);
    expect([...(await deadlines())]).toEqual(promised);
    await shop.pass(5 * MINUTE);
    for (const id of ids) {
      const story = await shop.story(id);
      expect(story).toMatchObject({
        status: "DELIVERED",
        attempts: ["datamart withdrawn", "hubnet delivered"],
      });
      expect(story.timeline[0]).toBe("Moved from DataMart GH to Hubnet, not sent before");
    }
    expect(shop.callsTo("datamart")).toBe(0);
    expect(
      await count(
        db,
        sql`from audit_log where action = 'vendor.move_waiting' and after = ${JSON.stringify({ orders: ids })}::jsonb`,
      ),
    ).toBe(1);
  });

  test("leaves those that nobody else sends now, also when the next is paused; the desk takes them", async () => {
    const ids = await waiting(2);
    await shop.routeBy("datamart,hubnet");
    await pause("hubnet");
    expect(await preview()).toMatchObject({ orders: 0, receivers: [], staying: 2 });
    expect(await move()).toMatchObject({ orders: 0, staying: 2 });
    for (const id of ids) expect(await attemptsOf(id)).toEqual(["datamart queued"]);
    expect(await move({ to: "desk" })).toMatchObject({ orders: 2, receivers: [{ vendor: "desk" }] });
    for (const id of ids) expect(await attemptsOf(id)).toEqual(["datamart withdrawn", "desk queued"]);
    const { answer } = await desk.take(db, { by, key: null, operator: "MTN", countMax: 10 });
    expect(answer.orders).toBe(2);
  });

  test("passes over a vendor that has failed the order", async () => {
    await pause("datamart", null);
    await shop.routeBy("hubnet,datamart");
    // Out of stock at Hubnet.
    const id = await shop.buy("0010");
    await route();
    await send(db, shop.vendor("hubnet"));
    await pause("datamart");
    await route();
    expect(await attemptsOf(id)).toEqual(["hubnet failed", "datamart queued"]);
    expect(await move()).toMatchObject({ orders: 0, staying: 1 });
    await shop.routeBy("hubnet,datamart,desk");
    expect(await move()).toMatchObject({ orders: 1 });
    expect(await attemptsOf(id)).toEqual(["hubnet failed", "datamart withdrawn", "desk queued"]);
  });

  test("may leave a vendor that is not paused, and one that is no longer configured", async () => {
    const [id] = await waiting(1);
    await pause("datamart", null);
    await shop.routeBy("datamart,hubnet");
    const others = shop.vendors.filter(({ code }) => code !== "datamart");
    const command = { ...all, by, key: null, to: "next" as const, throughAttemptId: Number.MAX_SAFE_INTEGER };
    expect((await rerouting.move(db, { ...command, vendors: others })).answer).toMatchObject({ orders: 1 });
    expect(await attemptsOf(id!)).toEqual(["datamart withdrawn", "hubnet queued"]);
    const unknown = rerouting.move(db, { ...command, vendors: others, code: "nobody" });
    await expect(unknown).rejects.toMatchObject({ code: "vendor.not_found" });
  });
});

describe("a move takes", () => {
  beforeEach(() => shop.routeBy("datamart,hubnet"));

  test("the chosen bundles alone", async () => {
    await shop.routeBy("datamart");
    const [[big], [little]] = [await waiting(1), await waiting(1, { product: small })];
    await shop.routeBy("datamart,hubnet");
    expect(await preview("next", { productIds: [small.id] })).toMatchObject({ orders: 1, pesewas: 390 });
    expect(await move({ productIds: [small.id] })).toMatchObject({ orders: 1, pesewas: 390 });
    expect([await attemptsOf(big!), (await attemptsOf(little!)).length]).toEqual([["datamart queued"], 2]);
  });

  test("those alone that were paid before a moment", async () => {
    await shop.routeBy("datamart");
    const [old, fresh] = await waiting(2);
    await shop.routeBy("datamart,hubnet");
    await paidHoursAgo(db, old!, 1);
    const paidBefore = new Date(Date.now() - 30 * 60_000);
    expect(await preview("next", { paidBefore })).toMatchObject({ orders: 1 });
    expect(await move({ paidBefore })).toMatchObject({ orders: 1 });
    expect([await attemptsOf(fresh!), (await attemptsOf(old!)).length]).toEqual([["datamart queued"], 2]);
  });

  test("nothing that came after its preview", async () => {
    await shop.routeBy("datamart");
    const [seen] = await waiting(1);
    const { throughAttemptId } = await preview();
    const [later] = await waiting(1);
    await shop.routeBy("datamart,hubnet");
    expect(await move({ throughAttemptId: throughAttemptId! })).toMatchObject({ orders: 1 });
    expect([await attemptsOf(later!), (await attemptsOf(seen!)).length]).toEqual([["datamart queued"], 2]);
  });

  test("each order once, however often the button is pressed, and nothing back by a second press", async () => {
    await shop.routeBy("datamart");
    const ids = await waiting(3);
    await shop.routeBy("datamart,hubnet");
    const pressed = await Promise.all(times(4, () => move({ key: key("one press", "POST move") })));
    for (const answer of pressed) expect(answer).toEqual(pressed[0]!);
    expect(pressed[0]).toMatchObject({ orders: 3 });
    expect(await move()).toMatchObject({ orders: 0, staying: 0 });
    for (const id of ids) expect(await attemptsOf(id)).toEqual(["datamart withdrawn", "hubnet queued"]);
  });

  longTest("nothing that the vendor may have, which is counted and named, and asked about as before", async () => {
    await pause("datamart", null);
    await shop.routeBy("datamart");
    const unclear = await shop.buy("0005");
    await shop.work();
    const again = await shop.buy("0006");
    await shop.work();
    // It was sent, never received, and is to be sent again under the same reference, which only this vendor can do.
    await db.execute(
      sql`update attempts set state = 'queued', due_at = now() + interval '1 hour' where order_id = ${again}`,
    );
    const confirmed = await shop.buy("0002");
    await shop.pass(MINUTE);
    await pause("datamart");
    const [lapsed, id] = await waiting(2);
    await shop.routeBy("datamart,hubnet");
    await db.execute(sql`update orders set deliver_by = now() - interval '1 minute' where id = ${lapsed!}`);
    const counts = { orders: 1, staying: 0, unclear: 1, overdue: 1 };
    expect(await preview("desk")).toMatchObject(counts);
    expect(await move({ to: "desk" })).toMatchObject(counts);
    expect((await attemptsOf(id!)).at(-1)).toBe("desk queued");
    expect(await attemptsOf(again)).toEqual(["datamart queued"]);
    expect(await attemptsOf(confirmed)).toEqual(["datamart processing"]);
    const overview = await vendorOverview(db, shop.vendors, "datamart");
    expect(overview.waiting.count).toBe(0);
    expect(overview.unclear.map(({ orderId }) => orderId)).toContain(again);
    expect(overview.confirmed.count).toBe(1);
    await shop.pass(5 * MINUTE);
    expect(await shop.story(unclear)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart delivered"],
      paidPesewas: PRICE,
    });
  });

  longTest("nothing past its deadline, nor what a vendor may have had before a restored backup", async () => {
    await shop.routeBy("datamart");
    const [overdue, restored, good] = await waiting(3);
    await shop.routeBy("datamart,hubnet");
    await db.execute(sql`update orders set deliver_by = now() where id = ${overdue!}`);
    await db.execute(
      sql`insert into settings (key, value) values ('restored_through_order', ${restored!}::text::jsonb)`,
    );
    const { waiting: waits } = await vendorOverview(db, shop.vendors, "datamart");
    expect(waits).toMatchObject({ count: 1, overdue: { count: 0 }, unclear: { count: 2 } });
    expect(await move({ to: "desk" })).toMatchObject({ orders: 1 });
    await db.execute(sql`delete from settings where key = 'restored_through_order'`);
    expect((await attemptsOf(good!)).at(-1)).toBe("desk queued");
    expect(await attemptsOf(restored!)).toEqual(["datamart queued"]);
    const { waiting: left } = await vendorOverview(db, shop.vendors, "datamart");
    expect(left).toMatchObject({ count: 1, overdue: { count: 1, pesewas: PRICE }, unclear: { count: 0 } });
    expect(await move({ to: "desk" })).toMatchObject({ orders: 1 });
    expect(await attemptsOf(overdue!)).toEqual(["datamart queued"]);
  });
});

describe("at the same moment", () => {
  beforeEach(() => shop.routeBy("datamart"));

  longTest("two moves of one queue, to the desk and to the next, move each order once", async () => {
    const ids = await waiting(6);
    await shop.routeBy("datamart,hubnet");
    await withSecondServer(world, async (other) => {
      const held = await hold(db, sql`select 1 from orders where id = ${ids[0]!} for update`);
      const both = [move({ to: "next" }), move({ to: "desk" }, other)];
      await held.waiting(2);
      await held.release();
      const [first, second] = await Promise.all(both);
      expect(first!.orders + second!.orders).toBe(6);
    });
    for (const id of ids) expect((await attemptsOf(id)).length).toBe(2);
  });

  longTest("a worker that has taken an order keeps it; what it has not taken is moved", async () => {
    const [taken, left] = await waiting(2);
    await shop.routeBy("datamart,hubnet");
    await pause("datamart", null);
    const inCall = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow: BundleVendor = {
      ...datamart,
      can: { ...datamart.can, batchMax: 1 },
      place: async (dispatches) => {
        inCall.resolve();
        await goOn.promise;
        return datamart.place(dispatches);
      },
    };
    const sending = send(db, slow);
    await inCall.promise;
    expect(await move()).toMatchObject({ orders: 1 });
    goOn.resolve();
    await sending;
    await shop.pass(5 * MINUTE);
    expect(await shop.story(taken!)).toMatchObject({ status: "DELIVERED", attempts: ["datamart delivered"] });
    expect(await shop.story(left!)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart withdrawn", "hubnet delivered"],
    });
  });

  test("an order that a worker takes while the move waits for it stays with the worker", async () => {
    const [id] = await waiting(1);
    await shop.routeBy("datamart,hubnet");
    // What a worker does in one commit: lock the order, and mark its attempt as being sent.
    const gate = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const worker = db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from orders where id = ${id!} for update`);
      isHeld.resolve();
      await gate.promise;
      await tx.execute(sql`update attempts set state = 'sending', sends = 1, sent_at = now() where order_id = ${id!}`);
    });
    await isHeld.promise;
    const moving = move();
    while (
      (await count(db, sql`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)) ===
      0
    )
      await Bun.sleep(5);
    gate.resolve();
    await worker;
    expect(await moving).toMatchObject({ orders: 0, staying: 0, unclear: 1 });
    expect(await attemptsOf(id!)).toEqual(["datamart sending"]);
  });

  longTest("workers and moves that race for many orders deliver each once", async () => {
    const ids = await waiting(16);
    await shop.routeBy("datamart,hubnet");
    await pause("datamart", null);
    await withSecondServer(world, async (other) => {
      await Promise.all([send(), move(), send(other), move({ to: "desk" }, other), send()]);
    });
    await desk.take(db, { by, key: null, operator: "MTN", countMax: 100 }).catch(() => {});
    await shop.pass(10 * MINUTE);
    const stories = await Promise.all(ids.map(shop.story));
    for (const { attempts } of stories) expect(attempts.filter((one) => !one.endsWith("withdrawn")).length).toBe(1);
  });
});

describe("a late answer of the vendor that was left", () => {
  async function refusedAndMoved(): Promise<{ id: number; attemptId: number }> {
    const [id] = await waiting(1);
    await pause("datamart", null);
    shop.simulator.switch({ floatEmpty: true });
    await send();
    shop.simulator.switch({ floatEmpty: false });
    expect(await attemptsOf(id!)).toEqual(["datamart queued"]);
    const [attempt] = await db.execute<{ id: number }>(sql`select id from attempts where order_id = ${id!}`);
    await shop.routeBy("datamart,hubnet");
    expect(await move()).toMatchObject({ orders: 1 });
    return { id: id!, attemptId: attempt!.id };
  }
  const lateDelivery = (attemptId: number) =>
    applyReports(db, datamart, [
      { attemptId, report: { kind: "state", state: "delivered", vendorReference: null, message: null } },
    ]);

  test("counts as the delivery while the next has not been called, which then is not", async () => {
    const { id, attemptId } = await refusedAndMoved();
    await lateDelivery(attemptId);
    await shop.pass(5 * MINUTE);
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart delivered", "hubnet withdrawn"],
      paidPesewas: PRICE,
      concerns: ["DataMart GH delivered it after it had failed"],
    });
    expect(shop.callsTo("hubnet")).toBe(0);
  });

  longTest("is shown to an admin once the next was called", async () => {
    const { id, attemptId } = await refusedAndMoved();
    await shop.pass(5 * MINUTE);
    await lateDelivery(attemptId);
    expect(await shop.story(id)).toMatchObject({
      status: "DELIVERED",
      attempts: ["datamart withdrawn", "hubnet delivered"],
      concerns: ["DataMart GH delivered it after it had failed"],
    });
  });

  test("about an order that was never sent changes nothing", async () => {
    const [id] = await waiting(1);
    const [attempt] = await db.execute<{ id: number }>(sql`select id from attempts where order_id = ${id!}`);
    await shop.routeBy("datamart,hubnet");
    await move();
    await lateDelivery(attempt!.id);
    expect(await attemptsOf(id!)).toEqual(["datamart withdrawn", "hubnet queued"]);
  });
});

test("a move that is cut off before its end has moved nothing", async () => {
  const ids = await waiting(3);
  await db.execute(
    sql.raw(`
    create function cut() returns trigger language plpgsql as $$
    begin if new.action = 'vendor.move_waiting' then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new; end $$;
    create trigger cut before insert on audit_log for each row execute function cut();`),
  );
  await expect(move({ to: "desk" })).rejects.toThrow();
  await db.execute(sql`drop function cut cascade`);
  for (const id of ids) expect(await attemptsOf(id)).toEqual(["datamart queued"]);
  expect(await move({ to: "desk" })).toMatchObject({ orders: 3 });
});

test("the page knows who paused a vendor and since when; one that paused itself has nobody", async () => {
  const overview = await vendorOverview(db, shop.vendors, "datamart");
  expect(overview).toMatchObject({ pausedBy: world.yaw.username, state: { pausedMessage: "Dead at noon" } });
  expect(Date.now() - overview.state.pausedAt!.getTime()).toBeLessThan(60_000);
  await pause("datamart", null);
  await db.transaction((tx) => vendors.pauseFor(tx, datamart, "key_refused", "Wrong key"));
  expect(await vendorOverview(db, shop.vendors, "datamart")).toMatchObject({
    pausedBy: null,
    state: { pausedFor: "key_refused", pausedMessage: "Wrong key" },
  });
  await expect(vendorOverview(db, shop.vendors, "nobody")).rejects.toMatchObject({
    code: "vendor.not_found",
  });
});
