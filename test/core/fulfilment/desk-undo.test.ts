// Results of the desk wait before they are applied: undone or applied, never both, and applied once, whatever is
// pressed twice, whoever dies, and whoever else moves the order meanwhile.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as deadlines from "../../../src/core/fulfilment/deadlines.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as passing from "../../../src/core/fulfilment/desk/desk-passing.ts";
import * as results from "../../../src/core/fulfilment/desk/desk-results.ts";
import * as newOrders from "../../../src/core/fulfilment/desk/new-orders.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import * as losses from "../../../src/core/orders/losses.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import type { ResultLine } from "../../../src/shared/lists/result-lines.ts";
import {
  count,
  freshNumber,
  hold,
  lineFor,
  outcome,
  randomFrom,
  seed,
  tally,
  times,
  withSecondServer,
} from "../../support/asking.ts";
import { applyResults, closeRestNow, reportNow } from "../../support/desk.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const small = await world.product("MTN", "1GB", "3.90");
const big = await world.product("MTN", "5GB", "20.90");
const ama = await world.person("ama", "GH₵ 9000.00");
const esi = await world.person("esi", undefined, ["DESK"]);
const kofi = await world.person("kofi", undefined, ["DESK"]);
const by = yaw.by("admin");
await settings.change(db, { by, values: { dispatch_hold_seconds: 0 } });

type Sold = { id: number; msisdn: string };

const buy = async (product = small): Promise<Sold> => {
  const line = lineFor(product, { msisdn: freshNumber() });
  const { order } = (await orders.buy(db, { by: ama.by(), key: null, line })).answer;
  return { id: order.id, msisdn: order.msisdn };
};
const waiting = async (countOf: number, product = small) => {
  const sold: Sold[] = [];
  for (let i = 0; i < countOf; i++) sold.push(await buy(product));
  await routing.routeDue(db, [], 1_000);
  return sold;
};
const take = async (countMax = 500, sizes?: string[]) =>
  (await desk.take(db, { by, key: null, operator: "MTN", countMax, sizes })).answer.batchId;
const inBatch = async (countOf: number) => {
  const sold = await waiting(countOf);
  return { sold, batchId: await take() };
};
const lineOf = ({ msisdn }: Sold, outcome: ResultLine["outcome"], line = 1): ResultLine => ({
  line,
  msisdn,
  volumeMb: null,
  outcome,
  message: null,
});
const report = async (batchId: number, lines: ResultLine[], more: { key?: string; typed?: string } = {}) => {
  const key = more.key ? { scope: "web:batch", key: more.key } : null;
  const typed = more.typed === undefined ? {} : { typed: more.typed };
  return (await results.report(db, { by, key, batchId, lines, ...typed })).answer;
};
const statusOf = async ({ id }: Sold) => (await orderQueries.get(db, by, id)).status;
const refundsOf = ({ id }: Sold) => count(db, sql`from transfers where reason = 'refund' and subject_id = ${id}`);

beforeEach(async () => {
  // What the test before left at the desk is out, and no results wait.
  await applyResults(db);
  await outcome(take());
});

