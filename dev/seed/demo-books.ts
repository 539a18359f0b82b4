// The books of one agent of the demonstration shop: customers by name, who take most of what she sells, selling prices
// with a public page of them, and what is still owed. The people are invented.

import * as customerDebts from "../../src/core/books/customer-debts.ts";
import * as priceLists from "../../src/core/catalog/price-lists.ts";
import * as sellingPrices from "../../src/core/catalog/selling-prices.ts";
import * as contacts from "../../src/core/identity/contacts.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import type { Operator } from "../../src/shared/domain.ts";
import { parseMsisdn } from "../../src/shared/phones/msisdn.ts";
import type { Scene, Step } from "./demo.ts";
import { demoNumber, pick, randomFrom } from "./draws.ts";

const OWNER = "ama";

type Customer = { operator: Operator; name: string; note?: string };

const PEOPLE: Customer[] = [
  { operator: "MTN", name: "Auntie Akosua", note: "Pays on Fridays" },
  { operator: "MTN", name: "Kwabena, barber" },
  { operator: "MTN", name: "Teacher Abena", note: "Two phones: the other one is Telecel" },
  { operator: "MTN", name: "Yaw, taxi" },
  { operator: "MTN", name: "Efua, provisions", note: "Call her when it has arrived" },
  { operator: "TELECEL", name: "Kojo, hostel" },
  { operator: "TELECEL", name: "Teacher Abena" },
  { operator: "AIRTELTIGO", name: "Ibrahim, spare parts" },
  { operator: "AIRTELTIGO", name: "Sister Esther" },
];
const CUSTOMERS = PEOPLE.map((one, i) => ({ ...one, msisdn: demoNumber(one.operator, 204 + i * 17) }));

/** The others are people who come once. */
const REGULARS = 0.6;
/** As they come out of the newest orders of customers. */
const OWED = [1, 4, 9];

/** Draws who takes the next sale: the number of a regular customer, or null. */
export function customerDraws(): (username: string, operator: Operator) => string | null {
  // With draws of its own, all other ones stay as they are.
  const random = randomFrom(20_261_122);
  return (username, operator) => {
    if (username !== OWNER || random() > REGULARS) return null;
    const own = CUSTOMERS.filter((customer) => customer.operator === operator);
    return pick(random, own).msisdn;
  };
}

/** Before the first sale, so that all have a profit. */
export function openBooks({ db, by, bundles }: Scene, at: number): Step {
  const owner = { by: by(OWNER) };
  return {
    at,
    act: async () => {
      for (const { msisdn, name, note = "" } of CUSTOMERS) await contacts.save(db, { ...owner, msisdn, name, note });
      const prices = new Map(bundles.map(({ id, pricePesewas }) => [id, sellingPriceOf(pricePesewas)]));
      await sellingPrices.save(db, { ...owner, prices });
      await priceLists.publish(db, { ...owner, heading: "Ama's bundles", msisdn: "0541234567" });
    },
  };
}

/** Marks a few of the latest sales as not paid by their customers yet. */
export async function noteDebts({ db, by, idOf }: Scene): Promise<void> {
  const numbers = new Set(CUSTOMERS.map(({ msisdn }) => parseMsisdn(msisdn)));
  const newest = await orderQueries.list(db, { userId: idOf(OWNER) }, { limit: 50 });
  const sold = newest.filter(({ msisdn, paidAt, status }) => numbers.has(msisdn) && paidAt && status !== "FAILED");
  for (const order of OWED.flatMap((i) => sold[i] ?? []))
    await customerDebts.mark(db, { by: by(OWNER), orderId: order.id });
}

/** An eighth more than it costs, up to the next 50 pesewas: GH₵ 3.90 sells for GH₵ 4.50. */
function sellingPriceOf(costPesewas: number): number {
  return Math.ceil((costPesewas * 1.125) / 50) * 50;
}
