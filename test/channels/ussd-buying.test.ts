// Tests of buying by USSD: the text of each screen, the warnings before money moves, and lost, repeated and late
// requests.
import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../db/connect.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as phones from "../../src/core/identity/phones/phones.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as users from "../../src/core/identity/users.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { endText } from "../../src/shared/pause.ts";
import { count, times } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openWorld } from "../support/world.ts";
import { allStoredText, equipPhone, openLine, PIN, walk } from "./dialling.ts";

const world = await openWorld();
const { db, yaw } = world;
const line = openLine(world);
/** A second process of the server. */
const otherDb = connect(world.url, { max: 10 });
const elsewhere = openLine(world, otherDb);
afterAll(() => disconnect(otherDb));
const ama = await world.person("ama", "GH₵ 500.00");
const AMA = "233541111111";
await equipPhone(world, ama, AMA);
const mtn = await world.product("MTN", "1GB", "3.90");
const big = await world.product("MTN", "2GB", "8.40");
await world.product("TELECEL", "1GB", "4.00");
const phone = line.phone(AMA);
const phoneOf = (msisdn: string) => line.phone(msisdn);

let used = 0;
const fresh = () => `054${String(3_000_000 + used++)}`;
const newest = async (userId = ama.id) => (await orderQueries.list(db, { userId }, { limit: 1 }))[0];
const ordersOf = (userId = ama.id) => count(db, sql`from orders where user_id = ${userId}`);

test("a bundle is bought in six requests, each with its screen", async () => {
  const to = fresh();
  const texts = [(await phone.dial()).text];
  for (const answer of ["1", "1", "1", to, PIN]) texts.push((await phone.reply(answer)).text);
  const spaced = `${to.slice(0, 3)} ${to.slice(3, 6)} ${to.slice(6)}`;
  const order = (await newest())!;
  expect(texts).toEqual([
    "DataFie\n1 Buy data\n2 Balance\n3 Last orders\n4 Add money\n5 Repeat last order\n6 My account\n0 Exit",
    "Choose network\n1 MTN\n2 Telecel\n3 AT (AirtelTigo)\n0 Back",
    "MTN bundles, GHS\n1 1GB 3.90\n2 2GB 8.40\n0 Back",
    "Who gets MTN 1GB?\nType number e.g. 0541234567\n1 My own number\n2 Recent numbers\n0 Back",
    `Buy MTN 1GB\nfor ${spaced}\nPay GHS 3.90 from wallet\nEnter DataFie PIN\n` +
      "1 Quantity\n2 Use MoMo\n3 Forgot PIN\n0 Cancel",
    `Order ${order.id} paid.\nMTN 1GB for ${to}\nGHS 3.90, balance GHS 496.10\nSMS will confirm.`,
  ]);
  expect(order).toMatchObject({
    channel: "ussd",
    productId: mtn.id,
    msisdn: `233${to.slice(1)}`,
    quantity: 1,
    amountPesewas: 390,
    status: "PENDING",
    paymentMethod: "wallet",
  });
  const [key] = await db.execute<{ key: string }>(
    sql`select key from idempotency where order_id = ${order.id} and scope = 'ussd'`,
  );
  expect(key!.key).toBe(`ussd:${phone.sessionId()}:4`);
  const [sms] = await db.execute<{ body: string }>(
    sql`select body from messages where kind = 'order_accepted' and recipient = ${AMA} order by id desc limit 1`,
  );
  expect(sms!.body).toBe(`DataFie: order ${order.id} is paid: MTN 1GB to ${to}, GHS 3.90. Balance GHS 496.10.`);
});

test("a quantity is bought with one more answer", async () => {
  const screen = await walk(phone, "1", "1", "1", fresh(), "1", "3");
  expect(screen.text).toContain("Buy 3 x MTN 1GB");
  expect(screen.text).toContain("Pay GHS 11.70");
  expect((await phone.reply(PIN)).text).toContain("GHS 11.70, balance");
  expect((await newest())!.quantity).toBe(3);
});

