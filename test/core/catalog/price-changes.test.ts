// Tests of price changes: tiers, exceptions, planned prices, taking back and undoing, and two admins at once.

import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as priceChanges from "../../../src/core/catalog/price-changes.ts";
import * as priceHistory from "../../../src/core/catalog/price-history.ts";
import * as priceTable from "../../../src/core/catalog/price-table.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as tiers from "../../../src/core/catalog/tiers.ts";
import * as accountTiers from "../../../src/core/identity/account-tiers.ts";
import * as users from "../../../src/core/identity/users.ts";
import type { Order } from "../../../src/core/orders/order.ts";
import { AppError } from "../../../src/shared/errors/app-error.ts";
import { count, lineFor, outcome, refusal, times, withSecondServer } from "../../support/asking.ts";
import { deskTakes } from "../../support/costs.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const ama = await world.person("ama", "GH₵ 90,000.00");
const STANDARD = tiers.STANDARD_TIER_ID;

let sizes = 0;
const newBundle = () => world.product("MTN", `${++sizes}GB`, "10.00");
let names = 0;
const newTier = async () => (await tiers.add(db, { by, name: `Tier ${++names}` })).answer;

type Wanted = Parameters<typeof priceChanges.set>[1]["prices"][number];
const set = (prices: Wanted[], own: Partial<Parameters<typeof priceChanges.set>[1]> = {}) =>
  priceChanges.set(db, { by, key: null, prices, since: null, note: "", isConfirmed: true, ...own });
const inTier = (product: products.Product, tierId: number, pricePesewas: number | null): Wanted => ({
  ...{ productId: product.id, tierId, pricePesewas },
});
const priceFor = async (person: Person, product: products.Product) =>
  (await products.listFor(db, person.id)).find(({ id }) => id === product.id)!.pricePesewas;
const buy = async (person: Person, product: products.Product, own: object = {}) =>
  (await orders.buy(db, { by: person.by(), key: null, line: { ...lineFor(product), ...own } })).answer.order;
/** A moment ahead by the database's clock. */
const ahead = async (seconds: number) => {
  const [row] = await db.execute<{ at: string }>(
    sql`select clock_timestamp() + make_interval(secs => ${seconds}) as at`,
  );
  return new Date(row!.at);
};
/** Plans with a moment ahead, and with a later one where a slow machine has let it pass. */
async function inTime<T>(seconds: number, plan: (since: Date) => Promise<T>): Promise<T> {
  const since = await ahead(seconds);
  return plan(since).catch((error) => {
    if (!(error instanceof AppError) || error.code !== "price.from_invalid") throw error;
    return inTime(seconds * 4, plan);
  });
}
const until = (at: Date) =>
  db.execute(sql`select pg_sleep(extract(epoch from ${at.toISOString()}::timestamptz - clock_timestamp()) + 0.002)`);

