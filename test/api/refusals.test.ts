// Tests of error answers: our own messages for each field, and the details needed to continue.
import { expect, test } from "bun:test";
import { routes } from "../../src/api/index.ts";
import { freshNumber } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { pauseProduct } from "../support/pausing.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const call = checkedCalls(openApp(world));
const { yaw } = world;
const ama = await world.person("ama", "GH₵ 100.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const order = (more: object = {}) => ({
  productId: bundle.id,
  msisdn: freshNumber(),
  pay: "wallet",
  ...more,
});

longTest("an unknown query parameter is refused, on every route", async () => {
  for (const { method, path, role, right } of routes) {
    const place = `${path
      .replace(":operator", "MTN")
      .replace(":kind", "losses")
      .replace(":name", "sms")
      .replace(/:(\w+)/g, "1")}?bulkOrdreId=7`;
    const caller = right ? yaw : role === "user" ? ama : null;
    if (path.endsWith("/logout")) continue;
    const { status, body } = await call(caller, method, place, method === "GET" ? undefined : {});
    expect([method, path, status, body.code]).toEqual([method, path, 422, "request.invalid"]);
    expect(Object.keys(body.details.fields)).toEqual(["bulkOrdreId"]);
  }
});

test("the refusal of an unknown query parameter lists the known ones", async () => {
  const { body } = await call(ama, "GET", "/api/v1/orders?state=FAILED");
  expect(body.details.fields.state).toBe(
    "is not a parameter here; use limit, cursor, search, status, operator, open, " +
      "bulkOrderId, reference, msisdn, from, to",
  );
});

test("each invalid field gets our own message", async () => {
  const messagesFor = async (method: string, path: string, sent?: unknown) =>
    (await call(path.includes("/admin/") ? yaw : ama, method, `/api/v1${path}`, sent)).body.details.fields;
  expect(await messagesFor("GET", "/orders?limit=500")).toEqual({ limit: "must be at most 200" });
  expect(await messagesFor("GET", "/orders?limit=some")).toEqual({ limit: "must be a number" });
  expect(await messagesFor("GET", "/orders/0")).toEqual({ id: "must be an id, such as 4711" });
  expect(await messagesFor("POST", "/orders", order({ operator: "VODAFONE" }))).toEqual({
    operator: "must be one of MTN, AIRTELTIGO, TELECEL",
  });
  expect(await messagesFor("POST", "/orders", order({ pay: "later" }))).toEqual({ pay: "must be wallet" });
  expect(await messagesFor("POST", "/orders", order({ allowDuplicate: "yes" }))).toEqual({
    allowDuplicate: "must be true or false",
  });
  expect(
    await messagesFor("POST", "/admin/users", {
      username: "a",
      email: "a@b.co",
      password: "long enough",
      roles: [],
    }),
  ).toEqual({ roles: "must have at least 1 entry" });
  expect(await messagesFor("POST", "/support", {})).toMatchObject({ subject: "is missing" });
});

test("the refusal of a changed price has the current price", async () => {
  const { status, body } = await call(ama, "POST", "/api/v1/orders", order({ quantity: 2, amount: 7 }));
  expect([status, body.code]).toEqual([409, "order.price_changed"]);
  expect(body.details).toEqual({ currentPrice: 3.9, currentAmount: 7.8 });
});

test("the refusal of a duplicate has the earlier order, paid or unpaid", async () => {
  const again = order();
  const first = (await call(ama, "POST", "/api/v1/orders", again)).body;
  for (const pay of ["wallet", undefined]) {
    const { body } = await call(ama, "POST", "/api/v1/orders", { ...again, pay });
    expect([body.code, body.details]).toEqual(["order.duplicate", { orderId: first.id, orderedAt: first.createdAt }]);
  }
});

test("the refusal of a paused product has the pause's end, and the seconds until then in Retry-After", async () => {
  const paused = await world.product("MTN", "3GB", "12.50");
  const until = new Date(Date.now() + 3_600_000);
  const ask = { by: yaw.by("admin"), productId: paused.id, message: "MTN is down", until };
  await pauseProduct(world.db, ask);
  for (const pay of ["wallet", undefined]) {
    const { body, headers } = await call(ama, "POST", "/api/v1/orders", order({ productId: paused.id, pay }));
    const { retryAfterSeconds, ...details } = body.details;
    expect([body.code, details]).toEqual(["product.paused", { message: "MTN is down", until: until.toISOString() }]);
    expect(headers.get("retry-after")).toBe(String(retryAfterSeconds));
    expect(retryAfterSeconds).toBeWithin(3500, 3601);
  }
  const lines = [paused.id, bundle.id].map((productId) => ({ productId, msisdn: freshNumber() }));
  const pause = { message: "MTN is down", until: until.toISOString() };
  const preview = await call(ama, "POST", "/api/v1/orders/bulk/preview", { orders: lines });
  expect(preview.body.lines.map((one: { paused: unknown }) => one.paused)).toEqual([pause, null]);
  const refused = await call(ama, "POST", "/api/v1/orders/bulk", { orders: lines });
  expect(refused.body.details.lines).toEqual([
    { line: 1, code: "product.paused", message: preview.body.lines[0].message, paused: pause },
  ]);
  expect(preview.body.lines[0].message).toStartWith("This bundle is paused until ");
});

test("the refusal of a paused product has the shop's message", async () => {
  const paused = await world.product("MTN", "2GB", "8.40");
  await pauseProduct(world.db, { by: yaw.by("admin"), productId: paused.id, message: "MTN is down" });
  const { body } = await call(ama, "POST", "/api/v1/orders", order({ productId: paused.id }));
  expect([body.code, body.details]).toEqual(["product.paused", { message: "MTN is down", until: null }]);
});
