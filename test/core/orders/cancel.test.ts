// Cancellation: an owner can cancel an order until it is dispatched. And expiry: orders that nobody pays expire.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { count, key, lineFor, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");
const kofi = await world.person("kofi", "GH₵ 10.00");

const requestOf = (person: Person) => ({ by: person.by(), key: null, line: lineFor(bundle) });
const paid = async () => (await orders.buy(db, requestOf(ama))).answer.order.id;
const unpaid = async () => (await unpaidOrders.create(db, requestOf(ama))).answer.id;
const cancel = (orderId: number, person: Person = ama, keyText: string | null = null, on = db) =>
  cancelling.cancel(on, { by: person.by(), key: keyText ? key(keyText, "cancel") : null, orderId });
const process = (orderId: number) => statusChanges.moveOne(db, { by: yaw.by(), key: null, orderId, to: "PROCESSING" });
const refundsOf = (orderId: number) =>
  count(db, sql`from transfers where reason = 'refund' and subject_id = ${orderId}`);

describe("an agent", () => {
  test("cancels a paid order of their own, and is refunded in the same commit", async () => {
    const before = await world.balanceOf(ama);
    const id = await paid();
    const { answer } = await cancel(id);
    expect(answer.order).toMatchObject({ status: "FAILED", note: "You cancelled this order" });
    expect(answer.order.refundedAt).toBeInstanceOf(Date);
    expect(answer.balancePesewas).toBe(before);
    expect(await refundsOf(id)).toBe(1);
    // The agent's own action has no entry in the admins' audit log, but one in the order's timeline.
    const events = await db.query.orderEvents.findMany({ where: (e, { eq }) => eq(e.orderId, id) });
    expect(events.map((e) => [e.fromStatus, e.toStatus, e.byUserId])).toEqual([["PENDING", "FAILED", ama.id]]);
    expect(await count(db, sql`from audit_log where subject_type = 'order' and subject_id = ${String(id)}`)).toBe(0);
  });

  test("cancels one that is not paid, without a refund", async () => {
    const before = await world.balanceOf(ama);
    const id = await unpaid();
    expect((await cancel(id)).answer.order).toMatchObject({ status: "FAILED", refundedAt: null });
    expect([await refundsOf(id), await world.balanceOf(ama)]).toEqual([0, before]);
  });

  test("cancels one whose online payment has just been confirmed", async () => {
    const id = await paid();
    await db.execute(sql`update orders set status = 'PAID' where id = ${id}`);
    await db.execute(sql`insert into order_count_deltas (status, delta) values ('PENDING', -1), ('PAID', 1)`);
    expect(await outcome(cancel(id))).toBe("done");
    expect(await refundsOf(id)).toBe(1);
  });

  test("can no longer cancel one that was dispatched or is finished", async () => {
    const id = await paid();
    for (const to of ["PROCESSING", "DELIVERED", "COMPLETED", "FAILED"] as const) {
      await statusChanges.moveOne(db, { by: yaw.by(), key: null, orderId: id, to });
      expect(await outcome(cancel(id))).toBe("order.not_cancellable");
    }
    expect(await refundsOf(id)).toBe(1);
  });

  test("cannot cancel somebody else's order, nor find out that it exists", async () => {
    const id = await paid();
    expect(await outcome(cancel(id, kofi))).toBe("order.not_found");
    expect(await outcome(cancel(id, yaw))).toBe("order.not_found");
    expect(await outcome(cancel(987_654_321))).toBe("order.not_found");
    expect(await refundsOf(id)).toBe(0);
  });
});

test("forty cancellations at once are one refund, also at two servers", async () => {
  const id = await paid();
  const before = await world.balanceOf(ama);
  const outcomes = await withSecondServer(world, (other) =>
    Promise.all(times(40, (i) => outcome(cancel(id, ama, null, i % 2 ? db : other)))),
  );
  expect(tally(outcomes)).toEqual({ done: 1, "order.not_cancellable": 39 });
  expect([await refundsOf(id), await world.balanceOf(ama)]).toEqual([1, before + 390]);
});

test("forty cancellations under one key are one refund and forty equal answers", async () => {
  const id = await paid();
  const answers = await Promise.all(times(40, () => cancel(id, ama, "cancel-once")));
  expect(answers.filter((a) => !a.replayed)).toHaveLength(1);
  for (const { answer } of answers) expect(answer).toEqual(answers[0]!.answer);
  expect(await refundsOf(id)).toBe(1);
});

longTest("when the owner cancels and an admin takes the order at the same moment, exactly one succeeds", async () => {
  const ids = await Promise.all(times(30, paid));
  const before = await world.balanceOf(ama);
  const both = await Promise.all(
    ids.map(async (id, i) => {
      const asks = [() => outcome(cancel(id)), () => outcome(process(id))];
      const [first, second] = i % 2 ? asks : asks.toReversed();
      const [a, b] = await Promise.all([first!(), second!()]);
      return i % 2 ? { cancelled: a, processed: b } : { cancelled: b, processed: a };
    }),
  );
  const cancelled = both.filter((one) => one.cancelled === "done");
  for (const { cancelled, processed } of both) {
    expect([
      ["done", "order.move_not_allowed"],
      ["order.not_cancellable", "done"],
    ]).toContainEqual([cancelled, processed]);
  }
  expect(await world.balanceOf(ama)).toBe(before + 390 * cancelled.length);
});

describe("an order that is not paid", () => {
  const age = (id: number, interval: string) =>
    db.execute(sql`update orders set created_at = now() - ${interval}::interval where id = ${id}`);
  const statusOf = async (id: number) =>
    (await db.query.orders.findFirst({ where: (o, { eq }) => eq(o.id, id) }))!.status;

  test("expires after 24 hours, without a refund; a newer or a paid one stays", async () => {
    const [old, young, oldButPaid] = [await unpaid(), await unpaid(), await paid()];
    await age(old, "24 hours 1 minute");
    await age(young, "23 hours 59 minutes");
    await age(oldButPaid, "3 days");
    const before = await world.balanceOf(ama);
    expect(await unpaidOrders.expire(db)).toBe(1);
    expect(await unpaidOrders.expire(db)).toBe(0);
    expect(await Promise.all([old, young, oldButPaid].map(statusOf))).toEqual(["FAILED", "PENDING", "PENDING"]);
    expect(await world.balanceOf(ama)).toBe(before);
    const events = await db.query.orderEvents.findMany({ where: (e, { eq }) => eq(e.orderId, old) });
    expect(events).toMatchObject([
      { toStatus: "FAILED", channel: "system", byUserId: null, note: "Not paid within 24 hours" },
    ]);
  });

  longTest("that is paid at the moment it expires is paid or expired, never both", async () => {
    const ids = await Promise.all(times(16, unpaid));
    await Promise.all(ids.map((id) => age(id, "25 hours")));
    const spends = ids.map((orderId) => outcome(unpaidOrders.spend(db, { by: ama.by(), key: null, orderId })));
    const [paidOrNot] = await Promise.all([Promise.all(spends), unpaidOrders.expire(db), unpaidOrders.expire(db)]);
    const statuses = await Promise.all(ids.map(statusOf));
    for (const [i, word] of paidOrNot.entries()) {
      expect([
        ["done", "PENDING"],
        ["order.not_payable", "FAILED"],
      ]).toContainEqual([word, statuses[i]!]);
    }
  });
});
