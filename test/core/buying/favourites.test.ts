// The bundles that an agent sells most: of one network and of the last 30 days, from paid orders that were not failed.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import { favourites } from "../../../src/core/buying/favourites.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { lineFor, times } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const sizes = ["1GB", "2GB", "3GB", "4GB", "5GB"];
const shelf = await Promise.all(sizes.map((size) => world.product("MTN", size, "1.00")));
const other = await world.product("TELECEL", "1GB", "1.00");

test("the three that were sold most come first, of equals the last one sold", async () => {
  const [ama, kofi] = [await world.person("ama", "GH₵ 99.00"), await world.person("kofi", "GH₵ 9.00")];
  const sell = async (place: number, count: number, person = ama) => {
    const ids: number[] = [];
    for (const _ of times(count, (i) => i)) {
      const line = { ...lineFor(shelf[place] ?? other), msisdn: "233541234567" };
      const placed = await orders.buy(db, { by: person.by(), key: null, line, allowDuplicate: true });
      ids.push(placed.answer.order.id);
    }
    return ids;
  };
  const sold = async (operator: "MTN" | "TELECEL" = "MTN") =>
    (await favourites(db, ama.id, operator)).map((id) => shelf.findIndex((bundle) => bundle.id === id));
  expect(await sold()).toEqual([]);
  const failed = await sell(0, 5);
  await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: failed, to: "FAILED" });
  await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(shelf[0]!) });
  await sell(4, 4, kofi);
  await sell(9, 9);
  expect(await sold()).toEqual([]);
  await sell(1, 2);
  await sell(2, 3);
  await sell(3, 2);
  await sell(4, 1);
  expect(await sold()).toEqual([2, 3, 1]);
  expect(await sold("TELECEL")).toEqual([-1]);
  await db.execute(sql`
    update orders set created_at = created_at - interval '31 days' where product_id = ${shelf[2]!.id}`);
  expect(await sold()).toEqual([3, 1, 4]);
});
