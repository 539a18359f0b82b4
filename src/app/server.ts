// The application: it combines the entry points (web, API, channels, webhooks), authenticates callers, limits how
// long an answer may take, and turns every failure into an error message of ours.
import { Elysia } from "elysia";
import { bringsPhones, channels } from "../../channels/index.ts";
import { api, farewells, guide, webhooks } from "../api/index.ts";
import { traced } from "../core/platform/tracing.ts";
import { type PassKeys, passKeysOf } from "../core/sandbox/passes.ts";
import { hostGuard } from "../http/hosts.ts";
import { missedBy } from "../http/missed.ts";
import { createRequestBudgets } from "../http/request-budget.ts";
import { clientAddress } from "../http/requests.ts";
import { addMissing, securityHeaders } from "../http/security-headers.ts";
import { arrivedAs, onBehalfOf } from "../http/tried.ts";
import { limits } from "../shared/domain.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { createRequestContext, recordRequest } from "../telemetry/request-log.ts";
import { web } from "../web/index.tsx";
import type { AppDeps } from "./app-deps.ts";
import { deriveKeys, providerAddresses } from "./derived-keys.ts";
import { answerInTime, failing } from "./failing.ts";
import { forwarderOf, originReader } from "./forwarding.ts";
import { health } from "./health.ts";
import { callersOf, hasCredentials, isByKey } from "./identify.ts";
import { NO_LOG, openKeyRequests } from "./key-requests.ts";

export type App = {
  fetch: (request: Request) => Promise<Response>;
  elysia: Elysia;
  /** The token for a session. */
  sign: (sessionId: string) => Promise<string>;
  /** Writes what is kept in memory: the log of requests by API keys. For the end of the process. */
  flush: () => Promise<void>;
};

/** Builds the application; `fetch` answers any request within limits.requestTimeoutMs and never throws. */
export function createApp(deps: AppDeps): App {
  const { db, gateway, baseUrl, push = null, keyMode = "live", otherMode = null, otherLog = null } = deps;
  const { sandbox = null, vendorClock = null } = deps;
  const passKeys = passKeysOf(deps.jwtSecret, deps.previousJwtSecret);
  const { contextOf, requestIdOf, addressOf } = knownOfRequests(deps, passKeys);
  const { tokens, channelKeys, vendorTokens, ...keys } = deriveKeys(deps);
  const forward = forwarderOf(sandbox, { addressOf, requestIdOf });
  const budgets = createRequestBudgets(deps.requestBudget);
  const callers = callersOf({ db, baseUrl, tokens, keyMode, passKeys, addressOf, contextOf, budgets });
  const { identify } = callers;
  const countNetwork = (request: Request) => budgets.countNetwork(request, addressOf(request));
  const counts = { countNetwork, countPhone: budgets.countPhone };
  const keyRequests = deps.keepsRequestLog === false ? NO_LOG : openKeyRequests(db, deps.log);
  const sharedDeps = {
    ...{ db, gateway, push, baseUrl, keyMode, otherMode, otherLog, vendorClock, ...keys },
    ...{ vendors: deps.vendors, cards: deps.cards, providerSetup: deps.providerSetup ?? null },
    ...providerAddresses(deps, channelKeys.callbackSecrets),
    ...callers,
    addressOf,
    exchangeOf: (request: Request) => keyRequests.exchangeOf(contextOf(request)),
    sign: tokens.sign,
  };
  const tryCall = (request: Request, from: Request) => (deps.tryCall ?? answer)(onBehalfOf(from, request));
  const pages = web({ ...sharedDeps, requestIdOf, guide, tryCall });
  const fail = failing(deps, pages, contextOf);
  const missed = missedBy({
    ...{ routes: () => elysia.routes, unknownPage: pages.unknown, fail },
    // Whoever misspells an address finds that in the log of their key.
    note: async (request) => isByKey(request) && identify(request).catch(() => null),
  });
  const refuseHost = hostGuard(deps.hosts ? baseUrl : null, deps.hosts ?? []);
  // By default the router looks for the path behind the eleventh character, where a short host has it already.
  const elysia = new Elysia({ handler: { standardHostname: false } })
    .onTransform({ as: "global" }, ({ request, route }) => {
      contextOf(request).route = route;
    })
    .onError(({ error, code, request }) => (code === "NOT_FOUND" ? missed(request) : fail(error, request)))
    .use(health(deps))
    .use(api(sharedDeps))
    .use(webhooks({ ...deps, vendorTokens }))
    .use(farewells({ db, keyMode, passKeys }))
    .use(channels({ ...sharedDeps, ...channelKeys, ...counts, log: deps.log }))
    .use(pages.routes) as unknown as Elysia;

  const counted = counterOf({ baseUrl, identify, countNetwork, pages, isPhones: bringsPhones(channelKeys) });
  const headers = securityHeaders(baseUrl);
  return {
    elysia,
    sign: tokens.sign,
    fetch: async (request) => refuseHost(request) ?? traced("request", {}, () => answer(request)),
    flush: keyRequests.flush,
  };

  async function answer(request: Request): Promise<Response> {
    const startedAt = performance.now();
    // A sandbox counts what is passed on to it.
    const handle = async () => forward(shortOf(request)) ?? elysia.fetch(await counted(request));
    const context = contextOf(request);
    const response = await answerInTime(handle, request, fail);
    response.headers.set("x-request-id", context.requestId);
    addMissing(budgets.fieldsOf(request), response);
    addMissing(headers, response);
    // A kept-alive connection would be closed during its next request.
    if (deps.isDraining()) response.headers.set("connection", "close");
    const ms = performance.now() - startedAt;
    recordRequest(deps.log, request, context, { status: response.status, ms });
    keyRequests.record(request, context, response, ms);
    return response;
  }
}

