// Password resets: a code goes to the account's owner, works once, and reveals to nobody else whether an account
// exists.
import { beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { codes as codeTable, phones, sessions as sessionTable } from "../../../db/schema/identity.ts";
import type { Browser } from "../../../src/core/identity/logins/asking-browsers.ts";
import * as devices from "../../../src/core/identity/logins/devices.ts";
import * as passwordReset from "../../../src/core/identity/logins/password-reset.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import * as users from "../../../src/core/identity/users.ts";
import { count, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openMessaging } from "../../support/messaging.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const post = await openMessaging(world);
const keys = { key: post.messaging.codeKey, channels: { sms: true, email: true } };

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

let number = 0;
const somebody = () => world.person(`agent${++number}`);
const newPassword = "an entirely new phrase";
const ask = (login: string, address = "192.0.2.1") => passwordReset.request(db, keys, { login, address });
const reset = (login: string, code: string, password = newPassword, on = db) =>
  passwordReset.reset(on, keys, { login, code, password, address: "192.0.2.1", channel: "web" });
const logIn = ({ email }: Person, password: string) =>
  outcome(sessions.logIn(db, { email, password, address: "192.0.2.1", userAgent: "" }));
const minutesPass = (minutes: number) =>
  db.execute(sql`update codes set created_at = created_at - make_interval(mins => ${minutes}),
    expires_at = expires_at - make_interval(mins => ${minutes})`);
const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
const proven = async (person: Person, msisdn: string) => {
  await db.insert(phones).values({ userId: person.id, msisdn });
  return msisdn;
};

describe("a code", () => {
  longTest("comes by e-mail, sets the new password once, ends every session, and the owner is notified", async () => {
    const ama = await somebody();
    expect(await logIn(ama, ama.password)).toBe("done");
    await ask(` ${ama.email.toUpperCase()} `);
    const code = await post.codeTo(ama.email);
    await reset(ama.email, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect(await count(db, sql`from sessions where user_id = ${ama.id}`)).toBe(0);
    expect(await logIn(ama, ama.password)).toBe("auth.bad_credentials");
    expect(await logIn(ama, newPassword)).toBe("done");
    await post.deliver();
    expect(post.textsTo(ama.email).at(-1)).toContain("Your password was changed");
    const trace = sql`from audit_log where action = 'user.password_reset' and subject_id = ${String(ama.id)}`;
    expect(await count(db, trace)).toBe(1);
  });

  longTest("comes by SMS to a confirmed phone, when its number was entered", async () => {
    const ama = await somebody();
    const msisdn = await proven(ama, "233541230010");
    await ask("054 123 0010");
    const code = await post.codeTo(msisdn);
    expect(post.textsTo(msisdn)[0]!.length).toBeLessThanOrEqual(160);
    expect(post.textsTo(ama.email)).toEqual([]);
    await reset("+233541230010", code);
    expect(await logIn(ama, newPassword)).toBe("done");
  });

  test("is stored only as a digest, in no message after it was sent, and in no log", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    for (const table of ["codes", "messages", "jobs", "reset_requests", "audit_log"])
      expect(await count(db, sql`from ${sql.identifier(table)} t where t::text ~ ${`(^|\\D)${code}(\\D|$)`}`)).toBe(0);
    expect(post.logged()).not.toContain(code);
    const [row] = await db.select().from(codeTable).where(eq(codeTable.userId, ama.id));
    expect(row!.digest).toMatch(/^[\w-]{43}$/);
  });

  test("expires after ten minutes, and not before", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    await minutesPass(10);
    expect(await outcome(reset(ama.email, code))).toBe("code.wrong");
    expect(await logIn(ama, ama.password)).toBe("done");
    const kofi = await somebody();
    await ask(kofi.email);
    const inTime = await post.codeTo(kofi.email);
    await minutesPass(9);
    expect(await outcome(reset(kofi.email, inTime))).toBe("done");
  });

  test("is void after five attempts, also when many are made at once, on two servers", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    const guesses = await withSecondServer(world, (other) =>
      Promise.all(times(12, (n) => outcome(reset(ama.email, wrongOf(code), newPassword, n % 2 ? db : other)))),
    );
    expect(tally(guesses)).toEqual({ "code.wrong": 12 });
    const [row] = await db.select().from(codeTable).where(eq(codeTable.userId, ama.id));
    expect(row!.tries).toBe(5);
    expect(await outcome(reset(ama.email, code))).toBe("code.wrong");
    expect(await logIn(ama, ama.password)).toBe("done");
  });

  test("is accepted at the fifth attempt", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    for (const _ of times(4, (n) => n)) await outcome(reset(ama.email, wrongOf(code)));
    expect(await outcome(reset(ama.email, code))).toBe("done");
  });

  longTest("replaces the one before it, and is not sent twice within a minute", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const first = await post.codeTo(ama.email);
    await ask(ama.email);
    await post.deliver();
    expect(post.textsTo(ama.email)).toHaveLength(1);
    await minutesPass(2);
    await ask(ama.email);
    const second = await post.codeTo(ama.email);
    expect(await count(db, sql`from codes where user_id = ${ama.id}`)).toBe(1);
    if (first !== second) expect(await outcome(reset(ama.email, first))).toBe("code.wrong");
    expect(await outcome(reset(ama.email, second))).toBe("done");
  });

  test("of one account does not work for another, nor one sent by e-mail for the phone", async () => {
    const [ama, kofi] = [await somebody(), await somebody()];
    const msisdn = await proven(ama, "233541230011");
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    expect(await outcome(reset(kofi.email, code))).toBe("code.wrong");
    expect(await outcome(reset(msisdn, code))).toBe("code.wrong");
    expect(await outcome(reset(ama.email, code))).toBe("done");
  });

  longTest("is void once the password was changed in another way, or the phone was removed", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    const session = await sessions.logIn(db, { ...ama, address: "192.0.2.1", userAgent: "" });
    const password = "changed by its owner";
    const change = { by: ama.by("web"), sessionId: session.id, currentPassword: ama.password, password };
    await profile.changePassword(db, change);
    expect(await outcome(reset(ama.email, code))).toBe("code.wrong");
    await post.deliver();
    expect(post.textsTo(ama.email).at(-1)).toContain("Your password was changed");

    const kofi = await somebody();
    const msisdn = await proven(kofi, "233541230012");
    await ask(msisdn);
    const sent = await post.codeTo(msisdn);
    await db.delete(phones).where(eq(phones.userId, kofi.id));
    expect(await outcome(reset(msisdn, sent))).toBe("code.wrong");
  });
});

