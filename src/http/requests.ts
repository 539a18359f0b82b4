// Safe reading of requests: size-limited bodies, the client's address, the page's origin, cookies.
import { limits } from "../shared/domain.ts";
import { AppError } from "../shared/errors/app-error.ts";

const beingRead = new WeakSet<Request>();

/** Whether a request's body is still arriving: a timeout is then the client's fault, not ours. */
export const isReadingBody = (request: Request): boolean => beingRead.has(request);

/**
 * The raw body. Throws request.too_large before it holds more than `bytesMax`, and request.timeout if the client
 * disconnects before the end.
 */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  beingRead.add(request);
  try {
    return await receive(request, bytesMax);
  } catch (error) {
    throw error instanceof AppError ? error : new AppError("request.timeout");
  } finally {
    beingRead.delete(request);
  }
}

async function receive(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > bytesMax) throw new AppError("request.too_large");
  // The server enforces a declared length; only a body of unknown length must be counted here.
  if (declared >= 0 || !request.body) return request.bytes();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new AppError("request.too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body as text. Throws like readBytes. */
export async function readText(request: Request, bytesMax: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, bytesMax));
}

/**
 * The body as JSON; `before` gets its length before anybody parses it. Throws request.content_type, request.too_large,
 * request.malformed, and as `before`.
 */
export async function readJson(
  request: Request,
  bytesMax: number,
  before?: (bytes: number) => Promise<void>,
): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new AppError("request.content_type");
  const text = await readText(request, bytesMax);
  await before?.(text.length);
  checkShape(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("request.malformed");
  }
}

/** A posted form. Throws like readJson. */
export async function readForm(request: Request, bytesMax: number): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) throw new AppError("request.content_type");
  const text = await readText(request, bytesMax);
  if (occursMoreThan(text, "&", FIELDS_MAX)) throw new AppError("request.too_large");
  return new URLSearchParams(text);
}

/**
 * A list can have ten thousand orders ticked; no form of ours has more fields. A million would take seconds to parse.
 */
const FIELDS_MAX = 12_000;
/** The fields of a multipart form are typed one by one, so there are few. */
const PARTS_MAX = 1_000;

/** Whether `mark` occurs in a text more than `countMax` times. */
function occursMoreThan(text: string, mark: string, countMax: number): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0 && count <= countMax; at = text.indexOf(mark, at + mark.length)) count += 1;
  return count > countMax;
}

/** A form with files. The text is limited to `textBytesMax`; the page that receives a file checks it. */
export type Upload = { form: URLSearchParams; files: Map<string, File> };

/** A form with or without files (multipart/form-data). Throws like readForm, and request.malformed. */
export async function readUpload(request: Request, bytesMax: number, textBytesMax: number): Promise<Upload> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type))
    return { form: await readForm(request, textBytesMax), files: new Map() };
  const body = await readBytes(request, bytesMax);
  if (hasManyParts(body, type)) throw new AppError("request.too_large");
  const parts = await new Response(body as BodyInit, { headers: { "content-type": type } }).formData().catch(() => {
    throw new AppError("request.malformed", undefined, "The form arrived incomplete. Send it again.");
  });
  const [form, files] = [new URLSearchParams(), new Map<string, File>()];
  let textChars = 0;
  for (const [name, value] of parts as unknown as Iterable<[string, string | File]>) {
    if (typeof value !== "string") {
      // An empty file field is sent as a file without content.
      if (value.size > 0) files.set(name, value);
      continue;
    }
    textChars += name.length + value.length;
    if (textChars > textBytesMax) throw new AppError("request.too_large");
    form.append(name, value);
  }
  return { form, files };
}

/** Whether a body has more than PARTS_MAX parts, counted by the boundary that its type names. */
function hasManyParts(body: Uint8Array, type: string): boolean {
  const boundary = /boundary="?([^";]{1,70})/i.exec(type)?.[1];
  if (!boundary) return false;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const mark = Buffer.from(`--${boundary}`);
  let count = 0;
  for (let at = bytes.indexOf(mark); at >= 0 && count <= PARTS_MAX; at = bytes.indexOf(mark, at + mark.length))
    count += 1;
  return count > PARTS_MAX;
}

/**
 * The client's address: the socket's, unless that is a trusted proxy; then the last address in X-Forwarded-For that is
 * not a trusted proxy, because clients can forge everything before it.
 */
export function clientAddress(request: Request, socketAddress: string, trustedProxies: readonly string[]): string {
  if (!trustedProxies.includes(socketAddress)) return socketAddress;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  return hops.findLast((hop) => hop !== "" && !trustedProxies.includes(hop)) ?? socketAddress;
}

/**
 * Whether a browser says that a request came from another site's page. Browsers that send cookies across sites also
 * send Origin or Sec-Fetch-Site; a request with neither does not come from a page.
 */
export function isForeign(request: Request, baseUrl: string | null): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return false;
  const origin = request.headers.get("origin");
  if (origin === null) return site !== null;
  if (origin === baseUrl) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.get("host");
}

/**
 * A cookie's name in a shop with this address. Over https it gets the __Host- prefix: browsers then accept it only from
 * this host, for all paths, and never over plain http (RFC 6265bis, 4.1.3.2).
 */
export function cookieName(name: string, baseUrl: string | null): string {
  return baseUrl?.startsWith("https:") ? `__Host-${name}` : name;
}

/** The value of a cookie, or null. */
export function cookie(request: Request, name: string): string | null {
  for (const part of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, ...value] = part.split("=");
    if (key?.trim() === name) return value.join("=").trim();
  }
  return null;
}

/** Ten thousand orders with every field fit within both; parsing millions of either would take seconds. */
const CONTAINERS_MAX = 20_000;
const STRINGS_MAX = 100_000;

/**
 * Counts brackets and strings before parsing, to limit the recursion and the number of objects and strings. Throws
 * request.malformed and request.too_large.
 */
function checkShape(text: string): void {
  let [depth, containers, quotes] = [0, 0, 0];
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) {
      inString = !inString;
      quotes += 1;
    } else if (inString) i += code === 92 ? 1 : 0;
    else if (code === 91 || code === 123) {
      depth += 1;
      containers += 1;
      if (depth > limits.jsonDepth) throw new AppError("request.malformed");
    } else if (code === 93 || code === 125) depth -= 1;
  }
  if (containers > CONTAINERS_MAX || quotes > 2 * STRINGS_MAX) throw new AppError("request.too_large");
}
