// Developers' webhooks: each change of an order's status is queued for its owner's endpoints in the commit of the
// change, and sent at least once, signed, and to nobody else.
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { startEndpoint } from "../../../dev/simulators/endpoint.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as transitions from "../../../src/core/orders/transitions.ts";
import * as webhookDeliveries from "../../../src/core/webhooks/deliveries.ts";
import * as dispatch from "../../../src/core/webhooks/dispatch.ts";
import * as hooks from "../../../src/core/webhooks/endpoints.ts";
import { OrderMessage } from "../../../src/http/schemas/webhook-messages.ts";
import type { AdminTarget } from "../../../src/shared/domain.ts";
import { count, freshNumber, outcome, refusal } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openHook } from "../../support/webhook.ts";
import { createTestHooks, openWorld, type Person, TEST_JWT_SECRET } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const endpoint = startEndpoint();
afterAll(() => endpoint.stop());
const keys = { key: hooks.hookKey(TEST_JWT_SECRET), sender: createTestHooks() };
/** For an endpoint that does not answer. */
const hasty = { ...keys, sender: createTestHooks({ timeoutMs: 1500 }) };
/** Two more attempts, without a wait. */
const plan = { retrySeconds: [0, 0], pauseAfterSeconds: 3600 };
const sendDue = (own: Partial<typeof plan> = {}) => dispatch.sendDue(db, keys, { ...plan, ...own });

let people = 0;
const agent = () => world.person(`agent${++people}`, "GH₵ 100.00");
let paths = 0;
const open = (person: Person, url = `${endpoint.url}/${++paths}`) => openHook(db, keys, { by: person.by(), url });
const buy = async (person: Person) =>
  (
    await orders.buy(db, {
      by: person.by(),
      key: null,
      line: { productId: bundle.id, msisdn: freshNumber(), quantity: 1 },
    })
  ).answer.order.id;
const move = (to: AdminTarget, ...ids: number[]) => statusChanges.move(db, { by: yaw.by("admin"), key: null, ids, to });
/** The deliveries of one endpoint, oldest first. */
const takenAt = (hook: hooks.Hook) => endpoint.received().filter(({ path }) => hook.url.endsWith(path));
const bodiesAt = (hook: hooks.Hook) => takenAt(hook).map(({ body }) => OrderMessage.parse(JSON.parse(body)));
const deliveriesOf = async (hook: hooks.Hook) => (await webhookDeliveries.list(db, hook.id, { limit: 50 })).reverse();
const statesOf = async (hook: hooks.Hook) => (await deliveriesOf(hook)).map(({ state }) => state);
const hookOf = (person: Person, { id }: hooks.Hook) => hooks.get(db, person.by(), id);
const mailsTo = (person: Person) =>
  db.execute<{ kind: string; body: string }>(sql`
    select kind, body from messages where user_id = ${person.id} and kind = 'webhook_paused' order by id`);

beforeEach(() => endpoint.answer(() => new Response(null, { status: 204 })));
afterEach(async () => {
  // Deliveries that a test has left open must not be sent in the next one.
  await db.execute(sql`delete from hooks`);
});

