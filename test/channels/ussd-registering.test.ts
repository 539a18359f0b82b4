// Tests of registering by USSD: the dialogue on every gateway, concurrency, budgets, the code that confirms the phone,
// the daily limit of a new account, and how it is claimed on the web.
import { beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { phones, users } from "../../db/schema/identity.ts";
import * as orders from "../../src/core/buying/buy.ts";
import { buyBulk } from "../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import { codeKey } from "../../src/core/identity/logins/codes.ts";
import * as passwordReset from "../../src/core/identity/logins/password-reset.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as registration from "../../src/core/identity/phones/ussd-registration.ts";
import * as limits from "../../src/core/ledger/limits.ts";
import * as newAccounts from "../../src/core/ledger/new-accounts.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { countOver } from "../../src/core/ussd/usage.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import { USSD_GATEWAYS, type UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { count, digitsIn } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openWorld, TEST_JWT_SECRET } from "../support/world.ts";
import { allStoredText, openLine, openReader } from "./dialling.ts";

const world = await openWorld();
const { db } = world;
const line = openLine(world);
const PIN = "918273";
const pinKeys = { key: pins.pinKey(TEST_JWT_SECRET) };
const codeKeys = { key: codeKey(TEST_JWT_SECRET), channels: { sms: true, email: true } };
const small = await world.product("MTN", "1GB", "30.00");
const set = (values: Partial<settings.Settings>) => settings.change(db, { by: world.yaw.by("admin"), values });
await set({ ussd_registration: true });

let numbers = 0;
/** A number that nobody has used. */
const fresh = () => `23354${String(7_000_000 + ++numbers)}`;
const { type } = openReader(db);

/** The code in the latest SMS to this number. */
async function codeTo(msisdn: string): Promise<string> {
  const [row] = await db.execute<{ body: string }>(
    sql`select body from messages where recipient = ${msisdn} and carries_code order by id desc limit 1`,
  );
  return /\d{6}/.exec(row!.body)![0];
}

/** Asked again within a minute, the code just sent stays valid. */
const minutePasses = () => db.execute(sql`update codes set created_at = created_at - interval '2 minutes'`);

async function ownerOf(msisdn: string) {
  const [row] = await db
    .select()
    .from(phones)
    .innerJoin(users, eq(users.id, phones.userId))
    .where(eq(phones.msisdn, msisdn));
  return row ?? null;
}

/** Opens an account as the dialogue does, without typing its code. */
async function opened(username: string, msisdn = fresh()): Promise<{ by: ByUser; msisdn: string }> {
  const answer = await registration.register(db, { pinKeys, codeKeys }, { msisdn, username, pin: PIN });
  if (answer.outcome !== "registered") throw new Error(answer.outcome);
  return { by: { userId: answer.userId, roles: ["USER"], channel: "ussd" }, msisdn };
}

const give = (userId: number, amountPesewas: number) =>
  wallet.adjust(db, { by: world.yaw.by("admin"), key: null, userId, amountPesewas, reason: "test" });

const buy = (by: ByUser, msisdn: string) =>
  orders.buy(db, { by, key: null, line: { productId: small.id, msisdn, quantity: 1 } });

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});
for (const gateway of Object.keys(USSD_GATEWAYS) as UssdGatewayName[])
  longTest(`an unknown phone registers through ${gateway}, and spends once its code is typed`, async () => {
    const msisdn = fresh();
    const phone = line.phone(msisdn, { gateway });
    expect((await phone.dial()).text).toBe(
      "Welcome to DataFie: data bundles for you and your customers.\n1 Register\n2 Help\n0 Exit",
    );
    const name = `ama.${gateway}`.slice(0, 20);
    expect((await type(phone, "1", "a b")).text).toStartWith("A username has 3 to 20 letters");
    expect((await type(phone, "yaw-admin", PIN.slice(0, 3))).text).toStartWith("A PIN has 4 to 6 digits");
    expect((await type(phone, "0", "1", name, "1234")).text).toStartWith("Too easy");
    expect((await type(phone, PIN, "640915")).text).toStartWith("The PINs differ.");
    expect((await type(phone, PIN, PIN)).text).toStartWith("We sent a code by SMS.");
    const owner = await ownerOf(msisdn);
    expect(owner?.users).toMatchObject({ username: name, email: null, passwordHash: "", status: "ACTIVE" });
    expect(owner?.phones.codeAwaitedSince).not.toBeNull();
    await give(owner!.users.id, 5_000);

    // It can look, but not spend.
    expect((await type(phone, "0", "2")).text).toStartWith("Balance GHS 50.00");
    expect((await type(phone, "0", "1", "1", "1", "0241234567", PIN)).text).toStartWith("We sent a code");
    // A new session begins with the code.
    expect((await phone.dial()).text).toStartWith("We sent a code");
    expect((await type(phone, "000000")).text).toStartWith("Wrong or old code.");
    expect((await type(phone, await codeTo(msisdn))).text).toStartWith("Your phone is confirmed.\nDataFie");
    expect((await type(phone, "1", "1", "1", fresh().replace("233", "0"), PIN)).text).toContain("paid.");
    expect((await ownerOf(msisdn))?.phones.codeAwaitedSince).toBeNull();
    await db.execute(sql`update ussd_sessions set started_at = started_at - interval '20 minutes'`);
    await countOver(db);
    expect(digitsIn(await allStoredText(world), PIN)).toEqual([]);
  });

