// Validation of requests to the Paystack simulator, with Paystack's errors.
import { type Call, json, type Reply } from "../http.ts";
import { asObject, type Json, type JsonObject, parseJson } from "../json.ts";
import type { Book } from "./paystack-state.ts";
import type { Opening } from "./paystack-types.ts";

/**
 * The fields of every payment, checked in Paystack's order. Nothing may await between this check for the reference
 * and the opening of the transaction, or two calls could both find it free.
 */
export function paymentIn(
  book: Book,
  body: Record<string, unknown>,
): Pick<Opening, "email" | "amount" | "currency" | "reference" | "metadata"> {
  const email = textIn(body.email) ?? "";
  if (!/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email))
    throw invalid("invalid_email_address", "Invalid Email Address Passed");
  const amount = amountIn(body.amount);
  const currency = body.currency ?? "GHS";
  if (currency !== "GHS") throw invalid("unsupported_currency", "Currency not supported by merchant");
  const reference = body.reference === undefined || body.reference === null ? null : body.reference;
  if (reference !== null && (typeof reference !== "string" || !/^[A-Za-z0-9.=-]+$/.test(reference)))
    throw invalid("invalid_reference", "Only -, ., = and alphanumeric characters are allowed in a reference");
  // Every reuse is refused: with the same amount or another, paid or not, opened by either call (observed).
  if (reference !== null && book.transactions.has(reference)) {
    const hint = "Ensure that you generate a new reference for every transaction";
    throw invalid("duplicate_reference", "Duplicate Transaction Reference", hint);
  }
  return { email, amount, currency, reference, metadata: metadataIn(body.metadata) };
}

/** Whole subunits, as a number or as digits. The test API accepted a single pesewa. */
export function amountIn(value: unknown): number {
  const amount = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof amount === "number" && Number.isSafeInteger(amount) && amount > 0) return amount;
  const hint = "Ensure that the amount is a whole number of the currency's subunit";
  throw invalid("invalid_amount", "Invalid Amount Sent", hint);
}

/** Sent as an object, its numbers come back as strings; sent as JSON text, they keep their type (observed). */
function metadataIn(value: unknown): Json {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return stringifyNumbers(value as Json);
  const parsed = parseJson(value);
  return typeof parsed === "object" ? parsed : value;
}

function stringifyNumbers(value: Json): Json {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(stringifyNumbers);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, stringifyNumbers(item ?? null)]);
  return Object.fromEntries(entries) as JsonObject;
}

export function callbackIn(body: Record<string, unknown>): string | null {
  const url = body.callback_url ?? null;
  if (url === null) return null;
  if (typeof url === "string" && /^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw invalid("invalid_callback_url", "Callback URL is not a valid URL");
}

export function channelsIn(body: Record<string, unknown>): string[] {
  const channels = body.channels ?? ["card", "mobile_money"];
  const isKnown = Array.isArray(channels) && channels.every((channel) => CHANNELS.includes(channel));
  if (isKnown && channels.length > 0) return channels as string[];
  throw invalid("invalid_channels", "Channels must be an array of known channels");
}

export function bodyOf(call: Call): Record<string, unknown> {
  const body = asObject(parseJson(call.text));
  const isJson = /^application\/json\b/i.test(call.headers["content-type"] ?? "");
  if (body && isJson) return body;
  throw invalid("invalid_params", "The request body is not a JSON object");
}

export function textIn(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

const CHANNELS = [
  ...["card", "bank", "apple_pay", "ussd", "qr", "mobile_money"],
  ...["bank_transfer", "eft", "capitec_pay", "payattitude"],
];

/** An invalid call, with the answer to it. */
export class Refusal extends Error {
  constructor(readonly reply: Reply) {
    super("refused");
  }
}

export function unknownReference(): Refusal {
  return invalid("invalid_reference", "Transaction reference is invalid");
}

export function invalid(code: string, message: string, nextStep = "Correct the request and try again"): Refusal {
  return new Refusal(problem(400, code, message, nextStep));
}

/** The error format (docs, Errors). Not every code in this file was recorded; the messages matter less. */
export function problem(status: number, code: string, message: string, nextStep: string): Reply {
  return json(status, { status: false, message, meta: { nextStep }, type: "validation_error", code });
}