describe("an event", () => {
  test("is sent for each change of status, with the order as of then, and passes the official library", async () => {
    const ama = await agent();
    const { hook, secret } = await open(ama);
    const id = await buy(ama);
    for (const to of ["PROCESSING", "DELIVERED", "COMPLETED", "FAILED"] as const) await move(to, id);
    await sendDue();
    const events = bodiesAt(hook).sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    expect(events.map(({ data }) => [data.previousStatus, data.status])).toEqual([
      ["PENDING", "PROCESSING"],
      ["PROCESSING", "DELIVERED"],
      ["DELIVERED", "COMPLETED"],
      ["COMPLETED", "FAILED"],
    ]);
    expect(events[0]!.data).toMatchObject({
      id,
      amount: 3.9,
      amountPesewas: 390,
      size: "1GB",
      refundedAt: null,
      userId: ama.id,
    });
    expect(events[3]!.data.refundedAt).not.toBeNull();
    for (const { headers, body } of takenAt(hook)) {
      const sent = Object.fromEntries(headers.entries());
      expect(new Webhook(secret).verify(body, sent)).toEqual(JSON.parse(body));
      expect(() => new Webhook(secret).verify(`${body} `, sent)).toThrow();
      expect(sent["content-type"]).toBe("application/json");
    }
    expect(new Set(takenAt(hook).map(({ headers }) => headers.get("webhook-id"))).size).toBe(4);
  });

  test("is sent for the agent's own cancellation, too, and for orders that expire unpaid", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    const id = await buy(ama);
    await cancelling.cancel(db, { by: ama.by(), key: null, orderId: id });
    const line = { productId: bundle.id, msisdn: freshNumber(), quantity: 1 };
    const unpaid = (await unpaidOrders.create(db, { by: ama.by(), key: null, line })).answer.id;
    await db.execute(sql`update orders set created_at = now() - interval '25 hours' where id = ${unpaid}`);
    await unpaidOrders.expire(db);
    await sendDue();
    const events = bodiesAt(hook).map(({ data }) => [data.id, data.previousStatus, data.status, data.paid].join());
    expect(events.sort()).toEqual([`${id},PENDING,FAILED,true`, `${unpaid},PENDING,FAILED,false`].sort());
  });

  test("goes to the order's owner alone, to each of their endpoints, and not to one that is off", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    const [first, second, off] = [await open(ama), await open(ama), await open(ama)];
    const kofis = await open(kofi);
    await hooks.change(db, keys, { by: ama.by(), hookId: off.hook.id, isOn: false });
    await move("PROCESSING", await buy(ama));
    await sendDue();
    expect([first, second, off, kofis].map(({ hook }) => takenAt(hook).length)).toEqual([1, 1, 0, 0]);
    // Changes while it is off are not queued for it either.
    expect(await deliveriesOf(off.hook)).toEqual([]);
    const [one, other] = [takenAt(first.hook)[0]!, takenAt(second.hook)[0]!];
    expect(one.body).toBe(other.body);
    expect(one.headers.get("webhook-id")).not.toBe(other.headers.get("webhook-id"));
    expect(one.headers.get("webhook-signature")).not.toBe(other.headers.get("webhook-signature"));
  });

  longTest(
    "of ten thousand orders is written by one statement, and none for accounts without an endpoint",
    async () => {
      const ama = await world.person("bulk", "GH₵ 40000.00");
      const lines = Array.from({ length: 2000 }, () => ({
        productId: bundle.id,
        msisdn: freshNumber(),
        quantity: 1,
      }));
      const { answer } = await buyBulk(db, { by: ama.by(), key: null, lines });
      const ids = answer.orders.map(({ id }) => id);
      await move("PROCESSING", ...ids);
      expect(await count(db, sql`from hook_deliveries`)).toBe(0);
      await open(ama);
      await move("DELIVERED", ...ids);
      expect(await count(db, sql`from hook_deliveries`)).toBe(2000);
    },
  );

  test("stops with the account: none for a banned one, and a closed one has no endpoints", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    const id = await buy(ama);
    await move("PROCESSING", id);
    await users.ban(db, { by: yaw.by("admin"), userId: ama.id });
    await move("DELIVERED", id);
    expect(await sendDue()).toEqual([]);
    expect(await statesOf(hook)).toEqual(["waiting"]);
    await users.unban(db, { by: yaw.by("admin"), userId: ama.id });
    await move("FAILED", id);
    const gone = await world.person(`gone${people}`);
    await open(gone);
    await users.remove(db, { by: yaw.by("admin"), userId: gone.id });
    expect(await count(db, sql`from hooks where user_id = ${gone.id}`)).toBe(0);
  });
});

