// Tiers: groups of accounts with prices of their own. An account has one, `Standard` unless an admin gives it another;
// identity/account-tiers.ts owns that. A deleted tier stays, with its prices, for the orders that were placed in it.
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { STANDARD_TIER_ID, tiers } from "../../../db/schema/catalog.ts";
import { users } from "../../../db/schema/identity.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { Id, requiredText } from "../../shared/inputs.ts";
import * as advisoryLocks from "../platform/advisory-locks.ts";
import { command, type Logged } from "../platform/commands.ts";

export { STANDARD_TIER_ID };

/** With `Standard`. A table with more columns could not be read. */
const TIERS_MAX = 20;

export type Tier = { id: number; name: string };
/** `accounts`: how many have it, without closed ones. */
export type TierInUse = Tier & { accounts: number; createdAt: Date };

const shown = { id: tiers.id, name: tiers.name };
const oneOf = isNull(tiers.deletedAt);

/** The tiers in the order in which they were added, `Standard` first. */
export async function list(tx: Reads): Promise<Tier[]> {
  return tx.select(shown).from(tiers).where(oneOf).orderBy(asc(tiers.id));
}

/** As `list`, with the number of accounts of each. */
export async function listInUse(tx: Reads): Promise<TierInUse[]> {
  const accounts = sql<number>`(
    select count(*) from ${users} where ${users.tierId} = tiers.id and ${users.status} <> 'CLOSED')`;
  return tx
    .select({ ...shown, createdAt: tiers.createdAt, accounts: accounts.mapWith(Number) })
    .from(tiers)
    .where(oneOf)
    .orderBy(asc(tiers.id));
}

/** One tier; throws tier.not_found, also for a deleted one. */
export async function get(tx: Reads, tierId: number): Promise<Tier> {
  const [tier] = await tx
    .select(shown)
    .from(tiers)
    .where(and(eq(tiers.id, tierId), oneOf));
  if (!tier) throw new AppError("tier.not_found");
  return tier;
}

/** The name of a tier, also of a deleted one: its orders keep it. */
export async function nameOf(tx: Reads, tierId: number): Promise<string> {
  const [tier] = await tx.select(shown).from(tiers).where(eq(tiers.id, tierId));
  return tier!.name;
}

/** As `get`, and keeps it from being deleted until the transaction ends. */
export async function hold(tx: Tx, tierId: number): Promise<Tier> {
  await tx.select(shown).from(tiers).where(eq(tiers.id, tierId)).for("share");
  return get(tx, tierId);
}

const Name = requiredText(30, "Enter a name");
const constraints = { tiers_name_once: "tier.exists" } as const;

/** Adds a tier; its accounts pay the Standard prices until it has prices of its own. */
export const add = command({
  name: "tier.add",
  right: "catalog.manage",
  about: "Add a tier; its prices are the Standard ones until it has its own",
  subject: "tier",
  input: { name: Name },
  errors: ["tier.exists", "tier.too_many"],
  constraints,
  run: async ({ tx, audit }, { name }) => {
    // One at a time, so that two cannot both be the last.
    await advisoryLocks.lock(tx, "tiers");
    if ((await tx.$count(tiers, oneOf)) >= TIERS_MAX) throw new AppError("tier.too_many");
    const [tier] = await tx.insert(tiers).values({ name }).returning(shown);
    await audit(tier!.id, { after: tier });
    return tier!;
  },
});

/** Gives a tier another name, `Standard` too. */
export const rename = command({
  name: "tier.rename",
  right: "catalog.manage",
  about: "Rename a tier",
  subject: "tier",
  input: { tierId: Id, name: Name },
  errors: ["tier.not_found", "tier.exists"],
  constraints,
  undo: ({ subjectId, before }: Logged<Tier>) => ({ tierId: Number(subjectId), name: before.name }),
  run: async ({ tx, audit }, { tierId, name }) => {
    const before = await lock(tx, tierId);
    if (before.name === name) return before;
    const [after] = await tx.update(tiers).set({ name }).where(eq(tiers.id, tierId)).returning(shown);
    await audit(tierId, { before, after });
    return after!;
  },
});

/**
 * Locks a tier that is to be deleted, so that no account gets it meanwhile. Throws tier.not_found and
 * tier.standard_stays.
 */
export async function lockForRemoval(tx: Tx, tierId: number): Promise<Tier> {
  const tier = await lock(tx, tierId);
  if (tierId === STANDARD_TIER_ID) throw new AppError("tier.standard_stays");
  return tier;
}

/** Marks a tier without accounts as deleted. */
export async function retire(tx: Tx, tierId: number): Promise<void> {
  await tx.update(tiers).set({ deletedAt: sql`now()` }).where(eq(tiers.id, tierId));
}

/** Locks a tier that is to be changed. Throws tier.not_found, also for a deleted one. */
export async function lock(tx: Tx, tierId: number): Promise<Tier> {
  await tx.select(shown).from(tiers).where(eq(tiers.id, tierId)).for("update");
  return get(tx, tierId);
}
