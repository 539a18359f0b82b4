// Delivery deadlines: overdue orders are refunded unless a vendor or a desk batch is confirmed to hold them; a delivery
// after a refund is recorded as a loss; and agents with too many losses are refunded by admins only.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { attention, settleConcern } from "../../../src/core/fulfilment/attention.ts";
import * as deadlines from "../../../src/core/fulfilment/deadlines.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as holders from "../../../src/core/fulfilment/holders.ts";
import { applyReports } from "../../../src/core/fulfilment/outcomes.ts";
import * as losses from "../../../src/core/orders/losses.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { parseResults } from "../../../src/shared/lists/result-lines.ts";
import { count, outcome } from "../../support/asking.ts";
import { reportNow } from "../../support/desk.ts";
import { paidHoursAgo } from "../../support/past.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, simulator, bundle, world, ama } = shop;
const PRICE = bundle.pricePesewas;
const MINUTE = 60;
const HOUR = 3600;
const by = world.yaw.by("admin");

const orderOf = (id: number) => orderQueries.get(db, by, id);
const outlookOf = async (id: number) => deadlines.outlook(db, await orderOf(id));
const lossesOf = async () => (await losses.list(db, { limit: 50 })).map(({ orderId }) => orderId);
const take = async () => (await desk.take(db, { by, key: null, operator: "MTN", countMax: 10 })).answer.batchId;
const report = async (batchId: number, id: number, outcome: string) => {
  const { lines } = parseResults(`${(await orderOf(id)).msisdn},${outcome}`);
  return reportNow(db, { by, batchId, lines });
};
/** No vendor answers status checks. */
const silence = () => simulator.fault("*", "http500", 10_000);
const waitOf = async (id: number) => {
  const { timeline } = await shop.story(id);
  return timeline.filter((note) => note.includes("by the promised time"));
};

describe("an order that a vendor holds", () => {
  test("is not refunded at its deadline: it waits, its agent is notified once, and pays if it arrives", async () => {
    await shop.promise(60);
    const before = await world.balanceOf(ama);
    const id = await shop.buy("0011");
    await shop.pass(5 * MINUTE);
    expect(await outlookOf(id)).toMatchObject({ state: "number_held" });
    await shop.pass(25 * HOUR, HOUR);
    expect(await shop.story(id)).toMatchObject({ attempts: ["datamart held"], paidPesewas: PRICE });
    expect(await waitOf(id)).toEqual([
      expect.stringMatching(/is holding this order until the number can receive it.*We wait until \d\d:\d\d on /),
    ]);
    await shop.pass(50 * HOUR, HOUR);
    expect(simulator.deliveries().length).toBe(1);
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", concerns: [] });
    expect(await world.balanceOf(ama)).toBe(before - PRICE);
  });

  test("waits, too, when the vendor confirms only after the deadline that it is processing it", async () => {
    await shop.promise(60);
    const id = await shop.buy("0015");
    await shop.pass(65 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING", paidPesewas: PRICE });
    expect(await outlookOf(id)).toMatchObject({ state: "with_network" });
    expect((await waitOf(id)).length).toBe(1);
    await simulator.move(await shop.referenceOf(id), "completed");
    await shop.work();
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });

  test("is decided by an admin after the vendor's own deadline, with a refund as one choice", async () => {
    await shop.promise(60);
    const id = await shop.buy("0015");
    await shop.pass(71 * HOUR, HOUR);
    expect((await attention(db)).overdue).toEqual([]);
    await shop.pass(2 * HOUR, HOUR);
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING", paidPesewas: PRICE });
    const [row] = (await attention(db)).overdue;
    expect(row).toMatchObject({ order: { id, username: "ama" }, holder: { vendor: "datamart" } });
    expect(row!.deadline!.getTime()).toBeLessThan(Date.now());
    expect(await outlookOf(id)).toMatchObject({ state: "checking" });
    await shop.move(id, "FAILED");
    expect(await shop.story(id)).toMatchObject({ status: "FAILED", paidPesewas: 0 });
  });

  test("and then fails is refunded after all", async () => {
    await shop.promise(60);
    const id = await shop.buy("0015");
    await shop.pass(65 * MINUTE);
    await simulator.move(await shop.referenceOf(id), "failed");
    await shop.work();
    expect(await shop.story(id)).toMatchObject({ status: "FAILED", paidPesewas: 0 });
  });
});

describe("an order in an unknown state", () => {
  test("is refunded after a last status check; a later delivery is a concern and a loss, but no charge", async () => {
    await shop.promise(60);
    const id = await shop.buy("0015");
    await shop.pass(59 * MINUTE);
    silence();
    await shop.pass(4 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "FAILED", paidPesewas: 0, concerns: [] });
    expect(await lossesOf()).toEqual([]);
    simulator.reset();
    const vendor = shop.vendor("datamart");
    const [attempt] = await db.execute<{ id: number }>(sql`select id from attempts where order_id = ${id}`);
    const report = {
      kind: "state",
      state: "delivered",
      vendorReference: null,
      costPesewas: 1990,
      message: null,
    } as const;
    for (const _ of [1, 2]) await applyReports(db, vendor, [{ attemptId: attempt!.id, report: report }]);
    expect(await shop.story(id)).toMatchObject({
      status: "FAILED",
      attempts: ["datamart delivered"],
      paidPesewas: 0,
      concerns: ["Delivered after the refund"],
    });
    const [loss, ...others] = await losses.list(db, { limit: 10 });
    expect(others).toEqual([]);
    expect(loss).toMatchObject({
      orderId: id,
      username: "ama",
      vendor: "datamart",
      amountPesewas: PRICE,
      costPesewas: 1990,
      note: null,
    });
  });

  test("is shown as being checked during the last status check, and as promised before the deadline", async () => {
    await shop.promise(60);
    const id = await shop.buy("0015");
    const fresh = await outlookOf(id);
    expect(fresh).toMatchObject({ state: "promised" });
    expect(fresh!.message).toMatch(/^If it has not arrived by \d\d:\d\d( on .+)?, we refund you\.$/);
    await shop.pass(MINUTE);
    expect((await outlookOf(id))!.message).toContain("If the network confirms that it is on its way, we wait");
  });
});

