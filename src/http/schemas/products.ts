// Products as admins write them and everybody reads them.
import { z } from "zod";
import { FAMILY_CODES } from "../../shared/domain.ts";
import { PAUSE_DAYS_MAX } from "../../shared/pause.ts";
import { AboveZero, Id, moment, money, Operator, requiredText, text } from "./index.ts";

export const Family = z.enum(FAMILY_CODES);

const missingProduct = "Please fill all product fields";
export const NewProduct = z.object({
  operator: z.string().toUpperCase().pipe(Operator).default("MTN"),
  name: text(80).trim().min(1, missingProduct),
  size: text(20).trim().min(1, missingProduct).describe("An amount of data: 5GB, 1.5GB or 500MB"),
  family: Family.optional().describe("The kind of bundle; AirtelTigo's are AT_ISHARE unless it is said"),
  price: AboveZero,
  confirmPrice: z.boolean().optional().describe("Sell it at a price far from others of its size"),
});
const PausedMessage = requiredText(200, "Say why, for the buyers");
const PausedUntil = z.iso.datetime({ offset: true }).transform((at) => new Date(at));
const pause = {
  pausedMessage: PausedMessage.nullable()
    .optional()
    .describe("Pauses the sale with a message for buyers; null takes it up again"),
  pausedUntil: PausedUntil.nullable()
    .optional()
    .describe(
      `When the pause ends by itself, at most ${PAUSE_DAYS_MAX} days ahead; null: when it is taken up again. What is not said stays`,
    ),
};
export const OperatorParams = z.object({ operator: Operator });
export const OperatorEdit = z.object(pause);
export const ProductEdit = z.object({
  name: NewProduct.shape.name.optional(),
  size: NewProduct.shape.size.optional(),
  family: Family.optional(),
  price: AboveZero.optional(),
  confirmPrice: z.boolean().optional().describe("Move the price by more than half"),
  ...pause,
});
export const Product = z.object({
  id: Id,
  operator: Operator,
  family: Family.nullable().describe("The kind of bundle; null for AFA registrations"),
  name: z.string(),
  size: z.string(),
  price: money,
  paused: z.string().nullable().describe("Why it cannot be bought now"),
  pausedUntil: moment
    .nullable()
    .describe("When it can be bought again; null: not known, or it is not paused"),
});
