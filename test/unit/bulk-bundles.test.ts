// Tests of the choice of bundles for a list: each line gets its own, and ambiguities are asked about once for the whole
// list.
import { describe, expect, test } from "bun:test";
import { assignBundles, type ListChoices, type Offer, offersFor } from "../../src/shared/lists/bulk-bundles.ts";
import { parseBulkLines } from "../../src/shared/lists/bulk-lines.ts";
import { withBundle } from "../../src/shared/lists/bulk-text.ts";

const offer = (id: number, operator: Offer["operator"], name: string, gb: number): Offer => ({
  id,
  operator,
  family: operator === "AIRTELTIGO" ? (name === "AT iShare" ? "AT_ISHARE" : "AT_BIGTIME") : operator,
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
  expect(assigned("0241234567\n0241234568 5GB", { productId: null })).toEqual(["bulk.size_missing", "5GB MTN ×1"]);
});

describe("a figure", () => {
  const text = "0241234567 5\n0241234568,2\n0241234569,2 5\n0241234560";
  test("is a question until the list has an answer", () =>
    expect(assigned(text)).toEqual(["bulk.figure_unclear", "2GB MTN ×2", "bulk.figure_unclear", "2GB MTN ×1"]));
  test("is a size, a quantity, or ignored, for all lines alike", () => {
    expect(assigned(text, { figures: "size" })).toEqual(["5GB MTN ×1", "2GB MTN ×2", "5GB MTN ×2", "2GB MTN ×1"]);
    expect(assigned(text, { figures: "quantity" })).toEqual([
      "2GB MTN ×5",
      "2GB MTN ×2",
      "bulk.line_unclear",
      "2GB MTN ×1",
    ]);
    expect(assigned(text, { figures: "nothing" })).toEqual(["2GB MTN ×1", "2GB MTN ×2", "2GB MTN ×2", "2GB MTN ×1"]);
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

describe("a list without a network of its own", () => {
  const mixed: Partial<ListChoices> = { operator: null, productId: null };
  test("reads each number's network from its prefix, and its size among that network's bundles", () =>
    expect(assigned("0241234567 2GB\n0201234567 5GB\n0271234567 15GB BigTime\n0241234567 15GB", mixed)).toEqual([
      "2GB MTN ×1",
      "5GB TELECEL ×1",
      "15GB AIRTELTIGO ×1",
      "bulk.size_not_sold",
    ]));
  test("takes a ported number's network from its line", () =>
    expect(assigned("0201234567 5GB MTN", mixed)).toEqual(["5GB MTN ×1"]));
  test("guesses neither an unassigned prefix's network, nor a missing size", () =>
    expect(assigned("0211234567 5GB\n0241234567\n0241234567,5", mixed)).toEqual([
      "bulk.network_missing",
      "bulk.size_missing",
      "bulk.size_missing",
    ]));
  test("still asks what a figure means", () => {
    expect(assigned("0241234567 5\n0201234567 5", mixed)).toEqual(["bulk.figure_unclear", "bulk.figure_unclear"]);
    expect(assigned("0241234567 5\n0201234567 5", { ...mixed, figures: "size" })).toEqual([
      "5GB MTN ×1",
      "5GB TELECEL ×1",
    ]);
  });
});

describe("a bundle chosen for a line", () => {
  const mixed: ListChoices = { operator: null, productId: null, figures: null, otherNetworks: null };
  const chosen = (text: string, id: number, figures: ListChoices["figures"] = null) =>
    withBundle(text, offers.find((of) => of.id === id)!, figures);

  test("is written into it, and read from it again", () => {
    for (const { id } of offers)
      for (const text of ["0241234567", "Kofi 024 123 4567 7gb AT", "0271234567,3", "2 x 0201234567 1GB mtn"]) {
        const [line] = assignBundles(parseBulkLines(chosen(text, id)), offers, mixed);
        const [before] = parseBulkLines(text);
        expect([line!.offer?.id, line!.problem, line!.quantity, line!.msisdn]).toEqual([
          id,
          null,
          before!.quantity,
          before!.msisdn,
        ]);
      }
  });
  test("keeps the name before the number, and a figure that counts bundles", () => {
    expect(chosen("1. Kofi Mensah 0241234567 7gb", 2)).toBe("Kofi Mensah 0241234567 5GB MTN");
    expect(chosen("0241234567 3", 2, "quantity")).toBe("0241234567,3 5GB MTN");
    expect(chosen("0241234567 3", 2, "size")).toBe("0241234567 5GB MTN");
  });
  test("changes no line that is not one number, and hides neither a wrong quantity nor an open question", () => {
    const long = `0241234567 ${"x".repeat(2_000)}`;
    for (const text of ["hello", "12345", "0241234567, 0201234567", "0241234567,400", "0241234567 3", long])
      expect(chosen(text, 2)).toBe(text);
  });
  test("is one of its network's, or of any while its network is unknown", () => {
    const idsFor = (text: string) => offersFor(parseBulkLines(text)[0]!, offers, mixed).map(({ id }) => id);
    expect([idsFor("0241234567"), idsFor("0241234567 AT"), idsFor("0211234567")]).toEqual([
      [1, 2],
      [4, 5],
      [1, 2, 3, 4, 5],
    ]);
  });
});

test("of two families with the size the chosen package's counts; otherwise nothing is guessed", () => {
  const at: Partial<ListChoices> = { operator: "AIRTELTIGO" };
  expect(assigned("0271234567 15GB", { ...at, productId: 5 })).toEqual(["15GB AIRTELTIGO ×1"]);
  expect(assigned("0271234567 15GB", { ...at, productId: null })).toEqual(["bulk.bundle_unclear"]);
  for (const named of ["15GB BigTime", "15GB AT Big Time", "at bigtime 15gb", "15GB AT ishare"])
    expect(
      assignBundles(parseBulkLines(`0271234567 ${named}`), offers, {
        ...{ operator: null, productId: null, figures: null, otherNetworks: null },
      })[0]!.offer?.id,
    ).toBe(named.endsWith("ishare") ? 4 : 5);
});
