// Tests of inbound SMS: each is acted on once, however often it arrives, and no PIN is stored anywhere.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../db/connect.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as users from "../../src/core/identity/users.ts";
import * as cancelling from "../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as switches from "../../src/core/overview/switches.ts";
import { BUDGETS } from "../../src/core/platform/budgets/budget-table.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { endText } from "../../src/shared/pause.ts";
import { SWITCH_MESSAGE_SEPTETS } from "../../src/shared/switches.ts";
import { count, digitsIn, lineFor, seed, tally, times } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openWorld, type Person } from "../support/world.ts";
import { allStoredText, equipPhone, openLine } from "./dialling.ts";

const world = await openWorld();
const { db, yaw } = world;
const line = openLine(world);
/** A second process of the shop. */
const pool = connect(world.url, { max: 10 });
const elsewhere = openLine(world, pool);
afterAll(() => disconnect(pool));
/** Long enough not to occur anywhere by chance. */
const PIN = "830241";
const WRONG = ["917301", "917302", "917303"];
const gb1 = await world.product("MTN", "1GB", "4.50");
await world.product("MTN", "500MB", "2.40");
await world.product("AIRTELTIGO", "1GB", "3.90");
await db.execute(sql`update products set name = 'AT iShare' where operator = 'AIRTELTIGO'`);
const bigTime = await world.product("AIRTELTIGO", "1GB", "3.70");
await db.execute(sql`update products set name = 'AT Big Time', family = 'AT_BIGTIME' where name = 'AIRTELTIGO 1GB'`);

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

let number = 100;
const somebody = async (balance = "GH₵ 100.00", pin: string | null = PIN) => {
  const own = ++number;
  const person = await world.person(`agent${own}`, balance);
  const msisdn = `233541839${own}`;
  await equipPhone(world, person, msisdn, pin);
  return { person, msisdn, phone: line.phone(msisdn) };
};
let recipients = 1000;
const recipient = () => `024777${++recipients}`;
/** The messages queued for a number, oldest first. */
const answers = async (msisdn: string) =>
  (
    await db.execute<{ body: string }>(
      sql`select body from messages where recipient = ${msisdn} and kind = 'sms_answer' order by id`,
    )
  ).map(({ body }) => body);
const lastTo = async (msisdn: string) => (await answers(msisdn)).at(-1);
const ordersOf = ({ id }: Person) => count(db, sql`from orders where user_id = ${id}`);
const outcomes = async (msisdn: string) =>
  (
    await db.execute<{ replies: string }>(
      sql`select command || ' ' || outcome as replies from inbound_sms where msisdn = ${msisdn} order by handled_at`,
    )
  ).map(({ replies }) => replies);

