// Bodies and addresses in the log of requests: without secrets, and no longer than a page can show. Most bodies are
// short and hold no secret; only the others are taken apart.
import { DELIVERY_KINDS } from "../../shared/domain.ts";
import { errors } from "../../shared/errors/codes.ts";

/** Of each body, in UTF-8. */
export const BODY_BYTES_MAX = 4096;
/** The last character of a body that was cut: no JSON ends with it. */
export const CUT = "…";
/** Stands in the place of a secret. */
export const REMOVED = "[removed]";

const PATH_CHARS_MAX = 500;
const DEPTH_MAX = 20;

/**
 * The value of a body. `json` is given where we have made it anyway; never what a client has sent, in which one name
 * can stand twice, the first time with a secret.
 */
export type Body = {
  value: unknown;
  json?: string;
  /** It may be of many lines, for which its route takes more than others do. */
  isLong?: boolean;
};

/**
 * The JSON of a body without secrets, at most BODY_BYTES_MAX long; a longer one is cut and ends with CUT. A secret is
 * the value of a field that is named like one, and any API key or signing secret of ours.
 */
export function keptBody({ value, json }: Body): string {
  if (hasSecretField(value, { fields: FIELDS_MAX }, 0)) return cut(withoutSecrets(value));
  const whole = json ?? JSON.stringify(value) ?? "null";
  return cut(hasOwnSecret(whole) ? withoutSecrets(value) : whole.slice(0, BODY_BYTES_MAX + 1));
}

/** The address of a request with its query, without secrets, cut where it is very long. */
export function keptPath(url: string): string {
  const path = url.slice(url.indexOf("/", url.indexOf("//") + 2)).slice(0, PATH_CHARS_MAX * 4);
  const [before, query] = splitAt(path, "?");
  const kept = query === null ? before : `${before}?${query.split("&").map(keptParameter).join("&")}`;
  const clean = hasOwnSecret(kept) ? withoutOwnSecrets(kept) : kept;
  return clean.length > PATH_CHARS_MAX ? clean.slice(0, PATH_CHARS_MAX) + CUT : clean;
}

function keptParameter(parameter: string): string {
  const [name, value] = splitAt(parameter, "=");
  return value !== null && isSecretName(decoded(name)) ? `${name}=${REMOVED}` : parameter;
}

function splitAt(text: string, mark: string): [string, string | null] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Fields and entries looked at before a body is taken apart without looking further. */
const FIELDS_MAX = 200;

/** Whether a value has a field with a secret, or is too large to say. */
function hasSecretField(value: unknown, left: { fields: number }, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === DEPTH_MAX) return true;
  if (Array.isArray(value)) {
    left.fields -= value.length;
    return left.fields < 0 || value.some((one) => hasSecretField(one, left, depth + 1));
  }
  // Without a list of its entries, because every answer to a program passes here.
  for (const name in value) {
    const one = (value as Record<string, unknown>)[name];
    left.fields -= 1;
    if (left.fields < 0 || isSecret(name, one) || hasSecretField(one, left, depth + 1)) return true;
  }
  return false;
}

/** Null and false are no secrets; nor is the code of one of our errors, or of what happens to an order. */
function isSecret(name: string, value: unknown): boolean {
  if (value === null || typeof value === "boolean" || !isSecretName(name)) return false;
  return !(name === "code" && typeof value === "string" && (value in errors || value in DELIVERY_KINDS));
}

/** Parts of names, however they are written: "currentPassword", "ghCardId", "x-token". */
const PART = /pass(?:w|code|phrase)|secret|token|otp|voucher|credential|authori[sz]|signature|cookie|card/i;
/** Ends of the words of a name: "apiKey", "newpin", but not "shipping". */
const END = /(?:^(?:pass|pwd|cvv)|pins?|codes?|keys?)$/i;
/** Codes that say something about an order or an error, and open nothing. */
const HARMLESS = /^(?:failure|error|status|reason|network|operator|vendor|country)_?codes?$/i;

const NAMES_KNOWN_MAX = 2_000;
const known = new Map<string, boolean>();

/** Whether a field or a parameter of this name may hold a secret. */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const is = !HARMLESS.test(name) && (PART.test(name) || partsOf(name).some((part) => END.test(part)));
  // Clients choose names, too.
  if (known.size >= NAMES_KNOWN_MAX) known.clear();
  if (name.length <= 50) known.set(name, is);
  return is;
}

/** "ghCardId" is gh, Card, Id. */
function partsOf(name: string): string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").split(/[^A-Za-z0-9]+/);
}

function hasOwnSecret(text: string): boolean {
  return text.includes("dfk_") || text.includes("whsec_");
}

/** API keys and the secrets of webhooks, wherever they stand. */
function withoutOwnSecrets(text: string): string {
  return text.replace(/(dfk_(?:live_|test_)?|whsec_)[\w+/=-]*/g, `$1${REMOVED}`);
}

/** Writes a value as JSON, up to a little more than is kept. */
function withoutSecrets(value: unknown): string {
  const out = { text: "" };
  write(value, out, 0);
  return out.text;
}

type Out = { text: string };
const isFull = ({ text }: Out) => text.length > BODY_BYTES_MAX;

function write(value: unknown, out: Out, depth: number): void {
  if (typeof value === "string") {
    out.text += JSON.stringify(withoutOwnSecrets(value.slice(0, BODY_BYTES_MAX + 1)));
  } else if (typeof value !== "object" || value === null) {
    out.text += JSON.stringify(value) ?? "null";
  } else if ("toJSON" in value && typeof value.toJSON === "function") {
    write(value.toJSON(), out, depth);
  } else if (depth === DEPTH_MAX) {
    out.text += `"${CUT}"`;
  } else if (Array.isArray(value)) {
    writeList(value, out, depth);
  } else {
    writeFields(value, out, depth);
  }
}

function writeList(values: unknown[], out: Out, depth: number): void {
  out.text += "[";
  for (const [i, value] of values.entries()) {
    if (isFull(out)) return;
    if (i > 0) out.text += ",";
    write(value, out, depth + 1);
  }
  out.text += "]";
}

function writeFields(fields: object, out: Out, depth: number): void {
  out.text += "{";
  let isFirst = true;
  for (const [name, value] of Object.entries(fields)) {
    if (isFull(out)) return;
    if (value === undefined) continue;
    out.text += `${isFirst ? "" : ","}${JSON.stringify(withoutOwnSecrets(name.slice(0, BODY_BYTES_MAX)))}:`;
    write(isSecret(name, value) ? REMOVED : value, out, depth + 1);
    isFirst = false;
  }
  out.text += "}";
}

const encoder = new TextEncoder();
const room = new Uint8Array(BODY_BYTES_MAX);
const CUT_BYTES = encoder.encode(CUT).length;

/** At most BODY_BYTES_MAX bytes, and whole characters. */
function cut(text: string): string {
  // A character has at most three bytes for each unit of its length.
  if (text.length * 3 <= BODY_BYTES_MAX) return text;
  if (encoder.encodeInto(text, room).read === text.length) return text;
  return text.slice(0, encoder.encodeInto(text, room.subarray(0, BODY_BYTES_MAX - CUT_BYTES)).read) + CUT;
}
