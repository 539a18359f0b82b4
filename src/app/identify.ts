// Identification of callers: a person by the token of a login, as bearer or cookie, or a program by an API key; in a
// sandbox also a person by a pass of their live shop.
import type { Db } from "../../db/connect.ts";
import type { Caller } from "../api/index.ts";
import * as apiKeyCallers from "../core/identity/api-key-callers.ts";
import * as sessions from "../core/identity/logins/sessions.ts";
import * as operatorRegistry from "../core/platform/operator-registry.ts";
import { twinOf } from "../core/sandbox/accounts.ts";
import { type LiveOwner, ownerOf, type PassKeys } from "../core/sandbox/passes.ts";
import type { RequestBudgets } from "../http/request-budget.ts";
import { KEY_START, type KeyMode } from "../shared/api-keys.ts";
import type { ByUser } from "../shared/domain.ts";
import { AppError } from "../shared/errors/app-error.ts";
import type { RequestContext } from "../telemetry/request-log.ts";
import { readSession } from "../web/cookies.ts";
import type { Tokens } from "./tokens.ts";

type CallerDeps = {
  db: Db;
  baseUrl: string | null;
  tokens: Tokens;
  keyMode: KeyMode;
  /** Of the passes with which a live shop's owners call their sandbox. */
  passKeys: PassKeys;
  addressOf: (request: Request) => string;
  contextOf: (request: Request) => RequestContext;
  budgets: Pick<RequestBudgets, "count" | "countNetwork">;
};

type Identify = (request: Request) => Promise<Caller | null>;

/**
 * Returns functions that find a request's caller: `identify` once, `identifyAnew` as it is now, for answers that go on.
 * Null for a stranger. They count the request by the caller's account, or else by its network. They throw
 * auth.session_ended for the token of a session that is over, for API keys as apiKeyCallers.identify, key.people_only
 * for one at a page, and request.rate_limited.
 */
export function callersOf(deps: CallerDeps): { identify: Identify; identifyAnew: Identify } {
  const { budgets, addressOf, contextOf } = deps;
  const known = new WeakMap<Request, Promise<Caller | null>>();
  const identifyAnew: Identify = async (request) => {
    let caller: Caller | null = null;
    try {
      caller = await callerOf(deps, request, contextOf(request));
    } finally {
      // Whoever comes with credentials that are worth nothing is a stranger.
      if (!caller) budgets.countNetwork(request, addressOf(request));
    }
    if (caller) budgets.count(request, caller.by.userId, caller.key?.id);
    return caller;
  };
  const identify: Identify = (request) => {
    if (!known.has(request)) known.set(request, identifyAnew(request));
    return known.get(request)!;
  };
  return { identify, identifyAnew };
}

/** Whether a request says whose it is, whatever that is worth. */
export function hasCredentials(deps: Pick<CallerDeps, "baseUrl">, request: Request): boolean {
  return (bearerOf(request) ?? readSession(deps, request)) !== null;
}

/** Whether a request comes with an API key, whatever that is worth. */
export function isByKey(request: Request): boolean {
  return bearerOf(request)?.startsWith(KEY_START) ?? false;
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

async function callerOf(deps: CallerDeps, request: Request, context: RequestContext): Promise<Caller | null> {
  const bearer = bearerOf(request);
  if (bearer?.startsWith(KEY_START)) return byKey(deps, bearer, request, context);
  const owner = bearer && deps.keyMode === "test" ? ownerOf(deps.passKeys, bearer) : null;
  if (owner) return byPass(deps, owner, context);
  const token = bearer ?? readSession(deps, request);
  if (token) return bySession(deps, token, bearer === undefined, context);
  await operatorRegistry.renewUnlessDown(deps.db);
  return null;
}

async function bySession(
  { db, tokens }: CallerDeps,
  token: string,
  isCookie: boolean,
  context: RequestContext,
): Promise<Caller> {
  const sessionId = await tokens.verify(token);
  const session = sessionId && (await sessions.find(db, sessionId));
  if (!session) throw new AppError("auth.session_ended");
  const { id: userId, roles, username, email } = session.user;
  context.userId = userId;
  const by: ByUser = { userId, roles, channel: isCookie ? "web" : "api", requestId: context.requestId };
  if (session.isUnconfirmed) by.isUnconfirmed = true;
  const { mustEnrol = false, isFrozen = false, isWaiting = false } = session;
  // Nobody logs in to an account without a mailbox, which has no password.
  const person = { username, email: email ?? "", mustEnrol, isFrozen, isWaiting };
  return { by, sessionId: session.id, isCookie, ...person, key: null };
}

/** The owner of a live account, on whose word the live shop's server calls: they are their twin here. */
async function byPass({ db }: CallerDeps, owner: LiveOwner, context: RequestContext): Promise<Caller> {
  await operatorRegistry.renewUnlessDown(db);
  const { id: userId, roles, username } = await twinOf(db, owner);
  context.userId = userId;
  const by: ByUser = { userId, roles, channel: "api", requestId: context.requestId };
  const person = { username, email: "", mustEnrol: false, isFrozen: false, isWaiting: false };
  return { by, sessionId: "", isCookie: false, ...person, key: null };
}

/** A program acts as an agent, also one whose owner is of the staff: no key carries their rights. */
async function byKey(
  { db, keyMode: mode, addressOf }: CallerDeps,
  text: string,
  request: Request,
  context: RequestContext,
): Promise<Caller> {
  if (!new URL(request.url).pathname.startsWith("/api/v1/")) throw new AppError("key.people_only");
  const address = addressOf(request);
  context.address = address;
  const found = await apiKeyCallers.identify(db, { text, address, mode }, ({ id, userId }) => {
    context.userId = userId;
    context.keyId = id;
  });
  const { id, scopes, userId, username, email, isFrozen } = found;
  const by: ByUser = {
    ...{ userId, roles: ["USER"], channel: "api" },
    ...{ requestId: context.requestId, keyId: id },
  };
  const person = { username, email: email ?? "", mustEnrol: false, isFrozen, isWaiting: false };
  return { by, sessionId: "", isCookie: false, ...person, key: { id, scopes } };
}