describe("a command", () => {
  test("STATUS says that an order was cancelled, and a repeated purchase how many were bought", async () => {
    const { person, msisdn, phone } = await somebody();
    const to = recipient();
    const input = { by: person.by(), key: null, line: { ...lineFor(gb1), msisdn: to, quantity: 3 } };
    const { id } = (await orders.buy(db, input)).answer.order;
    await phone.sendSms(`BUY MTN 1GB ${to} ${PIN}`);
    expect(await lastTo(msisdn)).toContain(`You ordered 3 x MTN 1GB for ${to} within`);
    await cancelling.cancel(db, { by: person.by(), key: null, orderId: id });
    await phone.sendSms("STATUS");
    expect(await lastTo(msisdn)).toBe(
      `DataFie: order ${id} was cancelled: 3 x MTN 1GB to ${to}, GHS 13.50 is back in your wallet.`,
    );
  });

  test("BAL gives the balance, STATUS the state of one's own order, HELP the commands", async () => {
    const { person, msisdn, phone } = await somebody();
    expect(await phone.sendSms("bal")).toBe(200);
    expect(await lastTo(msisdn)).toBe("DataFie: your balance is GHS 100.00.");
    const { answer } = await orders.buy(db, { by: person.by(), key: null, line: lineFor(gb1) });
    await phone.sendSms(`status ${answer.order.id}`);
    expect(await lastTo(msisdn)).toMatch(/^DataFie: order \d+ is waiting: MTN 1GB to 054\d{7}\.$/);
    await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [answer.order.id], to: "PROCESSING" });
    // Without a number it means the newest order.
    await phone.sendSms("Status");
    expect(await lastTo(msisdn)).toStartWith(`DataFie: order ${answer.order.id} is sent to MTN: MTN 1GB to `);
    await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [answer.order.id], to: "FAILED" });
    await phone.sendSms(`STATUS #${answer.order.id}`);
    expect(await lastTo(msisdn)).toContain("failed: MTN 1GB");
    expect(await lastTo(msisdn)).toContain("GHS 4.50 is back in your wallet");
    const other = await somebody();
    await other.phone.sendSms(`STATUS ${answer.order.id}`);
    expect(await lastTo(other.msisdn)).toBe(`DataFie: you have no order ${answer.order.id}.`);
    await phone.sendSms("Help");
    expect(await lastTo(msisdn)).toContain("BUY MTN 5GB 0541234567 and your PIN");
    expect(await outcomes(msisdn)).toEqual([
      ...["BAL balance", "STATUS status", "STATUS status", "STATUS status", "HELP help"],
    ]);
  });

  test("STATUS reports unpaid and missing orders, and an order's family and quantity", async () => {
    const { person, msisdn, phone } = await somebody();
    await phone.sendSms("STATUS");
    expect(await lastTo(msisdn)).toBe("DataFie: you have no orders yet.");
    const line = { ...lineFor(bigTime), quantity: 3 };
    const { answer } = await unpaidOrders.create(db, { by: person.by(), key: null, line });
    await phone.sendSms("STATUS");
    const bundle = `3 x AT BigTime 1GB to ${line.msisdn}`;
    expect(await lastTo(msisdn)).toBe(`DataFie: order ${answer.id} is not paid: ${bundle}.`);
    await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [answer.id], to: "FAILED" });
    await phone.sendSms("STATUS");
    expect(await lastTo(msisdn)).toBe(`DataFie: order ${answer.id} was not paid and is closed: ${bundle}.`);
  });

  test("BUY pays from the wallet, in the same commit as its reply", async () => {
    const { person, msisdn, phone } = await somebody();
    const to = recipient();
    expect(await phone.sendSms(`Buy mtn 1gb ${to} ${PIN}`)).toBe(200);
    expect(await lastTo(msisdn)).toMatch(
      new RegExp(`^DataFie: order \\d+ is paid: MTN 1GB to ${to}, GHS 4.50. Balance GHS 95.50.$`),
    );
    expect(await world.balanceOf(person)).toBe(9550);
    const [order] = await db.execute(
      sql`select channel, payment_method, msisdn from orders where user_id = ${person.id}`,
    );
    expect(order).toEqual({ channel: "sms", payment_method: "wallet", msisdn: `233${to.slice(1)}` });
    await phone.sendSms(`buy mtn 500mb ${recipient()} ${PIN}`);
    expect(await world.balanceOf(person)).toBe(9310);
  });

  test("BUY for another network's number needs YES, because numbers can be ported", async () => {
    const { person, msisdn, phone } = await somebody();
    await phone.sendSms(`BUY MTN 1 0201234567 ${PIN}`);
    expect(await lastTo(msisdn)).toBe(
      "DataFie: nothing was bought. 0201234567 looks like Telecel, but you wrote MTN. " +
        "If that is right, send it again and add YES.",
    );
    await phone.sendSms(`BUY MTN 1 0281234567 ${PIN}`);
    expect(await lastTo(msisdn)).toContain("0281234567 is not a number we know, but you wrote MTN.");
    expect(await ordersOf(person)).toBe(0);
    await phone.sendSms(`BUY MTN 1 0201234567 ${PIN} YES`);
    expect(await ordersOf(person)).toBe(1);
    expect(await outcomes(msisdn)).toEqual(["BUY other_network", "BUY other_network", "BUY bought"]);
  });

  test("BUY is read in the form that HELP describes", async () => {
    const { person, phone } = await somebody();
    await phone.sendSms(`BUY 1GB MTN to ${recipient()} and my PIN ${PIN}`);
    expect(await ordersOf(person)).toBe(1);
  });
});

