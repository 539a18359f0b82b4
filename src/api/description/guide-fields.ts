// The fields of a JSON schema as lines for people: each with its path, type, limits and text.
import type { GuideField } from "../../http/guide.ts";

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
};
export type Components = Record<string, JsonSchema>;

/** Deeper parts are described by their example. */
const DEPTH_MAX = 4;

/** The fields below a schema, in its order; parts of objects and of lists follow their own line. */
export function fieldsOf(schema: JsonSchema, components: Components): GuideField[] {
  return below(schema, components, schema.type === "array" ? "[]" : "", 0);
}

/** The line for one field, without those below it. */
export function fieldOf(name: string, schema: JsonSchema, isRequired: boolean, components: Components): GuideField {
  const { known, isNullable } = resolve(schema, components);
  return {
    name,
    isRequired,
    type: typeOf(known, components) + (isNullable ? " or null" : ""),
    limits: limitsOf(known),
    text: schema.description ?? known.description ?? "",
  };
}

function below(schema: JsonSchema, components: Components, path: string, depth: number): GuideField[] {
  const { known } = resolve(schema, components);
  if (depth > DEPTH_MAX) return [];
  if (known.items) return below(known.items, components, path, depth);
  return Object.entries(known.properties ?? {}).flatMap(([name, property]) => {
    const own = path ? `${path}.${name}` : name;
    const isList = resolve(property, components).known.items !== undefined;
    return [
      fieldOf(own, property, known.required?.includes(name) ?? false, components),
      ...below(property, components, isList ? `${own}[]` : own, depth + 1),
    ];
  });
}

/** The schema behind references, and without null. */
function resolve(schema: JsonSchema, components: Components): { known: JsonSchema; isNullable: boolean } {
  if (schema.$ref) return resolve(components[schema.$ref.split("/").at(-1)!]!, components);
  if (schema.anyOf) {
    const others = schema.anyOf.filter(({ type }) => type !== "null");
    const isNullable = others.length < schema.anyOf.length;
    const { anyOf: _, ...own } = schema;
    if (others.length === 1) return { known: { ...resolve(others[0]!, components).known, ...own }, isNullable };
    return { known: { ...schema, anyOf: others }, isNullable };
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    return { known: { ...schema, type: types[0]! }, isNullable: types.length < schema.type.length };
  }
  return { known: schema, isNullable: false };
}

const FORMATS: Record<string, string> = { date: "day", "date-time": "time" };

function typeOf(schema: JsonSchema, components: Components): string {
  if (schema.anyOf) {
    const types = schema.anyOf.map((one) => typeOf(resolve(one, components).known, components));
    return [...new Set(types)].join(" or ");
  }
  if (schema.items) {
    const one = typeOf(resolve(schema.items, components).known, components);
    return `array of ${one === "object" ? "objects" : one}`;
  }
  const type = (schema.type as string | undefined) ?? (typeof schema.const || "any");
  const format = schema.format && FORMATS[schema.format];
  return format ? `${type} (${format})` : type;
}

function limitsOf(schema: JsonSchema): string {
  const { minLength, maxLength, minItems, maxItems, const: only } = schema;
  const parts = [
    only !== undefined && `always ${String(only)}`,
    schema.enum && `one of ${schema.enum.join(", ")}`,
    schema.examples && `such as ${schema.examples.join(", ")}`,
    rangeOf(minLength, maxLength, "characters"),
    rangeOf(minItems, maxItems, "entries"),
    rangeOf(within(schema.minimum ?? schema.exclusiveMinimum), within(schema.maximum), ""),
    schema.default !== undefined && schema.default !== "" && `without it ${String(schema.default)}`,
  ];
  return parts.filter(Boolean).join("; ");
}

/** The largest safe integer is no limit that anybody meets. */
function within(limit: number | undefined): number | undefined {
  return limit === undefined || Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? undefined : limit;
}

function rangeOf(min: number | undefined, max: number | undefined, unit: string): string {
  const show = (limit: number) => limit.toLocaleString("en-US");
  const counted = unit && ` ${unit}`;
  if (max !== undefined) return (min ? `${show(min)} to ${show(max)}` : `at most ${show(max)}`) + counted;
  return min ? `at least ${show(min)}${counted}` : "";
}
