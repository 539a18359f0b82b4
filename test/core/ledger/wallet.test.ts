// Wallets: corrections by admins, the history, and statements that add up for any range of dates.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { count, key, lineFor, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");

const adjust = (person: Person, amountPesewas: number, reason = "receipt 118", keyText?: string, on = db) =>
  wallet.adjust(on, {
    by: yaw.by("admin"),
    key: keyText ? key(keyText, "adjust") : null,
    userId: person.id,
    amountPesewas,
    reason,
  });

describe("an admin's correction", () => {
  test("adds or removes money, with a transfer, a reason and an entry in the audit log", async () => {
    const ama = await world.person("ama");
    expect((await adjust(ama, 5000)).answer.balancePesewas).toBe(5000);
    const { answer } = await adjust(ama, -1250, "Paid out in cash");
    expect(answer.balancePesewas).toBe(3750);
    expect(await world.balanceOf(ama)).toBe(3750);
    const transfers = await db.query.transfers.findMany({ where: (t, { eq }) => eq(t.userId, ama.id) });
    expect(transfers.map((t) => [t.debit, t.credit, t.amountPesewas, t.balanceAfterPesewas, t.byUserId])).toEqual([
      ["adjustments", "wallet", 5000, 5000, yaw.id],
      ["wallet", "adjustments", 1250, 3750, yaw.id],
    ]);
    const entries = await db.query.auditLog.findMany({
      where: (a, { and, eq }) => and(eq(a.action, "wallet.adjust"), eq(a.subjectId, String(ama.id))),
      orderBy: (a, { asc }) => asc(a.id),
    });
    expect(entries[1]).toMatchObject({
      byUserId: yaw.id,
      before: { balance: "GH₵ 50.00" },
      after: { balance: "GH₵ 37.50", amount: "−GH₵ 12.50", reason: "Paid out in cash" },
    });
  });

  longTest("removes no more than the balance, also when forty are made at once at two servers", async () => {
    const person = await world.person("drained", "GH₵ 10.00");
    expect(await outcome(adjust(person, -1001))).toBe("wallet.insufficient_balance");
    const outcomes = await withSecondServer(world, (other) =>
      Promise.all(times(40, (i) => outcome(adjust(person, -100, "drain", undefined, i % 2 ? db : other)))),
    );
    expect(tally(outcomes)).toEqual({ done: 10, "wallet.insufficient_balance": 30 });
    expect(await world.balanceOf(person)).toBe(0);
    expect(await count(db, sql`from adjustments where user_id = ${person.id}`)).toBe(11);
  });

  test("under one key is made once, forty times at once", async () => {
    const person = await world.person("keyed");
    const answers = await Promise.all(times(40, () => adjust(person, 700, "top-up at the desk", "desk-1")));
    expect(answers.filter((a) => !a.replayed)).toHaveLength(1);
    for (const { answer } of answers) expect(answer).toEqual(answers[0]!.answer);
    expect(await world.balanceOf(person)).toBe(700);
    expect(await outcome(adjust(person, 701, "top-up at the desk", "desk-1"))).toBe("request.key_reused");
  });

  test("is only for admins, and only on an account that exists and is open", async () => {
    const person = await world.person("selfserver");
    const ask = { key: null, userId: person.id, amountPesewas: 100, reason: "please" };
    expect(await outcome(wallet.adjust(db, { ...ask, by: person.by() }))).toBe("auth.forbidden");
    expect(await outcome(wallet.adjust(db, { ...ask, by: yaw.by(), userId: 987_654 }))).toBe("user.not_found");
    await users.remove(db, { by: yaw.by(), userId: person.id });
    expect(await outcome(adjust(person, 100))).toBe("user.closed");
  });
});

