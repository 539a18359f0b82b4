// The second factor: what logs in to an account that has one, within which limits, and who can remove it.
import { beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { sessions as sessionTable } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import * as secondFactor from "../../../src/core/identity/logins/second-factor.ts";
import * as secondStep from "../../../src/core/identity/logins/second-factor-login.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import type { Role } from "../../../src/shared/domain.ts";
import { count, outcome, refusal, tally, times, withSecondServer } from "../../support/asking.ts";
import { codeNow, enrol, FACTOR_KEYS } from "../../support/factor.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const from = { address: "192.0.2.1", userAgent: "test" };

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

let people = 0;
const someone = (roles: Role[] = ["USER"]) => world.person(`someone${++people}`, undefined, roles);
const logIn = ({ email, password }: Person) => sessions.logIn(db, { email, password, ...from });
const firstStep = async (person: Person) => {
  const { code, details } = await refusal(logIn(person));
  expect(code).toBe("auth.second_factor_required");
  return details!.token as string;
};
const finish = (token: string, code: string, on = db) => secondStep.finish(on, FACTOR_KEYS, { token, code, ...from });
const sessionsOf = (person: Person) => count(db, sql`from sessions where user_id = ${person.id}`);

describe("an account that strangers have locked by guessing", () => {
  const shut = async (person: Person) => {
    for (const n of times(10, (i) => i))
      await outcome(sessions.logIn(db, { ...from, email: person.email, password: "no", address: `198.51.100.${n}` }));
  };
  const both = (person: Person, password: string, code?: string, address = "198.51.100.1") =>
    secondStep.logIn(db, FACTOR_KEYS, { ...from, email: person.email, password, code, address });

  test("accepts the password and a code in one request, from anywhere", async () => {
    const ama = await someone();
    const { secret } = await enrol(world, ama);
    await shut(ama);
    expect(await outcome(both(ama, ama.password))).toBe("request.rate_limited");
    expect(await sessionsOf(ama)).toBe(0);
    expect((await both(ama, ama.password, codeNow(secret, 1))).user.id).toBe(ama.id);
    expect(await sessionsOf(ama)).toBe(1);
  });

  test("accepts both when strangers of many networks have used up the attempts of the hour", async () => {
    const ama = await someone();
    const { secret } = await enrol(world, ama);
    await db.execute(sql`insert into rate_limits (bucket, count, resets_at)
      values (${`login.account:${ama.email}`}, 50, now() + interval '1 hour')`);
    expect(await outcome(both(ama, ama.password))).toBe("request.rate_limited");
    expect(await outcome(both(ama, ama.password, "000000"))).toBe("request.rate_limited");
    expect((await both(ama, ama.password, codeNow(secret, 1))).user.id).toBe(ama.id);
  });

  test("does not reveal that one of the two is right, and allows no third attempt at the code", async () => {
    const [ama, kofi] = [await someone(), await someone()];
    const { secret } = await enrol(world, ama);
    await shut(ama);
    await shut(kofi);
    const codesOf = async (attempt: Promise<unknown>) => {
      const { code, details } = await refusal(attempt);
      return [code, details?.limit];
    };
    const locked = ["request.rate_limited", "login.network"];
    expect(await codesOf(both(ama, "no", codeNow(secret, 1)))).toEqual(locked);
    expect(await codesOf(both(ama, ama.password, "000000"))).toEqual(locked);
    expect(await codesOf(both(kofi, kofi.password, "000000"))).toEqual(locked);
    expect(await codesOf(both({ ...ama, email: "nobody@example.com" }, "no", "000000"))).toEqual([
      "auth.bad_credentials",
      undefined,
    ]);
    for (const _ of times(9, (i) => i)) await outcome(both(ama, ama.password, "000000"));
    expect(await codesOf(both(ama, ama.password, codeNow(secret, 1)))).toEqual(locked);
    expect(await sessionsOf(ama)).toBe(0);
  });

  test("limits guesses at codes with the password known, while its owner can log in from a known network", async () => {
    const ama = await someone();
    const { secret } = await enrol(world, ama);
    await finish(await firstStep(ama), codeNow(secret, 1));
    await db.execute(sql`update second_factors set last_step = 0 where user_id = ${ama.id}`);
    const guesses: string[] = [];
    for (const _ of times(12, (i) => i))
      guesses.push(await outcome(both(ama, ama.password, "000000", "203.0.113.200")));
    expect(tally(guesses)).toEqual({ "factor.wrong": 10, "request.rate_limited": 2 });
    expect(await outcome(finish(await firstStep(ama), codeNow(secret, 1)))).toBe("done");
  });
});

describe("setting it up", () => {
  test("needs the password and one code of the app; until then the password alone is enough", async () => {
    const ama = await someone();
    const by = ama.by("web");
    const { id: sessionId } = await logIn(ama);
    const early = secondFactor.confirm(db, FACTOR_KEYS, { by, code: "123456", sessionId });
    expect(await outcome(early)).toBe("factor.none");
    const wrong = secondFactor.begin(db, FACTOR_KEYS, { by, sessionId, currentPassword: "no" });
    expect(await outcome(wrong)).toBe("user.current_password_wrong");
    await secondFactor.begin(db, FACTOR_KEYS, { by, sessionId, currentPassword: ama.password });
    const secret = (await secondFactor.pendingSecret(db, FACTOR_KEYS, ama.id))!;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const confirm = (code: string) => secondFactor.confirm(db, FACTOR_KEYS, { by, code, sessionId });
    expect(await outcome(confirm(codeNow(secret, 9)))).toBe("factor.wrong");
    expect(await outcome(logIn(ama))).toBe("done");
    const codes = await confirm(codeNow(secret));
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    expect(await secondFactor.pendingSecret(db, FACTOR_KEYS, ama.id)).toBeNull();
    expect(await outcome(logIn(ama))).toBe("auth.second_factor_required");
    // Every other session ends, this one stays.
    const open = await db.select().from(sessionTable).where(eq(sessionTable.userId, ama.id));
    expect(open.map(({ id }) => id)).toEqual([sessionId]);
    const again = secondFactor.begin(db, FACTOR_KEYS, { by, sessionId, currentPassword: ama.password });
    expect(await outcome(again)).toBe("factor.exists");
  });

  test("stores neither secret nor recovery codes readably, and a copied row does not work", async () => {
    const [ama, kofi] = [await someone(), await someone()];
    const { secret, recoveryCodes } = await enrol(world, ama);
    await enrol(world, kofi);
    const rows = await db.execute(sql`
      select sealed_secret as text from second_factors union all select digest from recovery_codes
      union all select coalesce(before::text, '') || coalesce(after::text, '') from audit_log
      union all select coalesce(body, '') from messages`);
    const stored = JSON.stringify(rows);
    for (const word of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll("-", ""))])
      expect(stored.includes(word)).toBe(false);
    await db.execute(sql`
      update second_factors set sealed_secret = (select sealed_secret from second_factors where user_id = ${ama.id})
      where user_id = ${kofi.id}`);
    expect(await outcome(finish(await firstStep(kofi), codeNow(secret, 1)))).toBe("factor.wrong");
  });

  test("is notified by e-mail and recorded in the audit log", async () => {
    const ama = await someone();
    await enrol(world, ama);
    const [mail] = await db.select().from(messages).where(eq(messages.userId, ama.id));
    expect([mail?.kind, mail?.channel]).toEqual(["second_factor", "email"]);
    const traces = await db.select().from(auditLog).where(eq(auditLog.action, "user.second_factor"));
    expect(traces.some(({ subjectId }) => subjectId === String(ama.id))).toBe(true);
  });
});