describe("an open desk batch", () => {
  beforeEach(async () => {
    await shop.routeBy("desk");
    await shop.promise(60);
    await db.execute(sql`update attempts set state = 'withdrawn', ended_at = now() where state = 'queued'`);
  });
  const inBatch = async () => {
    const id = await shop.buy("0001");
    await shop.work();
    return { id, batchId: await take() };
  };

  test("is not refunded at the deadline, and its results are accepted after it", async () => {
    const { id, batchId } = await inBatch();
    expect(await outlookOf(id)).toMatchObject({ state: "being_sent" });
    await shop.pass(61 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING", paidPesewas: PRICE });
    expect(await waitOf(id)).toEqual([expect.stringContaining("Our team is sending this order by hand")]);
    expect(await report(batchId, id, "delivered")).toMatchObject({
      delivered: [id],
      lost: [],
      unmatched: [],
    });
    expect(await shop.story(id)).toMatchObject({ status: "DELIVERED", paidPesewas: PRICE });
  });

  test("is listed under Attention before and after its deadline, the most overdue first", async () => {
    const first = await inBatch();
    await shop.pass(40 * MINUTE);
    const second = await inBatch();
    const due = async () =>
      (await desk.openBatches(db, by)).filter((one) => desk.dueState(one) !== "in time").map(({ id }) => id);
    expect(await due()).toEqual([]);
    await shop.pass(55 * MINUTE);
    expect(await due()).toEqual([first.batchId]);
    await shop.pass(2 * HOUR);
    expect(await due()).toEqual([first.batchId, second.batchId]);
    expect(await outlookOf(first.id)).toMatchObject({ state: "checking" });
    for (const { id, batchId } of [first, second]) await report(batchId, id, "delivered");
    expect(await due()).toEqual([]);
  });

  test("that is released after the deadline is refunded, because nobody holds it any more", async () => {
    const { id, batchId } = await inBatch();
    await shop.pass(61 * MINUTE);
    await desk.release(db, { by, batchId });
    await shop.work();
    expect(await shop.story(id)).toMatchObject({ status: "FAILED", paidPesewas: 0 });
  });

  test("accepts the result of an order that an admin refunded: one loss, under the batch", async () => {
    const { id, batchId } = await inBatch();
    await shop.move(id, "FAILED");
    expect((await desk.batch(db, batchId)).orders).toMatchObject([{ id, isOpen: false, isRefunded: true }]);
    expect(await report(batchId, id, "delivered")).toMatchObject({
      delivered: [],
      lost: [id],
      unmatched: [],
    });
    expect(await report(batchId, id, "delivered")).toMatchObject({ lost: [] });
    expect(await losses.list(db, { limit: 10 })).toMatchObject([
      { orderId: id, vendor: "desk", deskBatchId: batchId, amountPesewas: PRICE },
    ]);
    expect(await shop.story(id)).toMatchObject({
      status: "FAILED",
      attempts: ["desk delivered"],
      paidPesewas: 0,
      concerns: ["Delivered after the refund"],
    });
    expect((await losses.totals(db)).byAgent).toMatchObject([
      { name: "ama", count: 1, recentCount: 1, amountPesewas: PRICE },
    ]);
  });

  test("and two results at once, while an admin refunds it, end in a delivery or a loss, never both", async () => {
    for (let round = 0; round < 6; round++) {
      const { id, batchId } = await inBatch();
      await Promise.all([
        report(batchId, id, "delivered"),
        outcome(statusChanges.moveOne(db, { by, key: null, orderId: id, to: "FAILED" })),
        report(batchId, id, "delivered"),
      ]);
      const { status } = await orderOf(id);
      const isLost = (await lossesOf()).includes(id);
      // An admin who refunds a delivered order does so knowingly, which is not a loss.
      if (isLost) expect(status).toBe("FAILED");
      else expect(["DELIVERED", "FAILED"]).toContain(status);
      expect(await count(db, sql`from losses where order_id = ${id}`)).toBeLessThanOrEqual(1);
      await db.execute(sql`delete from losses`);
    }
  });
});

describe("an agent with two losses in thirty days", () => {
  const lose = async (id: number) => {
    await db.execute(sql`
      insert into losses (order_id, user_id, attempt_id, vendor, amount_pesewas)
      select id, user_id, 0, 'datamart', amount_pesewas from orders where id = ${id}`);
  };
  const loseTwo = async () => {
    for (const _ of [1, 2]) {
      const id = await shop.buy();
      await shop.work();
      await shop.move(id, "FAILED");
      await lose(id);
    }
  };

  test("is refunded by admins only, and listed under Attention with that reason", async () => {
    await shop.promise(60);
    await loseTwo();
    await shop.routeBy("hubnet");
    const id = await shop.buy("0006");
    expect((await outlookOf(id))!.message).toContain("our team decides about a refund");
    await shop.pass(3 * HOUR);
    expect(await shop.story(id)).toMatchObject({ status: "PROCESSING", paidPesewas: PRICE });
    const row = (await attention(db)).overdue.find(({ order }) => order.id === id);
    expect(row).toMatchObject({ isForPerson: true, order: { username: "ama" } });
    await shop.move(id, "FAILED");
    expect(await shop.story(id)).toMatchObject({ status: "FAILED", paidPesewas: 0 });
  });

  test("is refunded automatically again when they are older; a single one changes nothing", async () => {
    await shop.promise(60);
    await loseTwo();
    await db.execute(sql`update losses set created_at = now() - interval '31 days'
      where id = (select max(id) from losses)`);
    await shop.routeBy("hubnet");
    const id = await shop.buy("0006");
    await shop.pass(65 * MINUTE);
    expect(await shop.story(id)).toMatchObject({ status: "FAILED", paidPesewas: 0 });
  });
});

describe("Attention", () => {
  test("lists an order before its deadline, with its agent, its holder, and its deadline", async () => {
    await shop.promise(60);
    const id = await shop.buy("0015");
    await shop.pass(10 * MINUTE);
    const late = async () => (await attention(db)).late.find(({ order }) => order.id === id);
    const waited = (minutes: number) =>
      db.transaction((tx) =>
        tx.execute(sql`update orders set deliver_by = paid_at + make_interval(mins => ${minutes}) where id = ${id}`),
      );
    await paidHoursAgo(db, id, 1);
    await waited(120);
    expect(await late()).toBeUndefined();
    await waited(75);
    expect(await late()).toMatchObject({
      order: { username: "ama" },
      holder: { vendor: "datamart", state: "processing" },
      isForPerson: false,
    });
    expect((await late())!.deadline).toEqual((await orderOf(id)).deliverBy);
  });

  test("dismisses a loss only with a note, which the loss, the timeline and the audit log keep", async () => {
    const id = await shop.buy();
    await shop.pass(1);
    await shop.move(id, "FAILED");
    await shop.pass(MINUTE);
    const [loss] = await losses.list(db, { limit: 2 }, { isOpen: true });
    expect(loss!.orderId).toBe(id);
    const dismiss = (note: string) => settleConcern(db, { by, attemptId: loss!.attemptId, note });
    expect(await outcome(dismiss("  "))).toBe("request.invalid");
    expect(await lossesOf()).toEqual([id]);
    await dismiss("The agent was called and paid again");
    expect(await losses.list(db, { limit: 1 }, { isOpen: true })).toEqual([]);
    expect((await attention(db)).concerns.map(({ order }) => order.id)).not.toContain(id);
    expect(await losses.list(db, { limit: 1 })).toMatchObject([
      { note: "The agent was called and paid again", settledBy: "admin" },
    ]);
    const seen = async (reader: typeof by) => (await orderQueries.events(db, reader, id)).map(({ note }) => note);
    expect((await seen(by)).at(-1)).toContain("The agent was called and paid again");
    expect((await seen(ama.by())).join()).not.toContain("The agent was called");
  });
});

test("an order's holder is a vendor, a batch or a queue, which decides whether it may still be delivered", async () => {
  const holderOf = async (id: number) => (await holders.ofOrders(db, [id])).get(id);
  const id = await shop.buy("0015");
  expect(holders.mayDeliver(await holderOf(id))).toBe(false);
  await shop.pass(MINUTE);
  const holder = await holderOf(id);
  expect(holder).toMatchObject({ vendor: "datamart", batchId: null });
  expect(holder!.confirmedAt).toBeInstanceOf(Date);
  expect(holders.mayDeliver(holder)).toBe(true);
  await shop.routeBy("desk");
  const byHand = await shop.buy();
  await shop.work();
  expect(holders.mayDeliver(await holderOf(byHand))).toBe(false);
  const batchId = await take();
  expect(await holderOf(byHand)).toMatchObject({ vendor: "desk", batchId, takenBy: "admin" });
  expect(holders.mayDeliver(await holderOf(byHand))).toBe(true);
});
