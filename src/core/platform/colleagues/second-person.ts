// The rule that two people decide together. An act asks `require` in its transaction, before it changes anything. It
// passes within the limit of what one person may do in 24 hours, or when another person has agreed to exactly this act
// on the state that was seen; otherwise it throws ApprovalNeeded, and the door stores the request (core/approvals).
import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { approvals, loneActs, type Seen } from "../../../../db/schema/approvals.ts";
import { settings } from "../../../../db/schema/platform.ts";
import type { By, ByUser } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { type Right, requireConfirmed } from "../../../shared/rights.ts";
import { lock } from "../advisory-locks.ts";
import * as auditLog from "../audit-log.ts";
import { SECOND_PERSON_SETTINGS } from "../settings/declared-settings.ts";
import { isAmong } from "../sql.ts";
import { decidersOf, requireDecider } from "./deciders.ts";
import { record, recordLoud } from "./lone-acts.ts";

type Declared = typeof SECOND_PERSON_SETTINGS;
/** The setting with the amount of a kind that one person may do alone within 24 hours. */
export type LimitName = {
  [Name in keyof Declared]: Name extends `alone_${string}_pesewas` ? Name : never;
}[keyof Declared];

/** An amount that an act moves for an account, whichever way, and the limit that it counts towards. */
export type Count = { limit: LimitName; userId: number; pesewas: number };

/** An act that may need a second person. */
export type Ask = {
  /** Its entry in core/approvals/acts.ts, which carries it out. */
  kind: string;
  /** The right that it takes; whoever decides must have it, too. */
  right: Right;
  /** What it changes, as in "wallet 12": one request about it can be open. */
  subject: string;
  /** The accounts concerned: their owners do not decide. */
  concerns?: readonly number[];
  /** What the act is called with again, besides `by` and the key: plain JSON. */
  command: Record<string, unknown>;
  /** `state` and `version` must be the same when it is done; `facts` may change. People read all but the version. */
  seen: Seen;
  /** What it does, after "asks to": "add GH₵ 500.00 to ama's wallet". */
  summary: string;
  reason?: string | null;
  /** What it counts; without any, it needs a second person whatever the amount. */
  counts?: readonly Count[];
  amountPesewas?: number;
  /** A change of this rule itself, which nobody makes alone. */
  isRule?: boolean;
};

/** Thrown by `require`; the doors store the request and say so. */
export class ApprovalNeeded extends AppError {
  constructor(readonly ask: Ask) {
    super("approval.needed");
  }
}

/** Thrown by `require` to somebody who only wants to see what an act would meet now. */
export class Peeked extends Error {
  constructor(readonly ask: Ask) {
    super("nothing was done");
  }
}

/**
 * Passes when one person may do this: within the limits, above them as the only one who could decide (with a loud
 * note), or because the request that `by` carries out is for exactly this act and its state. Call it once in an act,
 * under the act's locks; null for one that turns out to need nobody. Throws ApprovalNeeded, approval.nobody,
 * auth.confirm_needed; and while a request is carried out approval.decided, approval.expired, approval.outdated and
 * what `requireDecider` throws.
 */
export async function require(tx: Tx, by: By, ask: Ask | null): Promise<void> {
  if (by.userId === null) return;
  if (by.approval) return carryOut(tx, by, by.approval, ask);
  if (!ask || (await countAlone(tx, by, ask))) return;
  const rules = await rulesOf(tx);
  const counts = byAccount(ask.counts ?? []);
  const { ids, isAlone } = await decidersOf(tx, questionOf(by, ask));
  if (ids.length > 0) throw new ApprovalNeeded(ask);
  if (!isAlone || ask.isRule) throw new AppError("approval.nobody");
  const soleLimit = (limit: LimitName) => Math.max(rules[limit], rules.alone_sole_pesewas);
  if (await isAbove(tx, by, counts, soleLimit)) throw new AppError("approval.nobody");
  requireConfirmed(by);
  await record(tx, by, ask.kind, counts);
  await recordLoud(tx, by, ask);
}

/**
 * Whether one person may do this within the limits, or the rule is off; it is counted then. For what happens by itself
 * on somebody's word, as lines of a statement do: without it nothing is asked, and a person has to act. Call it under
 * the act's locks.
 */
export async function countAlone(
  tx: Tx,
  by: Pick<ByUser, "userId">,
  { kind, counts }: Pick<Ask, "kind" | "counts">,
): Promise<boolean> {
  const rules = await rulesOf(tx);
  const sums = byAccount(counts ?? []);
  if (rules.second_person) {
    // Two acts at once would each see the sum without the other.
    await lock(tx, "secondPerson");
    if (!counts || (await isAbove(tx, by, sums, (limit) => rules[limit]))) return false;
  }
  // While the rule is off it counts as well, for when it holds again.
  await record(tx, by, kind, sums);
  return true;
}

