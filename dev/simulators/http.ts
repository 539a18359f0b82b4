// Shared by the simulators: a loopback server that can also break connections, routes, faults, and a log of requests.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { asObject, type Json, type JsonStyle, parseJson, writeJson } from "./json.ts";

export type Call = {
  method: string;
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string>;
  text: string;
};
export type Reply = { status: number; headers?: Record<string, string>; body: string };
export type Handler = (call: Call) => Outcome | Promise<Outcome>;
/** By "METHOD /path/:parameter". */
export type Routes = Record<string, Handler>;

export const FAULTS = ["http500", "html502", "429", "delay", "hang", "dropBefore", "dropAfter", "emptyBody"] as const;
export type Fault = (typeof FAULTS)[number] | { kind: (typeof FAULTS)[number]; ms?: number; resetSeconds?: number };

/** A request from the shop, with its secrets removed. */
export type LoggedRequest = {
  at: Date;
  method: string;
  path: string;
  route: string | null;
  authorization: string | null;
  body: unknown;
  /** Null while it is unanswered, and forever if the connection was broken. */
  status: number | null;
  fault: string | null;
};

export type Found = { route: string; handler: Handler; params: Record<string, string> };
/** A reply, or what happens to the connection instead. */
export type Outcome = Reply | "hang" | "drop";

/** A JSON reply. */
export function json(status: number, value: Json, style?: JsonStyle): Reply {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { status, headers, body: writeJson(value, style) };
}

/** The answer to a control request; an invalid one gets an explanation. Numbers beyond 2^53 travel as text. */
export async function controlReply(run: () => unknown): Promise<Reply> {
  const headers = { "content-type": "application/json; charset=utf-8" };
  const write = (value: unknown) =>
    JSON.stringify(value, (_, item) => (typeof item === "bigint" ? String(item) : item));
  try {
    return { status: 200, headers, body: write((await run()) ?? { ok: true }) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { status: 400, headers, body: write({ ok: false, message }) };
  }
}

/** Finds the route of a call; the first match counts. */
export function find(routes: Routes, method: string, path: string): Found | null {
  for (const [route, handler] of Object.entries(routes)) {
    const [wantedMethod, pattern] = route.split(" ") as [string, string];
    const params = method === wantedMethod ? match(pattern, path) : null;
    if (params) return { route, handler, params };
  }
  return null;
}

/** The queue of faults: each applies to a number of calls. */
export class Faults {
  #queued: { route: string; fault: Fault; times: number }[] = [];

  /** `route` is a key of the routes, such as "GET /orders/:id", one address of it, "GET /orders/7", or "*" for any. */
  add(route: string, fault: Fault, times: number): void {
    this.#queued.push({ route, fault, times });
  }

  take(route: string, { method, path }: Pick<Call, "method" | "path">): Fault | null {
    const named = ["*", route, `${method} ${path}`];
    const queued = this.#queued.find((q) => q.times > 0 && named.includes(q.route));
    if (!queued) return null;
    queued.times -= 1;
    return queued.fault;
  }

  reset(): void {
    this.#queued = [];
  }
}

/** A provider's own answers to the faults that it reports itself. */
export type FaultReplies = { http500: () => Reply; tooMany: (seconds: number) => Reply };

/** The answer of a proxy whose provider is unreachable. */
export function badGateway(): Reply {
  return { status: 502, headers: HTML, body: "<html><body><h1>502 Bad Gateway</h1></body></html>" };
}

/** Does the work of a call as far as its fault allows. */
export async function applyFault(
  fault: Fault | null,
  work: () => Promise<Outcome>,
  replies: FaultReplies,
): Promise<Outcome> {
  const { kind, ms, resetSeconds } = typeof fault === "object" && fault ? fault : { kind: fault };
  switch (kind) {
    case "http500":
      return replies.http500();
    case "html502":
      return badGateway();
    case "429":
      return replies.tooMany(resetSeconds ?? 1);
    case "hang":
      return "hang";
    case "dropBefore":
      return "drop";
    case "dropAfter":
      await work();
      return "drop";
    case "emptyBody": {
      const outcome = await work();
      return typeof outcome === "object" ? { ...outcome, body: "" } : outcome;
    }
    case "delay":
      await Bun.sleep(ms ?? 100);
  }
  return work();
}

/** Listens on loopback only. Stopping breaks all connections, including those that hang. */
export async function listen(port: number, answer: (call: Call) => Promise<Outcome>) {
  const server = createServer((request, response) => void serve(request, response, answer));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A call for the log, without the key and without a payer's one-time code. */
export function logged(call: Call, at: Date, route: string | null, keyHeader = "authorization"): LoggedRequest {
  const authorization = call.headers[keyHeader];
  const fields = asObject(parseJson(call.text));
  return {
    at,
    method: call.method,
    path: call.path,
    route,
    authorization: authorization === undefined ? null : authorization.replace(/\S+$/, "[hidden]"),
    body: fields && "otp" in fields ? { ...fields, otp: "[hidden]" } : (fields ?? null),
    status: null,
    fault: null,
  };
}

const HTML = { "content-type": "text/html; charset=utf-8" };
const BODY_BYTES_MAX = 1_000_000;

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (call: Call) => Promise<Outcome>,
): Promise<void> {
  const outcome = await read(request).then(answer).catch(crash);
  if (outcome === "hang") return;
  if (outcome === "drop") {
    request.socket.resetAndDestroy();
    return;
  }
  // Bun's fetch silently repeats a GET when a reused connection breaks; with a new connection for each call, a test
  // sees every broken one exactly once.
  response.writeHead(outcome.status, { ...outcome.headers, connection: "close" });
  response.end(outcome.body);
}

async function read(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) throw new Error("The body is too large");
    chunks.push(chunk);
  }
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    params: {},
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    text: Buffer.concat(chunks).toString("utf8"),
  };
}

/** A bug of the simulator must not look like an answer of the provider. */
function crash(error: unknown): Reply {
  const message = error instanceof Error ? error.message : String(error);
  return { status: 599, headers: { "content-type": "text/plain" }, body: `Simulator: ${message}` };
}

function match(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split("/");
  const given = path.split("/");
  if (expected.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = given[index]!;
    if (part.startsWith(":") && value !== "") params[part.slice(1)] = decode(value);
    else if (part !== value) return null;
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
