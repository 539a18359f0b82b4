// Tests of access: every route is checked, so that a new one cannot be forgotten.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { sessions } from "../../db/schema/identity.ts";
import { allRoutes, routes } from "../../src/api/index.ts";
import type { Route } from "../../src/api/route.ts";
import * as users from "../../src/core/identity/users.ts";
import { arkeselSecretsOf, secretsOf } from "../../src/core/messaging/callbacks.ts";
import { ROLES } from "../../src/shared/domain.ts";
import { hasRight } from "../../src/shared/rights.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { digestOf } from "../support/unchanged.ts";
import { openApp, openWorld, type Person, TEST_JWT_SECRET } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const client = openApp(world);
const call = checkedCalls(client);
const ama = await world.person("ama", "GH₵ 20.00");
const bundle = await world.product("MTN", "1GB", "3.90");

const PUBLIC = [
  "POST /api/v1/auth/signup",
  "POST /api/v1/auth/login",
  "POST /api/v1/auth/second-factor",
  "POST /api/v1/auth/password/forgot",
  "POST /api/v1/auth/password/reset",
];
/** A path that exists, with an id that nobody has if it takes one. */
const samplePath = (path: string) => path.replace(/:\w+/g, "999999");
const nameOf = (route: { method: string; path: string }) => `${route.method} ${route.path}`;

test("the public routes are exactly these", () => {
  expect(
    routes
      .filter((route) => route.role === "anyone")
      .map(nameOf)
      .sort(),
  ).toEqual([...PUBLIC].sort());
});

test("everything under /admin, and everything that changes products, takes a right of staff", () => {
  for (const route of routes) {
    const isForStaff = route.path.includes("/admin/") || (route.path.includes("/products") && route.method !== "GET");
    expect([nameOf(route), route.right !== undefined]).toEqual([nameOf(route), isForStaff]);
  }
});

test("the application mounts the declared routes under /api, and no other", () => {
  const mounted = client.app.elysia.routes
    .filter((route) => route.path.startsWith("/api/"))
    .map((route) => `${route.method} ${route.path}`);
  // Those of the sandbox only say that they are.
  expect(mounted.sort()).toEqual(allRoutes.map(nameOf).sort());
});

describe("an address that a gateway calls", () => {
  const [ofTalking] = secretsOf([], TEST_JWT_SECRET);
  const [ofArkesel] = arkeselSecretsOf(TEST_JWT_SECRET);
  const calls = client.app.elysia.routes.filter(({ path }) => path.startsWith("/channels"));
  const secretOf = (path: string) => (path.includes("/arkesel/") ? ofArkesel! : ofTalking!);
  const ask = (path: string, method: string) =>
    client.app.fetch(
      new Request(`http://localhost${path}`, { method, headers: { origin: "https://elsewhere.example" } }),
    );

  test("is one of these, and accepts only POST, or GET from Arkesel", () => {
    expect(calls.map(nameOf).sort()).toEqual([
      "GET /channels/arkesel/:secret/delivery",
      "POST /channels/africastalking/:secret/delivery",
      "POST /channels/africastalking/:secret/events",
      "POST /channels/africastalking/:secret/inbound",
      "POST /channels/africastalking/:secret/opt-out",
      "POST /channels/africastalking/:secret/ussd",
    ]);
  });

  test("is open to anybody with the secret, from any origin", async () => {
    for (const { path, method } of calls)
      expect((await ask(path.replace(":secret", secretOf(path)), method)).status).toBe(200);
  });

  test("looks like an address that does not exist to anybody without the secret", async () => {
    const statusOf = async (path: string, method: string) => {
      const response = await ask(path, method);
      const { requestId, ...body } = (await response.json()) as { requestId: string };
      return { status: response.status, body, headers: [...response.headers.keys()] };
    };
    const unknown = await statusOf("/channels/nobody", "POST");
    expect(unknown).toMatchObject({ status: 404, body: { code: "request.not_found" } });
    for (const { path, method } of calls) {
      const secret = secretOf(path);
      const other = [ofTalking!, ofArkesel!].find((one) => one !== secret)!;
      const wrong = [`${secret}x`, secret.slice(1), secret.toUpperCase(), "undefined", "%00", TEST_JWT_SECRET];
      for (const candidate of [...wrong, other])
        expect(await statusOf(path.replace(":secret", encodeURIComponent(candidate)), method)).toEqual(unknown);
      const otherMethod = method === "GET" ? "POST" : "GET";
      expect(await statusOf(path.replace(":secret", secret), otherMethod)).toEqual(unknown);
    }
  });
});

