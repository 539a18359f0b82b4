// The price file: the table of prices as CSV, and a changed file read back cell by cell. A cell that is not a price is
// named by its row and column, and never read as something else.

import type { WantedPrice } from "../../core/catalog/price-quotes.ts";
import { type PricedProduct, type PriceTable, STANDARD_TIER_ID } from "../../core/catalog/price-table.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { decimal, parseCedis } from "../../shared/money.ts";
import { familyName, familyOf, operatorName } from "../../shared/operators.ts";
import { cellsOf } from "./csv-cells.ts";

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
  /** What cannot be read: "Row 3, Gold: “4,5” is not a price". */
  problems: string[];
};

/**
 * Reads a changed file: the first column is the product, columns named like a tier have prices, others are left alone.
 * Throws request.invalid about "file" when it is no such file or too long.
 */
export function readPriceFile(text: string, table: PriceTable): PriceFile {
  if (text.length > FILE_CHARS_MAX) throw invalid("This file is too large for a price file.");
  const [heading, ...rows] = cellsOf(text);
  const tierAt = columnsOf(heading ?? [], table);
  if (rows.length > ROWS_MAX)
    throw invalid(`A price file has at most ${ROWS_MAX.toLocaleString("en")} rows.`);
  const products = new Map(table.products.map((product) => [product.id, product]));
  const read: PriceFile = { wanted: [], problems: [] };
  const seen = new Set<number>();
  for (const [index, cells] of rows.entries()) {
    const row = `Row ${index + 2}`;
    const id = /^\s*\d{1,15}\s*$/.test(cells[0] ?? "") ? Number(cells[0]) : null;
    const product = id === null ? undefined : products.get(id);
    if (!product) {
      const named = [cells[0], cells[1], cells[3]].filter(Boolean).join(" ").slice(0, 60);
      read.problems.push(`${row}: ${named || "a row without a product"} is not on sale`);
    } else if (seen.has(product.id)) read.problems.push(`${row}: product ${product.id} is in the file twice`);
    else readRow(row, product, cells, tierAt, read);
    if (product) seen.add(product.id);
    if (read.problems.length > PROBLEMS_MAX) throw invalid("Too many cells of this file cannot be read.");
  }
  return read;
}

type TierColumn = { at: number; id: number; name: string };

function readRow(
  row: string,
  product: PricedProduct,
  cells: string[],
  tiers: TierColumn[],
  { wanted, problems }: PriceFile,
): void {
  for (const { at, id, name } of tiers) {
    const typed = (cells[at] ?? "").trim();
    const price = typed === "" ? null : parseCedis(typed);
    if (typed !== "" && (price === null || price <= 0))
      problems.push(`${row}, ${name}: “${typed.slice(0, 30)}” is not a price`);
    else if (price === null && id === STANDARD_TIER_ID)
      problems.push(`${row}, ${name}: every product needs one`);
    else if (price !== (product.own.get(id) ?? null))
      wanted.push({
        ...{ productId: product.id, tierId: id, pricePesewas: price },
        wasPesewas: product.own.get(id) ?? null,
      });
  }
}

/** The columns with prices. Throws request.invalid for a file without any, or with one twice. */
function columnsOf(heading: string[], { tiers }: PriceTable): TierColumn[] {
  const known = new Map(tiers.map((tier) => [tier.name.toLowerCase(), tier]));
  const columns = heading.flatMap((cell, at) => {
    const tier = at < DESCRIBING.length ? undefined : known.get(cell.trim().toLowerCase());
    return tier ? [{ at, ...tier }] : [];
  });
  const strange = heading
    .slice(DESCRIBING.length)
    .find((cell) => cell.trim() && !known.has(cell.trim().toLowerCase()));
  if (strange !== undefined) throw invalid(`There is no tier called “${strange.trim().slice(0, 30)}”.`);
  if (heading[0]?.trim().toLowerCase() !== "product" || columns.length === 0)
    throw invalid("This is not a price file: download one, change its prices, and choose it again.");
  if (new Set(columns.map(({ id }) => id)).size < columns.length)
    throw invalid("A tier is in this file twice.");
  return columns;
}

function invalid(message: string): AppError {
  return new AppError("request.invalid", { fields: { file: message } }, message);
}
