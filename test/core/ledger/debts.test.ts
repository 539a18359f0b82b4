// Debts: money that was charged back at Paystack after it was spent. Every credit pays the debt first, in the same
// commit.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as accounts from "../../../src/core/ledger/accounts.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import { databaseRefusal, lineFor, outcome, randomFrom, seed, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import type { Person } from "../../support/world.ts";
import { openPaying } from "../payments/paying.ts";

const shop = await openPaying();
const { world, db, paystack } = shop;
const by = world.yaw.by("admin");
const bundle = await world.product("MTN", "2GB", "8.40");

const stands = async (person: Person) => {
  const { balancePesewas, heldPesewas, owedPesewas } = await wallet.standing(db, person.id);
  return [balancePesewas, heldPesewas, owedPesewas];
};
const buy = (person: Person) => orders.buy(db, { by: person.by(), key: null, line: lineFor(bundle) });
const correct = (person: Person, amountPesewas: number) =>
  wallet.adjust(db, { by, key: null, userId: person.id, amountPesewas, reason: "test" });

/** A top-up that was paid, credited, and lost to a chargeback. */
async function chargedBack(person: Person, amountPesewas: number, spendFirst = async () => {}): Promise<string> {
  const { reference } = await shop.paidTopUp(person, amountPesewas);
  await shop.settle(reference);
  await spendFirst();
  await lose(reference);
  return reference;
}

async function lose(reference: string): Promise<void> {
  await paystack.dispute(reference, "resolve", "merchant-accepted");
  await paystack.deliver(reference, { event: "charge.dispute.resolve" });
  await shop.workOff();
}

let names = 0;
/** Somebody who owes GH₵ 8.40: they spent that much of a top-up that was charged back. */
async function debtor(): Promise<Person> {
  const person = await world.person(`debtor-${++names}`);
  await chargedBack(person, 2000, async () => void (await buy(person)));
  expect(await stands(person)).toEqual([0, 0, 840]);
  return person;
}

test("the wallet's balance is debited at once, and the rest is owed", async () => {
  const mallory = await world.person("mallory");
  const reference = await chargedBack(mallory, 100_000, async () => void (await buy(mallory)));
  expect(await stands(mallory)).toEqual([0, 0, 840]);
  expect(await outcome(buy(mallory))).toBe("wallet.insufficient_balance");
  expect((await shop.row(reference)).state).toBe("reversed");
  const parts = await db.execute(sql`
    select t.debit, t.credit, t.reason, t.amount_pesewas from transfers t
    join payment_reversals r on r.id = t.subject_id
    where t.user_id = ${mallory.id} and t.reason in ('reversal', 'debt') order by t.id`);
  expect([...parts]).toEqual([
    { debit: "wallet", credit: "paystack", reason: "reversal", amount_pesewas: 99_160 },
    { debit: "receivables", credit: "paystack", reason: "debt", amount_pesewas: 840 },
  ]);
});

test("an order that was paid with charged-back money adds nothing to the wallet when it is refunded", async () => {
  const mallory = await world.person("twice");
  const { order, page } = await shop.orderPage(mallory);
  await paystack.pay(page.reference);
  await shop.settle(page.reference);
  await lose(page.reference);
  expect(await stands(mallory)).toEqual([0, 0, 390]);
  await cancelling.cancel(db, { by: mallory.by(), key: null, orderId: order.id });
  expect(await stands(mallory)).toEqual([0, 0, 0]);
});

