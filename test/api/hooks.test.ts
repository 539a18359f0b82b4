// Tests of webhooks through the API, with the real program and its own worker where needed. Rules for all routes are
// tested elsewhere.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { startEndpoint } from "../../simulators/endpoint.ts";
import * as orders from "../../src/core/orders/buy.ts";
import * as transitions from "../../src/core/orders/transitions.ts";
import * as webhookDeliveries from "../../src/core/webhooks/deliveries.ts";
import { OrderMessage } from "../../src/http/schemas/webhook-messages.ts";
import { count, freshNumber } from "../support/asking.ts";
import { startShop } from "../support/shop.ts";
import { haveAnswered } from "../support/webhook.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
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
const process = (...ids: number[]) =>
  transitions.move(db, { by: yaw.by("admin"), key: null, ids, to: "PROCESSING" });

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
  for (const method of ["GET", "DELETE"])
    expect((await call(ama, method, path)).body.code).toBe("webhook.not_found");
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
      await count(
        db,
        sql`from hook_deliveries where hook_id = ${slow.id} and state in ('sending', 'waiting')`,
      ),
    ).toBe(6);
  } finally {
    await shop.kill();
  }
});

test("a program that is killed between sending and recording sends again after its lease", async () => {
  const ama = await agent();
  const { id, secret } = await open(ama, "/crash");
  const held = Promise.withResolvers<void>();
  endpoint.answer(({ path }) =>
    path === "/crash" ? held.promise.then(() => new Response()) : new Response(),
  );
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
    expect([again.body, again.headers.get("webhook-id")]).toEqual([
      sent.body,
      sent.headers.get("webhook-id"),
    ]);
    expect(new Webhook(secret).verify(again.body, Object.fromEntries(again.headers.entries()))).toMatchObject(
      {
        data: { id: order },
      },
    );
    while ((await webhookDeliveries.list(db, id, { limit: 5 }))[0]!.state !== "delivered")
      await Bun.sleep(20);
  } finally {
    expect(await second.stop()).toBe(0);
  }
});
