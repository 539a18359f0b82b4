// Notices of what waits: to whom, how, when, and never more than one message in ten minutes.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as notices from "../../../src/core/overview/notices.ts";
import { lineFor } from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const esi = await world.person("esi", undefined, ["SUPPORT"]);
const kojo = await world.person("kojo", undefined, ["DESK"]);
const ama = await world.person("ama", "GH₵ 10.00");
const bundle = await world.product("MTN", "1GB", "3.90");
await db.execute(
  sql`insert into phones (user_id, msisdn) values (${kojo.id}, '233241234567'), (${esi.id}, '233241234568')`,
);

type Sent = { user_id: number; channel: string; subject: string | null; body: string };
const sent = async (since = 0) => [
  ...(await db.execute<Sent & { id: number }>(sql`
    select id, user_id, channel, subject, body from messages where kind = 'waiting' and id > ${since} order by id`)),
];
const lastId = async () => (await sent()).at(-1)?.id ?? 0;
/** Sends what is due; returns the messages by username. */
async function round(): Promise<Record<string, Sent>> {
  const before = await lastId();
  await notices.notifyDue(db);
  const names = new Map([yaw, esi, kojo, ama].map(({ id, username }) => [id, username]));
  return Object.fromEntries((await sent(before)).map((message) => [names.get(message.user_id), message]));
}
/** Lets the time pass in which nobody gets a second message. */
const pass = (minutes: number) =>
  db.execute(sql`
    with a as (update rate_limits set resets_at = resets_at - make_interval(mins => ${minutes})),
    b as (update waiting_notices set sent_at = sent_at - make_interval(mins => ${minutes}))
    update waiting_kinds set began_at = began_at - make_interval(mins => ${minutes})`);
const by = (person: Person) => person.by("web");

test("an owner gets an e-mail by default about what is urgent, others only what they chose", async () => {
  expect(await round()).toEqual({});
  await db.execute(sql`
    insert into payments (user_id, amount_pesewas, paid_pesewas, state, reference)
    values (${ama.id}, 5000, 4000, 'review', 'pay-1')`);
  await db.execute(sql`
    insert into deposits (user_id, transaction_id, amount_pesewas) values (${ama.id}, '123456', 2500)`);
  const first = await round();
  expect(Object.keys(first)).toEqual(["admin"]);
  expect(first.admin).toMatchObject({ channel: "email", subject: "1 payment to check" });
  expect(first.admin!.body).toContain("1 payment to check (oldest under a minute, GHS 40.00)");
  expect(first.admin!.body).not.toContain("deposit");
});

test("once when it begins to wait, and once more if it still waits after the set time", async () => {
  expect(await round()).toEqual({});
  await pass(59);
  expect(await round()).toEqual({});
  await pass(2);
  expect(Object.keys(await round())).toEqual(["admin"]);
  await pass(600);
  expect(await round()).toEqual({});
});

test("what ends and begins again is new", async () => {
  await db.execute(sql`update payments set state = 'expired'`);
  expect(await round()).toEqual({});
  await db.execute(sql`update payments set state = 'review'`);
  expect(Object.keys(await round())).toEqual(["admin"]);
});

test("by SMS to who chose it, without money for who may not see it, and never two in ten minutes", async () => {
  await notices.choose(db, { by: by(kojo), channels: { desk_orders: "sms", deposits: "sms" } });
  await notices.choose(db, { by: by(esi), channels: { support: "email", deposits: "email" } });
  const { order } = (await orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) })).answer;
  await db.execute(sql`
    insert into attempts (order_id, user_id, vendor, reference, state)
    values (${order.id}, ${ama.id}, 'desk', 'by hand', 'queued')`);
  await db.execute(sql`insert into jobs (kind, subject_id, dead_at) values ('nothing', 1, now())`);
  const { kojo: toKojo, esi: toEsi } = await round();
  // Deposits are not for the desk, whatever was sent.
  expect(toKojo).toMatchObject({
    channel: "sms",
    body: "DataFie: 1 order at the desk, not taken. Open Today.",
  });
  expect(toEsi).toMatchObject({ channel: "email", subject: "1 deposit to decide" });
  expect(toEsi!.body).not.toContain("25.00");
  await db.execute(
    sql`insert into support_requests (user_id, subject_type, message) values (${ama.id}, 'general', 'Help')`,
  );
  expect(await round()).toEqual({});
  await pass(11);
  expect((await round()).esi).toMatchObject({ subject: "1 support request to answer" });
});

test("an SMS names as much as it holds", async () => {
  await db.execute(sql`update jobs set dead_at = null`);
  await round();
  await notices.choose(db, {
    by: by(yaw),
    channels: {
      payments_in_review: "sms",
      deposits: "sms",
      support: "sms",
      dead_jobs: "sms",
      differences: "sms",
      vendors_paused: "sms",
    },
  });
  await db.execute(sql`insert into phones (user_id, msisdn) values (${yaw.id}, '233241234569')`);
  await db.execute(sql`update jobs set dead_at = now()`);
  await db.execute(sql`insert into vendors (code, paused_for, paused_at) values ('hubnet', 'key_refused', now())`);
  await db.execute(sql`insert into reconciliation_differences (reference, kind) values ('a', 'not_ours')`);
  await db.execute(sql`delete from waiting_notices`);
  await pass(11);
  const { admin: toYaw } = await round();
  expect(toYaw!.body.length).toBeLessThanOrEqual(160);
  expect(toYaw!.body).toMatch(/^DataFie: 1 supplier is paused, 1 payment to check, .*, and \d more\. Open Today\.$/);
});

test("nobody who was banned, and nobody without the right, is notified; and agents choose nothing", async () => {
  await db.execute(sql`update users set status = 'BANNED' where id = ${esi.id}`);
  await db.execute(sql`delete from waiting_notices`);
  await pass(11);
  expect(Object.keys(await round()).sort()).toEqual(["admin", "kojo"]);
  expect(notices.choose(db, { by: by(ama), channels: { support: "email" } })).rejects.toThrow();
  expect((await notices.choicesOf(db, by(kojo))).map(({ kind }) => kind)).not.toContain("deposits");
});
