// The log of programs' requests, through the application: what gets into it, from where, and who reads it.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as apiKeys from "../../src/core/identity/api-keys.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as queries from "../../src/core/requests/queries.ts";
import { newKey } from "../../src/shared/api-keys.ts";
import { count, freshNumber } from "../support/asking.ts";
import { type MadeKey, makeKey } from "../support/keys.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person, testApp } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const call = checkedCalls(client);
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");
const kofi = await world.person("kofi");
const key = await makeKey(db, ama.by());
const kofisKey = await makeKey(db, kofi.by());

const by = ({ headers }: MadeKey, method: string, path: string, body?: unknown, more = {}) =>
  call(null, method, path, body, { ...headers, ...more });
const order = () => ({ productId: bundle.id, msisdn: freshNumber(), quantity: 1, pay: "wallet" });

/** The newest request of an account, with its bodies, once everything is written. */
async function newest({ id: userId }: Person): Promise<queries.WholeRequest> {
  await client.app.flush();
  const { rows } = await queries.list(db, { userId }, {}, { limit: 1 });
  return queries.get(db, { userId }, rows[0]!.id);
}
const logged = async ({ id }: Person) => {
  await client.app.flush();
  return count(db, sql`from api_requests where user_id = ${id}`);
};

describe("what gets into the log", () => {
  test("a purchase with its order, key, bodies and request id", async () => {
    const body = order();
    const reply = await by(key, "POST", "/api/v1/orders", body, { "idempotency-key": "sale-1" });
    const row = await newest(ama);
    expect(row).toMatchObject({
      ...{ userId: ama.id, keyId: key.id, method: "POST", route: "/api/v1/orders", path: "/api/v1/orders" },
      ...{ status: 201, code: null, requestId: reply.headers.get("x-request-id")!, orderId: reply.body.id },
      ...{ bulkOrderId: null, idempotencyKey: "sale-1", isReplayed: false, address: "127.0.0.1" },
    });
    expect(JSON.parse(row.requestBody!)).toEqual(body);
    expect(JSON.parse(row.answerBody!)).toEqual(reply.body);
    expect(Math.abs(Date.now() - row.at.getTime())).toBeLessThan(60_000);
  });

  test("a purchase's answer as it was given, whatever becomes of the order, without secrets", async () => {
    const body = { ...order(), reference: "INV-9", metadata: { till: "3", pin: "4711" } };
    const reply = await by(key, "POST", "/api/v1/orders", body);
    const row = await newest(ama);
    await statusChanges.moveOne(db, { by: yaw.by("admin"), key: null, orderId: reply.body.id, to: "FAILED" });
    await by(key, "POST", "/api/v1/orders", order());
    const { answerBody } = await queries.get(db, { userId: ama.id }, row.id);
    const metadata = { ...body.metadata, pin: "[removed]" };
    expect(JSON.parse(answerBody!)).toEqual({ ...reply.body, metadata });
    const { body: now } = await by(key, "GET", `/api/v1/orders/${reply.body.id}`);
    expect([now.status, now.refundedAt]).toEqual(["FAILED", expect.any(String)]);
  });

  test("a repetition with the same idempotency key, marked as one", async () => {
    const body = order();
    const headers = { "idempotency-key": "sale-2" };
    const first = await by(key, "POST", "/api/v1/orders", body, headers);
    await by(key, "POST", "/api/v1/orders", order());
    const again = await by(key, "POST", "/api/v1/orders", body, headers);
    const row = await newest(ama);
    expect(row).toMatchObject({ isReplayed: true, status: 201, orderId: first.body.id });
    expect(row.answerBody).toBe(JSON.stringify(again.body));
  });

  test("a bulk order with its id, cut", async () => {
    const orders = Array.from({ length: 20 }, order).map(({ pay: _, ...line }) => line);
    const reply = await by(key, "POST", "/api/v1/orders/bulk", { orders });
    const row = await newest(ama);
    expect(row).toMatchObject({ status: 201, orderId: null, bulkOrderId: reply.body.bulkOrderId });
    expect([row.requestBody!.length, row.answerBody!.endsWith("…")]).toEqual([JSON.stringify({ orders }).length, true]);
  });

  test("what was asked about one order, with its id, and the query of a list", async () => {
    const { body } = await by(key, "POST", "/api/v1/orders", order());
    await by(key, "GET", `/api/v1/orders/${body.id}`);
    expect(await newest(ama)).toMatchObject({
      route: "/api/v1/orders/:id",
      orderId: body.id,
      requestBody: null,
    });
    await by(key, "GET", `/api/v1/orders?search=${body.msisdn}&limit=1`);
    expect((await newest(ama)).path).toBe(`/api/v1/orders?search=${body.msisdn}&limit=1`);
  });

  test("a refusal with its code, what was sent and what was answered", async () => {
    const body = { ...order(), quantity: 0, pin: "4711" };
    const reply = await by(key, "POST", "/api/v1/orders", body);
    const row = await newest(ama);
    expect(row).toMatchObject({ status: reply.status, code: reply.body.code, route: "/api/v1/orders" });
    expect(JSON.parse(row.answerBody!)).toEqual(reply.body);
    expect(JSON.parse(row.requestBody!)).toEqual({ ...body, pin: "[removed]" });
  });

  test("a body that is no JSON is not kept, as nobody can say what is a secret in it", async () => {
    await by(key, "POST", "/api/v1/orders", '{"password":"hunter2"');
    expect(await newest(ama)).toMatchObject({ code: "request.malformed", requestBody: null });
  });

  test("an address that does not exist", async () => {
    await by(key, "GET", "/api/v1/ordres?limit=1");
    expect(await newest(ama)).toMatchObject({
      ...{ status: 404, code: "request.not_found", path: "/api/v1/ordres?limit=1", keyId: key.id },
    });
  });

  test("what a key without the scope, from elsewhere, or over its budget was refused", async () => {
    const narrow = await makeKey(db, ama.by(), { scopes: ["read"] });
    await by(narrow, "POST", "/api/v1/orders", order());
    expect(await newest(ama)).toMatchObject({
      status: 403,
      code: "key.scope_missing",
      keyId: narrow.id,
      orderId: null,
    });
    const elsewhere = await makeKey(db, ama.by(), { addresses: ["203.0.113.7"] });
    await by(elsewhere, "GET", "/api/v1/orders");
    expect(await newest(ama)).toMatchObject({ code: "key.address_refused", keyId: elsewhere.id });
  });

  test("what a revoked key was refused, in the log of the account that it belonged to", async () => {
    const lost = await makeKey(db, ama.by());
    await apiKeys.keeperOf(db, "live").revoke({ by: ama.by(), keyId: lost.id });
    const { status, body } = await by(lost, "POST", "/api/v1/orders", order());
    expect([status, body.code]).toEqual([401, "key.revoked"]);
    expect(await newest(ama)).toMatchObject({
      status,
      code: "key.revoked",
      keyId: lost.id,
      requestBody: null,
    });
  });

  test("the address that it came from, over a real socket, also of a refusal", async () => {
    const app = testApp(db, { socketAddressOf: (request) => server.requestIP(request)?.address ?? "" });
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
    for (const path of ["orders?limit=1", "nothing"]) {
      await (await fetch(`${server.url}api/v1/${path}`, { headers: key.headers })).text();
      await app.flush();
      expect(await newest(ama)).toMatchObject({ path: `/api/v1/${path}`, address: "127.0.0.1" });
    }
    await server.stop(true);
  });

  test("nothing of people, strangers, and keys of nobody", async () => {
    const before = await count(db, sql`from api_requests`);
    await call(ama, "GET", "/api/v1/orders");
    await client.browse(ama, "/orders");
    await call(null, "GET", "/api/v1/orders");
    await call(null, "GET", "/api/v1/orders", undefined, { authorization: `Bearer ${newKey("live")}` });
    await call(null, "GET", "/api/v1/nothing", undefined, { authorization: "Bearer dfk_live_nonsense" });
    await client.app.flush();
    expect(await count(db, sql`from api_requests`)).toBe(before);
  });

  test("no secret: passwords, PINs, codes, and the secret of a webhook that an answer shows once", async () => {
    const url = "https://reseller.example/in";
    // Longer than real ones, because short ones stand in times and ids by chance.
    const [pin, code] = [471_147_114_711, "815815815815"];
    const secrets = { a: [{ password: "hunter2" }, { x: { newPin: pin, otp: [code] } }], token: "t0ken" };
    await by(key, "POST", "/api/v1/webhooks", { url, ...secrets });
    await by(key, "POST", `/api/v1/orders?token=t0ken&pin=${pin}`, {
      ...order(),
      ...secrets,
      note: key.secret,
    });
    await client.app.flush();
    const rows = await db.execute<{ text: string }>(sql`select r::text as text from whole_api_requests r`);
    const all = rows.map(({ text }) => text).join("\n");
    for (const secret of ["hunter2", String(pin), code, "t0ken", key.secret.slice(0, 15)])
      expect(all).not.toContain(secret);
    expect(all).not.toMatch(/whsec_[A-Za-z0-9]/);
  });
});

