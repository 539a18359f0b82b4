// A form that runs a command: its right and the checks of its fields come from the command's declaration.
import { z } from "zod";
import type { Caller, Command } from "../core/platform/commands.ts";
import { type Fields, type Plain, publicSchema, type Values, valuesOf } from "../shared/fields.ts";
import { parseCedis, toCedis } from "../shared/money.ts";
import type { Action, Answer, Context } from "./page.tsx";
import { readFields, readValues } from "./read-fields.ts";
import { undoable } from "./undo.ts";

/** Values that a form has not: what its button decides, or an id in the address. */
type Given<F extends Fields> = {
  [Field in keyof Values<F>]?: Values<F>[Field] | ((context: Context) => Values<F>[Field]);
};

/** What commands may need of the server. */
type Serving = Pick<Context, "vendors">;

/**
 * The action of a form that runs a command, and then answers: mostly with a redirect and a notice. `typed` reads a form
 * that is not one text for each field: a list typed in one, or one that has to be filled in whole.
 */
export function does<F extends Fields, Result>(
  command: Command<F, Result, Serving>,
  done: (input: Values<F>, result: Result, context: Context) => Answer | Promise<Answer>,
  given: Given<F> = {},
  typed?: (form: URLSearchParams) => object,
): Action {
  const { right, input } = command.declared;
  const leftOut = Object.keys(given);
  return {
    ...(right && { right }),
    ...(!typed && { fields: formSchema(input, leftOut) }),
    run: async (context, sent) => {
      const { db, by, key, form, vendors } = context;
      const read = typed ? readValues(formSchema(input, leftOut, true), typed(form)) : sent;
      const own = Object.entries(given).map(([field, value]) => [
        field,
        typeof value === "function" ? value(context) : value,
      ]);
      const values = { ...valuesOf(input, read as Plain), ...Object.fromEntries(own) } as Values<F>;
      const call: object = { by, key, vendors, ...values };
      const { answer } = await command(db, call as Caller & Serving & Values<F>);
      return undoable(context, command, await done(values, answer, context));
    },
  };
}

/** The fields of a form, for one in which none may be left empty. */
export const filled = (form: URLSearchParams): Plain => Object.fromEntries(form);

/** The values of fields that a form sends among others. */
export function sentValues<F extends Fields>(fields: F, form: URLSearchParams): Values<F> {
  return valuesOf(fields, readFields(formSchema(fields), form) as Plain) as Values<F>;
}

/** The schema of an input as a form sends it: all of it text, and nothing for what was left empty, unless it is to be
 * filled. */
function formSchema(input: Fields, leftOut: readonly string[] = [], isFilled = false): z.ZodType {
  const { shape } = publicSchema(input, leftOut);
  const fields = Object.entries(shape).map(([name, schema]) => [
    name,
    z.preprocess((sent) => sentAs(schema, sent, isFilled), schema),
  ]);
  return z.object(Object.fromEntries(fields));
}

/** A field's text as JSON would have it; one that cannot be read is left to the schema, which refuses it. */
function sentAs(schema: z.core.$ZodType, sent: unknown, isFilled: boolean): unknown {
  // A box that is not ticked is not sent.
  if (schema instanceof z.ZodBoolean) return sent !== undefined;
  if (typeof sent !== "string") return sent;
  const isEmpty = sent.trim() === "";
  if (schema instanceof z.ZodOptional)
    return isEmpty && !isFilled ? undefined : sentAs(schema.unwrap(), sent, isFilled);
  if (schema instanceof z.ZodNullable) {
    const own = schema.unwrap();
    // A text that is missing is not none, which can be the opposite: a pause without a reason would be its end.
    return isEmpty && !(own instanceof z.ZodString) ? null : sentAs(own, sent, isFilled);
  }
  if (schema instanceof z.ZodArray) return [sentAs(schema.element, sent, isFilled)];
  if (schema instanceof z.ZodNumber) return /^\d{1,16}$/.test(sent.trim()) ? Number(sent) : sent;
  if (schema instanceof z.ZodCodec && schema.def.in instanceof z.ZodNumber) {
    // As phones and spreadsheets write signs.
    const pesewas = parseCedis(sent.replace(/^\s*\+/, "").replace("−", "-"));
    return pesewas === null ? sent : toCedis(pesewas);
  }
  return sent;
}
