// Tests of the TypeScript client against the shop: what breaks is bought once, lists are whole, messages are checked.
import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { DataFie, DataFieError } from "../../clients/typescript/src/index.ts";
import { openLine, serveApp } from "../support/serving.ts";
import { openApp, openWorld } from "../support/world.ts";

const world = await openWorld();
const client = openApp(world);
const ama = await world.person("ama", "GH₵ 500.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const shop = serveApp(client.app);
const line = await openLine(shop.url);
afterAll(() => Promise.all([line.stop(), shop.stop()]));
const key = await client.tokenOf(ama);

const datafie = (own: Partial<ConstructorParameters<typeof DataFie>[0]> = {}) =>
  new DataFie({ key, baseUrl: line.url, ...own });
let last = 1_000_000;
const order = () => ({ productId: bundle.id, msisdn: `024${++last}`, pay: "wallet" as const });
const countOrders = async () => {
  const [row] = await world.db.execute<{ count: number }>(sql`select count(*)::int as count from orders`);
  return row!.count;
};

/** Answers of a shop that has them in a list; what was sent is kept. */
function scripted(...answers: (Response | Error)[]) {
  const sent: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    sent.push({ url, init });
    const answer = answers.shift();
    if (!answer) throw new Error("nothing more was expected");
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const keys = () => sent.map(({ init }) => new Headers(init.headers).get("idempotency-key"));
  return { fetch, sent, keys };
}

const refusal = (status: number, code: string, retryable: boolean, headers: Record<string, string> = {}) =>
  Response.json({ code, message: code, retryable, requestId: "r1" }, { status, headers });

/** The error of a call. */
async function thrown(call: Promise<unknown>): Promise<DataFieError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof DataFieError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a purchase", () => {
  test("is the order, with the balance", async () => {
    const [found] = await datafie().get("/products", { query: { operator: "MTN" } });
    expect(found).toMatchObject({ id: bundle.id, price: 3.9 });
    const before = await world.balanceOf(ama);
    const placed = await datafie().post("/orders", { body: order() });
    expect(placed).toMatchObject({ status: "PENDING", paid: true, balance: (before - 390) / 100 });
    const read = await datafie().get("/orders/{id}", { params: { id: placed.id } });
    expect(read).toMatchObject({ id: placed.id, timeline: expect.any(Array) });
  });

  test("is made once when the answer is lost after the shop has done the work", async () => {
    const [orders, balance] = [await countOrders(), await world.balanceOf(ama)];
    const lost = line.lost();
    line.loseAnswers(2);
    const placed = await datafie().post("/orders", { body: order() });
    expect(line.lost() - lost).toBe(2);
    expect(placed).toMatchObject({ status: "PENDING", paid: true });
    expect(await countOrders()).toBe(orders + 1);
    expect(await world.balanceOf(ama)).toBe(balance - 390);
  });

  test("whose key is the number of a sale is made once, also by a program that was started again", async () => {
    const body = order();
    const options = { body, idempotencyKey: "invoice-7" };
    line.loseAnswers(1);
    const lost = await thrown(datafie({ attempts: 1 }).post("/orders", options));
    expect([lost.code, lost.status, lost.retryable]).toEqual(["client.no_answer", 0, true]);
    const orders = await countOrders();
    const placed = await datafie().post("/orders", options);
    expect(await datafie().post("/orders", options)).toEqual(placed);
    expect(await countOrders()).toBe(orders);
  });

  test("that is refused says why, to people and to programs", async () => {
    const body = { ...order(), amount: 3.8 };
    const error = await thrown(datafie().post("/orders", { body }));
    expect(error).toMatchObject({
      ...{ name: "DataFieError", code: "order.price_changed", status: 409, retryable: false },
      ...{ message: expect.any(String), requestId: expect.any(String) },
      details: { currentPrice: 3.9 },
    });
  });
});

