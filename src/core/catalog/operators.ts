// Network operators and the pauses of their sale.
import { eq, isNull, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { operators } from "../../../db/schema/catalog.ts";
import type { ByUser, Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { Pause } from "../../shared/pause.ts";
import { requireRight } from "../../shared/rights.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as announcements from "./announcements.ts";
import { columnsOf, type PauseChange, type PauseRequest, pauseAfter, pauseOf } from "./sale-pauses.ts";

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
 * Pauses the sale of an operator with a message for buyers, until `until` or until it is resumed; a null message
 * resumes it. Throws auth.forbidden, pause.end_invalid, operator.retired.
 */
export async function pause(
  db: Db,
  { message, until = null, ...rest }: { by: ByUser; operator: Operator; alongside?: Alongside } & PauseRequest,
): Promise<void> {
  await edit(db, {
    ...rest,
    pausedMessage: message,
    pausedUntil: message === null ? null : until,
  });
}

type Edit = { by: ByUser; operator: Operator; alongside?: Alongside } & PauseChange;
/** Runs in the transaction of a changed pause, with the state after it. */
type Alongside = (tx: Tx, state: OperatorState) => Promise<void>;

/** Changes an operator's pause; fields left out stay as they are. Throws as `pause`, and pause.message_missing. */
export async function edit(db: Db, { by, operator, alongside, ...change }: Edit): Promise<OperatorState> {
  requireRight(by, "switches.throw");
  return db.transaction(async (tx) => {
    const isThis = eq(operators.code, operator);
    await tx.select({ code: operators.code }).from(operators).where(isThis).for("update");
    const stateOf = async () => {
      const state = (await list(tx)).find((one) => one.operator === operator);
      if (!state) throw new AppError("operator.retired");
      return state;
    };
    const { paused } = await stateOf();
    const before = columnsOf(paused);
    const after = await pauseAfter(tx, paused, change);
    if (!Bun.deepEquals(before, after)) {
      const isPaused = after.pausedMessage !== null;
      const pausedAt = isPaused ? (paused?.since ?? sql`now()`) : null;
      await tx
        .update(operators)
        .set({ ...after, pausedAt })
        .where(isThis);
      const action = isPaused ? "operator.pause" : "operator.resume";
      await auditLog.record(tx, by, [{ action, subjectType: "operator", subjectId: operator, before, after }]);
      await announcements.pauseChanged(tx, { operator }, before, after);
      await alongside?.(tx, await stateOf());
    }
    return stateOf();
  });
}
