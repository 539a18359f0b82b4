// Receipts by token: who can read them, for how long, and with which keys.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as receipts from "../../../src/core/books/receipts.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { deviceKeysOf } from "../../../src/core/identity/logins/devices.ts";
import { factorKeysOf } from "../../../src/core/identity/logins/second-factor.ts";
import { pinKeysOf } from "../../../src/core/identity/phones/pins.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import type { Order } from "../../../src/core/orders/order.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { times } from "../../support/asking.ts";
import { openWorld, TEST_JWT_SECRET } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama", "GH₵ 100.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const keys = receipts.receiptKeysOf(TEST_JWT_SECRET);
let numbers = 0;
const bought = async () => {
  const line = { productId: bundle.id, msisdn: `024${String(5_550_000 + ++numbers)}`, quantity: 1 };
  return (await orders.buy(db, { by: ama.by(), key: null, line })).answer.order;
};
/** Places the order this long before now. */
const age = (orderId: number, interval: string) =>
  db.execute(sql`update orders set created_at = now() - ${interval}::interval where id = ${orderId}`);

test("a token finds its own order, and holds 128 bit that nobody can guess", async () => {
  const [one, two] = [await bought(), await bought()];
  const [first, second] = [receipts.tokenOf(keys, one.id), receipts.tokenOf(keys, two.id)];
  expect((await receipts.find(db, keys, first))?.msisdn).toBe(one.msisdn);
  expect((await receipts.find(db, keys, second))?.msisdn).toBe(two.msisdn);
  // 25 digits in base 36, of two neighbours without anything in common.
  expect(first.slice(0, 25)).toMatch(/^[0-9a-z]{25}$/);
  expect(36n ** 25n > 2n ** 128n).toBe(true);
  expect(first.slice(0, 8)).not.toBe(second.slice(0, 8));
});

describe("no order is found by a token", () => {
  test("whose digest or id was changed, cut or extended", async () => {
    const [one, two] = [await bought(), await bought()];
    const [token, other] = [receipts.tokenOf(keys, one.id), receipts.tokenOf(keys, two.id)];
    const flippedAt = (i: number) => token.slice(0, i) + (token[i] === "a" ? "b" : "a") + token.slice(i + 1);
    const forged = [
      // Each single digit of it counts, and the id is written in one way only.
      ...times(token.length, flippedAt),
      ...[`${token.slice(0, 25)}0${token.slice(25)}`, other.slice(0, 25) + token.slice(25)],
      ...[token.slice(0, 25) + other.slice(25), token.slice(1), token.slice(0, -1), `${token}0`],
      ...[token.toUpperCase(), "", "0", "0".repeat(26), "z".repeat(25), `${"0".repeat(25)}1`, "é".repeat(30)],
    ];
    for (const wrong of forged.filter((it) => it !== token))
      expect([wrong, await receipts.find(db, keys, wrong)]).toEqual([wrong, null]);
  });

  test("that another secret has made", async () => {
    const { id } = await bought();
    const foreign = receipts.receiptKeysOf("a secret of somebody else's shop");
    expect(await receipts.find(db, keys, receipts.tokenOf(foreign, id))).toBeNull();
  });
});

test("the key of receipts is none of another purpose, and one of them tells nothing about the secret", () => {
  for (const key of keys.signing) {
    expect(key).not.toContain(TEST_JWT_SECRET);
    expect(key).toMatch(/^[\w-]{43}$/);
  }
  const others = [pinKeysOf(TEST_JWT_SECRET), factorKeysOf(TEST_JWT_SECRET), deviceKeysOf(TEST_JWT_SECRET)];
  expect(JSON.stringify(others)).not.toContain(keys.signing[0]!);
});

test("a receipt ends exactly 30 days after its order", async () => {
  const { id } = await bought();
  const token = receipts.tokenOf(keys, id);
  await age(id, "30 days");
  expect(await receipts.find(db, keys, token)).toBeNull();
  await age(id, "29 days 23:59:30");
  const receipt = (await receipts.find(db, keys, token))!;
  expect(receipt.expiresAt.getTime() - receipt.createdAt.getTime()).toBe(30 * 86_400_000);
});

test("a link stays valid while its secret is being replaced, and ends with it", async () => {
  const { id } = await bought();
  const token = receipts.tokenOf(keys, id);
  const during = receipts.receiptKeysOf("another secret that is long enough", TEST_JWT_SECRET);
  expect(await receipts.find(db, during, token)).not.toBeNull();
  const fresh = receipts.tokenOf(during, id);
  expect(fresh).not.toBe(token);
  const after = receipts.receiptKeysOf("another secret that is long enough");
  expect(await receipts.find(db, after, token)).toBeNull();
  expect(await receipts.find(db, after, fresh)).not.toBeNull();
});

test("it has the time of the first arrival, and no note but that its buyer cancelled", async () => {
  const [arrived, cancelled, failed] = [await bought(), await bought(), await bought()];
  const move = { by: world.yaw.by("admin"), key: null, reason: "the supplier's own words" };
  for (const to of ["PROCESSING", "DELIVERED", "COMPLETED"] as const)
    await statusChanges.moveOne(db, { ...move, orderId: arrived.id, to });
  await cancelling.cancel(db, { by: ama.by(), key: null, orderId: cancelled.id });
  await statusChanges.moveOne(db, { ...move, orderId: failed.id, to: "FAILED" });
  const [first] = await db.$client`
    select created_at from order_events where order_id = ${arrived.id} and to_status = 'DELIVERED'`;
  const found = async ({ id }: Order) => (await receipts.find(db, keys, receipts.tokenOf(keys, id)))!;
  expect((await found(arrived)).deliveredAt).toEqual(new Date(first!.created_at));
  expect([(await found(cancelled)).isCancelled, (await found(failed)).isCancelled]).toEqual([true, false]);
  expect(JSON.stringify(await found(failed))).not.toContain("vendor");
});
