// Deposits against the shop's mobile money statement: what agrees is credited within limits as an act of the importer,
// and everything else waits for a person who sees what the statement says.
import { beforeAll, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { deposits as depositTable } from "../../../db/schema/payments.ts";
import { statementLines } from "../../../db/schema/payments-statements.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as reversals from "../../../src/core/payments/deposits/deposit-reversals.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import * as matching from "../../../src/core/payments/deposits/statement-matching.ts";
import * as statements from "../../../src/core/payments/deposits/statements.ts";
import * as budgets from "../../../src/core/platform/budgets/budgets.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { databaseRefusal, outcome } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const ama = await world.person("ama");
const kofi = await world.person("kofi");
const acct = await world.person("abena", undefined, ["ACCOUNTS"]);
const desk = await world.person("dede", undefined, ["DESK"]);

let last = 40_125_000_000;
const freshId = () => String(++last);
const line = (transactionId: string, cedis: number, more: Partial<statements.NewLine> = {}) => ({
  direction: "in" as const,
  transactionId,
  originalId: null,
  amountPesewas: Math.round(cedis * 100),
  senderName: "KOFI MENSAH",
  senderMsisdn: null,
  at: new Date("2026-11-20T09:00:00Z"),
  ...more,
});
const taken = (originalId: string, cedis: number) => line(originalId, cedis, { direction: "reversal", originalId });
const importAs = async (person: Person, lines: statements.NewLine[], key: string | null = null) => {
  await budgets.reset(db, "statement.account", person.id);
  const { answer } = await statements.importLines(db, {
    by: person.by("admin"),
    key: key === null ? null : { scope: "test", key },
    network: "mtn",
    source: "file",
    lines,
  });
  return answer;
};
const file = async (person: Person, transactionId: string, cedis = 50) => {
  await budgets.reset(db, "claim.account", person.id);
  return deposits.file(db, { by: person.by(), transactionId, amountPesewas: Math.round(cedis * 100) });
};
const rowOf = async (id: number) => {
  const [row] = await db.select().from(depositTable).where(eq(depositTable.id, id));
  return row!;
};
const set = (values: Partial<settings.Settings>) => settings.change(db, { by: yaw.by("admin"), values });
const grow = (person: Person) =>
  db.execute(sql`update users set created_at = now() - interval '30 days' where id = ${person.id}`);

beforeAll(async () => {
  for (const person of [ama, kofi]) await grow(person);
});

describe("a waiting deposit", () => {
  test("is credited when the statement has its id and amount, as an act of whoever imported it", async () => {
    const id = freshId();
    const deposit = await file(ama, id);
    expect(deposit.state).toBe("open");
    const before = await world.balanceOf(ama);
    expect(await importAs(acct, [line(id, 50)])).toMatchObject({
      newLines: 1,
      knownLines: 0,
      credited: 1,
      creditedPesewas: 5000,
      heldBack: 0,
    });
    expect(await world.balanceOf(ama)).toBe(before + 5000);
    const row = await rowOf(deposit.id);
    expect(row).toMatchObject({ state: "approved", isAutomatic: true, decidedByUserId: acct.id });
    const [stored] = await db.select().from(statementLines).where(eq(statementLines.id, row.lineId!));
    expect(stored!.transactionId).toBe(id);
    const [booked] = await db.execute(
      sql`select debit, by_user_id from transfers where reason = 'claim' and subject_id = ${deposit.id}`,
    );
    expect(booked).toMatchObject({ debit: "momo", by_user_id: acct.id });
    const [entry] = await db
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(deposit.id)));
    expect(entry).toMatchObject({ action: "claim.approved", byUserId: acct.id });
  });

  test("is not credited by somebody who has not proved lately who they are: an import moves money", async () => {
    const id = freshId();
    const deposit = await file(ama, id);
    const by = { ...acct.by("admin"), isUnconfirmed: true as const };
    const command = { by, key: null, network: "mtn", source: "file", lines: [line(id, 50)] } as const;
    expect(await outcome(statements.importLines(db, { ...command, lines: [...command.lines] }))).toBe(
      "auth.confirm_needed",
    );
    expect((await rowOf(deposit.id)).state).toBe("open");
  });

  test("is credited at once when its line came first", async () => {
    const id = freshId();
    await importAs(acct, [line(id, 50)]);
    const deposit = await file(ama, id);
    expect(deposit).toMatchObject({ state: "approved", isAutomatic: true, decidedByUserId: acct.id });
  });

  test("is not credited by the statement of another network", async () => {
    const id = freshId();
    await set({ manual_payment_network: "vod" });
    const deposit = await file(ama, id);
    await set({ manual_payment_network: "mtn" });
    expect(await importAs(acct, [line(id, 50)])).toMatchObject({ credited: 0, heldBack: 0 });
    expect((await rowOf(deposit.id)).state).toBe("open");
  });

  test("with another amount waits, and is credited with what the statement says, once, with the reason", async () => {
    const id = freshId();
    const deposit = await file(ama, id, 500);
    expect(await importAs(acct, [line(id, 50)])).toMatchObject({ credited: 0, heldBack: 1 });
    const [listed] = await deposits.list(db, acct.by("admin"), { openOnly: true }, { limit: 1 });
    expect(listed).toMatchObject({ id: deposit.id, heldBack: "other_amount" });
    expect(listed!.finding).toMatchObject({ kind: "other_amount", line: { amountPesewas: 5000 } });
    const by = acct.by("admin");
    const about = { by, key: null, depositId: deposit.id };
    expect(await outcome(deposits.approve(db, about))).toBe("claim.amount_differs");
    const reason = "The statement says GH₵ 50.00";
    const unknown = await file(ama, freshId());
    const blind = { by, key: null, depositId: unknown.id, amountPesewas: 5000, reason };
    expect(await outcome(deposits.correct(db, blind))).toBe("claim.not_in_statement");
    expect(await outcome(deposits.correct(db, { ...about, amountPesewas: 50_000, reason }))).toBe("claim.moved");
    const before = await world.balanceOf(ama);
    const tries = await Promise.all(
      [1, 2, 3].map(() => outcome(deposits.correct(db, { ...about, amountPesewas: 5000, reason }))),
    );
    expect(tries.filter((code) => code === "claim.decided")).toHaveLength(2);
    expect(await world.balanceOf(ama)).toBe(before + 5000);
    expect(await rowOf(deposit.id)).toMatchObject({ creditedPesewas: 5000, amountPesewas: 50_000, reason });
  });

  test("claimed by two agents waits for a person, also after one was credited", async () => {
    const id = freshId();
    const [first, second] = [await file(ama, id), await file(kofi, id)];
    expect(await importAs(acct, [line(id, 50)])).toMatchObject({ credited: 0, heldBack: 2 });
    await deposits.approve(db, { by: acct.by("admin"), key: null, depositId: second.id });
    const approving = deposits.approve(db, { by: yaw.by("admin"), key: null, depositId: first.id });
    expect(await outcome(approving)).toBe("claim.credited_already");
    const other = freshId();
    await importAs(acct, [line(other, 50)]);
    expect((await file(ama, other)).state).toBe("approved");
    expect(await file(kofi, other)).toMatchObject({ state: "open", heldBack: "twice" });
  });

  test("of the importer's own account is left to somebody else", async () => {
    await grow(acct);
    const id = freshId();
    const own = await file(acct, id);
    expect(await importAs(acct, [line(id, 50)])).toMatchObject({ credited: 0, heldBack: 1 });
    expect(await rowOf(own.id)).toMatchObject({ state: "open", heldBack: "own_account" });
    expect(await outcome(deposits.approve(db, { by: acct.by("admin"), key: null, depositId: own.id }))).toBe(
      "auth.own_account",
    );
  });
});

