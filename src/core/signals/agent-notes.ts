// Notes of staff about an account: for staff, each with its author and time. They are not changed, and go with the
// account.
import { and, desc, eq, lt } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { users as userTable } from "../../../db/schema/identity.ts";
import { agentNotes } from "../../../db/schema/signals.ts";
import { type ByUser, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requireRight, requireRightOver } from "../../shared/rights.ts";
import * as users from "../identity/users.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";

export type AgentNote = { id: number; note: string; byUserId: number; by: string | null; createdAt: Date };

/**
 * Writes a note about another account; returns its id. Throws auth.forbidden, auth.own_account, user.not_found,
 * user.closed, signal.note_missing, request.key_reused.
 */
export async function add(
  db: Db,
  { by, key, userId, note: written }: { by: ByUser; key: Key | null; userId: number; note: string },
): Promise<Answered<{ noteId: number }>> {
  requireRight(by, "agents.note");
  if (userId === by.userId) throw new AppError("auth.own_account");
  const note = written.trim().slice(0, limits.noteChars);
  if (note === "") throw new AppError("signal.note_missing");
  return once(db, by.userId, key, ["agent_note", userId, note], async (tx) => {
    const user = await users.get(tx, userId);
    requireRightOver(by, user, "agents.note");
    if (user.status === "CLOSED") throw new AppError("user.closed");
    const [added] = await tx
      .insert(agentNotes)
      .values({ userId, byUserId: by.userId, note })
      .returning({ noteId: agentNotes.id });
    await auditLog.record(tx, by, [{ action: "user.note", subjectType: "user", subjectId: userId, after: added }]);
    return added!;
  });
}

/** The notes about an account, newest first, those before the id `cursor`. */
export async function list(
  tx: Reads,
  userId: number,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<AgentNote[]> {
  return tx
    .select({
      id: agentNotes.id,
      note: agentNotes.note,
      byUserId: agentNotes.byUserId,
      by: userTable.username,
      createdAt: agentNotes.createdAt,
    })
    .from(agentNotes)
    .leftJoin(userTable, eq(userTable.id, agentNotes.byUserId))
    .where(and(eq(agentNotes.userId, userId), cursor ? lt(agentNotes.id, cursor) : undefined))
    .orderBy(desc(agentNotes.id))
    .limit(limit);
}
