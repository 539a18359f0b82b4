// Tests of USSD in more than one language: what a caller reads follows their account, corrections are shown at once,
// and a line that passes the checks is never cut on its screens.
import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { type Context, type Facts, FOR_GOOD, type OrderShown, SCREEN_NAMES } from "../../channels/ussd/conversation.ts";
import { labelAt, render } from "../../channels/ussd/screens/render.ts";
import { SCREENS } from "../../channels/ussd/screens/screens.ts";
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { measure } from "../../src/core/messaging/languages/checks.ts";
import {
  ENGLISH,
  fill,
  TEXT_KEYS,
  type TextKey,
  type Translate,
} from "../../src/core/messaging/languages/translate.ts";
import { WIDEST } from "../../src/core/messaging/languages/widths.ts";
import * as corrections from "../../src/core/messaging/texts/text-corrections.ts";
import * as sessions from "../../src/core/ussd/sessions.ts";
import { longTest } from "../support/long.ts";
import { openWorld } from "../support/world.ts";
import { equipPhone, openLine, PIN, walk } from "./dialling.ts";

const world = await openWorld();
const { db } = world;
const by = world.yaw.by("admin");
const line = openLine(world);
/** A second server of the shop. */
const pool = connect(world.url, { max: 4 });
afterAll(() => disconnect(pool));
const elsewhere = openLine(world, pool);
await world.product("MTN", "1GB", "3.90");

let used = 0;
async function somebody() {
  used += 1;
  const msisdn = `23354183${9000 + used}`;
  const person = await world.person(`agent${used}`, "GH₵ 50.00");
  await equipPhone(world, person, msisdn);
  return { person, msisdn, phone: line.phone(msisdn), other: elsewhere.phone(msisdn) };
}
/** Corrects a line, reviewed. */
async function write(key: TextKey, text: string, language: "en" | "tw" = "tw") {
  const { version } = await corrections.get(db, language, key);
  await corrections.save(db, { by, language, line: key, version, text, isReviewed: true });
}
const turn = (isOn: boolean) => corrections.turn(db, { by, language: "tw", isOn });
const lastSms = async (msisdn: string) => {
  const rows = await db.execute<{ body: string }>(
    sql`select body from messages where recipient = ${msisdn} order by id desc limit 1`,
  );
  return rows[0]!.body;
};

test("out of the box there is nothing but English, and no choice of a language", async () => {
  const { phone } = await somebody();
  expect((await walk(phone, "1")).text).toStartWith("Choose network\n1 MTN\n2 Telecel\n3 AT (AirtelTigo)\n0 Back");
  expect((await walk(phone, "6")).text).toBe(
    "My account\n1 Statement by SMS\n2 Change PIN\n3 Help\n5 PIN for balance: off\n6 Customer SMS: off\n0 Back",
  );
});

test("a corrected line is on the next screen of every server, even within a session", async () => {
  const { phone, other } = await somebody();
  await walk(other, "1");
  await phone.dial();
  await write("ussd.operator", "Which network?", "en");
  expect((await phone.reply("1")).text).toStartWith("Which network?\n1 MTN");
  expect((await walk(other, "1")).text).toStartWith("Which network?\n1 MTN");
});

longTest("a caller chooses a language once; screens and SMS follow it, line by line where it is reviewed", async () => {
  await turn(true);
  await write("ussd.home", "DataFie, akwaaba");
  await write("ussd.notice.language", "Kasa: {language}.");
  await write("sms.order_paid", "DataFie: {order} {bundle} {number} {amount}. {funds}. Yeda wo ase.");
  const { phone, other, msisdn } = await somebody();
  expect((await walk(phone, "6", "4")).text).toBe("Choose language\n1 English\n2 Twi\n0 Back");
  const chosen = (await phone.reply("2")).text;
  expect(chosen).toStartWith("Kasa: Twi.\nDataFie, akwaaba\n1 Buy data\n");
  expect((await other.dial()).text).toStartWith("DataFie, akwaaba\n1 Buy data\n");
  expect((await walk(phone, "1", "1", "1", "1", PIN)).text).toContain("SMS will confirm.");
  expect(await lastSms(msisdn)).toEndWith("Balance GHS 46.10. Yeda wo ase.");
  // Another account reads English all the while.
  const stranger = await somebody();
  expect((await stranger.phone.dial()).text).toStartWith("DataFie\n1 Buy data");
  await phone.sendSms("STATUS 999");
  expect(await lastSms(msisdn)).toBe("DataFie: you have no order 999.");
  await write("sms.no_order", "DataFie: wonni order {order}.");
  await phone.sendSms("STATUS 998");
  expect(await lastSms(msisdn)).toBe("DataFie: wonni order 998.");
  // Back again, and off.
  expect((await walk(phone, "6", "4", "1")).text).toStartWith("Language: English.\nDataFie\n1 Buy data");
  await walk(phone, "6", "4", "2");
  await turn(false);
  expect((await phone.dial()).text).toStartWith("DataFie\n1 Buy data");
});

test("an answer that needs no session has the corrected English line, too", async () => {
  const { phone } = await somebody();
  await write("ussd.failure", "Sorry, dial again.", "en");
  await phone.dial();
  const unreadable = await fetch(line.url("ussd"), {
    method: "POST",
    body: new URLSearchParams({ text: "" }),
  });
  expect(await unreadable.text()).toBe("END Sorry, dial again.");
});