test("where a network sells several families, each is named in purchases, lists and SMS", async () => {
  for (const family of ["AT_ISHARE", "AT_BIGTIME"] as const)
    await products.add(db, {
      by: yaw.by("admin"),
      operator: "AIRTELTIGO",
      family,
      name: family,
      size: "1GB",
      pricePesewas: 390,
    });
  const to = "0271234567";
  await phones.chooseNotices(db, { by: ama.by("web"), wantsDeliveries: true });
  expect((await phone.dial("1*3")).text).toBe(
    "AirtelTigo bundles, GHS\n1 iShare 1GB 3.90\n51 BigTime 1GB 3.90\n0 Back",
  );
  expect((await phone.reply(`1*${to}*1*3`)).text).toStartWith("Buy 3 x AT iShare 1GB\nfor 027 123 4567\n");
  await phone.reply(PIN);
  const { id } = (await newest())!;
  const bundle = `3 x AT iShare 1GB to ${to}`;
  const smsText = async (kind: string) =>
    (
      await db.execute<{ body: string }>(
        sql`select body from messages where kind = ${kind} and recipient = ${AMA} order by id desc limit 1`,
      )
    )[0]!.body;
  expect(await smsText("order_accepted")).toStartWith(`DataFie: order ${id} is paid: ${bundle}, GHS 11.70. Balance`);
  expect((await phone.dial("3")).text).toContain(`1 3 x iShare 1GB ${to} waiting\n`);
  await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [id], to: "PROCESSING" });
  expect((await phone.reply("1")).text).toContain(`\n3 x AT iShare 1GB for ${to}\nGHS 11.70 sent to AT\n`);
  await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [id], to: "DELIVERED" });
  expect(await smsText("order_delivered")).toBe(`DataFie: order ${id} is delivered: ${bundle}.`);
  await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [id], to: "FAILED" });
  expect(await smsText("order_refunded")).toStartWith(
    `DataFie: order ${id} failed: ${bundle}. GHS 11.70 is back in your wallet.`,
  );
});

test("a number with another network's prefix needs one confirmation", async () => {
  expect((await walk(phone, "1", "1", "1", "0201234567")).text).toBe(
    "020 123 4567 looks like Telecel, you chose MTN.\n1 Continue\n2 Change number\n0 Cancel",
  );
  await phone.reply("1");
  expect((await phone.reply(PIN)).text).toContain("MTN 1GB for 0201234567");
});

test("the same bundle for the same number within ten minutes needs a confirmation", async () => {
  const to = fresh();
  await walk(phone, "1", "1", "1", to, PIN);
  expect((await walk(phone, "1", "1", "1", to)).text).toContain("less than 10 min ago.\n1 Buy again");
  await phone.reply("1");
  expect((await phone.reply(PIN)).text).toContain("paid");
});

test("a duplicate of an order that was placed elsewhere during the PIN screen needs one, too", async () => {
  const to = fresh();
  await walk(phone, "1", "1", "1", to);
  await orders.buy(db, { by: ama.by(), key: null, line: { productId: mtn.id, msisdn: to, quantity: 1 } });
  const before = await ordersOf();
  expect((await phone.reply(PIN)).text).toContain("less than 10 min ago");
  expect(await ordersOf()).toBe(before);
  await phone.reply("1");
  expect((await phone.reply(PIN)).text).toContain("paid");
});

longTest("a price that changed since it was shown is announced before payment; the list stays the same", async () => {
  const to = fresh();
  await walk(phone, "1", "1", "2", to);
  await products.edit(db, { by: yaw.by("admin"), productId: big.id, pricePesewas: 900 });
  const before = await world.balanceOf(ama);
  expect((await phone.reply(PIN)).text).toContain("Price changed (was 8.40)\nBuy MTN 2GB");
  expect(await world.balanceOf(ama)).toBe(before);
  expect((await phone.reply(PIN)).text).toContain("GHS 9.00, balance");
  expect(await world.balanceOf(ama)).toBe(before - 900);

  await walk(phone, "1", "1");
  await products.edit(db, { by: yaw.by("admin"), productId: big.id, pricePesewas: 840 });
  expect((await phone.reply("0")).text).toStartWith("Choose network");
  expect((await phone.reply("1")).text).toContain("2 2GB 9.00");
  await phone.reply("2");
  expect((await phone.reply(fresh())).text).toContain("Price changed (was 9.00)");
});

