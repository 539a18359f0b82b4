// Open disputes by order, and how they end. Whoever opens or ends one has locked its order first, so that an admin, a
// deadline, a vendor and the agent never interfere.
import { and, eq, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { supportRequests } from "../../../db/schema/support.ts";
import type { By, DisputeOutcome } from "../../shared/domain.ts";
import { isAmong } from "../platform/sql.ts";
import * as support from "./requests.ts";

/** Those of these orders with an open dispute. */
export async function among(tx: Reads, orderIds: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ orderId: supportRequests.subjectId })
    .from(supportRequests)
    .where(hasOpenDispute(orderIds));
  return new Set(rows.map((row) => row.orderId!));
}

/** SQL, for statements over `orders`: whether an order has an open dispute. */
export const IS_REPORTED = sql<boolean>`exists (
  select from support_requests r
  where r.subject_id = orders.id and r.kind = 'not_received' and r.state = 'open')`;

/** Whether this user has an open dispute. */
export async function hasSome(tx: Reads, userId: number): Promise<boolean> {
  const { kind, state } = supportRequests;
  const [found] = await tx
    .select({ id: supportRequests.id })
    .from(supportRequests)
    .where(and(eq(supportRequests.userId, userId), eq(kind, "not_received"), eq(state, "open")))
    .limit(1);
  return found !== undefined;
}

const MESSAGES: Record<DisputeOutcome, string> = {
  delivered: "This order was delivered.",
  refunded: "The money for this order is back in your wallet.",
  withdrawn: "The order has arrived.",
};

/** A decided dispute: its request, its order, and the message to its agent. */
export type Decided = { requestId: number; orderId: number; outcome: DisputeOutcome; message: string };

/**
 * Ends the open disputes of these orders, if any, with a message in their threads that `note` is added to. Returns
 * those that it ended.
 */
export async function end(
  tx: Tx,
  by: By,
  orderIds: number[],
  { outcome, note }: { outcome: DisputeOutcome; note: string | null },
): Promise<Decided[]> {
  if (orderIds.length === 0) return [];
  const ended = await tx
    .update(supportRequests)
    .set({
      state: "closed",
      outcome,
      proof: outcome === "delivered" ? note : null,
      closedAt: sql`now()`,
      closedByUserId: by.userId,
    })
    .where(hasOpenDispute(orderIds))
    .returning();
  const message = note ? `${MESSAGES[outcome]} ${note}` : MESSAGES[outcome];
  for (const request of ended) {
    await support.write(tx, request, { isSupport: outcome !== "withdrawn", byUserId: by.userId, message });
  }
  return ended.map(({ id, subjectId }) => ({ requestId: id, orderId: subjectId!, outcome, message }));
}

/**
 * Corrects the dispute of an order, if it ended with a refund that was taken back since: it was delivered, and `proof`
 * says by what. Returns the new decision; null when there was none to correct.
 */
export async function correct(tx: Tx, by: By, orderId: number, proof: string): Promise<Decided | null> {
  const { subjectId, kind, outcome } = supportRequests;
  const [corrected] = await tx
    .update(supportRequests)
    .set({ outcome: "delivered", proof })
    .where(and(eq(subjectId, orderId), eq(kind, "not_received"), eq(outcome, "refunded")))
    .returning();
  if (!corrected) return null;
  const message = `${MESSAGES.delivered} ${proof}`;
  await support.write(tx, corrected, { isSupport: true, byUserId: by.userId, message });
  return { requestId: corrected.id, orderId, outcome: "delivered", message };
}

function hasOpenDispute(orderIds: number[]) {
  return and(
    isAmong(supportRequests.subjectId, orderIds),
    eq(supportRequests.kind, "not_received"),
    eq(supportRequests.state, "open"),
  );
}
