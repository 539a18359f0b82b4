// Deadlocks: all code locks in the same order, and a transaction that the database aborts as a victim is retried.
import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { databaseError } from "../../../db/connect.ts";
import { STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as costs from "../../../src/core/catalog/costs.ts";
import { merge } from "../../../src/core/catalog/operators/operator-merger.ts";
import * as priceChanges from "../../../src/core/catalog/price-changes.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as phones from "../../../src/core/identity/phones/phones.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { transact } from "../../../src/core/platform/transactions.ts";
import { hold, holdWallet, lineFor, tally, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
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
    await statusChanges.move(db, { by, key: null, ids: [order.id], to });
  await disputes.open(db, { by: ama.by(), key: null, orderId: order.id, message: "" });
  const back = () => disputes.withdraw(db, { by: ama.by(), orderId: order.id });
  expect(await crossed(ama.id, back, () => users.remove(db, { by, userId: ama.id }))).toEqual(["done", "done"]);
});

test("a phone is removed while its account is deleted", async () => {
  const kofi = await world.person("kofi");
  await db.execute(sql`insert into phones (user_id, msisdn) values (${kofi.id}, '233541234567')`);
  await db.execute(sql`
    insert into codes (user_id, purpose, recipient, digest, expires_at)
    values (${kofi.id}, 'phone', 'x', 'x', now() + interval '1 hour')`);
  const gone = () => users.remove(db, { by, userId: kofi.id });
  expect(await crossed(kofi.id, gone, () => phones.unbind(db, { by, userId: kofi.id }))).toEqual(["done", "done"]);
});

test("a wallet is corrected while its owner is changed", async () => {
  const esi = await world.person("esi");
  const correct = () => wallet.adjust(db, { by, key: null, userId: esi.id, amountPesewas: 5, reason: "x" });
  const change = () => users.edit(db, { by, userId: esi.id, username: "esinam" });
  expect(await crossed(esi.id, correct, change)).toEqual(["done", "done"]);
});

describe("whatever changes expected costs or prices takes the lock of costs first", () => {
  /** Deadlocks so far: an aborted transaction is tried again, so that outcomes alone do not show one. */
  const deadlocks = async () => {
    const [row] = await db.execute<{ deadlocks: number }>(
      sql`select deadlocks::int from pg_stat_database where datname = current_database()`,
    );
    return row!.deadlocks;
  };
  /** Runs two operations: each waits before the next begins, the first for what `locking` holds. */
  const withoutDeadlock = async (locking: SQL, first: () => Promise<unknown>, second: () => Promise<unknown>) => {
    const before = await deadlocks();
    const held = await hold(db, locking);
    const one = how(first());
    await held.waiting(1);
    const other = how(second());
    await held.waiting(2);
    await held.release();
    expect([await one, await other, (await deadlocks()) - before]).toEqual(["done", "done", 0]);
  };
  const setCosts = (vendor: string, ...costsOf: [{ id: number }, number][]) =>
    costs.set(db, {
      by,
      costs: costsOf.map(([{ id: productId }, costPesewas]) => ({ productId, vendor, costPesewas })),
      vendors: [{ code: "datamart" }],
    });
  const setPrices = (bundles: { id: number }[], pricePesewas: number) =>
    priceChanges.set(db, {
      ...{ by, key: null, since: null, note: "", isConfirmed: true },
      prices: bundles.map(({ id: productId }) => ({ productId, tierId: STANDARD_TIER_ID, pricePesewas })),
    });

  test("a bundle is renumbered while its network is merged into another", async () => {
    const moved = await world.product("AIRTELTIGO", "2GB", "7.00");
    await withoutDeadlock(
      sql`select lock_costs()`,
      () => products.edit(db, { by, productId: moved.id, ussdNumber: 77 }),
      () => merge(db, { by, from: "AIRTELTIGO", into: "TELECEL" }),
    );
  });

  test("prices are set from the last bundle to the first while a floor changes what all are sold for", async () => {
    const [first, middle, last] = [
      await world.product("MTN", "21GB", "50.00"),
      await world.product("MTN", "22GB", "50.00"),
      await world.product("MTN", "23GB", "50.00"),
    ];
    await setCosts("desk", [first, 4000], [middle, 4000], [last, 4000]);
    await withoutDeadlock(
      sql`select from products where id = ${last.id} for no key update`,
      () => setPrices([middle, last, first], 5100),
      () => settings.change(db, { by, values: { margin_guard: "pause", margin_floor_pesewas: 7 } }),
    );
  });

  longTest(
    "admins and a worker change costs, prices, names and routes of the same bundles in every order",
    async () => {
      const ama = await world.person("akua", "GH₵ 90.00");
      const pair = [await world.product("MTN", "31GB", "90.00"), await world.product("MTN", "32GB", "90.00")];
      const before = await deadlocks();
      const record = (n: number) =>
        transact(db, async (tx) => {
          await wallet.lockBuyer(tx, ama.id);
          const charges = pair.map(({ id: productId }) => ({
            productId,
            vendor: "datamart",
            costPesewas: 5000 + n,
          }));
          await costs.record(
            tx,
            charges.map((charge) => ({ ...charge, at: new Date() })),
          );
        });
      const rounds = times(6, (n) => {
        const bundles = n % 2 ? pair : pair.toReversed();
        return [
          setCosts("desk", ...bundles.map((one): [{ id: number }, number] => [one, 4000 + n])),
          setPrices(bundles, 9000 + n),
          products.edit(db, { by, productId: bundles[0]!.id, name: `Renamed ${n}` }),
          settings.change(db, { by, values: { route_mtn: n % 2 ? "datamart,desk" : "desk" } }),
          record(n),
          orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) }),
        ];
      });
      expect(tally(await Promise.all(rounds.flat().map(how)))).toEqual({ done: 36 });
      expect((await deadlocks()) - before).toBe(0);
    },
  );
});

longTest("two transactions that lock in opposite orders both commit, one of them at the second try", async () => {
  const [efua, abena] = [await world.person("efua"), await world.person("abena")];
  const begun = { count: 0 };
  const both = Promise.withResolvers<void>();
  const lock = (tx: Tx, userId: number) => tx.execute(sql`select from wallets where user_id = ${userId} for update`);
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
