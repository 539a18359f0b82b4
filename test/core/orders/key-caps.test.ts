// An API key's limit of the day holds for every way to spend from a wallet, also at the same moment, and counts what
// was paid with it and with the keys that it replaced.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { apiKeyDays } from "../../../db/schema/identity-keys.ts";
import * as bulkOrders from "../../../src/core/buying/bulk-orders.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import { WITHOUT_KEY } from "../../../src/core/buying/purchase-statement.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as apiKeys from "../../../src/core/identity/api-keys.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as sumsRepair from "../../../src/core/reports/daily-totals-repair.ts";
import type { ByUser } from "../../../src/shared/domain.ts";
import { lineFor, outcome, refusal, seed, tally, times, withSecondServer } from "../../support/asking.ts";
import { makeKey, rotateKey } from "../../support/keys.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const bundle = await world.product("MTN", "1GB", "10.00");

let people = 0;
const somebody = () => world.person(`keyed${++people}`, "GH₵ 1000.00");
/** A program of a person with a key of this limit, in GH₵; null: none. */
async function programOf(person: Person, perDay: number | null): Promise<ByUser & { keyId: number }> {
  const dayMaxPesewas = perDay === null ? null : perDay * 100;
  return { ...person.by(), keyId: (await makeKey(db, person.by(), { dayMaxPesewas })).id };
}
const buy = (by: ByUser, on = db, quantity = 1) =>
  orders.buy(on, { by, key: null, line: lineFor(bundle, { quantity }) });
const bulk = (by: ByUser, lines: number, on = db) =>
  buyBulk(on, { by, key: null, lines: times(lines, () => lineFor(bundle)) });
const spentBy = async (keyId: number) =>
  (await apiKeys.keeperOf(db, "live").list(await ownerOf(keyId))).find(({ id }) => id === keyId)!.spentTodayPesewas;
async function ownerOf(keyId: number): Promise<ByUser> {
  const [row] = await db.execute<{ user_id: number }>(sql`select user_id from api_keys where id = ${keyId}`);
  return { userId: row!.user_id, roles: ["USER"], channel: "web" };
}

test("a key spends up to its limit, and is refused with what is left and when it renews", async () => {
  const by = await programOf(await somebody(), 25);
  await buy(by);
  await buy(by);
  const refused = await refusal(buy(by));
  expect([refused.code, refused.details]).toEqual([
    "key.daily_limit",
    { limit: 25, left: 5, renewsAt: expect.stringMatching(/T00:00:00.000Z$/) },
  ]);
  expect(refused.message).toBe(
    "This API key can spend GH₵ 25.00 a day, and GH₵ 5.00 is left until midnight. " +
      "Raise its limit in your profile under Developers.",
  );
  expect(await spentBy(by.keyId)).toBe(2000);
});

test("the order keeps the number of its key; the owner's own orders have none and count nothing", async () => {
  const owner = await somebody();
  const by = await programOf(owner, 10);
  expect((await buy(by)).answer.order.keyId).toBe(by.keyId);
  expect(await outcome(buy(by))).toBe("key.daily_limit");
  expect((await buy(owner.by())).answer.order.keyId).toBeNull();
  const rows = await db.execute<{ key_id: number | null }>(
    sql`select key_id from orders where user_id = ${owner.id} order by id`,
  );
  expect(rows.map(({ key_id }) => key_id)).toEqual([by.keyId, null]);
});

test("a bulk order is placed whole within the limit, or not at all", async () => {
  const by = await programOf(await somebody(), 50);
  expect(await outcome(bulk(by, 6))).toBe("key.daily_limit");
  expect(await spentBy(by.keyId)).toBe(0);
  expect(await outcome(bulk(by, 5))).toBe("done");
  expect(await spentBy(by.keyId)).toBe(5000);
  expect(await outcome(bulk(by, 1))).toBe("key.daily_limit");
});

test("a bulk order of hundreds of lines has its own plan, and the same limit", async () => {
  const person = await world.person("many", "GH₵ 9000.00");
  const by = await programOf(person, 3000);
  expect(await outcome(bulk(by, 301))).toBe("key.daily_limit");
  expect(await outcome(bulk(by, 300))).toBe("done");
  expect(await spentBy(by.keyId)).toBe(300_000);
});

test("the preview of a bulk order says how far the limit goes", async () => {
  const by = await programOf(await somebody(), 30);
  const preview = await bulkOrders.preview(db, { by, lines: times(5, () => lineFor(bundle)) });
  expect([preview.affordableCount, preview.placeableCount, preview.limit?.code]).toEqual([5, 3, "key.daily_limit"]);
});

test("an order that waits and is paid by a key counts against its limit", async () => {
  const by = await programOf(await somebody(), 15);
  const waiting = async () => (await unpaidOrders.create(db, { by, key: null, line: lineFor(bundle) })).answer.id;
  const [first, second] = [await waiting(), await waiting()];
  const spend = (orderId: number) => unpaidOrders.spend(db, { by, key: null, orderId });
  expect((await spend(first)).answer.order.keyId).toBe(by.keyId);
  expect(await outcome(spend(second))).toBe("key.daily_limit");
  expect(await spentBy(by.keyId)).toBe(1000);
});

