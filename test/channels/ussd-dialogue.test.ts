// Tests of every USSD screen and every exit from it, walked on a phone, and of rules for all answers.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type SQL, sql } from "drizzle-orm";
import { type Context, isLast, SCREEN_NAMES, type ScreenName } from "../../channels/ussd/conversation.ts";
import { type Exit, exits, map } from "../../channels/ussd/screens/map.ts";
import { labelAt, numbered, placeIn, render } from "../../channels/ussd/screens/render.ts";
import { SCREENS } from "../../channels/ussd/screens/screens.ts";
import { networksInOrder } from "../../channels/ussd/shelves.ts";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import type { Screen } from "../../dev/simulators/phone.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as products from "../../src/core/catalog/products.ts";
import { STANDARD_TIER_ID } from "../../src/core/catalog/tiers.ts";
import * as freezes from "../../src/core/identity/freezes.ts";
import * as spendingLimits from "../../src/core/identity/spending-limits.ts";
import { inEnglish } from "../../src/core/messaging/languages/translate.ts";
import { SCREEN_SEPTETS } from "../../src/core/messaging/languages/widths.ts";
import * as corrections from "../../src/core/messaging/texts/text-corrections.ts";
import * as cancelling from "../../src/core/orders/cancelling.ts";
import * as disputes from "../../src/core/orders/disputes.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as switches from "../../src/core/overview/switches.ts";
import * as prompts from "../../src/core/payments/momo-prompts.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { countOver, figures, forgetOld } from "../../src/core/ussd/usage.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { LANGUAGES } from "../../src/shared/domain.ts";
import { endText, pausedText } from "../../src/shared/pause.ts";
import { parseMsisdn, spacedMsisdn } from "../../src/shared/phones/msisdn.ts";
import { gsm7Length } from "../../src/shared/phones/sms-text.ts";
import { SWITCH_MESSAGE_SEPTETS, type SwitchName } from "../../src/shared/switches.ts";
import { count, holdWallet } from "../support/asking.ts";
import { pauseNetwork, pauseProduct } from "../support/pausing.ts";
import { openWorld, type Person } from "../support/world.ts";
import { equipPhone, openLine, PIN } from "./dialling.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const line = openLine(world);
const paystack = await startPaystack({ otpForTelecel: true });
afterAll(paystack.stop);
const gateway = createPaystack({ baseUrl: paystack.url, secretKey: paystack.secretKey });

const mtn = await world.product("MTN", "1GB", "3.90");
await world.product("TELECEL", "1GB", "4.00");
await world.product("AIRTELTIGO", "1GB", "4.00");
await settings.change(db, { by, values: { support_phone: "0300000000" } });

let used = 0;
const fresh = (prefix = "054") => `${prefix}${String(4_000_000 + used++)}`;

/** The exits taken so far, as the map names them. */
const walked = new Set<string>();
const nameOf = ({ from, on, to }: Pick<Exit, "from" | "on" | "to">) => `${from}: ${on} -> ${to}`;

type Phone = ReturnType<typeof line.phone>;

/** Types an answer, and records the step. */
const typeOn = (phone: Phone) => async (answer: string) => {
  const from = line.last();
  const screen = await phone.reply(answer);
  const choice = SCREENS[from].choices?.find(({ digit }) => digit === answer);
  const { list, typed } = SCREENS[from];
  // A list takes numbers; a size has a unit here.
  const on = choice ? answer : ((/GB$/.test(answer) ? typed : (list ?? typed))?.input ?? "");
  walked.add(nameOf({ from, on, to: line.last() }));
  return screen;
};

/** Dials, and types one answer after the other. */
const walkOn =
  (phone: Phone, type: ReturnType<typeof typeOn>) =>
  async (...answers: string[]) => {
    await phone.dial();
    for (const answer of answers) await type(answer);
    return line.last();
  };

/** A phone without an account. */
function somePhone() {
  const msisdn = `233${fresh("24").slice(0, 9)}`;
  const phone = line.phone(msisdn);
  const type = typeOn(phone);
  return { msisdn, phone, type, walk: walkOn(phone, type), on: line.last };
}

/** The code in the latest SMS to this number; a minute has passed since. */
async function codeTo(msisdn: string): Promise<string> {
  await db.execute(sql`update codes set created_at = created_at - interval '2 minutes'`);
  const [row] = await db.execute<{ body: string }>(
    sql`select body from messages where recipient = ${msisdn} and carries_code order by id desc limit 1`,
  );
  return /\d{6}/.exec(row!.body)![0];
}

/** A user with a phone that records each step. */
async function somebody(balance = "GH₵ 50.00", { msisdn = `233${fresh("24").slice(0, 9)}`, network = "99999" } = {}) {
  const person = await world.person(`agent${used++}`, balance);
  await equipPhone(world, person, msisdn);
  const phone = line.phone(msisdn, { networkCode: network });
  const type = typeOn(phone);
  /** Dials a size behind a phone number, or types them together on the first screen. */
  const sizeBehind = (send: (text: string) => Promise<unknown>) => async (to: string, size: `${string}GB`) => {
    const screen = await send(`${to}*${size}`);
    walked.add(nameOf({ from: "bundles_for", on: SCREENS.bundles_for.typed!.input, to: line.last() }));
    return screen as Screen;
  };
  const [dialSize, typeSize] = [sizeBehind(phone.dial), sizeBehind(phone.reply)];
  const walk = walkOn(phone, type);
  const buy = async (to: string, product = mtn) =>
    (
      await orders.buy(db, {
        by: person.by(),
        key: null,
        line: { productId: product.id, msisdn: to, quantity: 1 },
        allowDuplicate: true,
      })
    ).answer.order.id;
  /** Places orders without paying, as in a browser. */
  const order = async (to: string) => {
    const line = { productId: mtn.id, msisdn: to, quantity: 1 };
    const input = { by: person.by("web"), key: null, line, allowDuplicate: true };
    return (await unpaidOrders.create(db, input)).answer.id;
  };
  return { person, msisdn, phone, type, dialSize, typeSize, walk, buy, order, on: line.last };
}

const pause = (productId: number, message: string | null) => pauseProduct(db, { by, productId, message });
/** With MTN's bundle off sale for a moment. */
async function whilePaused(work: () => Promise<unknown>): Promise<void> {
  await pause(mtn.id, "Back at noon");
  await work();
  await pause(mtn.id, null);
}
const deliver = async (id: number) => {
  for (const to of ["PROCESSING", "DELIVERED"] as const) await statusChanges.move(db, { by, key: null, ids: [id], to });
};
/** Closes the account between its PIN and the payment. */
async function whileBeingBanned({ id }: Person, work: () => Promise<unknown>): Promise<void> {
  const [isHeld, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from pins where user_id = ${id} for update`);
    isHeld.resolve();
    await gate.promise;
  });
  await isHeld.promise;
  const done = work();
  const waiters = sql`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await count(db, waiters)) < 1) await Bun.sleep(5);
  await db.execute(sql`update users set status = 'BANNED' where id = ${id}`);
  gate.resolve();
  await Promise.all([holder, done]);
}

