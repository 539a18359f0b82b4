// Load: many buyers and two servers at once, without a negative wallet, a wrong refusal or a deadlock.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import type { Order } from "../../../src/core/orders/order.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import {
  count,
  decided,
  freshNumber,
  key,
  outcome,
  randomFrom,
  seed,
  times,
  withSecondServer,
} from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const good = [
  await world.product("MTN", "1GB", "3.90"),
  await world.product("TELECEL", "2GB", "5.00"),
  await world.product("AIRTELTIGO", "5GB", "12.70"),
];
const retired = await world.product("MTN", "11GB", "1.00");
await products.retire(db, { by: yaw.by(), productId: retired.id });
const paused = await world.product("MTN", "12GB", "1.00");
await db.execute(sql`update products set paused_message = 'wait' where id = ${paused.id}`);
const crowd = await Promise.all(times(30, (i) => world.person(`agent${i}`, `${5 + ((i * 7) % 40)}.${10 + i}`)));

type Wish = {
  person: Person;
  keyText: string;
  lines: Order["productId"][];
  quantity: number;
  numbers: string[];
};
type Answer = { wish: Wish; amountPesewas: number; outcome: string; ids: number[] };

const priceOf = new Map([...good, retired, paused].map((product) => [product.id, product.pricePesewas]));
const badOutcome = new Map([
  [retired.id, "product.not_found"],
  [paused.id, "product.paused"],
]);

/** Sends one request: a single line is a purchase, several are a bulk order. */
async function ask(on: Db, wish: Wish): Promise<Answer> {
  const lines = wish.lines.map((productId, i) => ({
    productId,
    msisdn: wish.numbers[i]!,
    quantity: wish.quantity,
  }));
  const amountPesewas = lines.reduce((sum, line) => sum + priceOf.get(line.productId)! * line.quantity, 0);
  const by = wish.person.by();
  let ids: number[] = [];
  const result = await outcome(
    lines.length === 1
      ? orders.buy(on, { by, key: key(wish.keyText), line: lines[0]! }).then(({ answer }) => {
          ids = [answer.order.id];
        })
      : buyBulk(on, { by, key: key(wish.keyText, "bulk"), lines }).then(({ answer }) => {
          ids = answer.orders.map((order) => order.id);
        }),
  );
  return { wish, amountPesewas, outcome: result, ids };
}

