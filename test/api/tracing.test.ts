// Tests of tracing: spans nested within a request, without any secrets.
import { afterAll, expect, test } from "bun:test";
import "../support/patience.ts";
import { startCollector } from "../../dev/simulators/collector.ts";
import { startShop } from "../support/shop.ts";
import { openApp, openWorld } from "../support/world.ts";

const world = await openWorld();
const ama = await world.person("ama", "GH₵ 20.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const collector = startCollector();
afterAll(() => collector.stop());

test("a purchase is one trace of request, purchase and statement, with provider calls, without secrets", async () => {
  const shop = await startShop(world.url, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    WORKER_POLL_SECONDS: "60",
  });
  const token = await openApp(world).tokenOf(ama);
  const post = (path: string, body: object) =>
    fetch(`${shop.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "idempotency-key": "key-of-ama-1",
      },
      body: JSON.stringify(body),
    });
  const bought = await post("/api/v1/orders", {
    productId: bundle.id,
    msisdn: "0541234567",
    quantity: 1,
    pay: "wallet",
  });
  expect(bought.status).toBe(201);
  await post("/api/v1/auth/login", { email: ama.email, password: "not ama's password" });
  expect(await shop.stop()).toBe(0);

  const spans = collector.spans();
  const request = spans.find(({ name }) => name === "POST /api/v1/orders")!;
  expect(request.attributes).toMatchObject({
    "http.request.method": "POST",
    "http.route": "/api/v1/orders",
    "http.response.status_code": "201",
    "datafie.request_id": bought.headers.get("x-request-id")!,
  });
  const within = (parent: { spanId: string }) => spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
  const [purchase] = within(request);
  expect(purchase).toMatchObject({ name: "purchase", attributes: { outcome: "placed", channel: "api" } });
  expect(within(purchase!)).toMatchObject([{ name: "purchase statement", traceId: request.traceId }]);
  expect(spans.map(({ name }) => name)).toContain("POST /api/v1/auth/login");
  // The worker checks the vendor's balance at once, and the vendor does not answer here.
  expect(spans.find(({ name }) => name.startsWith("hubnet "))?.attributes).toMatchObject({
    outcome: "unclear",
  });
  for (const secret of ["541234567", token, "key-of-ama-1", ama.email, "not ama's", "select ", "insert "])
    expect(collector.raw()).not.toContain(secret);
});

test("an unreachable collector delays nothing", async () => {
  const shop = await startShop(world.url, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
  expect((await fetch(`${shop.url}/healthz`)).status).toBe(200);
  expect(await shop.stop()).toBe(0);
});
