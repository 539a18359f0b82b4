// Messages about prices and pauses, which concern many accounts: written after the change by a worker, some hundred
// endpoints in a commit. Each commit notes how far it came, so that a worker that takes over neither repeats nor leaves
// one out.
import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import { announcements } from "../../../db/schema/catalog-announcements.ts";
import { users } from "../../../db/schema/identity.ts";
import { hooks } from "../../../db/schema/webhooks.ts";
import { type Announcement, changedPrices, type Payer, pauseJson } from "../catalog/announced.ts";
import * as advisoryLocks from "../platform/advisory-locks.ts";
import { bodyOf, insertForAll, isReader } from "../platform/webhook-outbox.ts";

/** Endpoints of one commit. */
const BATCH = 500;
/** Prices in one message: about 20 kB. */
const PRICES_MAX = 100;

/**
 * Writes the messages of the oldest announcement that is due, for up to `countMax` endpoints; returns how many
 * announcements it worked on: one or none. One worker at a time does, so that messages keep the order of the changes.
 */
export async function announceDue(db: Db, countMax = BATCH): Promise<0 | 1> {
  return db.transaction(async (tx) => {
    if (!(await advisoryLocks.tryLock(tx, "announcing"))) return 0;
    const [due] = await tx
      .select({ announcement: announcements, timestamp: AT_TEXT })
      .from(announcements)
      .where(lte(announcements.at, sql`clock_timestamp()`))
      .orderBy(asc(announcements.at), asc(announcements.id))
      .limit(1)
      .for("update");
    if (!due) return 0;
    const { announcement, timestamp } = due;
    const readers = await readersOf(tx, announcement, countMax);
    if (announcement.kind === "pause") await writePause(tx, announcement, timestamp, readers);
    else await writePrices(tx, announcement, timestamp, readers);
    const isThis = eq(announcements.id, announcement.id);
    const last = readers.at(-1);
    if (!last || readers.length < countMax) await tx.delete(announcements).where(isThis);
    else await tx.update(announcements).set({ afterHookId: last.hookId }).where(isThis);
    return 1;
  });
}

const AT_TEXT = sql<string>`to_char(
  ${announcements.at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

type Reader = { hookId: number; userId: number; tierId: number; hasOwnPrices: boolean };

/** The next endpoints that an announcement concerns, in the order of their ids. */
async function readersOf(tx: Tx, announcement: Announcement, countMax: number): Promise<Reader[]> {
  const event = announcement.kind === "pause" ? "product.paused" : "product.price_changed";
  return tx
    .select({
      ...{ hookId: hooks.id, userId: hooks.userId },
      ...{ tierId: tierAt(announcement), hasOwnPrices: users.hasOwnPrices },
    })
    .from(hooks)
    .innerJoin(users, eq(users.id, hooks.userId))
    .where(
      and(
        gt(hooks.id, announcement.afterHookId),
        isReader(event),
        eq(users.status, "ACTIVE"),
        isConcerned(announcement),
      ),
    )
    .orderBy(hooks.id)
    .limit(countMax)
    .for("key share", { of: hooks });
}

/** SQL for the tier at that moment: of changes since then, the first is still to be announced. */
function tierAt({ id }: Announcement) {
  return sql<number>`coalesce((
    select t.from_tier_id from announcements a join announcements t on t.kind = 'tier' and t.at > a.at
    where a.id = ${id} and ${users.id} = any(t.user_ids) order by t.at limit 1), ${users.tierId})`.mapWith(Number);
}

/** SQL: whether what an account pays may change. A Standard price is everybody's who has no other. */
function isConcerned(announcement: Announcement) {
  const { kind, id, changeId } = announcement;
  if (kind === "pause") return undefined;
  if (kind === "tier") return sql`${users.id} = any((select user_ids from announcements where id = ${id})::bigint[])`;
  return sql`(
    exists (select from prices x
            where x.change_id = ${changeId} and x.tier_id in (${STANDARD_TIER_ID}, ${tierAt(announcement)}))
    or exists (select from account_prices x where x.change_id = ${changeId} and x.user_id = ${users.id}))`;
}

async function writePause(
  tx: Tx,
  announcement: Announcement,
  timestamp: string,
  readers: readonly Reader[],
): Promise<void> {
  const data = await pauseJson(tx, announcement);
  if (!data) return;
  const body = bodyOf("product.paused", timestamp, data);
  await insertForAll(
    tx,
    "product.paused",
    body,
    readers.map(({ hookId }) => hookId),
  );
}

async function writePrices(
  tx: Tx,
  announcement: Announcement,
  timestamp: string,
  readers: readonly Reader[],
): Promise<void> {
  // Accounts without prices of their own pay what their tier pays: it is found once for all of them.
  const { fromTierId, toTierId } = announcement;
  const groups = [
    ...Map.groupBy(readers, ({ userId, tierId, hasOwnPrices }) =>
      hasOwnPrices ? `user ${userId}` : `tier ${tierId}`,
    ).values(),
  ];
  const payers = groups.map(([reader]): Payer => {
    const { userId, tierId, hasOwnPrices } = reader!;
    const tiers = { fromTierId: fromTierId ?? tierId, toTierId: toTierId ?? tierId };
    return { userId: hasOwnPrices ? userId : null, ...tiers };
  });
  const changed = await changedPrices(tx, announcement, payers);
  for (const [n, group] of groups.entries()) {
    const hookIds = group.map(({ hookId }) => hookId);
    for (let from = 0; from < changed[n]!.length; from += PRICES_MAX) {
      const data = { products: changed[n]!.slice(from, from + PRICES_MAX) };
      const body = bodyOf("product.price_changed", timestamp, data);
      await insertForAll(tx, "product.price_changed", body, hookIds);
    }
  }
}
