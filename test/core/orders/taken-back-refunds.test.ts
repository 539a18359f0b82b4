// Refunds by mistake, taken back while the money is in the wallet: once, never below zero, never from held money, and
// with everything that follows from an order that counts as paid again.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as afa from "../../../src/core/afa/registrations.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import * as audit from "../../../src/core/ledger/audit-runs.ts";
import { dailyTurnover } from "../../../src/core/ledger/daily-turnover.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import { daysIn, statusCounts } from "../../../src/core/orders/daily-totals.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as losses from "../../../src/core/orders/losses.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as takenBack from "../../../src/core/orders/taken-back-refunds.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { today } from "../../../src/core/reports/sales-history.ts";
import * as support from "../../../src/core/support/requests.ts";
import type { Values } from "../../../src/shared/fields.ts";
import {
  count,
  freshNumber,
  lineFor,
  outcome,
  randomFrom,
  refusal,
  seed,
  tally,
  times,
  withSecondServer,
} from "../../support/asking.ts";
import { reportNow } from "../../support/desk.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person, TEST_CARDS } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const PRICE = bundle.pricePesewas;
const by = yaw.by("admin");
await settings.change(db, { by, values: { dispatch_hold_seconds: 0 } });

let people = 0;
let ama: Person;
beforeEach(async () => {
  people++;
  ama = await world.person(`ama${people}`, "GH₵ 20.00");
});

const buy = async (person = ama) => {
  const line = lineFor(bundle, { msisdn: freshNumber() });
  return (await orders.buy(db, { by: person.by(), key: null, line })).answer.order.id;
};
const fail = async (orderId: number) => {
  await statusChanges.moveOne(db, { by, key: null, orderId, to: "FAILED", reason: "It never came" });
  return orderId;
};
const refunded = async (person = ama) => fail(await buy(person));
const orderOf = (id: number) => orderQueries.get(db, by, id);
const commandFor = async (orderId: number, to: "DELIVERED" | "COMPLETED" = "COMPLETED") => {
  const { refundedAt, amountPesewas } = await orderOf(orderId);
  const reason = "the supplier shows delivery at 10:04";
  return { orderId, to, reason, refundedAt: refundedAt!, amountPesewas };
};
const takeBack = async (orderId: number, more: Partial<Values<typeof takenBack.takeBack.declared.input>> = {}) =>
  (await takenBack.takeBack(db, { by, key: null, ...(await commandFor(orderId)), ...more })).answer;
const spend = (person: Person, pesewas: number) =>
  wallet.adjust(db, { by, key: null, userId: person.id, amountPesewas: -pesewas, reason: "spent" });
const kindsOf = async (orderId: number) => {
  const rows = await db.execute<{ kind: string }>(sql`
    select kind from audit.entry
    where ref = ${String(orderId)} and account_kind = 'wallet' and kind <> 'ADJUST' order by txn_id`);
  return rows.map(({ kind }) => kind);
};
/** What was sold today and the shop's orders by status. */
const salesOf = async (person: Person) => {
  const [day] = await daysIn(db, { first: today(), last: today(), userId: person.id });
  return [day?.orders ?? 0, day?.amount ?? 0];
};

