// Sizes and networks as the lines of a bulk order name them.
import type { Family, Operator } from "../domain.ts";
import { allOperators, type OperatorNames } from "../operators.ts";

/** A network as a line names it: some lines name a family of its bundles. The same name is the same object. */
export type NetworkName = { text: string; operator: Operator; family: Family | null };
/** A text with its sizes and networks replaced by blanks; `end` is the end of the last one. */
export type Annotated = { text: string; sizes: number[]; networks: NetworkName[]; end: number };

/** The sizes and networks that a part of a line names. */
export function annotate(text: string): Annotated {
  const [sizes, networks]: [number[], NetworkName[]] = [[], []];
  let end = 0;
  const blank = (match: string, at: number) => {
    end = Math.max(end, at + match.length);
    return " ".repeat(match.length);
  };
  let rest = text.replace(SIZE, (match, amount: string, unit: string, at: number) => {
    sizes.push(megabytes(Number(amount), unit));
    return blank(match, at);
  });
  for (const [pattern, name] of /\p{L}/u.test(rest) ? patterns() : [])
    rest = rest.replace(pattern, (match, at: number) => {
      networks.push(name);
      return blank(match, at);
    });
  // "AT iShare, AT": the family says more.
  const withFamily = new Set(networks.flatMap(({ family, operator }) => (family ? [operator] : [])));
  const distinct = networks.filter(({ family, operator }) => family || !withFamily.has(operator));
  return { text: rest, sizes, networks: distinct, end };
}

/** Decimal MB, as bundles are named: 5 GB is 5000 MB, even if a sheet says 5120. */
export function megabytes(amount: number, unit: string): number {
  const mb = Math.round(amount * (/^g/i.test(unit) ? 1000 : 1));
  return mb % 1000 !== 0 && mb % 1024 === 0 ? (mb / 1024) * 1000 : mb;
}

/** 5000 is "5GB", 500 is "500MB". */
export function sizeText(sizeMb: number): string {
  return sizeMb % 10 === 0 && sizeMb >= 1000 ? `${sizeMb / 1000}GB` : `${sizeMb}MB`;
}

/** How people and headings write the units of sizes. */
export const UNITS = "gbs?|gigs?|gigabytes?|mbs?|megabytes?";
/** Behind a digit, a comma may be a decimal one. */
const SIZE =
  /(?<![\w.]|\d,)(\d{1,6}(?:\.\d{1,2})?) ?(gb|gbs|gig(?:abyte)?s?|go|g|mb|mbs|megabytes?|mo)(?![\p{L}\d])/giu;

type Pattern = readonly [RegExp, NetworkName];
let compiled: { from: readonly unknown[]; patterns: Pattern[] } | undefined;

/** The patterns of all names, those of families first, because they begin with their network's. */
function patterns(): Pattern[] {
  const from = allOperators();
  if (compiled?.from !== from) {
    const onSale = from.filter(({ isRetired }) => !isRetired);
    compiled = { from, patterns: [...onSale.flatMap(familyPatterns), ...onSale.flatMap(operatorPatterns)] };
  }
  return compiled.patterns;
}

/** A family's words may be English ones, "big time", so two words need their network. */
function familyPatterns({ code, aliases, families }: OperatorNames): Pattern[] {
  return families.flatMap((family) => {
    const name = { text: family.name, operator: code, family: family.code };
    const ways = family.aliases.map((alias) => {
      const behind = `(?:${anyOf(aliases)})[ -]${alias.replace(/[ -]/g, "[ -]?")}`;
      return `${behind}|${alias.replace(" ", "").replace("-", "-?")}`;
    });
    return ways.length > 0 ? [[whole(ways.join("|"), "giu"), name]] : [];
  });
}

/** A network's names. Of several families, each may be called as the network is. */
function operatorPatterns({ code, aliases, families }: OperatorNames): Pattern[] {
  const namesakes = families.length > 1 ? families.filter(({ name }) => aliases.includes(name)) : [];
  const patterns = namesakes.map((family): Pattern => {
    const name = { text: family.name, operator: code, family: family.code };
    return [whole(spaced(family.name), "giu"), name];
  });
  const name = { text: code, operator: code, family: null };
  const [short, long] = [aliases.filter(isShort), aliases.filter((alias) => !isShort(alias))];
  if (long.length > 0) patterns.push([whole(anyOf(long), "giu"), name]);
  if (short.length > 0) patterns.push([whole(short.map(shortPattern).join("|"), "gu"), name]);
  return patterns;
}

const isShort = (alias: string) => alias.length < 3;

/** Lower-case "at" is also an English word, so a name of two letters counts in capitals or at the end of a line. */
function shortPattern(alias: string): string {
  const anyCase = alias.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
  return String.raw`${alias.toUpperCase()}|${anyCase}(?=[\s,;.]{0,8}$)`;
}

/** The longest first: "Airtel Tigo", "Airtel". */
const anyOf = (aliases: string[]) =>
  [...aliases]
    .sort((a, b) => b.length - a.length)
    .map(spaced)
    .join("|");

const spaced = (alias: string) => alias.replaceAll(" ", " ?-?\\/?");

const whole = (pattern: string, flags: string) =>
  new RegExp(String.raw`(?<![\p{L}\d])(?:${pattern})(?![\p{L}\d])`, flags);