describe("the new password", () => {
  test("is checked like any other, an admin's more strictly, and a refusal leaves the code valid", async () => {
    await ask(yaw.email);
    const code = await post.codeTo(yaw.email);
    expect(await outcome(reset(yaw.email, code, "short"))).toBe("user.password_short");
    expect(await outcome(reset(yaw.email, code, "password1"))).toBe("user.password_common");
    expect(await outcome(reset(yaw.email, code, "elevenchars"))).toBe("user.admin_password_short");
    expect(await outcome(reset(yaw.email, code, yaw.password))).toBe("done");
  });

  test("is set once when the form is sent twice, one after the other or at once", async () => {
    for (const isAtOnce of [false, true]) {
      const ama = await somebody();
      await ask(ama.email);
      const code = await post.codeTo(ama.email);
      const twice = isAtOnce
        ? await Promise.all(times(2, () => outcome(reset(ama.email, code))))
        : [await outcome(reset(ama.email, code)), await outcome(reset(ama.email, code))];
      expect(twice).toEqual(["done", "done"]);
      expect(await count(db, sql`from messages where user_id = ${ama.id} and kind = 'password_changed'`)).toBe(1);
    }
  });

  test("cannot be set again by somebody else with the same code", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    await reset(ama.email, code);
    expect(await outcome(reset(ama.email, code, "what a thief would like"))).toBe("code.wrong");
    expect(await logIn(ama, newPassword)).toBe("done");
  });

  test("ends the lock after too many failed logins", async () => {
    const ama = await somebody();
    for (const _ of times(11, (n) => n)) await logIn(ama, "not it");
    expect(await logIn(ama, ama.password)).toBe("request.rate_limited");
    await ask(ama.email);
    await reset(ama.email, await post.codeTo(ama.email));
    expect(await logIn(ama, newPassword)).toBe("done");
  });
});

