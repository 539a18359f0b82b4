// One count for one person: what a statement credits and holds by itself counts as approved by whoever imported it,
// whether its lines were typed, pasted or read from a file, because a file can be written by hand as well.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { StatementSource } from "../../../db/schema/payments-statements.ts";
import * as requests from "../../../src/core/approvals/requests.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as reversals from "../../../src/core/payments/deposits/deposit-reversals.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import * as statements from "../../../src/core/payments/deposits/statements.ts";
import { ask, staff } from "../../support/approvals.ts";
import { outcome } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld({ isGuarded: true });
const { db } = world;

let last = 40_325_000_000;
const freshId = () => String(++last);
let people = 0;
const agent = async () => {
  const person = await world.person(`agent${++people}`);
  await db.execute(sql`update users set created_at = now() - interval '30 days' where id = ${person.id}`);
  return person;
};
const file = (person: Person, pesewas: number) =>
  deposits.file(db, { by: person.by(), transactionId: freshId(), amountPesewas: pesewas });
type Line = Partial<statements.NewLine> & Pick<statements.NewLine, "transactionId" | "amountPesewas">;
const importAs = async (person: Person, source: StatementSource, lines: Line[]) => {
  const common = {
    direction: "in" as const,
    originalId: null,
    senderName: null,
    senderMsisdn: null,
    at: null,
  };
  const { answer } = await statements.importLines(db, {
    ...{ by: person.by("admin"), key: null, network: "mtn", source },
    lines: lines.map((line) => ({ ...common, ...line })),
  });
  return answer;
};
/** Deposits of GH₵ 200.00 that the statement confirms at once; returns how many were credited. */
const many = async (by: Person, owner: Person, count: number, source: StatementSource = "messages") => {
  const filed = [];
  for (let n = 0; n < count; n++) filed.push(await file(owner, 20_000));
  const done = await importAs(
    by,
    source,
    filed.map(({ transactionId, amountPesewas }) => ({ transactionId, amountPesewas })),
  );
  expect(done.credited + done.heldBack).toBe(count);
  return { credited: done.credited, filed };
};
const heldBackOf = async ({ id }: deposits.Deposit) => {
  const [row] = await db.execute<{ held_back: string }>(sql`select held_back from deposits where id = ${id}`);
  return row!.held_back;
};

describe("what lines of the statement credit by themselves", () => {
  longTest.each(["messages", "api", "file"] as const)(
    "from %s counts for the account and for whoever imported them",
    async (source) => {
      const [abena, ama, kofi] = [await staff(world, "ACCOUNTS"), await agent(), await agent()];
      expect((await many(abena, ama, 6, source)).credited).toBe(6);
      const more = await many(abena, kofi, 6, source);
      expect(more.credited).toBe(4);
      expect(await heldBackOf(more.filed.at(-1)!)).toBe("alone_limit");
      // Another person's imports do not pass the limit of an account.
      const mansa = await staff(world, "ACCOUNTS");
      expect((await many(mansa, ama, 6, source)).credited).toBe(4);
    },
  );

  test("and what the same person approves add up, in whichever order", async () => {
    const [abena, ama] = [await staff(world, "ACCOUNTS"), await agent()];
    const approve = async (pesewas: number) => {
      const { id } = await file(ama, pesewas);
      return outcome(deposits.approve(db, { by: abena.by("admin"), key: null, depositId: id }));
    };
    expect(await approve(150_000)).toBe("done");
    expect((await many(abena, ama, 5)).credited).toBe(2);
    expect(await approve(10_001)).toBe("approval.needed");
    expect(await approve(10_000)).toBe("done");
  });

  test("counts when the agent reports it after the import, too", async () => {
    const [abena, ama] = [await staff(world, "ACCOUNTS"), await agent()];
    const lines = Array.from({ length: 12 }, () => ({ transactionId: freshId(), amountPesewas: 20_000 }));
    await importAs(abena, "file", lines);
    const filed = [];
    for (const { transactionId } of lines)
      filed.push(await deposits.file(db, { by: ama.by(), transactionId, amountPesewas: 20_000 }));
    expect(filed.filter(({ state }) => state === "approved")).toHaveLength(10);
  });

  longTest("stays within the limit while many are imported and reported at once", async () => {
    const abena = await staff(world, "ACCOUNTS");
    const owners = await Promise.all(Array.from({ length: 6 }, agent));
    const pairs = owners.flatMap((owner) => [owner, owner, owner]);
    const lines = pairs.map(() => ({ transactionId: freshId(), amountPesewas: 20_000 }));
    await Promise.all([
      ...lines.map((line) => importAs(abena, "api", [line])),
      ...lines.map(({ transactionId }, n) =>
        deposits.file(db, { by: pairs[n]!.by(), transactionId, amountPesewas: 20_000 }),
      ),
    ]);
    const sums = await Promise.all(owners.map((owner) => world.balanceOf(owner)));
    expect(sums.reduce((sum, pesewas) => sum + pesewas, 0)).toBe(200_000);
  });
});

describe("a line that says that the network took a deposit back", () => {
  const credited = async (owner: Person, pesewas: number) => {
    const deposit = await file(owner, pesewas);
    const abena = await staff(world, "ACCOUNTS");
    const approving = deposits.approve(db, { by: abena.by(), key: null, depositId: deposit.id });
    const needed = await approving.then(
      () => null,
      (error) => error,
    );
    if (needed === null) return deposit;
    const { id } = await requests.ask(db, abena.by(), needed.ask, null);
    await requests.agree(db, { by: world.yaw.by("admin"), approvalId: id });
    return deposit;
  };
  const takeBack = (by: Person, ...taken: deposits.Deposit[]) =>
    importAs(
      by,
      "messages",
      taken.map(({ transactionId, amountPesewas }) => ({
        ...{ direction: "reversal" as const, transactionId, originalId: transactionId, amountPesewas },
      })),
    );
  const heldOf = async (owner: Person) => (await wallet.standing(db, owner.id)).heldPesewas;

  test("holds money within what one person may hold; above it somebody else decides", async () => {
    const abena = await staff(world, "ACCOUNTS");
    const [ama, kofi, esi] = [await agent(), await agent(), await agent()];
    const [first, second] = [await credited(ama, 190_000), await credited(kofi, 190_000)];
    const third = await credited(esi, 190_000);
    expect(await takeBack(abena, first, second, third)).toMatchObject({ reversed: 3 });
    expect([await heldOf(ama), await heldOf(kofi), await heldOf(esi)]).toEqual([190_000, 190_000, 0]);
    const unheld = (await reversals.listOpen(db)).find(({ depositId }) => depositId === third.id)!;
    const decision = {
      reversalId: unheld.id,
      amountPesewas: 190_000,
      decision: "book",
    } as const;
    const approval = await ask(world, abena, reversals.decide(db, { by: abena.by(), key: null, ...decision }));
    await requests.agree(db, { by: world.yaw.by("admin"), approvalId: approval.id });
    expect(await world.balanceOf(esi)).toBe(0);
  });

  test("counts for the account as well, whoever imports", async () => {
    const ama = await agent();
    const taken = [];
    for (let n = 0; n < 3; n++) taken.push(await credited(ama, 190_000));
    for (const one of taken) await takeBack(await staff(world, "ACCOUNTS"), one);
    expect(await heldOf(ama)).toBe(380_000);
  });

  test("holds nothing of the importer's own", async () => {
    const abena = await staff(world, "ACCOUNTS");
    const own = await credited(abena, 5_000);
    expect(await takeBack(abena, own)).toMatchObject({ reversed: 1 });
    expect(await heldOf(abena)).toBe(0);
  });
});
