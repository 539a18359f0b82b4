// The balance of a banned or deleted account is paid out to its owner: as a whole, once, by two people, and only then.
import { beforeEach, describe, expect, test } from "bun:test";
import { desc, eq, sql } from "drizzle-orm";
import { messages } from "../../../db/schema/messaging.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import * as accounting from "../../../src/core/accounting/files.ts";
import * as approvals from "../../../src/core/approvals/requests.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as auditRuns from "../../../src/core/ledger/audit-runs.ts";
import * as statement from "../../../src/core/ledger/statement.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as walletPayouts from "../../../src/core/payments/wallet-payouts.ts";
import type { Values } from "../../../src/shared/fields.ts";
import { ask, neededBy, staff } from "../../support/approvals.ts";
import { count, databaseRefusal, key, lineFor, outcome, tally, times } from "../../support/asking.ts";
import { fillSafe } from "../../support/cash.ts";
import { longTest } from "../../support/long.ts";
import { guard, openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const kofi = await staff(world, "MANAGER");
const bundle = await world.product("MTN", "1GB", "10.00");
const by = kofi.by("admin");
// For payouts in cash.
await fillSafe(world, await world.person("buyer"), await world.product("MTN", "100GB", "900.00"));
const agreeing = yaw.by("admin");

/** Alone, for what is not about the second person. */
beforeEach(async () => {
  await db.execute(sql`insert into settings (key, value) values ('second_person', 'false') on conflict do nothing`);
});

let people = 0;
/** An account that was banned, with GH₵ 100.00; "" for an empty wallet. */
async function banned(balance = "GH₵ 100.00"): Promise<Person> {
  const person = await world.person(`leaver${++people}`, balance);
  await users.ban(db, { by: agreeing, userId: person.id });
  return person;
}
/** A deleted account, to which the refund of a late failure came. */
async function deleted(): Promise<Person> {
  const person = await world.person(`leaver${++people}`, "GH₵ 10.00");
  const { answer } = await orders.buy(db, { by: person.by(), key: null, line: lineFor(bundle) });
  const move = (to: "COMPLETED" | "FAILED") =>
    statusChanges.moveOne(db, { by: agreeing, key: null, orderId: answer.order.id, to, reason: "not there" });
  await move("COMPLETED");
  await users.remove(db, { by: agreeing, userId: person.id });
  await move("FAILED");
  return person;
}
let references = 40_125_560_000;
type ToPayOut = Values<typeof walletPayouts.payOut.declared.input>;
const paid = (person: Person, more: Partial<ToPayOut> = {}): ToPayOut => ({
  ...{ userId: person.id, amountPesewas: 10_000, method: "momo", msisdn: "233541234567" },
  ...{ name: "Ama Mensah", reference: String(++references), reason: "Left the shop", ...more },
});
const payOut = (payout: ToPayOut, idempotencyKey: Parameters<typeof walletPayouts.payOut>[1]["key"] = null) =>
  walletPayouts.payOut(db, { by, key: idempotencyKey, ...payout });
const payoutsOf = ({ id }: Person) => walletPayouts.list(db, { userId: id }, 50);

describe("a payout", () => {
  test("takes all that is available out of a banned account's wallet, into an account of its own", async () => {
    const ama = await banned();
    const { answer } = await payOut(paid(ama));
    expect(answer).toMatchObject({ userId: ama.id, amountPesewas: 10_000, balancePesewas: 0 });
    expect(await world.balanceOf(ama)).toBe(0);
    const [entry] = await wallet.history(db, ama.id, { limit: 1 });
    expect(entry).toMatchObject({
      ...{ type: "PAYOUT", changePesewas: -10_000, balanceAfterPesewas: 0 },
      description: `Paid out by mobile money, transaction ${references}`,
    });
    const [transfer] = await db.execute(sql`
      select debit, credit, amount_pesewas, by_user_id from transfers
      where reason = 'wallet_payout' and subject_id = ${answer.payoutId}`);
    expect({ ...transfer }).toEqual({
      debit: "wallet",
      credit: "paid_out",
      amount_pesewas: 10_000,
      by_user_id: kofi.id,
    });
  });

  test("is of a deleted account, too, to which a refund came late", async () => {
    const ama = await deleted();
    const { answer } = await payOut(paid(ama, { amountPesewas: 1_000, method: "cash", msisdn: "" }));
    expect(answer.balancePesewas).toBe(0);
  });

  test("is refused to an account that may buy, and where nothing is left", async () => {
    const ama = await world.person(`leaver${++people}`, "GH₵ 100.00");
    expect(await outcome(payOut(paid(ama)))).toBe("wallet.in_use");
    expect(await outcome(payOut(paid(await banned(""))))).toBe("wallet.nothing_to_pay_out");
  });

  test("leaves held money and debts where they are", async () => {
    const ama = await banned();
    const owes = (held: number, debt: number, { id }: Person) =>
      db.execute(sql`update wallets set held_pesewas = ${held}, debt_pesewas = ${debt} where user_id = ${id}`);
    await owes(3_000, 0, ama);
    expect(await outcome(payOut(paid(ama)))).toBe("wallet.moved");
    await payOut(paid(ama, { amountPesewas: 7_000 }));
    expect(await wallet.standing(db, ama.id)).toMatchObject({ balancePesewas: 3_000, availablePesewas: 0 });
    expect(await outcome(payOut(paid(ama)))).toBe("wallet.nothing_to_pay_out");
    await owes(0, 0, ama);
    const esi = await banned("");
    await owes(0, 500, esi);
    expect(await outcome(payOut(paid(esi)))).toBe("wallet.nothing_to_pay_out");
    await owes(0, 0, esi);
  });

  test("is refused when the balance is not what was seen", async () => {
    const ama = await banned();
    for (const amountPesewas of [9_999, 10_001])
      expect(await outcome(payOut(paid(ama, { amountPesewas })))).toBe("wallet.moved");
    expect(await payoutsOf(ama)).toEqual([]);
  });
});

describe("nobody is paid twice", () => {
  test("by two requests at once, with keys or without", async () => {
    const ama = await banned();
    const outcomes = await Promise.all(times(6, (i) => outcome(payOut(paid(ama), i % 2 ? key(`po${i}`) : null))));
    expect(tally(outcomes)).toEqual({ done: 1, "wallet.nothing_to_pay_out": 5 });
    expect(await payoutsOf(ama)).toHaveLength(1);
  });

  test("by the same request again, which gets the first answer", async () => {
    const ama = await banned();
    const payout = paid(ama);
    const answers = await Promise.all(times(3, () => payOut(payout, key("again"))));
    expect(new Set(answers.map(({ answer }) => answer.payoutId)).size).toBe(1);
    expect(await outcome(payOut({ ...payout, name: "Somebody Else" }, key("again")))).toBe("request.key_reused");
    expect(await payoutsOf(ama)).toHaveLength(1);
  });

  test("with one reference, for the same wallet or another, in whatever letters", async () => {
    const [ama, esi] = [await banned(), await banned()];
    await payOut(paid(ama, { method: "cash", msisdn: "", reference: "R-118a" }));
    const again = { method: "cash", msisdn: "", reference: "r-118A" } as const;
    expect(await outcome(payOut(paid(esi, again)))).toBe("wallet.payout_known");
    // Of mobile money it is another number.
    await payOut(paid(esi, { reference: "R-118a" }));
    const [kwesi, abena] = [await banned(), await banned()];
    const outcomes = await Promise.all(
      [kwesi, abena].map((person) => outcome(payOut(paid(person, { reference: "one-transfer" })))),
    );
    expect(tally(outcomes)).toEqual({ done: 1, "wallet.payout_known": 1 });
  });

  test("after being let back in, when another refund came: only that is paid", async () => {
    const ama = await banned();
    await payOut(paid(ama));
    await wallet.adjust(db, { by, key: null, userId: ama.id, amountPesewas: 250, reason: "late refund" });
    expect(await outcome(payOut(paid(ama)))).toBe("wallet.moved");
    await payOut(paid(ama, { amountPesewas: 250 }));
    expect((await payoutsOf(ama)).map(({ amountPesewas }) => amountPesewas)).toEqual([250, 10_000]);
  });
});

describe("two people", () => {
  test("pay out: one asks, another agrees, and both are in the row", async () => {
    const ama = await banned();
    await guard(db);
    const approval = await ask(world, kofi, payOut(paid(ama)));
    expect(approval).toMatchObject({
      kind: "wallet.pay_out",
      summary:
        `pay GH₵ 100.00 out of ${ama.username}'s wallet by mobile money to 054 123 4567 (Ama Mensah), ` +
        `transaction ${references}`,
    });
    expect(await world.balanceOf(ama)).toBe(10_000);
    await approvals.agree(db, { by: agreeing, approvalId: approval.id });
    expect(await payoutsOf(ama)).toMatchObject([
      { amountPesewas: 10_000, by: kofi.username, agreedBy: yaw.username, byUserId: kofi.id },
    ]);
  });

  test("are needed for the smallest amount", async () => {
    const ama = await banned("GH₵ 0.01");
    await guard(db);
    const { ask: wanted } = await neededBy(payOut(paid(ama, { amountPesewas: 1 })));
    expect(wanted).toMatchObject({ kind: "wallet.pay_out", concerns: [ama.id] });
  });

  test("agree to it once, also at the same moment", async () => {
    const ama = await banned();
    await guard(db);
    const approval = await ask(world, kofi, payOut(paid(ama)));
    const outcomes = await Promise.all(
      times(4, () => outcome(approvals.agree(db, { by: agreeing, approvalId: approval.id }))),
    );
    expect(outcomes.filter((one) => one === "done")).toHaveLength(1);
    expect(await payoutsOf(ama)).toHaveLength(1);
  });

  test("do not pay out what has moved since, nor an account that was let back in", async () => {
    const [ama, esi] = [await banned(), await banned()];
    await guard(db);
    const [first, second] = [await ask(world, kofi, payOut(paid(ama))), await ask(world, kofi, payOut(paid(esi)))];
    await db.transaction((tx) =>
      wallet.correct(tx, agreeing, { userId: ama.id, amountPesewas: 100, reason: "premise" }),
    );
    await users.unban(db, { by: agreeing, userId: esi.id });
    for (const { id } of [first, second])
      expect(await outcome(approvals.agree(db, { by: agreeing, approvalId: id }))).toBe("approval.outdated");
    expect([await world.balanceOf(ama), await world.balanceOf(esi)]).toEqual([10_100, 10_000]);
  });

  test("are never the owner of the wallet, nor without a proof of who they are", async () => {
    expect(await outcome(payOut(paid(kofi)))).toBe("auth.own_account");
    const ama = await banned();
    const asking = (changes: object) =>
      outcome(walletPayouts.payOut(db, { by: { ...by, ...changes }, key: null, ...paid(ama) }));
    expect(await asking({ isUnconfirmed: true })).toBe("auth.confirm_needed");
  });
});

describe("a payout is seen", () => {
  test("by its owner, at the mailbox and the phone, or at the number that was paid", async () => {
    const ama = await world.person(`leaver${++people}`, "GH₵ 100.00");
    await db.execute(sql`insert into phones (user_id, msisdn) values (${ama.id}, '233541230777')`);
    await users.ban(db, { by: agreeing, userId: ama.id });
    await payOut(paid(ama));
    const sent = await db
      .select()
      .from(messages)
      .where(eq(messages.userId, ama.id))
      .orderBy(desc(messages.id))
      .limit(2);
    const [sms, mail] = ["sms", "email"].map((channel) => sent.find((one) => one.channel === channel)!);
    expect(sms).toMatchObject({
      recipient: "233541230777",
      body:
        `DataFie: we paid GHS 100.00 from your wallet to 0541234567 by mobile money, transaction ${references}. ` +
        "Not you? Contact support.",
    });
    expect(mail).toMatchObject({ recipient: ama.email, kind: "wallet_paid_out" });
    expect(mail!.body).toContain("We paid GHS 100.00 from your wallet to 054 123 4567");
    const esi = await deleted();
    await payOut(paid(esi, { amountPesewas: 1_000 }));
    const toDeleted = await db.select().from(messages).where(eq(messages.userId, esi.id));
    expect(toDeleted.map(({ channel, recipient }) => [channel, recipient])).toEqual([["sms", "233541234567"]]);
  });

  longTest("in the log, the statement, the books and the accountant's files", async () => {
    await payOut(paid(await banned()));
    const ama = await banned();
    await payOut(paid(ama, { method: "cash", msisdn: "", reference: "R-119" }));
    const [entry] = await db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, "wallet.pay_out"))
      .orderBy(desc(auditLog.id))
      .limit(1);
    expect(entry).toMatchObject({
      ...{ byUserId: kofi.id, subjectType: "wallet", subjectId: String(ama.id) },
      before: { balance: "GH₵ 100.00" },
      after: { balance: "GH₵ 0.00", amount: "GH₵ 100.00", paid: "in cash to Ama Mensah, receipt R-119" },
    });
    const span = { from: new Date(Date.now() - 86_400_000), until: new Date(Date.now() + 86_400_000) };
    const range = { from: span.from, to: span.until };
    const csv = statement.csvOf(await wallet.statement(db, ama.id, range.from, range.to));
    expect(csv).toContain('PAYOUT,"Paid out in cash, receipt R-119",,-100.00,0.00');
    const file = (await Array.fromAsync(accounting.monthFile(db, "payouts", span))).join("");
    expect(file).toContain("R-119");
    await db.execute(sql`delete from audit_runs`);
    const { accounts } = await auditRuns.runNow(db);
    const account = accounts.find(({ code }) => code === "paid_out");
    const [all] = await db.execute<{ sum: number }>(
      sql`select sum(amount_pesewas)::bigint as sum from wallet_payouts where not is_from_safe`,
    );
    expect(account).toMatchObject({
      name: "Paid out to owners of wallets",
      inPesewas: all!.sum,
      outPesewas: 0,
    });
  });

  test("as it was recorded, whatever is tried", async () => {
    await payOut(paid(await banned()));
    const refuses = (statement: ReturnType<typeof sql>) => databaseRefusal(db.execute(statement));
    expect(await refuses(sql`update wallet_payouts set amount_pesewas = 1`)).toBe("wallet_payouts_stay");
    expect(await refuses(sql`delete from wallet_payouts`)).toBe("wallet_payouts_stay");
    expect(
      await refuses(sql`
        insert into wallet_payouts (user_id, amount_pesewas, method, name, reference, reason, by_user_id)
        values (${kofi.id}, 1, 'cash', 'x', 'own', 'x', ${kofi.id})`),
    ).toBe("wallet_payouts_for_another");
    expect(await count(db, sql`from wallet_payouts where reference = 'own'`)).toBe(0);
  });
});

test("whoever deletes their account with money in it is sent to support for it, and can delete it after", async () => {
  const ama = await world.person(`leaver${++people}`, "GH₵ 100.00");
  const remove = () => profile.close(db, { by: ama.by("web"), currentPassword: ama.password });
  const refusal = await remove().catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "user.has_balance" });
  expect((refusal as Error).message).toContain("has to be spent or paid out");
  await users.ban(db, { by: agreeing, userId: ama.id });
  await payOut(paid(ama));
  await users.remove(db, { by: agreeing, userId: ama.id });
  expect((await users.get(db, ama.id)).status).toBe("CLOSED");
});