describe("every exit from", () => {
  test("the first screen", async () => {
    const ama = await somebody();
    expect(await ama.walk("3")).toBe("home");
    expect(await ama.walk("5")).toBe("home");
    expect(await ama.walk("0")).toBe("goodbye");
    expect(await ama.walk("2", "0")).toBe("home");
    expect(await ama.walk("6", "0")).toBe("home");
    const to = fresh();
    await ama.buy(to);
    expect(await ama.walk("3", "0")).toBe("home");
    expect(await ama.walk("5")).toBe("duplicate");
    await db.execute(
      sql`update orders set created_at = created_at - interval '1 hour' where user_id = ${ama.person.id}`,
    );
    expect(await ama.walk("5", "0")).toBe("home");
    await whilePaused(async () => expect(await ama.walk("5", "0")).toBe("home"));
  });

  test("the lists of networks and of bundles", async () => {
    const ama = await somebody();
    expect(await ama.walk("1", "0")).toBe("home");
    for (const { code: operator, ussdPosition } of networksInOrder()) {
      const digit = String(ussdPosition);
      expect(await ama.walk("1", digit)).toBe("bundles");
      await pauseNetwork(db, { by, operator, message: "No network" });
      expect(await ama.walk("1", digit)).toBe("operator");
      await pauseNetwork(db, { by, operator, message: null });
    }
    expect(await ama.walk("1", "1", "0")).toBe("operator");
    expect(await ama.walk("1", "1", "1", "0")).toBe("bundles");
    await ama.walk("1");
    await world.product("MTN", "2GB", "8.40");
    await whilePaused(async () => {
      await ama.type("1");
      expect((await ama.type("1")).text).toStartWith(
        "1GB is paused. Choose another.\nMTN bundles, GHS\n1 1GB paused\n2 2GB 8.40",
      );
    });
    // The chosen bundle is read again, so that a pause does not outlast its end in a list shown before.
    expect((await ama.type("1")).text).toStartWith("Who gets MTN 1GB?");
  });

  test("a list with a pause that has an end, during the pause and after it", async () => {
    const ama = await somebody();
    const until = new Date(Date.now() + 3_600_000);
    const pausedUntil = pausedText({ until });
    await pauseProduct(db, { by, productId: mtn.id, message: "Slow", until });
    await ama.walk("1");
    // An end on another day is shown when the bundle is chosen.
    const inList = pausedUntil.includes(",") ? "paused" : pausedUntil;
    expect((await ama.type("1")).text).toContain(`\n1 1GB ${inList}\n`);
    expect((await ama.type("1")).text).toStartWith(`1GB is ${pausedUntil}. Choose another.\n`);
    await db.execute(sql`update products set paused_until = now() where id = ${mtn.id}`);
    expect((await ama.type("1")).text).toStartWith("Who gets MTN 1GB?");
    expect((await ama.type("0")).text).toContain("\n1 1GB 3.90\n");
    await pause(mtn.id, null);
    await pauseNetwork(db, { by, operator: "TELECEL", message: "Slow", until });
    await ama.walk("1");
    expect((await ama.type("2")).text).toStartWith(`Telecel is ${pausedUntil}.\n`);
    await pauseNetwork(db, { by, operator: "TELECEL", message: null });
  });

  test("the question for the recipient", async () => {
    const ama = await somebody();
    const start = ["1", "1", "1"];
    expect(await ama.walk(...start, "2")).toBe("number");
    expect(await ama.walk(...start, "12")).toBe("number");
    expect(await ama.walk(...start, fresh(), "0")).toBe("home");
    expect(await ama.walk(...start, "1", "0")).toBe("home");
    expect(await ama.walk("1", "2", "1", "1", "0")).toBe("home");
    const bought = fresh();
    await ama.buy(bought);
    await ama.buy(`0${ama.msisdn.slice(3)}`);
    expect(await ama.walk(...start, bought, "0")).toBe("home");
    expect(await ama.walk(...start, "1", "0")).toBe("home");
    expect(await ama.walk(...start, "2", "2", "0")).toBe("home");
    expect(await ama.walk("1", "2", "1", "2", "2", "0")).toBe("home");
    expect(await ama.walk(...start, "2", "0")).toBe("number");
    await db.execute(
      sql`update orders set created_at = created_at - interval '1 hour' where user_id = ${ama.person.id}`,
    );
    expect(await ama.walk(...start, "2", "2", "0")).toBe("home");
    for (const answers of [[fresh()], ["1"], ["2", "2"]]) {
      await ama.walk(...start, ...answers.slice(0, -1));
      await whilePaused(() => ama.type(answers.at(-1)!));
      expect(ama.on()).toBe("not_on_sale");
      await ama.type("0");
    }
    await ama.walk(...start);
    await whilePaused(() => ama.type(fresh()));
    await ama.type("1");
    expect(ama.on()).toBe("operator");
  });

  test("the warning about another network, and the question about a duplicate", async () => {
    const ama = await somebody();
    const start = ["1", "1", "1"];
    const other = fresh("020");
    expect(await ama.walk(...start, other, "0")).toBe("home");
    expect(await ama.walk(...start, other, "2")).toBe("number");
    expect(await ama.walk(...start, other, "1", "0")).toBe("home");
    await ama.walk(...start, other);
    await whilePaused(() => ama.type("1"));
    expect(ama.on()).toBe("not_on_sale");
    await ama.type("0");
    await ama.buy(other);
    expect(await ama.walk(...start, other, "1")).toBe("duplicate");
    await whilePaused(() => ama.type("1"));
    expect(ama.on()).toBe("not_on_sale");
    await ama.type("0");
    expect(await ama.walk(...start, other, "1", "1", "0")).toBe("home");
    expect(await ama.walk(...start, other, "1", "0")).toBe("home");
  });

  test("the last screen before payment", async () => {
    const ama = await somebody("GH₵ 5.00");
    const start = () => ["1", "1", "1", fresh()];
    expect(await ama.walk(...start(), "1", "0", "0")).toBe("home");
    expect(await ama.walk(...start(), "1", "500", "2", "0")).toBe("home");
    expect(await ama.walk(...start(), "1", "2", PIN)).toBe("short_momo");
    await ama.walk("1", "1", "1", fresh());
    await whilePaused(() => ama.type(PIN));
    expect(ama.on()).toBe("not_on_sale");
    await ama.type("0");
    const to = fresh();
    await ama.walk("1", "1", "1", to, "1");
    await whilePaused(() => ama.type("2"));
    expect(ama.on()).toBe("not_on_sale");
    await ama.type("0");
    await ama.walk("1", "1", "1", to);
    await ama.buy(to);
    await ama.type("1");
    await ama.type("2");
    expect(ama.on()).toBe("duplicate");
    await ama.type("0");

    const kofi = await somebody();
    const again = fresh();
    await kofi.walk("1", "1", "1", again);
    await kofi.buy(again);
    await kofi.type(PIN);
    expect(kofi.on()).toBe("duplicate");
    expect(await kofi.walk("1", "1", "1", fresh(), "0000", PIN)).toBe("bought");
    await kofi.walk(...start());
    await whileBeingBanned(kofi.person, () => kofi.type(PIN));
    expect(kofi.on()).toBe("banned");

    const esi = await somebody();
    expect(await esi.walk(...start(), "0000", "0001", "0002")).toBe("locked");
    const yaa = await somebody();
    await yaa.walk(...start());
    await db.execute(sql`delete from pins where user_id = ${yaa.person.id}`);
    await yaa.type(PIN);
    expect(yaa.on()).toBe("no_pin");
  });

  test("the offer to continue an unfinished purchase", async () => {
    const leave = async (ama: Awaited<ReturnType<typeof somebody>>, to: string) => {
      await ama.walk("1", "1", "1", to);
      await ama.phone.hangUp();
    };
    const ama = await somebody();
    const to = fresh();
    await leave(ama, to);
    expect(await ama.walk("0")).toBe("goodbye");
    expect(await ama.walk("7")).toBe("pay");
    await whilePaused(() => ama.walk("7"));
    expect(ama.on()).toBe("not_on_sale");
    await ama.buy(to);
    // What was just bought is nothing unfinished, though the question about it was left.
    await leave(ama, to);
    expect(ama.on()).toBe("duplicate");
    expect((await ama.phone.dial()).text).not.toContain("Continue");
    const bought = fresh();
    await leave(ama, bought);
    await ama.phone.dial();
    await ama.buy(bought);
    await ama.type("7");
    expect(ama.on()).toBe("duplicate");
    await leave(ama, fresh("020"));
    // From there back to a list that this session has not shown.
    expect(await ama.walk("7", "2", "0")).toBe("bundles");
    await ama.walk("7", "2");
    await pauseNetwork(db, { by, operator: "MTN", message: "No network" });
    await ama.type("0");
    expect(ama.on()).toBe("operator");
    await pauseNetwork(db, { by, operator: "MTN", message: null });
    expect(await ama.walk("7")).toBe("other_network");
    const gone = await world.product("MTN", "8GB", "30.00");
    await ama.walk("1", "1", String(gone.ussdNumber), fresh());
    await ama.phone.dial();
    await products.retire(db, { by, productId: gone.id });
    await ama.type("7");
    expect(ama.on()).toBe("home");
  });

  test("the list of the last orders", async () => {
    const ama = await somebody();
    const [early, to] = [fresh(), fresh()];
    const first = await ama.buy(early);
    const second = await ama.buy(to);
    expect(await ama.walk("3", "1", "0", "0")).toBe("home");
    expect((await ama.type("3")).text).toContain(`1 1GB ${to} waiting\n2 1GB ${early}`);
    // What is not sent yet can be cancelled, and then bought again or reported.
    expect(await ama.walk("3", "1", "2", "0")).toBe("order");
    await statusChanges.move(db, { by, key: null, ids: [second, first], to: "PROCESSING" });
    await ama.walk("3", "1");
    expect((await ama.type("1")).text).toStartWith("Not delivered yet. Please wait.\nOrder");
    await statusChanges.move(db, { by, key: null, ids: [second], to: "DELIVERED" });
    await statusChanges.move(db, { by, key: null, ids: [first], to: "DELIVERED" });
    expect(await ama.walk("3", "1", "2", "0")).toBe("home");
    expect(await ama.walk("3", "1", "1", "0")).toBe("order");
    await ama.type("1");
    expect((await ama.type("1")).text).toMatch(
      new RegExp(`^Order ${second} reported\\. By \\d+ \\w+ \\d\\d:\\d\\d we show proof`),
    );
    expect((await disputes.ofOrder(db, second))?.state).toBe("open");
    // A dispute is opened once, even if the browser was faster.
    await ama.walk("3", "2", "1");
    await disputes.open(db, { by: ama.person.by("web"), key: null, orderId: first, message: "" });
    await ama.type("1");
    expect(ama.on()).toBe("order");
    expect(await ama.walk("3", "2", "1")).toBe("order");
    await ama.walk("3", "1");
    await whilePaused(() => ama.type("2"));
    expect(ama.on()).toBe("not_on_sale");
    await ama.type("0");
    await db.execute(
      sql`update orders set created_at = created_at - interval '1 hour' where user_id = ${ama.person.id}`,
    );
    expect(await ama.walk("3", "1", "2", "0")).toBe("home");
    const gone = await world.product("MTN", "9GB", "30.00");
    await deliver(await ama.buy(fresh(), gone));
    await products.retire(db, { by, productId: gone.id });
    expect(await ama.walk("3", "1", "2")).toBe("home");
    expect(await ama.walk("5")).toBe("home");
  });

  test("the cancelling of an order, until it is sent", async () => {
    const ama = await somebody("GH₵ 10.00");
    const [to, other] = [fresh(), fresh()];
    const sent = await ama.buy(to);
    const waiting = await ama.buy(other);
    await ama.walk("3");
    expect((await ama.type("1")).text).toEndWith("waiting\n1 Buy again\n2 Cancel order\n0 Back");
    expect((await ama.type("2")).text).toBe(
      `Cancel order ${waiting}?\nMTN 1GB for ${other}\nGHS 3.90 comes back to your wallet.\n1 Cancel order\n0 Back`,
    );
    expect((await ama.type("1")).text).toBe(
      `Order ${waiting} is cancelled.\nGHS 3.90 is back in your wallet.\nBalance GHS 6.10`,
    );
    expect(await world.balanceOf(ama.person)).toBe(610);
    await ama.walk("3", "2", "2");
    await statusChanges.move(db, { by, key: null, ids: [sent], to: "PROCESSING" });
    const late = await ama.type("1");
    expect(late.text).toStartWith("It is being sent: too late to cancel.\nOrder");
    expect(late.text).toEndWith("sent to MTN\n1 Not received\n2 Buy again\n0 Back");
    const unpaid = await ama.order(fresh());
    expect((await ama.phone.dial("3*1")).text).toContain("\n1 Pay now\n2 Cancel order\n");
    await ama.walk("3", "1");
    expect((await ama.type("2")).text).toContain("\nNothing was paid.\n1 Cancel order");
    expect((await ama.type("1")).text).toBe(`Order ${unpaid} is cancelled. Nothing was paid.`);
    // Typed ahead it asks at least once.
    await ama.buy(fresh());
    expect((await ama.phone.dial("3*1*2*1")).text).toStartWith("Order ");
    expect(await world.balanceOf(ama.person)).toBe(220);
  });

  test("a failed order, which has one choice", async () => {
    const ama = await somebody();
    const [first, second] = [await ama.buy(fresh()), await ama.buy(fresh())];
    await statusChanges.move(db, { by, key: null, ids: [first, second], to: "FAILED" });
    expect((await ama.phone.dial("3")).text).toContain("failed\n2 1GB");
    expect((await ama.type("1")).text).toMatch(/\nGHS 3\.90 failed, money back\n1 Buy again\n0 Back$/);
    expect(await ama.walk("3", "1", "1", "0")).toBe("home");
    await ama.walk("3", "1");
    await whilePaused(() => ama.type("1"));
    expect(ama.on()).toBe("not_on_sale");
    const to = fresh();
    const failed = await ama.buy(to);
    await statusChanges.move(db, { by, key: null, ids: [failed], to: "FAILED" });
    await ama.buy(to);
    expect(await ama.walk("3", "2", "1", "0")).toBe("home");
    const gone = await world.product("MTN", "7GB", "30.00");
    const last = await ama.buy(fresh(), gone);
    await statusChanges.move(db, { by, key: null, ids: [last], to: "FAILED" });
    await products.retire(db, { by, productId: gone.id });
    expect(await ama.walk("3", "1", "1")).toBe("home");
  });

  test("a cancelled order, which is no sale to repeat, nor its number a recent one", async () => {
    const ama = await somebody("GH₵ 50.00");
    const [right, wrong] = [fresh(), fresh()];
    const cancel = async (to: string) => {
      await ama.buy(to);
      const [last] = await orderQueries.list(db, { userId: ama.person.id }, { limit: 1 });
      await cancelling.cancel(db, { by: ama.person.by(), key: null, orderId: last!.id });
    };
    await cancel(wrong);
    expect((await ama.phone.dial("5")).text).toStartWith("There is no sale to repeat yet.");
    expect(await ama.walk("1", "1", "1", "2")).toBe("number");
    await ama.buy(right);
    await cancel(wrong);
    await db.execute(
      sql`update orders set created_at = created_at - interval '1 hour' where user_id = ${ama.person.id}`,
    );
    expect((await ama.phone.dial("5")).text).toContain(spacedMsisdn(parseMsisdn(right)!));
  });

  test("an unpaid order", async () => {
    const ama = await somebody("GH₵ 10.00");
    const to = fresh();
    expect(await ama.walk("5")).toBe("home");
    const id = await ama.order(to);
    // It is no purchase to repeat, and its number is not a recent one.
    expect((await ama.phone.dial("5")).text).toStartWith("There is no sale to repeat yet.");
    expect(await ama.walk("1", "1", "1", "2")).toBe("number");
    await ama.walk();
    expect((await ama.type("3")).text).toBe(`Last orders\n1 1GB ${to} not paid\n0 Back`);
    expect((await ama.type("1")).text).toMatch(/\nGHS 3\.90 not paid\n1 Pay now\n2 Cancel order\n0 Back$/);
    expect((await ama.type("1")).text).toBe(
      `Order ${id}: MTN 1GB\nfor ${to.slice(0, 3)} ${to.slice(3, 6)} ${to.slice(6)}\n` +
        "Pay GHS 3.90 from wallet\nEnter DataFie PIN to pay\n1 Forgot PIN\n0 Back",
    );
    await ama.type("0");
    await ama.type("1");
    await ama.type("12");
    const before = await count(db, sql`from messages where user_id = ${ama.person.id}`);
    const paid = await ama.type(PIN);
    expect(paid.text).toBe(`Order ${id} paid.\nMTN 1GB for ${to}\nGHS 3.90, balance GHS 6.10\nSMS will confirm.`);
    expect(await world.balanceOf(ama.person)).toBe(610);
    expect(await count(db, sql`from messages where user_id = ${ama.person.id}`)).toBe(before + 1);

    const payNow = () => ama.walk("3", "1", "1");
    for (const meanwhile of ["paid", "closed", "poor"] as const) {
      const orderId = await ama.order(fresh());
      await payNow();
      if (meanwhile === "paid") await unpaidOrders.spend(db, { by: ama.person.by("web"), key: null, orderId });
      if (meanwhile === "closed") await statusChanges.move(db, { by, key: null, ids: [orderId], to: "FAILED" });
      await ama.type(PIN);
      expect(ama.on()).toBe(meanwhile === "poor" ? "short" : "home");
    }
    expect((await ama.phone.dial("3*2")).text).toContain("not paid, closed\n1 Buy again");
    expect(await world.balanceOf(ama.person)).toBe(220);

    const waiting = async () => {
      const one = await somebody();
      await one.order(fresh());
      await one.walk("3", "1", "1");
      return one;
    };
    const esi = await waiting();
    for (const wrong of ["0000", "0001", "0002"]) await esi.type(wrong);
    expect(esi.on()).toBe("locked");
    const yaa = await waiting();
    await db.execute(sql`delete from pins where user_id = ${yaa.person.id}`);
    await yaa.type(PIN);
    expect(yaa.on()).toBe("no_pin");
    const kofi = await waiting();
    await whileBeingBanned(kofi.person, () => kofi.type(PIN));
    expect(kofi.on()).toBe("banned");
    const efua = await waiting();
    await whilePaused(async () => {
      expect((await efua.type(PIN)).text).toStartWith("That bundle is not on sale now.\n");
    });
    const adjoa = await waiting();
    await products.edit(db, { by, productId: mtn.id, pricePesewas: 400 });
    expect((await adjoa.type(PIN)).text).toStartWith("The price has gone up. Buy again.\n");
    await products.edit(db, { by, productId: mtn.id, pricePesewas: 390 });
  });

  test("a top-up", async () => {
    const ama = await somebody("GH₵ 1.00", { network: "62001" });
    expect(await ama.walk("4", "0")).toBe("home");
    expect(await ama.walk("4", "nothing")).toBe("top_up");
    expect(await ama.walk("4", "20", "0")).toBe("top_up");
    expect(await ama.walk("2", "1", "20", "1", "0")).toBe("home");
    expect(await ama.walk("4", "20", "2", "0")).toBe("top_up_from");
    expect(await ama.walk("4", "20", "2", "12")).toBe("top_up_number");
    expect(await ama.walk("4", "20", "2", "0281234567")).toBe("top_up_network");
    expect(await ama.walk("4", "20", "2", fresh())).toBe("top_up_from");
    expect(await ama.walk("4", "20", "3", "0")).toBe("top_up");
    for (const digit of ["1", "2", "3"]) expect(await ama.walk("4", "20", "3", digit)).toBe("top_up_pin");
    // An amount that is too small or too large is refused at once, before anybody types a PIN.
    await ama.walk("4");
    expect((await ama.type("2")).text).toStartWith("At least GHS 5.00.\nAdd money");
    expect((await ama.type("5001")).text).toStartWith("At most GHS 5000.00.\nAdd money");
    await ama.walk("4", "20", "1");
    await settings.change(db, { by, values: { top_up_minimum_pesewas: 3000 } });
    await ama.type(PIN);
    expect(ama.on()).toBe("top_up");
    await settings.change(db, { by, values: { top_up_minimum_pesewas: 500 } });
    await ama.walk("4", "20", "1", "12");
    expect((await ama.type(PIN)).text).toContain("No prompt? Dial *170#, My Wallet, My Approvals.");
    expect(await ama.walk("4", "0")).toBe("home");
    expect(await ama.walk("2", "1", "0")).toBe("home");
    // After a wrong number it is cancelled, and another one starts at once.
    expect(await ama.walk("4", "1", "20", "2", fresh("020"))).toBe("top_up_from");
    await ama.type("1");
    expect((await ama.type(PIN)).text).toBe(
      "GHS 20.00: an SMS comes now. It says how to get a voucher and where to type it.",
    );
    expect((await ama.phone.dial("4")).text).toMatch(
      /^GHS 20\.00 from 020\d{7} is waiting: approve it on that phone\.\n1 Cancel and start again\n0 Back$/,
    );
    await db.execute(sql`update payments set state = 'failed' where user_id = ${ama.person.id}`);
    await ama.type("1");
    expect(ama.on()).toBe("home");

    const odd = await somebody("GH₵ 1.00", { msisdn: "233281111111" });
    expect(await odd.walk("4", "20")).toBe("top_up_network");
    await odd.walk("4", "20", "1");
    const itself = odd.person.by("ussd");
    const key = { scope: "ussd", key: "elsewhere" };
    await prompts.request(db, {
      ...{ by: itself, key, amountPesewas: 2000, network: "mtn", msisdn: odd.msisdn },
      serviceCode: "*920*55#",
    });
    await odd.type(PIN);
    expect(odd.on()).toBe("home");

    const esi = await somebody();
    expect(await esi.walk("4", "20", "1", "0000", "0001", "0002")).toBe("locked");
    const yaa = await somebody();
    await yaa.walk("4", "20", "1");
    await db.execute(sql`delete from pins where user_id = ${yaa.person.id}`);
    await yaa.type(PIN);
    expect(yaa.on()).toBe("no_pin");
    const kofi = await somebody();
    await kofi.walk("4", "20", "1");
    await whileBeingBanned(kofi.person, () => kofi.type(PIN));
    expect(kofi.on()).toBe("banned");
  });

  test("a voucher that Telecel requires", async () => {
    const ama = await somebody("GH₵ 1.00", { network: "62002" });
    await ama.walk("4", "20", "1", PIN);
    await db.execute(sql`update jobs set run_at = now() where kind = 'ask_payer'`);
    await prompts.sendDue(db, gateway, 10);
    expect(await ama.walk("4", "0")).toBe("home");
    expect(await ama.walk("2", "1")).toBe("voucher");
    await ama.type("no voucher");
    await ama.type("123456");
    expect(ama.on()).toBe("handed_in");
    expect(await ama.walk("4")).toBe("top_up_waiting");
    await db.execute(sql`update prompts set voucher = null where user_id = ${ama.person.id}`);
    for (const answer of ["123456", "1"]) {
      await db.execute(sql`update payments set state = 'pending' where user_id = ${ama.person.id}`);
      await ama.walk("4");
      await db.execute(sql`update payments set state = 'failed' where user_id = ${ama.person.id}`);
      await ama.type(answer);
      expect(ama.on()).toBe("home");
    }
    await db.execute(sql`update payments set state = 'pending' where user_id = ${ama.person.id}`);
    expect(await ama.walk("4", "1")).toBe("top_up");
    expect(await ama.walk("4")).toBe("top_up");
  });

  test("the account, with the statement, help and a change of PIN", async () => {
    const ama = await somebody();
    for (let n = 0; n < 5; n++) expect(await ama.walk("6", "1")).toBe("statement");
    expect(await ama.walk("6", "1")).toBe("account");
    expect((await ama.type("3")).text).toContain("0300000000");
    expect((await ama.type("0")).text).toStartWith("My account");
    expect(await ama.walk("6", "2", "0")).toBe("account");
    expect(await ama.walk("6", "2", "ab", PIN, "0")).toBe("account");
    expect(await ama.walk("6", "2", PIN, "12", "1111", "7351", "0")).toBe("account");
    expect(await ama.walk("6", "2", "0001")).toBe("old_pin");
    expect(await ama.walk("6", "2", PIN, PIN)).toBe("new_pin");
    expect(await ama.walk("6", "2", PIN, "7351", "7352")).toBe("old_pin");
    expect(await ama.walk("6", "2", `${PIN}#`, "7351#", "7351")).toBe("pin_changed");
    expect(await ama.walk("1", "1", "1", fresh(), PIN)).toBe("pay");
    await ama.type("7351");
    expect(ama.on()).toBe("bought");
    expect(await ama.walk("6", "2", "0001", "0002", "0003")).toBe("locked");
  });

  test("a change of PIN while the PIN is changed, locked or removed elsewhere", async () => {
    const ama = await somebody();
    const pinOf = (change: SQL) => db.execute(sql`update pins set ${change} where user_id = ${ama.person.id}`);
    await ama.walk("6", "2", PIN);
    await pinOf(sql`set_at = now()`);
    await ama.type("7351");
    expect(ama.on()).toBe("old_pin");
    await ama.walk("6", "2", PIN, "7351");
    await pinOf(sql`wrong_tries = 3, locked_until = now() + interval '15 minutes'`);
    await ama.type("7351");
    expect(ama.on()).toBe("locked");
    await pinOf(sql`wrong_tries = 0, locked_until = null`);
    await ama.walk("6", "2");
    await db.execute(sql`delete from pins where user_id = ${ama.person.id}`);
    await ama.type(PIN);
    expect(ama.on()).toBe("no_pin");
  });

  test("a wallet that stays locked, where nothing is paid, then or later", async () => {
    const ama = await somebody();
    const waiting = await ama.order(fresh());
    const held = await holdWallet(db, ama.person.id);
    expect(await ama.walk("1", "1", "1", fresh(), PIN)).toBe("busy");
    expect(await ama.walk("3", "1", "1", PIN)).toBe("busy");
    expect(await ama.walk("4", "20", "1", PIN)).toBe("busy");
    await held.release();
    expect(await count(db, sql`from orders where user_id = ${ama.person.id} and paid_at is not null`)).toBe(0);
    expect(await count(db, sql`from prompts where user_id = ${ama.person.id}`)).toBe(0);
    await cancelling.cancel(db, { by: ama.person.by(), key: null, orderId: waiting });
  });

  test("a phone number that is typed first", async () => {
    const ama = await somebody();
    const three = { by, operator: "AIRTELTIGO" as const, size: "3GB", pricePesewas: 900 };
    const { answer: a } = await products.add(db, { ...three, name: "Day" });
    const { answer: b } = await products.add(db, { ...three, name: "Night" });
    expect(await ama.walk("0241234", "12", "0241234567", "0")).toBe("home");
    expect(await ama.walk("0291234567")).toBe("operator");
    expect(await ama.walk(fresh(), "99", "2", "99", "0")).toBe("home");
    const to = fresh();
    expect(await ama.walk(to, "1", PIN)).toBe("bought");
    expect(await ama.walk(to, "1")).toBe("duplicate");
    for (const digit of ["1", "3"]) expect(await ama.walk(fresh(), "99", digit)).toBe("bundles_for");
    expect(await ama.walk("1", "1", "1GB")).toBe("number");
    expect(await ama.walk("1", "1", "77GB")).toBe("bundles");
    await ama.walk(fresh());
    await whilePaused(() => ama.type("1"));
    expect(ama.on()).toBe("not_on_sale");
    await pause(mtn.id, "Later");
    expect(await ama.walk(fresh(), "1")).toBe("bundles_for");
    await ama.dialSize(fresh(), "1GB");
    expect(ama.on()).toBe("bundles_for");
    await pauseNetwork(db, { by, operator: "MTN", message: "No network" });
    expect(await ama.walk(fresh())).toBe("operator");
    await pauseNetwork(db, { by, operator: "MTN", message: null });
    await pause(mtn.id, null);
    expect((await ama.dialSize(fresh(), "1GB")).text).toStartWith("Buy MTN 1GB");
    expect((await ama.dialSize(to, "1GB")).text).toStartWith("You ordered MTN 1GB");
    expect((await ama.dialSize(fresh("027"), "3GB")).text).toStartWith("AirtelTigo for 027 ");
    await ama.walk(fresh(), "0");
    // The list that this session has shown is older than the pause.
    await whilePaused(() => ama.typeSize(fresh(), "1GB"));
    expect(ama.on()).toBe("not_on_sale");
    for (const { id } of [a, b]) await products.retire(db, { by, productId: id });
  });

  test("another purchase, where the shop offers it", async () => {
    await settings.change(db, { by, values: { ussd_another: true } });
    const ama = await somebody();
    expect(await ama.walk(fresh(), "1", PIN, "1")).toBe("home");
    await ama.type(fresh());
    await ama.type("1");
    await ama.type(PIN);
    expect(ama.on()).toBe("bought_another");
    await ama.type("0");
    expect(ama.on()).toBe("goodbye");
    await settings.change(db, { by, values: { ussd_another: false } });
  });

  test("the PIN before the balance and the orders, and the SMS to customers", async () => {
    const ama = await somebody();
    expect(await ama.walk("6", "5", "0")).toBe("account");
    expect(await ama.walk("6", "5", "12", "0001")).toBe("pin_to_look");
    expect((await ama.type(PIN)).text).toContain("\n5 PIN for balance: on\n");
    expect(await ama.walk("2", "0")).toBe("home");
    expect(await ama.walk("2", "0001", PIN)).toBe("balance");
    expect(await ama.walk("3", PIN)).toBe("home");
    await ama.buy(fresh());
    expect(await ama.walk("3", PIN)).toBe("orders");
    for (let n = 0; n < 5; n++) expect(await ama.walk("6", "1", PIN)).toBe("statement");
    expect(await ama.walk("6", "1", PIN)).toBe("account");
    // Once in a session is enough.
    expect(await ama.walk("2", PIN, "0", "3")).toBe("orders");
    expect((await ama.phone.dial(`2*${PIN}`)).text).toStartWith("Enter DataFie PIN to see this");

    expect(await ama.walk("6", "6", "0")).toBe("account");
    await ama.type("6");
    expect((await ama.type("1")).text).toContain("data is delivered: on\n");
    await ama.type("2");
    expect(await ama.type("www.x.y")).toMatchObject({
      text: expect.stringContaining("Only letters, digits"),
    });
    for (const name of ["MTN MoMo", "Telecel Cash", "M0MO King", "Ghana Police"])
      expect((await ama.type(name)).text).toStartWith("No network, bank or office, please");
    expect((await ama.type("Ama  Data")).text).toStartWith("Name of your shop: Ama Data\nEnter DataFie PIN");
    expect((await ama.type("0001")).text).toStartWith("Wrong PIN, 2 tries left.");
    expect((await ama.type(PIN)).text).toContain("In the name of Ama Data\n1 Turn off");
    for (const answers of [["0"], ["Ama Two", "0"]]) {
      await ama.type("2");
      for (const answer of answers) await ama.type(answer);
      expect(ama.on()).toBe("customer_sms");
    }
    expect((await ama.phone.dial("6*6")).text).toContain("In the name of Ama Data");
    const [akua, adjoa] = [await somebody(), await somebody()];
    expect(await akua.walk("6", "6", "2", "Akua", "0001", "0002", "0003")).toBe("locked");
    await adjoa.walk("6", "6", "2", "Adjoa");
    await db.execute(sql`delete from pins where user_id = ${adjoa.person.id}`);
    await adjoa.type(PIN);
    expect(adjoa.on()).toBe("no_pin");

    const [esi, kofi] = [await somebody(), await somebody()];
    for (const one of [esi, kofi]) await one.walk("6", "5", PIN);
    expect(await esi.walk("2", "0001", "0002", "0003")).toBe("locked");
    await kofi.walk("2");
    await db.execute(sql`delete from pins where user_id = ${kofi.person.id}`);
    await kofi.type(PIN);
    expect(kofi.on()).toBe("no_pin");
    const [abena, efua] = [await somebody(), await somebody()];
    expect(await abena.walk("6", "5", "0001", "0002", "0003")).toBe("locked");
    await efua.walk("6", "5");
    await db.execute(sql`delete from pins where user_id = ${efua.person.id}`);
    await efua.type(PIN);
    expect(efua.on()).toBe("no_pin");
  });

  test("the languages, once there is more than one", async () => {
    const ama = await somebody();
    expect(await ama.walk("6", "4")).toBe("account");
    await corrections.turn(db, { by, language: "tw", isOn: true });
    expect(await ama.walk("6", "4", "0")).toBe("account");
    expect(await ama.walk("6", "4", "2")).toBe("home");
    await corrections.turn(db, { by, language: "tw", isOn: false });
  });

  test("registering, and the code that confirms the phone", async () => {
    await settings.change(db, { by, values: { ussd_registration: true } });
    const ama = somePhone();
    expect(await ama.walk("0")).toBe("goodbye");
    expect(await ama.walk("2", "0")).toBe("welcome");
    expect(await ama.walk("1", "0")).toBe("welcome");
    await world.person("taken");
    expect(await ama.walk("1", "a", "taken", "1", "0")).toBe("welcome");
    expect(await ama.walk("1", "taken")).toBe("register_name");
    const [, proposal] = /1 Use (\w+)/.exec((await ama.type("taken")).text)!;
    await world.person(proposal!);
    await ama.type("1");
    expect(ama.on()).toBe("register_name");
    // Trying names tells who is registered: there is an end to it.
    const curious = somePhone();
    await curious.walk("1");
    for (let n = 0; n < 20; n++) await curious.type("taken");
    expect(curious.on()).toBe("register_name");
    await curious.type("1");
    expect(curious.on()).toBe("register_failed");
    expect(await curious.walk("1", "taken")).toBe("register_failed");
    expect(await ama.walk("1", "dials", "12", PIN, "0")).toBe("welcome");
    expect(await ama.walk("1", "dials", PIN, "7351", PIN)).toBe("register_pin_again");
    await world.person("dials");
    await ama.type(PIN);
    expect(ama.on()).toBe("register_name");
    await ama.walk("1", "dials.1", PIN);
    await settings.change(db, { by, values: { ussd_registration: false } });
    await ama.type(PIN);
    expect(ama.on()).toBe("register_failed");
    await settings.change(db, { by, values: { ussd_registration: true } });
    const late = somePhone();
    await late.walk("1", "late", PIN);
    const owner = await world.person("phone-owner");
    await equipPhone(world, owner, late.msisdn);
    await late.type(PIN);
    expect(late.on()).toBe("register_taken");
    expect(await ama.walk("1", "dials.1", PIN, PIN)).toBe("confirm_phone");
    await ama.type("1");
    expect(await ama.walk("000000", "0", "1", "1", "1", fresh(), PIN)).toBe("confirm_phone");
    await ama.type(await codeTo(ama.msisdn));
    expect(ama.on()).toBe("pay");
    await db.execute(sql`update phones set code_awaited_since = now() where msisdn = ${ama.msisdn}`);
    await db.execute(sql`update codes set used_at = null where recipient = ${ama.msisdn}`);
    expect(await ama.walk(await codeTo(ama.msisdn))).toBe("home");
    await settings.change(db, { by, values: { ussd_registration: false } });
  });

  test("what a new account may not do yet", async () => {
    const ama = await somebody();
    const set = (change: SQL) => db.execute(sql`update ${change} where user_id = ${ama.person.id}`);
    const id = await ama.order(fresh());
    const pay = () => ama.walk("1", "1", "1", fresh(), PIN);
    const payOrder = () => ama.walk("3", "1", "1", PIN);
    await set(sql`phones set code_awaited_since = now()`);
    // In sessions that began before.
    const start = async (...answers: string[]) => {
      await set(sql`phones set code_awaited_since = null`);
      await ama.walk(...answers);
      await set(sql`phones set code_awaited_since = now()`);
    };
    for (const answers of [
      ["1", "1", "1", fresh()],
      ["3", "1", "1"],
    ]) {
      await start(...answers);
      await ama.type(PIN);
      expect(ama.on()).toBe("confirm_phone");
    }
    await start("1", "1", "1", fresh());
    await ama.type("2");
    expect(ama.on()).toBe("confirm_phone");
    await set(sql`phones set code_awaited_since = null`);
    await set(sql`wallets set is_capped = true`);
    await settings.change(db, { by, values: { new_account_day_max_pesewas: 100 } });
    expect([await pay(), await payOrder()]).toEqual(["day_limit", "day_limit"]);
    await settings.change(db, { by, values: { new_account_day_max_pesewas: 10_000 } });
    const wait = ({ person }: typeof ama) =>
      db.execute(sql`insert into phone_waits (user_id, cause, until)
        values (${person.id}, 'pin', now() + interval '1 hour')`);
    await wait(ama);
    const payByMomo = () => ama.walk("1", "1", "1", fresh(), "2");
    expect([await pay(), await payOrder(), await payByMomo()]).toEqual(Array(3).fill("phone_waits"));
    // One that begins after the PIN was right.
    const esi = await somebody("GH₵ 1.00");
    expect(await esi.walk("1", "1", "1", fresh(), PIN)).toBe("short_momo");
    await wait(esi);
    await esi.type("2");
    expect(esi.on()).toBe("phone_waits");
    await cancelling.cancel(db, { by: ama.person.by(), key: null, orderId: id });
  });

  test("a limit of the day or the hour, and a frozen account", async () => {
    const [ama, esi] = [await somebody(), await somebody("GH₵ 1.00")];
    await ama.order(fresh());
    const toPay = () => ama.walk("1", "1", "1", fresh());
    const toMomo = () => esi.walk("1", "1", "1", fresh(), PIN);
    const expectEverywhere = async (screen: ScreenName) => {
      await toPay();
      await ama.type(PIN);
      expect(ama.on()).toBe(screen);
      expect(await ama.walk("3", "1", "1", PIN)).toBe(screen);
      await toPay();
      await ama.type("2");
      expect(ama.on()).toBe(screen);
    };
    const limit = (bounds: Partial<spendingLimits.Bounds>) =>
      spendingLimits.setTier(db, {
        ...{ by, tierId: STANDARD_TIER_ID },
        ...{ ...spendingLimits.NO_BOUNDS, ...bounds },
      });
    for (const [screen, bounds] of [
      ["day_limit", { dayMaxPesewas: 100 }],
      ["hour_limit", { hourOrdersMax: 0 }],
    ] as const) {
      // The wallet is too small, which is found first; then the prompt meets the limit.
      await toMomo();
      await limit(bounds);
      await esi.type("2");
      expect(esi.on()).toBe(screen);
      await expectEverywhere(screen);
      await limit({});
    }
    const text = async () => {
      await toPay();
      return (await ama.type(PIN)).text;
    };
    await limit({ dayMaxPesewas: 100 });
    expect(await text()).toBe("You can spend GHS 1.00 a day, GHS 1.00 is left until midnight.\nMore? 0300000000");
    await limit({ hourOrdersMax: 0 });
    expect(await text()).toMatch(/^You can place 0 orders an hour, 0 left until \d\d:00\.\nMore\? 0300000000$/);
    await limit({});

    const freeze = () =>
      freezes.freeze(db, {
        ...{ by, userId: ama.person.id },
        ...{ reason: "A stolen card", message: "We are checking", until: null },
      });
    const thaw = () => freezes.unfreeze(db, { by, userId: ama.person.id, reason: "It is theirs" });
    await freeze();
    expect(await text()).toBe("Your account is frozen for now. Your money is safe.\nAsk support: 0300000000");
    expect(await ama.walk("3", "1", "1", PIN)).toBe("frozen");
    await toPay();
    await ama.type("2");
    expect(ama.on()).toBe("frozen");
    expect(await ama.walk("4", "20", "1", PIN)).toBe("frozen");
    expect(await ama.walk("6", "2", PIN)).toBe("frozen");
    expect(await ama.walk("6", "2", "1", "1")).toBe("frozen");
    expect(await ama.walk("6", "2", "1", "2", "1")).toBe("frozen");
    expect(await ama.walk("6", "2", "1", "2", "123456")).toBe("frozen");
    // It may look.
    expect(await ama.walk("2")).toBe("balance");
    await thaw();
    await ama.walk("6", "2", PIN, "7351");
    await freeze();
    await ama.type("7351");
    expect(ama.on()).toBe("frozen");
    await thaw();
    await toMomo();
    await freezes.freeze(db, {
      ...{ by, userId: esi.person.id },
      ...{ reason: "A stolen card", message: "We are checking", until: null },
    });
    await esi.type("2");
    expect(esi.on()).toBe("frozen");
  });

  test("a closed switch, which nothing passes, and which may be looked at", async () => {
    const [ama, esi] = [await somebody(), await somebody("GH₵ 1.00")];
    const message = "W".repeat(SWITCH_MESSAGE_SEPTETS);
    const until = new Date(Date.now() + 40 * 24 * 3_600_000);
    const close = (name: SwitchName, end: Date | null = null) =>
      switches.close(db, { by, name, message, reason: "A test", until: end });
    /** Walks there, closes a switch, and types the last answer. */
    const closes = async (name: SwitchName, phone: typeof ama, last: string, ...answers: string[]) => {
      await phone.walk(...answers);
      await close(name);
      const { text } = await phone.type(last);
      expect([answers, last, phone.on()]).toEqual([answers, last, "closed"]);
      expect(text).toBe(`${message}.\nPlease dial again later.`);
      await switches.open(db, { by, name });
    };
    const [delivered, unpaid, sent] = [fresh(), fresh(), fresh()];
    await deliver(await ama.buy(delivered));
    const before = await count(db, sql`from orders`);
    for (const name of ["sales", "ussd"] as const) {
      await closes(name, ama, "1", "1", "1", "1");
      await closes(name, ama, fresh(), "1", "1", "1");
      await closes(name, ama, "1", "1", "1", "1", "2");
      await closes(name, ama, "1", "1", "1", "1", fresh("020"));
      await closes(name, ama, "1", fresh());
      await closes(name, ama, "5");
      await closes(name, ama, "2", "3", "1");
      await closes(name, ama, PIN, "1", "1", "1", fresh());
      await closes(name, ama, "2", "1", "1", "1", fresh());
      await closes(name, ama, "3", "1", "1", "1", fresh(), "1");
      await closes(name, esi, "2", "1", "1", "1", fresh(), PIN);
      await ama.walk("1", "1", "1", fresh());
      await closes(name, ama, "7");
      await close(name);
      await ama.dialSize(fresh(), "1GB");
      expect(ama.on()).toBe("closed");
      // Prices, balance and orders are there for all to see.
      expect(await ama.walk("1", "1")).toBe("bundles");
      expect(await ama.walk("2")).toBe("balance");
      expect(await ama.walk("3")).toBe("orders");
      await switches.open(db, { by, name });
    }
    for (const name of ["top_ups", "ussd"] as const) {
      await closes(name, ama, "4");
      await closes(name, ama, "1", "2");
      await closes(name, esi, "4", "1", "1", "1", fresh(), PIN);
      await closes(name, ama, PIN, "4", "20", "1");
    }
    await closes("ussd", ama, "1", "6", "2", "1");
    await closes("ussd", ama, "1", "6", "2", "1", "2");
    expect(await count(db, sql`from orders`)).toBe(before);
    await closes("refunds", ama, "1", "3", "1", "1");
    await ama.order(unpaid);
    for (const name of ["sales", "ussd"] as const) await closes(name, ama, PIN, "3", "1", "1");
    await closes("cancelling", ama, "1", "3", "1", "2");
    const cancelled = await ama.order(sent);
    await cancelling.cancel(db, { by: ama.person.by(), key: null, orderId: cancelled });
    await closes("sales", ama, "1", "3", "1");

    // As long as it gets: it fits every network.
    await close("sales", until);
    const { text } = await ama.phone.dial(`1*1*1*${fresh()}`);
    expect(text).toBe(`${message}.\nOpen again from ${endText(until)}.`);
    expect(gsm7Length(text)!).toBeLessThanOrEqual(SCREEN_SEPTETS - 4);
    await switches.open(db, { by, name: "sales" });
  });

  test("a forgotten PIN", async () => {
    const ama = await somebody();
    await ama.order(fresh());
    for (const way of [
      ["6", "2", "1"],
      ["1", "1", "1", fresh(), "3"],
      ["3", "1", "1", "1"],
    ])
      expect(await ama.walk(...way)).toBe("forgot_pin");
    expect(await ama.walk("6", "2", "1", "0")).toBe("home");
    expect(await ama.walk("6", "2", "1", "1", "0")).toBe("home");
    expect(await ama.walk("6", "2", "1", "2", "1", "000000")).toBe("reset_code");
    await ama.type(await codeTo(ama.msisdn));
    expect(ama.on()).toBe("new_pin");
    await ama.type("7351");
    await ama.type("7352");
    expect(ama.on()).toBe("new_pin");
    await ama.type("7351");
    await ama.type("7351");
    expect(ama.on()).toBe("pin_reset");
    // Another PIN is set meanwhile.
    for (const answers of [["7351"], ["7351", "7351"]]) {
      await ama.walk("6", "2", "1", "1");
      await ama.type(await codeTo(ama.msisdn));
      for (const answer of answers.slice(1)) await ama.type(answer);
      await db.execute(sql`update pins set set_at = now() where user_id = ${ama.person.id}`);
      await ama.type("7351");
      expect(ama.on()).toBe("forgot_pin");
    }
    await db.execute(sql`update rate_limits set count = 5 where bucket = ${`ussd.code:${ama.msisdn}`}`);
    await codeTo(ama.msisdn);
    expect(await ama.walk("6", "2", "1", "1")).toBe("forgot_pin");
    expect(await ama.walk("6", "2", "1", "2", "1")).toBe("forgot_pin");
  });

  test("the question besides the code", async () => {
    const ama = await somebody("GH₵ 900.00");
    const sold = [];
    for (let sales = 0; sales < 25; sales++) {
      sold.push(fresh());
      await ama.buy(sold.at(-1)!);
    }
    for (const [answers, screen] of [
      [["0"], "home"],
      [["1"], "new_pin"],
      [["0209999999"], "reset_question"],
      [["0209999999", sold[0]!], "new_pin"],
    ] as const) {
      await db.execute(sql`delete from codes where user_id = ${ama.person.id}`);
      await db.execute(sql`delete from rate_limits`);
      await ama.walk("6", "2", "1", "1");
      await ama.type(await codeTo(ama.msisdn));
      expect(ama.on()).toBe("reset_question");
      for (const answer of answers) await ama.type(answer);
      expect(ama.on()).toBe(screen);
    }
  });

  test("paying with mobile money alone", async () => {
    const ama = await somebody("GH₵ 1.00");
    const rested = () => db.execute(sql`update payments set state = 'failed' where user_id = ${ama.person.id}`);
    const toPay = (to = fresh()) => ama.walk("1", "1", "1", to);
    const toShort = (to = fresh()) => ama.walk("1", "1", "1", to, PIN);
    expect(await toShort()).toBe("short_momo");
    await ama.type("0");
    expect(ama.on()).toBe("home");
    await toShort();
    await ama.type("4");
    expect(ama.on()).toBe("top_up");
    for (const begin of [toPay, toShort]) {
      await db.execute(sql`delete from rate_limits`);
      const to = fresh();
      await begin(to);
      expect((await ama.type("2")).text).toMatch(
        /^Order \d+: MTN 1GB\nGHS 3\.90: wait for the prompt and approve it\.\nNo prompt\? Dial \*170#/,
      );
      await begin();
      await ama.type("2");
      expect(ama.on()).toBe("home");
      await toShort();
      await ama.type("4");
      expect(ama.on()).toBe("top_up_waiting");
      await rested();
      const doubled = fresh();
      await begin(doubled);
      await ama.order(doubled);
      await ama.type("2");
      expect(ama.on()).toBe("duplicate");
      await begin();
      await whilePaused(() => ama.type("2"));
      expect(ama.on()).toBe("not_on_sale");
      await begin();
      await db.execute(sql`update products set price_pesewas = 400 where id = ${mtn.id}`);
      await ama.type("2");
      expect(ama.on()).toBe("pay");
      await db.execute(sql`update products set price_pesewas = 390 where id = ${mtn.id}`);
      await begin();
      await db.execute(sql`update phones set code_awaited_since = now() where user_id = ${ama.person.id}`);
      await ama.type("2");
      expect(ama.on()).toBe("confirm_phone");
      await db.execute(sql`update phones set code_awaited_since = null where user_id = ${ama.person.id}`);
      await begin();
      const held = await holdWallet(db, ama.person.id);
      await ama.type("2");
      expect(ama.on()).toBe("busy");
      await held.release();
    }
    // A network that nobody knows is not prompted.
    const odd = await somebody("GH₵ 1.00", { msisdn: "233281111112" });
    expect(await odd.walk("1", "1", "1", fresh(), PIN)).toBe("short");
    // A voucher of Telecel waits for the money of another payment.
    await prompts.request(db, {
      ...{ by: ama.person.by("ussd"), key: { scope: "ussd", key: "voucher" }, amountPesewas: 2000 },
      ...{ network: "vod" as const, msisdn: "233201111111", serviceCode: "*920*55#" },
    });
    await db.execute(
      sql`update payments set state = 'pending', needs_code = true
        where user_id = ${ama.person.id} and state = 'created'`,
    );
    await toShort();
    await ama.type("4");
    expect(ama.on()).toBe("voucher");
    await rested();
    for (const begin of [toPay, toShort]) {
      await begin();
      await db.execute(sql`update users set status = 'ACTIVE' where id = ${ama.person.id}`);
      const held = await holdWallet(db, ama.person.id);
      const answered = ama.type("2");
      const waiters = sql`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await count(db, waiters)) < 1) await Bun.sleep(5);
      await db.execute(sql`update users set status = 'BANNED' where id = ${ama.person.id}`);
      await held.release();
      await answered;
      expect(ama.on()).toBe("banned");
      await db.execute(sql`update users set status = 'ACTIVE' where id = ${ama.person.id}`);
    }
  });

  test("a session that cannot go on", async () => {
    await line.phone("233249999998").dial();
    expect(line.last()).toBe("stranger");
    const ama = await somebody();
    for (let n = 0; n < 121; n++) await ama.phone.dial();
    expect(line.last()).toBe("wait");
  });
});

test("every screen was shown, and exactly the exits of the table were taken", () => {
  expect(SCREEN_NAMES.filter((name) => !line.shown.some(({ screen }) => screen === name))).toEqual(["failure"]);
  const known = new Set(exits().map(nameOf));
  expect([...known].filter((way) => !walked.has(way))).toEqual([]);
  const isStay = (way: string) => /^(\w+): .* -> \1$/.test(way);
  expect([...walked].filter((way) => !known.has(way) && !isStay(way))).toEqual([]);
});

test("every open screen has a harmless exit, and only the first has more than seven choices", () => {
  for (const name of SCREEN_NAMES) {
    if (isLast(SCREENS[name])) continue;
    expect([name, SCREENS[name].choices?.at(-1)?.digit]).toEqual([name, "0"]);
  }
  for (const { screen, body } of line.shown) {
    // The first screen has an eighth choice while a purchase is unfinished.
    const choicesMax = screen === "home" ? 8 : 7;
    expect(body.split("\n").filter((row) => /^\d+ /.test(row)).length).toBeLessThanOrEqual(choicesMax);
    expect(body).toMatch(/^(CON|END) [\x20-\x7e\n]+$/);
    expect(gsm7Length(body)).toBeLessThanOrEqual(150);
  }
});

test("abandoned and misunderstood screens are counted once, by day and screen, without the input", async () => {
  const always = { first: "2020-01-01", last: "2099-12-31" };
  await db.execute(sql`update ussd_sessions set started_at = now() - interval '1 hour'`);
  const shown = line.shown.filter(({ screen }) => screen !== "wait" && screen !== "failure").length;
  const sessions = await count(db, sql`from ussd_sessions`);
  await Promise.all([countOver(db), countOver(db), countOver(db)]);
  while ((await countOver(db)) > 0);
  const { days, screens } = await figures(db, always);
  expect(days.reduce((sum, day) => sum + day.sessions, 0)).toBe(sessions);
  expect(days.reduce((sum, day) => sum + day.hops, 0)).toBe(shown);
  expect(screens.reduce((sum, screen) => sum + screen.shown, 0)).toBe(shown);
  expect(screens.find(({ screen }) => screen === "pay")).toMatchObject({ stumbles: expect.any(Number) });
  await db.execute(sql`update ussd_sessions set started_at = now() - interval '4 days'`);
  await forgetOld(db);
  expect(await db.execute(sql`select 1 from ussd_sessions`)).toHaveLength(0);
  expect((await figures(db, always)).days).toEqual(days);
});

describe("a screen", () => {
  // Brackets take two septets each.
  const hostile = "Ｂïg — [{“time”}] 😀 ₵\n\u202e[[[[[[[[[[[[[[[[[[[[[[[[[[".repeat(3);
  const label = hostile.slice(0, 60);
  const bundle = { id: 1, operator: "AIRTELTIGO", label, pricePesewas: 99_999_999 } as const;
  const context: Context = {
    operator: "AIRTELTIGO",
    shelves: {
      AIRTELTIGO: Array.from({ length: 40 }, (_, id) => ({
        ...bundle,
        id,
        number: id + 10,
        volumeMb: 100_500,
        paused: null,
      })),
    },
    offer: {
      productId: 1,
      msisdn: "233541234567",
      quantity: 100,
      pricePesewas: 99_999_999,
      name: "100 x 99999GB",
    },
    buying: {
      ...{ bundle, wasPesewas: 88_888_888, msisdn: "233541234567", quantity: 100 },
      ...{ knowsNetwork: false, knowsDuplicate: false },
    },
    recipients: Array.from({ length: 12 }, () => "233541234567"),
    recipient: "233541234567",
    choices: { requiresPin: false, notifyCustomers: true, shopName: "W".repeat(20) },
    orders: Array.from({ length: 12 }, (_, i) => ({
      ...{ id: 999_999_999_999 + i, status: "FAILED" as const, label, productId: 1, msisdn: "233541234567" },
      ...{ quantity: 100, amountPesewas: 999_999_999_900, at: "30 September 23:59" },
      ...{
        isPaid: true,
        isRefunded: true,
        isCancelled: false,
        canCancel: false,
        operator: "AIRTELTIGO" as const,
      },
    })),
    order: 0,
    topUp: { amountPesewas: 500_000, network: "atl", msisdn: "233541234567" },
    waiting: { paymentId: 1, amountPesewas: 500_000, msisdn: "233541234567" },
    ...{ until: "30 September 23:59", balancePesewas: 999_999_999_900, neededPesewas: 999_999_999_900 },
    ...{
      momo: "mtn" as const,
      hours: 168,
      registering: { username: "ama", proposal: "nana-ama.sells.data5" },
    },
    dayLimit: { limitPesewas: 999_999_900, leftPesewas: 999_999_900, isNew: false },
    hourLimit: { limit: 10_000, left: 10_000, until: "23:00" },
    ...{ orderId: 999_999_999_999, support: hostile.slice(0, 50) },
    closed: { message: hostile.slice(0, SWITCH_MESSAGE_SEPTETS), end: "30 September, 23:59" },
  };
  const facts = {
    t: inEnglish,
    languages: LANGUAGES,
    context,
    msisdn: "233541234567",
    serviceCode: "*920*55#",
    shop: { host: "a-very-long-name-of-a-shop.example.com.gh" },
  };

  for (const name of SCREEN_NAMES) {
    test(`called ${name} fits, whatever the shop's name and products, with all its choices`, () => {
      const offered = (SCREENS[name].choices ?? []).filter(({ when }) => !when || when(facts));
      for (let page = 0; page < 20; page++)
        for (const notice of [undefined, "Not understood. Type a number from the list."]) {
          const text = render(SCREENS[name], { ...facts, context: { ...context, page } }, notice);
          expect(gsm7Length(text)).toBeLessThanOrEqual(150);
          expect(text).toMatch(/^(CON|END) [\x21-\x7e][\x20-\x7e\n]*$/);
          for (const { digit, label } of offered) expect(text).toContain(`\n${digit} ${labelAt(label, facts)}`);
        }
    });
  }

  test("that asks for a PIN shows the bundle, recipient and amount, whatever else it shows", () => {
    const bundle = {
      id: 1,
      operator: "AIRTELTIGO",
      label: "Big Time 9999.5GB",
      pricePesewas: 999_999,
    } as const;
    const worst = { ...facts, context: { ...context, buying: { ...context.buying!, bundle } } };
    const afterPin = {
      ...worst,
      context: { ...worst.context, buying: { ...worst.context.buying, wasPesewas: null } },
    };
    for (const text of [
      render(SCREENS.pay, worst),
      render(SCREENS.pay, afterPin, "Not understood. Type your PIN."),
      render(SCREENS.pay, afterPin, "Wrong PIN, 2 tries left."),
    ])
      expect(text).toContain("Buy 100 x AT Big Time 9999.5GB\nfor 054 123 4567\nPay GHS 999999.00 from wallet");
  });

  test("with a list keeps each line's number on every page, and shows each line once", () => {
    const list = numbered(Array.from({ length: 40 }, (_, i) => `${i} bundle`));
    const numbers: string[] = [];
    for (let page = 0, more = true; more; page++) {
      const lines = { ...SCREENS.bundles, list: { ...SCREENS.bundles.list!, lines: () => list } };
      const rows = render(lines, { ...facts, context: { ...context, page } }).split("\n");
      for (const row of rows) {
        const [, number, place] = /^(\d+) (\d+) bundle$/.exec(row) ?? [];
        if (number) numbers.push(number);
        if (number) expect(placeIn(list, number)).toBe(Number(place));
      }
      more = rows.includes("9 More");
    }
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, ...Array.from({ length: 32 }, (_, i) => 10 + i)].map(String));
  });
});

test("the map in the documentation is up to date with the table", async () => {
  expect(await Bun.file(join(import.meta.dir, "../../docs/ussd.md")).text()).toBe(map());
});
