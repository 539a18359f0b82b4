// Cash: taken by staff for orders, and handed in by day to a colleague who counts it. Nobody accepts their own, a
// closed day does not change, and cash on hand is what was taken less what was handed in.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as cash from "../../../src/core/payments/cash/cash.ts";
import * as cashBank from "../../../src/core/payments/cash/cash-bank.ts";
import * as cashBooks from "../../../src/core/payments/cash/cash-books.ts";
import { AppError } from "../../../src/shared/errors/app-error.ts";
import { count, databaseRefusal, lineFor, outcome, randomFrom, seed } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama");
const manager = await world.person("mansa", undefined, ["MANAGER"]);
const acct = await world.person("abena", undefined, ["ACCOUNTS"]);
const desk = await world.person("dede", undefined, ["DESK"]);
const second = await world.person("sena", undefined, ["DESK"]);

/** An order paid in cash to somebody. */
const sell = async (to: Person) => {
  const { answer } = await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(bundle) });
  await statusChanges.moveOne(db, {
    by: to.by(),
    key: null,
    orderId: answer.id,
    to: "COMPLETED",
    paidInCash: true,
  });
};
const open = async (person: Person) => (await cash.standing(db, person.id)).openPesewas;
const handIn = (person: Person, to: Person, expected: number, counted = expected, reason?: string) =>
  cash
    .handIn(db, {
      ...{ by: person.by("admin"), key: null, toUserId: to.id, reason },
      ...{ expectedPesewas: expected, countedPesewas: counted },
    })
    .then(({ answer }) => answer.closeId);
const decide = (person: Person, closeId: number, expected: number, counted = expected) =>
  cash.decide(db, {
    ...{ by: person.by("admin"), key: null, closeId, decision: "accept" },
    ...{ expectedPesewas: expected, countedPesewas: counted },
  });
/** Makes the closes so far those of yesterday. */
const nextDay = async () => {
  await db.execute(sql`alter table cash_closes disable trigger cash_closes_stay`);
  // In two steps, so that no two closes of a person are of one day in between.
  await db.execute(sql`update cash_closes set day = day - 1000`);
  await db.execute(sql`update cash_closes set day = day + 999`);
  await db.execute(sql`alter table cash_closes enable trigger cash_closes_stay`);
};
const accountOf = async (code: string) => {
  const [row] = await db.execute<{ pesewas: number }>(
    sql`select coalesce(sum(pesewas), 0)::bigint as pesewas from audit.entry where account_kind = ${code}`,
  );
  return row!.pesewas;
};

describe("handing in", () => {
  test("takes what was taken to a colleague, who accepts it; later cash is of the next day", async () => {
    await sell(desk);
    await sell(desk);
    expect(await open(desk)).toBe(780);
    const closeId = await handIn(desk, acct, 780);
    expect(await cash.standing(db, desk.id)).toMatchObject({ openPesewas: 0, waitingPesewas: 780 });
    await sell(desk);
    await decide(acct, closeId, 780);
    expect(await cash.standing(db, desk.id)).toMatchObject({ openPesewas: 390, waitingPesewas: 0 });
    expect(await outcome(handIn(desk, acct, 390))).toBe("cash.closed_today");
    await nextDay();
    const next = await handIn(desk, acct, 390);
    await decide(manager, next, 390);
    expect(await open(desk)).toBe(0);
    expect(await cashBooks.inSafe(db)).toBe(1170);
  });

  test("books what is missing or too much as a difference with its reason", async () => {
    await nextDay();
    const adjustments = await accountOf("adjustments");
    await sell(second);
    expect(await outcome(handIn(second, acct, 390, 300))).toBe("cash.reason_missing");
    const short = await handIn(second, acct, 390, 300, "A note was torn");
    await decide(acct, short, 390, 300);
    expect((await accountOf("adjustments")) - adjustments).toBe(-90);
    await nextDay();
    await sell(second);
    const over = await handIn(second, acct, 390, 400, "Somebody gave a tip");
    await decide(acct, over, 390, 400);
    expect((await accountOf("adjustments")) - adjustments).toBe(-80);
    expect(await open(second)).toBe(0);
  });

  test("is refused of another amount, to oneself, to whom may not see the books, and of nothing", async () => {
    await nextDay();
    await sell(manager);
    expect(await outcome(handIn(manager, acct, 400))).toBe("cash.moved");
    expect(await outcome(handIn(manager, manager, 390))).toBe("cash.to_whom");
    expect(await outcome(handIn(manager, desk, 390))).toBe("cash.to_whom");
    expect(await outcome(handIn(manager, ama, 390))).toBe("cash.to_whom");
    expect(await outcome(handIn(desk, acct, 0))).toBe("cash.nothing");
    expect(await outcome(handIn(ama, acct, 390))).toBe("auth.forbidden");
  });
});

