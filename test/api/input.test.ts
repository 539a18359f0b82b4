// Tests of invalid input: the answer is always one of our errors, never an internal one, without echo or effect.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { routes } from "../../src/api/index.ts";
import { limits } from "../../src/shared/domain.ts";
import type { Access } from "../../src/shared/rights.ts";
import { openApp, openWorld } from "../support/world.ts";
import { goodBodies } from "./bodies.ts";
import { checkedCalls, checkReply } from "./calls.ts";

const world = await openWorld();
const client = openApp(world);
const call = checkedCalls(client);
const { yaw } = world;
const ama = await world.person("ama", "GH₵ 100.00");
const kofi = await world.person("kofi", "GH₵ 10.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const { body: kofisOrder } = await call(kofi, "POST", "/api/v1/orders", {
  productId: bundle.id,
  msisdn: "0551111111",
});

const GOOD = goodBodies(bundle.id);
const withBody = routes.filter((route) => route.body);
const nameOf = (route: { method: string; path: string }) => `${route.method} ${route.path}`;
const callerOf = ({ right, role }: Access) => (right ? yaw : role === "user" ? ama : null);
const samplePath = (path: string) =>
  path
    .replace(":id", "999999")
    .replace(":operator", "TELECEL")
    .replace(":kind", "losses")
    .replace(":name", "sms")
    .replace(":code", "hubnet");

/** Counts of money and people, to check that nothing has happened. */
async function sideEffects() {
  const [row] = await world.db.execute(sql`
    select (select count(*) from orders) as orders, (select count(*) from transfers) as transfers,
           (select count(*) from users) as users, (select count(*) from products) as products,
           (select sum(balance_pesewas) from wallets) as balances`);
  return { ...row };
}

test("every route with a body has a valid body here", () => {
  expect(Object.keys(GOOD).sort()).toEqual(withBody.map(nameOf).sort());
});

const SECRET = "echo-of-what-was-sent";
const JUNK: unknown[] = [
  null,
  true,
  false,
  "",
  " ",
  "text",
  SECRET,
  "1",
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 60,
  [],
  [[]],
  [null],
  {},
  { a: 1 },
  "a\u0000b",
  "x".repeat(5000),
  "'; drop table orders; --",
  "<script>alert(1)</script>",
  "=cmd|' /C calc'!A0",
  "\u202e0541234567",
  "１２３",
  { $gt: "" },
  ["x"],
];

describe("a body that is not an object", () => {
  for (const route of withBody) {
    test(`is refused at ${nameOf(route)}`, async () => {
      const before = await sideEffects();
      const caller = callerOf(route);
      for (const body of ["", "{", "null", "[]", "5", '"text"', "true", '{"a":', "\u0000", "{}{}", "NaN"]) {
        const reply = await call(caller, route.method, samplePath(route.path), body);
        // An empty edit is no error.
        expect([400, 422]).toContain(reply.status);
      }
      const nested = await call(
        caller,
        route.method,
        samplePath(route.path),
        `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`,
      );
      expect([nested.status, nested.body.code]).toEqual([400, "request.malformed"]);
      expect(await sideEffects()).toEqual(before);
    });
  }
});

describe("a body with another content type than JSON", () => {
  for (const route of withBody) {
    test(`is refused at ${nameOf(route)}`, async () => {
      const before = await sideEffects();
      const good = JSON.stringify(GOOD[nameOf(route)]);
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "",
      ]) {
        const reply = await call(callerOf(route), route.method, samplePath(route.path), good, {
          "content-type": type,
        });
        expect([type, reply.status, reply.body.code]).toEqual([type, 415, "request.content_type"]);
      }
      expect(await sideEffects()).toEqual(before);
    });
  }
});

describe("a body over the limit", () => {
  for (const route of withBody) {
    test(`is refused at ${nameOf(route)}, with or without a declared length`, async () => {
      const body = JSON.stringify({ padding: "x".repeat(route.bodyBytesMax ?? limits.bodyBytes) });
      const declared = await call(callerOf(route), route.method, samplePath(route.path), body, {
        "content-length": String(body.length),
      });
      expect([declared.status, declared.body.code]).toEqual([413, "request.too_large"]);
      const token = route.role === "anyone" ? null : await client.tokenOf(callerOf(route)!);
      const response = await client.app.fetch(
        new Request(`http://localhost${samplePath(route.path)}`, {
          method: route.method,
          headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
          body: new Blob([body]).stream(),
        }),
      );
      expect(response.status).toBe(413);
    });
  }
});