describe("limits", () => {
  test("of a deposit, an import, a day and the account's age leave the rest to a person", async () => {
    const limited = [
      ["deposit_limit", { statement_deposit_max_pesewas: 4999 }, [50]],
      ["import_limit", { statement_import_max_pesewas: 5000 }, [50, 10]],
      ["young_account", { statement_account_days: 60 }, [50]],
      ["deposit_limit", { statement_deposit_max_pesewas: 0 }, [50]],
    ] as const;
    for (const [heldBack, values, amounts] of limited) {
      const before = await settings.all(db);
      await set(values);
      const filed = [];
      for (const amount of amounts) filed.push({ id: freshId(), amount });
      const rows = [];
      for (const { id, amount } of filed) rows.push(await file(ama, id, amount));
      const done = await importAs(
        acct,
        filed.map(({ id, amount }) => line(id, amount)),
      );
      expect([heldBack, done.credited, done.heldBack]).toEqual([heldBack, amounts.length - 1, 1]);
      expect((await rowOf(rows.at(-1)!.id)).heldBack).toBe(heldBack);
      await set(before);
    }
  });

  test("of a day count all that one person imported, and hold while many import at once", async () => {
    const owner = await world.person("mansa", undefined, ["MANAGER"]);
    await set({ statement_day_max_pesewas: 10_000 });
    const filed = [];
    // Different agents, so that no wallet keeps the imports in turn.
    for (let n = 0; n < 6; n++) {
      const agent = await world.person(`agent${n}`);
      await grow(agent);
      filed.push(await file(agent, freshId(), 40));
    }
    const done = await Promise.all(filed.map(({ transactionId }) => importAs(owner, [line(transactionId, 40)])));
    expect(done.reduce((sum, { credited }) => sum + credited, 0)).toBe(2);
    const states = await Promise.all(filed.map(({ id }) => rowOf(id)));
    expect(states.filter(({ heldBack }) => heldBack === "day_limit")).toHaveLength(4);
    await set({ statement_day_max_pesewas: 500_000 });
  });

  test("an importer who lost the right credits nothing any more", async () => {
    const gone = await world.person("gone", undefined, ["ACCOUNTS"]);
    const id = freshId();
    await importAs(gone, [line(id, 50)]);
    await db.execute(sql`update users set roles = array['SUPPORT'] where id = ${gone.id}`);
    expect(await file(ama, id)).toMatchObject({ state: "open", heldBack: "importer" });
  });
});

