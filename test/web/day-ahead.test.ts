// The day ahead on Today: nothing where too little is known, and how long each supplier's balance lasts.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import { delivered } from "../support/deliveries.ts";
import { silentVendor } from "../support/silent-vendor.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const known = [silentVendor("first", "First"), silentVendor("second", "Second")];
const bundle = await world.product("MTN", "1GB", "3.90");
const [ama, clerk] = [await world.person("ama"), await world.person("clerk", undefined, ["DESK"])];

async function todayOf(person: Person): Promise<string> {
  return (await (await visitorAs(openApp(world, undefined, known), person)).open("/admin")).text;
}

test("a balance is named with its end once deliveries tell it, for those who manage delivery", async () => {
  await vendors.enrol(world.db, known);
  await delivered(world.db, { vendor: "first", userId: ama.id, productId: bundle.id, count: 30 });
  await world.db.execute(sql`update vendors set balance_pesewas = 500, balance_at = now()`);
  const owners = await todayOf(world.yaw);
  expect(owners).toMatch(/ForecastFirstGH₵ 5\.00, lasts until about .{5,12} Top up/);
  // Of the second nothing was delivered, and there is no usual day yet.
  expect(owners).not.toMatch(/Second|A usual/);
  expect(await todayOf(clerk)).not.toContain("Forecast");
});