describe("a debt is paid first", () => {
  test("by a top-up, and choice is left can be spent", async () => {
    const person = await debtor();
    await shop.settle((await shop.paidTopUp(person, 1000)).reference);
    expect(await stands(person)).toEqual([160, 0, 0]);
    const [paid, topUp] = await wallet.history(db, person.id, { limit: 2 });
    expect([topUp!.changePesewas, topUp!.balanceAfterPesewas]).toEqual([1000, 1000]);
    expect([paid!.changePesewas, paid!.balanceAfterPesewas]).toEqual([-840, 160]);
    expect(paid!.description).toContain("Repaid money");
  });

  test("by a deposit that is approved", async () => {
    const person = await debtor();
    const filed = await deposits.file(db, {
      by: person.by(),
      transactionId: "40125566001",
      amountPesewas: 5000,
    });
    await deposits.approve(db, { by, key: null, depositId: filed.id });
    expect(await stands(person)).toEqual([5000 - 840, 0, 0]);
  });

  test("by a correction, which is how an admin waives it", async () => {
    const person = await debtor();
    await correct(person, 840);
    expect(await stands(person)).toEqual([0, 0, 0]);
  });

  test("by refunds of several orders in one transition, in sequence", async () => {
    const person = await world.person("several", "GH₵ 8.40");
    const { reference } = await shop.paidTopUp(person, 1680);
    await shop.settle(reference);
    const placed = [];
    for (const _ of times(3, (i) => i)) placed.push((await buy(person)).answer.order.id);
    await lose(reference);
    expect(await stands(person)).toEqual([0, 0, 1680]);
    await statusChanges.move(db, { by, key: null, ids: placed, to: "FAILED" });
    expect(await stands(person)).toEqual([840, 0, 0]);
  });

  test("and an order whose payment went to the debt is not bought, which its buyer can read", async () => {
    const person = await debtor();
    const { order, page } = await shop.orderPage(person);
    await paystack.pay(page.reference);
    await shop.settle(page.reference);
    expect([await stands(person), (await shop.orderNow(order.id)).status]).toEqual([[0, 0, 450], "PENDING"]);
    const [event] = await db.execute<{ note: string }>(sql`
      select note from order_events where order_id = ${order.id} order by id desc limit 1`);
    expect(event!.note).toContain("repaid a debt");
  });

  longTest("also when several credits come at once", async () => {
    const person = await debtor();
    const pages = await Promise.all(times(8, () => shop.paidTopUp(person, 500)));
    await Promise.all(pages.map(({ reference }) => shop.settle(reference)));
    expect(await stands(person)).toEqual([8 * 500 - 840, 0, 0]);
  });
});

test("an account that owes money is not deleted, and its debt stands in the books by name", async () => {
  const person = await debtor();
  expect(await outcome(users.remove(db, { by, userId: person.id }))).toBe("user.owes");
  const flows = await db.execute<{ debit: string; credit: string; pesewas: number }>(sql`
    select debit, credit, sum(amount_pesewas)::bigint as pesewas from transfers group by debit, credit`);
  const owed = (await accounts.accountsOf(db, flows)).find(({ code }) => code === "receivables")!;
  const [all] = await db.execute<{ sum: number }>(sql`select sum(debt_pesewas)::bigint as sum from wallets`);
  expect([owed.name, owed.outPesewas - owed.inPesewas]).toEqual(["Owed by agents", all!.sum]);
});

test("the database enforces it: no debt beside a balance or below zero, and one payment per credit", async () => {
  const person = await debtor();
  const set = (change: ReturnType<typeof sql>) =>
    databaseRefusal(db.execute(sql`update wallets set ${change} where user_id = ${person.id}`));
  expect(await set(sql`balance_pesewas = 1`)).toBe("wallets_debt_only_when_empty");
  expect(await set(sql`debt_pesewas = -1`)).toBe("wallets_debt_not_below_zero");
  await correct(person, 100);
  const again = db.execute(sql`
    insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
    select user_id, debit, credit, amount_pesewas, reason, subject_id, 0 from transfers
    where user_id = ${person.id} and reason = 'debt_paid'`);
  expect(await databaseRefusal(again)).toBe("transfers_once_per_subject");
});

longTest(
  `in any sequence, an account that owes has no balance, and no money is lost or made (seed ${seed})`,
  async () => {
    const random = randomFrom(seed);
    const person = await world.person("anything");
    const references: string[] = [];
    // Their balance by the test's own count; below zero it is a debt.
    let own = 0;
    for (const _ of times(60, (i) => i)) {
      const { balancePesewas, owedPesewas } = await wallet.standing(db, person.id);
      expect(balancePesewas - owedPesewas).toBe(own);
      expect(balancePesewas === 0 || owedPesewas === 0).toBe(true);
      const choice = random(4);
      if (choice === 0) {
        const amountPesewas = 500 + random(3000);
        const { reference } = await shop.paidTopUp(person, amountPesewas);
        await shop.settle(reference);
        references.push(reference);
        own += amountPesewas;
      } else if (choice === 1 && references.length > 0) {
        const [reference] = references.splice(random(references.length), 1);
        const { amountPesewas } = await shop.row(reference!);
        await lose(reference!);
        own -= amountPesewas;
      } else if (choice === 2) {
        if ((await outcome(buy(person))) === "done") own -= 840;
      } else {
        const amountPesewas = 1 + random(500);
        await correct(person, amountPesewas);
        own += amountPesewas;
      }
    }
  },
);
