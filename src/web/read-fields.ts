// The fields of a form: what a schema reads from them, secrets that are typed twice, and the field that a refusal is
// about.
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

/** Assigns an error of the core to its field, and words it for people. */
export function forForm(refusal: AppError, form: URLSearchParams): AppError {
  const { code, details } = refusal;
  const plain = refusal.message === errors[code].message ? PLAIN_MESSAGES[code] : undefined;
  const error = plain ? new AppError(code, details, plain) : refusal;
  if (error.code === "request.key_reused") {
    const message = "This form was sent before with other details. Check My Orders before you send it again.";
    return new AppError(error.code, undefined, message);
  }
  const field = FIELD_OF[error.code];
  if (!field || error.details?.fields || !form.has(field)) return error;
  return new AppError(error.code, { ...error.details, fields: { [field]: error.message } }, error.message);
}

/** The field that an error of the core belongs to, when the form has it. */
const FIELD_OF: Partial<Record<ErrorCode, string>> = {
  "msisdn.invalid": "msisdn",
  "order.quantity_invalid": "quantity",
  "product.not_found": "productId",
  "product.paused": "productId",
  "pause.end_invalid": "until",
  "order.operator_mismatch": "productId",
  "payment.below_minimum": "amount",
  "claim.below_minimum": "amount",
  "claim.transaction_id_invalid": "transactionId",
  "claim.filed_already": "transactionId",
  "user.password_short": "password",
  "user.password_common": "password",
  "user.admin_password_short": "password",
  "user.own_admin": "roles",
  "user.one_role": "roles",
  "user.last_admin": "roles",
  "product.exists": "name",
  "operator.exists": "operator",
  "operator.path_taken": "path",
  "operator.name_taken": "name",
  "operator.color_unreadable": "color",
  "operator.ussd_number_taken": "ussdPosition",
  "operator.prefix_taken": "prefixes",
  "product.size_invalid": "size",
  "product.family_wrong": "family",
  "product.ussd_number_invalid": "ussdNumber",
  "product.ussd_number_taken": "ussdNumber",
  "product.price_needs_confirmation": "price",
  "wallet.insufficient_balance": "amount",
  "user.current_password_wrong": "currentPassword",
  "code.wrong": "code",
  "factor.wrong": "code",
  "phone.taken": "code",
  "pin.trivial": "pin",
  "order.not_found": "orderId",
  "case.proof_missing": "proof",
  "order.evidence_missing": "reason",
  "text.invalid": "text",
  "webhook.exists": "url",
};

/** Plain messages for people, where the API promises another wording to programs. */
const PLAIN_MESSAGES: Partial<Record<ErrorCode, string>> = {
  "auth.bad_credentials": "Wrong email or password",
};

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
