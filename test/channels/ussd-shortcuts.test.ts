// Tests of answers dialled along with the code: they lead to the usual screens, and never answer a question that was
// not shown.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { products as productsTable } from "../../db/schema/catalog.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { pausedText } from "../../src/shared/pause.ts";
import { count, seed, sized, times } from "../support/asking.ts";
import { pauseProduct } from "../support/pausing.ts";
import { openWorld } from "../support/world.ts";
import { equipPhone, openLine, PIN, walk } from "./dialling.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const line = openLine(world);
const sizes = { "1GB": "3.90", "2GB": "8.40", "3GB": "12.50", "5GB": "20.90", "6GB": "24.90" };
const shelf: products.Product[] = [];
for (const [size, price] of Object.entries(sizes)) shelf.push(await world.product("MTN", size, price));
const five = shelf.find(({ size }) => size === "5GB")!;
await world.product("TELECEL", "1GB", "4.00");

let used = 0;
const fresh = (prefix = "054") => `${prefix}${String(3_600_000 + used++)}`;
const somebody = async (balance = "GH₵ 100.00") => {
  const person = await world.person(`agent${used++}`, balance);
  const msisdn = `233${fresh().slice(1)}`;
  await equipPhone(world, person, msisdn);
  return { person, msisdn, phone: line.phone(msisdn) };
};
const ordersOf = (userId: number) => count(db, sql`from orders where user_id = ${userId}`);

test("shortcuts lead to the same screen as single steps, and a purchase takes two requests", async () => {
  const { phone, person } = await somebody();
  expect((await phone.dial("1*1*2")).text).toStartWith("Who gets MTN 2GB?");
  const to = fresh();
  expect((await phone.dial(`1*1*1*${to}*1*3`)).text).toStartWith("Buy 3 x MTN 1GB\n");
  expect((await phone.reply(PIN)).text).toContain(`3 x MTN 1GB for ${to}`);
  await phone.redeliver();
  expect(await ordersOf(person.id)).toBe(1);
});

describe("a PIN", () => {
  test("is not accepted in a shortcut, only on the screen that shows what it pays", async () => {
    const { phone, person } = await somebody();
    expect((await phone.dial(`1*1*1*${fresh()}*${PIN}`)).text).toMatch(/^Buy MTN 1GB\n.*\n.*\nEnter DataFie PIN/);
    expect((await phone.dial(`1*1*1*${fresh()}*${PIN}*${PIN}*${PIN}`)).text).toContain("Enter DataFie PIN");
    await phone.dial();
    expect((await phone.reply(`1*1*1*${fresh()}*${PIN}`)).text).toContain("Enter DataFie PIN");
    expect(await ordersOf(person.id)).toBe(0);
    expect((await phone.reply(PIN)).text).toContain("paid");
  });

  test("that is wrong does not count in a shortcut, nor one for a top-up or a change of PIN", async () => {
    const { phone, person } = await somebody();
    for (const text of ["4*20*1*0000*0001*0002", `6*2*${PIN}*7351*7351`, "5*0000*0000*0000"]) await phone.dial(text);
    expect((await phone.dial(`4*20*1*${PIN}`)).text).toContain("Enter your DataFie PIN");
    expect((await phone.dial(`6*2*${PIN}*7351*7351`)).text).toStartWith("Type your old PIN");
    expect(await count(db, sql`from pins where user_id = ${person.id} and wrong_tries = 0`)).toBe(1);
    expect(await count(db, sql`from payments where user_id = ${person.id}`)).toBe(0);
    expect((await walk(phone, "1", "1", "1", fresh(), PIN)).text).toContain("paid");
  });
});

