// The content of a database as a digest of each table, for tests that nothing has changed.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";

export async function digestOf(db: Db): Promise<Record<string, string>> {
  const tables = await db.execute<{ name: string }>(sql`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db.execute<{ digest: string }>(sql`
      select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${sql.raw(name)} t`);
    digests[name] = row!.digest;
  }
  return digests;
}
