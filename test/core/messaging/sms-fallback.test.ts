// SMS by several gateways: which one sends, what goes by the fall-back, and what must not.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { messages as table } from "../../../db/schema/messaging.ts";
import { startAfricasTalking } from "../../../dev/simulators/africastalking.ts";
import { startArkesel } from "../../../dev/simulators/arkesel.ts";
import { startHubtel } from "../../../dev/simulators/hubtel.ts";
import * as deliveryReports from "../../../src/core/messaging/delivery-reports.ts";
import * as messages from "../../../src/core/messaging/messages.ts";
import * as optOuts from "../../../src/core/messaging/opt-outs.ts";
import type { Senders, SmsSenders } from "../../../src/core/messaging/sender.ts";
import * as smsAttempts from "../../../src/core/messaging/sms-attempts.ts";
import * as smsBudget from "../../../src/core/messaging/sms-budget.ts";
import * as jobs from "../../../src/core/platform/jobs.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { createAfricasTalking } from "../../../src/gateways/africastalking.ts";
import { createArkesel } from "../../../src/gateways/arkesel.ts";
import { createHubtel } from "../../../src/gateways/hubtel.ts";
import { count, times } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const [at, arkesel, hubtel] = await Promise.all([startAfricasTalking(), startArkesel(), startHubtel()]);
afterAll(() => Promise.all([at.stop(), arkesel.stop(), hubtel.stop()]));

const reportUrl = () => null;
const gateways = (timeoutMs: number): Required<SmsSenders> => ({
  africastalking: createAfricasTalking({ ...at, baseUrl: at.url, senderId: null, timeoutMs }),
  arkesel: createArkesel({ ...arkesel, baseUrl: arkesel.url, reportUrl, timeoutMs }),
  hubtel: createHubtel({ ...hubtel, baseUrl: hubtel.url, timeoutMs }),
});
const all = gateways(60_000);
const patient: Senders = { sms: all, email: null };
const hasty: Senders = { sms: gateways(300), email: null };
// The first message loads the package, which takes longer than the short timeout.
await all.africastalking.send({ id: 0, kind: "test", recipient: "233541234567", subject: null, body: "x" });

const choose = (first: string, second: string) =>
  settings.change(db, { by: yaw.by("admin"), values: { sms_gateway: first, sms_fallback: second } });

beforeEach(async () => {
  for (const simulator of [at, arkesel, hubtel]) simulator.reset();
  for (const name of ["jobs", "messages", "rate_limits", "sms_opt_outs", "webhook_events"])
    await db.execute(sql`delete from ${sql.identifier(name)}`);
  await choose("africastalking", "arkesel");
});

const notice = { userId: null, kind: "notice", channel: "sms", subject: "", body: "Paid" } as const;
const code = { ...notice, kind: "phone_code", codeSeconds: 900, body: "907856 is your code" };
const queue = (message: messages.NewMessage) => db.transaction((tx) => messages.queue(tx, message));
const to = (ending: string) => `2335412345${ending}`;
const send = (by = patient) => messages.sendDue(db, by, 10);
const secondsPass = (seconds: number) =>
  db.execute(sql`update jobs set run_at = run_at - make_interval(secs => ${seconds})`);
const only = async () => (await db.select().from(table).where(sql`channel = 'sms'`))[0]!;
/** What was tried, as "arkesel accepted". */
const tried = async () => {
  const { id } = await only();
  const found = (await smsAttempts.ofAll(db, [id])).get(id) ?? [];
  return found.map(({ gateway, outcome }) => `${gateway} ${outcome}`);
};
/** How many messages reached each gateway. */
const received = () => [at, arkesel, hubtel].map((one) => one.messages().length);
const isWaiting = async () => (await count(db, sql`from jobs where run_at > now()`)) > 0;

describe("an SMS is sent by", () => {
  test("the chosen gateway, which is recorded", async () => {
    await choose("hubtel", "arkesel");
    await queue({ ...notice, recipient: to("67") });
    await send();
    expect(received()).toEqual([0, 0, 1]);
    expect(hubtel.messages()[0]).toMatchObject({ to: `+${to("67")}`, from: "DataFie", message: "Paid" });
    const { state, gateway, providerId } = await only();
    const sent = { state: "sent", gateway: "hubtel", providerId: hubtel.messages()[0]!.messageId };
    expect<object>({ state, gateway, providerId }).toEqual(sent);
    expect(await tried()).toEqual(["hubtel accepted"]);
  });

  test("the fall-back if the chosen one has no keys, and by any other that has if neither has", async () => {
    const { arkesel: first, hubtel: second } = all;
    await queue({ ...notice, recipient: to("67") });
    await send({ sms: { arkesel: first, hubtel: second }, email: null });
    expect(received()).toEqual([0, 1, 0]);
    await queue({ ...notice, recipient: to("67") });
    await send({ sms: { hubtel: second }, email: null });
    expect(received()).toEqual([0, 1, 1]);
  });
});

