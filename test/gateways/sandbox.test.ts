// Tests of the client of the sandbox: what it passes on and what not, and that a sandbox which hangs or is gone holds
// nothing up for long.
import { afterAll, expect, test } from "bun:test";
import { FORWARDED_HEADER, type ForwardedRequest } from "../../src/core/sandbox/client.ts";
import { originOf, ownerOf, passKeysOf } from "../../src/core/sandbox/passes.ts";
import { createSandbox } from "../../src/gateways/sandbox.ts";
import type { AppError } from "../../src/shared/errors/app-error.ts";
import { longTest } from "../support/long.ts";
import { TEST_JWT_SECRET } from "../support/world.ts";

const keys = passKeysOf(TEST_JWT_SECRET);
type Handler = (request: Request) => Response | Promise<Response>;
let handle: Handler = () => new Response();
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => handle(request) });
afterAll(() => server.stop(true));
const addressOf = async () => `http://127.0.0.1:${server.port}`;
const client = createSandbox({ addressOf, keys });

const request = (own: Partial<ForwardedRequest> = {}): ForwardedRequest => ({
  ...{ method: "GET", path: "/api/v1/orders?limit=2", headers: new Headers(), readBody: async () => null },
  ...{ address: "203.0.113.7", requestId: "7f3k2m9q" },
  ...own,
});
const ONE = { max: 1, byNetworkMax: 1 };
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    ({ code, message }: AppError) => `${code}: ${message}`,
  );
/** A handler that answers once it may, and the count of requests that came to it. */
function waiting() {
  const may = Promise.withResolvers<void>();
  const seen = { count: 0, answer: () => may.resolve() };
  handle = async () => {
    seen.count += 1;
    await may.promise;
    return new Response("{}");
  };
  return seen;
}
/** A handler that never answers, and the count of requests that came to it. */
function hanging() {
  const seen = { count: 0 };
  handle = () => {
    seen.count += 1;
    return new Promise<Response>(() => {});
  };
  return seen;
}

test("a request arrives as it came, with its key, and a stamp that says from where", async () => {
  const seen: Request[] = [];
  const bodies: string[] = [];
  handle = async (got) => {
    seen.push(got);
    bodies.push(await got.text());
    return Response.json({ id: 1 }, { status: 201, headers: { "idempotency-replayed": "true", "x-request-id": "7f" } });
  };
  const headers = new Headers({
    ...{ authorization: "Bearer dfk_test_x", "content-type": "application/json", "idempotency-key": "k1" },
    ...{
      cookie: "session=secret",
      "x-confirm": "123456",
      "x-forwarded-for": "198.51.100.1",
      host: "shop.example",
    },
    ...{ connection: "keep-alive, x-secret-hop", "x-secret-hop": "1", te: "trailers" },
    [FORWARDED_HEADER]: "forged",
  });
  const readBody = async () => new TextEncoder().encode('{"a":1}');
  const answer = await client.forward(request({ method: "POST", headers, readBody }));
  expect([answer.status, await answer.json()]).toEqual([201, { id: 1 }]);
  expect(answer.headers.get("idempotency-replayed")).toBe("true");
  const got = seen[0]!;
  expect([got.method, new URL(got.url).pathname + new URL(got.url).search, bodies[0]]).toEqual([
    "POST",
    "/api/v1/orders?limit=2",
    '{"a":1}',
  ]);
  expect(got.headers.get("authorization")).toBe("Bearer dfk_test_x");
  expect(got.headers.get("idempotency-key")).toBe("k1");
  for (const name of ["cookie", "x-confirm", "x-forwarded-for", "x-secret-hop", "te"])
    expect([name, got.headers.get(name)]).toEqual([name, null]);
  expect(originOf(keys, got.headers.get(FORWARDED_HEADER)!)).toEqual({
    ...{ address: "203.0.113.7", requestId: "7f3k2m9q" },
  });
});

test("what concerns a connection or the live shop's browsers does not come back", async () => {
  handle = () =>
    new Response("{}", {
      headers: {
        "set-cookie": "a=b",
        "strict-transport-security": "max-age=1",
        "keep-alive": "timeout=5",
        link: "<x>",
      },
    });
  const { headers } = await client.forward(request());
  expect(["set-cookie", "strict-transport-security", "keep-alive", "link"].map((name) => headers.get(name))).toEqual([
    ...[null, null, null],
    "<x>",
  ]);
});

test("a redirect is passed on, not followed", async () => {
  handle = () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } });
  const answer = await client.forward(request());
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "http://169.254.169.254/"]);
});

test("an answer streams: its first part arrives before its end", async () => {
  const more = Promise.withResolvers<void>();
  handle = () =>
    new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue("first");
          await more.promise;
          controller.enqueue("last");
          controller.close();
        },
      }),
    );
  const { body } = await client.forward(request());
  const reader = body!.getReader();
  const text = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await text()).toBe("first");
  more.resolve();
  expect(await text()).toBe("last");
  expect((await reader.read()).done).toBe(true);
});

test("a sandbox that is gone is unavailable, and the message says that it is the sandbox", async () => {
  const gone = createSandbox({ addressOf: async () => "http://127.0.0.1:1", keys });
  expect(await codeOf(gone.forward(request()))).toStartWith("service.unavailable: The sandbox does not answer");
  const dead = createSandbox({ addressOf: () => Promise.reject(new Error("does not start")), keys });
  expect(await codeOf(dead.forward(request()))).toStartWith("service.unavailable: The sandbox does not answer");
});

