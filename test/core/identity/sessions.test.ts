// Logging in: who may, how often one may try, and what ends a session.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as devices from "../../../src/core/identity/devices.ts";
import * as sessions from "../../../src/core/identity/sessions.ts";
import * as rateLimits from "../../../src/core/platform/rate-limits.ts";
import { count, outcome, refusal, tally, times, withSecondServer } from "../../support/asking.ts";
import { openWorld, type Person, TEST_JWT_SECRET } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama");
const kofi = await world.person("kofi");

let addresses = 0;
/** Each attempt from an address of its own in one network, unless one is given: limits by address and by network are two. */
const logIn = (email: string, password: string, address = `192.0.2.${++addresses % 240}`, on = db) =>
  sessions.logIn(on, { email, password, address, userAgent: "test" });

describe("logging in", () => {
  test("opens a session for the right password, in whatever case the e-mail is typed", async () => {
    const session = await logIn(" AMA@Example.com ", ama.password);
    expect(session.user).toMatchObject({ id: ama.id, username: "ama", roles: ["USER"] });
    expect(JSON.stringify(session)).not.toContain("argon");
    expect(await sessions.find(db, session.id)).toEqual(session);
    expect(session.id.length).toBeGreaterThanOrEqual(24);
  });

  test("tells nobody whether it was the e-mail or the password", async () => {
    const unknown = await refusal(logIn("nobody@example.com", ama.password));
    const wrong = await refusal(logIn(ama.email, "wrong password"));
    expect([unknown.code, unknown.message]).toEqual(["auth.bad_credentials", "Invalid credentials"]);
    expect([wrong.code, wrong.message, wrong.details]).toEqual([
      unknown.code,
      unknown.message,
      unknown.details,
    ]);
    for (const address of ["", "%", "ama@example.com'--", "x".repeat(254)]) {
      expect(await outcome(logIn(address, "whatever"))).toBe("auth.bad_credentials");
    }
  });

  test("looks at passwords as people type them: composed and decomposed letters are the same", async () => {
    const password = "Café mañana 9";
    const { signUp } = await import("../../../src/core/identity/users.ts");
    await signUp(db, {
      username: "accent",
      email: "accent@example.com",
      password: password.normalize("NFC"),
      address: "192.0.2.1",
    });
    expect(await outcome(logIn("accent@example.com", password.normalize("NFD")))).toBe("done");
  });
});

describe("ten wrong attempts on an account from one network", () => {
  test("close it to that network for a while, to the right password too, from every address there and on every server", async () => {
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
    // Others log in as before, and so does the owner from elsewhere.
    expect(await outcome(logIn(kofi.email, kofi.password, "198.51.100.1"))).toBe("done");
    expect(await outcome(logIn(ama.email, ama.password))).toBe("done");
    // The window ends by itself.
    await db.execute(sql`update rate_limits set resets_at = now() - interval '1 second'`);
    expect(await outcome(logIn(kofi.email, kofi.password))).toBe("done");
  });

  test("are forgotten after a success: nine failures, a success and nine failures close nothing", async () => {
    for (const _ of times(9, (i) => i)) await outcome(logIn(ama.email, "wrong"));
    expect(await outcome(logIn(ama.email, ama.password))).toBe("done");
    for (const _ of times(9, (i) => i)) {
      expect(await outcome(logIn(ama.email, "wrong"))).toBe("auth.bad_credentials");
    }
    expect(await outcome(logIn(ama.email, ama.password))).toBe("done");
  });
});

test("a hundred attempts from one address close it for every account, and successes are not counted", async () => {
  const address = "198.51.100.7";
  const bucket = `login.address:${address}`;
  expect(await outcome(logIn(ama.email, ama.password, address))).toBe("done");
  expect(await count(db, sql`from rate_limits where bucket = ${bucket} and count = 0`)).toBe(1);
  await db.execute(sql`update rate_limits set count = 100 where bucket = ${bucket}`);
  expect(await outcome(logIn(kofi.email, kofi.password, address))).toBe("request.rate_limited");
  expect(await outcome(logIn(kofi.email, kofi.password))).toBe("done");
  // Who has logged in from there before is no stranger there.
  expect(await outcome(logIn(ama.email, ama.password, address))).toBe("done");
});