test("a purchase without enough money buys nothing and shows the shortfall", async () => {
  const poor = await world.person("poor", "GH₵ 2.10");
  await equipPhone(world, poor, "233541111112");
  const other = line.phone("233541111112");
  expect((await walk(other, "1", "1", "1", fresh(), PIN)).text).toBe(
    "Not enough money.\nNeed GHS 3.90, balance GHS 2.10.\n2 Pay with MoMo\n4 Add money\n0 Home",
  );
  expect(await ordersOf(poor.id)).toBe(0);
  // A shortcut, because the unfinished purchase is offered now.
  expect((await other.dial("4")).text).toStartWith("Add money by mobile money");
});

describe("a repeated request", () => {
  test("gets the same screen, byte for byte, however often it arrives, and buys once", async () => {
    await walk(phone, "1", "1", "1", fresh());
    const before = await ordersOf();
    const [first, ...again] = await Promise.all([phone.reply(PIN), ...[1, 2, 3, 4].map(async () => phone.redeliver())]);
    for (const screen of [...again, await phone.redeliver()]) expect(screen.body).toBe(first.body);
    expect(await ordersOf()).toBe(before + 1);
  });

  longTest("at another process at the same moment buys once", async () => {
    for (let round = 0; round < 5; round++) {
      const twin = elsewhere.phone(AMA);
      await twin.dial();
      await walk(phone, "1", "1", "1", fresh());
      const before = await ordersOf();
      const text = `${phone.text()}*${PIN}`;
      const sessionId = phone.sessionId();
      const screens = await Promise.all([
        ...[1, 2, 3].map(() => phone.raw(text)),
        ...[1, 2, 3].map(() => twin.raw(text, { sessionId })),
      ]);
      expect(new Set(screens.map(({ body }) => body)).size).toBe(1);
      expect(screens[0]!.body).toContain("paid");
      expect(await ordersOf()).toBe(before + 1);
    }
  });

  longTest("for paying an unpaid order pays it once, with one SMS", async () => {
    const kojo = await world.person("kojo", "GH₵ 10.00");
    await equipPhone(world, kojo, "233541111117");
    const line = { productId: mtn.id, msisdn: fresh(), quantity: 1 };
    const { answer: order } = await unpaidOrders.create(db, { by: kojo.by("web"), key: null, line });
    const [his, twin] = [phoneOf("233541111117"), elsewhere.phone("233541111117")];
    await twin.dial();
    await walk(his, "3", "1", "1");
    const [text, sessionId] = [`${his.text()}*${PIN}`, his.sessionId()];
    const screens = await Promise.all([
      ...times(3, () => his.raw(text)),
      ...times(3, () => twin.raw(text, { sessionId })),
    ]);
    expect(new Set(screens.map(({ body }) => body)).size).toBe(1);
    expect(screens[0]!.body).toStartWith(`END Order ${order.id} paid.`);
    expect(await world.balanceOf(kojo)).toBe(1_000 - order.amountPesewas);
    expect(await count(db, sql`from messages where kind = 'order_accepted' and user_id = ${kojo.id}`)).toBe(1);
  });

  test("from earlier in the session gets the newest screen", async () => {
    await walk(phone, "1", "1");
    const newestScreen = await phone.reply("1");
    expect((await phone.raw("1")).body).toBe(newestScreen.body);
    expect((await phone.raw("")).body).toBe(newestScreen.body);
  });

  test("with other input, another phone or another code ends the session, and changes nothing", async () => {
    await walk(phone, "1", "1");
    const now = phone.text();
    for (const odd of [
      () => phone.raw("2*1"),
      () => phone.raw(`${now}1`),
      () => phone.raw(`${now}*1`, { phoneNumber: "+233541111119" }),
      () => phone.raw(`${now}*1`, { serviceCode: "*999#" }),
    ])
      expect((await odd()).text).toStartWith("Sorry, please dial again.");
    expect((await phone.reply("1")).text).toStartWith("Who gets MTN 1GB?");
  });
});

