// The record of what was done for people about their data. It names no number whole, since it outlives an erasure.
import { desc, eq, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { type PrivacyAct, privacyRequests } from "../../../db/schema/privacy.ts";

export type PrivacyRequest = typeof privacyRequests.$inferSelect;
/** `userId` and `username` are null where it is about a number. */
export type RequestRow = PrivacyRequest & { userId: number | null; username: string | null };

/** Records an act about `subject`; `result` says what was removed. */
export async function note(tx: Tx | Db, act: PrivacyAct, subject: string, result = ""): Promise<void> {
  await tx.insert(privacyRequests).values({ act, subject, result });
}

/** The newest acts; those about accounts with what these are named now. */
export async function list(tx: Reads, limit: number): Promise<RequestRow[]> {
  const isOfUser = eq(privacyRequests.subject, sql`${ACCOUNT} || ${users.id}`);
  const rows = await tx
    .select({ request: privacyRequests, userId: users.id, username: users.username })
    .from(privacyRequests)
    .leftJoin(users, isOfUser)
    .orderBy(desc(privacyRequests.id))
    .limit(limit);
  return rows.map(({ request, ...owner }) => ({ ...request, ...owner }));
}

const ACCOUNT = "account ";
export const ofAccount = (userId: number) => ACCOUNT + userId;
export const ofNumber = (msisdn: string) => `a number that ends in ${msisdn.slice(-4)}`;

/** SQL for acts of at least this age, which are forgotten. */
export const olderThan = (days: number) => sql`${privacyRequests.at} < now() - make_interval(days => ${days})`;