describe("a caller without a session", () => {
  for (const route of routes.filter((one) => one.role !== "anyone")) {
    test(`has to log in at ${nameOf(route)}`, async () => {
      // The body is not even validated before the caller is known.
      for (const body of [undefined, route.example, "{"]) {
        if (route.method === "GET" && body !== undefined) continue;
        const reply = await call(null, route.method, samplePath(route.path), body);
        expect([reply.status, reply.body.code]).toEqual([401, "auth.required"]);
        expect(reply.headers.get("www-authenticate")).toBe("Bearer");
      }
    });
  }
});

describe("an account", () => {
  const bodiesFor = ({ method, example }: Route) => (method === "GET" ? [undefined] : [undefined, example, "{"]);
  const withRight = (person: Person, isWanted: boolean) =>
    routes.filter(({ right }) => right && hasRight(person, right) === isWanted);

  async function expectRefused(person: Person, route: Route): Promise<void> {
    for (const body of bodiesFor(route)) {
      const reply = await call(person, route.method, samplePath(route.path), body);
      expect([nameOf(route), reply.status, reply.body.code]).toEqual([nameOf(route), 403, "auth.forbidden"]);
    }
  }

  for (const role of ROLES) {
    test(`as ${role} is admitted to exactly the routes of its rights, and a refusal changes nothing`, async () => {
      const name = `one-${role.toLowerCase()}`;
      const person = role === "ADMIN" ? world.yaw : await world.person(name, undefined, [role]);
      await client.tokenOf(person);
      const before = await digestOf(world.db);
      for (const route of withRight(person, false)) await expectRefused(person, route);
      expect(await digestOf(world.db)).toEqual(before);
      for (const route of withRight(person, true)) {
        const reply = await call(person, route.method, samplePath(route.path), route.body ? {} : undefined);
        expect([nameOf(route), [200, 202, 404, 422].includes(reply.status)]).toEqual([nameOf(route), true]);
      }
      expect([role, withRight(person, true).length > 0]).toEqual([role, role !== "USER"]);
    });
  }
});

