// Calls to the sandbox from a live server. It may hang or be gone: only a few requests wait for it at a time, none for
// long, and none holds anything of the live shop meanwhile.

import { rateLimited } from "../core/platform/budgets/budgets.ts";
import { networkOf } from "../core/platform/networks.ts";
import {
  FAREWELL_PATH,
  FORWARDED_HEADER,
  type ForwardedRequest,
  type OwnersCall,
  type SandboxClient,
} from "../core/sandbox/client.ts";
import { forwardingStamp, type LiveOwner, leaversPass, ownersPass, type PassKeys } from "../core/sandbox/passes.ts";
import { limits } from "../shared/domain.ts";
import { AppError, type ErrorCode, type ErrorDetails } from "../shared/errors/app-error.ts";
import { errors } from "../shared/errors/codes.ts";

export type SandboxOptions = {
  /** Its origin; starts it first, where the shop does that itself. */
  addressOf: () => Promise<string>;
  /** Whether it runs, where the shop starts it; by default it is somebody else's to run. */
  isAwake?: () => boolean;
  keys: PassKeys;
  /** Until the head of an answer, which may begin with the start of the sandbox. */
  answerMs?: number;
  /** Until the end of an answer. */
  wholeMs?: number;
  /** How many requests with a small body, or none, may wait for it: together, and from one network. */
  small?: Places;
  /** Likewise of those with a long body, which is kept in memory meanwhile. */
  long?: Places;
};

/** Below the nine seconds that any answer of ours may take, so that its refusal says what is wrong. */
const ANSWER_MS = 8_000;
const WHOLE_MS = 60_000;

type Places = { max: number; byNetworkMax: number };
/**
 * Anybody can make a text that looks like a key, so one network must not take all places. A network has more than one
 * account may send at once, so that a test key is refused by its account's limit, as a live one is.
 */
const SMALL: Places = { max: 1_200, byNetworkMax: 300 };
const LONG: Places = { max: 48, byNetworkMax: 16 };

const DOWN = "The sandbox does not answer at the moment; live keys work as usual. Try again in a few seconds.";
/** Nothing was done, so it is a limit, and not an outage. */
const FULL = "Too many requests wait for the sandbox; live keys work as usual.";
const FULL_SECONDS = 1;

/** Those of one connection (RFC 9110, 7.6.1), which a proxy does not pass on. */
const HOP_BY_HOP = [
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
];
/** Besides: what belongs to the live shop alone, what the call sets itself, and what nobody outside may say. */
const OURS = [
  ...["cookie", "x-confirm", "host", "content-length", "accept-encoding", "expect", "forwarded"],
  ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", FORWARDED_HEADER],
];
/** Set by the live server for its own answers, or about an encoding that is none. */
const NOT_ANSWERED = ["set-cookie", "strict-transport-security", "alt-svc", "server", "date"];

/** Creates the client. */
export function createSandbox(options: SandboxOptions): SandboxClient {
  const { addressOf, keys, answerMs = ANSWER_MS, wholeMs = WHOLE_MS } = options;
  const [small, long] = [createPlaces(options.small ?? SMALL), createPlaces(options.long ?? LONG)];

  const send = async (path: string, init: RequestInit, abort: AbortController) => {
    const timer = setTimeout(() => abort.abort(), answerMs);
    try {
      const origin = await Promise.race([addressOf(), whenAborted(abort.signal)]);
      // `decompress` and `redirect`: an answer is passed on as it is.
      return await fetch(origin + path, {
        ...init,
        ...{ redirect: "manual", decompress: false, signal: abort.signal },
      } as RequestInit);
    } catch (error) {
      throw error instanceof AppError ? error : new AppError("service.unavailable", undefined, DOWN);
    } finally {
      clearTimeout(timer);
    }
  };

  const answerTo = async ({ userId, path, ...init }: AccountRequest) => {
    const leave = small.take(`account ${userId}`);
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), answerMs);
    try {
      const answer = await send(path, init, abort);
      const body = await answer.json().catch(() => {
        throw new AppError("service.unavailable", undefined, DOWN);
      });
      if (!answer.ok) throw refusalOf(body as Failure);
      return { body, link: answer.headers.get("link") };
    } finally {
      clearTimeout(timer);
      leave();
    }
  };

  return {
    forward: async (request) => {
      const leave = (isSmall(request) ? small : long).take(networkOf(request.address));
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(), wholeMs);
      const end = () => {
        clearTimeout(timer);
        leave();
      };
      try {
        // Before the clock of the sandbox runs: it is the sender who is slow.
        const init = await forwarded(keys, request);
        const answer = await send(request.path, init, abort);
        return passedOn(answer, abort, end);
      } catch (error) {
        end();
        throw error;
      }
    },
    call: async <T>(owner: LiveOwner, call: OwnersCall) => (await answerTo(asOwner(keys, owner, call))).body as T,
    page: async <T>(owner: LiveOwner, path: string) => {
      const { body, link } = await answerTo(asOwner(keys, owner, { method: "GET", path }));
      return { rows: body as T[], next: cursorIn(link) };
    },
    sendFarewell: async (userId) => {
      await answerTo(asLeaver(keys, userId));
    },
    isAwake: options.isAwake ?? (() => true),
  };
}