describe("the history", () => {
  test("describes each entry for its owner, newest first, and adds up to the balance", async () => {
    const kofi = await world.person("kofi", "GH₵ 20.00");
    const buy = await orders.buy(db, {
      by: kofi.by(),
      key: null,
      line: lineFor(bundle, { msisdn: "0541234567", quantity: 2 }),
    });
    const orderId = buy.answer.order.id;
    await statusChanges.moveOne(db, { by: yaw.by(), key: null, orderId, to: "FAILED" });
    await adjust(kofi, -500, "Fee");
    const entries = await wallet.history(db, kofi.id, { limit: 50 });
    expect(entries.map((e) => [e.type, e.changePesewas, e.balanceAfterPesewas, e.orderId, e.description])).toEqual([
      ["ADJUST", -500, 1500, null, "Fee"],
      ["REFUND", 780, 2000, orderId, "2 x MTN 1GB for 0541234567"],
      ["SPEND", -780, 1220, orderId, "2 x MTN 1GB for 0541234567"],
      ["ADJUST", 2000, 2000, null, "premise"],
    ]);
  });

  test("leaves out orders that touched no wallet, because they were paid in cash", async () => {
    const person = await world.person("cashier");
    const { answer } = await unpaidOrders.create(db, { by: person.by(), key: null, line: lineFor(bundle) });
    await statusChanges.moveOne(db, {
      by: yaw.by(),
      key: null,
      orderId: answer.id,
      to: "COMPLETED",
      paidInCash: true,
    });
    expect(await wallet.history(db, person.id, { limit: 50 })).toEqual([]);
  });

  longTest("is read page by page, each entry once, while new ones arrive", async () => {
    const person = await world.person("paged");
    for (const amount of times(23, (i) => i + 1)) await adjust(person, amount);
    const whole = (await wallet.history(db, person.id, { limit: 50 })).map((e) => e.id);
    const paged: number[] = [];
    for (let cursor: number | undefined; ; cursor = paged.at(-1)) {
      const page = await wallet.history(db, person.id, { limit: 5, cursor });
      paged.push(...page.map((e) => e.id));
      await adjust(person, 1);
      if (page.length < 5) break;
    }
    expect(paged).toEqual(whole);
  });
});

describe("a statement", () => {
  longTest("for any range, opens with the balance before and closes with the one after its entries", async () => {
    const person = await world.person("stated");
    const moment = async () => {
      const [row] = await db.execute<{ now: string }>(sql`select to_json(clock_timestamp())#>>'{}' as now`);
      return new Date(row!.now);
    };
    const moments = [await moment()];
    for (const n of times(24, (i) => i)) {
      if (n % 3 === 2 && (await world.balanceOf(person)) >= 390) {
        await orders.buy(db, { by: person.by(), key: null, line: lineFor(bundle) });
      } else await adjust(person, 100 + n * 37);
      moments.push(await moment());
    }
    const history = (await wallet.history(db, person.id, { limit: 200 })).toReversed();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: moments.length - 1 }),
        fc.integer({ min: 0, max: moments.length - 1 }),
        async (a, b) => {
          const [from, to] = [moments[Math.min(a, b)]!, moments[Math.max(a, b)]!];
          const statement = await wallet.statement(db, person.id, from, to);
          const inside = history.filter((e) => e.createdAt >= from && e.createdAt < to);
          const before = history.filter((e) => e.createdAt < from);
          expect(statement.entries).toEqual(inside);
          expect(statement.openingPesewas).toBe(before.at(-1)?.balanceAfterPesewas ?? 0);
          const sum = statement.entries.reduce((total, e) => total + e.changePesewas, 0);
          expect(statement.openingPesewas + sum).toBe(statement.closingPesewas);
        },
      ),
      { numRuns: 60 },
    );
    const whole = await wallet.statement(db, person.id, new Date(0), new Date(Date.now() + 86_400_000));
    expect([whole.openingPesewas, whole.closingPesewas]).toEqual([0, await world.balanceOf(person)]);
  });

  test("of a user without any entry is zero throughout", async () => {
    const person = await world.person("idle");
    const statement = await wallet.statement(db, person.id, new Date(0), new Date());
    expect(statement).toMatchObject({ openingPesewas: 0, closingPesewas: 0, entries: [] });
  });

  longTest("of more than fifty thousand entries is refused, with the advice to choose a shorter period", async () => {
    const person = await world.person("busy");
    // Written past our code, because creating them one by one would take minutes; the books still add up.
    await db.execute(sql`
      with made as (
        insert into adjustments (user_id, amount_pesewas, reason)
        select ${person.id}, 1, 'one pesewa' from generate_series(1, 50001) returning id)
      insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
      select ${person.id}, 'adjustments', 'wallet', 1, 'adjustment', id, row_number() over (order by id)
      from made order by id`);
    await db.execute(sql`update wallets set balance_pesewas = 50001 where user_id = ${person.id}`);
    const tomorrow = new Date(Date.now() + 86_400_000);
    expect(await outcome(wallet.statement(db, person.id, new Date(0), tomorrow))).toBe("wallet.statement_too_long");
    expect(await outcome(wallet.statement(db, person.id, tomorrow, tomorrow))).toBe("done");
  });
});
