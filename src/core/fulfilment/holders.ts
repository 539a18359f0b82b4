// The current holder of an order: a vendor, an open desk batch, or a queue; for decisions about orders, and for those
// who wait for them.
import { eq, type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { attempts, deskBatches } from "../../../db/schema/fulfilment.ts";
import { users } from "../../../db/schema/identity.ts";
import { type AttemptState, DESK } from "../../shared/domain.ts";
import * as holds from "../orders/holds.ts";
import { isAmong } from "../platform/sql.ts";

export type Holder = {
  orderId: number;
  attemptId: number;
  /** A vendor's code, or the desk. */
  vendor: string;
  state: AttemptState;
  reference: string;
  /** When it was assigned to the vendor or the desk. */
  createdAt: Date;
  sentAt: Date | null;
  /** When the vendor last confirmed the order's status. */
  confirmedAt: Date | null;
  /** The order's desk batch and the admin who took it, or null. */
  batchId: number | null;
  takenBy: string | null;
  /** Until when the vendor may hold it, or the batch is due. */
  deadline: Date | null;
  /** Queued, and not sent for now, because a signal holds its account's orders. */
  isHeld: boolean;
};

/** SQL: the live attempt of its order. */
export const IS_ALIVE: SQL = sql`${attempts.state} not in ('failed', 'refunded', 'withdrawn')`;
/** SQL on the live attempt of an order, where it has one: as `mayDeliver`. */
export const MAY_DELIVER: SQL = sql`coalesce(${attempts.state} not in ('queued', 'delivered'), false)`;

const FIELDS = {
  orderId: attempts.orderId,
  attemptId: attempts.id,
  vendor: attempts.vendor,
  state: attempts.state,
  reference: attempts.reference,
  createdAt: attempts.createdAt,
  sentAt: attempts.sentAt,
  confirmedAt: attempts.confirmedAt,
  holdUntil: attempts.holdUntil,
  batchId: attempts.deskBatchId,
  takenBy: users.username,
  batchDeadline: deskBatches.deadline,
  isHeld: sql<boolean>`${attempts.state} = 'queued' and ${holds.isHeld(attempts.userId)}`,
};

/** The holders of these orders; orders without one are left out. */
export async function ofOrders(tx: Reads, orderIds: number[]): Promise<Map<number, Holder>> {
  const rows = await tx
    .select(FIELDS)
    .from(attempts)
    .leftJoin(deskBatches, eq(deskBatches.id, attempts.deskBatchId))
    .leftJoin(users, eq(users.id, deskBatches.takenByUserId))
    .where(sql`${isAmong(attempts.orderId, orderIds)} and ${IS_ALIVE}`);
  return new Map(
    rows.map(({ holdUntil, batchDeadline, ...row }) => [row.orderId, { ...row, deadline: batchDeadline ?? holdUntil }]),
  );
}

/** Whether the holder may still deliver it, whatever we decide: a vendor, or an open batch. */
export function mayDeliver(holder: Holder | undefined): holder is Holder {
  return holder !== undefined && holder.state !== "queued" && holder.state !== "delivered";
}

/** Whether an admin is sending it by hand. */
export function isInBatch({ vendor, state }: Pick<Holder, "vendor" | "state">): boolean {
  return vendor === DESK && state === "processing";
}
