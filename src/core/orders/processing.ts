// "Process": a fresh order always goes to somebody who sends it. An admin sends it by hand, as a batch under their name,
// or it goes along its route at once.
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { orders as table } from "../../../db/schema/orders.ts";
import type { By } from "../../shared/domain.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings.ts";
import { isAmong } from "../platform/sql.ts";
import type { Order } from "./buy.ts";
import * as timeline from "./timeline.ts";

/**
 * Has paid orders, which the caller has locked, sent by their route now instead of after the time in which they can be
 * cancelled. They are PROCESSING once somebody has been handed them. One whose promise has passed is promised anew,
 * because nothing is sent after its promise.
 */
export async function sendByRoute(tx: Tx, by: By, orders: Order[], reason: string | null): Promise<void> {
  if (orders.length === 0) return;
  const ids = orders.map(({ id }) => id);
  await tx
    .update(table)
    .set({ deliverBy: sql.raw(settings.DELIVER_BY) })
    .where(sql`${isAmong(table.id, ids)} and ${table.deliverBy} <= now()`);
  await jobs.enqueueAll(tx, "dispatch_order", ids);
  const note = reason ?? "Sent on its way at once";
  await timeline.append(
    tx,
    by,
    orders.map((order) => ({ order, note, isInternal: true })),
  );
}