test("a home line of IPv6 is one address, and an IPv4 address is the same in either notation", async () => {
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

describe("an owner whom strangers try to keep out", () => {
  const keys = devices.deviceKeysOf(TEST_JWT_SECRET);
  const from = (person: Person, cookie: string | null, password = person.password, signing = keys) =>
    sessions.logIn(db, {
      ...{ email: person.email, password, userAgent: "test" },
      ...{ address: `192.0.2.${++addresses % 240}`, device: { keys: signing, cookie } },
    });
  /** As fifty wrong passwords from many networks do. */
  const shut = async ({ email }: Person) => {
    await db.execute(sql`insert into rate_limits (bucket, count, resets_at)
      values (${`login.account:${email}`}, 50, now() + interval '1 hour')
      on conflict (bucket) do update set count = 50`);
    expect(await outcome(logIn(email, "wrong"))).toBe("request.rate_limited");
  };

  test("comes in from a device and a network that were never seen, while a stranger's network guesses as long as it likes", async () => {
    const afia = await world.person("afia");
    for (const networkOf of [(i: number) => `203.0.113.${i}`, (i: number) => `2001:db8:7:7::${i + 1}`]) {
      const guesses = await Promise.all(times(60, (i) => outcome(logIn(afia.email, "wrong", networkOf(i)))));
      expect(tally(guesses)).toEqual({ "auth.bad_credentials": 10, "request.rate_limited": 50 });
    }
    const session = await logIn(afia.email, afia.password, "198.51.100.20");
    expect(session.user.id).toBe(afia.id);
  });

  test("is not guessed at more than fifty times an hour from all networks together, and it says so of nobody, too", async () => {
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
    // The browser of the owner is none of them; and a new password by a code lets the owner begin anew.
    const cookie = devices.cookieFor({ keys, cookie: null }, yaa.id);
    expect(await outcome(from(yaa, cookie))).toBe("done");
    expect(await outcome(logIn(yaa.email, yaa.password, "198.51.100.30"))).toBe("request.rate_limited");
    await sessions.forgetFailures(db, yaa.email, "198.51.100.30");
    expect(await outcome(logIn(yaa.email, yaa.password, "198.51.100.30"))).toBe("done");
  });

  test("gives strangers no further tries by logging in", async () => {
    const adjoa = await world.person("adjoa");
    const counted = () =>
      count(db, sql`from rate_limits where bucket = ${`login.account:${adjoa.email}`} and count = 9`);
    for (const i of times(9, (i) => i)) await outcome(logIn(adjoa.email, "wrong", `203.0.113.${i}`));
    expect(await counted()).toBe(1);
    expect(await outcome(logIn(adjoa.email, adjoa.password, "198.51.100.40"))).toBe("done");
    expect(await counted()).toBe(1);
  });

  test("comes in from a browser that has logged in before, and from no other", async () => {
    const [esi, adwoa] = [await world.person("esi"), await world.person("adwoa")];
    const cookie = devices.cookieFor({ keys, cookie: null }, esi.id);
    await shut(esi);
    expect(await outcome(from(esi, null))).toBe("request.rate_limited");
    for (const forged of [
      devices.cookieFor({ keys, cookie: null }, adwoa.id),
      devices.cookieFor(
        { keys: devices.deviceKeysOf("a secret of somebody else's shop"), cookie: null },
        esi.id,
      ),
      cookie.replace(/^\d+/, String(adwoa.id)),
      `${cookie.slice(0, -1)}${cookie.endsWith("A") ? "B" : "A"}`,
      "x".repeat(5000),
    ])
      expect(await outcome(from(esi, forged))).toBe("request.rate_limited");
    expect(await outcome(from(esi, cookie))).toBe("done");
    // What the strangers have used up is used up for them all the same.
    expect(await outcome(from(esi, null))).toBe("request.rate_limited");
  });

  test("has ten tries there, too, and wrong ones there shut nobody else out", async () => {
    const efua = await world.person("efua");
    const cookie = devices.cookieFor({ keys, cookie: null }, efua.id);
    const wrong = await Promise.all(times(12, () => outcome(from(efua, cookie, "wrong"))));
    expect(tally(wrong)).toEqual({ "auth.bad_credentials": 10, "request.rate_limited": 2 });
    expect(await outcome(from(efua, cookie))).toBe("request.rate_limited");
    expect(await outcome(from(efua, null))).toBe("done");
  });

  test("comes in from a network that a program of theirs has logged in from, for thirty days", async () => {
    const abla = await world.person("abla");
    expect(await outcome(logIn(abla.email, abla.password, "2001:db8:5:5::1"))).toBe("done");
    await shut(abla);
    expect(await outcome(logIn(abla.email, abla.password, "2001:db8:5:5::77"))).toBe("done");
    await db.execute(sql`update login_networks set last_at = now() - interval '31 days'`);
    expect(await outcome(logIn(abla.email, abla.password, "2001:db8:5:5::1"))).toBe("request.rate_limited");
    await sessions.forgetOld(db);
    expect(await count(db, sql`from login_networks`)).toBe(0);
  });

  test("shares a browser with four others, each known by a name of their own, and with a new secret they are still known", async () => {
    const ids = [1, 2, 3, 4, 5, 6];
    const cookie = ids.reduce<string | null>(
      (held, id) => devices.cookieFor({ keys, cookie: held }, id),
      null,
    )!;
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
  test("counts exactly, also when many come at once at two servers", async () => {
    const limit = { bucket: "exact", countMax: 7, windowSeconds: 60 };
    const answers = await withSecondServer(world, (other) =>
      Promise.all(times(30, (i) => rateLimits.isWithin(i % 2 ? db : other, limit))),
    );
    expect(tally(answers.map(String))).toEqual({ true: 7, false: 23 });
  });

  test("is swept away when its window is over", async () => {
    await rateLimits.isWithin(db, { bucket: "swept", countMax: 1, windowSeconds: 60 });
    await rateLimits.forgetOld(db);
    expect(await count(db, sql`from rate_limits where bucket = 'swept'`)).toBe(1);
    await db.execute(
      sql`update rate_limits set resets_at = now() - interval '1 second' where bucket = 'swept'`,
    );
    await rateLimits.forgetOld(db);
    expect(await count(db, sql`from rate_limits where bucket = 'swept'`)).toBe(0);
  });
});

describe("a session", () => {
  test("ends with its logout, and no other does", async () => {
    const [one, two] = [await logIn(ama.email, ama.password), await logIn(ama.email, ama.password)];
    await sessions.logOut(db, one.id);
    expect(await sessions.find(db, one.id)).toBeNull();
    expect(await sessions.find(db, two.id)).not.toBeNull();
  });

  test("ends by itself after seven days, and is then swept away", async () => {
    const session = await logIn(ama.email, ama.password);
    const [row] = await db.execute(sql`
      select extract(epoch from expires_at - created_at)::int as seconds from sessions where id = ${session.id}`);
    expect(row).toEqual({ seconds: 7 * 24 * 3600 });
    await db.execute(
      sql`update sessions set expires_at = now() - interval '1 second' where id = ${session.id}`,
    );
    expect(await sessions.find(db, session.id)).toBeNull();
    await sessions.forgetOld(db);
    expect(await count(db, sql`from sessions where id = ${session.id}`)).toBe(0);
  });

  test("is looked up with many others at once, and each asker gets their own", async () => {
    const own = await Promise.all([ama, kofi].map((person) => logIn(person.email, person.password)));
    const found = await Promise.all(
      times(200, (i) => sessions.find(db, i % 3 === 2 ? `no-such-${i}` : own[i % 3]!.id)),
    );
    for (const [i, session] of found.entries()) {
      expect(session?.user.id ?? null).toBe(i % 3 === 2 ? null : own[i % 3]!.user.id);
    }
  });
});
