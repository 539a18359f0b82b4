// Agents' own references and data, as they come with orders and bulk orders and go back with them.
import { z } from "zod";
import { text } from "../../shared/inputs.ts";
import {
  METADATA_KEY_CHARS_MAX,
  METADATA_KEYS_MAX,
  METADATA_VALUE_CHARS_MAX,
  REFERENCE,
  REFERENCE_CHARS_MAX,
} from "../../shared/orders/own-reference.ts";

const referenceRule = `must have 1 to ${REFERENCE_CHARS_MAX} printable characters without spaces`;
export const Reference = z
  .string(referenceRule)
  .max(REFERENCE_CHARS_MAX, referenceRule)
  .regex(REFERENCE, referenceRule);

/** zod leaves this name out of a record, so that it would be lost without a word. */
const LOST_KEY = "__proto__";

/** Sorted, so that the same data in another sequence is the same request. */
const OwnData = z
  .preprocess(
    (given, context) => {
      if (typeof given === "object" && given !== null && Object.hasOwn(given, LOST_KEY))
        context.addIssue({ code: "custom", message: `must not have a key named ${LOST_KEY}` });
      return given;
    },
    z.record(
      text(METADATA_KEY_CHARS_MAX).min(1, "needs a name"),
      text(METADATA_VALUE_CHARS_MAX, `must be a text of at most ${METADATA_VALUE_CHARS_MAX} characters`),
    ),
  )
  .refine((data) => Object.keys(data).length <= METADATA_KEYS_MAX, `must have at most ${METADATA_KEYS_MAX} keys`)
  .transform((data) => Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))));

export const ownReference = {
  reference: Reference.optional().describe(
    `Your own name for it, up to ${REFERENCE_CHARS_MAX} printable characters without spaces`,
  ),
  metadata: OwnData.optional().describe(
    `Your own data: at most ${METADATA_KEYS_MAX} keys of up to ${METADATA_KEY_CHARS_MAX} characters, ` +
      `with texts of up to ${METADATA_VALUE_CHARS_MAX}. You get it back with the order.`,
  ),
};

export const uniqueReference = z
  .boolean()
  .optional()
  .describe(
    "true: refused as order.reference_used if an earlier order of your account has the reference, " +
      "also one that failed; for a bulk order, if an earlier one has its own or an order that of a line. " +
      "It needs a reference, in a bulk order at least one.",
  );

/** As they go back. */
export const reference = z.string().nullable().describe("Your own reference");
export const metadata = z.record(z.string(), z.string()).nullable().describe("Your own data");
