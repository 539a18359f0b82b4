// Operators for admins: everything about them, with what is on sale and what is still to be delivered.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../../db/connect.ts";
import { OPEN_STATUSES, type Operator } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import type { FamilyFacts, OperatorFacts } from "../../../shared/operators.ts";
import * as operatorRegistry from "../../platform/operator-registry.ts";
import { ownAliases } from "./operator-names.ts";

/** `place` counts from 1; `ownAliases` are those that an admin gave, without its code and name. */
export type OperatorOverview = Omit<OperatorFacts, "families"> & {
  place: number;
  ownAliases: string[];
  families: FamilyOverview[];
  bundles: number;
};
export type FamilyOverview = FamilyFacts & { bundles: number };

/** All operators in the order of lists, also those that sell no more. */
export async function overviews(tx: Reads): Promise<OperatorOverview[]> {
  const { operators } = await operatorRegistry.load(tx);
  const rows = await tx.execute<{ operator: Operator; family: string | null; count: number }>(sql`
    select operator, family, count(*)::int as count from products
    where line = 'bundle' and retired_at is null group by operator, family`);
  // A bundle from before there were families is of the default.
  const bundlesOf = (operator: Operator, family: string, isDefault: boolean) =>
    rows
      .filter((row) => row.operator === operator && (row.family === family || (isDefault && !row.family)))
      .reduce((sum, { count }) => sum + count, 0);
  return operators.map((facts, i) => {
    const families = facts.families.map((family, n) => ({
      ...family,
      bundles: bundlesOf(facts.code, family.code, n === 0),
    }));
    const bundles = families.reduce((sum, family) => sum + family.bundles, 0);
    return { ...facts, place: i + 1, ownAliases: ownAliases(facts), families, bundles };
  });
}

/** One of them. Throws operator.not_found. */
export async function overview(tx: Reads, operator: Operator): Promise<OperatorOverview> {
  const found = (await overviews(tx)).find(({ code }) => code === operator);
  if (!found) throw new AppError("operator.not_found");
  return found;
}

/** The paid orders of an operator that are not delivered yet. */
export async function openOrders(tx: Reads, operator: Operator): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from orders
    where operator = ${operator} and paid_at is not null
      and status in (${sql.raw(OPEN_STATUSES.map((status) => `'${status}'`).join(", "))})`);
  return row!.count;
}