type Counting = {
  baseUrl: string | null;
  identify: (request: Request) => Promise<unknown>;
  countNetwork: (request: Request) => void;
  /** What is served from memory. */
  pages: Pick<ReturnType<typeof web>, "isFile">;
  /** Counted by phone, once that is read. */
  isPhones: (path: string) => boolean;
};

/**
 * Returns a function that counts a request before anything works on it: by the account that it says it is of, or else
 * by its network. It returns the request, and throws request.rate_limited.
 */
function counterOf(counting: Counting): (request: Request) => Promise<Request> {
  const { identify, countNetwork, pages, isPhones } = counting;
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (PROBES.includes(pathname) || pages.isFile(request) || isPhones(pathname)) return request;
    if (hasCredentials(counting, request)) await identify(request).catch(unlessLimited);
    else countNetwork(request);
    return request;
  };
}

/** The request, unless its address is too long. Throws request.address_long. */
function shortOf(request: Request): Request {
  if (request.url.length > limits.addressChars) throw new AppError("request.address_long");
  return request;
}

/** Any other fault is for the door to tell, in its own words. */
function unlessLimited(error: unknown): void {
  if (error instanceof AppError && error.code === "request.rate_limited") throw error;
}

/** Whoever watches the shop is answered, whatever else comes from there. */
const PROBES = ["/healthz", "/readyz"];

/** The context of each request, and where it came from: tried in the guide, and passed on by a live shop, too. */
function knownOfRequests(deps: AppDeps, passKeys: PassKeys) {
  const origin = originReader(deps.keyMode ?? "live", passKeys);
  const contextOf = createRequestContext((request) => origin(request)?.requestId);
  return {
    contextOf,
    requestIdOf: (request: Request) => contextOf(request).requestId,
    addressOf: (request: Request) => {
      const arrived = arrivedAs(request);
      const { socketAddressOf, trustedProxies } = deps;
      return origin(request)?.address ?? clientAddress(arrived, socketAddressOf(arrived), trustedProxies);
    },
  };
}