describe("an import", () => {
  test("of the same lines changes nothing, and another amount for a known id is reported", async () => {
    const ids = [freshId(), freshId()];
    const lines = ids.map((id) => line(id, 20));
    await file(ama, ids[0]!, 20);
    expect(await importAs(acct, lines)).toMatchObject({ newLines: 2, credited: 1 });
    const before = await world.balanceOf(ama);
    expect(await importAs(yaw, lines)).toMatchObject({
      newLines: 0,
      knownLines: 2,
      credited: 0,
      conflicts: [],
    });
    expect((await importAs(acct, [line(ids[0]!, 200)])).conflicts).toEqual([ids[0]!]);
    expect(await world.balanceOf(ama)).toBe(before);
  });

  test("sent again with its key, or by two people at once, credits once", async () => {
    const id = freshId();
    const deposit = await file(ama, id);
    const before = await world.balanceOf(ama);
    const key = crypto.randomUUID();
    const done = await Promise.all([
      importAs(acct, [line(id, 50)], key),
      importAs(acct, [line(id, 50)], key),
      importAs(yaw, [line(id, 50)]),
    ]);
    expect(done[0]).toEqual(done[1]!);
    expect(await world.balanceOf(ama)).toBe(before + 5000);
    expect((await rowOf(deposit.id)).state).toBe("approved");
  });

  longTest("and the filing of its deposit at the same moment never miss each other", async () => {
    for (let round = 0; round < 25; round++) {
      const id = freshId();
      const [deposit] = await Promise.all([file(ama, id, 10), importAs(acct, [line(id, 10)])]);
      expect([round, (await rowOf(deposit.id)).state]).toEqual([round, "approved"]);
    }
  });

  longTest("while an admin decides and the agent files, credits each deposit once or leaves it", async () => {
    for (let round = 0; round < 15; round++) {
      const id = freshId();
      const before = await world.balanceOf(ama);
      const [filed] = await Promise.all([
        file(ama, id, 30).then(async (deposit) => {
          await outcome(deposits.approve(db, { by: yaw.by("admin"), key: null, depositId: deposit.id }));
          return deposit;
        }),
        importAs(acct, [line(id, 30)]),
        outcome(importAs(yaw, [line(id, 30)])),
      ]);
      expect((await rowOf(filed.id)).state).toBe("approved");
      expect(await world.balanceOf(ama)).toBe(before + 3000);
    }
  });

  test("is for staff who decide deposits, and refuses what no statement can have", async () => {
    expect(await outcome(importAs(desk, [line(freshId(), 5)]))).toBe("auth.forbidden");
    expect(await outcome(importAs(ama, [line(freshId(), 5)]))).toBe("auth.forbidden");
    expect(await outcome(importAs(acct, []))).toBe("statement.empty");
    const many = Array.from({ length: statements.LINES_MAX + 1 }, (_, n) => line(String(10_000_000 + n), 5));
    expect(await outcome(importAs(acct, many))).toBe("statement.too_long");
    for (const wrong of [{ amountPesewas: 0 }, { amountPesewas: 1.5 }, { transactionId: "0123456" }])
      expect(await outcome(importAs(acct, [line(freshId(), 5, wrong)]))).toBe("statement.line_invalid");
  });

  longTest("of five thousand lines takes its draft with it, which nobody else can use", async () => {
    const cells = [["Transaction ID", "Amount"]];
    const keep = { network: "mtn", source: "file", name: "november.csv", cells } as const;
    const draftId = await statements.keepDraft(db, { by: acct.by("admin"), ...keep });
    expect(await outcome(statements.draft(db, yaw.by("admin"), draftId))).toBe("statement.not_found");
    const lines = Array.from({ length: statements.LINES_MAX }, () => line(freshId(), 5));
    const ask = { by: acct.by("admin"), key: null, network: "mtn", source: "file", draftId, lines } as const;
    const { answer } = await statements.importLines(db, { ...ask, lines });
    expect(answer).toMatchObject({ importId: draftId, newLines: statements.LINES_MAX });
    expect(await outcome(statements.importLines(db, { ...ask, lines }))).toBe("statement.not_found");
    expect(await outcome(statements.draft(db, acct.by("admin"), draftId))).toBe("statement.not_found");
  });

  test("is limited by the hour", async () => {
    const busy = await world.person("busy", undefined, ["ACCOUNTS"]);
    for (let n = 0; n < 60; n++) await budgets.spend(db, "statement.account", busy.id);
    const ask = { by: busy.by("admin"), key: null, network: "mtn", source: "file" } as const;
    const importing = statements.importLines(db, { ...ask, lines: [line(freshId(), 5)] });
    expect(await outcome(importing)).toBe("request.rate_limited");
  });

  test("stays as it was: the database refuses to change a line", async () => {
    const change = db.execute(sql`update statement_lines set amount_pesewas = 1 where id = 1`);
    expect(await databaseRefusal(change)).toBe("statement_lines_stay");
    const forget = sql`update statement_lines set sender_name = null, sender_msisdn = null where id = 1`;
    await db.execute(forget);
  });
});