describe("a request", () => {
  test("for an unknown, banned or deleted account stores nothing and sends nothing", async () => {
    const [banned, gone] = [await somebody(), await somebody()];
    await users.ban(db, { by: yaw.by("admin"), userId: banned.id });
    await users.remove(db, { by: yaw.by("admin"), userId: gone.id });
    const before = await count(db, sql`from messages`);
    for (const login of ["nobody@example.com", "0549999999", banned.email, gone.email]) await ask(login);
    expect(await count(db, sql`from reset_requests`)).toBe(4);
    await post.deliver();
    expect(await count(db, sql`from reset_requests`)).toBe(0);
    expect(await count(db, sql`from jobs where kind = 'answer_reset_ask'`)).toBe(0);
    expect(await count(db, sql`from messages`)).toBe(before);
    for (const login of ["nobody@example.com", banned.email])
      expect(await outcome(reset(login, "123456"))).toBe("code.wrong");
  });

  test("writes the same rows whether there is an account or not, so that its time reveals nothing", async () => {
    const ama = await somebody();
    const written = async () =>
      (
        await db.execute(sql`select (select count(*)::int from rate_limits) as limits,
          (select count(*)::int from reset_requests) as asks, (select count(*)::int from jobs) as jobs`)
      )[0] as Record<string, number>;
    const difference = async (login: string) => {
      const before = await written();
      await ask(login, `address of ${login}`);
      const after = await written();
      return Object.keys(after).map((name) => after[name]! - before[name]!);
    };
    expect(await difference(ama.email)).toEqual(await difference("stranger@example.com"));
    await post.deliver();
  });

  test("for an account that is banned afterwards sends a code that does not work", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    await users.ban(db, { by: yaw.by("admin"), userId: ama.id });
    expect(await outcome(reset(ama.email, code))).toBe("code.wrong");
  });

  longTest(
    "is limited per account and network, by either name, and per address, the same for unknown ones",
    async () => {
      const ama = await somebody();
      const asks = async (login: string, address: string) =>
        tally(await Promise.all(times(7, () => outcome(ask(login, address)))));
      const five = { done: 5, "request.rate_limited": 2 };
      expect(await asks(ama.email, "192.0.2.7")).toEqual(five);
      expect(await asks("no-such@example.com", "192.0.2.7")).toEqual(five);
      await post.deliver();
      const msisdn = await proven(ama, "233541230013");
      expect(await asks(msisdn, "192.0.2.7")).toEqual(five);
      // From all networks together, either name gets twenty in an hour.
      const networks = await Promise.all(times(40, (n) => outcome(ask(n % 2 ? msisdn : ama.email, `192.0.${n}.1`))));
      expect(tally(networks)).toEqual({ done: 30, "request.rate_limited": 10 });
      const many = await Promise.all(times(101, (n) => outcome(ask(`person${n}@example.com`, "192.0.2.8"))));
      expect(tally(many)).toEqual({ done: 100, "request.rate_limited": 1 });
    },
  );

  test("can be guessed at only within limits per account and per address, the same for unknown accounts", async () => {
    const ama = await somebody();
    for (const login of [ama.email, "no-such@example.com"]) {
      const guesses = await Promise.all(times(17, () => outcome(reset(login, "000000"))));
      expect(tally(guesses)).toEqual({ "code.wrong": 15, "request.rate_limited": 2 });
    }
  });

  test("is refused the same for everybody where such a message cannot be sent", async () => {
    const without = { ...keys, channels: { sms: false, email: true } };
    const byPhone = passwordReset.request(db, without, { login: "0541230010", address: "192.0.2.1" });
    expect(await outcome(byPhone)).toBe("code.no_channel");
  });

  longTest("is answered once, however many workers there are", async () => {
    const ama = await somebody();
    await post.deliver();
    await ask(ama.email);
    const keys = { key: post.messaging.codeKey };
    await withSecondServer(world, (other) =>
      Promise.all(times(6, (n) => passwordReset.sendRequestedCodes(n % 2 ? db : other, keys, 5))),
    );
    expect(await count(db, sql`from messages where user_id = ${ama.id}`)).toBe(1);
  });
});

test("a session that was open before stays closed, also in another browser", async () => {
  const ama = await somebody();
  for (const _ of times(3, (n) => n)) await logIn(ama, ama.password);
  await ask(ama.email);
  await reset(ama.email, await post.codeTo(ama.email));
  expect(await db.select().from(sessionTable).where(eq(sessionTable.userId, ama.id))).toEqual([]);
});

