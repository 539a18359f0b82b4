// Numbers that stopped SMS notices, by texting STOP or through their network, until they text START or their owner
// allows SMS again. They still get what they ask for themselves, codes and replies to their own SMS and requests, and
// notices that protect their account: whoever texts STOP may be somebody else who forged the sender, or holds the SIM.
import { and, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { phones } from "../../../db/schema/identity.ts";
import { messages, smsOptOuts } from "../../../db/schema/messaging.ts";
import type { ByUser, OptInSource, OptOutSource } from "../../shared/domain.ts";
import { deleteInParts } from "../platform/parts.ts";

export type OptOut = typeof smsOptOuts.$inferSelect;

/** How long an opt-out that has ended stays on record. */
const KEPT_DAYS = 90;

/** Whether a number that stopped notices gets this message all the same. */
export function passes(message: { passesOptOut: boolean; carriesCode: boolean }): boolean {
  return message.carriesCode || message.passesOptOut;
}

/** SQL on a message: its recipient has stopped SMS notices. */
export const isToOptedOut: SQL<boolean> = sql`exists (
  select from ${smsOptOuts} where ${smsOptOuts.msisdn} = ${messages.recipient} and ${smsOptOuts.endedAt} is null)`;

/** The number's latest opt-out, ended or not; null when it never stopped notices. */
export async function latestOf(tx: Reads, msisdn: string): Promise<OptOut | null> {
  const [latest] = await tx
    .select()
    .from(smsOptOuts)
    .where(eq(smsOptOuts.msisdn, msisdn))
    .orderBy(desc(smsOptOuts.id))
    .limit(1);
  return latest ?? null;
}

/** Stops notices to a number (233541234567); returns whether they were allowed before. */
export async function stop(tx: Tx | Db, msisdn: string, source: OptOutSource): Promise<boolean> {
  const begun = await tx.insert(smsOptOuts).values({ msisdn, source }).onConflictDoNothing().returning();
  return begun.length > 0;
}

/** Allows notices to a number again; returns whether they were stopped. */
export async function allow(tx: Tx | Db, msisdn: string, by: OptInSource): Promise<boolean> {
  const ended = await tx
    .update(smsOptOuts)
    .set({ endedAt: sql`now()`, endedBy: by })
    .where(and(eq(smsOptOuts.msisdn, msisdn), isNull(smsOptOuts.endedAt)))
    .returning({ id: smsOptOuts.id });
  return ended.length > 0;
}

/** Allows notices to the user's own confirmed phone again; does nothing without one. */
export async function allowOwn(db: Db, { by }: { by: ByUser }): Promise<void> {
  const [phone] = await db.select({ msisdn: phones.msisdn }).from(phones).where(eq(phones.userId, by.userId));
  if (phone) await allow(db, phone.msisdn, "profile");
}

/** Deletes opt-outs that ended three months ago. */
export async function forgetOld(db: Db): Promise<void> {
  const isOld = lt(smsOptOuts.endedAt, sql`now() - make_interval(days => ${KEPT_DAYS})`);
  await deleteInParts(db, smsOptOuts, isOld);
}
