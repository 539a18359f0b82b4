// A push service with the browsers that subscribe to it: it checks our signature (RFC 8292), decrypts messages as their
// browser would (RFC 8291), and answers as instructed.
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from "node:crypto";

/** What a browser passes on to a shop. */
export type SimulatedBrowser = { endpoint: string; p256dh: string; auth: string };
export type ReceivedPush = { path: string; headers: Headers; content: Record<string, unknown> };

export type PushService = {
  url: string;
  /** A new subscription. */
  subscribe: () => SimulatedBrowser;
  /** What this browser has shown, oldest first. */
  shownBy: (browser: SimulatedBrowser) => ReceivedPush[];
  /** The status of its answers from now on; the default is 201. */
  answer: (status: number) => void;
  /** All requests, those refused as well. */
  requestCount: () => number;
  stop: () => void;
};

type Keys = { pair: ECDH; auth: Buffer };

/** Starts on a free port of this machine, for a shop with this public key. */
export function startPushService(publicKey: string): PushService {
  const browsers = new Map<string, Keys>();
  const received: ReceivedPush[] = [];
  let status = 201;
  let requests = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      requests += 1;
      const { pathname: path, origin } = new URL(request.url);
      const keys = browsers.get(path);
      if (!keys) return new Response(null, { status: 404 });
      if (!isSigned(request.headers, publicKey, origin)) return new Response(null, { status: 403 });
      if (status < 300) {
        const text = decrypt(keys, Buffer.from(await request.arrayBuffer()));
        received.push({ path, headers: request.headers, content: JSON.parse(text) });
      }
      return new Response(null, { status });
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    subscribe: () => {
      const pair = createECDH("prime256v1");
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(9).toString("base64url")}`;
      pair.generateKeys();
      browsers.set(path, { pair, auth });
      return {
        endpoint: url + path,
        p256dh: pair.getPublicKey("base64url"),
        auth: auth.toString("base64url"),
      };
    },
    shownBy: ({ endpoint }) => received.filter(({ path }) => endpoint === url + path),
    answer: (next) => {
      status = next;
    },
    requestCount: () => requests,
    stop: () => void server.stop(true),
  };
}

function isSigned(headers: Headers, publicKey: string, audience: string): boolean {
  const [, token = "", key] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.get("authorization") ?? "") ?? [];
  const [header = "", payload = "", signature = ""] = token.split(".");
  if (key !== publicKey || !payload) return false;
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const jwk = { kty: "EC", crv: "P-256", x: x!, y: y! };
  const verifier = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
  const isRight = verify("sha256", Buffer.from(`${header}.${payload}`), verifier, Buffer.from(signature, "base64url"));
  const { aud, exp, sub } = JSON.parse(Buffer.from(payload, "base64url").toString());
  const seconds = exp - Date.now() / 1000;
  return isRight && aud === audience && seconds > 0 && seconds <= 86_400 && /^(mailto:|https:)/.test(sub);
}

function decrypt({ pair, auth }: Keys, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const length = body.readUInt8(20);
  const theirs = body.subarray(21, 21 + length);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), theirs]);
  const secret = hkdfSync("sha256", pair.computeSecret(theirs), auth, info, 32);
  const derive = (name: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, `Content-Encoding: ${name}\0`, bytes));
  const sealed = body.subarray(21 + length);
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // The last record ends with a 2, perhaps followed by padding.
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}
