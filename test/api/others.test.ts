// Tests of ownership: for an agent, somebody else's id gets exactly the answer of an id that nobody has, and nothing
// changes. Every route and page with an id has a case here.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { routes } from "../../src/api/index.ts";
import type { Route } from "../../src/api/route.ts";
import type { Page } from "../../src/web/page.tsx";
import { pages } from "../../src/web/pages/index.tsx";
import { fillShop, IDS, type Used } from "../support/pages.ts";
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

type Subject = { of: (used: Used) => number | string; also?: Record<string, unknown> };
const of = (pick: Subject["of"], also?: Subject["also"]): Subject => (also ? { of: pick, also } : { of: pick });
const [order, unpaid] = [of((it) => it.order), of((it) => it.unpaidOrder)];
const [waiting, paid] = [of((it) => it.waiting), of((it) => it.paid)];

/** Ids and references inside a body. */
const IN_BODIES: Record<string, Record<string, Subject[]>> = {
  "POST /api/v1/wallet/spend": { orderId: [unpaid, order] },
  "POST /api/v1/paystack/init": { orderId: [unpaid, order], transactionId: [of(paymentOf("waiting"))] },
  "POST /api/v1/paystack/charge": { orderId: [unpaid, order], transactionId: [of(paymentOf("waiting"))] },
  "POST /api/v1/paystack/verify": { reference: [waiting, paid] },
  "POST /api/v1/paystack/otp": { reference: [waiting, paid] },
  "POST /api/v1/support": { orderId: [order] },
};
/** Fields that name things without an owner, or hold the caller's own text. */
const NAMES_NOTHING = [
  "POST /api/v1/orders productId",
  "POST /api/v1/orders reference",
  "POST /api/v1/orders/bulk reference",
  "POST /api/v1/wallet/claims transactionId",
];

/** Pages that take an id in their query. */
const IN_QUERIES: Record<string, Subject[]> = {
  "/checkout?order=": [unpaid, order],
  "/bulk?draft=": [of((it) => it.draft)],
};
/** The actions of a page: showing it, and each action of its forms; "" is the form without a name. */
const actionsOf = ({ show, submit, actions = {} }: Page): (string | null)[] => [
  ...(show ? [null] : []),
  ...(submit ? [""] : []),
  ...Object.keys(actions),
];

function paymentOf(which: "waiting" | "paid"): Subject["of"] {
  return (it) => payments.get(it[which])!;
}
const payments = new Map(
  (await world.db.execute<{ id: number; reference: string }>(sql`select id, reference from payments`)).map(
    ({ id, reference }) => [reference, id],
  ),
);

const nameOf = (route: { method: string; path: string }) => `${route.method} ${route.path}`;
const isId = (name: string) => /(^|[a-z])(id|ids|reference)$/i.test(name) && !/^(ghCardId|uniqueReference)$/.test(name);
const fieldsOf = (body: object | undefined) => Object.keys(body ?? {}).filter(isId);

/** Pages for anyone are addressed by a secret, which whoever knows it may use. */
const pagesWithId = pages.filter((page) => page.path.includes(":") && page.role !== "anyone");
/** Of an order in every state, also where only those that were delivered are meant: some errors are checked first. */
const idsOf = ({ subject }: Page | Route) => IDS[subject === "deliveredOrder" ? "order" : subject!](used);
/** An operator or a switch belongs to nobody. */
const withId = routes.filter(({ path }) => /:(?!(?:operator|name)$)/.test(path));

