// The audit log: every change an admin makes, with what was there before and after.
import { desc, lt } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { auditLog } from "../../db/schema.ts";
import type { By } from "../shared/domain.ts";

export type TrailEntry = {
  action: string;
  subjectType: "user" | "product" | "order" | "wallet" | "operator" | "setting" | "claim" | "payment";
  subjectId: string | number;
  before?: unknown;
  after?: unknown;
};

/** Writes entries in the caller's transaction, so that no change is without its trace. */
export async function record(tx: Tx, by: By, entries: TrailEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.insert(auditLog).values(
    entries.map((entry) => ({
      byUserId: by.userId,
      requestId: by.requestId ?? null,
      ...entry,
      subjectId: String(entry.subjectId),
    })),
  );
}

/** The newest entries first, from below `cursor` on. */
export async function list(db: Db, { cursor, limit }: { cursor?: number | undefined; limit: number }) {
  return db
    .select()
    .from(auditLog)
    .where(cursor ? lt(auditLog.id, cursor) : undefined)
    .orderBy(desc(auditLog.id))
    .limit(limit);
}
