// Tests without a database: a short "try again", never an internal error; and internal errors reveal no details.
import { afterAll, describe, expect, test } from "bun:test";
import { connect, disconnect } from "../../db/connect.ts";
import { routes } from "../../src/api/index.ts";
import { createApp } from "../../src/app/server.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { longTest } from "../support/long.ts";
import { createTestHooks, openApp, openWorld, TEST_CARDS, TEST_JWT_SECRET } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const client = openApp(world);
const ama = await world.person("ama", "GH₵ 10.00");
const token = await client.tokenOf(ama);

function appOn(url: string, isDraining = false) {
  const db = connect(url, { max: 2 });
  const app = createApp({
    vendors: [],
    db,
    gateway: createPaystack({ baseUrl: "http://127.0.0.1:1", secretKey: "sk_test_simulator" }),
    log: createLog("silent"),
    cards: TEST_CARDS,
    jwtSecret: TEST_JWT_SECRET,
    channels: { sms: true, email: true },
    baseUrl: "http://localhost",
    trustedProxies: [],
    socketAddressOf: () => "127.0.0.1",
    hookSender: createTestHooks(),
    isDraining: () => isDraining,
  });
  return { app, db };
}
/** A port without a listener, which was just free. */
function closedPort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  listener.stop(true);
  return listener.port;
}

describe("while the database cannot be reached", () => {
  const { app, db } = appOn(`postgres://app:secret-of-the-database@127.0.0.1:${closedPort()}/shop`);
  afterAll(() => disconnect(db));
  const ask = (method: string, path: string, body?: unknown) =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": "k",
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );

  longTest("every route says that it is briefly unavailable, and when to try again", async () => {
    const replies = await Promise.all(
      routes.map(async (route) => ({
        name: `${route.method} ${route.path}`,
        response: await ask(route.method, route.path.replace(":id", "1"), route.example),
      })),
    );
    for (const { name, response } of replies) {
      const text = await response.text();
      expect([name, response.status, JSON.parse(text).code]).toEqual([name, 503, "service.unavailable"]);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(text).not.toMatch(/secret|postgres|ECONN|stack/i);
    }
  });

  test("the process is alive, and not ready", async () => {
    expect((await ask("GET", "/healthz")).status).toBe(200);
    const ready = await ask("GET", "/readyz");
    expect(ready.status).toBe(503);
    expect(ready.headers.get("retry-after")).not.toBeNull();
  });
});

test("while draining, each answer is the last on its connection, which would be closed soon", async () => {
  for (const [isDraining, connection] of [
    [false, null],
    [true, "close"],
  ] as const) {
    const { app, db } = appOn(world.url, isDraining);
    const answer = await app.fetch(new Request("http://localhost/healthz"));
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, connection]);
    await disconnect(db);
  }
});

test("it is ready with its database and all migrations, and not while it drains", async () => {
  expect((await client.call(null, "GET", "/readyz")).status).toBe(200);
  const { app, db } = appOn(world.url, true);
  expect((await app.fetch(new Request("http://localhost/readyz"))).status).toBe(503);
  expect((await app.fetch(new Request("http://localhost/healthz"))).status).toBe(200);
  await disconnect(db);
});

test("an internal error gives a request id to ask about, and reveals nothing else", async () => {
  // A database without our tables causes an error that no request could cause.
  const empty = new URL(world.url);
  empty.pathname = "/postgres";
  const { app, db } = appOn(empty.href);
  const response = await app.fetch(
    new Request("http://localhost/api/v1/auth/me", { headers: { authorization: `Bearer ${token}` } }),
  );
  const body = (await response.json()) as { code: string; message: string; requestId: string };
  expect([response.status, body.code]).toEqual([500, "service.failed"]);
  expect(body.message).toBe(`Something went wrong on our side. Reference ${body.requestId}`);
  expect(response.headers.get("x-request-id")).toBe(body.requestId);
  expect(JSON.stringify(body)).not.toMatch(/relation|sessions|select|postgres|\.ts/i);
  await disconnect(db);
});

test("every answer forbids type sniffing and caching", async () => {
  const call = checkedCalls(client);
  for (const reply of [
    await call(ama, "GET", "/api/v1/auth/me"),
    await call(null, "GET", "/api/v1/auth/me"),
    await call(ama, "GET", "/api/v1/none"),
  ]) {
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
    expect(reply.headers.get("server")).toBeNull();
  }
});
