// Key rotation of card numbers: checks that this process has the right key, and re-encrypts after a change.
import { asc, eq, like, not, or, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { afaRegistrations } from "../../../db/schema/afa.ts";
import type { CardSafe } from "./card-safe.ts";

/** The number of card numbers that none of these keys can decrypt: a wrong key would hide existing registrations. */
export async function unreadable(db: Db, cards: CardSafe): Promise<number> {
  return db.$count(afaRegistrations, not(or(...cards.prefixes.map(isSealedBy))!));
}

const BATCH = 200;

/** Re-encrypts what is under earlier keys under the current one, in batches; returns how many. */
export async function reseal(db: Db, cards: CardSafe): Promise<number> {
  let count = 0;
  for (;;) {
    const resealed = await resealSome(db, cards);
    count += resealed;
    if (resealed === 0) return count;
  }
}

async function resealSome(db: Db, cards: CardSafe): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ orderId: afaRegistrations.orderId, sealed: afaRegistrations.cardSealed })
      .from(afaRegistrations)
      .where(not(isSealedBy(cards.prefixes[0])))
      .orderBy(asc(afaRegistrations.orderId))
      .limit(BATCH)
      .for("update", { skipLocked: true });
    for (const { orderId, sealed } of rows) {
      const card = cards.open(sealed, orderId);
      await tx
        .update(afaRegistrations)
        .set({ cardSealed: cards.seal(card, orderId), cardDigest: cards.digests(card)[0] })
        .where(eq(afaRegistrations.orderId, orderId));
    }
    return rows.length;
  });
}

/** The prefix has letters, digits, "-", "." and "_", which is a wildcard for LIKE. */
function isSealedBy(prefix: string) {
  return like(afaRegistrations.cardSealed, sql`${prefix.replaceAll("_", "\\_")} || '%'`);
}