describe("the commit of the change", () => {
  test("is the commit of its message: a change that is rolled back is sent to nobody", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    const id = await buy(ama);
    const fault = new Error("the power goes out");
    const half = db.transaction(async (tx) => {
      const order = (await transitions.lockOrders(tx, [id])).get(id)!;
      await transitions.apply(tx, yaw.by("admin"), [order], "PROCESSING", null);
      expect(await count(tx as never, sql`from hook_deliveries where hook_id = ${hook.id}`)).toBe(1);
      throw fault;
    });
    await expect(half).rejects.toBe(fault);
    expect(await deliveriesOf(hook)).toEqual([]);
    await move("PROCESSING", id);
    expect(await deliveriesOf(hook)).toHaveLength(1);
  });

  test("is not delayed by an endpoint that is removed or changed at the same moment", async () => {
    const ama = await agent();
    const hookIds = [(await open(ama)).hook.id, (await open(ama)).hook.id];
    const ids = [await buy(ama), await buy(ama), await buy(ama)];
    const [moved] = await Promise.all([
      Promise.all(ids.map((id) => move("PROCESSING", id))),
      hooks.remove(db, { by: ama.by(), hookId: hookIds[0]! }),
      hooks.change(db, keys, { by: ama.by(), hookId: hookIds[1]!, isOn: false }),
    ]);
    expect(moved.map(({ answer }) => answer[0]!.refusal)).toEqual([null, null, null]);
    expect(await count(db, sql`from hook_deliveries where hook_id = ${hookIds[0]!}`)).toBe(0);
  });
});