describe("a username", () => {
  test("that is taken comes with a proposal, which is free", async () => {
    await world.person("kwame");
    const phone = line.phone(fresh());
    await phone.dial();
    const screen = await type(phone, "1", "Kwame");
    const proposal = /1 Use (Kwame\d{2,3})/.exec(screen.text)![1]!;
    expect(screen.text).toStartWith("Kwame is taken.");
    expect((await type(phone, "1")).text).toStartWith("Choose a PIN");
    expect((await type(phone, PIN, PIN)).text).toStartWith("We sent a code");
    expect(await count(db, sql`from users where username = ${proposal}`)).toBe(1);
  });

  test("taken between its screen and the last is asked for again", async () => {
    const phone = line.phone(fresh());
    await phone.dial();
    await type(phone, "1", "efua", PIN);
    await world.person("efua");
    expect((await type(phone, PIN)).text).toStartWith("efua is taken.");
  });

  test("of the shop, or too long for a screen, is refused", async () => {
    for (const name of ["DataFie", "ad", "x".repeat(21), "ama ama", "a<b"])
      expect(await registration.checkName(db, name)).toBe("refused");
    expect(await registration.checkName(db, "x".repeat(20))).toBe("free");
  });
});

describe("one phone has one account", () => {
  test("of two registrations at once, one opens it", async () => {
    const msisdn = fresh();
    const wanted = ["esi", "esi2"].map((username) => ({ msisdn, username, pin: PIN }));
    const answers = await Promise.all(wanted.map((it) => registration.register(db, { pinKeys, codeKeys }, it)));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["phone_taken", "registered"]);
    expect(await count(db, sql`from users where username like 'esi%'`)).toBe(1);
    expect(await count(db, sql`from messages where recipient = ${msisdn}`)).toBe(1);
  });

  test("the same registration again finds the account that it opened", async () => {
    const wanted = { msisdn: fresh(), username: "adjoa", pin: PIN };
    const both = [1, 2].map(() => registration.register(db, { pinKeys, codeKeys }, wanted));
    const [first, second] = await Promise.all(both);
    expect(first).toEqual(second!);
    expect(first!.outcome).toBe("registered");
    const other = await registration.register(db, { pinKeys, codeKeys }, { ...wanted, pin: "640915" });
    expect(other.outcome).toMatch(/taken/);
  });

  test("a phone that is confirmed elsewhere meanwhile is not taken away", async () => {
    const msisdn = fresh();
    const phone = line.phone(msisdn);
    await phone.dial();
    await type(phone, "1", "yaa", PIN);
    const web = await world.person("web-owner");
    await db.insert(phones).values({ userId: web.id, msisdn });
    expect((await type(phone, PIN)).text).toBe("This phone has an account now. Please dial again.");
    expect((await ownerOf(msisdn))?.users.id).toBe(web.id);
  });
});

