// The desk: batches that contain an order once, results that are matched and never guessed, and one refund each.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import type { ResultLine } from "../../../src/shared/lists/result-lines.ts";
import { lineFor, outcome, times, withSecondServer } from "../../support/asking.ts";
import { closeRestNow, reportNow } from "../../support/desk.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const small = await world.product("MTN", "1GB", "3.90");
const big = await world.product("MTN", "5GB", "20.90");
const ama = await world.person("ama", "GH₵ 9000.00");
const by = yaw.by("admin");
await settings.change(db, { by, values: { dispatch_hold_seconds: 0 } });

const NUMBERS = times(40, (i) => `2335412300${String(i).padStart(2, "0")}`);
const buy = async (msisdn: string, product = small, quantity = 1) => {
  const line = lineFor(product, { msisdn, quantity });
  const ask = { by: ama.by(), key: null, line, allowDuplicate: true };
  return (await orders.buy(db, ask)).answer.order.id;
};
const waiting = async (numbers: string[], product = small) => {
  const ids = [];
  for (const msisdn of numbers) ids.push(await buy(msisdn, product));
  await routing.routeDue(db, [], 100);
  return ids;
};
const take = async (countMax = 100) => (await desk.take(db, { by, key: null, operator: "MTN", countMax })).answer;
const statusOf = async (id: number) => (await orderQueries.get(db, by, id)).status;
const line = (
  msisdn: string,
  outcome: ResultLine["outcome"],
  volumeMb: number | null = null,
  message: string | null = null,
) => ({ line: 1, msisdn, volumeMb, outcome, message }) satisfies ResultLine;

beforeEach(async () => {
  await db.execute(sql`update attempts set state = 'withdrawn', ended_at = now() where state = 'queued'`);
  await db.execute(sql`delete from jobs`);
});

describe("a batch", () => {
  test("takes the oldest orders first, makes them PROCESSING, and records the admin", async () => {
    const [first, second, third] = await waiting(NUMBERS.slice(0, 3));
    const { batchId, orders: count } = await take(2);
    expect(count).toBe(2);
    const { batch, orders: held } = await desk.batch(db, batchId);
    expect(held.map(({ id }) => id)).toEqual([first!, second!]);
    expect(batch).toMatchObject({ takenBy: "admin", openCount: 2, operator: "MTN" });
    expect(await statusOf(first!)).toBe("PROCESSING");
    expect(await statusOf(third!)).toBe("PENDING");
    expect(await desk.waiting(db)).toMatchObject([{ operator: "MTN", count: 1 }]);
  });
  longTest("of many that admins take at once never has an order of another", async () => {
    const ids = await waiting(NUMBERS);
    const batches = await withSecondServer(world, (other) =>
      Promise.allSettled(
        times(12, (i) => desk.take(i % 2 ? db : other, { by, key: null, operator: "MTN", countMax: 7 })),
      ),
    );
    const taken: number[] = [];
    for (const settled of batches) {
      if (settled.status === "rejected") expect(settled.reason.code).toBe("desk.nothing_waiting");
      else taken.push(...(await desk.batch(db, settled.value.answer.batchId)).orders.map(({ id }) => id));
    }
    expect(new Set(taken).size).toBe(taken.length);
    expect(ids).toEqual(expect.arrayContaining(taken));
  });
  test("taken twice with one key is one batch", async () => {
    await waiting(NUMBERS.slice(0, 4));
    const key = { scope: "web:desk", key: "once" };
    const ask = { by, key, operator: "MTN" as const, countMax: 2 };
    const first = await desk.take(db, ask);
    expect((await desk.take(db, ask)).answer).toEqual(first.answer);
    expect((await desk.waiting(db))[0]?.count).toBe(2);
  });
  test("needs waiting orders, and an admin", async () => {
    expect(take()).rejects.toMatchObject({ code: "desk.nothing_waiting" });
    const asAgent = desk.take(db, { by: ama.by(), key: null, operator: "MTN", countMax: 1 });
    expect(asAgent).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(desk.batch(db, 999)).rejects.toMatchObject({ code: "desk.batch_not_found" });
  });
  test("takes no order that was cancelled or processed by hand", async () => {
    const [cancelled, moved, left] = await waiting(NUMBERS.slice(0, 3));
    await cancelling.cancel(db, { by: ama.by(), key: null, orderId: cancelled! });
    await statusChanges.moveOne(db, { by, key: null, orderId: moved!, to: "PROCESSING" });
    const { batchId } = await take();
    expect((await desk.batch(db, batchId)).orders.map(({ id }) => id)).toEqual([left!]);
  });
});

test("an order in a batch can no longer be cancelled by its buyer", async () => {
  const [id] = await waiting(NUMBERS.slice(0, 1));
  await take();
  const cancel = cancelling.cancel(db, { by: ama.by(), key: null, orderId: id! });
  expect(cancel).rejects.toMatchObject({ code: "order.not_cancellable" });
});

