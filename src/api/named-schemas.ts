// JSON schemas of the API's description. What a schema module exports has its name there, once, and everything else
// refers to it: a generated client then has a type `Order`, and not ten of them.
import { z } from "zod";
import * as afa from "../http/schemas/afa.ts";
import * as audit from "../http/schemas/audit.ts";
import * as codes from "../http/schemas/codes.ts";
import * as shop from "../http/schemas/index.ts";
import * as payments from "../http/schemas/payments.ts";
import * as products from "../http/schemas/products.ts";
import * as refusals from "../http/schemas/refusals.ts";
import * as support from "../http/schemas/support.ts";
import * as moves from "../http/schemas/transitions.ts";
import * as hooks from "../http/schemas/webhooks.ts";

type JsonSchema = Record<string, unknown>;

/** Turns zod schemas into JSON schemas, and collects the named ones that they refer to. */
export class NamedSchemas {
  /** What stands under components/schemas, by name. */
  readonly components: Record<string, JsonSchema> = {};

  /** What a request must be ("input") or an answer is ("output"), with references to the named schemas inside. */
  describe(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, { io, unrepresentable: "any", override });
    for (const [name, definition] of Object.entries($defs)) this.#collect(name, definition as JsonSchema);
    return withComponents(root) as JsonSchema;
  }

  #collect(name: string, definition: JsonSchema): void {
    const component = withComponents(definition) as JsonSchema;
    const known = this.components[name];
    if (known && !Bun.deepEquals(known, component))
      throw new Error(
        `The schema ${name} is one thing in requests and another in answers: give them two names.`,
      );
    this.components[name] = component;
  }
}

for (const module of [shop, products, payments, moves, afa, audit, codes, hooks, refusals, support]) {
  for (const [name, schema] of Object.entries(module)) {
    // Parameters are described one by one.
    if (!isNameable(schema) || /(Query|Params|^Page)$/.test(name)) continue;
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id: name });
  }
}

function isNameable(value: unknown): value is z.ZodType {
  return value instanceof z.ZodObject || value instanceof z.ZodEnum;
}

/** Answers are open, so that a new field breaks no client; a record of known names lists them as its properties. */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  const { def } = zodSchema._zod as { def: { type: string; keyType?: z.ZodType } };
  if (def.type !== "record" || !(def.keyType instanceof z.ZodEnum)) return;
  const { additionalProperties } = jsonSchema;
  jsonSchema.properties = Object.fromEntries(def.keyType.options.map((name) => [name, additionalProperties]));
  delete jsonSchema.additionalProperties;
  delete jsonSchema.propertyNames;
}

function withComponents(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
