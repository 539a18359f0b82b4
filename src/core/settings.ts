// What admins can set while the shop runs. Each setting has a default, so a fresh shop needs none.
import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { operators, settings } from "../../db/schema.ts";
import type { By, Operator } from "../shared/domain.ts";
import * as trail from "./trail.ts";

export const DEFAULTS = {
  /** How long a paid order waits before it is handed on: the time in which its buyer can cancel. */
  dispatch_hold_seconds: 45,
  /** The least that a wallet can be topped up by. */
  top_up_minimum_pesewas: 500,
  /** The least that a manual mobile money deposit may be. */
  manual_top_up_minimum_pesewas: 1000,
  /** Where agents send manual deposits. */
  manual_payment_number: "",
  manual_payment_name: "",
};
export type Settings = typeof DEFAULTS;

/** The value in force. */
export async function get<Name extends keyof Settings>(tx: Tx, name: Name): Promise<Settings[Name]> {
  const [row] = await tx.select().from(settings).where(eq(settings.key, name));
  return (row?.value as Settings[Name] | undefined) ?? DEFAULTS[name];
}

/** Changes a setting, with a trace. */
export async function set<Name extends keyof Settings>(
  db: Db,
  ask: { by: By; name: Name; value: Settings[Name] },
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await get(tx, ask.name);
    const row = { value: ask.value, updatedAt: sql`now()`, updatedByUserId: ask.by.userId };
    await tx
      .insert(settings)
      .values({ key: ask.name, ...row })
      .onConflictDoUpdate({ target: settings.key, set: row });
    await trail.record(tx, ask.by, [
      { action: "setting.change", subjectType: "setting", subjectId: ask.name, before, after: ask.value },
    ]);
  });
}

export type OperatorState = {
  operator: Operator;
  name: string;
  pausedMessage: string | null;
  pausedAt: Date | null;
};

/** The operators, and which are paused and why. */
export async function listOperators(tx: Tx): Promise<OperatorState[]> {
  const rows = await tx
    .select()
    .from(operators)
    .orderBy(sql`array_position(array['MTN', 'AIRTELTIGO', 'TELECEL'], code)`);
  return rows.map(({ code, ...row }) => ({ operator: code, ...row }));
}

/** Pauses the sale of an operator with words for the buyers, or (with null) takes it up again. */
export async function pauseOperator(
  db: Db,
  ask: { by: By; operator: Operator; message: string | null },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(operators).where(eq(operators.code, ask.operator)).for("update");
    await tx
      .update(operators)
      .set({ pausedMessage: ask.message, pausedAt: ask.message === null ? null : sql`now()` })
      .where(eq(operators.code, ask.operator));
    await trail.record(tx, ask.by, [
      {
        action: ask.message === null ? "operator.resume" : "operator.pause",
        subjectType: "operator",
        subjectId: ask.operator,
        before: { pausedMessage: before?.pausedMessage ?? null },
        after: { pausedMessage: ask.message },
      },
    ]);
  });
}