test("every route and page that takes an id has its case here", () => {
  const inBodies = routes.flatMap((route) =>
    route.role === "user" ? fieldsOf(shapeOf(route.body)).map((field) => `${nameOf(route)} ${field}`) : [],
  );
  const cased = Object.entries(IN_BODIES).flatMap(([name, fields]) =>
    Object.keys(fields).map((field) => `${name} ${field}`),
  );
  // The transaction of a verification only names the page; the reference decides.
  const besides = [
    ...NAMES_NOTHING,
    "POST /api/v1/paystack/verify transactionId",
    "POST /api/v1/paystack/verify orderId",
  ];
  expect(inBodies.sort()).toEqual([...cased, ...besides].sort());
  const withoutSubject = [...withId, ...pagesWithId].filter(({ subject }) => !subject);
  expect(withoutSubject.map(({ path }) => path)).toEqual([]);
});

for (const route of withId) {
  test(`${nameOf(route)} reveals and changes nothing of somebody else`, async () => {
    const ask = (value: unknown) =>
      probe(value, () => client.call(kofi, route.method, route.path.replace(/:\w+/, String(value)), bodyFor(route)));
    for (const id of idsOf(route)) await expectSameAsMissing(ask, id, route.path);
  });
}

for (const [name, fields] of Object.entries(IN_BODIES)) {
  for (const [field, subjects] of Object.entries(fields)) {
    test(`${name} does nothing with somebody else's ${field}`, async () => {
      const [method, path] = name.split(" ") as [string, string];
      const { orderId: _, transactionId: __, amount: ___, ...rest } = good[name]!;
      const ask = (value: unknown) => probe(value, () => client.call(kofi, method, path, { ...rest, [field]: value }));
      for (const { of } of subjects) await expectSameAsMissing(ask, of(used), field);
    });
  }
}

for (const page of pagesWithId) {
  test(`the page ${page.path} shows nothing of somebody else, and its forms change nothing`, async () => {
    for (const deed of actionsOf(page)) {
      const ask = (value: unknown) => probe(value, () => visit(page.path.replace(/:\w+/, String(value)), deed));
      for (const id of idsOf(page)) await expectSameAsMissing(ask, id, page.path);
    }
  });
}

for (const [path, subjects] of Object.entries(IN_QUERIES)) {
  test(`the page ${path} shows nothing of somebody else`, async () => {
    const ask = (value: unknown) => probe(value, () => visit(path + value, null));
    for (const { of } of subjects) {
      const [other, nobodys] = [await ask(of(used)), await ask(NOBODYS.id)];
      expect(other).toEqual(nobodys);
    }
  });
}

async function visit(path: string, deed: string | null) {
  const form = {
    ...(deed && { action: deed }),
    message: "mine",
    status: "FAILED",
    reason: "mine",
    amount: "5",
    to: "FAILED",
  };
  const response = await client.browse(kofi, path, deed === null ? undefined : form);
  return { status: response.status, body: await response.text(), headers: response.headers };
}

type Answer = { status: number; body: string };

/** An answer without its variable parts: the requested id, and the request's own. */
async function probe(
  value: unknown,
  ask: () => Promise<{ status: number; body: unknown; headers: Headers }>,
): Promise<Answer> {
  await world.db.execute(sql`delete from rate_limits`);
  const { status, body, headers } = await ask();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const own = headers.get("x-request-id") ?? " ";
  const plain = text
    .replace(/<style[^>]*>.*?<\/style>/gs, "")
    .replaceAll(own, "REQUEST")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "KEY");
  // A short id could occur in unrelated text.
  return { status, body: plain.replace(new RegExp(`(?<=/|order=|draft=)${value}\\b`, "g"), "ID") };
}

async function expectSameAsMissing(
  ask: (value: unknown) => Promise<Answer>,
  value: unknown,
  field: string,
): Promise<void> {
  const before = await tableDigests();
  const other = await ask(value);
  const nobodys = await ask(typeof value === "string" ? NOBODYS.reference : NOBODYS.id);
  expect([field, other]).toEqual([field, nobodys]);
  expect([403, 404]).toContain(other.status);
  expect(await tableDigests()).toEqual(before);
}

/** A digest of every table except the counters of attempts. */
async function tableDigests(): Promise<Record<string, unknown>> {
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
