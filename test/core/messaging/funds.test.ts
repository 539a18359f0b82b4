// Balances in messages while a chargeback is open: the available amount, and what is held until the bank decides.
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as replies from "../../../channels/sms/replies.ts";
import { phones as phoneTable } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as phones from "../../../src/core/identity/phones/phones.ts";
import { inEnglish } from "../../../src/core/messaging/languages/translate.ts";
import * as notices from "../../../src/core/messaging/notices.ts";
import * as smsTexts from "../../../src/core/messaging/texts/sms-texts.ts";
import * as smsStatement from "../../../src/core/ussd/statement-sms.ts";
import { gsm7Length } from "../../../src/shared/phones/sms-text.ts";
import { equipPhone, openLine, PIN, walk } from "../../channels/dialling.ts";
import { key, lineFor } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import type { Person } from "../../support/world.ts";
import { openPaying } from "../payments/paying.ts";

const shop = await openPaying();
const { world, db, paystack } = shop;
const line = openLine(world);
const bundle = await world.product("MTN", "2GB", "8.40");

let made = 0;
/** An agent with a phone, GH₵ 20.00 of their own, and an open chargeback of GH₵ 10.00. */
async function disputed(): Promise<Person> {
  made += 1;
  const person = await world.person(`disputed${made}`, "GH₵ 20.00");
  await db.insert(phoneTable).values({ userId: person.id, msisdn: `23355000100${made}` });
  const { reference } = await shop.paidTopUp(person, 1000);
  await shop.settle(reference);
  await paystack.dispute(reference, "create");
  await paystack.deliver(reference, { event: "charge.dispute.create" });
  await shop.workOff();
  await db.delete(messages).where(eq(messages.userId, person.id));
  return person;
}
const lineTo = (msisdn: string) => ({ ...lineFor(bundle), msisdn });
const noticesOf = async ({ id }: Person) => {
  await notices.sendDue(db, 100);
  const rows = await db.select().from(messages).where(eq(messages.userId, id)).orderBy(messages.id);
  return rows.map(({ body }) => body);
};

longTest("a low balance is about the available amount, after a purchase and after paying an order later", async () => {
  const low =
    "DataFie: GHS 11.60 is available, below GHS 15.00. GHS 10.00 is held until the bank decides. " +
    "Top up to keep selling.";
  const [buyer, payer] = [await disputed(), await disputed()];
  for (const one of [buyer, payer]) await phones.chooseNotices(db, { by: one.by(), lowBalancePesewas: 1_500 });
  await orders.buy(db, { by: buyer.by(), key: null, line: lineTo("0241234501") });
  expect(await noticesOf(buyer)).toEqual([low]);
  const { answer } = await unpaidOrders.create(db, { by: payer.by(), key: null, line: lineTo("0241234502") });
  await unpaidOrders.spend(db, { by: payer.by(), key: null, orderId: answer.id });
  expect(await noticesOf(payer)).toEqual([low]);
  await orders.buy(db, { by: buyer.by(), key: null, line: lineTo("0241234503") });
  expect(await noticesOf(buyer)).toHaveLength(1);
});

test("messages about purchases and credits show the available amount", async () => {
  const person = await disputed();
  await phones.chooseNotices(db, { by: person.by(), notifyPurchases: true });
  const { answer } = await orders.buy(db, { by: person.by(), key: null, line: lineTo("0241234504") });
  expect(await noticesOf(person)).toEqual([
    `DataFie: order ${answer.order.id} is paid: MTN 2GB to 0241234504, GHS 8.40. Available GHS 11.60, held GHS 10.00.`,
  ]);
  await shop.settle((await shop.paidTopUp(person, 500)).reference);
  expect((await noticesOf(person)).at(-1)).toBe(
    "DataFie: GHS 5.00 is in your wallet. Available GHS 16.60, held GHS 10.00.",
  );
});

test("the statement by SMS shows it, too", async () => {
  const person = await disputed();
  await smsStatement.send(db, { by: person.by(), key: key("statement"), msisdn: "233550001003" });
  expect((await noticesOf(person)).at(-1)).toMatch(
    /^DataFie \d+ \w+: available GHS 20\.00, held GHS 10\.00\. \+10\.00 Paid through Paystack;/,
  );
});

longTest("USSD shows it beside the balance, after a purchase, and where the balance is too low", async () => {
  const person = await disputed();
  const msisdn = "233541230001";
  await db.delete(phoneTable).where(eq(phoneTable.userId, person.id));
  await equipPhone(world, person, msisdn);
  const phone = line.phone(msisdn);
  expect((await walk(phone, "2")).text).toStartWith(
    "Available GHS 20.00\nHeld until the bank decides GHS 10.00\n1 Add money",
  );
  const screen = (await walk(phone, "1", "1", "2", "0541230002", PIN)).text;
  expect(screen).toContain("GHS 8.40, available GHS 11.60, held GHS 10.00\nSMS will confirm.");
  expect((await noticesOf(person)).at(-1)).toEndWith("GHS 8.40. Available GHS 11.60, held GHS 10.00.");
  expect((await walk(phone, "1", "1", "2", "0541230003", "1", "2", PIN)).text).toStartWith(
    "Not enough money.\nNeed GHS 16.80, available GHS 11.60, held GHS 10.00.\n",
  );
});

test("each text fits one SMS with the largest amounts, and none shows a negative amount", () => {
  const funds = { balancePesewas: 999_999_999, heldPesewas: 1_000_000_000, owedPesewas: 1_000_000_000 };
  const order = {
    id: 99_999_999,
    operator: "AIRTELTIGO" as const,
    family: "AT_BIGTIME" as const,
    productSize: "100.5GB",
    quantity: 100,
    msisdn: "233571234567",
    amountPesewas: 999_999_999,
  };
  const sms = [
    replies.balance(inEnglish, { ...funds, owedPesewas: 0 }),
    replies.balance(inEnglish, funds),
    replies.insufficientBalance(inEnglish, order, 999_999_999, funds),
    smsTexts.balanceLow(inEnglish, funds, 999_999_999),
    smsTexts.orderPaid(inEnglish, order, funds),
    smsTexts.ordersAccepted(inEnglish, { first: order, orders: 10_000, amountPesewas: 999_999_999 }, funds),
    smsTexts.ordersRefunded(inEnglish, [order], funds),
    smsTexts.walletToppedUp(inEnglish, 999_999_999, funds),
  ];
  for (const text of sms) {
    expect({ text, fits: (gsm7Length(text) ?? 999) <= 160 }).toEqual({ text, fits: true });
    expect(text).not.toContain("-GHS");
  }
});
