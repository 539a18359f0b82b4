// Push messages about deliveries and refunds: noted in the commit of the change, collected for a minute, and sent to
// the browsers whose owners asked for them, for as long as they are logged in there.
import { afterAll, beforeEach, expect, test } from "bun:test";
import { eq, inArray, sql } from "drizzle-orm";
import { messages, pushSubscriptions } from "../../../db/schema/messaging.ts";
import { startPushService } from "../../../dev/simulators/push.ts";
import { sendPushMessages } from "../../../src/app/worker.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as users from "../../../src/core/identity/users.ts";
import { batchDue } from "../../../src/core/messaging/push.ts";
import * as devices from "../../../src/core/messaging/push-devices.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import { BUDGETS } from "../../../src/core/platform/budgets/budget-table.ts";
import * as budgets from "../../../src/core/platform/budgets/budgets.ts";
import { createPush, newVapidKeys } from "../../../src/gateways/push.ts";
import { type AdminTarget, limits } from "../../../src/shared/domain.ts";
import { createLog } from "../../../src/telemetry/log.ts";
import { count, freshNumber, refusal, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { createTestHooks, openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const keys = { ...newVapidKeys(), subject: "mailto:shop@example.com" };
const service = startPushService(keys.publicKey);
afterAll(() => service.stop());
beforeEach(() => service.answer(201));
const push = createPush(keys, createTestHooks());
const log = createLog("silent");

let people = 0;
const agent = () => world.person(`agent${++people}`, "GH₵ 100.00");
const logIn = (person: Person) =>
  sessions.logIn(db, {
    email: person.email,
    password: person.password,
    address: "41.66.0.1",
    userAgent: "test",
  });
async function withAlerts(person: Person, target = service.subscribe()) {
  const { id: sessionId } = await logIn(person);
  await devices.subscribe(db, push, { by: person.by(), sessionId, target });
  return { ...target, sessionId };
}
const buy = async (person: Person, msisdn = freshNumber()) =>
  (
    await orders.buy(db, {
      by: person.by(),
      key: null,
      line: { productId: bundle.id, msisdn, quantity: 1 },
    })
  ).answer.order.id;
const move = (to: AdminTarget, ...ids: number[]) => statusChanges.move(db, { by: yaw.by("admin"), key: null, ids, to });
async function deliver(...ids: number[]) {
  await move("PROCESSING", ...ids);
  await move("DELIVERED", ...ids);
}
/** Lets the minute pass, and runs the worker's round. */
async function aMinuteLater(gateway: typeof push | null = push) {
  await db.execute(sql`update jobs set run_at = now() where kind in ('batch_push', 'send_push')`);
  await sendPushMessages(db, { senders: { sms: null, email: null }, push: gateway, codeKey: "" }, log);
}
type Target = ReturnType<typeof service.subscribe>;
const textsOn = (browser: Target) => service.shownBy(browser).map(({ content }) => content.body);

test("a delivery is shown on the phone after a minute, without a price or the whole number", async () => {
  const ama = await agent();
  const phone = await withAlerts(ama);
  await deliver(await buy(ama, "0245550012"));
  await sendPushMessages(db, { senders: { sms: null, email: null }, push, codeKey: "" }, log);
  expect(textsOn(phone)).toEqual([]);
  await aMinuteLater();
  expect(textsOn(phone)).toEqual(["MTN 1GB to … 0012 was delivered."]);
  await aMinuteLater();
  expect(textsOn(phone)).toHaveLength(1);
});

test("deliveries and refunds within a minute are one message of each kind", async () => {
  const ama = await agent();
  const [phone, laptop] = [await withAlerts(ama), await withAlerts(ama)];
  const ids = await Promise.all(Array.from({ length: 5 }, () => buy(ama)));
  await deliver(...ids.slice(0, 2));
  await deliver(ids[2]!);
  await move("FAILED", ids[3]!);
  await move("FAILED", ids[4]!);
  await aMinuteLater();
  const texts = ["2 orders failed. The money is back in your wallet.", "3 orders delivered."];
  expect(textsOn(phone).sort()).toEqual(texts);
  expect(textsOn(laptop).sort()).toEqual(texts);
});

test("nobody is notified of others' orders, or of what they cancelled themselves", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  const phone = await withAlerts(kofi);
  await deliver(await buy(ama));
  await cancelling.cancel(db, { by: kofi.by(), key: null, orderId: await buy(kofi) });
  expect(await count(db, sql`from push_notices`)).toBe(0);
  await aMinuteLater();
  expect(textsOn(phone)).toEqual([]);
});

test("a change that is rolled back leaves no note", async () => {
  const ama = await agent();
  await withAlerts(ama);
  const id = await buy(ama);
  await move("PROCESSING", id);
  await db.execute(sql`alter table push_notices add constraint broken check (user_id < 0) not valid`);
  expect(await deliver(id).catch(() => "failed")).toBe("failed");
  await db.execute(sql`alter table push_notices drop constraint broken`);
  expect(await count(db, sql`from push_notices`)).toBe(0);
});

test("several workers send one message", async () => {
  const ama = await agent();
  const phone = await withAlerts(ama);
  await deliver(await buy(ama), await buy(ama));
  await Promise.all([aMinuteLater(), aMinuteLater(), aMinuteLater()]);
  expect(textsOn(phone)).toEqual(["2 orders delivered."]);
});

longTest("a logout on the phone, a logout everywhere and a ban end its messages", async () => {
  const ama = await agent();
  const [phone, laptop] = [await withAlerts(ama), await withAlerts(ama)];
  await deliver(await buy(ama));
  await sessions.logOut(db, phone.sessionId);
  await aMinuteLater();
  expect([textsOn(phone).length, textsOn(laptop).length]).toEqual([0, 1]);
  await sessions.endAll(db, ama.id, "none");
  expect(await devices.list(db, ama.id)).toEqual([]);
  const esi = await agent();
  const other = await withAlerts(esi);
  await deliver(await buy(esi));
  await users.ban(db, { by: yaw.by("admin"), userId: esi.id });
  await aMinuteLater();
  expect(textsOn(other)).toEqual([]);
});

test("a session that is over gets nothing before anybody clears it away, nor does a banned account", async () => {
  const over = (sessionId: string) =>
    db.execute(sql`update sessions set expires_at = now() - interval '1 second' where id = ${sessionId}`);
  const [ama, kofi, esi] = [await agent(), await agent(), await agent()];
  const [early, late, banned] = [await withAlerts(ama), await withAlerts(kofi), await withAlerts(esi)];
  await deliver(await buy(ama), await buy(kofi), await buy(esi));
  // One ends before its message is queued, one after that.
  await over(early.sessionId);
  await db.execute(sql`update users set status = 'BANNED' where id = ${esi.id}`);
  await db.execute(sql`update jobs set run_at = now() where kind = 'batch_push'`);
  await batchDue(db, 10);
  expect(await db.$count(messages, inArray(messages.userId, [ama.id, esi.id]))).toBe(0);
  await over(late.sessionId);
  await aMinuteLater();
  for (const phone of [early, late, banned]) expect(textsOn(phone)).toEqual([]);
});

test("a subscription that the browser has ended is forgotten, and another failure is tried again", async () => {
  const ama = await agent();
  const [gone, phone] = [await withAlerts(ama), await withAlerts(ama)];
  await db
    .update(pushSubscriptions)
    .set({ endpoint: `${service.url}/push/unknown` })
    .where(eq(pushSubscriptions.endpoint, gone.endpoint));
  await deliver(await buy(ama));
  service.answer(503);
  await aMinuteLater();
  expect((await devices.list(db, ama.id)).map(({ sessionId }) => sessionId)).toEqual([phone.sessionId]);
  service.answer(201);
  await aMinuteLater();
  expect(textsOn(phone)).toHaveLength(1);
  const rows = await db.select().from(messages).where(eq(messages.userId, ama.id));
  expect(rows.map(({ state }) => state).sort()).toEqual(["failed", "sent"]);
});

test("an account has five browsers at most, and a browser one account: the last that asked", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  const all = [];
  for (let n = 0; n <= limits.pushDevices; n++) all.push(await withAlerts(ama));
  const live = await devices.list(db, ama.id);
  expect(live.map(({ sessionId }) => sessionId)).toEqual(all.slice(1).map(({ sessionId }) => sessionId));
  const shared = all.at(-1)!;
  const { endpoint, p256dh, auth } = shared;
  await withAlerts(kofi, { endpoint, p256dh, auth });
  expect(await devices.list(db, ama.id)).toHaveLength(limits.pushDevices - 1);
});

