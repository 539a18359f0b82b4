// Security events in the log: each check of a credential, with its result and account, and without the credential.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones } from "../../../db/schema/identity.ts";
import * as codes from "../../../src/core/identity/logins/codes.ts";
import * as passwordReset from "../../../src/core/identity/logins/password-reset.ts";
import * as secondStep from "../../../src/core/identity/logins/second-factor-login.ts";
import { listen, type SecurityEvent } from "../../../src/core/identity/logins/security-events.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as pins from "../../../src/core/identity/phones/pins.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import { outcome, refusal } from "../../support/asking.ts";
import { codeNow, enrol, FACTOR_KEYS } from "../../support/factor.ts";
import { openWorld, TEST_JWT_SECRET } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const FROM = { address: "192.0.2.7", userAgent: "test" };
const ama = await world.person("ama");

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

/** The events that were logged while this ran. */
async function heard(run: () => Promise<unknown>): Promise<SecurityEvent[]> {
  const events: SecurityEvent[] = [];
  const end = listen((event) => void events.push(event));
  await run().finally(end);
  return events;
}

const logIn = (email: string, password: string) => sessions.logIn(db, { email, password, ...FROM });

test("a login is logged with its account, also when it failed, unless the account is unknown", async () => {
  const events = await heard(async () => {
    await outcome(logIn(ama.email, "not it"));
    await outcome(logIn("nobody@example.com", "not it"));
    await logIn(ama.email, ama.password);
  });
  const attempt = { proof: "login", address: FROM.address } as const;
  expect(events).toEqual([
    { ...attempt, userId: ama.id, outcome: "auth.bad_credentials" },
    { ...attempt, userId: null, outcome: "auth.bad_credentials" },
    { ...attempt, userId: ama.id, outcome: "accepted" },
  ]);
});

test("attempts beyond the limit are logged as such", async () => {
  const events = await heard(async () => {
    for (let n = 0; n < 12; n++) await outcome(logIn(ama.email, "not it"));
  });
  expect(events.map((event) => event.outcome).slice(9)).toEqual([
    "auth.bad_credentials",
    "request.rate_limited",
    "request.rate_limited",
  ]);
});

test("both steps of a login with a second factor are logged", async () => {
  const yaa = await world.person("yaa");
  const { secret } = await enrol(world, yaa);
  const events = await heard(async () => {
    const { details } = await refusal(logIn(yaa.email, yaa.password));
    const finish = (code: string) =>
      secondStep.finish(db, FACTOR_KEYS, { token: details!.token as string, code, ...FROM });
    await outcome(finish("not a code"));
    await finish(codeNow(secret, 1));
  });
  expect(events.map(({ proof, outcome, userId }) => [proof, outcome, userId])).toEqual([
    ["login", "auth.second_factor_required", yaa.id],
    ["second factor", "factor.wrong", yaa.id],
    ["second factor", "accepted", yaa.id],
  ]);
});

test("checks of the password in the profile, of a PIN, and of a reset code are logged", async () => {
  const esi = await world.person("esi");
  await db.insert(phones).values({ userId: esi.id, msisdn: "233541234567" });
  const keys = { key: pins.pinKey(TEST_JWT_SECRET) };
  const by = esi.by("web");
  const events = await heard(async () => {
    await outcome(profile.checkOwnPassword(db, by, "not it"));
    await pins.set(db, keys, { by, pin: "407195", currentPassword: esi.password });
    for (const pin of ["407196", "407197", "407195", "1111", "2222", "3333", "407195"])
      await pins.verify(db, keys, { userId: esi.id, pin });
    const ask = { login: esi.email, code: "123456", password: "a phrase of hers", channel: "web" as const };
    await outcome(passwordReset.reset(db, { key: codes.codeKey(TEST_JWT_SECRET) }, { ...ask, ...FROM }));
  });
  expect(events.every(({ userId }) => userId === esi.id)).toBe(true);
  expect(events.map(({ proof, outcome }) => `${proof}: ${outcome}`)).toEqual([
    "own password: user.current_password_wrong",
    "own password: accepted",
    "PIN: wrong",
    "PIN: wrong",
    "PIN: accepted",
    "PIN: wrong",
    "PIN: wrong",
    "PIN: locked",
    "PIN: locked",
    "new password by code: code.wrong",
  ]);
  const logged = JSON.stringify(events);
  for (const secret of ["not it", esi.password, esi.email, "407195", "3333", "123456", "a phrase of hers"])
    expect(logged).not.toContain(secret);
});
