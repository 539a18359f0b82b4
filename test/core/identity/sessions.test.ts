// Logins and sessions: who may log in, how often they may try, and what ends a session.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as devices from "../../../src/core/identity/logins/devices.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as rateLimits from "../../../src/core/platform/budgets/rate-limits.ts";
import { count, outcome, refusal, tally, times, withSecondServer } from "../../support/asking.ts";
import { openWorld, type Person, TEST_JWT_SECRET } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama");
const kofi = await world.person("kofi");

let addresses = 0;
/**
 * Each attempt comes from a new address in one network, unless one is given: addresses and networks have separate
 * limits.
 */
const logIn = (email: string, password: string, address = `192.0.2.${++addresses % 240}`, on = db) =>
  sessions.logIn(on, { email, password, address, userAgent: "test" });

describe("logging in", () => {
  test("opens a session for the right password, with the e-mail in upper or lower case", async () => {
    const session = await logIn(" AMA@Example.com ", ama.password);
    expect(session.user).toMatchObject({ id: ama.id, username: "ama", roles: ["USER"] });
    expect(JSON.stringify(session)).not.toContain("argon");
    expect(await sessions.find(db, session.id)).toEqual(session);
    expect(session.id.length).toBeGreaterThanOrEqual(24);
  });

  test("does not reveal whether the e-mail or the password was wrong", async () => {
    const unknown = await refusal(logIn("nobody@example.com", ama.password));
    const wrong = await refusal(logIn(ama.email, "wrong password"));
    expect([unknown.code, unknown.message]).toEqual(["auth.bad_credentials", "Invalid credentials"]);
    expect([wrong.code, wrong.message, wrong.details]).toEqual([unknown.code, unknown.message, unknown.details]);
    for (const address of ["", "%", "ama@example.com'--", "x".repeat(254)]) {
      expect(await outcome(logIn(address, "whatever"))).toBe("auth.bad_credentials");
    }
  });

  test("treats composed and decomposed letters of passwords as the same", async () => {
    const password = "Café mañana 9";
    const { signUp } = await import("../../../src/core/identity/users.ts");
    await signUp(db, {
      username: "accent",
      email: "accent@example.com",
      password: password.normalize("NFC"),
      address: "192.0.2.1",
      channel: "web",
    });
    expect(await outcome(logIn("accent@example.com", password.normalize("NFD")))).toBe("done");
  });
});

describe("ten wrong attempts on an account from one network", () => {
  test("lock it for that whole network for a while, even for the right password, on every server", async () => {
    await withSecondServer(world, async (other) => {
      const wrong = await Promise.all(
        times(40, (i) => outcome(logIn("victim@example.com", "wrong", undefined, i % 2 ? db : other))),
      );
      expect(tally(wrong)).toEqual({ "auth.bad_credentials": 10, "request.rate_limited": 30 });
    });
    for (const _ of times(10, (i) => i)) await outcome(logIn(kofi.email, "wrong"));
    const refused = await refusal(logIn(kofi.email, kofi.password));
    expect(refused.code).toBe("request.rate_limited");
    expect(refused.details?.retryAfterSeconds).toBeWithin(800, 901);
    // Other accounts are not affected, nor the owner elsewhere.
    expect(await outcome(logIn(kofi.email, kofi.password, "198.51.100.1"))).toBe("done");
    expect(await outcome(logIn(ama.email, ama.password))).toBe("done");
    // The lock ends with its window.
    await db.execute(sql`update rate_limits set resets_at = now() - interval '1 second'`);
    expect(await outcome(logIn(kofi.email, kofi.password))).toBe("done");
  });

  test("are reset by a success: nine failures, a success and nine failures lock nothing", async () => {
    for (const _ of times(9, (i) => i)) await outcome(logIn(ama.email, "wrong"));
    expect(await outcome(logIn(ama.email, ama.password))).toBe("done");
    for (const _ of times(9, (i) => i)) {
      expect(await outcome(logIn(ama.email, "wrong"))).toBe("auth.bad_credentials");
    }
    expect(await outcome(logIn(ama.email, ama.password))).toBe("done");
  });
});

test("a hundred failures from one address lock it for every account, and successes do not count", async () => {
  const address = "198.51.100.7";
  const bucket = `login.address:${address}`;
  expect(await outcome(logIn(ama.email, ama.password, address))).toBe("done");
  expect(await count(db, sql`from rate_limits where bucket = ${bucket} and count = 0`)).toBe(1);
  await db.execute(sql`update rate_limits set count = 100 where bucket = ${bucket}`);
  expect(await outcome(logIn(kofi.email, kofi.password, address))).toBe("request.rate_limited");
  expect(await outcome(logIn(kofi.email, kofi.password))).toBe("done");
  // Whoever has logged in from there before is not a stranger there.
  expect(await outcome(logIn(ama.email, ama.password, address))).toBe("done");
});