describe("a refund by mistake", () => {
  test("is taken back: money, status, sales, events and messages tell the same", async () => {
    const id = await buy();
    const sold = await salesOf(ama);
    const before = await world.balanceOf(ama);
    await fail(id);
    expect([await world.balanceOf(ama), await salesOf(ama)]).toEqual([before + PRICE, [0, 0]]);
    const counted = await statusCounts(db);
    expect(await orderOf(id)).toMatchObject({ failure: "refunded_by_shop" });
    const order = await takeBack(id);
    expect(order).toMatchObject({
      status: "COMPLETED",
      refundedAt: null,
      paymentMethod: "wallet",
      failure: null,
    });
    expect([await world.balanceOf(ama), await salesOf(ama)]).toEqual([before, sold]);
    const after = await statusCounts(db);
    expect([after.FAILED - counted.FAILED, after.COMPLETED - counted.COMPLETED]).toEqual([-1, 1]);
    expect(await kindsOf(id)).toEqual(["SPEND", "REFUND", "SPEND"]);
    const note = "Refund of GH₵ 3.90 taken back: the supplier shows delivery at 10:04";
    const events = await orderQueries.events(db, ama.by(), id);
    expect(events.at(-1)).toMatchObject({ fromStatus: "FAILED", toStatus: "COMPLETED", note });
    expect(events.some((event) => event.toStatus === "FAILED" && event.note === "It never came")).toBe(true);
    const [mail] = await db.execute<{ body: string }>(sql`
      select body from messages where user_id = ${ama.id} and kind = 'refund_taken_back'`);
    expect(mail!.body).toContain("10:04");
    const [entry] = await wallet.history(db, ama.id, { limit: 1 });
    expect(entry).toMatchObject({ type: "SPEND", changePesewas: -PRICE, orderId: id });
    expect(entry!.description).toStartWith("Refund taken back: ");
    const [day] = await dailyTurnover(db, ama.id, [today()]);
    expect(day).toMatchObject({ refunds: { pesewas: PRICE }, orders: { pesewas: -2 * PRICE } });
    expect(day!.closingPesewas).toBe(before);
  });

  test("is reported by SMS, in one part, whatever the reason", async () => {
    await db.execute(sql`
      insert into phones (user_id, msisdn) values (${ama.id}, ${`23324${1_000_000 + people}`})`);
    await takeBack(await refunded(), { reason: `${"the vendor shows it ".repeat(10)}.` });
    const [sms] = await db.execute<{ body: string }>(sql`
      select body from messages where user_id = ${ama.id} and channel = 'sms' and kind = 'refund_taken_back'`);
    expect(sms!.body).toStartWith("DataFie: order ");
    expect(sms!.body.length).toBeLessThanOrEqual(160);
  });

  test("can only be taken back as far as it can be spent", async () => {
    const id = await refunded();
    const { availablePesewas } = await wallet.standing(db, ama.id);
    await spend(ama, availablePesewas - PRICE + 1);
    const refused = await refusal(takeBack(id));
    expect(refused.code).toBe("order.refund_spent");
    expect(refused.details).toEqual({ required: 3.9, available: 3.89 });
    expect(refused.message).toContain("GH₵ 3.89");
    expect(await takenBack.outlook(db, await orderOf(id))).toMatchObject({
      refusal: "order.refund_spent",
      availablePesewas: PRICE - 1,
    });
    await wallet.adjust(db, { by, key: null, userId: ama.id, amountPesewas: 1, reason: "top-up" });
    expect((await takeBack(id)).status).toBe("COMPLETED");
    expect(await world.balanceOf(ama)).toBe(0);
  });

  test("never comes from held money", async () => {
    const id = await refunded();
    const { balancePesewas } = await wallet.standing(db, ama.id);
    await db.transaction(async (tx) => {
      await tx.execute(sql`update wallets set held_pesewas = ${balancePesewas - PRICE + 1} where user_id = ${ama.id}`);
      const refused = await outcome(takenBack.takeBack.within(tx, by, await commandFor(id)));
      expect(refused).toBe("order.refund_spent");
      await tx.execute(sql`update wallets set held_pesewas = 0 where user_id = ${ama.id}`);
    });
  });

  test("needs a right, evidence, and an order of somebody else", async () => {
    const id = await refunded();
    const clerk = await world.person(`clerk${people}`, undefined, ["SUPPORT"]);
    const command = await commandFor(id);
    const attempt = (more: object) => outcome(takenBack.takeBack(db, { by, key: null, ...command, ...more }));
    expect(await attempt({ by: clerk.by("admin") })).toBe("auth.forbidden");
    expect(await attempt({ by: ama.by() })).toBe("auth.forbidden");
    expect(await attempt({ reason: "  " })).toBe("order.evidence_missing");
    expect(await attempt({ orderId: 999_999 })).toBe("order.not_found");
    const manager = await world.person(`manager${people}`, "GH₵ 20.00", ["MANAGER"]);
    const own = await commandFor(await refunded(manager));
    expect(await outcome(takenBack.takeBack(db, { by: manager.by("admin"), key: null, ...own }))).toBe(
      "auth.own_account",
    );
    expect(await world.balanceOf(ama)).toBe(2_000);
  });

  test("is refused for an order without one, one of long ago, and one that moved meanwhile", async () => {
    const open = await buy();
    const seen = { refundedAt: new Date(), amountPesewas: PRICE };
    expect(await outcome(takeBack(await refunded(), { orderId: open, ...seen }))).toBe("order.not_refunded");
    const id = await refunded();
    expect(await outcome(takeBack(id, { amountPesewas: PRICE + 1 }))).toBe("order.refund_changed");
    expect(await outcome(takeBack(id, { refundedAt: new Date(0) }))).toBe("order.refund_changed");
    await db.execute(sql`update orders set refunded_at = now() - interval '30 days 1 minute' where id = ${id}`);
    expect(await outcome(takeBack(id))).toBe("order.refund_too_old");
  });

  test("is taken back once by one key, and refused to whoever comes later", async () => {
    const id = await refunded();
    const command = { by, key: { scope: "web:order", key: `once${people}` }, ...(await commandFor(id)) };
    const first = await takenBack.takeBack(db, command);
    const again = await takenBack.takeBack(db, command);
    expect(again).toEqual({ ...first, replayed: true });
    expect(await outcome(takenBack.takeBack(db, { ...command, key: null }))).toBe("order.not_refunded");
  });

  test("leaves an order that can fail once more, and then it is final", async () => {
    const id = await refunded();
    const balance = await world.balanceOf(ama);
    await takeBack(id, { to: "DELIVERED" });
    await fail(id);
    expect(await world.balanceOf(ama)).toBe(balance);
    expect(await kindsOf(id)).toEqual(["SPEND", "REFUND", "SPEND", "REFUND"]);
    expect(await outcome(takeBack(id))).toBe("order.refund_final");
    expect(await takenBack.outlook(db, await orderOf(id))).toMatchObject({ refusal: "order.refund_final" });
    expect((await orderOf(id)).status).toBe("FAILED");
  });

  test("is completed later when it was delivered", async () => {
    const id = await refunded();
    await takeBack(id, { to: "DELIVERED" });
    const job = sql`from jobs where kind = 'complete_order' and subject_id = ${id}`;
    expect(await count(db, job)).toBe(1);
  });

  test("that was a loss is none any more, and its attempt delivered it", async () => {
    const id = await buy();
    await routing.routeDue(db, [], 100);
    const { batchId } = (await desk.take(db, { by, key: null, operator: "MTN", countMax: 500 })).answer;
    await fail(id);
    const { msisdn } = await orderOf(id);
    const line = { line: 1, msisdn, volumeMb: null, outcome: "delivered" as const, message: null };
    await reportNow(db, { by, batchId, lines: [line] });
    const lossOf = async () => (await losses.list(db, { limit: 50 })).find(({ orderId }) => orderId === id);
    expect(await lossOf()).toMatchObject({ recoveredAt: null, settledAt: null });
    const total = async () => (await losses.totals(db)).byAgent.find(({ userId }) => userId === ama.id)?.count ?? 0;
    expect(await total()).toBe(1);
    await takeBack(id);
    expect(await total()).toBe(0);
    expect(await lossOf()).toMatchObject({ settledBy: "admin", recoveredAt: expect.any(Date) });
    const [attempt] = await db.execute<{ state: string; concern: string | null }>(
      sql`select state, concern from attempts where order_id = ${id}`,
    );
    expect({ ...attempt }).toEqual({ state: "delivered", concern: null });
  });

  test("after a wrong press at the desk makes its attempt the one that delivered", async () => {
    const id = await buy();
    await routing.routeDue(db, [], 100);
    await desk.take(db, { by, key: null, operator: "MTN", countMax: 500 });
    await fail(id);
    await takeBack(id);
    expect(await count(db, sql`from attempts where order_id = ${id} and state = 'delivered'`)).toBe(1);
  });

  test("that a dispute brought corrects the dispute, and tells its agent there", async () => {
    const id = await buy();
    await statusChanges.moveOne(db, { by, key: null, orderId: id, to: "PROCESSING" });
    await statusChanges.moveOne(db, { by, key: null, orderId: id, to: "DELIVERED" });
    const { answer } = await disputes.open(db, { by: ama.by(), key: null, orderId: id, message: "" });
    await disputes.decide(db, { by, key: null, requestId: answer.id, outcome: "refunded" });
    await takeBack(id);
    expect(await disputes.ofOrder(db, id)).toMatchObject({
      state: "closed",
      outcome: "delivered",
      proof: expect.stringContaining("10:04"),
    });
    const messages = await support.messages(db, answer.id);
    expect(messages.at(-1)!.message).toContain("taken back");
  });

  test("of an AFA registration holds card and number again, unless somebody else has them since", async () => {
    await products.ensureAfa(db);
    const agent = await world.person("afa", "GH₵ 200.00");
    const person = {
      fullName: "Akosua Mensah",
      phone: freshNumber(),
      location: "Kumasi",
      ghCardId: "GHA-123456789-0",
    };
    const register = async () => {
      const ask = { by: agent.by(), key: null, people: [person] };
      return (await afa.register(db, TEST_CARDS, ask)).answer.registrations[0]!.id;
    };
    const first = await fail(await register());
    const second = await register();
    expect(await outcome(takeBack(first))).toBe("afa.card_registered");
    await fail(second);
    expect((await takeBack(first)).status).toBe("COMPLETED");
    expect(await outcome(register())).toBe("afa.people_refused");
  });

  test("is in order for the audit of the night, too", async () => {
    const id = await refunded();
    expect(await audit.runNow(db)).toMatchObject({ ok: true });
    await takeBack(id);
    await audit.request(db, { by, kind: "new" });
    expect(await audit.runOpen(db)).toMatchObject({ ok: true });
  });
});