describe("results that wait", () => {
  test("have no effect before their time: no status, no money, no message", async () => {
    const { sold, batchId } = await inBatch(2);
    const balance = await world.balanceOf(ama);
    const messages = await count(db, sql`from messages`);
    const { waiting: held, refundPesewas } = await report(batchId, [
      lineOf(sold[0]!, "delivered"),
      lineOf(sold[1]!, "failed"),
    ]);
    expect(refundPesewas).toBe(small.pricePesewas);
    expect(await results.applyDue(db, 10)).toBe(0);
    expect(await Promise.all(sold.map(statusOf))).toEqual(["PROCESSING", "PROCESSING"]);
    expect([await world.balanceOf(ama), await count(db, sql`from messages`)]).toEqual([balance, messages]);
    // A minute unless the shop sets another time; asked of the database, whose clock it is.
    expect(
      await count(
        db,
        sql`from desk_results where id = ${held!.resultId} and due_at = created_at + interval '1 minute'`,
      ),
    ).toBe(1);
    await applyResults(db);
    expect(await Promise.all(sold.map(statusOf))).toEqual(["DELIVERED", "FAILED"]);
    expect(await world.balanceOf(ama)).toBe(balance + small.pricePesewas);
    const [applied] = await results.appliedOf(db, batchId, 5);
    const counts = { delivered: 1, failed: 1, lost: 0, left: 0, refundPesewas: small.pricePesewas };
    expect(applied).toMatchObject({ counts, enteredBy: "admin", typed: null });
  });

  test("are undone without a trace on orders or money, and can be entered again", async () => {
    const { sold, batchId } = await inBatch(2);
    const { waiting: held } = await report(batchId, [lineOf(sold[0]!, "failed")], { typed: "as typed" });
    const { answer: undone } = await results.undo(db, { by: esi.by("admin"), resultId: held!.resultId });
    expect(undone).toMatchObject({ typed: "as typed", deskBatchId: batchId });
    await results.undo(db, { by, resultId: held!.resultId });
    await applyResults(db);
    expect(await statusOf(sold[0]!)).toBe("PROCESSING");
    expect(await refundsOf(sold[0]!)).toBe(0);
    await reportNow(db, { by, batchId, lines: [lineOf(sold[0]!, "delivered")] });
    expect(await statusOf(sold[0]!)).toBe("DELIVERED");
  });

  test("can no longer be undone once they are applied", async () => {
    const { sold, batchId } = await inBatch(1);
    const { waiting: held } = await report(batchId, [lineOf(sold[0]!, "failed")]);
    await applyResults(db);
    expect(await outcome(results.undo(db, { by, resultId: held!.resultId }))).toBe("desk.result_applied");
    expect(await outcome(results.undo(db, { by, resultId: 9_999 }))).toBe("desk.result_not_found");
    expect(await outcome(results.undo(db, { by: ama.by(), resultId: held!.resultId }))).toBe("auth.forbidden");
    expect(await refundsOf(sold[0]!)).toBe(1);
  });

  test("are entered once: by one key, by two presses without one, and by two admins", async () => {
    const { sold, batchId } = await inBatch(3);
    const lines = sold.map((one, i) => lineOf(one, "failed", i + 1));
    const first = await report(batchId, lines, { key: "form" });
    expect(await report(batchId, lines, { key: "form" })).toEqual(first);
    const again = await report(batchId, lines);
    expect(again).toMatchObject({ failed: [], waiting: null });
    expect(again.unmatched.map(({ reason }) => reason)).toEqual(["entered", "entered", "entered"]);
    const rest = { key: null, batchId, to: "DELIVERED" as const };
    expect((await results.closeRest(db, { ...rest, by: esi.by("admin") })).answer.count).toBe(0);
    await applyResults(db);
    expect(await Promise.all(sold.map(statusOf))).toEqual(["FAILED", "FAILED", "FAILED"]);
    expect(await Promise.all(sold.map(refundsOf))).toEqual([1, 1, 1]);
  });

  test("of two admins at the same moment concern each order once", async () => {
    const { sold, batchId } = await inBatch(6);
    const lines = sold.map((one, i) => lineOf(one, "failed", i + 1));
    const other = sold.map((one, i) => lineOf(one, "delivered", i + 1));
    const answers = await withSecondServer(world, (second) =>
      Promise.all([
        results.report(db, { by, key: null, batchId, lines }),
        results.report(second, { by: esi.by("admin"), key: null, batchId, lines: other }),
      ]),
    );
    const entered = answers.flatMap(({ answer }) => [...answer.delivered, ...answer.failed]);
    expect(entered).toHaveLength(6);
    await applyResults(db);
    expect(new Set(await Promise.all(sold.map(statusOf))).size).toBe(1);
  });

  test("are left out of the file, the rest and the orders that go back to the desk", async () => {
    const { sold, batchId } = await inBatch(3);
    await report(batchId, [lineOf(sold[0]!, "delivered")]);
    const file = await desk.download(db, { by, batchId });
    expect(file.map(({ id }) => id)).toEqual([sold[1]!.id, sold[2]!.id]);
    expect((await desk.release(db, { by, batchId })).answer.returned).toBe(2);
    await applyResults(db);
    expect(await Promise.all(sold.map(statusOf))).toEqual(["DELIVERED", "PROCESSING", "PROCESSING"]);
  });

  test("of the rest are applied with the reason that buyers read", async () => {
    const { sold, batchId } = await inBatch(2);
    await closeRestNow(db, { by, batchId, to: "FAILED", reason: "The network is down" });
    expect((await orderQueries.get(db, by, sold[1]!.id)).note).toBe("The network is down");
  });

  test("leave what somebody moved meanwhile, and a late delivery is a loss", async () => {
    const { sold, batchId } = await inBatch(3);
    const lines = [lineOf(sold[0]!, "delivered"), lineOf(sold[1]!, "failed"), lineOf(sold[2]!, "delivered")];
    await report(batchId, lines);
    const move = (one: Sold, to: "FAILED" | "DELIVERED") =>
      statusChanges.moveOne(db, { by, key: null, orderId: one.id, to, reason: "by hand" });
    await move(sold[0]!, "FAILED");
    await move(sold[1]!, "DELIVERED");
    await applyResults(db);
    expect(await Promise.all(sold.map(statusOf))).toEqual(["FAILED", "DELIVERED", "DELIVERED"]);
    expect((await losses.list(db, { limit: 5 })).map(({ orderId }) => orderId)).toContain(sold[0]!.id);
    const [applied] = await results.appliedOf(db, batchId, 1);
    expect(applied!.counts).toMatchObject({ delivered: 1, failed: 0, lost: 1, left: 2 });
    expect(await Promise.all(sold.map(refundsOf))).toEqual([1, 0, 0]);
  });

  longTest("survive a worker that dies while it applies them, and are applied once by many workers", async () => {
    const { sold, batchId } = await inBatch(4);
    await report(
      batchId,
      sold.map((one, i) => lineOf(one, "failed", i + 1)),
    );
    await db.execute(sql`update jobs set run_at = now() where kind = 'apply_desk_result'`);
    // It stands at the wallet's lock when its connection is cut.
    const wallet = await hold(db, sql`select 1 from wallets where user_id = ${ama.id} for update`);
    await withSecondServer(world, async (dying) => {
      const applying = results.applyDue(dying, 10).catch(() => "died");
      await wallet.waiting(1);
      await db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      await applying;
    });
    await wallet.release();
    expect(await Promise.all(sold.map(refundsOf))).toEqual([0, 0, 0, 0]);
    await withSecondServer(world, (second) => Promise.all([applyResults(db), applyResults(second)]));
    await applyResults(db);
    expect(await Promise.all(sold.map(refundsOf))).toEqual([1, 1, 1, 1]);
  });

  longTest("and an undo at the same moment end in one of both", async () => {
    const ends: string[] = [];
    for (let round = 0; round < 12; round++) {
      const { sold, batchId } = await inBatch(2);
      const { waiting: held } = await report(
        batchId,
        sold.map((one, i) => lineOf(one, "failed", i + 1)),
      );
      await db.execute(sql`update jobs set run_at = now() where kind = 'apply_desk_result'`);
      const undoing = () => outcome(results.undo(db, { by, resultId: held!.resultId }));
      const [, undone] = await (round % 2
        ? Promise.all([results.applyDue(db, 10), undoing()])
        : Promise.all([undoing(), results.applyDue(db, 10)]).then(([a, b]) => [b, a] as const));
      const isUndone = undone === "done";
      expect(await Promise.all(sold.map(refundsOf))).toEqual(isUndone ? [0, 0] : [1, 1]);
      ends.push(undone);
      await applyResults(db);
      expect(await Promise.all(sold.map(refundsOf))).toEqual(isUndone ? [0, 0] : [1, 1]);
    }
    for (const end of Object.keys(tally(ends))) expect(["done", "desk.result_applied"]).toContain(end);
  });

  test("keep what was typed for a day after an undo, and not longer", async () => {
    const { sold, batchId } = await inBatch(1);
    const { waiting: held } = await report(batchId, [lineOf(sold[0]!, "delivered")], { typed: "054…" });
    await results.undo(db, { by, resultId: held!.resultId });
    await results.forgetTyped(db);
    expect((await results.get(db, held!.resultId)).typed).toBe("054…");
    await db.execute(sql`update desk_results set created_at = now() - interval '25 hours'`);
    await results.forgetTyped(db);
    expect((await results.get(db, held!.resultId)).typed).toBeNull();
  });
});

