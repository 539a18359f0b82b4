// The cost file: a row for each product and each vendor that serves it, and a changed file, or pasted rows, read back.
// What is not a cost of a product on sale is named by its row, and never read as something else.
import type { KnownCost, WantedCost } from "../../core/catalog/costs.ts";
import { COSTS_MAX } from "../../core/catalog/costs.ts";
import type { PricedProduct } from "../../core/catalog/price-table.ts";
import { servingCodes } from "../../core/fulfilment/cost-vendors.ts";
import type { BundleVendor } from "../../core/fulfilment/vendor.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { decimal, parseCedis } from "../../shared/money.ts";
import { bundleName, operatorName } from "../../shared/operators.ts";
import { cellsOf } from "./csv-cells.ts";

const FILE_CHARS_MAX = 400_000;
const PROBLEMS_MAX = 100;
const HEADING = ["Product", "Network", "Bundle", "Vendor", "Cost"];

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
  /** What cannot be read: "Row 3: “4,5” is not a cost". */
  problems: string[];
};

/**
 * Reads a changed file, or pasted rows: columns called Product, Vendor and Cost, in any order; others are left alone,
 * and empty costs too. Throws request.invalid about `field` when it is no such table or too long.
 */
export function readCostFile(text: string, table: CostTable, field: "file" | "pasted"): CostFile {
  if (text.length > FILE_CHARS_MAX) throw invalid(field, "This is too large for a file of costs.");
  const [heading, ...rows] = cellsOf(text);
  const columns = columnsOf(heading ?? [], field);
  if (rows.length > COSTS_MAX)
    throw invalid(field, `At most ${COSTS_MAX.toLocaleString("en")} rows: keep those that change.`);
  const readRow = rowReader(table);
  const read: CostFile = { wanted: [], problems: [] };
  for (const [index, cells] of rows.entries()) {
    const [product, vendor, cost] = columns.map((at) => (cells[at] ?? "").trim());
    const row = readRow({ product: product!, vendor: vendor!, cost: cost! });
    if (row && "problem" in row) read.problems.push(`Row ${index + 2}: ${row.problem}`);
    else if (row) read.wanted.push(row);
    if (read.problems.length > PROBLEMS_MAX) throw invalid(field, "Too many of these rows cannot be read.");
  }
  return read;
}

type Cells = { product: string; vendor: string; cost: string };

/** Reads rows one after the other; null for one that changes nothing. */
function rowReader({ products, known, vendors }: CostTable) {
  const onSale = new Map(products.map((product) => [String(product.id), product]));
  const codes = new Map(vendors.flatMap(({ code, name }) => [code, name].map((of) => [lower(of), code])));
  const names = new Map(vendors.map(({ code, name }) => [code, name]));
  const costs = costsByPlace(known);
  const seen = new Set<string>();
  return (cells: Cells): WantedCost | { problem: string } | null => {
    const product = onSale.get(cells.product.replace(/^0+/, ""));
    if (!product) return { problem: `${shown(cells.product) || "a row without a product"} is not on sale` };
    const vendor = lower(cells.vendor) === "desk" ? "desk" : codes.get(lower(cells.vendor));
    if (!vendor) return { problem: `there is no vendor called “${shown(cells.vendor)}”` };
    const name = names.get(vendor) ?? "the desk";
    if (!servingCodes(vendors, product).includes(vendor))
      return { problem: `${name} does not sell ${bundleName(product)}` };
    const place = placeOf(product.id, vendor);
    if (seen.has(place)) return { problem: `product ${product.id} at ${name} is there twice` };
    seen.add(place);
    if (cells.cost === "") return null;
    const costPesewas = parseCedis(cells.cost);
    if (costPesewas === null || costPesewas < 0) return { problem: `“${shown(cells.cost)}” is not a cost` };
    const wasPesewas = costs.get(place) ?? null;
    return costPesewas === wasPesewas ? null : { productId: product.id, vendor, costPesewas, wasPesewas };
  };
}

const lower = (text: string) => text.toLowerCase();
const shown = (text: string) => text.slice(0, 30);

/** Where the product, the vendor and the cost are. Throws request.invalid where one is missing or there twice. */
function columnsOf(heading: string[], field: "file" | "pasted"): number[] {
  const names = heading.map((cell) => cell.trim().toLowerCase());
  return ["product", "vendor", "cost"].map((name) => {
    const at = names.indexOf(name);
    if (at < 0)
      throw invalid(
        field,
        "These are no costs: the first row has to name the columns Product, Vendor and Cost.",
      );
    if (names.indexOf(name, at + 1) >= 0) throw invalid(field, `The column ${heading[at]} is there twice.`);
    return at;
  });
}

function invalid(field: "file" | "pasted", message: string): AppError {
  return new AppError("request.invalid", { fields: { [field]: message } }, message);
}
