// Undoing: for a while after an act of staff, what undoes it brings back the values of before, unless somebody has
// changed the same thing since. What undoes a command is declared with it (platform/commands.ts).
import { and, asc, desc, eq, gte, inArray, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { auditLog } from "../../../db/schema/platform.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { type Command, commandOf, Opposite } from "../platform/commands.ts";
import { type Answered, once } from "../platform/idempotency.ts";
import * as settings from "../platform/settings/settings.ts";

/** What somebody has done and can undo: the command, its first entry in the log of changes, and until when. */
export type Undoable = { command: string; entryId: number; untilMs: number };

/** What a command has just done in this request, if it can be undone; else null. */
export async function offerOf(db: Reads, by: ByUser, command: string): Promise<Undoable | null> {
  const declared = commandOf(command)?.declared;
  if (!declared?.undo || !by.requestId) return null;
  const isOfRequest = and(
    isLogOf(declared, by),
    eq(auditLog.requestId, by.requestId),
    gte(auditLog.createdAt, sql`now() - interval '1 minute'`),
  );
  const [entry] = await db
    .select()
    .from(auditLog)
    .where(isOfRequest)
    .orderBy(desc(auditLog.createdAt), asc(auditLog.id))
    .limit(1);
  if (!entry) return null;
  const untilMs = await endOf(db, entry);
  if (untilMs <= Date.now() || !undoneBy(declared, await entriesOf(db, by, declared, entry.id))) return null;
  return { command, entryId: entry.id, untilMs };
}

/**
 * Undoes what somebody has done themselves, once: a repeat gets the first answer. It is logged as what undoes it, and
 * takes the same rights, proof and second person. Throws undo.not_found, undo.too_late, undo.changed, and
 * what that command refuses.
 */
export async function undo(
  db: Db,
  by: ByUser,
  { command: name, entryId }: Pick<Undoable, "command" | "entryId">,
): Promise<Answered<unknown>> {
  const declared = commandOf(name)?.declared;
  if (!declared?.undo) throw new AppError("undo.not_found");
  let undoing: Opposite | undefined;
  const key = { scope: "undo", key: String(entryId) };
  const done = await once(db, by.userId, key, [name, entryId], async (tx) => {
    const entries = await entriesOf(tx, by, declared, entryId);
    const found = undoneBy(declared, entries);
    if (!found) throw new AppError("undo.not_found");
    if ((await endOf(tx, entries[0]!)) <= Date.now()) throw new AppError("undo.too_late");
    await refuseChanged(tx, by, entries);
    const answer = await found.command.within(tx, by, found.values);
    // Again, now that it has locked what it changes: somebody may have been there a moment before.
    await refuseChanged(tx, by, entries);
    await refuseOtherValues(tx, by, entries);
    undoing = found;
    return answer;
  });
  const { command, values } = undoing ?? {};
  await command?.declared.afterwards?.(db, done.answer, values!);
  return done;
}

type Declared = Command["declared"];
type Entry = typeof auditLog.$inferSelect;

const isLogOf = ({ name, logs = [], subject }: Declared, by: ByUser) =>
  and(eq(auditLog.byUserId, by.userId), eq(auditLog.subjectType, subject!), inArray(auditLog.action, [name, ...logs]));

/** All entries of the act that has this one: those of a transaction have its time. */
async function entriesOf(tx: Reads, by: ByUser, declared: Declared, entryId: number): Promise<Entry[]> {
  const at = sql`(select created_at from audit_log where id = ${entryId})`;
  return tx
    .select()
    .from(auditLog)
    .where(and(isLogOf(declared, by), eq(auditLog.createdAt, at)))
    .orderBy(asc(auditLog.id));
}

function undoneBy(declared: Declared, [first, ...rest]: Entry[]): Opposite | null {
  const found = first && declared.undo!(first, ...rest);
  if (!found || found instanceof Opposite) return found ?? null;
  return new Opposite(commandOf(declared.name)!, found);
}

async function endOf(tx: Reads, { createdAt }: Entry): Promise<number> {
  return createdAt.getTime() + (await settings.get(tx, "desk_undo_seconds")) * 1000;
}

/** Throws undo.changed when the log has something newer about the same, apart from what this transaction does. */
async function refuseChanged(tx: Tx, by: ByUser, entries: Entry[]): Promise<void> {
  const [newer] = await tx.execute<{ userId: number | null; username: string | null; type: string; id: string }>(sql`
    select n.by_user_id::int as "userId", n.by_username as username, n.subject_type as type, n.subject_id as id
    from audit_log e
    join audit_log n on n.subject_type = e.subject_type and n.subject_id = e.subject_id and n.id > e.id
    where e.id = any(${sql.param(entries.map(({ id }) => id))}::bigint[])
      and not (n.by_user_id is not distinct from ${by.userId} and n.created_at = now())
    order by n.id desc limit 1`);
  if (!newer) return;
  const { userId, username, ...subject } = newer;
  const since = userId === by.userId ? "You have" : `${username ?? "The system"} has`;
  throw new AppError("undo.changed", { subject }, `${since} changed this since; nothing was undone`);
}

/** Throws undo.changed when this transaction replaces other values than the act had set: not every change is logged. */
async function refuseOtherValues(tx: Tx, by: ByUser, entries: Entry[]): Promise<void> {
  const own = await tx
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.byUserId, by.userId), eq(auditLog.createdAt, sql`now()`)));
  for (const { subjectType, subjectId, after: set } of entries) {
    const undone = own.find((one) => one.subjectType === subjectType && one.subjectId === subjectId);
    if (!undone) continue;
    const [were, are, of] = [fieldsOf(undone.before), fieldsOf(undone.after), fieldsOf(set)];
    const replaced = Object.keys(were).filter((field) => field in are && !Bun.deepEquals(were[field], are[field]));
    if (replaced.some((field) => field in of && !Bun.deepEquals(were[field], of[field])))
      throw new AppError("undo.changed", { subject: { type: subjectType, id: subjectId } });
  }
}

/** The fields of a record; a bare value is a field without a name. */
function fieldsOf(state: unknown): Record<string, unknown> {
  return typeof state === "object" && state !== null ? (state as Record<string, unknown>) : { "": state };
}
