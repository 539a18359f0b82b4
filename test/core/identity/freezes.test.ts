// A frozen account may log in and look, and not spend or change how it spends; money that comes in is credited. It ends
// by hand or at its time.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { messages } from "../../../db/schema/messaging.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as freezes from "../../../src/core/identity/freezes.ts";
import { codeKey } from "../../../src/core/identity/logins/codes.ts";
import * as passwordReset from "../../../src/core/identity/logins/password-reset.ts";
import * as secondFactor from "../../../src/core/identity/logins/second-factor.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as phones from "../../../src/core/identity/phones/phones.ts";
import * as pinChange from "../../../src/core/identity/phones/pin-change.ts";
import * as pinReset from "../../../src/core/identity/phones/pin-reset.ts";
import * as pins from "../../../src/core/identity/phones/pins.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import * as prompts from "../../../src/core/payments/momo-prompts.ts";
import * as payments from "../../../src/core/payments/payments.ts";
import { count, holdWallet, key, lineFor, outcome, refusal, tally, times } from "../../support/asking.ts";
import { openWorld, type Person, TEST_JWT_SECRET } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const admin = yaw.by("admin");
const bundle = await world.product("MTN", "1GB", "10.00");
const pinKeys = { key: pins.pinKey(TEST_JWT_SECRET) };
const codeKeys = { key: codeKey(TEST_JWT_SECRET), channels: { sms: true, email: true } };
const TERMS = { reason: "Three cards in an hour", message: "We are checking a payment", until: null };

let people = 0;
const somebody = () => world.person(`frozen${++people}`, "GH₵ 100.00");
const freeze = (person: Person, more: Partial<freezes.FreezeTerms> = {}) =>
  freezes.freeze(db, { by: admin, userId: person.id, ...TERMS, ...more });
const unfreeze = (person: Person) =>
  freezes.unfreeze(db, { by: admin, userId: person.id, reason: "The card is theirs" });
const buy = (person: Person) => orders.buy(db, { by: person.by(), key: null, line: lineFor(bundle) });
const lastMail = async (person: Person) =>
  (await db.select().from(messages).where(eq(messages.userId, person.id)).orderBy(sql`id desc`).limit(1))[0]!;

describe("a frozen account", () => {
  test("cannot spend in any way, and reads why, until when, and whom to ask", async () => {
    const ama = await somebody();
    const by = ama.by();
    const { answer: waiting } = await unpaidOrders.create(db, { by, key: null, line: lineFor(bundle) });
    await freeze(ama, { until: new Date("2099-01-02T15:04:00Z") });
    const refused = await refusal(buy(ama));
    expect(refused).toMatchObject({
      ...{ code: "account.frozen", status: 403 },
      details: { message: "We are checking a payment", until: "2099-01-02T15:04:00.000Z" },
    });
    expect(refused.message).toBe(
      "Your account is frozen for now, and your money is safe. We are checking a payment. " +
        "It ends on 2 Jan 15:04. Questions? Ask support.",
    );
    const payer = { network: "mtn", msisdn: "233241234567", serviceCode: "*920*55#" } as const;
    const line = lineFor(bundle);
    const ways: Record<string, () => Promise<unknown>> = {
      bulk: () => buyBulk(db, { by, key: null, lines: [lineFor(bundle)] }),
      "an order for later": () => unpaidOrders.create(db, { by, key: null, line: lineFor(bundle) }),
      "an order from before": () => unpaidOrders.spend(db, { by, key: null, orderId: waiting.id }),
      "a top-up": () => payments.startTopUp(db, { by, key: null, amountPesewas: 2000 }),
      "a prompt": () => prompts.request(db, { by, key: key("prompt"), amountPesewas: 2000, ...payer }),
      "a prompt for an order": () => prompts.requestForOrder(db, { by, key: key("order"), line, ...payer }),
    };
    for (const [way, work] of Object.entries(ways))
      expect({ way, outcome: await outcome(work()) }).toEqual({ way, outcome: "account.frozen" });
    expect(await world.balanceOf(ama)).toBe(10_000);
    await unfreeze(ama);
    await buy(ama);
  });

  test("cannot change its phone, PIN, name, e-mail, password or extra login code", async () => {
    const ama = await somebody();
    await phones.sendCode(db, codeKeys, {
      ...{ by: ama.by(), msisdn: "0541230001", currentPassword: ama.password, address: "192.0.2.1" },
    });
    const codeOf = async (kind: string) => {
      const [row] = await db.execute<{ body: string }>(
        sql`select body from messages where user_id = ${ama.id} and kind = ${kind} order by id desc limit 1`,
      );
      return /\d{6}/.exec(row!.body)![0];
    };
    await phones.confirm(db, codeKeys, { by: ama.by(), code: await codeOf("phone_code") });
    const own = { by: ama.by(), currentPassword: ama.password };
    await pins.set(db, pinKeys, { ...own, pin: "918273" });
    const from = { address: "192.0.2.1", channel: "web" as const };
    await passwordReset.request(db, codeKeys, { login: ama.email, ...from });
    await passwordReset.sendRequestedCodes(db, codeKeys, 10);
    const code = await codeOf("reset_code");
    await freeze(ama);
    const session = { ...own, sessionId: "mine" };
    const ways: Record<string, () => Promise<unknown>> = {
      "a phone": () => phones.sendCode(db, codeKeys, { ...own, msisdn: "0541230002", address: "192.0.2.1" }),
      "its code": () => phones.confirm(db, codeKeys, { by: ama.by(), code: "123456" }),
      "no phone": () => phones.remove(db, own),
      "a PIN": () => pins.set(db, pinKeys, { ...own, pin: "640915" }),
      "no PIN": () => pins.remove(db, own),
      "a PIN by phone": () => pinChange.beginChange(db, pinKeys, { by: ama.by("ussd"), oldPin: "918273" }),
      "a PIN by code": () => pinReset.sendCode(db, codeKeys, ama.by("ussd")),
      "an e-mail": () => profile.rename(db, { ...session, username: "other", email: "other@example.com" }),
      "a password": () => profile.changePassword(db, { ...session, password: "blue goats sing" }),
      "a password by code": () =>
        passwordReset.reset(db, codeKeys, {
          ...{ login: ama.email, code, password: "blue goats sing", ...from },
        }),
      "an extra login code": () => secondFactor.begin(db, { key: new Uint8Array(32) }, session),
    };
    for (const [way, work] of Object.entries(ways))
      expect({ way, outcome: await outcome(work()) }).toEqual({ way, outcome: "account.frozen" });
    // A wrong code reveals nothing of the freeze.
    const wrong = { login: ama.email, code: "000000", password: "blue goats sing", ...from };
    expect(await outcome(passwordReset.reset(db, codeKeys, wrong))).toBe("code.wrong");
  });

  test("logs in, gets its money, and gets its orders back", async () => {
    const ama = await somebody();
    const { answer } = await buy(ama);
    await freeze(ama);
    const login = { email: ama.email, password: ama.password, userAgent: "test", address: "192.0.2.9" };
    expect((await sessions.logIn(db, login)).user.id).toBe(ama.id);
    const claim = { by: ama.by(), transactionId: "40125566001", amountPesewas: 5000 };
    const { id } = await deposits.file(db, claim);
    await deposits.approve(db, { by: admin, key: null, depositId: id });
    await cancelling.cancel(db, { by: ama.by(), key: null, orderId: answer.order.id });
    expect(await world.balanceOf(ama)).toBe(15_000);
  });
});

