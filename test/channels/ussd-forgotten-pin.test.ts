// Tests of a PIN forgotten and replaced by USSD: the dialogue on every gateway, its wait before it spends by USSD and
// SMS, codes, concurrency, and how the owner is warned.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Phone } from "../../dev/simulators/phone.ts";
import * as orders from "../../src/core/buying/buy.ts";
import { codeKey } from "../../src/core/identity/logins/codes.ts";
import * as pinChange from "../../src/core/identity/phones/pin-change.ts";
import type { PinChannel } from "../../src/core/identity/phones/pin-locks.ts";
import * as pinReset from "../../src/core/identity/phones/pin-reset.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import { countOver } from "../../src/core/ussd/usage.ts";
import { accraDayTime } from "../../src/shared/accra.ts";
import { USSD_GATEWAYS, type UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { count, digitsIn } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openWorld, type Person, TEST_JWT_SECRET } from "../support/world.ts";
import { allStoredText, equipPhone, openLine, openReader } from "./dialling.ts";

const world = await openWorld();
const { db } = world;
const line = openLine(world);
const [PIN, NEW_PIN] = ["918273", "640915"];
const pinKeys = { key: pins.pinKey(TEST_JWT_SECRET) };
const codeKeys = { key: codeKey(TEST_JWT_SECRET), channels: { sms: true, email: true } };
const bundle = await world.product("MTN", "1GB", "3.90");

let agents = 0;
async function agent(): Promise<{ person: Person; msisdn: string; phone: Phone }> {
  const [person, msisdn] = [await world.person(`agent${++agents}`, "GH₵ 50.00"), `2335431${10_000 + agents}`];
  await equipPhone(world, person, msisdn, PIN);
  return { person, msisdn, phone: line.phone(msisdn) };
}
const { type } = openReader(db);
const minutePasses = () => db.execute(sql`update codes set created_at = created_at - interval '2 minutes'`);
/** The hours after which a new PIN spends have passed. */
const waitPasses = ({ id }: Person) =>
  db.execute(sql`update phone_waits set until = now() - interval '1 second' where user_id = ${id}`);

async function codeTo(msisdn: string): Promise<string> {
  const [row] = await db.execute<{ body: string }>(
    sql`select body from messages where recipient = ${msisdn} and kind = 'pin_code' order by id desc limit 1`,
  );
  return /\d{6}/.exec(row!.body)![0];
}

const by = (person: Person) => person.by("ussd");

/** A right code, and the change of PIN that it authorises. */
async function authorised(person: Person, msisdn: string): Promise<pinChange.PinChange> {
  await pinReset.sendCode(db, codeKeys, by(person));
  const code = await codeTo(msisdn);
  return (await pinReset.begin(db, codeKeys, { by: by(person), code }))!;
}

async function replace(person: Person, msisdn: string): Promise<string> {
  const change = await authorised(person, msisdn);
  const chosen = await pinChange.chooseNew(db, pinKeys, { by: by(person), change, newPin: NEW_PIN });
  if (chosen.outcome !== "chosen") return chosen.outcome;
  return pinChange.endChange(db, pinKeys, { by: by(person), change: chosen.change, newPin: NEW_PIN });
}

const verify = (person: Person, pin: string, channel: PinChannel = "ussd") =>
  pins.verify(db, pinKeys, { userId: person.id, pin }, { channel });

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

