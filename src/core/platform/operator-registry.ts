// The operators as they are in the database. Every process remembers them by their version, which is read along with
// other things, so that a change is known everywhere from the next request on and costs no other query. As with texts
// (messaging/wordings.ts); but there is one set for the process, because prefixes and names are asked for everywhere.
import { eq, sql } from "drizzle-orm";
import { type Db, isOutage, type Reads } from "../../../db/connect.ts";
import { numberPrefixes, operatorState, operators, productFamilies } from "../../../db/schema/catalog.ts";
import { ALIAS, type FamilyFacts, type OperatorFacts, setOperators } from "../../shared/operators.ts";

/** SQL for the version of the operators, for statements that read other things. */
export const VERSION = "(select version from operator_state)";

/** The version in use; null: none was read. */
let inUse: string | null = null;

/** Answers with the operators at this version, which was just read, from now on. */
export async function at(tx: Reads, version: string): Promise<void> {
  if (version === inUse) return;
  const read = await load(tx);
  setOperators(read.operators);
  inUse = read.version;
}

/** Answers with the operators as they are now. */
export async function renew(tx: Reads): Promise<void> {
  const [state] = await tx.select({ version: operatorState.version }).from(operatorState);
  await at(tx, state!.version);
}

/** As `renew`; during an outage, what was read last serves requests that need no database. */
export async function renewUnlessDown(db: Db): Promise<void> {
  try {
    await renew(db);
  } catch (error) {
    if (!isOutage(error)) throw error;
  }
}

/** Reads all operators with the version that they have by now, in one statement, so that they belong together. */
export async function load(tx: Reads): Promise<{ version: string; operators: OperatorFacts[] }> {
  const families = sql<FamilyFacts[]>`(
    select coalesce(json_agg(json_build_object('code', f.code, 'name', f.name, 'aliases', f.aliases,
             'ussdLabel', f.ussd_label, 'isRetired', f.retired_at is not null)
           order by f.position, f.code), '[]')
    from ${productFamilies} f where f.operator = ${operators.code})`;
  const prefixes = sql<string[]>`array(
    select n.prefix from ${numberPrefixes} n where n.operator = ${operators.code} order by n.prefix)`;
  const rows = await tx
    .select({ version: operatorState.version, operator: operators, families, prefixes })
    .from(operatorState)
    .innerJoin(operators, eq(operatorState.only, true))
    .orderBy(operators.position, operators.code);
  return {
    version: rows[0]!.version,
    operators: rows.map(({ operator, families, prefixes }) => factsOf(operator, families, prefixes)),
  };
}

function factsOf(
  row: typeof operators.$inferSelect,
  families: readonly FamilyFacts[],
  prefixes: string[],
): OperatorFacts {
  const { pausedMessage: _, pausedAt: __, pausedUntil: ___, retiredAt, position: ____, ...facts } = row;
  const isNamedApart = families.length > 1;
  return {
    ...facts,
    aliases: withOwnNames(facts),
    // Theirs are free, until they sell again.
    prefixes: retiredAt === null ? prefixes : [],
    isRetired: retiredAt !== null,
    // An only family is called as its operator is.
    families: families.map((family) => ({ ...family, aliases: isNamedApart ? family.aliases : [] })),
  };
}

/** Its aliases, with its code and its name where they can be typed. */
function withOwnNames({ code, name, aliases }: { code: string; name: string; aliases: string[] }): string[] {
  const distinct = new Map([code, name, ...aliases].map((alias) => [alias.toLowerCase(), alias]));
  return [...distinct.values()].filter((alias) => ALIAS.test(alias));
}
