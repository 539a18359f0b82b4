// The cost of the staff's searches, each time for something else: by the digits of a number in a small and a big shop,
// and everything in the big one, quiet and while agents buy.
import type { Db } from "../../db/connect.ts";
import * as orders from "../../src/core/buying/buy.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import { type BigShop, type BigShops, compare, type Ratio } from "./big-shops.ts";
import { median, percentile } from "./numbers.ts";

/** `firstMs`: of the first one, whose pages and plans nobody has used yet. */
export type FindRow = { label: string; firstMs: number; medianMs: number; p95Ms: number; busyP95Ms: number };
export type FindFigures = {
  small: number;
  large: number;
  digits: Ratio[];
  finds: FindRow[];
  /** Of all finds together, and while agents buy. */
  p95Ms: number;
  busyP95Ms: number;
  purchasesPerSecond: number;
};

/** Finds each kind of thing `rounds` times. */
export async function measureFinds(shops: BigShops, rounds: number): Promise<FindFigures> {
  const { small, large } = shops;
  const typed = new Map([
    [small, await typedIn(small.db, rounds)],
    [large, await typedIn(large.db, rounds)],
  ]);
  const digits: Ratio[] = [];
  for (const [label, texts] of Object.entries(digitsOf(typed.get(large)!))) {
    const textsIn = (shop: BigShop) => (shop === large ? texts : digitsOf(typed.get(shop)!)[label]!);
    const pathIn = (shop: BigShop, round: number) =>
      `/api/v1/admin/orders?search=${textsIn(shop)[round % texts.length]}`;
    digits.push(await compare(shops, label, pathIn, rounds));
  }
  const finds = findsOf(typed.get(large)!);
  const quiet = await askEach(large, finds, rounds);
  const { times: busy, perSecond } = await whileBuying(large.db, () => askEach(large, finds, rounds));
  return {
    ...{ small: small.orders, large: large.orders, digits },
    finds: [...quiet].map(([label, [firstMs = 0, ...times]]) => ({
      ...{ label, firstMs, medianMs: median(times), p95Ms: percentile(times, 95) },
      busyP95Ms: percentile(busy.get(label)!, 95),
    })),
    p95Ms: percentile([...quiet.values()].flat(), 95),
    busyP95Ms: percentile([...busy.values()].flat(), 95),
    purchasesPerSecond: perSecond,
  };
}

/** In turns, as different people type them. */
async function askEach(
  { ask }: BigShop,
  finds: Record<string, string[]>,
  rounds: number,
): Promise<Map<string, number[]>> {
  const times = new Map(Object.keys(finds).map((label) => [label, [] as number[]]));
  for (let n = 0; n < rounds; n++)
    for (const [label, texts] of Object.entries(finds)) {
      const text = encodeURIComponent(texts[n % texts.length]!);
      times.get(label)!.push(await ask(`/api/v1/admin/find?q=${text}`));
    }
  return times;
}

const BUYING_PAUSE_MS = 20;

/** A purchase each 20 ms, whatever became of those before it. */
async function whileBuying(db: Db, work: () => Promise<Map<string, number[]>>) {
  const [buyer] = await db.$client<{ id: number }[]>`select id from users where username = 'buyer'`;
  const [product] = await db.$client<{ id: number }[]>`select min(id) as id from products`;
  const by: ByUser = { userId: buyer!.id, roles: ["USER"], channel: "api" };
  const bought: Promise<unknown>[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const msisdn = `054${String(Math.floor(Math.random() * 10_000_000)).padStart(7, "0")}`;
    bought.push(orders.buy(db, { by, key: null, line: { productId: product!.id, msisdn, quantity: 1 } }));
  }, BUYING_PAUSE_MS);
  try {
    const times = await work();
    const seconds = (performance.now() - startedAt) / 1_000;
    return { times, perSecond: bought.length / seconds };
  } finally {
    clearInterval(timer);
    await Promise.all(bought);
  }
}

type Typed = { id: number; msisdn: string; reference: string; transaction: string; sent: string }[];

/** Orders from all over a shop, with a payment's and a delivery's references from as far back. */
async function typedIn(db: Db, count: number): Promise<Typed> {
  const [last] = await db.$client<{ order: number; payment: number; attempt: number }[]>`
    select (select max(id) from orders) as order, (select max(id) from payments) as payment,
           (select max(id) from attempts) as attempt`;
  const { order, payment, attempt } = last!;
  return db.$client<Typed>`
    select o.id, o.msisdn, p.reference, p.provider_id as transaction, a.vendor_reference as sent
    from generate_series(1, ${count}::int) n
    cross join lateral (select (n - 0.5) / ${count}::float8 as share) s
    cross join lateral (
      select id, msisdn from orders where id >= (s.share * ${order}::bigint)::bigint order by id limit 1) o
    cross join lateral (
      select reference, provider_id from payments where id >= (s.share * ${payment}::bigint)::bigint
      order by id limit 1) p
    cross join lateral (
      select vendor_reference from attempts where id >= (s.share * ${attempt}::bigint)::bigint order by id limit 1) a
    order by n`;
}

function digitsOf(typed: Typed): Record<string, string[]> {
  const endsWith = (count: number) => typed.map(({ msisdn }) => msisdn.slice(-count));
  return {
    "its last three digits": endsWith(3),
    "its last four digits": endsWith(4),
    "its last five digits": endsWith(5),
    "its last six digits": endsWith(6),
    "the whole number": typed.map(({ msisdn }) => `0${msisdn.slice(3)}`),
  };
}

/** What staff type. */
function findsOf(typed: Typed): Record<string, string[]> {
  const numbers = digitsOf(typed);
  return {
    "an order's id": typed.map(({ id }) => String(id)),
    "a whole number": numbers["the whole number"]!,
    "its last four digits": numbers["its last four digits"]!,
    "its last six digits": numbers["its last six digits"]!,
    "an agent's name": typed.map(({ id }) => `agent-${1 + (id % 5_000)}`),
    "part of many agents' names": ["agent", "gent", "age"],
    "a payment's reference": typed.map(({ reference }) => reference),
    "the end of it": typed.map(({ reference }) => reference.slice(-4)),
    "Paystack's transaction id": typed.map(({ transaction }) => transaction),
    "a vendor's reference": typed.map(({ sent }) => sent),
    "an amount": ["GH₵ 39.00", "GH₵ 4.20", "9.99"],
    "a bundle": ["mtn 5gb", "telecel 10gb", "1gb"],
    "digits that no number has": ["000000000", "111111111", "999999999"],
    "words that nothing has": ["nobody at all", "zebra", "quite another"],
  };
}
