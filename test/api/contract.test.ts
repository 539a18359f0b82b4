// Contract tests: requests are generated from the OpenAPI document, valid, at the limits and invalid, and every
// answer must be one that the document describes, code by code.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { z } from "zod";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { routes } from "../../src/api/index.ts";
import type { Route } from "../../src/api/route.ts";
import * as afa from "../../src/core/afa/registrations.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as disputes from "../../src/core/orders/disputes.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import * as support from "../../src/core/support/requests.ts";
import * as webhookDeliveries from "../../src/core/webhooks/deliveries.ts";
import * as hooks from "../../src/core/webhooks/endpoints.ts";
import { ADMIN_TARGETS } from "../../src/shared/domain.ts";
import { operatorCodes } from "../../src/shared/operators.ts";
import { freshNumber, seed } from "../support/asking.ts";
import { fillShop } from "../support/pages.ts";
import {
  createTestHooks,
  openApp,
  openWorld,
  type Person,
  type Reply,
  TEST_CARDS,
  TEST_JWT_SECRET,
} from "../support/world.ts";
import { goodBodies } from "./bodies.ts";
import { checkReply } from "./calls.ts";
import { invalid, type JsonSchema, valid } from "./generate.ts";
import { resolved } from "./references.ts";

/** How many requests of each kind go to each route. */
const RUNS = 8;

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const client = openApp(world, paystack);
const used = await fillShop(world, paystack);
const bundle = await world.product("MTN", "4GB", "3.90");
const spare = await world.person("spare");
await wallet.adjust(world.db, {
  by: world.yaw.by("admin"),
  key: null,
  userId: used.agent.id,
  amountPesewas: 1_000_000,
  reason: "premise",
});
const good = goodBodies(bundle.id);
const { body: document } = await client.call(null, "GET", "/openapi.json");

type Described = {
  parameters: { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: { "application/json": { schema: JsonSchema } } };
  responses: Record<string, { content: { "application/json": { schema: object; examples?: object } } }>;
};
type Sent = { path: Record<string, unknown>; query: Record<string, unknown>; body: unknown; key: unknown };

const nameOf = (route: Route) => `${route.method} ${route.path}`;
const described = new Map<Route, Described>();
function descriptionOf(route: Route): Described {
  const operation = () => document.paths[route.path.replace(/:(\w+)/g, "{$1}")][route.method.toLowerCase()];
  if (!described.has(route)) described.set(route, resolved(document, operation()));
  return described.get(route)!;
}

/** Schemas of answers, read back from the document: what it leaves out does not count. */
const answers = new Map<object, z.ZodType>();
function answerSchema(schema: object): z.ZodType {
  if (!answers.has(schema)) answers.set(schema, z.fromJSONSchema(schema as never));
  return answers.get(schema)!;
}

/** Existing ids, with which a request passes the first check and reaches the second. */
let known: number[] = [];
const idsOf = (route: Route) => {
  if (route.path.includes("/users/")) return [spare.id];
  if (route.path.includes("/requests/")) return [used.apiRequest];
  return route.path.includes("/webhooks/") ? knownHooks : known;
};
/** A webhook and one of its messages. */
let knownHooks: number[] = [];
async function openHook(): Promise<number[]> {
  const { db } = world;
  const by = used.agent.by("api");
  await db.execute(sql`delete from rate_limits where bucket like 'webhook.%'`);
  await db.execute(sql`delete from hooks`);
  const keys = { key: hooks.hookKey(TEST_JWT_SECRET), sender: createTestHooks() };
  const ask = { by, key: null, url: "http://hook.example:8080/one", description: "" };
  const { hook } = (await hooks.create(db, keys, ask)).answer;
  const { answer } = await webhookDeliveries.ping(db, { by, key: null, hookId: hook.id });
  return [hook.id, answer.id];
}

/** A new, open subject of each kind, as one route's change would block the next. */
async function openSubjects(): Promise<number[]> {
  const by = used.agent.by("api");
  const admin = { by: world.yaw.by("admin"), key: null };
  const line = () => ({ productId: bundle.id, msisdn: freshNumber(), quantity: 1 });
  const buy = async () => (await orders.buy(world.db, { by, key: null, line: line() })).answer.order.id;
  const [waiting, delivered, complained] = [await buy(), await buy(), await buy()];
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await statusChanges.move(world.db, { ...admin, ids: [delivered, complained], to });
  const dispute = await disputes.open(world.db, { by, key: null, orderId: complained, message: "" });
  // Webhooks of earlier routes make room.
  await world.db.execute(sql`
    update orders set created_at = now() - interval '25 hours' where paid_at is null and status = 'PENDING'`);
  await unpaidOrders.expire(world.db);
  const unpaid = (await unpaidOrders.create(world.db, { by, key: null, line: line() })).answer.id;
  const register = async () => {
    const phone = freshNumber();
    const people = [{ fullName: "Ama", phone, ghCardId: `GHA-${phone.slice(1)}-1`, location: "Kumasi" }];
    const { answer } = await afa.register(world.db, TEST_CARDS, { by, key: null, people });
    return answer.registrations[0]!.id;
  };
  const [person, complainer] = [await register(), await register()];
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await statusChanges.move(world.db, { ...admin, ids: [complainer], to });
  await disputes.open(world.db, { by, key: null, orderId: complainer, message: "" });
  const text = { fullName: "Ama", email: used.agent.email, subject: "Late", message: "Late" };
  const request = (await support.file(world.db, { by, key: null, ...text })).answer.id;
  const claim = (await deposits.file(world.db, { by, transactionId: `4${freshNumber()}`, amountPesewas: 5000 })).id;
  return [waiting, delivered, complained, dispute.answer.id, unpaid, person, complainer, request, claim];
}