describe("a lost answer", () => {
  test("belongs to one purchase when the gateway gave up waiting for it", async () => {
    const to = fresh();
    await walk(phone, "1", "1", "1", to);
    const before = await ordersOf();
    const { arrived, answered } = line.watchNext();
    const givingUp = new AbortController();
    const paying = phone.raw(`${phone.text()}*${PIN}`, {}, givingUp.signal).catch(() => "nothing");
    await arrived;
    givingUp.abort();
    expect(await paying).toBe("nothing");
    await answered;
    expect((await phone.dial()).text).toStartWith("DataFie\n");
    expect((await phone.reply("3")).text).toContain(`1 1GB ${to} waiting`);
    expect(await ordersOf()).toBe(before + 1);
  });
});

describe("the report that a session has ended", () => {
  const endOf = async (id: string) =>
    (
      await db.execute<{ end_status: string | null; duration_ms: number | null }>(
        sql`select end_status, duration_ms from ussd_sessions where id = ${id}`,
      )
    )[0]!;

  test("is stored once, whoever sends another, without the input", async () => {
    const secret = "640913";
    await walk(phone, "1", "1", "1", fresh(), secret);
    const id = phone.sessionId();
    expect(await phone.sendEvent("Incomplete")).toBe(200);
    const first = await endOf(id);
    expect(first).toEqual({ end_status: "Incomplete", duration_ms: expect.any(Number) });
    expect(await phone.sendEvent("Success")).toBe(200);
    expect(await endOf(id)).toEqual(first);
    expect(await allStoredText(world)).not.toContain(secret);
    expect(line.logged()).not.toContain(secret);
    // It changes nothing: the session would continue at the same screen.
    expect((await phone.reply(PIN)).text).toContain("paid");
  });

  test("from another phone, about an unknown session or with invalid fields changes nothing", async () => {
    await phone.dial();
    const sessionId = phone.sessionId();
    const send = async (fields: object) => {
      const body = new URLSearchParams({ sessionId, phoneNumber: `+${AMA}`, status: "Success", ...fields });
      const response = await fetch(line.url("events"), { method: "POST", body });
      return [response.status, await response.text()];
    };
    for (const fields of [
      { phoneNumber: "+233541111199" },
      { sessionId: "ATUid_unknown" },
      { status: "" },
      { status: "x".repeat(80) },
      { phoneNumber: "nobody" },
    ])
      expect(await send(fields)).toEqual([200, ""]);
    expect(await endOf(sessionId)).toEqual({ end_status: null, duration_ms: null });
    expect(await send({ durationInMillis: "-1" })).toEqual([200, ""]);
    expect(await endOf(sessionId)).toEqual({ end_status: "Success", duration_ms: null });
  });
});

describe("a phone that cannot buy", () => {
  test("gets the way to register", async () => {
    expect((await line.phone("233249999999").dial()).text).toBe(
      "This phone is not on DataFie. Register at shop.example, confirm this number under Profile and set a PIN. " +
        "Then dial again.",
    );
    const kofi = await world.person("kofi", "GH₵ 10.00");
    await equipPhone(world, kofi, "233541111113", null);
    expect((await line.phone("233541111113").dial()).text).toBe(
      "You have no PIN yet.\nTo set one: Dial *920*55*6*2*1#",
    );
  });

  test("is stopped during a session when the account is closed or the phone removed from it", async () => {
    const esi = await world.person("esi", "GH₵ 10.00");
    await equipPhone(world, esi, "233541111114");
    const hers = line.phone("233541111114");
    await walk(hers, "1", "1", "1", fresh());
    await users.ban(db, { by: yaw.by("admin"), userId: esi.id });
    expect((await hers.reply(PIN)).text).toBe("Your account cannot place orders.");
    expect((await hers.dial()).text).toBe("Your account cannot place orders.");
    await users.unban(db, { by: yaw.by("admin"), userId: esi.id });
    await hers.dial();
    await db.execute(sql`delete from pins where user_id = ${esi.id}`);
    await db.execute(sql`delete from phones where user_id = ${esi.id}`);
    expect((await hers.reply("1")).text).toStartWith("Sorry, please dial again.");
    expect(await ordersOf(esi.id)).toBe(0);
  });
});

