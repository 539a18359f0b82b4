// Payments that their payer gave up. This is only for their eyes: each is still polled until its time is over, and
// money that arrives is credited.
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { payments } from "../../../db/schema/payments.ts";
import { type ByUser, limits } from "../../shared/domain.ts";
import { GIVEN_UP } from "./messages.ts";
import * as paying from "./payments.ts";

/** Ends waiting payments of the caller: this one, or all of the newest. Throws payment.not_found. */
export async function giveUp(db: Db, { by, reference }: { by: ByUser; reference?: string }): Promise<void> {
  const shown = reference
    ? [await paying.get(db, by, reference)]
    : await paying.list(db, by.userId, { limit: limits.pageSizeMax });
  const ids = shown.filter(({ state }) => state === "pending").map(({ id }) => id);
  if (ids.length === 0) return;
  await db
    .update(payments)
    .set({ state: "expired", reason: GIVEN_UP, needsCode: false, updatedAt: sql`now()` })
    .where(and(inArray(payments.id, ids), eq(payments.state, "pending")));
}

export function isGivenUp({ state, reason }: Pick<paying.Payment, "state" | "reason">): boolean {
  return state === "expired" && reason === GIVEN_UP;
}