describe("a refused purchase gives the reason and buys nothing:", () => {
  const refusals = async (text: string, balance?: string, pin?: string | null) => {
    const { person, msisdn, phone } = await somebody(balance, pin);
    await phone.sendSms(text);
    expect(await ordersOf(person)).toBe(0);
    const replies = await answers(msisdn);
    expect(replies).toHaveLength(1);
    expect(replies[0]!.length).toBeLessThanOrEqual(160);
    return replies[0]!;
  };

  test("too little money", async () => {
    const replies = await refusals(`BUY MTN 1GB 0247770001 ${PIN}`, "GH₵ 2.10");
    expect(replies).toBe("DataFie: not enough money for MTN 1GB for 0247770001. It costs GHS 4.50, you have GHS 2.10.");
  });

  test("an unknown size, or one of several families", async () => {
    expect(await refusals(`BUY MTN 7GB 0247770001 ${PIN}`)).toContain("MTN has no 7GB. Choose from 500MB, 1GB");
    expect(await refusals(`BUY AT 1GB 0247770001 ${PIN}`)).toContain(
      "BUY BIGTIME 1GB (GHS 3.70) or BUY ISHARE 1GB (GHS 3.90)",
    );
    const { person, phone } = await somebody();
    await phone.sendSms(`BUY BIGTIME 1GB 0267770001 ${PIN}`);
    expect(await world.balanceOf(person)).toBe(9630);
  });

  test("an unknown network, no number, no PIN", async () => {
    for (const text of [`BUY GLO 1GB 0247770001 ${PIN}`, "BUY MTN 1GB 0247770001", `BUY MTN 1GB 12345 ${PIN}`])
      expect(await refusals(text)).toContain("Text BUY MTN 5GB 0541234567 and your PIN");
    expect(await refusals(`BUY MTN 1GB 0247770001 ${PIN}`, "GH₵ 9.00", null)).toContain("you have no PIN");
  });

  test("a paused bundle", async () => {
    await db.execute(sql`update products set paused_message = 'Later' where id = ${gb1.id}`);
    expect(await refusals(`BUY MTN 1GB 0247770001 ${PIN}`)).toContain("is paused at the moment");
    await db.execute(
      sql`update products set paused_until = date_trunc('day', now()) + interval '89 days' where id = ${gb1.id}`,
    );
    const known = await refusals(`BUY MTN 1GB 0247770001 ${PIN}`);
    expect(known).toMatch(/1GB for 0247770001 is paused until \d+ [A-Z][a-z]{2,3}, 00:00\.$/);
    await db.execute(sql`update products set paused_message = null, paused_until = null where id = ${gb1.id}`);
  });

  test("sales closed, or buying by SMS", async () => {
    const by = yaw.by("admin");
    const message = "W".repeat(SWITCH_MESSAGE_SEPTETS);
    for (const name of ["sales", "sms"] as const) {
      const text = `BUY MTN 1GB 0247770001 ${PIN}`;
      for (const until of [null, new Date(Date.now() + 40 * 24 * 3_600_000)]) {
        await switches.close(db, { by, name, message, reason: "A test", until });
        const end = until ? ` Open again from ${endText(until)}.` : "";
        expect(await refusals(text)).toBe(`DataFie: nothing was bought. ${message}.${end}`);
      }
      const { msisdn, phone } = await somebody();
      await phone.sendSms("BAL");
      expect(await lastTo(msisdn)).toContain("your balance is GHS 100.00");
      await switches.open(db, { by, name });
    }
  });

  test("a repetition within ten minutes without YES", async () => {
    const { person, msisdn, phone } = await somebody();
    const text = `BUY MTN 1GB ${recipient()} ${PIN}`;
    await phone.sendSms(text);
    await phone.sendSms(text);
    expect(await lastTo(msisdn)).toContain("Add YES to buy again.");
    expect(await ordersOf(person)).toBe(1);
    await phone.sendSms(`${text} yes`);
    expect(await lastTo(msisdn)).toContain("is paid");
    expect(await ordersOf(person)).toBe(2);
  });

  test("a wrong PIN, which counts; the third one locks even the right one", async () => {
    const { person, msisdn, phone } = await somebody();
    for (const pin of [...WRONG, PIN]) await phone.sendSms(`BUY MTN 1GB ${recipient()} ${pin}`);
    expect(await ordersOf(person)).toBe(0);
    expect(await outcomes(msisdn)).toEqual(["BUY pin_wrong", "BUY pin_wrong", "BUY pin_locked", "BUY pin_locked"]);
    const replies = await answers(msisdn);
    expect(replies.map((reply) => reply.slice(0, 45))).toEqual([
      expect.stringContaining("wrong PIN"),
      expect.stringContaining("wrong PIN"),
      expect.stringContaining("nothing was bought: your PIN is"),
    ]);
    expect([replies[0]!.slice(30), replies[1]!.slice(30)]).toEqual([
      expect.stringContaining("You have 2 tries left."),
      expect.stringContaining("You have 1 try left."),
    ]);
    const { lockedUntil } = (await pins.stateOf(db, person.id, "sms"))!;
    expect(replies[2]).toContain(`is locked until ${endText(lockedUntil!)}. Forgot it? Dial *920*55*6*2*1#`);
    const notices = sql`from messages where recipient = ${msisdn} and kind = 'pin_locked'`;
    expect(await count(db, notices)).toBe(1);
  });

  test("a banned account", async () => {
    const { person, msisdn, phone } = await somebody();
    await users.ban(db, { by: yaw.by("admin"), userId: person.id });
    await phone.sendSms(`BUY MTN 1GB ${recipient()} ${PIN}`);
    await phone.sendSms("BAL");
    expect(new Set(await answers(msisdn))).toEqual(
      new Set(["DataFie: your account cannot place orders. Contact support."]),
    );
    expect(await ordersOf(person)).toBe(0);
  });
});