describe("a stranger who knows the e-mail", () => {
  const stranger = "198.51.100.66";
  const from = (person: Person, code: string, address: string, asking?: Browser) =>
    outcome(
      passwordReset.reset(db, keys, {
        ...{ login: person.email, code, password: newPassword, address, asking },
        channel: "web",
      }),
    );
  const browserKeys = { signing: ["a key for tests"] };
  const browserOf = (login: string): Browser => ({
    keys: browserKeys,
    cookie: passwordReset.askerCookie({ keys: browserKeys, cookie: null }, login),
  });

  test("uses up the tries and requests of their own network, and not the owner's", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    const tries = await Promise.all(times(20, () => from(ama, wrongOf(code), stranger)));
    expect(tally(tries)).toEqual({ "code.wrong": 15, "request.rate_limited": 5 });
    // Not with the right code either: five tries of one network, whatever the address in it.
    await db.execute(sql`delete from rate_limits`);
    expect(await from(ama, code, "198.51.100.7")).toBe("code.wrong");
    for (const _ of times(6, (n) => n)) await outcome(ask(ama.email, stranger));
    expect(await outcome(ask(ama.email, "192.0.2.1"))).toBe("done");
    expect(await from(ama, code, "192.0.2.1")).toBe("done");
  });

  test("in the owner's own network uses up none of the browser that asked", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    for (const _ of times(20, (n) => n)) await from(ama, wrongOf(code), "192.0.2.1");
    expect(await from(ama, code, "192.0.2.1")).toBe("request.rate_limited");
    // A name that belongs to another login, or to another shop, is none.
    expect(await from(ama, code, "192.0.2.1", browserOf("kofi@example.com"))).toBe("request.rate_limited");
    const forged = { ...browserOf(ama.email), keys: { signing: ["another key"] } };
    expect(await from(ama, code, "192.0.2.1", forged)).toBe("request.rate_limited");
    expect(await from(ama, code, "192.0.2.1", browserOf(ama.email))).toBe("done");
  });

  longTest("with many networks guesses fifty times at a code, and the browser that asked goes on", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    for (const n of times(60, (i) => i)) await from(ama, wrongOf(code), `203.0.${n}.1`);
    const [row] = await db.select().from(codeTable).where(eq(codeTable.userId, ama.id));
    expect([row!.tries, row!.askerTries]).toEqual([50, 0]);
    expect(await from(ama, code, "192.0.2.1")).toBe("code.wrong");
    expect(await from(ama, code, "192.0.2.1", browserOf(ama.email))).toBe("done");
  });

  test("in many browsers that asked guesses fifty times as well, five in each", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    const one = browserOf(ama.email);
    for (const _ of times(5, (n) => n)) expect(await from(ama, wrongOf(code), "192.0.2.1", one)).toBe("code.wrong");
    expect(await from(ama, code, "192.0.2.1", one)).toBe("code.wrong");
    for (const _ of times(60, (n) => n)) await from(ama, wrongOf(code), "192.0.2.1", browserOf(ama.email));
    const [row] = await db.select().from(codeTable).where(eq(codeTable.userId, ama.id));
    expect([row!.tries, row!.askerTries]).toEqual([0, 50]);
    expect(await from(ama, code, "192.0.2.1", browserOf(ama.email))).toBe("code.wrong");
  });

  test("who asks again in a browser gets no further tries there", () => {
    const first = browserOf("ama@example.com");
    expect(passwordReset.askerCookie(first, "ama@example.com")).toBe(first.cookie!);
    expect(passwordReset.askerCookie(first, "kofi@example.com")).not.toBe(first.cookie!);
  });
});

describe("an owner whose limits strangers have used up", () => {
  const deviceKeys = devices.deviceKeysOf("a secret for tests that is long enough");
  const known = ({ id }: Person) => ({
    keys: deviceKeys,
    cookie: devices.cookieFor({ keys: deviceKeys, cookie: null }, id),
  });

  test("can request a code from a known browser, by either name of the account", async () => {
    const ama = await somebody();
    const msisdn = await proven(ama, "233541230077");
    for (const _ of times(5, (i) => i)) await ask(ama.email);
    await post.deliver();
    expect(await outcome(ask(ama.email))).toBe("request.rate_limited");
    await db.execute(sql`delete from codes`);
    const sent = post.textsTo(ama.email).length;
    const kofi = await somebody();
    const from = (login: string, device: ReturnType<typeof known>) =>
      outcome(passwordReset.request(db, keys, { login, address: "192.0.2.1", device }));
    expect(await from(ama.email, known(kofi))).toBe("request.rate_limited");
    expect(await from(ama.email, known(ama))).toBe("done");
    await post.deliver();
    expect(post.textsTo(ama.email)).toHaveLength(sent + 1);
    expect(await from("054 123 0077", known(ama))).toBe("done");
    expect(await post.codeTo(msisdn)).toMatch(/^\d{6}$/);
  });

  test("can use a code at which strangers have guessed, and has five attempts of their own", async () => {
    const ama = await somebody();
    await ask(ama.email);
    const code = await post.codeTo(ama.email);
    const tries = await Promise.all(times(16, () => outcome(reset(ama.email, wrongOf(code)))));
    expect(tally(tries)).toEqual({ "code.wrong": 15, "request.rate_limited": 1 });
    await db.execute(sql`delete from rate_limits`);
    expect(await outcome(reset(ama.email, code))).toBe("code.wrong");
    const own = (typed: string, device = known(ama)) =>
      outcome(
        passwordReset.reset(db, keys, {
          ...{ login: ama.email, code: typed, password: newPassword },
          ...{ address: "192.0.2.1", channel: "web", device },
        }),
      );
    for (const _ of times(4, (i) => i)) expect(await own(wrongOf(code))).toBe("code.wrong");
    expect(await own(code)).toBe("done");
    expect(await logIn(ama, newPassword)).toBe("done");
  });
});
