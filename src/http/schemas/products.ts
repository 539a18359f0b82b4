// Schemas of products and pauses of sale.

import { z } from "zod";
import { PAUSE_FIELDS } from "../../core/catalog/sale-pauses.ts";
import { AboveZero, Family, Id, Operator, text } from "../../shared/inputs.ts";
import { moment, money } from "./common.ts";

export const ProductQuery = z.object({ operator: z.string().toUpperCase().pipe(Operator).optional() });

export const OperatorState = z.object({
  operator: Operator,
  name: z.string(),
  paused: z.boolean(),
  message: z.string().nullable(),
  since: moment.nullable(),
  until: moment.nullable().describe("When it sells again by itself; null: unknown, or not paused"),
});

const missingProduct = "Please fill all product fields";
export const NewProduct = z.object({
  operator: z.string().toUpperCase().pipe(Operator).default("MTN"),
  name: text(80).trim().min(1, missingProduct),
  size: text(20).trim().min(1, missingProduct).describe("An amount of data: 5GB, 1.5GB or 500MB"),
  family: Family.optional().describe("The kind of bundle; AT_ISHARE by default for AirtelTigo"),
  price: AboveZero,
  confirmPrice: z.boolean().optional().describe("Confirms a price far from others of its size"),
});
export const ProductEdit = z.object({
  name: NewProduct.shape.name.optional(),
  size: NewProduct.shape.size.optional(),
  family: Family.optional(),
  price: AboveZero.optional(),
  confirmPrice: z.boolean().optional().describe("Confirms a price change of more than half"),
  ...PAUSE_FIELDS,
});
export const Product = z.object({
  id: Id,
  operator: Operator,
  family: Family.nullable().describe("The kind of bundle; null for AFA registrations"),
  name: z.string(),
  size: z.string(),
  price: money,
  paused: z.string().nullable().describe("Why it cannot be bought now; null: it can"),
  pausedUntil: moment.nullable().describe("When it can be bought again; null: unknown, or not paused"),
});
