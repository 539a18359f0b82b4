// Work on signals by staff: close them with a note, change rules, write notes about agents, read an account's record;
// by right, never about themselves, and in the log of changes.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import { filesOf } from "../../../src/core/privacy/account-copy.ts";
import { carryOut, RETENTION } from "../../../src/core/privacy/retention.ts";
import * as agentNotes from "../../../src/core/signals/agent-notes.ts";
import * as raising from "../../../src/core/signals/raising.ts";
import * as record from "../../../src/core/signals/record.ts";
import * as rules from "../../../src/core/signals/rules.ts";
import * as signals from "../../../src/core/signals/signals.ts";
import { STAFF_ROLES, type StaffRole } from "../../../src/shared/rights.ts";
import { count, databaseRefusal, key, lineFor, outcome } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const admin = yaw.by("admin");
const bundle = await world.product("MTN", "1GB", "10.00");
const staff = Object.fromEntries(
  await Promise.all(
    (Object.keys(STAFF_ROLES) as StaffRole[]).map(async (role) => [
      role,
      (await world.person(`one-${role.toLowerCase()}`, undefined, [role])).by("admin"),
    ]),
  ),
) as Record<StaffRole, ReturnType<Person["by"]>>;

let people = 0;
let transactions = 60_000_000;
/** Somebody about whom a signal is open. */
const suspect = async (roles?: StaffRole[], balance?: string) => {
  const [first, person] = [
    await world.person(`first${++people}`),
    await world.person(`suspect${people}`, balance, roles),
  ];
  const transactionId = String(++transactions);
  for (const { by } of [first, person]) await deposits.file(db, { by: by(), transactionId, amountPesewas: 5_000 });
  await raising.raiseDue(db);
  const [signal] = await signals.list(db, { state: "open", userId: person.id }, { limit: 1 });
  return { person, signalId: signal!.id };
};
const actsOn = async (subjectType: "signal" | "rule" | "user", subjectId: number | string) =>
  (await auditLog.list(db, { subjectType, subjectId }, { limit: 20 })).map(({ action }) => action);

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

describe("a signal", () => {
  test("is open until somebody closes it with a note, once, and stays as it was", async () => {
    const { signalId } = await suspect();
    expect(await outcome(signals.close(db, { by: admin, signalId, note: "  " }))).toBe("signal.note_missing");
    const { answer: closed } = await signals.close(db, {
      by: staff.SUPPORT,
      signalId,
      note: " Both sell for one school ",
    });
    expect(closed).toMatchObject({ note: "Both sell for one school", closedBy: "one-support" });
    expect(await outcome(signals.close(db, { by: admin, signalId, note: "Again" }))).toBe("signal.closed");
    expect(await actsOn("signal", signalId)).toEqual(["signal.close"]);
    await raising.raiseDue(db);
    expect((await signals.list(db, { state: "open" }, { limit: 50 })).map(({ id }) => id)).not.toContain(signalId);
    const changed = db.execute(sql`update signals set note = 'Nothing' where id = ${signalId}`);
    expect(await databaseRefusal(changed)).toBe("signals_stay");
  });

  test("that is open cannot be deleted or changed, whatever the code does", async () => {
    const { signalId } = await suspect();
    const acts = {
      signals_stay: sql`update signals set evidence = '{}' where id = ${signalId}`,
      signals_open_kept: sql`delete from signals where id = ${signalId}`,
    };
    for (const [name, act] of Object.entries(acts)) expect(await databaseRefusal(db.execute(act))).toBe(name);
  });

  test("is closed by nobody about themselves", async () => {
    const own = await suspect(["ADMIN"]);
    const by = own.person.by("admin");
    for (const act of [signals.stop, signals.endHold, signals.close])
      expect(await outcome(act(db, { by, signalId: own.signalId, note: "I am honest" }))).toBe("auth.own_account");
    // An account of staff is stopped by an owner alone.
    expect(await outcome(signals.stop(db, { by: staff.MANAGER, signalId: own.signalId }))).toBe("auth.forbidden");
    expect(await outcome(signals.close(db, { by: admin, signalId: own.signalId, note: "Fine" }))).toBe("done");
    expect(await outcome(signals.close(db, { by: admin, signalId: 999_999, note: "x" }))).toBe("signal.not_found");
  });

  test("is found by its state, kind, effect and account", async () => {
    const { person, signalId } = await suspect();
    const found = async (filter: signals.SignalFilter) =>
      (await signals.list(db, { userId: person.id, ...filter }, { limit: 50 })).map(({ id }) => id);
    expect(await found({ state: "open" })).toEqual([signalId]);
    expect(await found({ state: "all", kind: "deposit_repeated", effect: "note" })).toEqual([signalId]);
    for (const filter of [{ kind: "losses" }, { effect: "hold" }] as const)
      expect(await found({ state: "all", ...filter })).toEqual([]);
    expect(await found({ state: "closed" })).toEqual([]);
  });
});

