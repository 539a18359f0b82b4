// Signals as staff work on them: the list, and what a person does about one. Each is open until somebody closes it with
// a note.
import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users as userTable } from "../../../db/schema/identity.ts";
import { signals } from "../../../db/schema/signals.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { Id } from "../../shared/inputs.ts";
import { requireRightOver } from "../../shared/rights.ts";
import type { SignalEffect, SignalKind } from "../../shared/signals.ts";
import * as freezes from "../identity/freezes.ts";
import * as users from "../identity/users.ts";
import * as freezing from "../ledger/freezing.ts";
import * as ledger from "../ledger/ledger.ts";
import * as holds from "../orders/holds.ts";
import { command, type Work } from "../platform/commands.ts";
import { deleteInParts } from "../platform/parts.ts";
import { Note } from "./agent-notes.ts";
import { KINDS } from "./kinds.ts";
import * as rules from "./rules.ts";

/** How long a closed signal is kept. */
export const KEPT_DAYS = 730;

export type Signal = typeof signals.$inferSelect & {
  username: string;
  /** Who reported before what was reported again; null for other signals. */
  firstUsername: string | null;
  /** Who closed it. */
  closedBy: string | null;
  /** The evidence in words. */
  sentence: string;
  /** The kind in words. */
  label: string;
  /** The hold of the account that it began, while that is in force. */
  hold: holds.Hold | null;
};

export type SignalFilter = {
  state: "open" | "closed" | "all";
  kind?: SignalKind | undefined;
  effect?: SignalEffect | undefined;
  userId?: number | undefined;
};

/** Signals newest first, those before the id `cursor`. */
export async function list(
  tx: Reads,
  { state, kind, effect, userId }: SignalFilter,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<Signal[]> {
  const { closedAt } = signals;
  return select(
    tx,
    and(
      state === "open" ? isNull(closedAt) : state === "closed" ? isNotNull(closedAt) : undefined,
      kind && eq(signals.kind, kind),
      effect && eq(signals.effect, effect),
      userId === undefined ? undefined : eq(signals.userId, userId),
      cursor ? lt(signals.id, cursor) : undefined,
    ),
    limit,
  );
}

/** One signal. Throws signal.not_found. */
export async function get(tx: Reads, signalId: number): Promise<Signal> {
  const [found] = await select(tx, eq(signals.id, signalId), 1);
  if (!found) throw new AppError("signal.not_found");
  return found;
}

const OF_OTHERS = ["auth.own_account", "signal.not_found"] as const;

/** Closes a signal with a note of what came out; what it holds is held to its end. */
export const close = command({
  name: "signal.close",
  right: "agents.note",
  about: "Close a signal with a note of what came out",
  subject: "signal",
  input: { signalId: Id, note: Note.describe("What came out") },
  errors: [...OF_OTHERS, "signal.closed", "signal.note_missing"],
  run: async (work, { signalId, note }) => {
    const { tx, by } = work;
    const signal = await lockFor(tx, by, signalId);
    if (signal.closedAt) throw new AppError("signal.closed");
    await tx
      .update(signals)
      .set({ closedAt: sql`now()`, closedByUserId: by.userId, note })
      .where(eq(signals.id, signalId));
    await record(work, signal, { note });
    return get(tx, signalId);
  },
});

/** Ends the hold of a signal's account early: its orders go on at once. */
export const endHold = command({
  name: "signal.end_hold",
  right: "agents.manage",
  about: "End the hold of a signal's account: its orders go on at once",
  subject: "signal",
  input: { signalId: Id },
  errors: [...OF_OTHERS, "signal.not_held"],
  run: async (work, { signalId }) => {
    const { tx, by } = work;
    const signal = await lockFor(tx, by, signalId);
    requireRightOver(by, await users.get(tx, signal.userId), "agents.manage");
    if (!(await holds.end(tx, signal.userId))) throw new AppError("signal.not_held");
    await record(work, signal);
    return { signalId };
  },
});

/**
 * Stops a signal's account: it is frozen with the words of the rule until somebody ends that, and what was not
 * dispatched waits as long. One that is frozen already keeps the terms of its freeze.
 */
export const stop = command({
  name: "signal.stop",
  right: "agents.manage",
  about: "Freeze a signal's account, and hold its orders for as long",
  subject: "signal",
  input: { signalId: Id },
  errors: [...OF_OTHERS, "user.closed"],
  run: async (work, { signalId }) => {
    const { tx, by } = work;
    const { userId } = await get(tx, signalId);
    await ledger.lockWallets(tx, [userId]);
    const signal = await lockFor(tx, by, signalId);
    const user = await users.get(tx, userId);
    requireRightOver(by, user, "agents.manage");
    if (user.status === "CLOSED") throw new AppError("user.closed");
    await holds.begin(tx, { userId, signalId, whileFrozen: true });
    if (!(await freezing.of(tx, userId))) {
      const { message } = await rules.get(tx, signal.kind);
      const reason = `Signal ${signalId}: ${KINDS[signal.kind].label}`;
      await freezes.begin(tx, by, userId, { reason, message, until: null });
    }
    await record(work, signal);
    return { signalId };
  },
});

/** Deletes signals that were closed long ago, with their evidence; returns how many. */
export async function forgetOld(db: Db): Promise<number> {
  return deleteInParts(db, signals, lt(signals.closedAt, sql`now() - make_interval(days => ${KEPT_DAYS})`));
}

/** Locks a signal for somebody whom it is not about. */
async function lockFor(tx: Tx, by: ByUser, signalId: number): Promise<typeof signals.$inferSelect> {
  const [found] = await tx.select().from(signals).where(eq(signals.id, signalId)).for("update");
  if (!found) throw new AppError("signal.not_found");
  if (found.userId === by.userId) throw new AppError("auth.own_account");
  return found;
}

async function select(tx: Reads, condition: SQL | undefined, limit: number): Promise<Signal[]> {
  const closedBy = sql<string | null>`(select username from users c where c.id = ${signals.closedByUserId})`;
  const firstUsername = sql<string | null>`(
    select username from users f where f.id = (${signals.evidence} ->> 'firstUserId')::bigint)`;
  const rows = await tx
    .select({ signal: signals, username: userTable.username, closedBy, firstUsername })
    .from(signals)
    .innerJoin(userTable, eq(userTable.id, signals.userId))
    .where(condition)
    .orderBy(desc(signals.id))
    .limit(limit);
  const held = await holds.ofAccounts(tx, [...new Set(rows.map(({ signal }) => signal.userId))]);
  const holdOf = ({ id, userId }: { id: number; userId: number }) => {
    const hold = held.get(userId);
    return hold?.signalId === id ? hold : null;
  };
  return rows.map(({ signal, ...names }) => ({
    ...signal,
    ...names,
    hold: holdOf(signal),
    sentence: KINDS[signal.kind].describe({
      ...signal.evidence,
      ...(names.firstUsername && { firstUsername: names.firstUsername }),
    }),
    label: KINDS[signal.kind].label,
  }));
}

function record({ audit }: Work, { id, userId, kind }: typeof signals.$inferSelect, after: { note?: string } = {}) {
  return audit(id, { after: { userId, kind, ...after } });
}