test("a request reads the texts only after a change", async () => {
  const { msisdn } = await somebody();
  let reads = 0;
  const counted = new Proxy(pool, {
    get: (target, name) => {
      if (name === "select") reads += 1;
      return Reflect.get(target, name);
    },
  }) as Db;
  const look = () => sessions.look(counted, { sessionId: "languages", msisdn });
  await write("ussd.goodbye", "Bye.", "en");
  expect((await look()).t("ussd.goodbye")).toBe("Bye.");
  expect(reads).toBe(1);
  await look();
  await look();
  expect(reads).toBe(1);
});

describe("a line as wide as it is allowed, with the widest values,", () => {
  const bundle = { id: 1, operator: "AIRTELTIGO", label: "BigTime 100.5GB", pricePesewas: 1 } as const;
  const msisdn = "233541234567";
  const order: OrderShown = {
    ...{ id: 1, label: "1GB", productId: 1, msisdn, quantity: 1, amountPesewas: 1, at: "22 Nov 15:10" },
    ...{ status: "DELIVERED" as const, isPaid: true, isRefunded: false, operator: "MTN" as const },
    isCancelled: false,
    canCancel: false,
  };
  const context: Context = {
    ...{
      operator: "AIRTELTIGO" as const,
      shelves: { AIRTELTIGO: [{ ...bundle, number: 1, volumeMb: 100_500, paused: null }] },
    },
    offer: { productId: 1, msisdn, quantity: 100, pricePesewas: 1, name: "100 x 100.5GB" },
    buying: {
      ...{ bundle, wasPesewas: 2, msisdn, quantity: 100 },
      ...{ knowsNetwork: false, knowsDuplicate: false },
    },
    ...{ recipients: [msisdn], orders: [order], order: 0, recipient: msisdn },
    choices: { requiresPin: true, notifyCustomers: true, shopName: "A shop" },
    topUp: { amountPesewas: 1, network: "atl", msisdn },
    waiting: { paymentId: 1, amountPesewas: 1, msisdn },
    ...{ until: "22 Nov 15:10", lockedUntil: "15:20", support: "0300000000" },
    ...{ momo: "atl" as const, hours: 168, dayLimit: { limitPesewas: 1, leftPesewas: 1, isNew: true } },
    hourLimit: { limit: 1, left: 1, until: "15:00" },
    registering: { username: "ama", proposal: "ama42" },
    closed: { message: "Sales are closed.", end: "22 Nov, 15:10" },
    ...{ balancePesewas: 9, heldPesewas: 1, owedPesewas: 1, orderId: 1, neededPesewas: 1 },
  };
  const { lockedUntil: _, support: __, heldPesewas: ___, registering: ____, ...bare } = context;
  const unassigned = { ...context.buying!, wasPesewas: null, msisdn: "233291234567", paused: "paused" };
  const contexts: Context[] = [
    context,
    { ...context, lockedUntil: FOR_GOOD, noSms: "stopped" },
    {
      ...context,
      dayLimit: { limitPesewas: 1, leftPesewas: 1, isNew: false },
      closed: { message: "Sales are closed.", end: null },
    },
    { ...bare, dayLimit: { limitPesewas: 1, leftPesewas: 1, isNew: false } },
    { ...bare, buying: unassigned, orders: [{ ...order, isPaid: false, status: "PENDING" }] },
    { ...context, orders: [{ ...order, status: "FAILED", isRefunded: true }] },
    { ...context, orders: [{ ...order, canCancel: true }] },
  ];

  /** Renders any text with the widest values, and remembers which it was. */
  function widest(textOf: (key: TextKey) => string) {
    const keys = new Set<TextKey>();
    const t = ((key: TextKey) => {
      keys.add(key);
      return fill(textOf(key), WIDEST);
    }) as Translate;
    return { t, keys };
  }
  const factsOf = (t: Translate, context: Context): Facts => ({
    ...{ t, context, msisdn, languages: ["en", "tw"], serviceCode: "*920*55#" },
    shop: { host: WIDEST.host },
  });
  const english = (key: TextKey): string => ENGLISH[key];

  for (const name of SCREEN_NAMES)
    test(`is not cut on ${name}`, () => {
      for (const context of contexts) {
        const { t, keys } = widest(english);
        const shown = render(SCREENS[name], factsOf(t, context));
        expect(keys.size).toBeGreaterThan(0);
        expect(shown.length).toBeLessThanOrEqual(150);
        for (const key of [...keys].filter((one) => one.startsWith("ussd."))) {
          const { septets, allowed } = measure(key, ENGLISH[key], english);
          const padded = `${ENGLISH[key]}${"x".repeat(allowed - septets)}`;
          const facts = factsOf(widest((one) => (one === key ? padded : english(one))).t, context);
          const text = render(SCREENS[name], facts);
          expect([key, text]).toEqual([key, expect.stringContaining(SCREENS[name].text(facts))]);
          for (const { label, when } of SCREENS[name].choices ?? [])
            if (!when || when(facts))
              expect([key, text]).toEqual([key, expect.stringContaining(labelAt(label, facts))]);
          expect([key, text.length]).toEqual([key, Math.min(text.length, 150)]);
        }
      }
    });

  test("is one of those that screens, their messages and SMS use", async () => {
    const sources = ["channels", "src/core"].flatMap((folder) => [
      ...new Bun.Glob(`${folder}/**/*.ts`).scanSync(`${import.meta.dir}/../..`),
    ]);
    const code = await Promise.all(
      sources
        .filter((path) => !path.includes("messaging/languages/"))
        .map((path) => Bun.file(`${import.meta.dir}/../../${path}`).text()),
    );
    // The texts about a changed PIN are named by what happened.
    const isUsed = (key: TextKey) => /^sms\.pin_/.test(key) || code.some((one) => one.includes(`"${key}"`));
    expect(TEXT_KEYS.filter((key) => !isUsed(key))).toEqual([]);
  });
});
