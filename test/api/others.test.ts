// Tests of ownership: for an agent, somebody else's id gets exactly the answer of an id that nobody has, and nothing
// changes. Every route and page with an id has a case here.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startPaystack } from "../../simulators/paystack.ts";
import { routes } from "../../src/api/index.ts";
import { pages } from "../../src/web/index.tsx";
import { fillShop, type Used } from "../support/pages.ts";
import { openApp, openWorld } from "../support/world.ts";
import { goodBodies } from "./bodies.ts";

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const client = openApp(world, paystack);
const used = await fillShop(world, paystack);
const kofi = await world.person("kofi", "GH₵ 100.00");
const good = goodBodies(used.product);
const NOBODYS = { id: 99_999_999, reference: "tp-00000000-0000-4000-8000-000000000000" };

type Case = { of: (used: Used) => number | string; also?: Record<string, unknown> };
const of = (pick: Case["of"], also?: Case["also"]): Case => (also ? { of: pick, also } : { of: pick });
/** Orders in several states: some errors are checked before the owner. */
const [order, delivered, unpaid] = [
  of((it) => it.order),
  of((it) => it.delivered),
  of((it) => it.unpaidOrder),
];
const person = of((it) => it.agent.id);
const request = of((it) => it.request);
const caseOf = of((it) => it.case);
const claim = of((it) => it.claim);
const registration = of((it) => it.afa);
const [waiting, paid] = [of((it) => it.waiting), of((it) => it.paid)];
const hook = of((it) => it.hook);
const product = of((it) => it.product);
const [bulk, batch] = [of((it) => it.bulk), of((it) => it.batch)];

/** By method and path: whose ids are tried. */
const IN_PATHS: Record<string, Case[]> = {
  "GET /api/v1/orders/:id": [order, delivered, unpaid],
  "POST /api/v1/orders/:id/cancel": [order, delivered, unpaid],
  "POST /api/v1/orders/:id/not-received": [order, delivered, unpaid],
  "DELETE /api/v1/orders/:id/not-received": [order, delivered],
  "GET /api/v1/payments/:reference": [waiting, paid],
  "POST /api/v1/wallet/claims/:id/report": [claim],
  "GET /api/v1/support/:id": [request, caseOf],
  "GET /api/v1/support/:id/replies": [request, caseOf],
  "POST /api/v1/support/:id/replies": [request, caseOf],
  "GET /api/v1/webhooks/:id": [hook],
  "PATCH /api/v1/webhooks/:id": [hook],
  "DELETE /api/v1/webhooks/:id": [hook],
  "POST /api/v1/webhooks/:id/secret": [hook],
  "POST /api/v1/webhooks/:id/test": [hook],
  "GET /api/v1/webhooks/:id/deliveries": [hook],
  "POST /api/v1/webhooks/deliveries/:id/resend": [of((it) => it.hookDelivery)],
  "PATCH /api/v1/admin/orders/:id/status": [order, unpaid],
  "POST /api/v1/admin/orders/:id/notes": [order],
  "PATCH /api/v1/products/:id": [product],
  "DELETE /api/v1/products/:id": [product],
  "PATCH /api/v1/admin/users/:id": [person],
  "POST /api/v1/admin/users/:id/ban": [person],
  "POST /api/v1/admin/users/:id/unban": [person],
  "DELETE /api/v1/admin/users/:id": [person],
  "GET /api/v1/admin/users/:id/statement": [person],
  "POST /api/v1/admin/users/:id/wallet": [person],
  "POST /api/v1/admin/payments/:id/decision": [of((it) => it.review)],
  "POST /api/v1/admin/claims/:id/approve": [claim],
  "POST /api/v1/admin/claims/:id/refuse": [claim],
  "PATCH /api/v1/admin/afa/:id/status": [registration],
  "POST /api/v1/admin/afa/:id/reveal": [registration],
  "GET /api/v1/admin/support/:id/replies": [request, caseOf],
  "POST /api/v1/admin/support/:id/replies": [request],
  "POST /api/v1/admin/support/:id/close": [request],
  "POST /api/v1/admin/support/:id/decide": [caseOf],
};

