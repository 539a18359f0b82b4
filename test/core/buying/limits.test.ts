// Limits on spending hold for every way to pay from a wallet, also for purchases at the same moment, and say what is
// left, when it renews and whom to ask.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { wallets } from "../../../db/schema/ledger.ts";
import * as bulkOrders from "../../../src/core/buying/bulk-orders.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as tiers from "../../../src/core/catalog/tiers.ts";
import * as accountTiers from "../../../src/core/identity/account-tiers.ts";
import * as spendingLimits from "../../../src/core/identity/spending-limits.ts";
import * as limits from "../../../src/core/ledger/limits.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import type { AppError } from "../../../src/shared/errors/app-error.ts";
import {
  decided,
  hold,
  lineFor,
  outcome,
  refusal,
  seed,
  tally,
  times,
  withSecondServer,
} from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const admin = yaw.by("admin");
const bundle = await world.product("MTN", "1GB", "10.00");
const NONE = spendingLimits.NO_BOUNDS;

const limitTier = (bounds: Partial<spendingLimits.Bounds>, tierId = tiers.STANDARD_TIER_ID) =>
  spendingLimits.setTier(db, { by: admin, tierId, ...NONE, ...bounds });
const limitOne = (person: Person, bounds: Partial<spendingLimits.Bounds>, until: Date | null = null) =>
  spendingLimits.setOwn(db, {
    ...{ by: admin, userId: person.id, reason: "Agreed on the phone", until },
    bounds: { ...NONE, ...bounds },
  });
const buy = (person: Person, on = db) => orders.buy(on, { by: person.by(), key: null, line: lineFor(bundle) });
const bulk = (person: Person, lines: number, on = db) =>
  buyBulk(on, { by: person.by(), key: null, lines: times(lines, () => lineFor(bundle)) });
const create = async (person: Person) =>
  (await unpaidOrders.create(db, { by: person.by(), key: null, line: lineFor(bundle) })).answer;
const spend = (person: Person, orderId: number, on = db) =>
  unpaidOrders.spend(on, { by: person.by(), key: null, orderId });

let people = 0;
const somebody = () => world.person(`limited${++people}`, "GH₵ 1000.00");
const hourlyOf = (error: AppError) => limits.hourLimitIn(error.details);

beforeEach(async () => {
  await limitTier({});
});

describe("the preview of a bulk order", () => {
  const preview = (person: Person, lines: number) =>
    bulkOrders.preview(db, {
      ...{ by: person.by(), allowDuplicate: true },
      lines: times(lines, () => lineFor(bundle)),
    });

  test("names the limit that would refuse it, in the refusal's own words, and how many lines fit", async () => {
    const ama = await somebody();
    await limitTier({ dayMaxPesewas: 2500 });
    expect(await preview(ama, 2)).toMatchObject({ limit: null, affordableCount: 2, placeableCount: 2 });
    const seen = await preview(ama, 4);
    expect(seen).toMatchObject({ affordableCount: 4, placeableCount: 2 });
    const refused = await refusal(bulk(ama, 4));
    expect(seen.limit).toMatchObject({ code: "order.daily_limit", message: refused.message });
    await limitTier({ hourOrdersMax: 3 });
    await buy(ama);
    expect(await preview(ama, 2)).toMatchObject({ limit: null, placeableCount: 2 });
    const hourly = await preview(ama, 3);
    expect(hourly.placeableCount).toBe(2);
    expect(hourly.limit).toMatchObject({ code: "order.hourly_limit", details: { left: 2 } });
    expect((await refusal(bulk(ama, 3))).code).toBe("order.hourly_limit");
  });

  test("names none to an account without limits, also when the wallet is short", async () => {
    const ama = await somebody();
    expect(await preview(ama, 101)).toMatchObject({ limit: null, affordableCount: 100, placeableCount: 100 });
  });
});

describe("pesewas a day", () => {
  test("bound one purchase after the other; a refund makes room", async () => {
    const ama = await somebody();
    await limitTier({ dayMaxPesewas: 2500 });
    const { answer } = await buy(ama);
    await buy(ama);
    const refused = await refusal(buy(ama));
    expect(refused).toMatchObject({
      code: "order.daily_limit",
      details: { limit: 25, left: 5, isNew: false },
    });
    expect(refused.message).toBe(
      "You can spend GH₵ 25.00 a day, and GH₵ 5.00 is left until midnight. If you need more, ask support.",
    );
    expect(new Date(String(refused.details!.renewsAt)).toISOString()).toEndWith("T00:00:00.000Z");
    await cancelling.cancel(db, { by: ama.by(), key: null, orderId: answer.order.id });
    await buy(ama);
  });

  test("bound a bulk order as a whole, and orders that are paid later", async () => {
    const ama = await somebody();
    const waiting = await create(ama);
    await limitTier({ dayMaxPesewas: 2500 });
    expect(await outcome(bulk(ama, 3))).toBe("order.daily_limit");
    await bulk(ama, 2);
    expect(await outcome(spend(ama, waiting.id))).toBe("order.daily_limit");
    await limitTier({ dayMaxPesewas: 3000 });
    await spend(ama, waiting.id);
    expect(await world.balanceOf(ama)).toBe(97_000);
  });

  test("renew at midnight in Accra", async () => {
    const ama = await somebody();
    await limitTier({ dayMaxPesewas: 1000 });
    await buy(ama);
    expect(await outcome(buy(ama))).toBe("order.daily_limit");
    const isOver = (await limits.standing(db, ama.id)).dayLeftPesewas;
    expect(isOver).toBe(0);
    await db.execute(sql`update user_days set day = day - 1 where user_id = ${ama.id}`);
    expect((await limits.standing(db, ama.id)).dayLeftPesewas).toBe(1000);
    await db.execute(sql`update user_days set day = day + 1 where user_id = ${ama.id}`);
  });
});

