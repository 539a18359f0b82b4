// Tests of unknown fields in a sandbox: the field is named with the one that was meant, at any depth.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { refuseMisspeltFields, refuseUnknownFields } from "../../src/api/unknown-fields.ts";
import type { AppError } from "../../src/shared/errors/app-error.ts";

const Line = z.object({ msisdn: z.string(), size: z.string().optional() });
const Body = z.object({
  productId: z.int(),
  allowDuplicate: z.boolean().default(false),
  metadata: z.record(z.string(), z.string()).optional(),
  lines: z.union([z.string(), Line.array()]).optional(),
  pay: z.union([z.literal("wallet"), z.object({ card: z.string() }), z.object({ phone: z.string() })]).optional(),
  place: z
    .object({ town: z.string() })
    .transform(({ town }) => town)
    .optional(),
});

function refusalOf(schema: z.ZodType, body: unknown): { field: unknown; nearest: unknown } | null {
  try {
    refuseUnknownFields(schema, body);
    return null;
  } catch (error) {
    const { code, details } = error as AppError;
    expect(code).toBe("request.unknown_field");
    return { field: details!.field, nearest: details!.nearest };
  }
}

test.each([
  [{ productID: 1 }, "productID", "productId"],
  [{ product_id: 1 }, "product_id", "productId"],
  [{ alowDuplicate: true }, "alowDuplicate", "allowDuplicate"],
  [{ colour: "red" }, "colour", null],
  [{ lines: [{ msisdn: "1" }, { msidsn: "2" }] }, "lines.1.msidsn", "msisdn"],
  [{ pay: { pfone: "1" } }, "pay.pfone", "phone"],
  [{ place: { twon: "Accra" } }, "place.twon", "town"],
])("%j is refused", (body, field, nearest) => {
  expect(refusalOf(Body, body)).toEqual({ field, nearest });
});

test.each([
  [{}],
  [{ productId: 1, allowDuplicate: true, metadata: { anything: "goes" } }],
  [{ lines: "one\ntwo" }],
  [{ lines: [{ msisdn: "1", size: "1GB" }] }],
  [{ pay: { phone: "1" } }],
  [{ place: { town: "Accra" } }],
  // Of the wrong type altogether: the schema says so.
  ["text"],
  [[{ productId: 1 }]],
  [null],
])("%j has no unknown field", (body) => {
  expect(refusalOf(Body, body)).toBeNull();
});

test("names that an object has anyway are unknown too", () => {
  expect(refusalOf(Body, JSON.parse('{"__proto__": 1}'))?.field).toBe("__proto__");
  expect(refusalOf(Body, { toString: 1 })?.field).toBe("toString");
});

test("the message says what to do", () => {
  expect(() => refuseUnknownFields(Body, { productID: 1 })).toThrow(
    'There is no field "productID" here. Did you mean "productId"?',
  );
});

describe("a live shop", () => {
  const refused = (body: unknown) => {
    try {
      refuseMisspeltFields(Body, body);
      return null;
    } catch (error) {
      return (error as AppError).details!.nearest;
    }
  };

  test.each([
    [{ productID: 1 }, "productId"],
    [{ product_id: 1 }, "productId"],
    [{ alowDuplicate: true }, "allowDuplicate"],
    [{ lines: [{ msisdn: "1" }, { msidsn: "2" }] }, "msisdn"],
    [{ place: { TOWN: "Accra" } }, "town"],
  ])("refuses a field with a slip: %j", (body, nearest) => expect(refused(body)).toBe(nearest));

  test.each([
    [{ colour: "red" }],
    [{ userId: 3, amount: 3.9 }],
    [{ lines: [{ note: "for Kofi" }] }],
    [{ line: "1GB" }],
    [{ pay: { pfone: "1" } }],
  ])("ignores what it does not know: %j", (body) => expect(refused(body)).toBeNull());
});
