// Requests for a second person: asked for where an act was refused with ApprovalNeeded, decided by another person with
// the right of the act, withdrawn by whoever asked, and expired by the clock. Agreeing runs the act as whoever asked;
// the act's own transaction spends the agreement (platform/second-person.ts), so that both are committed or neither.
import { and, eq, lte, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { approvals } from "../../../db/schema/approvals.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError, isRetryable } from "../../shared/errors/app-error.ts";
import { isStaff, requireConfirmed } from "../../shared/rights.ts";
import * as freezing from "../ledger/freezing.ts";
import * as auditLog from "../platform/audit-log.ts";
import { requireDecider } from "../platform/colleagues/deciders.ts";
import { type Ask, Peeked, plainOf } from "../platform/colleagues/second-person.ts";
import { type Key, once } from "../platform/idempotency.ts";
import * as settings from "../platform/settings/settings.ts";
import { actOf, type Serving } from "./acts.ts";
import * as mail from "./mail.ts";
import { type Approval, get, getFor, questionOf } from "./queries.ts";

type Stored = typeof approvals.$inferSelect;
/** Commands with a secret, which is wiped when the request is closed. */
const SECRET = new Set(["user.create"]);

/**
 * Stores what somebody asked for; a repeat, by its key or by its content, finds the request that is there. Tells those
 * who may decide by e-mail. Throws approval.open_already when something else about the same thing is open.
 */
export async function ask(db: Db, by: ByUser, wanted: Ask, key: Key | null): Promise<Approval> {
  const command = plainOf(wanted.command);
  // A new password has another hash each time.
  const content = SECRET.has(wanted.kind) ? wanted.subject : command;
  const { answer: id } = await onceRequested(db, by, key, [wanted.kind, content], async (tx) => {
    const open = await openAbout(tx, wanted);
    if (open?.requestedByUserId === by.userId && (SECRET.has(wanted.kind) || Bun.deepEquals(open.command, command)))
      return open.id;
    if (open) throw openAlready(open.id);
    const hours = await settings.get(tx, "approval_hours");
    const [stored] = await tx
      .insert(approvals)
      .values({
        ...{
          kind: wanted.kind,
          right: wanted.right,
          subject: wanted.subject,
          summary: wanted.summary,
          command,
        },
        ...{
          concerns: [...(wanted.concerns ?? [])],
          seen: plainOf(wanted.seen),
          reason: wanted.reason ?? null,
        },
        ...{ amountPesewas: wanted.amountPesewas ?? null, requestedByUserId: by.userId, channel: by.channel },
        ...{ keyScope: key?.scope ?? null, key: key?.key ?? null },
        expiresAt: sql`now() + make_interval(hours => ${hours})`,
      })
      .returning();
    const { id, kind, summary, reason } = stored!;
    await auditLog.record(tx, by, [
      { action: "approval.ask", subjectType: "approval", subjectId: id, after: { kind, summary, reason } },
    ]);
    await mail.requested(tx, stored!);
    return id;
  });
  return get(db, id);
}

/**
 * Agrees to a request and carries it out at once, in one commit. Throws auth.confirm_needed, approval.not_found,
 * approval.decided, approval.expired, what `requireDecider` throws, and approval.outdated when what was seen has
 * changed or the act is refused now; then the request is closed and nothing was done.
 */
export async function agree(db: Db, { by, approvalId, vendors = [] }: Agreement): Promise<Approval> {
  const found = await requireDecidable(db, by, approvalId);
  const asker = await askerOf(db, found);
  const key = found.key !== null && found.keyScope !== null ? { scope: found.keyScope, key: found.key } : null;
  const asAsker: ByUser = {
    ...{ userId: found.requestedByUserId, roles: asker?.roles ?? [], channel: found.channel },
    ...(by.requestId && { requestId: by.requestId }),
    approval: { id: approvalId, byUserId: by.userId },
  };
  try {
    if (!asker) throw new AppError("auth.banned", undefined, "Whoever asked is banned or frozen");
    await actOf(found.kind).run(db, { by: asAsker, key, vendors }, found.command ?? {});
  } catch (error) {
    throw await closedBy(db, by, found, error);
  }
  // Done meanwhile without it, under the same key or by somebody else: nothing was left to do.
  if ((await get(db, approvalId)).state === "open")
    throw await closedBy(db, by, found, new AppError("approval.outdated"));
  await db.transaction(async (tx) => {
    await wipe(tx, found);
    await mail.decided(tx, found, { state: "agreed", by: by.userId, note: null });
  });
  return get(db, approvalId);
}

type Decision = { by: ByUser; approvalId: number };
/** With the configured vendors, for an act about delivery. */
type Agreement = Decision & Partial<Serving>;

/** Refuses a request, with a reason for whoever asked. Throws as `agree` for who may decide, and request.invalid. */
export async function refuse(db: Db, { by, approvalId, reason }: Decision & { reason: string }): Promise<Approval> {
  const note = reason.trim();
  if (!note) throw new AppError("request.invalid", { fields: { reason: REASON_MISSING } }, REASON_MISSING);
  const found = await requireDecidable(db, by, approvalId);
  await db.transaction(async (tx) => {
    await close(tx, by, found, { state: "refused", note, decidedByUserId: by.userId });
    await mail.decided(tx, found, { state: "refused", by: by.userId, note });
  });
  return get(db, approvalId);
}

const REASON_MISSING = "Say why, for whoever asked";

/** Takes the caller's own request back. Throws approval.not_found, approval.not_own, approval.decided. */
export async function withdraw(db: Db, { by, approvalId }: Decision): Promise<Approval> {
  await getFor(db, by, approvalId);
  const found = await stored(db, approvalId);
  if (found.requestedByUserId !== by.userId) throw new AppError("approval.not_own");
  await db.transaction((tx) => close(tx, by, found, { state: "withdrawn", note: null }));
  return get(db, approvalId);
}

const EXPIRED_AT_ONCE = 100;

/** Closes requests whose time is over, and sends what owners are to know of acts that were done alone. */
export async function sweep(db: Db): Promise<void> {
  while ((await expireDue(db)) > 0);
  while ((await mail.sendDue(db, MAILS_AT_ONCE)) >= MAILS_AT_ONCE);
}

const MAILS_AT_ONCE = 10;

/** Returns how many have expired; whoever asked gets an e-mail. */
async function expireDue(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(approvals)
      .where(and(eq(approvals.state, "open"), lte(approvals.expiresAt, sql`now()`)))
      .limit(EXPIRED_AT_ONCE)
      .for("update", { skipLocked: true });
    for (const found of due) {
      await close(tx, null, found, { state: "expired", note: null });
      await mail.decided(tx, found, { state: "expired", by: null, note: null });
    }
    return due.length;
  });
}

