// Prices and costs out of spreadsheets: forms of amounts, columns in any order, and rows that contradict themselves.
import { describe, expect, test } from "bun:test";
import "../support/operators.ts";
import type { PricedProduct, PriceTable } from "../../src/core/catalog/price-table.ts";
import { readCostFile } from "../../src/web/upload/cost-file.ts";
import { readPriceFile } from "../../src/web/upload/price-file.ts";

const product = (id: number, size: string): PricedProduct => ({
  ...{ id, line: "bundle", operator: "MTN", family: null, name: `MTN ${size}`, size, costPesewas: 370 },
  ...{ lowestPricePesewas: null, belowCostReason: null, isNotYet: false, own: new Map([[1, 390]]) },
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

const refusalOf = (read: () => unknown) => {
  try {
    return { read: read() };
  } catch (error) {
    return (error as Error).message;
  }
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
  test("that holds a second table, or a title between its rows, is refused, and names the row", () => {
    for (const second of [
      ...["Product,Gold", "Item,Gold", ",Gold", "Gold prices,", "Old prices,", "ID,Silver", "Gold,", "Product,Price"],
    ]) {
      const refused = refusalOf(() => pricesIn("Product,Standard", "12,4.20", "", second, "13,8"));
      expect([second, refused]).toEqual([
        second,
        expect.stringMatching(/^Row 4 \(“.*”\) begins another table: choose/),
      ]);
    }
    expect(pricesIn("Product,Standard", "12,4.20", "Product,Standard", "13,8", "Total,12.20")).toEqual({
      prices: [
        [12, 1, 420],
        [13, 1, 800],
      ],
      problems: ["Row 5: Total is not on sale"],
    });
    expect(pricesIn("Product,Standard", "MTN,", "12,4.20", "New from May,").prices).toEqual([[12, 1, 420]]);
  });
  test("whose heading has another unit than cedis is refused, and names the column", () => {
    for (const heading of [
      "Standard %",
      "Standard ($)",
      "Standard USD",
      "Standard (pesewas)",
      "Standard €",
      "Standard+",
    ])
      expect([heading, refusalOf(() => pricesIn(`Product,${heading}`, "12,4.20"))]).toEqual([
        heading,
        `“${heading}” is no column of cedis: call it Standard, and give its amounts in GH₵.`,
      ]);
    for (const heading of ["Standard (GH₵)", "STANDARD", "Standard in GHS", "Standard, cedis", "Standard:"])
      expect([heading, pricesIn(`Product,"${heading}"`, "12,4.20").prices]).toEqual([heading, [[12, 1, 420]]]);
    expect(refusalOf(() => pricesIn("Product,Price USD", "12,4.20"))).toBe("There is no group called “Price USD”.");
  });
  test("below a title with another currency is refused", () => {
    for (const title of ["Prices in US dollars", "All in USD", "(in pesewas)", "May, $"])
      expect([title, refusalOf(() => pricesIn(`"${title}"`, "", "Product,Standard", "12,4.20"))]).toEqual([
        title,
        "Row 1 names another currency: give all amounts in GH₵.",
      ]);
    expect(pricesIn("Prices of May in GH₵", "Product,Standard", "12,4.20").prices).toEqual([[12, 1, 420]]);
  });
  test("names its products as spreadsheets do", () => {
    for (const typed of ["12", "012", "12.0", " 12 "])
      expect([typed, pricesIn("Product,Standard", `${typed},4.20`).prices]).toEqual([typed, [[12, 1, 420]]]);
    for (const typed of ["12.5", "1.2E+1", "1,2", "#12"])
      expect([typed, pricesIn("Product;Standard", `${typed};4.20`).prices]).toEqual([typed, []]);
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
  test("with a second table or another unit is refused, and says where", () => {
    for (const second of ["Item,Vendor,Cost", "Old costs,,", "Product,Cost,Supplier"]) {
      const refused = refusalOf(() => costsIn("Product,Supplier,Cost", "12,desk,4.00", second, "13,desk,8"));
      expect([second, refused]).toEqual([second, expect.stringMatching(/^Row 3 \(“.*”\) begins another table/)]);
    }
    for (const heading of ["Cost ($)", "Cost %", "Cost USD", "Cost (pesewas)", "Cost per GB", "Cost €"])
      expect([heading, refusalOf(() => costsIn(`Product,Supplier,${heading}`, "12,desk,4.00"))]).toEqual([
        heading,
        `“${heading}” is no column of cedis: call it Cost, and give its amounts in GH₵.`,
      ]);
    for (const heading of ["Cost code", "Cost excl VAT", "Costs of May"])
      expect([heading, refusalOf(() => costsIn(`Product,Supplier,${heading}`, "12,desk,4.00"))]).toEqual([
        heading,
        expect.stringMatching(/^These are no costs/),
      ]);
    expect(costsIn("Product No,Supplier code,Cost in GHS", "12.0,desk,4.00").costs).toEqual([[12, "desk", 400]]);
  });
  test("with a column that may change what a cost means is refused, and names it", () => {
    for (const heading of ["Qty", "Currency", "Pack of", "Discount", "VAT", "Cost ($)", "Whatever"])
      expect([heading, refusalOf(() => costsIn(`Product,Supplier,Cost,${heading}`, "12,desk,37,10"))]).toEqual([
        heading,
        `“${heading}” may change what a cost means: leave that column out.`,
      ]);
    expect(costsIn("Product,Size,Supplier,Cost", "12,2GB,desk,4").problems).toEqual([
      "Row 2: product 12 is MTN 1GB, and its size is 1GB, not 2GB",
    ]);
    expect(costsIn("Product,Name,Size,Supplier,Cost,Price,Notes", "12,MTN 1GB,1GB,desk,4,5,new").costs).toEqual([
      [12, "desk", 400],
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