describe("a repeated message", () => {
  test("that arrives many times at once, on two servers, has one effect and one reply", async () => {
    const { person, msisdn, phone } = await somebody();
    const second = elsewhere.phone(msisdn);
    const text = `BUY MTN 1GB ${recipient()} ${PIN}`;
    const statuses = await Promise.all(
      times(16, (i) => (i % 2 ? phone : second).sendSms(text, { id: `again-${msisdn}` })),
    );
    expect(tally(statuses.map(String))).toEqual({ "200": 16 });
    await phone.sendSms(`BUY MTN 1GB ${recipient()} ${PIN}`, { id: `again-${msisdn}` });
    expect([await ordersOf(person), await world.balanceOf(person)]).toEqual([1, 9550]);
    expect(await answers(msisdn)).toHaveLength(1);
  });

  test("with a wrong PIN counts as one attempt", async () => {
    const { person, msisdn, phone } = await somebody();
    const text = `BUY MTN 1GB ${recipient()} ${WRONG[0]}`;
    await Promise.all(times(12, () => phone.sendSms(text, { id: `wrong-${msisdn}` })));
    const [row] = await db.execute(sql`select sms_wrong_tries, wrong_tries from pins where user_id = ${person.id}`);
    expect(row).toEqual({ sms_wrong_tries: 1, wrong_tries: 0 });
    expect(await answers(msisdn)).toHaveLength(1);
  });

  test("beside another that the wallet cannot pay as well: one is bought, and each gets its reply", async () => {
    const { person, msisdn, phone } = await somebody("GH₵ 5.00");
    await Promise.all(times(2, () => phone.sendSms(`BUY MTN 1GB ${recipient()} ${PIN}`)));
    expect(await ordersOf(person)).toBe(1);
    expect((await outcomes(msisdn)).sort()).toEqual(["BUY bought", "BUY wallet.insufficient_balance"]);
    expect(await answers(msisdn)).toHaveLength(2);
  });

  test("after one that could not be stored takes effect for the first time", async () => {
    const { person, msisdn, phone } = await somebody();
    const text = `BUY MTN 1GB ${recipient()} ${PIN}`;
    const id = `late-${msisdn}`;
    await db.execute(sql`alter table inbound_sms add constraint in_the_way check (outcome <> 'bought') not valid`);
    expect(await phone.sendSms(text, { id })).toBe(500);
    expect([await ordersOf(person), await answers(msisdn)]).toEqual([0, []]);
    await db.execute(sql`alter table inbound_sms drop constraint in_the_way`);
    expect(await phone.sendSms(text, { id })).toBe(200);
    expect(await phone.sendSms(text, { id })).toBe(200);
    expect([await ordersOf(person), (await answers(msisdn)).length]).toEqual([1, 1]);
  });
});

