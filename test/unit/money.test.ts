// Tests of money: text and numbers are converted to whole pesewas and back without loss.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decimalMarkIn, writtenCedis } from "../../src/shared/lists/written-amounts.ts";
import {
  brief,
  decimal,
  MAX_AMOUNT_PESEWAS,
  parseCedis,
  plain,
  readCedis,
  show,
  toCedis,
} from "../../src/shared/money.ts";
import { longTest } from "../support/long.ts";

const pesewas = fc.integer({ min: -MAX_AMOUNT_PESEWAS, max: MAX_AMOUNT_PESEWAS });
const positive = fc.integer({ min: 0, max: MAX_AMOUNT_PESEWAS });

describe("any amount", () => {
  for (const [format, write] of Object.entries({
    "a bare decimal": decimal,
    "a number on the wire": toCedis,
    "a number that went through JSON": (amount: number) => JSON.parse(JSON.stringify(toCedis(amount))) as number,
  })) {
    test(`is unchanged after being written as ${format} and read again`, () => {
      fc.assert(
        fc.property(pesewas, (amount) => parseCedis(write(amount)) === amount),
        { numRuns: 2000 },
      );
    });
  }

  test("is unchanged after being shown to people, on the web and on a phone, and read again", () => {
    fc.assert(
      fc.property(positive, (amount) => parseCedis(show(amount)) === amount && parseCedis(plain(amount)) === amount),
      { numRuns: 2000 },
    );
  });

  test("is shown with exactly two decimals", () => {
    fc.assert(fc.property(pesewas, (amount) => /^−?GH₵ \d{1,3}(,\d{3})*\.\d\d$/.test(show(amount))));
    fc.assert(fc.property(pesewas, (amount) => /^-?GHS \d+\.\d\d$/.test(plain(amount))));
  });
});

test("amounts are read in the notations of people and of JSON", () => {
  for (const [input, expected] of [
    ["3.9", 390],
    ["3.90", 390],
    ["GH₵ 3.90", 390],
    ["GH₵3.90", 390],
    ["ghs 3.90", 390],
    ["₵210", 21_000],
    [" 1,250.00 ", 125_000],
    ["1,234,567.89", 123_456_789],
    ["007", 700],
    ["-5.00", -500],
    ["-0.00", 0],
    ["10000000", MAX_AMOUNT_PESEWAS],
    // 4.35 * 100 is 434.99999999999994 in floating point, and 1.005 is not an amount at all.
    [4.35, 435],
    [1.1, 110],
    [0.07, 7],
    [8.2, 820],
    [1.15, 115],
    [0.29, 29],
    [-0, 0],
    [9_999_999.99, 999_999_999],
  ] as const) {
    expect([input, parseCedis(input)]).toEqual([input, expected]);
  }
});

test("amounts are read in the notations of other programs, and only floating-point noise is rounded", () => {
  for (const [input, expected] of [
    ["1,207.46", 120_746],
    ["GHS 5.0000", 500],
    ["GHS 5.1200", 512],
    ["GHS 5.0050", null],
    ["KES 5.0000", null],
    [1207.4599999999998, 120_746],
    [0.30000000000000004, 30],
    [20.5, 2050],
    [20.505, null],
    [Number.NaN, null],
    [1e12, null],
    [null, null],
    [undefined, null],
    [{ pesewas: 5 }, null],
  ] as const) {
    expect([input, readCedis(input)]).toEqual([input, expected]);
  }
});

test("zero has no sign, in any notation", () => {
  expect([show(0), plain(0), decimal(0)]).toEqual(["GH₵ 0.00", "GHS 0.00", "0.00"]);
});

test("a text that is no amount with at most two decimals is refused", () => {
  for (const input of [
    "",
    " ",
    ".",
    "5.",
    ".5",
    "1GHS2",
    "1 GH₵ 2.00",
    "3.999",
    "1e3",
    "1,00",
    "1,2345",
    "12,34.00",
    "0x10",
    "Infinity",
    "--5",
    "+5",
    "5 5",
    "GH₵",
    "3.90 GH₵",
    "١٢",
    "5\u0000",
    "5;drop",
    "10000000.01",
    "99999999999",
    1.005,
    3.999,
    1e21,
    1e-7,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.MAX_SAFE_INTEGER,
    0.1 + 0.2,
  ]) {
    expect([input, parseCedis(input)]).toEqual([input, null]);
  }
});

longTest("reading never throws, and gives only whole pesewas within the limit", () => {
  const isFine = (read: number | null) =>
    read === null || (Number.isInteger(read) && Math.abs(read) <= MAX_AMOUNT_PESEWAS && !Object.is(read, -0));
  fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" })), (text) => isFine(parseCedis(text))));
  fc.assert(fc.property(fc.double(), (number) => isFine(parseCedis(number))));
});

test("a negative amount begins with its sign, for people and for spreadsheets", () => {
  expect([show(-1250), plain(-1250), decimal(-1250), toCedis(-1250)]).toEqual([
    "−GH₵ 12.50",
    "-GHS 12.50",
    "-12.50",
    -12.5,
  ]);
  expect([show(0), show(5), show(125_000)]).toEqual(["GH₵ 0.00", "GH₵ 0.05", "GH₵ 1,250.00"]);
});

test("an amount on a chart is rounded to a few characters", () => {
  const amounts = [0, 49, 390, 355_640, 999_949, 999_950, 4_149_900, 99_949_900, 99_950_000, 123_456_789];
  expect(amounts.map(brief)).toEqual([..."0 0 4 3,556 9,999 10k 41k 999k 1M 1.2M".split(" ")]);
});

describe("an amount of a spreadsheet", () => {
  test("is read in the forms of any country, with its sign", () => {
    for (const [typed, mark, pesewas] of [
      ["1.234,50", null, 123_450],
      ["1'234.50", null, 123_450],
      ["4,29", null, 429],
      ["4.29 GHS", null, 429],
      ["4.2900000000000009", null, 429],
      ["(50.00)", null, -5_000],
      ["50.00-", null, -5_000],
      ["GHS −50", null, -5_000],
      ["1.234", ",", 123_400],
      ["1,234", ".", 123_400],
    ] as const)
      expect([typed, writtenCedis(typed, mark)]).toEqual([typed, pesewas]);
  });
  test("that could be two amounts is none", () => {
    for (const [typed, mark] of [
      ["1.234", null],
      ["1.234", "."],
      ["1,234", ","],
      ["1,234", "both"],
      ["4.290", null],
      ["0,500", null],
      ["-(5)", null],
      ["5 USD", null],
    ] as const)
      expect([typed, writtenCedis(typed, mark)]).toEqual([typed, null]);
    expect(parseCedis("0,500")).toBeNull();
  });
  test("has the mark before pesewas of its column", () => {
    expect([["4,29", "1.234,50"], ["4.29"], ["4,29", "4.29"], ["1,234", "5"]].map(decimalMarkIn)).toEqual([
      ",",
      ".",
      "both",
      null,
    ]);
  });
});
