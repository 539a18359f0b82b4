// Cash that leaves the safe: to the bank it takes a proof, a second person above a limit, and another's eyes on the
// bank's statement; to the owner of a wallet it leaves in the commit that books the payout.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as requests from "../../../src/core/approvals/requests.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as cashBank from "../../../src/core/payments/cash/cash-bank.ts";
import * as cashBooks from "../../../src/core/payments/cash/cash-books.ts";
import * as walletPayouts from "../../../src/core/payments/wallet-payouts.ts";
import { ask, staff } from "../../support/approvals.ts";
import { databaseRefusal, outcome } from "../../support/asking.ts";
import * as cashSupport from "../../support/cash.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld({ isGuarded: true });
const { db, yaw } = world;
const bundle = await world.product("MTN", "100GB", "300.00");
const buyer = await world.person("buyer");
const mansa = await staff(world, "MANAGER");
let slips = 0;
const freshSlip = () => `S ${++slips}`;

/** Puts GH₵ 300.00 into the safe. */
const fillSafe = () => cashSupport.fillSafe(world, buyer, bundle);
const bring = (by: Person, amountPesewas: number, slip = freshSlip()) =>
  cashBank.bring(db, { by: by.by("admin"), key: null, amountPesewas, slip });
/** Brought by somebody new within the limit; returns its id. */
async function brought(amountPesewas = 10_000): Promise<{ keeper: Person; bankDepositId: number }> {
  await fillSafe();
  const keeper = await staff(world, "ACCOUNTS");
  return { keeper, bankDepositId: (await bring(keeper, amountPesewas)).answer.bankDepositId };
}
const tickOff = (by: Person, bankDepositId: number, seenPesewas: number, reason?: string, amountPesewas = 10_000) =>
  cashBank.tickOff(db, { by: by.by("admin"), key: null, bankDepositId, amountPesewas, seenPesewas, reason });
const accountOf = async (code: string) => {
  const [row] = await db.execute<{ pesewas: number }>(
    sql`select coalesce(-sum(pesewas), 0)::bigint as pesewas from audit.entry where account_kind = ${code}`,
  );
  return row!.pesewas;
};

describe("cash that is brought to the bank", () => {
  test("takes a second person above what one may correct in a day, however it is split", async () => {
    await fillSafe();
    const keeper = await staff(world, "ACCOUNTS");
    const safe = await cashBooks.inSafe(db);
    const slip = freshSlip();
    const approval = await ask(world, keeper, bring(keeper, 20_001, slip));
    expect(approval.summary).toBe(`book that GH₵ 200.01 from the safe went to the bank, slip ${slip}`);
    expect(await cashBooks.inSafe(db)).toBe(safe);
    expect(await outcome(bring(keeper, 15_000))).toBe("done");
    expect(await outcome(bring(keeper, 5_001))).toBe("approval.needed");
    await fillSafe();
    await requests.agree(db, { by: mansa.by("admin"), approvalId: approval.id });
    expect(await cashBooks.inSafe(db)).toBe(safe + 30_000 - 15_000 - 20_001);
  });

  test("takes a proof of who it is, for the smallest amount", async () => {
    await fillSafe();
    const by = { ...mansa.by("admin"), isUnconfirmed: true as const };
    const unproven = cashBank.bring(db, { by, key: null, amountPesewas: 1, slip: freshSlip() });
    expect(await outcome(unproven)).toBe("auth.confirm_needed");
  });

  test("is booked once a slip, and is never more than the safe holds", async () => {
    await fillSafe();
    const slip = freshSlip();
    const people = await Promise.all([1, 2, 3].map(() => staff(world, "ACCOUNTS")));
    const tries = await Promise.all(people.map((person) => outcome(bring(person, 100, slip))));
    expect(tries.sort()).toEqual(["cash.slip_known", "cash.slip_known", "done"]);
    expect(await outcome(bring(mansa, 100, ` ${slip.toLowerCase()} `))).toBe("cash.slip_known");
    const safe = await cashBooks.inSafe(db);
    expect(await outcome(bring(mansa, safe + 1))).toBe("cash.safe_short");
    expect(await outcome(bring(await staff(world, "DESK"), 100))).toBe("auth.forbidden");
  });
});

