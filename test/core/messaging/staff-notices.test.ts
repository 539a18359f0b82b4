// Notices to staff go to whoever may do something about them, and to nobody else.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as staffNotices from "../../../src/core/messaging/staff-notices.ts";
import { ROLES } from "../../../src/shared/domain.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
for (const role of ROLES.filter((one) => one !== "ADMIN"))
  await world.person(`one-${role.toLowerCase()}`, undefined, [role]);
const banned = await world.person("banned", undefined, ["MANAGER"]);
await users.ban(db, { by: yaw.by("admin"), userId: banned.id });

/** The roles of those who got an e-mail about it. */
async function readersOf(report: (tx: Tx) => Promise<void>): Promise<string[]> {
  await db.execute(sql`delete from messages`);
  await db.transaction(report);
  const rows = await db.execute<{ role: string; status: string }>(sql`
    select u.roles[1] as role, u.status from messages m join users u on u.id = m.user_id where m.channel = 'email'`);
  expect(rows.every(({ status }) => status === "ACTIVE")).toBe(true);
  return rows.map(({ role }) => role).sort();
}

test("an empty float, to whoever manages delivery", async () => {
  const vendor = { code: "hubnet", name: "Hubnet" };
  expect(await readersOf((tx) => staffNotices.vendorPaused(tx, vendor, "float_empty", null))).toEqual([
    "ADMIN",
    "MANAGER",
  ]);
});

test("a chargeback, to whoever decides payments; a fee that cannot be right, to whoever keeps the books", async () => {
  const payment = { userId: yaw.id, reference: "df-1" };
  const chargeback = { id: 1, amountPesewas: 2000, dueAt: null };
  const ofMoney = ["ACCOUNTS", "ADMIN", "MANAGER"];
  expect(await readersOf((tx) => staffNotices.chargebackOpened(tx, payment, chargeback))).toEqual(ofMoney);
  const fee = { reference: "df-1", amountPesewas: 2000, feesPesewas: 3000 };
  expect(await readersOf((tx) => staffNotices.feeNotBooked(tx, fee))).toEqual(ofMoney);
});

test("SMS that are dropped or fail, to whoever sees messages", async () => {
  const readers = ["ADMIN", "MANAGER", "SUPPORT"];
  const used = { share: 100, perDay: 1000 };
  expect(await readersOf((tx) => staffNotices.smsBudgetUsed(tx, used))).toEqual(readers);
});