describe("each field with an invalid value", () => {
  for (const route of withBody) {
    test(`is refused or harmless at ${nameOf(route)}, and never an internal error`, async () => {
      // Sign-up is limited per address; that limit is tested elsewhere.
      await world.db.execute(sql`delete from rate_limits`);
      const good = GOOD[nameOf(route)]!;
      for (const field of Object.keys(good)) {
        for (const junk of [...JUNK, undefined]) {
          const reply = await call(callerOf(route), route.method, samplePath(route.path), {
            ...good,
            [field]: junk,
          });
          if (reply.status >= 400) expect(JSON.stringify(reply.body)).not.toContain(SECRET);
        }
        for (const raw of ["\\ud800", "\\udc00\\ud800", "\\u0000", "1\\u00002"]) {
          const text = JSON.stringify({ ...good, [field]: "RAW" }).replace("RAW", raw);
          const reply = await call(callerOf(route), route.method, samplePath(route.path), text);
          expect([nameOf(route), field, raw, reply.status >= 400]).toEqual([nameOf(route), field, raw, true]);
        }
      }
    });
  }
});

describe("each field of a person for AFA with an invalid value", () => {
  test("is refused, and never an internal error", async () => {
    const person = { fullName: "A", phone: "0541234567", ghCardId: "GHA-123456789-0", location: "Accra" };
    const before = await sideEffects();
    for (const field of [...Object.keys(person), "ported"]) {
      for (const junk of JUNK) {
        const people = [
          { ...person, [field]: junk },
          { ...person, ghCardId: SECRET },
        ];
        const reply = await call(ama, "POST", "/api/v1/afa", { people });
        expect([422, 404]).toContain(reply.status);
        expect(JSON.stringify(reply.body)).not.toContain(SECRET);
      }
    }
    expect(await sideEffects()).toEqual(before);
  });
});

describe("each field of a bulk line with an invalid value", () => {
  for (const path of ["/api/v1/orders/bulk", "/api/v1/orders/bulk/preview"]) {
    test(`is refused or answered line by line at ${path}, and never an internal error`, async () => {
      const line = { productId: bundle.id, operator: "MTN", msisdn: "0541234567", quantity: 1, amount: 3.9 };
      const before = await sideEffects();
      for (const field of Object.keys(line)) {
        for (const junk of JUNK) {
          const orders = [
            { ...line, [field]: junk },
            { ...line, msisdn: "nobody" },
          ];
          await call(ama, "POST", path, { orders });
        }
      }
      expect(await sideEffects()).toEqual(before);
    });
  }
});

test("the answer to any JSON at any route is one of our own", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...withBody), fc.jsonValue({ maxDepth: 3 }), async (route, body) => {
      const name = nameOf(route);
      const mixed =
        typeof body === "object" && body !== null && !Array.isArray(body) ? { ...GOOD[name], ...body } : body;
      if (name.includes("/auth/")) await world.db.execute(sql`delete from rate_limits`);
      checkReply(route, await client.call(callerOf(route), route.method, samplePath(route.path), mixed));
    }),
    { numRuns: 200 },
  );
});

describe("money and numbers", () => {
  const order = (change: Record<string, unknown>) =>
    call(ama, "POST", "/api/v1/orders", {
      productId: bundle.id,
      msisdn: "0549999999",
      pay: "wallet",
      ...change,
    });

  test("are never read as something similar", async () => {
    const before = await sideEffects();
    for (const quantity of ["1", -1, 0, 101, 1.0001, 1e20, null, "abc", [1], "NaN"]) {
      expect((await order({ quantity })).body.code).toBe("order.quantity_invalid");
    }
    for (const amount of [0, -3.9]) expect((await order({ amount })).body.code).toBe("request.invalid");
    for (const amount of [3.89, 3.91, 39]) expect((await order({ amount })).body.code).toBe("order.price_changed");
    for (const amount of ["3.90", 3.9001, 1e300, null])
      expect((await order({ amount })).body.code).toBe("request.invalid");
    for (const msisdn of ["+2348012345678", "+447700900123", "0302123456", "054123456", "05412345678", "٠٥٤١٢٣٤٥٦٧"]) {
      expect((await order({ msisdn })).body.code).toBe("msisdn.invalid");
    }
    expect(await sideEffects()).toEqual(before);
  });

  test("of somebody else cannot be reached", async () => {
    const before = await sideEffects();
    expect((await call(ama, "POST", "/api/v1/wallet/spend", { orderId: kofisOrder.id })).body.code).toBe(
      "order.not_found",
    );
    const disguised = await order({
      userId: kofi.id,
      status: "COMPLETED",
      unitPricePesewas: 1,
      amountPesewas: 1,
    });
    expect(disguised.body).toMatchObject({ userId: ama.id, status: "PENDING", amount: 3.9 });
    expect(await sideEffects()).toMatchObject({ users: before.users, orders: Number(before.orders) + 1 });
  });
});
