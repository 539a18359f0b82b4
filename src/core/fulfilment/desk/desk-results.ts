// Results of desk batches: delivered, failed, or delivered after the refund. They wait for some seconds, in which they
// can be undone; then the worker applies them. Waiting is a row with a time, so that neither a killed process nor two
// presses lose or repeat anything.
import { and, asc, desc, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads } from "../../../../db/connect.ts";
import { deskResults, type ResultOrders } from "../../../../db/schema/fulfilment.ts";
import { users } from "../../../../db/schema/identity.ts";
import { type ByUser, limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { maskCards } from "../../../shared/ghana-card.ts";
import { Id, requiredText, text } from "../../../shared/inputs.ts";
import type { ResultLine } from "../../../shared/lists/result-lines.ts";
import { requireRight } from "../../../shared/rights.ts";
import { requireRefunds } from "../../orders/refund.ts";
import { lockOrders } from "../../orders/transitions.ts";
import { command, type Work } from "../../platform/commands.ts";
import * as jobs from "../../platform/jobs.ts";
import * as settings from "../../platform/settings/settings.ts";
import { type BatchOrder, batch, isFree, lockBatch } from "./desk.ts";
import { applyResult } from "./desk-results-applied.ts";
import { type Matched, match } from "./result-matching.ts";

export type DeskResult = typeof deskResults.$inferSelect & { enteredBy: string | null };

export type Checked = Matched & {
  /** Orders that were delivered after their refund. */
  lost: number[];
  /** What goes back to wallets for the failed ones, in pesewas. */
  refundPesewas: number;
};

/** Results that wait to be applied, until `dueAt`; null when no line concerns an order. */
export type Waiting = { resultId: number; dueAt: Date } | null;

/**
 * The effect that results would have on a batch now, without changing anything: orders by outcome, lines that match
 * none, and the money that goes back. Throws auth.forbidden, desk.batch_not_found.
 */
export async function check(
  tx: Reads,
  { by, batchId, lines }: { by: ByUser; batchId: number; lines: readonly ResultLine[] },
): Promise<Checked> {
  requireRight(by, "orders.work");
  return checkAgainst((await batch(tx, batchId)).orders, lines);
}

const Line = z.object({
  line: z.int(),
  msisdn: text(20),
  volumeMb: z.number().nullable(),
  outcome: z.enum(["delivered", "failed", "pending"]),
  message: text(300).nullable(),
});
const REFUNDS = { subject: "batch", asks: "Refunds by results of the desk" } as const;

/**
 * Takes in the results of a batch, which are applied after `desk_undo_seconds` unless they are undone. Pending ones
 * stay in the batch, as do orders whose results already wait. An order that was refunded meanwhile and delivered all
 * the same becomes a loss. `typed` are the lines as typed, to be restored by an undo; `unused` those that are to be put
 * right. `expectedCount` is the number of delivered and failed orders that the admin saw.
 */
export const report = command({
  ...REFUNDS,
  name: "batch.report",
  right: "orders.work",
  about: "Hand in results of a batch; they are applied some seconds later, unless they are undone",
  input: {
    batchId: Id,
    lines: z.array(Line).max(limits.bulkLines),
    typed: z.string().optional(),
    unused: z.string().optional(),
    expectedCount: z.int().optional(),
  },
  errors: ["desk.batch_not_found", "desk.batch_changed", "service.closed"],
  run: async (work, { batchId, lines, typed, unused, expectedCount }) => {
    const { tx, by } = work;
    await lockBatch(tx, batchId);
    const checked = checkAgainst((await batch(tx, batchId)).orders, lines);
    const { delivered, lost: late } = checked;
    // A portal's message may repeat what was sent to it.
    const failed = checked.failed.map((one) => ({ ...one, message: one.message && maskCards(one.message) }));
    if (failed.length > 0) requireRight(by, "orders.refund");
    if (expectedCount !== undefined && expectedCount !== delivered.length + failed.length)
      throw new AppError("desk.batch_changed");
    await requireLimits(work, failed, null);
    const waiting = await hold(work, batchId, {
      isRest: false,
      orders: { delivered, failed, late },
      typed: typed || null,
      unused: unused || null,
    });
    return { ...checked, waiting };
  },
});

/**
 * Takes in that all open orders of a batch were delivered, or failed for a reason, which is applied after
 * `desk_undo_seconds` unless it is undone. `expectedCount` is the number of open orders that the admin saw.
 */
export const closeRest = command({
  ...REFUNDS,
  name: "batch.close_rest",
  right: "orders.work",
  about: "Set all remaining orders of a batch to one result; it is applied some seconds later",
  input: {
    batchId: Id,
    to: z.enum(["DELIVERED", "FAILED"]),
    reason: requiredText(200, "Tell the buyers why they failed").overwrite(maskCards).optional(),
    expectedCount: z.int().optional().describe("The number of open orders that you saw"),
  },
  errors: ["desk.batch_not_found", "desk.batch_changed", "service.closed"],
  run: async (work, { batchId, to, reason = null, expectedCount }) => {
    const { tx, by } = work;
    const isFailure = to === "FAILED";
    if (isFailure) requireRight(by, "orders.refund");
    await lockBatch(tx, batchId);
    const { orders } = await batch(tx, batchId);
    const ids = orders.filter(isFree).map(({ id }) => id);
    if (expectedCount !== undefined && expectedCount !== ids.length) throw new AppError("desk.batch_changed");
    const failed = isFailure ? ids.map((orderId) => ({ orderId, message: null })) : [];
    await requireLimits(work, failed, reason);
    const waiting = await hold(work, batchId, {
      isRest: true,
      reason: isFailure ? reason : null,
      orders: { delivered: isFailure ? [] : ids, failed, late: [] },
    });
    return { count: ids.length, waiting };
  },
});

/** Takes back results that wait, which then have no effect; no effect when they were undone already. */
export const undo = command({
  name: "batch.undo_results",
  right: "orders.work",
  about: "Undo results of a batch that are not applied yet",
  subject: "batch",
  input: { resultId: Id },
  errors: ["desk.result_not_found", "desk.result_applied"],
  run: async ({ tx, audit }, { resultId }) => {
    // Whoever has the lock first, the worker or this, decides.
    const [found] = await tx.select().from(deskResults).where(eq(deskResults.id, resultId)).for("update");
    if (!found) throw new AppError("desk.result_not_found");
    if (found.appliedAt) throw new AppError("desk.result_applied");
    if (!found.undoneAt) {
      await tx.update(deskResults).set({ undoneAt: sql`now()` }).where(eq(deskResults.id, resultId));
      await audit(found.deskBatchId, { action: "batch.results_undone", before: idsOf(found.orders) });
    }
    return get(tx, resultId);
  },
});

/** Results by their id. Throws desk.result_not_found. */
export async function get(tx: Reads, resultId: number): Promise<DeskResult> {
  const [row] = await withAuthor(tx).where(eq(deskResults.id, resultId));
  if (!row) throw new AppError("desk.result_not_found");
  return { ...row.result, enteredBy: row.enteredBy };
}

/** The results of a batch that wait to be applied, oldest first. */
export async function waitingOf(tx: Reads, batchId: number): Promise<DeskResult[]> {
  const rows = await withAuthor(tx)
    .where(and(eq(deskResults.deskBatchId, batchId), isNull(deskResults.appliedAt), isNull(deskResults.undoneAt)))
    .orderBy(asc(deskResults.id));
  return rows.map(({ result, enteredBy }) => ({ ...result, enteredBy }));
}

/** The results of a batch that were applied, newest first. */
export async function appliedOf(tx: Reads, batchId: number, limit: number): Promise<DeskResult[]> {
  const rows = await withAuthor(tx)
    .where(and(eq(deskResults.deskBatchId, batchId), isNotNull(deskResults.appliedAt)))
    .orderBy(desc(deskResults.id))
    .limit(limit);
  return rows.map(({ result, enteredBy }) => ({ ...result, enteredBy }));
}

/** Applies the results whose time has come, each in a commit of its own; returns how many it handled. */
export async function applyDue(db: Db, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "apply_desk_result", countMax);
  if (due.length > 0) await jobs.handleAll(db, due, (some) => applyEach(db, some));
  return due.length;
}

