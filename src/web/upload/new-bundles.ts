// Bundles to put on sale, as somebody types or pastes them: "MTN 1GB 3.70 3.90", one on each line, with network, size,
// cost and price; or in the order of the headings above them, below the name of their network. A line that can be read
// in two ways is a problem, and never guessed.
import { volumeOf } from "../../core/catalog/product-identity.ts";
import { NEW_BUNDLES_MAX, type ProductOnSale } from "../../core/catalog/products.ts";
import type { Family, Operator } from "../../shared/domain.ts";
import { type DecimalMark, decimalMarkIn, writtenCedis } from "../../shared/lists/written-amounts.ts";
import { familyOf } from "../../shared/operators.ts";
import { cellsOf } from "./csv-cells.ts";
import { amountsIn, withoutDays } from "./new-bundle-amounts.ts";
import {
  areOtherPrices,
  kindsToWrite,
  type Named,
  namesAll,
  sectionIn,
  unadorned,
  unknownKind,
  type Whose,
  whoseIn,
  whoseOf,
} from "./new-bundle-names.ts";
import { amountsBelow, type Cells, cellsBelow, piecesOf, type Table, tableIn } from "./new-bundle-table.ts";

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
const UNIT = "gbs?|mbs?|gigs?|gigabytes?|megs?|megabytes?";
const SIZE = new RegExp(
  `(?<![\\d.])(?<!\\d,)(\\d{1,3}(?:,\\d{3})+|\\d{1,6}(?:[.,]\\d{1,2})?) ?(${UNIT})(?![A-Za-z])`,
  "i",
);

/** What lines are read by that stand below others. */
type Above = {
  /** The network of lines that name none, or why these cannot be read. */
  under: Named | string;
  /** The headings, or null where there are none; "unclear" where there are some that cannot be read. */
  table: Table | "unclear" | null;
  /** Whether a line of the table named its network, so that the cell of another should, too. */
  hasNamed: boolean;
  decimals: DecimalMark;
};

