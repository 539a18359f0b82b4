// Notes of staff about an account: for staff, each with its author and time. They are not changed, and go with the
// account.
import { and, desc, eq, lt } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { users as userTable } from "../../../db/schema/identity.ts";
import { agentNotes } from "../../../db/schema/signals.ts";
import { limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { errorCode, Id, requiredText } from "../../shared/inputs.ts";
import { requireRightOver } from "../../shared/rights.ts";
import * as users from "../identity/users.ts";
import { command } from "../platform/commands.ts";

export type AgentNote = { id: number; note: string; byUserId: number; by: string | null; createdAt: Date };

export const Note = requiredText(limits.noteChars, errorCode("signal.note_missing"));

/** Writes a note about another account. */
export const add = command({
  name: "user.note",
  right: "agents.note",
  about: "Write a note about an account, for staff",
  subject: "user",
  input: { userId: Id, note: Note },
  errors: ["user.not_found", "user.closed", "auth.own_account", "signal.note_missing"],
  run: async ({ tx, by, audit }, { userId, note }) => {
    if (userId === by.userId) throw new AppError("auth.own_account");
    const user = await users.get(tx, userId);
    requireRightOver(by, user, "agents.note");
    if (user.status === "CLOSED") throw new AppError("user.closed");
    const [added] = await tx
      .insert(agentNotes)
      .values({ userId, byUserId: by.userId, note })
      .returning({ noteId: agentNotes.id });
    await audit(userId, { after: added });
    return added!;
  },
});

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
