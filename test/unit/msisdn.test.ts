// Tests of Ghanaian phone numbers: any notation is read, and one is stored.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { guessOperator } from "../../src/shared/operators.ts";
import { localMsisdn, parseMsisdn, spacedMsisdn } from "../../src/shared/phones/msisdn.ts";
import { processorMs } from "../support/processor.ts";

const nineDigits = fc
  .tuple(fc.constantFrom("2", "5"), fc.stringMatching(/^\d{8}$/))
  .map(([first, rest]) => first + rest);

const FORMS: ((nine: string) => string)[] = [
  (nine) => `0${nine}`,
  (nine) => nine,
  (nine) => `233${nine}`,
  (nine) => `+233${nine}`,
  (nine) => `00233${nine}`,
  (nine) => `+233 (0)${nine}`,
  (nine) => `+2330${nine}`,
  (nine) => `0${nine.slice(0, 2)} ${nine.slice(2, 5)} ${nine.slice(5)}`,
  (nine) => `0${nine.slice(0, 2)}-${nine.slice(2, 5)}-${nine.slice(5)}`,
  (nine) => ` +233 ${nine.slice(0, 2)}\u00a0${nine.slice(2)}\t`,
  // Invisible characters that a phone's address book adds around a copied number.
  (nine) => `\u202a+233${nine}\u202c`,
];

describe("a number", () => {
  test("is stored in one format, whatever the notation", () => {
    fc.assert(
      fc.property(nineDigits, fc.constantFrom(...FORMS), (nine, form) => {
        expect([form(nine), parseMsisdn(form(nine))]).toEqual([form(nine), `233${nine}`]);
      }),
      { numRuns: 500 },
    );
  });

  test("is shown as it is dialled, which can be read again", () => {
    fc.assert(
      fc.property(nineDigits, (nine) => {
        const stored = `233${nine}`;
        expect(localMsisdn(stored)).toBe(`0${nine}`);
        expect(parseMsisdn(localMsisdn(stored))).toBe(stored);
        expect(parseMsisdn(spacedMsisdn(stored))).toBe(stored);
      }),
    );
    expect(spacedMsisdn("233541234567")).toBe("054 123 4567");
  });

  test("of another country, of a landline or of the wrong length is refused", () => {
    for (const text of [
      "+2348012345678",
      "2348012345678",
      "+447700900123",
      "+22501234567",
      "+12025550123",
      "0302123456",
      "0141234567",
      "054123456",
      "05412345678",
      "54123456",
      "5412345678",
      "+233054123456",
      "00054123456",
      "+0541234567",
      "++233541234567",
      "233233541234567",
      "0233541234567",
      "",
      " ",
      "0",
      "abc",
      "05412E4567",
      "0541234567x1",
      "0541234567 Kofi",
      "0541234567; 2",
      "Kofi2 0541234567",
      "Kofi0541234567",
      "kofi.0541234567@example.com",
      "0541234567, 0241234567",
      "٠٥٤١٢٣٤٥٦٧",
      "０５４１２３４５６７",
      "0541234567\u0000",
      "0541234567,2",
      "+233 54 123 456",
    ]) {
      expect([text, parseMsisdn(text)]).toEqual([text, null]);
    }
  });

  test("is read or refused for any input, and has the stored format when read", () => {
    const anything = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.stringMatching(/^[+0-9 ()-]{0,20}$/));
    fc.assert(
      fc.property(anything, (text) => {
        const stored = parseMsisdn(text);
        expect(stored === null || /^233[25]\d{8}$/.test(stored)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

test("a pasted number is read with invisible characters, quotes, dashes, a name or a full stop", () => {
  for (const text of [
    "0541\u200b234567",
    "\u200e0541234567",
    "0541234567\ufeff",
    "0541234567,",
    "0541234567;",
    "0541234567.",
    "'0541234567",
    "'0541234567'",
    "(0541234567)",
    "054\u2013123\u20134567",
    "tel:0541234567",
    "Tel: +233 54 123 4567",
    "Kofi 0541234567",
    "Kofi Mensah: 054 123 4567.",
    "Adw\u025b\u0301 - 0541234567",
  ])
    expect([text, parseMsisdn(text)]).toEqual([text, "233541234567"]);
});

test("a text of any length is read or refused quickly", async () => {
  const tookMs = await processorMs(() => {
    for (const unit of ["0", "(", ".", " ", "a", "0541234567"]) parseMsisdn(unit.repeat(2_000_000));
  });
  expect(tookMs).toBeLessThan(1_000);
});

test("the operator is derived from the prefix, and is none for an unknown prefix", () => {
  for (const [local, operator] of [
    ["0241234567", "MTN"],
    ["0541234567", "MTN"],
    ["0551234567", "MTN"],
    ["0591234567", "MTN"],
    ["0251234567", "MTN"],
    ["0531234567", "MTN"],
    ["0201234567", "TELECEL"],
    ["0501234567", "TELECEL"],
    ["0261234567", "AIRTELTIGO"],
    ["0271234567", "AIRTELTIGO"],
    ["0561234567", "AIRTELTIGO"],
    ["0571234567", "AIRTELTIGO"],
    ["0231234567", "AIRTELTIGO"],
    ["0211234567", null],
    ["0521234567", null],
  ] as const) {
    expect([local, guessOperator(parseMsisdn(local)!)]).toEqual([local, operator]);
  }
});