describe("a code", () => {
  test("opens one session; the same one again is refused, on any server", async () => {
    const ama = await someone();
    const { secret } = await enrol(world, ama);
    const tokens: string[] = [];
    for (const _ of times(6, (n) => n)) tokens.push(await firstStep(ama));
    const code = codeNow(secret, 1);
    const outcomes = await withSecondServer(world, (other) =>
      Promise.all(tokens.map((token, n) => outcome(finish(token, code, n % 2 ? other : db)))),
    );
    expect(tally(outcomes)).toEqual({ done: 1, "factor.wrong": 5 });
    expect(await sessionsOf(ama)).toBe(1);
  });

  test("that confirmed the factor is used up, too", async () => {
    const ama = await someone();
    const by = ama.by("web");
    const ask = { by, currentPassword: ama.password, sessionId: "none" };
    await secondFactor.begin(db, FACTOR_KEYS, ask);
    const code = codeNow((await secondFactor.pendingSecret(db, FACTOR_KEYS, ama.id))!);
    await secondFactor.confirm(db, FACTOR_KEYS, { by, code, sessionId: "none" });
    expect(await outcome(finish(await firstStep(ama), code))).toBe("factor.wrong");
  });

  test("cannot be guessed: ten attempts in a quarter of an hour, over all logins together", async () => {
    const ama = await someone();
    const { secret } = await enrol(world, ama);
    const outcomes = [];
    for (const _ of times(3, (n) => n)) {
      const token = await firstStep(ama);
      for (const _ of times(4, (n) => n)) outcomes.push(await outcome(finish(token, "ABCDEF")));
    }
    expect(tally(outcomes)).toEqual({ "factor.wrong": 10, "request.rate_limited": 2 });
    expect(await outcome(finish(await firstStep(ama), codeNow(secret, 1)))).toBe("request.rate_limited");
  });
});

