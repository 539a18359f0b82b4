// Erasure of a closed account: what is deleted, and the name that stays in its place.
import { eq, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { afaRegistrations } from "../../../db/schema/afa.ts";
import { priceLists, sellingPrices } from "../../../db/schema/catalog-agents.ts";
import {
  codes,
  contacts,
  loginNetworks,
  pendingLogins,
  phones,
  secondFactors,
  users,
} from "../../../db/schema/identity.ts";
import { inboundSms, messages } from "../../../db/schema/messaging.ts";
import { bulkDrafts, customerDebts } from "../../../db/schema/orders.ts";
import { idempotency } from "../../../db/schema/platform.ts";
import { supportRequests } from "../../../db/schema/support.ts";
import { hooks } from "../../../db/schema/webhooks.ts";
import { deletedName } from "../../shared/username.ts";

/** Erases the owner's personal data everywhere outside the books. */
export async function erase(tx: Tx, userId: number): Promise<void> {
  const whole = [
    phones,
    codes,
    messages,
    inboundSms,
    bulkDrafts,
    loginNetworks,
    pendingLogins,
    secondFactors,
    hooks,
    idempotency,
    contacts,
    customerDebts,
    sellingPrices,
    priceLists,
  ];
  for (const table of whole) await tx.delete(table).where(eq(table.userId, userId));
  await tx
    .update(supportRequests)
    .set({ fullName: null, email: null })
    .where(eq(supportRequests.userId, userId));
  await tx
    .update(afaRegistrations)
    .set({ fullName: "Deleted", location: "Deleted" })
    .where(eq(afaRegistrations.userId, userId));
}

/** A name made of the id; it may have been taken before such names were reserved. */
export async function freeDeletedName(tx: Reads, userId: number): Promise<string> {
  for (let name = deletedName(userId); ; name += "x") {
    const [taken] = await tx
      .select({ id: users.id })
      .from(users)
      .where(sql`lower(${users.username}) = ${name}`);
    if (!taken) return name;
  }
}
