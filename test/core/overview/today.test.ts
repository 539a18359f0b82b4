// Today beside yesterday up to the same time, by the hour; and the deliveries of the last hour.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as overview from "../../../src/core/overview/today.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");

let numbers = 0;
async function ordered(): Promise<number> {
  const line = { productId: bundle.id, msisdn: `024110000${numbers++}`, quantity: 1 };
  return (await orders.buy(db, { by: ama.by(), key: null, line })).answer.order.id;
}

test("sales, profit and orders are those of today, and of yesterday until now; failed ones count nowhere", async () => {
  const ids: number[] = [];
  for (let i = 0; i < 6; i++) ids.push(await ordered());
  const rollBack = new Error("rolled back");
  const done = db.transaction(async (tx) => {
    // Half of yesterday is not over at this time of the day, except at its very end.
    const moments = [
      sql`now() - interval '1 day' - interval '1 second'`,
      sql`now() - interval '1 day' - interval '1 second'`,
      sql`date_trunc('day', now()) - interval '1 microsecond'`,
      sql`date_trunc('day', now()) - interval '2 days'`,
      sql`now()`,
      sql`now()`,
    ];
    for (const [i, id] of ids.entries())
      await tx.execute(sql`
        update orders set paid_at = ${moments[i]}, created_at = ${moments[i]},
          cost_pesewas = ${i === 5 ? null : 300} where id = ${id}`);
    await tx.execute(sql`update orders set status = 'FAILED', refunded_at = now() where id = ${ids[1]!}`);
    const { today, yesterday, salesByHour, uncostedPesewas } = await overview.today(tx as never);
    expect(today).toEqual({ orders: 2, salesPesewas: 780, earnedPesewas: 90 });
    expect(uncostedPesewas).toBe(390);
    // One second before midnight the order of yesterday's last moment is among them, too.
    expect(yesterday.orders).toBe(1);
    expect(salesByHour.today.reduce((sum, pesewas) => sum + pesewas, 0)).toBe(780);
    expect(salesByHour.yesterday.reduce((sum, pesewas) => sum + pesewas, 0)).toBe(780);
    expect([salesByHour.today.length, salesByHour.yesterday.length]).toEqual([new Date().getUTCHours() + 1, 24]);
    throw rollBack;
  });
  await done.catch((error) => {
    if (error !== rollBack) throw error;
  });
});

test("deliveries of the last hour have a median and a share in time, by network", async () => {
  const rollBack = new Error("rolled back");
  const ids = [await ordered(), await ordered(), await ordered()];
  const done = db.transaction(async (tx) => {
    for (const [i, id] of ids.entries()) {
      await tx.execute(sql`
        update orders set paid_at = now() - interval '20 minutes', deliver_by = now() - interval '5 minutes'
        where id = ${id}`);
      await tx.execute(sql`
        insert into attempts (order_id, user_id, vendor, reference, state, sent_at, ended_at)
        values (${id}, ${ama.id}, 'datamart', ${`r-${id}`}, 'delivered', now(),
                now() - make_interval(mins => ${[16, 10, 1][i]!}))`);
    }
    const found = (await overview.deliveryNow(tx as never)).find(({ operator }) => operator === "MTN")!;
    expect(found).toMatchObject({ count: 3, medianSeconds: 600, onTimePercent: 66 });
    throw rollBack;
  });
  await done.catch((error) => {
    if (error !== rollBack) throw error;
  });
});
