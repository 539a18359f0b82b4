// Each rule raises one signal for its cause, whoever looks and how often, and none for what is only like it.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones } from "../../../db/schema/identity.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as pinChange from "../../../src/core/identity/phones/pin-change.ts";
import type { PinChannel } from "../../../src/core/identity/phones/pin-locks.ts";
import * as pins from "../../../src/core/identity/phones/pins.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import * as raising from "../../../src/core/signals/raising.ts";
import * as rules from "../../../src/core/signals/rules.ts";
import * as signals from "../../../src/core/signals/signals.ts";
import type { SignalKind } from "../../../src/shared/signals.ts";
import { lineFor, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person, TEST_JWT_SECRET } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const admin = yaw.by("admin");
const bundle = await world.product("MTN", "1GB", "10.00");
const pinKeys = { key: pins.pinKey(TEST_JWT_SECRET) };

let people = 0;
const somebody = (balance?: string) => world.person(`agent${++people}`, balance);
const raised = async (person: Person) =>
  (await signals.list(db, { state: "all", userId: person.id }, { limit: 20 })).map(({ kind }) => kind);
const latestOf = async (person: Person) =>
  (await signals.list(db, { state: "open", userId: person.id }, { limit: 1 }))[0]!;
const look = async (person: Person): Promise<SignalKind[]> => {
  await raising.raiseDue(db);
  const first = await raised(person);
  await raising.raiseDue(db);
  expect(await raised(person)).toEqual(first);
  return first;
};

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

describe("a large top-up of a young account, spent at once", () => {
  let transaction = 70_000_000;
  const topUp = async (person: Person, cedis: number) => {
    const transactionId = String(++transaction);
    const { id } = await deposits.file(db, { by: person.by(), transactionId, amountPesewas: cedis * 100 });
    await deposits.approve(db, { by: admin, key: null, depositId: id });
  };
  const spend = async (person: Person, bundles: number) => {
    const lines = Array.from({ length: bundles }, () => lineFor(bundle));
    await buyBulk(db, { by: person.by(), key: null, lines, allowDuplicate: true });
  };

  test("is raised once, with the amounts and the orders", async () => {
    const ama = await somebody();
    await topUp(ama, 500);
    await spend(ama, 39);
    expect(await look(ama)).toEqual([]);
    await spend(ama, 1);
    expect(await look(ama)).toEqual(["young_top_up"]);
    await spend(ama, 5);
    expect(await look(ama)).toEqual(["young_top_up"]);
    const { evidence, sentence, effect } = await latestOf(ama);
    expect(evidence).toMatchObject({ topUpPesewas: 50_000, spentPesewas: 40_000, purchases: 40 });
    expect(sentence).toBe(
      "Topped up GH₵ 500.00 less than an hour after the account was opened, and spent GH₵ 400.00 within 30 minutes, " +
        "on 40 orders.",
    );
    expect(effect).toBe("hold");
  });

  test("is not raised for a smaller one, an older account, or one that is spent later", async () => {
    const [small, old, slow] = [await somebody(), await somebody(), await somebody()];
    await topUp(small, 499);
    await spend(small, 49);
    await db.execute(sql`update users set created_at = now() - interval '7 days 1 hour' where id = ${old.id}`);
    await topUp(old, 500);
    await spend(old, 50);
    await topUp(slow, 500);
    await db.execute(sql`alter table transfers disable trigger transfers_append_only`);
    await db.execute(
      sql`update transfers set created_at = created_at - interval '31 minutes' where user_id = ${slow.id}`,
    );
    await db.execute(sql`alter table transfers enable trigger transfers_append_only`);
    await spend(slow, 50);
    for (const person of [small, old, slow]) expect(await look(person)).toEqual([]);
  });
});

describe("a new device, a new PIN and a bulk order", () => {
  const logIn = ({ email, password }: Person, address: string) =>
    sessions.logIn(db, { email, password, address, userAgent: "Firefox" });
  const setPin = async (person: Person) => {
    await db.insert(phones).values({ userId: person.id, msisdn: `23354200${String(1000 + person.id)}` });
    await pins.set(db, pinKeys, { by: person.by(), pin: "4071", currentPassword: person.password });
  };
  const buyMany = (person: Person, count: number) =>
    buyBulk(db, {
      ...{ by: person.by(), key: null, allowDuplicate: true },
      lines: Array.from({ length: count }, () => lineFor(bundle)),
    });

  test("are raised together, once for each bulk order", async () => {
    const ama = await somebody("GH₵ 500.00");
    await logIn(ama, "192.0.2.1");
    await logIn(ama, "198.51.100.7");
    await setPin(ama);
    await buyMany(ama, 10);
    expect(await look(ama)).toEqual(["takeover"]);
    await buyMany(ama, 10);
    expect(await look(ama)).toEqual(["takeover", "takeover"]);
    const { sentence } = await latestOf(ama);
    expect(sentence).toBe(
      "A bulk order of 10 lines for GH₵ 100.00, less than a minute after a login from a new device and " +
        "less than a minute after a new PIN.",
    );
  });

  longTest("are not raised when one of them is missing, or came after the order", async () => {
    const [known, noPin, few, late] = [
      await somebody("GH₵ 500.00"),
      await somebody("GH₵ 500.00"),
      await somebody("GH₵ 500.00"),
      await somebody("GH₵ 500.00"),
    ];
    // The first login of an account is from no new device, nor is another one from its network.
    await logIn(known, "192.0.2.1");
    await logIn(known, "192.0.2.1");
    await setPin(known);
    await buyMany(known, 10);
    await logIn(noPin, "192.0.2.1");
    await logIn(noPin, "198.51.100.7");
    await buyMany(noPin, 10);
    await logIn(few, "192.0.2.1");
    await logIn(few, "198.51.100.7");
    await setPin(few);
    await buyMany(few, 9);
    await logIn(late, "192.0.2.1");
    await setPin(late);
    await buyMany(late, 10);
    await logIn(late, "198.51.100.7");
    for (const person of [known, noPin, few, late]) expect(await look(person)).toEqual([]);
  });
});

