// Tests of an unfinished purchase by USSD: it is offered again under its own number, until it is bought through any
// entry point or discarded.
import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { sweep } from "../../src/app/worker.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as prompts from "../../src/core/payments/momo-prompts.ts";
import * as settlement from "../../src/core/payments/settlement.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { count } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { pauseProduct } from "../support/pausing.ts";
import { openWorld } from "../support/world.ts";
import { equipPhone, openLine, PIN, walk } from "./dialling.ts";

const world = await openWorld();
const { db, yaw } = world;
const line = openLine(world);
const paystack = await startPaystack();
afterAll(paystack.stop);
const gateway = createPaystack({ baseUrl: paystack.url, secretKey: paystack.secretKey });
const small = await world.product("MTN", "1GB", "3.90");
const big = await world.product("MTN", "5GB", "20.90");

let used = 0;
const fresh = (prefix = "054") => `${prefix}${String(3_500_000 + used++)}`;
const somebody = async (balance = "GH₵ 100.00") => {
  const person = await world.person(`agent${used++}`, balance);
  const msisdn = `233${fresh().slice(1)}`;
  await equipPhone(world, person, msisdn);
  return { person, msisdn, phone: line.phone(msisdn) };
};
const HOME = "DataFie\n1 Buy data\n2 Balance\n3 Last orders\n4 Add money\n5 Repeat last order\n6 My account\n0 Exit";
const offering = (bundle: string) => HOME.replace("\n0 Exit", `\n7 Continue: ${bundle}\n0 Exit`);
const smsTo = async (msisdn: string, kind: string) =>
  (
    await db.execute<{ body: string }>(
      sql`select body from messages where recipient = ${msisdn} and kind = ${kind} order by id`,
    )
  ).map(({ body }) => body);

test("an unfinished purchase is one more line of the first screen, and continues at the PIN", async () => {
  const { phone, person } = await somebody();
  const to = fresh();
  await walk(phone, "1", "1", "5", to, "1", "3");
  await phone.hangUp();
  expect((await phone.dial()).text).toBe(offering(`3 x 5GB ${to}`));
  // Abandoned again, it is offered again.
  await phone.hangUp();
  expect((await phone.dial()).text).toBe(offering(`3 x 5GB ${to}`));
  expect((await phone.reply("7")).text).toStartWith("Buy 3 x MTN 5GB\n");
  expect((await phone.reply(PIN)).text).toContain(`3 x MTN 5GB for ${to}`);
  expect(await world.balanceOf(person)).toBe(10_000 - 3 * 2090);
  expect((await phone.dial()).text).toBe(HOME);
  expect((await phone.reply("7")).text).toStartWith("Not understood.");
});

test("an unfinished purchase changes no other answer: input from memory buys what it names", async () => {
  const { phone, person } = await somebody();
  await walk(phone, "1", "1", "5", fresh());
  await phone.hangUp();
  const to = fresh();
  expect((await walk(phone, "1", "1", "1", to, PIN)).text).toContain(`MTN 1GB for ${to}`);
  expect(await world.balanceOf(person)).toBe(10_000 - 390);
  expect((await phone.dial()).text).toBe(HOME);
});

longTest("an unfinished purchase is not offered once discarded, a day old, off sale, or without a number", async () => {
  const { phone } = await somebody();
  const home = async () => expect((await phone.dial()).text).toBe(HOME);
  await walk(phone, "1", "1", "1", fresh(), "0");
  await home();
  await walk(phone, "1", "1", "1", fresh());
  expect((await walk(phone, "7", "0")).text).toBe(HOME);
  await home();
  await walk(phone, "1", "1", "1");
  await home();
  await walk(phone, "1", "1", "1", fresh());
  await db.execute(sql`update unfinished_purchases set kept_at = kept_at - interval '25 hours'`);
  await home();
  await sweep(db);
  expect(await count(db, sql`from unfinished_purchases`)).toBe(0);
  const gone = await world.product("MTN", "9GB", "35.00");
  await walk(phone, "1", "1", String(gone.ussdNumber), fresh());
  await products.retire(db, { by: yaw.by("admin"), productId: gone.id });
  await home();
});

