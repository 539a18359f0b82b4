// Passes from a live server to its sandbox, signed with a key that both derive from their shared secret: whose session
// it is, who has left, or where a forwarded request came from. JWTs (RFC 7519), HS256, valid for a minute.
import { createHmac, timingSafeEqual } from "node:crypto";

/** The keys, newest first: the first signs, and all verify. */
export type PassKeys = { signing: readonly string[] };

/** A live account as the sandbox knows it. */
export type LiveOwner = { userId: number; username: string };

/** Where a forwarded request came from, and its id in the log of the live server. */
export type Origin = { address: string; requestId: string };

const VALID_SECONDS = 60;
/** The clocks of two machines differ. */
const LEEWAY_SECONDS = 30;
const HEAD = encode({ alg: "HS256", typ: "JWT" });
const CHARS_MAX = 1_000;

type Content = { aud: "owner" | "leaver" | "forwarded"; exp: number; [more: string]: unknown };

/** The keys, derived from the secret that signs sessions and the previous one. */
export function passKeysOf(secret: string, previous: string | null = null): PassKeys {
  const keyOf = (from: string) => createHmac("sha256", from).update("passes for the sandbox").digest("base64url");
  return { signing: [secret, previous].filter((from) => from !== null).map(keyOf) };
}

/** The pass with which an owner's page calls the sandbox as their twin. */
export function ownersPass(keys: PassKeys, { userId, username }: LiveOwner): string {
  return sign(keys, { aud: "owner", exp: expiry(), sub: String(userId), username });
}

/** Whose pass this is; null for anything that is not a valid one. */
export function ownerOf(keys: PassKeys, pass: string): LiveOwner | null {
  const content = verify(keys, pass, "owner");
  const userId = userIdIn(content);
  return userId === null || typeof content?.username !== "string" ? null : { userId, username: content.username };
}

/** The pass with which the live shop says that an account has left. */
export function leaversPass(keys: PassKeys, userId: number): string {
  return sign(keys, { aud: "leaver", exp: expiry(), sub: String(userId) });
}

/** Who has left; null for anything that is not a valid pass that says so. */
export function leaverOf(keys: PassKeys, pass: string): number | null {
  return userIdIn(verify(keys, pass, "leaver"));
}

function userIdIn(content: Content | null): number | null {
  const userId = Number(content?.sub);
  return Number.isSafeInteger(userId) && userId >= 1 ? userId : null;
}

/** The stamp of a forwarded request. */
export function forwardingStamp(keys: PassKeys, { address, requestId }: Origin): string {
  return sign(keys, { aud: "forwarded", exp: expiry(), address, requestId });
}

/** Where a forwarded request came from; null for anything that is not a valid stamp. */
export function originOf(keys: PassKeys, stamp: string): Origin | null {
  const content = verify(keys, stamp, "forwarded");
  if (!content) return null;
  const { address, requestId } = content;
  return typeof address === "string" && typeof requestId === "string" ? { address, requestId } : null;
}

function sign({ signing }: PassKeys, content: Content): string {
  const signed = `${HEAD}.${encode(content)}`;
  return `${signed}.${macOf(signing[0]!, signed).toString("base64url")}`;
}

function verify({ signing }: PassKeys, token: string, audience: Content["aud"]): Content | null {
  const [head, body, mac, more] = token.length > CHARS_MAX ? [] : token.split(".");
  if (head !== HEAD || !body || !mac || more !== undefined) return null;
  const given = Buffer.from(mac, "base64url");
  const isOurs = signing.some((key) => {
    const right = macOf(key, `${head}.${body}`);
    return given.length === right.length && timingSafeEqual(given, right);
  });
  if (!isOurs) return null;
  const content = JSON.parse(Buffer.from(body, "base64url").toString()) as Content;
  return content.aud === audience && content.exp > Date.now() / 1000 - LEEWAY_SECONDS ? content : null;
}

const macOf = (key: string, signed: string) => createHmac("sha256", key).update(signed).digest();
const expiry = () => Math.floor(Date.now() / 1000) + VALID_SECONDS;

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
