// Random costs, routes, floors, allowances, prices and tiers while random buyers purchase in random ways: expected
// costs and lowest prices are what a plain model says that shares nothing with the database's functions, and nothing is
// sold below the lowest price of its moment.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as afa from "../../../src/core/afa/registrations.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as costs from "../../../src/core/catalog/costs.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as tiers from "../../../src/core/catalog/tiers.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { freshNumber, lineFor, outcome, randomFrom, seed, tally, times } from "../../support/asking.ts";
import { openWorld, type Person, TEST_CARDS } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const VENDORS = ["datamart", "hubnet", "desk"];
const ROUTES = ["", "desk", "datamart", "hubnet, datamart", "datamart,hubnet,desk", "Desk,hubnet", "somebody"];
const FAMILIES = ["MTN", "TELECEL"];
const BY_COST = ["", "MTN", "telecel", "MTN,TELECEL", "mtn telecel"];
/** One moment for all that is late, as of two late reports the later one would count. */
const LONG_AGO = new Date(Date.now() - 3_600_000);
const random = randomFrom(seed);
const any = <T>(all: readonly T[]) => all[random(all.length)]!;

/** What the model knows of a product. */
type Modelled = {
  id: number;
  /** Of its route; null for AFA, which is the desk's. */
  family: string | null;
  costs: Map<string, number>;
  isAllowed: boolean;
  /** By "t1" for a tier and "u7" for an account. */
  prices: Map<string, number>;
};
const model = {
  products: [] as Modelled[],
  routes: new Map<string, string>(),
  byCost: "",
  guard: "warn",
  floorPesewas: 0,
  floorPercent: 0,
  tierOf: new Map<number, number>(),
};

/** The rule as its documentation says it: the first of the route with a known cost, or the cheapest of it. */
function expectedCost({ family, costs }: Modelled): number | null {
  const named = family === null ? "" : (model.routes.get(family) ?? "");
  const codes = named
    .toLowerCase()
    .split(",")
    .map((code) => code.trim())
    .filter(Boolean);
  const route = codes.length > 0 ? codes : ["desk"];
  const known = route.flatMap((code) => costs.get(code) ?? []);
  const isByCost = model.byCost
    .toUpperCase()
    .split(/[\s,]+/)
    .includes(family ?? "none");
  return (isByCost ? known.toSorted((a, b) => a - b)[0] : known[0]) ?? null;
}

function lowestPrice(product: Modelled): number | null {
  const cost = expectedCost(product);
  if (cost === null || product.isAllowed) return null;
  if (model.guard === "warn") return cost;
  return Math.max(cost + model.floorPesewas, Math.ceil((cost * (100 + model.floorPercent)) / 100));
}

function priceFor({ prices }: Modelled, { id }: Person): number {
  return prices.get(`u${id}`) ?? prices.get(`t${model.tierOf.get(id)}`) ?? prices.get("t1")!;
}

const change = (values: Partial<settings.Settings>) => settings.change(db, { by, values });
/** A price that begins at once, as history has them. */
async function setPrice(product: Modelled, whose: string, price: number) {
  const owner = Number(whose.slice(1));
  await db.execute(
    whose.startsWith("t")
      ? sql`insert into prices (product_id, tier_id, since, price_pesewas)
            values (${product.id}, ${owner}, clock_timestamp(), ${price})`
      : sql`insert into account_prices (product_id, user_id, since, price_pesewas)
            values (${product.id}, ${owner}, clock_timestamp(), ${price})`,
  );
  product.prices.set(whose, price);
}

const people = [await world.person("ama", "GH₵ 9000.00"), await world.person("kofi", "GH₵ 9000.00")];
const { answer: gold } = await tiers.add(db, { by, name: "Gold" });
for (const { id } of people) model.tierOf.set(id, 1);
await products.ensureAfa(db);
const add = ({ id, pricePesewas }: products.Product, family: string | null) =>
  model.products.push({
    id,
    family,
    costs: new Map(),
    isAllowed: false,
    prices: new Map([["t1", pricePesewas]]),
  });
add(await world.product("MTN", "1GB", "5.00"), "MTN");
add(await world.product("MTN", "2GB", "5.00"), "MTN");
add(await world.product("TELECEL", "1GB", "5.00"), "TELECEL");
add(await products.afa(db), null);

