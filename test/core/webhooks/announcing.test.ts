// Events of prices and pauses: each account is sent what it pays itself, from the moment on at which it pays it, by a
// worker that may be killed at any time.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as costs from "../../../src/core/catalog/costs.ts";
import * as margins from "../../../src/core/catalog/margins.ts";
import * as priceChanges from "../../../src/core/catalog/price-changes.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as tiers from "../../../src/core/catalog/tiers.ts";
import * as accountTiers from "../../../src/core/identity/account-tiers.ts";
import * as users from "../../../src/core/identity/users.ts";
import { announceDue } from "../../../src/core/webhooks/announcing.ts";
import * as hooks from "../../../src/core/webhooks/endpoints.ts";
import { count, times, withSecondServer } from "../../support/asking.ts";
import { pauseNetwork, pauseProduct } from "../../support/pausing.ts";
import { openWorld, type Person } from "../../support/world.ts";
import { openReader } from "./reading.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const reader = openReader(world);
const STANDARD = tiers.STANDARD_TIER_ID;

let people = 0;
const agent = () => world.person(`agent${++people}`);
let sizes = 0;
const newBundle = () => world.product("MTN", `${++sizes}GB`, "10.00");
let names = 0;
const newTier = async () => (await tiers.add(db, { by, name: `Tier ${++names}` })).answer;
type Wanted = Parameters<typeof priceChanges.set>[1]["prices"][number];
const set = async (prices: Wanted[], since: Date | null = null) =>
  (await priceChanges.set(db, { by, key: null, prices, since, note: "", isConfirmed: true })).answer;
/** As the worker does. */
const announce = async (countMax?: number, on = db) => {
  while ((await announceDue(on, countMax)) > 0);
};
const ahead = async (seconds: number) => {
  const [row] = await db.execute<{ at: string }>(
    sql`select clock_timestamp() + make_interval(secs => ${seconds}) as at`,
  );
  return new Date(row!.at);
};
const until = (at: Date) =>
  db.execute(sql`select pg_sleep(extract(epoch from ${at.toISOString()}::timestamptz - clock_timestamp()) + 0.002)`);
/** What an endpoint was sent since: of each message the products with their old and new prices. */
const pricesAt = async (hook: hooks.Hook) => {
  await announce();
  return (await reader.read(hook)).map(({ data }) =>
    data.products.map((one: Record<string, unknown>) => [one.productId, one.oldPricePesewas, one.pricePesewas]),
  );
};
const pausesAt = async (hook: hooks.Hook) => {
  await announce();
  return (await reader.read(hook)).map(({ data }) => [data.productId ?? data.operator, data.paused, data.message]);
};

beforeEach(() => reader.endpoint.answer(() => new Response(null, { status: 204 })));
afterEach(async () => {
  await db.execute(sql`delete from hooks`);
  await db.execute(sql`delete from announcements`);
});