async function applyEach(db: Db, due: jobs.Job[]): Promise<void> {
  for (const { id, subjectId } of due) {
    await db.transaction(async (tx) => {
      const [result] = await tx
        .select()
        .from(deskResults)
        .where(and(eq(deskResults.id, subjectId), isNull(deskResults.appliedAt), isNull(deskResults.undoneAt)))
        .for("update");
      if (result) {
        const counts = await applyResult(tx, result);
        await tx
          .update(deskResults)
          .set({ appliedAt: sql`now()`, counts, typed: null })
          .where(eq(deskResults.id, result.id));
      }
      await jobs.finish(tx, [id]);
    });
  }
}

/** Forgets the lines as they were typed a day after they were entered: they are people's numbers. */
export async function forgetTyped(db: Db): Promise<void> {
  const { typed, unused, createdAt } = deskResults;
  await db
    .update(deskResults)
    .set({ typed: null, unused: null })
    .where(
      and(
        sql`coalesce(${typed}, ${unused}) is not null`,
        lt(createdAt, sql`now() - interval '1 day'`),
        sql`coalesce(${deskResults.appliedAt}, ${deskResults.undoneAt}) is not null`,
      ),
    );
}

function checkAgainst(orders: readonly BatchOrder[], lines: readonly ResultLine[]): Checked {
  const matched = match(lines, orders.filter(isFree));
  // Lines that match no open order may be about one that has its result, or was refunded.
  const lost = matchRest(
    matched,
    lines,
    orders.filter(({ isRefunded, isEntered }) => isRefunded && !isEntered),
  );
  const entered = matchRest(
    matched,
    lines,
    orders.filter(({ isEntered }) => isEntered),
  );
  const isLost = new Set(lost.lines);
  const isEntered = new Set(entered.lines);
  const amountOf = new Map(orders.map(({ id, amountPesewas, paidAt }) => [id, paidAt ? amountPesewas : 0]));
  return {
    ...matched,
    unmatched: matched.unmatched
      .filter(({ line }) => !isLost.has(line))
      .map((one) => (isEntered.has(one.line) ? { ...one, reason: "entered" as const } : one)),
    lost: lost.delivered,
    refundPesewas: matched.failed.reduce((sum, { orderId }) => sum + amountOf.get(orderId)!, 0),
  };
}

