// Effects of a signal on an account: a hold delays what was not dispatched by ten minutes, a stop freezes besides.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as deadlines from "../../../src/core/fulfilment/deadlines.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as newOrders from "../../../src/core/fulfilment/desk/new-orders.ts";
import * as dispatch from "../../../src/core/fulfilment/dispatch.ts";
import * as holders from "../../../src/core/fulfilment/holders.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import * as freezes from "../../../src/core/identity/freezes.ts";
import * as freezing from "../../../src/core/ledger/freezing.ts";
import * as holds from "../../../src/core/orders/holds.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as raising from "../../../src/core/signals/raising.ts";
import * as rules from "../../../src/core/signals/rules.ts";
import * as signals from "../../../src/core/signals/signals.ts";
import type { SignalEffect } from "../../../src/shared/signals.ts";
import { count, lineFor, outcome } from "../../support/asking.ts";
import type { Person } from "../../support/world.ts";
import { openDelivering } from "../fulfilment/delivering.ts";

const { world, db, vendors, bundle, callsTo, routeBy, promise } = await openDelivering();
const { yaw } = world;
const admin = yaw.by("admin");

let people = 0;
const somebody = (roles?: ["ADMIN"]) => world.person(`held${++people}`, "GH₵ 1000.00", roles);
const buy = async (person: Person, lines = 1) => {
  const bought = Array.from({ length: lines }, () => lineFor(bundle));
  const { answer } = await buyBulk(db, {
    ...{ by: person.by(), key: null, lines: bought, allowDuplicate: true },
  });
  return answer.orders.map(({ id }) => id);
};
/** Somebody else has come into this account. */
const takeOver = async (person: Person) => {
  await db.execute(sql`insert into logins (user_id, is_new_device) values (${person.id}, true)`);
  await db.execute(sql`insert into audit_log (action, subject_type, subject_id)
    values ('user.pin', 'user', ${String(person.id)})`);
};
/** The worker's round: rules look before orders are queued. */
const route = () => routing.routeDue(db, vendors, 500, (ids) => raising.examine(db, ids));
const send = async () => {
  const datamart = vendors.find(({ code }) => code === "datamart")!;
  await db.execute(sql`update vendors set next_call_at = now()`);
  return dispatch.sendDue(db, datamart, () => null, vendors);
};
const sentOf = (ids: number[]) =>
  count(db, sql`from attempts where order_id = any(${sql.param(ids)}::bigint[]) and state <> 'queued'`);
const minutesPass = (minutes: number) =>
  db.execute(sql`update order_holds set until = until - make_interval(mins => ${minutes})`);
const signalOf = async (person: Person) =>
  (await signals.list(db, { state: "all", userId: person.id }, { limit: 1 }))[0]!;
const effect = async (wanted: SignalEffect) => {
  const { kind, ...terms } = await rules.get(db, "takeover");
  await rules.change(db, { by: admin, kind, ...{ ...terms, effect: wanted } });
};

beforeEach(() => effect("hold"));
afterEach(async () => {
  await db.execute(sql`delete from order_holds`);
});

