// Schemas of products and pauses of sale.

import { z } from "zod";
import { Family, Id, Operator } from "../../shared/inputs.ts";
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
