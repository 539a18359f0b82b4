// Money that gives itself back has a bound: what nobody decided is refunded by the clock up to an amount a day and a
// share of what the account bought, and above it a person decides. The limits here: GH₵ 100.00 in 24 hours, and 10 %
// of the orders of the last 30 days, or five orders.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import { attention } from "../../../src/core/fulfilment/attention.ts";
import * as deadlines from "../../../src/core/fulfilment/deadlines.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as takenBack from "../../../src/core/orders/taken-back-refunds.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { raiseDue } from "../../../src/core/signals/raising.ts";
import { count, key, lineFor, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { paidHoursAgo } from "../../support/past.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const small = await world.product("MTN", "1GB", "4.00");
const middling = await world.product("MTN", "10GB", "40.00");
const large = await world.product("MTN", "50GB", "220.00");
type Bundle = typeof small;

let people = 0;
const somebody = () => world.person(`agent${++people}`, "GH₵ 5000.00");

async function bought(person: Person, bundle: Bundle): Promise<number> {
  const line = lineFor(bundle);
  return (await orders.buy(db, { by: person.by(), key: null, line, allowDuplicate: true })).answer.order.id;
}

async function delivered(person: Person, bundle: Bundle, many: number): Promise<number[]> {
  const ids: number[] = [];
  for (const _ of times(many, () => 0)) ids.push(await bought(person, bundle));
  for (const to of ["PROCESSING", "DELIVERED"] as const) await statusChanges.move(db, { by, key: null, ids, to });
  return ids;
}

/** Reports these orders as not received; nobody decides in time. */
async function reported(person: Person, ids: number[]): Promise<void> {
  for (const orderId of ids) await disputes.open(db, { by: person.by(), key: null, orderId, message: "" });
  await letPass();
}
const letPass = () =>
  db.execute(sql`
    update support_requests set due_at = now() - interval '1 hour' + id * interval '1 millisecond'
    where kind = 'not_received' and state = 'open'`);

/** Lets days pass since what was refunded and lost so far. */
const daysLater = async (days: number) => {
  for (const table of ["automatic_refunds", "losses"])
    await db.execute(sql`update ${sql.identifier(table)} set created_at = created_at - make_interval(days => ${days})`);
};
/** The account bought this many orders some days ago, which all arrived. */
async function boughtBefore(person: Person, many: number): Promise<void> {
  for (const id of await delivered(person, small, many)) await paidHoursAgo(db, id, 100);
}
const statusesOf = async (ids: number[]) =>
  (await Promise.all(ids.map((id) => orderQueries.get(db, by, id)))).map(({ status }) => status);
const refundedAmong = async (ids: number[]) => (await statusesOf(ids)).filter((status) => status === "FAILED").length;
/** One with an attempt at a vendor whose outcome nobody knows, long past its promise. */
async function unclear(person: Person, bundle: Bundle): Promise<number> {
  const id = await late(person, bundle);
  await db.execute(sql`
    insert into attempts (order_id, user_id, vendor, reference, state, sent_at, checked_at, due_at)
    values (${id}, ${person.id}, 'datamart', ${`unclear ${id}`}, 'unknown', now() - interval '2 hours', now(), now())`);
  await db.execute(sql`update orders set status = 'PROCESSING' where id = ${id}`);
  await db.execute(sql`
    insert into order_count_deltas (status, delta) values ('PENDING', -1), ('PROCESSING', 1)`);
  return id;
}
async function late(person: Person, bundle: Bundle): Promise<number> {
  const id = await bought(person, bundle);
  await db.execute(sql`update orders set deliver_by = now() - interval '1 hour' where id = ${id}`);
  return id;
}
/** As the worker does it: until there is nothing more to do. */
const refundLate = async () => {
  while ((await deadlines.refundOverdue(db)) > 0);
};

describe("reports that nobody decides are refunded by the clock", () => {
  longTest("up to GH₵ 100.00 in 24 hours: what costs more waits for a person", async () => {
    const ama = await somebody();
    const ids = await delivered(ama, middling, 3);
    await reported(ama, ids);
    expect(await disputes.endOverdue(db)).toBe(2);
    expect(await disputes.endOverdue(db)).toBe(0);
    expect(await statusesOf(ids)).toEqual(["FAILED", "FAILED", "DELIVERED"]);
    const waiting = (await disputes.listOpen(db, { limit: 50 })).filter(({ userId }) => userId === ama.id);
    expect(waiting.map(({ subjectId }) => subjectId)).toEqual([ids[2]!]);
    const [request] = waiting;
    await disputes.decide(db, { by, key: null, requestId: request!.id, outcome: "refunded" });
    expect(await refundedAmong(ids)).toBe(3);
  });

  test("never an order that alone costs more, also not after days", async () => {
    const ama = await somebody();
    const ids = await delivered(ama, large, 2);
    await reported(ama, ids);
    for (const days of [0, 1, 1]) {
      await daysLater(days);
      expect(await disputes.endOverdue(db)).toBe(0);
    }
    expect(await refundedAmong(ids)).toBe(0);
  });

  longTest("up to five orders in 30 days of an account that has bought little", async () => {
    const ama = await somebody();
    const ids = await delivered(ama, small, 20);
    await reported(ama, ids);
    for (const days of [0, 2, 2]) {
      await daysLater(days);
      while ((await disputes.endOverdue(db)) > 0);
      expect(await refundedAmong(ids)).toBe(5);
    }
    await daysLater(30);
    while ((await disputes.endOverdue(db)) > 0);
    expect(await refundedAmong(ids)).toBe(10);
  });

  longTest("up to a share of the orders that the account bought in the 30 days before today", async () => {
    const ama = await somebody();
    await boughtBefore(ama, 29);
    await settings.change(db, { by, values: { automatic_refunds_percent: 25 } });
    const ids = await delivered(ama, small, 20);
    await reported(ama, ids);
    while ((await disputes.endOverdue(db)) > 0);
    expect(await refundedAmong(ids)).toBe(7);
    await settings.change(db, { by, values: { automatic_refunds_percent: 10 } });
  });

  test("within limits that owners set", async () => {
    const ama = await somebody();
    const ids = await delivered(ama, small, 3);
    await reported(ama, ids);
    const values = { automatic_refunds_pesewas: 400, automatic_refunds_orders: 100 };
    await settings.change(db, { by, values });
    expect(await disputes.endOverdue(db)).toBe(1);
    await settings.change(db, { by, values: { automatic_refunds_pesewas: 0 } });
    await daysLater(2);
    expect(await disputes.endOverdue(db)).toBe(0);
    await settings.change(db, {
      by,
      values: { automatic_refunds_pesewas: 10_000, automatic_refunds_orders: 5 },
    });
  });

  longTest("by two workers at once, no more than by one", async () => {
    const ama = await somebody();
    const ids = await delivered(ama, small, 12);
    await reported(ama, ids);
    await withSecondServer(world, (other) =>
      Promise.all([disputes.endOverdue(db), disputes.endOverdue(other), disputes.endOverdue(db)]),
    );
    expect(await refundedAmong(ids)).toBe(5);
  });

  longTest("and one account's bound is nobody else's", async () => {
    const [ama, kofi] = [await somebody(), await somebody()];
    const ids = await delivered(ama, small, 8);
    const others = await delivered(kofi, small, 2);
    await reported(ama, ids);
    await reported(kofi, others);
    while ((await disputes.endOverdue(db)) > 0);
    expect([await refundedAmong(ids), await refundedAmong(others)]).toEqual([5, 2]);
  });
});

describe("what agents read", () => {
  test("is that a person decides, where the clock will not refund it", async () => {
    const ama = await somebody();
    const [first, second, third] = (await delivered(ama, middling, 3)) as [number, number, number];
    const offer = async (id: number) => (await disputes.offer(db, await orderQueries.get(db, by, id)))?.isAutomatic;
    const isAutomatic = (id: number) => disputes.isRefundedAutomatically(db, id);
    expect(await offer(first)).toBe(true);
    for (const orderId of [first, second]) await disputes.open(db, { by: ama.by(), key: null, orderId, message: "" });
    // Those reported before it take the day's amount.
    expect(await offer(third)).toBe(false);
    await disputes.open(db, { by: ama.by(), key: null, orderId: third, message: "" });
    expect(await Promise.all([first, second, third].map(isAutomatic))).toEqual([true, true, false]);
    const [dear] = (await delivered(await somebody(), large, 1)) as [number];
    expect(await offer(dear)).toBe(false);
  });
});

describe("a report that the clock refunded counts as a loss does", () => {
  const isForPerson = async (person: Person) => {
    const id = await bought(person, small);
    const outlook = await deadlines.outlook(db, await orderQueries.get(db, by, id));
    return outlook!.message.includes("our team decides");
  };

  test("towards refunds by a person, at the account's share", async () => {
    const ama = await somebody();
    const ids = await delivered(ama, small, 5);
    await reported(ama, ids.slice(0, 4));
    while ((await disputes.endOverdue(db)) > 0);
    expect(await isForPerson(ama)).toBe(false);
    await reported(ama, ids.slice(4));
    while ((await disputes.endOverdue(db)) > 0);
    expect(await isForPerson(ama)).toBe(true);
  });

  test("no more when its refund was taken back", async () => {
    const ama = await somebody();
    const ids = await delivered(ama, small, 5);
    await reported(ama, ids);
    while ((await disputes.endOverdue(db)) > 0);
    const { id: orderId, refundedAt, amountPesewas } = await orderQueries.get(db, by, ids[0]!);
    const command = { orderId, to: "DELIVERED" as const, reason: "MTN has proof" };
    const seen = { refundedAt: refundedAt!, amountPesewas };
    await takenBack.takeBack(db, { by, key: key("taken back"), ...command, ...seen });
    expect(await isForPerson(ama)).toBe(false);
  });

  test("and raises a signal from the second on, each once", async () => {
    const ama = await somebody();
    const signals = () => count(db, sql`from signals where kind = 'losses' and user_id = ${ama.id}`);
    const ids = await delivered(ama, small, 3);
    await reported(ama, ids.slice(0, 1));
    await disputes.endOverdue(db);
    await raiseDue(db);
    expect(await signals()).toBe(0);
    await reported(ama, ids.slice(1));
    await disputes.endOverdue(db);
    await raiseDue(db);
    await raiseDue(db);
    expect(await signals()).toBe(2);
  });
});

describe("overdue orders", () => {
  test("that were sent, with an unknown outcome, have the same bound; above it they wait for a person", async () => {
    const ama = await somebody();
    const ids = [];
    for (const bundle of [middling, middling, middling, large]) ids.push(await unclear(ama, bundle));
    await refundLate();
    expect(await statusesOf(ids)).toEqual(["FAILED", "FAILED", "PROCESSING", "PROCESSING"]);
    const overdue = (await attention(db)).overdue.filter(({ order }) => order.userId === ama.id);
    expect(overdue.map(({ order, isForPerson }) => [order.id, isForPerson])).toEqual([
      [ids[2]!, true],
      [ids[3]!, true],
    ]);
  });

  test("and reports share it", async () => {
    const ama = await somebody();
    const late = [await unclear(ama, middling), await unclear(ama, middling)];
    const ids = await delivered(ama, middling, 1);
    await reported(ama, ids);
    await refundLate();
    expect(await disputes.endOverdue(db)).toBe(0);
    expect([await refundedAmong(late), await refundedAmong(ids)]).toEqual([2, 0]);
  });

  test("that nobody was sent are all refunded: nothing was delivered", async () => {
    const ama = await somebody();
    const ids = [];
    for (const bundle of [large, large, ...times(8, () => small)]) ids.push(await late(ama, bundle));
    await refundLate();
    expect(await refundedAmong(ids)).toBe(10);
  });
});
