// The application: it combines the entry points (web, API, channels, webhooks), authenticates callers, limits how
// long an answer may take, and turns every failure into an error message of ours.
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
import {
  arkeselSecretsOf,
  type Callback,
  addressOf as callbackAddressOf,
  type GatewaySecrets,
  secretsOf,
} from "./core/messaging/callbacks.ts";
import type { PushGateway } from "./core/messaging/sender.ts";
import { receiptKeysOf } from "./core/orders/receipts.ts";
import type { PaymentGateway } from "./core/payments/gateway.ts";
import { answerWithin } from "./core/platform/acts.ts";
import * as metrics from "./core/platform/metrics.ts";
import * as operatorRegistry from "./core/platform/operator-registry.ts";
import { traced } from "./core/platform/tracing.ts";
import { webhookKeysOf } from "./core/webhooks/endpoints.ts";
import type { HookSender } from "./core/webhooks/sender.ts";
import { createRequestLimiter, type RequestBudget } from "./http/request-budget.ts";
import { clientAddress, isReadingBody } from "./http/requests.ts";
import { addMissing, securityHeaders } from "./http/security-headers.ts";
import { type ByUser, limits } from "./shared/domain.ts";
import { AppError, isRetryable } from "./shared/errors/app-error.ts";
import { errors } from "./shared/errors/codes.ts";
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
  /** The previous secret: its tokens, digests and encrypted values stay valid while the secret is being replaced. */
  previousJwtSecret?: string | null;
  /** The secrets in the addresses that Africa's Talking calls; without any, one is derived from `jwtSecret`. */
  callbackSecrets?: readonly string[];
  /** The secrets of the other gateways for USSD; one without any has no route. */
  gatewaySecrets?: GatewaySecrets;
  /** The available channels for messages. */
  channels: CodeKeys["channels"];
  /** Decides which addresses webhooks may have. */
  hookSender: HookSender;
  /** Null by default: push messages are off. */
  push?: PushGateway | null;
  /** The public origin; null if it is not configured. */
  baseUrl: string | null;
  trustedProxies: readonly string[];
  /** The address of the socket's peer. */
  socketAddressOf: (request: Request) => string;
  /** Whether the process is shutting down: `/readyz` then fails. */
  isDraining: () => boolean;
  /** Overrides an account's default budget of requests; null: unlimited. */
  requestBudget?: RequestBudget | null;
  /** Who may read /metrics; nobody by default. */
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
  const contextOf = createRequestContext();
  const requestIdOf = (request: Request) => contextOf(request).requestId;
  const { tokens, channelKeys, vendorTokens, ...keys } = deriveKeys(deps);
  const addressOf = (request: Request) =>
    clientAddress(request, deps.socketAddressOf(request), deps.trustedProxies);
  const countRequest = createRequestLimiter(deps.requestBudget);
  const identify = async (request: Request) => {
    const caller = await identifyCaller(deps, tokens, request, contextOf(request));
    if (caller) countRequest(caller.by.userId);
    return caller;
  };
  const { db, gateway, push = null } = deps;
  const sharedDeps = {
    ...{ db, gateway, push, ...keys },
    vendors: deps.vendors,
    callbackAddress: (callback: Callback) =>
      callbackAddressOf(deps.baseUrl, channelKeys.callbackSecrets, callback),
    vendorAddress: (code: string) => vendorAddressOf(deps.baseUrl, deps.jwtSecret, code),
    cards: deps.cards,
    baseUrl: deps.baseUrl,
    identify,
    addressOf,
    sign: tokens.sign,
  };
  const pages = web({ ...sharedDeps, requestIdOf });

  const fail = (error: unknown, request: Request): Response | Promise<Response> => {
    const refusal = toAppError(error, request, contextOf(request).route);
    metrics.refusals.inc({ door: doorOf(request), code: refusal.code });
    contextOf(request).refusal = refusal.code;
    if (refusal.status >= 500) deps.log.error({ error, requestId: requestIdOf(request) }, "a request failed");
    return isForMachines(request) ? refuse(refusal, requestIdOf(request)) : pages.refuse(request, refusal);
  };

  const elysia = new Elysia({ precompile: true })
    .onTransform({ as: "global" }, ({ request, route }) => {
      contextOf(request).route = route;
    })
    .onError(({ error, code, request }) => {
      if (code !== "NOT_FOUND") return fail(error, request);
      return isForMachines(request)
        ? fail(new AppError("request.not_found"), request)
        : pages.unknown(request);
    })
    .use(health(deps))
    .use(api(sharedDeps))
    .use(webhooks({ ...deps, vendorTokens }))
    .use(channels({ ...sharedDeps, ...channelKeys, log: deps.log }))
    .use(pages.routes) as unknown as Elysia;

  const headers = securityHeaders(deps.baseUrl);
  return {
    elysia,
    sign: tokens.sign,
    fetch: (request) => traced("request", {}, () => answer(request)),
  };

  async function answer(request: Request): Promise<Response> {
    const startedAt = performance.now();
    const response = await answerInTime(elysia, request, fail);
    response.headers.set("x-request-id", requestIdOf(request));
    addMissing(headers, response);
    // A kept-alive connection would be closed during its next request.
    if (deps.isDraining()) response.headers.set("connection", "close");
    const ms = performance.now() - startedAt;
    recordRequest(deps.log, request, contextOf(request), { status: response.status, ms });
    return response;
  }
}