const changes = [
  async () => {
    const some = model.products.filter(() => random(2) === 0);
    const wanted = some.map((product) => ({ product, vendor: any(VENDORS), costPesewas: 440 + random(120) }));
    if (wanted.length === 0) return;
    const list = wanted.map(({ product, ...cost }) => ({ productId: product.id, ...cost }));
    await costs.set(db, { by, costs: list, vendors: VENDORS.map((code) => ({ code })) });
    for (const { product, vendor, costPesewas } of wanted) product.costs.set(vendor, costPesewas);
  },
  // Reported by a vendor, of something that was sent a moment ago, or before the cost that is known.
  async () => {
    const [product, vendor, costPesewas, isLate] = [
      any(model.products),
      any(VENDORS),
      440 + random(120),
      random(3) === 0,
    ];
    const isKnown = product.costs.has(vendor);
    const at = isLate ? LONG_AGO : new Date(Date.now() + 1);
    await db.transaction((tx) => costs.record(tx, [{ productId: product.id, vendor, costPesewas, at }]));
    if (!isLate || !isKnown) product.costs.set(vendor, costPesewas);
    // So that the next is later than this one's millisecond.
    await Bun.sleep(2);
  },
  async () => {
    const [family, route] = [any(FAMILIES), any(ROUTES)];
    await change({ [`route_${family.toLowerCase()}`]: route });
    model.routes.set(family, route);
  },
  async () => {
    model.byCost = any(BY_COST);
    await change({ routes_by_cost: model.byCost });
  },
  async () => {
    model.guard = any(["warn", "pause"]);
    [model.floorPesewas, model.floorPercent] = [random(40), random(8)];
    const { guard, floorPesewas, floorPercent } = model;
    await change({
      ...{
        margin_guard: guard as "warn",
        margin_floor_pesewas: floorPesewas,
        margin_floor_percent: floorPercent,
      },
    });
  },
  async () => {
    const product = any(model.products);
    product.isAllowed = random(3) === 0;
    const of = { by, productId: product.id };
    await (product.isAllowed ? costs.allow(db, { ...of, reason: "Drawn" }) : costs.endAllowance(db, of));
  },
  () => setPrice(any(model.products), any(["t1", "t1", `t${gold.id}`, `u${any(people).id}`]), 460 + random(120)),
  async () => {
    const { id } = any(people);
    model.tierOf.set(id, any([1, gold.id]));
    await db.execute(sql`update users set tier_id = ${model.tierOf.get(id)!} where id = ${id}`);
  },
];

type Way = (person: Person, product: Modelled, quantity: number) => Promise<string>;
const command = (person: Person) => ({ by: person.by(), key: null });
const unpaid = (person: Person, product: Modelled, quantity: number) =>
  unpaidOrders.create(db, { ...command(person), line: lineFor(product, { quantity }) });
const ways: Way[] = [
  (person, product, quantity) => outcome(orders.buy(db, { ...command(person), line: lineFor(product, { quantity }) })),
  async (person, product, quantity) => {
    const lines = [lineFor(product, { quantity }), lineFor(product)];
    const done = await outcome(buyBulk(db, { ...command(person), lines }));
    return done === "bulk.lines_refused" ? "product.paused" : done;
  },
  (person, product, quantity) =>
    outcome(
      unpaid(person, product, quantity).then(({ answer: { id: orderId } }) =>
        unpaidOrders.spend(db, { ...command(person), orderId }),
      ),
    ),
  (person, product, quantity) =>
    outcome(
      unpaid(person, product, quantity).then(({ answer: { id: orderId } }) =>
        statusChanges.moveOne(db, { by, key: null, orderId, to: "PROCESSING", paidInCash: true }),
      ),
    ),
];
const register: Way = (person) => {
  const ghCardId = `GHA-${200_000_000 + random(99_999_999)}-1`;
  const someone = { fullName: "Akosua Mensah", phone: freshNumber(), ghCardId, location: "Kumasi" };
  return outcome(afa.register(db, TEST_CARDS, { ...command(person), people: [someone] }));
};

const stored = () =>
  db.execute<{ id: number; cost: number | null; lowest: number | null }>(sql`
    select id::int, cost_pesewas::int as cost, lowest_price_pesewas::int as lowest from products order by id`);

/** One purchase: sold or refused as the model says, at its price and cost. Returns its outcome. */
async function purchase(): Promise<string> {
  const [person, product] = [any(people), any(model.products)];
  const quantity = product.family === null ? 1 : 1 + random(3);
  const [price, cost] = [priceFor(product, person), expectedCost(product)];
  const isSound = price >= (lowestPrice(product) ?? 0);
  const [last] = await db.execute<{ id: number }>(sql`select coalesce(max(id), 0)::int as id from orders`);
  const way = product.family === null ? register : any(ways);
  const done = await way(person, product, quantity);
  expect(done).toBe(isSound ? "done" : "product.paused");
  const placed = await db.execute<{ quantity: number }>(sql`
    select unit_price_pesewas::int as price, amount_pesewas::int as amount, cost_pesewas::int as cost, quantity::int
    from orders where id > ${last!.id}`);
  expect(placed.length > 0).toBe(isSound);
  for (const order of placed)
    expect(order as object).toMatchObject({
      ...{ price, amount: price * order.quantity },
      cost: cost === null ? null : cost * order.quantity,
    });
  await db.execute(sql`delete from rate_limits`);
  return done;
}

test(`what is expected and sold is what a plain model of costs says (seed ${seed})`, async () => {
  const outcomes: string[] = [];
  for (const setCosts of times(3, () => changes[0]!)) await setCosts();
  for (let round = 0; round < 50; round++) {
    await any(changes)();
    expect([...(await stored())]).toEqual(
      model.products
        .map((product) => ({ id: product.id, cost: expectedCost(product), lowest: lowestPrice(product) }))
        .toSorted((a, b) => a.id - b.id),
    );
    outcomes.push(await purchase(), await purchase());
  }
  expect(Object.keys(tally(outcomes)).toSorted()).toEqual(["done", "product.paused"]);
});