describe("a question that is not on the plain path is shown, and further input is discarded:", () => {
  test("a duplicate order", async () => {
    const { phone, person } = await somebody();
    const habit = `1*1*1*${fresh()}*1*3`;
    await phone.dial(habit);
    await phone.reply(PIN);
    expect((await phone.dial(`${habit}*${PIN}`)).text).toMatch(/^You ordered 3 x MTN 1GB .*\n1 Buy again\n0 Cancel$/);
    expect(await ordersOf(person.id)).toBe(1);
    expect((await phone.reply("1")).text).toStartWith("Buy MTN 1GB\n");
  });

  test("a number with another network's prefix", async () => {
    const { phone, person } = await somebody();
    expect((await phone.dial(`1*1*1*0201234567*1*${PIN}`)).text).toStartWith("020 123 4567 looks like Telecel");
    expect(await ordersOf(person.id)).toBe(0);
  });

  test("a paused bundle, in its list or in a repeated order", async () => {
    const { phone, person } = await somebody();
    await walk(phone, "1", "1", "5", fresh(), PIN);
    await pauseProduct(db, { by, productId: five.id, message: "Later" });
    expect((await phone.dial(`1*1*5*${fresh()}*${PIN}`)).text).toStartWith("5GB is paused. Choose another.\n");
    expect((await phone.dial(`5*1*1*1*${fresh()}*${PIN}`)).text).toStartWith("MTN 5GB is not on sale now.");
    const until = new Date(Date.now() + 2 * 86_400_000);
    await pauseProduct(db, { by, productId: five.id, message: "Later", until });
    const pause = pausedText({ until });
    expect((await phone.dial(`1*1*5*${fresh()}*${PIN}`)).text).toStartWith(`5GB is ${pause}. Choose another.\n`);
    expect((await phone.dial(`5*1*1*1*${fresh()}*${PIN}`)).text).toStartWith(`MTN 5GB is ${pause}.\n`);
    await pauseProduct(db, { by, productId: five.id, message: null });
    expect(await ordersOf(person.id)).toBe(1);
  });

  test("a price that changed since it was shown", async () => {
    const { phone } = await somebody();
    await walk(phone, "1", "1");
    await products.edit(db, { by, productId: shelf[0]!.id, pricePesewas: 410 });
    await phone.reply("0");
    expect((await phone.reply(`1*1*${fresh()}*1*7*0`)).text).toMatch(/^Price changed \(was 3\.90\)\nBuy MTN 1GB\n/);
    await products.edit(db, { by, productId: shelf[0]!.id, pricePesewas: 390 });
  });

  test("an earlier answer that was not understood", async () => {
    const { phone, person } = await somebody();
    for (const text of ["8*1*1*1", "1*8*1", "1*1*77*1", `1*1*1*12*${fresh()}`, `1*1*1*${fresh()}*1*500*2`])
      expect((await phone.dial(`${text}*${PIN}`)).text).toMatch(
        /^(Not|Type a number from|MTN has no bundle of that size)/,
      );
    expect(await ordersOf(person.id)).toBe(0);
  });

  test("a pending top-up, and an order whose state changed", async () => {
    const { phone, person } = await somebody();
    await phone.dial("4*20*1");
    await phone.reply(PIN);
    expect((await phone.dial("4*1*1")).text).toStartWith("GHS 20.00 from");
    await walk(phone, "1", "1", "1", fresh(), PIN);
    const [newest] = await orderQueries.list(db, { userId: person.id }, { limit: 1 });
    await statusChanges.move(db, { by, key: null, ids: [newest!.id], to: "PROCESSING" });
    // In a shortcut it could mean "Not received", "Pay now" or "Buy again".
    expect((await phone.dial("3*1*1*1")).text).toStartWith("Order ");
    expect(await count(db, sql`from support_requests where user_id = ${person.id}`)).toBe(0);
  });
});

