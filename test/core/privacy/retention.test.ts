// The rules of retention: each removes what is too old and leaves the rest, and its run is recorded.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { carryOut, RETENTION, RETENTION_SWEEPS, runs } from "../../../src/core/privacy/retention.ts";
import { count } from "../../support/asking.ts";
import { makeKey } from "../../support/keys.ts";
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

test("an API key that ended keeps its addresses for 30 days, and its row for the books", async () => {
  const owner = await world.person("owner");
  const made = async (more: string) => {
    const { id } = await makeKey(db, owner.by("web"), { addresses: ["192.0.2.0/24"] });
    await db.execute(sql`update api_keys set last_used_address = '192.0.2.7', ${sql.raw(more)} where id = ${id}`);
    return id;
  };
  const long = [
    await made("revoked_at = now() - interval '31 days'"),
    await made("ends_at = now() - interval '31 days'"),
    await made("revoked_at = now() - interval '1 day', ends_at = now() - interval '31 days'"),
  ];
  const others = [
    await made("revoked_at = now() - interval '29 days'"),
    await made("ends_at = now() + interval '31 days'"),
    await made("created_at = now() - interval '99 days'"),
  ];
  const rule = ruleOf("addresses of API keys");
  for (let n = 0; n < 2; n++) await carryOut(db, rule);
  expect((await runs(db)).get(rule.name)).toMatchObject({ removedInAll: 3 });
  expect(await count(db, sql`from api_keys where last_used_address is null`)).toBe(3);
  const kept = await db.execute<{ id: number; name: string; addresses: string[] }>(sql`
    select id::int, name, addresses from api_keys order by id`);
  expect([...kept]).toEqual([
    ...long.map((id) => ({ id, name: "A program", addresses: [] })),
    ...others.map((id) => ({ id, name: "A program", addresses: ["192.0.2.0/24"] })),
  ]);
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
  const [old, young, rich] = [await opened("old", 31, 0), await opened("young", 29, 0), await opened("rich", 99, 500)];
  await carryOut(db, ruleOf("registrations by USSD"));
  const closed = await db.execute<{ id: number }>(sql`select id::int from users where status = 'CLOSED'`);
  expect(closed.map(({ id }) => id)).toEqual([old]);
  expect(await count(db, sql`from phones where user_id in (${young}, ${rich})`)).toBe(2);
});
