// Brings a database to the newest schema. Migrations only go forward.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import postgres from "postgres";
import { grantAppRole } from "./app-role.ts";

const folder = join(import.meta.dir, "migrations");
/** Any number, as long as it is ours alone: two servers that start together migrate one after the other. */
const LOCK = 7_265_104;
/**
 * How long a statement may wait for a table that somebody uses: everybody who comes after it waits behind it, so that a
 * long wait would stop the shop. Then it steps back, lets them by, and tries again.
 */
const LOCK_WAIT_MS = 2_000;
const TRIES_MAX = 60;
const PAUSE_MS = 1_000;
/**
 * The first line of a migration whose statements are each done alone, as `CREATE INDEX CONCURRENTLY` must be. One that is
 * cut off is done again from its beginning: every statement says `IF NOT EXISTS` or the like.
 */
const ALONE = /^-- each statement alone\b/;

/**
 * Applies what is missing, and gives the app's role its rights, over a connection of its own without time limits. Of a user
 * who may not, it only finds out that nothing is missing; throws when something is. Such a user may come through a
 * pooler, which would hand the lock's connection to somebody else.
 */
export async function migrate(url: string, own: Partial<MigrateOptions> = {}): Promise<void> {
  const options = { folder, lockWaitMs: LOCK_WAIT_MS, pauseMs: PAUSE_MS, triesMax: TRIES_MAX, ...own };
  const client = postgres(url, { max: 1, prepare: false, onnotice: () => {} });
  try {
    if (!(await mayMigrate(client))) return await checkMigrated(client);
    await client`select pg_advisory_lock(${LOCK})`;
    await applyMissing(client, options);
    await grantAppRole(client);
  } finally {
    await client.end({ timeout: 5 });
  }
}

export type MigrateOptions = { folder: string; lockWaitMs: number; pauseMs: number; triesMax: number };

/** Each migration is a transaction, kept where drizzle-kit's own migrator keeps them. */
async function applyMissing(client: postgres.Sql, options: MigrateOptions): Promise<void> {
  await client.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`);
  const rows = await client`select created_at::text as moment from drizzle.__drizzle_migrations`;
  const applied = new Set(rows.map(({ moment }) => Number(moment)));
  for (const migration of readMigrationFiles({ migrationsFolder: options.folder })) {
    if (applied.has(migration.folderMillis)) continue;
    if (ALONE.test(migration.sql[0]!)) await applyAlone(client, migration);
    else await patiently(options, () => applyTogether(client, migration, options.lockWaitMs));
  }
}

async function applyTogether(
  client: postgres.Sql,
  migration: MigrationMeta,
  lockWaitMs: number,
): Promise<void> {
  await client.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = ${lockWaitMs}`);
    for (const statement of migration.sql) await tx.unsafe(statement);
    await note(tx, migration);
  });
}

/** Nobody waits behind these, so that they may wait as long as they need. */
async function applyAlone(client: postgres.Sql, migration: MigrationMeta): Promise<void> {
  for (const statement of migration.sql) {
    await dropUnfinished(client, statement);
    await client.unsafe(statement);
  }
  await note(client, migration);
}

async function note(client: postgres.ISql, { hash, folderMillis }: MigrationMeta): Promise<void> {
  await client`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
}

/** An index that was not finished stays there as invalid, is written to by everybody and read by nobody. */
async function dropUnfinished(client: postgres.Sql, statement: string): Promise<void> {
  const unfinished = await client`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relnamespace = 'public'::regnamespace`;
  for (const { name } of unfinished)
    if (new RegExp(`\\b${name}\\b`).test(statement))
      await client`drop index concurrently if exists ${client(name)}`;
}

/** Tries again while somebody uses what is to be changed (55P03), or a deadlock was broken up at our cost (40P01). */
async function patiently({ pauseMs, triesMax }: MigrateOptions, work: () => Promise<void>): Promise<void> {
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

/** A user who may make schemas: the owner of the database, who is never a pooled one. */
async function mayMigrate(client: postgres.Sql): Promise<boolean> {
  const [row] = await client`select has_database_privilege(current_database(), 'create') as may`;
  return row!.may;
}

async function checkMigrated(client: postgres.Sql): Promise<void> {
  const [there] = await client`select to_regclass('drizzle.__drizzle_migrations') is not null as is_there`;
  const [row] = there!.is_there
    ? await client`select count(*)::int as count from drizzle.__drizzle_migrations`
    : [{ count: 0 }];
  if (row!.count < knownMigrations())
    throw new Error(
      "it is not up to date, and its user may not change that. Run `bun run migrate` as its owner (MIGRATION_DATABASE_URL).",
    );
}

/** How many migrations this code knows: the server is ready only when the database has them all. */
export function knownMigrations(): number {
  const journal = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8"));
  return (journal as { entries: unknown[] }).entries.length;
}
