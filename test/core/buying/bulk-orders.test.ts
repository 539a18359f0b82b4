// Bulk orders: all lines or none, with a preview that agrees with placing them.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import * as bulk from "../../../src/core/buying/bulk-orders.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import type { LineRequest } from "../../../src/core/buying/purchase-groups.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { AppError } from "../../../src/shared/errors/app-error.ts";
import {
  count,
  freshNumber,
  key,
  lineFor,
  outcome,
  refusal,
  tally,
  times,
  withSecondServer,
} from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const small = await world.product("MTN", "1GB", "3.90");
const large = await world.product("TELECEL", "10GB", "40.00");

const place = (person: Person, lines: LineRequest[], keyText?: string, allowDuplicate = false, on = db) =>
  buyBulk(on, { by: person.by(), key: keyText ? key(keyText) : null, lines, allowDuplicate });
const ordersOf = (person: Person) => count(db, sql`from orders where user_id = ${person.id}`);

async function setBalance(person: Person, toPesewas: number): Promise<void> {
  const amountPesewas = toPesewas - (await world.balanceOf(person));
  if (amountPesewas !== 0) {
    await wallet.adjust(db, { by: yaw.by(), key: null, userId: person.id, amountPesewas, reason: "premise" });
  }
}

test("good lines become one bulk order: an order, a charge and a job each, in the order of the lines", async () => {
  const ama = await world.person("ama", "GH₵ 100.00");
  const lines = [lineFor(small), lineFor(large, { quantity: 2 }), lineFor(small)];
  const { answer } = await place(ama, lines);
  expect(answer.orders.map((o) => [o.productId, o.quantity, o.amountPesewas, o.bulkOrderId])).toEqual([
    [small.id, 1, 390, answer.bulkOrderId],
    [large.id, 2, 8000, answer.bulkOrderId],
    [small.id, 1, 390, answer.bulkOrderId],
  ]);
  expect(answer.balancePesewas).toBe(10_000 - 8780);
  expect(await world.balanceOf(ama)).toBe(10_000 - 8780);
  const [stored] = await db.execute<{ lines: number; amount_pesewas: number }>(
    sql`select lines, amount_pesewas from bulk_orders where id = ${answer.bulkOrderId}`,
  );
  expect({ ...stored }).toEqual({ lines: 3, amount_pesewas: 8780 });
  // One transfer for each order, never one for all.
  const transfers = await count(
    db,
    sql`from transfers t join orders o on o.id = t.subject_id
          and t.reason = 'charge' and t.amount_pesewas = o.amount_pesewas
        where o.bulk_order_id = ${answer.bulkOrderId}`,
  );
  expect(transfers).toBe(3);
  expect(
    await count(
      db,
      sql`from jobs j join orders o on o.id = j.subject_id where o.bulk_order_id = ${answer.bulkOrderId}`,
    ),
  ).toBe(3);
});

describe("nothing is placed", () => {
  test("when one line is bad, and every bad line gets its reason", async () => {
    const person = await world.person("namer", "GH₵ 900.00");
    const gone = await world.product("MTN", "8GB", "1.00");
    await products.retire(db, { by: yaw.by(), productId: gone.id });
    const twice = freshNumber();
    const lines = [
      lineFor(small),
      lineFor(small, { msisdn: "12345" }),
      lineFor(gone),
      lineFor(small, { quantity: 101 }),
      lineFor(small, { operator: "TELECEL" }),
      lineFor(small, { expectedPesewas: 400 }),
      lineFor(small, { msisdn: twice }),
      lineFor(small, { msisdn: twice }),
      lineFor(large),
    ];
    const refused = await refusal(place(person, lines));
    expect(refused.code).toBe("bulk.lines_refused");
    expect(refused.details?.lines?.map(({ line, code }) => [line, code])).toEqual([
      [2, "msisdn.invalid"],
      [3, "product.not_found"],
      [4, "order.quantity_invalid"],
      [5, "order.operator_mismatch"],
      [6, "order.price_changed"],
      [8, "order.duplicate"],
    ]);
    for (const { message } of refused.details!.lines!) expect(message.length).toBeGreaterThan(10);
    expect(await ordersOf(person)).toBe(0);
    expect(await world.balanceOf(person)).toBe(90_000);
  });

  test("when only the purchase statement can find what is wrong with a line", async () => {
    const person = await world.person("statement", "GH₵ 900.00");
    const refused = await refusal(place(person, [lineFor(small), lineFor(small, { expectedPesewas: 1 })]));
    expect(refused.details?.lines).toMatchObject([{ line: 2, code: "order.price_changed" }]);
    expect(await ordersOf(person)).toBe(0);
  });

  test("when the balance is too low, and the lines beyond it are named", async () => {
    const person = await world.person("short", "GH₵ 10.00");
    const refused = await refusal(
      place(
        person,
        times(4, () => lineFor(small)),
      ),
    );
    expect(refused.code).toBe("wallet.insufficient_balance");
    expect(refused.details).toMatchObject({
      required: 15.6,
      balance: 10,
      missing: 5.6,
      affordableCount: 2,
      lines: [{ line: 3 }, { line: 4 }],
    });
    expect(await ordersOf(person)).toBe(0);
    expect(await world.balanceOf(person)).toBe(1000);
  });

  test("when the buyer is banned", async () => {
    const person = await world.person("banned", "GH₵ 10.00");
    await users.ban(db, { by: yaw.by(), userId: person.id });
    expect(await outcome(place(person, [lineFor(small)]))).toBe("auth.banned");
    expect(await ordersOf(person)).toBe(0);
  });
});

