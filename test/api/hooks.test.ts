// Tests of webhooks through the API, with the real program and its own worker where needed. Rules for all routes are
// tested elsewhere.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { startEndpoint } from "../../dev/simulators/endpoint.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as webhookDeliveries from "../../src/core/webhooks/deliveries.ts";
import * as dispatch from "../../src/core/webhooks/dispatch.ts";
import { hookKey } from "../../src/core/webhooks/endpoints.ts";
import { OrderMessage } from "../../src/http/schemas/webhook-messages.ts";
import { HOOK_EVENT_INFO } from "../../src/http/webhook-events.ts";
import { HOOK_TOPICS, type HookEvent } from "../../src/shared/hook-topics.ts";
import { count, freshNumber } from "../support/asking.ts";
import { pauseProduct } from "../support/pausing.ts";
import { startShop } from "../support/shop.ts";
import { haveAnswered } from "../support/webhook.ts";
import { createTestHooks, openApp, openWorld, type Person, TEST_JWT_SECRET } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const { db, yaw } = world;
const call = checkedCalls(openApp(world));
const bundle = await world.product("MTN", "1GB", "3.90");
const endpoint = startEndpoint();
afterAll(() => endpoint.stop());
let people = 0;
const agent = () => world.person(`agent${++people}`, "GH₵ 100.00");
/** A webhook that has answered its test. */
const open = async (person: Person, path: string) => {
  const { body } = await call(person, "POST", "/api/v1/webhooks", { url: `${endpoint.url}${path}` });
  await haveAnswered(db, body.id);
  return { ...body, enabled: true, pausedFor: null };
};
const buy = async (person: Person) => {
  const line = { productId: bundle.id, msisdn: freshNumber(), quantity: 1 };
  return (await orders.buy(db, { by: person.by(), key: null, line })).answer.order.id;
};
const process = (...ids: number[]) => statusChanges.move(db, { by: yaw.by("admin"), key: null, ids, to: "PROCESSING" });

test("a webhook is created, read, changed, paused and removed; its secret is in one answer only", async () => {
  const ama = await agent();
  const { secret, ...made } = await open(ama, "/one");
  expect(secret).toMatch(/^whsec_/);
  expect(made).toMatchObject({ description: "", enabled: true, pausedFor: null, failingSince: null });
  const path = `/api/v1/webhooks/${made.id}`;
  expect((await call(ama, "GET", path)).body).toEqual(made);
  expect((await call(ama, "GET", "/api/v1/webhooks")).body).toEqual([made]);
  const off = await call(ama, "PATCH", path, { enabled: false, description: "off" });
  expect(off.body).toEqual({ ...made, description: "off", enabled: false, pausedFor: "owner" });
  expect((await call(ama, "PATCH", path, {})).body).toEqual(off.body);
  const proving = { enabled: false, pausedFor: "unproven" };
  expect((await call(ama, "PATCH", path, { enabled: true })).body).toMatchObject(proving);
  await haveAnswered(db, made.id);
  expect((await call(ama, "GET", path)).body.enabled).toBe(true);
  expect((await call(ama, "PATCH", path, { url: `${endpoint.url}/moved` })).body).toMatchObject(proving);
  expect((await call(ama, "DELETE", path)).body).toEqual({ ok: true });
  for (const method of ["GET", "DELETE"]) expect((await call(ama, method, path)).body.code).toBe("webhook.not_found");
});

test("a webhook chooses its events, all of them or some, and has changes of status without a choice", async () => {
  const ama = await agent();
  const usual = await open(ama, "/usual");
  expect(usual.events).toEqual(["order.status_changed"]);
  const events = ["wallet.topped_up", "order.refunded", "wallet.topped_up"];
  const address = (path: string) => `${endpoint.url}${path}`;
  const some = await call(ama, "POST", "/api/v1/webhooks", { url: address("/some"), events });
  expect(some.body.events).toEqual(["order.refunded", "wallet.topped_up"]);
  const path = `/api/v1/webhooks/${some.body.id}`;
  expect((await call(ama, "PATCH", path, { description: "Mine" })).body.events).toEqual(some.body.events);
  const all = await call(ama, "PATCH", path, { events: ["product.paused", "all"] });
  expect(all.body).toMatchObject({ events: ["all"], pausedFor: "unproven" });
  expect((await call(ama, "GET", path)).body.events).toEqual(["all"]);
  for (const wrong of [[], ["ping"], ["order.lost"], "all"])
    expect((await call(ama, "PATCH", path, { events: wrong })).body.code).toBe("request.invalid");
});

