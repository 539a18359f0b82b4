// The definition of an API route: its address, who may call it, its input and output, its errors, and a short handler.
// One function serves them all in the same order: caller, idempotency key, validation, handler.
import { z } from "zod";
import type { Db } from "../../db/connect.ts";
import type { CardSafe } from "../core/afa/card-safe.ts";
import * as approvals from "../core/approvals/requests.ts";
import * as bulkBudget from "../core/buying/bulk-budget.ts";
import type { BundleVendor } from "../core/fulfilment/vendor.ts";
import type { OtherMode } from "../core/identity/api-keys.ts";
import type { CodeKeys } from "../core/identity/logins/codes.ts";
import { confirm } from "../core/identity/logins/confirmation.ts";
import type { FactorKeys } from "../core/identity/logins/second-factor.ts";
import * as freezing from "../core/ledger/freezing.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import * as budgets from "../core/platform/budgets/budgets.ts";
import { ApprovalNeeded } from "../core/platform/colleagues/second-person.ts";
import type { Key } from "../core/platform/idempotency.ts";
import { type Exchange, noteAnswer, notePurchase, noteRequest } from "../core/requests/exchange.ts";
import type { VendorClock } from "../core/sandbox/clock.ts";
import type { WebhookKeys } from "../core/webhooks/endpoints.ts";
import { isForeign, readJson, readText } from "../http/requests.ts";
import { checkMessage } from "../http/schemas/check-messages.ts";
import { Approval } from "../http/schemas/staff/approvals.ts";
import type { Subject } from "../http/subject.ts";
import type { KeyMode, Scope } from "../shared/api-keys.ts";
import { type ByUser, limits } from "../shared/domain.ts";
import { AppError, type ErrorCode, type ErrorDetails } from "../shared/errors/app-error.ts";
import { errors } from "../shared/errors/codes.ts";
import { type Access, requireRight } from "../shared/rights.ts";
import { checkInParts } from "./long-bodies.ts";
import { refuseMisspeltFields, refuseUnknownFields } from "./unknown-fields.ts";

/** What every route that takes an idempotency key may refuse. */
const KEY_ERRORS = ["request.key_invalid", "request.key_reused", "request.in_progress"] as const satisfies ErrorCode[];

/** The authenticated caller of a request. */
export type Caller = {
  by: ByUser;
  /** Empty for an API key, which has no session. */
  sessionId: string;
  isCookie: boolean;
  username: string;
  email: string;
  /** An admin who must set up a second factor first. */
  mustEnrol: boolean;
  /** The account may look, and not spend. */
  isFrozen: boolean;
  /** The account waits before it spends: its password was set with a code to the phone. */
  isWaiting: boolean;
  /** The API key that a program calls with; null for a person's login. */
  key: { id: number; scopes: readonly Scope[] } | null;
};

/** What the API needs from the server. */
export type ApiDeps = {
  db: Db;
  gateway: PaymentGateway;
  codeKeys: CodeKeys;
  factorKeys: FactorKeys;
  webhookKeys: WebhookKeys;
  cards: CardSafe;
  vendors: readonly BundleVendor[];
  baseUrl: string | null;
  /** The mode of the shop's data, and the keys of the other one. */
  keyMode: KeyMode;
  otherMode: OtherMode;
  /** Moves the clock of simulated vendors; null with real ones. */
  vendorClock: VendorClock | null;
  /** The caller by bearer token or cookie; null without either. Throws auth.session_ended for an expired token. */
  identify: (request: Request) => Promise<Caller | null>;
  addressOf: (request: Request) => string;
  /** Where to report what is read and answered, for the log of the caller's API key; null without one. */
  exchangeOf: (request: Request) => Exchange | null;
  sign: (sessionId: string) => Promise<string>;
};

type Schema = z.ZodType;
type Out<S extends Schema | undefined> = S extends Schema ? z.output<S> : undefined;

