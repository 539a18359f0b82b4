// Closing of an account: what stops it, what is deleted, and the name that stays in its place.
import { and, eq, or, sql } from "drizzle-orm";
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
import { logins, wrongPins } from "../../../db/schema/identity-history.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { inboundSms, messages } from "../../../db/schema/messaging.ts";
import { bulkDrafts, customerDebts, orders } from "../../../db/schema/orders.ts";
import { idempotency } from "../../../db/schema/platform.ts";
import { agentNotes } from "../../../db/schema/signals.ts";
import { supportRequests } from "../../../db/schema/support.ts";
import { hooks } from "../../../db/schema/webhooks.ts";
import { OPEN_STATUSES } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { deletedName } from "../../shared/username.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import * as apiKeyCallers from "./api-key-callers.ts";
import * as farewells from "./farewells.ts";
import * as sessions from "./logins/sessions.ts";

/** Closes an account and erases its owner. Throws user.has_balance, user.has_open_orders, user.owes. */
export async function close(tx: Tx, userId: number): Promise<void> {
  await refuseUnfinished(tx, userId);
  await farewells.note(tx, userId);
  await closeUnfinished(tx, userId);
}

/** As `close`, with its money and open orders: for a sandbox, where both are for trying out. */
export async function closeUnfinished(tx: Tx, userId: number): Promise<void> {
  await sessions.endAll(tx, userId);
  await apiKeyCallers.erase(tx, userId);
  await erase(tx, userId);
  const username = await freeDeletedName(tx, userId);
  await tx
    .update(users)
    .set({
      username,
      email: `${username}@invalid`,
      passwordHash: "",
      status: "CLOSED",
      closedAt: sql`now()`,
    })
    .where(eq(users.id, userId));
}

/** Erases the owner's personal data everywhere outside the books. */
async function erase(tx: Tx, userId: number): Promise<void> {
  const whole = [
    phones,
    codes,
    messages,
    inboundSms,
    bulkDrafts,
    loginNetworks,
    logins,
    wrongPins,
    agentNotes,
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
  await tx.update(supportRequests).set({ fullName: null, email: null }).where(eq(supportRequests.userId, userId));
  await tx
    .update(afaRegistrations)
    .set({ fullName: "Deleted", location: "Deleted" })
    .where(eq(afaRegistrations.userId, userId));
}

/** A name made of the id; it may have been taken before such names were reserved. */
async function freeDeletedName(tx: Reads, userId: number): Promise<string> {
  for (let name = deletedName(userId); ; name += "x") {
    const [taken] = await tx.select({ id: users.id }).from(users).where(sql`lower(${users.username}) = ${name}`);
    if (!taken) return name;
  }
}

async function refuseUnfinished(tx: Reads, userId: number): Promise<void> {
  const [wallet] = await tx.select().from(wallets).where(eq(wallets.userId, userId));
  if (wallet && wallet.balancePesewas > 0) throw new AppError("user.has_balance");
  if (wallet && wallet.debtPesewas + wallet.heldPesewas > 0) throw new AppError("user.owes");
  const isOpen = or(...OPEN_STATUSES.map((status) => eq(orders.status, status)));
  const [open] = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.userId, userId), isOpen))
    .limit(1);
  if (open || (await disputedOrders.hasSome(tx, userId))) throw new AppError("user.has_open_orders");
}