test("the example of any event is sent as a test, marked so, and a ping without a body", async () => {
  const ama = await agent();
  const { id, secret } = await open(ama, "/try");
  const path = `/api/v1/webhooks/${id}`;
  for (const type of HOOK_TOPICS) {
    const { body } = await call(ama, "POST", `${path}/test`, { type });
    expect(body).toMatchObject({ type, test: true, orderId: null, webhookId: id });
  }
  expect((await call(ama, "POST", `${path}/test`)).body).toMatchObject({ type: "ping", test: true });
  expect((await call(ama, "POST", `${path}/test`, {})).body.type).toBe("ping");
  expect((await call(ama, "POST", `${path}/test`, { type: "order.lost" })).body.code).toBe("request.invalid");
  expect((await call(ama, "POST", `${path}/test`, "type=ping")).body.code).toBe("request.malformed");
  endpoint.answer(() => new Response(null, { status: 500 }));
  const keys = { key: hookKey(TEST_JWT_SECRET), sender: createTestHooks() };
  await dispatch.sendDue(db, keys, { retrySeconds: [0, 0], pauseAfterSeconds: 0 });
  endpoint.answer(() => new Response(null, { status: 204 }));
  const taken = endpoint.received().filter((one) => one.path === "/try");
  // Once each, and no failed test counts against the webhook.
  expect(taken).toHaveLength(HOOK_TOPICS.length + 2);
  expect((await call(ama, "GET", path)).body).toMatchObject({ enabled: true, failingSince: null });
  const marks = taken.map(({ headers, body }) => {
    const message = new Webhook(secret).verify(body, Object.fromEntries(headers.entries()));
    const { type, test, data } = message as { type: HookEvent; test?: true; data: object };
    if (type !== "ping") expect(data).toEqual(HOOK_EVENT_INFO[type].data);
    return [type, test];
  });
  const examples = HOOK_TOPICS.map((topic) => [topic, true]);
  expect(marks.sort()).toEqual([...examples, ["ping", undefined], ["ping", undefined]].sort() as never);
  await call(ama, "PATCH", path, { url: `${endpoint.url}/elsewhere-try` });
  const unproven = await call(ama, "POST", `${path}/test`, { type: "order.refunded" });
  expect(unproven.body.code).toBe("webhook.paused");
});

test("a span of messages is sent again once for a key, to the webhook's owner only", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  const { id } = await open(ama, "/span");
  await process(await buy(ama), await buy(ama));
  await db.execute(sql`
    update hook_deliveries set state = 'delivered', attempts = 1, ended_at = now() where hook_id = ${id}`);
  const path = `/api/v1/webhooks/${id}/replay`;
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const key = { "idempotency-key": "span-one" };
  expect((await call(kofi, "POST", path, { since })).body.code).toBe("webhook.not_found");
  expect((await call(ama, "POST", path, { since, until: since })).body.details.fields.until).toContain("later");
  for (const wrong of [{}, { since: "yesterday" }, { since, events: ["all"] }, { since, events: [] }])
    expect((await call(ama, "POST", path, wrong)).body.code).toBe("request.invalid");
  expect((await call(ama, "POST", path, { since: "2026-01-01", until: "2026-01-31" })).body).toEqual({
    count: 0,
  });
  const first = await call(ama, "POST", path, { since, events: ["order.status_changed"] }, key);
  expect([first.status, first.body]).toEqual([202, { count: 2 }]);
  const again = await call(ama, "POST", path, { since, events: ["order.status_changed"] }, key);
  expect([again.body, again.headers.get("idempotency-replayed")]).toEqual([{ count: 2 }, "true"]);
  expect((await call(ama, "POST", path, { since }, key)).body.code).toBe("request.key_reused");
  expect((await call(ama, "POST", path, { since })).body).toEqual({ count: 0 });
  const listed = await call(ama, "GET", `/api/v1/webhooks/${id}/deliveries`);
  expect(listed.body.map(({ status }: { status: string }) => status)).toEqual(["waiting", "waiting"]);
});

test("a killed program goes on with an announcement to many, and sends each webhook one message", async () => {
  const ama = await agent();
  // More endpoints than an account may have: the rule is about accounts, and these need no work to make.
  await db.execute(sql`
    insert into hooks (user_id, url, events, sealed_secret)
    select ${ama.id}, ${`${endpoint.url}/many/`} || n, array['product.paused'], 'x'
    from generate_series(1, 6000) n`);
  const paused = sql`from hook_deliveries where event = 'product.paused' and not is_test`;
  const spare = await world.product("MTN", "2GB", "7.90");
  await pauseProduct(db, { by: yaw.by("admin"), productId: spare.id, message: "Back soon" });
  const environment = { WORKER_POLL_SECONDS: "0.05" };
  const first = await startShop(world.url, environment);
  while ((await count(db, paused)) === 0) await Bun.sleep(1);
  await first.kill();
  const second = await startShop(world.url, environment);
  try {
    while ((await count(db, sql`from announcements`)) > 0) await Bun.sleep(20);
  } finally {
    await second.kill();
  }
  expect(await count(db, paused)).toBe(6_000);
  expect(await count(db, sql`from (select distinct hook_id ${paused}) each_one`)).toBe(6_000);
  await db.execute(sql`delete from hooks where user_id = ${ama.id}`);
});

