// The cost file: a row for each product and each vendor that serves it, and a changed file, or pasted rows, read back.
// What is not a cost of a product on sale is named by its row, and never read as something else.
import type { KnownCost, WantedCost } from "../../core/catalog/costs.ts";
import { COSTS_MAX } from "../../core/catalog/costs.ts";
import type { PricedProduct } from "../../core/catalog/price-table.ts";
import { servingCodes } from "../../core/fulfilment/cost-vendors.ts";
import type { BundleVendor } from "../../core/fulfilment/vendor.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { type DecimalMark, decimalMarkIn, writtenCedis } from "../../shared/lists/written-amounts.ts";
import { decimal } from "../../shared/money.ts";
import { bundleName, lettersAndDigits, operatorName } from "../../shared/operators.ts";
import {
  headingName,
  isTooWide,
  NO_TABLE,
  otherUnit,
  productIn,
  splitBelow,
  TOO_WIDE,
  tableBelow,
} from "./csv-cells.ts";

const FILE_CHARS_MAX = 400_000;
const PROBLEMS_MAX = 100;
const HEADING = ["Product", "Network", "Bundle", "Supplier", "Cost"];

export type CostTable = {
  products: readonly PricedProduct[];
  known: readonly KnownCost[];
  vendors: readonly Pick<BundleVendor, "code" | "name" | "can">[];
};

/** The rows of the file: a heading, and each product's cost at each vendor that serves it; empty while not known. */
export function costRows({ products, known, vendors }: CostTable): (string | number | null)[][] {
  const costs = costsByPlace(known);
  const rows = products.flatMap((product) =>
    servingCodes(vendors, product).map((vendor) => {
      const cost = costs.get(placeOf(product.id, vendor));
      const names = [operatorName(product.operator), nameIn(product), vendor];
      return [product.id, ...names, cost === undefined ? null : decimal(cost)];
    }),
  );
  return [HEADING, ...rows];
}

const costsByPlace = (known: readonly KnownCost[]) =>
  new Map(known.map(({ productId, vendor, costPesewas }) => [placeOf(productId, vendor), costPesewas]));

const placeOf = (productId: number, vendor: string) => `${productId} ${vendor}`;

/** What admins called it, with its size: "MTN Starter 1GB". */
function nameIn(product: PricedProduct): string {
  return product.line === "afa" || product.name.includes(product.size)
    ? product.name
    : `${product.name} ${product.size}`;
}

export type CostFile = {
  wanted: WantedCost[];
  /** What cannot be read: "Row 3: “x” is not a cost". */
  problems: string[];
};

/**
 * Reads a changed file, or pasted rows: columns called Product, Supplier (or Vendor) and Cost, in any order; empty
 * costs are left alone. Throws request.invalid about `field` when it is no such table or too long.
 */
export function readCostFile(text: string, table: CostTable, field: "file" | "pasted"): CostFile {
  if (text.length > FILE_CHARS_MAX) throw invalid(field, "This is too large for a file of costs.");
  const { heading, rows, otherCurrency } = tableBelow(text, "product") ?? NO_TABLE;
  const columns = columnsOf(heading, field);
  if (otherCurrency) throw invalid(field, otherCurrency);
  if (rows.length > COSTS_MAX)
    throw invalid(field, `At most ${COSTS_MAX.toLocaleString("en")} rows: keep those that change.`);
  const [about, cost] = [columns.get("product")!, columns.get("cost")!];
  const split = splitBelow(rows, { about, amounts: [cost], names: [...HEADING, "Vendor"] });
  if (split) throw invalid(field, split);
  const cellIn = (cells: string[], name: string) => (cells[columns.get(name) ?? -1] ?? "").trim();
  const mark = decimalMarkIn(rows.map(({ cells }) => cellIn(cells, "cost")));
  const read: CostFile = { wanted: [], problems: [] };
  const readRow = rowReader(table, mark);
  const keep = costKeeper(table, read);
  for (const { number, cells } of rows) {
    const row = isTooWide(cells, heading) ? TOO_WIDE : readRow((name) => cellIn(cells, name));
    const problem = typeof row === "string" ? row : keep(row);
    if (problem) read.problems.push(`Row ${number}: ${problem}`);
    if (read.problems.length > PROBLEMS_MAX) throw invalid(field, "Too many of these rows cannot be read.");
  }
  return read;
}

type RowCost = { product: PricedProduct; vendor: string; vendorName: string; costPesewas: number | null };