describe("a message that does not arrive", () => {
  const trouble: [string, () => Response | Promise<Response>, number | null, string | null][] = [
    ["500", () => new Response("no", { status: 500 }), 500, null],
    ["404", () => new Response("no", { status: 404 }), 404, null],
    [
      "a redirect",
      () => Response.redirect(`${endpoint.url}/elsewhere`, 307),
      307,
      "It redirects, and redirects are not followed",
    ],
    ["no answer", () => new Promise(() => {}), null, "No answer within 1.5 seconds"],
  ];
  longTest.each(trouble)(
    "for %s is sent again under its name, to the letter, until it does",
    async (_, how, status, reason) => {
      const ama = await agent();
      const { hook } = await open(ama);
      endpoint.answer(how);
      await move("PROCESSING", await buy(ama));
      const [claimed] = await dispatch.claimDue(db, 10);
      await dispatch.send(db, status === null ? hasty : keys, plan, claimed!);
      expect((await deliveriesOf(hook))[0]).toMatchObject({
        state: "waiting",
        attempts: 1,
        lastStatus: status,
        lastError: reason,
      });
      expect((await hookOf(ama, hook)).failingSince).not.toBeNull();
      endpoint.answer(() => new Response("thanks"));
      await sendDue();
      expect((await deliveriesOf(hook))[0]).toMatchObject({
        state: "delivered",
        attempts: 2,
        lastStatus: 200,
        lastError: null,
      });
      expect((await hookOf(ama, hook)).failingSince).toBeNull();
      const [first, again] = takenAt(hook);
      expect(again!.body).toBe(first!.body);
      expect(again!.headers.get("webhook-id")).toBe(first!.headers.get("webhook-id"));
      expect(endpoint.received().some(({ path }) => path === "/elsewhere")).toBe(false);
    },
  );

  test("waits longer after each attempt, never less than planned and not much more", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    endpoint.answer(() => new Response(null, { status: 503 }));
    await move("PROCESSING", await buy(ama));
    const waits: number[] = [];
    for (let tried = 0; tried < 3; tried++) {
      const [claimed] = await dispatch.claimDue(db, 10);
      await dispatch.send(db, keys, { ...plan, retrySeconds: [10, 100, 1000] }, claimed!);
      const [row] = await db.execute<{ wait: number }>(sql`
        select extract(epoch from due_at - now())::float8 as wait from hook_deliveries where hook_id = ${hook.id}`);
      waits.push(row!.wait);
      expect(await dispatch.claimDue(db, 10)).toEqual([]);
      await db.execute(sql`update hook_deliveries set due_at = now() where hook_id = ${hook.id}`);
      await db.execute(sql`update hooks set held_until = null where id = ${hook.id}`);
    }
    for (const [n, least] of [10, 100, 1000].entries()) {
      expect(waits[n]!).toBeGreaterThan(least * 0.5);
      expect(waits[n]!).toBeLessThanOrEqual(least * 1.2);
    }
  });

  test("has failed after the last attempt, and can be sent again with all attempts", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    endpoint.answer(() => new Response(null, { status: 500 }));
    await move("PROCESSING", await buy(ama));
    expect(await sendDue()).toHaveLength(3);
    const [failed] = await deliveriesOf(hook);
    expect(failed).toMatchObject({ state: "failed", attempts: 3 });
    expect(failed!.endedAt).not.toBeNull();
    await webhookDeliveries.sendAgain(db, { by: ama.by(), key: null, deliveryId: failed!.id });
    expect(await sendDue()).toHaveLength(3);
    endpoint.answer(() => new Response());
    await webhookDeliveries.sendAgain(db, { by: ama.by(), key: null, deliveryId: failed!.id });
    await sendDue();
    expect((await deliveriesOf(hook))[0]).toMatchObject({ state: "delivered", attempts: 7 });
    expect(new Set(takenAt(hook).map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
  });

  test("because of 410 Gone turns its endpoint off, fails what waits for it, and notifies the owner once", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    endpoint.answer(() => new Response(null, { status: 410 }));
    for (let n = 0; n < 6; n++) await move("PROCESSING", await buy(ama));
    await sendDue();
    expect((await hookOf(ama, hook)).pausedFor).toBe("gone");
    expect(new Set(await statesOf(hook))).toEqual(new Set(["failed"]));
    expect(takenAt(hook).length).toBeLessThanOrEqual(4);
    const mails = await mailsTo(ama);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.body).toContain(hook.url);
  });

  test("for days pauses the endpoint, once a message has used up its attempts", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    endpoint.answer(() => new Response(null, { status: 500 }));
    await move("PROCESSING", await buy(ama));
    await sendDue();
    expect((await hookOf(ama, hook)).pausedFor).toBeNull();
    await db.execute(sql`update hooks set failing_since = now() - interval '2 hours' where id = ${hook.id}`);
    await move("PROCESSING", await buy(ama));
    await sendDue();
    expect((await hookOf(ama, hook)).pausedFor).toBe("failing");
    expect(await mailsTo(ama)).toHaveLength(1);
    // Turned on again, the count starts over.
    const on = await hooks.change(db, keys, { by: ama.by(), hookId: hook.id, isOn: true });
    expect([on.pausedFor, on.failingSince]).toEqual(["unproven", null]);
    endpoint.answer(() => new Response());
    await sendDue();
    expect((await hookOf(ama, hook)).pausedFor).toBeNull();
  });

  test("because its host now resolves to an internal address is not sent, and records the reason", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    await move("PROCESSING", await buy(ama));
    const sender = createTestHooks({ resolve: async () => ["169.254.169.254"] });
    const reports = await dispatch.sendDue(db, { ...keys, sender }, plan);
    expect(reports.map(({ outcome: came }) => came)).toEqual(["refused", "refused", "refused"]);
    expect((await deliveriesOf(hook))[0]).toMatchObject({
      state: "failed",
      lastError: expect.stringContaining("public internet"),
    });
    expect(takenAt(hook)).toEqual([]);
  });
});