/** What the act would meet if it were done now: what is compared and shown, or why it would be refused. */
export type Now = { seen: Stored["seen"] } | { refusal: AppError };

/** Tries an open request in a transaction that is rolled back. */
export async function now(db: Db, approvalId: number, { vendors = [] }: Partial<Serving> = {}): Promise<Now> {
  const found = await stored(db, approvalId);
  // Decided since it was listed; the command of some is deleted then.
  if (found.state !== "open") return { refusal: new AppError("approval.decided") };
  const asker = await askerOf(db, found);
  const roles = asker?.roles ?? [];
  const approval = { id: approvalId, byUserId: found.requestedByUserId, peeks: true as const };
  const by: ByUser = { userId: found.requestedByUserId, roles, channel: found.channel, approval };
  try {
    await actOf(found.kind).run(db, { by, vendors }, found.command ?? {});
    return { refusal: new AppError("approval.outdated") };
  } catch (error) {
    if (error instanceof Peeked) return { seen: plainOf(error.ask.seen) };
    if (error instanceof AppError) return { refusal: error };
    throw error;
  }
}

/** Runs `work` once per key, and again when another request about the same thing was stored meanwhile. */
async function onceRequested(
  db: Db,
  by: ByUser,
  key: Key | null,
  content: unknown,
  work: (tx: Tx) => Promise<number>,
): Promise<{ answer: number }> {
  const scoped = key && { scope: `ask ${key.scope}`.slice(0, 255), key: key.key };
  const run = () => once(db, by.userId, scoped, content, work);
  try {
    return await run();
  } catch (error) {
    if (databaseError(error)?.constraint !== "approvals_one_open") throw error;
    return run();
  }
}

