// The network, kind and name of a new bundle, by the words before its size or on a line of their own above others.
import type { Family, Operator } from "../../shared/domain.ts";
import {
  familiesOf,
  familyName,
  findFamily,
  lettersAndDigits,
  operatorCalled,
  operatorCodes,
} from "../../shared/operators.ts";

export type Whose = { operator: Operator; family: Family; name: string };
/** What a text names: a network of several kinds may be without one, and its own name is then empty. */
export type Named = Omit<Whose, "family"> & { family: Family | null };

/** Signs that adorn a line, and its number in a list. */
const SIGNS =
  "\\s•·▪▫●○◦‣⁃∙*–—\\-→➡➤▶►👉✅✔☑⭐🌟✨🔥⚡💥🎉📱📶💰🛒🔹🔸🔷🔶🟡🔴🔵🟢🟠⚪⚫🔘❤💛💙💚🧡💜📌📍📢📣🌐📡📲💎🎁🚀💯\\ufe0f";
const BEFORE = new RegExp(`^(?:[${SIGNS}]|\\d{1,3}[.)](?=\\s|\\p{L})|\\(\\d{1,3}\\)|\\d\\ufe0f?\\u20e3)+`, "u");
const BEHIND = new RegExp(`[${SIGNS.replace("\\-", "").replace("*–—", "")}]+$`, "u");

/** A line without what adorns it: "1. *MTN 1GB* 4.20 🔥" is "MTN 1GB 4.20". */
export function unadorned(line: string): string {
  const bare = line.replace(/\*([^*]{1,100})\*/g, "$1").replace(/(?<!\w)_([^_]{1,100})_(?!\w)/g, "$1");
  return bare.replace(BEFORE, "").replace(BEHIND, "");
}

/** Words that say that a bundle is not sold like this. */
const NOT_SOLD = new RegExp(
  "^(?:not|no|never|sold|out|unavailable|unlisted|stop(?:ped)?|finished|soon|coming|was|old|former|discontinued" +
    "|paused|closed|off|without|except|and|or|from)$",
  "i",
);

/** Words whose amounts are not what agents pay, or not for certain. */
const OTHER_PRICES = new RegExp(
  String.raw`(?<!\p{L})(?:retail\w*|wholesale\w*|dealers?|distributors?|consumers?|costs?|buying` +
    String.raw`|customers?.{0,9} prices?)(?!\p{L})`,
  "iu",
);

/** Whether a title, or a word on a line, says that its amounts may be others than what agents pay. */
export const areOtherPrices = (text: string) => OTHER_PRICES.test(text);