describe("what strangers can cost", () => {
  test("is bounded for the shop, whoever dials", async () => {
    await db.execute(sql`insert into rate_limits values ('ussd.register_shop:all', 300, now() + interval '1 hour')`);
    const phone = line.phone(fresh());
    await phone.dial();
    expect((await type(phone, "1", "late", PIN, PIN)).text).toStartWith("Sorry, we open no more accounts");
    expect(await count(db, sql`from users where username = 'late'`)).toBe(0);
  });

  test("is five codes a day for a phone", async () => {
    const { by, msisdn } = await opened("codes");
    for (let sent = 1; sent < 5; sent++) {
      await minutePasses();
      await registration.sendCode(db, codeKeys, { by, msisdn });
    }
    await minutePasses();
    expect(registration.sendCode(db, codeKeys, { by, msisdn })).rejects.toMatchObject({
      code: "request.rate_limited",
      details: { limit: "ussd.code" },
    });
    const phone = line.phone(msisdn);
    await phone.dial();
    expect((await type(phone, "1")).text).toStartWith("No more codes now.");
  });

  test("is nothing while the shop does not open accounts by phone", async () => {
    await set({ ussd_registration: false });
    expect((await line.phone(fresh()).dial()).text).toStartWith("This phone is not on DataFie.");
    await set({ ussd_registration: true });
  });

  test("is nothing by dialling ahead: the first screen must be seen", async () => {
    const screen = await line.phone(fresh()).dial("1*kofi*918273*918273");
    expect(screen.text).toStartWith("Welcome to DataFie");
  });
});

describe("the code that confirms the phone", () => {
  test("typed twice at once confirms it once", async () => {
    const { by, msisdn } = await opened("twice");
    const code = await codeTo(msisdn);
    const answers = await Promise.all([1, 2].map(() => registration.confirm(db, codeKeys, { by, code })));
    expect(answers).toEqual([true, true]);
    expect(await count(db, sql`from audit_log where action = 'user.phone' and by_user_id = ${by.userId}`)).toBe(1);
  });

  test("is wrong after five wrong tries, and a new one works", async () => {
    const { by, msisdn } = await opened("guesser");
    const code = await codeTo(msisdn);
    for (let tries = 0; tries < 5; tries++)
      expect(await registration.confirm(db, codeKeys, { by, code: code === "000000" ? "1" : "000000" })).toBe(false);
    expect(await registration.confirm(db, codeKeys, { by, code })).toBe(false);
    await registration.sendCode(db, codeKeys, { by, msisdn });
    expect(await registration.confirm(db, codeKeys, { by, code: await codeTo(msisdn) })).toBe(true);
  });
});