describe("another attempt", () => {
  const quick = { waitMsMax: 30_000, key: "k", baseUrl: "https://shop.example" };

  test("has the same key, and another call has another", async () => {
    const { fetch, keys } = scripted(
      refusal(503, "service.busy", true, { "retry-after": "0" }),
      new Error("the connection broke"),
      Response.json({ id: 1 }),
      Response.json({ id: 2 }),
    );
    const shop = new DataFie({ ...quick, fetch });
    await shop.post("/orders", { body: order() });
    await shop.post("/orders", { body: order() });
    const [first, second, third, other] = keys();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
  });

  test("waits as long as Retry-After says, and not at all where that is longer than the program waits", async () => {
    const { fetch, sent } = scripted(
      refusal(429, "request.rate_limited", true, { "retry-after": "1" }),
      Response.json([]),
      refusal(409, "product.paused", true, { "retry-after": "3600" }),
    );
    const shop = new DataFie({ ...quick, fetch });
    const startedAt = performance.now();
    await shop.get("/operators");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
    const error = await thrown(shop.post("/orders", { body: order() }));
    expect([error.code, error.retryAfterMs, sent.length]).toEqual(["product.paused", 3_600_000, 3]);
  });

  test("is not made for a refusal that it would not change", async () => {
    const { fetch, sent } = scripted(refusal(422, "request.invalid", false));
    await thrown(new DataFie({ ...quick, fetch }).post("/orders", { body: order() }));
    expect(sent).toHaveLength(1);
  });

  test("is not made without a key where the first may have been done", async () => {
    const outcomes = [
      () => new Error("the connection broke"),
      () => refusal(503, "service.unavailable", true),
      () => new Response("<html>Bad gateway</html>", { status: 502 }),
    ];
    const anHour = { body: { minutes: 60 } };
    for (const outcome of outcomes) {
      const { fetch, sent, keys } = scripted(outcome());
      const error = await thrown(new DataFie({ ...quick, fetch }).post("/sandbox/clock", anHour));
      expect([error.retryable, sent.length, ...keys()]).toEqual([true, 1, null]);
    }
    // Nothing was done: the shop says so.
    const { fetch, sent } = scripted(
      refusal(503, "service.busy", true, { "retry-after": "0" }),
      Response.json({ ok: true }),
    );
    await new DataFie({ ...quick, fetch }).post("/sandbox/clock", anHour);
    expect(sent.map(({ url }) => url)).toEqual(Array(2).fill("https://shop.example/api/v1/sandbox/clock"));
  });

  test("ends with the attempts, and with the caller's patience", async () => {
    const broken = () => new Error("the connection broke");
    const { fetch, sent } = scripted(broken(), broken(), broken());
    const error = await thrown(new DataFie({ ...quick, attempts: 2, fetch }).get("/operators"));
    expect([error.code, (error.cause as Error).message]).toEqual(["client.no_answer", "the connection broke"]);
    expect(sent).toHaveLength(2);
    const stop = new AbortController();
    const waiting = new DataFie({
      ...quick,
      fetch: async () => refusal(429, "request.rate_limited", true, { "retry-after": "20" }),
    }).get("/operators", { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  test("follows a time that is up", async () => {
    const never = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));
    const error = await thrown(new DataFie({ ...quick, attempts: 1, timeoutMs: 20, fetch: never }).get("/operators"));
    expect([error.code, (error.cause as Error).name]).toEqual(["client.no_answer", "TimeoutError"]);
  });
});

describe("lists", () => {
  test("are read to the end, also over a line that breaks", async () => {
    const ids = await world.db.execute<{ id: number }>(
      sql`select id::int from orders where user_id = ${ama.id} order by id desc`,
    );
    expect(ids.length).toBeGreaterThanOrEqual(3);
    line.loseAnswers(1);
    const pages: number[] = [];
    for await (const page of datafie().pages("/orders", { query: { limit: 2 } })) pages.push(page.length);
    expect(pages.slice(0, -1).every((length) => length === 2)).toBe(true);
    const seen: number[] = [];
    for await (const { id } of datafie().each("/orders", { query: { limit: 2 } })) seen.push(id);
    expect(seen).toEqual(ids.map(({ id }) => id));
  });

  test("lead to no other server, which would be given the key", async () => {
    const { fetch, sent } = scripted(
      Response.json([{ id: 2 }], { headers: { link: '<https://evil.example/x?cursor=2>; rel="next"' } }),
      Response.json([]),
    );
    const shop = new DataFie({ key: "k", baseUrl: "https://shop.example/", fetch });
    for await (const page of shop.pages("/orders")) expect(page.length).toBeLessThan(2);
    expect(sent.map(({ url }) => url)).toEqual([
      "https://shop.example/api/v1/orders",
      "https://shop.example/x?cursor=2",
    ]);
  });
});

test("an answer of something else than the shop is none of the shop, and the key follows no redirect", async () => {
  const { fetch, sent } = scripted(new Response(null, { status: 301, headers: { location: "https://evil.example/" } }));
  const error = await thrown(new DataFie({ key: "k", baseUrl: "https://shop.example", fetch }).get("/operators"));
  expect([error.code, sent.length, sent[0]!.init.redirect]).toEqual(["client.not_the_shop", 1, "manual"]);
});

test("a call without what its path needs says so", async () => {
  const get = datafie().get as (path: string, input?: object) => Promise<unknown>;
  for (const input of [undefined, {}, { path: { id: 7 } }, { params: {} }])
    expect(get.call(datafie(), "/orders/{id}", input)).rejects.toThrow("/orders/{id} needs { params: { id } }");
});

test("what is put into a path stays one part of it", async () => {
  const { fetch, sent } = scripted(Response.json({}));
  const params = { id: "7/cancel?x=1" };
  await new DataFie({ key: "k", baseUrl: "https://shop.example", fetch }).get("/orders/{id}", { params });
  expect(sent[0]!.url).toBe("https://shop.example/api/v1/orders/7%2Fcancel%3Fx%3D1");
});
