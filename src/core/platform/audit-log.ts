// The audit log: every change an admin makes, with the values before and after.
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import type { By } from "../../shared/domain.ts";
import { inParts } from "./parts.ts";

/** Kinds of things that a change can concern. */
export const SUBJECTS = [
  "user",
  "wallet",
  "product",
  "tier",
  "price",
  "order",
  "operator",
  "setting",
  "text",
  "language",
  "claim",
  "payment",
  "statement",
  "cash",
  "payout",
  "vendor",
  "batch",
  "support",
  "message",
  "job",
] as const;
export type SubjectType = (typeof SUBJECTS)[number];

export type AuditEntry = {
  action: string;
  subjectType: SubjectType;
  subjectId: string | number;
  before?: unknown;
  after?: unknown;
};

/** Writes entries in the caller's transaction, so that no change is committed without them. */
export async function record(tx: Tx, by: By, entries: AuditEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    byUserId: by.userId,
    byUsername: sql`(select username from users where id = ${by.userId})`,
    requestId: by.requestId ?? null,
    ...entry,
    subjectId: String(entry.subjectId),
  }));
  await inParts(rows, (part) => tx.insert(auditLog).values(part));
}

export type AuditLogFilter = {
  subjectType?: SubjectType | undefined;
  subjectId?: string | number | undefined;
};
export type AuditLogRow = typeof auditLog.$inferSelect;

/** Entries newest first, those before the id `cursor`, each with the username of the admin who made the change. */
export async function list(
  tx: Reads,
  filter: AuditLogFilter,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<AuditLogRow[]> {
  const { subjectType, subjectId } = filter;
  return tx
    .select()
    .from(auditLog)
    .where(
      and(
        subjectType && eq(auditLog.subjectType, subjectType),
        subjectId === undefined ? undefined : eq(auditLog.subjectId, String(subjectId)),
        cursor ? lt(auditLog.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

/** Removes the name and e-mail of a closed account from the log; its entries stay. */
export async function forgetNames(tx: Tx, closedUserId: number): Promise<void> {
  await tx.execute(sql`select forget_names_in_audit_log(${closedUserId})`);
}