test("the same number twice in a list is a duplicate unless it is confirmed", async () => {
  const person = await world.person("doubler", "GH₵ 20.00");
  const msisdn = freshNumber();
  const lines = [lineFor(small, { msisdn }), lineFor(small, { msisdn: `+233 ${msisdn.slice(1)}` })];
  expect(await outcome(place(person, lines))).toBe("bulk.lines_refused");
  expect((await place(person, lines, undefined, true)).answer.orders).toHaveLength(2);
});

longTest("ten thousand lines are one bulk order, repeated by their key with the same orders", async () => {
  const person = await world.person("whale", "GH₵ 40000.00");
  const lines = times(10_000, () => lineFor(small));
  const first = await place(person, lines, "ten thousand");
  expect(first.answer.orders).toHaveLength(10_000);
  expect(first.answer.balancePesewas).toBe(4_000_000 - 3_900_000);
  expect(await ordersOf(person)).toBe(10_000);
  const again = await place(person, lines, "ten thousand");
  expect(again.replayed).toBe(true);
  expect(again.answer).toEqual(first.answer);
  expect(await ordersOf(person)).toBe(10_000);
});

describe("a bulk order's key", () => {
  test("used many times at once, at two servers, is one bulk order", async () => {
    const person = await world.person("manykeys", "GH₵ 900.00");
    const lines = times(5, () => lineFor(small));
    await withSecondServer(world, async (other) => {
      const answers = await Promise.all(times(20, (i) => place(person, lines, "once", false, i % 2 ? db : other)));
      expect(answers.filter((a) => !a.replayed)).toHaveLength(1);
      for (const { answer } of answers) expect(answer).toEqual(answers[0]!.answer);
    });
    expect(await ordersOf(person)).toBe(5);
  });

  test("with other lines is refused, and returns the first orders even after their status has changed", async () => {
    const person = await world.person("bulkreplay", "GH₵ 100.00");
    const lines = [lineFor(small), lineFor(small)];
    const first = await place(person, lines, "moved later");
    const ids = first.answer.orders.map((order) => order.id);
    await statusChanges.move(db, { by: yaw.by(), key: null, ids, to: "FAILED" });
    expect(await place(person, lines, "moved later")).toEqual({ answer: first.answer, replayed: true });
    expect(await outcome(place(person, [lines[0]!], "moved later"))).toBe("request.key_reused");
  });
});

test("bulk orders that together exceed the balance are each placed whole or not at all", async () => {
  const person = await world.person("racer", "GH₵ 50.00");
  const outcomes = await Promise.all(
    times(8, () =>
      outcome(
        place(
          person,
          times(5, () => lineFor(small)),
        ),
      ),
    ),
  );
  expect(tally(outcomes)).toEqual({ done: 2, "wallet.insufficient_balance": 6 });
  expect(await ordersOf(person)).toBe(10);
});