/** A request of ours about a live account. */
type AccountRequest = RequestInit & { userId: number; path: string };

function asOwner(keys: PassKeys, owner: LiveOwner, { method, path, body, idempotencyKey }: OwnersCall): AccountRequest {
  return {
    ...{ userId: owner.userId, path, method },
    headers: {
      authorization: `Bearer ${ownersPass(keys, owner)}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

function asLeaver(keys: PassKeys, userId: number): AccountRequest {
  const headers = { authorization: `Bearer ${leaversPass(keys, userId)}` };
  return { userId, path: FAREWELL_PATH, method: "POST", headers };
}

/** The cursor of the next page, of a Link header; null at the end of a list. */
function cursorIn(link: string | null): number | null {
  const cursor = /[?&]cursor=(\d+)[^>]*>; rel="next"/.exec(link ?? "")?.[1];
  return cursor === undefined ? null : Number(cursor);
}

function isSmall({ method, headers }: ForwardedRequest): boolean {
  if (method === "GET" || method === "HEAD") return true;
  return Number(headers.get("content-length") ?? (headers.has("transfer-encoding") ? NaN : 0)) <= limits.bodyBytes;
}

/** Places for requests that wait for the sandbox: so many at a time, and so many of one network. */
function createPlaces({ max, byNetworkMax }: Places): { take: (network: string) => () => void } {
  const taken = new Map<string, number>();
  let count = 0;
  return {
    take: (network) => {
      const own = taken.get(network) ?? 0;
      if (count >= max || own >= byNetworkMax) throw rateLimited("sandbox", FULL, FULL_SECONDS);
      count += 1;
      taken.set(network, own + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        count -= 1;
        const left = taken.get(network)! - 1;
        if (left > 0) taken.set(network, left);
        else taken.delete(network);
      };
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

async function forwarded(keys: PassKeys, request: ForwardedRequest): Promise<RequestInit> {
  const headers = without(request.headers, OURS);
  headers.set("accept-encoding", "identity");
  headers.set(FORWARDED_HEADER, forwardingStamp(keys, request));
  const body = await request.readBody();
  return { method: request.method, headers, ...(body && { body: body as BodyInit }) };
}

/** The answer for the client; `end` runs when its body is over, however it ends. */
function passedOn(answer: Response, abort: AbortController, end: () => void): Response {
  const headers = without(answer.headers, NOT_ANSWERED);
  if (!answer.body) {
    end();
    return new Response(null, { status: answer.status, headers });
  }
  const reader = answer.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      end();
    },
    cancel: () => {
      abort.abort();
      end();
    },
  });
  return new Response(body, { status: answer.status, headers });
}

/** A copy of the headers without those of the connection, those it names itself, and `more`. */
function without(headers: Headers, more: readonly string[]): Headers {
  const named = (headers.get("connection") ?? "").split(",").map((name) => name.trim().toLowerCase());
  const copy = new Headers(headers);
  for (const name of [...HOP_BY_HOP, ...more, ...named]) if (name !== "") copy.delete(name);
  return copy;
}

type Failure = { code?: string; message?: string; details?: ErrorDetails };

/** What the sandbox refuses with, as an error of ours: both are the same program. */
function refusalOf({ code = "", message, details }: Failure): AppError {
  if (!Object.hasOwn(errors, code)) return new AppError("service.unavailable", undefined, DOWN);
  if (code === "service.unavailable" || code === "service.failed")
    return new AppError("service.unavailable", undefined, DOWN);
  return new AppError(code as ErrorCode, details, message);
}