describe("a tier", () => {
  test("has a short name that is free, is renamed, and there are at most twenty", async () => {
    const { answer: gold } = await tiers.add(db, { by, name: " Gold " });
    expect(gold.name).toBe("Gold");
    expect(await outcome(tiers.add(db, { by, name: "gold" }))).toBe("tier.exists");
    expect((await tiers.rename(db, { by, tierId: gold.id, name: "Silver" })).answer).toEqual({
      ...gold,
      name: "Silver",
    });
    expect((await tiers.rename(db, { by, tierId: STANDARD, name: "Everybody" })).answer).toMatchObject({
      id: STANDARD,
    });
    expect(await outcome(tiers.rename(db, { by, tierId: STANDARD, name: "silver" }))).toBe("tier.exists");
    expect(await outcome(tiers.rename(db, { by, tierId: 999_999, name: "x" }))).toBe("tier.not_found");
    const room = 20 - (await tiers.list(db)).length;
    const added = await Promise.all(times(room + 3, (n) => outcome(tiers.add(db, { by, name: `Filling ${n}` }))));
    expect(added.filter((it) => it === "done")).toHaveLength(room);
    expect(added.filter((it) => it === "tier.too_many")).toHaveLength(3);
    await db.execute(sql`delete from tiers where name like 'Filling%'`);
    await tiers.rename(db, { by, tierId: STANDARD, name: "Standard" });
  });

  longTest("gives its accounts its prices, or the Standard ones where it has none", async () => {
    const [bundle, other, tier] = [await newBundle(), await newBundle(), await newTier()];
    await set([inTier(bundle, tier.id, 900)]);
    const kofi = await world.person("kofi", "GH₵ 100.00");
    expect([await priceFor(kofi, bundle), await priceFor(kofi, other)]).toEqual([1000, 1000]);
    await accountTiers.setTier(db, { by, userId: kofi.id, tierId: tier.id });
    expect([await priceFor(kofi, bundle), await priceFor(kofi, other)]).toEqual([900, 1000]);
    expect(await buy(kofi, bundle)).toMatchObject({ unitPricePesewas: 900, tierId: tier.id });
    await set([inTier(bundle, tier.id, null)]);
    expect(await priceFor(kofi, bundle)).toBe(1000);
  });

  test("that is deleted asks with the number of its accounts, which go to another; its orders keep it", async () => {
    const [bundle, tier, other] = [await newBundle(), await newTier(), await newTier()];
    await set([inTier(bundle, tier.id, 900), inTier(bundle, other.id, 950)]);
    const esi = await world.person("esi", "GH₵ 100.00");
    await accountTiers.setTier(db, { by, userId: esi.id, tierId: tier.id });
    const order = await buy(esi, bundle);
    const remove = (own: object) => accountTiers.removeTier(db, { by, tierId: tier.id, accounts: 1, ...own });
    expect(await refusal(remove({ accounts: 0 }))).toMatchObject({
      code: "tier.has_accounts",
      details: { accounts: 1 },
    });
    expect(await outcome(remove({ toTierId: tier.id }))).toBe("tier.not_found");
    expect(await outcome(remove({ tierId: STANDARD }))).toBe("tier.not_found");
    expect(await outcome(remove({ tierId: STANDARD, toTierId: other.id }))).toBe("tier.standard_stays");
    expect((await remove({ toTierId: other.id })).answer).toMatchObject({ accounts: 1, to: { id: other.id } });
    expect([order.tierId, await priceFor(esi, bundle)]).toEqual([tier.id, 950]);
    expect(await outcome(set([inTier(bundle, tier.id, 800)]))).toBe("tier.not_found");
    expect(await outcome(accountTiers.setTier(db, { by, userId: esi.id, tierId: tier.id }))).toBe("tier.not_found");
    expect(await count(db, sql`from prices where tier_id = ${tier.id}`)).toBe(1);
    expect(await count(db, sql`from audit_log where action = 'tier.delete' and subject_id = ${String(tier.id)}`)).toBe(
      1,
    );
  });

  test("cannot be given to an account while it is being deleted", async () => {
    const tier = await newTier();
    const people = await Promise.all(times(6, (n) => world.person(`late${n}`)));
    const outcomes = await Promise.all([
      outcome(accountTiers.removeTier(db, { by, tierId: tier.id, accounts: 0 })),
      ...people.map(({ id }) => outcome(accountTiers.setTier(db, { by, userId: id, tierId: tier.id }))),
    ]);
    const isGone = outcomes[0] === "done";
    const inIt = await count(db, sql`from users where tier_id = ${tier.id}`);
    expect(isGone ? inIt : outcomes.slice(1).filter((it) => it === "done").length - inIt).toBe(0);
  });

  test("that changes while a page is open refuses what the page shows, with the price of now", async () => {
    const [bundle, tier] = [await newBundle(), await newTier()];
    await set([inTier(bundle, tier.id, 900)]);
    const shown = await priceFor(ama, bundle);
    await accountTiers.setTier(db, { by, userId: ama.id, tierId: tier.id });
    const refused = await refusal(buy(ama, bundle, { expectedPesewas: shown }));
    expect([refused.code, refused.details]).toEqual(["order.price_changed", { currentPrice: 9, currentAmount: 9 }]);
    const line = { ...lineFor(bundle), expectedPesewas: shown };
    expect(await outcome(unpaidOrders.create(db, { by: ama.by(), key: null, line }))).toBe("order.price_changed");
    await accountTiers.setTier(db, { by, userId: ama.id, tierId: STANDARD });
  });
});

