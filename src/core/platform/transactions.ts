// Transactions that are retried after a deadlock or serialization failure.
//
// The lock order of the whole core: wallets (by user), users, orders, phones, PINs, codes. A foreign key counts too: a
// row that refers to a user locks that user's row. Where two still cross, the database aborts one of them.
import { type Db, databaseError, type Tx } from "../../../db/connect.ts";

/** No transaction of the shop lasts longer: older rows have been committed, or never will be. */
export const SETTLED_MINUTES = 15;

const TRIES_MAX = 4;

/** Runs `work` in a transaction, again after a deadlock (40P01) or a serialization failure (40001). */
export function transact<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  config?: { isolationLevel: "repeatable read" },
): Promise<T> {
  return unlessBrokenUp(() => db.transaction(work, config));
}

/** Runs `work`, which must consist of whole transactions of its own, again when one of them was aborted. */
async function unlessBrokenUp<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const code = databaseError(error)?.code;
      if ((code !== "40P01" && code !== "40001") || tries >= TRIES_MAX) throw error;
      // At random, so that the two do not meet again.
      await Bun.sleep(Math.random() * 20 * tries);
    }
  }
}