function parameters(route: Route, place: string, make: typeof valid): fc.Arbitrary<Record<string, unknown>> {
  const here = descriptionOf(route).parameters.filter((one) => one.in === place);
  const values = here.map(({ name, schema }) => {
    if (place !== "path") return [name, make(schema)] as const;
    const known = name === "id" ? fc.constantFrom<unknown>(...idsOf(route)) : fc.constantFrom(used.waiting, used.paid);
    return [name, make === valid ? fc.oneof(known, fc.constant(999_999_999)) : make(schema)] as const;
  });
  return fc.record(Object.fromEntries(values), {
    requiredKeys: place === "path" ? undefined : [],
    noNullPrototype: true,
  } as never);
}

/** Values that no schema can describe, with which a request gets as far as the business rules. */
const named = (): Record<string, readonly unknown[]> => ({
  orderId: known,
  ids: [known],
  status: ADMIN_TARGETS,
  productId: [bundle.id, used.product, used.paused],
  reference: [used.waiting, used.paid],
  msisdn: ["0541234567", "0271234567"],
  operator: operatorCodes(),
  amount: [3.9, 5, 50],
});

/** A good body with none, one or several of its fields regenerated. */
function bodies(route: Route, make: typeof valid): fc.Arbitrary<unknown> {
  const schema = descriptionOf(route).requestBody?.content["application/json"].schema;
  if (!schema) return fc.constant(undefined);
  const changed = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const values = named()[name]?.map((value) => fc.constant(value)) ?? [];
    return [name, make === valid ? fc.oneof(make(one), ...values) : make(one)] as const;
  });
  const record = (requiredKeys: string[]) =>
    fc.record(Object.fromEntries(changed), { requiredKeys, noNullPrototype: true });
  const mixed = record([]).map((some) => ({ ...good[nameOf(route)], ...some }));
  return fc.oneof(mixed, make === valid ? record(schema.required ?? []) : fc.jsonValue({ maxDepth: 2 }));
}

const requests = (route: Route, make: typeof valid): fc.Arbitrary<Sent> =>
  fc.record({
    path: parameters(route, "path", make),
    query: parameters(route, "query", make),
    body: bodies(route, make),
    key: fc.option(make === valid ? fc.uuid() : fc.constantFrom("", "ä", "x".repeat(256), "two words")),
  });

const callerOf = async (route: Route): Promise<Person | null> => {
  if (route.path.endsWith("/logout")) return world.person(`leaver${crypto.randomUUID().slice(0, 8)}`);
  return route.right ? world.yaw : route.role === "user" ? used.agent : null;
};

/** An object has a text of its own, or none: `{ toString: null }` is generated, too. */
const asText = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

async function send(route: Route, { path, query, body, key }: Sent): Promise<Reply> {
  const place = route.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(asText(path[name])) || "0");
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, asText(value)]);
  const search = entries.length > 0 ? `?${new URLSearchParams(entries)}` : "";
  // A header cannot hold characters beyond Latin-1.
  const headers: Record<string, string> = typeof key === "string" ? { "idempotency-key": key } : {};
  return client.call(await callerOf(route), route.method, place + search, body, headers);
}

/** The part of this answer that the document does not describe; null if it describes all of it. */
function undescribedPart(route: Route, reply: Reply): string | null {
  const described = descriptionOf(route).responses[reply.status];
  if (reply.status >= 500) return `${reply.status} ${JSON.stringify(reply.body)}`;
  if (!described) return `status ${reply.status} (${reply.body.code}) is not described`;
  const { schema, examples = {} } = described.content["application/json"];
  if (reply.status >= 400 && !(reply.body.code in examples)) return `${reply.body.code} is not described`;
  if (reply.headers.get("content-type")?.includes("csv")) return null;
  const { error } = answerSchema(schema).safeParse(reply.body);
  if (error) return error.message;
  checkReply(route, reply);
  return null;
}

for (const route of routes) {
  test(`${nameOf(route)} answers as described (seed ${seed})`, async () => {
    known = await openSubjects();
    knownHooks = await openHook();
    for (const make of [valid, invalid]) {
      await fc.assert(
        fc.asyncProperty(requests(route, make), async (sent) => {
          // Limits on attempts have their own tests.
          await world.db.execute(sql`delete from rate_limits`);
          expect(undescribedPart(route, await send(route, sent))).toBeNull();
        }),
        { seed, numRuns: RUNS },
      );
    }
  });
}

test("a route that does not answer as described would be found", () => {
  const route = routes.find((one) => nameOf(one) === "GET /api/v1/wallet/balance")!;
  const reply = (status: number, body: unknown) => ({ status, body, headers: new Headers() });
  expect(undescribedPart(route, reply(200, { balance: "3.90" }))).not.toBeNull();
  expect(undescribedPart(route, reply(409, { code: "order.duplicate" }))).not.toBeNull();
  expect(undescribedPart(route, reply(401, { code: "auth.banned" }))).not.toBeNull();
  expect(undescribedPart(route, reply(500, { code: "service.failed" }))).not.toBeNull();
});