describe("an exception", () => {
  longTest("goes before the tier's price until it ends, for one account alone", async () => {
    const [bundle, tier] = [await newBundle(), await newTier()];
    const abena = await world.person("abena", "GH₵ 100.00");
    await accountTiers.setTier(db, { by, userId: abena.id, tierId: tier.id });
    await set([inTier(bundle, tier.id, 900), { productId: bundle.id, userId: abena.id, pricePesewas: 850 }]);
    expect([await priceFor(abena, bundle), await priceFor(ama, bundle)]).toEqual([850, 1000]);
    expect(await priceTable.exceptionsOf(db, abena.id)).toEqual(new Map([[bundle.id, 850]]));
    expect((await buy(abena, bundle)).unitPricePesewas).toBe(850);
    await set([{ productId: bundle.id, userId: abena.id, pricePesewas: null }]);
    expect(await priceFor(abena, bundle)).toBe(900);
    expect(await priceTable.exceptionsOf(db, abena.id)).toEqual(new Map());
  });

  test("is kept by a banned account without effect, and a closed one gets none", async () => {
    const bundle = await newBundle();
    const kwesi = await world.person("kwesi", "GH₵ 100.00");
    await users.ban(db, { by, userId: kwesi.id });
    await set([{ productId: bundle.id, userId: kwesi.id, pricePesewas: 850 }]);
    expect(await outcome(buy(kwesi, bundle))).toBe("auth.banned");
    await users.unban(db, { by, userId: kwesi.id });
    expect((await buy(kwesi, bundle)).unitPricePesewas).toBe(850);
    const gone = await world.person("gone");
    await users.remove(db, { by, userId: gone.id });
    expect(await outcome(set([{ productId: bundle.id, userId: gone.id, pricePesewas: 850 }]))).toBe("user.closed");
    expect(await outcome(set([{ productId: bundle.id, userId: 999_999, pricePesewas: 850 }]))).toBe("user.not_found");
  });
});

describe("a change", () => {
  test("sets what differs, once per key, and is in the log and the list", async () => {
    const [one, two] = [await newBundle(), await newBundle()];
    const key = { scope: "test", key: "change-1" };
    const prices = [inTier(one, STANDARD, 1100), inTier(two, STANDARD, 1000)];
    const { answer } = await set(prices, { key, note: "Up" });
    expect(answer.count).toBe(1);
    const again = await set(prices, { key, note: "Up" });
    expect([again.replayed, again.answer]).toEqual([true, answer]);
    expect(await outcome(set(prices, { key, note: "Down" }))).toBe("request.key_reused");
    expect(await set(prices)).toMatchObject({ answer: { changeId: null, count: 0 } });
    expect(await priceHistory.last(db)).toMatchObject({
      id: answer.changeId!,
      note: "Up",
      count: 1,
      username: "admin",
    });
    const [entry] = await db.execute<{ before: object; after: object }>(
      sql`select before, after from audit_log where action = 'price.set' order by id desc limit 1`,
    );
    expect(entry).toEqual({
      before: { [`product ${one.id}, tier 1`]: 1000 },
      after: { note: "Up", [`product ${one.id}, tier 1`]: 1100 },
    });
  });

  test("is refused as a whole for what it cannot set", async () => {
    const bundle = await newBundle();
    const good = inTier(bundle, STANDARD, 1100);
    const retired = await newBundle();
    await products.retire(db, { by, productId: retired.id });
    expect(await outcome(set([good, inTier(retired, STANDARD, 1100)]))).toBe("product.not_found");
    expect(await outcome(set([good, good]))).toBe("price.repeated");
    expect(await outcome(set([inTier(bundle, STANDARD, null)]))).toBe("price.standard_needed");
    expect(await outcome(set([good], { since: await ahead(-1) }))).toBe("price.from_invalid");
    expect(await outcome(set([good], { since: await ahead(367 * 86_400) }))).toBe("price.from_invalid");
    expect(await outcome(set([good], { by: ama.by() }))).toBe("auth.forbidden");
    expect(await priceFor(ama, bundle)).toBe(1000);
  });

  test("asks once, together, about unusual prices and those below cost", async () => {
    const [far, dear, fine] = [await newBundle(), await newBundle(), await newBundle()];
    await deskTakes(db, dear.id, 950);
    const prices = [inTier(far, STANDARD, 10_000), inTier(dear, STANDARD, 940), inTier(fine, STANDARD, 1100)];
    const refused = await refusal(set(prices, { isConfirmed: false }));
    expect([refused.code, refused.details]).toEqual([
      "price.needs_confirmation",
      {
        prices: [
          { productId: far.id, tierId: 1, oldPrice: 10, newPrice: 100, concern: "unusual" },
          { productId: dear.id, tierId: 1, oldPrice: 10, newPrice: 9.4, concern: "below_cost" },
        ],
      },
    ]);
    expect(await priceFor(ama, fine)).toBe(1000);
    expect((await set(prices)).answer.count).toBe(3);
  });

  test("by two admins at once: a price that is not what the second saw is refused, and the last one wins", async () => {
    const bundle = await newBundle();
    const seen = { ...inTier(bundle, STANDARD, 1100), wasPesewas: 1000 };
    const outcomes = await Promise.all(times(4, (n) => outcome(set([{ ...seen, pricePesewas: 1100 + n }]))));
    expect(outcomes.toSorted()).toEqual(["done", ...times(3, () => "price.changed_meanwhile")]);
    const won = 1100 + outcomes.indexOf("done");
    expect(await priceFor(ama, bundle)).toBe(won);
    const refused = await refusal(set([{ ...seen, pricePesewas: 1150 }]));
    expect(refused.details).toEqual({
      prices: [{ productId: bundle.id, tierId: 1, oldPrice: won / 100, newPrice: 11.5 }],
    });
    // Without what they saw, both are made, one after the other.
    const made = await Promise.all(times(4, (n) => set([inTier(bundle, STANDARD, 1200 + n)])));
    const last = Math.max(...made.map(({ answer }) => answer.changeId!));
    const set_ = made.findIndex(({ answer }) => answer.changeId === last);
    expect(await priceFor(ama, bundle)).toBe(1200 + set_);
  });
});

