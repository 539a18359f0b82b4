// JSON serialization for the simulators: 64-bit ids as they are, and spellings that re-serializing would change.

export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json | undefined };

/**
 * Different spellings of the same value; a signature must be checked over the exact bytes (Paystack docs, Webhooks).
 */
export type JsonStyle = {
  /** "/" as "\/", as PHP writes it. */
  slashes?: boolean;
  /** "@" and everything outside ASCII as \u escapes. */
  unicode?: boolean;
  pretty?: boolean;
  order?: "reversed" | "sorted";
  /** Whole numbers as 2000.0; ids stay as they are. */
  decimals?: boolean;
};

export const HOSTILE_JSON: JsonStyle = {
  slashes: true,
  unicode: true,
  pretty: true,
  order: "reversed",
  decimals: true,
};

/** Serializes a value in a given style. */
export function writeJson(value: Json, style: JsonStyle = {}): string {
  return write(value, style, "");
}

/** The value as an object, or null: bodies are untrusted. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** The parsed text, or undefined if it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function write(value: Json, style: JsonStyle, indent: string): string {
  if (typeof value === "string") return writeString(value, style);
  if (typeof value === "number")
    return style.decimals && Number.isInteger(value) ? `${value}.0` : JSON.stringify(value);
  if (value === null || typeof value !== "object") return String(value);
  const deeper = style.pretty ? `${indent}  ` : "";
  const colon = style.pretty ? ": " : ":";
  const parts = Array.isArray(value)
    ? value.map((item) => write(item, style, deeper))
    : entriesOf(value, style).map(([key, item]) => `${writeString(key, style)}${colon}${write(item, style, deeper)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (parts.length === 0 || !style.pretty) return `${open}${parts.join(",")}${close}`;
  return `${open}\n${deeper}${parts.join(`,\n${deeper}`)}\n${indent}${close}`;
}

function entriesOf(value: JsonObject, style: JsonStyle): [string, Json][] {
  const entries = Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  if (style.order === "reversed") return entries.reverse();
  if (style.order === "sorted") return entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return entries;
}

function writeString(text: string, style: JsonStyle): string {
  let json = JSON.stringify(text);
  if (style.slashes) json = json.replaceAll("/", "\\/");
  if (style.unicode)
    json = json.replace(/[@\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return json;
}
