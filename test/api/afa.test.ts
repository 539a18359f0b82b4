// Tests of AFA registrations through the API: what agents and admins see, and what nobody may see.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { createApp } from "../../src/app/server.ts";
import * as products from "../../src/core/catalog/products.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { longTest } from "../support/long.ts";
import { startShop } from "../support/shop.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const client = openApp(world);
const call = checkedCalls(client);
const { yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
await products.ensureAfa(world.db);
const { id: productId } = await products.afa(world.db);

let used = 0;
const someone = (change: Record<string, unknown> = {}) => {
  used += 1;
  return {
    fullName: "Akosua Mensah",
    phone: `054${7_000_000 + used}`,
    ghCardId: `GHA-${700_000_000 + used}-3`,
    location: "Kumasi",
    ...change,
  };
};
let agents = 0;
const agent = (balance = "GH₵ 100.00") => world.person(`agent${++agents}`, balance);

longTest(
  "an agent sees the price, registers two people and lists them with masked cards; others see none",
  async () => {
    const [ama, kofi] = [await agent(), await agent()];
    expect((await call(ama, "GET", "/api/v1/afa/product")).body).toEqual({
      price: 5,
      paused: null,
      pausedUntil: null,
    });
    const people = [someone(), someone({ phone: "+233 20 700 0001", ported: true })];
    const placed = await call(ama, "POST", "/api/v1/afa", { people, price: 5 });
    expect([placed.status, placed.body]).toMatchObject([201, { count: 2, amount: 10, balance: 90 }]);
    const { body: list } = await call(ama, "GET", "/api/v1/afa?state=submitted");
    expect(list).toEqual(placed.body.registrations.toReversed());
    expect(list[0]).toMatchObject({
      phone: "0207000001",
      ghCardId: `GHA-••••••${people[1]!.ghCardId.slice(-5)}`,
      state: "submitted",
      status: "PENDING",
    });
    expect((await call(kofi, "GET", "/api/v1/afa")).body).toEqual([]);
    const first = await call(ama, "GET", "/api/v1/afa?limit=1");
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
    expect((await call(ama, "GET", next)).body.map((one: { id: number }) => one.id)).toEqual([list[1].id]);
    expect((await call(ama, "GET", `/api/v1/orders/${list[0].id}`)).body).toMatchObject({
      size: "AFA",
      amount: 5,
    });
  },
);

test("a refusal names the person and the field, and the reason when there is only one", async () => {
  const ama = await agent();
  const known = someone();
  await call(ama, "POST", "/api/v1/afa", { people: [known] });
  const again = await call(ama, "POST", "/api/v1/afa", {
    people: [someone(), someone({ ghCardId: known.ghCardId })],
  });
  expect([again.status, again.body.code]).toEqual([409, "afa.card_registered"]);
  expect(again.body.details).toEqual({
    lines: [{ line: 2, code: "afa.card_registered", message: again.body.message }],
    fields: { "people.1.ghCardId": again.body.message },
  });
  const both = await call(ama, "POST", "/api/v1/afa", { people: [known] });
  expect([both.status, both.body.code]).toEqual([422, "afa.people_refused"]);
  const ported = await call(ama, "POST", "/api/v1/afa", { people: [someone({ phone: "0207000002" })] });
  expect([ported.status, ported.body.code]).toEqual([422, "afa.number_not_mtn"]);
  const spoilt = await call(ama, "POST", "/api/v1/afa", {
    people: [someone({ fullName: " ", phone: "1", ghCardId: "0541234567", location: known.ghCardId })],
  });
  expect(spoilt.body.details.fields).toEqual({
    "people.0.fullName": "Enter the full name",
    "people.0.phone": "Enter a valid Ghana number, such as 0541234567",
    "people.0.ghCardId": expect.stringContaining("GHA-123456789-0"),
    "people.0.location": "Enter the card number only in its own field",
  });
  const many = await call(ama, "POST", "/api/v1/afa", {
    people: Array.from({ length: 21 }, () => someone()),
  });
  expect(many.body.message).toBe("At most 20 people at once");
  expect((await call(ama, "POST", "/api/v1/afa", { people: [someone()], price: 4 })).body.code).toBe(
    "order.price_changed",
  );
  const poor = await agent("GH₵ 4.99");
  expect((await call(poor, "POST", "/api/v1/afa", { people: [someone()] })).body).toMatchObject({
    code: "wallet.insufficient_balance",
    details: { missing: 0.01 },
  });
});

test("the same key gets the same answer, which has no card number", async () => {
  const ama = await agent();
  const body = { people: [someone()] };
  const send = () => call(ama, "POST", "/api/v1/afa", body, { "idempotency-key": "once" });
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  expect(second.headers.get("idempotency-replayed")).toBe("true");
  expect(JSON.stringify(first.body)).not.toContain(body.people[0]!.ghCardId);
  expect(await world.balanceOf(ama)).toBe(9500);
});

test("an admin moves a registration, refuses it only with a reason, and views the card", async () => {
  const ama = await agent();
  const person = someone();
  const { body: placed } = await call(ama, "POST", "/api/v1/afa", { people: [person] });
  const { id } = placed.registrations[0];
  const path = `/api/v1/admin/afa/${id}`;
  const { body: queue } = await call(yaw, "GET", `/api/v1/admin/afa?search=${person.phone}`);
  expect(queue).toMatchObject([{ id, username: ama.username, state: "submitted" }]);
  const sent = await call(yaw, "PATCH", `${path}/status`, { status: "processing" });
  expect(sent.body).toMatchObject({ status: "PROCESSING", state: "sent" });
  const mute = await call(yaw, "PATCH", `${path}/status`, { status: "FAILED", reason: " " });
  expect([mute.status, mute.body.code]).toEqual([422, "afa.reason_missing"]);
  const byOrder = await call(yaw, "PATCH", `/api/v1/admin/orders/${id}/status`, { status: "FAILED" });
  expect(byOrder.body.code).toBe("afa.reason_missing");
  const seen = await call(yaw, "POST", `${path}/reveal`);
  expect(seen.body).toEqual({ id, ghCardId: person.ghCardId });
  const refused = await call(yaw, "PATCH", `${path}/status`, { status: "FAILED", reason: "Not their card" });
  expect(refused.body).toMatchObject({ state: "refused", note: "Not their card" });
  expect((await call(ama, "GET", "/api/v1/afa?state=refused")).body[0].refundedAt).not.toBeNull();
  expect(await world.balanceOf(ama)).toBe(10_000);
  expect((await call(yaw, "PATCH", `${path}/status`, { status: "COMPLETED" })).body.code).toBe(
    "order.move_not_allowed",
  );
  expect((await call(yaw, "POST", "/api/v1/admin/afa/999999/reveal")).body.code).toBe("afa.not_found");
});

test("/products lists bundles only, and the AFA product cannot be bought as a bundle", async () => {
  const ama = await agent();
  const { body: list } = await call(ama, "GET", "/api/v1/products");
  expect(list).toEqual([
    {
      id: bundle.id,
      operator: "MTN",
      family: "MTN",
      name: "MTN 1GB",
      size: "1GB",
      price: 3.9,
      paused: null,
      pausedUntil: null,
    },
  ]);
  const line = { productId, msisdn: "0541234567" };
  for (const body of [line, { ...line, pay: "wallet" }])
    expect((await call(ama, "POST", "/api/v1/orders", body)).body.code).toBe("product.not_found");
  const bulk = await call(ama, "POST", "/api/v1/orders/bulk", { orders: [line] });
  expect(bulk.body.details.lines[0].code).toBe("product.not_found");
  expect((await call(yaw, "DELETE", `/api/v1/products/${productId}`)).body.code).toBe("product.fixed");
});

longTest("the program logs no card number, and does not start with another key", async () => {
  const person = someone();
  const shop = await startShop(world.url, { LOG_LEVEL: "trace" });
  try {
    const { email, password } = yaw;
    const { token } = (await post(shop.url, "/auth/login", { email, password })) as { token: string };
    const body = { people: [person] };
    expect(await post(shop.url, "/afa", body, token)).toMatchObject({ code: "wallet.insufficient_balance" });
    const other = await world.person("other-admin", undefined, ["ADMIN"]);
    await call(other, "POST", `/api/v1/admin/users/${yaw.id}/wallet`, { amount: 100, reason: "premise" });
    expect(await post(shop.url, "/afa", body, token)).toMatchObject({ count: 1 });
    expect(await post(shop.url, "/afa", body, token)).toMatchObject({ code: "afa.people_refused" });
    const { body: list } = await call(yaw, "GET", `/api/v1/admin/afa?search=${person.phone}`);
    const seen = await post(shop.url, `/admin/afa/${list[0].id}/reveal`, undefined, token);
    expect(seen).toEqual({ id: list[0].id, ghCardId: person.ghCardId });
    expect(shop.output()).toContain("/api/v1/afa");
    expect(shop.output()).not.toContain(person.ghCardId.slice(4, 13));
  } finally {
    await shop.stop();
  }
  const CARD_KEY = new Uint8Array(32).map((_, i) => i).toBase64();
  await expect(startShop(world.url, { CARD_KEY })).rejects.toThrow("ended before it was ready");
});

/** Sends JSON to a running program, and returns its answer. */
async function post(url: string, path: string, body?: unknown, token?: string) {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const sent = body !== undefined && { body: JSON.stringify(body) };
  return (await fetch(`${url}/api/v1${path}`, { method: "POST", headers, ...sent })).json();
}

test("an internal error while registering leaves no card number in the log", async () => {
  const lines: string[] = [];
  const app = createApp({
    db: world.db,
    gateway: null as never,
    vendors: [],
    channels: { sms: true, email: true },
    cards: {
      seal: () => "not sealed",
      open: () => "",
      digests: (card) => [`digest of ${card.length}`],
      prefixes: ["1.abcdef."],
    },
    log: createLog("trace", { write: (line) => void lines.push(line) }),
    jwtSecret: "another secret that is long enough for this",
    baseUrl: "http://localhost",
    trustedProxies: [],
    socketAddressOf: () => "127.0.0.1",
    hookSender: null as never,
    isDraining: () => false,
  });
  const ama = await agent();
  const [session] = await world.db.execute<{ id: string }>(sql`
    insert into sessions (id, user_id, expires_at)
    values (${crypto.randomUUID()}, ${ama.id}, now() + interval '1 hour') returning id`);
  const person = someone();
  const reply = await app.fetch(
    new Request("http://localhost/api/v1/afa", {
      method: "POST",
      headers: { authorization: `Bearer ${await app.sign(session!.id)}`, "content-type": "application/json" },
      body: JSON.stringify({ people: [person] }),
    }),
  );
  expect(reply.status).toBe(500);
  const log = lines.join("\n");
  expect(log).toContain("afa_card_is_sealed");
  for (const secret of [person.ghCardId, person.ghCardId.slice(4, 13)]) expect(log).not.toContain(secret);
});