describe("orders an hour", () => {
  test("count every line, say when they renew, and renew with the clock hour", async () => {
    const ama = await somebody();
    await limitTier({ hourOrdersMax: 4 });
    await buy(ama);
    await bulk(ama, 2);
    const refused = await refusal(bulk(ama, 2));
    expect(refused).toMatchObject({ code: "order.hourly_limit", details: { limit: 4, left: 1 } });
    const { until } = hourlyOf(refused);
    expect(refused.message).toBe(
      `You can place 4 orders an hour, and 1 is left until ${until}. If you need more, ask support.`,
    );
    expect(until).toEndWith(":00");
    const waiting = await create(ama);
    await spend(ama, waiting.id);
    expect(await outcome(buy(ama))).toBe("order.hourly_limit");
    await db.execute(sql`update wallets set hour_at = hour_at - interval '1 hour' where user_id = ${ama.id}`);
    await buy(ama);
    expect((await limits.standing(db, ama.id)).hourLeft).toBe(3);
  });

  test("are not counted without a limit, and begin with it", async () => {
    const ama = await somebody();
    await bulk(ama, 5);
    const [wallet] = await db.select().from(wallets).where(sql`user_id = ${ama.id}`);
    expect([wallet!.hourAt, wallet!.hourOrders]).toEqual([null, 0]);
    await limitTier({ hourOrdersMax: 1 });
    await buy(ama);
    expect(await outcome(buy(ama))).toBe("order.hourly_limit");
  });
});

describe("at the same moment", () => {
  longTest("forty purchases of every kind at two servers pass no more than a limit allows", async () => {
    for (const bounds of [{ dayMaxPesewas: 9500 }, { hourOrdersMax: 9 }]) {
      await limitTier(bounds);
      const ama = await somebody();
      const waiting = await Promise.all(times(10, () => create(ama)));
      const outcomes = await withSecondServer(world, (other) =>
        Promise.all(
          times(40, (n) => {
            const on = n % 2 ? db : other;
            if (n % 4 === 0) return decided(() => spend(ama, waiting[n / 4]!.id, on));
            return decided(() => (n % 4 === 1 ? bulk(ama, 3, on) : buy(ama, on)));
          }),
        ),
      );
      const placed = (100_000 - (await world.balanceOf(ama))) / 1000;
      // Of the last places a bulk order may leave one or two.
      expect(placed).toBeLessThanOrEqual(9);
      expect(placed).toBeGreaterThanOrEqual(7);
      expect(Object.keys(tally(outcomes)).sort()).toEqual(
        ["done", bounds.hourOrdersMax ? "order.hourly_limit" : "order.daily_limit"].sort(),
      );
      await limitTier({});
    }
  });

  test("a limit that is set between two purchases holds for the second", async () => {
    const ama = await somebody();
    const outcomes = await Promise.all([
      ...times(20, () => outcome(buy(ama))),
      limitTier({ dayMaxPesewas: 3000 }).then(() => "set"),
    ]);
    const before = tally(outcomes).done!;
    expect(await outcome(buy(ama))).toBe(before >= 3 ? "order.daily_limit" : "done");
  });
});

