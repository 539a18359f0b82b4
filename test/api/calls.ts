// An API client that validates every answer against the schema of its route.
import { routes } from "../../src/api/index.ts";
import { REQUESTED, type Route } from "../../src/api/route.ts";
import { Failure } from "../../src/http/schemas/refusals.ts";
import { Requested } from "../../src/http/schemas/staff/approvals.ts";
import type { ErrorCode } from "../../src/shared/errors/app-error.ts";
import { errors } from "../../src/shared/errors/codes.ts";
import type { Client, Person, Reply } from "../support/world.ts";

/** The route that serves a path, or null. */
export function routeOf(method: string, path: string): Route | null {
  const parts = path.split("?")[0]!.split("/");
  const fits = (route: Route) => {
    const pattern = route.path.split("/");
    return (
      route.method === method &&
      pattern.length === parts.length &&
      pattern.every((part, i) => part.startsWith(":") || part === parts[i])
    );
  };
  // A literal path wins over one with a parameter.
  return routes.filter(fits).sort((a, b) => a.path.split(":").length - b.path.split(":").length)[0] ?? null;
}

export type Call = (
  person: Person | null,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>;

/** `client.call`, with the answer checked: its status and schema are the route's, or it is one of the errors. */
export function checkedCalls(client: Client): Call {
  return async (person, method, path, body, headers) => {
    const reply = await client.call(person, method, path, body, headers);
    try {
      checkReply(routeOf(method, path), reply);
    } catch (error) {
      const sent = typeof body === "string" ? body : JSON.stringify(body);
      throw new Error(`${method} ${path} ${sent?.slice(0, 300) ?? ""}: ${(error as Error).message}`);
    }
    return reply;
  };
}

export function checkReply(route: Route | null, reply: Reply): void {
  if (reply.status >= 400) {
    checkRefusal(reply);
    return;
  }
  if (!route) throw new Error("an address that no route declares gave an answer");
  const isRequest = route.mayAsk && reply.status === REQUESTED;
  if (reply.status !== route.answer.status && !isRequest)
    throw new Error(`${route.method} ${route.path} answered ${reply.status}, not ${route.answer.status}`);
  if (reply.headers.get("content-type")?.includes("csv")) return;
  const parsed = (isRequest ? Requested : route.answer.schema).safeParse(reply.body);
  if (!parsed.success) throw new Error(`${route.method} ${route.path}: ${parsed.error.message}`);
  // zod drops what a schema does not declare: an undeclared field would be missing from the parsed answer.
  if (JSON.stringify(parsed.data) !== JSON.stringify(sortLike(parsed.data, reply.body)))
    throw new Error(`${route.method} ${route.path} answers with fields that it does not declare`);
}

/** An error answer has our four fields and nothing else, and its code's status. */
export function checkRefusal(reply: Reply): void {
  const parsed = Failure.strict().safeParse(reply.body);
  if (!parsed.success) throw new Error(`not a refusal of ours: ${JSON.stringify(reply.body)}`);
  const { status } = errors[parsed.data.code as ErrorCode];
  if (status !== reply.status) throw new Error(`${parsed.data.code} came with ${reply.status}, not ${status}`);
  if (reply.headers.get("x-request-id") !== parsed.data.requestId) throw new Error("two request ids in one reply");
  if (reply.status === 500) throw new Error("a fault of ours, where a refusal was due");
}

/** `given` with its fields in the order of `model`, so that both can be compared as text. */
function sortLike(model: unknown, given: unknown): unknown {
  if (Array.isArray(model) && Array.isArray(given)) return given.map((item, i) => sortLike(model[i], item));
  if (isRecord(model) && isRecord(given)) {
    const names = [...new Set([...Object.keys(model), ...Object.keys(given)])];
    return Object.fromEntries(names.map((name) => [name, sortLike(model[name], given[name])]));
  }
  return given;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
