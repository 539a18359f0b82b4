// Whose money a line of the statement is: it goes by itself to the account whose confirmed phone sent it, or where no
// number is known. Nobody else gets it by reporting it first, and staff who decide nothing read no IDs to pass on.
import { beforeAll, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { phones } from "../../../db/schema/identity.ts";
import { deposits as depositTable } from "../../../db/schema/payments.ts";
import * as finding from "../../../src/core/finding/find.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import { senderIn } from "../../../src/core/payments/deposits/senders.ts";
import * as statements from "../../../src/core/payments/deposits/statements.ts";
import { outcome } from "../../support/asking.ts";
import { openApp, openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const client = openApp(world);
const ama = await world.person("ama");
const kofi = await world.person("kofi");
const acct = await world.person("abena", undefined, ["ACCOUNTS"]);
const help = await world.person("efua", undefined, ["SUPPORT"]);
const AMAS = "233240000001";
const KOFIS = "233240000002";
const NOBODYS = "233240000009";

let last = 40_225_000_000;
const freshId = () => String(++last);
const importLine = async (transactionId: string, senderMsisdn: string | null, more: object = {}) => {
  const line: statements.NewLine = {
    ...{ direction: "in", transactionId, originalId: null, amountPesewas: 5_000 },
    ...{ senderName: "AMA SERWAA", senderMsisdn, at: null, ...more },
  };
  const by = acct.by("admin");
  await statements.importLines(db, { by, key: null, network: "mtn", source: "file", lines: [line] });
};
const file = (person: Person, transactionId: string, amountPesewas = 5_000) =>
  deposits.file(db, { by: person.by(), transactionId, amountPesewas });
const rowOf = async ({ id }: deposits.Deposit) => {
  const [row] = await db.select().from(depositTable).where(eq(depositTable.id, id));
  return row!;
};
const findingOf = async ({ id }: deposits.Deposit, viewer = acct) =>
  (await deposits.list(db, viewer.by("admin"), {}, { limit: 100 })).find((row) => row.id === id)!.finding;
const credited = { state: "approved", isAutomatic: true };

beforeAll(async () => {
  await db.execute(sql`update users set created_at = now() - interval '30 days'`);
  await db.insert(phones).values([
    { userId: ama.id, msisdn: AMAS },
    { userId: kofi.id, msisdn: KOFIS },
  ]);
});

describe("money whose sender is known", () => {
  test("goes by itself to the account of the phone that sent it, whichever came first", async () => {
    const [first, second] = [freshId(), freshId()];
    const waiting = await file(ama, first);
    await importLine(first, AMAS);
    expect(await rowOf(waiting)).toMatchObject(credited);
    await importLine(second, AMAS);
    expect(await file(ama, second)).toMatchObject(credited);
  });

  test("waits for a person when somebody else reports it, who sees from whose phone it came", async () => {
    for (const isFirst of [true, false]) {
      const id = freshId();
      if (!isFirst) await importLine(id, AMAS);
      const filed = await file(kofi, id);
      if (isFirst) await importLine(id, AMAS);
      expect(await rowOf(filed)).toMatchObject({ state: "open", heldBack: "other_sender" });
      expect(await findingOf(filed)).toMatchObject({
        kind: "other_sender",
        sender: { userId: ama.id, username: ama.username },
      });
    }
  });

  test("goes to the sender all the same when somebody else reported it before", async () => {
    const id = freshId();
    await importLine(id, AMAS);
    const thief = await file(kofi, id);
    expect(await file(ama, id)).toMatchObject(credited);
    expect(await rowOf(thief)).toMatchObject({ state: "open" });
    expect(await findingOf(thief)).toMatchObject({ kind: "twice" });
  });

  test("from a number that is no agent's waits for a person as well", async () => {
    const id = freshId();
    const filed = await file(ama, id);
    await importLine(id, NOBODYS);
    expect(await rowOf(filed)).toMatchObject({ state: "open", heldBack: "other_sender" });
    expect(await findingOf(filed)).toMatchObject({ kind: "found", sender: null });
  });

  test("from a number of which some is hidden waits for a person, who sees what is shown of it", async () => {
    for (const sender of ["0244***567", "23324XXXX001", "***567", "024 000 •••1"]) {
      const id = freshId();
      const filed = await file(ama, id);
      await importLine(id, senderIn(sender));
      expect([sender, await rowOf(filed)]).toMatchObject([sender, { state: "open", heldBack: "other_sender" }]);
      expect((await findingOf(filed)).line!.senderMsisdn).toBe(sender);
    }
    const id = freshId();
    const lines = [{ direction: "in", transactionId: id, amount: 50, senderPhone: "0244***567" }];
    const { status } = await client.call(acct, "POST", "/api/v1/admin/statements", { network: "mtn", lines });
    expect(status).toBe(200);
    expect(await file(ama, id)).toMatchObject({ state: "open", heldBack: "other_sender" });
    const { body } = await client.call(acct, "GET", "/api/v1/admin/statements/lines?limit=1");
    expect(body[0]).toMatchObject({ senderPhone: "0244***567" });
    for (const none of ["", "-", "MTN MOBILE MONEY", "Agent 12"]) expect([none, senderIn(none)]).toEqual([none, null]);
  });

  test("that was taken back before it was credited is never credited, in whatever order it comes", async () => {
    const acts: Record<string, (id: string) => Promise<unknown>> = {
      file: (id) => file(ama, id),
      in: (id) => importLine(id, AMAS),
      back: (id) => importLine(id, AMAS, { direction: "reversal", originalId: id }),
      "in+back": (transactionId) => {
        const line = { transactionId, amountPesewas: 5_000, senderName: null, senderMsisdn: AMAS, at: null };
        const lines: statements.NewLine[] = [
          { ...line, direction: "in", originalId: null },
          { ...line, direction: "reversal", originalId: transactionId },
        ];
        const of = { by: acct.by("admin"), key: null, network: "mtn", source: "file" } as const;
        return statements.importLines(db, { ...of, lines });
      },
    };
    for (const order of ["in back file", "back in file", "file back in", "back file in", "file in+back"]) {
      const id = freshId();
      for (const act of order.split(" ")) await acts[act]!(id);
      const [filed] = await db.select().from(depositTable).where(eq(depositTable.transactionId, id));
      expect([order, filed]).toMatchObject([order, { state: "open", lineId: null }]);
      expect(await findingOf(filed!)).toMatchObject({ kind: "reversed" });
      const approving = deposits.approve(db, { by: acct.by("admin"), key: null, depositId: filed!.id });
      expect(await outcome(approving)).toBe("claim.reversed");
    }
  });

  test("from a phone that its account has not confirmed is not that account's", async () => {
    const esi = await world.person("esi");
    await db.execute(sql`update users set created_at = now() - interval '30 days' where id = ${esi.id}`);
    await db.insert(phones).values({ userId: esi.id, msisdn: "233240000003", codeAwaitedSince: new Date() });
    const id = freshId();
    await importLine(id, "233240000003");
    expect(await file(esi, id)).toMatchObject({ state: "open", heldBack: "other_sender" });
  });
});

describe("money whose sender is not known", () => {
  test("goes to whoever reports it alone", async () => {
    const id = freshId();
    await importLine(id, null);
    expect(await file(kofi, id)).toMatchObject(credited);
  });

  test("waits for a person when another agent's report of it was refused before: others have read its ID", async () => {
    const id = freshId();
    const first = await file(ama, id, 50_000);
    await deposits.refuse(db, { by: acct.by("admin"), key: null, depositId: first.id, reason: "Not there" });
    await importLine(id, null);
    expect(await file(kofi, id)).toMatchObject({ state: "open", heldBack: "twice" });
    // Its own agent may put a slip right.
    expect(await file(ama, id)).toMatchObject({ state: "open", heldBack: "twice" });
  });
});

describe("staff who decide no deposits", () => {
  const linesFor = (person: Person, filter: { unclaimedOnly?: boolean } = {}) =>
    statements.list(db, person.by("admin"), filter, { limit: 100 });

  test("read neither IDs nor senders of lines without a credited deposit", async () => {
    const [unclaimed, taken, known] = [freshId(), freshId(), freshId()];
    await importLine(unclaimed, AMAS);
    await importLine(taken, AMAS, { direction: "reversal", originalId: unclaimed });
    await importLine(known, AMAS);
    await file(ama, known);
    const [all, open] = [await linesFor(help), await linesFor(help, { unclaimedOnly: true })];
    expect(open.length).toBeGreaterThan(0);
    for (const line of [...open, ...all.filter(({ deposit }) => deposit === null)])
      expect(line).toMatchObject({
        ...{ transactionId: null, originalId: null, senderName: null, senderMsisdn: null },
      });
    expect(all.find(({ transactionId }) => transactionId === known)).toMatchObject({ senderMsisdn: AMAS });
    expect((await linesFor(acct, { unclaimedOnly: true })).map(({ transactionId }) => transactionId)).toContain(
      unclaimed,
    );
  });

  test("read no sender of a deposit that waits, and find no ID of a line", async () => {
    const [id, unclaimed] = [freshId(), freshId()];
    const filed = await file(kofi, id);
    await importLine(id, AMAS);
    await importLine(unclaimed, null);
    const seen = await findingOf(filed, help);
    expect(seen).toMatchObject({ kind: "other_sender", sender: null });
    expect(seen.line).toMatchObject({ senderName: null, senderMsisdn: null });
    expect(await finding.find(db, help.by("admin"), unclaimed)).toEqual([]);
  });
});
