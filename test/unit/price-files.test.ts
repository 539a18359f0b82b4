// Prices and costs out of spreadsheets: forms of amounts, columns in any order, and rows that contradict themselves.
import { describe, expect, test } from "bun:test";
import type { PricedProduct, PriceTable } from "../../src/core/catalog/price-table.ts";
import { readCostFile } from "../../src/web/upload/cost-file.ts";
import { readPriceFile } from "../../src/web/upload/price-file.ts";

const product = (id: number, size: string): PricedProduct => ({
  ...{ id, line: "bundle", operator: "MTN", family: null, name: `MTN ${size}`, size, costPesewas: 370 },
  ...{ lowestPricePesewas: null, belowCostReason: null, own: new Map([[1, 390]]) },
});
const products = [product(12, "1GB"), product(13, "2GB")];
const tiers = [
  { id: 1, name: "Standard" },
  { id: 2, name: "Gold" },
] as PriceTable["tiers"];
const pricesIn = (...rows: string[]) => {
  const { wanted, problems } = readPriceFile(rows.join("\n"), { tiers, products });
  const prices = wanted.map((it) => "tierId" in it && [it.productId, it.tierId, it.pricePesewas]);
  return { prices, problems };
};
const costsIn = (...rows: string[]) => {
  const { wanted, problems } = readCostFile(rows.join("\n"), { products, known: [], vendors: [] }, "file");
  return { costs: wanted.map((it) => [it.productId, it.vendor, it.costPesewas]), problems };
};

/** What a spreadsheet makes of 4.29, and what is no amount of its column. */
const READ = ["4.29", '"4,29"', "4.2900000000000009", "4.29 GHS", "GH₵ 4.29", " 4.29 "];
const NOT_READ = ["#N/A", "#REF!", "=3+1", "x", "4.295", "(4.29)", "USD 4.29", "4.29E+0"];

describe("a price file", () => {
  test("is read in the forms of amounts that spreadsheets show; what is no price is named", () => {
    for (const cell of READ)
      expect([cell, pricesIn("Product,Standard", `12,${cell}`)]).toEqual([
        cell,
        { prices: [[12, 1, 429]], problems: [] },
      ]);
    for (const cell of NOT_READ)
      expect([cell, pricesIn("Product,Standard", `12,${cell}`)]).toEqual([
        cell,
        { prices: [], problems: [`Row 2, Standard: “${cell}” is not a price`] },
      ]);
    expect(pricesIn("Product;Standard;Gold", "12;4,29;1,250")).toEqual({
      prices: [[12, 1, 429]],
      problems: ["Row 2, Gold: “1,250” is not a price"],
    });
  });
  test("has its columns in any order below a title, and names rows by their number in the file", () => {
    expect(pricesIn("Prices of May", "", "Gold (GHS),Size,Standard,Product ID", "", "4.10,1GB,3.95,12")).toEqual({
      prices: [
        [12, 2, 410],
        [12, 1, 395],
      ],
      problems: [],
    });
    expect(pricesIn("Product,Standard", "", "99,1").problems).toEqual(["Row 3: 99 is not on sale"]);
  });
  test("does not change a product that a row describes as another, as after sorting one column alone", () => {
    expect(pricesIn("Product,Network,Name,Size,Standard", "12,MTN,MTN 1GB,2GB,8.00")).toEqual({
      prices: [],
      problems: ["Row 2: product 12 is MTN 1GB, and its size is 1GB, not 2GB"],
    });
  });
  test("says that it changes no costs", () => {
    expect(pricesIn("Product,Cost,Standard", "12,3.50,4.00", "13,3.70,8.00")).toEqual({
      prices: [
        [12, 1, 400],
        [13, 1, 800],
      ],
      problems: ["Row 2: its cost is changed under Costs, not here"],
    });
  });
  test("whose decimal commas split its cells, or with two prices for one, changes nothing there", () => {
    expect(pricesIn("Product,Standard", "12,4,29")).toEqual({
      prices: [],
      problems: ["Row 2: there are more cells than headings: an amount with a comma needs quotes"],
    });
    expect(pricesIn("Product,Standard,Gold", "12,4.00,4.20", "12,4.00,4.50")).toEqual({
      prices: [[12, 1, 400]],
      problems: ["Row 3: product 12 is in the file twice"],
    });
  });
});

describe("a cost file", () => {
  test("is read in the forms of amounts that spreadsheets show; what is no cost is named", () => {
    for (const cell of READ)
      expect([cell, costsIn("Supplier;Cost (GH₵);Product", `desk;${cell};12`)]).toEqual([
        cell,
        { costs: [[12, "desk", 429]], problems: [] },
      ]);
    for (const cell of NOT_READ)
      expect([cell, costsIn("Product,Supplier,Cost", `12,desk,${cell}`)]).toEqual([
        cell,
        { costs: [], problems: [`Row 2: “${cell}” is not a cost`] },
      ]);
  });
  test("uses no row that contradicts itself or another", () => {
    expect(
      costsIn(
        "Product,Network,Bundle,Supplier,Cost",
        ...["12,MTN,MTN 2GB,desk,4.00", "13,,,desk,8.00", "13,,,desk,8.10", "13,,,desk,8,5", "12,,,desk,3.80"],
      ),
    ).toEqual({
      costs: [[12, "desk", 380]],
      problems: [
        "Row 2: product 12 is MTN 1GB, and its bundle is MTN 1GB, not MTN 2GB",
        "Row 4: product 13 at the desk is there twice with different costs: neither is used",
        "Row 5: there are more cells than headings: an amount with a comma needs quotes",
      ],
    });
  });
});