for (const gateway of Object.keys(USSD_GATEWAYS) as UssdGatewayName[])
  longTest(`a forgotten PIN is replaced through ${gateway}; the new one looks, and spends two days later`, async () => {
    const { person, msisdn } = await agent();
    const phone = line.phone(msisdn, { gateway });
    await phone.dial();
    // From the PIN screen of a purchase.
    await type(phone, "1", "1", "1", "0241234567");
    expect((await type(phone, "3")).text).toStartWith(
      "Forgot PIN? We send a code to this phone. With the new PIN you can buy after 48 hours.",
    );
    expect((await type(phone, "1")).text).toStartWith("Type the code from the SMS");
    // The SMS is read after the session; the next one takes the code.
    await phone.dial();
    expect((await type(phone, "6", "2", "1", "2", "000000")).text).toStartWith("Wrong or old code.");
    expect((await type(phone, await codeTo(msisdn), "1234")).text).toStartWith("Too easy to guess.");
    expect((await type(phone, NEW_PIN, PIN)).text).toStartWith("The PINs differ.");
    const shown = (await type(phone, NEW_PIN, NEW_PIN)).text;
    const until = /can buy with it from (.+)\. Until then, buy at shop\.example$/.exec(shown)![1]!;
    const inTwoDays = Date.now() + 48 * 3_600_000;
    expect([inTwoDays, inTwoDays - 60_000].map((at) => accraDayTime(new Date(at)))).toContain(until);

    // It looks, and brings money in.
    await phone.dial();
    expect((await type(phone, "2")).text).toStartWith("Balance GHS 50.00");
    expect((await type(phone, "0", "4", "20", "1", NEW_PIN)).text).toContain("wait for the prompt");
    await phone.dial();
    const refusal =
      `Your phone or PIN is new: for your safety, you can buy by phone from ${until}.\n` +
      "Until then, buy at shop.example";
    expect((await type(phone, "1", "1", "1", "0241234567", NEW_PIN)).text).toBe(refusal);
    // Nor by mobile money.
    await phone.dial();
    expect((await type(phone, "1", "1", "1", "0241234567", "2")).text).toBe(refusal);
    expect(await count(db, sql`from orders where user_id = ${person.id}`)).toBe(0);
    await waitPasses(person);
    await phone.dial();
    expect((await type(phone, "1", "1", "1", "0241234567", NEW_PIN)).text).toContain("paid.");
    await db.execute(sql`update ussd_sessions set started_at = started_at - interval '20 minutes'`);
    await countOver(db);
    const stored = await allStoredText(world);
    expect(digitsIn(stored, PIN, NEW_PIN)).toEqual([]);
  });