/** Ids and references inside a body. */
const IN_BODIES: Record<string, Record<string, Case[]>> = {
  "POST /api/v1/wallet/spend": { orderId: [unpaid, order] },
  "POST /api/v1/paystack/init": { orderId: [unpaid, order], transactionId: [of(paymentOf("waiting"))] },
  "POST /api/v1/paystack/charge": { orderId: [unpaid, order], transactionId: [of(paymentOf("waiting"))] },
  "POST /api/v1/paystack/verify": { reference: [waiting, paid] },
  "POST /api/v1/paystack/otp": { reference: [waiting, paid] },
  "POST /api/v1/support": { orderId: [order] },
};
/** Fields that name things without an owner, or hold the caller's own text. */
const NAMES_NOTHING = ["POST /api/v1/orders productId", "POST /api/v1/wallet/claims transactionId"];

/** Pages with an id in the path, and those that take one as a parameter. */
const ON_PAGES: Record<string, Case[]> = {
  "/wallet/claims/:id/report": [claim],
  "/payments/:reference": [waiting, paid],
  "/bulk/:id": [bulk],
  "/bulk/:id/export": [bulk],
  "/bulk/check/:id": [of((it) => it.draft)],
  "/support/:id": [request, caseOf],
  "/orders/:id": [order, delivered, unpaid],
  "/orders/:id/not-received": [delivered, order],
  "/profile/webhooks/:id": [hook],
  "/admin/payments/:id": [of((it) => it.review)],
  "/admin/chargebacks/:id": [of((it) => it.chargeback)],
  "/admin/support/:id": [request, caseOf],
  "/admin/desk/:id": [batch],
  "/admin/desk/:id/file": [batch],
  "/admin/orders/:id": [order],
  "/admin/afa/:id": [registration],
  "/admin/products/:id": [product],
  "/admin/users/:id": [person],
  "/admin/users/:id/edit": [person],
  "/admin/users/:id/orders": [person],
  "/admin/users/:id/statement": [person],
  "/admin/users/:id/statement/export": [person],
  "/admin/users/:id/payments": [person],
};
const IN_QUERIES: Record<string, Case[]> = {
  "/checkout?order=": [unpaid, order],
  "/bulk?draft=": [of((it) => it.draft)],
};
/** The actions of these pages' forms, if there are several. */
const DEEDS = [
  "",
  "cancel",
  "pay",
  "refund",
  "move",
  "ban",
  "unban",
  "remove",
  "adjust",
  "close",
  "decide",
  "edit",
];

function paymentOf(which: "waiting" | "paid"): Case["of"] {
  return (it) => payments.get(it[which])!;
}
const payments = new Map(
  (await world.db.execute<{ id: number; reference: string }>(sql`select id, reference from payments`)).map(
    ({ id, reference }) => [reference, id],
  ),
);

const nameOf = (route: { method: string; path: string }) => `${route.method} ${route.path}`;
const isId = (name: string) => /(^|[a-z])(id|ids|reference)$/i.test(name) && !/^ghCardId$/.test(name);
const fieldsOf = (body: object | undefined) => Object.keys(body ?? {}).filter(isId);

/** An operator has no owner. */
const withId = routes.filter(({ path }) => /:(?!operator$)/.test(path));

test("every route and page that takes an id has its case here", () => {
  expect(Object.keys(IN_PATHS).sort()).toEqual(withId.map(nameOf).sort());
  const inBodies = routes.flatMap((route) =>
    route.role === "user" ? fieldsOf(shapeOf(route.body)).map((field) => `${nameOf(route)} ${field}`) : [],
  );
  const cased = Object.entries(IN_BODIES).flatMap(([name, fields]) =>
    Object.keys(fields).map((field) => `${name} ${field}`),
  );
  // The transaction of a verification only says which page asks; the reference decides.
  const besides = [
    ...NAMES_NOTHING,
    "POST /api/v1/paystack/verify transactionId",
    "POST /api/v1/paystack/verify orderId",
  ];
  expect(inBodies.sort()).toEqual([...cased, ...besides].sort());
  const pagesWithId = pages.filter((page) => page.path.includes(":"));
  expect(Object.keys(ON_PAGES).sort()).toEqual(pagesWithId.map((page) => page.path).sort());
});