test("a released batch returns its open orders, for another batch", async () => {
  const [done, left] = await waiting(NUMBERS.slice(0, 2));
  const { batchId } = await take();
  await reportNow(db, { by, batchId, lines: [line(NUMBERS[0]!, "delivered")] });
  expect((await desk.release(db, { by, batchId })).answer.returned).toBe(1);
  const next = await take();
  expect((await desk.batch(db, next.batchId)).orders.map(({ id }) => id)).toEqual([left!]);
  expect((await desk.batch(db, batchId)).orders.map(({ id }) => id)).toEqual([done!]);
});

describe("the result of a batch", () => {
  test("delivers and fails orders, with one refund, however often it is reported", async () => {
    const [good, bad] = await waiting(NUMBERS.slice(0, 2));
    const before = await world.balanceOf(ama);
    const { batchId } = await take();
    const lines = [line(NUMBERS[0]!, "delivered"), line(NUMBERS[1]!, "failed", null, "Turbonet SIM")];
    await reportNow(db, { by, batchId, lines });
    const again = await reportNow(db, { by, batchId, lines });
    expect(again).toMatchObject({ delivered: [], failed: [], unmatched: [{}, {}] });
    expect([await statusOf(good!), await statusOf(bad!)]).toEqual(["DELIVERED", "FAILED"]);
    expect(await world.balanceOf(ama)).toBe(before + small.pricePesewas);
    expect((await orderQueries.get(db, by, bad!)).note).toBe("The network could not deliver it");
  });
  test("distinguishes two orders for one number by size, and guesses nothing", async () => {
    const number = NUMBERS[0]!;
    const [one, two] = [...(await waiting([number])), ...(await waiting([number], big))];
    const { batchId } = await take();
    const unsure = await reportNow(db, { by, batchId, lines: [line(number, "delivered")] });
    expect(unsure.unmatched).toMatchObject([{ reason: "ambiguous" }]);
    const sure = await reportNow(db, { by, batchId, lines: [line(number, "failed", 5000)] });
    expect(sure.failed.map(({ orderId }) => orderId)).toEqual([two!]);
    expect(await statusOf(one!)).toBe("PROCESSING");
  });
  test("accepts as many lines as there are orders, when all have the same result", async () => {
    const number = NUMBERS[0]!;
    const ids = await waiting([number, number]);
    const { batchId } = await take();
    const lines = [line(number, "delivered"), { ...line(number, "delivered"), line: 2 }];
    expect((await reportNow(db, { by, batchId, lines })).delivered.toSorted()).toEqual(ids.toSorted());
  });
  test("with two outcomes for one order moves nothing, by whatever size its lines name it", async () => {
    await buy(NUMBERS[0]!, small, 3);
    await routing.routeDue(db, [], 100);
    const { batchId } = await take();
    const first = NUMBERS[0]!;
    const pairs: [volumeMb: number | null, other: number | null][] = [
      [1000, 1000],
      [3000, 1000],
      [1000, null],
      [null, 3000],
    ];
    for (const [volumeMb, other] of pairs)
      for (const outcome of ["failed", "pending"] as const) {
        const lines = [line(first, "delivered", volumeMb), { ...line(first, outcome, other), line: 2 }];
        const { delivered, failed, unmatched } = await reportNow(db, { by, batchId, lines });
        expect([delivered, failed, unmatched.map(({ reason }) => reason)]).toEqual([[], [], ["conflict", "conflict"]]);
      }
  });
  test("of an order for three bundles is three equal lines, or one for all", async () => {
    const ids = [await buy(NUMBERS[0]!, small, 3), await buy(NUMBERS[1]!, small, 3), await buy(NUMBERS[2]!, small, 3)];
    await routing.routeDue(db, [], 100);
    const { batchId } = await take();
    const each = times(3, () => line(NUMBERS[0]!, "delivered", 1000));
    const whole = [line(NUMBERS[1]!, "delivered", 3000)];
    const part = [line(NUMBERS[2]!, "delivered", 1000), line(NUMBERS[2]!, "failed", 1000)];
    const result = await reportNow(db, { by, batchId, lines: [...each, ...whole, ...part] });
    expect(result.delivered.toSorted()).toEqual([ids[0]!, ids[1]!]);
    expect(result.unmatched.map(({ reason }) => reason)).toEqual(["conflict", "conflict"]);
    expect(await statusOf(ids[2]!)).toBe("PROCESSING");
  });
  test("lists the lines that are not in the batch", async () => {
    await waiting(NUMBERS.slice(0, 1));
    const { batchId } = await take();
    const result = await reportNow(db, { by, batchId, lines: [line("233240000001", "delivered")] });
    expect(result.unmatched).toEqual([{ line: 1, msisdn: "233240000001", reason: "not_in_batch" }]);
  });
  test("can be given for all open orders at once", async () => {
    const ids = await waiting(NUMBERS.slice(0, 3));
    const { batchId } = await take();
    // A confirmation with another number of open orders is refused.
    const unseen = { by, batchId, to: "DELIVERED" as const, expectedCount: 4 };
    expect(await outcome(closeRestNow(db, unseen))).toBe("desk.batch_changed");
    expect(await closeRestNow(db, { by, batchId, to: "DELIVERED" })).toBe(3);
    expect(await Promise.all(ids.map(statusOf))).toEqual(["DELIVERED", "DELIVERED", "DELIVERED"]);
    expect((await desk.doneBatches(db))[0]).toMatchObject({ id: batchId, openCount: 0 });
  });
});
