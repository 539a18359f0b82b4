// Price changes on a machine whose commits take longer than the lead of a price that begins now.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as priceChanges from "../../../src/core/catalog/price-changes.ts";
import * as products from "../../../src/core/catalog/products.ts";
import { outcome } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "10.00");

const setTo = (pricePesewas: number) =>
  priceChanges.set(db, {
    ...{ by: yaw.by("admin"), key: null, since: null, note: "", isConfirmed: true },
    prices: [{ productId: bundle.id, tierId: 1, pricePesewas }],
  });

/** Lets every commit of a price change take so long, before the database compares it with its beginning. */
const slowDown = (seconds: number) =>
  db.execute(sql`
    create or replace function slow_commit() returns trigger language plpgsql as ${sql.raw(`$$
      begin perform pg_sleep(${seconds}); return null; end $$`)};
    create or replace trigger a_slow_disk after insert on price_changes
      for each row execute function slow_commit()`);

test("a change is tried again further ahead, and begins", async () => {
  await slowDown(0.5);
  expect(await outcome(setTo(1100))).toBe("done");
  const [product] = await products.listFor(db, yaw.id);
  expect(product!.pricePesewas).toBe(1100);
});

test("a change that cannot be committed in time is refused, and nothing of it is left", async () => {
  await slowDown(2.05);
  const before = await db.execute(sql`select id from price_changes`);
  expect(await outcome(setTo(1200))).toBe("service.busy");
  expect(await db.execute(sql`select id from price_changes`)).toHaveLength(before.length);
});
