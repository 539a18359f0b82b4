// The schema in the code against the tables that the migrations create.
import { expect, test } from "bun:test";
import { getViewName, getViewSelectedFields, sql } from "drizzle-orm";
import { getTableConfig, PgTable, PgView } from "drizzle-orm/pg-core";
import * as schema from "../../db/schema/index.ts";
import { openWorld } from "../support/world.ts";

const world = await openWorld();
const tables = Object.values(schema)
  .filter((value) => value instanceof PgTable)
  .map((table) => getTableConfig(table));
const views = Object.values(schema).filter((value) => value instanceof PgView);
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test("a freshly migrated database has exactly the tables, views and columns of the schema", async () => {
  const rows = await world.db.execute<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' order by 1`);
  const declared = tables.flatMap((table) => table.columns.map((column) => `${table.name}.${snake(column.name)}`));
  const viewed = views.flatMap((view) =>
    Object.keys(getViewSelectedFields(view)).map((name) => `${getViewName(view)}.${snake(name)}`),
  );
  expect(rows.map((row) => row.name).sort()).toEqual([...declared, ...viewed].sort());
});

test("every named rule of the schema is a constraint or an index of the database", async () => {
  const rows = await world.db.execute<{ name: string }>(sql`
    select conname as name from pg_constraint where connamespace = 'public'::regnamespace
    union select indexname from pg_indexes where schemaname = 'public'`);
  const present = new Set(rows.map((row) => row.name));
  const declared = tables.flatMap((table) => [
    ...table.checks.map((check) => check.name),
    ...table.indexes.map((index) => index.config.name!),
    ...table.uniqueConstraints.map((unique) => unique.name!),
  ]);
  expect(declared.filter((name) => !present.has(name))).toEqual([]);
});

test("every bigint is returned as a number, and one too large for a number throws", async () => {
  const [row] = await world.db.execute(sql`select 9007199254740991::bigint as large`);
  expect(row).toEqual({ large: Number.MAX_SAFE_INTEGER });
  const tooLarge = async () => world.db.execute(sql`select 9007199254740993::bigint as more`);
  expect(await tooLarge().catch((error: Error) => String(error.cause))).toContain("past 2^53");
  expect((await world.db.execute(sql`select 1::bigint as one`))[0]).toEqual({ one: 1 });
});
