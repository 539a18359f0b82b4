// The price file: the table of prices as CSV, and a changed file read back cell by cell. A cell that is not a price is
// named by its row and column, and never read as something else.

import type { WantedPrice } from "../../core/catalog/price-quotes.ts";
import { type PricedProduct, type PriceTable, STANDARD_TIER_ID } from "../../core/catalog/price-table.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { type DecimalMark, decimalMarkIn, writtenCedis } from "../../shared/lists/written-amounts.ts";
import { decimal } from "../../shared/money.ts";
import { familyName, familyOf, lettersAndDigits, operatorName } from "../../shared/operators.ts";
import {
  headingName,
  isTooWide,
  NO_TABLE,
  otherUnit,
  productIn,
  splitBelow,
  type TableRow,
  TOO_WIDE,
  tableBelow,
} from "./csv-cells.ts";

const FILE_CHARS_MAX = 400_000;
const ROWS_MAX = 1000;
const PROBLEMS_MAX = 100;
/** Columns that only say what a row is about. */
const DESCRIBING = ["Product", "Network", "Kind", "Name", "Size", "Cost"];

/** The rows of the file: a heading, and each product with its price in each tier; empty where a tier has none. */
export function priceRows({ tiers, products }: PriceTable): (string | number | null)[][] {
  const heading = [...DESCRIBING, ...tiers.map(({ name }) => name)];
  return [
    heading,
    ...products.map((product) => [
      ...[product.id, operatorName(product.operator), kindOf(product), product.name, product.size],
      product.costPesewas === null ? null : decimal(product.costPesewas),
      ...tiers.map(({ id }) => (product.own.has(id) ? decimal(product.own.get(id)!) : null)),
    ]),
  ];
}

/** The name of a product's kind, for a column or a filter. */
function kindOf(product: PricedProduct): string {
  return product.line === "afa" ? "AFA registration" : familyName(familyOf(product));
}

export type PriceFile = {
  wanted: WantedPrice[];
  /** What cannot be read: "Row 3, Gold: “x” is not a price". */
  problems: string[];
};

/**
 * Reads a changed file: columns named like a tier have prices, that called Product says whose. What the other columns
 * say about a product has to be true. Throws request.invalid about "file" when it is no such file or too long.
 */
export function readPriceFile(text: string, table: PriceTable): PriceFile {
  if (text.length > FILE_CHARS_MAX) throw invalid("This file is too large for a price file.");
  const { heading, rows, otherCurrency } = tableBelow(text, "product") ?? NO_TABLE;
  const columns = columnsOf(heading, table);
  refuse(otherCurrency);
  if (rows.length > ROWS_MAX) throw invalid(`A price file has at most ${ROWS_MAX.toLocaleString("en")} rows.`);
  const names = [...DESCRIBING, ...table.tiers.map(({ name }) => name)];
  refuse(splitBelow(rows, { about: columns.described.get("product") ?? -1, amounts: columns.tiers.map(atOf), names }));
  const mark = decimalMarkIn(columns.tiers.flatMap(({ at }) => rows.map(({ cells }) => cells[at] ?? "")));
  const read: PriceFile = { wanted: [], problems: [] };
  const products = new Map(table.products.map((product) => [product.id, product]));
  const seen = new Map<number, TableRow>();
  for (const row of rows) {
    const text = (name: string) => (row.cells[columns.described.get(name) ?? -1] ?? "").trim();
    const fault = (problem: string) => read.problems.push(`Row ${row.number}: ${problem}`);
    const product = productNamed(products, text("product"));
    const another = product && seen.get(product.id);
    if (isTooWide(row.cells, heading)) fault(TOO_WIDE);
    else if (!product) fault(`${namedIn(text)} is not on sale`);
    else if (another) {
      fault(`product ${product.id} is in the file twice`);
      leaveOut(product, [another, row], columns.tiers, { mark, read });
    } else {
      seen.set(product.id, row);
      for (const problem of describedWrongly(product, text, mark)) fault(problem);
      if (strangeIn(product, text) === null) readRow(row, product, columns.tiers, { mark, read });
    }
    if (read.problems.length > PROBLEMS_MAX) throw invalid("Too many cells of this file cannot be read.");
  }
  return read;
}

const atOf = ({ at }: TierColumn) => at;

function refuse(problem: string | null): void {
  if (problem !== null) throw invalid(problem);
}

