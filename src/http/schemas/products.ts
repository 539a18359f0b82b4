// Schemas of products and pauses of sale.

import { z } from "zod";
import { AboveZero, Id, requiredText, text } from "../../shared/inputs.ts";
import { PAUSE_DAYS_MAX } from "../../shared/pause.ts";
import { Family, moment, money, Operator } from "./common.ts";

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
const PausedMessage = requiredText(200, "Tell the buyers why");
const PausedUntil = z.iso.datetime({ offset: true }).transform((at) => new Date(at));
const pause = {
  pausedMessage: PausedMessage.nullable()
    .optional()
    .describe("Pauses the sale with a message for buyers; null resumes it"),
  pausedUntil: PausedUntil.nullable()
    .optional()
    .describe(
      `When the pause ends by itself, at most ${PAUSE_DAYS_MAX} days ahead; null: until it is resumed. ` +
        "Fields left out stay as they are",
    ),
};
export const OperatorParams = z.object({ operator: Operator });
export const OperatorEdit = z.object(pause);
export const ProductEdit = z.object({
  name: NewProduct.shape.name.optional(),
  size: NewProduct.shape.size.optional(),
  family: Family.optional(),
  price: AboveZero.optional(),
  confirmPrice: z.boolean().optional().describe("Confirms a price change of more than half"),
  ...pause,
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