describe("workers", () => {
  test("never send the same message at once, and never more than four to one endpoint", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    const ids: number[] = [];
    for (let n = 0; n < 20; n++) ids.push(await buy(ama));
    await move("PROCESSING", ...ids);
    const before = takenAt(hook).length;
    const rounds = await Promise.all(Array.from({ length: 6 }, () => dispatch.claimDue(db, 100)));
    expect(rounds.flat()).toHaveLength(4);
    expect(await dispatch.claimDue(db, 100)).toEqual([]);
    await Promise.all(rounds.flat().map((one) => dispatch.send(db, keys, plan, one)));
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    while ((await sendDue()).length > 0);
    expect(takenAt(hook).length - before).toBe(20);
    expect(new Set(takenAt(hook).map(({ headers }) => headers.get("webhook-id"))).size).toBe(20);
    expect(endpoint.concurrencyMax()).toBeLessThanOrEqual(4);
  });

  test("skip an endpoint whose messages another worker is claiming, without waiting", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    await move("PROCESSING", await buy(ama));
    await db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from hooks where id = ${hook.id} for no key update`);
      expect(await dispatch.claimDue(db, 100)).toEqual([]);
    });
    expect(await dispatch.claimDue(db, 100)).toHaveLength(1);
  });

  test("give a failing endpoint a single attempt at a time, while the others get theirs", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    const [slow, quick] = [await open(ama), await open(kofi)];
    await db.execute(sql`update hooks set failing_since = now() where id = ${slow.hook.id}`);
    for (const person of [ama, ama, ama, kofi, kofi]) await move("PROCESSING", await buy(person));
    const release = Promise.withResolvers<Response>();
    endpoint.answer(({ path }) => (slow.hook.url.endsWith(path) ? release.promise : new Response()));
    const claimed = await dispatch.claimDue(db, 100);
    const idsOf = (hook: hooks.Hook) => claimed.filter(({ hookId }) => hookId === hook.id).length;
    expect([idsOf(slow.hook), idsOf(quick.hook)]).toEqual([1, 2]);
    const sent = claimed.map((one) => dispatch.send(db, keys, plan, one));
    await Promise.all(sent.filter((_, i) => claimed[i]!.hookId === quick.hook.id));
    expect(await statesOf(quick.hook)).toEqual(["delivered", "delivered"]);
    expect(await statesOf(slow.hook)).toEqual(["sending", "waiting", "waiting"]);
    release.resolve(new Response());
    await Promise.all(sent);
  });

  test("send again, after the lease, what a worker had sent when it was killed", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    await move("PROCESSING", await buy(ama));
    const [claimed] = await dispatch.claimDue(db, 10);
    // It is sent, but its arrival is not recorded.
    await keys.sender.post({ url: hook.url, headers: { "webhook-id": "msg_x" }, body: claimed!.body });
    expect(await dispatch.claimDue(db, 10)).toEqual([]);
    await db.execute(sql`update hook_deliveries set due_at = now() where hook_id = ${hook.id}`);
    await sendDue();
    expect((await deliveriesOf(hook))[0]).toMatchObject({ state: "delivered", attempts: 2 });
    expect(takenAt(hook).map(({ body }) => body)).toEqual([claimed!.body, claimed!.body]);
    // A worker that returns after that changes nothing, whatever the answer was.
    endpoint.answer(() => new Response(null, { status: 500 }));
    await dispatch.send(db, keys, plan, claimed!);
    expect((await deliveriesOf(hook))[0]).toMatchObject({ state: "delivered", attempts: 2 });
  });

  test("record nothing, and do not fail, for an endpoint that was removed while it was called", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    await move("PROCESSING", await buy(ama));
    const [claimed] = await dispatch.claimDue(db, 10);
    await hooks.remove(db, { by: ama.by(), hookId: hook.id });
    endpoint.answer(() => new Response(null, { status: 410 }));
    expect((await dispatch.send(db, keys, plan, claimed!)).outcome).toBe("4xx");
    expect(await mailsTo(ama)).toHaveLength(0);
  });

  longTest("delete deliveries older than two weeks, some thousands at a time", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    // The table's statistics are from when it was empty: the plan must not depend on them.
    await db.execute(sql`analyze hook_deliveries`);
    await db.execute(sql`
      insert into hook_deliveries (hook_id, event, body, state, created_at, ended_at)
      select ${hook.id}, 'ping', '{}', 'delivered', now() - interval '15 days', now() from generate_series(1, 6000)`);
    await move("PROCESSING", await buy(ama));
    expect([
      await webhookDeliveries.forgetOld(db),
      await webhookDeliveries.forgetOld(db),
      await webhookDeliveries.forgetOld(db),
    ]).toEqual([5000, 1000, 0]);
    expect(await statesOf(hook)).toEqual(["waiting"]);
  });
});

describe("an endpoint that has not answered a test", () => {
  const add = async (person: Person, url = `${endpoint.url}/${++paths}`) =>
    (await hooks.create(db, keys, { by: person.by(), key: null, url, description: "" })).answer.hook;

  test("is sent tests and nothing else, and is on once it has answered one", async () => {
    const ama = await agent();
    endpoint.answer(() => new Response(null, { status: 500 }));
    const hook = await add(ama);
    expect(hook.pausedFor).toBe("unproven");
    await move("PROCESSING", await buy(ama));
    await sendDue();
    expect((await hookOf(ama, hook)).pausedFor).toBe("unproven");
    endpoint.answer(() => new Response(null, { status: 204 }));
    await webhookDeliveries.ping(db, { by: ama.by(), key: null, hookId: hook.id });
    await move("PROCESSING", await buy(ama));
    await sendDue();
    expect(takenAt(hook).map(({ body }) => JSON.parse(body).type)).toEqual(["ping", "ping"]);
    expect((await hookOf(ama, hook)).pausedFor).toBeNull();
    await move("PROCESSING", await buy(ama));
    await sendDue();
    expect(takenAt(hook)).toHaveLength(3);
  });

  test("can be one with a new address: what waits is kept, and the old address's answer does not count", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    await webhookDeliveries.ping(db, { by: ama.by(), key: null, hookId: hook.id });
    await move("PROCESSING", await buy(ama));
    const claimed = await dispatch.claimDue(db, 10);
    const url = `${endpoint.url}/${++paths}`;
    const moved = await hooks.change(db, keys, { by: ama.by(), hookId: hook.id, url });
    expect(moved.pausedFor).toBe("unproven");
    const test = claimed.find(({ event }) => event === "ping")!;
    await dispatch.send(db, keys, plan, test);
    expect((await hookOf(ama, hook)).pausedFor).toBe("unproven");
    await db.execute(sql`update hook_deliveries set due_at = now() where state = 'sending'`);
    await sendDue();
    expect((await hookOf(ama, hook)).pausedFor).toBeNull();
    await sendDue();
    expect(takenAt(moved).map(({ body }) => JSON.parse(body).type)).toEqual(["ping", "order.status_changed"]);
  });

  longTest("can be turned off, and is tested no more than twenty times an hour", async () => {
    const ama = await agent();
    const hook = await add(ama);
    const off = await hooks.change(db, keys, { by: ama.by(), hookId: hook.id, isOn: false });
    expect(off.pausedFor).toBe("owner");
    expect(await sendDue()).toEqual([]);
    for (let n = 0; n < 19; n++) {
      await hooks.change(db, keys, { by: ama.by(), hookId: hook.id, isOn: true });
      await hooks.change(db, keys, { by: ama.by(), hookId: hook.id, isOn: false });
    }
    const again = hooks.change(db, keys, { by: ama.by(), hookId: hook.id, isOn: true });
    expect(await outcome(again)).toBe("request.rate_limited");
    expect((await hookOf(ama, hook)).pausedFor).toBe("owner");
  });
});

test("five endpoints of an account at one server get eight calls at once, however many workers there are", async () => {
  const ama = await agent();
  for (let n = 0; n < 5; n++) await open(ama);
  const ids: number[] = [];
  for (let n = 0; n < 4; n++) ids.push(await buy(ama));
  await move("PROCESSING", ...ids);
  const claimed = (await Promise.all(Array.from({ length: 6 }, () => dispatch.claimDue(db, 100)))).flat();
  for (let more = [...claimed]; more.length > 0; claimed.push(...more)) more = await dispatch.claimDue(db, 100);
  expect(claimed).toHaveLength(8);
  await Promise.all(claimed.map((one) => dispatch.send(db, keys, plan, one)));
  while ((await sendDue()).length > 0);
  expect(await count(db, sql`from hook_deliveries where state = 'delivered'`)).toBe(20);
});

test("a message whose count of attempts exceeds a smallint does not block others", async () => {
  const [mallory, ama] = [await agent(), await agent()];
  const [hers, his] = [await open(mallory), await open(ama)];
  await move("PROCESSING", await buy(mallory));
  await sendDue();
  const [own] = await deliveriesOf(hers.hook);
  await db.execute(sql`update hook_deliveries set attempts = 32767, tries = 32767 where id = ${own!.id}`);
  await webhookDeliveries.sendAgain(db, { by: mallory.by(), key: null, deliveryId: own!.id });
  await db.execute(sql`update hook_deliveries set tries = 32767 where id = ${own!.id}`);
  await move("PROCESSING", await buy(ama));
  await sendDue();
  expect((await deliveriesOf(hers.hook))[0]).toMatchObject({ state: "delivered", attempts: 32768 });
  expect(await statesOf(his.hook)).toEqual(["delivered"]);
});

describe("a webhook", () => {
  longTest("keeps its secret sealed, shows it once, and keeps nothing of it for the same request again", async () => {
    const ama = await agent();
    const ask = {
      by: ama.by(),
      key: { scope: "test", key: "one" },
      url: `${endpoint.url}/sealed`,
      description: "",
    };
    const { answer } = await hooks.create(db, keys, ask);
    expect(answer.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const again = await hooks.create(db, keys, ask);
    expect([again.answer, again.replayed]).toEqual([{ ...answer, secret: null }, true]);
    const [{ sealed } = { sealed: "" }] = await db.execute<{ sealed: string }>(
      sql`select sealed_secret as sealed from hooks where id = ${answer.hook.id}`,
    );
    expect(await count(db, sql`from idempotency k where k::text like ${`%${sealed}%`}`)).toBe(0);
    const rotation = { by: ama.by(), key: { scope: "test", key: "two" }, hookId: answer.hook.id };
    const fresh = await hooks.rotateSecret(db, keys, rotation);
    expect(fresh.answer.secret).toMatch(/^whsec_/);
    expect((await hooks.rotateSecret(db, keys, rotation)).answer.secret).toBeNull();
    const plain = answer.secret!.slice("whsec_".length);
    const tables = await db.execute<{ name: string }>(sql`
      select table_name as name from information_schema.tables where table_schema = 'public'`);
    for (const { name } of tables)
      expect([name, await count(db, sql`from ${sql.identifier(name)} t where t::text like ${`%${plain}%`}`)]).toEqual([
        name,
        0,
      ]);
    expect(Object.keys(await hookOf(ama, answer.hook))).not.toContain("sealedSecret");
  });

  test("with a new secret signs with both for a day, and then only with the new one", async () => {
    const ama = await agent();
    const { hook, secret: old } = await open(ama);
    const { secret: fresh } = (await hooks.rotateSecret(db, keys, { by: ama.by(), key: null, hookId: hook.id })).answer;
    expect(fresh).not.toBe(old);
    const believed = async () => {
      await move("PROCESSING", await buy(ama));
      await sendDue();
      const { headers, body } = takenAt(hook).at(-1)!;
      return [old, fresh].map((secret) => {
        try {
          return new Webhook(secret!).verify(body, Object.fromEntries(headers.entries())) !== null;
        } catch {
          return false;
        }
      });
    };
    expect(await believed()).toEqual([true, true]);
    await db.execute(sql`update hooks set previous_until = now() - interval '1 second' where id = ${hook.id}`);
    expect(await believed()).toEqual([false, true]);
  });

  test("whose secret was sealed with another key reports that instead of sending", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    await move("PROCESSING", await buy(ama));
    await dispatch.sendDue(db, { ...keys, key: hooks.hookKey("another secret of the shop") }, plan);
    expect((await deliveriesOf(hook))[0]!.lastError).toContain("Create a new one");
    expect(takenAt(hook)).toEqual([]);
  });

  test("is one of at most five, also when ten are created at once, and one per address", async () => {
    const ama = await agent();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome(open(ama))));
    expect(outcomes.filter((one) => one === "done")).toHaveLength(5);
    expect(outcomes.filter((one) => one === "webhook.too_many")).toHaveLength(5);
    const kofi = await agent();
    const { hook } = await open(kofi);
    expect(await outcome(open(kofi, hook.url))).toBe("webhook.exists");
    const other = await open(kofi);
    const change = { by: kofi.by(), hookId: other.hook.id, url: hook.url };
    expect(await outcome(hooks.change(db, keys, change))).toBe("webhook.exists");
  });

  test("is refused for an address that cannot be called, when it is created and when it is changed", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    for (const url of ["http://10.0.0.1/", "http://169.254.169.254/", "http://u:p@hook.example/", "no address"]) {
      const made = await refusal(open(ama, url));
      expect([made.code, Object.keys(made.details!.fields as object)]).toEqual(["webhook.url_refused", ["url"]]);
      expect(await outcome(hooks.change(db, keys, { by: ama.by(), hookId: hook.id, url }))).toBe("webhook.url_refused");
    }
    expect(await hooks.list(db, ama.by())).toHaveLength(1);
  });

  test("resolves at most a hundred hosts an hour", async () => {
    const ama = await agent();
    const outcomes: string[] = [];
    for (let n = 0; n < 101; n++) outcomes.push(await outcome(open(ama, "http://10.0.0.1/")));
    expect(new Set(outcomes.slice(0, 100))).toEqual(new Set(["webhook.url_refused"]));
    expect(outcomes[100]).toBe("request.rate_limited");
  });

  test("belongs to its owner alone", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    const { hook } = await open(ama);
    const [by, hookId] = [kofi.by(), hook.id];
    const { answer: ping } = await webhookDeliveries.ping(db, { by: ama.by(), key: null, hookId });
    const tried = [
      hooks.get(db, by, hookId),
      hooks.change(db, keys, { by, hookId, isOn: false }),
      hooks.remove(db, { by, hookId }),
      hooks.rotateSecret(db, keys, { by, key: null, hookId }),
      webhookDeliveries.ping(db, { by, key: null, hookId }),
      webhookDeliveries.sendAgain(db, { by, key: null, deliveryId: ping.id }),
    ];
    const outcomes = await Promise.all(tried.map(outcome));
    expect(new Set(outcomes)).toEqual(new Set(["webhook.not_found", "webhook.delivery_not_found"]));
    expect(await hooks.list(db, by)).toEqual([]);
  });

  test("that is paused accepts no ping and no resending, and what waited for it has failed", async () => {
    const ama = await agent();
    const { hook } = await open(ama);
    await move("PROCESSING", await buy(ama));
    await hooks.change(db, keys, { by: ama.by(), hookId: hook.id, isOn: false });
    const [failed] = await deliveriesOf(hook);
    expect(failed).toMatchObject({ state: "failed", lastError: "The webhook was turned off" });
    const again = { by: ama.by(), key: null };
    expect(await outcome(webhookDeliveries.sendAgain(db, { ...again, deliveryId: failed!.id }))).toBe("webhook.paused");
    expect(await outcome(webhookDeliveries.ping(db, { ...again, hookId: hook.id }))).toBe("webhook.paused");
    await hooks.change(db, keys, { by: ama.by(), hookId: hook.id, isOn: true });
    await sendDue();
    await webhookDeliveries.sendAgain(db, { ...again, deliveryId: failed!.id });
    await sendDue();
    expect(await statesOf(hook)).toEqual(["delivered", "delivered"]);
  });

  test("accepts a ping, which is sent once and does not count for the endpoint's health", async () => {
    const ama = await agent();
    const { hook, secret } = await open(ama);
    endpoint.answer(() => new Response(null, { status: 500 }));
    await webhookDeliveries.ping(db, { by: ama.by(), key: null, hookId: hook.id });
    await sendDue();
    expect((await deliveriesOf(hook))[0]).toMatchObject({ event: "ping", state: "failed", attempts: 1 });
    expect((await hookOf(ama, hook)).failingSince).toBeNull();
    const { headers, body } = takenAt(hook)[0]!;
    expect(new Webhook(secret).verify(body, Object.fromEntries(headers.entries()))).toMatchObject({
      type: "ping",
      data: { webhookId: hook.id },
    });
  });
});