describe("a planned price", () => {
  longTest("begins by itself at its moment, on two servers while purchases run", async () => {
    const bundle = await newBundle();
    const running = async (server: typeof db, since: Date) => {
      const bought: Order[] = [];
      const end = since.getTime() + 400;
      while (Date.now() < end || bought.every(({ unitPricePesewas }) => unitPricePesewas === 1000)) {
        const line = { ...lineFor(bundle) };
        bought.push((await orders.buy(server, { by: ama.by(), key: null, line })).answer.order);
      }
      return bought;
    };
    let since = new Date();
    const [here, there] = await withSecondServer(world, async (other) => {
      since = await inTime(3, async (at) => {
        await set([inTier(bundle, STANDARD, 1200)], { since: at });
        return at;
      });
      expect(await priceHistory.planned(db)).toMatchObject([{ count: 1, isPlanned: true }]);
      return Promise.all([running(db, since), running(other, since)]);
    });
    for (const bought of [here, there]) {
      const paid = new Set(bought.map(({ unitPricePesewas }) => unitPricePesewas));
      expect(paid).toEqual(new Set([1000, 1200]));
    }
    const wrong = await count(
      db,
      sql`from orders where product_id = ${bundle.id}
            and (unit_price_pesewas = 1200) <> (created_at >= ${since.toISOString()}::timestamptz)`,
    );
    expect(wrong).toBe(0);
  });

  longTest("is taken back before it begins, and not in its last second or afterwards", async () => {
    const bundle = await newBundle();
    const later = (await set([inTier(bundle, STANDARD, 1200)], { since: await ahead(3600) })).answer.changeId!;
    expect(await outcome(priceChanges.undo(db, { by, key: null, changeId: later }))).toBe("price.change_planned");
    await priceChanges.takeBack(db, { by, changeId: later });
    expect(await outcome(priceChanges.takeBack(db, { by, changeId: later }))).toBe("price.change_not_found");
    expect(await priceHistory.planned(db)).toEqual([]);
    const [since, soon] = await inTime(0.9, async (at) => {
      const { answer } = await set([inTier(bundle, STANDARD, 1300)], { since: at });
      return [at, answer.changeId!];
    });
    expect(await outcome(priceChanges.takeBack(db, { by, changeId: soon }))).toBe("price.change_begun");
    await until(since);
    expect(await outcome(priceChanges.takeBack(db, { by, changeId: soon }))).toBe("price.change_begun");
    expect(await priceFor(ama, bundle)).toBe(1300);
  });

  test("after another planned one is compared with the price of now, which the admin has seen", async () => {
    const bundle = await newBundle();
    const first = await set([inTier(bundle, STANDARD, 1200)], { since: await ahead(3600) });
    const seen = { ...inTier(bundle, STANDARD, 1300), wasPesewas: 1000 };
    const second = await set([seen], { since: await ahead(7200) });
    expect(await outcome(set([{ ...seen, wasPesewas: 1200 }], { since: await ahead(7100) }))).toBe(
      "price.changed_meanwhile",
    );
    for (const { answer } of [first, second]) await priceChanges.takeBack(db, { by, changeId: answer.changeId! });
  });

  longTest("of the same moment as another is in force when it was set last", async () => {
    const bundle = await newBundle();
    const [since, second] = await inTime(1.2, async (at) => {
      const first = await set([inTier(bundle, STANDARD, 1200)], { since: at });
      const later = await set([inTier(bundle, STANDARD, 1300)], { since: at });
      expect(first.answer.beginsAt).toEqual(later.answer.beginsAt);
      return [at, later];
    });
    await until(since);
    expect(await priceFor(ama, bundle)).toBe(1300);
    await priceChanges.undo(db, { by, key: null, changeId: second.answer.changeId! });
    expect(await priceFor(ama, bundle)).toBe(1200);
  });
});

