// Answers to support requests that staff keep under a name, to start from the next time.
import { asc, eq, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { keptAnswers } from "../../../db/schema/support.ts";
import { type ByUser, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as } from "../../shared/fields.ts";
import { Id, requiredText } from "../../shared/inputs.ts";
import { requireRight } from "../../shared/rights.ts";
import * as advisoryLocks from "../platform/advisory-locks.ts";
import { command, type Logged, opposite } from "../platform/commands.ts";

export type KeptAnswer = Pick<typeof keptAnswers.$inferSelect, "id" | "name" | "message">;

type Kept = Pick<KeptAnswer, "name" | "message">;

/** A list with more could not be looked through. */
const ANSWERS_MAX = 100;

const Name = requiredText(60, "Give the answer a name");
const Message = requiredText(limits.messageChars, "Write an answer");
const ONCE = { kept_answers_name_once: "answer.exists" } as const;

/** All of them, by name. Throws auth.forbidden. */
export async function list(db: Reads, by: ByUser): Promise<KeptAnswer[]> {
  requireRight(by, "support.answer");
  const { id, name, message } = keptAnswers;
  return db
    .select({ id, name, message })
    .from(keptAnswers)
    .orderBy(asc(sql`lower(${name})`))
    .limit(ANSWERS_MAX);
}

/** Keeps an answer for all who answer requests; there are at most 100. */
export const keep = command({
  name: "answer.keep",
  right: "support.answer",
  about: "Keep an answer under a name, for all who answer requests",
  subject: "answer",
  input: { name: Name, message: Message },
  errors: ["answer.exists", "answer.too_many"],
  constraints: ONCE,
  run: async ({ tx, by, audit }, { name, message }) => {
    // One at a time, so that two cannot both be the last.
    await advisoryLocks.lock(tx, "keptAnswers");
    if ((await tx.$count(keptAnswers)) >= ANSWERS_MAX) throw new AppError("answer.too_many");
    const row = { name, message, changedByUserId: by.userId };
    const [kept] = await tx.insert(keptAnswers).values(row).returning();
    await audit(kept!.id, { after: { name, message } });
    return asAnswer(kept!);
  },
});

/** Changes the name and text of a kept answer; those that were sent stay as they were. */
export const change = command({
  name: "answer.change",
  right: "support.answer",
  about: "Change the name and text of a kept answer",
  subject: "answer",
  input: { answerId: as("answer", Id), name: Name, message: Message },
  errors: ["answer.not_found", "answer.exists"],
  constraints: ONCE,
  undo: ({ subjectId, before }: Logged<Kept>) => ({ answerId: Number(subjectId), ...before }),
  run: async ({ tx, by, audit }, { answerId, name, message }) => {
    const before = await lock(tx, answerId);
    if (before.name === name && before.message === message) return asAnswer(before);
    const [after] = await tx
      .update(keptAnswers)
      .set({ name, message, changedByUserId: by.userId, changedAt: sql`now()` })
      .where(eq(keptAnswers.id, answerId))
      .returning();
    await audit(answerId, { before: { name: before.name, message: before.message }, after: { name, message } });
    return asAnswer(after!);
  },
});

/** Deletes a kept answer; the log of changes has its text. */
export const remove = command({
  name: "answer.delete",
  right: "support.answer",
  about: "Delete a kept answer",
  subject: "answer",
  input: { answerId: as("answer", Id) },
  errors: ["answer.not_found"],
  undo: ({ before }: Logged<Kept>) => opposite(keep, before),
  run: async ({ tx, audit }, { answerId }) => {
    const { name, message } = await lock(tx, answerId);
    await tx.delete(keptAnswers).where(eq(keptAnswers.id, answerId));
    await audit(answerId, { before: { name, message } });
    return answerId;
  },
});

const asAnswer = ({ id, name, message }: KeptAnswer): KeptAnswer => ({ id, name, message });

async function lock(tx: Tx, answerId: number): Promise<KeptAnswer> {
  const [kept] = await tx.select().from(keptAnswers).where(eq(keptAnswers.id, answerId)).for("update");
  if (!kept) throw new AppError("answer.not_found");
  return kept;
}
