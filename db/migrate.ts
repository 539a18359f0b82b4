// Migrations of the database, forward only.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import postgres from "postgres";
import { grantAppRole } from "./app-role.ts";
import type { Db } from "./connect.ts";

const folder = join(import.meta.dir, "migrations");
/** The advisory lock that makes servers starting together migrate in turn: any number that nothing else locks. */
const LOCK = 7_265_104;
/**
 * How long a statement may wait for a table in use. Everybody after it queues behind it, so a long wait would stop the
 * shop; therefore it gives up, lets them pass, and tries again.
 */
const LOCK_WAIT_MS = 2_000;
const TRIES_MAX = 60;
const PAUSE_MS = 1_000;
/**
 * The first line of a migration whose statements run outside a transaction, as `CREATE INDEX CONCURRENTLY` must. One
 * that is interrupted runs again from its beginning, so every statement has `IF NOT EXISTS` or the like.
 */
const ALONE = /^-- each statement alone\b/;
/** A statement that locks a table for a moment, behind comments or not: it steps back as whole migrations do. */
const ALTERS = /^(?:\s*--[^\n]*\n)*\s*alter table\b/i;

const OF_ANOTHER = "Create an empty database and set DATABASE_URL to it.";

/**
 * Applies missing migrations and grants the app role its rights, over a connection of its own without time limits. For
 * a user without the right to migrate it only checks, and throws when a migration is missing. Such a user may come
 * through a pooler, which would give the lock's connection to somebody else. A database with other migrations only,
 * which an unreleased version made, is refused before anything is changed.
 */
export async function migrate(url: string, own: Partial<MigrateOptions> = {}): Promise<void> {
  const defaults = {
    folder,
    lockWaitMs: LOCK_WAIT_MS,
    pauseMs: PAUSE_MS,
    triesMax: TRIES_MAX,
    ifUnreleased: OF_ANOTHER,
  };
  const options = { ...defaults, ...own };
  const client = postgres(url, { max: 1, prepare: false, onnotice: () => {} });
  try {
    if (!(await mayMigrate(client))) return await checkMigrated(client, options);
    await client`select pg_advisory_lock(${LOCK})`;
    await applyMissing(client, options);
    await grantAppRole(client);
  } finally {
    await client.end({ timeout: 5 });
  }
}

export type MigrateOptions = {
  folder: string;
  lockWaitMs: number;
  pauseMs: number;
  triesMax: number;
  /** What to do about a database of an unreleased version, for the error's message. */
  ifUnreleased: string;
};

/** Each migration is a transaction, recorded where drizzle-kit's own migrator records them. */
async function applyMissing(client: postgres.Sql, options: MigrateOptions): Promise<void> {
  const applied = await appliedIn(client, options);
  // A start reads no file of a database that is up to date.
  if (entriesIn(options.folder).every(({ when }) => applied.has(when))) return;
  await client.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint)`);
  for (const migration of readMigrationFiles({ migrationsFolder: options.folder })) {
    if (applied.has(migration.folderMillis)) continue;
    if (ALONE.test(migration.sql[0]!)) await applyAlone(client, migration, options);
    else await withRetries(options, () => applyTogether(client, migration, options.lockWaitMs));
  }
}

async function applyTogether(client: postgres.Sql, migration: MigrationMeta, lockWaitMs: number): Promise<void> {
  await client.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = ${lockWaitMs}`);
    for (const statement of migration.sql) await tx.unsafe(statement);
    await note(tx, migration);
  });
}

/** Nobody queues behind these statements, so they may wait as long as they need; those that alter a table may not. */
async function applyAlone(client: postgres.Sql, migration: MigrationMeta, options: MigrateOptions): Promise<void> {
  for (const statement of migration.sql) {
    await dropUnfinished(client, statement);
    if (ALTERS.test(statement)) await withRetries(options, () => alter(client, statement, options.lockWaitMs));
    else await client.unsafe(statement);
  }
  await note(client, migration);
}

async function alter(client: postgres.Sql, statement: string, lockWaitMs: number): Promise<void> {
  await client.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = ${lockWaitMs}`);
    await tx.unsafe(statement);
  });
}

async function note(client: postgres.ISql, { hash, folderMillis }: MigrationMeta): Promise<void> {
  await client`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
}

/** Drops an unfinished index, which would stay as invalid: maintained by every write and used by no query. */
async function dropUnfinished(client: postgres.Sql, statement: string): Promise<void> {
  const unfinished = await client`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relnamespace = 'public'::regnamespace`;
  for (const { name } of unfinished)
    if (new RegExp(`\\b${name}\\b`).test(statement)) await client`drop index concurrently if exists ${client(name)}`;
}

/** Retries while the table is in use (55P03), or after a deadlock (40P01). */
async function withRetries({ pauseMs, triesMax }: MigrateOptions, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isInTheWay = error instanceof postgres.PostgresError && ["55P03", "40P01"].includes(error.code);
      if (!isInTheWay || tries >= triesMax) throw error;
      await Bun.sleep(pauseMs);
    }
  }
}

/** Whether the user may create schemas: the owner of the database, who does not come through a pooler. */
async function mayMigrate(client: postgres.Sql): Promise<boolean> {
  const [row] = await client`select has_database_privilege(current_database(), 'create') as may`;
  return row!.may;
}

async function checkMigrated(client: postgres.Sql, options: MigrateOptions): Promise<void> {
  const applied = await appliedIn(client, options);
  if (entriesIn(options.folder).some(({ when }) => !applied.has(when)))
    throw new Error(
      "it is not up to date, and its user may not change that. " +
        "Run `bun run migrate` as its owner (MIGRATION_DATABASE_URL).",
    );
}

/** The times of the migrations that the database has. Throws when it has some and none is of this chain. */
async function appliedIn(client: postgres.Sql, { folder, ifUnreleased }: MigrateOptions): Promise<Set<number>> {
  const [found] = await client`select to_regclass('drizzle.__drizzle_migrations') is not null as is_there`;
  if (!found!.is_there) return new Set();
  const rows = await client`select created_at::text as moment from drizzle.__drizzle_migrations`;
  const applied = new Set(rows.map(({ moment }) => Number(moment)));
  if (applied.size > 0 && !entriesIn(folder).some(({ when }) => applied.has(when)))
    throw new Error(`it was made by an unreleased version, whose data are not carried over. ${ifUnreleased}`);
  return applied;
}

/** Creates the check whether a database has all migrations of this code: without them a server is not ready. */
export function migrationCheck(): (db: Db) => Promise<boolean> {
  const known = entriesIn(folder).map(({ when }) => when);
  return async (db) => {
    const rows = await db.execute(sql`select from drizzle.__drizzle_migrations where created_at in ${known}`);
    return rows.length === known.length;
  };
}

function entriesIn(migrations: string): { when: number }[] {
  const journal = JSON.parse(readFileSync(join(migrations, "meta/_journal.json"), "utf8"));
  return (journal as { entries: { when: number }[] }).entries;
}