for (const gateway of Object.keys(USSD_GATEWAYS) as UssdGatewayName[])
  longTest(`the lock screen through ${gateway} says what to dial, and that leads to the way out`, async () => {
    const { person, msisdn } = await agent();
    const phone = line.phone(msisdn, { gateway });
    for (let tries = 0; tries < 3; tries++) await verify(person, "573084");
    await phone.dial();
    const { text } = await type(phone, "1", "1", "1", "0241234567", PIN);
    expect(text).toMatch(/^Too many wrong PINs\. Locked until .*\nForgot PIN\? Dial \*920\*55\*6\*2\*1#$/);
    expect((await phone.dial("6*2*1")).text).toStartWith("Forgot PIN? We send a code to this phone.");
  });

test("the lock that only a new PIN ends says so", async () => {
  const { person, msisdn } = await agent();
  const phone = line.phone(msisdn);
  for (let tries = 0; tries < 3; tries++) await verify(person, "573084");
  await db.execute(sql`update pins set locked_until = now() + interval '99 years' where user_id = ${person.id}`);
  await phone.dial();
  expect((await type(phone, "1", "1", "1", "0241234567", PIN)).text).toBe(
    "Too many wrong PINs: your PIN is locked.\nFor a new one: Dial *920*55*6*2*1#, or ask support",
  );
});

test("an account without a PIN gets its first one in the same way, with the same wait", async () => {
  const person = await world.person(`agent${++agents}`, "GH₵ 50.00");
  const msisdn = `2335431${10_000 + agents}`;
  await equipPhone(world, person, msisdn, null);
  const phone = line.phone(msisdn);
  expect((await phone.dial()).text).toBe("You have no PIN yet.\nTo set one: Dial *920*55*6*2*1#");
  await phone.dial("6*2*1");
  await type(phone, "1");
  expect((await type(phone, await codeTo(msisdn), NEW_PIN, NEW_PIN)).text).toStartWith("You have a new PIN.");
  expect(await verify(person, NEW_PIN)).toBe("waits");
  await waitPasses(person);
  expect(await verify(person, NEW_PIN)).toBe("right");
});

describe("the wait of a new PIN", () => {
  test("holds for SMS, too, and ends a lock", async () => {
    const { person, msisdn, phone } = await agent();
    for (let tries = 0; tries < 3; tries++) await verify(person, "573084");
    expect(await verify(person, PIN)).toBe("locked");
    expect(await replace(person, msisdn)).toBe("changed");
    expect([await verify(person, NEW_PIN), await verify(person, NEW_PIN, "sms")]).toEqual(["waits", "waits"]);
    await phone.sendSms(`BUY MTN 1GB 0241234567 ${NEW_PIN}`);
    const [answer] = await db.execute<{ body: string }>(
      sql`select body from messages where user_id = ${person.id} and kind = 'sms_answer' order by id desc limit 1`,
    );
    expect(answer!.body).toStartWith(
      "DataFie: nothing was bought. Your phone or PIN is new: you can buy by phone from",
    );
    expect(await verify(person, PIN)).toBe("wrong");
  });

  test("is not shortened by changing the PIN, by USSD or with the password", async () => {
    const { person, msisdn } = await agent();
    await replace(person, msisdn);
    const begun = await pinChange.beginChange(db, pinKeys, { by: by(person), oldPin: NEW_PIN });
    if (begun.outcome !== "begun") throw new Error(begun.outcome);
    const chosen = await pinChange.chooseNew(db, pinKeys, {
      by: by(person),
      change: begun.change,
      newPin: PIN,
    });
    if (chosen.outcome !== "chosen") throw new Error(chosen.outcome);
    await pinChange.endChange(db, pinKeys, { by: by(person), change: chosen.change, newPin: PIN });
    expect(await verify(person, PIN)).toBe("waits");
    const own = { by: person.by("web"), pin: NEW_PIN, currentPassword: person.password };
    await pins.set(db, pinKeys, own);
    expect(await verify(person, NEW_PIN)).toBe("waits");
  });

  test("begins with the new PIN, whatever is verified at the same moment", async () => {
    const { person, msisdn } = await agent();
    const change = await authorised(person, msisdn);
    const chosen = await pinChange.chooseNew(db, pinKeys, { by: by(person), change, newPin: NEW_PIN });
    if (chosen.outcome !== "chosen") throw new Error(chosen.outcome);
    const end = () => pinChange.endChange(db, pinKeys, { by: by(person), change: chosen.change, newPin: NEW_PIN });
    const [, ...verdicts] = await Promise.all([
      end(),
      ...Array.from({ length: 8 }, (_, i) => verify(person, i % 2 ? NEW_PIN : PIN)),
    ]);
    // The old PIN may have been in time, the new one never spends.
    for (const [i, verdict] of verdicts.entries()) if (i % 2) expect(["waits", "wrong", "locked"]).toContain(verdict);
    expect(verdicts.filter((verdict, i) => i % 2 && verdict === "right")).toEqual([]);
  });
});

describe("the question besides the code", () => {
  /** Somebody who has sold to 0241110001 … 0241110025, in this order. */
  async function seller() {
    const one = await agent();
    await wallet.adjust(db, {
      ...{ by: world.yaw.by("admin"), key: null, userId: one.person.id },
      ...{ amountPesewas: 50_000, reason: "premise" },
    });
    for (let n = 1; n <= 25; n++)
      await orders.buy(db, {
        ...{ by: one.person.by("web"), key: null },
        line: { productId: bundle.id, msisdn: `02411100${String(n).padStart(2, "0")}`, quantity: 1 },
      });
    return one;
  }
  const afterCode = async ({ phone, msisdn }: Awaited<ReturnType<typeof agent>>) => {
    await phone.dial("6*2*1");
    await type(phone, "1");
    return (await type(phone, await codeTo(msisdn))).text;
  };
  const hoursLeft = async ({ id }: Person) => {
    const [row] = await db.execute<{ hours: number }>(
      sql`select round(extract(epoch from until - now()) / 3600)::int as hours from phone_waits where user_id = ${id}`,
    );
    return row!.hours;
  };

  longTest("takes a number that USSD does not show, and keeps the wait as it is", async () => {
    const one = await seller();
    expect(await afterCode(one)).toStartWith("Type a number you bought for before your last orders.");
    // Neither the last orders, nor the account's own number, nor what is none.
    for (const typed of ["0241110025", "0241110016"])
      expect((await type(one.phone, typed)).text).toStartWith("Not one of those. Try another.");
    expect((await type(one.phone, "024 111 0003")).text).toStartWith("Type a new PIN");
    await type(one.phone, NEW_PIN, NEW_PIN);
    expect(await hoursLeft(one.person)).toBe(48);
  });

  longTest("doubles the wait of who does not know", async () => {
    const one = await seller();
    await afterCode(one);
    expect((await type(one.phone, "1")).text).toStartWith("Type a new PIN");
    await type(one.phone, NEW_PIN, NEW_PIN);
    expect(await hoursLeft(one.person)).toBe(96);
  });

  longTest("is tried three times a day, also in several sessions", async () => {
    const one = await seller();
    await afterCode(one);
    await type(one.phone, "0245550001", "0245550002", "0245550003");
    expect((await type(one.phone, "0241110003")).text).toStartWith("You wait twice as long.");
    await type(one.phone, NEW_PIN, NEW_PIN);
    expect(await hoursLeft(one.person)).toBe(96);
  });

  test("is not asked where USSD shows all that could answer it", async () => {
    const one = await agent();
    expect(await afterCode(one)).toStartWith("Type a new PIN");
  });
});

describe("the code", () => {
  test("works once, also typed twice at once", async () => {
    const { person, msisdn } = await agent();
    await pinReset.sendCode(db, codeKeys, by(person));
    const code = await codeTo(msisdn);
    const both = await Promise.all([1, 2].map(() => pinReset.begin(db, codeKeys, { by: by(person), code })));
    expect(both.filter((change) => change !== null)).toHaveLength(1);
    expect(await pinReset.begin(db, codeKeys, { by: by(person), code })).toBeNull();
  });

  test("allows five tries, ten minutes, and five codes a day", async () => {
    const { person, msisdn } = await agent();
    await pinReset.sendCode(db, codeKeys, by(person));
    const late = await codeTo(msisdn);
    await db.execute(sql`update codes set expires_at = now() where user_id = ${person.id}`);
    expect(await pinReset.begin(db, codeKeys, { by: by(person), code: late })).toBeNull();
    await minutePasses();
    await pinReset.sendCode(db, codeKeys, by(person));
    const code = await codeTo(msisdn);
    for (let tries = 0; tries < 5; tries++)
      await pinReset.begin(db, codeKeys, { by: by(person), code: code === "000000" ? "1" : "000000" });
    expect(await pinReset.begin(db, codeKeys, { by: by(person), code })).toBeNull();
    for (let sent = 2; sent < 5; sent++) {
      await minutePasses();
      await pinReset.sendCode(db, codeKeys, by(person));
    }
    await minutePasses();
    expect(pinReset.sendCode(db, codeKeys, by(person))).rejects.toMatchObject({
      code: "request.rate_limited",
      details: { limit: "ussd.code" },
    });
  });

  test("of another purpose does not do, and reveals nothing about the old PIN", async () => {
    const { person, msisdn } = await agent();
    const change = await authorised(person, msisdn);
    // The same PIN again is taken like any other.
    const chosen = await pinChange.chooseNew(db, pinKeys, { by: by(person), change, newPin: PIN });
    expect(chosen.outcome).toBe("chosen");
    await db.execute(sql`update codes set purpose = 'phone', used_at = null where user_id = ${person.id}`);
    const code = await codeTo(msisdn);
    expect(await pinReset.begin(db, codeKeys, { by: by(person), code })).toBeNull();
  });
});

test("its owner is warned by SMS and e-mail, with when it spends and what to do", async () => {
  const { person, msisdn } = await agent();
  await replace(person, msisdn);
  const sent = await db.execute<{ channel: string; body: string }>(
    sql`select channel, body from messages where user_id = ${person.id} and kind = 'pin_changed' order by channel`,
  );
  const last = new Map(sent.map(({ channel, body }) => [channel, body]));
  expect(last.get("sms")).toMatch(
    /^DataFie: a new PIN was set with a code.*You can buy with it from .*Not you\? Log in and/,
  );
  expect(last.get("email")).toContain("You can buy with it from");
  expect(last.get("email")).toContain("If this was not you");
  const after = sql`from audit_log where action = 'user.pin_forgotten' and by_user_id = ${person.id}`;
  expect(await count(db, after)).toBe(1);
});
