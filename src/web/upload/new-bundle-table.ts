// The headings of a list of new bundles: which of its cells or amounts is the cost, the price or something else.
import { cellsOf, headingName, isTooWide, otherUnit, TOO_WIDE } from "./csv-cells.ts";
import type { Amounts } from "./new-bundle-amounts.ts";

type Kind = "size" | "network" | "kind" | "name" | "cost" | "price" | "other";

/** The names of columns, with what may stand before and behind them. */
const KINDS: [Kind, RegExp][] = (
  [
    [
      "size",
      "(?:(?:data |bundle |product )?(?:size|volume)s?|bundles?|data(?: bundles?)?|packages?|plans?)(?: gb| mb)?|gb|mb",
    ],
    ["network", "(?:network|operator|telco|provider|carrier)s?"],
    ["kind", "kind|type|family|category"],
    ["name", "(?:bundle |data )?name|product(?: name)?|item|description"],
    ["cost", "(?:our |my |unit )?costs?(?: price)?|(?:buying|buy|purchase|supplier|supply)(?: price)?"],
    ["price", "(?:our |unit |agents? )?prices?|(?:selling|sell|sales?)(?: price)?"],
    ["other", "(?:validity|expiry|expires?|duration|valid|period|days?)(?: .*)?"],
    ["other", "s n|sn|no|nr|id|serial|notes?|remarks?|comments?|margin|profit|date"],
  ] as const
).map(([kind, names]) => [kind, new RegExp(`^(?:${names})$`)]);

function kindOf(heading: string): Kind | null {
  const name = headingName(heading);
  return KINDS.find(([, names]) => names.test(name))?.[0] ?? null;
}

/** Columns by their headings, and what splits the lines below them; null where only spaces do. */
export type Table = { mark: string | null; headings: string[]; kinds: (Kind | null)[] };

const markIn = (line: string) => ["\t", ";", "|", ","].find((one) => line.includes(one)) ?? null;

function splitHeadings(line: string): { mark: string | null; headings: string[] } {
  const mark = markIn(line);
  const headings = mark === null ? spacedHeadings(line) : cellsOf(line, mark)[0]!;
  return { mark, headings: headings.map((one) => one.trim()) };
}

/** What may be amounts in a list, for the mark before their pesewas. */
export const piecesOf = (lines: readonly string[]) => lines.flatMap((line) => line.split(markIn(line) ?? " "));

const SPACED = new RegExp(
  "(?:(?:our|my|unit|agents?|buying|buy|purchase|supplier|selling|sell|sales?|cost|data|bundle|product) )?" +
    "(?:price|size|volume|name)s?|\\S+",
  "gi",
);
/** "Cost Price" are two headings where no other is called a price. */
function spacedHeadings(line: string): string[] {
  const isOne = /\bprice|\bselling/i.test(line.replace(/\bcost price/i, ""));
  return (isOne ? line : line.replace(/\bcost (?=price)/i, "cost\n")).match(SPACED) ?? [];
}

/** The headings that a line is, or what is wrong with them; null for a line that is none. */
export function tableIn(line: string): Table | string | null {
  const { mark, headings } = splitHeadings(line);
  if (headings.some((one) => /^\W*\d/.test(one))) return null;
  const kinds = headings.map(kindOf);
  const filled = headings.filter((one) => one !== "");
  const known = kinds.filter((kind) => kind !== null);
  const hasMoney = headings.some((one) => /\b(?:price|cost|selling|sell|buying|buy)s?\b/i.test(one));
  const isSpaced = known.length === filled.length && hasMoney && (known.length > 2 || /\bsize\b/i.test(line));
  const isMarked = filled.length > 2 || (filled.length === 2 && (hasMoney || known.length === 2));
  const isHeadings = mark === null ? isSpaced : isMarked;
  return isHeadings ? (faultIn(headings, kinds) ?? { mark, headings, kinds }) : null;
}

const MONEY_NAMES = ["Cost", "Price", "Cost price", "Selling price", "Buying price", "Agent price"];

function faultIn(headings: readonly string[], kinds: readonly (Kind | null)[]): string | null {
  for (const [at, heading] of headings.entries()) {
    const kind = kinds[at];
    if (heading === "") continue;
    const other = otherUnit(heading, MONEY_NAMES);
    if (other) return other;
    const shown = heading.slice(0, 30);
    if (kind === null) return `“${shown}” is no column of this list: leave it out, or call it Cost or Price.`;
    const before = headings.find((_, earlier) => earlier < at && kinds[earlier] === kind && kind !== "other");
    if (before !== undefined) return `“${before.slice(0, 30)}” and “${shown}” are columns for one thing: keep one.`;
  }
  if (!kinds.includes("price")) return "No column is called Price.";
  if (!kinds.includes("size") && !kinds.includes("name")) return "No column is called Size.";
  return null;
}

/** The cells of a line by their kind; `unit` is that of the heading above sizes. */
export type Cells = { has: (kind: Kind) => boolean; text: (kind: Kind) => string; unit: string };

/** The cells of a line below headings, or what is wrong with it; null for a line that has no such cells. */
export function cellsBelow(table: Table, line: string): Cells | string | null {
  if (table.mark === null || !line.includes(table.mark)) return null;
  const cells = cellsOf(line, table.mark)[0]!;
  if (isTooWide(cells, table.headings)) return TOO_WIDE;
  const at = (kind: Kind) => table.kinds.indexOf(kind);
  const sizeAt = at("size") < 0 ? at("name") : at("size");
  const [, unit = ""] = /\b(gb|mb)$/i.exec(headingName(table.headings[sizeAt]!)) ?? [];
  return {
    unit,
    has: (kind) => at(kind) >= 0 && (kind !== "name" || sizeAt !== at("name")),
    text: (kind) => (cells[kind === "size" ? sizeAt : at(kind)] ?? "").trim(),
  };
}

/** Which of the amounts behind a size is which, in the order of the headings; null where it is not certain. */
export function amountsBelow(table: Table, { amounts, hasDays }: Amounts): { cost?: number; price: number } | null {
  const behind = table.kinds.slice(Math.max(table.kinds.indexOf("size"), table.kinds.indexOf("name")) + 1);
  const kinds = behind.filter((kind) => kind !== "network" && kind !== "kind" && !(hasDays && kind === "other"));
  if (kinds.length !== amounts.length) return null;
  const [cost, price] = [amounts[kinds.indexOf("cost")], amounts[kinds.indexOf("price")]];
  if (price === undefined) return null;
  return cost === undefined ? { price } : { cost, price };
}
