// Rows that are inserted together.

import { expect, test } from "bun:test";
import { asc, eq, sql } from "drizzle-orm";
import { orderEvents } from "../../../db/schema/orders.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import { insertRows } from "../../../src/core/platform/parts.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();

test("rows keep their order over the thousands; what is missing is null, or the column's default", async () => {
  const rows = Array.from({ length: 2_001 }, (_, n) => ({
    ...{ orderId: 1, userId: world.yaw.id, channel: "web" as const },
    ...(n % 2 === 0 && { note: `Note ${n}` }),
  }));
  await world.db.transaction((tx) => insertRows(tx, orderEvents, rows));
  const found = await world.db.select().from(orderEvents).orderBy(asc(orderEvents.id));
  expect(found.map(({ note }) => note)).toEqual(rows.map((row) => row.note ?? null));
  expect(found.every(({ isInternal, createdAt }) => !isInternal && createdAt instanceof Date)).toBe(true);
});

test("values keep their types, and what all rows share may be SQL", async () => {
  const after = { amounts: [1, null, "\\ \" ' {}"], at: "2026-11-29" };
  const row = { action: "test.parts", subjectType: "order", subjectId: "1", before: null, after };
  await world.db.transaction((tx) =>
    insertRows(tx, auditLog, [row], {
      byUsername: sql`upper('yaw')`,
      createdAt: new Date(0),
      requestId: null,
    }),
  );
  const [found] = await world.db.select().from(auditLog).where(eq(auditLog.action, row.action));
  expect(found).toMatchObject({ ...row, byUsername: "YAW", createdAt: new Date(0), requestId: null });
});

test("half a character of a text is replaced, and no rows are no statement", async () => {
  const row = { orderId: 2, userId: world.yaw.id, channel: "web" as const, note: "\ud83d broken" };
  await world.db.transaction(async (tx) => {
    await insertRows(tx, orderEvents, [row]);
    await insertRows(tx, orderEvents, []);
  });
  const found = await world.db.select().from(orderEvents).where(eq(orderEvents.orderId, 2));
  expect(found.map(({ note }) => note)).toEqual(["\ufffd broken"]);
});