describe("a bundle", () => {
  const listOf = async (phone: ReturnType<typeof line.phone>) => {
    const first = (await phone.dial("1*1")).text.split("\n");
    return [...first, ...(first.includes("9 More") ? (await phone.reply("9")).text.split("\n") : [])].filter((row) =>
      /^\d+ \d+GB/.test(row),
    );
  };

  test("keeps its number when others are paused, added, repriced or taken off sale", async () => {
    const { phone } = await somebody();
    const before = await listOf(phone);
    expect(before).toEqual(["1 1GB 3.90", "2 2GB 8.40", "3 3GB 12.50", "5 5GB 20.90", "6 6GB 24.90"]);
    await pauseProduct(db, { by, productId: five.id, message: "Later" });
    await products.edit(db, { by, productId: shelf[1]!.id, pricePesewas: 2_500, confirmPrice: true });
    const cheap = await world.product("MTN", "4GB", "1.00");
    await products.retire(db, { by, productId: shelf[0]!.id });
    const next = await world.product("MTN", "1GB", "3.90");
    expect(await listOf(phone)).toEqual([
      ...["1 1GB 3.90", "2 2GB 25.00", "3 3GB 12.50", "4 4GB 1.00", "5 5GB paused", "6 6GB 24.90"],
    ]);
    // The new 1GB has the number of the one that is gone, because it is the same size.
    expect([cheap.ussdNumber, next.ussdNumber]).toEqual([4, 1]);
    expect((await phone.dial("1*1*3")).text).toStartWith("Who gets MTN 3GB?");
    await pauseProduct(db, { by, productId: five.id, message: null });
    await products.edit(db, { by, productId: shelf[1]!.id, pricePesewas: 840, confirmPrice: true });
  });

  test("has the next unused number of its network above the sizes, also when many are added at once", async () => {
    const made = await Promise.all(times(6, (i) => world.product("TELECEL", `${i + 2}.5GB`, "70.00")));
    const more = await Promise.all(times(5, (i) => world.product("TELECEL", `${i + 2}00MB`, "70.00")));
    expect([...made, ...more].map(({ ussdNumber }) => ussdNumber!).sort((a, b) => a - b)).toEqual(
      times(11, (i) => 51 + i),
    );
    const [one, two] = await db
      .insert(productsTable)
      .values(["a", "b"].map((name) => ({ operator: "TELECEL" as const, name, size: "1MB", pricePesewas: 5 })))
      .returning();
    expect([one!.ussdNumber, two!.ussdNumber]).toEqual([62, 63]);
    const { phone } = await somebody();
    expect((await phone.dial("1*2*61")).text).toMatch(/^Who gets Telecel (\d\.5GB|\d00MB)\?/);
    expect((await phone.dial("1*2*9")).text).toContain("\n55 ");
  });

  test("is not listed for a network with nothing on sale", async () => {
    const { phone } = await somebody();
    expect((await phone.dial(`1*3*1*${fresh()}`)).text).toStartWith(
      "No AirtelTigo bundles now. Try again later.\nChoose",
    );
  });
});

test("extra characters around an answer do not matter", async () => {
  const { phone } = await somebody();
  await phone.dial();
  for (const answer of ["1#", "01", " 1 "]) {
    expect((await phone.reply(answer)).text).toStartWith("Choose network");
    expect((await phone.reply("00")).text).toStartWith("DataFie");
  }
  await walk(phone, "1#", "1#", "03#");
  expect((await phone.reply(`${fresh()}#`)).text).toStartWith("Buy MTN 3GB\n");
  // A PIN is never read as a choice.
  expect((await phone.reply("0001")).text).toStartWith("Wrong PIN, 2 tries left.");
  expect((await phone.reply(`${PIN} #`)).text).toContain("paid");
});

