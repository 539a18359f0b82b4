// The merger of an operator into another: its families with their bundles and routes, its prefixes and its names become
// the other's. Orders keep what they were sold as, and open ones are delivered by their family's route.
import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reads } from "../../../../db/connect.ts";
import { numberPrefixes, operators, productFamilies, products } from "../../../../db/schema/catalog.ts";
import { AFA_OPERATOR } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { as } from "../../../shared/fields.ts";
import { Operator } from "../../../shared/inputs.ts";
import type { OperatorFacts } from "../../../shared/operators.ts";
import { command } from "../../platform/commands.ts";
import * as operatorRegistry from "../../platform/operator-registry.ts";
import { moveBundles, moving, type Renumbered } from "./operator-bundles.ts";
import { changing, find, NAMED_WRONG } from "./operator-changes.ts";

/** What a merger would do, or did. */
export type Merger = {
  from: Operator;
  into: Operator;
  bundles: number;
  families: string[];
  prefixes: string[];
  /** Bundles whose USSD number was taken. */
  renumbered: Renumbered[];
};

/** Why two cannot be merged. */
export const REFUSALS = [
  ...(["operator.not_found", "operator.retired", "operator.merge_into_itself"] as const),
  ...(["operator.has_afa", "operator.merge_same_bundle"] as const),
];

/** What the merger would do now. Throws as `merge` refuses. */
export async function preview(tx: Reads, from: Operator, into: Operator): Promise<Merger> {
  const { operators: all } = await operatorRegistry.load(tx);
  const pair = await requireMergeable(tx, all, from, into);
  const { bundles, renumbered } = await moving(tx, from, into);
  return { ...outlineOf(pair), bundles, renumbered };
}

/** Merges an operator into another. There is no way back. */
export const merge = command({
  name: "operator.merge",
  right: "catalog.manage",
  about: "Merge a network into another, for good: its lines with their bundles, its prefixes, its names",
  subject: "operator",
  input: { from: as("operator", Operator), into: Operator },
  errors: [...REFUSALS, ...NAMED_WRONG],
  // A bundle was added or renamed meanwhile.
  constraints: { products_on_sale_once: "operator.merge_same_bundle" },
  afterwards: operatorRegistry.renew,
  run: ({ tx, audit }, { from, into }) =>
    changing(tx, async (all) => {
      const pair = await requireMergeable(tx, all, from, into);
      const moved = await moveBundles(tx, from, into);
      await tx.update(numberPrefixes).set({ operator: into }).where(eq(numberPrefixes.operator, from));
      const { ofInto, ofOnlyFamily } = namesAfter(pair);
      await tx.update(operators).set({ aliases: ofInto }).where(eq(operators.code, into));
      if (ofOnlyFamily)
        await tx
          .update(productFamilies)
          .set({ aliases: ofOnlyFamily })
          .where(eq(productFamilies.code, pair.from.families[0]!.code));
      await tx.update(operators).set({ retiredAt: sql`now()`, mergedInto: into }).where(eq(operators.code, from));
      const merger = { ...outlineOf(pair), ...moved };
      await audit(from, { after: merger });
      return merger;
    }),
});

type Pair = { from: OperatorFacts; into: OperatorFacts };

async function requireMergeable(
  tx: Reads,
  all: readonly OperatorFacts[],
  fromCode: Operator,
  intoCode: Operator,
): Promise<Pair> {
  const [from, into] = [find(all, fromCode), find(all, intoCode)];
  if (from === into) throw new AppError("operator.merge_into_itself");
  if (from.isRetired || into.isRetired) throw new AppError("operator.retired");
  if (from.code === AFA_OPERATOR) throw new AppError("operator.has_afa");
  const same = await sameBundle(tx, fromCode, intoCode);
  if (same) {
    const message = `Both sell “${same.name}” ${same.size}. Rename one or take it off sale first.`;
    throw new AppError("operator.merge_same_bundle", undefined, message);
  }
  return { from, into };
}

async function sameBundle(tx: Reads, from: Operator, into: Operator) {
  const other = alias(products, "other");
  const [same] = await tx
    .select({ name: products.name, size: products.size })
    .from(products)
    .innerJoin(
      other,
      and(sql`lower(${other.name}) = lower(${products.name})`, sql`lower(${other.size}) = lower(${products.size})`),
    )
    .where(
      and(
        ...[eq(products.operator, from), eq(products.line, "bundle"), isNull(products.retiredAt)],
        ...[eq(other.operator, into), eq(other.line, "bundle"), isNull(other.retiredAt)],
      ),
    )
    .limit(1);
  return same;
}

function outlineOf({ from, into }: Pair) {
  return {
    from: from.code,
    into: into.code,
    families: from.families.map(({ name }) => name),
    prefixes: from.prefixes,
  };
}

/** A name of two letters would be found in the middle of a line, so it is never a family's. */
const LETTERS_MIN = 3;

/**
 * Who is called by which names after it. Those of a network with one family stay that family's; those of several are
 * the other network's from then on.
 */
function namesAfter({ from, into }: Pair): { ofInto: string[]; ofOnlyFamily: string[] | null } {
  const isFamilys = (name: string) => from.families.length === 1 && name.length >= LETTERS_MIN;
  const moving = from.aliases.filter((name) => !isFamilys(name));
  const distinct = new Map([...into.aliases, ...moving].map((name) => [name.toLowerCase(), name]));
  const ofOnlyFamily = from.families.length === 1 ? from.aliases.filter(isFamilys) : null;
  return { ofInto: [...distinct.values()], ofOnlyFamily };
}
