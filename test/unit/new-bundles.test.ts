// Bundles as people type and paste them: network, size, cost and price, one on each line, and nothing guessed.
import { expect, test } from "bun:test";
import { readNewBundles } from "../../src/web/upload/new-bundles.ts";

const read = (text: string, operator: string | null = null) => readNewBundles(text, [], operator);
const brief = ({ bundles }: ReturnType<typeof read>) =>
  bundles.map(({ family, name, size, costPesewas, pricePesewas }) =>
    [family, name, size, costPesewas ?? "–", pricePesewas].join(" "),
  );

test.each([
  ["MTN 1GB 3.70 3.90", "MTN MTN 1GB 370 390"],
  ["mtn\t1gb\t3.70\t3.90", "MTN MTN 1GB 370 390"],
  ["MTN;1,5GB;5,70;5,90", "MTN MTN 1.5GB 570 590"],
  ["MTN, 500MB, GH₵ 2.00, GH₵ 2.20", "MTN MTN 500MB 200 220"],
  ["MTN,1GB,3.70,3.90", "MTN MTN 1GB 370 390"],
  ["MTN UP2U 2 GB = 8.40", "MTN MTN UP2U 2GB – 840"],
  ["AT Big Time 15GB 55 57.5", "AT_BIGTIME AT BigTime 15GB 5500 5750"],
  ["Vodafone 5GB 20", "TELECEL Telecel 5GB – 2000"],
])("%s", (line, wanted) => {
  expect([brief(read(line)), read(line).problems]).toEqual([[wanted], []]);
});

test("a heading and empty lines say nothing, and a line without a network is of the chosen one", () => {
  expect(brief(read("Network,Size,Cost,Price\n\n1GB 3.70 3.90", "MTN"))).toEqual(["MTN MTN 1GB 370 390"]);
});

test.each([
  ["1GB 3.90", "names no network"],
  ["Glo 1GB 3.90", "names no network that you sell"],
  ["MTN one GB 3.90", "has no size such as 1GB"],
  ["MTN 1TB 900", "has no size such as 1GB"],
  ["MTN 0GB 3.90", "has no size such as 1GB"],
  ["MTN 1GB", "has no price"],
  ["MTN 1GB soon", "has something that is no price"],
  ["MTN 1GB 3 4 5", "has something that is no price"],
  ["MTN 1GB 3.70 0", "has something that is no price"],
  ["MTN,1GB,4,5", "may have one amount or two: put a space or a tab between them"],
])("%s is a problem", (line, problem) => {
  expect(read(line)).toEqual({ bundles: [], problems: [`Line 1: ${line} ${problem}`] });
});

test("1.5GB is another size than 15GB", () => {
  expect(brief(read("MTN 1.50GB 5.90\nMTN 15GB 60"))).toEqual(["MTN MTN 1.5GB – 590", "MTN MTN 15GB – 6000"]);
});

test("a bundle comes once: neither twice in a list nor beside one that is on sale", () => {
  const onSale = [{ operator: "MTN", family: "MTN", size: "2GB" }] as never;
  const { bundles, problems } = readNewBundles("MTN 1GB 3.90\nMTN 1 GB 4.00\nMTN 2GB 8", onSale, null);
  expect(bundles.length).toBe(1);
  expect(problems).toEqual(["Line 2: MTN 1 GB 4.00 is in the list twice", "Line 3: MTN 2GB 8 is on sale already"]);
});

test("1000MB is the size 1GB, in a list and beside one that is on sale", () => {
  const onSale = [{ operator: "MTN", family: "MTN", size: "1500MB" }] as never;
  const { bundles, problems } = readNewBundles("MTN 1GB 3.90\nMTN 1000MB 4\nMTN 1.5GB 6", onSale, null);
  expect(bundles.length).toBe(1);
  expect(problems).toEqual(["Line 2: MTN 1000MB 4 is in the list twice", "Line 3: MTN 1.5GB 6 is on sale already"]);
});