describe("a new account's daily limit", () => {
  const limited = { code: "order.daily_limit", details: { limit: 100, left: 10 } };

  test("bounds purchases of one and of many, until it is lifted", async () => {
    const { by } = await opened("capped");
    await give(by.userId, 50_000);
    for (let n = 1; n <= 3; n++) await buy(by, `024111110${n}`);
    expect(buy(by, "0241111104")).rejects.toMatchObject(limited);
    const lines = [{ productId: small.id, msisdn: "0241111105", quantity: 1 }];
    expect(buyBulk(db, { by, key: null, lines })).rejects.toMatchObject(limited);
    // Money from a stranger's mobile money does not lift it; money from the own phone does.
    await db.transaction((tx) => newAccounts.liftByPayment(tx, by.userId, "233240000009"));
    expect(buy(by, "0241111104")).rejects.toMatchObject(limited);
    const [own] = await db.select().from(phones).where(eq(phones.userId, by.userId));
    await db.transaction((tx) => newAccounts.liftByPayment(tx, by.userId, own!.msisdn));
    await buy(by, "0241111104");
  });

  test("bounds what an order waits for, too, until the limit is lifted", async () => {
    const { by, msisdn } = await opened("patient");
    await give(by.userId, 50_000);
    const line = { productId: small.id, msisdn: "0241111109", quantity: 1 };
    const { answer: waiting } = await unpaidOrders.create(db, { by, key: null, line });
    for (let n = 1; n <= 3; n++) await buy(by, `024555550${n}`);
    const ask = { by, key: null, orderId: waiting.id };
    await expect(unpaidOrders.spend(db, ask)).rejects.toMatchObject(limited);
    expect(await wallet.balance(db, by.userId)).toBe(41_000);
    await db.transaction((tx) => newAccounts.liftByPayment(tx, by.userId, msisdn));
    await unpaidOrders.spend(db, ask);
    expect(await wallet.balance(db, by.userId)).toBe(38_000);
  });

  test("holds for purchases at the same moment", async () => {
    const { by } = await opened("hurried");
    await give(by.userId, 50_000);
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => buy(by, `02422222${String(n).padStart(2, "0")}`)),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  test("is said on the screen, with the next step", async () => {
    const { by, msisdn } = await opened("told");
    await registration.confirm(db, codeKeys, { by, code: await codeTo(msisdn) });
    await give(by.userId, 50_000);
    for (let n = 1; n <= 3; n++) await buy(by, `024333330${n}`);
    const phone = line.phone(msisdn);
    await phone.dial();
    expect((await type(phone, "1", "1", "1", "0243333304", PIN)).text).toBe(
      "A new account can spend GHS 100.00 a day, GHS 10.00 is left today.\n" +
        "To lift that, dial *920*55*4# and add money from this phone.",
    );
  });

  test("does not bound other accounts", async () => {
    const kofi = await world.person("kofi", "GH₵ 200.00");
    for (let n = 1; n <= 4; n++) await buy(kofi.by(), `024444440${n}`);
  });
});

describe("the claim on the web", () => {
  const origin = { address: "127.0.0.1", channel: "web" as const };

  async function resetCode(msisdn: string): Promise<string> {
    await minutePasses();
    await passwordReset.request(db, codeKeys, { login: msisdn, ...origin });
    await passwordReset.sendRequestedCodes(db, codeKeys, 10);
    return codeTo(msisdn);
  }

  test("gives the account its e-mail and password, confirms the phone, and lifts the limit later", async () => {
    const { by, msisdn } = await opened("claimer");
    const ask = { login: msisdn, password: "blue goats sing", ...origin };
    const code = await resetCode(msisdn);
    expect(passwordReset.reset(db, codeKeys, { ...ask, code })).rejects.toMatchObject({
      code: "account.unclaimed",
    });
    await passwordReset.claim(db, codeKeys, { ...ask, code, email: "Claimer@example.com" });
    // Sent twice, it has the same answer.
    await passwordReset.claim(db, codeKeys, { ...ask, code, email: "claimer@example.com" });
    const owner = await ownerOf(msisdn);
    expect(owner?.users).toMatchObject({ id: by.userId, email: "claimer@example.com" });
    expect(owner?.phones.codeAwaitedSince).toBeNull();
    const cap = async () => (await limits.standing(db, by.userId)).newAccountMaxPesewas;
    expect(await cap()).toBe(10_000);
    await db.execute(sql`update phone_waits set until = now() where user_id = ${by.userId}`);
    expect(await cap()).toBeNull();
    // It is claimed once; from then on it is a password like any other.
    const again = { ...ask, code: await resetCode(msisdn) };
    expect(passwordReset.claim(db, codeKeys, { ...again, email: "other@example.com" })).rejects.toMatchObject({
      code: "account.claimed",
    });
    await passwordReset.reset(db, codeKeys, again);
  });

  test("refuses an e-mail of another account, and a wrong code", async () => {
    const { msisdn } = await opened("second");
    await world.person("first");
    const ask = { login: msisdn, password: "blue goats sing", email: "first@example.com", ...origin };
    expect(passwordReset.claim(db, codeKeys, { ...ask, code: "000000" })).rejects.toMatchObject({
      code: "code.wrong",
    });
    const code = await resetCode(msisdn);
    expect(passwordReset.claim(db, codeKeys, { ...ask, code })).rejects.toMatchObject({
      code: "user.email_taken",
    });
    await passwordReset.claim(db, codeKeys, { ...ask, code, email: "second@example.com" });
  });
});