describe("at the same moment", () => {
  test("two admins take a refund back once", async () => {
    const id = await refunded();
    const balance = await world.balanceOf(ama);
    const command = await commandFor(id);
    const outcomes = await withSecondServer(world, (other) =>
      Promise.all(times(8, (i) => outcome(takenBack.takeBack(i % 2 ? db : other, { by, key: null, ...command })))),
    );
    expect(tally(outcomes)).toEqual({ done: 1, "order.not_refunded": 7 });
    expect(await world.balanceOf(ama)).toBe(balance - PRICE);
  });

  longTest("the agent spends it or it is taken back, and the wallet never falls below zero", async () => {
    for (let round = 0; round < 8; round++) {
      const agent = await world.person(`racer${round}`, "GH₵ 3.90");
      const id = await refunded(agent);
      const command = await commandFor(id);
      const line = lineFor(bundle, { msisdn: freshNumber() });
      const [taken, bought] = await Promise.all([
        outcome(takenBack.takeBack(db, { by, key: null, ...command })),
        outcome(orders.buy(db, { by: agent.by(), key: null, line })),
      ]);
      const ends = [taken, bought];
      expect([
        ["done", "wallet.insufficient_balance"],
        ["order.refund_spent", "done"],
      ]).toContainEqual(ends);
      expect(await world.balanceOf(agent)).toBe(0);
    }
  });
});