test(`thirty poor wallets, random purchases, repeated keys and bad bundles at two servers (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const before = new Map(await Promise.all(crowd.map(async (p) => [p, await world.balanceOf(p)] as const)));
  const wishes: Wish[] = [];
  for (const n of times(600, (i) => i)) {
    const repeated = n > 20 && random(10) === 0 ? wishes[random(wishes.length)] : undefined;
    const bad = random(12) === 0 ? [retired.id, paused.id][random(2)]! : null;
    const lineCount = random(6) === 0 ? 2 + random(3) : 1;
    wishes.push(
      repeated ?? {
        person: crowd[random(crowd.length)]!,
        keyText: `key-${n}`,
        lines: bad ? [bad] : times(lineCount, () => good[random(good.length)]!.id),
        quantity: 1 + random(3),
        numbers: times(lineCount, freshNumber),
      },
    );
  }
  const answers = await withSecondServer(world, (other) =>
    Promise.all(wishes.map((wish) => ask(random(2) ? db : other, wish))),
  );

  for (const [wish, same] of Map.groupBy(answers, (one) => one.wish)) {
    // A key has one answer, wherever and however often it was used.
    for (const one of same) expect(one).toEqual(same[0]!);
    const expected = badOutcome.get(wish.lines[0]!);
    if (expected) expect(same[0]!.outcome).toBe(expected);
    else expect(["done", "wallet.insufficient_balance"]).toContain(same[0]!.outcome);
  }
  for (const person of crowd) {
    const own = [...new Set(answers.filter((one) => one.wish.person === person).map((one) => one.wish))].map(
      (wish) => answers.find((one) => one.wish === wish)!,
    );
    const spent = own.filter((one) => one.outcome === "done").reduce((sum, one) => sum + one.amountPesewas, 0);
    const left = await world.balanceOf(person);
    expect(left).toBe(before.get(person)! - spent);
    expect(left).toBeGreaterThanOrEqual(0);
    // Balances only fall here: what was too expensive at some moment still is at the end.
    for (const one of own.filter((one) => one.outcome === "wallet.insufficient_balance")) {
      expect(one.amountPesewas).toBeGreaterThan(left);
    }
    const placed = new Set(own.flatMap((one) => one.ids)).size;
    expect(await count(db, sql`from orders where user_id = ${person.id}`)).toBe(placed);
  }
  const placed = await count(db, sql`from orders`);
  expect(placed).toBeGreaterThan(0);
  expect(await count(db, sql`from transfers where reason = 'charge'`)).toBe(placed);
  expect(await count(db, sql`from jobs`)).toBe(placed);
});

test(`buying, paying, cancelling and correcting at once never deadlocks or loses a pesewa (seed ${seed})`, async () => {
  const random = randomFrom(seed + 1);
  const people = crowd.slice(0, 6);
  for (const person of people) {
    const ask = {
      by: yaw.by(),
      key: null,
      userId: person.id,
      // Enough for eight of the most expensive.
      amountPesewas: 20_000,
      reason: "for the storm",
    };
    await wallet.adjust(db, ask);
  }
  const line = () => ({ productId: good[random(3)]!.id, msisdn: freshNumber(), quantity: 1 });
  const known: number[] = [];
  const unpaid: { id: number; person: Person }[] = [];
  for (const person of people) {
    for (const _ of times(8, (i) => i)) {
      known.push((await orders.buy(db, { by: person.by(), key: null, line: line() })).answer.order.id);
      const { answer } = await unpaidOrders.create(db, { by: person.by(), key: null, line: line() });
      unpaid.push({ id: answer.id, person });
    }
  }
  const anyOrder = () => known[random(known.length)]!;
  const anybody = () => people[random(people.length)]!;
  const deeds: ((on: Db, n: number) => Promise<unknown>)[] = [
    (on, n) => orders.buy(on, { by: anybody().by(), key: n % 2 ? key(`storm-${n}`) : null, line: line() }),
    (on) => buyBulk(on, { by: anybody().by(), key: null, lines: [line(), line(), line()] }),
    (on, n) => {
      const { id, person } = unpaid[random(unpaid.length)]!;
      return unpaidOrders.spend(on, {
        by: person.by(),
        key: n % 2 ? key(`spend-${n}`, "spend") : null,
        orderId: id,
      });
    },
    (on) => {
      const { id, person } = unpaid[random(unpaid.length)]!;
      return cancelling.cancel(on, { by: person.by(), key: null, orderId: id });
    },
    (on) => statusChanges.move(on, { by: yaw.by(), key: null, ids: times(6, anyOrder), to: "PROCESSING" }),
    (on) => statusChanges.move(on, { by: yaw.by(), key: null, ids: times(6, anyOrder), to: "FAILED" }),
    (on) => {
      const amountPesewas = random(2) ? 50 : -50;
      return wallet.adjust(on, {
        by: yaw.by(),
        key: null,
        userId: anybody().id,
        amountPesewas,
        reason: "storm",
      });
    },
    (on) => unpaidOrders.expire(on),
  ];
  const allowed = [
    "done",
    "wallet.insufficient_balance",
    "order.already_paid",
    "order.not_payable",
    "order.not_cancellable",
  ];
  await withSecondServer(world, async (other) => {
    let begun = 0;
    const inTurn = async () => {
      while (begun < 400) {
        const n = begun++;
        const [deed, on] = [deeds[random(deeds.length)]!, random(2) ? db : other];
        expect(allowed).toContain(await decided(() => deed(on, n)));
      }
    };
    await Promise.all(times(16, inTurn));
  });
  for (const person of people) expect(await world.balanceOf(person)).toBeGreaterThanOrEqual(0);
});
