// The fields of a form: what a schema reads from them, and secrets that are typed twice.
import type { z } from "zod";
import { checkMessage } from "../http/schemas/check-messages.ts";
import { AppError, type ErrorCode } from "../shared/errors/app-error.ts";
import { errors } from "../shared/errors/codes.ts";

/** Checks a form's fields. Throws request.invalid, or the schema's own code, with a message for each field. */
export function readFields<S extends z.ZodType>(schema: S, form: URLSearchParams): z.output<S> {
  return readValues(schema, Object.fromEntries(form));
}

/** As `readFields`, for values composed of a form's fields. */
export function readValues<S extends z.ZodType>(schema: S, values: unknown): z.output<S> {
  const result = schema.safeParse(values, { error: checkMessage });
  if (result.success) return result.data;
  const fields = fieldMessages(result.error);
  const first = result.error.issues[0]!;
  throw new AppError(
    first.message in errors ? (first.message as ErrorCode) : "request.invalid",
    { fields },
    issueMessage(first),
  );
}

/** The first message about each invalid field. */
function fieldMessages(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join(".")] ??= issueMessage(issue);
  return fields;
}

function issueMessage({ message, ...issue }: z.core.$ZodIssue): string {
  if (issue.code === "too_big" && issue.origin === "string" && !(message in errors))
    return `At most ${issue.maximum} characters`;
  const text = errors[message as ErrorCode]?.message ?? message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

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
