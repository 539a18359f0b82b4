// The rules of retention: each removes what is too old and leaves the rest, and its run is recorded.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { carryOut, RETENTION, RETENTION_SWEEPS, runs } from "../../../src/core/privacy/retention.ts";
import { count } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ruleOf = (name: string) => RETENTION.find((rule) => rule.name === name)!;

test("every rule has a name of its own, and says for how long and why", () => {
  const names = RETENTION.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { data, kept, reason } of RETENTION)
    expect([data, kept, reason].every((text) => text.length > 2)).toBe(true);
});

test("every rule that removes something is carried out by the worker, and recorded", async () => {
  for (const sweep of Object.values(RETENTION_SWEEPS)) await sweep(db);
  const recorded = [...(await runs(db)).keys()].sort();
  const removing = RETENTION.filter(({ sweep }) => sweep).map(({ name }) => name);
  expect(recorded).toEqual(removing.sort());
});

test("the record adds up what was removed", async () => {
  const codes = ruleOf("codes to numbers");
  const expired = (msisdn: string) =>
    db.execute(sql`
    insert into number_codes (msisdn, digest, expires_at) values (${msisdn}, 'x', now() - interval '1 second')`);
  await db.execute(sql`
    insert into number_codes (msisdn, digest, expires_at) values ('233540000009', 'x', now() + interval '1 minute')`);
  await expired("233540000001");
  await carryOut(db, codes);
  await expired("233540000002");
  await expired("233540000003");
  await carryOut(db, codes);
  expect((await runs(db)).get(codes.name)).toMatchObject({ removed: 2, removedInAll: 3 });
  expect(await count(db, sql`from number_codes`)).toBe(1);
});

test("a registration by USSD goes after 30 days without its code, unless it holds money or an order", async () => {
  const opened = async (name: string, days: number, balancePesewas: number) => {
    const person = await world.person(name, balancePesewas ? "GH₵ 5.00" : undefined);
    await db.execute(sql`update users set email = null, password_hash = '' where id = ${person.id}`);
    await db.execute(sql`
      insert into phones (user_id, msisdn, code_awaited_since)
      values (${person.id}, ${`23354${3_000_000 + person.id}`}, now() - make_interval(days => ${days}))`);
    return person.id;
  };
  const [old, young, rich] = [
    await opened("old", 31, 0),
    await opened("young", 29, 0),
    await opened("rich", 99, 500),
  ];
  await carryOut(db, ruleOf("registrations by USSD"));
  const closed = await db.execute<{ id: number }>(sql`select id::int from users where status = 'CLOSED'`);
  expect(closed.map(({ id }) => id)).toEqual([old]);
  expect(await count(db, sql`from phones where user_id in (${young}, ${rich})`)).toBe(2);
});
