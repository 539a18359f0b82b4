// Tests against mass assignment: every body and form is sent with extra fields, whose values must not be stored
// anywhere. The good bodies are valid, so that the fields get as far as they can.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { routes } from "../../src/api/index.ts";
import type { Route } from "../../src/api/route.ts";
import { fillShop, PAGES } from "../support/pages.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { filledIn, visitorAs } from "../web/visitor.ts";
import { goodBodies } from "./bodies.ts";
import { addressOf, subjectsOfRoutes } from "./subjects.ts";

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const client = openApp(world, paystack);
const used = await fillShop(world, paystack);
const bundle = await world.product("MTN", "4GB", "3.90");
const good = goodBodies(bundle.id);
const subjectFor = subjectsOfRoutes(world, used, bundle.id);

/** Numbers, a time and texts that occur nowhere else: wherever one is found, it was stored from a request. */
const STRANGE = {
  number: 86_420_975,
  pesewas: 8_642_097_500,
  moment: "2001-02-03T04:05:06.000Z",
  text: "smuggled-in",
};
/** What clients must not be able to set, under its names in the code and in JSON. */
const SMUGGLED: Record<string, unknown> = {
  ...named(
    STRANGE.number,
    "id",
    "userId",
    "user_id",
    "byUserId",
    "ownerId",
    "requestId",
    "bulkOrderId",
    "subjectId",
    "version",
  ),
  ...named(
    STRANGE.number,
    "balance",
    "balancePesewas",
    "balance_pesewas",
    "amountPesewas",
    "unitPricePesewas",
    "price",
    "pricePesewas",
    "volumeMb",
  ),
  ...named(
    STRANGE.moment,
    "paidAt",
    "paid_at",
    "refundedAt",
    "createdAt",
    "updatedAt",
    "deliverBy",
    "deletedAt",
    "answeredAt",
    "dueAt",
  ),
  ...named(
    STRANGE.text,
    "passwordHash",
    "password_hash",
    "reference",
    "channel",
    "paymentMethod",
    "note",
    "productName",
    "proof",
    "by",
  ),
  ...named(["ADMIN"], "roles", "role"),
  ...named("COMPLETED", "status", "state", "toStatus"),
  ...named(true, "paid", "isAdmin", "isInternal", "paidInCash", "isSupport", "approved", "allowDuplicate"),
};

function named(value: unknown, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** The places of the marker values: all rows of all tables are searched. */
async function smuggledRows(): Promise<string[]> {
  const tables = await world.db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  const pattern = `\\m(${STRANGE.number}|${STRANGE.pesewas})\\M|2001-02-03|${STRANGE.text}`;
  const found = tables.map(
    ({ name }) =>
      sql`select ${name}::text || ' ' || t::text as row from ${sql.identifier(name)} t where t::text ~ ${pattern}`,
  );
  return (await world.db.execute<{ row: string }>(sql.join(found, sql` union all `))).map(({ row }) => row);
}

/** What ordinary values in the fields could change: who is an admin, and what is completed or paid. */
async function privileges(): Promise<unknown> {
  const [row] = await world.db.execute(sql`
    select (select count(*)::int from users where 'ADMIN' = any(roles)) as admins,
           (select count(*)::int from orders where status = 'COMPLETED') as completed,
           (select count(*)::int from orders where payment_method = 'cash') as cash,
           (select count(*)::int from order_events where is_internal) as internal`);
  return row;
}

const nameOf = (route: Route) => `${route.method} ${route.path}`;
const withBody = routes.filter((route) => route.body);
const shapeOf = (route: Route) => (route.body as unknown as { shape: Record<string, unknown> }).shape;

/** Routes whose good body is refused anyway, for a wrong password or code. */
const REFUSED = [
  "POST /api/v1/auth/login",
  "POST /api/v1/auth/second-factor",
  "POST /api/v1/auth/password/reset",
  "POST /api/v1/paystack/otp",
];

for (const route of withBody) {
  test(`${nameOf(route)} accepts only its own fields`, async () => {
    const { id, fields } = await subjectFor(route);
    const extra = Object.entries(SMUGGLED).filter(([name]) => !(name in shapeOf(route)));
    const body = { ...Object.fromEntries(extra), ...good[nameOf(route)], ...fields };
    const person = route.right ? world.yaw : route.role === "user" ? used.agent : null;
    const before = await privileges();
    const reply = await client.call(person, route.method, addressOf(route, id), body);
    const accepted = route.isStrict ? [422, "request.unknown_field"] : [route.answer.status, "done"];
    expect([reply.status, reply.body.code ?? "done"]).toEqual(
      REFUSED.includes(nameOf(route)) ? [reply.status, reply.body.code] : accepted,
    );
    expect(JSON.stringify(reply.body)).not.toContain(STRANGE.text);
    expect(await smuggledRows()).toEqual([]);
    // The decision "delivered" and a new account do not show these either.
    expect(await privileges()).toEqual(before);
  });
}

/** Forms that end their sender's session or account. */
const LAST = /logout|log out|close|delete|ban/i;

async function pressAll(person: Person, as: "agent" | "admin"): Promise<number> {
  const visit = await visitorAs(client, person);
  let sent = 0;
  for (const address of PAGES.filter((one) => one.as === as).flatMap(({ addresses }) => addresses(used))) {
    const seen = await visit.open(address);
    const buttons = [...seen.document.querySelectorAll("main form[method=post] button")]
      .filter((button) => !button.hasAttribute("disabled"))
      .map((button) => (button.textContent ?? "").replace(/\s+/g, " ").trim())
      .filter((text) => text && !LAST.test(text));
    for (const button of new Set(buttons)) {
      const own = new URLSearchParams(filledIn(seen, button).body);
      const extra = Object.entries(SMUGGLED).filter(([name]) => !own.has(name) && !OWN_FIELDS.includes(name));
      const fields = Object.fromEntries(extra.map(([name, value]) => [name, String(value)]));
      await world.db.execute(sql`delete from rate_limits`);
      const { status } = await visit.press(seen, button, fields);
      expect([address, button, status < 500]).toEqual([address, button, true]);
      sent += 1;
    }
  }
  return sent;
}
/** Forms lack these if a box is not ticked or a button not pressed. */
const OWN_FIELDS = ["paidInCash", "role", "roles", "status", "state", "reference", "note", "proof", "allowDuplicate"];

for (const as of ["agent", "admin"] as const) {
  test(`the forms of an ${as}'s pages accept only their own fields`, async () => {
    const person = as === "agent" ? used.agent : world.yaw;
    const { admins } = (await privileges()) as { admins: number };
    expect(await pressAll(person, as)).toBeGreaterThan(20);
    expect(await smuggledRows()).toEqual([]);
    expect(await privileges()).toMatchObject({ admins });
  });
}
