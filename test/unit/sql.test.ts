// Literals of arrays, as the purchase statement passes its lines.
import { expect, test } from "bun:test";
import { arrayLiteral as literal } from "../../src/core/platform/sql.ts";

test("numbers and booleans are written plainly, texts in quotes, and what is missing as NULL", () => {
  expect(literal([])).toBe("{}");
  expect(literal([1, null, undefined, true])).toBe("{1,NULL,NULL,true}");
  expect(literal(["233541234567", "NULL", ""])).toBe('{"233541234567","NULL",""}');
});

test("a text cannot end its element", () => {
  expect(literal(['a","b', "}", "\\"])).toBe('{"a\\",\\"b","}","\\\\"}');
});
