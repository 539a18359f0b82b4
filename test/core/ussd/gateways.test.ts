// The figures of USSD gateways: how sessions ended, who ran short, and when admins get an e-mail.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { ussdSessions } from "../../../db/schema/ussd.ts";
import * as gatewayHours from "../../../src/core/platform/gateway-hours.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import * as gatewayAlerts from "../../../src/core/ussd/gateway-alerts.ts";
import * as gatewayFigures from "../../../src/core/ussd/gateway-figures.ts";
import { gatewayOf } from "../../../src/core/ussd/gateways.ts";
import * as usage from "../../../src/core/ussd/usage.ts";
import { count, times } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const ALL = { first: "2020-01-01", last: "2099-12-31" };

beforeEach(async () => {
  for (const name of ["ussd_sessions", "gateway_hours", "messages", "jobs", "rate_limits", "sms_attempts"])
    await db.execute(sql`delete from ${sql.identifier(name)}`);
  await settings.change(db, {
    by: yaw.by("admin"),
    values: { gateway_unreadable_max: 20, gateway_failures_percent: 20 },
  });
});

let made = 0;
type Row = Partial<typeof ussdSessions.$inferInsert>;
/** A session that nobody can continue any more. */
const session = (state: string, more: Row = {}) =>
  db.insert(ussdSessions).values({
    ...{ id: `session${++made}`, msisdn: "233541234567", serviceCode: "*920*55#", state, hops: 2 },
    ...{ endedAt: new Date(), startedAt: new Date(Date.now() - 15 * 60_000), path: [state] },
    ...more,
  });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe("sessions", () => {
  test("belong to the gateway that their id begins with, and bare ids to Africa's Talking", async () => {
    const ids = ["ATUid_1", "africastalking-2", "hubtel-3", "arkesel-4", "nalo-5", "hubteller-6", "x-7"];
    const codes = ["africastalking", "africastalking", "hubtel", "arkesel", "nalo", "africastalking"];
    expect(ids.map(gatewayOf)).toEqual([...codes, "africastalking"]);
    for (const id of ids) await session("balance", { id });
    await usage.countOver(db);
    const found = await gatewayFigures.figures(db, ALL);
    expect(found.map(({ gateway, endings, requests }) => [gateway, endings.finished, requests])).toEqual([
      ...[["africastalking", 4, 8]],
      ...["arkesel", "hubtel", "nalo"].map((code) => [code, 1, 2]),
    ]);
  });

  test("are counted once, by how they ended", async () => {
    const left = { endedAt: null };
    for (const [state, more] of [
      ["bought", {}],
      ["order_paid", { endStatus: "Failed" }],
      ["short", {}],
      ["pay", left],
      ["pay", { ...left, endStatus: "Incomplete", durationMs: 30_000 }],
      ["pay", { ...left, endStatus: "Incomplete", durationMs: 121_000 }],
      ["pay", { ...left, endStatus: "Timeout" }],
      ["pay", { ...left, stumbles: ["failure"] }],
      ["goodbye", { endStatus: "Failed" }],
      ["stranger", {}],
      ["locked", {}],
      ["goodbye", { endStatus: "Success" }],
    ] as [string, Row][])
      await session(state, more);
    while ((await usage.countOver(db)) > 0);
    const [figures] = await gatewayFigures.figures(db, ALL);
    expect(figures!.endings).toEqual({
      ...{ bought: 2, short: 1, left: 2, timed_out: 2, refused: 2, error: 2, finished: 1 },
    });
    expect(figures!.requests).toBe(24);
    expect((await gatewayFigures.figures(db, { first: "2020-01-01", last: "2020-01-02" })).length).toBe(0);
  });
});

test("requests that could not be read, and our own errors, are counted apart by gateway", async () => {
  await usage.countFailure(db, { gateway: "hubtel", kind: "unreadable" });
  await Promise.all(times(5, () => usage.countFailure(db, { gateway: "hubtel", kind: "failure" })));
  const [figures] = await gatewayFigures.figures(db, ALL);
  expect(figures).toMatchObject({ gateway: "hubtel", requests: 0, unreadable: 1, failures: 5 });
  await db.execute(sql`update gateway_hours set hour = now() - interval '401 days'`);
  await gatewayHours.forgetOld(db);
  expect(await count(db, sql`from gateway_hours`)).toBe(0);
});

