// The key of the card numbers: whether this process has the right one, and sealing anew when it was replaced.
import { asc, eq, like, not, or, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { afaRegistrations } from "../../../db/schema/afa.ts";
import type { CardSafe } from "./card-safe.ts";

/** How many card numbers none of these keys can open: with a wrong key nobody would see who is registered already. */
export async function unreadable(db: Db, cards: CardSafe): Promise<number> {
  return db.$count(afaRegistrations, not(or(...cards.prefixes.map(isSealedBy))!));
}

const BATCH = 200;

/** Seals what earlier keys sealed under the current one, a few at a time; returns how many there were. */
export async function reseal(db: Db, cards: CardSafe): Promise<number> {
  let count = 0;
  for (;;) {
    const done = await resealSome(db, cards);
    count += done;
    if (done === 0) return count;
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

/** The prefix is letters, digits, "-", "." and "_", of which LIKE takes "_" for any letter. */
function isSealedBy(prefix: string) {
  return like(afaRegistrations.cardSealed, sql`${prefix.replaceAll("_", "\\_")} || '%'`);
}