describe("a token", () => {
  const withToken = (token: string) => call(null, "GET", "/api/v1/auth/me", undefined, { authorization: token });
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test("that is malformed, altered, unsigned, or signed with another key is refused", async () => {
    const token = await client.tokenOf(ama);
    const [header, payload, signature] = token.split(".") as [string, string, string];
    const decoded = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
    const otherPayload = encode({ ...decoded, jti: await sessionOf(world.yaw.id) });
    const forged = [
      "Bearer nonsense",
      "Bearer a.b.c",
      `Bearer ${header}.${otherPayload}.${signature}`,
      `Bearer ${encode({ alg: "none", typ: "JWT" })}.${payload}.`,
      `Bearer ${encode({ alg: "None" })}.${payload}.${signature}`,
      `Bearer ${encode({ alg: "HS512" })}.${payload}.${signature}`,
      `Bearer ${header}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
      `Bearer ${header}.${payload}.`,
    ];
    for (const text of forged) {
      const reply = await withToken(text);
      expect([text, reply.status, reply.body.code]).toEqual([text, 401, "auth.session_ended"]);
    }
    expect((await withToken(`Bearer ${token}`)).body.username).toBe("ama");
  });

  test("without a session row, or with an expired one, is refused", async () => {
    const unknown = await withToken(`Bearer ${await client.app.sign("no-such-session")}`);
    expect(unknown.body.code).toBe("auth.session_ended");
    const id = await sessionOf(ama.id, "-1 second");
    expect((await withToken(`Bearer ${await client.app.sign(id)}`)).body.code).toBe("auth.session_ended");
  });

  test("that has expired by its own date is refused, even if its row still existed", async () => {
    const id = await sessionOf(ama.id);
    const past = Math.floor(Date.now() / 1000) - 60;
    const unsigned = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ jti: id, iat: past - 60, exp: past })}`;
    const signature = new Bun.CryptoHasher("sha256", TEST_JWT_SECRET).update(unsigned).digest("base64url");
    expect((await withToken(`Bearer ${unsigned}.${signature}`)).body.code).toBe("auth.session_ended");
  });

  test("becomes invalid at once on logout, ban and deletion", async () => {
    const leaver = await world.person("leaver");
    expect((await call(leaver, "POST", "/api/v1/auth/logout")).body).toEqual({ ok: true });
    expect((await call(leaver, "GET", "/api/v1/auth/me")).body.code).toBe("auth.session_ended");

    const efua = await world.person("efua", "GH₵ 10.00");
    expect((await call(efua, "GET", "/api/v1/auth/me")).status).toBe(200);
    await users.ban(world.db, { by: world.yaw.by(), userId: efua.id });
    const purchase = { productId: bundle.id, msisdn: "0541234567", pay: "wallet" };
    expect((await call(efua, "POST", "/api/v1/orders", purchase)).body.code).toBe("auth.session_ended");

    const gone = await world.person("gone");
    expect((await call(gone, "GET", "/api/v1/auth/me")).status).toBe(200);
    await users.remove(world.db, { by: world.yaw.by(), userId: gone.id });
    expect((await call(gone, "GET", "/api/v1/auth/me")).body.code).toBe("auth.session_ended");
  });

  async function sessionOf(userId: number, lifetime = "1 hour"): Promise<string> {
    const id = crypto.randomUUID();
    await world.db.insert(sessions).values({ id, userId, expiresAt: sql`now() + ${lifetime}::interval` });
    return id;
  }
});

describe("a request that a browser makes with its cookie", () => {
  let number = 1_000_000;
  const post = async (headers: Record<string, string>, cookie = true) => {
    const token = await client.tokenOf(ama);
    number += 1;
    const body = { productId: bundle.id, msisdn: `024${number}` };
    return call(null, "POST", "/api/v1/orders", body, {
      ...(cookie ? { cookie: `${SESSION_COOKIE}=${token}` } : { authorization: `Bearer ${token}` }),
      ...headers,
    });
  };

  test("is refused when it comes from another site's page", async () => {
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost.evil.example" },
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ] as Record<string, string>[]) {
      const reply = await post(headers);
      expect([headers, reply.status, reply.body.code]).toEqual([headers, 403, "request.foreign_origin"]);
    }
    const stored = await world.db.execute(sql`select 1 from orders where user_id = ${ama.id}`);
    expect(stored).toHaveLength(0);
  });

  test("is accepted from our own pages, and when no header names an origin", async () => {
    for (const headers of [{ origin: "http://localhost" }, { "sec-fetch-site": "same-origin" }, {}] as Record<
      string,
      string
    >[]) {
      expect((await post(headers)).status).toBe(201);
    }
  });

  test("is another matter than one with a bearer token, which is accepted whatever Origin it names", async () => {
    expect((await post({ origin: "https://partner.example" }, false)).status).toBe(201);
  });

  test("is answered for GET, which changes nothing", async () => {
    const cookie = `${SESSION_COOKIE}=${await client.tokenOf(ama)}`;
    const reply = await call(null, "GET", "/api/v1/wallet/balance", undefined, {
      cookie,
      origin: "https://evil.example",
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });
});
