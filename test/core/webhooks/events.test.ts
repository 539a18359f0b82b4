// Events of orders and wallets: a message for each change, in the commit of the change, to the account's endpoints that
// chose the event and to nobody else.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones } from "../../../db/schema/identity.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as accountPhones from "../../../src/core/identity/phones/phones.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as notices from "../../../src/core/messaging/notices.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as takenBackRefunds from "../../../src/core/orders/taken-back-refunds.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import * as statements from "../../../src/core/payments/deposits/statements.ts";
import * as hooks from "../../../src/core/webhooks/endpoints.ts";
import type { AdminTarget } from "../../../src/shared/domain.ts";
import { count, lineFor, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import type { Person } from "../../support/world.ts";
import { openPaying } from "../payments/paying.ts";
import { openReader } from "./reading.ts";

const shop = await openPaying();
const { world, db } = shop;
const { yaw } = world;
const reader = openReader(world);
const bundle = await world.product("MTN", "2GB", "9.00");
const admin = { by: yaw.by("admin"), key: null };

let people = 0;
const agent = () => world.person(`agent${++people}`, "GH₵ 100.00");
const buy = async (person: Person) =>
  (await orders.buy(db, { by: person.by(), key: null, line: lineFor(bundle) })).answer.order.id;
const move = (to: AdminTarget, ...ids: number[]) => statusChanges.move(db, { ...admin, ids, to });
const waiting = () => count(db, sql`from hook_deliveries where event <> 'ping'`);
let numbers = 0;
const freshId = () => String(40_125_000_000 + ++numbers);
const correct = (person: Person, amountPesewas: number) =>
  wallet.adjust(db, { ...admin, userId: person.id, amountPesewas, reason: "Counted again" });

beforeEach(() => reader.endpoint.answer(() => new Response(null, { status: 204 })));
// What a test leaves open must not be sent in the next one.
afterEach(async () => {
  await db.execute(sql`delete from hooks`);
});

longTest(
  "an endpoint gets the events that it chose, an endpoint for all gets all, and others' get nothing",
  async () => {
    const [ama, kofi] = [await agent(), await agent()];
    const money = await reader.open(ama, "wallet.topped_up");
    const all = await reader.open(ama, "all");
    const usual = await reader.open(ama, "order.status_changed");
    const kofis = await reader.open(kofi, "all");
    await correct(ama, 500);
    await move("FAILED", await buy(ama));
    const typesAt = async (hook: hooks.Hook) => (await reader.read(hook)).map(({ type }) => type);
    expect(await typesAt(money)).toEqual(["wallet.topped_up"]);
    expect(await typesAt(all)).toEqual(["wallet.topped_up", "order.status_changed", "order.refunded"]);
    expect(await typesAt(usual)).toEqual(["order.status_changed"]);
    expect(await typesAt(kofis)).toEqual([]);
    await hooks.change(db, reader.keys, { by: ama.by(), hookId: usual.id, events: ["order.refunded"] });
    await move("FAILED", await buy(ama));
    expect(await typesAt(usual)).toEqual(["order.refunded"]);
  },
);

test("a new endpoint without a choice gets changes of status, as those from before did", async () => {
  const ama = await agent();
  const ask = { by: ama.by(), key: null, url: `${reader.endpoint.url}/usual`, description: "" };
  expect((await hooks.create(db, reader.keys, ask)).answer.hook.events).toEqual(["order.status_changed"]);
  const [row] = await db.execute<{ standard: string }>(sql`
    select column_default as standard from information_schema.columns
    where table_name = 'hooks' and column_name = 'events'`);
  expect(row!.standard).toBe("ARRAY['order.status_changed'::text]");
});

test("nothing is queued for a banned account, or for an endpoint that is off", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  await reader.open(ama, "all");
  const off = await reader.open(kofi, "all");
  await users.ban(db, { by: yaw.by("admin"), userId: ama.id });
  await hooks.change(db, reader.keys, { by: kofi.by(), hookId: off.id, isOn: false });
  for (const person of [ama, kofi]) await correct(person, 500);
  expect(await waiting()).toBe(0);
});