test("a refund gives back what the order took, as with the daily limit of accounts", async () => {
  const by = await programOf(await somebody(), 10);
  const { order } = (await buy(by)).answer;
  expect(await outcome(buy(by))).toBe("key.daily_limit");
  await cancelling.cancel(db, { by, key: null, orderId: order.id });
  expect(await spentBy(by.keyId)).toBe(0);
  expect(await outcome(buy(by))).toBe("done");
});

test("yesterday's spending does not count", async () => {
  const by = await programOf(await somebody(), 10);
  await buy(by);
  await db.execute(sql`update api_key_days set day = day - 1 where key_id = ${by.keyId}`);
  expect(await outcome(buy(by))).toBe("done");
  await db.execute(
    sql`delete from api_key_days where key_id = ${by.keyId} and day = (now() at time zone 'Africa/Accra')::date`,
  );
  await db.execute(sql`
    update api_key_days set day = day + 1, amount_pesewas = 2000 where key_id = ${by.keyId}`);
});

test("a key and the one that replaced it have one limit together, also in one statement", async () => {
  const person = await somebody();
  const by = await programOf(person, 30);
  await buy(by);
  const fresh = { ...person.by(), keyId: (await rotateKey(db, person.by(), by.keyId)).id };
  const outcomes = await Promise.all(times(6, (i) => outcome(buy(i % 2 ? by : fresh))));
  expect(tally(outcomes)).toEqual({ done: 2, "key.daily_limit": 4 });
  expect(await spentBy(fresh.keyId)).toBe(3000);
  expect(await db.$count(apiKeyDays)).toBeGreaterThan(0);
});

describe("at the same moment", () => {
  test("two requests on two servers cannot both have the last of a limit", async () => {
    await withSecondServer(world, async (second) => {
      for (const _ of times(5, (i) => i)) {
        const by = await programOf(await somebody(), 10);
        const outcomes = await Promise.all([outcome(buy(by)), outcome(buy(by, second))]);
        expect(tally(outcomes)).toEqual({ done: 1, "key.daily_limit": 1 });
      }
    });
  });

  test("single and bulk orders, paid orders and refunds on two servers never pass it", async () => {
    await withSecondServer(world, async (second) => {
      const by = await programOf(await somebody(), 100);
      const mine = await db.$count(apiKeyDays);
      const work = times(24, (i) => {
        const on = i % 2 ? second : db;
        return i % 3 === 0 ? outcome(bulk(by, 3, on)) : outcome(buy(by, on));
      });
      await Promise.all(work);
      const spent = await spentBy(by.keyId);
      expect(spent).toBeLessThanOrEqual(10_000);
      // What is left was too little for the next request.
      expect(spent).toBeGreaterThan(7000);
      expect(await db.$count(apiKeyDays)).toBe(mine + 1);
    });
  });

  test("programs with a key and their owner without one buy in the same statement", async () => {
    const owner = await somebody();
    const by = await programOf(owner, 20);
    const outcomes = await Promise.all(times(10, (i) => outcome(buy(i < 5 ? by : owner.by()))));
    expect(tally(outcomes.slice(0, 5))).toEqual({ done: 2, "key.daily_limit": 3 });
    expect(tally(outcomes.slice(5))).toEqual({ done: 5 });
  });
});

longTest(`whatever is bought, cancelled and paid, the count equals the key's orders (seed ${seed})`, async () => {
  const acts = fc.array(fc.constantFrom("buy", "bulk", "cancel", "later"), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(acts, fc.integer({ min: 10, max: 90 }), async (list, perDay) => {
      const by = await programOf(await somebody(), perDay);
      let last: number | null = null;
      for (const act of list) {
        if (act === "buy") {
          const bought: number | null = await buy(by).then(
            ({ answer }) => answer.order.id,
            () => null,
          );
          last = bought ?? last;
        } else if (act === "bulk") await outcome(bulk(by, 2));
        else if (act === "cancel" && last) await outcome(cancelling.cancel(db, { by, key: null, orderId: last }));
        else if (act === "later") {
          const { answer } = await unpaidOrders.create(db, { by, key: null, line: lineFor(bundle) });
          await outcome(unpaidOrders.spend(db, { by, key: null, orderId: answer.id }));
        }
      }
      const [row] = await db.execute<{ paid: number }>(sql`
        select coalesce(sum(amount_pesewas), 0)::int as paid from orders
        where key_id = ${by.keyId} and status <> 'FAILED'`);
      expect(await spentBy(by.keyId)).toBe(row!.paid);
      expect(row!.paid).toBeLessThanOrEqual(perDay * 100);
    }),
    { seed, numRuns: 8 },
  );
});

test("a wrong count is repaired from the orders", async () => {
  const by = await programOf(await somebody(), 90);
  await buy(by);
  await db.execute(sql`update api_key_days set amount_pesewas = 7 where key_id = ${by.keyId}`);
  expect((await sumsRepair.repair(db)).keyDays).toBe(1);
  expect(await spentBy(by.keyId)).toBe(1000);
});

test("a purchase without a key has nothing of this in its statement", () => {
  expect(Object.values(WITHOUT_KEY).flat().join("")).toBe("");
});
