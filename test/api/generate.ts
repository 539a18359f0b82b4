// Generator of values for a JSON schema: valid, at the limits, and invalid.
import fc from "fast-check";

/** The parts of JSON Schema that the document uses (https://json-schema.org/draft/2020-12). */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
};

/** Valid values, including the limits. Throws for an unknown kind of schema. */
export function valid(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(valid));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valid({ ...schema, type })));
  switch (schema.type) {
    case "string":
      return aString(schema);
    case "integer":
    case "number":
      return aNumber(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valid(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case "object":
      return anObject(schema);
    case undefined:
      return fc.jsonValue({ maxDepth: 1 });
  }
  throw new Error(`no values for a schema of type ${schema.type}`);
}

/** Values that a schema rarely accepts: of another type, just beyond a limit, or hostile. */
export function invalid(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { minimum, maximum, maxLength } = schema;
  return fc.oneof(
    fc.constantFrom<unknown>(null, "", " ", 0, -1, 1.5, 1e308, 2 ** 53, true, [], {}, [null], "\u0000", "\u202e1"),
    fc.jsonValue({ maxDepth: 2 }),
    ...(minimum === undefined ? [] : [fc.constant(minimum - 1)]),
    ...(maximum === undefined ? [] : [fc.constant(maximum + 1)]),
    ...(maxLength === undefined ? [] : [fc.constant("x".repeat(maxLength + 1))]),
  );
}

function anObject({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const values = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valid(schema)] as const));
  return fc.record(values, { requiredKeys: required, noNullPrototype: true });
}

function aString({ format, pattern, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (format === "email") return fc.emailAddress();
  if (format === "date") return aMoment().map((moment) => moment.slice(0, 10));
  if (format === "date-time") return aMoment();
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const edge = fc.constantFrom("x".repeat(minLength), "x".repeat(maxLength));
  const lengths = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) };
  return fc.oneof({ weight: 3, arbitrary: fc.string(lengths) }, { weight: 1, arbitrary: edge });
}

function aMoment(): fc.Arbitrary<string> {
  const years = { min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true };
  return fc.date(years).map((date) => date.toISOString());
}

function aNumber(schema: JsonSchema): fc.Arbitrary<number> {
  const min = schema.minimum ?? (schema.exclusiveMinimum === undefined ? -1e9 : schema.exclusiveMinimum + 1);
  const max = schema.maximum ?? 1e9;
  const near = Math.max(min, Math.min(max, min + 200));
  if (schema.type === "integer") return fc.oneof(fc.integer({ min: min, max: near }), fc.constantFrom(min, max));
  // Amounts have two decimals.
  const cents = fc.integer({ min: Math.max(min, -1000) * 100, max: Math.min(max, 10_000) * 100 });
  return fc.oneof(
    cents.map((value) => value / 100),
    fc.constantFrom(min, max),
  );
}