async function openAbout(tx: Reads, { kind, subject }: Ask): Promise<Stored | undefined> {
  const [open] = await tx
    .select()
    .from(approvals)
    .where(and(eq(approvals.kind, kind), eq(approvals.subject, subject), eq(approvals.state, "open")));
  return open;
}

function openAlready(approvalId: number): AppError {
  return new AppError("approval.open_already", { approvalId });
}

async function stored(tx: Reads, approvalId: number): Promise<Stored> {
  const [found] = await tx.select().from(approvals).where(eq(approvals.id, approvalId));
  if (!found) throw new AppError("approval.not_found");
  return found;
}

/** The request, when `by` may decide it now. */
async function requireDecidable(db: Db, by: ByUser, approvalId: number): Promise<Stored> {
  if (!isStaff(by)) throw new AppError("auth.forbidden");
  await getFor(db, by, approvalId);
  const found = await stored(db, approvalId);
  await requireDecider(db, by, questionOf(found));
  requireConfirmed(by);
  if (found.state !== "open") throw new AppError("approval.decided");
  if (found.expiresAt <= new Date()) throw new AppError("approval.expired");
  return found;
}

/** Whoever asked, with their roles of now; null when they can no longer log in, or may only look. */
async function askerOf(tx: Reads, { requestedByUserId }: Stored) {
  const [asker] = await tx.select().from(users).where(eq(users.id, requestedByUserId));
  if (asker?.status !== "ACTIVE") return null;
  return (await freezing.of(tx, asker.id)) ? null : asker;
}

/**
 * The error of an act that was not carried out. One that may succeed later, or is about who decides, leaves the request
 * open; any other closes it.
 */
async function closedBy(db: Db, by: ByUser, found: Stored, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error.status >= 500 || isRetryable(error.code)) return error;
  const isOutdated = error.code === "approval.outdated";
  if (error.code.startsWith("approval.") && !isOutdated) return error;
  const note = isOutdated ? null : error.message;
  await db.transaction(async (tx) => {
    await close(tx, by, found, { state: "outdated", note });
    await mail.decided(tx, found, { state: "outdated", by: null, note });
  });
  if (isOutdated) return error;
  return new AppError("approval.outdated", undefined, `Nothing was done: ${note}. Ask again if it is still wanted.`);
}

type Closing = { state: Stored["state"]; note: string | null; decidedByUserId?: number };

/** Throws approval.decided when it is no longer open. */
async function close(tx: Tx, by: ByUser | null, found: Stored, closing: Closing): Promise<void> {
  const closed = await tx
    .update(approvals)
    .set({ ...closing, decidedAt: sql`now()` })
    .where(and(eq(approvals.id, found.id), eq(approvals.state, "open")))
    .returning({ id: approvals.id });
  if (closed.length === 0) throw new AppError("approval.decided");
  await wipe(tx, found);
  const { id, summary } = found;
  const entry = { action: `approval.${closing.state}`, subjectType: "approval", subjectId: id } as const;
  const after = { summary, note: closing.note };
  await auditLog.record(tx, by ?? { userId: null, roles: [], channel: "system" }, [{ ...entry, after }]);
}

async function wipe(tx: Tx, { id, kind }: Stored): Promise<void> {
  if (SECRET.has(kind)) await tx.update(approvals).set({ command: null }).where(eq(approvals.id, id));
}