/** All keys that are derived from the secrets: of two secrets the first creates, and both verify. */
function deriveKeys({
  jwtSecret,
  previousJwtSecret = null,
  callbackSecrets = [],
  gatewaySecrets = {},
  channels,
  hookSender,
}: AppDeps) {
  const secrets = previousJwtSecret === null ? [jwtSecret] : [jwtSecret, previousJwtSecret];
  return {
    tokens: tokenService(secrets),
    channelKeys: {
      ...{ callbackSecrets: secretsOf(callbackSecrets, ...secrets), gatewaySecrets },
      ...{ arkeselSecrets: arkeselSecretsOf(...secrets), ussdKey: ussdKey(jwtSecret) },
    },
    vendorTokens: (code: string) => secrets.map((secret) => addressToken(secret, code)),
    codeKeys: { key: codeKey(jwtSecret), channels },
    deviceKeys: deviceKeysOf(jwtSecret, previousJwtSecret),
    receiptKeys: receiptKeysOf(jwtSecret, previousJwtSecret),
    pinKeys: pinKeysOf(jwtSecret, previousJwtSecret),
    factorKeys: factorKeysOf(jwtSecret, previousJwtSecret),
    webhookKeys: webhookKeysOf(hookSender, jwtSecret, previousJwtSecret),
  };
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

/** Tokens are JWTs that carry only a session's id: signed with the first secret (HS256), valid under any. */
function tokenService(secrets: string[]): Tokens {
  // Loaded with the first token: a start, above all after a crash, waits for none of it.
  const load = async () => {
    const { jwt } = await import("@elysiajs/jwt");
    return secrets.map((secret) => jwt({ name: "jwt", secret, alg: "HS256" }).decorator.jwt);
  };
  let loading: ReturnType<typeof load> | undefined;
  const services = () => (loading ??= load());
  return {
    sign: async (sessionId) =>
      (await services())[0]!.sign({ jti: sessionId, iat: true, exp: `${sessions.SESSION_SECONDS}s` }),
    verify: async (token) => {
      for (const { verify } of await services()) {
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
  context: RequestContext,
): Promise<Caller | null> {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const token = bearer ?? readSession(deps, request);
  if (!token) await operatorRegistry.renewUnlessDown(deps.db);
  if (!token) return null;
  const sessionId = await tokens.verify(token);
  const session = sessionId && (await sessions.find(deps.db, sessionId));
  if (!session) throw new AppError("auth.session_ended");
  const { id: userId, roles, username, email } = session.user;
  const isCookie = bearer === undefined;
  context.userId = userId;
  const by: ByUser = { userId, roles, channel: isCookie ? "web" : "api", requestId: context.requestId };
  if (session.isUnconfirmed) by.isUnconfirmed = true;
  const { mustEnrol = false, isFrozen = false } = session;
  // Nobody logs in to an account without a mailbox, which has no password.
  return { by, sessionId: session.id, isCookie, username, email: email ?? "", mustEnrol, isFrozen };
}

/** The error that a person sees for a failure; internal faults are never described. */
function toAppError(error: unknown, request: Request, route: string): AppError {
  const isUnavailable = error instanceof AppError && error.code === "service.unavailable";
  if (isUnavailable || isOutage(error) || error instanceof WaitOver)
    return new AppError("service.unavailable", undefined, outageMessage(request, route));
  return error instanceof AppError ? error : new AppError("service.failed");
}

/** A change may still have been made, even after the answer; then the message says how to find out. */
function outageMessage(request: Request, route: string): string | undefined {
  if (!changesSomething(request)) return undefined;
  const channel = doorOf(request);
  if (channel === "web") return `${UNCLEAR} Send the same form again: it will not be done twice.`;
  if (channel !== "api") return undefined;
  if (!takesKey(request.method, route)) return `${UNCLEAR} Check before you try again.`;
  return request.headers.has("idempotency-key")
    ? `${UNCLEAR} Try again with the same Idempotency-Key: it will not be done twice.`
    : `${UNCLEAR} Check before you try again, and send an Idempotency-Key: with the same key it is never done twice.`;
}

function changesSomething({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD";
}

const UNCLEAR = "This took too long, and we do not know whether it was done.";

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
    retryable: isRetryable(code),
    requestId,
  };
  return Response.json(body, { status: refusal.status, headers: refusalHeaders(refusal) });
}

function refusalHeaders({ code, details }: AppError): Record<string, string> {
  const waitSeconds = details?.retryAfterSeconds ?? (errors[code].status === 503 ? 2 : undefined);
  return {
    "cache-control": "no-store",
    ...(waitSeconds !== undefined && { "retry-after": String(waitSeconds) }),
    // The rest of the body may still arrive, and must not be read as the next request.
    ...(code === "request.timeout" && { connection: "close" }),
    ...(errors[code].status === 401 && { "www-authenticate": "Bearer" }),
  };
}

/**
 * `/healthz`: the process is alive. `/readyz`: it can work, which takes a database with all migrations. `/metrics`: the
 * metrics, for those who may read them.
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
