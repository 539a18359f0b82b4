// Tests of /metrics: restricted access, correct figures, no personal data.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { instrumentedGateway, instrumentedPush } from "../../src/telemetry/instrumented-providers.ts";
import { createLog } from "../../src/telemetry/log.ts";
import type { MetricsAccess } from "../../src/telemetry/metrics-endpoint.ts";
import { haveAnswered } from "../support/webhook.ts";
import { openApp, openWorld, testApp } from "../support/world.ts";

const world = await openWorld();
const { call, browse } = openApp(world);
const ama = await world.person("ama", "GH₵ 5.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const TOKEN = "a-word-for-those-who-watch";
const gateway = instrumentedGateway(createPaystack({ baseUrl: "http://127.0.0.1:1", secretKey: "sk_test_simulator" }));

/** Another process of the same shop, without cached values of the database. */
function metricsReader(metricsAccess: MetricsAccess, address = "127.0.0.1") {
  const app = testApp(world.db, {
    gateway,
    log: createLog("silent"),
    baseUrl: null,
    socketAddressOf: () => address,
    metricsAccess,
  });
  return (headers: Record<string, string> = {}) => app.fetch(new Request("http://localhost/metrics", { headers }));
}

async function read(): Promise<string> {
  return (await metricsReader("loopback")()).text();
}

/** The value of a line such as `datafie_purchases_total{channel="api",…}`; 0 if it is absent. */
function figureIn(text: string, name: string, labels: Record<string, string> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text
    .split("\n")
    .find((one) => new RegExp(`^${name}[{ ]`).test(one) && wanted.every((label) => one.includes(label)));
  return Number(line?.split(" ").at(-1) ?? 0);
}

describe("the metrics can be read", () => {
  test("only with the token, from anywhere", async () => {
    const ask = metricsReader({ token: TOKEN });
    expect((await ask({ authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    for (const authorization of ["", "Bearer", "Bearer wrong", `Basic ${TOKEN}`, `Bearer ${TOKEN}x`])
      expect((await ask({ authorization })).status).toBe(404);
  });

  test("in development from the same computer, but not through a proxy on it", async () => {
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
      expect((await metricsReader("loopback", address)()).status).toBe(200);
    for (const address of ["10.0.0.7", "41.66.1.2", ""])
      expect((await metricsReader("loopback", address)()).status).toBe(404);
    for (const header of ["x-forwarded-for", "forwarded", "x-real-ip", "via"])
      expect((await metricsReader("loopback")({ [header]: "41.66.1.2" })).status).toBe(404);
  });

  test("by nobody, not even admins, where access is not configured", async () => {
    expect((await metricsReader("nobody")()).status).toBe(404);
    expect((await call(world.yaw, "GET", "/metrics")).status).toBe(404);
  });
});

test("purchases and refusals are counted by their outcome", async () => {
  const before = await read();
  const order = { productId: bundle.id, msisdn: "0541234567", quantity: 1, pay: "wallet" };
  await call(ama, "POST", "/api/v1/orders", order);
  await call(ama, "POST", "/api/v1/orders", { ...order, allowDuplicate: true });
  const after = await read();
  const grown = (name: string, labels: Record<string, string>) =>
    figureIn(after, name, labels) - figureIn(before, name, labels);
  const [code, channel] = ["wallet.insufficient_balance", "api"];
  expect(grown("datafie_purchases_total", { channel, outcome: "placed" })).toBe(1);
  expect(grown("datafie_purchases_total", { channel, outcome: code })).toBe(1);
  expect(grown("datafie_refusals_total", { door: "api", code })).toBe(1);
  expect(grown("datafie_requests_total", { route: "/api/v1/orders", status: "201" })).toBe(1);
});

test("a call to a provider that does not answer is counted as unclear", async () => {
  const labels = { provider: "paystack", call: "verify", outcome: "unclear" };
  const before = figureIn(await read(), "datafie_outside_call_seconds_count", labels);
  await gateway.verify("nobody answers");
  expect(figureIn(await read(), "datafie_outside_call_seconds_count", labels)).toBe(before + 1);
});

test("so is a call to the push service of a browser, whose address is in no label", async () => {
  const browser = { endpoint: "https://push.example.invalid/secret-of-a-browser", p256dh: "", auth: "" };
  const push = instrumentedPush({
    publicKey: "B",
    problemOf: async () => null,
    send: async () => ({ kind: "gone" }),
  });
  const labels = { provider: "push", call: "send", outcome: "gone" };
  const before = figureIn(await read(), "datafie_outside_call_seconds_count", labels);
  const content = { title: "DataFie", body: "1 GB", path: "/orders", tag: "1" };
  expect(await push.send(browser, content)).toEqual({ kind: "gone" });
  const text = await read();
  expect(figureIn(text, "datafie_outside_call_seconds_count", labels)).toBe(before + 1);
  expect(text).not.toContain("secret-of-a-browser");
});

test("the figures of the queue, the orders and the wallets are those of the database", async () => {
  await world.db.execute(
    sql`insert into jobs (kind, subject_id, run_at) values ('test', 1, now() - interval '90 seconds')`,
  );
  const text = await read();
  expect(figureIn(text, "datafie_jobs", { kind: "test", state: "due" })).toBe(1);
  expect(figureIn(text, "datafie_jobs_oldest_due_seconds", { kind: "test" })).toBeGreaterThanOrEqual(90);
  expect(figureIn(text, "datafie_orders", { status: "PENDING" })).toBe(1);
  expect(figureIn(text, "datafie_database_up")).toBe(1);
  expect(figureIn(text, "datafie_ledger_drift_wallets")).toBe(0);
  await world.db.execute(sql`delete from jobs where kind = 'test'`);
});

test("a wallet that disagrees with its transfers shows in the metrics", async () => {
  const change = (pesewas: number) =>
    world.db.execute(sql`update wallets set balance_pesewas = balance_pesewas + ${pesewas} where user_id = ${ama.id}`);
  await change(1);
  expect(figureIn(await read(), "datafie_ledger_drift_wallets")).toBe(1);
  await change(-1);
});

test("the database is queried once, however often the metrics are read within seconds", async () => {
  const ask = metricsReader("loopback");
  await ask();
  await world.db.execute(sql`insert into jobs (kind, subject_id) values ('test', 1)`);
  expect(figureIn(await (await ask()).text(), "datafie_jobs", { kind: "test" })).toBe(0);
  await world.db.execute(sql`delete from jobs where kind = 'test'`);
});

test("no label has an address, number or name: routes are patterns, undeclared ones share a label", async () => {
  await call(ama, "GET", "/api/v1/orders/4711");
  await call(ama, "GET", "/api/v1/nothing/233541234567");
  await browse(ama, "/orders/4711?q=0541234567");
  await browse(ama, "/ama@example.com");
  await browse(ama, "/built/0541234567.js");
  const text = await read();
  // Measurements may have any digits.
  const labels = [...text.matchAll(/\{[^}]*\}/g)].join("\n");
  expect(labels).not.toBe("");
  expect(labels).not.toMatch(/4711|541234567|ama/);
  expect(text).toContain('route="/api/v1/orders/:id"');
  expect(text).toContain('route="/orders/:id"');
  expect(figureIn(text, "datafie_requests_total", { route: "unknown", status: "404" })).toBeGreaterThan(0);
});

test("the figures of webhooks and their waiting messages are those of the database", async () => {
  const { id } = (await call(ama, "POST", "/api/v1/webhooks", { url: "http://hook.example/" })).body;
  expect(figureIn(await read(), "datafie_webhooks", { state: "unproven" })).toBe(1);
  await haveAnswered(world.db, id);
  await call(ama, "POST", `/api/v1/webhooks/${id}/test`);
  const on = await read();
  expect(figureIn(on, "datafie_webhooks", { state: "on" })).toBe(1);
  expect(figureIn(on, "datafie_webhook_messages", { state: "due" })).toBe(1);
  await call(ama, "PATCH", `/api/v1/webhooks/${id}`, { enabled: false });
  const off = await read();
  expect(figureIn(off, "datafie_webhooks", { state: "owner" })).toBe(1);
  expect(figureIn(off, "datafie_webhook_messages", { state: "due" })).toBe(0);
});
