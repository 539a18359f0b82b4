// After another phone than before, nothing is spent by phone for some hours, while the web goes on; staff can end it
// early. That of a PIN reset by code is tested where that is dialled (channels/ussd-forgotten-pin).
import { beforeEach, describe, expect, test } from "bun:test";
import { desc, eq, sql } from "drizzle-orm";
import { messages } from "../../../db/schema/messaging.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as phoneWaits from "../../../src/core/identity/phones/phone-waits.ts";
import * as phones from "../../../src/core/identity/phones/phones.ts";
import * as pins from "../../../src/core/identity/phones/pins.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { accraDayTime } from "../../../src/shared/accra.ts";
import { count, lineFor, outcome, tally, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openMessaging } from "../../support/messaging.ts";
import { openWorld, type Person, TEST_JWT_SECRET } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const post = await openMessaging(world);
const keys = { key: post.messaging.codeKey, channels: { sms: true, email: true } };
const pinKeys = { key: pins.pinKey(TEST_JWT_SECRET) };
const bundle = await world.product("MTN", "1GB", "10.00");
const admin = yaw.by("admin");
const PIN = "918273";
const HOUR_MS = 3_600_000;

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

let number = 10;
const somebody = () => world.person(`waits${++number}`, "GH₵ 100.00");
/** Never one that ends in 01 to 09, with which the simulator does something. */
const freshPhone = () => `2335400013${String(++number).padStart(2, "0")}`;
const ask = (person: Person, msisdn: string) =>
  phones.sendCode(db, keys, {
    ...{ by: person.by("web"), msisdn, currentPassword: person.password, address: "192.0.2.1" },
  });
const prove = (person: Person, code: string) => phones.confirm(db, keys, { by: person.by("web"), code });
const confirmed = async (person: Person, msisdn: string) => {
  await ask(person, msisdn);
  await prove(person, await post.codeTo(msisdn));
};
const setPin = (person: Person) =>
  pins.set(db, pinKeys, { by: person.by("web"), pin: PIN, currentPassword: person.password });
const verdicts = async (person: Person) => {
  const proof = { userId: person.id, pin: PIN };
  return [
    await pins.verify(db, pinKeys, proof, { channel: "ussd" }),
    await pins.verify(db, pinKeys, proof, { channel: "sms" }),
  ];
};
const waitsOf = ({ id }: Person) => count(db, sql`from phone_waits where user_id = ${id}`);
const lift = (person: Person, by = admin) =>
  phoneWaits.lift(db, { by, userId: person.id, reason: "Came with a Ghana Card" });
/** Somebody whose phone was changed, with its old and new number. */
async function changed(): Promise<{ ama: Person; before: string; after: string }> {
  const [ama, before, after] = [await somebody(), freshPhone(), freshPhone()];
  await confirmed(ama, before);
  await confirmed(ama, after);
  await setPin(ama);
  return { ama, before, after };
}

