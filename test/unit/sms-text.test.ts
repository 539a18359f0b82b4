// Tests of SMS texts: any input becomes a single GSM-7 part.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { cutTo, gsm7Length, SMS_CHARS, smsText } from "../../src/shared/phones/sms-text.ts";

test("a text's septets are counted as networks count them, and ₵ has none", () => {
  expect(gsm7Length("GHS 3.90")).toBe(8);
  expect(gsm7Length("{€}")).toBe(6);
  expect(gsm7Length("à la carte\n")).toBe(11);
  expect(gsm7Length("GH₵ 3.90")).toBeNull();
  expect(gsm7Length("it’s")).toBeNull();
});

test("money, quotes and letters become characters that a phone can show", () => {
  for (const [given, sent] of [
    ["GH₵ 3.90", "GHS 3.90"],
    ["GH¢3.90 and ₵1", "GHS3.90 and GHS1"],
    ["Ama’s “order” – done…", 'Ama\'s "order" - done...'],
    ["Ɔkɔmfo Ɛsi", "Okomfo Esi"],
    ["Zoë Ñandú", "Zoe Ñandu"],
    ["a\tb\u00a0c\r\nd", "a b c\nd"],
    ["done 👍🏽", "done ??"],
  ])
    expect(smsText(given!)).toBe(sent!);
});

test("a text of 160 septets is unchanged, and a longer one is cut", () => {
  expect(smsText("x".repeat(160))).toBe("x".repeat(160));
  expect(smsText("x".repeat(161))).toBe(`${"x".repeat(157)}...`);
  // Braces take two septets each.
  expect(smsText("{".repeat(81))).toBe(`${"{".repeat(78)}...`);
});

test("a text is cut to its septets, and to nothing where there is no room", () => {
  expect(cutTo("one two", 5)).toBe("one t");
  expect(cutTo("one two", 4)).toBe("one");
  expect(cutTo("[one]", 3)).toBe("[o");
  for (const room of [0, -1, -100]) expect(cutTo("one two", room)).toBe("");
});

test("every text fits into one part, and one that already fits is unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
      const sent = smsText(text);
      expect(gsm7Length(sent)).not.toBeNull();
      expect(gsm7Length(sent)!).toBeLessThanOrEqual(SMS_CHARS);
      expect(smsText(sent)).toBe(sent);
    }),
    { numRuns: 500 },
  );
});
