// From paid to delivered. Every operator is served by the desk: paid orders wait there for an admin to take them.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import * as jobs from "./jobs.ts";

const LEASE_SECONDS = 60;

/**
 * Hands due orders over; returns how many jobs were worked off. At the desk that is a line in the order's timeline:
 * the order stays PENDING (or PAID) until an admin takes it. An order that was cancelled meanwhile is passed over,
 * and so would be an AFA registration, which has a queue of its own and is no data to send.
 */
export async function dispatchDue(db: Db, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "dispatch_order", countMax, LEASE_SECONDS);
  if (due.length === 0) return 0;
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into order_events (order_id, user_id, note, channel)
      select id, user_id, 'At the desk, waiting to be sent', 'system' from orders
      where id = any(${sql.param(due.map((job) => job.subjectId))}::bigint[])
        and status in ('PENDING', 'PAID') and paid_at is not null
        and not exists (select 1 from afa_registrations where order_id = orders.id)
      order by id`);
    await jobs.finish(
      tx,
      due.map((job) => job.id),
    );
  });
  return due.length;
}
