// The network operators and their families of bundles, as the shop's admins keep them. A server reads them from the
// database (core/platform/operator-registry.ts), an island from its page; everything here answers from what was read
// last. A code that is not known yet, or no longer, is its own name.
import { AFA_SIZE, type Family, type Network, type Operator } from "./domain.ts";

/** What both sides know of a family of bundles. `aliases` are what lists and SMS may call it. */
export type FamilyNames = { code: Family; name: string; aliases: string[] };
/**
 * What both sides know of an operator; its default family is the first. `prefixes`: "24" for 024; one that sells no
 * more has none.
 */
export type OperatorNames = {
  code: Operator;
  name: string;
  aliases: string[];
  prefixes: string[];
  momo: Network | null;
  families: readonly FamilyNames[];
};
export type FamilyFacts = FamilyNames & { ussdLabel: string; isRetired: boolean };
/** Everything about an operator. The names of one that was retired or merged stay for its old orders. */
export type OperatorFacts = Omit<OperatorNames, "families"> & {
  families: readonly FamilyFacts[];
  /** "AT": where every character counts. */
  shortName: string;
  /** Of its badge, with its colour: "#d8232a". */
  letters: string;
  color: string;
  /** The address of its page: "/airtel-tigo". */
  path: string;
  ussdLabel: string;
  ussdPosition: number;
  isRetired: boolean;
  mergedInto: Operator | null;
};

/** The form of an operator's or a family's code. */
export const CODE = /^[A-Z][A-Z0-9_]{1,15}$/;

/** The form of an alias: words of letters and digits, with single spaces or hyphens in between. */
export const ALIAS = /^[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*$/;

let known: readonly OperatorFacts[] = [];
let byPrefix = new Map<string, OperatorFacts>();

/** Answers from these operators from now on; in a page, from what the page has of them. */
export function setOperators(operators: readonly OperatorNames[]): void {
  known = operators as readonly OperatorFacts[];
  byPrefix = new Map(known.flatMap((operator) => operator.prefixes.map((prefix) => [prefix, operator])));
}

/** All operators in the order of lists, also those that are retired or merged. */
export function allOperators(): readonly OperatorFacts[] {
  return known;
}

/** The operators that sell, in the order of lists. */
export function operatorCodes(): Operator[] {
  return known.filter(({ isRetired }) => !isRetired).map(({ code }) => code);
}

/** All operators that ever sold, for history: those that sell first. */
export function pastOperatorCodes(): Operator[] {
  return [...new Set([...operatorCodes(), ...known.map(({ code }) => code)])];
}

export function findOperator(operator: string): OperatorFacts | undefined {
  return known.find(({ code }) => code === operator);
}

/** The operator whose page has this address. */
export function operatorAt(path: string): OperatorFacts | undefined {
  return known.find((operator) => operator.path === path);
}

export function operatorName(operator: Operator): string {
  return findOperator(operator)?.name ?? operator;
}

/** The page that sells the operator's bundles. */
export function operatorPath(operator: Operator): string {
  return findOperator(operator)?.path ?? "/buy";
}

/** The operator whose bundles this one's are by now: its own, or those of the one that it was merged into. */
export function currentOperator(operator: Operator): Operator {
  const into = findOperator(operator)?.mergedInto;
  return into ? currentOperator(into) : operator;
}

/** All families, by operator. */
export function allFamilies(): FamilyFacts[] {
  return known.flatMap(({ families }) => families);
}

export function findFamily(family: string): FamilyFacts | undefined {
  return allFamilies().find(({ code }) => code === family);
}

export function familyName(family: Family): string {
  return findFamily(family)?.name ?? operatorName(family);
}

/** The families that an operator sells, the default first. */
export function familiesOf(operator: Operator): Family[] {
  return (findOperator(operator)?.families ?? []).filter(({ isRetired }) => !isRetired).map(({ code }) => code);
}

/** The family of a bundle; one sold before families existed belongs to its operator's default. */
export function familyOf(sold: { operator: Operator; family: Family | null }): Family {
  return sold.family ?? familiesOf(sold.operator)[0] ?? sold.operator;
}

/** A bundle's display name: "MTN 1GB", "AT BigTime 15GB", "3 x MTN 1GB", "MTN AFA registration". */
export function bundleName(sold: { operator: Operator; family: Family | null; size: string }, quantity = 1): string {
  if (sold.size === AFA_SIZE) return "MTN AFA registration";
  const name = `${familyName(familyOf(sold))} ${sold.size}`;
  return quantity > 1 ? `${quantity} x ${name}` : name;
}

/** The display name of an order's bundle. */
export function orderedBundle(
  order: { operator: Operator; family: Family | null; productSize: string },
  quantity = 1,
): string {
  return bundleName({ ...order, size: order.productSize }, quantity);
}

/** The display name where its network stands beside it: "1GB", "iShare 1GB". */
export function orderedBundleWithin(order: { operator: Operator; family: Family | null; productSize: string }): string {
  const full = orderedBundle(order);
  const { name = "", shortName = "" } = findOperator(order.operator) ?? {};
  const prefix = [name, shortName].find((own) => own !== "" && full.startsWith(`${own} `));
  return prefix ? full.slice(prefix.length + 1) : full;
}

/** The names of the networks on sale in a sentence: "MTN, AirtelTigo and Telecel". */
export function operatorNamesText(): string {
  const names = operatorCodes().map(operatorName);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** The operator that the prefix is assigned to, or null for an unassigned one. The number may have been ported. */
export function guessOperator(msisdn: string): Operator | null {
  return ofPrefix(msisdn)?.code ?? null;
}

/** The mobile money network of the prefix, or null for an unassigned one. The number may have been ported. */
export function guessNetwork(msisdn: string): Network | null {
  return ofPrefix(msisdn)?.momo ?? null;
}

/** Three digits say more than two. */
const ofPrefix = (msisdn: string) => byPrefix.get(msisdn.slice(3, 6)) ?? byPrefix.get(msisdn.slice(3, 5));

/** The operator on sale that people call this, in any case and with any spacing; null for no known name. */
export function operatorCalled(name: string): Operator | null {
  const wanted = lettersAndDigits(name);
  const isCalled = ({ isRetired, aliases }: OperatorFacts) =>
    !isRetired && aliases.some((alias) => lettersAndDigits(alias) === wanted);
  return known.find(isCalled)?.code ?? null;
}

/** "AT Big-Time" is ATBIGTIME. */
export function lettersAndDigits(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