describe("a rule", () => {
  const termsOf = async (kind: "losses"): Promise<rules.RuleTerms> => {
    const { kind: _, ...terms } = await rules.get(db, kind);
    return terms;
  };

  test("is changed by an owner who has proved who they are, within its bounds", async () => {
    const terms = await termsOf("losses");
    const wanted = {
      ...terms,
      effect: "hold" as const,
      parameters: { count: 3, days: 14 },
      message: " Wait ",
    };
    const unconfirmed = { ...admin, isUnconfirmed: true as const };
    expect(await outcome(rules.change(db, { by: unconfirmed, kind: "losses", ...wanted }))).toBe("auth.confirm_needed");
    for (const bad of [{ parameters: { count: 3 } }, { parameters: { count: 0, days: 14 } }, { message: " " }])
      expect(
        await outcome(rules.change(db, { by: admin, kind: "losses", ...({ ...wanted, ...bad } as rules.RuleTerms) })),
      ).toBe("request.invalid");
    const more = { ...wanted, parameters: { ...wanted.parameters, others: 1 } };
    const { answer: changed } = await rules.change(db, { by: admin, kind: "losses", ...more });
    expect(changed).toEqual({ kind: "losses", ...wanted, message: "Wait" });
    expect(await actsOn("rule", "losses")).toEqual(["signal.rule"]);
  });

  test("that somebody else has changed meanwhile is looked at again", async () => {
    const seen = await termsOf("losses");
    await rules.change(db, { by: admin, kind: "losses", ...{ ...seen, effect: "stop" } });
    const late = rules.change(db, {
      by: admin,
      kind: "losses",
      ...{ ...seen, isOn: false },
      seen,
    });
    expect(await outcome(late)).toBe("signal.rule_changed");
  });
});

describe("notes about an agent", () => {
  test("have an author and a time, are added alone, and go with the account", async () => {
    const ama = await world.person(`noted${++people}`);
    const add = (by: typeof admin, note: string, once: string) =>
      agentNotes.add(db, { by, key: key(once, "notes"), userId: ama.id, note });
    const { answer: first } = await add(staff.SUPPORT, " Sells at the market ", "a");
    expect((await add(staff.SUPPORT, " Sells at the market ", "a")).answer).toEqual(first);
    await add(staff.MANAGER, "Moved to Kumasi", "b");
    const notes = await agentNotes.list(db, ama.id, { limit: 10 });
    expect(notes.map(({ note, by }) => `${by}: ${note}`)).toEqual([
      "one-manager: Moved to Kumasi",
      "one-support: Sells at the market",
    ]);
    expect(await actsOn("user", ama.id)).toContain("user.note");
    const changed = db.execute(sql`update agent_notes set note = 'x' where user_id = ${ama.id}`);
    expect(await databaseRefusal(changed)).toBe("agent_notes_stay");
    await users.remove(db, { by: admin, userId: ama.id });
    expect(await agentNotes.list(db, ama.id, { limit: 10 })).toEqual([]);
    expect(await outcome(add(admin, "Gone", "c"))).toBe("user.closed");
  });

  test("are not about oneself or, but for owners, staff", async () => {
    const ama = await world.person(`noted${++people}`);
    const add = (by: typeof admin, userId: number, note = "x") =>
      outcome(agentNotes.add(db, { by, key: null, userId, note }));
    expect(await add(staff.SUPPORT, staff.DESK.userId)).toBe("auth.forbidden");
    expect(await add(staff.SUPPORT, staff.SUPPORT.userId)).toBe("auth.own_account");
    expect(await add(admin, staff.DESK.userId)).toBe("done");
    expect(await add(admin, ama.id, " ")).toBe("signal.note_missing");
    expect(await add(admin, 999_999)).toBe("user.not_found");
  });
});

