// Announcements of changed prices and of pauses, written in the commit of the change: messages to the programs of many
// accounts are not for an admin to wait for. webhooks/announcing.ts writes them from the moment on at which the change
// takes effect.
import { and, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { announcements } from "../../../db/schema/catalog-announcements.ts";
import { hooks } from "../../../db/schema/webhooks.ts";
import { isAmong } from "../platform/sql.ts";
import type { PauseColumns } from "./sale-pauses.ts";

/** Announces a change of prices for the moment at which it begins. */
export async function pricesChanged(tx: Tx, changeId: number): Promise<void> {
  await tx.execute(sql`
    insert into announcements (kind, at, change_id)
    select 'prices', c.since, c.id from price_changes c where c.id = ${changeId}`);
}

/** Announces that these accounts pay the prices of another tier from now on; of those with webhooks, at most. */
export async function tierChanged(
  tx: Tx,
  change: { fromTierId: number; toTierId: number; userIds: readonly number[] },
): Promise<void> {
  const { fromTierId, toTierId } = change;
  const found = await tx
    .selectDistinct({ userId: hooks.userId })
    .from(hooks)
    .where(isAmong(hooks.userId, change.userIds));
  if (found.length === 0) return;
  const userIds = found.map(({ userId }) => userId);
  await tx.insert(announcements).values({ kind: "tier", at: NOW, fromTierId, toTierId, userIds });
}

/** A product, or an operator with all its products. */
type Sold = { productId: number } | { operator: string };

/**
 * Announces a changed pause, or that the sale goes on; and for the end of a pause that it does then, unless the pause
 * is changed before.
 */
export async function pauseChanged(
  tx: Tx,
  sold: Sold,
  before: PauseColumns,
  { pausedMessage: message, pausedUntil: until }: PauseColumns,
): Promise<void> {
  if (before.pausedMessage === message && before.pausedUntil?.getTime() === until?.getTime()) return;
  const { productId, operator } = announcements;
  const isOfThis = "productId" in sold ? eq(productId, sold.productId) : eq(operator, sold.operator);
  await tx.delete(announcements).where(and(isOfThis, gt(announcements.at, NOW)));
  await tx.insert(announcements).values({ kind: "pause", at: NOW, ...sold, message, until });
  if (message !== null && until) await tx.insert(announcements).values({ kind: "pause", at: until, ...sold });
}

const NOW = sql`clock_timestamp()`;
