// Whoever has stolen a SIM gets the codes that come to it. With them alone they set a password or claim an account, and
// then wait on all channels, and its owner is warned; who shows more than the SIM does not wait.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones as phoneTable } from "../../../db/schema/identity.ts";
import { phoneWaits as waitTable } from "../../../db/schema/ledger-limits.ts";
import * as afa from "../../../src/core/afa/registrations.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as apiKeys from "../../../src/core/identity/api-keys.ts";
import * as devices from "../../../src/core/identity/logins/devices.ts";
import * as passwordReset from "../../../src/core/identity/logins/password-reset.ts";
import * as secondFactor from "../../../src/core/identity/logins/second-factor.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as phoneWaits from "../../../src/core/identity/phones/phone-waits.ts";
import * as phones from "../../../src/core/identity/phones/phones.ts";
import * as pinChange from "../../../src/core/identity/phones/pin-change.ts";
import * as pinReset from "../../../src/core/identity/phones/pin-reset.ts";
import * as pins from "../../../src/core/identity/phones/pins.ts";
import * as registration from "../../../src/core/identity/phones/ussd-registration.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as limits from "../../../src/core/ledger/limits.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as notices from "../../../src/core/messaging/notices.ts";
import * as optOuts from "../../../src/core/messaging/opt-outs.ts";
import * as walletPayouts from "../../../src/core/payments/wallet-payouts.ts";
import type { Channel } from "../../../src/shared/domain.ts";
import { lineFor, outcome, refusal } from "../../support/asking.ts";
import { codeNow, enrol, FACTOR_KEYS } from "../../support/factor.ts";
import { asProved, KEY_SETTINGS, makeKey } from "../../support/keys.ts";
import { longTest } from "../../support/long.ts";
import { openMessaging } from "../../support/messaging.ts";
import { openApp, openWorld, type Person, TEST_CARDS, TEST_JWT_SECRET } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const post = await openMessaging(world);
const keys = { key: post.messaging.codeKey, channels: { sms: true, email: true } };
const pinKeys = { key: pins.pinKey(TEST_JWT_SECRET) };
await products.ensureAfa(db);
const bundle = await world.product("MTN", "1GB", "10.00");
const admin = yaw.by("admin");
const PIN = "918273";
const thiefs = { password: "the thief's own phrase", address: "198.51.100.7" };
const HOUR_MS = 3_600_000;
const deviceKeys = devices.deviceKeysOf(TEST_JWT_SECRET);

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

let number = 10;
type Robbed = { ama: Person; msisdn: string };
/** An agent with a confirmed phone, a PIN and GH₵ 100.00. */
async function agent(): Promise<Robbed> {
  const ama = await world.person(`robbed${++number}`, "GH₵ 100.00");
  const msisdn = `2335400012${number}`;
  await db.insert(phoneTable).values({ userId: ama.id, msisdn });
  await pins.set(db, pinKeys, { by: ama.by("web"), pin: PIN, currentPassword: ama.password });
  return { ama, msisdn };
}
/** Somebody who registered by USSD and typed the code, with GH₵ 900.00. */
async function registered(): Promise<{ userId: number; msisdn: string }> {
  const msisdn = `2335400012${++number}`;
  const wanted = { msisdn, username: `esi${number}`, pin: PIN };
  const opened = await registration.register(db, { pinKeys, codeKeys: keys }, wanted);
  if (opened.outcome !== "registered") throw new Error(opened.outcome);
  const { userId } = opened;
  const by = { userId, roles: ["USER"], channel: "ussd" } as const;
  await registration.confirm(db, keys, { by, code: await post.codeTo(msisdn) });
  await wallet.adjust(db, { by: admin, key: null, userId, amountPesewas: 90_000, reason: "premise" });
  return { userId, msisdn };
}
type More = Partial<Parameters<typeof passwordReset.reset>[2]>;
/** Sets a password by a code to this phone or mailbox. */
async function reset(login: string, more: More = {}): Promise<void> {
  await passwordReset.request(db, keys, { login, ...thiefs, ...more });
  const code = await post.codeTo(login);
  await passwordReset.reset(db, keys, { login, code, channel: "web", ...thiefs, ...more });
}
async function claim(msisdn: string, more: More = {}): Promise<string> {
  await passwordReset.request(db, keys, { login: msisdn, ...thiefs });
  const code = await post.codeTo(msisdn);
  const email = `thief${number}@example.com`;
  await passwordReset.claim(db, keys, { login: msisdn, code, email, channel: "web", ...thiefs, ...more });
  return email;
}
const buy = (userId: number, channel: Channel = "web", keyId?: number) =>
  orders.buy(db, {
    by: { userId, roles: ["USER"], channel, ...(keyId !== undefined && { keyId }) },
    key: null,
    line: lineFor(bundle),
  });
