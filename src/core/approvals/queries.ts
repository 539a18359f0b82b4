// Requests for a second person as staff read them: those that they asked for or have the right to decide.
import { and, asc, desc, eq, inArray, lt, ne, not, or, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { approvals } from "../../../db/schema/approvals.ts";
import { type ByUser, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { hasRight, type Right, rightsOf } from "../../shared/rights.ts";
import { owesPlaceTo, type Question, requireDecider } from "../platform/colleagues/deciders.ts";
import { actOf } from "./acts.ts";

type Stored = typeof approvals.$inferSelect;
/** A request as staff read it: without the command, which may hold a secret. */
export type Approval = Omit<Stored, "command" | "keyScope" | "key"> & {
  label: string;
  requestedBy: string;
  decidedBy: string | null;
};

/** One request, whoever reads it; throws approval.not_found. */
export async function get(tx: Reads, approvalId: number): Promise<Approval> {
  const [found] = await rows(tx).where(eq(approvals.id, approvalId));
  if (!found) throw new AppError("approval.not_found");
  return present(found);
}

/** As `get`, for somebody who asked for it or has the right to decide it; throws approval.not_found. */
export async function getFor(tx: Reads, by: ByUser, approvalId: number): Promise<Approval> {
  const [found] = await rows(tx).where(and(eq(approvals.id, approvalId), isVisibleTo(by)));
  if (!found) throw new AppError("approval.not_found");
  return present(found);
}

/** Open requests that somebody asked for or has the right to decide, oldest first. */
export async function listOpen(tx: Reads, by: ByUser): Promise<Approval[]> {
  const found = await rows(tx)
    .where(and(eq(approvals.state, "open"), isVisibleTo(by)))
    .orderBy(asc(approvals.id))
    .limit(limits.pageSizeMax);
  return found.map(present);
}

/** As `listOpen` for closed ones, newest first, those before the id `cursor`. */
export async function listClosed(
  tx: Reads,
  by: ByUser,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<Approval[]> {
  const found = await rows(tx)
    .where(and(ne(approvals.state, "open"), isVisibleTo(by), cursor ? lt(approvals.id, cursor) : undefined))
    .orderBy(desc(approvals.id))
    .limit(Math.min(limit, limits.pageSizeMax));
  return found.map(present);
}

/** How many open requests somebody may decide, and since when the oldest waits. */
export async function toDecide(tx: Reads, by: ByUser): Promise<{ count: number; since: Date | null }> {
  const open = await tx
    .select({ right: approvals.right, concerns: approvals.concerns, createdAt: approvals.createdAt })
    .from(approvals)
    .where(
      and(
        eq(approvals.state, "open"),
        ne(approvals.requestedByUserId, by.userId),
        not(owesPlaceTo(approvals.requestedByUserId, by.userId)),
      ),
    )
    .orderBy(asc(approvals.id))
    .limit(limits.pageSizeMax);
  const own = open.filter(({ right, concerns }) => hasRight(by, right as Right) && !concerns.includes(by.userId));
  return { count: own.length, since: own[0]?.createdAt ?? null };
}

/** Why somebody may not decide a request; null when they may. */
export async function obstacleFor(tx: Reads, by: ByUser, approval: Approval): Promise<AppError | null> {
  try {
    await requireDecider(tx, by, questionOf(approval));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** What there is to decide. */
export const questionOf = ({
  requestedByUserId,
  right,
  concerns,
}: Pick<Stored, "requestedByUserId" | "right" | "concerns">): Question => ({
  ...{ askerId: requestedByUserId, right: right as Right, concerns },
});

function isVisibleTo(by: ByUser) {
  return or(eq(approvals.requestedByUserId, by.userId), inArray(approvals.right, rightsOf(by)));
}

const nameOf = (userId: typeof approvals.requestedByUserId | typeof approvals.decidedByUserId) =>
  sql<string | null>`(select username from users where id = ${userId})`;

function rows(tx: Reads) {
  return tx
    .select({
      approval: approvals,
      requestedBy: nameOf(approvals.requestedByUserId),
      decidedBy: nameOf(approvals.decidedByUserId),
    })
    .from(approvals)
    .$dynamic();
}

function present({ approval, requestedBy, decidedBy }: Awaited<ReturnType<typeof rows>>[number]): Approval {
  const { command: _, keyScope: __, key: ___, ...shown } = approval;
  return { ...shown, label: actOf(approval.kind).label, requestedBy: requestedBy ?? "", decidedBy };
}
