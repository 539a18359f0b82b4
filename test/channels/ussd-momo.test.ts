// Tests of orders by USSD that are paid by a mobile money prompt alone: what the payer's approval and refusal lead to,
// once however often a request comes, and that the payer's own money lifts a new account's limit.
import { afterAll, beforeEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { wallets } from "../../db/schema/ledger.ts";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { codeKey } from "../../src/core/identity/logins/codes.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as registration from "../../src/core/identity/phones/ussd-registration.ts";
import * as cancelling from "../../src/core/orders/cancelling.ts";
import * as prompts from "../../src/core/payments/momo-prompts.ts";
import * as settlement from "../../src/core/payments/settlement.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { USSD_GATEWAYS, type UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { count } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openWorld, type Person, TEST_JWT_SECRET } from "../support/world.ts";
import { equipPhone, openLine, PIN, walk } from "./dialling.ts";

const world = await openWorld();
const { db } = world;
const line = openLine(world);
const paystack = await startPaystack();
afterAll(paystack.stop);
const gateway = createPaystack({
  baseUrl: paystack.url,
  secretKey: paystack.secretKey,
  host: "shop.example",
});
await world.product("MTN", "5GB", "20.90");

let used = 0;
const fresh = () => `054${String(6_500_000 + used++)}`;
async function somebody(balance = "GH₵ 1.00") {
  const [person, msisdn] = [await world.person(`agent${used++}`, balance), `233${fresh().slice(1)}`];
  await equipPhone(world, person, msisdn);
  return { person, msisdn, phone: line.phone(msisdn) };
}
const smsTo = async (msisdn: string) =>
  (
    await db.execute<{ body: string }>(
      sql`select body from messages where recipient = ${msisdn} and not carries_code order by id desc limit 1`,
    )
  )[0]?.body;
const ordersOf = ({ id }: Pick<Person, "id">) =>
  db.execute<{ id: number; status: string; paid: boolean }>(
    sql`select id, status, paid_at is not null as paid from orders where user_id = ${id} order by id`,
  );
async function prompt({ id }: Pick<Person, "id">): Promise<string> {
  await db.execute(sql`update jobs set run_at = now() where kind = 'ask_payer'`);
  await prompts.sendDue(db, gateway, 10);
  const [payment] = await db.execute<{ reference: string }>(
    sql`select reference from payments where user_id = ${id} order by id desc limit 1`,
  );
  return payment!.reference;
}

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

for (const name of Object.keys(USSD_GATEWAYS) as UssdGatewayName[])
  longTest(`an order through ${name} is paid once its prompt is approved, for exactly its price`, async () => {
    const { person, msisdn } = await somebody();
    const phone = line.phone(msisdn, { gateway: name });
    const to = fresh();
    await phone.dial();
    for (const answer of ["1", "1", "5", to]) {
      await db.execute(sql`update ussd_sessions set updated_at = updated_at - interval '2 s'`);
      await phone.reply(answer);
    }
    await db.execute(sql`update ussd_sessions set updated_at = updated_at - interval '2 s'`);
    const [screen, ...again] = await Promise.all([phone.reply("2"), phone.redeliver(), phone.redeliver()]);
    for (const other of again) expect(other).toEqual(screen);
    expect(await ordersOf(person)).toMatchObject([{ status: "PENDING", paid: false }]);
    const reference = await prompt(person);
    await prompt(person);
    await paystack.approve(reference);
    await settlement.settle(db, gateway, reference);
    await settlement.settle(db, gateway, reference);
    const [order, ...others] = await ordersOf(person);
    expect([order!.status, order!.paid, others]).toEqual(["PAID", true, []]);
    expect(await world.balanceOf(person)).toBe(100);
    expect(await smsTo(msisdn)).toBe(
      `DataFie: order ${order!.id} is paid: MTN 5GB to ${to}, GHS 20.90. Balance GHS 1.00.`,
    );
    expect((await phone.dial()).text).not.toContain("7 Continue");
  });

test("a prompt that is declined leaves the order unpaid, and says so", async () => {
  const { person, msisdn, phone } = await somebody();
  await walk(phone, "1", "1", "5", fresh(), PIN, "2");
  const reference = await prompt(person);
  paystack.refuse(reference);
  await settlement.settle(db, gateway, reference);
  const [order] = await ordersOf(person);
  expect(order).toMatchObject({ status: "PENDING", paid: false });
  expect(await smsTo(msisdn)).toMatch(
    new RegExp(`^DataFie: your payment of GHS 20.90 for order ${order!.id} failed: .*The order is not paid\\.$`),
  );
});

test("a cancelled order is not prompted for, and money that still comes stays in the wallet", async () => {
  const { person, phone } = await somebody();
  await walk(phone, "1", "1", "5", fresh(), "2");
  const [first] = await ordersOf(person);
  await cancelling.cancel(db, { by: person.by(), key: null, orderId: first!.id });
  await prompt(person);
  expect(await count(db, sql`from payments where user_id = ${person.id} and state = 'failed'`)).toBe(1);
  await walk(phone, "1", "1", "5", fresh(), "2");
  const reference = await prompt(person);
  const second = (await ordersOf(person)).at(-1)!;
  await cancelling.cancel(db, { by: person.by(), key: null, orderId: second.id });
  await paystack.approve(reference);
  await settlement.settle(db, gateway, reference);
  expect(await world.balanceOf(person)).toBe(100 + 2090);
});

test("a new account without an e-mail pays by prompt, and its own money lifts its limit", async () => {
  const pinKeys = { key: pins.pinKey(TEST_JWT_SECRET) };
  const codeKeys = { key: codeKey(TEST_JWT_SECRET), channels: { sms: true, email: true } };
  const msisdn = `233${fresh().slice(1)}`;
  const opened = await registration.register(db, { pinKeys, codeKeys }, { msisdn, username: "new", pin: PIN });
  if (opened.outcome !== "registered") throw new Error(opened.outcome);
  const { userId: id } = opened;
  await db.execute(sql`update phones set code_awaited_since = null where user_id = ${id}`);
  await walk(line.phone(msisdn), "1", "1", "5", fresh(), "2");
  const reference = await prompt({ id });
  const isCapped = async () => (await db.select().from(wallets).where(eq(wallets.userId, id)))[0]!.isCapped;
  expect(await isCapped()).toBe(true);
  await paystack.approve(reference);
  await settlement.settle(db, gateway, reference);
  expect((await ordersOf({ id }))[0]!.paid).toBe(true);
  expect(await isCapped()).toBe(false);
});
