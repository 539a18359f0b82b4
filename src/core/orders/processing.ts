// Processing new orders on an admin's command, along their route right away. (By hand, they become a desk batch.)
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { orders as table } from "../../../db/schema/orders.ts";
import type { ByUser } from "../../shared/domain.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings.ts";
import { isAmong } from "../platform/sql.ts";
import type { Order } from "./buy.ts";
import * as timeline from "./timeline.ts";

/**
 * Dispatches paid orders, which the caller has locked, along their route now instead of after the cancellation window.
 * They are PROCESSING once dispatched. One past its deadline gets a new one, because nothing is sent after its
 * deadline.
 */
export async function dispatchByRoute(tx: Tx, by: ByUser, orders: Order[], reason: string | null): Promise<void> {
  if (orders.length === 0) return;
  const ids = orders.map(({ id }) => id);
  await tx
    .update(table)
    .set({ deliverBy: sql.raw(settings.DELIVER_BY) })
    .where(sql`${isAmong(table.id, ids)} and ${table.deliverBy} <= now()`);
  await jobs.enqueueAll(tx, "dispatch_order", ids);
  const note = reason ?? "Sent for delivery right away";
  await timeline.append(
    tx,
    by,
    orders.map((order) => ({ order, note, isInternal: true })),
  );
}
