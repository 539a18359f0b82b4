// Transactions that are done again when the database has broken them up for the sake of another one.
//
// The order in which everybody locks: wallets (by user), people, orders, phones, PINs, codes. A foreign key counts, too:
// a row that names a person holds that person's row. Where two cross nevertheless, the database ends one of them.
import { type Db, databaseError, type Tx } from "../../../db/connect.ts";

const TRIES_MAX = 4;

/** Does `work` in a transaction, and again when it lost a deadlock (40P01) or was overtaken (40001). */
export function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return unlessBrokenUp(() => db.transaction(work));
}

/** Does `work`, which must be whole transactions of its own, and again when one of them was broken up. */
export async function unlessBrokenUp<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const code = databaseError(error)?.code;
      if ((code !== "40P01" && code !== "40001") || tries >= TRIES_MAX) throw error;
      // Not both at the same moment again.
      await Bun.sleep(Math.random() * 20 * tries);
    }
  }
}
