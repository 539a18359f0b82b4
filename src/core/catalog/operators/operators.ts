// Network operators and the pauses of their sale.
import { eq, isNull, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { operators } from "../../../../db/schema/catalog.ts";
import type { Operator } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import type { Pause } from "../../../shared/pause.ts";
import * as announcements from "../announcements.ts";
import { columnsOf, type PauseChange, pauseAfter, pauseOf } from "../sale-pauses.ts";

export type OperatorState = {
  operator: Operator;
  name: string;
  /** The pause in force; null while it is on sale. */
  paused: (Pause & { since: Date }) | null;
};

/** The operators that sell, with the pause in force of each. */
export async function list(tx: Reads): Promise<OperatorState[]> {
  const rows = await tx
    .select({
      operator: operators.code,
      name: operators.name,
      pause: pauseOf(operators),
      since: operators.pausedAt,
    })
    .from(operators)
    .where(isNull(operators.retiredAt))
    .orderBy(operators.position, operators.code);
  return rows.map(({ pause, since, ...row }) => ({ ...row, paused: pause && { ...pause, since: since! } }));
}

/**
 * Changes an operator's pause; fields left out stay as they are, and before and after are equal when nothing changes.
 * Throws pause.message_missing, pause.end_invalid, operator.retired.
 */
export async function changePause(tx: Tx, operator: Operator, change: PauseChange) {
  const isThis = eq(operators.code, operator);
  await tx.select({ code: operators.code }).from(operators).where(isThis).for("update");
  const { paused } = await stateOf(tx, operator);
  const before = columnsOf(paused);
  const after = await pauseAfter(tx, paused, change);
  if (!Bun.deepEquals(before, after)) {
    const pausedAt = after.pausedMessage === null ? null : (paused?.since ?? sql`now()`);
    await tx
      .update(operators)
      .set({ ...after, pausedAt })
      .where(isThis);
    await announcements.pauseChanged(tx, { operator }, before, after);
  }
  return { before, after, state: await stateOf(tx, operator) };
}

async function stateOf(tx: Reads, operator: Operator): Promise<OperatorState> {
  const state = (await list(tx)).find((one) => one.operator === operator);
  if (!state) throw new AppError("operator.retired");
  return state;
}