describe("product.price_changed", () => {
  const reads = (person: Person) => reader.open(person, "product.price_changed");

  test("is sent to those who pay the changed price, each with its own", async () => {
    const [usual, gold, goldToo, own] = [await agent(), await agent(), await agent(), await agent()];
    const [one, two] = [await newBundle(), await newBundle()];
    const tier = await newTier();
    for (const { id: userId } of [gold, goldToo]) await accountTiers.setTier(db, { by, userId, tierId: tier.id });
    await set([
      { productId: one.id, tierId: tier.id, pricePesewas: 950 },
      { productId: one.id, userId: own.id, pricePesewas: 900 },
    ]);
    const endpoints = [await reads(usual), await reads(gold), await reads(goldToo), await reads(own)];
    await announce();
    await db.execute(sql`delete from hook_deliveries`);
    await set([
      { productId: one.id, tierId: STANDARD, pricePesewas: 1050 },
      { productId: two.id, tierId: STANDARD, pricePesewas: 1100 },
    ]);
    const sent = [];
    for (const hook of endpoints) sent.push(await pricesAt(hook));
    expect(sent).toEqual([
      [
        [
          [one.id, 1000, 1050],
          [two.id, 1000, 1100],
        ],
      ],
      [[[two.id, 1000, 1100]]],
      [[[two.id, 1000, 1100]]],
      [[[two.id, 1000, 1100]]],
    ]);
    await set([{ productId: one.id, tierId: tier.id, pricePesewas: 940 }]);
    expect(await pricesAt(endpoints[0]!)).toEqual([]);
    expect(await pricesAt(endpoints[1]!)).toEqual([[[one.id, 950, 940]]]);
    await set([{ productId: one.id, userId: own.id, pricePesewas: null }]);
    expect(await pricesAt(endpoints[1]!)).toEqual([]);
    expect(await pricesAt(endpoints[3]!)).toEqual([[[one.id, 900, 1050]]]);
  });

  test("of a planned price is sent when it begins, and never when it is taken back", async () => {
    const hook = await reads(await agent());
    const [bundle, other] = [await newBundle(), await newBundle()];
    const back = await set([{ productId: other.id, tierId: STANDARD, pricePesewas: 1300 }], await ahead(60));
    await priceChanges.takeBack(db, { by, changeId: back.changeId! });
    const begins = await ahead(4);
    await set([{ productId: bundle.id, tierId: STANDARD, pricePesewas: 1200 }], begins);
    expect(await pricesAt(hook)).toEqual([]);
    expect(await count(db, sql`from announcements`)).toBe(1);
    await until(begins);
    await announce();
    const [message, ...more] = await reader.read(hook);
    expect(more).toEqual([]);
    expect(message!.timestamp.slice(0, 23)).toBe(begins.toISOString().slice(0, 23));
    expect(message!.data.products).toHaveLength(1);
    expect(await count(db, sql`from announcements`)).toBe(0);
  });

  test("follows every way to change a price: the product's form, an undo, raised prices", async () => {
    const hook = await reads(await agent());
    const bundle = await newBundle();
    await products.edit(db, { by, productId: bundle.id, pricePesewas: 1100 });
    const { changeId } = await set([{ productId: bundle.id, tierId: STANDARD, pricePesewas: 1150 }]);
    await priceChanges.undo(db, { by, key: null, changeId: changeId! });
    for (const costPesewas of [1000, 1050])
      await costs.set(db, { by, costs: [{ productId: bundle.id, vendor: "desk", costPesewas }], vendors: [] });
    const { fingerprint } = await margins.planRaise(db, "desk");
    await margins.raise(db, { by, vendor: "desk", fingerprint });
    expect((await pricesAt(hook)).flat()).toEqual([
      [bundle.id, 1000, 1100],
      [bundle.id, 1100, 1150],
      [bundle.id, 1150, 1100],
      [bundle.id, 1100, 1150],
    ]);
  });

  test("is sent to an account that gets another tier, or whose tier is deleted", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    const [hook, kofis] = [await reads(ama), await reads(kofi)];
    const [bundle, same] = [await newBundle(), await newBundle()];
    const tier = await newTier();
    await set([
      { productId: bundle.id, tierId: tier.id, pricePesewas: 900 },
      { productId: same.id, tierId: tier.id, pricePesewas: 1000 },
    ]);
    // The tier's own change of prices is announced only now, and was none for this account.
    await accountTiers.setTier(db, { by, userId: ama.id, tierId: tier.id });
    expect(await pricesAt(hook)).toEqual([[[bundle.id, 1000, 900]]]);
    await accountTiers.setTier(db, { by, userId: ama.id, tierId: tier.id });
    expect(await pricesAt(hook)).toEqual([]);
    await accountTiers.removeTier(db, { by, tierId: tier.id, accounts: 1 });
    expect(await pricesAt(hook)).toEqual([[[bundle.id, 900, 1000]]]);
    expect(await pricesAt(kofis)).toEqual([]);
  });

  test("of very many prices comes in messages of a hundred", async () => {
    const hook = await reads(await agent());
    const bundles = [];
    for (const _ of times(103, () => 0)) bundles.push(await newBundle());
    await set(bundles.map(({ id }) => ({ productId: id, tierId: STANDARD, pricePesewas: 1100 })));
    const sent = await pricesAt(hook);
    expect(sent.map((some) => some.length)).toEqual([100, 3]);
    expect(new Set(sent.flat().map(([id]: number[]) => id)).size).toBe(103);
  });
});