/** What somebody did alone within 24 hours, in pesewas. Other acts of theirs wait until the transaction ends. */
export async function doneAlone(tx: Tx, by: Pick<ByUser, "userId">, limit: LimitName): Promise<number> {
  await lock(tx, "secondPerson");
  return sumAlone(tx, by, limit);
}

/** What is stored of an act: as JSON reads it again. */
export function plainOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const questionOf = ({ userId }: ByUser, { right, concerns = [] }: Ask) => ({
  askerId: userId,
  right,
  concerns,
});

/** Spends the agreement in the act's own transaction, so that both are committed or neither. */
async function carryOut(
  tx: Tx,
  by: ByUser,
  { id, byUserId, peeks }: NonNullable<ByUser["approval"]>,
  ask: Ask | null,
): Promise<void> {
  // What was asked for is no longer what it was.
  if (!ask) throw new AppError("approval.outdated");
  if (peeks) throw new Peeked(ask);
  // Who may decide stays so until the act is committed.
  await lock(tx, "secondPerson");
  const [row] = await tx
    .select({ approval: approvals, isExpired: sql<boolean>`${approvals.expiresAt} <= now()` })
    .from(approvals)
    .where(eq(approvals.id, id))
    .for("update");
  if (row?.approval.state !== "open") throw new AppError("approval.decided");
  if (row.isExpired) throw new AppError("approval.expired");
  const { approval } = row;
  await requireDecider(tx, { userId: byUserId }, questionOf(by, ask));
  const isSame =
    approval.requestedByUserId === by.userId &&
    approval.kind === ask.kind &&
    approval.subject === ask.subject &&
    Bun.deepEquals(approval.command, plainOf(ask.command));
  if (!isSame) throw new AppError("approval.outdated");
  const [then, now] = [approval.seen, plainOf(ask.seen)];
  if (!Bun.deepEquals(then.state, now.state) || then.version !== now.version)
    throw new AppError("approval.outdated", { seen: then.state, found: now.state });
  await tx
    .update(approvals)
    .set({ state: "agreed", decidedByUserId: byUserId, decidedAt: sql`now()` })
    .where(eq(approvals.id, id));
  const decider: ByUser = { userId: byUserId, roles: [], channel: by.channel };
  await auditLog.record(tx, by.requestId ? { ...decider, requestId: by.requestId } : decider, [
    {
      ...{ action: "approval.agree", subjectType: "approval", subjectId: id },
      after: { requestedBy: by.userId, summary: approval.summary },
    },
  ]);
}

/** The sums of what an act counts, by limit and account. */
function byAccount(counts: readonly Count[]): Count[] {
  const groups = Map.groupBy(counts, ({ limit, userId }) => `${limit} ${userId}`);
  return [...groups.values()]
    .map((own) => ({ ...own[0]!, pesewas: own.reduce((sum, { pesewas }) => sum + pesewas, 0) }))
    .filter(({ pesewas }) => pesewas > 0);
}

/** Whether an act would take somebody, or an account, above a limit within 24 hours. */
async function isAbove(
  tx: Tx,
  by: Pick<ByUser, "userId">,
  counts: readonly Count[],
  limitOf: (limit: LimitName) => number,
): Promise<boolean> {
  for (const [limit, own] of Map.groupBy(counts, (count) => count.limit)) {
    const total = own.reduce((all, { pesewas }) => all + pesewas, 0);
    if ((await sumAlone(tx, by, limit)) + total > limitOf(limit)) return true;
    const accounts = await tx
      .select({ userId: loneActs.userId, sum: SUM })
      .from(loneActs)
      .where(
        and(
          isRecentOf(limit),
          isAmong(
            loneActs.userId,
            own.map(({ userId }) => userId),
          ),
        ),
      )
      .groupBy(loneActs.userId);
    const before = new Map(accounts.map((account) => [account.userId, account.sum]));
    if (own.some(({ userId, pesewas }) => (before.get(userId) ?? 0) + pesewas > limitOf(limit))) return true;
  }
  return false;
}

async function sumAlone(tx: Tx, { userId }: Pick<ByUser, "userId">, limit: LimitName): Promise<number> {
  const [row] = await tx
    .select({ sum: SUM })
    .from(loneActs)
    .where(and(isRecentOf(limit), eq(loneActs.byUserId, userId)));
  return row!.sum;
}

const SUM = sql<number>`coalesce(sum(${loneActs.pesewas}), 0)::bigint`;

const isRecentOf = (limit: LimitName) =>
  and(eq(loneActs.limitName, limit), gt(loneActs.createdAt, sql`now() - interval '24 hours'`));

type Rules = { [Name in keyof Declared]: Declared[Name]["default"] };

async function rulesOf(tx: Reads): Promise<Rules> {
  const names = Object.keys(SECOND_PERSON_SETTINGS);
  const rows = await tx.select().from(settings).where(inArray(settings.key, names));
  const defaults = Object.entries(SECOND_PERSON_SETTINGS).map(([name, { default: value }]) => [name, value]);
  const set = rows.map(({ key, value }) => [key, value]);
  return Object.fromEntries([...defaults, ...set]) as Rules;
}