describe("an SMS that the first gateway certainly did not send goes by the fall-back at once:", () => {
  for (const [reason, ending, outcome] of [
    ["no credit", "04", "down"],
    ["an unknown sender name", "05", "down"],
    ["an invalid number", "06", "refused"],
    ["rejected by the network", "07", "busy"],
  ] as const)
    test(reason, async () => {
      await queue({ ...code, recipient: to(ending) });
      expect(await send()).toMatchObject([{ kind: outcome, gateway: "africastalking", isPassedOn: true }]);
      expect(await isWaiting()).toBe(false);
      await send();
      expect(received()).toEqual([0, 1, 0]);
      expect(await tried()).toEqual([`africastalking ${outcome}`, "arkesel accepted"]);
      const { state, gateway, attempts, body } = await only();
      expect<unknown[]>([state, gateway, attempts, body]).toEqual(["sent", "arkesel", 1, null]);
      expect(await count(db, sql`from jobs`)).toBe(0);
    });

  test("nothing listens there", async () => {
    const nowhere = createAfricasTalking({ ...at, baseUrl: "http://127.0.0.1:1", senderId: null });
    const senders = { sms: { ...all, africastalking: nowhere }, email: null };
    await queue({ ...code, recipient: to("67") });
    await send(senders);
    await send(senders);
    expect(await tried()).toEqual(["africastalking down", "arkesel accepted"]);
  });
});

describe("an SMS that may have been sent", () => {
  for (const fault of ["hangAfter", "dropAfter", "http500", "html201"] as const) {
    const by = fault === "hangAfter" ? hasty : patient;
    test(`(${fault}) never goes by the fall-back with a code`, async () => {
      at.next(fault);
      await queue({ ...code, recipient: to("67") });
      expect(await send(by)).toMatchObject([{ kind: "unknown", isPassedOn: false }]);
      await secondsPass(3600);
      expect(await send(by)).toEqual([]);
      expect([(await only()).state, received()[1]]).toEqual(["unknown", 0]);
    });

    test(`(${fault}) is sent once more as a notice, after a minute, by the fall-back`, async () => {
      at.next(fault);
      arkesel.next("dropAfter");
      await queue({ ...notice, recipient: to("67") });
      await send(by);
      expect(await isWaiting()).toBe(true);
      await secondsPass(61);
      await send(by);
      expect(await tried()).toEqual(["africastalking unknown", "arkesel unknown"]);
      await secondsPass(3600);
      expect(await send(by)).toEqual([]);
      expect((await only()).state).toBe("unknown");
      const [first, second] = received();
      expect(first! + second!).toBeLessThanOrEqual(2);
    });
  }
});

describe("when both fail", () => {
  test("a message waits while they are down, uses up no attempt, and begins with the first again", async () => {
    await queue({ ...notice, recipient: to("90") });
    for (const _ of times(2, (i) => i)) {
      await send();
      await send();
      expect([(await only()).attempts, await isWaiting()]).toEqual([0, true]);
      await secondsPass(300);
    }
    expect(await tried()).toEqual(times(2, () => ["africastalking down", "arkesel down"]).flat());
  });

  test("and both refuse it, it is over", async () => {
    arkesel.next("refused");
    await queue({ ...notice, recipient: to("06") });
    await send();
    await send();
    expect(await only()).toMatchObject({ state: "failed", lastError: "invalid number", attempts: 1 });
    expect(await count(db, sql`from jobs`)).toBe(0);
  });

  test("the one that refused it is not called again", async () => {
    arkesel.next("noCredit");
    await queue({ ...notice, recipient: to("06") });
    await send();
    await send();
    await secondsPass(300);
    await send();
    expect(await tried()).toEqual(["africastalking refused", "arkesel down", "arkesel accepted"]);
  });

  test("for a moment, it is tried in three rounds", async () => {
    const busy = { send: async () => ({ kind: "busy", reason: "rejected" }) as const };
    const senders = { sms: { africastalking: busy, arkesel: busy }, email: null };
    await queue({ ...notice, recipient: to("67") });
    while ((await send(senders)).length > 0) await secondsPass(3600);
    expect(await tried()).toHaveLength(6);
    expect(await only()).toMatchObject({ state: "failed", attempts: 3 });
  });
});