describe("the record of an account", () => {
  longTest("has its totals, logins, signals and notes", async () => {
    const { person } = await suspect(undefined, "GH₵ 100.00");
    const by = person.by();
    const bought: number[] = [];
    for (let n = 0; n < 3; n++)
      bought.push((await orders.buy(db, { by, key: null, line: lineFor(bundle) })).answer.order.id);
    await statusChanges.move(db, {
      by: admin,
      key: null,
      ids: [bought[0]!],
      to: "FAILED",
      reason: "Wrong number",
    });
    const { id } = await deposits.file(db, {
      by,
      transactionId: String(++transactions),
      amountPesewas: 2_000,
    });
    await deposits.approve(db, { by: admin, key: null, depositId: id });
    await sessions.logIn(db, { ...person, address: "192.0.2.1", userAgent: "Firefox" });
    await sessions.logIn(db, { ...person, address: "198.51.100.1", userAgent: "curl" });
    await agentNotes.add(db, { by: admin, key: null, userId: person.id, note: "Called her" });
    const found = await record.of(db, { by: staff.SUPPORT, userId: person.id });
    expect(found.totals).toEqual({
      bought: { count: 2, pesewas: 2_000 },
      failed: { count: 1, pesewas: 1_000 },
      notReceived: { count: 0, pesewas: 0 },
      toppedUp: { count: 1, pesewas: 2_000 },
      disputed: { count: 0, pesewas: 0 },
      lost: { count: 0, pesewas: 0 },
    });
    expect(found.logins.map(({ address, isNewDevice }) => [address, isNewDevice])).toEqual([
      ["198.51.100.1", true],
      ["192.0.2.1", false],
    ]);
    expect(found.sessions).toBe(2);
    expect(found.signals.map(({ kind }) => kind)).toEqual(["deposit_repeated"]);
    expect(found.notes.map(({ note }) => note)).toEqual(["Called her"]);
  });

  test("is for those who work with agents; that of staff for owners", async () => {
    const ama = await world.person(`recorded${++people}`);
    const read = (by: typeof admin, userId: number) => outcome(record.of(db, { by, userId }));
    for (const role of ["DESK", "ACCOUNTS"] as const) expect(await read(staff[role], ama.id)).toBe("auth.forbidden");
    expect(await read(staff.SUPPORT, staff.DESK.userId)).toBe("auth.forbidden");
    expect(await read(admin, staff.DESK.userId)).toBe("done");
  });
});

describe("privacy", () => {
  test("the account's copy has its signals, logins and notes, and nobody else's id", async () => {
    const { person, signalId } = await suspect();
    await signals.close(db, { by: admin, signalId, note: "A mistake of ours" });
    await sessions.logIn(db, { ...person, address: "192.0.2.1", userAgent: "Firefox" });
    await agentNotes.add(db, { by: admin, key: null, userId: person.id, note: "Called her" });
    const files: Record<string, string> = {};
    for (const { name, pieces } of await filesOf(db, person.id))
      for await (const piece of pieces) files[name] = (files[name] ?? "") + piece;
    expect(files["signals.csv"]).toContain("A mistake of ours");
    expect(files["signals.csv"]).not.toContain("firstUserId");
    expect(files["login-history.csv"]).toContain("192.0.2.1");
    expect(files["notes.csv"]).toContain("Called her");
  });

  test("closed signals go after two years, open ones stay, logins and wrong PINs go after 90 days", async () => {
    const [old, young, open] = [await suspect(), await suspect(), await suspect()];
    for (const { signalId } of [old, young]) await signals.close(db, { by: admin, signalId, note: "Fine" });
    await db.execute(sql`alter table signals disable trigger signals_stay`);
    await db.execute(sql`update signals set closed_at = now() - interval '731 days' where id = ${old.signalId}`);
    await db.execute(sql`alter table signals enable trigger signals_stay`);
    const { id: userId } = open.person;
    for (const days of [89, 91]) {
      const at = sql`now() - make_interval(days => ${days})`;
      await db.execute(sql`insert into logins (user_id, is_new_device, at) values (${userId}, false, ${at})`);
      await db.execute(sql`insert into wrong_pins (user_id, channel, at) values (${userId}, 'ussd', ${at})`);
    }
    for (const name of ["signals", "logins"]) await carryOut(db, RETENTION.find((rule) => rule.name === name)!);
    const left = (await signals.list(db, { state: "all" }, { limit: 100 })).map(({ id }) => id);
    expect(left).toContain(young.signalId);
    expect(left).toContain(open.signalId);
    expect(left).not.toContain(old.signalId);
    expect(await count(db, sql`from logins where user_id = ${userId}`)).toBe(1);
    expect(await count(db, sql`from wrong_pins where user_id = ${userId}`)).toBe(1);
  });
});
