// Numbered receipts: one for an order, with numbers that have no gaps, and as they were issued.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import * as salesReceipts from "../../../src/core/accounting/sales-receipts.ts";
import * as buy from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as transitions from "../../../src/core/orders/transitions.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { CANCELLED } from "../../../src/shared/orders/order-states.ts";
import { hold, outcome, refusal } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const ama = await world.person("ama", "GH₵ 900.00");
const esi = await world.person("esi", "GH₵ 9.00");
const bundle = await world.product("MTN", "1GB", "3.90");
let number = 233541000000;
const purchase = async () => {
  const line = { productId: bundle.id, msisdn: String(number++), quantity: 1 };
  return (await buy.buy(db, { by: ama.by(), key: null, line })).answer.order;
};
const issue = (orderId: number, by = ama.by()) => salesReceipts.issue(db, { by, orderId });
const set = (values: Partial<settings.Settings>) => settings.change(db, { by: yaw.by(), values });

test("is offered once the shop has a legal name, for an order of one's own that is paid", async () => {
  const order = await purchase();
  expect((await refusal(issue(order.id))).code).toBe("receipt.no_legal_name");
  await set({ legal_name: "Data Fie Ltd", legal_tin: "C0001234567", legal_address: "Osu, Accra" });
  expect((await refusal(issue(order.id, esi.by()))).code).toBe("order.not_found");
  const { answer: unpaid } = await unpaidOrders.create(db, {
    ...{ by: ama.by(), key: null },
    line: { productId: bundle.id, msisdn: String(number++), quantity: 1 },
  });
  expect((await refusal(issue(unpaid.id))).code).toBe("receipt.unpaid");
  expect(await issue(order.id)).toMatchObject({ number: 1, legalName: "Data Fie Ltd", vatPesewas: 0 });
});

test("is not issued for an order whose money went back, also when it is asked for at the same moment", async () => {
  const order = await purchase();
  const cancel = (orderId: number) => cancelling.cancel(db, { by: ama.by(), key: null, orderId });
  await cancel(order.id);
  expect((await refusal(issue(order.id))).code).toBe("receipt.refunded");
  expect(await salesReceipts.find(db, ama.by(), order.id)).toBeNull();
  // A refund that is not committed yet: the receipt waits for it.
  const racing = await purchase();
  const others = await hold(db, sql`select 1`);
  let issuing = Promise.resolve("");
  await db.transaction(async (tx) => {
    const locked = await transitions.lockOrders(tx, [racing.id]);
    await transitions.apply(tx, ama.by(), [...locked.values()], "FAILED", CANCELLED);
    issuing = outcome(issue(racing.id));
    await others.waiting(1);
  });
  await others.release();
  expect(await issuing).toBe("receipt.refunded");
});

test("forty at once have numbers without a gap, and the same order has one", async () => {
  const orders = [];
  for (let i = 0; i < 20; i++) orders.push(await purchase());
  const issued = await Promise.all([...orders, ...orders].map(({ id }) => issue(id)));
  const numbers = [...new Set(issued.map((receipt) => receipt.number))].sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
});

test("stays as it was issued when the shop's name and VAT change, and in the database", async () => {
  const [old, fresh] = [await purchase(), await purchase()];
  const before = await issue(old.id);
  await set({ legal_name: "Another Ltd", vat_rate: 1_500 });
  expect(await issue(old.id)).toEqual(before);
  expect(await issue(fresh.id)).toMatchObject({ legalName: "Another Ltd", vatRate: 1_500, vatPesewas: 51 });
  for (const change of ["update sales_receipts set legal_name = 'x'", "delete from sales_receipts"])
    await expect((async () => db.execute(sql.raw(change)))()).rejects.toThrow();
});

test("the VAT in an amount and what is left of it add up to it, at the rate", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 0, max: 5_000 }), (amount, rate) => {
      const vat = salesReceipts.vatIn(amount, rate);
      expect(Math.abs(vat - ((amount - vat) * rate) / 10_000) <= 1).toBe(true);
      expect(vat >= 0 && vat < amount).toBe(true);
    }),
  );
});
