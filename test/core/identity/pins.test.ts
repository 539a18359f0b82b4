// The PIN of an account: three guesses in total, one owner, one phone, and stored nowhere in a readable form.
import { beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { phones as phonesTable } from "../../../db/schema/identity.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import * as phones from "../../../src/core/identity/phones/phones.ts";
import { beginChange, chooseNew, endChange, type PinChange } from "../../../src/core/identity/phones/pin-change.ts";
import type { PinChannel } from "../../../src/core/identity/phones/pin-locks.ts";
import * as pins from "../../../src/core/identity/phones/pins.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { count, databaseRefusal, digitsIn, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openMessaging } from "../../support/messaging.ts";
import { openWorld, type Person, TEST_JWT_SECRET } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const post = await openMessaging(world);
await settings.change(db, { by: yaw.by("admin"), values: { ussd_code: "*920*55#" } });
const keys = { key: pins.pinKey(TEST_JWT_SECRET) };
const PIN = "4071";

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

/** Never one that ends in 01 to 09, with which the simulator does something. */
let number = 10;
const somebody = async () => {
  const person = await world.person(`agent${++number}`);
  const msisdn = `2335418300${number}`;
  await db.insert(phonesTable).values({ userId: person.id, msisdn });
  return { person, msisdn };
};
const withPin = async (pin = PIN) => {
  const one = await somebody();
  await set(one.person, pin);
  return one;
};
const set = (person: Person, pin: string, currentPassword = person.password) =>
  pins.set(db, keys, { by: person.by("web"), pin, currentPassword });
const verify = (person: Person, pin: string) => pins.verify(db, keys, { userId: person.id, pin });
/** All three steps; the new PIN typed as `again` at the last. */
/** `bothBegun`: what the last step waits for. */
async function change(
  person: Person,
  oldPin: string,
  newPin: string,
  { again = newPin, bothBegun = async () => {} }: { again?: string; bothBegun?: () => Promise<void> } = {},
): Promise<string> {
  const by = person.by("ussd");
  const begun = await beginChange(db, keys, { by, oldPin });
  if (begun.outcome !== "begun") return begun.outcome;
  const chosen = await chooseNew(db, keys, { by, change: begun.change, newPin });
  if (chosen.outcome !== "chosen") return chosen.outcome;
  await bothBegun();
  return endChange(db, keys, { by, change: chosen.change, newPin: again });
}
const wrongOnes = (howMany: number) => times(howMany, (i) => String(5000 + i * 7));
const minutesPass = (minutes: number) =>
  db.execute(sql`update pins set locked_until = locked_until - make_interval(mins => ${minutes})`);
const lockNotices = ({ id }: Person) =>
  count(db, sql`from messages where user_id = ${id} and kind = 'pin_locked' and channel = 'sms'`);

describe("a PIN", () => {
  test("is right, wrong, or not set", async () => {
    const { person } = await somebody();
    expect(await verify(person, PIN)).toBe("none");
    expect(await pins.hasPin(db, person.id)).toBe(false);
    await set(person, PIN);
    expect(await pins.hasPin(db, person.id)).toBe(true);
    expect(await verify(person, PIN)).toBe("right");
    expect(await verify(person, "4072")).toBe("wrong");
    expect(await verify(person, `0${PIN}`)).toBe("wrong");
    // The third wrong PIN.
    expect(await verify(person, "")).toBe("locked");
  });

  longTest("is locked for 15 minutes after three wrong ones, also for the right one, with one notice", async () => {
    const { person, msisdn } = await withPin();
    expect([await verify(person, "5000"), await verify(person, "5007")]).toEqual(["wrong", "wrong"]);
    expect([await verify(person, "5014"), await verify(person, PIN)]).toEqual(["locked", "locked"]);
    await withSecondServer(world, async (other) =>
      expect(await pins.verify(other, keys, { userId: person.id, pin: PIN })).toBe("locked"),
    );
    expect((await pins.stateOf(db, person.id))!.lockedUntil!.getTime() - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(await lockNotices(person)).toBe(1);
    await post.deliver();
    expect(post.textsTo(msisdn).at(-1)).toMatch(
      /locked until \d\d:\d\d\..* Forgot it\? Dial \*920\*55\*6\*2\*1#$|locked until .*, \d\d:\d\d\./,
    );
    await minutesPass(14);
    expect(await verify(person, PIN)).toBe("locked");
    await minutesPass(1);
    expect((await pins.stateOf(db, person.id))!.lockedUntil).toBeNull();
    expect(await verify(person, PIN)).toBe("right");
  });

  test("has three attempts again after a lock, and a right one resets the count", async () => {
    const { person } = await withPin();
    for (const pin of wrongOnes(3)) await verify(person, pin);
    await minutesPass(15);
    const tries = [];
    for (const pin of ["5000", "5007", PIN, "5000", "5007", "5014", PIN]) tries.push(await verify(person, pin));
    expect(tries).toEqual(["wrong", "wrong", "right", "wrong", "wrong", "locked", "locked"]);
    expect(await lockNotices(person)).toBe(2);
  });

  test("that was read earlier is checked against the current one", async () => {
    const { person } = await withPin();
    const [known] = await db.$client<pins.KnownPin[]>`
      select digest, msisdn, false as "isLocked" from pins where user_id = ${person.id}`;
    const verifyKnown = (pin: string) => pins.verify(db, keys, { userId: person.id, pin }, { known });
    expect([await verifyKnown("5000"), await verifyKnown(PIN), await verifyKnown("5007")]).toEqual([
      "wrong",
      "right",
      "wrong",
    ]);
    await pins.set(db, keys, { by: person.by("web"), pin: "628517", currentPassword: person.password });
    expect([await verifyKnown(PIN), await verifyKnown("628517")]).toEqual(["wrong", "right"]);
    for (const pin of wrongOnes(3)) await verify(person, pin);
    expect([await verifyKnown("628517"), await verifyKnown(PIN)]).toEqual(["locked", "locked"]);
    await pins.remove(db, { by: person.by("web"), currentPassword: person.password });
    expect([await verifyKnown(PIN), await verifyKnown("628517")]).toEqual(["none", "none"]);
  });

  longTest("allows three of sixty guesses at once, from two processes, and sends one message", async () => {
    const { person } = await withPin();
    const verdicts = await withSecondServer(world, (other) =>
      Promise.all(wrongOnes(60).map((pin, i) => pins.verify(i % 2 ? db : other, keys, { userId: person.id, pin }))),
    );
    expect(tally(verdicts)).toEqual({ wrong: 2, locked: 58 });
    expect(await verify(person, PIN)).toBe("locked");
    expect(await lockNotices(person)).toBe(1);
  });

  longTest("is not accepted among many at once, once three wrong ones are counted", async () => {
    // In whatever order they are committed: after the third wrong one nothing is right.
    for (const round of times(10, (i) => i)) {
      const { person } = await withPin();
      const guesses = wrongOnes(12);
      guesses.splice(round, 0, PIN);
      const verdicts = tally(await Promise.all(guesses.map((pin) => verify(person, pin))));
      const right = verdicts.right ?? 0;
      expect(right).toBeLessThanOrEqual(1);
      // Two before it, two after it, and the one that locks it.
      expect(verdicts.wrong).toBeLessThanOrEqual(2 + 2 * right);
      expect(await verify(person, PIN)).toBe("locked");
    }
  });

  test("is accepted each time, when it is entered many times at once", async () => {
    const { person } = await withPin();
    expect(tally(await Promise.all(times(30, () => verify(person, PIN))))).toEqual({ right: 30 });
  });

  test("is compared again when a new one is set meanwhile", async () => {
    const { person } = await withPin();
    const verdicts = await Promise.all([...times(8, () => verify(person, "8026")), set(person, "8026")]);
    const judged = tally(verdicts.slice(0, 8) as string[]);
    expect((judged.right ?? 0) + (judged.wrong ?? 0) + (judged.locked ?? 0)).toBe(8);
    // The new one also resets the lock and the count.
    await set(person, "8026");
    expect(await verify(person, "8026")).toBe("right");
    expect(await verify(person, PIN)).toBe("wrong");
  });
});

describe("setting it", () => {
  test("needs the password, a confirmed phone, and a PIN that is not an obvious guess", async () => {
    const { person, msisdn } = await somebody();
    expect(await outcome(set(person, PIN, "not it"))).toBe("user.current_password_wrong");
    for (const pin of ["407", "4071358", "40 71", "abcd"])
      expect([pin, await outcome(set(person, pin))]).toEqual([pin, "pin.invalid"]);
    for (const pin of ["1234", "1987", msisdn.slice(-4)])
      expect([pin, await outcome(set(person, pin))]).toEqual([pin, "pin.trivial"]);
    const without = await world.person(`agent${++number}`);
    expect(await outcome(set(without, PIN))).toBe("pin.no_phone");
    expect([await pins.hasPin(db, person.id), await pins.hasPin(db, without.id)]).toEqual([false, false]);
  });

  longTest("is notified by e-mail and recorded in the audit log, without the PIN", async () => {
    const { person } = await withPin();
    await set(person, "8026");
    await post.deliver();
    // Both are sent at once, so either may arrive first.
    const [changed, first] = post
      .textsTo(person.email)
      .sort((a, b) => b.indexOf("was changed") - a.indexOf("was changed"));
    expect(first).toContain("A PIN for buying by phone was set");
    expect(changed).toContain("Your PIN for buying by phone was changed");
    const traces = await db
      .select({ before: auditLog.before, after: auditLog.after })
      .from(auditLog)
      .where(eq(auditLog.byUserId, person.id))
      .orderBy(auditLog.id);
    expect(traces).toEqual([
      { before: { pin: false }, after: { pin: true } },
      { before: { pin: true }, after: { pin: true } },
    ]);
  });

  longTest("in the browser ends a lock; removing it leaves no PIN", async () => {
    const { person } = await withPin();
    for (const pin of wrongOnes(3)) await verify(person, pin);
    await set(person, PIN);
    expect(await verify(person, PIN)).toBe("right");
    const remove = (currentPassword: string) => pins.remove(db, { by: person.by("web"), currentPassword });
    expect(await outcome(remove("not it"))).toBe("user.current_password_wrong");
    await remove(person.password);
    await remove(person.password);
    expect(await verify(person, PIN)).toBe("none");
    await post.deliver();
    expect(post.textsTo(person.email).filter((text) => text.includes("was removed"))).toHaveLength(1);
  });
});

describe("changing it by USSD", () => {
  test("needs the old one", async () => {
    const { person, msisdn } = await withPin();
    expect(await change(person, "5000", "8026")).toBe("wrong");
    expect(await change(person, PIN, PIN)).toBe("same");
    expect(await change(person, PIN, "1111")).toBe("trivial");
    expect(await change(person, PIN, msisdn.slice(-4))).toBe("trivial");
    expect(await change(person, PIN, "12")).toBe("trivial");
    expect(await change(person, PIN, "8026", { again: "8027" })).toBe("different");
    expect(await change(person, PIN, "8026")).toBe("changed");
    expect([await verify(person, "8026"), await verify(person, PIN)]).toEqual(["right", "wrong"]);
    const without = await world.person(`agent${++number}`);
    expect(await change(without, PIN, "8026")).toBe("none");
    await post.deliver();
    expect(post.textsTo(person.email).some((text) => text.includes("was changed"))).toBe(true);
  });

  test("counts a wrong old one, and is refused while it is locked", async () => {
    const { person } = await withPin();
    const tries = [];
    for (const pin of [...wrongOnes(3), PIN]) tries.push(await change(person, pin, "8026"));
    expect(tries).toEqual(["wrong", "wrong", "locked", "locked"]);
    await minutesPass(15);
    expect(await verify(person, PIN)).toBe("right");
  });

  test("twice at once changes it once", async () => {
    const { person } = await withPin();
    // Begun after the other's end, one would find the old PIN wrong.
    const begun = Promise.withResolvers<void>();
    let left = 2;
    const bothBegun = () => {
      left--;
      if (left === 0) begun.resolve();
      return begun.promise;
    };
    const both = await Promise.all(["8026", "9350"].map((pin) => change(person, PIN, pin, { bothBegun })));
    expect(both.sort()).toEqual(["changed", "expired"]);
  });

  test("is not authorised any more by a PIN that was replaced, nor by one typed long ago", async () => {
    const { person } = await withPin();
    const by = person.by("ussd");
    const begin = async () => {
      const begun = await beginChange(db, keys, { by, oldPin: PIN });
      if (begun.outcome !== "begun") throw new Error(begun.outcome);
      return begun.change;
    };
    const outcomes = async (change: PinChange) => {
      const chosen = await chooseNew(db, keys, { by, change, newPin: "8026" });
      const digest = await pins.digestOf(keys.key, { userId: person.id, pin: "8026" });
      return [chosen.outcome, await endChange(db, keys, { by, change: { ...change, digest }, newPin: "8026" })];
    };
    const change = await begin();
    expect(await outcomes({ ...change, expiresAtMs: Date.now() - 1 })).toEqual(["expired", "expired"]);
    await set(person, PIN);
    expect(await outcomes(change)).toEqual(["expired", "expired"]);
    expect(await endChange(db, keys, { by, change: await begin(), newPin: "8026" })).toBe("expired");
    const locked = await begin();
    for (const wrong of wrongOnes(3)) await verify(person, wrong);
    expect(await outcomes(locked)).toEqual(["chosen", "locked"]);
    await minutesPass(15);
    expect(await outcomes(locked)).toEqual(["chosen", "changed"]);
  });

  test("has happened when its last step is repeated, as after a lost answer", async () => {
    const { person } = await withPin();
    const by = person.by("ussd");
    const begun = await beginChange(db, keys, { by, oldPin: PIN });
    const chosen = await chooseNew(db, keys, {
      by,
      change: (begun as { change: PinChange }).change,
      newPin: "8026",
    });
    const { change } = chosen as { change: PinChange };
    // Among the other digits of a time or of the digest it stands by chance.
    expect(JSON.stringify({ ...change, replacesSetAt: "" })).not.toMatch(/\b8026\b/);
    const ends = [1, 2].map(() => endChange(db, keys, { by, change, newPin: "8026" }));
    expect(await Promise.all(ends)).toEqual(["changed", "changed"]);
    expect(await endChange(db, keys, { by, change, newPin: "8026" })).toBe("changed");
    expect(await count(db, sql`from audit_log where subject_id = ${`${person.id}`} and action = 'user.pin'`)).toBe(2);
  });
});

describe("the PIN is removed", () => {
  longTest("with the phone, whoever removes it, and when the number changes", async () => {
    const [own, unbound, moved, deleted] = [await withPin(), await withPin(), await withPin(), await withPin()];
    await phones.remove(db, { by: own.person.by("web"), currentPassword: own.person.password });
    await phones.unbind(db, { by: yaw.by("admin"), userId: unbound.person.id });
    const fresh = `2335418301${number}`;
    await moveTo(moved.person, fresh);
    await users.remove(db, { by: yaw.by("admin"), userId: deleted.person.id });
    for (const { person } of [own, unbound, moved, deleted]) expect(await verify(person, PIN)).toBe("none");
    expect((await phones.stateOf(db, moved.person.id)).phone?.msisdn).toBe(fresh);
  });

  longTest("but not when the same number is confirmed again", async () => {
    const { person, msisdn } = await withPin();
    await moveTo(person, msisdn);
    expect(await verify(person, PIN)).toBe("right");
  });

  test("and the database allows none without its phone", async () => {
    const { person } = await withPin();
    const move = db.execute(sql`update phones set msisdn = '233541830999' where user_id = ${person.id}`);
    expect(await databaseRefusal(move)).toBe("pins_of_a_proved_phone");
  });

  longTest("when it is set while the phone is changed: none remains for the old number", async () => {
    for (const round of times(5, (i) => i)) {
      const { person } = await withPin();
      const msisdn = `23354183021${round}`;
      await Promise.all([moveTo(person, msisdn), set(person, "8026")]);
      const strays = sql`from pins join phones using (user_id) where pins.msisdn <> phones.msisdn`;
      expect(await count(db, strays)).toBe(0);
    }
  });

  test("when an admin resets it, with its lock, and with an audit entry", async () => {
    const { person } = await withPin();
    for (const pin of wrongOnes(3)) await verify(person, pin);
    const reset = (by: Person) => outcome(pins.reset(db, { by: by.by("admin"), userId: person.id }));
    expect([await reset(yaw), await reset(yaw)]).toEqual(["done", "done"]);
    expect(await verify(person, PIN)).toBe("none");
    const traces = await db.select().from(auditLog).where(eq(auditLog.action, "user.pin_reset"));
    expect(traces).toMatchObject([
      { byUserId: yaw.id, subjectId: String(person.id), before: { pin: true }, after: { pin: false } },
    ]);
    await set(person, PIN);
    expect(await verify(person, PIN)).toBe("right");
    await post.deliver();
    expect(post.textsTo(person.email).some((text) => text.includes("Support removed your PIN"))).toBe(true);
  });
});

test("a change is notified by SMS, too, a few times a day at most", async () => {
  const { person, msisdn } = await withPin();
  await change(person, PIN, "8026");
  await pins.reset(db, { by: yaw.by("admin"), userId: person.id });
  const notices = async () =>
    (
      await db.execute<{ body: string }>(
        sql`select body from messages where recipient = ${msisdn} and kind = 'pin_changed' order by id`,
      )
    ).map(({ body }) => body);
  const ifNotYou = "If it was not you, contact support at once.";
  expect(await notices()).toEqual([
    `DataFie: Your PIN for buying by phone was changed. ${ifNotYou}`,
    `DataFie: Support removed your PIN for buying by phone. Set a new one under Profile, Phone. ${ifNotYou}`,
  ]);
  for (const pin of ["8027", "8028", "8029", "8030", "8031"]) await set(person, pin);
  expect(await notices()).toHaveLength(5);
});

test("a wrong PIN returns how many attempts are left, in the commit that counts it", async () => {
  const { person } = await withPin();
  const left: [string, number][] = [];
  const alongside: pins.Alongside = async (_tx, counted, triesLeft) => {
    left.push([counted, triesLeft]);
  };
  for (const pin of wrongOnes(3)) await pins.verify(db, keys, { userId: person.id, pin }, { alongside });
  expect(left).toEqual([
    ["wrong", 2],
    ["wrong", 1],
    ["locked", 0],
  ]);
});

longTest("the PIN can be read neither in the database nor in the log", async () => {
  const pin = "739418";
  const { person } = await withPin(pin);
  await verify(person, "739419");
  await change(person, pin, "628517");
  await post.deliver();
  const tables = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.execute<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t`);
    found.push(...rows.flatMap(({ row }) => digitsIn(row, pin, "628517")).map(() => name));
  }
  expect(found).toEqual([]);
  expect(digitsIn(post.logged(), pin, "628517")).toEqual([]);
  // The digest is useless without the key, and when it is copied to another account.
  const other = { key: pins.pinKey("another secret") };
  expect(await pins.verify(db, other, { userId: person.id, pin: "628517" })).toBe("wrong");
  const thief = await withPin();
  await db.execute(sql`update pins set digest = (select digest from pins where user_id = ${person.id})
    where user_id = ${thief.person.id}`);
  expect(await verify(thief.person, "628517")).toBe("wrong");
});

test("wrong PINs by SMS, whose senders can be forged, lock only SMS, and those by USSD both", async () => {
  const { person } = await withPin();
  const by = (channel: PinChannel, pin: string) => pins.verify(db, keys, { userId: person.id, pin }, { channel });
  const inTurn = async (channel: PinChannel) => [
    await by(channel, "5000"),
    await by(channel, "5007"),
    await by(channel, "5014"),
    await by(channel, PIN),
  ];
  expect(await inTurn("sms")).toEqual(["wrong", "wrong", "locked", "locked"]);
  expect(await by("ussd", PIN)).toBe("right");
  expect(await by("sms", PIN)).toBe("locked");
  expect((await pins.stateOf(db, person.id))!.lockedUntil).toBeNull();
  expect(await inTurn("ussd")).toEqual(["wrong", "wrong", "locked", "locked"]);
  await db.execute(sql`update pins set sms_locked_until = now() where user_id = ${person.id}`);
  // Whoever has used up the tries by USSD has none by SMS.
  expect(await by("sms", PIN)).toBe("locked");
  expect(await by("sms", "5021")).toBe("locked");
  expect((await pins.stateOf(db, person.id, "sms"))!.lockedUntil).not.toBeNull();
  await minutesPass(15);
  expect(await by("sms", "5021")).toBe("wrong");
  expect(await by("sms", PIN)).toBe("right");
  expect(await by("ussd", PIN)).toBe("right");
  const notices = await db.execute<{ body: string }>(
    sql`select body from messages where user_id = ${person.id} and kind = 'pin_locked' order by id`,
  );
  expect(notices.map(({ body }) => /(Buying by SMS|Buying by phone) is locked/.exec(body)?.[1])).toEqual([
    "Buying by SMS",
    "Buying by phone",
  ]);
  // A new PIN unlocks both.
  await pins.set(db, keys, { by: person.by("web"), pin: "628517", currentPassword: person.password });
  expect([await by("ussd", "628517"), await by("sms", "628517")]).toEqual(["right", "right"]);
});

async function moveTo(person: Person, msisdn: string): Promise<void> {
  const codeKeys = { key: post.messaging.codeKey, channels: { sms: true, email: true } };
  await phones.sendCode(db, codeKeys, {
    by: person.by("web"),
    msisdn,
    currentPassword: person.password,
    address: "192.0.2.1",
  });
  await phones.confirm(db, codeKeys, { by: person.by("web"), code: await post.codeTo(msisdn) });
}

describe("a lock", () => {
  const minutesLeft = async (person: Person, channel: PinChannel) => {
    const { lockedUntil, isLockedForGood } = (await pins.stateOf(db, person.id, channel))!;
    if (isLockedForGood) return "for good";
    return lockedUntil === null ? 0 : Math.round((lockedUntil.getTime() - Date.now()) / 60_000);
  };
  const guess = async (person: Person, channel: PinChannel) => {
    for (const pin of wrongOnes(3)) await pins.verify(db, keys, { userId: person.id, pin }, { channel });
    return minutesLeft(person, channel);
  };
  const lockPasses = (person: Person) =>
    db.execute(sql`update pins set
      locked_until = case when locked_until is not null then now() end,
      sms_locked_until = case when sms_locked_until is not null then now() end where user_id = ${person.id}`);

  for (const channel of ["ussd", "sms"] as const)
    test(`lasts longer each time by ${channel}, and in the end until there is a new PIN`, async () => {
      const { person } = await withPin();
      const lasting = [];
      for (const _ of times(4, (n) => n)) {
        lasting.push(await guess(person, channel));
        await lockPasses(person);
      }
      expect(lasting).toEqual([15, 60, 24 * 60, "for good"]);
      // Nor does it begin at minutes again.
      expect(await guess(person, channel)).toBe("for good");
      await set(person, "8026");
      expect(await pins.verify(db, keys, { userId: person.id, pin: "8026" }, { channel })).toBe("right");
      expect(await guess(person, channel)).toBe(15);
    });

  test("is forgotten with a right PIN, and with one that was changed by phone", async () => {
    const { person } = await withPin();
    await guess(person, "ussd");
    await lockPasses(person);
    expect(await verify(person, PIN)).toBe("right");
    expect(await guess(person, "ussd")).toBe(15);
    await lockPasses(person);
    // Forged SMS lock SMS for good; the owner changes the PIN by USSD, and buys by SMS again.
    for (const _ of times(4, (n) => n)) {
      await guess(person, "sms");
      await lockPasses(person);
    }
    expect(await guess(person, "sms")).toBe("for good");
    expect(await change(person, PIN, "628517")).toBe("changed");
    expect(await pins.verify(db, keys, { userId: person.id, pin: "628517" }, { channel: "sms" })).toBe("right");
  });

  test("allows a thief twelve guesses by USSD, and none by SMS besides", async () => {
    const { person } = await withPin();
    const verdicts: string[] = [];
    for (const n of times(40, (i) => i)) {
      const pin = String(5000 + n * 7);
      verdicts.push(await verify(person, pin));
      if (verdicts.at(-1) !== "locked") continue;
      expect(await pins.verify(db, keys, { userId: person.id, pin: PIN }, { channel: "sms" })).toBe("locked");
      await db.execute(sql`update pins set locked_until = now() where user_id = ${person.id} and locks < 4`);
    }
    expect(tally(verdicts)).toEqual({ wrong: 8, locked: 32 });
  });
});
