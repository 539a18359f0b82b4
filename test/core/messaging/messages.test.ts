// Messages: written in the commit of their cause, sent once by whichever worker is free, and never twice by guess.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { messages as table } from "../../../db/schema/messaging.ts";
import { startAfricasTalking } from "../../../dev/simulators/africastalking.ts";
import { startMailbox } from "../../../dev/simulators/mailbox.ts";
import * as messages from "../../../src/core/messaging/messages.ts";
import type { Senders } from "../../../src/core/messaging/sender.ts";
import * as jobs from "../../../src/core/platform/jobs.ts";
import { createAfricasTalking } from "../../../src/gateways/africastalking.ts";
import { createMail } from "../../../src/gateways/mail.ts";
import { count, databaseRefusal, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama");
const africasTalking = await startAfricasTalking();
const mailbox = await startMailbox();
afterAll(() => Promise.all([africasTalking.stop(), mailbox.stop()]));

const { username, apiKey, url: baseUrl } = africasTalking;
const sendersWith = (timeoutMs: number): Senders => ({
  sms: {
    africastalking: createAfricasTalking({ baseUrl, username, apiKey, senderId: "DataFie", timeoutMs }),
  },
  email: createMail({ url: mailbox.url, from: "DataFie <no-reply@shop.example>", timeoutMs }),
});
/** Timeouts for calls that are answered in the end, and for those that never are. */
const [senders, hasty] = [sendersWith(60_000), sendersWith(300)];

// The first message loads the package, which takes longer than these timeouts.
await senders.sms!.africastalking!.send({
  id: 0,
  kind: "test",
  recipient: "233541234567",
  subject: null,
  body: "",
});

beforeEach(async () => {
  africasTalking.reset();
  mailbox.reset();
  await db.execute(sql`delete from jobs`);
  await db.execute(sql`delete from messages`);
});

const sms = { userId: ama.id, kind: "notice", channel: "sms", subject: "", body: "Paid GH₵ 3.90" } as const;
const toPhone = { ...sms, recipient: "233541234567" };
const toMailbox = { ...sms, channel: "email", recipient: ama.email, subject: "Paid" } as const;
const code = { codeSeconds: 900, body: "907856 is your code" };

/** Lets time pass for everything that waits. */
const secondsPass = (seconds: number) =>
  db.execute(sql`update jobs set run_at = run_at - make_interval(secs => ${seconds})`);
const send = (by = senders) => messages.sendDue(db, by, 10);
const rows = () => db.select().from(table).orderBy(table.id);
const only = async () => (await rows())[0]!;
const waitSeconds = async () => {
  const [row] = await db.execute<{ wait: number }>(
    sql`select round(extract(epoch from run_at - now()))::int as wait from jobs`,
  );
  return row?.wait ?? null;
};

describe("a message", () => {
  test("is committed with the change that it is about, or not at all", async () => {
    const change = db.transaction(async (tx) => {
      await messages.queue(tx, toPhone);
      throw new Error("the power went out");
    });
    expect(await change.catch((error: Error) => error.message)).toBe("the power went out");
    expect([await count(db, sql`from messages`), await count(db, sql`from jobs`)]).toEqual([0, 0]);
    await db.transaction((tx) => messages.queue(tx, toPhone));
    expect(await only()).toMatchObject({
      state: "queued",
      body: "Paid GHS 3.90",
      subject: null,
      attempts: 0,
    });
  });

  test("is sent, and its row has the provider's reference", async () => {
    await db.transaction((tx) => messages.queue(tx, toPhone));
    await db.transaction((tx) => messages.queue(tx, toMailbox));
    expect((await send()).map(({ kind }) => kind)).toEqual(["accepted", "accepted"]);
    const [first, second] = await rows();
    const [taken] = africasTalking.messages();
    expect(taken).toMatchObject({ to: "+233541234567", message: "Paid GHS 3.90" });
    expect(first).toMatchObject({ state: "sent", providerId: taken!.messageId, body: "Paid GHS 3.90" });
    expect(mailbox.mails()).toMatchObject([{ to: ama.email, subject: "Paid", text: "Paid GH₵ 3.90" }]);
    expect(second).toMatchObject({ state: "sent", providerId: `<message-${second!.id}@shop.example>` });
    expect(await count(db, sql`from jobs`)).toBe(0);
    expect(await send()).toEqual([]);
  });

  longTest("is sent once, however many workers are looking", async () => {
    for (const _ of times(30, (n) => n)) await db.transaction((tx) => messages.queue(tx, toPhone));
    await withSecondServer(world, (other) =>
      Promise.all(times(8, (n) => messages.sendDue(n % 2 ? db : other, senders, 7))),
    );
    while ((await send()).length > 0);
    expect(africasTalking.messages()).toHaveLength(30);
    expect(await count(db, sql`from messages where state = 'sent' and attempts = 1`)).toBe(30);
  });

  test("of a channel that is not set up fails at once, and says so", async () => {
    await db.transaction((tx) => messages.queue(tx, toPhone));
    const [report] = await messages.sendDue(db, { sms: null, email: null }, 10);
    expect(report).toMatchObject({ kind: "refused", reason: "sms is not configured" });
    expect(await only()).toMatchObject({ state: "failed", lastError: "sms is not configured" });
  });

  test("that has expired is not sent", async () => {
    await db.transaction((tx) => messages.queue(tx, { ...toMailbox, ...code }));
    await db.execute(sql`update messages set send_before = now() - interval '1 second'`);
    await send();
    expect(await only()).toMatchObject({ state: "failed", lastError: "too late", body: null });
    expect(mailbox.mails()).toEqual([]);
  });

  test("is deleted after three months", async () => {
    await db.transaction((tx) => messages.queue(tx, toPhone));
    await db.transaction((tx) => messages.queue(tx, toMailbox));
    await db.execute(sql`update messages set created_at = now() - interval '91 days' where channel = 'sms'`);
    await messages.forgetOld(db);
    expect((await rows()).map(({ channel }) => channel)).toEqual(["email"]);
  });
});

describe("a message with a code", () => {
  for (const [condition, message, fault] of [
    ["taken", toPhone, null],
    ["of unknown fate", toPhone, "hang"],
    ["taken by the mail server", toMailbox, null],
  ] as const) {
    test(`no longer contains it once it is ${condition}`, async () => {
      if (fault) africasTalking.next(fault);
      await db.transaction((tx) => messages.queue(tx, { ...message, ...code }));
      expect((await only()).body).toContain("907856");
      await send(fault ? hasty : senders);
      expect((await only()).body).toBeNull();
      expect(await count(db, sql`from messages where messages::text like '%907856%'`)).toBe(0);
    });
  }

  test("cannot be marked as done with its text still there: the database refuses", async () => {
    await db.transaction((tx) => messages.queue(tx, { ...toPhone, ...code }));
    const done = db.execute(sql`update messages set state = 'sent'`);
    expect(await databaseRefusal(done)).toBe("messages_body_until_done");
  });

  test("keeps the code and the recipient out of the log", async () => {
    africasTalking.next("dropAfter", "http500", "insufficientBalance");
    mailbox.next("busy");
    for (const _ of times(3, (n) => n)) await db.transaction((tx) => messages.queue(tx, { ...toPhone, ...code }));
    for (const recipient of ["nobody@example.com", ama.email])
      await db.transaction((tx) => messages.queue(tx, { ...toMailbox, ...code, recipient }));
    const report = JSON.stringify(await send());
    for (const secret of ["907856", "54123", "example.com", apiKey]) expect(report).not.toContain(secret);
  });
});

describe("an SMS that was not accepted", () => {
  const faultOf = (ending: string) => ({ ...toPhone, recipient: `2335412345${ending}` });

  test("for a permanent reason is not retried: a blocked or an impossible number", async () => {
    for (const ending of ["01", "06", "09"]) await db.transaction((tx) => messages.queue(tx, faultOf(ending)));
    await send();
    expect((await rows()).map(({ state, attempts }) => [state, attempts])).toEqual(times(3, () => ["failed", 1]));
    expect(await count(db, sql`from jobs`)).toBe(0);
  });

  test("by the gateway is tried three times, with a growing wait", async () => {
    await db.transaction((tx) => messages.queue(tx, faultOf("07")));
    await send();
    expect([(await only()).state, await waitSeconds()]).toEqual(["queued", 60]);
    await secondsPass(61);
    await send();
    expect([(await only()).state, await waitSeconds()]).toEqual(["queued", 240]);
    await secondsPass(241);
    await send();
    expect(await only()).toMatchObject({ state: "failed", attempts: 3, lastError: "502 RejectedByGateway" });
  });

  test("because of the account waits until that is fixed, and uses up no attempt", async () => {
    africasTalking.next("insufficientBalance", "invalidSenderId", "insufficientBalance", "insufficientBalance");
    await db.transaction((tx) => messages.queue(tx, toPhone));
    for (const wait of [60, 120, 180, 240]) {
      expect((await send())[0]!.kind).toBe("down");
      expect([await waitSeconds(), (await only()).attempts]).toEqual([wait, 0]);
      await secondsPass(wait + 1);
    }
    await send();
    expect(await only()).toMatchObject({ state: "sent", attempts: 1 });
  });

  test("because the provider does not answer waits, too", async () => {
    const nowhere = { baseUrl: "http://127.0.0.1:1", username, apiKey, senderId: null };
    await db.transaction((tx) => messages.queue(tx, toPhone));
    await messages.sendDue(db, { ...senders, sms: { africastalking: createAfricasTalking(nowhere) } }, 10);
    expect([(await only()).state, await waitSeconds()]).toEqual(["queued", 60]);
  });
});

describe("an SMS with an unknown result", () => {
  for (const fault of ["hang", "dropAfter", "http500", "html201"] as const) {
    const by = fault === "hang" ? hasty : senders;
    longTest(`(${fault}) is sent once more if it is a notice, after a minute`, async () => {
      africasTalking.next(fault, fault);
      await db.transaction((tx) => messages.queue(tx, toPhone));
      await send(by);
      expect([(await only()).state, await waitSeconds()]).toEqual(["queued", 60]);
      await secondsPass(61);
      await send(by);
      expect(await only()).toMatchObject({ state: "unknown", attempts: 2 });
      expect(await count(db, sql`from jobs`)).toBe(0);
    });

    test(`(${fault}) is not sent again if it carries a code`, async () => {
      africasTalking.next(fault);
      await db.transaction((tx) => messages.queue(tx, { ...toPhone, ...code }));
      await send(by);
      expect(await only()).toMatchObject({ state: "unknown", attempts: 1 });
      expect(await count(db, sql`from jobs`)).toBe(0);
    });
  }

  test("is one whose worker died between the call and the record", async () => {
    await db.transaction((tx) => messages.queue(tx, { ...toPhone, ...code }));
    // Such a worker leaves a message in the state `sending`, accepted by the provider, and a lease that ends.
    await jobs.claim(db, "send_message", 1, 60);
    await db.execute(sql`update messages set state = 'sending', attempts = 1`);
    expect(await send()).toEqual([]);
    await secondsPass(61);
    expect((await send())[0]).toMatchObject({ kind: "unknown" });
    expect(await only()).toMatchObject({ state: "unknown", attempts: 1, body: null });
    expect(africasTalking.messages()).toEqual([]);
  });
});

test("an e-mail with an unknown result is sent again with the same id, which mail readers show once", async () => {
  mailbox.next("hangAtData");
  await db.transaction((tx) => messages.queue(tx, toMailbox));
  await send(hasty);
  expect([(await only()).state, await waitSeconds()]).toEqual(["queued", 60]);
  await secondsPass(61);
  await send();
  expect(await only()).toMatchObject({ state: "sent", attempts: 2 });
  const names = mailbox.mails().map(({ messageId }) => messageId);
  expect(names).toHaveLength(2);
  expect(new Set(names).size).toBe(1);
});
