// Transitions of orders and the money that goes with them: one refund on failure, and cash under the admin's name.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import {
  ADMIN_TARGETS,
  type AdminTarget,
  type OrderStatus,
  STATUSES,
  TRANSITIONS,
} from "../../../src/shared/domain.ts";
import { count, key, lineFor, outcome, refusal, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");

async function paid(person: Person = ama): Promise<number> {
  const ask = { by: person.by(), key: null, line: lineFor(bundle) };
  return (await orders.buy(db, ask)).answer.order.id;
}
async function unpaid(person: Person = ama): Promise<number> {
  const ask = { by: person.by(), key: null, line: lineFor(bundle) };
  return (await unpaidOrders.create(db, ask)).answer.id;
}
const move = (orderId: number, to: AdminTarget, more: { paidInCash?: boolean; reason?: string; key?: string } = {}) =>
  statusChanges.moveOne(db, {
    by: yaw.by("admin"),
    orderId,
    to,
    ...more,
    key: more.key ? key(more.key, "move") : null,
  });
const refundsOf = (orderId: number) =>
  count(db, sql`from transfers where reason = 'refund' and subject_id = ${orderId}`);
const statusOf = async (orderId: number) =>
  (await db.query.orders.findFirst({ where: (o, { eq }) => eq(o.id, orderId) }))!.status;

/** The steps that lead a paid order to a status. PAID comes from an online payment, so the test sets it. */
async function paidOrderIn(status: OrderStatus): Promise<number> {
  const id = await paid();
  if (status === "PAID") {
    await db.execute(sql`update orders set status = 'PAID' where id = ${id}`);
    await db.execute(sql`insert into order_count_deltas (status, delta) values ('PENDING', -1), ('PAID', 1)`);
  } else if (status === "DELIVERED") {
    await move(id, "PROCESSING");
    await move(id, "DELIVERED");
  } else if (status !== "PENDING") await move(id, status as AdminTarget);
  return id;
}

const refusalTo = (to: OrderStatus) =>
  (ADMIN_TARGETS as readonly OrderStatus[]).includes(to) ? "order.move_not_allowed" : "request.invalid";

describe("transitions of paid orders", () => {
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      const isAllowed = TRANSITIONS[from].includes(to);
      test(`${from} → ${to} is ${isAllowed ? "allowed" : "refused"}`, async () => {
        const id = await paidOrderIn(from);
        const before = await world.balanceOf(ama);
        const refunds = await refundsOf(id);
        expect(await outcome(move(id, to as AdminTarget))).toBe(isAllowed ? "done" : refusalTo(to));
        expect(await statusOf(id)).toBe(isAllowed ? to : from);
        const isRefunded = isAllowed && to === "FAILED";
        expect(await world.balanceOf(ama)).toBe(before + (isRefunded ? 390 : 0));
        expect(await refundsOf(id)).toBe(refunds + (isRefunded ? 1 : 0));
      });
    }
  }
});

describe("an order that is not paid", () => {
  for (const to of ["PROCESSING", "COMPLETED"] as const) {
    test(`becomes ${to} only when an admin states that it was paid in cash, recorded by name`, async () => {
      const id = await unpaid();
      expect(await outcome(move(id, to))).toBe("order.unpaid");
      expect(await statusOf(id)).toBe("PENDING");
      const before = await world.balanceOf(ama);
      const { answer } = await move(id, to, { paidInCash: true });
      expect(answer).toMatchObject({ status: to, paymentMethod: "cash" });
      expect(answer.paidAt).toBeInstanceOf(Date);
      expect(await world.balanceOf(ama)).toBe(before);
      const [transfer] = await db.query.transfers.findMany({
        where: (t, { and, eq }) => and(eq(t.subjectId, id), eq(t.reason, "cash_sale")),
      });
      expect(transfer).toMatchObject({
        debit: "cash",
        credit: "sales",
        amountPesewas: 390,
        byUserId: yaw.id,
      });
      // A cash payment is refunded to the wallet.
      await move(id, "FAILED");
      expect(await world.balanceOf(ama)).toBe(before + 390);
    });
  }

  test("does not become DELIVERED even when it was paid in cash: that transition does not exist", async () => {
    expect(await outcome(move(await unpaid(), "DELIVERED", { paidInCash: true }))).toBe("order.move_not_allowed");
  });

  test("fails without a refund, and FAILED is final for it, too", async () => {
    const id = await unpaid();
    const before = await world.balanceOf(ama);
    const { answer } = await move(id, "FAILED", { reason: "never paid" });
    expect(answer).toMatchObject({ status: "FAILED", paidAt: null, refundedAt: null, note: "never paid" });
    expect([await refundsOf(id), await world.balanceOf(ama)]).toEqual([0, before]);
    for (const to of ADMIN_TARGETS) {
      expect(await outcome(move(id, to, { paidInCash: true }))).toBe("order.move_not_allowed");
    }
  });

  test("stating cash for one that is already paid does not change its payment", async () => {
    const id = await paid();
    expect((await move(id, "PROCESSING", { paidInCash: true })).answer.paymentMethod).toBe("wallet");
    expect(await count(db, sql`from transfers where reason = 'cash_sale' and subject_id = ${id}`)).toBe(0);
  });
});