test("an IPv6 home network counts as one address, and an IPv4 address is the same in either notation", async () => {
  await db.execute(sql`insert into rate_limits (bucket, count, resets_at) values
    ('login.address:2001:db8:1:1::/64', 98, now() + interval '1 minute'),
    ('login.address:192.0.2.250', 98, now() + interval '1 minute')`);
  const few = { "auth.bad_credentials": 2, "request.rate_limited": 4 };
  const home = times(6, (i) => outcome(logIn(`nobody${i}@example.com`, "no", `2001:DB8:1:1::${i + 1}`)));
  expect(tally(await Promise.all(home))).toEqual(few);
  const mapped = times(6, (i) => (i % 2 ? "192.0.2.250" : "::ffff:192.0.2.250"));
  const both = mapped.map((address, i) => outcome(logIn(`somebody${i}@example.com`, "no", address)));
  expect(tally(await Promise.all(both))).toEqual(few);
  expect(await outcome(logIn("nobody@example.com", "no", "2001:db8:1:2::1"))).toBe("auth.bad_credentials");
});

describe("an owner whose account strangers have locked", () => {
  const keys = devices.deviceKeysOf(TEST_JWT_SECRET);
  const from = (person: Person, cookie: string | null, password = person.password, signing = keys) =>
    sessions.logIn(db, {
      ...{ email: person.email, password, userAgent: "test" },
      ...{ address: `192.0.2.${++addresses % 240}`, device: { keys: signing, cookie } },
    });
  /** As after fifty wrong passwords from many networks. */
  const shut = async ({ email }: Person) => {
    await db.execute(sql`insert into rate_limits (bucket, count, resets_at)
      values (${`login.account:${email}`}, 50, now() + interval '1 hour')
      on conflict (bucket) do update set count = 50`);
    expect(await outcome(logIn(email, "wrong"))).toBe("request.rate_limited");
  };

  test("can log in from an unknown device and network, while one stranger's network keeps guessing", async () => {
    const afia = await world.person("afia");
    for (const networkOf of [(i: number) => `203.0.113.${i}`, (i: number) => `2001:db8:7:7::${i + 1}`]) {
      const guesses = await Promise.all(times(60, (i) => outcome(logIn(afia.email, "wrong", networkOf(i)))));
      expect(tally(guesses)).toEqual({ "auth.bad_credentials": 10, "request.rate_limited": 50 });
    }
    const session = await logIn(afia.email, afia.password, "198.51.100.20");
    expect(session.user.id).toBe(afia.id);
  });

  test("limits guesses to fifty an hour from all networks together, the same for unknown accounts", async () => {
    const yaa = await world.person("yaa");
    for (const email of [yaa.email, "nobody.here@example.com"]) {
      const guesses = await Promise.all(
        times(70, (i) => outcome(logIn(email, "wrong", `10.9.${Math.floor(i / 10)}.${i % 10}`))),
      );
      expect(tally(guesses)).toEqual({ "auth.bad_credentials": 50, "request.rate_limited": 20 });
      const refused = await refusal(logIn(email, yaa.password, "198.51.100.30"));
      expect([refused.code, refused.message]).toEqual([
        "request.rate_limited",
        expect.stringMatching(/^Too many failed logins\. Try again in (59|60) minutes\.$/),
      ]);
      expect(refused.details?.retryAfterSeconds).toBeWithin(3_500, 3_601);
    }
    // The owner's browser is not affected, and a password reset ends the lock.
    const cookie = devices.cookieFor({ keys, cookie: null }, yaa.id);
    expect(await outcome(from(yaa, cookie))).toBe("done");
    expect(await outcome(logIn(yaa.email, yaa.password, "198.51.100.30"))).toBe("request.rate_limited");
    await sessions.forgetFailures(db, yaa.email, "198.51.100.30");
    expect(await outcome(logIn(yaa.email, yaa.password, "198.51.100.30"))).toBe("done");
  });

  test("gives strangers no further attempts by logging in", async () => {
    const adjoa = await world.person("adjoa");
    const counted = () =>
      count(db, sql`from rate_limits where bucket = ${`login.account:${adjoa.email}`} and count = 9`);
    for (const i of times(9, (i) => i)) await outcome(logIn(adjoa.email, "wrong", `203.0.113.${i}`));
    expect(await counted()).toBe(1);
    expect(await outcome(logIn(adjoa.email, adjoa.password, "198.51.100.40"))).toBe("done");
    expect(await counted()).toBe(1);
  });

  test("can log in from a browser that has logged in before, and from no other", async () => {
    const [esi, adwoa] = [await world.person("esi"), await world.person("adwoa")];
    const cookie = devices.cookieFor({ keys, cookie: null }, esi.id);
    await shut(esi);
    expect(await outcome(from(esi, null))).toBe("request.rate_limited");
    for (const forged of [
      devices.cookieFor({ keys, cookie: null }, adwoa.id),
      devices.cookieFor({ keys: devices.deviceKeysOf("a secret of somebody else's shop"), cookie: null }, esi.id),
      cookie.replace(/^\d+/, String(adwoa.id)),
      `${cookie.slice(0, -1)}${cookie.endsWith("A") ? "B" : "A"}`,
      "x".repeat(5000),
    ])
      expect(await outcome(from(esi, forged))).toBe("request.rate_limited");
    expect(await outcome(from(esi, cookie))).toBe("done");
    // The strangers' attempts remain used up.
    expect(await outcome(from(esi, null))).toBe("request.rate_limited");
  });

  test("has ten attempts there, too, and wrong ones there lock out nobody else", async () => {
    const efua = await world.person("efua");
    const cookie = devices.cookieFor({ keys, cookie: null }, efua.id);
    const wrong = await Promise.all(times(12, () => outcome(from(efua, cookie, "wrong"))));
    expect(tally(wrong)).toEqual({ "auth.bad_credentials": 10, "request.rate_limited": 2 });
    expect(await outcome(from(efua, cookie))).toBe("request.rate_limited");
    expect(await outcome(from(efua, null))).toBe("done");
  });

  test("can log in from a network that their own program has logged in from, for thirty days", async () => {
    const abla = await world.person("abla");
    expect(await outcome(logIn(abla.email, abla.password, "2001:db8:5:5::1"))).toBe("done");
    await shut(abla);
    expect(await outcome(logIn(abla.email, abla.password, "2001:db8:5:5::77"))).toBe("done");
    await db.execute(sql`update login_networks set last_at = now() - interval '31 days'`);
    expect(await outcome(logIn(abla.email, abla.password, "2001:db8:5:5::1"))).toBe("request.rate_limited");
    await sessions.forgetOld(db);
    expect(await count(db, sql`from login_networks`)).toBe(0);
  });

  test("can share a browser with four others, each known separately, also after a change of the secret", async () => {
    const ids = [1, 2, 3, 4, 5, 6];
    const cookie = ids.reduce<string | null>((held, id) => devices.cookieFor({ keys, cookie: held }, id), null)!;
    expect(cookie.length).toBeLessThan(1000);
    const after = devices.deviceKeysOf("another secret that is long enough", TEST_JWT_SECRET);
    const names = ids.map((id) => devices.nameOf({ keys: after, cookie }, id));
    expect(names.map((name) => name !== null)).toEqual([false, true, true, true, true, true]);
    expect(new Set(names).size).toBe(6);
    const again = devices.cookieFor({ keys, cookie }, 3);
    expect(again.split("~")).toHaveLength(5);
  });
});