/** Reads the lines; `onSale` are the bundles that are there already, `operator` the network of lines that name none. */
export function readNewBundles(text: string, onSale: readonly ProductOnSale[], operator: Operator | null): NewBundles {
  const read: NewBundles = { bundles: [], problems: [] };
  const known = new Map(onSale.map((product) => [keyOf(product), "is on sale already"]));
  const lines = text.split(/\r\n|[\r\n]/).map((line) => unadorned(line.trim()));
  const under = operator ? whoseOf(operator) : "names no network";
  const above: Above = { under, table: null, hasNamed: false, decimals: decimalMarkIn(piecesOf(lines)) };
  for (const [at, line] of lines.entries()) {
    const found = line.length > LINE_CHARS_MAX ? "is longer than a bundle" : takeLine(above, line);
    if (found === null) continue;
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

/** 1000MB and 1GB are one size. */
const keyOf = (one: { operator: Operator; family: Family | null; size: string }) =>
  `${familyOf(one)} ${volumeOf(one.size) ?? one.size}`;

/** A bundle, what is wrong with its line, or null for a line about others, which changes what these are read by. */
function takeLine(above: Above, line: string): NewBundle | string | null {
  if (line.replace(/[\s,;|"]+/g, "") === "") return null;
  if (above.table !== "unclear" && above.table !== null) {
    const cells = cellsBelow(above.table, line);
    if (typeof cells === "string") return cells;
    if (cells?.text("size") && cells.text("price")) return readCells(above, cells);
  }
  if (SIZE.test(line)) return above.table === "unclear" ? null : readLine(line, above);
  const table = tableIn(line);
  if (table !== null) {
    Object.assign(above, { table: typeof table === "string" ? "unclear" : table, hasNamed: false });
    return typeof table === "string" ? `cannot be read: ${table} Its lines are left out` : null;
  }
  return takeTitle(above, line);
}

/** What is wrong with a line that has neither a size nor headings, or null where it is about the lines below it. */
function takeTitle(above: Above, line: string): string | null {
  const bare = withoutDays(line);
  if (areOtherPrices(bare)) {
    above.table = "unclear";
    return "cannot be read: call what you pay Cost, and what agents pay Price. Its lines are left out";
  }
  const section = sectionIn(bare);
  if (section === "nothing") return null;
  const kinds = section === null ? unknownKind(bare) : null;
  const advice = kinds ? `write ${kinds} before it` : "name its network";
  above.under = section ?? `stands below “${line.slice(0, 20)}”: ${advice}`;
  if (section !== null) return null;
  return kinds ? `names no kind: write ${kinds}` : "has no size such as 1GB";
}

/** The network and kind that parts of a line name, or that of the lines that it stands among; or what is wrong. */
function settled(parts: readonly Named[], under: Named | string): Whose | string {
  const operators = new Set(parts.map(({ operator }) => operator));
  if (operators.size > 1) return "names two networks";
  const kinds = parts.filter(({ family }) => family !== null);
  if (new Set(kinds.map(({ family }) => family)).size > 1) return "names two kinds of bundles";
  const [own] = parts;
  const isUnder = typeof under !== "string" && (!own || own.operator === under.operator);
  const whose = kinds.at(-1) ?? (isUnder ? under : own);
  if (whose === undefined) return under as string;
  if (whose.family === null) return `names no kind: write ${kindsToWrite(whose.operator)}`;
  return { ...whose, family: whose.family, name: (own?.family === null && own.name) || whose.name };
}

/** A line in the columns of its headings. */
function readCells(above: Above, { has, text, unit }: Cells): NewBundle | string {
  const typed = text("size");
  const found = sizeIn(/^[\d.,]+$/.test(typed) ? `${typed}${unit}` : typed);
  if (typeof found === "string") return found;
  if (found.behind !== "") return "has something besides its size";
  const columns = (["network", "kind"] as const).map(text).filter(Boolean).join(" ");
  const parts = [columns, found.before].filter(Boolean).map(whoseIn);
  const wrong = parts.find((part) => typeof part === "string");
  if (wrong) return wrong as string;
  const named = parts as Named[];
  if (has("network") && named.length === 0 && above.hasNamed) return "names no network";
  above.hasNamed ||= named.length > 0;
  const whose = settled(named, above.under);
  if (typeof whose === "string") return whose;
  const [costPesewas, pricePesewas] = (["cost", "price"] as const).map((kind) =>
    writtenCedis(text(kind), above.decimals),
  );
  if (!pricePesewas || pricePesewas <= 0 || (text("cost") && (!costPesewas || costPesewas <= 0)))
    return "has something that is no price";
  const name = has("name") && text("name") ? text("name").slice(0, 80) : whose.name;
  return { ...whose, name, size: found.size, costPesewas: costPesewas ?? undefined, pricePesewas };
}

/** A line of words and amounts. */
function readLine(line: string, { under, table }: Above): NewBundle | string {
  const plain = line.includes('"') ? cellsOf(line, line.includes(";") ? ";" : ",")[0]!.join("\t") : line;
  const found = sizeIn(plain);
  if (typeof found === "string") return found;
  const behind = amountsIn(found.behind);
  const whose = whoseOn(found.before, typeof behind === "string" ? [] : behind.besides, under);
  if (typeof whose === "string") return whose;
  if (typeof behind === "string") return behind;
  const { amounts } = behind;
  const bundle = { ...whose, size: found.size };
  if (table && table !== "unclear") {
    const by = amountsBelow(table, behind);
    return by
      ? { ...bundle, costPesewas: by.cost, pricePesewas: by.price }
      : "has other amounts than its headings name";
  }
  const [first, second] = amounts;
  if (second === undefined) return { ...bundle, costPesewas: undefined, pricePesewas: first! };
  if (first! > second)
    return "has a cost above its price: swap them, or put the line “Network Size Cost Price” above the list";
  if (behind.maybeDays)
    return `has “${behind.maybeDays}”, which may be days: write “days” behind it, or both amounts with pesewas`;
  return { ...bundle, costPesewas: first!, pricePesewas: second };
}

/** Whose bundle it is by the words before its size, and those beside its amounts. */
function whoseOn(before: string, besides: readonly string[], under: Named | string): Whose | string {
  if (!namesAll(besides)) return "has something that is no price";
  const names = [withoutDays(before).trim(), ...besides].join(" ").trim();
  const named = names === "" ? null : whoseIn(names);
  return typeof named === "string" ? named : settled(named ? [named] : [], under);
}

type Sized = { size: string; before: string; behind: string };

/** The size in a text, with what stands around it; or what is wrong with it. */
function sizeIn(text: string): Sized | string {
  const size = SIZE.exec(text);
  const count = Number((size?.[1] ?? "0").replace(",", "."));
  if (!size || count === 0) return "has no size such as 1GB";
  const [before, behind] = [text.slice(0, size.index), text.slice(size.index + size[0].length)];
  // "1,500MB" may be one size or a number and another.
  if (/,\d{3}/.test(size[1]!) || (size[1]!.includes(",") && before.trim() === "" && behind.startsWith(",")))
    return `has the size “${size[0].slice(0, 20)}”, which may be two things: write it without the comma`;
  const unit = size[2]![0]!.toUpperCase();
  return { size: `${count}${unit}B`, before: before.replace(/[\s,;|]+$/, "").trim(), behind };
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
