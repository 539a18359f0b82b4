// What an AFA registration holds: a Ghana Card and a number, which nobody can register a second time.
import { and, isNotNull, isNull, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { afaRegistrations } from "../../../db/schema/afa.ts";
import { isAmong } from "../platform/sql.ts";
import type { Order } from "./buy.ts";

/** Those of these orders that are AFA registrations. */
export async function among(tx: Tx, orderIds: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ id: afaRegistrations.orderId })
    .from(afaRegistrations)
    .where(isAmong(afaRegistrations.orderId, orderIds));
  return new Set(rows.map((row) => row.id));
}

/**
 * What failing these orders, which are given as they stood before, does to the registrations among them: card and number
 * are free again, unless MTN had registered the person. Then they stay taken, because MTN's registration stays.
 */
export async function release(tx: Tx, orders: Order[]): Promise<void> {
  const isMade = ({ status }: Order) => status === "DELIVERED" || status === "COMPLETED";
  const [made, open] = [orders.filter(isMade), orders.filter((order) => !isMade(order))];
  for (const [part, value] of [
    [open, { refusedAt: sql`now()` }],
    [made, { keptAt: sql`now()` }],
  ] as const) {
    const ids = part.map(({ id }) => id);
    if (ids.length > 0)
      await tx.update(afaRegistrations).set(value).where(isAmong(afaRegistrations.orderId, ids));
  }
}

/** Frees card and number of refunded registrations that were kept, because an admin says that MTN has none; returns whose. */
export async function free(tx: Tx, orderIds: number[]): Promise<number[]> {
  const rows = await tx
    .update(afaRegistrations)
    .set({ refusedAt: sql`now()` })
    .where(
      and(
        isAmong(afaRegistrations.orderId, orderIds),
        isNotNull(afaRegistrations.keptAt),
        isNull(afaRegistrations.refusedAt),
      ),
    )
    .returning({ id: afaRegistrations.orderId });
  return rows.map((row) => row.id);
}
