// Confirmed phones: one per account, one account per number, and only for whoever holds the phone and knows the
// password.
import { beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { phones as phoneTable } from "../../../db/schema/identity.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import * as phones from "../../../src/core/identity/phones/phones.ts";
import { count, outcome, tally, times } from "../../support/asking.ts";
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

let number = 10;
const somebody = () => world.person(`agent${++number}`);
/** Never one that ends in 01 to 09, with which the simulator does something. */
const freshPhone = () => `2335400012${String(++number).padStart(2, "0")}`;
const ask = (person: Person, msisdn: string, currentPassword = person.password) =>
  phones.sendCode(db, keys, { by: person.by("web"), msisdn, currentPassword, address: "192.0.2.1" });
const prove = (person: Person, code: string) => phones.confirm(db, keys, { by: person.by("web"), code });
const phoneOf = async ({ id }: Person) => (await phones.stateOf(db, id)).phone?.msisdn ?? null;
const proved = async (person: Person, msisdn: string) => {
  await ask(person, msisdn);
  await prove(person, await post.codeTo(msisdn));
};
const minutesPass = (minutes: number) =>
  db.execute(sql`update codes set created_at = created_at - make_interval(mins => ${minutes}),
    expires_at = expires_at - make_interval(mins => ${minutes})`);

describe("a phone", () => {
  test("belongs to the account once its owner has entered the code, with a notice by e-mail", async () => {
    const [ama, msisdn] = [await somebody(), freshPhone()];
    await ask(ama, `0${msisdn.slice(3)}`);
    expect(await phones.stateOf(db, ama.id)).toEqual({ phone: null, pendingMsisdn: msisdn });
    const code = await post.codeTo(msisdn);
    expect(post.textsTo(msisdn)[0]!.length).toBeLessThanOrEqual(160);
    expect(await prove(ama, code)).toMatchObject({ msisdn });
    expect(await phones.stateOf(db, ama.id)).toMatchObject({ phone: { msisdn }, pendingMsisdn: null });
    await post.deliver();
    expect(post.textsTo(ama.email).at(-1)).toContain(`054****${msisdn.slice(-3)} is confirmed`);
    const [trace] = await db.select().from(auditLog).where(eq(auditLog.action, "user.phone"));
    expect(trace).toMatchObject({ byUserId: ama.id, before: { phone: null }, after: { phone: msisdn } });
    // The same form again changes nothing, and gets the same answer.
    expect(await prove(ama, code)).toMatchObject({ msisdn });
    expect(await count(db, sql`from messages where user_id = ${ama.id} and kind = 'phone_changed'`)).toBe(1);
  });

  test("is replaced by another only when that one is confirmed", async () => {
    const [ama, first, second] = [await somebody(), freshPhone(), freshPhone()];
    await proved(ama, first);
    await ask(ama, second);
    expect(await phoneOf(ama)).toBe(first);
    await prove(ama, await post.codeTo(second));
    expect(await phoneOf(ama)).toBe(second);
    expect(await count(db, sql`from phones where user_id = ${ama.id}`)).toBe(1);
  });

  test("belongs to one account: a second one is refused only after it has entered the code", async () => {
    const [ama, kofi, msisdn] = [await somebody(), await somebody(), freshPhone()];
    await proved(ama, msisdn);
    expect(await outcome(ask(kofi, msisdn))).toBe("done");
    expect(await outcome(prove(kofi, "000000"))).toBe("code.wrong");
    expect(await outcome(prove(kofi, await post.codeTo(msisdn)))).toBe("phone.taken");
    expect([await phoneOf(ama), await phoneOf(kofi)]).toEqual([msisdn, null]);
  });

  test("that two accounts confirm at once goes to one of them", async () => {
    const [ama, kofi, msisdn] = [await somebody(), await somebody(), freshPhone()];
    await ask(ama, msisdn);
    const first = await post.codeTo(msisdn);
    await ask(kofi, msisdn);
    const second = await post.codeTo(msisdn);
    const both = await Promise.all([outcome(prove(ama, first)), outcome(prove(kofi, second))]);
    expect(both.sort()).toEqual(["done", "phone.taken"]);
    expect(await count(db, sql`from phones where msisdn = ${msisdn}`)).toBe(1);
  });

  test("needs the password, and a valid number", async () => {
    const ama = await somebody();
    expect(await outcome(ask(ama, freshPhone(), "not it"))).toBe("user.current_password_wrong");
    expect(await outcome(ask(ama, "12345"))).toBe("msisdn.invalid");
    const without = { ...keys, channels: { sms: false, email: true } };
    const sending = phones.sendCode(db, without, {
      by: ama.by(),
      msisdn: freshPhone(),
      currentPassword: ama.password,
      address: "192.0.2.1",
    });
    expect(await outcome(sending)).toBe("code.no_channel");
    expect(await count(db, sql`from messages where user_id = ${ama.id}`)).toBe(0);
  });

  longTest(
    "is removed by its owner with the password, or by an admin, which is logged; its number is free",
    async () => {
      const [ama, kofi, msisdn] = [await somebody(), await somebody(), freshPhone()];
      await proved(ama, msisdn);
      const remove = (currentPassword: string) => phones.remove(db, { by: ama.by("web"), currentPassword });
      expect(await outcome(remove("not it"))).toBe("user.current_password_wrong");
      await remove(ama.password);
      expect(await phoneOf(ama)).toBeNull();
      await minutesPass(2);
      await proved(kofi, msisdn);
      await post.deliver();
      const unbind = (by: Person) => outcome(phones.unbind(db, { by: by.by("admin"), userId: kofi.id }));
      expect(await unbind(yaw)).toBe("done");
      expect(await unbind(yaw)).toBe("done");
      expect(await phoneOf(kofi)).toBeNull();
      const traces = await db.select().from(auditLog).where(eq(auditLog.action, "user.phone_unbind"));
      expect(traces).toMatchObject([
        { byUserId: yaw.id, subjectId: String(kofi.id), before: { phone: msisdn }, after: { phone: null } },
      ]);
      await post.deliver();
      expect(post.textsTo(kofi.email).at(-1)).toContain("The phone was removed");
    },
  );
});

describe("a code to a phone", () => {
  test("is void after ten minutes and after five attempts", async () => {
    const [ama, kofi] = [await somebody(), await somebody()];
    const [first, second] = [freshPhone(), freshPhone()];
    await ask(ama, first);
    const late = await post.codeTo(first);
    await minutesPass(10);
    expect(await outcome(prove(ama, late))).toBe("code.wrong");
    await ask(kofi, second);
    const code = await post.codeTo(second);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    await Promise.all(times(5, () => outcome(prove(kofi, wrong))));
    expect(await outcome(prove(kofi, code))).toBe("code.wrong");
    expect(await phoneOf(kofi)).toBeNull();
  });

  test("is sent once a minute to the same number, and at once to a corrected one", async () => {
    const [ama, mistyped, meant] = [await somebody(), freshPhone(), freshPhone()];
    await ask(ama, mistyped);
    await ask(ama, mistyped);
    await ask(ama, meant);
    const code = await post.codeTo(meant);
    expect(post.textsTo(mistyped)).toHaveLength(1);
    expect(await prove(ama, code)).toMatchObject({ msisdn: meant });
  });

  test("is limited per account and per number, so that nobody is flooded with SMS", async () => {
    const ama = await somebody();
    await db.insert(phoneTable).values({ userId: ama.id, msisdn: freshPhone() });
    const mine = await Promise.all(times(6, () => outcome(ask(ama, freshPhone()))));
    expect(tally(mine)).toEqual({ done: 5, "request.rate_limited": 1 });
    const victim = freshPhone();
    const crowd = await Promise.all(times(6, somebody));
    const theirs = await Promise.all(crowd.map((one) => outcome(ask(one, victim))));
    expect(tally(theirs)).toEqual({ done: 5, "request.rate_limited": 1 });
  });

  test("is sent four times a day for an account without a phone, and a hundred times for an address", async () => {
    const ama = await somebody();
    const mine = await Promise.all(times(6, () => outcome(ask(ama, freshPhone()))));
    expect(tally(mine)).toEqual({ done: 4, "request.rate_limited": 2 });
    await db.execute(sql`update rate_limits set count = 99 where bucket = 'phone.new_address:192.0.2.1'`);
    const crowd = await Promise.all(times(3, somebody));
    const theirs = await Promise.all(crowd.map((one) => outcome(ask(one, freshPhone()))));
    expect(tally(theirs)).toEqual({ done: 1, "request.rate_limited": 2 });
  });
});