test("forty admins who fail one order at once cause one refund, also at two servers", async () => {
  const id = await paidOrderIn("COMPLETED");
  const before = await world.balanceOf(ama);
  const outcomes = await withSecondServer(world, (other) =>
    Promise.all(
      times(40, (i) =>
        outcome(statusChanges.moveOne(i % 2 ? db : other, { by: yaw.by(), key: null, orderId: id, to: "FAILED" })),
      ),
    ),
  );
  expect(tally(outcomes)).toEqual({ done: 1, "order.move_not_allowed": 39 });
  expect(await refundsOf(id)).toBe(1);
  expect(await world.balanceOf(ama)).toBe(before + 390);
});

test("a bulk transition has a result for each order: done, or refused with the reason and unchanged", async () => {
  const [pending, delivered, failed, waiting] = [
    await paid(),
    await paidOrderIn("DELIVERED"),
    await paidOrderIn("FAILED"),
    await unpaid(),
  ];
  const ids = [pending, delivered, failed, waiting, 987_654_321, pending];
  const { answer } = await statusChanges.move(db, { by: yaw.by(), key: null, ids, to: "PROCESSING" });
  expect(answer).toEqual([
    { id: pending, status: "PROCESSING", refusal: null },
    { id: delivered, status: "DELIVERED", refusal: "order.move_not_allowed" },
    { id: failed, status: "FAILED", refusal: "order.move_not_allowed" },
    { id: waiting, status: "PENDING", refusal: "order.unpaid" },
    { id: 987_654_321, status: null, refusal: "order.not_found" },
  ]);
  expect(await Promise.all([pending, delivered, failed, waiting].map(statusOf))).toEqual([
    "PROCESSING",
    "DELIVERED",
    "FAILED",
    "PENDING",
  ]);
});

test("bulk transitions of the same orders at once, in opposite order, refund each order once", async () => {
  const kofi = await world.person("kofi", "GH₵ 50.00");
  const ids = [...(await Promise.all(times(10, () => paid(kofi)))), ...(await Promise.all(times(10, () => paid())))];
  const before = await world.balanceOf(ama);
  const asks = times(6, (i) =>
    statusChanges.move(db, { by: yaw.by(), key: null, ids: i % 2 ? ids : ids.toReversed(), to: "FAILED" }),
  );
  const moved = (await Promise.all(asks)).flatMap(({ answer }) => answer.filter((r) => r.refusal === null));
  expect(moved).toHaveLength(20);
  expect(await world.balanceOf(kofi)).toBe(5000);
  expect(await world.balanceOf(ama)).toBe(before + 3900);
});

longTest("ten thousand orders are failed at once, and refunded", async () => {
  const esi = await world.person("esi", "GH₵ 40000.00");
  const lines = times(10_000, () => lineFor(bundle));
  const { answer } = await buyBulk(db, { by: esi.by(), key: null, lines });
  const ids = answer.orders.map(({ id }) => id);
  const moved = await statusChanges.move(db, {
    by: yaw.by("admin"),
    key: null,
    ids,
    to: "FAILED",
    reason: "No stock",
  });
  expect(tally(moved.answer.map(({ refusal }) => refusal ?? "moved"))).toEqual({ moved: 10_000 });
  expect(await world.balanceOf(esi)).toBe(4_000_000);
  expect(await count(db, sql`from order_events where order_id = any(${sql.param(ids)}::bigint[])`)).toBe(10_000);
});

test("a transition under a key is done once and gets the same answer again; other content is refused", async () => {
  const id = await paid();
  const first = await move(id, "PROCESSING", { key: "once" });
  await move(id, "DELIVERED");
  expect(await move(id, "PROCESSING", { key: "once" })).toEqual({ ...first, replayed: true });
  expect(await outcome(move(id, "FAILED", { key: "once" }))).toBe("request.key_reused");
  expect(await statusOf(id)).toBe("DELIVERED");
});

test("an agent can change no status, not even of their own order", async () => {
  const id = await paid();
  const ask = { by: ama.by(), key: null, to: "COMPLETED" as const };
  expect(await outcome(statusChanges.moveOne(db, { ...ask, orderId: id }))).toBe("auth.forbidden");
  expect(await outcome(statusChanges.move(db, { ...ask, ids: [id] }))).toBe("auth.forbidden");
  expect(await statusOf(id)).toBe("PENDING");
});

test("an order that does not exist is not found, and a refused transition names the current status", async () => {
  expect(await outcome(move(987_654_321, "FAILED"))).toBe("order.not_found");
  const refused = await refusal(move(await paidOrderIn("COMPLETED"), "PROCESSING"));
  expect(refused.details).toEqual({ status: "COMPLETED" });
});

test("every transition is in the timeline and in the audit log, with who, from, to and the reason", async () => {
  const id = await paid();
  await move(id, "PROCESSING");
  await move(id, "FAILED", { reason: "The number is not on the network" });
  const events = await db.query.orderEvents.findMany({ where: (e, { eq }) => eq(e.orderId, id) });
  expect(events.map((e) => [e.fromStatus, e.toStatus, e.note, e.byUserId, e.channel])).toEqual([
    ["PENDING", "PROCESSING", null, yaw.id, "admin"],
    ["PROCESSING", "FAILED", "The number is not on the network", yaw.id, "admin"],
  ]);
  const entries = await db.query.auditLog.findMany({
    where: (a, { and, eq }) => and(eq(a.subjectType, "order"), eq(a.subjectId, String(id))),
  });
  expect(entries.map((a) => [a.action, a.byUserId, a.before, a.after])).toEqual([
    ["order.move", yaw.id, { status: "PENDING" }, { status: "PROCESSING", reason: null }],
    ["order.move", yaw.id, { status: "PROCESSING" }, { status: "FAILED", reason: "The number is not on the network" }],
  ]);
});