describe("a request in the log", () => {
  longTest("is soon there for its owner, without anything more happening", async () => {
    const reply = await by(key, "GET", "/api/v1/wallet/balance");
    const requestId = reply.headers.get("x-request-id")!;
    const find = async () => (await call(ama, "GET", `/api/v1/requests?requestId=${requestId}`)).body as unknown[];
    while ((await find()).length === 0) await Bun.sleep(50);
  });

  test("holds up nothing: purchases succeed while the log cannot be written", async () => {
    const before = await logged(ama);
    await db.transaction(async (tx) => {
      await tx.execute(sql`lock table api_request_rows in access exclusive mode`);
      for (let n = 0; n < 3; n++) expect((await by(key, "POST", "/api/v1/orders", order())).status).toBe(201);
    });
    expect(await logged(ama)).toBe(before + 3);
  });
});

type ShownRequest = { method: string; orderId: number; replayed: boolean };

describe("reading the log by the API", () => {
  test("a person sees the requests of all keys of the account, and nobody else's", async () => {
    await by(kofisKey, "GET", "/api/v1/orders");
    const foreign = await newest(kofi);
    await by(key, "GET", "/api/v1/orders?limit=3");
    const own = await newest(ama);
    const { body } = await call(ama, "GET", "/api/v1/requests?limit=200");
    const ids = body.map(({ id }: { id: number }) => id);
    expect(ids[0]).toBe(own.id);
    expect(ids).not.toContain(foreign.id);
    const keys = new Set(body.map(({ keyId }: { keyId: number }) => keyId));
    expect([keys.size > 1, keys.has(kofisKey.id)]).toEqual([true, false]);
    const one = await call(ama, "GET", `/api/v1/requests/${own.id}`);
    expect(one.body).toMatchObject({ id: own.id, requestBody: null, answerBody: own.answerBody });
    expect((await call(ama, "GET", `/api/v1/requests/${foreign.id}`)).body.code).toBe("log.request_not_found");
  });

  test("a program sees the requests of its own key, if that has the scope to read", async () => {
    const reader = await makeKey(db, ama.by(), { scopes: ["read"] });
    await by(reader, "GET", "/api/v1/orders");
    const own = await newest(ama);
    const { body } = await by(reader, "GET", "/api/v1/requests");
    expect(body.map(({ id }: { id: number }) => id)).toEqual([own.id]);
    await by(key, "GET", "/api/v1/wallet/balance");
    const others = await newest(ama);
    expect((await by(reader, "GET", `/api/v1/requests/${others.id}`)).body.code).toBe("log.request_not_found");
    const buyer = await makeKey(db, ama.by(), { scopes: ["buy"] });
    expect((await by(buyer, "GET", "/api/v1/requests")).body.code).toBe("key.scope_missing");
  });

  test("the filters are those of the list; one that is misspelt is refused", async () => {
    const { body: bought } = await by(key, "POST", "/api/v1/orders", order());
    await by(key, "GET", "/api/v1/orders/999999");
    await client.app.flush();
    const find = async (query: string) => (await call(ama, "GET", `/api/v1/requests?${query}`)).body;
    expect(await find(`orderId=${bought.id}`)).toMatchObject([{ orderId: bought.id, status: 201 }]);
    expect((await find("status=4xx&limit=1"))[0]).toMatchObject({ code: "order.not_found", status: 404 });
    expect(await find("status=404&code=order.duplicate")).toEqual([]);
    expect(await find("to=2020-01-01")).toEqual([]);
    expect((await find("status=6xx")).code).toBe("request.invalid");
    expect((await find("statusCode=404")).code).toBe("request.invalid");
  });

  test("all about an order is found by its id: the purchase, its repetition, and what came later", async () => {
    const headers = { "idempotency-key": "sale-9" };
    const body = order();
    const { body: bought } = await by(key, "POST", "/api/v1/orders", body, headers);
    await by(key, "POST", "/api/v1/orders", order());
    await by(key, "POST", "/api/v1/orders", body, headers);
    await by(key, "GET", `/api/v1/orders/${bought.id}`);
    await client.app.flush();
    const about = await call(ama, "GET", `/api/v1/requests?orderId=${bought.id}`);
    const seen = about.body.map((row: ShownRequest) => [row.method, row.orderId, row.replayed]);
    expect(seen).toEqual([
      ["GET", bought.id, false],
      ["POST", bought.id, true],
      ["POST", bought.id, false],
    ]);
    const narrower = await call(ama, "GET", `/api/v1/requests?orderId=${bought.id}&method=POST&limit=1`);
    expect(narrower.body.map((row: ShownRequest) => row.replayed)).toEqual([true]);
    const { body: foreign } = await call(kofi, "GET", `/api/v1/requests?orderId=${bought.id}`);
    expect(foreign).toEqual([]);
  });

  test("a Link leads from page to page to the end", async () => {
    const all = (await call(ama, "GET", "/api/v1/requests?limit=200")).body.map(({ id }: { id: number }) => id);
    const seen: number[] = [];
    for (let path: string | undefined = "/api/v1/requests?limit=7"; path; ) {
      const reply = await call(ama, "GET", path);
      seen.push(...reply.body.map(({ id }: { id: number }) => id));
      path = /<([^>]+)>; rel="next"/.exec(reply.headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual(all);
  });
});
