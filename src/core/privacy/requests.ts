// The record of what was done for people about their data. It names no number whole, since it outlives an erasure.
import { desc, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { type PrivacyAct, privacyRequests } from "../../../db/schema/privacy.ts";

export type PrivacyRequest = typeof privacyRequests.$inferSelect;

/** Records an act about `subject`; `result` says what was removed. */
export async function note(tx: Tx | Db, act: PrivacyAct, subject: string, result = ""): Promise<void> {
  await tx.insert(privacyRequests).values({ act, subject, result });
}

/** The newest acts. */
export async function list(tx: Reads, limit: number): Promise<PrivacyRequest[]> {
  return tx.select().from(privacyRequests).orderBy(desc(privacyRequests.id)).limit(limit);
}

export const ofAccount = (userId: number) => `account ${userId}`;
export const ofNumber = (msisdn: string) => `a number that ends in ${msisdn.slice(-4)}`;

/** SQL for acts of at least this age, which are forgotten. */
export const olderThan = (days: number) => sql`${privacyRequests.at} < now() - make_interval(days => ${days})`;