test("an unfinished purchase is not offered once it was bought in another channel, however long ago", async () => {
  const { phone, person } = await somebody();
  const to = fresh();
  await walk(phone, "1", "1", "1", to);
  // An order of somebody else, of another bundle or without payment does not complete it.
  const other = await world.person(`other${used++}`, "GH₵ 10.00");
  const lineOf = (productId: number) => ({ productId, msisdn: to, quantity: 1 });
  await orders.buy(db, { by: other.by("web"), key: null, line: lineOf(small.id) });
  await orders.buy(db, { by: person.by("web"), key: null, line: lineOf(big.id) });
  const { answer } = await unpaidOrders.create(db, {
    by: person.by("web"),
    key: null,
    line: lineOf(small.id),
  });
  expect((await phone.dial()).text).toBe(offering(`1GB ${to}`));
  await unpaidOrders.spend(db, { by: person.by("web"), key: null, orderId: answer.id });
  expect((await phone.dial()).text).toBe(HOME);
  await db.execute(sql`update orders set created_at = created_at - interval '1 hour' where user_id = ${person.id}`);
  expect((await phone.dial()).text).toBe(HOME);
});

test("an unfinished purchase shows a changed price, and a pause of its bundle", async () => {
  const { phone } = await somebody();
  const by = yaw.by("admin");
  await walk(phone, "1", "1", "1", fresh());
  await products.edit(db, { by, productId: small.id, pricePesewas: 420 });
  expect((await walk(phone, "7")).text).toStartWith("Price changed (was 3.90)\nBuy MTN 1GB\n");
  await products.edit(db, { by, productId: small.id, pricePesewas: 390 });
  await pauseProduct(db, { by, productId: small.id, message: "Later" });
  expect((await walk(phone, "7")).text).toStartWith("MTN 1GB is not on sale now.");
  await pauseProduct(db, { by, productId: small.id, message: null });
});

test("an unfinished purchase does not follow its number to another account", async () => {
  const { phone, person, msisdn } = await somebody();
  await walk(phone, "1", "1", "1", fresh());
  await db.execute(sql`delete from pins where user_id = ${person.id}`);
  await db.execute(sql`delete from phones where user_id = ${person.id}`);
  const next = await world.person(`next${used++}`, "GH₵ 10.00");
  await equipPhone(world, next, msisdn);
  expect((await phone.dial()).text).toBe(HOME);
});

describe("an unfinished purchase for which the money did not suffice", () => {
  const addMoney = async (phone: Awaited<ReturnType<typeof somebody>>["phone"], amount: string) => {
    expect((await phone.dial(`4*${amount}*1`)).text).toContain("Enter your DataFie PIN");
    await phone.reply(PIN);
    await db.execute(sql`update jobs set run_at = now() where kind = 'ask_payer'`);
    await prompts.sendDue(db, gateway, 10);
    const [payment] = await db.execute<{ reference: string }>(
      sql`select reference from payments order by id desc limit 1`,
    );
    await paystack.approve(payment!.reference);
    await settlement.settle(db, gateway, payment!.reference);
  };

  longTest("is offered after a top-up, whose SMS says what to dial", async () => {
    const { phone, msisdn } = await somebody("GH₵ 1.00");
    const to = fresh();
    expect((await walk(phone, "1", "1", "5", to, PIN)).text).toContain("4 Add money");
    await addMoney(phone, "10");
    expect((await smsTo(msisdn, "wallet_topped_up")).at(-1)).toBe(
      "DataFie: GHS 10.00 is in your wallet. Balance GHS 11.00.",
    );
    await addMoney(phone, "20");
    expect((await smsTo(msisdn, "wallet_topped_up")).at(-1)).toBe(
      `DataFie: GHS 20.00 is in your wallet. Balance GHS 31.00. Dial *920*55*7# to buy MTN 5GB for ${to}.`,
    );
    expect((await phone.dial("7")).text).toStartWith("Buy MTN 5GB\n");
    expect((await phone.reply(PIN)).text).toContain(`MTN 5GB for ${to}`);
    await addMoney(phone, "20");
    expect((await smsTo(msisdn, "wallet_topped_up")).at(-1)).not.toContain("Dial");
  });
});