const hoursLeft = async (userId: number) =>
  Math.round(((await phoneWaits.of(db, userId))!.until.getTime() - Date.now()) / HOUR_MS);
const timePasses = (userId: number) => db.execute(sql`update phone_waits set until = now() where user_id = ${userId}`);

const waitOf = (userId: number) => ({
  userId,
  cause: "phone" as const,
  until: new Date(Date.now() + HOUR_MS),
});

describe("a password set with a code to the phone", () => {
  longTest("spends by no channel before the wait is over", async () => {
    const { ama, msisdn } = await agent();
    const by = ama.by("web");
    const { answer: waiting } = await unpaidOrders.create(db, { by, key: null, line: lineFor(bundle) });
    const key = await makeKey(db, by);
    await reset(msisdn);
    const person = { fullName: "Kofi Mensah", phone: "0241230001", location: "Accra" };
    const call = async (headers?: Record<string, string>) => {
      const body = { ...lineFor(bundle), pay: "wallet" };
      const reply = await client.call(headers ? null : ama, "POST", "/api/v1/orders", body, headers);
      return reply.status === 201 ? "done" : reply.body.code;
    };
    const channels: Record<string, () => Promise<string>> = {
      "a page": () => outcome(buy(ama.id, "web")),
      "a bulk order": () => outcome(buyBulk(db, { by, key: null, lines: [lineFor(bundle)] })),
      "the API": () => call(),
      "an API key": () => call(key.headers),
      "by USSD": () => outcome(buy(ama.id, "ussd")),
      "by SMS": () => outcome(buy(ama.id, "sms")),
      "an order from before": () => outcome(unpaidOrders.spend(db, { by, key: null, orderId: waiting.id })),
      "AFA registrations": () =>
        outcome(
          afa.register(db, TEST_CARDS, {
            by,
            key: null,
            people: [{ ...person, ghCardId: "GHA-123456789-0" }],
          }),
        ),
    };
    for (const [channel, tried] of Object.entries(channels))
      expect({ channel, outcome: await tried() }).toEqual({ channel, outcome: "account.waits" });
    expect(await world.balanceOf(ama)).toBe(10_000);
    await timePasses(ama.id);
    for (const [channel, tried] of Object.entries(channels))
      expect({ channel, outcome: await tried() }).toEqual({ channel, outcome: "done" });
  });

  test("changes nothing by which the account is entered or pays", async () => {
    const { ama, msisdn } = await agent();
    const by = ama.by("web");
    const own = { by, currentPassword: ama.password };
    await secondFactor.begin(db, FACTOR_KEYS, { ...own, sessionId: "none" });
    const secret = (await secondFactor.pendingSecret(db, FACTOR_KEYS, ama.id))!;
    await reset(msisdn);
    const asThief = { by, currentPassword: thiefs.password, sessionId: "thief" };
    const changes: Record<string, () => Promise<unknown>> = {
      "a PIN": () => pins.set(db, pinKeys, { ...asThief, pin: "640915" }),
      "no PIN": () => pins.remove(db, asThief),
      "a phone": () => phones.sendCode(db, keys, { ...asThief, ...thiefs, msisdn: "0541230002" }),
      "its code": () => phones.confirm(db, keys, { by, code: "123456" }),
      "no phone": () => phones.remove(db, asThief),
      "an e-mail": () => profile.rename(db, { ...asThief, username: "ama2", email: "thief@example.com" }),
      "a password": () => profile.changePassword(db, { ...asThief, password: "another phrase still" }),
      "an extra login code": () => secondFactor.begin(db, FACTOR_KEYS, asThief),
      "one that was begun": () =>
        secondFactor.confirm(db, FACTOR_KEYS, { by, code: codeNow(secret), sessionId: "thief" }),
      "a closed account": () => profile.close(db, asThief),
    };
    for (const [change, tried] of Object.entries(changes))
      expect({ change, outcome: await outcome(tried()) }).toEqual({ change, outcome: "account.waits" });
  });

  longTest("makes, replaces and widens no API key, whatever else was proved", async () => {
    const { ama, msisdn } = await agent();
    const by = ama.by("web");
    const keeper = apiKeys.keeperOf(db, "live");
    const old = await makeKey(db, by, { scopes: ["read"] });
    await reset(msisdn);
    const changes: Record<string, () => Promise<unknown>> = {
      "an API key": () => asProved(db, by, () => keeper.create({ by, key: null, ...KEY_SETTINGS })),
      "another in its place": () => asProved(db, by, () => keeper.rotate({ by, key: null, keyId: old.id })),
      "a wider key": () => asProved(db, by, () => keeper.change({ by, keyId: old.id, scopes: ["read", "buy"] })),
    };
    for (const [change, tried] of Object.entries(changes))
      expect({ change, outcome: await outcome(tried()) }).toEqual({ change, outcome: "account.waits" });
  });

  test("lets nobody pay out an account that was banned meanwhile", async () => {
    const { ama, msisdn } = await agent();
    await reset(msisdn);
    await users.ban(db, { by: admin, userId: ama.id });
    const payout = {
      ...{ userId: ama.id, amountPesewas: 10_000, method: "momo" as const, msisdn: "233541234567" },
      ...{ name: "Ama Mensah", reference: "40125561111", reason: "Left the shop" },
    };
    expect(await outcome(walletPayouts.payOut(db, { by: admin, key: null, ...payout }))).toBe("account.waits");
  });

  longTest("says until when, and how its owner need not wait", async () => {
    const { ama, msisdn } = await agent();
    await reset(msisdn);
    const refused = await refusal(buy(ama.id));
    const { until } = (await phoneWaits.of(db, ama.id))!;
    expect(refused).toMatchObject({
      status: 403,
      details: { cause: "password", until: until.toISOString() },
    });
    expect(refused.message).toContain("Set one with a code to your email, and it works at once, or ask support.");
    const page = await client.browse(ama, "/dashboard");
    expect(await page.text()).toContain("Your password was set with a code to your phone.");
  });

  longTest("waits the shop's hours, and twice as long where no e-mail warns its owner", async () => {
    const { ama, msisdn } = await agent();
    await reset(msisdn);
    expect(await hoursLeft(ama.id)).toBe(48);
    const esi = await registered();
    await claim(esi.msisdn);
    expect(await hoursLeft(esi.userId)).toBe(96);
  });

  longTest("is reported to the mailbox and the phone, once", async () => {
    const { ama, msisdn } = await agent();
    await reset(msisdn);
    await post.deliver();
    const sms = post.textsTo(msisdn).filter((text) => text.includes("a new password was set"));
    expect(sms).toHaveLength(1);
    expect(sms[0]!.length).toBeLessThanOrEqual(160);
    const mails = post.textsTo(ama.email).filter((text) => text.includes("with a code to your phone"));
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("nothing can be bought before");
  });

  longTest("ends its wait by one set with a code to the mailbox, which no thief of a SIM has", async () => {
    const { ama, msisdn } = await agent();
    await reset(msisdn);
    await reset(ama.email, { password: "the owner's own phrase" });
    await buy(ama.id);
    // Not that of another phone.
    await db.insert(waitTable).values(waitOf(ama.id));
    await reset(ama.email, { password: "the owner's other phrase" });
    expect(await outcome(buy(ama.id, "ussd"))).toBe("account.waits");
  });

  test("does not wait from a browser in which its owner has logged in", async () => {
    const { ama, msisdn } = await agent();
    const cookie = devices.cookieFor({ keys: deviceKeys, cookie: null }, ama.id);
    await reset(msisdn, { device: { keys: deviceKeys, cookie } });
    await buy(ama.id);
  });

  test("makes no known device of the browser that logs in meanwhile", async () => {
    const { ama, msisdn } = await agent();
    await reset(msisdn);
    const device = { keys: deviceKeys, cookie: null };
    expect(await devices.cookieAfterLogin(db, device, ama.id)).toBeUndefined();
    await timePasses(ama.id);
    expect(await devices.cookieAfterLogin(db, device, ama.id)).toStartWith(`${ama.id}.`);
  });

  test("does not wait where each login takes a code of the second factor as well", async () => {
    const { ama, msisdn } = await agent();
    await enrol(world, ama);
    await reset(msisdn);
    await buy(ama.id);
    expect(await outcome(sessions.logIn(db, { email: ama.email, ...thiefs, userAgent: "" }))).toBe(
      "auth.second_factor_required",
    );
  });

  test("does not wait with the PIN, which is counted like any other", async () => {
    const { ama, msisdn } = await agent();
    const withPin = (typed: string) => ({ pin: { typed, keys: pinKeys } });
    await passwordReset.request(db, keys, { login: msisdn, ...thiefs });
    const code = await post.codeTo(msisdn);
    const set = (typed: string) =>
      outcome(passwordReset.reset(db, keys, { login: msisdn, code, channel: "web", ...thiefs, ...withPin(typed) }));
    expect([await set("640915"), await set("640916")]).toEqual(["pin.wrong", "pin.wrong"]);
    expect(await set(PIN)).toBe("done");
    await buy(ama.id);
    // Without the code nobody tries a PIN.
    const wrongCode = { login: msisdn, code: "000000", channel: "web" as const, ...thiefs };
    for (const typed of ["640915", "640916", "640917"])
      expect(await outcome(passwordReset.reset(db, keys, { ...wrongCode, ...withPin(typed) }))).toBe("code.wrong");
    expect(await pins.verify(db, pinKeys, { userId: ama.id, pin: PIN })).toBe("right");
  });

  test("waits with a PIN that was itself set with a code", async () => {
    const { ama, msisdn } = await agent();
    await db.insert(waitTable).values({ ...waitOf(ama.id), cause: "pin" });
    await reset(msisdn, { pin: { typed: PIN, keys: pinKeys } });
    expect(await outcome(buy(ama.id))).toBe("account.waits");
  });

  longTest("is for agents: the phone of somebody of the staff opens nothing, and nobody can tell", async () => {
    const msisdn = "233540001299";
    await db.insert(phoneTable).values({ userId: yaw.id, msisdn });
    await passwordReset.request(db, keys, { login: msisdn, ...thiefs });
    await post.deliver();
    expect(post.textsTo(msisdn)).toEqual([]);
    const ask = { login: msisdn, code: "123456", channel: "web" as const, ...thiefs };
    expect(await outcome(passwordReset.reset(db, keys, ask))).toBe("code.wrong");
    // Nor with a code from the time before they were of the staff.
    const kofi = await agent();
    await passwordReset.request(db, keys, { login: kofi.msisdn, ...thiefs });
    const code = await post.codeTo(kofi.msisdn);
    await db.execute(sql`update users set roles = '{SUPPORT}' where id = ${kofi.ama.id}`);
    expect(await outcome(passwordReset.reset(db, keys, { ...ask, login: kofi.msisdn, code }))).toBe("code.wrong");
  });
});