describe("wallet.topped_up", () => {
  longTest("is sent for money by Paystack, mobile money, the statement and an admin, with the balance", async () => {
    const ama = await agent();
    // The statement credits nobody by itself who is new.
    await db.execute(sql`update users set created_at = now() - interval '1 year' where id = ${ama.id}`);
    const hook = await reader.open(ama, "wallet.topped_up");
    const { reference } = await shop.paidTopUp(ama, 2000);
    await shop.settle(reference);
    const approved = freshId();
    const { id: depositId } = await deposits.file(db, {
      ...{ by: ama.by(), transactionId: approved, amountPesewas: 1000 },
    });
    await deposits.approve(db, { ...admin, depositId });
    const found = freshId();
    await deposits.file(db, { by: ama.by(), transactionId: found, amountPesewas: 1200 });
    const line = { direction: "in", transactionId: found, originalId: null, amountPesewas: 1200 } as const;
    const lines = [{ ...line, senderName: "KOFI", senderMsisdn: null, at: new Date() }];
    await statements.importLines(db, { ...admin, network: "mtn", source: "file", lines });
    await correct(ama, 70);
    await correct(ama, -50);
    const sent = (await reader.read(hook)).map(({ data }) => [
      ...[data.source, data.reference, data.amountPesewas, data.balancePesewas, data.orderId],
    ]);
    expect(sent).toEqual([
      ["paystack", reference, 2000, 12_000, null],
      ["mobile_money", approved, 1000, 13_000, null],
      ["mobile_money", found, 1200, 14_200, null],
      ["correction", null, 70, 14_270, null],
    ]);
  });

  longTest("names the order that a payment was for, and the balance before it is paid", async () => {
    const ama = await agent();
    const hook = await reader.open(ama, "all");
    const { order, page } = await shop.orderPage(ama);
    await shop.paystack.pay(page.reference);
    await shop.settle(page.reference);
    const [topUp, change] = await reader.read(hook);
    expect(topUp!.data).toMatchObject({ orderId: order.id, amountPesewas: 390, balancePesewas: 10_390 });
    expect([change!.type, change!.data.status]).toEqual(["order.status_changed", "PAID"]);
  });

  longTest("is sent once, however many settle the payment at once and again", async () => {
    const ama = await agent();
    const hook = await reader.open(ama, "wallet.topped_up");
    const { reference } = await shop.paidTopUp(ama, 2000);
    await Promise.all(times(8, () => shop.settle(reference)));
    await shop.settle(reference);
    expect(await reader.read(hook)).toHaveLength(1);
    expect(await world.balanceOf(ama)).toBe(12_000);
  });

  test("has the balance less the debt that the money paid", async () => {
    const ama = await world.person(`owing${++people}`);
    const hook = await reader.open(ama, "wallet.topped_up");
    const { reference } = await shop.paidTopUp(ama, 2000);
    await shop.settle(reference);
    await orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) });
    const { providerId } = await shop.row(reference);
    await shop.refundAtPaystack(providerId as never, 2000);
    await shop.poll();
    await shop.workOff();
    const owed = (await wallet.standing(db, ama.id)).owedPesewas;
    await reader.read(hook);
    await correct(ama, 5000);
    const [topUp] = await reader.read(hook);
    expect(topUp!.data.balancePesewas).toBe(await world.balanceOf(ama));
    expect(topUp!.data.balancePesewas).toBeLessThanOrEqual(5000 + 1100 - owed);
  });

  test("is not sent for money that was rolled back", async () => {
    const ama = await agent();
    const hook = await reader.open(ama, "wallet.topped_up");
    const fault = new Error("the power goes out");
    const half = db.transaction(async (tx) => {
      await wallet.correct(tx, yaw.by("admin"), { userId: ama.id, amountPesewas: 500, reason: "Half" });
      expect(await count(tx as never, sql`from hook_deliveries where hook_id = ${hook.id}`)).toBe(1);
      throw fault;
    });
    await expect(half).rejects.toBe(fault);
    expect(await reader.read(hook)).toEqual([]);
  });
});