describe("a changed phone", () => {
  longTest("spends nothing by USSD and SMS for 48 hours, while the web buys", async () => {
    const { ama } = await changed();
    expect(await verdicts(ama)).toEqual(["waits", "waits"]);
    const { until } = (await phoneWaits.of(db, ama.id))!;
    expect(Math.abs(until.getTime() - Date.now() - 48 * HOUR_MS)).toBeLessThan(HOUR_MS);
    await orders.buy(db, { by: ama.by("web"), key: null, line: lineFor(bundle) });
    await db.execute(sql`update phone_waits set until = now() where user_id = ${ama.id}`);
    expect(await verdicts(ama)).toEqual(["right", "right"]);
  });

  longTest("waits as long as the shop says", async () => {
    await settings.change(db, { by: admin, values: { phone_wait_hours: 2 } });
    const { ama } = await changed();
    await settings.change(db, { by: admin, values: { phone_wait_hours: 48 } });
    const { until } = (await phoneWaits.of(db, ama.id))!;
    expect(Math.abs(until.getTime() - Date.now() - 2 * HOUR_MS)).toBeLessThan(HOUR_MS);
  });

  longTest("does not wait as the first of its account, nor when it is confirmed again", async () => {
    const [ama, msisdn] = [await somebody(), freshPhone()];
    await confirmed(ama, msisdn);
    await db.execute(sql`delete from codes where user_id = ${ama.id}`);
    await confirmed(ama, msisdn);
    await setPin(ama);
    expect(await verdicts(ama)).toEqual(["right", "right"]);
    expect(await waitsOf(ama)).toBe(0);
  });

  longTest("waits as well when the old one was removed before, by its owner or by staff", async () => {
    const removals = {
      owner: (ama: Person) => phones.remove(db, { by: ama.by("web"), currentPassword: ama.password }),
      staff: (ama: Person) => phones.unbind(db, { by: admin, userId: ama.id }),
    };
    for (const [side, remove] of Object.entries(removals)) {
      const [ama, before] = [await somebody(), freshPhone()];
      await confirmed(ama, before);
      await remove(ama);
      // However long ago.
      await db.execute(sql`update phone_waits set until = now() - interval '1 year' where user_id = ${ama.id}`);
      await confirmed(ama, freshPhone());
      await setPin(ama);
      expect({ side, verdicts: await verdicts(ama) }).toEqual({ side, verdicts: ["waits", "waits"] });
    }
  });

  longTest("begins one wait, however often its code is sent in at once", async () => {
    const [ama, before, after] = [await somebody(), freshPhone(), freshPhone()];
    await confirmed(ama, before);
    await ask(ama, after);
    const code = await post.codeTo(after);
    await Promise.all(times(3, () => prove(ama, code)));
    expect(await waitsOf(ama)).toBe(1);
    expect(await count(db, sql`from messages where recipient = ${before} and kind = 'phone_changed'`)).toBe(1);
  });

  longTest("notifies the old and the new number and the mailbox of the end and of what to do", async () => {
    const { ama, before, after } = await changed();
    const until = accraDayTime((await phoneWaits.of(db, ama.id))!.until);
    await post.deliver();
    const [toOld, toNew, mail] = [before, after, ama.email].map((to) => post.textsTo(to)) as string[][];
    const ofOld = toOld!.find((text) => text.includes("has a new phone"))!;
    expect(ofOld).toContain(`Nobody can buy by phone until ${until}. Not you?`);
    const ofNew = toNew!.find((text) => text.includes("is confirmed"))!;
    expect(ofNew).toContain(`from ${until}. Until then, buy on our website.`);
    for (const text of [ofOld, ofNew]) expect(text.length).toBeLessThanOrEqual(160);
    expect(mail!.filter((text) => text.includes(`Until ${until} nothing can be bought by USSD or SMS.`))).toHaveLength(
      1,
    );
  });

  test("notifies the number that its owner removed, and not one that staff took off", async () => {
    const noticesTo = (msisdn: string) =>
      count(db, sql`from messages where recipient = ${msisdn} and kind = 'phone_changed'`);
    const [ama, own] = [await somebody(), freshPhone()];
    await confirmed(ama, own);
    await phones.remove(db, { by: ama.by("web"), currentPassword: ama.password });
    expect(await noticesTo(own)).toBe(1);
    const [esi, strangers] = [await somebody(), freshPhone()];
    await confirmed(esi, strangers);
    await phones.unbind(db, { by: admin, userId: esi.id });
    expect(await noticesTo(strangers)).toBe(0);
  });
});

describe("staff", () => {
  test("end a wait with a reason, which is logged, and notify its owner", async () => {
    const { ama } = await changed();
    await lift(ama);
    expect(await verdicts(ama)).toEqual(["right", "right"]);
    expect(await phoneWaits.of(db, ama.id)).toBeNull();
    const [entry] = await db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, "user.phone_wait_lift"))
      .orderBy(desc(auditLog.id))
      .limit(1);
    expect(entry).toMatchObject({
      ...{ byUserId: admin.userId, subjectId: String(ama.id) },
      after: { reason: "Came with a Ghana Card" },
    });
    const [mail] = await db.select().from(messages).where(eq(messages.kind, "phone_wait_lifted"));
    expect(mail).toMatchObject({ userId: ama.id, channel: "email" });
  });

  test("end it once, also at the same moment, and not where there is none", async () => {
    const { ama } = await changed();
    const outcomes = await Promise.all(times(5, () => outcome(lift(ama))));
    expect(tally(outcomes)).toEqual({ done: 1, "wait.none": 4 });
    expect(await outcome(lift(await somebody()))).toBe("wait.none");
  });

  longTest("need a proof of who they are, and end nobody's own wait", async () => {
    const { ama } = await changed();
    expect(await outcome(lift(ama, { ...admin, isUnconfirmed: true }))).toBe("auth.confirm_needed");
    expect(await outcome(lift(yaw))).toBe("auth.own_account");
    expect(await verdicts(ama)).toEqual(["waits", "waits"]);
  });

  longTest("who changed another phone afterwards wait again", async () => {
    const { ama } = await changed();
    await lift(ama);
    await confirmed(ama, freshPhone());
    await setPin(ama);
    expect(await verdicts(ama)).toEqual(["waits", "waits"]);
  });
});
