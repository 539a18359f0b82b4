// Who has an order at this moment: a vendor, a desk batch that is out, or a queue. Whoever decides about an order, and
// whoever waits for it, is told by this.
import { eq, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { attempts, deskBatches } from "../../../db/schema/fulfilment.ts";
import { users } from "../../../db/schema/identity.ts";
import { type AttemptState, DESK } from "../../shared/domain.ts";
import { isAmong } from "../platform/sql.ts";

export type Holder = {
  orderId: number;
  attemptId: number;
  /** A vendor's code, or the desk. */
  vendor: string;
  state: AttemptState;
  reference: string;
  sentAt: Date | null;
  /** When the vendor last said itself where the order is. */
  confirmedAt: Date | null;
  /** The batch that the order is in, and whose it is; null when it is in none. */
  batchId: number | null;
  takenBy: string | null;
  /** Until when the vendor may hold it, or the batch should be done. */
  until: Date | null;
};

/** SQL: attempts that have not ended, the one of its order that counts. */
export const IS_ALIVE: SQL = sql`${attempts.state} not in ('failed', 'refunded', 'withdrawn')`;

const FIELDS = {
  orderId: attempts.orderId,
  attemptId: attempts.id,
  vendor: attempts.vendor,
  state: attempts.state,
  reference: attempts.reference,
  sentAt: attempts.sentAt,
  confirmedAt: attempts.confirmedAt,
  holdUntil: attempts.holdUntil,
  batchId: attempts.deskBatchId,
  takenBy: users.username,
  deadline: deskBatches.deadline,
};

/** Who has each of these orders; an order that nobody has been given is not in it. */
export async function ofOrders(tx: Tx, orderIds: number[]): Promise<Map<number, Holder>> {
  const rows = await tx
    .select(FIELDS)
    .from(attempts)
    .leftJoin(deskBatches, eq(deskBatches.id, attempts.deskBatchId))
    .leftJoin(users, eq(users.id, deskBatches.takenByUserId))
    .where(sql`${isAmong(attempts.orderId, orderIds)} and ${IS_ALIVE}`);
  return new Map(
    rows.map(({ holdUntil, deadline, ...row }) => [row.orderId, { ...row, until: deadline ?? holdUntil }]),
  );
}

/** Whether it may still be delivered by whoever has it, whatever we decide: it is with a vendor, or in a batch that is out. */
export function mayDeliver(holder: Holder | undefined): holder is Holder {
  return holder !== undefined && holder.state !== "queued" && holder.state !== "delivered";
}

/** Whether an admin is sending it by hand. */
export function isInBatch({ vendor, state }: Pick<Holder, "vendor" | "state">): boolean {
  return vendor === DESK && state === "processing";
}