function productNamed(products: ReadonlyMap<number, PricedProduct>, typed: string): PricedProduct | undefined {
  const id = productIn(typed);
  return id === null ? undefined : products.get(id);
}

type Text = (name: string) => string;

const namedIn = (text: Text) =>
  ["product", "network", "name"].map(text).filter(Boolean).join(" ").slice(0, 60) || "a row without a product";

/** What a row says about its product that is not so; its cost is no reason to leave out its prices. */
function describedWrongly(product: PricedProduct, text: Text, mark: DecimalMark): string[] {
  const cost = writtenCedis(text("cost"), mark);
  const strange = strangeIn(product, text);
  const isOtherCost = cost !== null && cost !== product.costPesewas;
  return [
    ...(strange === null ? [] : [strange]),
    ...(isOtherCost ? ["its cost is changed under Costs, not here"] : []),
  ];
}

type TierColumn = { at: number; id: number; name: string };
type Reading = { mark: DecimalMark; read: PriceFile };

function readRow(
  { number, cells }: TableRow,
  product: PricedProduct,
  tiers: TierColumn[],
  { mark, read: { wanted, problems } }: Reading,
): void {
  for (const { at, id, name } of tiers) {
    const typed = (cells[at] ?? "").trim();
    const price = typed === "" ? null : writtenCedis(typed, mark);
    const wasPesewas = product.own.get(id) ?? null;
    if (typed !== "" && (price === null || price <= 0))
      problems.push(`Row ${number}, ${name}: “${typed.slice(0, 30)}” is not a price`);
    else if (price === null && id === STANDARD_TIER_ID)
      problems.push(`Row ${number}, ${name}: every product needs one`);
    else if (price !== wasPesewas) wanted.push({ productId: product.id, tierId: id, pricePesewas: price, wasPesewas });
  }
}

/** Of a product that is in the file twice, uses no price that the two rows disagree on. */
function leaveOut(
  product: PricedProduct,
  [one, other]: [TableRow, TableRow],
  tiers: TierColumn[],
  { mark, read }: Reading,
): void {
  const priceIn = ({ cells }: TableRow, at: number) => writtenCedis((cells[at] ?? "").trim(), mark);
  const unclear = tiers.filter(({ at }) => priceIn(one, at) !== priceIn(other, at)).map(({ id }) => id);
  read.wanted = read.wanted.filter(
    (price) => price.productId !== product.id || !("tierId" in price) || !unclear.includes(price.tierId),
  );
}

/** What a row says about another product than its own, as after sorting one column alone; null where nothing. */
function strangeIn(product: PricedProduct, text: Text): string | null {
  const facts = {
    network: operatorName(product.operator),
    kind: kindOf(product),
    name: product.name,
    size: product.size,
  };
  for (const [name, fact] of Object.entries(facts))
    if (text(name) !== "" && lettersAndDigits(text(name)) !== lettersAndDigits(fact))
      return `product ${product.id} is ${product.name}, and its ${name} is ${fact}, not ${text(name).slice(0, 30)}`;
  return null;
}

type Columns = { described: Map<string, number>; tiers: TierColumn[] };

/** Where everything is. Throws request.invalid for a file without prices, or with a column twice. */
function columnsOf(heading: string[], { tiers }: PriceTable): Columns {
  const known = new Map(tiers.map((tier) => [headingName(tier.name), tier]));
  const columns: Columns = { described: new Map(), tiers: [] };
  for (const [at, cell] of heading.entries()) {
    const name = headingName(cell);
    const tier = known.get(name);
    const describes = DESCRIBING.some((one) => one.toLowerCase() === name);
    if (describes && !columns.described.has(name)) columns.described.set(name, at);
    else if (tier) columns.tiers.push({ at, ...tier });
    else if (name !== "")
      throw invalid(
        otherUnit(
          cell,
          [...known.values()].map((one) => one.name),
        ) ?? `There is no group called “${cell.trim().slice(0, 30)}”.`,
      );
  }
  if (columns.tiers.length === 0)
    throw invalid("This is not a price file: download one, change its prices, and choose it again.");
  if (new Set(columns.tiers.map(({ id }) => id)).size < columns.tiers.length)
    throw invalid("A group is in this file twice.");
  return columns;
}

function invalid(message: string): AppError {
  return new AppError("request.invalid", { fields: { file: message } }, message);
}
