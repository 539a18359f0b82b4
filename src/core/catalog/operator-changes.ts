// Changes of operators and their families by admins: names, looks, places, prefixes, sale. Each is logged, and known to
// every server from its next request on.
import { eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { numberPrefixes, operatorState, operators, productFamilies } from "../../../db/schema/catalog.ts";
import { AFA_OPERATOR, type ByUser, type Family, type Network, type Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { OperatorFacts } from "../../shared/operators.ts";
import { requireRight } from "../../shared/rights.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as operatorRegistry from "../platform/operator-registry.ts";
import { lock as lockCosts } from "./costs.ts";
import { restoreBundles, retireBundles } from "./operator-bundles.ts";
import { requireDistinct } from "./operator-names.ts";

/** What is said of an operator. `prefixes`: "24" for 024; `position`: its place in lists, from 1. */
export type OperatorChange = {
  name?: string | undefined;
  shortName?: string | undefined;
  letters?: string | undefined;
  color?: string | undefined;
  position?: number | undefined;
  ussdLabel?: string | undefined;
  ussdPosition?: number | undefined;
  aliases?: string[] | undefined;
  momo?: Network | null | undefined;
  prefixes?: string[] | undefined;
};
export type NewOperator = Required<Omit<OperatorChange, "position">> & { code: Operator; path: string };
export type FamilyChange = {
  name?: string | undefined;
  ussdLabel?: string | undefined;
  position?: number | undefined;
  aliases?: string[] | undefined;
};
export type NewFamily = {
  operator: Operator;
  code: Family;
  name: string;
  ussdLabel: string;
  aliases: string[];
};

/** Prefixes of other operators on sale are taken from them only if `takesPrefixes`. */
type Prefixes = { takesPrefixes?: boolean | undefined };
type Command = { by: ByUser };

/**
 * Adds an operator, last in lists, with a first family of the same code and name. Throws auth.forbidden,
 * operator.exists, operator.path_taken, and as `edit`.
 */
export async function add(db: Db, { by, takesPrefixes, ...added }: Command & Prefixes & NewOperator): Promise<void> {
  await changing(db, by, async (tx, before) => {
    const { prefixes, ...row } = added;
    const codes = before.flatMap(({ code, families }) => [code, ...families.map((family) => family.code)]);
    if (codes.includes(row.code)) throw new AppError("operator.exists");
    if (before.some(({ path }) => path === row.path)) throw new AppError("operator.path_taken");
    await tx.insert(operators).values({ ...row, position: before.length + 1 });
    const { code, name } = row;
    await tx.insert(productFamilies).values({ code, operator: code, name, ussdLabel: row.shortName, position: 1 });
    await setPrefixes(tx, before, { operator: code, prefixes, takesPrefixes });
    return { action: "operator.add", subjectId: code, after: added };
  });
}

/**
 * Changes what is said of an operator; fields left out stay. Throws auth.forbidden, operator.not_found,
 * operator.name_taken, operator.ussd_number_taken, operator.color_unreadable, operator.prefix_taken.
 */
export async function edit(
  db: Db,
  { by, operator, takesPrefixes, ...change }: Command & Prefixes & { operator: Operator } & OperatorChange,
): Promise<void> {
  await changing(db, by, async (tx, all) => {
    const before = find(all, operator);
    const { prefixes, position, ...columns } = given(change);
    if (Object.keys(columns).length > 0) await tx.update(operators).set(columns).where(eq(operators.code, operator));
    if (position !== undefined) await moveTo(tx, all, operator, position);
    if (prefixes) await setPrefixes(tx, all, { operator, prefixes, takesPrefixes });
    const previous = Object.fromEntries(
      Object.keys(given(change)).map((key) => [
        key,
        key === "position" ? placeOf(all, operator) : before[key as "name"],
      ]),
    );
    return { action: "operator.edit", subjectId: operator, before: previous, after: given(change) };
  });
}

/** Adds a family to an operator on sale, as its last. Throws auth.forbidden, operator.exists, and as `edit`. */
export async function addFamily(db: Db, { by, ...family }: Command & NewFamily): Promise<void> {
  await changing(db, by, async (tx, all) => {
    const { families } = find(all, family.operator);
    const codes = all.flatMap((one) => [one.code, ...one.families.map(({ code }) => code)]);
    if (codes.includes(family.code)) throw new AppError("operator.exists");
    await tx.insert(productFamilies).values({ ...family, position: families.length + 1 });
    return { action: "operator.add_line", subjectId: family.operator, after: family };
  });
}

/** Changes what is said of a family; fields left out stay. Throws as `edit`. */
export async function editFamily(
  db: Db,
  { by, operator, family, ...change }: Command & Required<Which> & FamilyChange,
): Promise<void> {
  await changing(db, by, async (tx, all) => {
    const before = find(all, operator).families.find(({ code }) => code === family);
    if (!before) throw new AppError("operator.not_found");
    const columns = given(change);
    if (Object.keys(columns).length > 0)
      await tx.update(productFamilies).set(columns).where(eq(productFamilies.code, family!));
    const after = { code: family, ...columns };
    return { action: "operator.edit_line", subjectId: operator, before, after };
  });
}

/**
 * Takes an operator or one of its families off sale with all bundles; its open orders are still delivered. Its prefixes
 * become free. Throws auth.forbidden, operator.not_found, operator.retired (it is already), operator.has_afa,
 * operator.last (the only family on sale). Returns the number of bundles.
 */
export async function retire(db: Db, { by, ...which }: Command & Which): Promise<number> {
  return changing(db, by, async (tx, all) => {
    const { operator, isRetired } = locate(all, which);
    if (isRetired) throw new AppError("operator.retired");
    if (which.family === undefined && operator.code === AFA_OPERATOR) throw new AppError("operator.has_afa");
    const others = operator.families.filter((one) => one.code !== which.family && !one.isRetired);
    if (which.family !== undefined && others.length === 0) throw new AppError("operator.last");
    await set(tx, which, sql`now()`);
    const bundles = await retireBundles(tx, which);
    return {
      action: "operator.retire",
      subjectId: operator.code,
      after: { ...which, bundles },
      result: bundles,
    };
  });
}

/**
 * Puts a retired operator or family on sale again, with the bundles that went with it; one whose USSD number was given
 * away gets a new one. Throws auth.forbidden, operator.not_found, operator.retired (merged into another, or a family of
 * a retired operator), and as `edit`. Returns the number of bundles.
 */
export async function restore(db: Db, { by, ...which }: Command & Which): Promise<number> {
  return changing(db, by, async (tx, all) => {
    const { operator, isRetired } = locate(all, which);
    if (operator.mergedInto || (which.family !== undefined && operator.isRetired))
      throw new AppError("operator.retired");
    if (!isRetired) return { action: null, subjectId: operator.code, result: 0 };
    const bundles = await restoreBundles(tx, which);
    await set(tx, which, null);
    return {
      action: "operator.restore",
      subjectId: operator.code,
      after: { ...which, bundles },
      result: bundles,
    };
  });
}

/** An operator, or one of its families. */
export type Which = { operator: Operator; family?: Family | undefined };

type Done<T> = { action: string | null; subjectId: Operator; before?: unknown; after?: unknown; result?: T };

/**
 * Runs one change at a time, on the operators as they are; refuses it when two of them could not be distinguished after
 * it, logs it, and lets this process know at once.
 */
export async function changing<T>(
  db: Db,
  by: ByUser,
  work: (tx: Tx, all: readonly OperatorFacts[]) => Promise<Done<T>>,
): Promise<T> {
  requireRight(by, "catalog.manage");
  const result = await db.transaction(async (tx) => {
    await tx.update(operatorState).set({ version: sql`gen_random_uuid()` });
    // What moves bundles changes what they are expected to cost.
    await lockCosts(tx);
    const { operators: before } = await operatorRegistry.load(tx);
    const { action, subjectId, result, ...values } = await work(tx, before);
    requireDistinct((await operatorRegistry.load(tx)).operators);
    if (action !== null) await auditLog.record(tx, by, [{ action, subjectType: "operator", subjectId, ...values }]);
    return result as T;
  });
  await operatorRegistry.renew(db);
  return result;
}

/** Throws operator.not_found. */
export function find(all: readonly OperatorFacts[], operator: Operator): OperatorFacts {
  const found = all.find(({ code }) => code === operator);
  if (!found) throw new AppError("operator.not_found");
  return found;
}

function locate(all: readonly OperatorFacts[], which: Which): { operator: OperatorFacts; isRetired: boolean } {
  const operator = find(all, which.operator);
  if (which.family === undefined) return { operator, isRetired: operator.isRetired };
  const family = operator.families.find(({ code }) => code === which.family);
  if (!family) throw new AppError("operator.not_found");
  return { operator, isRetired: family.isRetired };
}

async function set(tx: Tx, { operator, family }: Which, retiredAt: SQL | null): Promise<void> {
  if (family === undefined) await tx.update(operators).set({ retiredAt }).where(eq(operators.code, operator));
  else await tx.update(productFamilies).set({ retiredAt }).where(eq(productFamilies.code, family));
}

/** The fields that are given. */
function given<T extends object>(change: T): { [K in keyof T]?: NonNullable<T[K]> | Extract<T[K], null> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never;
}

const placeOf = (all: readonly OperatorFacts[], operator: Operator) =>
  all.findIndex(({ code }) => code === operator) + 1;

/** Puts an operator at this place of the lists; the others keep their order. */
async function moveTo(tx: Tx, all: readonly OperatorFacts[], operator: Operator, place: number): Promise<void> {
  const codes = all.map(({ code }) => code).filter((code) => code !== operator);
  codes.splice(place - 1, 0, operator);
  for (const [i, code] of codes.entries())
    await tx
      .update(operators)
      .set({ position: i + 1 })
      .where(eq(operators.code, code));
}

type PrefixChange = Prefixes & { operator: Operator; prefixes: string[] };

/** Gives an operator exactly these prefixes. Those of operators that sell no more are free. */
async function setPrefixes(
  tx: Tx,
  all: readonly OperatorFacts[],
  { operator, prefixes, takesPrefixes = false }: PrefixChange,
): Promise<void> {
  const owner = all.find(
    ({ code, isRetired, prefixes: own }) =>
      code !== operator && !isRetired && own.some((prefix) => prefixes.includes(prefix)),
  );
  if (owner && !takesPrefixes) {
    const taken = owner.prefixes.filter((prefix) => prefixes.includes(prefix)).map((prefix) => `0${prefix}`);
    const message = `${taken.join(", ")} belongs to ${owner.name}. Confirm that it moves.`;
    throw new AppError("operator.prefix_taken", { prefixes: taken, operator: owner.code }, message);
  }
  await tx.delete(numberPrefixes).where(eq(numberPrefixes.operator, operator));
  if (prefixes.length === 0) return;
  await tx.delete(numberPrefixes).where(inArray(numberPrefixes.prefix, prefixes));
  await tx.insert(numberPrefixes).values([...new Set(prefixes)].map((prefix) => ({ prefix, operator })));
}