test("an address that is not allowed is refused with a message for the field", async () => {
  const ama = await agent();
  const refused = await call(ama, "POST", "/api/v1/webhooks", { url: "http://[::ffff:10.0.0.1]/" });
  expect([refused.status, refused.body.code]).toEqual([422, "webhook.url_refused"]);
  expect(refused.body.details.fields.url).toContain("public internet");
});

test("deliveries are listed newest first, in pages, to the webhook's owner only", async () => {
  const ama = await agent();
  const [one, other] = [await open(ama, "/pages"), await open(ama, "/elsewhere")];
  await call(ama, "PATCH", `/api/v1/webhooks/${other.id}`, { enabled: false });
  await process(...[await buy(ama), await buy(ama), await buy(ama)]);
  const first = await call(ama, "GET", `/api/v1/webhooks/${one.id}/deliveries?limit=2`);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
  const rest = await call(ama, "GET", next);
  const ids = [...first.body, ...rest.body].map(({ id }: { id: number }) => id);
  expect(ids).toHaveLength(3);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
  expect(rest.headers.get("link")).toBeNull();
  expect(first.body[0]).toMatchObject({
    webhookId: one.id,
    status: "waiting",
    attempts: 0,
    messageId: `msg_${ids[0]}`,
  });
  expect((await call(ama, "GET", `/api/v1/webhooks/${other.id}/deliveries`)).body).toEqual([]);
});

test("the program sends and retries messages, and a silent endpoint does not hold up the others", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  const slow = await open(ama, "/slow");
  const quick = await open(kofi, "/quick");
  const tried = new Set<string>();
  endpoint.answer(({ path, headers }) => {
    if (path === "/slow") return new Promise(() => {});
    const id = headers.get("webhook-id")!;
    const isFirst = !tried.has(id);
    tried.add(id);
    return new Response(null, { status: isFirst ? 500 : 200 });
  });
  const shop = await startShop(world.url, {
    HOOK_THIS_MACHINE: "true",
    HOOK_RETRY_SECONDS: "0.1,0.1",
    WORKER_POLL_SECONDS: "0.1",
  });
  try {
    const slowIds = Array.from({ length: 6 }, () => buy(ama));
    await process(...(await Promise.all(slowIds)));
    await endpoint.first(({ path }) => path === "/slow");
    const ids: number[] = [];
    for (let n = 0; n < 10; n++) ids.push(await buy(kofi));
    await process(...ids);
    const arrivals = ids.map((id) =>
      endpoint.first(
        ({ path, headers, body }) =>
          path === "/quick" && body.includes(`"id":${id},`) && tried.has(headers.get("webhook-id")!),
      ),
    );
    for (const { headers, body } of await Promise.all(arrivals)) {
      const sent = Object.fromEntries(headers.entries());
      expect(OrderMessage.parse(new Webhook(quick.secret).verify(body, sent)).data.status).toBe("PROCESSING");
    }
    const isOver = async () =>
      (await webhookDeliveries.list(db, quick.id, { limit: 50 })).every(({ state }) => state === "delivered");
    while (!(await isOver())) await Bun.sleep(20);
    expect(endpoint.received().filter(({ path }) => path === "/quick")).toHaveLength(20);
    // None for the slow endpoint was abandoned: they came first and are still waiting for an answer.
    expect(
      await count(db, sql`from hook_deliveries where hook_id = ${slow.id} and state in ('sending', 'waiting')`),
    ).toBe(6);
  } finally {
    await shop.kill();
  }
});

test("a program that is killed between sending and recording sends again after its lease", async () => {
  const ama = await agent();
  const { id, secret } = await open(ama, "/crash");
  const held = Promise.withResolvers<void>();
  endpoint.answer(({ path }) => (path === "/crash" ? held.promise.then(() => new Response()) : new Response()));
  const environment = { HOOK_THIS_MACHINE: "true", WORKER_POLL_SECONDS: "0.1" };
  const first = await startShop(world.url, environment);
  const order = await buy(ama);
  await process(order);
  const sent = await endpoint.first(({ path }) => path === "/crash");
  await first.kill();
  held.resolve();
  expect((await webhookDeliveries.list(db, id, { limit: 5 })).map(({ state }) => state)).toEqual(["sending"]);
  // The lease has expired.
  await db.execute(sql`update hook_deliveries set due_at = now() where hook_id = ${id}`);
  const second = await startShop(world.url, environment);
  try {
    const again = await endpoint.first((taken) => taken.path === "/crash" && taken !== sent);
    expect([again.body, again.headers.get("webhook-id")]).toEqual([sent.body, sent.headers.get("webhook-id")]);
    expect(new Webhook(secret).verify(again.body, Object.fromEntries(again.headers.entries()))).toMatchObject({
      data: { id: order },
    });
    while ((await webhookDeliveries.list(db, id, { limit: 5 }))[0]!.state !== "delivered") await Bun.sleep(20);
  } finally {
    expect(await second.stop()).toBe(0);
  }
});
