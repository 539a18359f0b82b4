// Deletion from the log of requests: rows of more than 14 days, and all of an account that was closed.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as users from "../../../src/core/identity/users.ts";
import { carryOut, RETENTION } from "../../../src/core/privacy/retention.ts";
import { forgetOld } from "../../../src/core/requests/forgetting.ts";
import { partsOf, textOf } from "../../../src/core/requests/lines.ts";
import { count } from "../../support/asking.ts";
import { answered } from "../../support/logged-requests.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;

/** Rows of one request of an account, the first of which is as old as given, and each next one a second younger. */
const add = (userId: number, age: string, rows = 1) =>
  db.execute(sql`
    insert into api_request_rows (at, user_id, count, requests, bodies)
    select now() - ${age}::interval + n * interval '1 second', ${userId}, 1, ${partsOf(textOf(answered())).fields}, ''
    from generate_series(0, ${rows - 1}) n`);
const left = (userId: number) => count(db, sql`from api_requests where user_id = ${userId}`);

test("after 14 days a request is gone, and not before; however many there are", async () => {
  const [ama, kofi, idle] = [await world.person("ama"), await world.person("kofi"), await world.person("idle")];
  await add(ama.id, "15 days", 5_000);
  await add(ama.id, "13 days 23 hours", 20);
  await add(kofi.id, "14 days 1 minute", 60);
  await add(kofi.id, "1 minute");
  await add(idle.id, "3 days", 2);
  expect(await forgetOld(db)).toBe(5_060);
  expect([await left(ama.id), await left(kofi.id), await left(idle.id)]).toEqual([20, 1, 2]);
  expect(await forgetOld(db)).toBe(0);
});

test("of a closed account nothing stays, also what was written after it was closed", async () => {
  const [leaver, other] = [await world.person("leaver"), await world.person("other")];
  await add(leaver.id, "1 hour", 3_000);
  await add(other.id, "1 hour", 3);
  await users.remove(db, { by: world.yaw.by("admin"), userId: leaver.id });
  await add(leaver.id, "1 second");
  expect(await forgetOld(db)).toBe(3_001);
  expect([await left(leaver.id), await left(other.id)]).toEqual([0, 3]);
});

test("the worker does that as a rule of retention, which names the 14 days", async () => {
  const esi = await world.person("esi");
  await add(esi.id, "20 days", 3);
  const rule = RETENTION.find(({ name }) => name === "requests of programs")!;
  expect(rule.kept).toBe("14 days");
  await carryOut(db, rule);
  expect(await left(esi.id)).toBe(0);
});