describe("a burst of wrong PINs", () => {
  const withPhone = async () => {
    const person = await somebody();
    const msisdn = `23354300${String(1000 + people)}`;
    await db.insert(phones).values({ userId: person.id, msisdn });
    await pins.set(db, pinKeys, { by: person.by(), pin: "4071", currentPassword: person.password });
    return person;
  };
  const guess = async (person: Person, count: number, channel: PinChannel = "ussd") => {
    for (let n = 0; n < count; n++) {
      await db.execute(sql`
        update pins set wrong_tries = 0, locked_until = null, sms_wrong_tries = 0, sms_locked_until = null
        where user_id = ${person.id}`);
      await pins.verify(db, pinKeys, { userId: person.id, pin: "9999" }, { channel });
    }
  };
  const hoursAgo = (person: Person, hours: number) =>
    db.execute(sql`update wrong_pins set at = at - make_interval(hours => ${hours}) where user_id = ${person.id}`);

  test("is one signal however long it goes on, and another after a pause", async () => {
    const ama = await withPhone();
    await guess(ama, 4);
    expect(await look(ama)).toEqual([]);
    await guess(ama, 1);
    expect(await look(ama)).toEqual(["wrong_pins"]);
    await guess(ama, 4);
    expect(await look(ama)).toEqual(["wrong_pins"]);
    await hoursAgo(ama, 2);
    await guess(ama, 5);
    expect(await look(ama)).toEqual(["wrong_pins", "wrong_pins"]);
  });

  test("counts those of an hour and of one channel alone, and no right ones", async () => {
    const [slow, mixed] = [await withPhone(), await withPhone()];
    await guess(slow, 4);
    await hoursAgo(slow, 2);
    await guess(slow, 4);
    await pins.verify(db, pinKeys, { userId: slow.id, pin: "4071" });
    await guess(mixed, 4);
    await guess(mixed, 4, "sms");
    for (const person of [slow, mixed]) expect(await look(person)).toEqual([]);
  });

  test("by SMS, whose sender anybody can forge, does nothing to the account", async () => {
    await rules.change(db, {
      by: admin,
      kind: "wrong_pins",
      ...(await termsOf("wrong_pins", { effect: "stop" })),
    });
    const [forged, dialled] = [await withPhone(), await withPhone()];
    await guess(forged, 5, "sms");
    await guess(dialled, 5);
    await raising.raiseDue(db);
    expect([(await latestOf(forged)).effect, (await latestOf(dialled)).effect]).toEqual(["note", "stop"]);
    await rules.change(db, {
      by: admin,
      kind: "wrong_pins",
      ...(await termsOf("wrong_pins", { effect: "note" })),
    });
  });

  test("is also one of guesses at the old PIN, when somebody changes it", async () => {
    const ama = await withPhone();
    await guess(ama, 4);
    await pinChange.beginChange(db, pinKeys, { by: ama.by("ussd"), oldPin: "9999" });
    expect(await look(ama)).toEqual(["wrong_pins"]);
  });
});

