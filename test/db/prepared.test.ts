// Prepared statements: which of them a connection keeps, and that answers stay what they were.
import { afterAll, expect, test } from "bun:test";
import { eq, inArray, sql } from "drizzle-orm";
import { connect, type Db, disconnect, handleOf, type Reads } from "../../db/connect.ts";
import { users } from "../../db/schema/identity.ts";
import { freshDatabase } from "../support/database.ts";

const database = await freshDatabase();
/** One connection, so that what it has prepared is seen. */
const db = connect(database.url, { max: 1 });
const pooled = connect(database.url, { max: 1, prepare: false });

afterAll(async () => {
  await Promise.all([disconnect(db), disconnect(pooled)]);
  await database.drop();
});

const nameOf = (reads: Reads, id: number) =>
  reads.select({ name: users.username }).from(users).where(eq(users.id, id)).limit(7);

async function timesPrepared(connection: Db, part: string): Promise<number> {
  const rows = await connection.$client.unsafe<{ statement: string }[]>("select statement from pg_prepared_statements");
  return rows.filter(({ statement }) => statement.includes(part)).length;
}

async function useOften(query: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < 5; i++) await query();
}

test("a statement of Drizzle that repeats is prepared once for a connection, also in transactions", async () => {
  await nameOf(db, 1);
  expect(await timesPrepared(db, `select "username" from "users"`)).toBe(0);
  await useOften(() => nameOf(db, 2));
  await db.transaction(async (tx) => {
    await nameOf(tx, 3);
    await tx.transaction(async (inner) => {
      await nameOf(inner, 4);
    });
  });
  expect(await timesPrepared(db, `select "username" from "users"`)).toBe(1);
});

test("what is written by hand decides for itself", async () => {
  await db.transaction(async (tx) => {
    await handleOf(tx).unsafe("select 'by hand' where $1::int = 1", [1], { prepare: false });
  });
  expect(await timesPrepared(db, "'by hand'")).toBe(0);
});

test("nothing is prepared behind a pooler that cannot do it", async () => {
  await useOften(() => nameOf(pooled, 1));
  expect(await timesPrepared(pooled, `select "username" from "users"`)).toBe(0);
});

test("a list of thousands is not prepared: its text may never come again", async () => {
  const ids = Array.from({ length: 5_000 }, (_, i) => i);
  const query = () => db.select({ email: users.email, id: users.id }).from(users).where(inArray(users.id, ids));
  await useOften(query);
  expect(await timesPrepared(db, `select "email", "id" from "users"`)).toBe(0);
});

test("a prepared statement follows its table: a column that comes or goes changes no answer", async () => {
  await useOften(() => nameOf(db, 1));
  await db.execute(sql`alter table users add column nickname text`);
  expect(await nameOf(db, 1)).toEqual([]);
  await db.execute(sql`alter table users drop column nickname`);
  expect(await nameOf(db, 1)).toEqual([]);
});