describe("a batch", () => {
  test("is taken by size, and what waits is listed by size with counts and deadline", async () => {
    await waiting(3);
    const others = await waiting(2, big);
    const [network] = await desk.waiting(db);
    expect(network).toMatchObject({ operator: "MTN", count: 5 });
    expect(network!.sizes.map(({ productSize, count: n }) => [productSize, n])).toEqual([
      ["1GB", 3],
      ["5GB", 2],
    ]);
    expect(network!.deadline!.getTime()).toBeGreaterThan(Date.now());
    const batchId = await take(500, [network!.sizes[1]!.key]);
    const { orders: held } = await desk.batch(db, batchId);
    expect(held.map(({ id }) => id)).toEqual(others.map(({ id }) => id));
    expect(await outcome(desk.take(db, { by, key: null, operator: "MTN", countMax: 5, sizes: ["- 9GB"] }))).toBe(
      "desk.nothing_waiting",
    );
  });

  test("of somebody else is taken over or returned while it is untouched", async () => {
    const { batchId } = await inBatch(2);
    const move = (person: typeof esi, fromUserId: number, toUserId: number) =>
      outcome(passing.passOn(db, { by: person.by("admin"), batchId, fromUserId, toUserId }));
    expect(await move(esi, yaw.id, esi.id)).toBe("done");
    expect(await move(kofi, yaw.id, kofi.id)).toBe("desk.batch_changed");
    expect(await move(esi, esi.id, ama.id)).toBe("desk.nobody_to_take_it");
    await desk.download(db, { by: esi.by("admin"), batchId });
    expect(await move(kofi, esi.id, kofi.id)).toBe("desk.batch_touched");
    expect(await outcome(desk.release(db, { by: kofi.by("admin"), batchId }))).toBe("desk.batch_touched");
    // Its holder can still give it away, and the owner moves any.
    expect(await move(esi, esi.id, kofi.id)).toBe("done");
    expect(await outcome(desk.release(db, { by, batchId }))).toBe("done");
  });

  test("that is out is exported by nobody else, sent by no vendor and not refunded at its deadline", async () => {
    const { sold, batchId } = await inBatch(2);
    await report(batchId, [lineOf(sold[0]!, "failed")]);
    await db.execute(sql`update orders set deliver_by = now() - interval '1 minute' where user_id = ${ama.id}`);
    await deadlines.refundOverdue(db);
    expect(await outcome(newOrders.take(db, { by: esi.by("admin"), key: null, operator: null }))).toBe(
      "desk.nothing_waiting",
    );
    expect(await routing.routeDue(db, [], 100)).toBe(0);
    expect(await Promise.all(sold.map(statusOf))).toEqual(["PROCESSING", "PROCESSING"]);
    expect(await count(db, sql`from attempts where desk_batch_id = ${batchId} and sends = 1`)).toBe(2);
  });
});