describe("order.refunded", () => {
  test("is sent with the order and the amount, after its change of status", async () => {
    const ama = await agent();
    const hook = await reader.open(ama, "all");
    const id = await buy(ama);
    await cancelling.cancel(db, { by: ama.by(), key: null, orderId: id });
    const [change, refund] = await reader.read(hook);
    expect([change!.type, refund!.type]).toEqual(["order.status_changed", "order.refunded"]);
    expect(refund!.data).toMatchObject({ id, status: "FAILED", refunded: 9, refundedPesewas: 900 });
    expect(refund!.data.refundedAt).not.toBeNull();
  });

  test("is sent once for each order of many that fail at once on two servers, and not for unpaid ones", async () => {
    const ama = await agent();
    const hook = await reader.open(ama, "order.refunded");
    const ids = [await buy(ama), await buy(ama), await buy(ama)];
    const line = lineFor(bundle);
    const unpaid = (await unpaidOrders.create(db, { by: ama.by(), key: null, line })).answer.id;
    await withSecondServer(world, (other) =>
      Promise.all(
        times(6, (n) => statusChanges.move(n % 2 ? db : other, { ...admin, ids: [...ids, unpaid], to: "FAILED" })),
      ),
    );
    expect((await reader.read(hook)).map(({ data }) => data.id).sort()).toEqual(ids);
  });

  test("is sent again for the refund after one that was taken back", async () => {
    const ama = await agent();
    const hook = await reader.open(ama, "order.refunded");
    const id = await buy(ama);
    for (const to of ["PROCESSING", "DELIVERED", "FAILED"] as const) await move(to, id);
    const [row] = await db.execute<{ at: string }>(sql`select refunded_at as at from orders where id = ${id}`);
    const seen = { refundedAt: new Date(row!.at), amountPesewas: 900 };
    const command = { orderId: id, to: "DELIVERED", reason: "It came late", ...seen } as const;
    await takenBackRefunds.takeBack(db, { ...admin, ...command });
    await move("FAILED", id);
    expect((await reader.read(hook)).map(({ data }) => data.refundedPesewas)).toEqual([900, 900]);
  });
});

describe("wallet.balance_low", () => {
  const limit = async (person: Person, lowBalancePesewas: number) => {
    await db.insert(phones).values({ userId: person.id, msisdn: `2335500${String(++numbers).padStart(5, "0")}` });
    await accountPhones.chooseNotices(db, { by: person.by(), lowBalancePesewas });
  };
  const decide = async () => {
    while ((await notices.sendDue(db, 100)) > 0);
  };

  test("is sent once when purchases at once cross the account's limit, and again after it rose above", async () => {
    const ama = await agent();
    await limit(ama, 5000);
    const hook = await reader.open(ama, "wallet.balance_low");
    await withSecondServer(world, (other) =>
      Promise.all(times(8, (n) => orders.buy(n % 2 ? db : other, { by: ama.by(), key: null, line: lineFor(bundle) }))),
    );
    // Two workers decide at once.
    await Promise.all([decide(), decide()]);
    const [low, ...more] = await reader.read(hook);
    expect(more).toEqual([]);
    expect(low!.data).toMatchObject({ limitPesewas: 5000, balancePesewas: 2800, availablePesewas: 2800 });
    await buy(ama);
    await decide();
    expect(await reader.read(hook)).toEqual([]);
    await correct(ama, 3900);
    await buy(ama);
    await decide();
    expect(await reader.read(hook)).toHaveLength(1);
  });

  test("is sent for an order that is paid later, and not to accounts without a limit", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    await limit(ama, 9500);
    const [hook, kofis] = [await reader.open(ama, "all"), await reader.open(kofi, "wallet.balance_low")];
    for (const person of [ama, kofi]) {
      const order = await unpaidOrders.create(db, { by: person.by(), key: null, line: lineFor(bundle) });
      await unpaidOrders.spend(db, { by: person.by(), key: null, orderId: order.answer.id });
    }
    await decide();
    expect((await reader.read(hook)).map(({ type, data }) => [type, data.balancePesewas])).toEqual([
      ["wallet.balance_low", 9100],
    ]);
    expect(await reader.read(kofis)).toEqual([]);
  });
});

