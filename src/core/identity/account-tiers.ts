// The tier of an account, and what becomes of the accounts of a tier that is deleted.
import { and, eq, ne } from "drizzle-orm";
import { z } from "zod";
import type { Reads } from "../../../db/connect.ts";
import { tiers as tierTable } from "../../../db/schema/catalog.ts";
import { users } from "../../../db/schema/identity.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as } from "../../shared/fields.ts";
import { Id } from "../../shared/inputs.ts";
import { requireRightOver } from "../../shared/rights.ts";
import * as announcements from "../catalog/announcements.ts";
import * as tiers from "../catalog/tiers.ts";
import * as ledger from "../ledger/ledger.ts";
import { refresh } from "../ledger/limits.ts";
import { command, type Logged } from "../platform/commands.ts";
import { lockAccountsOf } from "./spending-limits.ts";

/** An account's tier; throws user.not_found. */
export async function tierOf(tx: Reads, userId: number): Promise<tiers.Tier> {
  const [tier] = await tx
    .select({ id: tierTable.id, name: tierTable.name })
    .from(users)
    .innerJoin(tierTable, eq(tierTable.id, users.tierId))
    .where(eq(users.id, userId));
  if (!tier) throw new AppError("user.not_found");
  return tier;
}

/**
 * Gives an account another tier: its next purchase pays that tier's prices within that tier's limits, and one whose
 * page is still open is refused with the price of now. A banned account keeps its tier, too.
 */
export const setTier = command({
  name: "user.tier",
  right: "agents.manage",
  about: "Give an account a tier, whose prices it pays from its next purchase on",
  subject: "user",
  input: { userId: Id, tierId: Id },
  errors: ["auth.own_account", "user.not_found", "user.closed", "tier.not_found"],
  undo: ({ subjectId, before }: Logged<tiers.Tier>) => ({ userId: Number(subjectId), tierId: before.id }),
  run: async ({ tx, by, audit }, { userId, tierId }) => {
    if (userId === by.userId) throw new AppError("auth.own_account");
    const after = await tiers.hold(tx, tierId);
    // Wallets before users: the lock order of the core.
    await ledger.lockWallets(tx, [userId]);
    const [user] = await tx
      .select({ status: users.status, roles: users.roles })
      .from(users)
      .where(eq(users.id, userId))
      .for("update");
    if (!user) throw new AppError("user.not_found");
    requireRightOver(by, user, "agents.manage");
    if (user.status === "CLOSED") throw new AppError("user.closed");
    const before = await tierOf(tx, userId);
    if (before.id === after.id) return after;
    await tx.update(users).set({ tierId }).where(eq(users.id, userId));
    await announcements.tierChanged(tx, { fromTierId: before.id, toTierId: after.id, userIds: [userId] });
    await refresh(tx, [userId]);
    await audit(userId, { before, after });
    return after;
  },
});

/**
 * Deletes a tier; its accounts go to another one. `accounts` is how many the caller expects to go: with another number
 * it is refused with the right one, so that nobody's price changes unseen. Orders keep the tier they were placed in.
 */
export const removeTier = command({
  name: "tier.delete",
  right: "catalog.manage",
  about: "Delete a tier; its accounts go to another one, and its orders keep it",
  subject: "tier",
  input: { tierId: Id, toTierId: as("to", Id.optional()), accounts: z.int().nonnegative() },
  errors: ["auth.own_account", "tier.not_found", "tier.standard_stays", "tier.has_accounts"],
  run: async ({ tx, by, audit }, { tierId, toTierId = tiers.STANDARD_TIER_ID, ...expected }) => {
    if (tierId === toTierId) throw new AppError("tier.not_found");
    const before = await tiers.lockForRemoval(tx, tierId);
    const to = await tiers.hold(tx, toTierId);
    if ((await tierOf(tx, by.userId)).id === tierId) throw new AppError("auth.own_account");
    const accounts = await tx.$count(users, and(eq(users.tierId, tierId), ne(users.status, "CLOSED")));
    if (accounts !== expected.accounts) throw hasAccounts(before, accounts);
    const going = await lockAccountsOf(tx, tierId);
    await tx.update(users).set({ tierId: toTierId }).where(eq(users.tierId, tierId));
    await announcements.tierChanged(tx, { fromTierId: tierId, toTierId, userIds: going });
    await refresh(tx, going);
    await tiers.retire(tx, tierId);
    await audit(tierId, { before: { ...before, accounts }, after: { accountsTo: to } });
    return { tierId, removed: true as const, accounts, to };
  },
});

function hasAccounts({ name }: tiers.Tier, accounts: number): AppError {
  const noun = accounts === 1 ? "1 account has" : `${accounts.toLocaleString("en")} accounts have`;
  return new AppError("tier.has_accounts", { accounts }, `${noun} the group ${name}. Check where they go.`);
}
