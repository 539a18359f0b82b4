// Changes of operators and their families by admins: names, looks, places, prefixes, sale. Each is logged, and known to
// every server from its next request on.
import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../../../../db/connect.ts";
import { numberPrefixes, operatorState, operators, productFamilies } from "../../../../db/schema/catalog.ts";
import { AFA_OPERATOR, type Family } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { as, partial } from "../../../shared/fields.ts";
import { Operator } from "../../../shared/inputs.ts";
import type { OperatorFacts } from "../../../shared/operators.ts";
import { command } from "../../platform/commands.ts";
import * as operatorRegistry from "../../platform/operator-registry.ts";
import { lock as lockCosts } from "../costs.ts";
import { restoreBundles, retireBundles } from "./operator-bundles.ts";
import { FAMILY_LOOKS, LOOKS, NewCode, Path, requireDistinct, TakesPrefixes } from "./operator-names.ts";

/** A family's code; that of none is not found. */
const Line = as("line", z.string().max(16));
const Position = z.int().min(1).max(99).describe("Its place in lists");
/** How a change of operators can make two of them alike. */
export const NAMED_WRONG = [
  "operator.name_taken",
  "operator.ussd_number_taken",
  "operator.color_unreadable",
  "operator.prefix_taken",
] as const;
const declared = { right: "catalog.manage", subject: "operator" } as const;
const afterwards = operatorRegistry.renew;

/** Adds an operator, last in lists, with a first family of the same code and name. */
export const add = command({
  ...declared,
  name: "operator.add",
  about: "Add a network, with a first line of the same code and name",
  input: { code: as("operator", NewCode), path: Path, ...LOOKS, takesPrefixes: TakesPrefixes },
  errors: ["operator.exists", "operator.path_taken", ...NAMED_WRONG],
  afterwards,
  run: ({ tx, audit }, { takesPrefixes, ...added }) =>
    changing(tx, async (before) => {
      const { prefixes, ...row } = added;
      const codes = before.flatMap(({ code, families }) => [code, ...families.map((family) => family.code)]);
      if (codes.includes(row.code)) throw new AppError("operator.exists");
      if (before.some(({ path }) => path === row.path)) throw new AppError("operator.path_taken");
      await tx.insert(operators).values({ ...row, position: before.length + 1 });
      const { code, name } = row;
      await tx.insert(productFamilies).values({ code, operator: code, name, ussdLabel: row.shortName, position: 1 });
      await setPrefixes(tx, before, { operator: code, prefixes, takesPrefixes });
      await audit(code, { after: added });
    }),
});

/** Changes what is said of an operator; fields left out stay. */
export const edit = command({
  ...declared,
  name: "operator.edit",
  about: "Rename, recolour or reorder a network, or change its prefixes, aliases or USSD label",
  input: { operator: Operator, ...partial({ ...LOOKS, position: Position }), takesPrefixes: TakesPrefixes },
  errors: ["operator.not_found", ...NAMED_WRONG],
  afterwards,
  run: ({ tx, audit }, { operator, takesPrefixes, ...change }) =>
    changing(tx, async (all) => {
      const before = find(all, operator);
      const { prefixes, position, ...columns } = change;
      if (Object.keys(columns).length > 0) await tx.update(operators).set(columns).where(eq(operators.code, operator));
      if (position !== undefined) await moveTo(tx, all, operator, position);
      if (prefixes) await setPrefixes(tx, all, { operator, prefixes, takesPrefixes });
      const previous = Object.keys(change).map((key) => [
        key,
        key === "position" ? placeOf(all, operator) : before[key as "name"],
      ]);
      await audit(operator, { before: Object.fromEntries(previous), after: change });
    }),
});

/** Adds a family to an operator on sale, as its last. */
export const addFamily = command({
  ...declared,
  name: "operator.add_line",
  about: "Add a line to a network; its orders go to the desk until it has a route",
  input: { operator: Operator, code: as("line", NewCode), ...FAMILY_LOOKS },
  errors: ["operator.not_found", "operator.exists", ...NAMED_WRONG],
  afterwards,
  run: ({ tx, audit }, family) =>
    changing(tx, async (all) => {
      const { families } = find(all, family.operator);
      const codes = all.flatMap((one) => [one.code, ...one.families.map(({ code }) => code)]);
      if (codes.includes(family.code)) throw new AppError("operator.exists");
      await tx.insert(productFamilies).values({ ...family, position: families.length + 1 });
      await audit(family.operator, { after: family });
    }),
});