/** Whose bundle it is by the words before its size; or what is wrong with them. */
export function whoseIn(text: string): Named | string {
  const parts = text.split(/[\s,;|"]+/).filter((part) => part !== "" && !/^[-–—:=&+/.]+$/.test(part));
  if (parts.length > PARTS_MAX) return "says too much before its size";
  const named = namesIn(parts);
  const [first] = named;
  if (first?.at !== 0) return beginsWrongly(parts);
  if (new Set(named.map(({ whose }) => whose.operator)).size > 1) return "names two networks";
  const kinds = named.filter(({ isKind }) => isKind).map(({ whose }) => whose);
  if (new Set(kinds.map(({ family }) => family)).size > 1) return "names two kinds of bundles";
  const others = parts.filter((_, at) => !named.some((one) => at >= one.at && at < one.at + one.count));
  const strange = others.find((part, at) => isStrange(part, others[at + 1] ?? ""));
  if (strange) return `says “${strange.slice(0, 20)}” before its size: leave that out, or leave the line out`;
  const whose = kinds[0] ?? first.whose;
  return others.length === 0 ? whose : { ...whose, name: parts.join(" ").slice(0, 80) };
}

const isStrange = (part: string, next: string) =>
  (NOT_SOLD.test(part) && !/^expir/i.test(next)) ||
  (/^\W*\d/.test(part) && !/^[345]G\b/i.test(part)) ||
  isSign(part) ||
  areOtherPrices(part);

const isSign = (part: string) => !/[\p{L}\p{N}]/u.test(part);

function beginsWrongly([first = ""]: readonly string[]): string {
  return /\p{L}/u.test(first)
    ? "names no network that you sell"
    : `begins with “${first.slice(0, 20)}”: leave that out`;
}

type Found = { at: number; count: number; isKind: boolean; whose: Named };

/** The networks and kinds among words, each by as many words as it can have. */
function namesIn(parts: readonly string[]): Found[] {
  const found: Found[] = [];
  let at = 0;
  while (at < parts.length) {
    const named = nameAt(parts, at);
    if (named) found.push(named);
    at += named?.count ?? 1;
  }
  return found;
}

const PARTS_MAX = 12;
const NAME_PARTS_MAX = 4;

function nameAt(parts: readonly string[], at: number): Found | null {
  for (let count = Math.min(NAME_PARTS_MAX, parts.length - at); count > 0; count--) {
    const own = parts.slice(at, at + count);
    if (own.some(isSign)) continue;
    const name = own.join(" ");
    const kind = kindCalled(name);
    const whose = kind ?? networkCalled(name);
    if (whose) return { at, count, isKind: kind !== null, whose };
  }
  return null;
}

/** A network, with its kind where it has only one. */
export function whoseOf(operator: Operator): Named {
  const [family, ...more] = familiesOf(operator);
  return family && more.length === 0 ? kindOf(operator, family) : { operator, family: null, name: "" };
}

const kindOf = (operator: Operator, family: Family): Named => ({ operator, family, name: familyName(family) });

/** "AT iShare or AT BigTime". */
export const kindsToWrite = (operator: Operator) => familiesOf(operator).map(familyName).join(" or ");

/** Whether words are names of networks and kinds, and nothing else. */
export const namesAll = (names: readonly string[]) =>
  namesIn(names).reduce((sum, { count }) => sum + count, 0) === names.length;

/** The kinds of the one network that a title names, where it names none of them: "AT PREMIUM". */
export function unknownKind(line: string): string | null {
  const [first, ...more] = namesIn(
    line
      .split(/[^\p{L}\p{N}-]+/u)
      .filter(Boolean)
      .slice(0, PARTS_MAX),
  );
  return first?.at === 0 && more.length === 0 && first.whose.family === null
    ? kindsToWrite(first.whose.operator)
    : null;
}

function networkCalled(named: string): Named | null {
  const operator = operatorCalled(named);
  return operator === null ? null : whoseOf(operator);
}

function kindCalled(named: string): Named | null {
  const wanted = lettersAndDigits(named);
  if (wanted === "") return null;
  for (const operator of operatorCodes())
    for (const code of familiesOf(operator)) {
      const { name, aliases } = findFamily(code)!;
      if ([code, name, ...aliases].some((one) => lettersAndDigits(one) === wanted)) return kindOf(operator, code);
    }
  return null;
}

const FILLERS = new Set(
  [
    "data bundle bundles package packages plan plans price prices pricing list offer offers deal deals rate rates",
    "the our new non no expiry expiring internet mobile 4g 5g gb size sizes for agents agent resellers",
    "today and your of in",
  ]
    .join(" ")
    .split(" "),
);

/**
 * What a line without a size is about: the network or kind of the lines below it, "nothing" for a title such as "Data
 * prices", or null where nobody can tell.
 */
export function sectionIn(line: string): Named | "nothing" | null {
  if (/[^\p{L}\p{N}\p{P}\s]/u.test(line)) return null;
  const parts = line.split(/[^\p{L}\p{N}-]+/u).filter((part) => part !== "" && part !== "-");
  if (parts.length > PARTS_MAX) return null;
  const named = namesIn(parts);
  const others = parts.filter((_, at) => !named.some((one) => at >= one.at && at < one.at + one.count));
  if (others.some((part) => part.split("-").some((one) => !FILLERS.has(one.toLowerCase())))) return null;
  if (named.length === 0) return parts.length > 0 ? "nothing" : null;
  const kinds = named.filter(({ isKind }) => isKind);
  const whose = (kinds[0] ?? named[0]!).whose;
  const isOne = named.every((one) => one.whose.operator === whose.operator) && kinds.length < 2;
  return isOne ? whose : null;
}