describe("any input in shortcuts", () => {
  const word = fc.oneof(
    {
      weight: 10,
      arbitrary: fc.constantFrom("0", "1", "2", "3", "4", "5", "6", "7", "9", "10", "01", "1#", ""),
    },
    { weight: 5, arbitrary: fc.constant(PIN) },
    { weight: 4, arbitrary: fc.constantFrom("0547770001", "0207770002", "0547770003", "20") },
  );
  const toPay = fc
    .tuple(
      fc.constantFrom("1", "2"),
      fc.constantFrom("1", "2", "3", "4", "7"),
      fc.constantFrom("0547770001", "0207770002", "1"),
    )
    .map(([network, bundle, to]) => ["1", network, bundle, to]);
  const ways = fc.oneof(
    { weight: 3, arbitrary: toPay },
    { weight: 2, arbitrary: fc.tuple(toPay, fc.array(word, { maxLength: 4 })).map(([a, b]) => [...a, ...b]) },
    { weight: 4, arbitrary: fc.constant([PIN]) },
    { weight: 1, arbitrary: fc.constantFrom(["3", "1"], ["1"], ["5"], ["7"], ["1", "3"]) },
    { weight: 2, arbitrary: fc.array(word, { minLength: 1, maxLength: 6 }) },
  );
  const change = fc.constantFrom(null, null, null, "pause", "price", "unpaid", "later");
  /** The input of one request, and an event in the shop before it. */
  const session = fc.array(fc.record({ chunk: ways, change }), { minLength: 2, maxLength: 8 });

  const seeds = [seed, seed + 1, seed + 2];
  test.each(seeds)("buys only what the screen before the PIN showed (seed %d)", async (seed) => {
    const { phone, person } = await somebody("GH₵ 9000.00");
    const [product] = await products.list(db, "MTN");
    const trigger = async (event: string | null) => {
      if (event === "price") {
        const { pricePesewas } = await products.get(db, product!.id);
        await products.edit(db, {
          by,
          productId: product!.id,
          pricePesewas: 770 - pricePesewas,
          confirmPrice: true,
        });
      }
      if (event === "pause") {
        const { pausedMessage } = await products.get(db, product!.id);
        await pauseProduct(db, { by, productId: product!.id, message: pausedMessage ? null : "Later" });
      }
      if (event === "unpaid") {
        // One at a time, because unpaid orders are limited.
        const left = await db.execute<{ id: number }>(
          sql`select id from orders where user_id = ${person.id} and paid_at is null and status = 'PENDING'`,
        );
        await statusChanges.move(db, { by, key: null, ids: left.map(({ id }) => id), to: "FAILED" });
        await db.execute(sql`delete from rate_limits`);
        await unpaidOrders.create(db, {
          ...{ by: person.by("web"), key: null, allowDuplicate: true },
          line: { productId: five.id, msisdn: fresh(), quantity: 1 },
        });
      }
      if (event === "later")
        await db.execute(
          sql`update orders set created_at = created_at - interval '20 minutes' where user_id = ${person.id}`,
        );
    };
    await products.edit(db, { by, productId: product!.id, pricePesewas: 380, confirmPrice: true });
    let paid = 0;
    const talk = async (one: typeof session extends fc.Arbitrary<infer T> ? T : never) => {
      await db.execute(sql`update ussd_sessions set started_at = started_at - interval '20 minutes'`);
      await db.execute(sql`update payments set state = 'failed' where user_id = ${person.id}`);
      let screen = await phone.dial();
      /** The screen that each input answered, if it was the first of its request. */
      const answered = new Map<number, string>();
      let at = 0;
      for (const { chunk, change } of one) {
        if (!screen.isOpen) break;
        await trigger(change);
        answered.set(at, screen.text);
        at += chunk.length;
        screen = await phone.reply(chunk.join("*"));
      }
      for (const { key, order } of await paidIn(phone.sessionId())) {
        paid += 1;
        const seen = answered.get(Number(key.split(":")[2]));
        // A message about the last input takes the room of the line below a long purchase.
        expect(seen).toMatch(/Enter DataFie PIN|^(A PIN has|Wrong PIN|Use letters)/);
        const quantity = order.quantity > 1 ? `${order.quantity} x ` : "";
        expect(seen).toMatch(new RegExp(`(Buy|Order ${order.id}:) ${quantity}(MTN|Telecel) ${order.size}\n`));
        const to = order.msisdn.replace(/^233(..)(...)(....)$/, "0$1 $2 $3");
        expect(seen).toContain(`\nfor ${to}\nPay GHS ${(order.amount / 100).toFixed(2)} from wallet`);
      }
    };
    // Few talks come as far as a payment.
    for (let round = 0; paid <= 3; round++)
      await fc.assert(fc.asyncProperty(session, talk), { seed: seed + round, numRuns: sized(25) });
  });

  type Paid = {
    key: string;
    order: { id: number; quantity: number; size: string; msisdn: string; amount: number };
  };
  /** Every payment of an order in a session, whether it was placed in it or earlier. */
  async function paidIn(sessionId: string): Promise<Paid[]> {
    const rows = await db.execute<Paid>(sql`
      select i.key, json_build_object('id', o.id, 'quantity', o.quantity, 'size', o.product_size, 'msisdn', o.msisdn,
                                      'amount', o.amount_pesewas) as order
      from idempotency i
      join orders o on o.id = coalesce(i.order_id, (i.answer #>> '{order,id}')::bigint)
      where i.scope = 'ussd' and (i.answer #>> '{order,status}') is distinct from 'FAILED' -- which was cancelled
        and starts_with(i.key, ${`ussd:${sessionId}:`})`);
    return [...rows];
  }
});
