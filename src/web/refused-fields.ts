// The field of a form that a refusal of the core is about, and its words for people.
import { AppError, type ErrorCode } from "../shared/errors/app-error.ts";
import { errors } from "../shared/errors/codes.ts";

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
