// The audit log: every change an admin makes, with the values before and after.
import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import type { By } from "../../shared/domain.ts";
import { insertRows } from "./parts.ts";

/** Kinds of things that a change can concern. */
export const SUBJECTS = [
  "user",
  "key",
  "wallet",
  "product",
  "tier",
  "price",
  "order",
  "operator",
  "setting",
  "provider",
  "switch",
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
  "approval",
  "view",
  "answer",
  "signal",
  "rule",
] as const;
export type SubjectType = (typeof SUBJECTS)[number];

export type AuditEntry = {
  action: string;
  subjectType: SubjectType;
  subjectId: string | number;
  before?: unknown;
  after?: unknown;
};

/**
 * Writes entries in the caller's transaction, so that no change is committed without them. Of a change that took a
 * second person, both are named.
 */
export async function record(tx: Tx, by: By, entries: AuditEntry[]): Promise<void> {
  const agreedBy = by.userId === null ? undefined : by.approval?.byUserId;
  const nameOf = (userId: number | null) => sql`(select username from users where id = ${userId})`;
  const rows = entries.map((entry) => ({ ...entry, subjectId: String(entry.subjectId) }));
  await insertRows(tx, auditLog, rows, {
    byUserId: by.userId,
    byUsername: nameOf(by.userId),
    ...(agreedBy !== undefined && { agreedByUserId: agreedBy, agreedByUsername: nameOf(agreedBy) }),
    requestId: by.requestId ?? null,
  });
}

export type AuditLogFilter = {
  subjectType?: SubjectType | undefined;
  subjectId?: string | number | undefined;
  action?: string | undefined;
  /** Whose changes. */
  byUserId?: number | undefined;
  /** The first moment, and the first one after it. */
  from?: Date | undefined;
  until?: Date | undefined;
};
export type AuditLogRow = typeof auditLog.$inferSelect;

/** Entries newest first, those before the entry `cursor`, each with the username of whoever made the change. */
export async function list(
  tx: Reads,
  filter: AuditLogFilter,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<AuditLogRow[]> {
  return tx
    .select()
    .from(auditLog)
    .where(and(matching(filter), cursor ? lt(auditLog.id, cursor) : undefined))
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

const BATCH_ROWS = 1_000;

/** As `list`, batch by batch, at most `rowsMax` entries. */
export async function* inBatches(tx: Reads, filter: AuditLogFilter, rowsMax: number): AsyncGenerator<AuditLogRow[]> {
  let cursor: number | undefined;
  for (let left = rowsMax; left > 0; left -= BATCH_ROWS) {
    const limit = Math.min(BATCH_ROWS, left);
    const rows = await list(tx, filter, { cursor, limit });
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    cursor = rows.at(-1)!.id;
  }
}

/** Everybody who ever made a change, by name, with the name of now. */
export async function authors(tx: Reads): Promise<{ id: number; username: string }[]> {
  // The index is skipped through, from one author to the next.
  return tx.execute<{ id: number; username: string }>(sql`
    with recursive author(id) as (
      (select min(by_user_id) from audit_log)
      union all
      select (select min(l.by_user_id) from audit_log l where l.by_user_id > a.id) from author a where a.id is not null
    )
    select u.id::int, u.username from author a join users u on u.id = a.id order by lower(u.username)`);
}

function matching({ subjectType, subjectId, action, byUserId, from, until }: AuditLogFilter): SQL | undefined {
  return and(
    subjectType && eq(auditLog.subjectType, subjectType),
    subjectId === undefined ? undefined : eq(auditLog.subjectId, String(subjectId)),
    action === undefined ? undefined : eq(auditLog.action, action),
    byUserId === undefined ? undefined : eq(auditLog.byUserId, byUserId),
    from && gte(auditLog.createdAt, from),
    until && lt(auditLog.createdAt, until),
  );
}

/** Removes the name and e-mail of a closed account from the log; its entries stay. */
export async function forgetNames(tx: Tx, closedUserId: number): Promise<void> {
  await tx.execute(sql`select forget_names_in_audit_log(${closedUserId})`);
}
