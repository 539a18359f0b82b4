// Sales compared with the period before, in a sentence that makes sense whatever the figures are.
import { expect, test } from "bun:test";
import { compared } from "../../src/shared/lists/measures.ts";

test.each([
  ["amount", 356_590, 950, "GH₵ 3,556.40 more than"],
  ["amount", 1_200, 1_000, "+20%: GH₵ 2.00 more than"],
  ["orders", 3, 4, "−25%: 1 less than"],
  ["volume", 2_000, 2_000, "As much as"],
  ["volume", 2_000, 0, "Nothing"],
  ["amount", 0, 0, "Nothing"],
] as const)("%s of %i after %i is %p the period before", (measure, now, before, text) => {
  expect(compared(measure, now, before)).toBe(text);
});