export type Context<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
> = ApiDeps & {
  request: Request;
  /** Throws auth.required when read on a route of role "anyone". */
  caller: Caller;
  by: ByUser;
  params: Out<P>;
  query: Out<Q>;
  body: Out<B>;
  /** The idempotency key, for routes that take one. */
  key: Key | null;
};

export type Answer = {
  body: unknown;
  status?: number;
  replayed?: boolean;
  headers?: Record<string, string>;
  /** The order of a purchase from the wallet that the body is. */
  purchasedOrderId?: number;
};

export type Route = Access & {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  summary: string;
  params?: Schema | undefined;
  /** The scope that an API key needs for it; without one, it is for people only. */
  scope?: Scope;
  /** What the id in its path identifies. */
  subject?: Subject;
  query?: Schema | undefined;
  body?: Schema | undefined;
  /** May need a second person, and then answers 202 with the request; see core/approvals. */
  mayAsk?: true;
  /** Accepts an Idempotency-Key, as everything that moves money does. */
  takesKey?: boolean;
  /** The command that it runs, if any: its name. */
  command?: string;
  bodyBytesMax?: number;
  /**
   * The lines in its body count against the budget of checked lines before they are parsed. Those of a good body to be
   * placed are taken back, because the core counts them.
   */
  countsLines?: "checked" | "placed";
  /** Refuses unknown fields in a live shop, too: what is ignored here would make another key than the caller meant. */
  isStrict?: true;
  /** A request without a body counts as one with an empty object. */
  isBodyOptional?: true;
  answer: {
    status: number;
    schema: Schema;
    example: unknown;
    /** An example of the same answer as CSV, if the query can ask for that. */
    alsoCsv?: string;
  };
  /** An example of the request's body. */
  example?: unknown;
  /** Beside those of an idempotency key. */
  errors: readonly ErrorCode[];
  handle: (context: Context<undefined, undefined, undefined>) => Promise<Answer>;
};

/** Declares a route, with the handler's context typed by its schemas. */
export function route<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  declaration: Access &
    Omit<Route, keyof Access | "handle" | "params" | "query" | "body"> & {
      params?: P;
      query?: Q;
      body?: B;
      handle: (context: Context<P, Q, B>) => Promise<Answer>;
    },
): Route {
  const { errors, takesKey } = declaration;
  return { ...declaration, errors: takesKey ? [...errors, ...KEY_ERRORS] : errors } as unknown as Route;
}

/** Answers one request to a route; throws AppError for every refusal. */
export async function serve(deps: ApiDeps, route: Route, request: Request, pathParams: unknown): Promise<Response> {
  const caller = await admit(deps, route, request);
  const key = route.takesKey ? readKey(request, route) : null;
  if (caller) await confirmBy(deps, request, caller);
  const exchange = deps.exchangeOf(request);
  const params = check(route.params, pathParams);
  if (exchange) noteRequest(exchange, route.subject, key, params);
  const query = checkQuery(route, new URL(request.url).searchParams);
  if (caller) await spendForWork(deps, route, { userId: caller.by.userId, query });
  const body = await checkBody(deps, route, request, { exchange, userId: caller?.by.userId ?? null });
  const context = {
    ...deps,
    request,
    get caller() {
      if (!caller) throw new AppError("auth.required");
      return caller;
    },
    get by() {
      return this.caller.by;
    },
    params,
    query,
    body,
    key,
  } as Context<undefined, undefined, undefined>;
  try {
    return present(await route.handle(context), route, exchange);
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
    const approval = await approvals.ask(deps.db, context.by, error.ask, key);
    const body = { message: REQUESTED_MESSAGE, approval: Approval.present(approval) };
    return present({ status: REQUESTED, body }, route, exchange);
  }
}

/** The status when nothing is done yet, because somebody else must agree. */
export const REQUESTED = 202;
export const REQUESTED_MESSAGE =
  "Nothing has changed yet: a colleague has to agree first. The request waits under Approvals.";

