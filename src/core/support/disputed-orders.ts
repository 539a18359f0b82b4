// Cases that nobody has decided: what they hold back, and how they end. Everybody who opens or ends one has locked its
// order, so that an admin, a deadline, a vendor and the agent never cross.
import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { supportRequests } from "../../../db/schema/support.ts";
import type { By, DisputeOutcome } from "../../shared/domain.ts";
import { isAmong } from "../platform/sql.ts";
import * as support from "./requests.ts";

/** Those of these orders whose agent says that they have not arrived, and that are still to be decided. */
export async function among(tx: Tx, orderIds: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ orderId: supportRequests.subjectId })
    .from(supportRequests)
    .where(openCaseOf(orderIds));
  return new Set(rows.map((row) => row.orderId!));
}

/** Whether an order of this user is still to be decided about. */
export async function hasSome(tx: Tx, userId: number): Promise<boolean> {
  const { kind, state } = supportRequests;
  const [found] = await tx
    .select({ id: supportRequests.id })
    .from(supportRequests)
    .where(and(eq(supportRequests.userId, userId), eq(kind, "not_received"), eq(state, "open")))
    .limit(1);
  return found !== undefined;
}

const WORDS: Record<DisputeOutcome, string> = {
  delivered: "This order was delivered.",
  refunded: "The money for this order is back in your wallet.",
  withdrawn: "It has arrived after all.",
};

/** Ends the open cases of these orders, if any, and says so in their threads. `words` are added to what is said. */
export async function end(
  tx: Tx,
  by: By,
  orderIds: number[],
  { outcome, words }: { outcome: DisputeOutcome; words: string | null },
): Promise<void> {
  if (orderIds.length === 0) return;
  const ended = await tx
    .update(supportRequests)
    .set({
      state: "closed",
      outcome,
      proof: outcome === "delivered" ? words : null,
      closedAt: sql`now()`,
      closedByUserId: by.userId,
    })
    .where(openCaseOf(orderIds))
    .returning();
  const message = words ? `${WORDS[outcome]} ${words}` : WORDS[outcome];
  for (const request of ended) {
    await support.write(tx, request, { isSupport: outcome !== "withdrawn", byUserId: by.userId, message });
  }
}

function openCaseOf(orderIds: number[]) {
  return and(
    isAmong(supportRequests.subjectId, orderIds),
    eq(supportRequests.kind, "not_received"),
    eq(supportRequests.state, "open"),
  );
}
