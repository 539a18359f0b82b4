// Schemas of the search over everything that staff work with.
import { z } from "zod";
import { text } from "../../../shared/inputs.ts";

export const FindQuery = z.object({
  q: text(100).describe(
    "An order's, batch's or request's id, a phone number or at least three of its digits, a name, an e-mail address, " +
      'a reference, a transaction id or a bundle; with a kind before it ("batch 12") only that kind',
  ),
});
export const Hit = z.object({
  kind: z.enum(["order", "number", "agent", "payment", "deposit", "request", "batch", "product"]),
  id: z
    .union([z.int(), z.string()])
    .describe("Of a number the number itself or the digits, of a deposit its transaction id"),
  title: z.string(),
  subtitle: z.string(),
});