/** Matches the lines that are about no open order to others, and returns which were delivered by which lines. */
function matchRest(
  { unmatched }: Matched,
  lines: readonly ResultLine[],
  orders: readonly BatchOrder[],
): { delivered: number[]; lines: number[] } {
  const left = new Set(unmatched.filter(({ reason }) => reason === "not_in_batch").map(({ line }) => line));
  const some = lines.filter(({ line }) => left.has(line));
  const { delivered, unmatched: still } = match(some, orders);
  const unknown = new Set(still.map(({ line }) => line));
  return { delivered, lines: some.filter(({ line }) => !unknown.has(line)).map(({ line }) => line) };
}

/** Results are applied without asking again, so what they would refund is asked for as they are entered. */
async function requireLimits(work: Work, failed: readonly { orderId: number }[], reason: string | null): Promise<void> {
  const { tx, by } = work;
  if (failed.length === 0 && !by.approval) return;
  const found = await lockOrders(
    tx,
    failed.map(({ orderId }) => orderId),
  );
  await requireRefunds(work, [...found.values()], { reason, right: "orders.refund", isDaily: true });
}

type Held = Pick<typeof deskResults.$inferInsert, "isRest" | "orders" | "typed" | "unused" | "reason">;

/** Writes results that wait, with the job that applies them; null when they concern no order. */
async function hold({ tx, by, audit }: Work, batchId: number, held: Held): Promise<Waiting> {
  const { delivered, failed, late } = held.orders;
  if (delivered.length + failed.length + late.length === 0) return null;
  const seconds = await settings.get(tx, "desk_undo_seconds");
  const [written] = await tx
    .insert(deskResults)
    .values({
      ...held,
      deskBatchId: batchId,
      byUserId: by.userId,
      byRoles: [...by.roles],
      channel: by.channel,
      dueAt: sql`now() + make_interval(secs => ${seconds})`,
    })
    .returning({ resultId: deskResults.id, dueAt: deskResults.dueAt });
  await jobs.enqueue(tx, "apply_desk_result", written!.resultId, seconds);
  await audit(batchId, { action: "batch.results", after: idsOf(held.orders) });
  return written!;
}

function idsOf({ delivered, failed, late }: ResultOrders) {
  return {
    delivered,
    failed: failed.map(({ orderId }) => orderId),
    ...(late.length > 0 && { deliveredAfterRefund: late }),
  };
}

function withAuthor(tx: Reads) {
  return tx
    .select({ result: deskResults, enteredBy: users.username })
    .from(deskResults)
    .leftJoin(users, eq(users.id, deskResults.byUserId))
    .$dynamic();
}
