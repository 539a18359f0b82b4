// The callbacks of SMS gateways besides inbound SMS: Arkesel's delivery reports, opt-outs, STOP and START; and what
// cannot be read is counted.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { messages as table } from "../../db/schema/messaging.ts";
import { arkeselAddressOf, arkeselSecretsOf } from "../../src/core/messaging/callbacks.ts";
import * as messages from "../../src/core/messaging/messages.ts";
import * as optOuts from "../../src/core/messaging/opt-outs.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { count } from "../support/asking.ts";
import { openWorld, TEST_JWT_SECRET } from "../support/world.ts";
import { equipPhone, openLine } from "./dialling.ts";

const world = await openWorld();
const { db, yaw } = world;
const line = openLine(world);
const AMA = "233541839111";
await equipPhone(world, await world.person("ama", "GH₵ 10.00"), AMA);

beforeEach(async () => {
  for (const name of ["messages", "rate_limits", "sms_opt_outs", "inbound_sms", "gateway_hours", "jobs"])
    await db.execute(sql`delete from ${sql.identifier(name)}`);
});

const isStopped = async (msisdn: string) => {
  const latest = await optOuts.latestOf(db, msisdn);
  return latest !== null && latest.endedAt === null;
};
/** Waits until this many callbacks of a gateway were counted as unreadable. */
async function untilUnreadable(gateway: string, expected: number): Promise<void> {
  const counted = sql`from gateway_hours where channel = 'sms' and gateway = ${gateway} and kind = 'unreadable'`;
  const sum = async () => {
    const [row] = await db.execute<{ sum: number }>(sql`select coalesce(sum(count), 0)::int as sum ${counted}`);
    return row!.sum;
  };
  while ((await sum()) < expected) await Bun.sleep(5);
  expect(await sum()).toBe(expected);
}

describe("a delivery report of Arkesel", () => {
  const origin = new URL(line.url("delivery")).origin;
  const reports = arkeselAddressOf(origin, arkeselSecretsOf(TEST_JWT_SECRET));
  const report = (query: string, address = reports) => fetch(`${address}?${query}`);

  test("is applied to its message", async () => {
    await settings.change(db, { by: yaw.by("admin"), values: { sms_gateway: "arkesel" } });
    const sms = {
      userId: null,
      kind: "notice",
      channel: "sms",
      recipient: AMA,
      subject: "",
      body: "x",
    } as const;
    await db.transaction((tx) => messages.queue(tx, sms));
    const arkesel = { send: async () => ({ kind: "accepted", providerId: "0b3f-1" }) as const };
    await messages.sendDue(db, { sms: { arkesel }, email: null }, 1);
    const response = await report("sms_id=0b3f-1&status=DELIVERED");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    const [row] = await db.select().from(table);
    expect(row).toMatchObject({ state: "delivered", reportStatus: "DELIVERED" });
  });

  test("needs the secret, which is not that of Africa's Talking", async () => {
    for (const address of [
      reports.replace(/[^/]+\/delivery$/, `${"x".repeat(43)}/delivery`),
      line.url("delivery").replace("africastalking", "arkesel"),
    ])
      expect((await report("sms_id=1&status=DELIVERED", address)).status).toBe(404);
    expect((await fetch(reports.replace("arkesel", "africastalking"), { method: "POST" })).status).toBe(404);
  });

  test("that cannot be read is answered and counted", async () => {
    const unreadable = ["", "sms_id=1", "status=DELIVERED", "sms_id=%00&status=DELIVERED", "sms_id=1&status=<b>"];
    for (const query of unreadable) expect((await report(query)).status).toBe(200);
    await untilUnreadable("arkesel", unreadable.length);
  });
});

describe("an opt-out that Africa's Talking reports", () => {
  const post = (body: string) =>
    fetch(line.url("opt-out"), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    });

  test("stops notices to that number, once", async () => {
    for (const _ of [1, 2])
      expect((await post(new URLSearchParams({ senderId: "DataFie", phoneNumber: `+${AMA}` }).toString())).status).toBe(
        200,
      );
    expect(await optOuts.latestOf(db, AMA)).toMatchObject({ source: "gateway", endedAt: null });
    expect(await count(db, sql`from sms_opt_outs`)).toBe(1);
  });

  test("needs the secret", async () => {
    const address = line.url("opt-out").replace(/[^/]+\/opt-out$/, `${"x".repeat(43)}/opt-out`);
    expect((await fetch(address, { method: "POST" })).status).toBe(404);
  });

  test("that cannot be read is answered and counted, and stops nobody", async () => {
    const unreadable = ["", `phoneNumber=+${AMA}`, "phoneNumber=%2B447911123456", `phoneNumber=${AMA}`];
    for (const body of unreadable) expect((await post(body)).status).toBe(200);
    await untilUnreadable("africastalking", unreadable.length);
    expect(await count(db, sql`from sms_opt_outs`)).toBe(0);
  });
});

describe("by SMS", () => {
  const answers = async (msisdn: string) =>
    (await db.execute<{ body: string }>(sql`select body from messages where recipient = ${msisdn} order by id`)).map(
      ({ body }) => body,
    );

  test("STOP stops notices and START allows them again, each with one reply", async () => {
    const phone = line.phone(AMA);
    await phone.sendSms("Stop.");
    expect(await isStopped(AMA)).toBe(true);
    await phone.sendSms("start");
    expect(await isStopped(AMA)).toBe(false);
    await phone.sendSms("stop all");
    expect(await isStopped(AMA)).toBe(true);
    const [stopped, started] = await answers(AMA);
    expect(stopped).toContain("Text START to get notices again");
    expect(started).toContain("notices by SMS again");
    const kept = sql`from inbound_sms where (command, outcome) in (('STOP', 'stopped'), ('START', 'started'))`;
    expect(await count(db, kept)).toBe(3);
  });

  test("STOP is confirmed to the account's mailbox, once, because its sender can be forged", async () => {
    const phone = line.phone(AMA);
    await phone.sendSms("STOP");
    await phone.sendSms("STOP");
    const mails = sql`from messages where kind = 'sms_stopped' and channel = 'email' and recipient = 'ama@example.com'`;
    expect(await count(db, mails)).toBe(1);
    await phone.sendSms("START");
    await phone.sendSms("STOP");
    expect(await count(db, mails)).toBe(2);
  });

  test("a message that comes again has no second effect", async () => {
    const phone = line.phone(AMA);
    await phone.sendSms("STOP", { id: "one" });
    await phone.sendSms("START", { id: "two" });
    await phone.sendSms("STOP", { id: "one" });
    expect(await isStopped(AMA)).toBe(false);
    expect(await answers(AMA)).toHaveLength(2);
  });

  test("a number without an account can stop them, too; nothing else is taken for STOP", async () => {
    const stranger = "233541839222";
    for (const text of ["STOP IT NOW", "dont stop", "STOPP"]) await line.phone(stranger).sendSms(text);
    expect(await isStopped(stranger)).toBe(false);
    await line.phone(stranger).sendSms("UNSUBSCRIBE");
    expect(await isStopped(stranger)).toBe(true);
  });
});
