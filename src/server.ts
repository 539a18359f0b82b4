// One application out of the doors: finds out who asks, limits how long an answer may take, and turns every failure
// into words of ours.
import { jwt } from "@elysiajs/jwt";
import { sql } from "drizzle-orm";
import { Elysia } from "elysia";
import { channels } from "../channels/index.ts";
import { ussdKey } from "../channels/ussd/hop.ts";
import { type Db, isOutage } from "../db/connect.ts";
import { knownMigrations } from "../db/migrate.ts";
import { WaitOver } from "../db/waits.ts";
import { api, type Caller, takesKey, webhooks } from "./api/index.ts";
import type { CardSafe } from "./core/afa/card-safe.ts";
import type { BundleVendor } from "./core/fulfilment/vendor.ts";
import { addressToken, addressOf as vendorAddressOf } from "./core/fulfilment/vendor-webhooks.ts";
import { type CodeKeys, codeKey } from "./core/identity/codes.ts";
import { deviceKeysOf } from "./core/identity/devices.ts";
import { pinKeysOf } from "./core/identity/pins.ts";
import { factorKeysOf } from "./core/identity/second-factor.ts";
import * as sessions from "./core/identity/sessions.ts";
import { type Callback, addressOf as callbackAddressOf, secretsOf } from "./core/messaging/callbacks.ts";
import type { PaymentGateway } from "./core/payments/gateway.ts";
import { answerWithin } from "./core/platform/acts.ts";
import * as metrics from "./core/platform/metrics.ts";
import { traced } from "./core/platform/tracing.ts";
import { webhookKeysOf } from "./core/webhooks/endpoints.ts";
import type { HookSender } from "./core/webhooks/sender.ts";
import { createRequestLimiter, type RequestBudget } from "./http/request-budget.ts";
import { clientAddress, isReadingBody } from "./http/requests.ts";
import { limits } from "./shared/domain.ts";
import { AppError } from "./shared/errors/app-error.ts";
import { catalogue } from "./shared/errors/codes.ts";
import type { Log } from "./telemetry/log.ts";
import { createMetricsEndpoint, type MetricsAccess } from "./telemetry/metrics-endpoint.ts";
import { createRequestContext, doorOf, type RequestContext, recordRequest } from "./telemetry/request-log.ts";
import { readSession } from "./web/cookies.ts";
import { web } from "./web/index.tsx";

export type AppDeps = {
  db: Db;
  gateway: PaymentGateway;
  vendors: readonly BundleVendor[];
  /** For Ghana Card numbers. */
  cards: CardSafe;
  log: Log;
  jwtSecret: string;
  /** Another one whose tokens, digests and seals are good, while one takes the place of the other. */
  previousJwtSecret?: string | null;
  /** What may stand in the addresses that Africa's Talking calls; without any, one is made from `jwtSecret`. */
  callbackSecrets?: readonly string[];
  /** What messages can be sent by. */
  channels: CodeKeys["channels"];
  /** Says which endpoints may be called. */
  hookSender: HookSender;
  /** The public origin; null where the address is not known beforehand. */
  baseUrl: string | null;
  trustedProxies: readonly string[];
  /** The address at the other end of the socket. */
  socketAddressOf: (request: Request) => string;
  /** True while the process is going down: `/readyz` then says no. */
  isDraining: () => boolean;
  /** What an account may send, where it is not the usual; null: nothing bounds it. */
  requestBudget?: RequestBudget | null;
  /** Who may read /metrics; without it, nobody. */
  metricsAccess?: MetricsAccess;
};

export type App = {
  fetch: (request: Request) => Promise<Response>;
  elysia: Elysia;
  /** The token for a session. */
  sign: (sessionId: string) => Promise<string>;
};

