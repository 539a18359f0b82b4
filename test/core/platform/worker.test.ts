// The worker's loop: its pauses leak no memory, and a failing part does not block the parts after it.

import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { rateLimits } from "../../../db/schema/platform.ts";
import { sweep } from "../../../src/app/worker.ts";
import * as dailyTotals from "../../../src/core/orders/daily-totals.ts";
import { deleteInParts } from "../../../src/core/platform/parts.ts";
import { createPauses } from "../../../src/core/platform/pauses.ts";
import { count } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;

const objects = () => {
  Bun.gc(true);
  return heapStats().objectCount;
};

test("twenty thousand pauses leak no memory", async () => {
  const pauses = createPauses();
  const some = () => Promise.all(Array.from({ length: 1000 }, () => pauses.sleep(0)));
  await some();
  const before = objects();
  for (let i = 0; i < 20; i++) await some();
  // A race against one promise would leave three objects of each.
  expect(objects() - before).toBeLessThan(5_000);
});

test("ending the pauses ends those in progress and those to come", async () => {
  const pauses = createPauses();
  const asleep = Promise.all([pauses.sleep(1_000_000), pauses.sleep(2_000_000)]);
  pauses.end();
  await asleep;
  await pauses.sleep(1_000_000);
});

test("a part of the cleanup that always fails does not block the parts after it, and is logged by name", async () => {
  const done: string[] = [];
  const parts = {
    first: async () => done.push("first"),
    broken: () => Promise.reject(new Error("statement timeout")),
    last: async () => done.push("last"),
  };
  const faults: string[] = [];
  await sweep(db, (part, error) => faults.push(`${part}: ${(error as Error).message}`), parts);
  expect([done, faults]).toEqual([["first", "last"], ["broken: statement timeout"]]);
  expect(sweep(db, undefined, parts)).rejects.toThrow("statement timeout");
});

test("old rows are deleted in batches, and locked ones are left for the next time", async () => {
  await db.execute(sql`
    insert into rate_limits (bucket, count, resets_at)
    select 'old:' || n, 1, now() - interval '1 hour' from generate_series(1, 5000) n`);
  const isOld = sql`resets_at < now() and bucket like 'old:%'`;
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holder = db.transaction(async (tx) => {
    await tx.execute(sql`select from rate_limits where bucket = 'old:77' for update`);
    isHeld.resolve();
    await held.promise;
  });
  await isHeld.promise;
  expect(await deleteInParts(db, rateLimits, isOld)).toBe(4999);
  held.resolve();
  await holder;
  expect(await deleteInParts(db, rateLimits, isOld)).toBe(1);
  expect(await count(db, sql`from rate_limits where bucket like 'old:%'`)).toBe(0);
});

test("one cleanup folds all deltas into the totals, however many there are", async () => {
  await db.execute(sql`
    insert into order_count_deltas (status, delta)
    select 'PENDING', case when n % 2 = 0 then 1 else -1 end from generate_series(1, 25000) n`);
  await dailyTotals.foldAll(db);
  expect(await count(db, sql`from order_count_deltas`)).toBe(0);
});