describe("a sender of many messages", () => {
  test("with an unknown number gets the way to register once a day", async () => {
    const phone = line.phone("233541800001");
    for (const text of ["BAL", "hello", `BUY MTN 1GB 0247770001 ${PIN}`]) await phone.sendSms(text);
    await Promise.all(times(5, () => phone.sendSms("HELP")));
    expect(await answers("233541800001")).toEqual([
      "DataFie: this number has no account yet. Sign up at shop.example and confirm your phone under Profile.",
    ]);
    // Where phones may register, no website is needed.
    await settings.change(db, { by: yaw.by("admin"), values: { ussd_registration: true } });
    await line.phone("233541800002").sendSms("BAL");
    await settings.change(db, { by: yaw.by("admin"), values: { ussd_registration: false } });
    expect(await answers("233541800002")).toEqual([
      "DataFie: this number has no account yet. Dial *920*55# to register.",
    ]);
  });

  longTest("gets help a few times a day, and the balance more often", async () => {
    const { msisdn, phone } = await somebody();
    for (const text of times(9, (i) => `what ${i}`)) await phone.sendSms(text);
    expect(await answers(msisdn)).toHaveLength(4);
    // After messages that were not understood, help can still be requested.
    await phone.sendSms("HELP");
    expect(await answers(msisdn)).toHaveLength(5);
    for (const _ of times(22, (i) => i)) await phone.sendSms("BAL");
    expect(await answers(msisdn)).toHaveLength(25);
    // Purchases still get a reply.
    await phone.sendSms(`BUY MTN 1GB ${recipient()} ${PIN}`);
    expect(await lastTo(msisdn)).toContain("is paid");
  });
});

test("an invalid callback is acknowledged and discarded", async () => {
  const before = await count(db, sql`from inbound_sms`);
  const send = async (body: string, type = "application/x-www-form-urlencoded") => {
    const headers = { "content-type": type };
    const response = await fetch(line.url("inbound"), { method: "POST", headers, body });
    return [response.status, await response.text()];
  };
  for (const body of [
    "",
    "id=1&text=BAL",
    "id=1&from=0541234567&text=BAL",
    "id=1&from=+233541234567&text=BAL",
    "id=&from=%2B233541234567&text=BAL",
    "id=a%00b&from=%2B233541234567&text=BAL",
    `id=${"x".repeat(101)}&from=%2B233541234567&text=BAL`,
    "id=1&id=2&from=%2B233541234567&text=BAL",
    `id=1&from=%2B233541234567&text=${"x".repeat(5000)}`,
    "id=1&from=%2B447700900123&text=BAL",
  ])
    expect([body.slice(0, 40), await send(body)]).toEqual([body.slice(0, 40), [200, ""]]);
  expect(await send('{"id":"1"}', "application/json")).toEqual([200, ""]);
  expect(await count(db, sql`from inbound_sms`)).toBe(before);
});

