// Literals of arrays, as the purchase statement passes its lines.
import { expect, test } from "bun:test";
import { literalOf } from "../../src/core/platform/sql.ts";

test("numbers and booleans are written plainly, texts in quotes, and what is missing as NULL", () => {
  expect(literalOf([])).toBe("{}");
  expect(literalOf([1, null, undefined, true])).toBe("{1,NULL,NULL,true}");
  expect(literalOf(["233541234567", "NULL", ""])).toBe('{"233541234567","NULL",""}');
});

test("a text cannot end its element", () => {
  expect(literalOf(['a","b', "}", "\\"])).toBe('{"a\\",\\"b","}","\\\\"}');
});
