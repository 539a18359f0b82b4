// Makes a database safe to use after a restore to a moment in the past, when the outside world knows more than it does:
// vendors have orders that it has not sent yet or never saw, and people hold sessions and API keys that were ended. The
// rule:
// whatever may have been sent gets a status check before anything is sent.
import { type SQL, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { settings } from "../../../db/schema/platform.ts";
import { DESK } from "../../shared/domain.ts";
import * as apiKeyCallers from "../identity/api-key-callers.ts";

/** More ids than a shop uses between two backups; ids are not scarce. */
const SKIPPED_IDS = 1_000_000;
/** For this long nothing is refunded automatically that may have been delivered and forgotten. */
const RESPITE_HOURS = 24;
const MARK = "restored_through_order";
const PAUSED = "Restored from a backup: compare with the supplier's list, then resume";
const AT_DESK = "Restored from a backup: it may have been sent by hand already";

export type Secured = {
  /** The last order that the restored database knows of. */
  throughOrderId: number;
  /** Vendors that are paused until an admin resumes them. */
  vendors: number;
  /** Attempts that get a status check before they are sent. */
  attempts: number;
  sessions: number;
  /** API keys, which end as well. */
  keys: number;
};

/**
 * Makes a restored database safe before anything else uses it; idempotent; needs the owner of the tables. Pauses
 * vendors. Every order in it gets a status check before it is sent, now and later. Ids used after the restored moment
 * are skipped, so that a new order never has the reference of a forgotten one. All sessions and API keys end. Throws a
 * plain Error while other processes of the shop are connected.
 */
export async function secure(db: Db): Promise<Secured> {
  return db.transaction(async (tx) => {
    await refuseOthers(tx);
    const throughOrderId = await markOrders(tx);
    await skipIds(tx);
    await tx.execute(sql`
      update orders set deliver_by = greatest(deliver_by, now() + make_interval(hours => ${RESPITE_HOURS}))
      where deliver_by is not null and paid_at is not null and status in ('PENDING', 'PAID', 'PROCESSING')`);
    const vendors = await tx.execute(sql`
      update vendors set paused_for = 'admin', paused_message = ${PAUSED}, paused_at = now() returning code`);
    const sent = await tx.execute(sql`
      update attempts set state = 'unknown', sent_at = coalesce(sent_at, now()), due_at = now()
      where state = 'queued' and vendor <> ${DESK} returning id`);
    await tx.execute(sql`
      update attempts set concern = ${AT_DESK} where vendor = ${DESK} and state in ('queued', 'processing')`);
    const sessions = await tx.execute(sql`delete from sessions returning id`);
    for (const table of ["pending_logins", "codes"]) await tx.execute(sql`delete from ${sql.identifier(table)}`);
    const keys = await apiKeyCallers.endAllAfterRestore(tx);
    const counts = { vendors: vendors.length, attempts: sent.length, sessions: sessions.length, keys };
    return { throughOrderId, ...counts };
  });
}

/**
 * Whether a new attempt of an order must begin with a status check, because a vendor may have had it before a restore.
 */
export async function mayBeSentAlready(tx: Reads): Promise<(orderId: number) => boolean> {
  const [row] = await tx.select({ mark: settings.value }).from(settings).where(sql`${settings.key} = ${MARK}`);
  const mark = Number(row?.mark ?? 0);
  return (orderId) => orderId <= mark;
}

/** SQL: whether no vendor can have had an order before a restore. */
export function isAfterRestore(orderId: SQL): SQL {
  const mark = sql`(select (value #>> '{}')::bigint from settings where key = ${sql.raw(`'${MARK}'`)})`;
  return sql`(${orderId} > coalesce(${mark}, 0))`;
}

async function refuseOthers(tx: Reads): Promise<void> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name like 'datafie %'
      and application_name <> current_setting('application_name')`);
  if (row!.count > 0) throw new Error("Other processes of the shop are connected: stop every server and worker first.");
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

/** A sequence that was never used has no last value, and its table is empty. */
async function skipIds(tx: Tx): Promise<void> {
  await tx.execute(sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 1) + ${SKIPPED_IDS})
    from pg_sequences where schemaname = 'public'`);
}