test("browsers that register at the same moment are counted one after the other", async () => {
  const ama = await agent();
  const logins = await Promise.all(times(2 * limits.pushDevices, () => logIn(ama)));
  await withSecondServer(world, (other) =>
    Promise.all(
      logins.map(({ id: sessionId }, i) =>
        devices.subscribe(i % 2 ? db : other, push, { by: ama.by(), sessionId, target: service.subscribe() }),
      ),
    ),
  );
  expect(await count(db, sql`from push_subscriptions where user_id = ${ama.id}`)).toBe(limits.pushDevices);
});

longTest("registering has a budget, because it resolves a name, and so have an account's messages", async () => {
  const ama = await agent();
  const phone = await withAlerts(ama);
  const { by, sessionId } = { by: ama.by(), sessionId: phone.sessionId };
  for (let n = 1; n < BUDGETS["push.addresses"].countMax; n++)
    await devices.subscribe(db, push, { by, sessionId, target: phone });
  const refused = await refusal(devices.subscribe(db, push, { by, sessionId, target: phone }));
  expect([refused.code, refused.message]).toEqual([
    "request.rate_limited",
    expect.stringContaining("You have turned alerts on too often."),
  ]);
  for (let n = 0; n < BUDGETS["push.account"].countMax; n++) await budgets.spend(db, "push.account", ama.id);
  await deliver(await buy(ama));
  await aMinuteLater();
  expect([textsOn(phone), await count(db, sql`from push_notices`)]).toEqual([[], 0]);
});

test("nobody turns off another account's browser, or names an address in our own network", async () => {
  const [ama, kofi] = [await agent(), await agent()];
  await withAlerts(ama);
  const [browser] = await devices.list(db, ama.id);
  await devices.unsubscribe(db, { by: kofi.by(), id: browser!.id });
  expect(await devices.list(db, ama.id)).toHaveLength(1);
  await devices.unsubscribe(db, { by: ama.by(), id: browser!.id });
  expect(await devices.list(db, ama.id)).toEqual([]);
  const strict = createPush(keys, createTestHooks({ reachesThisMachine: false }));
  const { id: sessionId } = await logIn(ama);
  const target = service.subscribe();
  const refused = await refusal(devices.subscribe(db, strict, { by: ama.by(), sessionId, target }));
  expect(refused.code).toBe("request.invalid");
});

test("a shop whose keys were removed sends nothing, and keeps nothing to send", async () => {
  const ama = await agent();
  const phone = await withAlerts(ama);
  await deliver(await buy(ama));
  await aMinuteLater(null);
  expect(textsOn(phone)).toEqual([]);
  expect(await count(db, sql`from push_notices`)).toBe(0);
  expect(await count(db, sql`from jobs where kind in ('batch_push', 'send_push')`)).toBe(0);
});
