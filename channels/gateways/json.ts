// Reading and writing for gateways that post JSON: a flat object of short fields, whose names some write in two ways.
import { readJson } from "../../src/http/requests.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { type Content, headersOf, type Incoming } from "./gateway.ts";

/** The largest documented request has a few hundred bytes. */
const BODY_BYTES_MAX = 4096;
const FIELDS_MAX = 40;
const FIELD_CHARS_MAX = 500;

/** The fields by their names in lower case, as text; `""` for one that is absent. */
export type Fields = { get: (name: string) => string };

/**
 * Reads a request with `contentOf`, and answers with what `write` makes of the fields. What is no such object at all is
 * answered likewise, without fields, and with the status of its fault.
 */
export async function readFields(
  request: Request,
  contentOf: (fields: Fields) => Content,
  write: (fields: Fields, answer: Parameters<Incoming["write"]>[0]) => object,
): Promise<Incoming> {
  const answering = (fields: Fields, status: number): Incoming["write"] => {
    return (answer) => Response.json(write(fields, answer), { status, headers: headersOf(JSON_TYPE) });
  };
  try {
    const fields = fieldsOf(await readJson(request, BODY_BYTES_MAX));
    if (fields) return { content: contentOf(fields), write: answering(fields, 200) };
    return { content: { unreadable: "the body" }, write: answering(NOTHING, 400) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { content: { unreadable: "the body" }, write: answering(NOTHING, error.status) };
  }
}

const JSON_TYPE = "application/json; charset=utf-8";
const NOTHING: Fields = { get: () => "" };

/** Null for anything but an object of texts, numbers, booleans and nulls, each named once. */
function fieldsOf(body: unknown): Fields | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const entries = Object.entries(body);
  if (entries.length > FIELDS_MAX) return null;
  const fields = new Map<string, string>();
  for (const [name, value] of entries) {
    const text = textOf(value);
    if (text === null || fields.has(name.toLowerCase())) return null;
    fields.set(name.toLowerCase(), text);
  }
  return { get: (name) => fields.get(name) ?? "" };
}

function textOf(value: unknown): string | null {
  if (value === null) return "";
  // A number that lost digits would be another session, or another phone.
  if (typeof value === "number") return Number.isSafeInteger(value) ? `${value}` : "";
  if (typeof value !== "string" && typeof value !== "boolean") return null;
  const text = `${value}`;
  return text.length <= FIELD_CHARS_MAX && !text.includes("\0") ? text : null;
}