/** Counts the code or password of the header x-confirm as a proof of who calls. */
async function confirmBy(deps: ApiDeps, request: Request, caller: Caller): Promise<void> {
  const typed = request.headers.get("x-confirm");
  if (typed === null || !caller.by.isUnconfirmed) return;
  const { sessionId, by } = caller;
  caller.by = await confirm(deps.db, deps.factorKeys, {
    by,
    sessionId,
    typed: typed.slice(0, PROOF_CHARS_MAX),
  });
}

const PROOF_CHARS_MAX = 200;

async function admit(deps: ApiDeps, route: Route, request: Request): Promise<Caller | null> {
  const { role, right, path } = route;
  if (role === "anyone") return null;
  const caller = await deps.identify(request);
  if (!caller) throw new AppError("auth.required", undefined, missingCredentials(request));
  if (caller.key) requireScope(route, caller.key);
  if (caller.isCookie && request.method !== "GET" && isForeign(request, deps.baseUrl)) {
    throw new AppError("request.foreign_origin");
  }
  if (caller.mustEnrol && !path.startsWith("/api/v1/auth/")) throw new AppError("auth.second_factor_missing");
  if (right) requireRight(caller.by, right);
  if (right && caller.isFrozen && request.method !== "GET") await freezing.refuse(deps.db, caller.by.userId);
  return caller;
}

/** Counts what takes more work than most: a search, a whole list, a long body. Throws request.rate_limited. */
async function spendForWork(
  { db }: ApiDeps,
  { answer, bodyBytesMax, countsLines }: Route,
  { userId, query }: { userId: number; query: unknown },
): Promise<void> {
  const { search, q } = (query ?? {}) as { search?: unknown; q?: unknown };
  if (search || q) await budgets.spend(db, "search.account", userId);
  if (answer.alsoCsv) await budgets.spend(db, "file.account", userId);
  if (bodyBytesMax && !countsLines) await budgets.spend(db, "list.account", userId);
}

/** How to send credentials, for a program; undefined for a page of ours, whose reader logs in. */
function missingCredentials({ headers }: Request): string | undefined {
  const sent = headers.get("authorization") ?? headers.get("x-api-key");
  if (sent === null && headers.has("sec-fetch-site")) return undefined;
  const isKey = sent !== null && /dfk_/.test(sent);
  return isKey
    ? "Send the API key in the header Authorization, as: Bearer dfk_…"
    : "Send the header Authorization with Bearer and an API key, or the token of a login.";
}

function requireScope({ scope }: Route, { scopes }: { scopes: readonly Scope[] }): void {
  if (!scope) throw new AppError("key.people_only");
  if (scopes.includes(scope)) return;
  const message = `This API key lacks the scope “${scope}”. Add it to the key in your profile under Developers.`;
  throw new AppError("key.scope_missing", { scope }, message);
}

function readKey(request: Request, route: Route): Key | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (key.length > limits.keyChars || !/^[\x21-\x7e]+$/.test(key)) throw new AppError("request.key_invalid");
  return { scope: `${route.method} ${route.path}`, key };
}

/** The query parameters of a route. */
export function queryOf({ query }: Route): Record<string, Schema> {
  return query instanceof z.ZodObject ? (query.shape as Record<string, Schema>) : {};
}

/** Refuses unknown query parameters: a misspelt filter would otherwise return everything. */
function checkQuery(route: Route, given: URLSearchParams): unknown {
  const known = Object.keys(queryOf(route));
  const unknown = [...new Set(given.keys())].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = known.length > 0 ? `is not a parameter here; use ${known.join(", ")}` : "is not a parameter here";
    throw new AppError("request.invalid", { fields: { [unknown.slice(0, 50)]: message } });
  }
  return check(route.query, Object.fromEntries(given));
}

