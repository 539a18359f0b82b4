// Closing and opening the kill switches, and all that is closed now, paused networks among it. platform/switches.ts is
// what money meets.
import { eq, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { switches } from "../../../db/schema/platform.ts";
import type { ByUser, Operator } from "../../shared/domain.ts";
import { operatorName } from "../../shared/operators.ts";
import { requireConfirmed, requireRight } from "../../shared/rights.ts";
import { type Closing, SWITCH_NAMES, SWITCHES, type SwitchName } from "../../shared/switches.ts";
import * as operators from "../catalog/operators.ts";
import { type PauseChange, pauseOf, readPause, requireEnd, type StoredPause } from "../catalog/sale-pauses.ts";
import * as staffNotices from "../messaging/staff-notices.ts";
import { lock } from "../platform/advisory-locks.ts";
import * as auditLog from "../platform/audit-log.ts";
import { transact } from "../platform/transactions.ts";

/** A switch, with its terms while it is closed: the words for people, and who closed it, when and why. */
export type Switch = {
  name: SwitchName;
  closed: (Closing & { reason: string; by: string; since: Date }) | null;
};

/** All switches. */
export async function list(tx: Reads): Promise<Switch[]> {
  const rows = await tx
    .select({ name: switches.name, closing: pauseOf(COLUMNS), row: switches, by: users.username })
    .from(switches)
    .leftJoin(users, eq(users.id, switches.closedByUserId));
  return SWITCH_NAMES.map((name) => {
    const found = rows.find((one) => one.name === name);
    if (!found?.closing) return { name, closed: null };
    const { reason, closedAt: since, closedByUserId } = found.row;
    return { name, closed: { ...found.closing, reason, since, by: found.by ?? `account ${closedByUserId}` } };
  });
}

/** Something that is closed now: a switch, or a network that is paused. */
export type ClosedNow = Closing & { name: SwitchName | null; label: string };

/** All that is closed now: what staff read on every page, and agents as far as they use it. Networks are last. */
export async function closedNow(tx: Reads): Promise<ClosedNow[]> {
  const rows = await tx.execute<StoredPause & { name: SwitchName | null; label: string }>(sql`
    select name, null as label, message, until from switches where is_paused(message, until)
    union all
    select null, name, paused_message, paused_until from operators
    where retired_at is null and is_paused(paused_message, paused_until)`);
  const placeOf = ({ name }: ClosedNow) => (name ? SWITCH_NAMES.indexOf(name) : SWITCH_NAMES.length);
  return rows
    .map(({ name, label, ...pause }) => ({
      ...{ name, label: name ? SWITCHES[name].label : label },
      ...readPause(pause),
    }))
    .sort((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Closes a switch for every process at once, with words for people, until an end or until somebody opens it; one that
 * is closed gets the new terms. Waits for what moves money at this moment, so that nothing it closes is committed
 * later. The other owners get an e-mail. Throws auth.forbidden, auth.confirm_needed, pause.end_invalid.
 */
export async function close(
  db: Db,
  { by, name, reason, ...closing }: { by: ByUser; name: SwitchName; reason: string } & Closing,
): Promise<Switch> {
  requireRight(by, "switches.throw");
  requireConfirmed(by);
  return transact(db, async (tx) => {
    if (closing.until) await requireEnd(tx, closing.until);
    await letRunningEnd(tx);
    const before = await stateOf(tx, name);
    const terms = { ...closing, reason, closedByUserId: by.userId, closedAt: sql`now()` };
    await tx
      .insert(switches)
      .values({ name, ...terms })
      .onConflictDoUpdate({ target: switches.name, set: terms });
    await report(tx, by, { before, label: SWITCHES[name].label, closing, reason });
    return stateOf(tx, name);
  });
}

/**
 * Opens a switch, and notifies the other owners; no effect on one that is open. Throws auth.forbidden,
 * auth.confirm_needed.
 */
export async function open(db: Db, { by, name }: { by: ByUser; name: SwitchName }): Promise<Switch> {
  requireRight(by, "switches.throw");
  requireConfirmed(by);
  return transact(db, async (tx) => {
    await letRunningEnd(tx);
    const before = await stateOf(tx, name);
    await tx.delete(switches).where(eq(switches.name, name));
    if (before.closed) await report(tx, by, { before, label: SWITCHES[name].label, closing: null, reason: null });
    return stateOf(tx, name);
  });
}

/** Changes the pause of a network, which is its switch, and notifies the other owners. Throws as operators.edit. */
export function editNetwork(
  db: Db,
  command: { by: ByUser; operator: Operator } & PauseChange,
): Promise<operators.OperatorState> {
  const { by, operator } = command;
  const alongside = (tx: Tx, { paused: closing }: operators.OperatorState) =>
    staffNotices.switchThrown(tx, by.userId, { label: operatorName(operator), closing, reason: null });
  return operators.edit(db, { ...command, alongside });
}

/** As columns of a pause. */
const COLUMNS = { pausedMessage: switches.message, pausedUntil: switches.until };

/** How long a switch waits for what runs, in ms; money that is moved then waits behind it. */
const RUNNING_MS = 2_000;

/**
 * Waits for what has asked for the switches and not ended yet. What is stuck for longer does not keep a switch from
 * being thrown.
 */
async function letRunningEnd(tx: Tx): Promise<void> {
  try {
    await tx.transaction(async (inner) => {
      await inner.execute(sql.raw(`set local lock_timeout = ${RUNNING_MS}`));
      await lock(inner as Tx, "switches");
    });
  } catch (error) {
    if (databaseError(error)?.code !== "55P03") throw error;
  }
}

async function stateOf(tx: Reads, name: SwitchName): Promise<Switch> {
  return (await list(tx)).find((one) => one.name === name)!;
}

type Thrown = { before: Switch; label: string; closing: Closing | null; reason: string | null };

async function report(tx: Tx, by: ByUser, { before, label, closing, reason }: Thrown): Promise<void> {
  await auditLog.record(tx, by, [
    {
      action: closing ? "switch.close" : "switch.open",
      subjectType: "switch",
      subjectId: before.name,
      before: before.closed,
      after: closing && { ...closing, reason },
    },
  ]);
  await staffNotices.switchThrown(tx, by.userId, { label, closing, reason });
}
