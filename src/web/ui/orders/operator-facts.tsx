// Facts of the networks for a page's islands: once on a page, in its head.
import { allOperators } from "../../../shared/operators.ts";

/** `forLists`: also what lists may call networks and families. */
export function OperatorsForIslands({ forLists = false }: { forLists?: boolean }) {
  const onSale = allOperators().filter(({ isRetired }) => !isRetired);
  const facts = onSale.map(({ code, name, momo, prefixes, aliases, families }) => ({
    ...{ code, name, momo, prefixes },
    aliases: forLists ? aliases : [],
    families: forLists ? families.map(({ code, name, aliases }) => ({ code, name, aliases })) : [],
  }));
  return <meta name="operators" content={JSON.stringify(facts)} />;
}