describe("the last screen", () => {
  longTest("promises an SMS only where one will come, and says why there is none", async () => {
    const person = await world.person("promised", "GH₵ 50.00");
    const msisdn = "233541111190";
    await equipPhone(world, person, msisdn);
    const phone = line.phone(msisdn);
    const buy = async () => (await walk(phone, "1", "1", "1", fresh(), PIN)).text.split("\n").at(-1);
    const topUp = async () => {
      await db.execute(sql`update payments set state = 'failed' where user_id = ${person.id}`);
      await db.execute(sql`delete from rate_limits where bucket like 'prompt.%'`);
      return (await walk(phone, "4", "20", "1", PIN)).text.split("\n").at(-1);
    };
    expect([await buy(), await topUp()]).toEqual(["SMS will confirm.", "SMS will confirm."]);
    await phones.chooseNotices(db, { by: person.by("web"), wantsTopUps: false });
    expect([await buy(), await topUp()]).toEqual(["SMS will confirm.", "No SMS: turned off"]);
    await phones.chooseNotices(db, { by: person.by("web"), wantsTopUps: true });
    // The receipts of the day are 70 % of the shop's SMS.
    await db.execute(sql`insert into rate_limits values ('sms.shop', 3500, now() + interval '1 hour')`);
    expect([await buy(), await topUp()]).toEqual(["No more SMS today", "No more SMS today"]);
    await db.execute(sql`delete from rate_limits where bucket = 'sms.shop'`);
    await phone.sendSms("STOP");
    expect([await buy(), await topUp()]).toEqual(["No SMS: you sent STOP", "No SMS: you sent STOP"]);
    await phone.sendSms("START");
    expect(await buy()).toBe("SMS will confirm.");
  });
});

describe("a wrong PIN", () => {
  test("is announced above the same screen; the third in a row locks, in any session or process", async () => {
    const abena = await world.person("abena", "GH₵ 20.00");
    await equipPhone(world, abena, "233541111115");
    const hers = line.phone("233541111115");
    const to = fresh();
    expect((await walk(hers, "1", "1", "1", to, "0000")).text).toStartWith("Wrong PIN, 2 tries left.\nBuy MTN 1GB");
    await hers.hangUp();
    expect((await walk(hers, "7", "0000")).text).toStartWith("Wrong PIN, 1 try left.\nBuy MTN 1GB");
    const locked = async () => {
      const { lockedUntil } = (await pins.stateOf(db, abena.id))!;
      return `Too many wrong PINs. Locked until ${endText(lockedUntil!)}.\nForgot PIN? Dial *920*55*6*2*1#`;
    };
    expect((await walk(hers, "7", "9999")).text).toBe(await locked());
    // The end of the lock, however close it is.
    await db.execute(sql`update pins set locked_until = now() + interval '2 minutes' where user_id = ${abena.id}`);
    expect((await walk(hers, "7", PIN)).text).toBe(await locked());
    expect(await ordersOf(abena.id)).toBe(0);
    await db.execute(sql`update pins set locked_until = now() where user_id = ${abena.id}`);
    expect((await walk(hers, "7", PIN)).text).toContain("paid");
  });

  test("that the gateway sends several times at once counts once", async () => {
    const yaa = await world.person("yaa", "GH₵ 20.00");
    await equipPhone(world, yaa, "233541111116");
    const hers = line.phone("233541111116");
    await walk(hers, "1", "1", "1", fresh());
    const screens = await Promise.all([hers.reply("1379"), ...[1, 2, 3, 4, 5].map(async () => hers.redeliver())]);
    for (const { text } of screens) expect(text).toStartWith("Wrong PIN, 2 tries left.");
    const twin = elsewhere.phone("233541111116");
    await twin.dial();
    const [text, sessionId] = [`${hers.text()}*1380`, hers.sessionId()];
    await Promise.all([...times(3, () => hers.raw(text)), ...times(3, () => twin.raw(text, { sessionId }))]);
    expect(await count(db, sql`from pins where user_id = ${yaa.id} and wrong_tries = 2`)).toBe(1);
    expect((await hers.raw(`${text}*${PIN}`)).text).toContain("paid");
  });
});
