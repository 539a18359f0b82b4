// Disputes: an order is reported as not received once and in time, is not completed meanwhile, and ends once, as
// delivered or with a refund.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { sweep } from "../../../src/app/worker.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as deadlines from "../../../src/core/fulfilment/deadlines.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import * as support from "../../../src/core/support/requests.ts";
import { count, databaseRefusal, key, lineFor, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");
const kofi = await world.person("kofi", "GH₵ 900.00");
const esi = await world.person("esi", undefined, ["ADMIN"]);
const by = yaw.by("admin");
// The bound of automatic refunds has its own tests.
await settings.change(db, {
  by,
  values: { automatic_refunds_orders: 1000, automatic_refunds_pesewas: 1_000_000 },
});

async function orderAt(to: "PROCESSING" | "DELIVERED" | "COMPLETED", buyer = ama): Promise<number> {
  const ask = { by: buyer.by(), key: null, line: lineFor(bundle), allowDuplicate: true };
  const { id } = (await orders.buy(db, ask)).answer.order;
  await statusChanges.move(db, { by, key: null, ids: [id], to: "PROCESSING" });
  if (to !== "PROCESSING") await statusChanges.move(db, { by, key: null, ids: [id], to: "DELIVERED" });
  if (to === "COMPLETED") await statusChanges.move(db, { by, key: null, ids: [id], to });
  return id;
}
const open = async (orderId: number, message = "", person = ama) =>
  (await disputes.open(db, { by: person.by(), key: null, orderId, message })).answer;
const decide = async (
  requestId: number,
  verdict: { outcome: "refunded" | "delivered"; proof?: string },
  admin = yaw,
  on = db,
) => (await disputes.decide(on, { by: admin.by("admin"), key: null, requestId, ...verdict })).answer;
const refund = { outcome: "refunded" } as const;
const delivered = { outcome: "delivered", proof: "MTN confirmed it at 12:04, number 88120" } as const;
const orderOf = (id: number) => orderQueries.get(db, by, id);
const notesOf = async (id: number) => (await orderQueries.events(db, by, id)).map(({ note }) => note);
const repliesOf = async (requestId: number) =>
  (await support.messages(db, requestId)).map(({ message, isSupport }) => [isSupport, message]);
const letPass = (requestId: number) =>
  db.execute(sql`update support_requests set due_at = now() - interval '1 second' where id = ${requestId}`);
const deliveredDaysAgo = (orderId: number, days: number) =>
  db.execute(sql`update order_events set created_at = now() - make_interval(days => ${days})
    where order_id = ${orderId}`);
const completeNow = async () => {
  await db.execute(sql`update jobs set run_at = now() where kind = 'complete_order'`);
  await deadlines.completeDue(db, 1000);
};
const refundsOf = (id: number) => count(db, sql`from transfers where reason = 'refund' and subject_id = ${id}`);

describe("opening a dispute", () => {
  test("stores the agent's message with a deadline, and adds to the order's timeline", async () => {
    const id = await orderAt("DELIVERED");
    const filed = await open(id, "Balance did not change");
    expect(filed).toMatchObject({
      kind: "not_received",
      subjectId: id,
      state: "open",
      outcome: null,
      message: "Balance did not change",
    });
    const hours = (filed.dueAt!.getTime() - filed.createdAt.getTime()) / 3_600_000;
    expect(hours).toBe(24);
    expect((await notesOf(id)).at(-1)).toMatch(/^Reported as not received. To be decided by \d+ \w+ \d{4}, \d\d:\d\d$/);
  });

  test("is only for a delivered or completed order of one's own, and once", async () => {
    const id = await orderAt("DELIVERED");
    expect(await outcome(open(id, "", kofi))).toBe("order.not_found");
    expect(await outcome(open(999_999))).toBe("order.not_found");
    expect(await outcome(disputes.open(db, { by: yaw.by(), key: null, orderId: id, message: "" }))).toBe(
      "order.not_found",
    );
    expect(await outcome(open(await orderAt("PROCESSING")))).toBe("case.not_delivered");
    expect(await outcome(open(await orderAt("COMPLETED")))).toBe("done");
    const [first, second] = [await outcome(open(id)), await outcome(open(id))];
    expect([first, second]).toEqual(["done", "case.filed_already"]);
  });

  test("is refused after a decision, and for a failed order", async () => {
    const id = await orderAt("DELIVERED");
    const { id: requestId } = await open(id);
    await decide(requestId, delivered);
    expect(await outcome(open(id))).toBe("case.filed_already");
    const failed = await orderAt("DELIVERED");
    await statusChanges.move(db, { by, key: null, ids: [failed], to: "FAILED" });
    expect(await outcome(open(failed))).toBe("case.not_delivered");
  });

  test("is possible for the days of the setting, counted from the delivery", async () => {
    const id = await orderAt("COMPLETED");
    await deliveredDaysAgo(id, 3);
    expect(await disputes.offer(db, await orderOf(id))).toBeNull();
    expect(await outcome(open(id))).toBe("case.too_late");
    await settings.change(db, { by, values: { not_received_days: 5 } });
    expect(await disputes.offer(db, await orderOf(id))).not.toBeNull();
    expect(await outcome(open(id))).toBe("done");
    await settings.change(db, { by, values: { not_received_days: 0 } });
    expect(await outcome(open(await orderAt("DELIVERED")))).toBe("case.too_late");
    await settings.change(db, { by, values: { not_received_days: 3 } });
  });

  test("many times at once, from two servers, opens one dispute", async () => {
    const id = await orderAt("DELIVERED");
    const ends = await withSecondServer(world, (other) =>
      Promise.all(
        times(12, (i) =>
          outcome(disputes.open(i % 2 ? db : other, { by: ama.by(), key: null, orderId: id, message: "" })),
        ),
      ),
    );
    expect(tally(ends)).toEqual({ done: 1, "case.filed_already": 11 });
    expect(await count(db, sql`from support_requests where subject_id = ${id}`)).toBe(1);
  });

  test("twice with one key is one dispute and one answer", async () => {
    const orderId = await orderAt("DELIVERED");
    const ask = { by: ama.by(), key: key("case-1"), orderId, message: "" };
    const both = await Promise.all([disputes.open(db, ask), disputes.open(db, ask)]);
    expect(both[0]!.answer).toEqual(both[1]!.answer);
    expect(both.filter(({ replayed }) => replayed).length).toBe(1);
  });

  test("is limited to a hundred a day", async () => {
    const id = await orderAt("DELIVERED", kofi);
    await db.execute(sql`insert into rate_limits (bucket, count, resets_at)
      values (${`dispute.account:${kofi.id}`}, 100, now() + interval '1 hour')`);
    expect(await outcome(open(id, "", kofi))).toBe("request.rate_limited");
    expect(await disputes.ofOrder(db, id)).toBeNull();
  });
});

describe("an open dispute", () => {
  test("prevents completion, by the deadline and by hand, until it is decided", async () => {
    const id = await orderAt("DELIVERED");
    const { id: requestId } = await open(id);
    await completeNow();
    expect((await orderOf(id)).status).toBe("DELIVERED");
    const { answer } = await statusChanges.move(db, { by, key: null, ids: [id], to: "COMPLETED" });
    expect(answer).toEqual([{ id, status: "DELIVERED", refusal: "order.case_open" }]);
    expect(await statusChanges.preview(db, { by, ids: [id], to: "COMPLETED" })).toMatchObject({
      movingCount: 0,
      refused: [{ code: "order.case_open", ids: [id] }],
    });
    await decide(requestId, delivered);
    await completeNow();
    expect((await orderOf(id)).status).toBe("COMPLETED");
  });

  longTest("and completion at once leave the order delivered or completed, with its dispute", async () => {
    for (let round = 0; round < 8; round++) {
      const id = await orderAt("DELIVERED");
      await db.execute(sql`update jobs set run_at = now() where kind = 'complete_order'`);
      const [, ended] = await Promise.all([deadlines.completeDue(db, 1000), outcome(open(id))]);
      expect(ended).toBe("done");
      expect(["DELIVERED", "COMPLETED"]).toContain((await orderOf(id)).status);
      expect((await disputes.ofOrder(db, id))?.state).toBe("open");
    }
  });

  test("prevents the deletion of its agent's account", async () => {
    const leaver = await world.person("leaver", "GH₵ 3.90");
    const id = await orderAt("COMPLETED", leaver);
    const { id: requestId } = await open(id, "", leaver);
    expect(await outcome(users.remove(db, { by, userId: leaver.id }))).toBe("user.has_open_orders");
    await decide(requestId, delivered);
    expect(await outcome(users.remove(db, { by, userId: leaver.id }))).toBe("done");
  });

  test("is withdrawn only by its agent, and then the order is completed", async () => {
    const id = await orderAt("DELIVERED");
    const { id: requestId } = await open(id);
    expect(await outcome(disputes.withdraw(db, { by: kofi.by(), orderId: id }))).toBe("order.not_found");
    await disputes.withdraw(db, { by: ama.by(), orderId: id });
    expect((await disputes.ofOrder(db, id))!).toMatchObject({ state: "closed", outcome: "withdrawn" });
    expect(await repliesOf(requestId)).toEqual([[false, "The order has arrived."]]);
    expect(await outcome(disputes.withdraw(db, { by: ama.by(), orderId: id }))).toBe("done");
    expect((await repliesOf(requestId)).length).toBe(1);
    expect(await outcome(decide(requestId, refund))).toBe("case.decided");
    await completeNow();
    expect((await orderOf(id)).status).toBe("COMPLETED");
    expect(await outcome(disputes.withdraw(db, { by: ama.by(), orderId: await orderAt("DELIVERED") }))).toBe(
      "case.not_found",
    );
  });

  test("ends with a refund when the order fails for another reason", async () => {
    const id = await orderAt("DELIVERED");
    const { id: requestId } = await open(id);
    await statusChanges.move(db, { by, key: null, ids: [id], to: "FAILED", reason: "The supplier took it back" });
    expect(await disputes.ofOrder(db, id)).toMatchObject({ state: "closed", outcome: "refunded" });
    expect(await repliesOf(requestId)).toEqual([
      [true, "The money for this order is back in your wallet. The supplier took it back"],
    ]);
    expect(await refundsOf(id)).toBe(1);
  });
});

describe("deciding a dispute", () => {
  test("as delivered needs proof, which goes into the order's timeline and to the agent", async () => {
    const id = await orderAt("DELIVERED");
    const before = await world.balanceOf(ama);
    const { id: requestId } = await open(id);
    expect(await outcome(decide(requestId, { outcome: "delivered", proof: "  " }))).toBe("case.proof_missing");
    const decided = await decide(requestId, delivered);
    expect(decided).toMatchObject({
      state: "closed",
      outcome: "delivered",
      proof: delivered.proof,
      closedByUserId: yaw.id,
    });
    expect((await notesOf(id)).at(-1)).toBe(`Delivered, with proof: ${delivered.proof}`);
    expect(await repliesOf(requestId)).toEqual([[true, `This order was delivered. ${delivered.proof}`]]);
    expect(await world.balanceOf(ama)).toBe(before);
    const [entry] = await auditLog.list(db, { subjectType: "support", subjectId: requestId }, { limit: 1 });
    expect(entry).toMatchObject({ action: "case.decide", byUserId: yaw.id, after: { outcome: "delivered" } });
  });

  test("as a refund fails the order and refunds it, once, in one commit", async () => {
    for (const status of ["DELIVERED", "COMPLETED"] as const) {
      const id = await orderAt(status);
      const before = await world.balanceOf(ama);
      const { id: requestId } = await open(id);
      await decide(requestId, refund);
      expect(await world.balanceOf(ama)).toBe(before + bundle.pricePesewas);
      expect(await orderOf(id)).toMatchObject({
        status: "FAILED",
        note: "Not received: refunded",
      });
      expect(await support.get(db, by, requestId)).toMatchObject({ state: "closed", outcome: "refunded" });
      expect(await outcome(decide(requestId, refund))).toBe("case.decided");
      expect(await outcome(decide(requestId, delivered))).toBe("case.decided");
      expect(await outcome(disputes.withdraw(db, { by: ama.by(), orderId: id }))).toBe("case.decided");
      expect(await refundsOf(id)).toBe(1);
    }
  });

  test("is for admins, and only for disputes", async () => {
    const { id: requestId } = await open(await orderAt("DELIVERED"));
    const ask = { by: ama.by(), key: null, requestId, ...refund };
    expect(await outcome(disputes.decide(db, ask))).toBe("auth.forbidden");
    expect(await outcome(decide(999_999, refund))).toBe("support.not_found");
    const { answer: letter } = await support.file(db, { by: ama.by(), message: "A question" });
    expect(await outcome(decide(letter.id, refund))).toBe("case.not_found");
  });

  longTest("by two admins at once, with different outcomes, takes the decision of one of them", async () => {
    for (let round = 0; round < 6; round++) {
      const id = await orderAt("DELIVERED");
      const { id: requestId } = await open(id);
      const ends = await withSecondServer(world, (other) =>
        Promise.all([
          outcome(decide(requestId, refund, yaw, db)),
          outcome(decide(requestId, delivered, esi, other)),
          outcome(decide(requestId, refund, esi, other)),
        ]),
      );
      expect(tally(ends)).toEqual({ done: 1, "case.decided": 2 });
      const isRefunded = (await support.get(db, by, requestId)).outcome === "refunded";
      expect(await refundsOf(id)).toBe(isRefunded ? 1 : 0);
      expect((await orderOf(id)).status).toBe(isRefunded ? "FAILED" : "DELIVERED");
    }
  });

  test("twice with one key decides once, with one answer", async () => {
    const { id: requestId } = await open(await orderAt("DELIVERED"));
    const ask = { by, key: key("verdict"), requestId, ...refund };
    const both = await Promise.all([disputes.decide(db, ask), disputes.decide(db, ask)]);
    expect(both.map(({ answer }) => answer.outcome)).toEqual(["refunded", "refunded"]);
    expect((await support.messages(db, requestId)).length).toBe(1);
  });
});

describe("the deadline", () => {
  longTest("ends an undecided dispute with a refund, in the timeline, the request and the notice", async () => {
    const id = await orderAt("DELIVERED");
    const before = await world.balanceOf(ama);
    const { id: requestId } = await open(id);
    await sweep(db);
    expect((await support.get(db, by, requestId)).state).toBe("open");
    await letPass(requestId);
    await sweep(db);
    await sweep(db);
    expect(await world.balanceOf(ama)).toBe(before + bundle.pricePesewas);
    expect(await support.get(db, by, requestId)).toMatchObject({
      state: "closed",
      outcome: "refunded",
      closedByUserId: null,
    });
    const reason = "Not received, and no proof of delivery in time";
    expect((await orderOf(id)).note).toBe(reason);
    expect(await repliesOf(requestId)).toEqual([[true, `The money for this order is back in your wallet. ${reason}`]]);
  });

  longTest("ends many at once, also those with an answer but no decision", async () => {
    const ids = await Promise.all(times(5, () => orderAt("COMPLETED")));
    for (const id of ids) {
      const { id: requestId } = await open(id);
      await support.reply(db, { by, key: null, requestId, message: "We are asking MTN" });
      await letPass(requestId);
    }
    expect(await disputes.endOverdue(db)).toBe(5);
    expect(await disputes.endOverdue(db)).toBe(0);
    expect(await Promise.all(ids.map(refundsOf))).toEqual([1, 1, 1, 1, 1]);
  });

  longTest("and an admin, and two workers, at once: one of them decides", async () => {
    for (let round = 0; round < 6; round++) {
      const id = await orderAt("DELIVERED");
      const { id: requestId } = await open(id);
      await letPass(requestId);
      const ended = await withSecondServer(world, async (other) => {
        const [verdict] = await Promise.all([
          outcome(decide(requestId, delivered)),
          disputes.endOverdue(db),
          disputes.endOverdue(other),
        ]);
        return verdict;
      });
      const found = await support.get(db, by, requestId);
      expect(found.outcome).toBe(ended === "done" ? "delivered" : "refunded");
      expect(await refundsOf(id)).toBe(ended === "done" ? 0 : 1);
      expect((await support.messages(db, requestId)).length).toBe(1);
    }
  });

  test("closes the dispute of an order that was already refunded, without a second refund", async () => {
    const id = await orderAt("DELIVERED");
    const { id: requestId } = await open(id);
    // As a version without disputes leaves it.
    await statusChanges.move(db, { by, key: null, ids: [id], to: "FAILED" });
    await db.execute(sql`
      update support_requests set state = 'open', outcome = null, closed_at = null,
        due_at = now() - interval '1 minute' where id = ${requestId}`);
    expect(await disputes.endOverdue(db)).toBe(1);
    expect(await support.get(db, by, requestId)).toMatchObject({ outcome: "refunded" });
    expect(await refundsOf(id)).toBe(1);
  });
});

test("the database refuses a second dispute, an outcome without its state, and delivered without proof", async () => {
  const id = await orderAt("DELIVERED");
  const { id: requestId } = await open(id);
  const refused = (change: ReturnType<typeof sql>) =>
    databaseRefusal(db.execute(sql`update support_requests set ${change} where id = ${requestId}`));
  const again = sql`insert into support_requests (user_id, kind, subject_type, subject_id, message, due_at)
    values (${ama.id}, 'not_received', 'order', ${id}, 'again', now())`;
  expect(await databaseRefusal(db.execute(again))).toBe("support_requests_one_case_per_order");
  for (const change of [sql`due_at = null`, sql`state = 'closed'`, sql`outcome = 'refunded'`, sql`kind = 'request'`])
    expect(await refused(change)).toBe("support_requests_case_is_whole");
  const unproved = sql`state = 'closed', outcome = 'delivered', proof = ' '`;
  expect(await refused(unproved)).toBe("support_requests_delivered_with_proof");
  // A request that a version without disputes writes is an ordinary one.
  await db.execute(sql`insert into support_requests (user_id, subject_type, subject_id, message)
    values (${ama.id}, 'order', ${id}, 'From an older version')`);
});

test("the list of open disputes begins with the nearest deadline", async () => {
  await disputes.endOverdue(db);
  await db.execute(sql`update support_requests set due_at = now() where kind = 'not_received' and state = 'open'`);
  await disputes.endOverdue(db);
  const [later, sooner] = [await open(await orderAt("DELIVERED")), await open(await orderAt("DELIVERED"))];
  await db.execute(sql`update support_requests set due_at = now() + interval '1 hour' where id = ${sooner.id}`);
  const ids = async (more = {}) => (await disputes.listOpen(db, { limit: 10, ...more })).map(({ id }) => id);
  expect(await ids()).toEqual([sooner.id, later.id]);
  expect(await ids({ withinHours: 2 })).toEqual([sooner.id]);
});
