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

/** Applies what is missing, and gives the app's role its rights, over a connection of its own without time limits. */
export async function migrate(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await client`select pg_advisory_lock(${LOCK})`;
    await run(drizzle(client), { migrationsFolder: folder });
    await grantAppRole(client);
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** How many migrations this code knows: the server is ready only when the database has them all. */
export function knownMigrations(): number {
  const journal = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8"));
  return (journal as { entries: unknown[] }).entries.length;
}
