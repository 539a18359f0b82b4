// Replay: the messages of a span are sent again under their ids and in their order, once for each request.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import { BUDGETS } from "../../../src/core/platform/budgets/budget-table.ts";
import * as budgets from "../../../src/core/platform/budgets/budgets.ts";
import * as webhookDeliveries from "../../../src/core/webhooks/deliveries.ts";
import * as dispatch from "../../../src/core/webhooks/dispatch.ts";
import * as hooks from "../../../src/core/webhooks/endpoints.ts";
import { pass } from "../../../src/core/webhooks/passing-time.ts";
import { replay } from "../../../src/core/webhooks/replay.ts";
import { exampleOf } from "../../../src/http/webhook-events.ts";
import { limits } from "../../../src/shared/domain.ts";
import { count, key, outcome, refusal, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";
import { openReader } from "./reading.ts";

const world = await openWorld();
const { db, yaw } = world;
const reader = openReader(world);
let people = 0;
const agent = () => world.person(`agent${++people}`, "GH₵ 100.00");
const topUp = (person: Person) =>
  wallet.adjust(db, {
    ...{ by: yaw.by("admin"), key: null, userId: person.id, amountPesewas: 100, reason: "Counted again" },
  });
const LONG_AGO = new Date("2026-01-01T00:00:00Z");
const again = async (person: Person, hook: hooks.Hook, own: Partial<Parameters<typeof replay>[1]> = {}) =>
  (await replay(db, { by: person.by(), key: null, hookId: hook.id, since: LONG_AGO, ...own })).answer.count;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const age = (messageId: string, hours: number) =>
  db.execute(sql`
    update hook_deliveries set created_at = now() - make_interval(hours => ${hours})
    where id = ${Number(messageId.slice(4))}`);

beforeEach(() => reader.endpoint.answer(() => new Response(null, { status: 204 })));
afterEach(async () => {
  await db.execute(sql`delete from hooks`);
  await db.execute(sql`delete from rate_limits`);
});

longTest("every message of the span is sent again, as it was, in its order, and none outside", async () => {
  const ama = await agent();
  const hook = await reader.open(ama, "all");
  for (const _ of times(4, () => 0)) await topUp(ama);
  const first = await reader.read(hook);
  for (const [n, hours] of [20, 9, 6, 2].entries()) await age(first[n]!.id, hours);
  expect(await again(ama, hook, { since: hoursAgo(10), until: hoursAgo(3) })).toBe(2);
  expect(await reader.read(hook)).toEqual(first.slice(1, 3));
  expect(await again(ama, hook, { since: hoursAgo(10) })).toBe(3);
  // One at a time, as to an endpoint that fails: the order is that of the messages.
  await db.execute(sql`update hooks set failing_since = now() where id = ${hook.id}`);
  await reader.read(hook);
  const order = reader.endpoint
    .received()
    .slice(-3)
    .map(({ headers }) => headers.get("webhook-id"));
  expect(order).toEqual(first.slice(1).map(({ id }) => id));
});

test("failed ones are sent again with all their tries, and only the events that were asked for", async () => {
  const ama = await agent();
  const hook = await reader.open(ama, "all");
  reader.endpoint.answer(() => new Response(null, { status: 500 }));
  await topUp(ama);
  await reader.read(hook);
  expect(await again(ama, hook, { events: ["order.refunded"] })).toBe(0);
  expect(await again(ama, hook, { events: ["order.refunded", "wallet.topped_up"] })).toBe(1);
  expect(await reader.read(hook)).toHaveLength(3);
});

test("tests, and messages on their way, are left as they are", async () => {
  const ama = await agent();
  const hook = await reader.open(ama, "all");
  const test = { by: ama.by(), key: null, hookId: hook.id };
  await webhookDeliveries.ping(db, test);
  await webhookDeliveries.sendExample(db, { ...test, example: exampleOf("wallet.topped_up") });
  await db.execute(sql`update hook_deliveries set state = 'delivered', ended_at = now()`);
  await topUp(ama);
  expect(await again(ama, hook)).toBe(0);
  await db.execute(sql`update hook_deliveries set state = 'sending' where not is_test and event <> 'ping'`);
  expect(await again(ama, hook)).toBe(0);
});

test("the same key replays once, and two requests at once send each message once", async () => {
  const ama = await agent();
  const hook = await reader.open(ama, "all");
  await topUp(ama);
  await topUp(ama);
  await reader.read(hook);
  const ask = { by: ama.by(), key: key("once", "POST /replay"), hookId: hook.id, since: LONG_AGO };
  const answers = await Promise.all([replay(db, ask), replay(db, ask), replay(db, { ...ask, key: null })]);
  const [keyed, repeated, other] = answers.map(({ answer }) => answer.count);
  expect([repeated, keyed! + other!]).toEqual([keyed, 2]);
  expect(await reader.read(hook)).toHaveLength(2);
  expect((await replay(db, ask)).replayed).toBe(true);
  expect(await reader.read(hook)).toEqual([]);
});

longTest("somebody else's webhook is not found, one that is off is refused, and a span too full is, too", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  const hook = await reader.open(ama, "all");
  expect(await outcome(again(kofi, hook))).toBe("webhook.not_found");
  await hooks.change(db, reader.keys, { by: ama.by(), hookId: hook.id, isOn: false });
  expect(await outcome(again(ama, hook))).toBe("webhook.paused");
  const full = await reader.open(ama, "all");
  await db.execute(sql`
    insert into hook_deliveries (hook_id, event, body, state, ended_at, created_at)
    select ${full.id}, 'wallet.topped_up', '{}', 'delivered', now(), now() - interval '3 days'
    from generate_series(1, ${limits.hookReplay}::int)`);
  await topUp(ama);
  await db.execute(sql`
    update hook_deliveries set state = 'delivered', ended_at = now()
    where hook_id = ${full.id} and state = 'waiting' and event <> 'ping'`);
  expect(await outcome(again(ama, full))).toBe("webhook.replay_too_many");
  expect(await count(db, sql`from hook_deliveries where hook_id = ${full.id} and state = 'waiting'`)).toBe(0);
  expect(await again(ama, full, { until: hoursAgo(24) })).toBe(limits.hookReplay);
});