describe("an account claimed with a code to its phone", () => {
  longTest("waits, keeps the limit of new accounts while it does, and its phone gets a notice", async () => {
    const { userId, msisdn } = await registered();
    await claim(msisdn);
    expect(await outcome(buy(userId))).toBe("account.waits");
    expect((await limits.standing(db, userId)).newAccountMaxPesewas).toBe(10_000);
    await post.deliver();
    const notices = post.textsTo(msisdn).filter((text) => text.includes("has an email and a password now"));
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain("Nothing can be bought before");
    await timePasses(userId);
    await buy(userId);
    expect((await limits.standing(db, userId)).newAccountMaxPesewas).toBeNull();
  });

  test("does not wait with the PIN that its owner chose", async () => {
    const { userId, msisdn } = await registered();
    await claim(msisdn, { pin: { typed: PIN, keys: pinKeys } });
    for (let n = 0; n < 11; n++) await buy(userId);
    expect((await limits.standing(db, userId)).newAccountMaxPesewas).toBeNull();
  });
});

describe("a phone that stopped notices by SMS", () => {
  /** What is sent to this phone from now on, by kind; everything before is gone. */
  const sentTo = async (msisdn: string, work: () => Promise<unknown>) => {
    await db.execute(sql`delete from messages where recipient = ${msisdn}`);
    await optOuts.stop(db, msisdn, "sms");
    await work();
    await post.deliver();
    const rows = await db.execute<{ kind: string; state: string }>(
      sql`select kind, state from messages where recipient = ${msisdn} and not carries_code order by id`,
    );
    return [...new Set(rows.map(({ kind, state }) => `${kind} ${state}`))];
  };
  const wrongPins = async (userId: number) => {
    for (const pin of ["640915", "640916", "640917"]) await pins.verify(db, pinKeys, { userId, pin });
  };
  const forgotten = async ({ ama, msisdn }: Robbed) => {
    const by = ama.by("ussd");
    await pinReset.sendCode(db, keys, by);
    const begun = (await pinReset.begin(db, keys, { by, code: await post.codeTo(msisdn) }))!;
    const chosen = await pinChange.chooseNew(db, pinKeys, { by, change: begun, newPin: "640915" });
    if (chosen.outcome !== "chosen") throw new Error(chosen.outcome);
    await pinChange.endChange(db, pinKeys, { by, change: chosen.change, newPin: "640915" });
  };
  const paidOut = async ({ ama }: Robbed) => {
    await users.ban(db, { by: admin, userId: ama.id });
    const payout = { userId: ama.id, amountPesewas: 10_000, method: "momo" as const, msisdn: "233541234567" };
    const more = { name: "Ama Mensah", reference: `4012556${number}`, reason: "Left the shop" };
    await walletPayouts.payOut(db, { by: admin, key: null, ...payout, ...more });
  };
  const protecting: Record<string, [act: (robbed: Robbed) => Promise<unknown>, kind: string]> = {
    "wrong PINs": [({ ama }) => wrongPins(ama.id), "pin_locked"],
    "another PIN": [
      ({ ama }) => pins.set(db, pinKeys, { by: ama.by("web"), pin: "640915", currentPassword: ama.password }),
      "pin_changed",
    ],
    "a PIN by code": [forgotten, "pin_changed"],
    "no PIN": [({ ama }) => pins.reset(db, { by: admin, userId: ama.id }), "pin_changed"],
    "no phone": [({ ama }) => phones.remove(db, { by: ama.by("web"), currentPassword: ama.password }), "phone_changed"],
    "a password by code": [({ msisdn }) => reset(msisdn), "password_changed"],
    "a paid-out wallet": [paidOut, "wallet_paid_out"],
  };
  for (const [act, [work, kind]] of Object.entries(protecting))
    longTest(`gets the notice of ${act}`, async () => {
      const robbed = await agent();
      expect(await sentTo(robbed.msisdn, () => work(robbed))).toEqual([`${kind} sent`]);
    });

  test("gets no notice of money that comes and goes", async () => {
    const { ama, msisdn } = await agent();
    await phones.chooseNotices(db, { by: ama.by("web"), notifyPurchases: true });
    const sent = await sentTo(msisdn, async () => {
      const { answer } = await buy(ama.id);
      const accepted = { first: answer.order, orders: 1, amountPesewas: 1000, balancePesewas: 9000 };
      await db.transaction((tx) => notices.ordersAccepted(tx, ama.id, accepted));
    });
    expect(sent).toEqual(["order_accepted failed"]);
  });
});
