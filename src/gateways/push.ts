// Push messages (RFC 8030) to the push services of browsers: encrypted for one browser (RFC 8291) and signed with our
// key (RFC 8292). Users name the addresses, so the calls go through the guard of developers' webhooks.
import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from "node:crypto";
import { z } from "zod";
import type { PushGateway, PushTarget, Sent } from "../core/messaging/sender.ts";
import type { HookAnswer, HookSender } from "../core/webhooks/sender.ts";

/** Our key pair as base64url, and how a push service reaches us: mailto:… or https://…. */
export type VapidKeys = { publicKey: string; privateKey: string; subject: string };

/** The environment's keys, from `bun run push-keys`. */
export const PUSH_ENVIRONMENT = {
  PUSH_VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^B[\w-]{86}$/, "must be a key from `bun run push-keys`")
    .optional(),
  PUSH_VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, "must be a key from `bun run push-keys`")
    .optional(),
  PUSH_VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must look like mailto:shop@example.com")
    .optional(),
};

/** Null unless all are set. */
export function vapidKeysOf(env: { [Name in keyof typeof PUSH_ENVIRONMENT]?: string | undefined }): VapidKeys | null {
  const { PUSH_VAPID_PUBLIC_KEY: publicKey, PUSH_VAPID_PRIVATE_KEY: privateKey, PUSH_VAPID_SUBJECT: subject } = env;
  return publicKey && privateKey && subject ? { publicKey, privateKey, subject } : null;
}

const CURVE = "prime256v1";
/** How long a push service keeps a message for a phone that is off. */
const TTL_SECONDS = 4 * 3600;
/** At most 24 hours (RFC 8292, 2). */
const TOKEN_SECONDS = 12 * 3600;
/** The only record's size; it must hold the content. */
const RECORD_BYTES = 4096;

/** Creates the gateway on a sender that refuses addresses in our own network. */
export function createPush(keys: VapidKeys, sender: HookSender): PushGateway {
  return {
    publicKey: keys.publicKey,
    problemOf: async (target) =>
      isKey(target) ? sender.problemOf(target.endpoint) : "These are not the keys of a browser",
    send: async (target, content) => {
      const body = encrypt(target, Buffer.from(JSON.stringify(content)));
      const headers = {
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        ttl: String(TTL_SECONDS),
        urgency: "normal",
        authorization: authorization(keys, new URL(target.endpoint).origin),
      };
      return outcomeOf(await sender.post({ url: target.endpoint, headers, body }));
    },
  };
}

/** A new key pair, as base64url. */
export function newVapidKeys(): Pick<VapidKeys, "publicKey" | "privateKey"> {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  // A key with leading zeros would be too short.
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  return { publicKey: pair.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") };
}

/** Encrypts a content as one record of aes128gcm. `own` replaces the random values in tests. */
export function encrypt(
  { p256dh, auth }: Pick<PushTarget, "p256dh" | "auth">,
  content: Uint8Array,
  own: { salt: Uint8Array; privateKey: Uint8Array | null } = { salt: randomBytes(16), privateKey: null },
): Uint8Array<ArrayBuffer> {
  const pair = createECDH(CURVE);
  if (own.privateKey) pair.setPrivateKey(own.privateKey);
  else pair.generateKeys();
  const [theirs, ours] = [Buffer.from(p256dh, "base64url"), pair.getPublicKey()];
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, ours]);
  const secret = hkdfSync("sha256", pair.computeSecret(theirs), Buffer.from(auth, "base64url"), info, 32);
  const derive = (name: string, bytes: number) =>
    new Uint8Array(hkdfSync("sha256", secret, own.salt, `Content-Encoding: ${name}\0`, bytes));
  const header = Buffer.alloc(21);
  header.set(own.salt);
  header.writeUInt32BE(RECORD_BYTES, 16);
  header.writeUInt8(ours.length, 20);
  const sealed = seal(derive("aes128gcm", 16), derive("nonce", 12), content);
  return new Uint8Array(Buffer.concat([header, ours, sealed]));
}

/** Seals the last record: its content ends with a 2. */
function seal(key: Uint8Array, nonce: Uint8Array, content: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  return Buffer.concat([cipher.update(content), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()]);
}

/** A token for the service at `audience`, signed with our key. */
function authorization({ publicKey, privateKey, subject }: VapidKeys, audience: string): string {
  const point = Buffer.from(publicKey, "base64url");
  const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const jwk = { kty: "EC", crv: "P-256", d: privateKey, x: coordinate(1), y: coordinate(33) };
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
  const signed = `${encoded({ typ: "JWT", alg: "ES256" })}.${encoded({ aud: audience, exp, sub: subject })}`;
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${publicKey}`;
}

/** Whether the keys are a point of the curve and sixteen bytes. */
function isKey({ p256dh, auth }: PushTarget): boolean {
  if (!/^[\w-]{87}$/.test(p256dh) || !/^[\w-]{22}$/.test(auth)) return false;
  try {
    encrypt({ p256dh, auth }, new Uint8Array());
    return true;
  } catch {
    return false;
  }
}

function outcomeOf(answer: HookAnswer): Sent | { kind: "gone" } {
  if (answer.kind === "refused") return answer;
  if (answer.kind === "unanswered") return { kind: "unknown", reason: answer.reason };
  const { status } = answer;
  const reason = `the push service answered ${status}`;
  if (status >= 200 && status < 300) return { kind: "accepted", providerId: null };
  // 403: it was made with a key that we no longer have.
  if ([403, 404, 410].includes(status)) return { kind: "gone" };
  if (status === 401) return { kind: "down", reason };
  if (status === 429 || status >= 500) return { kind: "busy", reason };
  return { kind: "refused", reason };
}