/** Builds the application; `fetch` answers any request within limits.requestTimeoutMs and never throws. */
export function createApp(deps: AppDeps): App {
  const aboutOf = createRequestContext();
  const requestIdOf = (request: Request) => aboutOf(request).requestId;
  const { tokens, callbackSecrets, vendorTokens, ussd, ...means } = keysOf(deps);
  const addressOf = (request: Request) =>
    clientAddress(request, deps.socketAddressOf(request), deps.trustedProxies);
  const countRequest = createRequestLimiter(deps.requestBudget);
  const identify = async (request: Request) => {
    const caller = await identifyCaller(deps, tokens, request, aboutOf(request));
    if (caller) countRequest(caller.by.userId!);
    return caller;
  };
  const doorDeps = {
    db: deps.db,
    gateway: deps.gateway,
    ...means,
    vendors: deps.vendors,
    callbackAddress: (callback: Callback) => callbackAddressOf(deps.baseUrl, callbackSecrets, callback),
    vendorAddress: (code: string) => vendorAddressOf(deps.baseUrl, deps.jwtSecret, code),
    cards: deps.cards,
    baseUrl: deps.baseUrl,
    identify,
    addressOf,
    sign: tokens.sign,
  };
  const pages = web({ ...doorDeps, requestIdOf });

  const fail = (error: unknown, request: Request): Response | Promise<Response> => {
    const refusal = toAppError(error, request, aboutOf(request).route);
    metrics.refusals.inc({ door: doorOf(request), code: refusal.code });
    aboutOf(request).refusal = refusal.code;
    if (refusal.status >= 500) deps.log.error({ error, requestId: requestIdOf(request) }, "a request failed");
    return isForMachines(request) ? refuse(refusal, requestIdOf(request)) : pages.refuse(request, refusal);
  };

  const elysia = new Elysia({ precompile: true })
    .onTransform({ as: "global" }, ({ request, route }) => {
      aboutOf(request).route = route;
    })
    .onError(({ error, code, request }) => {
      if (code !== "NOT_FOUND") return fail(error, request);
      return isForMachines(request)
        ? fail(new AppError("request.not_found"), request)
        : pages.unknown(request);
    })
    .use(health(deps))
    .use(api(doorDeps))
    .use(webhooks({ ...deps, vendorTokens }))
    .use(channels({ ...doorDeps, callbackSecrets, ussdKey: ussd, log: deps.log }))
    .use(pages.routes) as unknown as Elysia;

  const guards = guardsOf(deps.baseUrl);
  return {
    elysia,
    sign: tokens.sign,
    fetch: (request) => traced("request", {}, () => answer(request)),
  };

  async function answer(request: Request): Promise<Response> {
    const startedAt = performance.now();
    const response = await answerInTime(elysia, request, fail);
    response.headers.set("x-request-id", requestIdOf(request));
    for (const [name, value] of guards) response.headers.set(name, value);
    // A connection that is kept would be closed under the next request on it.
    if (deps.isDraining()) response.headers.set("connection", "close");
    const ms = performance.now() - startedAt;
    recordRequest(deps.log, request, aboutOf(request), { status: response.status, ms });
    return response;
  }
}

/** Everything that is made from the secrets: of two, the first makes what is new, and both are believed. */
function keysOf({
  jwtSecret,
  previousJwtSecret = null,
  callbackSecrets = [],
  channels,
  hookSender,
}: AppDeps) {
  const secrets = previousJwtSecret === null ? [jwtSecret] : [jwtSecret, previousJwtSecret];
  return {
    tokens: tokenService(secrets),
    callbackSecrets: secretsOf(callbackSecrets, ...secrets),
    vendorTokens: (code: string) => secrets.map((secret) => addressToken(secret, code)),
    ussd: ussdKey(jwtSecret),
    codeKeys: { key: codeKey(jwtSecret), channels },
    deviceKeys: deviceKeysOf(jwtSecret, previousJwtSecret),
    pinKeys: pinKeysOf(jwtSecret, previousJwtSecret),
    factorKeys: factorKeysOf(jwtSecret, previousJwtSecret),
    webhookKeys: webhookKeysOf(hookSender, jwtSecret, previousJwtSecret),
  };
}

/** What every answer tells the browser, whatever it is. Other parts of the shop's domain may have no https: they are left alone. */
function guardsOf(baseUrl: string | null): [name: string, value: string][] {
  const isSecure = baseUrl?.startsWith("https:") ?? false;
  return [
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "same-origin"],
    ["cross-origin-resource-policy", "same-origin"],
    ["permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
    ...(isSecure ? [["strict-transport-security", "max-age=31536000"] as [string, string]] : []),
  ];
}

