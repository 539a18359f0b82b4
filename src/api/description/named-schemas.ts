// JSON schemas for the OpenAPI document. Every schema that a schema module exports becomes one named component, to
// which all uses refer: a generated client then has one type `Order`, and not ten.
import { z } from "zod";
import * as accounts from "../../http/schemas/accounts.ts";
import * as afa from "../../http/schemas/afa.ts";
import * as apiRequests from "../../http/schemas/api-requests.ts";
import * as bulkOrders from "../../http/schemas/bulk-orders.ts";
import * as codes from "../../http/schemas/codes.ts";
import * as common from "../../http/schemas/common.ts";
import * as dashboard from "../../http/schemas/dashboard.ts";
import * as orders from "../../http/schemas/orders.ts";
import * as payments from "../../http/schemas/payments.ts";
import * as prices from "../../http/schemas/prices.ts";
import * as products from "../../http/schemas/products.ts";
import * as refusals from "../../http/schemas/refusals.ts";
import * as audit from "../../http/schemas/staff/audit.ts";
import * as cash from "../../http/schemas/staff/cash.ts";
import * as costs from "../../http/schemas/staff/costs.ts";
import * as desk from "../../http/schemas/staff/desk.ts";
import * as finding from "../../http/schemas/staff/finding.ts";
import * as margins from "../../http/schemas/staff/margins.ts";
import * as profit from "../../http/schemas/staff/profit.ts";
import * as statements from "../../http/schemas/staff/statements.ts";
import * as support from "../../http/schemas/staff/support.ts";
import * as switches from "../../http/schemas/staff/switches.ts";
import * as transitions from "../../http/schemas/staff/transitions.ts";
import * as wallet from "../../http/schemas/wallet.ts";
import * as hookMessages from "../../http/schemas/webhook-messages.ts";
import * as hooks from "../../http/schemas/webhooks.ts";
import type { View } from "../../http/view.ts";
import { FIELD_TEXTS } from "./field-texts.ts";

type JsonSchema = Record<string, unknown>;

/** Converts zod schemas to JSON schemas, and collects the named ones that they refer to. */
export class NamedSchemas {
  /** The content of components/schemas, by name. */
  readonly components: Record<string, JsonSchema> = {};

  /**
   * The JSON schema of a request ("input") or an answer ("output"). Throws if a name has differing schemas for both.
   */
  describe(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: "any", override });
    for (const [name, definition] of Object.entries($defs)) this.#collect(name, definition as JsonSchema);
    return withComponents(root) as JsonSchema;
  }

  #collect(name: string, definition: JsonSchema): void {
    const component = withComponents(definition) as JsonSchema;
    const known = this.components[name];
    if (known && !Bun.deepEquals(known, component))
      throw new Error(`The schema ${name} differs between requests and answers: give them two names.`);
    this.components[name] = component;
  }
}

const MODULES = [
  apiRequests,
  ...[common, accounts, orders, bulkOrders, wallet, dashboard, desk, products, prices, costs, margins, payments],
  ...[
    afa,
    audit,
    cash,
    codes,
    finding,
    hooks,
    hookMessages,
    profit,
    refusals,
    statements,
    support,
    switches,
    transitions,
  ],
];
for (const module of MODULES) {
  for (const [name, exported] of Object.entries(module)) {
    const schema = isView(exported) ? exported.schema : exported;
    // Parameters are described individually.
    if (!isNameable(schema) || /(Query|Params|^Page)$/.test(name)) continue;
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id: name });
  }
}

function isNameable(value: unknown): value is z.ZodType {
  return value instanceof z.ZodObject || value instanceof z.ZodEnum;
}

function isView(value: unknown): value is View<never> {
  return typeof value === "object" && value !== null && "present" in value && "schema" in value;
}

/** Leaves answers open, so that a new field breaks no client, and lists the keys of a record over an enum. */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  const { def } = zodSchema._zod as { def: { type: string; keyType?: z.ZodType } };
  if (def.type !== "record" || !(def.keyType instanceof z.ZodEnum)) return;
  const { additionalProperties } = jsonSchema;
  jsonSchema.properties = Object.fromEntries(def.keyType.options.map((name) => [name, additionalProperties]));
  delete jsonSchema.additionalProperties;
  delete jsonSchema.propertyNames;
}

/** With references to components/schemas, and with the texts of fields that mean the same everywhere. */
function withComponents(value: unknown): unknown {
  const referring = JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(referring, (key, part) => (key === "properties" ? withTexts(part) : part));
}

function withTexts(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  for (const [name, property] of Object.entries(properties))
    if (FIELD_TEXTS[name] && !property.$ref) property.description ??= FIELD_TEXTS[name];
  return properties;
}
