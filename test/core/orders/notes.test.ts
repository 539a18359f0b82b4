// Notes that admins write on an order's timeline: for themselves, or for the agent to read.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as timeline from "../../../src/core/orders/timeline.ts";
import { count, databaseRefusal, key, lineFor, outcome, times } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const ama = await world.person("ama", "GH₵ 50.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const bought = async () => (await orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) })).answer.order.id;
const add = (orderId: number, note: string, isForAgent = false) =>
  timeline.addNote(db, { by: yaw.by("admin"), key: null, orderId, note, isForAgent });
const readBy = async (person: typeof ama, orderId: number) =>
  (await orderQueries.events(db, person.by(), orderId)).map((event) => event.note);

test("a note stays with the order; the agent sees it only when it is for them", async () => {
  const orderId = await bought();
  await add(orderId, "Called the supplier");
  await add(orderId, "It is on its way", true);
  expect(await readBy(yaw, orderId)).toEqual(["Called the supplier", "It is on its way"]);
  expect(await readBy(ama, orderId)).toEqual(["It is on its way"]);
});

test("a note is in the audit log under the admin's name", async () => {
  const orderId = await bought();
  await add(orderId, "Called the supplier");
  const [entry] = await db.query.auditLog.findMany({
    where: (a, { and, eq }) => and(eq(a.action, "order.note"), eq(a.subjectId, String(orderId))),
  });
  expect(entry).toMatchObject({
    byUserId: yaw.id,
    after: { note: "Called the supplier", shownTo: "admins" },
  });
});

test("the same note sent twenty times at once under one key is written once", async () => {
  const orderId = await bought();
  const ask = { by: yaw.by("admin"), orderId, note: "Once", isForAgent: true };
  const sent = await Promise.all(times(20, () => timeline.addNote(db, { ...ask, key: key("once", "note") })));
  expect(new Set(sent.map(({ answer }) => answer.id)).size).toBe(1);
  expect(sent.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(sent[0]!.answer.createdAt).toBeInstanceOf(Date);
  expect(await count(db, sql`from order_events where order_id = ${orderId}`)).toBe(1);
  const other = timeline.addNote(db, { ...ask, note: "Other", key: key("once", "note") });
  expect(await outcome(other)).toBe("request.key_reused");
});

test("agents cannot write notes, not even on their own orders, and there is none without an order", async () => {
  const orderId = await bought();
  const ask = { by: ama.by(), key: null, orderId, note: "x", isForAgent: true };
  expect(await outcome(timeline.addNote(db, ask))).toBe("auth.forbidden");
  expect(await outcome(add(999_999, "x"))).toBe("order.not_found");
  expect(await count(db, sql`from order_events where order_id in (${orderId}, 999999)`)).toBe(0);
});

test("the database hides no transition from an order's owner, and refuses an empty note", async () => {
  const orderId = await bought();
  const internal = (to: string | null) =>
    db.execute(sql`
      insert into order_events (order_id, user_id, to_status, channel, is_internal)
      values (${orderId}, ${ama.id}, ${to}, 'admin', true)`);
  expect(await databaseRefusal(internal("FAILED"))).toBe("order_events_only_notes_internal");
  expect(await databaseRefusal(internal(null))).toBe("order_events_only_notes_internal");
});