longTest("a preview agrees with placing: no problem and enough money, exactly when the order succeeds", async () => {
  const person = await world.person("previewer");
  const gone = await world.product("MTN", "9GB", "1.00");
  await products.retire(db, { by: yaw.by(), productId: gone.id });
  // Few numbers and bundles, so that duplicates within a list, and of earlier rounds, occur by chance.
  const numbers = times(40, freshNumber);
  const line: fc.Arbitrary<LineRequest> = fc.record(
    {
      productId: fc.constantFrom(small.id, small.id, small.id, large.id, large.id, gone.id),
      msisdn: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...numbers) }, { weight: 1, arbitrary: fc.string() }),
      quantity: fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: 1, max: 3 }) },
        { weight: 1, arbitrary: fc.constantFrom(0, -1, 101, 1.5, Number.NaN) },
      ),
      operator: fc.constantFrom("MTN" as const, "TELECEL" as const, undefined, undefined, undefined, undefined),
      expectedPesewas: fc.constantFrom(390, undefined, undefined, undefined, undefined),
    },
    { requiredKeys: ["productId", "msisdn", "quantity"] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 12_000 }),
      fc.boolean(),
      async (lines, balancePesewas, allowDuplicate) => {
        await setBalance(person, balancePesewas);
        const seen = await bulk.preview(db, { by: person.by(), lines, allowDuplicate });
        const isGood = seen.lines.every((one) => one.problem === null);
        const isAffordable = seen.totalPesewas <= balancePesewas;
        const placed = await place(person, lines, undefined, allowDuplicate).catch((error: unknown) => {
          if (error instanceof AppError) return error;
          throw error;
        });
        if (placed instanceof AppError) {
          expect(placed.code).toBe(isGood ? "wallet.insufficient_balance" : "bulk.lines_refused");
          expect(isGood && isAffordable).toBe(false);
          const named = placed.details!.lines!.map(({ line, code }) => [line, code]);
          const foreseen = seen.lines.filter((one) => one.problem).map((one) => [one.line, one.problem]);
          if (!isGood) expect(named).toEqual(foreseen as typeof named);
          expect(await world.balanceOf(person)).toBe(balancePesewas);
        } else {
          expect(isGood && isAffordable).toBe(true);
          expect(placed.answer.orders.map((o) => o.amountPesewas)).toEqual(seen.lines.map((one) => one.amountPesewas!));
          expect(placed.answer.balancePesewas).toBe(balancePesewas - seen.totalPesewas);
        }
      },
    ),
    { numRuns: 80 },
  );
});

describe("refused bulk orders of many lines", () => {
  const many = (n: number) => times(n, () => lineFor(small));

  longTest("are limited to a hundred thousand lines in ten minutes, also when they come at once", async () => {
    const person = await world.person("refused", "GH₵ 3.90");
    const lines = many(5_000);
    const outcomes = tally(await Promise.all(times(24, () => outcome(place(person, lines)))));
    expect(outcomes).toEqual({ "wallet.insufficient_balance": 20, "request.rate_limited": 4 });
    const { details, message } = await refusal(place(person, lines));
    expect(details).toEqual({ retryAfterSeconds: expect.any(Number), limit: "bulk.refused" });
    expect(message).toMatch(/Check your balance and your list\. Try again in (9|10) minutes\.$/);
    // A single bundle and a short list can still be bought.
    expect(await outcome(place(person, many(1)))).toBe("done");
  });

  test("do not count when they are placed, and an answered key gets its answer again", async () => {
    const person = await world.person("placer", "GH₵ 400.00");
    await place(person, many(100), "answered");
    const bucket = sql`from rate_limits where bucket = ${`bulk.refused:${person.id}`} and count = 0`;
    expect(await count(db, bucket)).toBe(1);
    await db.execute(sql`update rate_limits set count = 100000 where bucket = ${`bulk.refused:${person.id}`}`);
    expect(await outcome(place(person, many(100)))).toBe("request.rate_limited");
  });

  test("are refused without the purchase statement, but never when the balance is exactly enough", async () => {
    const person = await world.person("exact", "GH₵ 390.00");
    const before = await world.db.execute(sql`select last_value from bulk_orders_id_seq`);
    expect(await outcome(place(person, many(101)))).toBe("wallet.insufficient_balance");
    expect(await world.db.execute(sql`select last_value from bulk_orders_id_seq`)).toEqual(before);
    expect(await outcome(place(person, many(100)))).toBe("done");
    expect(await world.balanceOf(person)).toBe(0);
  });
});