test("one that hangs is given up in time, also while it starts", async () => {
  hanging();
  const patient = { keys, answerMs: 100 };
  const starting = createSandbox({ ...patient, addressOf: () => new Promise(() => {}) });
  const answers = await Promise.all([
    codeOf(createSandbox({ ...patient, addressOf }).forward(request())),
    codeOf(starting.forward(request())),
    codeOf(starting.call({ userId: 1, username: "ama" }, { method: "GET", path: "/api/v1/keys" })),
  ]);
  for (const answer of answers) expect(answer).toStartWith("service.unavailable: The sandbox does not answer");
});

test("only so many requests wait for it, and only so many of one network; others are refused at once", async () => {
  const seen = waiting();
  const places = { small: { max: 3, byNetworkMax: 2 } };
  const small = createSandbox({ addressOf, keys, ...places });
  const from = (address: string) => codeOf(small.forward(request({ address })).then((answer) => answer.text()));
  const placed = [from("203.0.113.1"), from("203.0.113.1")];
  expect(await from("203.0.113.1")).toStartWith("request.rate_limited: Too many requests wait for the sandbox");
  placed.push(from("198.51.100.2"));
  expect(await from("192.0.2.3")).toStartWith("request.rate_limited: Too many requests wait for the sandbox");
  seen.answer();
  expect(await Promise.all(placed)).toEqual(Array(3).fill("answered"));
  expect(seen.count).toBe(3);
  // Their places are free again.
  expect(await from("203.0.113.1")).toBe("answered");
});

test("all addresses of one home line are one network", async () => {
  const seen = waiting();
  const places = { small: { max: 3, byNetworkMax: 1 } };
  const small = createSandbox({ addressOf, keys, ...places });
  const from = (address: string) => codeOf(small.forward(request({ address })).then((answer) => answer.text()));
  const first = from("2001:db8:0:1::1");
  expect(await from("2001:db8:0:1:ffff::2")).toStartWith("request.rate_limited");
  seen.answer();
  expect(await first).toBe("answered");
});

const trickling = (body: Promise<Uint8Array>) => ({
  ...{ method: "POST", headers: new Headers({ "transfer-encoding": "chunked" }) },
  readBody: () => body,
});

longTest("the time of the sandbox begins when a body is whole: one that trickles is its sender's fault", async () => {
  handle = () => new Response("{}");
  const answerMs = 1_000;
  const client = createSandbox({ addressOf, keys, answerMs });
  const body = Promise.withResolvers<Uint8Array>();
  setTimeout(() => body.resolve(new Uint8Array()), answerMs + 50);
  expect((await client.forward(request(trickling(body.promise)))).status).toBe(200);
});

test("long bodies take none of the places of short ones", async () => {
  handle = () => new Response("{}");
  const client = createSandbox({ addressOf, keys, long: { max: 1, byNetworkMax: 1 } });
  const body = Promise.withResolvers<Uint8Array>();
  const long = trickling(body.promise);
  const slow = client.forward(request(long));
  expect(await codeOf(client.forward(request(long)))).toStartWith("request.rate_limited");
  expect(await codeOf(client.forward(request()))).toBe("answered");
  body.resolve(new Uint8Array());
  expect((await slow).status).toBe(200);
});

longTest("a place is free when an answer has been read, was left, broke off, or took too long", async () => {
  const one = createSandbox({ addressOf, keys, small: ONE, wholeMs: 2_000 });
  const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue("x".repeat(100)) });
  handle = () => new Response("{}");
  await (await one.forward(request())).text();
  handle = () => new Response(endless());
  await (await one.forward(request())).body!.cancel();
  handle = () => new Response(new ReadableStream({ start: (controller) => controller.enqueue("x") }));
  // It never ends; at its time it is broken off.
  const slow = await one.forward(request());
  expect(await codeOf(slow.text())).not.toBe("answered");
  handle = () => new Response("{}");
  expect((await one.forward(request())).status).toBe(200);
});

test("a body that is refused is not sent, and frees its place", async () => {
  const seen = hanging();
  const one = createSandbox({ addressOf, keys, small: ONE });
  const readBody = () => Promise.reject(new Error("too large"));
  expect(await codeOf(one.forward(request({ readBody })))).toContain("too large");
  expect(seen.count).toBe(0);
  handle = () => new Response("{}");
  expect(await codeOf(one.forward(request()))).toBe("answered");
});

test("an owner's call carries a pass of theirs, and what it is refused with is thrown", async () => {
  const passes: unknown[] = [];
  handle = (got) => {
    passes.push(ownerOf(keys, got.headers.get("authorization")!.slice("Bearer ".length)));
    return got.method === "GET"
      ? Response.json([{ id: 1 }])
      : Response.json({ code: "user.not_found", message: "Nobody", details: { limit: "x" } }, { status: 404 });
  };
  const owner = { userId: 12, username: "ama" };
  expect(await client.call<unknown>(owner, { method: "GET", path: "/api/v1/keys" })).toEqual([{ id: 1 }]);
  const refused = client.call(owner, { method: "POST", path: "/api/v1/keys", body: {} });
  expect(await codeOf(refused)).toBe("user.not_found: Nobody");
  expect(passes).toEqual([owner, owner]);
});