describe("a number that stopped our SMS", () => {
  test("at one gateway gets no notice by the other, but a code", async () => {
    await queue({ ...notice, recipient: to("01") });
    await send();
    expect([(await only()).state, received()]).toEqual(["failed", [0, 0, 0]]);
    await db.execute(sql`delete from messages`);
    await queue({ ...code, recipient: to("01") });
    await send();
    await send();
    expect([(await only()).state, received()]).toEqual(["sent", [0, 1, 0]]);
  });

  test("gets what passes its choice and nothing else, until it allows notices again", async () => {
    const recipient = to("67");
    await optOuts.stop(db, recipient, "sms");
    await optOuts.stop(db, recipient, "gateway");
    for (const passesOptOut of [false, true])
      await queue({
        ...notice,
        kind: passesOptOut ? "pin_locked" : "order_delivered",
        recipient,
        passesOptOut,
      });
    await queue({ ...code, recipient });
    await queue({ ...notice, recipient: to("68") });
    await send();
    const rows = await db.select().from(table).orderBy(table.id);
    expect(rows.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      ...["order_delivered failed", "pin_locked sent", "phone_code sent", "notice sent"],
    ]);
    expect(rows[0]!.lastError).toBe("the number has stopped SMS notices");
    expect(await optOuts.latestOf(db, recipient)).toMatchObject({ source: "sms", endedAt: null });
    expect(await optOuts.allow(db, recipient, "sms")).toBe(true);
    expect(await optOuts.allow(db, recipient, "sms")).toBe(false);
    expect(await optOuts.latestOf(db, recipient)).toMatchObject({ endedBy: "sms" });
    await queue({ ...notice, recipient });
    expect(await send()).toMatchObject([{ kind: "accepted" }]);
  });
});

describe("the day's budget", () => {
  const spent = async () => {
    const [row] = await db.execute<{ count: number }>(sql`select count from rate_limits where bucket = 'sms.shop'`);
    return row?.count ?? 0;
  };
  const within = smsBudget.within(db, patient);

  test("counts a message once, however often and by whomever it is tried", async () => {
    arkesel.next("noCredit");
    await queue({ ...notice, recipient: to("04") });
    await send(within);
    await send(within);
    await secondsPass(300);
    await send(within);
    await send(within);
    expect(await tried()).toHaveLength(4);
    expect(await spent()).toBe(1);
  });

  test("stops a message for both gateways, and no attempt is recorded", async () => {
    await settings.change(db, { by: yaw.by("admin"), values: { sms_day_max: 0 } });
    await queue({ ...notice, recipient: to("67") });
    expect(await send(within)).toMatchObject([{ kind: "refused", isPassedOn: false }]);
    await settings.change(db, { by: yaw.by("admin"), values: { sms_day_max: 5000 } });
    expect([received(), await tried(), (await only()).state]).toEqual([[0, 0, 0], [], "failed"]);
  });
});

test("a worker that dies while the fall-back has a message leaves it in doubt; a notice goes there again", async () => {
  for (const [message, after] of [
    [code, "unknown"],
    [notice, "sent"],
  ] as const) {
    await db.execute(sql`delete from messages`);
    await queue({ ...message, recipient: to("04") });
    await send();
    // Such a worker leaves the state and the attempt that `begin` wrote, and a lease that ends.
    const [job] = await jobs.claim(db, "send_message", 1, 60);
    await db.execute(sql`update messages set state = 'sending', gateway = 'arkesel', attempts = 1`);
    await db.transaction((tx) => smsAttempts.start(tx, job!.subjectId, "arkesel"));
    await secondsPass(61);
    await send();
    await secondsPass(61);
    await send();
    expect((await only()).state).toBe(after);
    const attempts = ["africastalking down", "arkesel unknown"];
    expect(await tried()).toEqual(after === "sent" ? [...attempts, "arkesel accepted"] : attempts);
  }
  expect(at.messages()).toEqual([]);
});

test("a delivery report belongs to the gateway that sent the message, and is read in its own terms", async () => {
  await choose("arkesel", "");
  await queue({ ...notice, recipient: to("67") });
  await send();
  const providerId = arkesel.messages()[0]!.messageId;
  const report = (gateway: "africastalking" | "arkesel", status: string) =>
    deliveryReports.receive(db, { gateway, providerId, status, reason: null, more: {} });
  const state = async () => [(await only()).state, (await only()).reportStatus];
  // Another gateway may have given the same id to another message.
  await report("africastalking", "Failed");
  await report("arkesel", "Success");
  expect(await state()).toEqual(["sent", null]);
  await report("arkesel", "SUBMITTED");
  expect(await state()).toEqual(["sent", "SUBMITTED"]);
  await report("arkesel", "NOT_DELIVERED");
  expect(await state()).toEqual(["undelivered", "NOT_DELIVERED"]);
  await report("arkesel", "QUEUED");
  await report("arkesel", "DELIVERED");
  await report("arkesel", "EXPIRED");
  expect(await state()).toEqual(["delivered", "DELIVERED"]);
  await db.execute(sql`update webhook_events set received_at = now() - interval '91 days'`);
  await messages.forgetOld(db);
  const kept = sql`from webhook_events where provider = 'arkesel-sms'`;
  expect(await count(db, kept)).toBeGreaterThan(0);
  await db.execute(sql`update messages set created_at = now() - interval '91 days'`);
  await messages.forgetOld(db);
  expect([await count(db, kept), await count(db, sql`from messages`)]).toEqual([0, 0]);
});