describe("a hold", () => {
  test("keeps orders from being dispatched from the moment they are queued, for ten minutes", async () => {
    const [ama, kofi] = [await somebody(), await somebody()];
    await takeOver(ama);
    const [held, free] = [await buy(ama, 10), await buy(kofi, 2)];
    await route();
    while ((await send()) > 0);
    expect(await sentOf(held)).toBe(0);
    expect((await holders.ofOrders(db, held)).get(held[0]!)).toMatchObject({ state: "queued", isHeld: true });
    expect(await sentOf(free)).toBe(2);
    expect(await dispatch.turnInMs(db, vendors.find(({ code }) => code === "datamart")!)).toBeNull();
    await minutesPass(9);
    expect(await send()).toBe(0);
    await minutesPass(1);
    while ((await send()) > 0);
    expect(await sentOf(held)).toBe(10);
    expect(callsTo("datamart")).toBeGreaterThan(1);
  });

  test("holds what the account buys meanwhile, and is not begun again for the same cause", async () => {
    const ama = await somebody();
    await takeOver(ama);
    await buy(ama, 10);
    await route();
    const before = await holds.of(db, ama.id);
    const more = await buy(ama, 1);
    await route();
    expect(await send()).toBe(0);
    expect(await holds.of(db, ama.id)).toEqual(before);
    await minutesPass(10);
    await route();
    expect(await holds.of(db, ama.id)).toBeNull();
    while ((await send()) > 0);
    expect(await sentOf(more)).toBe(1);
  });

  test("holds what waits at the desk, too, for every way to take it", async () => {
    await routeBy("desk");
    const offered = async () => [await desk.waiting(db), await newOrders.count(db, "MTN")];
    const before = await offered();
    const ama = await somebody();
    await takeOver(ama);
    const ids = await buy(ama, 10);
    await route();
    expect(await offered()).toEqual(before);
    // What others have left there may be taken.
    await outcome(desk.take(db, { by: admin, key: null, operator: "MTN", countMax: 50 }));
    await outcome(newOrders.take(db, { by: admin, key: null, operator: "MTN" }));
    expect(await sentOf(ids)).toBe(0);
    const moved = await statusChanges.move(db, { by: admin, key: null, ids, to: "PROCESSING" });
    expect(new Set(moved.answer.map(({ refusal }) => refusal))).toEqual(new Set(["order.held"]));
    await minutesPass(10);
    await newOrders.take(db, { by: admin, key: null, operator: "MTN" });
    expect(await sentOf(ids)).toBe(10);
  });

  test("ends early when a manager ends it", async () => {
    const ama = await somebody();
    await takeOver(ama);
    const ids = await buy(ama, 10);
    await route();
    const { id: signalId } = await signalOf(ama);
    await signals.endHold(db, { by: admin, signalId });
    expect(await outcome(signals.endHold(db, { by: admin, signalId }))).toBe("signal.not_held");
    while ((await send()) > 0);
    expect(await sentOf(ids)).toBe(10);
  });

  test("does not stop the deadline: what is overdue is refunded", async () => {
    await promise(5);
    const ama = await somebody();
    await takeOver(ama);
    const ids = await buy(ama, 10);
    await route();
    const before = await world.balanceOf(ama);
    await db.execute(sql`update orders set deliver_by = now() - interval '1 minute'
      where id = any(${sql.param(ids)}::bigint[])`);
    await deadlines.refundOverdue(db);
    expect((await world.balanceOf(ama)) - before).toBe(10 * 2_090);
    await minutesPass(10);
    expect(await send()).toBe(0);
  });

  test("a hold that begins while orders are being taken lets none of those slip that were not taken", async () => {
    const ama = await somebody();
    const ids = await buy(ama, 1);
    await route();
    await db.transaction(async (tx) => {
      await holds.begin(tx, { userId: ama.id, signalId: 1, whileFrozen: false });
    });
    expect(await send()).toBe(0);
    expect(await sentOf(ids)).toBe(0);
  });

  test("holds that are over are removed, others stay", async () => {
    const [over, open] = [await somebody(), await somebody()];
    await db.transaction(async (tx) => {
      for (const { id: userId } of [over, open]) await holds.begin(tx, { userId, signalId: 1, whileFrozen: false });
    });
    await db.execute(sql`update order_holds set until = now() where user_id = ${over.id}`);
    expect(await holds.forgetOver(db)).toBe(1);
    expect(await holds.of(db, open.id)).not.toBeNull();
  });
});

describe("a stop", () => {
  test("freezes the account with the rule's words, and holds its orders until the freeze ends", async () => {
    await effect("stop");
    const ama = await somebody();
    await takeOver(ama);
    const ids = await buy(ama, 10);
    await route();
    const signal = await signalOf(ama);
    expect(signal.effect).toBe("stop");
    expect(await freezing.of(db, ama.id)).toEqual({
      message: "We are checking that it is you who buys",
      until: null,
    });
    expect((await freezes.list(db, ama.id))[0]).toMatchObject({
      reason: `Signal ${signal.id}: New device, new PIN, bulk order`,
      byUserId: null,
    });
    expect(await outcome(buy(ama))).toBe("account.frozen");
    await minutesPass(60);
    expect(await send()).toBe(0);
    await freezes.unfreeze(db, { by: admin, userId: ama.id, reason: "It was she" });
    while ((await send()) > 0);
    expect(await sentOf(ids)).toBe(10);
  });

  test("leaves the terms of a freeze that a person has begun", async () => {
    await effect("stop");
    const ama = await somebody();
    await takeOver(ama);
    await buy(ama, 10);
    const terms = { reason: "Three cards", message: "We are checking a card", until: null };
    await freezes.freeze(db, { by: admin, userId: ama.id, ...terms });
    await route();
    expect((await signalOf(ama)).effect).toBe("stop");
    expect((await freezing.of(db, ama.id))!.message).toBe("We are checking a card");
    expect(await freezes.list(db, ama.id)).toHaveLength(1);
  });

  test("never freezes staff: nobody might be left to end it", async () => {
    await effect("stop");
    const owner = await somebody(["ADMIN"]);
    await takeOver(owner);
    await buy(owner, 10);
    await route();
    expect((await signalOf(owner)).effect).toBe("hold");
    expect(await freezing.of(db, owner.id)).toBeNull();
  });

  test("by a person follows a hold: the account is frozen, its orders wait as long", async () => {
    const ama = await somebody();
    await takeOver(ama);
    await buy(ama, 10);
    await route();
    const { id: signalId } = await signalOf(ama);
    await signals.stop(db, { by: admin, signalId });
    expect(await holds.of(db, ama.id)).toEqual({ until: null, signalId });
    expect(await outcome(buy(ama))).toBe("account.frozen");
    await minutesPass(60);
    expect(await send()).toBe(0);
    await signals.endHold(db, { by: admin, signalId });
    while ((await send()) > 0);
    expect(await freezing.of(db, ama.id)).not.toBeNull();
  });
});

test("a note does nothing but be there", async () => {
  await effect("note");
  const ama = await somebody();
  await takeOver(ama);
  const ids = await buy(ama, 10);
  await raising.raiseDue(db);
  await route();
  while ((await send()) > 0);
  expect(await sentOf(ids)).toBe(10);
  expect((await signalOf(ama)).effect).toBe("note");
});