longTest(`random results, undos, workers and others end each order once (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const before = await world.balanceOf(ama);
  const { sold, batchId } = await inBatch(40);
  const waitingIds: number[] = [];
  const people = [by, esi.by("admin"), kofi.by("admin")];
  const acts = [
    async () => {
      const some = times(1 + random(8), (i) =>
        lineOf(sold[random(40)]!, (["delivered", "failed", "pending"] as const)[random(3)]!, i + 1),
      );
      const answer = await results.report(db, { by: people[random(3)]!, key: null, batchId, lines: some });
      if (answer.answer.waiting) waitingIds.push(answer.answer.waiting.resultId);
    },
    async () => {
      const resultId = waitingIds[random(waitingIds.length + 1)];
      if (resultId) await outcome(results.undo(db, { by: people[random(3)]!, resultId }));
    },
    async () => {
      await db.execute(sql`
        update jobs set run_at = now() where kind = 'apply_desk_result' and subject_id % 3 = ${random(3)}`);
      await results.applyDue(db, 1 + random(3));
    },
    // A worker that dies before its commit.
    async () => {
      await db
        .transaction(async (tx) => {
          await results.applyDue(tx as unknown as typeof db, 2);
          throw new Error("died");
        })
        .catch(() => {});
    },
    async () => {
      const to = random(2) ? "FAILED" : "DELIVERED";
      await outcome(statusChanges.moveOne(db, { by, key: null, orderId: sold[random(40)]!.id, to, reason: "x" }));
    },
  ];
  for (let round = 0; round < 25; round++)
    await Promise.all(times(4, () => acts[Math.min(random(7), 4) % acts.length]!()));
  await applyResults(db);
  await closeRestNow(db, { by, batchId, to: "DELIVERED" });
  const statuses = await Promise.all(sold.map(statusOf));
  const failed = statuses.filter((status) => status === "FAILED").length;
  expect(tally(statuses)).toEqual({ DELIVERED: 40 - failed, ...(failed && { FAILED: failed }) });
  expect(await world.balanceOf(ama)).toBe(before - (40 - failed) * small.pricePesewas);
  const open = await count(
    db,
    sql`from desk_results where desk_batch_id = ${batchId}
    and applied_at is null and undone_at is null`,
  );
  expect(open).toBe(0);
});
