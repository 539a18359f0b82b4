// Brings a database to the newest schema. Migrations only go forward.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as run } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { grantAppRole } from "./app-role.ts";

const folder = join(import.meta.dir, "migrations");
/** Any number, as long as it is ours alone: two servers that start together migrate one after the other. */
const LOCK = 7_265_104;

/**
 * Applies what is missing, and gives the app's role its rights, over a connection of its own without time limits. Of a user
 * who may not, it only finds out that nothing is missing; throws when something is. Such a user may come through a
 * pooler, which would hand the lock's connection to somebody else.
 */
export async function migrate(url: string): Promise<void> {
  const client = postgres(url, { max: 1, prepare: false, onnotice: () => {} });
  try {
    if (!(await mayMigrate(client))) return await checkMigrated(client);
    await client`select pg_advisory_lock(${LOCK})`;
    await run(drizzle(client), { migrationsFolder: folder });
    await grantAppRole(client);
  } finally {
    await client.end({ timeout: 5 });
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