test("is limited by the hour", async () => {
  const ama = await agent();
  const hook = await reader.open(ama, "all");
  const outcomes = [];
  for (const _ of times(13, () => 0)) outcomes.push(await outcome(again(ama, hook)));
  expect(outcomes.filter((one) => one === "done")).toHaveLength(12);
  expect(outcomes.at(-1)).toBe("request.rate_limited");
});

test("an account, and a server for all, have a bound of messages a day; the refusal says what is left", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  const [hook, other] = [await reader.open(ama, "all"), await reader.open(kofi, "all")];
  for (const person of [ama, ama, ama, kofi]) await topUp(person);
  await reader.read(hook);
  await reader.read(other);
  const { countMax } = BUDGETS["webhook.replayed"];
  const host = new URL(hook.url).hostname;
  await budgets.reserve(db, "webhook.replayed", ama.id, countMax - 2);
  const refused = await refusal(again(ama, hook));
  expect([refused.status, refused.details?.limit, refused.message]).toEqual([
    429,
    "webhook.replayed",
    "You have had many messages sent again today. 2 more fit: choose a shorter span. Try again in 24 hours.",
  ]);
  // What was refused was neither queued nor counted.
  expect(await count(db, sql`from hook_deliveries where state = 'waiting'`)).toBe(0);
  expect(await again(kofi, other)).toBe(1);
  await reader.read(other);
  await budgets.reserve(db, "webhook.replayed_host", host, BUDGETS["webhook.replayed_host"].countMax - 1);
  expect((await refusal(again(kofi, other))).details?.limit).toBe("webhook.replayed_host");
});

longTest("they go at the receiver's pace: nothing more while it refuses, or before it asked for more", async () => {
  const ama = await agent();
  const hook = await reader.open(ama, "all");
  for (const _ of times(30, () => 0)) await topUp(ama);
  await reader.read(hook);
  const before = reader.endpoint.received().length;
  const arrived = () => reader.endpoint.received().length - before;
  const passed = (seconds: number) => db.transaction((tx) => pass(tx, ama.id, seconds));
  const plan = { retrySeconds: [5, 30, 120, 600], pauseAfterSeconds: 86_400 };
  let [status, retryAfter] = [429, "90"];
  reader.endpoint.answer(() => new Response(null, { status, headers: { "retry-after": retryAfter } }));
  expect(await again(ama, hook)).toBe(30);
  await dispatch.sendDue(db, reader.keys, plan);
  // What was on its way together, and then nothing.
  expect(arrived()).toBe(4);
  await passed(89);
  await dispatch.sendDue(db, reader.keys, plan);
  expect(arrived()).toBe(4);
  [status, retryAfter] = [503, ""];
  await passed(1);
  await dispatch.sendDue(db, reader.keys, plan);
  expect(arrived()).toBe(5);
  // The second failure in a row: half a minute, and five minutes at most however long it goes on.
  await passed(29);
  await dispatch.sendDue(db, reader.keys, plan);
  expect(arrived()).toBe(5);
  for (const wait of [2, 121, 301]) {
    await passed(wait);
    await dispatch.sendDue(db, reader.keys, plan);
  }
  expect(arrived()).toBe(8);
  // A test is sent at once, because its owner is watching.
  await webhookDeliveries.ping(db, { by: ama.by(), key: null, hookId: hook.id });
  await dispatch.sendDue(db, reader.keys, plan);
  expect(arrived()).toBe(9);
  status = 204;
  await passed(100_000);
  await dispatch.sendDue(db, reader.keys, plan);
  expect(await count(db, sql`from hook_deliveries where hook_id = ${hook.id} and state = 'waiting'`)).toBe(0);
});