describe("the token between the steps", () => {
  test("is valid for five attempts and for one session", async () => {
    const ama = await someone();
    const { secret } = await enrol(world, ama);
    const tired = await firstStep(ama);
    for (const _ of times(5, (n) => n)) expect(await outcome(finish(tired, "000"))).toBe("factor.wrong");
    expect(await outcome(finish(tired, codeNow(secret, 1)))).toBe("auth.second_step_ended");
    const token = await firstStep(ama);
    const session = await finish(token, codeNow(secret, 1));
    expect((await sessions.find(db, session.id))?.user.id).toBe(ama.id);
    expect(await outcome(finish(token, codeNow(secret, 1)))).toBe("auth.second_step_ended");
    // It is not a session itself.
    expect(await sessions.find(db, token)).toBeNull();
  });

  test("expires after five minutes, and when the password changes", async () => {
    const ama = await someone();
    const { recoveryCodes } = await enrol(world, ama);
    const late = await firstStep(ama);
    await db.execute(sql`update pending_logins set expires_at = now() - interval '1 second'`);
    expect(await outcome(finish(late, recoveryCodes[0]!))).toBe("auth.second_step_ended");
    const token = await firstStep(ama);
    await profile.changePassword(db, {
      by: ama.by("web"),
      sessionId: "none",
      currentPassword: ama.password,
      password: "quite another phrase",
    });
    expect(await outcome(finish(token, recoveryCodes[0]!))).toBe("auth.second_step_ended");
    await sessions.forgetOld(db);
    expect(await count(db, sql`from pending_logins where expires_at < now()`)).toBe(0);
  });

  test("shows only that the password was right: a ban is shown after the code, and attempts stay counted", async () => {
    const ama = await someone();
    const { secret } = await enrol(world, ama);
    await users.ban(db, { by: yaw.by("admin"), userId: ama.id });
    const token = await firstStep(ama);
    expect(await outcome(finish(token, "123456"))).toBe("factor.wrong");
    expect(await outcome(finish(token, codeNow(secret, 1)))).toBe("auth.banned");
    expect(await sessionsOf(ama)).toBe(0);
    const [counted] = await db.execute(
      sql`select count from rate_limits where bucket = ${`login.account:${ama.email}`}`,
    );
    expect(counted).toEqual({ count: 1 });
  });
});

describe("a recovery code", () => {
  test("works once, in any spelling, and its owner is notified", async () => {
    const ama = await someone();
    const { recoveryCodes } = await enrol(world, ama);
    const typed = ` ${recoveryCodes[3]!.toLowerCase().replaceAll("-", " ")} `;
    expect(await outcome(finish(await firstStep(ama), typed))).toBe("done");
    expect(await outcome(finish(await firstStep(ama), recoveryCodes[3]!))).toBe("factor.wrong");
    expect((await secondFactor.stateOf(db, ama.id))?.recoveryLeft).toBe(9);
    const used = sql`from messages where user_id = ${ama.id} and body like '%recovery code%'`;
    expect(await count(db, used)).toBe(1);
  });

  test("works only for its own account, and is void once there are new ones", async () => {
    const [ama, kofi] = [await someone(), await someone()];
    const { recoveryCodes: amas, secret } = await enrol(world, ama);
    await enrol(world, kofi);
    expect(await outcome(finish(await firstStep(kofi), amas[0]!))).toBe("factor.wrong");
    const proof = { by: ama.by("web"), currentPassword: ama.password, code: codeNow(secret, 1) };
    const fresh = await secondFactor.renewRecoveryCodes(db, FACTOR_KEYS, proof);
    expect(await outcome(finish(await firstStep(ama), amas[1]!))).toBe("factor.wrong");
    expect(await outcome(finish(await firstStep(ama), fresh[0]!))).toBe("done");
    // The factor is still there.
    const [trace] = await db.select().from(auditLog).where(eq(auditLog.action, "user.recovery_codes"));
    expect(trace).toMatchObject({
      subjectId: String(ama.id),
      before: { factor: true },
      after: { factor: true },
    });
  });

  test("works with another secret of the shop, while codes of the app do not", async () => {
    const ama = await someone();
    const { secret, recoveryCodes } = await enrol(world, ama);
    const others = { key: secondFactor.factorKey("another secret that is long enough") };
    const ask = { token: await firstStep(ama), ...from };
    expect(await outcome(secondStep.finish(db, others, { ...ask, code: codeNow(secret, 1) }))).toBe("factor.wrong");
    expect(await outcome(secondStep.finish(db, others, { ...ask, code: recoveryCodes[0]! }))).toBe("done");
  });
});

