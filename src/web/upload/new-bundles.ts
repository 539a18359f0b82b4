// Bundles to put on sale, as somebody types or pastes them: "MTN 1GB 3.70 3.90", one on each line, with network, size,
// cost and price. A line that can be read in two ways is a problem, and never guessed.
import { volumeOf } from "../../core/catalog/product-identity.ts";
import { NEW_BUNDLES_MAX, type ProductOnSale } from "../../core/catalog/products.ts";
import type { Family, Operator } from "../../shared/domain.ts";
import { writtenCedis } from "../../shared/lists/written-amounts.ts";
import {
  familiesOf,
  familyName,
  familyOf,
  findFamily,
  lettersAndDigits,
  operatorCalled,
  operatorCodes,
} from "../../shared/operators.ts";

export type NewBundle = {
  operator: Operator;
  family: Family;
  name: string;
  size: string;
  costPesewas?: number | undefined;
  pricePesewas: number;
};

export type NewBundles = {
  bundles: NewBundle[];
  /** "Line 3: MTN 1GB has no price". */
  problems: string[];
};

const LINE_CHARS_MAX = 200;
const SIZE = /(\d{1,6}(?:[.,]\d{1,2})?) ?([GM]B)(?![A-Za-z])/i;

/** Reads the lines; `onSale` are the bundles that are there already, `operator` the network of lines that name none. */
export function readNewBundles(text: string, onSale: readonly ProductOnSale[], operator: Operator | null): NewBundles {
  const read: NewBundles = { bundles: [], problems: [] };
  const known = new Map(onSale.map((product) => [keyOf(product), "is on sale already"]));
  for (const [at, typed] of text.split(/\r\n|[\r\n]/).entries()) {
    const line = typed.trim();
    if (line === "" || isHeading(line)) continue;
    const found = line.length > LINE_CHARS_MAX ? "is longer than a bundle" : readLine(line, operator);
    const problem = typeof found === "string" ? found : known.get(keyOf(found));
    if (problem) read.problems.push(`Line ${at + 1}: ${line.slice(0, 40)} ${problem}`);
    else {
      const bundle = found as NewBundle;
      known.set(keyOf(bundle), "is in the list twice");
      read.bundles.push(bundle);
    }
    if (read.bundles.length > NEW_BUNDLES_MAX) {
      read.problems.push(`Add ${NEW_BUNDLES_MAX} bundles at most in one go`);
      return { ...read, bundles: [] };
    }
  }
  return read;
}

const isHeading = (line: string) => !SIZE.test(line) && /size/i.test(line) && /price/i.test(line);

/** 1000MB and 1GB are one size. */
const keyOf = (one: { operator: Operator; family: Family | null; size: string }) =>
  `${familyOf(one)} ${volumeOf(one.size) ?? one.size}`;

/** A bundle, or what is wrong with its line. */
function readLine(line: string, operator: Operator | null): NewBundle | string {
  const size = SIZE.exec(line);
  const count = Number((size?.[1] ?? "0").replace(",", "."));
  if (!size || count === 0) return "has no size such as 1GB";
  const whose = whoseIn(line.slice(0, size.index), operator);
  if (typeof whose === "string") return whose;
  const amounts = amountsIn(line.slice(size.index + size[0].length));
  if (typeof amounts === "string") return amounts;
  const [first, second] = amounts;
  const [costPesewas, pricePesewas] = second === undefined ? [undefined, first!] : [first!, second];
  return { ...whose, size: `${count}${size[2]!.toUpperCase()}`, costPesewas, pricePesewas };
}

type Whose = { operator: Operator; family: Family; name: string };

/** The network and kind that a line begins with; what follows it is the bundle's own name. */
function whoseIn(text: string, operator: Operator | null): Whose | string {
  const parts = text.split(/[\s,;|]+/).filter(Boolean);
  if (parts.length === 0) return operator ? whoseOf(operator, familiesOf(operator)[0]!) : "names no network";
  for (let count = parts.length; count > 0; count--) {
    const named = parts.slice(0, count).join(" ");
    const called = kindCalled(named) ?? networkCalled(named);
    if (called) return { ...called, ...(count < parts.length && { name: parts.join(" ").slice(0, 80) }) };
  }
  return "names no network that you sell";
}

const whoseOf = (operator: Operator, family: Family): Whose => ({ operator, family, name: familyName(family) });

function networkCalled(named: string): Whose | null {
  const operator = operatorCalled(named);
  return operator === null ? null : whoseOf(operator, familiesOf(operator)[0]!);
}

function kindCalled(named: string): Whose | null {
  const wanted = lettersAndDigits(named);
  for (const operator of operatorCodes())
    for (const code of familiesOf(operator)) {
      const { name, aliases } = findFamily(code)!;
      if ([code, name, ...aliases].some((one) => lettersAndDigits(one) === wanted)) return whoseOf(operator, code);
    }
  return null;
}

/** One amount or two. */
function amountsIn(text: string): number[] | string {
  const pieces = text.split(/[\s;|]+/).flatMap((piece) => {
    const plain = piece.replace(/^[,:=–-]+|,+$/g, "");
    // "4,5" behind a comma may be an amount, or two.
    if (/^\d+,\d{1,2}$/.test(plain)) return piece.startsWith(",") ? [null] : [plain];
    return plain.split(",");
  });
  if (pieces.includes(null)) return "may have one amount or two: put a space or a tab between them";
  const typed = pieces.filter((piece) => piece !== null && piece !== "" && !/^(?:GH[₵S¢C]|₵|cedis?)$/i.test(piece));
  const amounts = typed.map((piece) => writtenCedis(piece!, /^\D*\d+,\d{1,2}$/.test(piece!) ? "," : "."));
  if (typed.length === 0) return "has no price";
  if (amounts.length > 2 || amounts.some((amount) => amount === null || amount <= 0))
    return "has something that is no price";
  return amounts as number[];
}

/** The sizes that resellers in Ghana sell, by kind, as their price lists of 2025 and 2026 have them. */
export const USUAL_SIZES: Record<Family, string[]> = {
  MTN: sizes(1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50),
  TELECEL: sizes(5, 10, 15, 20, 25, 30, 35, 40, 50),
  AT_ISHARE: sizes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50),
  AT_BIGTIME: sizes(15, 20, 25, 30, 40, 50, 60, 100),
};

function sizes(...gigabytes: number[]): string[] {
  return gigabytes.map((size) => `${size}GB`);
}
