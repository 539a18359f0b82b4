// Inputs of commands and routes: texts, ids and amounts, each checked in the same way wherever it comes from. A check's
// message may be an error code; the refusal then has that code and its message.
import { z } from "zod";
import type { ErrorCode } from "./errors/app-error.ts";
import { parseCedis, toCedis } from "./money.ts";
import { allFamilies, allOperators, CODE } from "./operators.ts";
import { withoutDirectionMarks } from "./text.ts";

/** Lets a failed check be refused with this error code. */
export const errorCode = (code: ErrorCode): string => code;

/** Postgres cannot store NUL, and a lone surrogate is not valid text. */
export const isText = (value: string) => !value.includes("\u0000") && value.isWellFormed();

export const text = (charsMax: number, message = `at most ${charsMax} characters`) =>
  z
    .string()
    .max(charsMax, message)
    .refine(isText, "contains characters that are not text")
    .overwrite(withoutDirectionMarks);

export const requiredText = (charsMax: number, missing: string) => text(charsMax).trim().min(1, missing);

export const Username = requiredText(50, "Enter a username").regex(/^[^\s@<>]+$/u, "must have no spaces, @, < or >");

export const Email = text(254).trim().pipe(z.email("Enter a valid email address"));

/** Why somebody does something, for those who read it later. */
export const Reason = requiredText(300, "Say why");

/** A moment with its offset from UTC in JSON, a date in the core. */
export const At = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

export const Id = z.int().positive().max(Number.MAX_SAFE_INTEGER);

export const VendorCode = z
  .string()
  .regex(/^[a-z0-9]{1,30}$/, "must be a supplier's name in routes, such as datamart")
  .describe("The supplier's name in routes");

/** GH₵ with at most two decimals in JSON, whole pesewas in the core. */
export const cedis = (message: string) =>
  z.codec(z.number(message), z.int(), {
    decode: (value, { issues }) => {
      const pesewas = parseCedis(value);
      if (pesewas === null) issues.push({ code: "custom", message, input: value });
      return pesewas ?? 0;
    },
    encode: toCedis,
  });

export const Cedis = cedis("Enter an amount in GH₵ with at most two decimals");

export const AboveZero = cedis("Enter an amount above zero with at most two decimals").refine(
  (pesewas) => pesewas > 0,
  "Enter an amount above zero",
);

/** When something ends by itself; null: when somebody ends it. */
export const Until = At.nullable().describe("When it ends by itself; null: when somebody ends it").default(null);

const codeOf = (known: () => readonly { code: string }[]) => {
  const message = {
    error: () =>
      `must be one of ${known()
        .map(({ code }) => code)
        .join(", ")}`,
  };
  const isKnown = (value: string) => known().some(({ code }) => code === value);
  return z.string().max(16, message).regex(CODE, message).refine(isKnown, message);
};

/** An operator's code, also of one that sells no more. The codes are data, so the API has no list of them. */
export const Operator = codeOf(allOperators).meta({ examples: ["MTN", "AIRTELTIGO", "TELECEL"] });

/** Its code. */
export type Operator = z.output<typeof Operator>;

export const Family = codeOf(allFamilies).meta({ examples: ["MTN", "AT_ISHARE", "AT_BIGTIME", "TELECEL"] });