longTest(`random refunds, takings back and purchases keep the money right (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const agent = await world.person("random", "GH₵ 40.00");
  const ids: number[] = [];
  const some = () => ids[random(ids.length)];
  const acts = [
    async () => {
      const line = lineFor(bundle, { msisdn: freshNumber() });
      const result = await orders.buy(db, { by: agent.by(), key: null, line }).catch(() => null);
      if (result) ids.push(result.answer.order.id);
    },
    async () => {
      const orderId = some();
      if (orderId) await outcome(statusChanges.moveOne(db, { by, key: null, orderId, to: "FAILED", reason: "x" }));
    },
    async () => {
      const orderId = some();
      const order = orderId ? await orderOf(orderId) : null;
      if (!order?.refundedAt) return;
      const to = random(2) ? ("DELIVERED" as const) : ("COMPLETED" as const);
      const command = await commandFor(order.id, to).catch(() => null);
      if (command?.refundedAt) await outcome(takenBack.takeBack(db, { by, key: null, ...command }));
    },
  ];
  for (let round = 0; round < 40; round++) await Promise.all(times(4, () => acts[random(3)]!()));
  const standing = await Promise.all(ids.map(orderOf));
  const paid = standing.filter(({ status }) => status !== "FAILED").length;
  expect(await world.balanceOf(agent)).toBe(4_000 - paid * PRICE);
  const kinds = await Promise.all(ids.map(kindsOf));
  for (const kind of kinds) expect(kind.length).toBeLessThanOrEqual(4);
});
