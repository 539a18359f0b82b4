// Forms in which a secret is typed twice.
import type { z } from "zod";
import { AppError } from "../shared/errors/app-error.ts";
import { fieldMessages, readFields } from "./page.tsx";

/** The field that repeats a secret, the field that it repeats, and the message when they differ. */
type Repeated = { name: string; of: string; message: string; isTrimmed?: true };

export const PASSWORD_AGAIN: Repeated = {
  name: "confirmPassword",
  of: "password",
  message: "Passwords don't match",
};

export const PIN_AGAIN: Repeated = {
  name: "confirmPin",
  of: "pin",
  message: "The PINs don't match",
  isTrimmed: true,
};

/** Reports all invalid fields at once, including two secrets that differ. Throws as readFields, and request.invalid. */
export function readConfirmed<S extends z.ZodType>(
  schema: S,
  form: URLSearchParams,
  { name, of, message, isTrimmed }: Repeated,
): z.output<S> {
  const typed = (field: string) => (isTrimmed ? form.get(field)?.trim() : form.get(field));
  if (typed(of) === typed(name)) return readFields(schema, form);
  const read = schema.safeParse(Object.fromEntries(form));
  const others = read.success ? {} : fieldMessages(read.error);
  throw new AppError("request.invalid", { fields: { ...others, [name]: message } }, message);
}
