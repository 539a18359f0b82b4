// Notices by SMS: written in the commit of the change, once, and only to those who have a phone and want them.
import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { messages, phones as phoneTable } from "../../db/schema-messages.ts";
import * as claims from "../../src/core/claims.ts";
import * as moves from "../../src/core/moves.ts";
import * as orders from "../../src/core/orders.ts";
import * as phones from "../../src/core/phones.ts";
import * as users from "../../src/core/users.ts";
import * as wallet from "../../src/core/wallet.ts";
import { gsm7Length } from "../../src/shared/sms-text.ts";
import type { Person } from "../support/world.ts";
import { count, key, lineFor, times } from "./asking.ts";
import { openPaying } from "./paying.ts";

const shop = await openPaying();
const { world, db, settle } = shop;
const { yaw } = world;
const bundle = await world.product("TELECEL", "2GB", "9.00");

let made = 0;
async function agent(isReachable = true): Promise<Person> {
  made += 1;
  const person = await world.person(`agent${made}`, "GH₵ 100.00");
  const msisdn = `2335500000${made + 10}`;
  if (isReachable) await db.insert(phoneTable).values({ userId: person.id, msisdn });
  return person;
}
const bought = async (person: Person, msisdn = "0201234567") => {
  const line = { ...lineFor(bundle), msisdn };
  return (await orders.buy(db, { by: person.by(), key: null, line })).answer.order;
};
const noticesTo = async ({ id }: Person) =>
  (await db.select().from(messages).where(eq(messages.userId, id)).orderBy(messages.id)).map(
    ({ body }) => body,
  );
const fail = (ids: number[], more = {}) =>
  moves.move(db, { by: yaw.by("admin"), key: null, ids, to: "FAILED", ...more });

test("a failed order tells its owner what failed, what came back and what there is", async () => {
  const ama = await agent();
  const { id } = await bought(ama);
  await fail([id], { key: key("once") });
  await fail([id], { key: key("once") });
  await fail([id]);
  const text = `DataFie: order ${id} failed: 2GB TELECEL to 0201234567. GHS 9.00 is back in your wallet. Balance GHS 100.00.`;
  expect(await noticesTo(ama)).toEqual([text]);
  expect(gsm7Length(text)).toBeLessThanOrEqual(160);
  expect(await count(db, sql`from jobs where kind = 'send_message'`)).toBe(1);
});

test("many that fail at once are one SMS for each owner", async () => {
  const [ama, kofi, silent] = [await agent(), await agent(), await agent(false)];
  const ids: number[] = [];
  for (const person of [ama, kofi, silent])
    for (const n of times(3, (i) => i)) ids.push((await bought(person, `020000000${n}`)).id);
  await fail(ids);
  const text = "DataFie: 3 orders failed. GHS 27.00 is back in your wallet. Balance GHS 100.00.";
  expect(await noticesTo(ama)).toEqual([text]);
  expect(await noticesTo(kofi)).toEqual([text]);
  expect(await noticesTo(silent)).toEqual([]);
});

test("nobody is told of what they did themselves, or of an order that was never paid", async () => {
  const ama = await agent();
  await moves.cancel(db, { by: ama.by(), key: null, orderId: (await bought(ama)).id });
  const unpaid = await orders.create(db, { by: ama.by(), key: null, line: lineFor(bundle) });
  await fail([unpaid.answer.id]);
  expect(await noticesTo(ama)).toEqual([]);
});

test("a payment that has settled says so once, whoever asks how often", async () => {
  const ama = await agent();
  const { reference } = await shop.paidTopUp(ama, 2000);
  await Promise.all(times(4, () => settle(reference)));
  expect(await noticesTo(ama)).toEqual(["DataFie: GHS 20.00 is in your wallet. Balance GHS 120.00."]);
});

test("a payment for an order is no top-up, unless the order could not be paid any more", async () => {
  const ama = await agent();
  const paid = await shop.orderPage(ama);
  await shop.paystack.pay(paid.page.reference);
  await settle(paid.page.reference);
  expect(await noticesTo(ama)).toEqual([]);
  const late = await shop.orderPage(ama);
  await fail([late.order.id]);
  await shop.paystack.pay(late.page.reference);
  await settle(late.page.reference);
  expect(await noticesTo(ama)).toEqual(["DataFie: GHS 3.90 is in your wallet. Balance GHS 103.90."]);
});

test("an approved claim is a top-up, a refused one is not", async () => {
  const ama = await agent();
  const filed = async (transactionId: string) => {
    return (await claims.file(db, { by: ama.by(), transactionId, amountPesewas: 1500 })).id;
  };
  const asAdmin = { by: yaw.by("admin"), key: null };
  await claims.refuse(db, { ...asAdmin, claimId: await filed("1234567890"), reason: "not found" });
  await claims.approve(db, { ...asAdmin, claimId: await filed("1234567891") });
  expect(await noticesTo(ama)).toEqual(["DataFie: GHS 15.00 is in your wallet. Balance GHS 115.00."]);
});

test("each kind can be switched off, and a banned account hears nothing", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  await phones.chooseNotices(db, {
    by: ama.by("web"),
    wantsRefunds: false,
    wantsTopUps: true,
    wantsDeliveries: false,
  });
  const { reference } = await shop.paidTopUp(ama, 500);
  await fail([(await bought(ama)).id, (await bought(kofi)).id]);
  await settle(reference);
  expect((await noticesTo(ama)).map((text) => text?.slice(9, 17))).toEqual(["GHS 5.00"]);
  expect(await noticesTo(kofi)).toHaveLength(1);
  const { id } = await bought(kofi);
  await users.ban(db, { by: yaw.by("admin"), userId: kofi.id });
  await fail([id]);
  expect(await noticesTo(kofi)).toHaveLength(1);
});

test("a notice is not there when what it tells of did not happen", async () => {
  const ama = await agent();
  const order = await bought(ama);
  // The trace is the last thing a move writes; without room for it the whole move is undone.
  await db.execute(sql`alter table audit_log add constraint no_room check (false) not valid`);
  expect(
    await fail([order.id]).then(
      () => "moved",
      () => "undone",
    ),
  ).toBe("undone");
  await db.execute(sql`alter table audit_log drop constraint no_room`);
  expect(await noticesTo(ama)).toEqual([]);
  expect(await wallet.balance(db, ama.id)).toBe(10_000 - 900);
});

test("deliveries are told to whoever wants to hear of them, and to nobody else", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  await phones.chooseNotices(db, {
    by: ama.by("web"),
    wantsRefunds: true,
    wantsTopUps: true,
    wantsDeliveries: true,
  });
  const ids = [(await bought(ama)).id, (await bought(kofi)).id];
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await moves.move(db, { by: yaw.by("admin"), key: null, ids, to });
  const text = `DataFie: order ${ids[0]} is delivered: 2GB TELECEL to 0201234567.`;
  expect(await noticesTo(ama)).toEqual([text]);
  expect(gsm7Length(text)).toBeLessThanOrEqual(160);
  expect(await noticesTo(kofi)).toEqual([]);
});