describe("an agent who ran short", () => {
  const short = (userId: number, minutes: number, needed: number, had = 100) =>
    session("short", {
      userId,
      startedAt: minutesAgo(minutes),
      context: { neededPesewas: needed, balancePesewas: had, heldPesewas: 20 },
    });

  test("is listed once with what was missing last; those who still are come first", async () => {
    const [ama, kofi, esi, abla] = [
      await world.person("ama", "GH₵ 1.00"),
      await world.person("kofi", "GH₵ 50.00"),
      await world.person("esi", "GH₵ 1.00"),
      await world.person("abla"),
    ];
    await short(ama.id, 200, 900);
    await short(ama.id, 100, 450);
    await short(kofi.id, 30, 2000);
    await short(esi.id, 60, 390);
    await short(abla.id, 4 * 24 * 60, 390);
    await session("bought", { userId: abla.id });
    const listed = await gatewayFigures.ranShort(db);
    expect(
      listed.map(({ username, times: howOften, missingPesewas, hasEnough }) => [
        username,
        howOften,
        missingPesewas,
        hasEnough,
      ]),
    ).toEqual([
      ["esi", 1, 310, false],
      ["ama", 2, 370, false],
      ["kofi", 1, 1920, true],
    ]);
    expect(listed[1]).toMatchObject({ msisdn: "233541234567", neededPesewas: 450, hasBought: false });
  });
});

describe("admins get an e-mail", () => {
  const mails = () => count(db, sql`from messages where kind = 'gateway_fails'`);
  const lastMail = async () =>
    (await db.execute<{ body: string }>(sql`select body from messages order by id desc limit 1`))[0]?.body ?? "";
  const unreadable = (channel: "ussd" | "sms", gateway: string, howMany: number) =>
    Promise.all(times(howMany, () => gatewayHours.count(db, { channel, gateway, kind: "unreadable" })));

  test("when more requests than allowed cannot be read, once an hour for each gateway", async () => {
    await unreadable("ussd", "hubtel", 20);
    await gatewayAlerts.alertAdmins(db);
    expect(await mails()).toBe(0);
    await unreadable("ussd", "hubtel", 1);
    await gatewayAlerts.alertAdmins(db);
    await gatewayAlerts.alertAdmins(db);
    expect(await mails()).toBe(1);
    expect(await lastMail()).toContain("21 USSD requests from Hubtel");
    await unreadable("sms", "arkesel", 21);
    await gatewayAlerts.alertAdmins(db);
    expect(await lastMail()).toContain("21 SMS callbacks from Arkesel");
    expect(await mails()).toBe(2);
    await db.execute(sql`update rate_limits set resets_at = now()`);
    await gatewayAlerts.alertAdmins(db);
    expect(await mails()).toBe(4);
  });

  test("when more than the allowed share of an hour's requests fails, unless there are few", async () => {
    await settings.change(db, { by: yaw.by("admin"), values: { gateway_failures_percent: 50 } });
    const failure = { gateway: "nalo", kind: "failure" } as const;
    await Promise.all(times(10, () => usage.countFailure(db, failure)));
    expect(await gatewayAlerts.troubles(db)).toEqual([]);
    await session("balance", { id: "nalo-1", hops: 10, startedAt: new Date() });
    expect(await gatewayAlerts.troubles(db)).toEqual([]);
    await usage.countFailure(db, failure);
    expect(await gatewayAlerts.troubles(db)).toEqual([
      { channel: "ussd", name: "Nalo", kind: "failures", count: 11, total: 21 },
    ]);
    await gatewayAlerts.alertAdmins(db);
    expect(await lastMail()).toContain("11 of 21 USSD requests by Nalo failed");
  });

  test("when SMS by a gateway fail; a message under way counts as nothing", async () => {
    const [{ id }] = (await db.execute<{ id: number }>(sql`
      insert into messages (kind, channel, recipient, body, send_before)
      values ('notice', 'sms', '233541234567', 'x', now()) returning id`)) as unknown as [{ id: number }];
    const attempts = (howMany: number, outcome: string | null) =>
      db.execute(sql`
        insert into sms_attempts (message_id, gateway, outcome)
        select ${id}, 'hubtel', ${outcome}::text from generate_series(1, ${howMany})`);
    await attempts(16, "accepted");
    await attempts(4, "down");
    await attempts(9, null);
    expect(await gatewayAlerts.troubles(db)).toEqual([]);
    await attempts(1, "unknown");
    expect(await gatewayAlerts.troubles(db)).toEqual([
      { channel: "sms", name: "Hubtel", kind: "failures", count: 5, total: 21 },
    ]);
  });

  test("not about what was before this hour", async () => {
    await unreadable("ussd", "hubtel", 21);
    await db.execute(sql`update gateway_hours set hour = hour - interval '1 hour'`);
    expect(await gatewayAlerts.troubles(db)).toEqual([]);
  });
});
