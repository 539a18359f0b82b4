// Tests of the day's summary: once a day, from the closing hour on, to owners alone, and as one SMS where they want it.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import { summarySms } from "../../../src/core/messaging/texts/summary-texts.ts";
import { sendDue } from "../../../src/core/overview/daily-summary.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { lineFor, times } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 50.00");
await world.person("manager", undefined, ["MANAGER"]);
const by = yaw.by("admin");
const sent = () =>
  db.execute<{ recipient: string; channel: string; subject: string; body: string }>(
    sql`select recipient, channel, subject, body from messages where kind = 'summary' order by id`,
  );
/** Lets today's be sent again, as tomorrow's will be. */
const forget = () => db.execute(sql`delete from rate_limits where bucket like 'summary of %'`);
const change = (values: Partial<settings.Settings>) => settings.change(db, { by, values });

test("a day without orders has none, and neither has one before its closing hour", async () => {
  await change({ summary_hour: 0 });
  await sendDue(db);
  expect(await sent()).toHaveLength(0);
  await orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) });
  const [{ hour }] = (await db.execute<{ hour: number }>(
    sql`select extract(hour from now() at time zone 'Africa/Accra')::int as hour`,
  )) as unknown as [{ hour: number }];
  // After eleven at night every hour has begun.
  if (hour < 23) {
    await change({ summary_hour: 23 });
    await sendDue(db);
    expect(await sent()).toHaveLength(0);
  }
});

test("each owner gets it once, however many workers look", async () => {
  await change({ summary_hour: 0 });
  await Promise.all(times(4, () => sendDue(db)));
  await sendDue(db);
  const mails = await sent();
  expect(mails.map(({ recipient, channel }) => [recipient, channel])).toEqual([[yaw.email, "email"]]);
  expect(mails[0]!.subject).toBe("Today: GH₵ 3.90 from 1 order");
  expect(mails[0]!.body).toContain("1 order came in for GH₵ 3.90");
});

test("it goes by SMS to owners with a phone, or not at all, as the shop has it", async () => {
  await forget();
  await change({ summary_by: "" });
  await sendDue(db);
  expect(await sent()).toHaveLength(1);
  await db.execute(sql`insert into phones (user_id, msisdn) values (${yaw.id}, '233541234567')`);
  await change({ summary_by: "sms" });
  await sendDue(db);
  expect((await sent()).map(({ recipient, channel }) => [recipient, channel])).toEqual([
    [yaw.email, "email"],
    ["233541234567", "sms"],
  ]);
});

test("of the busiest day it is still one SMS", () => {
  const day = { orders: 99_999, salesPesewas: 99_999_999, earnedPesewas: 9_999_999, salesBeforePesewas: 99_999_999 };
  expect(summarySms({ ...day, waiting: times(12, () => "things") }).body.length).toBeLessThanOrEqual(160);
});