describe("removing it", () => {
  test("is possible for its owner, with password and code", async () => {
    const ama = await someone();
    const { secret } = await enrol(world, ama);
    const proof = { by: ama.by("web"), currentPassword: ama.password, code: codeNow(secret, 1) };
    const off = (change: object) => secondFactor.remove(db, FACTOR_KEYS, { ...proof, ...change });
    expect(await outcome(off({ currentPassword: "no" }))).toBe("user.current_password_wrong");
    expect(await outcome(off({ code: "nope" }))).toBe("factor.wrong");
    expect(await outcome(off({}))).toBe("done");
    expect(await outcome(off({}))).toBe("factor.none");
    expect(await outcome(logIn(ama))).toBe("done");
    expect(await count(db, sql`from recovery_codes where user_id = ${ama.id}`)).toBe(0);
  });

  test("is possible for another admin when the phone is lost: sessions end, with a log entry and a mail", async () => {
    const lost = await someone(["ADMIN"]);
    const { secret } = await enrol(world, lost);
    await finish(await firstStep(lost), codeNow(secret, 1));
    const token = await firstStep(lost);
    const reset = (by = yaw.by("admin")) => secondFactor.reset(db, { by, userId: lost.id });
    expect(await outcome(reset(lost.by("admin")))).toBe("factor.own");
    await reset();
    expect(await outcome(reset())).toBe("factor.none");
    expect(await sessionsOf(lost)).toBe(0);
    expect(await outcome(finish(token, codeNow(secret, 1)))).toBe("auth.second_step_ended");
    expect(await outcome(logIn(lost))).toBe("done");
    const trace = sql`from audit_log where action = 'user.second_factor_reset' and by_user_id = ${yaw.id}`;
    expect(await count(db, trace)).toBe(1);
    const mail = sql`from messages where user_id = ${lost.id} and body like '%The shop removed%'`;
    expect(await count(db, mail)).toBe(1);
  });

  test("happens when the account is deleted", async () => {
    const gone = await someone();
    await enrol(world, gone);
    await firstStep(gone);
    await users.remove(db, { by: yaw.by("admin"), userId: gone.id });
    for (const table of ["second_factors", "recovery_codes", "pending_logins"])
      expect(await count(db, sql`from ${sql.raw(table)} where user_id = ${gone.id}`)).toBe(0);
  });
});

test("an unconfirmed secret is valid for a quarter of an hour, and is then deleted", async () => {
  const ama = await someone();
  const ask = { by: ama.by("web"), currentPassword: ama.password, sessionId: "none" };
  await secondFactor.begin(db, FACTOR_KEYS, ask);
  await db.execute(sql`
    update second_factors set created_at = now() - interval '16 minutes' where user_id = ${ama.id}`);
  expect(await secondFactor.pendingSecret(db, FACTOR_KEYS, ama.id)).toBeNull();
  await secondFactor.forgetOld(db);
  expect(await count(db, sql`from second_factors where user_id = ${ama.id}`)).toBe(0);
});

test("where the setting requires it of admins, sessions without it are marked; agents' never are", async () => {
  const [admin, agent] = [await someone(["ADMIN"]), await someone()];
  const [his, hers] = [await logIn(admin), await logIn(agent)];
  const must = async (id: string) => (await sessions.find(db, id))?.mustEnrol ?? false;
  expect([await must(his.id), await must(hers.id)]).toEqual([false, false]);
  await settings.change(db, { by: yaw.by("admin"), values: { admin_second_factor: true } });
  expect([await must(his.id), await must(hers.id)]).toEqual([true, false]);
  await enrol(world, admin, his.id);
  expect(await must(his.id)).toBe(false);
  await settings.change(db, { by: yaw.by("admin"), values: { admin_second_factor: false } });
});