describe("a freeze", () => {
  test("is notified by e-mail with the message for the agent, without the reason, as is its end", async () => {
    const ama = await somebody();
    await freeze(ama);
    const notice = await lastMail(ama);
    expect([notice.kind, notice.body!.includes(TERMS.message), notice.body!.includes(TERMS.reason)]).toEqual([
      ...["account_frozen", true, false],
    ]);
    await unfreeze(ama);
    expect((await lastMail(ama)).kind).toBe("account_thawed");
    expect(await outcome(unfreeze(ama))).toBe("freeze.none");
  });

  test("ends at its time, by itself for purchases, and is then tidied up", async () => {
    const ama = await somebody();
    expect(await outcome(freeze(ama, { until: new Date(Date.now() - 1000) }))).toBe("freeze.end_invalid");
    await freeze(ama, { until: new Date(Date.now() + 3_600_000) });
    await freezes.endDue(db);
    expect(await outcome(buy(ama))).toBe("account.frozen");
    await db.execute(sql`
      with f as (update freezes set until = now() - interval '1 second' where user_id = ${ama.id} returning until)
      update wallets set frozen_until = (select until from f) where user_id = ${ama.id}`);
    await buy(ama);
    expect(await freezes.endDue(db)).toBe(1);
    expect(await count(db, sql`from freezes where user_id = ${ama.id} and ended_at is null`)).toBe(0);
    await freeze(ama);
  });

  test("can get other words and another end; each is kept", async () => {
    const ama = await somebody();
    await freeze(ama);
    await freeze(ama, { message: "Please call us", until: new Date(Date.now() + 3_600_000) });
    expect((await refusal(buy(ama))).details).toMatchObject({ message: "Please call us" });
    expect((await freezes.list(db, ama.id)).map(({ endedAt }) => endedAt === null)).toEqual([true, false]);
  });

  test("stops the purchases that wait for the wallet while it commits", async () => {
    const ama = await somebody();
    const held = await holdWallet(db, ama.id);
    const freezing = freeze(ama);
    await held.waiting(1);
    const buying = times(5, () => outcome(buy(ama)));
    await held.waiting(2);
    await held.release();
    await freezing;
    const outcomes = tally(await Promise.all(buying));
    expect(outcomes).toEqual({ "account.frozen": 5 });
  });

  test("of two owners by each other at the same moment leaves one of them", async () => {
    for (let n = 0; n < 3; n++) {
      const [one, two] = [
        await world.person(`owner${++people}`, undefined, ["ADMIN"]),
        await world.person(`owner${++people}`, undefined, ["ADMIN"]),
      ];
      const by = (owner: Person, userId: number) =>
        outcome(freezes.freeze(db, { by: owner.by("admin"), userId, ...TERMS }));
      expect((await Promise.all([by(one, two.id), by(two, one.id)])).sort()).toEqual(["account.frozen", "done"]);
    }
  });

  test("of staff is for owners, of oneself for nobody", async () => {
    const [ama, support] = [await somebody(), await world.person("helper", undefined, ["SUPPORT"])];
    const manager = await world.person("manager", undefined, ["MANAGER"]);
    const by = (person: Person, userId: number) =>
      outcome(freezes.freeze(db, { by: person.by("admin"), userId, ...TERMS }));
    expect(await by(manager, support.id)).toBe("auth.forbidden");
    expect(await by(manager, manager.id)).toBe("auth.own_account");
    expect([await by(manager, ama.id), await by(yaw, support.id)]).toEqual(["done", "done"]);
    const thaw = { by: manager.by("admin"), userId: support.id, reason: "No" };
    expect(await outcome(freezes.unfreeze(db, thaw))).toBe("auth.forbidden");
  });
});