describe("a limit on attempts", () => {
  test("is exact, also when many attempts come at once at two servers", async () => {
    const limit = { bucket: "exact", countMax: 7, windowSeconds: 60 };
    const answers = await withSecondServer(world, (other) =>
      Promise.all(times(30, (i) => rateLimits.isWithin(i % 2 ? db : other, limit))),
    );
    expect(tally(answers.map(String))).toEqual({ true: 7, false: 23 });
  });

  test("is deleted when its window has ended", async () => {
    await rateLimits.isWithin(db, { bucket: "swept", countMax: 1, windowSeconds: 60 });
    await rateLimits.forgetOld(db);
    expect(await count(db, sql`from rate_limits where bucket = 'swept'`)).toBe(1);
    await db.execute(sql`update rate_limits set resets_at = now() - interval '1 second' where bucket = 'swept'`);
    await rateLimits.forgetOld(db);
    expect(await count(db, sql`from rate_limits where bucket = 'swept'`)).toBe(0);
  });
});

describe("a session", () => {
  test("ends with its logout, which ends no other", async () => {
    const [one, two] = [await logIn(ama.email, ama.password), await logIn(ama.email, ama.password)];
    await sessions.logOut(db, one.id);
    expect(await sessions.find(db, one.id)).toBeNull();
    expect(await sessions.find(db, two.id)).not.toBeNull();
  });

  test("expires after seven days, and is then deleted", async () => {
    const session = await logIn(ama.email, ama.password);
    const [row] = await db.execute(sql`
      select extract(epoch from expires_at - created_at)::int as seconds from sessions where id = ${session.id}`);
    expect(row).toEqual({ seconds: 7 * 24 * 3600 });
    await db.execute(sql`update sessions set expires_at = now() - interval '1 second' where id = ${session.id}`);
    expect(await sessions.find(db, session.id)).toBeNull();
    await sessions.forgetOld(db);
    expect(await count(db, sql`from sessions where id = ${session.id}`)).toBe(0);
  });

  test("is read together with many others, and each request gets its own", async () => {
    const own = await Promise.all([ama, kofi].map((person) => logIn(person.email, person.password)));
    const found = await Promise.all(
      times(200, (i) => sessions.find(db, i % 3 === 2 ? `no-such-${i}` : own[i % 3]!.id)),
    );
    for (const [i, session] of found.entries()) {
      expect(session?.user.id ?? null).toBe(i % 3 === 2 ? null : own[i % 3]!.user.id);
    }
  });
});