async function answerInTime(
  elysia: Elysia,
  request: Request,
  fail: (error: unknown, request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const late = (isUndone: boolean) => {
    const code = isReadingBody(request)
      ? "request.timeout"
      : isUndone && changesSomething(request)
        ? "service.busy"
        : "service.unavailable";
    return fail(new AppError(code), request);
  };
  try {
    return await answerWithin(limits.requestTimeoutMs, async () => elysia.fetch(request), late);
  } catch (error) {
    return await fail(error, request);
  }
}

type Tokens = {
  sign: (sessionId: string) => Promise<string>;
  verify: (token: string) => Promise<string | null>;
};

/** Tokens are JWTs that name a session row and nothing else: signed with the first secret (HS256), believed under each. */
function tokenService(secrets: string[]): Tokens {
  const services = secrets.map((secret) => jwt({ name: "jwt", secret, alg: "HS256" }).decorator.jwt);
  return {
    sign: (sessionId) =>
      services[0]!.sign({ jti: sessionId, iat: true, exp: `${sessions.SESSION_SECONDS}s` }),
    verify: async (token) => {
      for (const { verify } of services) {
        const payload = await verify(token, { algorithms: ["HS256"] });
        if (payload && typeof payload.jti === "string") return payload.jti;
      }
      return null;
    },
  };
}

async function identifyCaller(
  deps: AppDeps,
  tokens: Tokens,
  request: Request,
  about: RequestContext,
): Promise<Caller | null> {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const token = bearer ?? readSession(deps, request);
  if (!token) return null;
  const sessionId = await tokens.verify(token);
  const session = sessionId && (await sessions.find(deps.db, sessionId));
  if (!session) throw new AppError("auth.session_ended");
  const { id: userId, roles, username, email } = session.user;
  const isCookie = bearer === undefined;
  about.userId = userId;
  const { requestId } = about;
  const by = { userId, roles, channel: isCookie ? ("web" as const) : ("api" as const), requestId };
  const mustEnrol = session.mustEnrol ?? false;
  return { by, sessionId: session.id, isCookie, username, email, mustEnrol };
}

/** What a person is told of a failure; a fault of ours is never described to them. */
function toAppError(error: unknown, request: Request, route: string): AppError {
  const isUnavailable = error instanceof AppError && error.code === "service.unavailable";
  if (isUnavailable || isOutage(error) || error instanceof WaitOver)
    return new AppError("service.unavailable", undefined, wordsOfOutage(request, route));
  return error instanceof AppError ? error : new AppError("service.failed");
}

/** What changes something may have been done all the same, also after the answer: then the words say how to find out. */
function wordsOfOutage(request: Request, route: string): string | undefined {
  if (!changesSomething(request)) return undefined;
  const door = doorOf(request);
  if (door === "web") return `${UNCLEAR} Send the same form again: it is done once at most.`;
  if (door !== "api") return undefined;
  if (!takesKey(request.method, route)) return `${UNCLEAR} Look first, and then ask again.`;
  return request.headers.has("idempotency-key")
    ? `${UNCLEAR} Ask again with the same Idempotency-Key: it is done once at most.`
    : `${UNCLEAR} Look before you ask again, and send an Idempotency-Key: with the same key it is done once at most.`;
}

function changesSomething({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD";
}

const UNCLEAR = "We could not tell in time whether this was done.";

function isForMachines(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return (
    pathname.startsWith("/api/") ||
    pathname === "/openapi.json" ||
    pathname === "/readyz" ||
    pathname === "/metrics" ||
    pathname.startsWith("/webhooks/") ||
    pathname.startsWith("/channels/")
  );
}

function refuse(refusal: AppError, requestId: string): Response {
  const { code, message, details } = refusal;
  const isFault = code === "service.failed";
  const body = {
    code,
    message: isFault ? `${message}. Reference ${requestId}` : message,
    details,
    requestId,
  };
  return Response.json(body, { status: refusal.status, headers: refusalHeaders(refusal) });
}

function refusalHeaders({ code, details }: AppError): Record<string, string> {
  const waitSeconds = details?.retryAfterSeconds ?? (catalogue[code].status === 503 ? 2 : undefined);
  return {
    "cache-control": "no-store",
    ...(waitSeconds !== undefined && { "retry-after": String(waitSeconds) }),
    // The rest of its body may still come, and must not be taken for the next request.
    ...(code === "request.timeout" && { connection: "close" }),
    ...(catalogue[code].status === 401 && { "www-authenticate": "Bearer" }),
  };
}

/**
 * `/healthz`: the process lives. `/readyz`: it can work, which needs the database with every migration. `/metrics`: how
 * it does, for those who may know.
 */
function health({ db, isDraining, metricsAccess = "nobody", socketAddressOf }: AppDeps) {
  const metricsFor = createMetricsEndpoint(db, metricsAccess, socketAddressOf);
  const known = knownMigrations();
  return new Elysia()
    .get("/healthz", () => Response.json({ ok: true }))
    .get("/metrics", async ({ request }) => {
      const answer = await metricsFor(request);
      if (!answer) throw new AppError("request.not_found");
      return answer;
    })
    .get("/readyz", async () => {
      if (isDraining()) throw new AppError("service.unavailable");
      const [row] = await db.execute<{ count: number }>(
        sql`select count(*) as count from drizzle.__drizzle_migrations`,
      );
      if (row!.count < known) throw new AppError("service.unavailable");
      return Response.json({ ok: true });
    });
}