/** Changes what is said of a family; fields left out stay. */
export const editFamily = command({
  ...declared,
  name: "operator.edit_line",
  about: "Rename or reorder a line, or change its aliases or USSD label",
  input: { operator: Operator, family: Line, ...partial({ ...FAMILY_LOOKS, position: Position }) },
  errors: ["operator.not_found", ...NAMED_WRONG],
  afterwards,
  run: ({ tx, audit }, { operator, family, ...change }) =>
    changing(tx, async (all) => {
      const before = find(all, operator).families.find(({ code }) => code === family);
      if (!before) throw new AppError("operator.not_found");
      if (Object.keys(change).length > 0)
        await tx.update(productFamilies).set(change).where(eq(productFamilies.code, family));
      await audit(operator, { before, after: { code: family, ...change } });
    }),
});

const WHICH = {
  operator: Operator,
  family: as("line", z.string().max(16).optional().describe("Only this line; without it, the network")),
};

/**
 * Takes an operator or one of its families off sale with all bundles; its open orders are still delivered. Its prefixes
 * become free. Answers with the number of bundles.
 */
export const retire = command({
  ...declared,
  name: "operator.retire",
  about: "Take a network or one of its lines off sale; open orders are still delivered",
  input: WHICH,
  errors: ["operator.not_found", "operator.retired", "operator.has_afa", "operator.last", ...NAMED_WRONG],
  afterwards,
  run: ({ tx, audit }, which) =>
    changing(tx, async (all) => {
      const { operator, isRetired } = locate(all, which);
      if (isRetired) throw new AppError("operator.retired");
      if (which.family === undefined && operator.code === AFA_OPERATOR) throw new AppError("operator.has_afa");
      const others = operator.families.filter((one) => one.code !== which.family && !one.isRetired);
      if (which.family !== undefined && others.length === 0) throw new AppError("operator.last");
      await set(tx, which, sql`now()`);
      const bundles = await retireBundles(tx, which);
      await audit(operator.code, { after: { ...which, bundles } });
      return { bundles };
    }),
});

/**
 * Puts a retired operator or family on sale again, with the bundles that went with it; one whose USSD number was given
 * away gets a new one. One that was merged into another, or is of a retired operator, stays. Answers with the number of
 * bundles.
 */
export const restore = command({
  ...declared,
  name: "operator.restore",
  about: "Put a retired network or line on sale again, with the bundles that went with it",
  input: WHICH,
  errors: ["operator.not_found", "operator.retired", "product.exists", ...NAMED_WRONG],
  afterwards,
  run: ({ tx, audit }, which) =>
    changing(tx, async (all) => {
      const { operator, isRetired } = locate(all, which);
      if (operator.mergedInto || (which.family !== undefined && operator.isRetired))
        throw new AppError("operator.retired");
      if (!isRetired) return { bundles: 0 };
      const bundles = await restoreBundles(tx, which);
      await set(tx, which, null);
      await audit(operator.code, { after: { ...which, bundles } });
      return { bundles };
    }),
});

/** An operator, or one of its families. */
type Which = { operator: Operator; family?: Family | undefined };

/**
 * Makes one change at a time, on the operators as they are; refuses it when two of them could not be distinguished
 * after it.
 */
export async function changing<T>(tx: Tx, work: (all: readonly OperatorFacts[]) => Promise<T>): Promise<T> {
  await tx.update(operatorState).set({ version: sql`gen_random_uuid()` });
  // What moves bundles changes what they are expected to cost.
  await lockCosts(tx);
  const { operators: before } = await operatorRegistry.load(tx);
  const result = await work(before);
  requireDistinct((await operatorRegistry.load(tx)).operators);
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

/** Prefixes of other operators on sale are taken from them only if `takesPrefixes`. */
type PrefixChange = { operator: Operator; prefixes: string[]; takesPrefixes: boolean | undefined };

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
