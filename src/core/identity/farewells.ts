// Farewells: which accounts have left this live shop, so that what they have in its sandbox ends as well. Written with
// what ends an account, and sent by core/sandbox/farewells.ts.
import { asc, eq, lte, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { sandboxFarewells } from "../../../db/schema/identity-farewells.ts";

/** Notes that an account has left, in the transaction of its ban or closing. A sandbox has nobody to send it to. */
export async function note(tx: Tx, userId: number): Promise<void> {
  await tx.execute(sql`
    insert into sandbox_farewells (user_id)
    select ${userId}::bigint from shop_facts where mode is distinct from 'test'
    on conflict do nothing`);
}

/** Takes back what was noted and not sent yet, in the transaction that lets the account in again. */
export async function withdraw(tx: Tx, userId: number): Promise<void> {
  await tx.delete(sandboxFarewells).where(eq(sandboxFarewells.userId, userId));
}

/** The accounts that left at least `seconds` ago, the first ones first. */
export async function due(
  db: Db,
  { seconds, countMax }: { seconds: number; countMax: number },
): Promise<{ id: number; userId: number }[]> {
  return db
    .select({ id: sandboxFarewells.id, userId: sandboxFarewells.userId })
    .from(sandboxFarewells)
    .where(lte(sandboxFarewells.createdAt, sql`now() - make_interval(secs => ${seconds})`))
    .orderBy(asc(sandboxFarewells.id))
    .limit(countMax);
}

/** Forgets one that the sandbox has heard. */
export async function forget(db: Db, id: number): Promise<void> {
  await db.delete(sandboxFarewells).where(eq(sandboxFarewells.id, id));
}
