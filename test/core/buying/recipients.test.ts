// Recent recipients: who was sold to last, which bundle each usually takes, and how little is read to know it.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import * as afa from "../../../src/core/afa/registrations.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { habits, newestSalesQuery, recent, soldAt } from "../../../src/core/buying/recipients.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person, TEST_CARDS } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const oneGb = await world.product("MTN", "1GB", "3.90");
const twoGb = await world.product("MTN", "2GB", "8.40");
const telecel = await world.product("TELECEL", "5GB", "19.90");
const [KOFI, ESI, ABA] = ["233241000001", "233201000002", "233541000003"];

let people = 0;
const agent = () => world.person(`seller${++people}`, "GH₵ 1000.00");
const lineOf = (product: products.Product, msisdn: string) => ({
  productId: product.id,
  msisdn,
  quantity: 1,
});
async function sell(person: Person, product: products.Product, msisdn: string): Promise<number> {
  const line = lineOf(product, msisdn);
  const { answer } = await orders.buy(db, { by: person.by(), key: null, line, allowDuplicate: true });
  return answer.order.id;
}
const usualOf = async (person: Person) =>
  (await recent(db, person.id, 6)).map(({ msisdn, size }) => `${msisdn} ${size}`);

test("a user without sales has no recipients", async () => {
  const person = await agent();
  expect(await recent(db, person.id, 6)).toEqual([]);
  expect(await habits(db, person.id, 6)).toEqual({
    recipients: [],
    bestSellers: [],
    lastOf: {},
    lastOperator: null,
  });
});

test("recipients are distinct, the newest first, at most as many as wanted, and nobody else's", async () => {
  const [person, other] = [await agent(), await agent()];
  for (const [product, msisdn] of [
    [oneGb, KOFI],
    [telecel, ESI],
    [twoGb, ABA],
    [oneGb, KOFI],
  ] as const)
    await sell(person, product, msisdn!);
  await sell(other, oneGb, "233241000009");
  expect(await usualOf(person)).toEqual([`${KOFI} 1GB`, `${ABA} 2GB`, `${ESI} 5GB`]);
  expect((await recent(db, person.id, 2)).map(({ msisdn }) => msisdn)).toEqual([KOFI!, ABA!]);
  const [newest] = await recent(db, person.id, 1);
  expect(newest).toMatchObject({ operator: "MTN", productId: oneGb.id, lastProductId: oneGb.id });
  expect(Date.now() - newest!.lastAt.getTime()).toBeLessThan(60_000);
});

test("the usual bundle is the most frequent of the last ten, and of equals the newest", async () => {
  const person = await agent();
  for (const product of [twoGb, twoGb, oneGb]) await sell(person, product, KOFI!);
  expect(await usualOf(person)).toEqual([`${KOFI} 2GB`]);
  expect((await recent(db, person.id, 1))[0]!.lastProductId).toBe(oneGb.id);
  await sell(person, oneGb, KOFI!);
  expect(await usualOf(person)).toEqual([`${KOFI} 1GB`]);
  for (let n = 0; n < 9; n++) await sell(person, twoGb, ESI!);
  for (let n = 0; n < 6; n++) await sell(person, oneGb, ESI!);
  // Fifteen sales: nine of 2GB, but of the last ten only four.
  expect((await usualOf(person))[0]).toBe(`${ESI} 1GB`);
});

test("a cancelled, an unpaid and an AFA order are no sales", async () => {
  const person = await agent();
  await sell(person, oneGb, KOFI!);
  const mistyped = await sell(person, oneGb, ESI!);
  await cancelling.cancel(db, { by: person.by(), key: null, orderId: mistyped });
  await unpaidOrders.create(db, { by: person.by(), key: null, line: lineOf(oneGb, ABA!) });
  await products.ensureAfa(db);
  const someone = {
    fullName: "Akosua",
    phone: "0541000004",
    ghCardId: "GHA-123456789-0",
    location: "Kumasi",
  };
  await afa.register(db, TEST_CARDS, { by: person.by(), key: null, people: [someone] });
  expect(await usualOf(person)).toEqual([`${KOFI} 1GB`]);
});

test("habits name what sells most, and each network's last bundle", async () => {
  const person = await agent();
  for (const product of [oneGb, twoGb, twoGb, telecel]) await sell(person, product, KOFI!);
  expect(await habits(db, person.id, 6)).toMatchObject({
    bestSellers: [twoGb.id, telecel.id, oneGb.id],
    lastOf: { MTN: twoGb.id, TELECEL: telecel.id },
    lastOperator: "TELECEL",
  });
});

test("a sale is known for as long as another would be its duplicate", async () => {
  const person = await agent();
  const sale = { userId: person.id, msisdn: KOFI!, productId: oneGb.id };
  expect(await soldAt(db, sale)).toBeNull();
  const id = await sell(person, oneGb, KOFI!);
  expect(Date.now() - (await soldAt(db, sale))!.getTime()).toBeLessThan(60_000);
  expect(await soldAt(db, { ...sale, productId: twoGb.id })).toBeNull();
  expect(await soldAt(db, { ...sale, userId: world.yaw.id })).toBeNull();
  await db.execute(sql`update orders set created_at = now() - interval '11 minutes' where id = ${id}`);
  expect(await soldAt(db, sale)).toBeNull();
});

longTest("only the newest 200 orders are read, by an index, however many there are", async () => {
  const person = await agent();
  const plan = await inBigShop(person, (tx) =>
    tx.execute(sql`explain (analyze, costs off, timing off) ${newestSalesQuery(person.id)}`),
  );
  const lines = plan.map((row) => Object.values(row)[0] as string);
  const scan = lines.find((line) => / Scan .*on orders/.test(line))!;
  expect(scan).toContain("Index Scan Backward using orders_user");
  expect(scan).toMatch(/rows=200(\.00)? /);
  expect(lines.join("\n")).not.toMatch(/Seq Scan|Disk/);
});

/** Reads in a shop with 40,000 orders, of which this person's are the oldest; nothing of it remains. */
async function inBigShop<T>(person: Person, read: (tx: Tx) => Promise<T>): Promise<T> {
  let found: T;
  const isOver = new Error("over");
  const trial = db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into orders (user_id, product_id, operator, product_name, product_size, unit_price_pesewas, quantity,
        amount_pesewas, msisdn, channel)
      select case when n <= 1000 then ${person.id} else 1000 + n % 50 end, ${oneGb.id}, 'MTN', 'MTN 1GB', '1GB', 390, 1,
        390, '23324' || lpad(n::text, 7, '0'), 'web'
      from generate_series(1, 40000) n`);
    await tx.execute(sql`analyze orders`);
    found = await read(tx);
    throw isOver;
  });
  await trial.catch((error) => {
    if (error !== isOver) throw error;
  });
  return found!;
}
