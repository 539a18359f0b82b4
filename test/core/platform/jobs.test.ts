// The job queue: a job is claimed by one worker at a time, returns when that worker dies, and runs once.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import { attention } from "../../../src/core/fulfilment/attention.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as jobs from "../../../src/core/platform/jobs.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { count, lineFor, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");
const claim = (countMax: number, on = db) => jobs.claim(on, "dispatch_order", countMax, 60);
const enqueue = (subjectId: number, delaySeconds = 0) =>
  db.transaction((tx) => jobs.enqueue(tx, "dispatch_order", subjectId, delaySeconds));
/** Advances the queue's clock: everything becomes due this many seconds earlier. */
const secondsPass = (seconds: number) =>
  db.execute(sql`update jobs set run_at = run_at - make_interval(secs => ${seconds})`);

beforeEach(async () => {
  await db.execute(sql`delete from jobs`);
});

longTest("many workers at once, of two processes, never have the same job", async () => {
  for (const id of times(200, (i) => i + 1)) await enqueue(id);
  const rounds = await withSecondServer(world, (other) => Promise.all(times(30, (i) => claim(9, i % 2 ? db : other))));
  const ids = rounds.flat().map((job) => job.id);
  expect(new Set(ids).size).toBe(ids.length);
  // Jobs that were skipped while they were locked are still there for the next round.
  const rest = await claim(200);
  expect(new Set([...ids, ...rest.map((job) => job.id)]).size).toBe(200);
  expect(await claim(200)).toEqual([]);
});

test("a job is not due before its time, and the one that has waited longest comes first", async () => {
  await enqueue(1, 30);
  await enqueue(2, 10);
  await enqueue(3, 20);
  expect(await claim(10)).toEqual([]);
  await secondsPass(21);
  expect((await claim(1)).map((job) => job.subjectId)).toEqual([2]);
  expect((await claim(10)).map((job) => job.subjectId)).toEqual([3]);
});

test("the job of a worker that died returns when its lease ends, and the attempt counts", async () => {
  await enqueue(7);
  expect(await claim(1)).toMatchObject([{ subjectId: 7, attempts: 1 }]);
  await secondsPass(59);
  expect(await claim(1)).toEqual([]);
  await secondsPass(2);
  expect(await claim(1)).toMatchObject([{ subjectId: 7, attempts: 2 }]);
});

test("a job that is finished is gone, and one whose transaction rolls back is not", async () => {
  await enqueue(1);
  const [job] = await claim(1);
  await db
    .transaction(async (tx) => {
      await jobs.finish(tx, [job!.id]);
      throw new Error("the power went");
    })
    .catch(() => {});
  expect(await count(db, sql`from jobs`)).toBe(1);
  await db.transaction((tx) => jobs.finish(tx, [job!.id]));
  expect(await count(db, sql`from jobs`)).toBe(0);
});

test("a failing job waits longer each time, keeps its error, and stops after the eighth attempt", async () => {
  await enqueue(5);
  for (const attempt of times(8, (i) => i + 1)) {
    const [job] = await claim(1);
    expect(job).toMatchObject({ subjectId: 5, attempts: attempt });
    await jobs.fail(db, [job!.id], `reason ${attempt} ${"x".repeat(600)}`);
    const [row] = await db.execute<{ wait: number; last_error: string; is_dead: boolean }>(sql`
      select round(extract(epoch from run_at - now()))::int as wait, last_error, dead_at is not null as is_dead
      from jobs`);
    expect(row!.wait).toBeWithin(attempt ** 4 - 2, attempt ** 4 + 1);
    expect(row!.last_error).toStartWith(`reason ${attempt} `);
    expect(row!.last_error.length).toBe(500);
    expect(row!.is_dead).toBe(attempt === 8);
    await secondsPass(attempt ** 4 + 1);
  }
  expect(await claim(1)).toEqual([]);
});

