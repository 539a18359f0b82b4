// Tests of the choice of bundles for a list: each line gets its own, and ambiguities are asked about once for the whole
// list.
import { describe, expect, test } from "bun:test";
import { assignBundles, type ListChoices, type Offer } from "../../src/shared/bulk-bundles.ts";
import { parseBulkLines } from "../../src/shared/bulk-lines.ts";

const offer = (id: number, operator: Offer["operator"], name: string, gb: number): Offer => ({
  id,
  operator,
  name,
  size: `${gb}GB`,
  sizeMb: gb * 1000,
  pricePesewas: gb * 400,
});
const offers = [
  offer(1, "MTN", "MTN UP2U", 2),
  offer(2, "MTN", "MTN UP2U", 5),
  offer(3, "TELECEL", "Telecel 5959", 5),
  offer(4, "AIRTELTIGO", "AT iShare", 15),
  offer(5, "AIRTELTIGO", "AT Big Time", 15),
];
/** "5GB MTN ×2" for each line, or its problem. */
const assigned = (text: string, choices: Partial<ListChoices> = {}) =>
  assignBundles(parseBulkLines(text), offers, {
    operator: "MTN",
    productId: 1,
    figures: null,
    otherNetworks: null,
    ...choices,
  }).map(({ offer: of, quantity, problem }) => problem ?? `${of!.size} ${of!.operator} ×${quantity}`);

test("a line without a size gets the chosen package, one with a size the bundle of that size", () => {
  expect(assigned("0241234567\n0241234568 5GB\n0241234569 5gb x2\n0241234560 7GB")).toEqual([
    "2GB MTN ×1",
    "5GB MTN ×1",
    "5GB MTN ×2",
    "bulk.size_not_sold",
  ]);
});

test("without a chosen package every line has to name its size", () => {
  expect(assigned("0241234567\n0241234568 5GB", { productId: null })).toEqual([
    "bulk.size_missing",
    "5GB MTN ×1",
  ]);
});

describe("a figure", () => {
  const text = "0241234567 5\n0241234568,2\n0241234569,2 5\n0241234560";
  test("is a question until the list has an answer", () =>
    expect(assigned(text)).toEqual([
      "bulk.figure_unclear",
      "2GB MTN ×2",
      "bulk.figure_unclear",
      "2GB MTN ×1",
    ]));
  test("is a size, a quantity, or ignored, for all lines alike", () => {
    expect(assigned(text, { figures: "size" })).toEqual([
      "5GB MTN ×1",
      "2GB MTN ×2",
      "5GB MTN ×2",
      "2GB MTN ×1",
    ]);
    expect(assigned(text, { figures: "quantity" })).toEqual([
      "2GB MTN ×5",
      "2GB MTN ×2",
      "bulk.line_unclear",
      "2GB MTN ×1",
    ]);
    expect(assigned(text, { figures: "nothing" })).toEqual([
      "2GB MTN ×1",
      "2GB MTN ×2",
      "2GB MTN ×2",
      "2GB MTN ×1",
    ]);
  });
  test("beside a size is no second size", () =>
    expect(assigned("0241234567 5GB 2\n0241234568 5GB 5", { figures: "size" })).toEqual([
      "bulk.line_unclear",
      "5GB MTN ×1",
    ]));
  test("that cannot be a quantity has to be fixed", () =>
    expect(assigned("0241234567 1.5\n0241234568 500", { figures: "quantity" })).toEqual([
      "order.quantity_invalid",
      "order.quantity_invalid",
    ]));
});

describe("a number with another network's prefix", () => {
  const text = "0201234567 5GB\n0241234567 5GB\n0211234567 5GB";
  test("is a question until the list says whether it was ported", () =>
    expect(assigned(text)).toEqual(["bulk.network_unconfirmed", "5GB MTN ×1", "5GB MTN ×1"]));
  test("gets its own network's bundle, or the list's", () => {
    expect(assigned(text, { otherNetworks: "own" })[0]).toBe("5GB TELECEL ×1");
    expect(assigned(text, { otherNetworks: "moved" })[0]).toBe("5GB MTN ×1");
  });
  test("is no question when the line names its network", () =>
    expect(assigned("0241234567 5GB Telecel\n0201234567 5GB MTN")).toEqual(["5GB TELECEL ×1", "5GB MTN ×1"]));
});

test("of two families with the size the chosen package's counts; otherwise nothing is guessed", () => {
  const at: Partial<ListChoices> = { operator: "AIRTELTIGO" };
  expect(assigned("0271234567 15GB", { ...at, productId: 5 })).toEqual(["15GB AIRTELTIGO ×1"]);
  expect(assigned("0271234567 15GB", { ...at, productId: null })).toEqual(["bulk.bundle_unclear"]);
});
