// A clock that is moved instead of waited for: Postgres's time, for every process that connects to a database from
// now on. Stored times stay as they are.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";

/** Where the database looks for functions: a copy of a database has its clock, and reads it by this. */
export const OWN_CLOCK = "clock, pg_catalog, public";

/**
 * Puts our own `now()` in front of Postgres's; `advance` moves it for everybody, by a number of seconds.
 * `datesPayments`: the times of statements too, by which purchases are dated; the marks of the profit's days then stay
 * behind. `stoppedAt`: it stands still there, and moves only when it is advanced.
 */
export async function ownClock(
  db: Db,
  { datesPayments = false, stoppedAt }: { datesPayments?: boolean; stoppedAt?: Date } = {},
): Promise<{ advance: (seconds: number) => Promise<void> }> {
  const [row] = await db.execute<{ name: string }>(sql`select current_database() as name`);
  await db.execute(sql`create schema clock`);
  await db.execute(sql`create table clock.ahead as select 0::float8 as seconds`);
  const others = datesPayments ? { statement_timestamp: "stable", clock_timestamp: "volatile" } : {};
  for (const [name, kind] of Object.entries({ now: "stable", ...others })) {
    const from = stoppedAt ? `timestamptz ''${stoppedAt.toISOString()}''` : `pg_catalog.${name}()`;
    await db.execute(
      sql.raw(`create function clock.${name}() returns timestamptz language sql ${kind} as
        'select ${from} + pg_catalog.make_interval(secs => (select seconds from clock.ahead))'`),
    );
  }
  // The shop's own role uses it too.
  await db.execute(sql`grant usage on schema clock to public`);
  await db.execute(sql`grant select on clock.ahead to public`);
  await db.execute(sql`alter database ${sql.identifier(row!.name)} set search_path = ${sql.raw(OWN_CLOCK)}`);
  const defaults = datesPayments ? "'now()', 'clock_timestamp()'" : "'now()'";
  // A default refers to the `now()` of when its table was created.
  await db.execute(sql`
    do $$ declare one record; begin
      for one in select table_name, column_name, column_default from information_schema.columns
                 where table_schema = 'public' and column_default in (${sql.raw(defaults)}) loop
        execute format('alter table public.%I alter column %I set default clock.%s',
                       one.table_name, one.column_name, one.column_default);
      end loop;
    end $$`);
  return {
    advance: async (seconds) => {
      await db.execute(sql`update clock.ahead set seconds = seconds + ${seconds}`);
    },
  };
}
