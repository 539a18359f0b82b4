// The two ways to pay an order, by the purchase statement and by `markPaid` when it was placed before, write the same
// rows.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import { STANDARD_TIER_ID } from "../../../src/core/catalog/tiers.ts";
import * as spendingLimits from "../../../src/core/identity/spending-limits.ts";
import { count, holdWallet, lineFor } from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const bundle = await world.product("MTN", "5GB", "20.90");

/** All rows that a purchase leaves of one buyer, without what differs each time (ids, times, owners). */
async function left({ id }: Person): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  const OF_BUYER: Record<string, string> = {
    orders: "user_id = $id",
    transfers: "user_id = $id and reason = 'charge'",
    wallets: "user_id = $id",
    user_days: "user_id = $id",
    jobs: "subject_id in (select id from orders where user_id = $id)",
    order_events: "user_id = $id",
  };
  for (const [table, which] of Object.entries(OF_BUYER)) {
    const found = await db.execute<Record<string, unknown>>(
      sql.raw(`select * from ${table} where ${which.replaceAll("$id", String(id))} order by 1`),
    );
    rows[table] = found.map((row) => Object.fromEntries(Object.entries(row).map(plain)));
  }
  return rows;
}

/** Of times it only matters whether they are set. */
function plain([name, value]: [string, unknown]): [string, unknown] {
  if (/^(id|user_id|by_user_id|subject_id|msisdn|version)$/.test(name)) return [name, typeof value];
  if (/_at$|^deliver_by$/.test(name)) return [name, value === null ? null : "a moment"];
  return [name, value];
}

for (const hourOrdersMax of [null, 30])
  test(`a direct purchase and the payment of an earlier order write the same rows (${hourOrdersMax})`, async () => {
    await spendingLimits.setTier(db, {
      ...{ by: world.yaw.by("admin"), tierId: STANDARD_TIER_ID },
      ...{ ...spendingLimits.NO_BOUNDS, hourOrdersMax },
    });
    const [atOnce, later] = [
      await world.person(`at-once-${hourOrdersMax}`, "GH₵ 100.00"),
      await world.person(`later-${hourOrdersMax}`, "GH₵ 100.00"),
    ];
    await orders.buy(db, { by: atOnce.by(), key: null, line: lineFor(bundle) });
    const { id: orderId } = (await unpaidOrders.create(db, { by: later.by(), key: null, line: lineFor(bundle) }))
      .answer;
    await unpaidOrders.spend(db, { by: later.by(), key: null, orderId });
    expect(await left(later)).toEqual(await left(atOnce));
  });

test("an order whose payment waited for the wallet is paid on the day whose limits were asked", async () => {
  const buyer = await world.person("waiting", "GH₵ 100.00");
  const { answer } = await unpaidOrders.create(db, { by: buyer.by(), key: null, line: lineFor(bundle) });
  const wallet = await holdWallet(db, buyer.id);
  const paying = unpaidOrders.spend(db, { by: buyer.by(), key: null, orderId: answer.id });
  await wallet.waiting(1);
  const [released] = await db.execute<{ at: string }>(sql`select clock_timestamp()::text as at`);
  await wallet.release();
  await paying;
  expect(await count(db, sql`from orders where id = ${answer.id} and paid_at >= ${released!.at}`)).toBe(1);
});
