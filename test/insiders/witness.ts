// The database's record of a run: every change of a row, with the connection that made it. Written by triggers of the
// run's own, beside everything that the shop keeps about itself.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";

export type Row = Record<string, unknown>;

/** A row that was inserted, changed or deleted. */
export type Change = {
  id: number;
  /** Changes with the same one were committed together. */
  txid: string;
  /** The account whose connection it was; null for the shop's own work and for the run itself. */
  actorId: number | null;
  table: string;
  before: Row | null;
  after: Row | null;
  at: Date;
};

/** The name of somebody's connections. */
export const connectionOf = (userId: number) => `insider ${userId}`;

/** Begins to note what changes in these tables. */
export async function install(db: Db, tables: readonly string[]): Promise<void> {
  await db.execute(sql`create schema witness`);
  await db.execute(sql`
    create unlogged table witness.changes (
      id bigint generated always as identity primary key, txid text not null, connection text not null,
      name text not null, before jsonb, after jsonb, at timestamptz not null)`);
  await db.execute(sql`
    create function witness.note() returns trigger language plpgsql security definer as $$
    begin
      insert into witness.changes (txid, connection, name, before, after, at)
      values (pg_current_xact_id()::text, current_setting('application_name'), tg_table_name,
              case when tg_op <> 'INSERT' then to_jsonb(old) end,
              case when tg_op <> 'DELETE' then to_jsonb(new) end, now());
      return null;
    end $$`);
  for (const table of tables)
    await db.execute(sql`
      create trigger zz_witness after insert or update or delete on ${sql.identifier(table)}
      for each row execute function witness.note()`);
}

/** Takes what was noted since the last time, in the order in which it was done. */
export async function take(db: Db): Promise<Change[]> {
  type Noted = { id: number; txid: string; connection: string; name: string; at: Date } & Pick<
    Change,
    "before" | "after"
  >;
  const rows = await db.$client<Noted[]>`
    delete from witness.changes returning id, txid, connection, name, before, after, at`;
  return rows
    .map(({ id, txid, connection, name, before, after, at }) => {
      const of = /^insider (\d+)$/.exec(connection)?.[1];
      return { id, txid, actorId: of ? Number(of) : null, table: name, before, after, at: new Date(at) };
    })
    .filter(({ before, after }) => !Bun.deepEquals(before, after))
    .sort((a, b) => a.id - b.id);
}