describe("product.paused", () => {
  const reads = async () => reader.open(await agent(), "product.paused");

  test("is sent for a bundle and for a whole network, paused, changed and on sale again", async () => {
    const [hook, other] = [await reads(), await reader.open(await agent(), "product.price_changed")];
    const bundle = await newBundle();
    const pause = (message: string | null) => pauseProduct(db, { by, productId: bundle.id, message });
    for (const message of ["Back soon", "Back soon", "Later", null, null]) await pause(message);
    await pauseNetwork(db, { by, operator: "MTN", message: "MTN is down" });
    await pauseNetwork(db, { by, operator: "MTN", message: null });
    await products.edit(db, { by, productId: bundle.id, name: "Another name" });
    expect(await pausesAt(hook)).toEqual([
      [bundle.id, true, "Back soon"],
      [bundle.id, true, "Later"],
      [bundle.id, false, null],
      ["MTN", true, "MTN is down"],
      ["MTN", false, null],
    ]);
    expect(await pausesAt(other)).toEqual([]);
  });

  test("is sent when a pause ends by itself, once, and not for an end that was moved or no longer comes", async () => {
    const hook = await reads();
    const [moved, resumed] = [await newBundle(), await newBundle()];
    const pause = async ({ id: productId }: products.Product, hours: number) =>
      pauseProduct(db, { by, productId, message: "Soon", until: await ahead(hours * 3600) });
    for (const hours of [1, 3, 2]) await pause(moved, hours);
    await pause(resumed, 1);
    await pauseProduct(db, { by, productId: resumed.id, message: null });
    const paused = [moved.id, true, "Soon"];
    const begun = [paused, paused, paused, [resumed.id, true, "Soon"], [resumed.id, false, null]];
    expect(await pausesAt(hook)).toEqual(begun);
    // Three hours pass.
    await db.execute(sql`update announcements set at = at - interval '3 hours'`);
    expect(await pausesAt(hook)).toEqual([[moved.id, false, null]]);
    expect(await count(db, sql`from announcements`)).toBe(0);
  });

  test("is not sent to a banned account, or to an endpoint that is off", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    const [, off] = [await reader.open(ama, "all"), await reader.open(kofi, "all")];
    await users.ban(db, { by, userId: ama.id });
    await hooks.change(db, reader.keys, { by: kofi.by(), hookId: off.id, isOn: false });
    await pauseProduct(db, { by, productId: (await newBundle()).id, message: "Soon" });
    await announce();
    expect(await count(db, sql`from hook_deliveries where event = 'product.paused'`)).toBe(0);
    await users.unban(db, { by, userId: ama.id });
  });
});

describe("an announcement to many accounts", () => {
  /** Ten thousand accounts with a webhook each. */
  const crowd = (howMany: number) =>
    db.execute(sql`
      with made as (
        insert into users (username, email, password_hash)
        select 'crowd' || ${++people} || '-' || n, 'crowd' || ${people} || '-' || n || '@example.com', 'x'
        from generate_series(1, ${howMany}::int) n returning id)
      insert into hooks (user_id, url, events, sealed_secret)
      select id, 'http://127.0.0.1:1/' || id, array['product.price_changed', 'product.paused'], 'x' from made`);
  const perHook = async () => {
    const rows = await db.execute<{ messages: number; hooks: number }>(sql`
      select messages, count(*)::int as hooks from (
        select h.id, count(d.id)::int as messages from hooks h left join hook_deliveries d on d.hook_id = h.id
        group by h.id) one group by messages order by messages`);
    return rows.map(({ messages, hooks }) => [messages, hooks]);
  };

  test("is not written in the admin's request, but in batches by whichever worker comes, once each", async () => {
    await crowd(10_000);
    const bundle = await newBundle();
    await set([{ productId: bundle.id, tierId: STANDARD, pricePesewas: 1100 }]);
    await pauseProduct(db, { by, productId: bundle.id, message: "Soon" });
    expect(await perHook()).toEqual([[0, 10_000]]);
    await withSecondServer(world, (other) =>
      Promise.all([announce(undefined, db), announce(undefined, other), announce(undefined, db)]),
    );
    await announce();
    expect(await perHook()).toEqual([[2, 10_000]]);
    const [row] = await db.execute<{ isOrdered: boolean }>(sql`
      select bool_and(events = array['product.price_changed', 'product.paused']) as "isOrdered" from (
        select array_agg(event order by id) as events from hook_deliveries group by hook_id) one`);
    expect(row!.isOrdered).toBe(true);
  });

  test("is taken up again where a killed worker left it", async () => {
    await crowd(100);
    await pauseProduct(db, { by, productId: (await newBundle()).id, message: "Soon" });
    expect(await announceDue(db, 30)).toBe(1);
    expect(await perHook()).toEqual([
      [0, 70],
      [1, 30],
    ]);
    // The next batch waits for an endpoint that is just being removed, and its connection dies.
    const ids = await db.execute<{ id: number }>(sql`select id from hooks order by id`);
    const gate = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holder = db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from hooks where id = ${ids[40]!.id} for update`);
      isHeld.resolve();
      await gate.promise;
    });
    await isHeld.promise;
    const dying = announceDue(db, 30).then(
      () => "done",
      () => "killed",
    );
    const blocked = sql`from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ilike '%hooks%'`;
    while ((await count(db, blocked)) === 0) await Bun.sleep(5);
    await db.execute(sql`select pg_terminate_backend(pid) ${blocked}`);
    expect(await dying).toBe("killed");
    gate.resolve();
    await holder;
    expect(await perHook()).toEqual([
      [0, 70],
      [1, 30],
    ]);
    await announce(30);
    expect(await perHook()).toEqual([[1, 100]]);
    expect(await count(db, sql`from announcements`)).toBe(0);
  });
});
