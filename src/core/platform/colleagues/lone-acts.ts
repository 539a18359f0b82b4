// Acts of one person alone: the amounts that count towards their limits, and loud notes of what they did as the only
// one who could decide, or what is only reported to the owners.
import { and, desc, eq, gt, ne, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { loneActs } from "../../../../db/schema/approvals.ts";
import { users } from "../../../../db/schema/identity.ts";
import type { ByUser } from "../../../shared/domain.ts";
import * as auditLog from "../audit-log.ts";
import * as jobs from "../jobs.ts";
import { insertRows } from "../parts.ts";
import type { Ask, Count } from "./second-person.ts";
import { isActiveWith } from "./staff.ts";

/** What one person may do alone and the owners are notified of: lowering a cost, which prices are held against. */
const REPORTED = "costs.lower";

/** Whether it is something that is only reported to the owners. */
export function isReported({ kind }: Pick<LoneAct, "kind">): boolean {
  return kind === REPORTED;
}

/**
 * Notifies the owners, if there is one besides, that somebody has lowered costs: by e-mail, and on the first page for
 * a week. The summary says which: "lower the cost of MTN 1GB from …".
 */
export async function reportLowered(tx: Tx, by: ByUser, summary: string): Promise<void> {
  const [owner] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isActiveWith("staff.manage"), ne(users.id, by.userId)))
    .limit(1);
  if (owner) await noteLoud(tx, by, { kind: REPORTED, summary });
}

/** A loud act of the last week: what somebody did as the only one who could decide, or what is reported. */
export type LoneAct = {
  id: number;
  kind: string;
  byUserId: number;
  username: string;
  summary: string;
  createdAt: Date;
};

const NOTED_DAYS = 7;
const NOTED_MAX = 50;

/** What was done above a limit by somebody alone in the last seven days, newest first. */
export async function loudActs(tx: Reads): Promise<LoneAct[]> {
  const isRecent = gt(loneActs.createdAt, sql`now() - make_interval(days => ${NOTED_DAYS})`);
  return loud(tx).where(and(IS_LOUD, isRecent)).orderBy(desc(loneActs.id)).limit(NOTED_MAX);
}

/** One of them; null when there is none. */
export async function loudAct(tx: Reads, loneActId: number): Promise<LoneAct | null> {
  const [found] = await loud(tx).where(and(IS_LOUD, eq(loneActs.id, loneActId)));
  return found ?? null;
}

const IS_LOUD = eq(loneActs.isLoud, true);

function loud(tx: Reads) {
  const { id, kind, byUserId, createdAt } = loneActs;
  const summary = sql<string>`${loneActs.summary}`;
  return tx
    .select({ id, kind, byUserId, username: users.username, summary, createdAt })
    .from(loneActs)
    .innerJoin(users, eq(users.id, byUserId))
    .$dynamic();
}

/** Records the amounts of an act, for the limits of whoever did it. */
export async function record(
  tx: Tx,
  { userId: byUserId }: Pick<ByUser, "userId">,
  kind: string,
  counts: readonly Count[],
): Promise<void> {
  const rows = counts.map(({ limit, userId, pesewas }) => ({
    ...{ kind, byUserId, limitName: limit, userId, pesewas },
  }));
  await insertRows(tx, loneActs, rows);
}

/** Notes what somebody did above a limit; every owner gets an e-mail about it. */
export async function recordLoud(tx: Tx, by: ByUser, { kind, summary }: Ask): Promise<void> {
  await noteLoud(tx, by, { kind, summary });
  await auditLog.record(tx, by, [
    { action: "approval.alone", subjectType: "approval", subjectId: kind, after: { summary } },
  ]);
}

async function noteLoud(
  tx: Tx,
  { userId: byUserId }: ByUser,
  { kind, summary }: Pick<Ask, "kind" | "summary">,
): Promise<void> {
  const [loud] = await tx
    .insert(loneActs)
    .values({ kind, byUserId, isLoud: true, summary })
    .returning({ id: loneActs.id });
  await jobs.enqueue(tx, "mail_lone_act", loud!.id);
}
