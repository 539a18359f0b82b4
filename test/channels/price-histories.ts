// Random price histories while random agents buy by every channel: each order must have the list's price of its moment.
import { expect } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../db/connect.ts";
import * as priceChanges from "../../src/core/catalog/price-changes.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as tiers from "../../src/core/catalog/tiers.ts";
import * as accountTiers from "../../src/core/identity/account-tiers.ts";
import * as ledgerAudit from "../../src/core/ledger/audit.ts";
import { freshNumber, outcome, randomFrom, times } from "../support/asking.ts";
import { openApp, type Person, type World } from "../support/world.ts";
import { visitorAs } from "../web/visitor.ts";
import { equipPhone, openLine } from "./dialling.ts";

export const PIN = "830241";
/** The ways to buy. */
export const WAYS = ["web", "single", "bulk", "unpaid", "ussd", "sms"] as const;
type Way = (typeof WAYS)[number];
type Random = (below: number) => number;
type Shop = Awaited<ReturnType<typeof openPricedShop>>;

/** A shop with six bundles, three tiers, and five agents with phones; two servers on one database. */
export async function openPricedShop(world: World) {
  const { db, yaw } = world;
  const by = yaw.by("admin");
  const bundles = await Promise.all(times(6, (n) => world.product("MTN", `${n + 1}GB`, `${n + 4}.00`)));
  const made = await Promise.all(times(2, async (n) => (await tiers.add(db, { by, name: `Tier ${n + 2}` })).answer));
  const line = openLine(world);
  const agents = await Promise.all(
    times(5, async (n) => {
      const person = await world.person(`agent${n}`, "GH₵ 99,000.00");
      const msisdn = `23354183910${n}`;
      await equipPhone(world, person, msisdn, PIN);
      return { person, phone: line.phone(msisdn) };
    }),
  );
  const pool = connect(world.url, { max: 10 });
  const clients = [openApp(world), openApp({ ...world, db: pool })];
  return {
    ...{ world, bundles, agents, clients },
    tierIds: [tiers.STANDARD_TIER_ID, ...made.map(({ id }) => id)],
    close: () => disconnect(pool),
  };
}

/** Changes prices `changes` times and buys until then; returns how many orders each way has made. */
export async function runHistory(
  shop: Shop,
  { seed, changes }: { seed: number; changes: number },
): Promise<Record<Way, number>> {
  const { db } = shop.world;
  const bought = Object.fromEntries(WAYS.map((way) => [way, 0])) as Record<Way, number>;
  let isOver = false;
  const history = async () => {
    const random = randomFrom(seed);
    for (let n = 0; n < changes; n++) await changeSomething(shop, random);
    isOver = true;
  };
  const buying = shop.agents.map(async (agent, n) => {
    const random = randomFrom(seed + 1 + n);
    while (!isOver) {
      const way = WAYS[random(WAYS.length)]!;
      const before = await ordersOf(shop, agent.person);
      await buyBy[way](shop, agent, random);
      bought[way] += (await ordersOf(shop, agent.person)) - before;
      // So that no agent comes to the end of a budget.
      await db.execute(sql`delete from rate_limits`);
    }
  });
  await Promise.all([history(), ...buying]);
  return bought;
}

/** Expects that each order has exactly the price of its moment, by a resolver of the test's own. */
export async function expectListPrices({ world: { db } }: Shop): Promise<number> {
  type Priced = { whose: string; productId: number; since: number; price: number | null };
  const rows = await db.execute<Priced>(sql`
    select 't' || tier_id as whose, product_id as "productId", (extract(epoch from since) * 1000000)::bigint as since,
           price_pesewas as price from prices
    union all
    select 'u' || user_id, product_id, (extract(epoch from since) * 1000000)::bigint, price_pesewas from account_prices
    order by since`);
  const lists = Map.groupBy(rows, ({ whose, productId }) => `${whose} ${productId}`);
  const placed = await db.execute<{ [name: string]: number }>(sql`
    select id, user_id as "userId", product_id as "productId", tier_id as "tierId", unit_price_pesewas as paid,
           (extract(epoch from created_at) * 1000000)::bigint as at from orders`);
  const wrong = placed.filter(({ userId, productId, tierId, paid, at }) => {
    const newest = (whose: string) =>
      lists.get(`${whose} ${productId}`)?.findLast(({ since }) => Number(since) <= Number(at))?.price;
    const price = newest(`u${userId}`) ?? newest(`t${tierId}`) ?? newest("t1");
    return Number(price) !== Number(paid);
  });
  expect(wrong).toEqual([]);
  expect((await ledgerAudit.audit(db)).findings).toEqual([]);
  return placed.length;
}