for (const route of withId) {
  test(`${nameOf(route)} tells nothing of what is another's, and leaves it alone`, async () => {
    const ask = (value: unknown) =>
      probe(value, () =>
        client.call(kofi, route.method, route.path.replace(/:\w+/, String(value)), bodyFor(route)),
      );
    for (const { of } of IN_PATHS[nameOf(route)]!) await isAsIfNotThere(ask, of(used), route.path);
  });
}

for (const [name, fields] of Object.entries(IN_BODIES)) {
  for (const [field, cases] of Object.entries(fields)) {
    test(`${name} does nothing with another's ${field}`, async () => {
      const [method, path] = name.split(" ") as [string, string];
      const { orderId: _, transactionId: __, amount: ___, ...rest } = good[name]!;
      const ask = (value: unknown) =>
        probe(value, () => client.call(kofi, method, path, { ...rest, [field]: value }));
      for (const { of } of cases) await isAsIfNotThere(ask, of(used), field);
    });
  }
}

for (const page of pages.filter((one) => one.path.includes(":"))) {
  test(`the page ${page.path} shows nothing of what is another's, and its forms leave it alone`, async () => {
    for (const deed of page.submit ? [null, ...DEEDS] : [null]) {
      if (deed === null && !page.show) continue;
      const ask = (value: unknown) =>
        probe(value, () => visit(page.path.replace(/:\w+/, String(value)), deed));
      for (const { of } of ON_PAGES[page.path]!) await isAsIfNotThere(ask, of(used), page.path);
    }
  });
}

for (const [path, cases] of Object.entries(IN_QUERIES)) {
  test(`the page ${path} shows nothing of what is another's`, async () => {
    const ask = (value: unknown) => probe(value, () => visit(path + value, null));
    for (const { of } of cases) {
      const [other, nobodys] = [await ask(of(used)), await ask(NOBODYS.id)];
      expect(other).toEqual(nobodys);
    }
  });
}

async function visit(path: string, deed: string | null) {
  const form = {
    do: deed ?? "",
    message: "mine",
    status: "FAILED",
    reason: "mine",
    amount: "5",
    to: "FAILED",
  };
  const response = await client.browse(kofi, path, deed === null ? undefined : form);
  return { status: response.status, body: await response.text(), headers: response.headers };
}

type Told = { status: number; body: string };

/** An answer without its variable parts: the requested id, and the request's own. */
async function probe(
  value: unknown,
  ask: () => Promise<{ status: number; body: unknown; headers: Headers }>,
): Promise<Told> {
  await world.db.execute(sql`delete from rate_limits`);
  const { status, body, headers } = await ask();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const own = headers.get("x-request-id") ?? " ";
  const plain = text
    .replace(/<style>.*?<\/style>/gs, "")
    .replaceAll(own, "REQUEST")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "KEY");
  // A short id could occur in unrelated text.
  return { status, body: plain.replace(new RegExp(`(?<=/|order=|draft=)${value}\\b`, "g"), "ID") };
}

async function isAsIfNotThere(
  ask: (value: unknown) => Promise<Told>,
  value: unknown,
  what: string,
): Promise<void> {
  const before = await everything();
  const other = await ask(value);
  const nobodys = await ask(typeof value === "string" ? NOBODYS.reference : NOBODYS.id);
  expect([what, other]).toEqual([what, nobodys]);
  expect([403, 404]).toContain(other.status);
  expect(await everything()).toEqual(before);
}

/** A digest of every table except the counters of attempts. */
async function everything(): Promise<Record<string, unknown>> {
  const tables = await world.db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('rate_limits', 'sessions')
    order by 1`);
  const sums = tables.map(
    ({ name }) =>
      sql`select ${name}::text as name, md5(string_agg(t::text, '|' order by t::text)) as digest
          from ${sql.identifier(name)} t`,
  );
  const rows = await world.db.execute<{ name: string; digest: string }>(sql.join(sums, sql` union all `));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

function bodyFor(route: (typeof routes)[number]): unknown {
  return route.body && good[nameOf(route)];
}

function shapeOf(body: unknown): object | undefined {
  return (body as { shape?: object } | undefined)?.shape;
}
