// An agent's selling prices and the public list of them.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as priceLists from "../../../src/core/catalog/price-lists.ts";
import * as sellingPrices from "../../../src/core/catalog/selling-prices.ts";
import * as users from "../../../src/core/identity/users.ts";
import { count, databaseRefusal, outcome, times } from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const [one, two] = [await world.product("MTN", "1GB", "3.90"), await world.product("TELECEL", "2GB", "7.00")];

let people = 0;
const agent = () => world.person(`seller${++people}`);
const set = (person: Person, ...prices: [{ id: number }, number | null][]) =>
  sellingPrices.save(db, { by: person.by(), prices: new Map(prices.map(([{ id }, price]) => [id, price])) });
const current = async (person: Person) =>
  Object.fromEntries(await sellingPrices.currentOf(db, person.id, [one.id, two.id]));
const rowsOf = (person: Person) => count(db, sql`from selling_prices where user_id = ${person.id}`);

describe("a selling price", () => {
  test("is the last one that was set, and can be taken back", async () => {
    const ama = await agent();
    expect([await current(ama), await sellingPrices.hasSome(db, ama.id)]).toEqual([{}, false]);
    expect(await set(ama, [one, 450], [two, 800])).toBe(2);
    expect(await set(ama, [one, 500], [two, null])).toBe(2);
    expect(await current(ama)).toEqual({ [one.id]: 500 });
    expect(await sellingPrices.hasSome(db, ama.id)).toBe(true);
  });

  test("that did not change leaves no row, nor does none that was none before", async () => {
    const ama = await agent();
    await set(ama, [one, 450]);
    expect(await set(ama, [one, 450], [two, null])).toBe(0);
    expect(await rowsOf(ama)).toBe(1);
  });

  test("set from twenty forms at once ends as one of them", async () => {
    const ama = await agent();
    await Promise.all(times(20, (i) => set(ama, [one, 400 + i], [two, 700 + i])));
    const prices = await current(ama);
    expect(prices[one.id]).toBeWithin(400, 420);
    expect(prices[two.id]).toBeWithin(700, 720);
  });

  test("is nobody else's, and is deleted with the account", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    await set(ama, [one, 450]);
    expect(await current(kofi)).toEqual({});
    await users.remove(db, { by: yaw.by(), userId: ama.id });
    expect(await rowsOf(ama)).toBe(0);
  });

  test("is above zero, and beyond ten thousand changes the oldest are forgotten", async () => {
    const ama = await agent();
    const insert = sql`
      insert into selling_prices (user_id, product_id, price_pesewas) values (${ama.id}, ${one.id}, 0)`;
    expect(await databaseRefusal(db.execute(insert))).toBe("selling_prices_above_zero");
    await set(ama, [two, 800]);
    await db.execute(sql`update selling_prices set since = now() - interval '1 year' where user_id = ${ama.id}`);
    await db.execute(sql`
      insert into selling_prices (user_id, product_id, since, price_pesewas)
      select ${ama.id}, ${one.id}, now() - n * interval '1 minute', n from generate_series(1, 10005) n`);
    await set(ama, [one, 450]);
    // 10,000 that were superseded and the two in force, one of them the oldest of all.
    expect([await rowsOf(ama), await current(ama)]).toEqual([10_002, { [one.id]: 450, [two.id]: 800 }]);
    const [oldest] = await db.execute<{ price: number }>(sql`
      select max(price_pesewas) as price from selling_prices where user_id = ${ama.id}`);
    expect(oldest!.price).toBe(10_000);
  });
});

describe("a public price list", () => {
  const publish = (person: Person, heading = "", msisdn = "") =>
    priceLists.publish(db, { by: person.by(), heading, msisdn });

  test("is off until its agent switches it on, keeps its address, and is off again when they say so", async () => {
    const ama = await agent();
    expect(await priceLists.own(db, ama.id)).toBeNull();
    const { token } = await publish(ama, " Ama's data ", "054 123 4567");
    expect(token).toMatch(/^[\w-]{22}$/);
    const seen = { userId: ama.id, token, heading: "Ama's data", msisdn: "233541234567", seller: null };
    expect(await priceLists.byToken(db, token)).toEqual(seen);
    expect((await publish(ama)).token).toBe(token);
    expect(await priceLists.byToken(db, token)).toMatchObject({ heading: "", msisdn: null });
    await priceLists.withdraw(db, { by: ama.by() });
    expect(await priceLists.byToken(db, token)).toBeNull();
    // Nothing is switched on by a new address.
    await priceLists.renew(db, { by: ama.by() });
    expect(await priceLists.own(db, ama.id)).toBeNull();
    expect((await publish(ama)).token).not.toBe(token);
  });

  test("has another address after a renewal, and the old one leads nowhere", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    const [{ token }, theirs] = [await publish(ama), await publish(kofi)];
    await priceLists.renew(db, { by: ama.by() });
    const renewed = (await priceLists.own(db, ama.id))!.token;
    expect(renewed).not.toBe(token);
    expect(await priceLists.byToken(db, token)).toBeNull();
    expect((await priceLists.byToken(db, renewed))?.userId).toBe(ama.id);
    await priceLists.withdraw(db, { by: ama.by() });
    expect((await priceLists.byToken(db, theirs.token))?.userId).toBe(kofi.id);
  });

  test("shows nothing of an agent who may not sell, and refuses a wrong number", async () => {
    const ama = await agent();
    const { token } = await publish(ama);
    expect(await outcome(publish(ama, "", "12345"))).toBe("msisdn.invalid");
    await users.ban(db, { by: yaw.by(), userId: ama.id });
    expect(await priceLists.byToken(db, token)).toBeNull();
    await users.remove(db, { by: yaw.by(), userId: ama.id });
    expect(await count(db, sql`from price_lists where user_id = ${ama.id}`)).toBe(0);
  });
});