async function ordersOf({ world: { db } }: Shop, { id }: Person): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from orders where user_id = ${id}`,
  );
  return row!.count;
}

async function changeSomething(shop: Shop, random: Random): Promise<void> {
  const { world, bundles, agents, tierIds } = shop;
  const { db } = world;
  const by = world.yaw.by("admin");
  const any = <T>(all: readonly T[]) => all[random(all.length)]!;
  const deed = random(10);
  if (deed === 0) {
    const { id: userId } = any(agents).person;
    await accountTiers.setTier(db, { by, userId, tierId: any(tierIds) });
  } else if (deed === 1) {
    const productId = any(bundles).id;
    await products.edit(db, { by, productId, pricePesewas: 300 + random(500), confirmPrice: true });
  } else if (deed < 4) {
    const ids = await db.execute<{ id: number }>(sql`select id from price_changes order by id desc limit 5`);
    if (ids.length === 0) return;
    const changeId = any(ids).id;
    const undone =
      deed === 2 ? priceChanges.undo(db, { by, key: null, changeId }) : priceChanges.takeBack(db, { by, changeId });
    expect(OUTCOMES).toContain(await outcome(undone));
  } else {
    const prices = bundles
      .filter(() => random(2) === 0)
      .map(({ id: productId }) => {
        const [isAccounts, isNone] = [random(3) === 0, random(4) === 0];
        const tierId = any(tierIds);
        const userId = any(agents).person.id;
        const pricePesewas = isNone && (isAccounts || tierId !== 1) ? null : 300 + random(500);
        return isAccounts ? { productId, userId, pricePesewas } : { productId, tierId, pricePesewas };
      });
    if (prices.length === 0) return;
    const since = random(3) === 0 ? new Date(Date.now() + 50 + random(1500)) : null;
    const change = { by, key: null, prices, since, note: "", isConfirmed: true };
    expect(OUTCOMES).toContain(await outcome(priceChanges.set(db, change)));
  }
}

/** A planned change may have begun by the time that it is checked, or have nothing left to undo. */
const OUTCOMES = [
  ...["done", "price.from_invalid", "price.change_begun", "price.change_planned", "price.undone_already"],
  ...["price.nothing_to_undo", "price.change_not_found", "service.busy"],
];

type Agent = Shop["agents"][number];

/** One purchase by each way; a refusal because the price has just changed is as good as an order. */
const buyBy: Record<Way, (shop: Shop, agent: Agent, random: Random) => Promise<unknown>> = {
  web: async ({ clients, bundles }, { person }, random) => {
    const visit = await visitorAs(clients[random(2)]!, person);
    const page = await visit.open("/mtn-data");
    const { id } = bundles[random(bundles.length)]!;
    // With the price that the page shows, which may have changed by the time that it is sent.
    const productId = page.document.querySelector(`[value^="${id}@"]`)!.getAttribute("value")!;
    return visit.press(page, "Pay", { productId, msisdn: freshNumber() });
  },
  single: ({ clients, bundles }, { person }, random) =>
    clients[random(2)]!.call(person, "POST", "/api/v1/orders", {
      ...{ productId: bundles[random(bundles.length)]!.id, msisdn: freshNumber(), quantity: 1 + random(3) },
      pay: "wallet",
    }),
  bulk: ({ clients, bundles }, { person }, random) =>
    clients[random(2)]!.call(person, "POST", "/api/v1/orders/bulk", {
      orders: times(1 + random(8), () => ({
        productId: bundles[random(bundles.length)]!.id,
        msisdn: freshNumber(),
      })),
    }),
  unpaid: async ({ clients, bundles }, { person }, random) => {
    const line = { productId: bundles[random(bundles.length)]!.id, msisdn: freshNumber(), quantity: 1 };
    const { body } = await clients[random(2)]!.call(person, "POST", "/api/v1/orders", line);
    if (!body.id) return;
    const paid = await clients[random(2)]!.call(person, "POST", "/api/v1/wallet/spend", { orderId: body.id });
    expect([200, 409]).toContain(paid.status);
    // Few unpaid orders are allowed.
    if (paid.status !== 200) await clients[0]!.call(person, "POST", `/api/v1/orders/${body.id}/cancel`);
  },
  ussd: async ({ bundles }, { phone }, random) => {
    const { ussdNumber } = bundles[random(bundles.length)]!;
    const shown = await phone.dial(`1*1*${ussdNumber}*${freshNumber()}`);
    // A phone has a number of sessions in ten minutes.
    if (!shown.isOpen) return;
    // The price may change while the screen shows it; then the new one is paid on the next screen.
    const { text, isOpen } = await phone.reply(PIN);
    if (isOpen && text.includes("PIN")) await phone.reply(PIN);
  },
  sms: async ({ bundles }, { phone }, random) => {
    const { size } = bundles[random(bundles.length)]!;
    return phone.sendSms(`BUY MTN ${size} ${freshNumber()} ${PIN}`);
  },
};
