// The offer to undo, in the notice after an act of staff.
import * as undoing from "../core/overview/undoing.ts";
import type { Answer, Context } from "./page.tsx";

export const UNDO_PATH = "/admin/undo";
export type UndoAction = "undo";

/** The answer to a form, with the offer to undo what the command has just done where it can be. */
export async function undoable(
  { db, by }: Pick<Context, "db" | "by">,
  { declared: { name } }: { declared: { name: string } },
  answer: Answer,
): Promise<Answer> {
  if (!("to" in answer) || answer.undo || !answer.notice || answer.notice.startsWith("!")) return answer;
  const offer = await undoing.offerOf(db, by, name);
  return offer ? { ...answer, undo: { of: offer.command, id: offer.entryId, untilMs: offer.untilMs } } : answer;
}