/** Reads one row after the other, each as a cost (null for an empty one) or the reason why it is none. */
function rowReader({ products, vendors }: CostTable, mark: DecimalMark) {
  const onSale = new Map(products.map((product) => [product.id, product]));
  const codes = new Map(vendors.flatMap(({ code, name }) => [code, name].map((of) => [lower(of), code])));
  const names = new Map(vendors.map(({ code, name }) => [code, name]));
  return (text: (name: string) => string): RowCost | string => {
    const product = onSale.get(productIn(text("product")) ?? -1);
    if (!product) return `${shown(text("product")) || "a row without a product"} is not on sale`;
    const strange = strangeIn(product, text);
    if (strange) return strange;
    const vendor = lower(text("supplier")) === "desk" ? "desk" : codes.get(lower(text("supplier")));
    if (!vendor) return `there is no supplier called “${shown(text("supplier"))}”`;
    const vendorName = names.get(vendor) ?? "the desk";
    if (!servingCodes(vendors, product).includes(vendor)) return `${vendorName} does not sell ${bundleName(product)}`;
    const costPesewas = text("cost") === "" ? null : writtenCedis(text("cost"), mark);
    if (text("cost") !== "" && (costPesewas === null || costPesewas < 0))
      return `“${shown(text("cost"))}” is not a cost`;
    return { product, vendor, vendorName, costPesewas };
  };
}

/** Takes in costs, each place once: of two that differ neither. Returns the reason for one that is there twice. */
function costKeeper({ known }: CostTable, read: CostFile) {
  const costs = costsByPlace(known);
  const seen = new Map<string, number | null>();
  return ({ product, vendor, vendorName, costPesewas }: RowCost): string | null => {
    const place = placeOf(product.id, vendor);
    const twice = `product ${product.id} at ${vendorName} is there twice`;
    if (seen.get(place) === costPesewas) return twice;
    if (seen.has(place)) {
      read.wanted = read.wanted.filter((one) => placeOf(one.productId, one.vendor) !== place);
      return `${twice} with different costs: neither is used`;
    }
    seen.set(place, costPesewas);
    const wasPesewas = costs.get(place) ?? null;
    if (costPesewas !== null && costPesewas !== wasPesewas)
      read.wanted.push({ productId: product.id, vendor, costPesewas, wasPesewas });
    return null;
  };
}

/** What a row says about its product that is not true, as after sorting one column alone; null where all is. */
function strangeIn(product: PricedProduct, text: (name: string) => string): string | null {
  const { name, size } = product;
  const facts = { network: operatorName(product.operator), bundle: nameIn(product), name, size };
  for (const [about, fact] of Object.entries(facts))
    if (text(about) !== "" && lettersAndDigits(text(about)) !== lettersAndDigits(fact))
      return `product ${product.id} is ${nameIn(product)}, and its ${about} is ${fact}, not ${shown(text(about))}`;
  return null;
}

const lower = (text: string) => text.toLowerCase();
const shown = (text: string) => text.slice(0, 30);

/** Columns that may stand beside the costs. */
const HARMLESS = new RegExp(
  "^(?:product|supplier|vendor|cost|network|operator|bundle|name|size|data|kind|type|category|validity|notes?" +
    "|remarks?|comments?|(?:selling |agent )?price|margin|profit|(?:last )?(?:date|updated|changed)|s n|old cost)$",
);

/** Where each known heading is. Throws request.invalid where a needed one is missing or one is there twice. */
function columnsOf(heading: string[], field: "file" | "pasted"): Map<string, number> {
  const columns = new Map<string, number>();
  for (const [at, cell] of heading.entries()) {
    const given = headingName(cell);
    const name = given === "vendor" ? "supplier" : given;
    if (columns.has(name) && HEADING.some((one) => one.toLowerCase() === name))
      throw invalid(field, `The column ${cell.trim()} is there twice.`);
    columns.set(name, at);
  }
  const other = columns.has("cost") ? undefined : heading.map((cell) => otherUnit(cell, ["Cost"])).find(Boolean);
  if (other) throw invalid(field, other);
  if (!["product", "supplier", "cost"].every((name) => columns.has(name)))
    throw invalid(field, "These are no costs: a row above them has to name the columns Product, Supplier and Cost.");
  const strange = heading.find((cell) => headingName(cell) !== "" && !HARMLESS.test(headingName(cell)));
  if (strange) throw invalid(field, `“${shown(strange.trim())}” may change what a cost means: leave that column out.`);
  return columns;
}

function invalid(field: "file" | "pasted", message: string): AppError {
  return new AppError("request.invalid", { fields: { [field]: message } }, message);
}