longTest(
  `thousands of hostile texts, each several times at once, lose and duplicate nothing (seed ${seed})`,
  async () => {
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    let state = seed;
    const pick = <T>(choices: readonly T[]): T => choices[random(choices.length)]!;
    const people = await Promise.all(times(6, () => somebody("GH₵ 60.00")));
    const junk = ["'; drop table orders; --", "\u202e4071", "💥".repeat(60), "%00", "BUY ".repeat(200), "<b>", "\\x00"];
    const textOf = () => {
      const network = pick(["MTN", "AT", "bigtime", "GLO", "mtn;"]);
      const size = pick(["1GB", "1", "500 MB", "7GB", "1e3", "01GB"]);
      const buy = `${pick(["BUY", "buy ", "Buy\t"])} ${network} ${size}`;
      const to = random(3) === 0 ? "0247779999" : recipient();
      const end = pick([
        ` ${PIN}`,
        ` ${PIN} YES`,
        PIN,
        ` ${PIN}`,
        ` ${PIN}`,
        random(40) === 0 ? ` ${pick(WRONG)}` : "",
        "",
      ]);
      return pick([`${buy} ${to}${end}`, `${buy} ${to}${end}`, "BAL", `STATUS ${random(100)}`, `${pick(junk)} ${PIN}`]);
    };
    const sent = times(1200, (i) => ({ sender: pick(people), text: textOf(), id: `hostile-${i}` }));
    const deliveries = sent.flatMap((message) => times(1 + random(3), () => message));
    deliveries.sort(() => random(3) - 1);
    const statuses: number[] = [];
    const queue = deliveries.values();
    const worker = async () => {
      for (const { sender, text, id } of queue) statuses.push(await sender.phone.sendSms(text, { id }));
    };
    await Promise.all(times(12, worker));
    expect(tally(statuses.map(String))).toEqual({ "200": deliveries.length });
    const handled = sql`from inbound_sms where id like 'hostile-%'`;
    expect(await count(db, handled)).toBe(sent.length);
    const bought = await count(db, sql`${handled} and outcome = 'bought'`);
    expect(bought).toBeGreaterThan(10);
    for (const { person, msisdn } of people) {
      const mine = sql`from inbound_sms where msisdn = ${msisdn} and outcome = 'bought'`;
      expect(await ordersOf(person)).toBe(await count(db, mine));
      const accepted = (await answers(msisdn)).filter((reply) => reply.includes("is paid"));
      expect(accepted).toHaveLength(await ordersOf(person));
    }
  },
);

test("no PIN, right or wrong, is in any table, job or log line", async () => {
  const kept = await allStoredText(world);
  for (const where of [kept, line.logged(), elsewhere.logged()]) expect(digitsIn(where, PIN, ...WRONG)).toEqual([]);
  expect(line.logged()).toContain("/channels/africastalking/[redacted]/inbound");
});

test("numbers without an account get a bounded number of replies together, and staff learn of it", async () => {
  const before = await count(db, sql`from messages where kind = 'sms_answer'`);
  const mails = () => count(db, sql`from messages where kind = 'sms_strangers'`);
  await db.execute(sql`
    insert into rate_limits (bucket, count, resets_at)
    values ('sms.unknown_shop:all', ${BUDGETS["sms.unknown_shop"].countMax - 2}, now() + interval '1 day')`);
  const strangers = times(6, (i) => line.phone(`23320888770${i}`));
  for (const [i, text] of ["Hello", "STOP", "BAL", "STOP", "START", "HELP"].entries())
    expect(await strangers[i]!.sendSms(text)).toBe(200);
  expect(await count(db, sql`from messages where kind = 'sms_answer'`)).toBe(before + 2);
  expect(await mails()).toBeGreaterThan(0);
  // What was asked for is done all the same, and agents are answered.
  expect(await count(db, sql`from sms_opt_outs where msisdn = '233208887703' and ended_at is null`)).toBe(1);
  const { msisdn, phone } = await somebody();
  await phone.sendSms("HELP");
  expect((await answers(msisdn)).length).toBe(1);
});
