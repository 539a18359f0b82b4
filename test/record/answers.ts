// The answers of every route of the API: to the right caller with a good request, twice with the same key; to nobody
// and to an agent, where they may not; and to requests with a wrong body, id or parameter.
import { sql } from "drizzle-orm";
import { allRoutes, sandboxRoutes } from "../../src/api/index.ts";
import { SETTINGS } from "../../src/core/platform/settings/declared-settings.ts";
import { goodBodies } from "../api/bodies.ts";
import { resolved } from "../api/references.ts";
import { addressOf, subjectsOfRoutes } from "../api/subjects.ts";
import { staff } from "../support/approvals.ts";
import { guard, type Person, type Reply } from "../support/world.ts";
import { type Folder, jsonLines } from "./folder.ts";
import { prepared } from "./prepared.ts";
import type { Shop, Stand } from "./stand.ts";

type Route = (typeof allRoutes)[number];
type Schema = { type?: string; format?: string; enum?: string[]; properties?: Record<string, Schema> };
type Parameter = { name: string; in: string; required: boolean; schema: Schema };
type Described = {
  parameters?: Parameter[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
};
type Request = { name: string; by: Person | null; path: string; body?: unknown; key?: string | undefined };

/** Headers that callers act on. */
const HEADERS = [
  ...["allow", "cache-control", "content-disposition", "content-type", "idempotency-replayed", "link", "location"],
  ...["retry-after", "set-cookie", "www-authenticate"],
];

/** Records all routes, and the description of the API. */
export async function recordAnswers(stand: Stand, folder: Folder): Promise<void> {
  const reading = await stand.copy();
  const { body: document } = await reading.client.call(null, "GET", "/openapi.json");
  recordDescription(document, folder);
  // What a merger would move is asked about a network that has to be added.
  const isRead = ({ method, path }: Route) => method === "GET" && !path.endsWith("/merge");
  const record = async (route: Route) => {
    const described = resolved(document, operationOf(document, route));
    const lines = await (isRead(route)
      ? answersToReading(stand, reading, route, described)
      : answersToChanging(stand, route, described));
    folder.write(`answers${route.path.replace("/api/v1", "")}/${route.method}.txt`, lines);
    if (!lines.some((line) => /^[23]\d\d$/.test(line)))
      folder.leaveOut(`${route.method} ${route.path}`, "no request of the recording is accepted");
  };
  for (const route of allRoutes.filter(isRead)) await record(route);
  await reading.close();
  // These move the clock.
  for (const route of allRoutes.filter((one) => !isRead(one))) await record(route);
}

type Description = { paths: Record<string, Record<string, Described>>; components: unknown };

function operationOf({ paths }: Description, { method, path }: Route): Described {
  return paths[path.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!;
}

function recordDescription({ paths, components, ...rest }: Description, folder: Folder): void {
  folder.write("openapi/document.json", jsonLines(rest));
  folder.write("openapi/components.json", jsonLines(components));
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      folder.write(`openapi${path}/${method.toUpperCase()}.json`, jsonLines(operation));
}

/** These change nothing, and so all of them go to one copy. */
async function answersToReading(stand: Stand, shop: Shop, route: Route, described: Described): Promise<string[]> {
  const { id } = await subjectsOfRoutes(shop.world, stand.used, stand.bundleId)(route);
  const by = callerOf(stand, shop, route);
  const parameters = (described.parameters ?? []).filter((one) => one.in === "query");
  const path = addressOf(route, id);
  const addressWith = (more: Record<string, string>) => withRequired(path, described, more);
  const requests: Request[] = [
    ...refusedCallers(stand, route, addressWith({})),
    { name: "right caller", by, path: addressWith({}) },
    ...parameters.flatMap((one) =>
      valuesOf(one).map((value) => ({ name: "with a parameter", by, path: addressWith({ [one.name]: value }) })),
    ),
    { name: "unknown parameter", by, path: addressWith({ nothing: "1" }) },
  ];
  if (parameters.length > 0) {
    const wrong = Object.fromEntries(parameters.map(({ name }) => [name, "~"]));
    requests.push({ name: "wrong parameters", by, path: addressWith(wrong) });
  }
  if (route.path.includes(":")) requests.push({ name: "unknown id", by, path: unknownPath(route) });
  const lines: string[] = [];
  for (const request of requests) lines.push(...(await ask(shop, route, request)).lines);
  return lines;
}

/** Refusals of one copy, which they leave as it is, and what is done in another. */
async function answersToChanging(stand: Stand, route: Route, described: Described): Promise<string[]> {
  let shop = await stand.copy();
  const lines: string[] = [];
  const send = async (request: Request) => {
    await shop.tick();
    const { reply, lines: answered } = await ask(shop, route, request);
    lines.push(...answered);
    return reply.status < 400;
  };
  const renew = async () => {
    await shop.close();
    shop = await stand.copy();
  };
  const { path, good } = await goodRequest(stand, shop, route, described);
  for (const request of refusedCallers(stand, route, path, good)) await send(request);
  for (const request of wrongRequests(callerOf(stand, shop, route), route, { path, good, described })) {
    const by = callerOf(stand, shop, route);
    if (await send({ ...request, by })) {
      await renew();
      await goodRequest(stand, shop, route, described);
    }
  }
  await renew();
  const { path: at, good: body } = await goodRequest(stand, shop, route, described);
  const request = { name: "right caller", by: callerOf(stand, shop, route), path: at, body };
  const key = route.takesKey ? "recorded-1" : undefined;
  await send({ ...request, key });
  await send({ ...request, name: "the same again", key });
  if (key && good) await send({ ...request, name: "another body with the same key", body: { ...good, ...OTHER }, key });
  if (route.mayAsk) {
    await renew();
    const again = await goodRequest(stand, shop, route, described);
    await nothingAlone(shop);
    await send({
      ...{ name: "where a second person is needed", by: callerOf(stand, shop, route) },
      ...{ path: again.path, body: again.good },
    });
  }
  if (sandboxRoutes.includes(route)) await send({ ...request, name: IN_SANDBOX, body: route.example });
  await shop.close();
  return lines;
}

/** Lets the rule of the second person hold for every amount, with somebody else to agree. */
async function nothingAlone({ world }: Shop): Promise<void> {
  await staff(world, "ADMIN");
  await guard(world.db);
  for (const name of Object.keys(SETTINGS).filter((one) => /^alone_.*_pesewas$/.test(one)))
    await world.db.execute(sql`insert into settings (key, value) values (${name}, '0') on conflict do nothing`);
}

/** What makes another request of a good one, in most routes. */
const OTHER = { note: "another", reason: "another", message: "another" };

async function goodRequest(stand: Stand, shop: Shop, route: Route, described: Described) {
  const { id, fields } = await prepared(stand, shop, route);
  const good = route.body ? { ...goodBodies(stand.bundleId)[`${route.method} ${route.path}`], ...fields } : undefined;
  return { path: withRequired(addressOf(route, id), described), good };
}

/** An address with the parameters that it must have, and others. */
function withRequired(path: string, { parameters = [] }: Described, more: Record<string, string> = {}): string {
  const required = parameters.filter((one) => one.in === "query" && one.required);
  const values = required.map((one) => [one.name, valuesOf(one)[0]!]);
  const query = new URLSearchParams({ ...Object.fromEntries(values), ...more }).toString();
  return query === "" ? path : `${path}?${query}`;
}

function callerOf({ used }: Stand, { world }: Shop, route: Route): Person | null {
  if (route.right) return world.yaw;
  return route.role === "user" ? used.agent : null;
}

function refusedCallers({ used }: Stand, route: Route, path: string, body?: unknown): Request[] {
  const requests: Request[] = [];
  if (route.role !== "anyone") requests.push({ name: "nobody", by: null, path, body });
  if (route.right) requests.push({ name: "an agent", by: used.agent, path, body });
  return requests;
}

type Good = { path: string; good: unknown; described: Described };

function wrongRequests(by: Person | null, route: Route, { path, good, described }: Good): Omit<Request, "by">[] {
  const { properties = {} } = described.requestBody?.content["application/json"].schema ?? {};
  const wrong = Object.entries(properties).map(([name, { type }]) => [
    name,
    type === "object" || type === "array" ? 7 : { wrong: true },
  ]);
  const requests: Request[] = [{ name: "empty body", by, path, body: {} }];
  if (route.body)
    requests.push(
      { name: "no JSON", by, path, body: "{" },
      { name: "no object", by, path, body: [] },
      { name: "wrong types", by, path, body: Object.fromEntries(wrong) },
      { name: "unknown field", by, path, body: { ...(good as object), nothing: 1 } },
    );
  if (route.takesKey) requests.push({ name: "wrong key", by, path, body: good, key: "two words" });
  if (route.path.includes(":")) requests.push({ name: "unknown id", by, path: unknownPath(route), body: good });
  return requests;
}

const unknownPath = ({ path }: Route) => path.replace(":id", "999999999").replace(/:\w+/g, "nobody");

/** Values for parameters of the same name; the others have none that fits. */
const VALUES: Record<string, string> = {
  ...{ limit: "1", cursor: "3", search: "ama", q: "ama", msisdn: "0541000001", reference: "sale-17" },
  ...{ from: "2026-11-17T00:00:00Z", to: "2026-11-19T00:00:00Z", accounts: "0", vendor: "desk", into: "TELECEL" },
};

function valuesOf({ name, schema }: Parameter): string[] {
  if (schema.enum) return schema.enum;
  if (schema.format === "date") return [VALUES[name]!.slice(0, 10)];
  if (schema.type === "boolean") return ["true"];
  return name in VALUES ? [VALUES[name]!] : [];
}

/** Sends a request; its answer as lines, with what it has caused. */
async function ask(shop: Shop, route: Route, { name, by, path, body, key }: Request) {
  await shop.rest();
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  const reply = await call(shop, name, by, [route.method, path, body, headers]);
  const known = HEADERS.filter((header) => reply.headers.has(header));
  const lines = [
    ...[`== ${name}`, `${route.method} ${path}${key === undefined ? "" : ` (key ${key})`}`],
    ...(body === undefined ? [] : typeof body === "string" ? [body] : jsonLines(body)),
    ...[String(reply.status), ...known.map((header) => `${header}: ${reply.headers.get(header)}`)],
    ...(typeof reply.body === "string" ? reply.body.split("\n") : jsonLines(reply.body)),
    ...(route.method === "GET" ? [] : await shop.effects()),
    "",
  ];
  return { reply, lines };
}

/** A program calls a sandbox with a key, and nobody logs in there. */
async function call(shop: Shop, name: string, by: Person | null, [method, path, body, headers]: Call): Promise<Reply> {
  if (name !== IN_SANDBOX) return shop.client.call(by, method, path, body, headers);
  const sandbox = await shop.sandbox(by!);
  return sandbox.client.call(null, method, path, body, { ...headers, ...sandbox.headers });
}
type Call = [method: string, path: string, body: unknown, headers: Record<string, string>];
const IN_SANDBOX = "in a sandbox";
