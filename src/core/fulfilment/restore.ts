// After a restore to a moment in the past the world outside knows more than the database: vendors have parcels that it has
// not sent yet or never heard of, and people hold sessions that were ended. This makes such a database safe to work with.
// Its rule: what may have been sent is asked about before anything is sent.
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { settings } from "../../../db/schema/platform.ts";
import { DESK } from "../../shared/domain.ts";

/** More than a shop hands out between two backups; numbers are not scarce. */
const SKIPPED_NUMBERS = 1_000_000;
/** So long nothing is paid back by the clock that was delivered and forgotten. */
const RESPITE_HOURS = 24;
const MARK = "restored_through_order";
const PAUSED = "Restored from a backup: compare with the vendor's list, then take it up again";
const AT_DESK = "Restored from a backup: it may have been sent by hand already";

export type Secured = {
  /** The last order that the restored database knows of. */
  throughOrderId: number;
  /** Vendors that are paused until an admin takes them up again. */
  vendors: number;
  /** Hand-overs that vendors are asked about before they are sent. */
  attempts: number;
  sessions: number;
};

/**
 * Makes a restored database safe, any number of times, before anything else works with it; needs the owner of the tables.
 * Vendors are paused. Every order that the database knows is asked about before it is sent, now and later. No number that
 * was given out after the restored moment is given out again, so that a new order never has the reference of a forgotten
 * one. Everybody logs in anew. Throws a plain Error while other processes of the shop are connected.
 */
export async function secure(db: Db): Promise<Secured> {
  return db.transaction(async (tx) => {
    await refuseOthers(tx);
    const throughOrderId = await markOrders(tx);
    await skipNumbers(tx);
    await tx.execute(sql`
      update orders set deliver_by = greatest(deliver_by, now() + make_interval(hours => ${RESPITE_HOURS}))
      where deliver_by is not null and paid_at is not null and status in ('PENDING', 'PAID', 'PROCESSING')`);
    const vendors = await tx.execute(sql`
      update vendors set paused_for = 'admin', paused_words = ${PAUSED}, paused_at = now() returning code`);
    const sent = await tx.execute(sql`
      update attempts set state = 'unknown', sent_at = coalesce(sent_at, now()), due_at = now()
      where state = 'queued' and vendor <> ${DESK} returning id`);
    await tx.execute(sql`
      update attempts set concern = ${AT_DESK} where vendor = ${DESK} and state in ('queued', 'processing')`);
    const sessions = await tx.execute(sql`delete from sessions returning id`);
    for (const table of ["pending_logins", "codes"])
      await tx.execute(sql`delete from ${sql.identifier(table)}`);
    return { throughOrderId, vendors: vendors.length, attempts: sent.length, sessions: sessions.length };
  });
}

/** Whether a new attempt at this order must begin with a question: the vendor may have had it before the restore. */
export async function mayBeSentAlready(tx: Tx): Promise<(orderId: number) => boolean> {
  const [row] = await tx
    .select({ mark: settings.value })
    .from(settings)
    .where(sql`${settings.key} = ${MARK}`);
  const mark = Number(row?.mark ?? 0);
  return (orderId) => orderId <= mark;
}

async function refuseOthers(tx: Tx): Promise<void> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name like 'datafie %'
      and application_name <> current_setting('application_name')`);
  if (row!.count > 0)
    throw new Error("Other processes of the shop are connected: stop every server and worker first.");
}

async function markOrders(tx: Tx): Promise<number> {
  const [row] = await tx.execute<{ id: number }>(sql`select coalesce(max(id), 0) as id from orders`);
  const change = { value: row!.id, updatedAt: sql`now()` };
  await tx
    .insert(settings)
    .values({ key: MARK, ...change })
    .onConflictDoUpdate({ target: settings.key, set: change });
  return row!.id;
}

/** A sequence that was never used has no last value, and nothing to skip in the tables that use it. */
async function skipNumbers(tx: Tx): Promise<void> {
  await tx.execute(sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 1) + ${SKIPPED_NUMBERS})
    from pg_sequences where schemaname = 'public'`);
}