describe("whose limits", () => {
  test("an account's own come instead of its tier's, until they end", async () => {
    const ama = await somebody();
    await limitTier({ dayMaxPesewas: 1000, hourOrdersMax: 1 });
    await limitOne(ama, { dayMaxPesewas: 3000 });
    await buy(ama);
    await buy(ama);
    expect(await limits.standing(db, ama.id)).toMatchObject({
      ...{ isOwn: true, dayMaxPesewas: 3000, dayLeftPesewas: 1000, hourOrdersMax: null },
    });
    await spendingLimits.endOwn(db, { by: admin, userId: ama.id });
    expect(await outcome(buy(ama))).toBe("order.daily_limit");
  });

  test("they end by themselves at their time, and not before", async () => {
    const ama = await somebody();
    await limitTier({ hourOrdersMax: 5 });
    await limitOne(ama, { hourOrdersMax: 0 }, new Date(Date.now() + 60_000));
    await spendingLimits.endDue(db);
    expect(await outcome(buy(ama))).toBe("order.hourly_limit");
    await db.execute(sql`update account_limits set until = now() where user_id = ${ama.id}`);
    await spendingLimits.endDue(db);
    await buy(ama);
  });

  test("an account that gets another tier has that one's, and so has one whose tier is deleted", async () => {
    const ama = await somebody();
    const { answer: gold } = await tiers.add(db, { by: admin, name: "Gold" });
    await limitTier({ hourOrdersMax: 7 }, gold.id);
    await accountTiers.setTier(db, { by: admin, userId: ama.id, tierId: gold.id });
    expect((await limits.standing(db, ama.id)).hourOrdersMax).toBe(7);
    await limitTier({ hourOrdersMax: 3 });
    await accountTiers.removeTier(db, { by: admin, tierId: gold.id, accounts: 1 });
    expect((await limits.standing(db, ama.id)).hourOrdersMax).toBe(3);
  });

  test("a wallet that is made while its tier's limits change gets the new ones", async () => {
    const late = await world.person("late");
    await db.execute(sql`delete from wallets where user_id = ${late.id}`);
    const making = await hold(db, sql`insert into wallets (user_id) values (${late.id})`);
    const setting = limitTier({ hourOrdersMax: 4 });
    await Promise.race([making.waiting(1), setting]);
    await making.release();
    await setting;
    expect((await limits.standing(db, late.id)).hourOrdersMax).toBe(4);
  });

  test("nobody sets their own, and those of staff only an owner", async () => {
    const ama = await somebody();
    const manager = await world.person("manager", undefined, ["MANAGER"]);
    const other = await world.person("other-manager", undefined, ["MANAGER"]);
    const set = (by: Person, userId: number) =>
      outcome(spendingLimits.setOwn(db, { by: by.by("admin"), userId, bounds: NONE, reason: "more", until: null }));
    expect(await set(manager, manager.id)).toBe("auth.own_account");
    expect(await set(manager, other.id)).toBe("auth.forbidden");
    expect(await set(manager, ama.id)).toBe("done");
    expect(await set(yaw, manager.id)).toBe("done");
  });
});

/** What an account may spend by its limits, beside the shop. */
class Model {
  tier = NONE as spendingLimits.Bounds;
  own: spendingLimits.Bounds | null = null;
  spent = 0;
  counted = 0;
  readonly paid: number[] = [];

  constructor(readonly ama: Person) {}

  /** How many orders of GH₵ 10.00 are expected to do. */
  expected(lines: number): string {
    const { dayMaxPesewas, hourOrdersMax } = this.own ?? this.tier;
    if (dayMaxPesewas !== null && this.spent + lines * 1000 > dayMaxPesewas) return "order.daily_limit";
    return hourOrdersMax !== null && this.counted + lines > hourOrdersMax ? "order.hourly_limit" : "done";
  }

  async pay(lines: number, work: () => Promise<number[]>): Promise<void> {
    const expected = this.expected(lines);
    const done = await outcome(work().then((ids) => this.paid.push(...ids)));
    expect(done).toBe(expected);
    if (done !== "done") return;
    this.spent += lines * 1000;
    // Counted from the moment on that there is a limit.
    if ((this.own ?? this.tier).hourOrdersMax !== null) this.counted += lines;
  }
}

const boundsFrom = (n: number): spendingLimits.Bounds => ({
  ...NONE,
  dayMaxPesewas: n % 3 ? (n % 12) * 1000 : null,
  hourOrdersMax: n % 2 ? n % 9 : null,
});

const DEEDS: Record<string, (model: Model, n: number) => Promise<unknown>> = {
  buy: (model) => model.pay(1, async () => [(await buy(model.ama)).answer.order.id]),
  bulk: (model, n) =>
    model.pay(1 + (n % 4), async () => (await bulk(model.ama, 1 + (n % 4))).answer.orders.map(({ id }) => id)),
  spend: async (model) => {
    const { id } = await create(model.ama);
    await model.pay(1, async () => [(await spend(model.ama, id)).answer.order.id]);
    if (!model.paid.includes(id)) await cancel(model.ama, id);
  },
  cancel: async (model, n) => {
    const [orderId] = model.paid.splice(n % (model.paid.length + 1), 1);
    if (orderId === undefined) return;
    await cancel(model.ama, orderId);
    model.spent -= 1000;
  },
  limit: async (model, n) => {
    model.tier = (await limitTier(boundsFrom(n))).answer.bounds;
  },
  own: async (model, n) => {
    model.own = boundsFrom(n);
    await limitOne(model.ama, model.own);
  },
  end: async (model) => {
    model.own = null;
    await spendingLimits.endOwn(db, { by: admin, userId: model.ama.id });
  },
};

const cancel = (person: Person, orderId: number) => cancelling.cancel(db, { by: person.by(), key: null, orderId });

longTest(`random purchases and limits never pass a limit (seed ${seed})`, async () => {
  const deed = fc.tuple(fc.constantFrom(...Object.keys(DEEDS)), fc.nat());
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 25 }), async (deeds) => {
      await limitTier({});
      const model = new Model(await somebody());
      for (const [kind, n] of deeds) await DEEDS[kind]!(model, n);
      expect(await world.balanceOf(model.ama)).toBe(100_000 - model.spent);
    }),
    { numRuns: 25, seed },
  );
});