describe("reported deposits", () => {
  const file = async (person: Person, transactionId: string) =>
    (await deposits.file(db, { by: person.by(), transactionId, amountPesewas: 5_000 })).id;
  const refuse = (depositId: number) =>
    deposits.refuse(db, { by: admin, key: null, depositId, reason: "The statement does not show it" });

  test("are raised when the third within a week is refused", async () => {
    const [ama, kofi] = [await somebody(), await somebody()];
    for (const n of [1, 2]) await refuse(await file(ama, `8000000${n}`));
    await file(ama, "80000003");
    expect(await look(ama)).toEqual([]);
    await refuse(await file(ama, "80000004"));
    expect(await look(ama)).toEqual(["deposits_refused"]);
    for (const n of [5, 6]) await refuse(await file(kofi, `8000000${n}`));
    await db.execute(sql`update deposits set decided_at = decided_at - interval '8 days' where user_id = ${kofi.id}`);
    await refuse(await file(kofi, "80000007"));
    expect(await look(kofi)).toEqual([]);
  });

  test("are raised when somebody reports another's transaction, or one that was refused", async () => {
    const [ama, kofi, esi] = [await somebody(), await somebody(), await somebody()];
    const first = await file(ama, "81000001");
    await deposits.approve(db, { by: admin, key: null, depositId: first });
    await file(kofi, "81000001");
    await file(kofi, "81000002");
    await refuse(await file(esi, "81000003"));
    await file(esi, "81000003");
    expect(await look(ama)).toEqual([]);
    expect(await look(kofi)).toEqual(["deposit_repeated"]);
    expect(await look(esi)).toEqual(["deposit_repeated"]);
    expect((await latestOf(kofi)).sentence).toBe(
      `Reported GH₵ 50.00 with transaction 81000001, which ${ama.username} reported before.`,
    );
    expect((await latestOf(esi)).sentence).toBe(
      "Reported GH₵ 50.00 with transaction 81000003, which was refused before.",
    );
  });
});

describe("losses and disputes", () => {
  let order = 900_000;
  const loss = (person: Person, daysAgo: number, isRecovered = false) =>
    db.execute(sql`
      insert into losses (order_id, user_id, attempt_id, vendor, amount_pesewas, created_at, note, settled_at,
        settled_by_user_id, recovered_at)
      values (${++order}, ${person.id}, ${order}, 'datamart', 1000, now() - make_interval(days => ${daysAgo}),
        ${isRecovered ? "taken back" : null}, ${isRecovered ? sql`now()` : null}, ${isRecovered ? yaw.id : null},
        ${isRecovered ? sql`now()` : null})`);

  test("losses are raised from the second within 30 days on, each once", async () => {
    const [ama, kofi, esi] = [await somebody(), await somebody(), await somebody()];
    await loss(ama, 3);
    await loss(ama, 0);
    await loss(kofi, 31);
    await loss(kofi, 0);
    await loss(esi, 0, true);
    await loss(esi, 0);
    expect(await look(ama)).toEqual(["losses"]);
    await loss(ama, 0);
    expect(await look(ama)).toEqual(["losses", "losses"]);
    expect(await look(kofi)).toEqual([]);
    expect(await look(esi)).toEqual([]);
    await db.execute(sql`delete from losses`);
  });

  test("a dispute is raised, and a refund at the provider is not", async () => {
    const [ama, kofi] = [await somebody(), await somebody()];
    for (const [person, kind] of [
      [ama, "chargeback"],
      [kofi, "refund"],
    ] as const) {
      const [payment] = await db.execute<{ id: number }>(sql`
        insert into payments (user_id, amount_pesewas, reference) values (${person.id}, 5000, ${`ref ${kind}`})
        returning id`);
      await db.execute(sql`
        insert into payment_reversals (payment_id, user_id, kind, provider_reference, amount_pesewas, state)
        values (${payment!.id}, ${person.id}, ${kind}, ${kind}, 5000, 'closed')`);
    }
    expect(await look(ama)).toEqual(["disputes"]);
    expect(await look(kofi)).toEqual([]);
  });
});

longTest("two workers that look at once raise a cause once", async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => somebody()));
  const first = await somebody();
  const file = (person: Person, n: number) =>
    deposits.file(db, { by: person.by(), transactionId: `8200000${n}`, amountPesewas: 5_000 });
  for (const n of people.keys()) {
    await file(first, n);
    await file(people[n]!, n);
  }
  const counts = await withSecondServer(world, (other) =>
    Promise.all([db, other, db, other].map(async (on) => (await raising.raiseDue(on)).raised)),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(people.length);
  for (const person of people) expect(await raised(person)).toEqual(["deposit_repeated"]);
});

test("a rule raises nothing while it is off, nor afterwards what happened meanwhile", async () => {
  const [ama, kofi] = [await somebody(), await somebody()];
  const file = (person: Person, transactionId: string) =>
    deposits.file(db, { by: person.by(), transactionId, amountPesewas: 5_000 });
  await rules.change(db, {
    by: admin,
    kind: "deposit_repeated",
    ...(await termsOf("deposit_repeated", { isOn: false })),
  });
  await file(ama, "83000001");
  await file(kofi, "83000001");
  expect(await look(kofi)).toEqual([]);
  await rules.change(db, {
    by: admin,
    kind: "deposit_repeated",
    ...(await termsOf("deposit_repeated", { isOn: true })),
  });
  expect(await look(kofi)).toEqual([]);
  await file(ama, "83000002");
  await file(kofi, "83000002");
  expect(await look(kofi)).toEqual(["deposit_repeated"]);
});

async function termsOf(kind: SignalKind, change: Partial<rules.RuleTerms>): Promise<rules.RuleTerms> {
  const { kind: _, ...terms } = await rules.get(db, kind);
  return { ...terms, ...change };
}