describe("an undo", () => {
  test("restores what was before, and an undo of it restores the change", async () => {
    const [bundle, tier] = [await newBundle(), await newTier()];
    const user = { productId: bundle.id, userId: ama.id };
    const { answer } = await set([
      inTier(bundle, STANDARD, 1100),
      inTier(bundle, tier.id, 1050),
      { ...user, pricePesewas: 1020 },
    ]);
    const undo = (changeId: number) => priceChanges.undo(db, { by, key: null, changeId });
    const undone = (await undo(answer.changeId!)).answer;
    expect(undone).toMatchObject({ count: 3, left: [] });
    expect(await priceFor(ama, bundle)).toBe(1000);
    expect(await outcome(undo(answer.changeId!))).toBe("price.undone_already");
    expect(await priceHistory.last(db)).toMatchObject({ id: undone.changeId!, undoesId: answer.changeId });
    expect((await undo(undone.changeId!)).answer.count).toBe(3);
    expect(await priceFor(ama, bundle)).toBe(1020);
    const { own } = (await priceTable.read(db)).products.find(({ id }) => id === bundle.id)!;
    expect(own).toEqual(
      new Map([
        [STANDARD, 1100],
        [tier.id, 1050],
      ]),
    );
    expect(await outcome(undo(999_999))).toBe("price.change_not_found");
  });

  longTest("leaves what something newer has replaced, and says what", async () => {
    const [one, two] = [await newBundle(), await newBundle()];
    const { answer } = await set([inTier(one, STANDARD, 1100), inTier(two, STANDARD, 1100)]);
    await set([inTier(one, STANDARD, 1200)]);
    const undo = () => priceChanges.undo(db, { by, key: null, changeId: answer.changeId! });
    expect((await undo()).answer).toMatchObject({
      count: 1,
      left: [{ productId: one.id, tierId: 1, userId: null }],
    });
    expect([await priceFor(ama, one), await priceFor(ama, two)]).toEqual([1200, 1000]);
    const other = (await set([inTier(one, STANDARD, 1300)])).answer.changeId!;
    await set([inTier(one, STANDARD, 1400)]);
    expect(await outcome(priceChanges.undo(db, { by, key: null, changeId: other }))).toBe("price.nothing_to_undo");
  });

  test("by two admins at once is made once", async () => {
    const bundle = await newBundle();
    const { answer } = await set([inTier(bundle, STANDARD, 1100)]);
    const outcomes = await Promise.all(
      times(3, () => outcome(priceChanges.undo(db, { by, key: null, changeId: answer.changeId! }))),
    );
    expect(outcomes.toSorted()).toEqual(["done", "price.undone_already", "price.undone_already"]);
  });
});

test("a purchase repeated by its key after a price change gets its first answer", async () => {
  const bundle = await newBundle();
  const key = { scope: "test", key: "buy-1" };
  const line = { ...lineFor(bundle), expectedPesewas: 1000 };
  const first = await orders.buy(db, { by: ama.by(), key, line });
  await set([inTier(bundle, STANDARD, 1100)]);
  const again = await orders.buy(db, { by: ama.by(), key, line });
  expect([again.replayed, again.answer.order.unitPricePesewas]).toEqual([true, 1000]);
  expect(again.answer.order.id).toBe(first.answer.order.id);
});

longTest("a thousand prices are set at once", async () => {
  await db.execute(sql`update tiers set deleted_at = now() where id > 1`);
  const bundles = await Promise.all(times(50, () => newBundle()));
  const all = await Promise.all(times(10, () => newTier()));
  const prices = bundles.flatMap((bundle) => all.map(({ id }, n) => inTier(bundle, id, 900 + n)));
  const { answer } = await set([...prices, ...bundles.map((bundle) => inTier(bundle, STANDARD, 1010))]);
  expect(answer.count).toBe(550);
  expect(await priceFor(ama, bundles[0]!)).toBe(1010);
});