describe("a transfer that the network took back", () => {
  const credited = async (cedis = 50) => {
    const id = freshId();
    await importAs(acct, [line(id, cedis)]);
    return file(ama, id, cedis);
  };
  const openOne = async (depositId: number) =>
    (await reversals.listOpen(db)).find((row) => row.depositId === depositId)!;

  test("is held at once, and taken from the wallet by a person, the rest as a debt", async () => {
    const deposit = await credited();
    const spent = (await world.balanceOf(ama)) - 2000;
    await wallet.adjust(db, {
      by: yaw.by("admin"),
      key: null,
      userId: ama.id,
      amountPesewas: -spent,
      reason: "x",
    });
    expect(await importAs(acct, [taken(deposit.transactionId, 50)])).toMatchObject({ reversed: 1 });
    expect(await wallet.standing(db, ama.id)).toMatchObject({ heldPesewas: 5000, availablePesewas: 0 });
    const { id: reversalId, amountPesewas } = await openOne(deposit.id);
    const none = { by: acct.by("admin"), key: null, reversalId: 9999, amountPesewas } as const;
    expect(await outcome(reversals.decide(db, { ...none, decision: "book" }))).toBe("claim.reversal_not_found");
    const ask = { key: null, reversalId, amountPesewas, decision: "book" } as const;
    expect(await outcome(reversals.decide(db, { ...ask, by: desk.by("admin") }))).toBe("auth.forbidden");
    const unsure = { ...acct.by("admin"), isUnconfirmed: true as const };
    expect(await outcome(reversals.decide(db, { ...ask, by: unsure }))).toBe("auth.confirm_needed");
    const moved = { ...ask, by: acct.by("admin"), amountPesewas: 4000 };
    expect(await outcome(reversals.decide(db, moved))).toBe("claim.moved");
    const tries = await Promise.all(
      [acct, yaw].map((person) => outcome(reversals.decide(db, { ...ask, by: person.by("admin") }))),
    );
    expect(tries.filter((code) => code === "claim.reversal_decided")).toHaveLength(1);
    expect(await wallet.standing(db, ama.id)).toMatchObject({
      balancePesewas: 0,
      heldPesewas: 0,
      owedPesewas: 3000,
    });
    await wallet.adjust(db, {
      by: yaw.by("admin"),
      key: null,
      userId: ama.id,
      amountPesewas: 3000,
      reason: "x",
    });
  });

  test("is found once, and released when a person dismisses it", async () => {
    const deposit = await credited();
    const before = await world.balanceOf(ama);
    await importAs(acct, [taken(deposit.transactionId, 50)]);
    expect(await importAs(yaw, [taken(deposit.transactionId, 50)])).toMatchObject({
      reversed: 0,
      knownLines: 1,
    });
    const { id: reversalId, amountPesewas } = await openOne(deposit.id);
    const by = acct.by("admin");
    const reason = "The network returned it";
    await reversals.decide(db, { by, key: null, reversalId, amountPesewas, decision: "dismiss", reason });
    expect(await wallet.standing(db, ama.id)).toMatchObject({ balancePesewas: before, heldPesewas: 0 });
  });

  test("before it was reported cannot be credited by anybody", async () => {
    const id = freshId();
    await importAs(acct, [line(id, 50), taken(id, 50)]);
    const deposit = await file(ama, id);
    expect(deposit).toMatchObject({ state: "open", heldBack: "reversed" });
    expect(await outcome(deposits.approve(db, { by: yaw.by("admin"), key: null, depositId: deposit.id }))).toBe(
      "claim.reversed",
    );
  });
});

