// Switches by API: staff list, close and open them, and programs read why they are refused and until when.
import { expect, test } from "bun:test";
import { SWITCH_NAMES } from "../../src/shared/switches.ts";
import { freshNumber } from "../support/asking.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const client = openApp(world);
const call = checkedCalls(client);
const { yaw } = world;
const ama = await world.person("ama", "GH₵ 100.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const AT = "/api/v1/admin/switches";
const terms = { message: "Buying by API is closed", reason: "A key was stolen" };
const buy = (headers = {}) =>
  call(ama, "POST", "/api/v1/orders", { productId: bundle.id, msisdn: freshNumber(), pay: "wallet" }, headers);

test("a switch is closed with its terms, and opened; closing again changes the terms", async () => {
  const all = await call(yaw, "GET", AT);
  expect(all.body.map(({ name }: { name: string }) => name)).toEqual(SWITCH_NAMES);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const closed = await call(yaw, "PUT", `${AT}/api`, { ...terms, until });
  expect(closed).toMatchObject({
    status: 200,
    body: { name: "api", label: "API", closed: { ...terms, until, by: yaw.username } },
  });
  const changed = await call(yaw, "PUT", `${AT}/api`, { ...terms, message: "  Closed\n for now " });
  expect(changed.body.closed).toMatchObject({ message: "Closed for now", until: null });
  const opened = await call(yaw, "DELETE", `${AT}/api`);
  expect(opened.body).toEqual({ name: "api", label: "API", closed: null });
  expect((await call(yaw, "DELETE", `${AT}/api`)).status).toBe(200);
  expect((await call(yaw, "PUT", `${AT}/apis`, terms)).status).toBe(422);
  expect((await call(yaw, "PUT", `${AT}/api`, { ...terms, message: "x".repeat(91) })).status).toBe(422);
  const past = { ...terms, until: "2020-01-01T00:00:00Z" };
  expect((await call(yaw, "PUT", `${AT}/api`, past)).body.code).toBe("pause.end_invalid");
});

test("a program reads why it is refused, and until when; what was answered before is answered again", async () => {
  const key = { "idempotency-key": "before" };
  const body = { productId: bundle.id, msisdn: freshNumber(), pay: "wallet" };
  const first = await call(ama, "POST", "/api/v1/orders", body, key);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await call(yaw, "PUT", `${AT}/api`, { ...terms, until });
  const refused = await buy();
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: "service.closed",
      retryable: true,
      message: expect.stringMatching(/^Buying by API is closed\. Open again from .*\d\d:\d\d\.$/),
      details: { switch: "api", message: terms.message, until },
    },
  });
  expect(Number(refused.headers.get("retry-after"))).toBeWithin(3_400, 3_601);
  // The answer of before is given again.
  const again = await call(ama, "POST", "/api/v1/orders", body, key);
  expect([again.status, again.body.id, again.headers.get("idempotency-replayed")]).toEqual([
    ...[201, first.body.id, "true"],
  ]);
  for (const path of ["/orders", "/wallet/balance", "/products", "/wallet/transactions"])
    expect((await call(ama, "GET", `/api/v1${path}`)).status).toBe(200);
  expect((await call(yaw, "GET", "/api/v1/admin/orders")).status).toBe(200);
  await call(yaw, "PUT", `${AT}/api`, terms);
  expect((await buy()).headers.get("retry-after")).toBeNull();
  await call(yaw, "DELETE", `${AT}/api`);
  expect((await buy()).status).toBe(201);
});