describe("accepting", () => {
  test("is for another with the right to the books, of the amounts that were seen, once", async () => {
    await nextDay();
    const closeId = await handIn(manager, yaw, 390);
    expect(await outcome(decide(manager, closeId, 390))).toBe("auth.own_account");
    expect(await outcome(decide(desk, closeId, 390))).toBe("auth.forbidden");
    expect(await outcome(decide(acct, closeId, 391))).toBe("cash.moved");
    expect(await outcome(decide(acct, 9_999, 390))).toBe("cash.not_found");
    const tries = await Promise.all([acct, yaw].map((person) => outcome(decide(person, closeId, 390))));
    expect(tries.sort()).toEqual(["cash.decided", "done"]);
    const change = db.execute(sql`update cash_closes set counted_pesewas = 1 where id = ${closeId}`);
    expect(await databaseRefusal(change)).toBe("cash_closes_stay");
  });

  test("that is rolled back leaves everything as it was", async () => {
    await nextDay();
    await sell(desk);
    const closeId = await handIn(desk, acct, 390);
    const seen = { closeId, expectedPesewas: 390, countedPesewas: 390 };
    const undone = db.transaction(async (tx) => {
      await cash.decide.within(tx, acct.by("admin"), { ...seen, decision: "accept" });
      throw new AppError("service.busy");
    });
    expect(await outcome(undone)).toBe("service.busy");
    expect(await cash.standing(db, desk.id)).toMatchObject({ waitingPesewas: 390 });
    await decide(acct, closeId, 390);
  });

  test("can be refused with a reason, and the cash is handed in again", async () => {
    await nextDay();
    await sell(desk);
    const closeId = await handIn(desk, acct, 390);
    await cash.decide(db, {
      ...{ by: acct.by("admin"), key: null, closeId, expectedPesewas: 390, countedPesewas: 390 },
      ...{ decision: "refuse", reason: "I counted GH₵ 3.00" },
    });
    expect(await open(desk)).toBe(390);
    await decide(acct, await handIn(desk, acct, 390), 390);
  });
});

longTest(
  `in any order, cash with staff, in the safe and at the bank add up to what was taken (seed ${seed})`,
  async () => {
    const below = randomFrom(seed);
    const people = [desk, second, manager];
    for (let step = 0; step < 60; step++) {
      const person = people[below(people.length)]!;
      const other = [acct, manager, yaw][below(3)]!;
      const [waiting] = await cashBooks.closes(db, { state: "waiting" }, 1);
      const safe = await cashBooks.inSafe(db);
      await [
        () => sell(person),
        async () => {
          const expected = await open(person);
          await outcome(handIn(person, other, expected, Math.max(0, expected + below(3) - 1), "Counted twice"));
        },
        () => outcome(decide(other, waiting?.id ?? 0, waiting?.expectedPesewas ?? 0, waiting?.countedPesewas ?? 0)),
        () =>
          outcome(
            cashBank.bring(db, {
              by: acct.by(),
              key: null,
              amountPesewas: 1 + below(safe + 1),
              slip: `R${step}`,
            }),
          ),
        async () => {
          const [unseen] = await cashBank.list(db, { unseenOnly: true }, 1);
          if (!unseen) return;
          const { id: bankDepositId, amountPesewas } = unseen;
          const seenPesewas = Math.max(0, amountPesewas + below(3) - 1);
          const found = { bankDepositId, amountPesewas, seenPesewas, reason: "As the statement shows" };
          await cashBank.tickOff(db, { by: manager.by("admin"), key: null, ...found });
        },
        nextDay,
      ][below(6)]!();
    }
    const taken = (await count(db, sql`from orders where payment_method = 'cash'`)) * 390;
    const [lost] = await db.execute<{ pesewas: number }>(sql`
    select coalesce(sum(case debit when 'adjustments' then amount_pesewas else -amount_pesewas end), 0)::bigint
           as pesewas
    from transfers where reason in ('cash_difference', 'bank_difference')`);
    const held = -((await accountOf("cash")) + (await accountOf("safe")) + (await accountOf("bank")));
    expect(held).toBe(taken - lost!.pesewas);
  },
);