describe("dispatching orders", () => {
  const buy = async () => {
    const ask = { by: ama.by(), key: null, line: lineFor(bundle) };
    return (await orders.buy(db, ask)).answer.order.id;
  };
  const notesOf = async (orderId: number) =>
    (await db.query.orderEvents.findMany({ where: (e, { eq }) => eq(e.orderId, orderId) })).map(
      (e) => e.note ?? e.kind,
    );

  test("waits while the buyer can still cancel, and then writes it into the order's timeline, once", async () => {
    await settings.change(db, { by: yaw.by(), values: { dispatch_hold_seconds: 45 } });
    const id = await buy();
    expect(await routing.routeDue(db, [], 10)).toBe(0);
    await secondsPass(46);
    expect(await routing.routeDue(db, [], 10)).toBe(1);
    expect(await routing.routeDue(db, [], 10)).toBe(0);
    expect(await notesOf(id)).toEqual(["queued"]);
    expect(await count(db, sql`from orders where id = ${id} and status = 'PENDING'`)).toBe(1);
  });

  test("skips an order that was cancelled meanwhile, and one that an admin has already taken", async () => {
    const [cancelled, taken] = [await buy(), await buy()];
    await cancelling.cancel(db, { by: ama.by(), key: null, orderId: cancelled });
    await statusChanges.moveOne(db, { by: yaw.by(), key: null, orderId: taken, to: "PROCESSING" });
    await secondsPass(100);
    expect(await routing.routeDue(db, [], 10)).toBe(2);
    expect(await notesOf(cancelled)).toEqual(["You cancelled this order"]);
    expect(await notesOf(taken)).toEqual([null]);
    expect(await count(db, sql`from jobs`)).toBe(0);
  });

  test("is shared by many workers, and every order is dispatched once", async () => {
    const lines = times(120, () => lineFor(bundle));
    const { answer } = await buyBulk(db, { by: ama.by(), key: null, lines });
    await secondsPass(100);
    const done = await withSecondServer(world, (other) =>
      Promise.all(times(12, (i) => routing.routeDue(i % 2 ? db : other, [], 25))),
    );
    const rest = await routing.routeDue(db, [], 500);
    expect(done.reduce((sum, n) => sum + n, rest)).toBe(120);
    const ids = answer.orders.map((order) => order.id);
    expect(
      await count(db, sql`from order_events where order_id between ${Math.min(...ids)} and ${Math.max(...ids)}`),
    ).toBe(120);
  });
});

test("a worker that takes longer than its lease keeps its job while it lives, and postponed jobs stay so", async () => {
  await enqueue(7);
  await enqueue(8);
  const held = await jobs.claim(db, "dispatch_order", 2);
  const over = Promise.withResolvers<void>();
  const work = jobs.whileHolding(db, held, () => over.promise, 100);
  const [eight] = held.filter((job) => job.subjectId === 8);
  await jobs.postpone(db, eight!.id, 3600);
  // Time passes: without the renewal, the lease would end now.
  await secondsPass(jobs.LEASE_SECONDS - 1);
  while ((await count(db, sql`from jobs where run_at > now() + interval '20 seconds'`)) < 2) await Bun.sleep(50);
  expect(await claim(10)).toEqual([]);
  expect(await count(db, sql`from jobs where run_at > now() + interval '50 minutes'`)).toBe(1);
  over.resolve();
  await work;
  await secondsPass(jobs.LEASE_SECONDS + 1);
  expect((await claim(10)).map((job) => job.subjectId)).toEqual([7]);
});

test("a job that was started a thousand times and never finished is dead, and admins see it", async () => {
  await enqueue(7);
  await db.execute(sql`update jobs set attempts = 998`);
  expect(await claim(1)).toHaveLength(1);
  await secondsPass(61);
  expect(await claim(1)).toEqual([]);
  const { deadJobs } = await attention(db);
  expect(deadJobs).toMatchObject([
    { kind: "dispatch_order", subjectId: 7, lastError: "started 1000 times and never finished" },
  ]);
});