describe("order.case_decided", () => {
  const dispute = async (person: Person) => {
    const id = await buy(person);
    for (const to of ["PROCESSING", "DELIVERED"] as const) await move(to, id);
    const { answer } = await disputes.open(db, { by: person.by(), key: null, orderId: id, message: "" });
    return { id, requestId: answer.id };
  };
  const delivered = { outcome: "delivered", proof: "MTN confirmed it at 12:04" } as const;
  const decisionsAt = async (hook: hooks.Hook) =>
    (await reader.read(hook)).map(({ data }) => [data.id, data.status, data.case.outcome, data.case.message]);

  longTest("is sent with the outcome in words and code, whoever decides and however", async () => {
    const ama = await agent();
    const hook = await reader.open(ama, "order.case_decided");
    const [proven, refunded, late, failed] = [
      ...[await dispute(ama), await dispute(ama), await dispute(ama), await dispute(ama)],
    ];
    await disputes.decide(db, { ...admin, requestId: proven!.requestId, ...delivered });
    await disputes.decide(db, { ...admin, requestId: refunded!.requestId, outcome: "refunded" });
    await db.execute(sql`
      update support_requests set due_at = now() - interval '1 second' where id = ${late!.requestId}`);
    await disputes.endOverdue(db);
    await move("FAILED", failed!.id);
    const back = "The money for this order is back in your wallet.";
    expect(await decisionsAt(hook)).toEqual([
      [proven!.id, "DELIVERED", "delivered", "This order was delivered. MTN confirmed it at 12:04"],
      [refunded!.id, "FAILED", "refunded", `${back} Not received: refunded`],
      [late!.id, "FAILED", "refunded", `${back} Not received, and no proof of delivery in time`],
      [failed!.id, "FAILED", "refunded", back],
    ]);
  });

  test("is sent once when two people and the deadline decide at the same time", async () => {
    const ama = await agent();
    const hook = await reader.open(ama, "order.case_decided");
    const { requestId } = await dispute(ama);
    await db.execute(sql`update support_requests set due_at = now() where id = ${requestId}`);
    const outcomes = await withSecondServer(world, (other) =>
      Promise.all([
        ...times(4, (n) => outcome(disputes.decide(n % 2 ? db : other, { ...admin, requestId, ...delivered }))),
        disputes.endOverdue(db).then(() => "deadline"),
      ]),
    );
    expect(tally(outcomes).done ?? 0).toBeLessThanOrEqual(1);
    expect(await decisionsAt(hook)).toHaveLength(1);
  });

  longTest("is not sent when the agent withdraws it, and is corrected with a refund that is taken back", async () => {
    const ama = await agent();
    const hook = await reader.open(ama, "order.case_decided");
    const withdrawn = await dispute(ama);
    await disputes.withdraw(db, { by: ama.by(), orderId: withdrawn.id });
    expect(await decisionsAt(hook)).toEqual([]);
    const { id, requestId } = await dispute(ama);
    await disputes.decide(db, { ...admin, requestId, outcome: "refunded" });
    const [row] = await db.execute<{ at: string }>(sql`select refunded_at as at from orders where id = ${id}`);
    const seen = { refundedAt: new Date(row!.at), amountPesewas: 900 };
    const command = { orderId: id, to: "DELIVERED", reason: "The buyer has it", ...seen } as const;
    await takenBackRefunds.takeBack(db, { ...admin, ...command });
    expect((await decisionsAt(hook)).map(([, status, result]) => [status, result])).toEqual([
      ["FAILED", "refunded"],
      ["DELIVERED", "delivered"],
    ]);
  });
});