async function checkBody(
  { db, keyMode }: ApiDeps,
  { body: schema, bodyBytesMax, isBodyOptional, isStrict, countsLines }: Route,
  request: Request,
  { exchange, userId }: { exchange: Exchange | null; userId: number | null },
): Promise<unknown> {
  if (!schema) {
    if (isStrict) await refuseBody(request);
    return undefined;
  }
  const bytesMax = bodyBytesMax ?? limits.bodyBytes;
  const mayBeEmpty = isBodyOptional && !request.headers.has("content-type");
  let counted = 0;
  const count = async (bytes: number) => {
    if (countsLines && userId !== null) counted = await bulkBudget.countBody(db, userId, bytes);
  };
  const sent = mayBeEmpty && (await readText(request, bytesMax)) === "" ? {} : await readJson(request, bytesMax, count);
  if (exchange) exchange.request = { value: sent, isLong: bodyBytesMax !== undefined };
  if (keyMode === "test" || isStrict) refuseUnknownFields(schema, sent);
  else refuseMisspeltFields(schema, sent);
  const body = await checkInParts(sent, limits.bulkLines, (part, at) => check(schema, part, at));
  if (countsLines === "placed") await bulkBudget.giveBackBody(db, userId!, counted);
  return body;
}

/** Refuses what was sent to a route that takes no body. */
async function refuseBody(request: Request): Promise<void> {
  if (/^\s*(\{\s*\})?\s*$/.test(await readText(request, limits.bodyBytes))) return;
  throw new AppError("request.invalid", { fields: { body: "is not read here; use the address" } });
}

/** The position of a part of a long list: its field, and the index of its first entry in the whole. */
type ListPosition = { list: string; from: number } | null;

function check(schema: Schema | undefined, input: unknown, position: ListPosition = null): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(input, { error: checkMessage });
  if (result.success) return result.data;
  throw refusalOf(result.error, position);
}

/** The error for failed validation: the first issue's code and message, and a message for every field. */
function refusalOf(error: z.ZodError, position: ListPosition = null): AppError {
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    const [first, at, ...rest] = path;
    const isInPart = position !== null && first === position.list && typeof at === "number";
    const whole = isInPart ? [first, at + position.from, ...rest] : path;
    fields[whole.join(".") || "body"] ??= messageOf(message);
  }
  const first = error.issues[0]!.message;
  const details: ErrorDetails = { fields };
  if (first in errors) return new AppError(first as ErrorCode, details);
  // A sentence can stand alone; a message that begins in lower case only makes sense beside its field.
  return new AppError("request.invalid", details, /^[a-z]/.test(first) ? undefined : first);
}

function messageOf(message: string): string {
  return message in errors ? errors[message as ErrorCode].message : message;
}

function present(answer: Answer, route: Route, exchange: Exchange | null): Response {
  const headers = new Headers({ "cache-control": "no-store", ...answer.headers });
  if (answer.replayed) headers.set("idempotency-replayed", "true");
  const status = answer.status ?? route.answer.status;
  if (typeof answer.body === "string") return new Response(answer.body, { status, headers });
  const { purchasedOrderId, replayed = false } = answer;
  if (exchange && purchasedOrderId !== undefined) notePurchase(exchange, purchasedOrderId, replayed);
  if (!exchange || purchasedOrderId !== undefined) return Response.json(answer.body, { status, headers });
  // Written once, for the caller and for the log.
  const json = JSON.stringify(answer.body);
  noteAnswer(exchange, { value: answer.body, json }, replayed);
  headers.set("content-type", "application/json;charset=utf-8");
  return new Response(json, { status, headers });
}

/** A page of a list, with a Link header (RFC 8288) to the next one if there may be more. */
export function page<T extends { id: number }>(
  request: Request,
  rows: T[],
  limit: number,
  show: (row: T) => unknown,
): Answer {
  const next = rows.length === limit ? rows.at(-1)!.id : null;
  return { body: rows.map(show), headers: linkTo(request, next) };
}

/** The Link header to the page of a list after `cursor`; none at its end. */
export function linkTo(request: Request, cursor: number | null): Record<string, string> {
  if (cursor === null) return {};
  const next = new URL(request.url);
  next.searchParams.set("cursor", String(cursor));
  return { link: `<${next.pathname}${next.search}>; rel="next"` };
}
