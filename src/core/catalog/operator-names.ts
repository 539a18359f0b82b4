// Rules for an operator's presentation: names that lists, SMS and screens can tell apart, a colour that carries
// letters, and its own number in the USSD menu.
import { carriesText } from "../../shared/colors.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { lettersAndDigits, type OperatorFacts } from "../../shared/operators.ts";

/** The rules over all operators as they would be after a change. Those that sell no more bind nobody. */
export function requireDistinct(all: readonly OperatorFacts[]): void {
  const onSale = all.filter(({ isRetired }) => !isRetired);
  requireOnce(
    onSale.map(({ ussdPosition }) => ussdPosition),
    "operator.ussd_number_taken",
  );
  requireOnce(onSale.flatMap(namesOf), "operator.name_taken");
  if (onSale.some(({ color }) => !carriesText(color))) throw new AppError("operator.color_unreadable");
}

/**
 * The names of an operator and of its families, each once. An only family is called as its operator is, and of several
 * each may be: then that name means the family.
 */
function namesOf({ name, shortName, aliases, families }: OperatorFacts): string[] {
  const own = new Set([name, shortName, ...aliases].map(lettersAndDigits));
  if (families.length === 1) return [...own];
  const ofFamilies = families.flatMap((family) => [...new Set([family.name, ...family.aliases].map(lettersAndDigits))]);
  requireOnce(ofFamilies, "operator.name_taken");
  return [...own.union(new Set(ofFamilies))];
}

function requireOnce(values: readonly unknown[], code: "operator.ussd_number_taken" | "operator.name_taken"): void {
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice === undefined) return;
  const message = code === "operator.name_taken" ? `“${twice}” is what two of them would be called.` : undefined;
  throw new AppError(code, undefined, message);
}

/** The aliases that an admin gave, without the code and the name, which count as aliases by themselves. */
export function ownAliases({ code, name, aliases }: Pick<OperatorFacts, "code" | "name" | "aliases">): string[] {
  const implied = [code, name].map((own) => own.toLowerCase());
  return aliases.filter((alias) => !implied.includes(alias.toLowerCase()));
}
