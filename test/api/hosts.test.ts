// Tests of the names that the shop answers to, of the one path that its parts read from an address, and of methods.
import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { hostGuard } from "../../src/http/hosts.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { longTest } from "../support/long.ts";
import { freePort, startShop } from "../support/shop.ts";
import { openWorld } from "../support/world.ts";

const world = await openWorld();
const open = await startShop(world.url);
const port = freePort();
const named = await startShop(world.url, {
  ...{ PORT: port, BASE_URL: "http://shop.example", HOSTS: "www.shop.example, x" },
});
/** The greeting has its public address. */
const namedUrl = `http://127.0.0.1:${port}`;
afterAll(() => Promise.all([open.stop(), named.stop()]));

/** The status of a request, written by hand: a client would send no such host. */
function statusOf(url: string, host: string | null, path: string, method = "GET"): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
    socket.write(`${method} ${path} HTTP/1.1\r\n${host === null ? "" : `Host: ${host}\r\n`}Connection: close\r\n\r\n`),
  );
  let answer = "";
  socket.on("data", (data) => (answer += data));
  socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)));
  return promise;
}

const HOSTS = ["x", "xy", "web", "shop", "shop.example", "x:80", "127.0.0.1", "[::1]:3000"];

longTest.each(HOSTS)("the router and everything else read one path, whatever the host is: %s", async (host) => {
  const status = (path: string, method?: string) => statusOf(open.url, host, path, method);
  expect(await Promise.all([status("/healthz"), status("/api/v1/products"), status("/zzz/healthz")])).toEqual([
    200, 401, 303,
  ]);
  expect(await Promise.all([status("/zzz/api/v1/products"), status("/zzz/metrics"), status("//metrics")])).toEqual([
    303, 303, 303,
  ]);
  // Of no type that it takes: it was found.
  expect(await status("/api/v1/auth/login", "POST")).toBe(415);
});

test.each([null, "", "a b", "x/metrics?", "x#", "a@b", "x\\metrics", "-", `${"a".repeat(300)}.example`])(
  "a host that is no name is refused: %j",
  async (host) => {
    expect(await statusOf(open.url, host, "/healthz")).toBe(400);
    expect(await statusOf(namedUrl, host, "/metrics")).toBe(400);
  },
);

describe("a shop with an address", () => {
  test.each(["shop.example", "SHOP.example:443", "www.shop.example", "x", "localhost"])(
    "answers to its own names: %s",
    async (host) => expect(await statusOf(namedUrl, host, "/api/v1/products")).toBe(401),
  );

  test.each(["evil.example", "shop.example.evil.example", "xshop.example", "203.0.113.7", "y"])(
    "answers to no other: %s",
    async (host) => {
      for (const path of ["/", "/login", "/api/v1/products", "/zzz/metrics", "/channels/hubtel/x/ussd"])
        expect([path, await statusOf(namedUrl, host, path)]).toEqual([path, 421]);
    },
  );

  test("says where it answers, and how to add a name", async () => {
    const request = new Request("http://other.example/login", { headers: { host: "other.example" } });
    const answer = hostGuard("https://shop.example", [])(request)!;
    expect(await answer.text()).toBe(
      "This shop answers at https://shop.example. If this is its server, its owner can add other.example to the " +
        "setting HOSTS.\n",
    );
  });

  test("answers probes by any name", async () => {
    for (const host of ["10.0.0.7:3000", "shop", "one"])
      expect(await Promise.all([statusOf(namedUrl, host, "/healthz"), statusOf(namedUrl, host, "/readyz")])).toEqual([
        200, 200,
      ]);
  });
});

const haproxy = Bun.which("haproxy", { PATH: `${process.env.PATH}:/usr/sbin` });

test.skipIf(haproxy === null)("what the proxy keeps to itself is not reached by a short host", async () => {
  const behind = freePort();
  const server = `127.0.0.1:${new URL(open.url).port}`;
  const proxy = Bun.spawn([haproxy!, "-db", "-f", join(import.meta.dir, "../../deploy/haproxy.cfg")], {
    env: { SHOP_BIND: `127.0.0.1:${behind}`, SERVER_ONE: server, SERVER_TWO: server, SERVER_THREE: server },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const url = `http://127.0.0.1:${behind}`;
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) await Bun.sleep(50);
  for (const host of ["x", "xy", "web"])
    expect([
      host,
      await statusOf(url, host, "/metrics"),
      await statusOf(url, host, "/zzz/metrics"),
      await statusOf(url, host, "/api/v1/products"),
    ]).toEqual([host, 404, 303, 401]);
  proxy.kill();
  await proxy.exited;
});

describe("a method with which nothing happens", () => {
  const ask = (path: string, method: string) => fetch(open.url + path, { method, redirect: "manual" });

  test.each([
    ["/api/v1/orders", "GET, HEAD, POST", ["PUT", "PATCH", "DELETE", "OPTIONS"]],
    ["/api/v1/orders/12", "GET, HEAD", ["PUT", "POST", "OPTIONS"]],
    ["/openapi.json", "GET, HEAD", ["POST"]],
    ["/login", "GET, HEAD, POST", ["PUT", "OPTIONS"]],
  ])("at %s is refused with those that work", async (path, allowed, methods) => {
    for (const method of methods) {
      const answer = await ask(path, method);
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, allowed]);
      if (path.startsWith("/api/")) expect((await answer.json()).code).toBe("request.method");
    }
  });

  test("at no address stays not found", async () => {
    expect((await ask("/api/v1/nothing", "PUT")).status).toBe(404);
    expect((await ask("/api/v1/orders/1/2/3/4", "PUT")).status).toBe(404);
  });
});

test("where people look for the guide leads there", async () => {
  for (const path of ["/docs", "/api", "/api-docs", "/developer"]) {
    const answer = await fetch(open.url + path, { redirect: "manual" });
    expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 308, "/developers"]);
  }
});

describe("an address that is too long", () => {
  const statusOf = async (path: string) => {
    const cookie = `${SESSION_COOKIE}=${"x".repeat(300)}`;
    const answer = await fetch(open.url + path, { headers: { cookie }, redirect: "manual" });
    return { status: answer.status, text: await answer.text() };
  };

  longTest.each(["/orders?q=", "/login?next=/", "/nothing/", "/api/v1/orders?q=", "/r/"])(
    "at %s gets its answer",
    async (path) => {
      // The server's own bound is 16 kB for all headers together.
      for (const [chars, status] of [
        [7_900, null],
        [8_200, 414],
        [15_000, 414],
        [70_000, 431],
      ] as const)
        for (const part of ["a", "/a", "%F0"]) {
          const { status: answered } = await statusOf(path + part.repeat((chars - path.length) / part.length));
          if (status === null) expect(answered).toBeLessThan(414);
          else expect([path, chars, part, answered]).toEqual([path, chars, part, status]);
        }
    },
  );

  test("says what to do", async () => {
    expect((await statusOf(`/api/v1/orders?q=${"a".repeat(9_000)}`)).text).toContain("request.address_long");
    expect((await statusOf(`/orders?q=${"a".repeat(9_000)}`)).text).toContain("Leave out parameters");
  });
});
