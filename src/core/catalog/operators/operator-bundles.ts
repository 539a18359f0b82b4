// The bundles of an operator or family that goes off sale, comes back or becomes another's: which of them, and the
// numbers that agents type for them by USSD.
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { operators, productFamilies, products, ussdNumbers } from "../../../../db/schema/catalog.ts";
import type { Family, Operator } from "../../../shared/domain.ts";
import { fitsSize, numberOfSize, SIZE_NUMBER_MAX } from "../product-identity.ts";

type Which = { operator: Operator; family?: Family | undefined };

/** Takes the bundles off sale at the instant of this transaction. Returns how many. */
export async function retireBundles(tx: Tx, which: Which): Promise<number> {
  await nameDefaultFamily(tx, which.operator);
  const retired = await tx
    .update(products)
    .set({ retiredAt: sql`now()` })
    .where(and(isOf(which), isNull(products.retiredAt)))
    .returning({ id: products.id });
  return retired.length;
}

/** Puts the bundles that went off sale with it on sale again. Returns how many. */
export async function restoreBundles(tx: Tx, which: Which): Promise<number> {
  await lock(tx, which.operator);
  const instant =
    which.family === undefined
      ? sql`(select retired_at from ${operators} where code = ${which.operator})`
      : sql`(select retired_at from ${productFamilies} where code = ${which.family})`;
  const back = await tx
    .select({ id: products.id, number: products.ussdNumber, volumeMb: products.volumeMb })
    .from(products)
    .where(and(isOf(which), eq(products.retiredAt, instant)))
    .orderBy(products.ussdNumber, products.id);
  const numbered = assign(back, await takenAt(tx, which.operator));
  for (const { id, to } of numbered)
    await tx.update(products).set({ retiredAt: null, ussdNumber: to }).where(eq(products.id, id));
  return back.length;
}

/** A bundle whose number was taken at its new operator. */
export type Renumbered = { id: number; name: string; size: string; from: number; to: number };
export type Moving = { bundles: number; renumbered: Renumbered[] };

/** What would become of the numbers if an operator's bundles moved to another. */
export async function moving(tx: Reads, from: Operator, into: Operator): Promise<Moving & { plan: Assigned[] }> {
  const bundles = await tx
    .select({
      ...{ id: products.id, number: products.ussdNumber, volumeMb: products.volumeMb },
      ...{ name: products.name, size: products.size },
    })
    .from(products)
    .where(and(isOf({ operator: from }), isNull(products.retiredAt)))
    .orderBy(products.ussdNumber, products.id);
  const plan = assign(bundles, await takenAt(tx, into));
  const toOf = new Map(plan.map(({ id, to }) => [id, to]));
  const renumbered = bundles.flatMap(({ id, number, name, size }) => {
    const to = toOf.get(id)!;
    return to === number ? [] : [{ id, name, size, from: number!, to }];
  });
  return { bundles: bundles.length, renumbered, plan };
}

/**
 * Takes an operator's families with all their bundles to another operator. Bundles keep their numbers where these are
 * free, and nothing that this operator ever gave is given again. Returns what moved.
 */
export async function moveBundles(tx: Tx, from: Operator, into: Operator): Promise<Moving> {
  await lock(tx, from, into);
  await nameDefaultFamily(tx, from);
  const { plan, ...moved } = await moving(tx, from, into);
  // In one statement, because a bundle and its family must have one operator at its end.
  await tx.execute(sql`
    with families as (
      update product_families set operator = ${into}, position = position + (
        select coalesce(max(position), 0) from product_families where operator = ${into})
      where operator = ${from})
    update products p set operator = ${into}, ussd_number = coalesce(n."to", p.ussd_number)
    from products own
    left join jsonb_to_recordset(${JSON.stringify(plan)}::jsonb) n(id bigint, "to" int) on n.id = own.id
    where p.id = own.id and own.operator = ${from} and own.line = 'bundle'`);
  return moved;
}

function isOf({ operator, family }: Which): SQL | undefined {
  const isFamily = family === undefined ? undefined : eq(products.family, family);
  return and(eq(products.operator, operator), eq(products.line, "bundle"), isFamily);
}

/** Nobody adds or renumbers a bundle meanwhile. */
async function lock(tx: Tx, ...codes: Operator[]): Promise<void> {
  for (const code of codes.toSorted())
    await tx.select({ code: operators.code }).from(operators).where(eq(operators.code, code)).for("update");
}

/** Bundles from before there were families belong to the default, which must not change below them. */
async function nameDefaultFamily(tx: Tx, operator: Operator): Promise<void> {
  await tx.execute(sql`
    update products set family = (
      select code from product_families where operator = ${operator} order by position, code limit 1)
    where operator = ${operator} and line = 'bundle' and family is null`);
}

type Numbered = { id: number; number: number | null; volumeMb: number | null };
type Assigned = { id: number; to: number };

/** An operator's numbers: whose each is, or was at last if it rests, and the sizes on sale, by which agents dial. */
type Taken = { given: ReadonlyMap<number, { productId: number; rests: boolean }>; sizes: readonly number[] };

async function takenAt(tx: Reads, operator: Operator): Promise<Taken> {
  const { number, productId, freedAt } = ussdNumbers;
  const given = await tx
    .select({ number, productId, freedAt })
    .from(ussdNumbers)
    .where(eq(ussdNumbers.operator, operator));
  const onSale = await tx
    .select({ volumeMb: products.volumeMb })
    .from(products)
    .where(and(isOf({ operator }), isNull(products.retiredAt)));
  return {
    given: new Map(given.map((one) => [one.number, { productId: one.productId, rests: one.freedAt !== null }])),
    sizes: onSale.flatMap(({ volumeMb }) => numberOfSize(volumeMb) ?? []),
  };
}

/**
 * Each bundle with its own number where it fits and is free or still its own, else with that of its size, else with the
 * smallest that was never given and is nobody's size: as the trigger numbers a new one.
 */
function assign<T extends Numbered>(bundles: readonly T[], { given, sizes }: Taken): Assigned[] {
  const isFree = ({ id, volumeMb }: T, number: number) => {
    const owner = given.get(number);
    // The number of a size need not rest: it means the size.
    return !owner || owner.productId === id || (owner.rests && number === numberOfSize(volumeMb));
  };
  const keeps = (bundle: T) => fitsSize(bundle.number!, bundle.volumeMb) && isFree(bundle, bundle.number!);
  const used = new Set(bundles.filter(keeps).map(({ number }) => number!));
  const ofSizes = new Set([...sizes, ...bundles.map(({ volumeMb }) => numberOfSize(volumeMb))]);
  return bundles.map((bundle) => {
    if (keeps(bundle)) return { id: bundle.id, to: bundle.number! };
    let to = numberOfSize(bundle.volumeMb);
    if (to === null || used.has(to) || !isFree(bundle, to))
      for (to = SIZE_NUMBER_MAX + 1; used.has(to) || given.has(to) || to === 99 || ofSizes.has(to); ) to += 1;
    used.add(to);
    return { id: bundle.id, to };
  });
}
