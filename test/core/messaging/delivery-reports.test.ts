// Delivery reports of SMS: in any order, twice, at once, or before our own call has returned.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { messages as table } from "../../../db/schema/messaging.ts";
import * as deliveryReports from "../../../src/core/messaging/delivery-reports.ts";
import * as messages from "../../../src/core/messaging/messages.ts";
import type { Senders } from "../../../src/core/messaging/sender.ts";
import { count, databaseRefusal, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama");

let made = 0;
/** A provider that accepts everything, and lets a test act between accepting a message and answering. */
let beforeAnswer = async (_providerId: string) => {};
const senders: Senders = {
  sms: {
    africastalking: {
      send: async () => {
        made += 1;
        const providerId = `ATXid_${made}`;
        await beforeAnswer(providerId);
        return { kind: "accepted", providerId };
      },
    },
  },
  email: null,
};
const nothing = async () => {};

beforeEach(async () => {
  beforeAnswer = nothing;
  for (const name of ["jobs", "messages", "webhook_events"]) await db.execute(sql`delete from ${sql.identifier(name)}`);
});

const notice = {
  userId: ama.id,
  kind: "order_refunded",
  channel: "sms",
  recipient: "233541234567",
  subject: "",
  body: "Paid",
} as const;
const send = (on = db) => messages.sendDue(on, senders, 10);
const sent = async () => {
  await db.transaction((tx) => messages.queue(tx, notice));
  await send();
  return `ATXid_${made}`;
};
const report = (providerId: string, status: string, reason: string | null = null, on = db) =>
  deliveryReports.receive(on, {
    ...{ gateway: "africastalking", providerId, status, reason },
    more: { networkCode: "62001" },
  });
const only = async () => {
  const [row] = await db.select().from(table);
  return { state: row!.state, status: row!.reportStatus, reason: row!.reportReason };
};

const fates: [reports: string[], state: string, status: string | null][] = [
  [["Sent"], "sent", "Sent"],
  [["Sent", "Submitted", "Buffered"], "sent", "Buffered"],
  [["Success"], "delivered", "Success"],
  [["Success", "Buffered", "Sent"], "delivered", "Success"],
  [["Success", "Failed"], "delivered", "Success"],
  [["Failed", "Success"], "delivered", "Success"],
  [["AbsentSubscriber"], "undelivered", "AbsentSubscriber"],
  [["AbsentSubscriber", "Buffered"], "undelivered", "AbsentSubscriber"],
  [["AbsentSubscriber", "Success"], "delivered", "Success"],
  [["AbsentSubscriber", "Expired"], "undelivered", "Expired"],
  [["Rejected", "AbsentSubscriber", "Failed"], "undelivered", "Rejected"],
  [["Teleported", "constructor"], "sent", null],
  [["Teleported", "Success", "Teleported"], "delivered", "Success"],
];

describe("an SMS with the reports", () => {
  for (const [reports, state, status] of fates) {
    test(`${reports.join(", ")}: is ${state}`, async () => {
      const id = await sent();
      for (const one of reports) await report(id, one);
      expect(await only()).toMatchObject({ state, status });
    });

    test(`the same before our call returned: is ${state}, too`, async () => {
      beforeAnswer = async (id) => {
        for (const one of reports) await report(id, one);
        expect(await only()).toMatchObject({ state: "sending", status: null });
      };
      await sent();
      expect(await only()).toMatchObject({ state, status });
    });
  }

  test("the reason of a failure is on the message, and goes when it arrives after all", async () => {
    const id = await sent();
    await report(id, "Failed", "NotNetworkSubcriber");
    expect(await only()).toEqual({ state: "undelivered", status: "Failed", reason: "NotNetworkSubcriber" });
    await report(id, "Success");
    expect(await only()).toEqual({ state: "delivered", status: "Success", reason: null });
  });

  test("a repeated report changes nothing", async () => {
    const id = await sent();
    expect(await Promise.all(times(8, () => report(id, "Success")))).toContain("known");
    expect(await count(db, sql`from webhook_events`)).toBe(1);
    expect((await only()).state).toBe("delivered");
  });
});

longTest("a report and the answer to our call at the same moment are matched, in either order", async () => {
  await withSecondServer(world, async (other) => {
    for (const n of times(40, (i) => i)) {
      await db.transaction((tx) => messages.queue(tx, notice));
      const reports: Promise<unknown>[] = [];
      // Not awaited: the provider's answer and the network's report arrive together.
      beforeAnswer = async (id) => {
        reports.push(report(id, "Success", null, other));
        if (n % 2) await Promise.resolve();
      };
      await send();
      await Promise.all(reports);
    }
  });
  expect(await count(db, sql`from messages where state = 'delivered'`)).toBe(40);
  expect(await count(db, sql`from webhook_events where processed_at is null`)).toBe(0);
});

test("reports of all kinds at once leave the most certain one", async () => {
  const id = await sent();
  await withSecondServer(world, (other) =>
    Promise.all(
      ["Buffered", "Failed", "Success", "Sent", "AbsentSubscriber"].map((one, n) =>
        report(id, one, null, n % 2 ? db : other),
      ),
    ),
  );
  expect((await only()).state).toBe("delivered");
});

test("a report of an unknown message is stored and changes nothing", async () => {
  await sent();
  const before = await db.select().from(table);
  expect(await report("ATXid_of_nobody", "Success")).toBe("stored");
  expect(await db.select().from(table)).toEqual(before);
  expect(await count(db, sql`from webhook_events where processed_at is null`)).toBe(1);
});

test("a report changes its message and nothing else in the database", async () => {
  const id = await sent();
  const other = await sent();
  const everything = async () => {
    const [row] = await db.execute<{ fingerprint: string }>(sql`
      select md5(concat((select string_agg(u::text, '' order by id) from users u), (select count(*) from jobs),
        (select string_agg(w::text, '' order by user_id) from wallets w), (select count(*) from audit_log),
        (select string_agg(m::text, '' order by id) from messages m where provider_id = ${other}))) as fingerprint`);
    return row!.fingerprint;
  };
  const before = await everything();
  for (const [status] of [["Buffered"], ["Failed"], ["Success"]]) await report(id, status!);
  expect(await everything()).toBe(before);
});

test("the database refuses `delivered` for e-mails, and for an SMS without a report", async () => {
  await db.transaction((tx) =>
    messages.queue(tx, { ...notice, channel: "email", recipient: ama.email, subject: "Paid" }),
  );
  for (const change of [
    sql`state = 'delivered', report_status = 'Success'`,
    sql`state = 'undelivered', channel = 'sms'`,
  ])
    expect(await databaseRefusal(db.execute(sql`update messages set ${change}`))).toMatch(/^messages_/);
});

test("a message is found by the provider's reference through an index, however many there are", async () => {
  await db.execute(sql`
    insert into messages (kind, channel, recipient, body, state, provider_id, send_before)
    select 'notice', 'sms', '233541234567', 'x', 'sent', 'bulk_' || n, now() from generate_series(1, 5000) n`);
  await db.execute(sql`analyze messages`);
  const plan = await db.execute<{ "QUERY PLAN": string }>(
    sql`explain select id from messages where provider_id = 'bulk_77' and channel = 'sms' for update`,
  );
  expect(JSON.stringify(plan)).toContain("messages_provider");
});

test("reports are deleted with the messages, after three months", async () => {
  await report(await sent(), "Success");
  await db.execute(sql`update webhook_events set received_at = now() - interval '91 days'`);
  await db.execute(sql`
    insert into webhook_events (provider, dedupe_key, event, body, received_at)
    values ('paystack', 'kept', 'charge.success', '{}', now() - interval '91 days')`);
  await messages.forgetOld(db);
  const rows = await db.execute<{ provider: string }>(sql`select provider from webhook_events`);
  expect(rows.map(({ provider }) => provider)).toEqual(["paystack"]);
});