test("the agent of a deposit that no statement shows is notified after a day, once", async () => {
  const deposit = await file(kofi, freshId());
  await db.execute(sql`update deposits set created_at = now() - interval '25 hours' where id = ${deposit.id}`);
  await db.execute(
    sql`update statement_imports set imported_at = now() - interval '2 hours' where imported_at is not null`,
  );
  await matching.notifyNotFound(db);
  // Nobody has looked since the day was over.
  expect((await rowOf(deposit.id)).notifiedAt).toBeNull();
  await importAs(acct, [line(freshId(), 5)]);
  await matching.notifyNotFound(db);
  const { notifiedAt } = await rowOf(deposit.id);
  expect(notifiedAt).not.toBeNull();
  expect(await matching.notifyNotFound(db)).toBe(0);
});

longTest("in any order, a transfer is credited once at most, with the statement's amount", async () => {
  let seed = 20_261_125;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]!;
  const ids = Array.from({ length: 12 }, freshId);
  const amountOf = new Map(ids.map((id) => [id, 1000 + Math.floor(random() * 3000)]));
  const start = (await world.balanceOf(ama)) + (await world.balanceOf(kofi));
  for (let step = 0; step < 120; step++) {
    const id = pick(ids);
    const cedis = amountOf.get(id)! / 100;
    const act = pick(["file", "file wrong", "import", "approve", "correct", "refuse"] as const);
    const [open] = await db.select().from(depositTable).where(eq(depositTable.transactionId, id));
    const about = { by: yaw.by("admin"), key: null, depositId: open?.id ?? 0 };
    const agent = pick([ama, kofi]);
    await {
      file: () => outcome(file(agent, id, cedis)),
      "file wrong": () => outcome(file(agent, id, 99.99)),
      import: () => outcome(importAs(acct, [line(id, cedis)])),
      approve: () => outcome(deposits.approve(db, about)),
      correct: () => outcome(deposits.correct(db, { ...about, amountPesewas: Math.round(cedis * 100), reason: "x" })),
      refuse: () => outcome(deposits.refuse(db, { ...about, reason: "x" })),
    }[act]();
  }
  const credited = await db
    .select()
    .from(depositTable)
    .where(sql`${depositTable.transactionId} = any(${sql.param(ids)}::text[]) and state = 'approved'`);
  expect(new Set(credited.map(({ transactionId }) => transactionId)).size).toBe(credited.length);
  const sum = credited.reduce((total, row) => total + (row.creditedPesewas ?? row.amountPesewas), 0);
  expect((await world.balanceOf(ama)) + (await world.balanceOf(kofi))).toBe(start + sum);
});