describe("what was brought to the bank", () => {
  test("stays unseen until somebody else finds it on the bank's statement, once", async () => {
    const { keeper, bankDepositId } = await brought();
    const unseen = async () => (await cashBank.list(db, { unseenOnly: true }, 100)).map(({ id }) => id);
    expect(await unseen()).toContain(bankDepositId);
    expect(await outcome(tickOff(keeper, bankDepositId, 10_000))).toBe("cash.bank_own");
    expect(await outcome(tickOff(mansa, bankDepositId, 10_000, undefined, 9_000))).toBe("cash.reason_missing");
    expect(await outcome(tickOff(mansa, bankDepositId, 9_000, "short", 9_000))).toBe("cash.moved");
    const tries = await Promise.all([mansa, yaw].map((person) => outcome(tickOff(person, bankDepositId, 10_000))));
    expect(tries.sort()).toEqual(["cash.bank_seen", "done"]);
    expect(await unseen()).not.toContain(bankDepositId);
    expect(await outcome(tickOff(mansa, 999_999, 10_000))).toBe("cash.bank_not_found");
  });

  test("is corrected to what the statement shows, with a reason", async () => {
    const { bankDepositId } = await brought();
    const bank = await accountOf("bank");
    expect(await outcome(tickOff(mansa, bankDepositId, 9_000))).toBe("cash.reason_missing");
    await tickOff(mansa, bankDepositId, 9_000, "A note was refused");
    expect(await accountOf("bank")).toBe(bank - 1_000);
    const other = await brought();
    await tickOff(mansa, other.bankDepositId, 10_500, "Counted again at the bank");
    expect(await accountOf("bank")).toBe(bank - 1_000 + 10_000 + 500);
  });

  longTest("takes a second person for a difference above the limit, who is not the one who brought it", async () => {
    await fillSafe();
    await fillSafe();
    const keeper = await staff(world, "ACCOUNTS");
    const first = await ask(world, keeper, bring(keeper, 30_000));
    await requests.agree(db, { by: yaw.by("admin"), approvalId: first.id });
    const [deposit] = await cashBank.list(db, { unseenOnly: true }, 1);
    const nothing = tickOff(mansa, deposit!.id, 0, "The bank has no such slip", 30_000);
    const approval = await ask(world, mansa, nothing);
    const agreeing = (by: Person) => outcome(requests.agree(db, { by: by.by("admin"), approvalId: approval.id }));
    expect(await agreeing(keeper)).toBe("approval.concerns_you");
    expect(await agreeing(yaw)).toBe("done");
    expect((await cashBank.list(db, {}, 1))[0]).toMatchObject({ seenPesewas: 0, seenBy: mansa.username });
  });

  test("stays as it was recorded, whatever is tried", async () => {
    const { bankDepositId } = await brought();
    const refuses = (statement: ReturnType<typeof sql>) => databaseRefusal(db.execute(statement));
    const of = sql`where id = ${bankDepositId}`;
    expect(await refuses(sql`update bank_deposits set amount_pesewas = 1 ${of}`)).toBe("bank_deposits_stay");
    expect(await refuses(sql`delete from bank_deposits ${of}`)).toBe("bank_deposits_kept");
    expect(
      await refuses(sql`
        update bank_deposits set seen_pesewas = 10000, seen_by_user_id = by_user_id, seen_at = now() ${of}`),
    ).toBe("bank_deposits_seen_by_another");
    expect(
      await refuses(sql`
        update bank_deposits set seen_pesewas = 9999, seen_by_user_id = ${yaw.id}, seen_at = now() ${of}`),
    ).toBe("bank_deposits_seen_difference_explained");
    await tickOff(mansa, bankDepositId, 10_000);
    expect(await refuses(sql`update bank_deposits set seen_reason = 'x' ${of}`)).toBe("bank_deposits_stay");
  });
});

describe("a wallet that is paid out in cash", () => {
  let leavers = 0;
  async function leaver(): Promise<Person> {
    const person = await world.person(`leaver${++leavers}`);
    const hundred = { userId: person.id, amountPesewas: 10_000, reason: "premise" };
    await db.transaction((tx) => wallet.correct(tx, yaw.by("admin"), hundred));
    await users.ban(db, { by: yaw.by("admin"), userId: person.id });
    return person;
  }
  const payOut = (by: Person, to: Person, method: "cash" | "momo") =>
    walletPayouts.payOut(db, {
      ...{ by: by.by(), key: null, userId: to.id, amountPesewas: 10_000, method },
      ...{ msisdn: method === "momo" ? "233541234567" : "", name: "Ama Mensah" },
      ...{ reference: `R-${++slips}`, reason: "Left the shop" },
    });
  const paid = async (to: Person, method: "cash" | "momo") => {
    const approval = await ask(world, mansa, payOut(mansa, to, method));
    return outcome(requests.agree(db, { by: yaw.by("admin"), approvalId: approval.id }));
  };

  test("takes the cash out of the safe in the same commit; mobile money does not", async () => {
    await fillSafe();
    const safe = await cashBooks.inSafe(db);
    const ama = await leaver();
    expect(await paid(ama, "cash")).toBe("done");
    expect([await cashBooks.inSafe(db), await world.balanceOf(ama)]).toEqual([safe - 10_000, 0]);
    expect(await paid(await leaver(), "momo")).toBe("done");
    expect(await cashBooks.inSafe(db)).toBe(safe - 10_000);
  });

  longTest("is refused when the safe does not hold it, also between asking and agreeing", async () => {
    await fillSafe();
    const ama = await leaver();
    const approval = await ask(world, mansa, payOut(mansa, ama, "cash"));
    for (let rest = await cashBooks.inSafe(db); rest > 0; rest = await cashBooks.inSafe(db))
      await bring(await staff(world, "ACCOUNTS"), Math.min(rest, 20_000));
    const agreeing = requests.agree(db, { by: yaw.by("admin"), approvalId: approval.id });
    expect(await outcome(agreeing)).toBe("approval.outdated");
    expect(await outcome(payOut(mansa, ama, "cash"))).toBe("cash.safe_short");
    expect(await world.balanceOf(ama)).toBe(10_000);
  });

  longTest("and the same cash brought to the bank at the same moment leave the safe once", async () => {
    for (let round = 0; round < 4; round++) {
      for (let rest = await cashBooks.inSafe(db); rest > 0; rest = await cashBooks.inSafe(db))
        await bring(await staff(world, "ACCOUNTS"), Math.min(rest, 20_000));
      await fillSafe();
      await bring(await staff(world, "ACCOUNTS"), 20_000);
      const ama = await leaver();
      const approval = await ask(world, mansa, payOut(mansa, ama, "cash"));
      const keeper = await staff(world, "ACCOUNTS");
      const done = await Promise.all([
        outcome(requests.agree(db, { by: yaw.by("admin"), approvalId: approval.id })),
        outcome(bring(keeper, 10_000)),
      ]);
      expect([round, done.filter((one) => one === "done").length, await cashBooks.inSafe(db)]).toEqual([round, 1, 0]);
    }
  });
});
