// The day ahead: what a usual day of this weekday had sold by now and in all, and nothing from too few or quiet days.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import { dayAhead } from "../../../src/core/overview/day-ahead.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const bundle = await world.product("MTN", "1GB", "4.00");
const ama = await world.person("ama", "GH₵ 900.00");
const ids: number[] = [];
for (let n = 0; n < 60; n++) {
  const line = { productId: bundle.id, msisdn: `0241100${String(n).padStart(3, "0")}`, quantity: 1 };
  ids.push((await orders.buy(db, { by: ama.by(), key: null, line })).answer.order.id);
}

/** The answer where the days so many weeks ago sold these orders: by this time of the day, and until its end. */
async function aheadOf(days: readonly { weeks: number; byNow: number; later: number }[]) {
  const rollBack = new Error("rolled back");
  let found: Awaited<ReturnType<typeof dayAhead>> | undefined;
  const done = db.transaction(async (tx) => {
    const left = [...ids];
    const paid = async (count: number, weeks: number, moment: ReturnType<typeof sql>) => {
      for (const id of left.splice(0, count))
        await tx.execute(sql`
          update orders set paid_at = ${moment} - make_interval(weeks => ${weeks}::int),
                            created_at = ${moment} - make_interval(weeks => ${weeks}::int) where id = ${id}`);
    };
    for (const { weeks, byNow, later } of days) {
      // Of another day, which counts for nothing.
      await paid(1, weeks, sql`date_trunc('day', now()) - interval '1 microsecond'`);
      await paid(byNow, weeks, sql`now()`);
      await paid(later, weeks, sql`date_trunc('day', now()) + interval '1 day' - interval '1 microsecond'`);
    }
    found = await dayAhead(tx as never);
    throw rollBack;
  });
  await done.catch((error) => {
    if (error !== rollBack) throw error;
  });
  return found;
}

test("it is the average of the days with enough orders, up to this time and to their end", async () => {
  const days = [
    { weeks: 4, byNow: 2, later: 3 },
    { weeks: 3, byNow: 4, later: 8 },
    { weeks: 2, byNow: 5, later: 9 },
    { weeks: 1, byNow: 6, later: 10 },
  ];
  expect(await aheadOf(days)).toEqual({
    days: 3,
    byNow: { orders: 5, salesPesewas: 2000 },
    inAll: { orders: 14, salesPesewas: 5600 },
  });
});

test("two days say nothing of today, and a shop without orders has no usual day", async () => {
  const days = [
    { weeks: 2, byNow: 5, later: 9 },
    { weeks: 1, byNow: 6, later: 10 },
  ];
  expect(await aheadOf(days)).toBeNull();
  expect(await aheadOf([])).toBeNull();
});
