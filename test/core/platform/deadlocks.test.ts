// Deadlocks: all code locks in the same order, and a transaction that the database aborts as a victim is retried.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { databaseError } from "../../../db/connect.ts";
import * as phones from "../../../src/core/identity/phones.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as orders from "../../../src/core/orders/buy.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as transitions from "../../../src/core/orders/transitions.ts";
import { transact } from "../../../src/core/platform/transactions.ts";
import { holdWallet, lineFor } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const by = yaw.by("admin");
const how = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => databaseError(error)?.code ?? error.code,
  );
/** Runs two operations on the same wallet: the first is waiting for it before the second begins. */
async function crossed(userId: number, first: () => Promise<unknown>, second: () => Promise<unknown>) {
  const held = await holdWallet(db, userId);
  const one = how(first());
  await held.waiting(1);
  const other = how(second());
  await held.waiting(2);
  await held.release();
  return [await one, await other];
}

test("a dispute is withdrawn while its account is deleted", async () => {
  const ama = await world.person("ama", "GH₵ 3.90");
  const { order } = (await orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) })).answer;
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await transitions.move(db, { by, key: null, ids: [order.id], to });
  await disputes.open(db, { by: ama.by(), key: null, orderId: order.id, message: "" });
  const back = () => disputes.withdraw(db, { by: ama.by(), orderId: order.id });
  expect(await crossed(ama.id, back, () => users.remove(db, { by, userId: ama.id }))).toEqual([
    "done",
    "done",
  ]);
});

test("a phone is removed while its account is deleted", async () => {
  const kofi = await world.person("kofi");
  await db.execute(sql`insert into phones (user_id, msisdn) values (${kofi.id}, '233541234567')`);
  await db.execute(sql`
    insert into codes (user_id, purpose, recipient, digest, expires_at)
    values (${kofi.id}, 'phone', 'x', 'x', now() + interval '1 hour')`);
  const gone = () => users.remove(db, { by, userId: kofi.id });
  expect(await crossed(kofi.id, gone, () => phones.unbind(db, { by, userId: kofi.id }))).toEqual([
    "done",
    "done",
  ]);
});

test("a wallet is corrected while its owner is changed", async () => {
  const esi = await world.person("esi");
  const correct = () => wallet.adjust(db, { by, key: null, userId: esi.id, amountPesewas: 5, reason: "x" });
  const change = () => users.edit(db, { by, userId: esi.id, username: "esinam" });
  expect(await crossed(esi.id, correct, change)).toEqual(["done", "done"]);
});

test("two transactions that lock in opposite orders both commit, one of them at the second try", async () => {
  const [efua, abena] = [await world.person("efua"), await world.person("abena")];
  const begun = { count: 0 };
  const both = Promise.withResolvers<void>();
  const lock = (tx: Tx, userId: number) =>
    tx.execute(sql`select from wallets where user_id = ${userId} for update`);
  const inOrder = (first: number, then: number) =>
    transact(db, async (tx) => {
      await lock(tx, first);
      begun.count += 1;
      if (begun.count >= 2) both.resolve();
      await both.promise;
      await lock(tx, then);
    });
  await Promise.all([inOrder(efua.id, abena.id), inOrder(abena.id, efua.id)]);
  expect(begun.count).toBe(3);
});
