// Closing and opening the kill switches, and all that is closed now, paused networks among it. platform/switches.ts is
// what money meets.
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { switches } from "../../../db/schema/platform.ts";
import { At, Operator, Reason, requiredText } from "../../shared/inputs.ts";
import { operatorName } from "../../shared/operators.ts";
import { gsm7Length, gsm7Text } from "../../shared/phones/sms-text.ts";
import { type Closing, SWITCH_MESSAGE_SEPTETS, SWITCH_NAMES, SWITCHES } from "../../shared/switches.ts";
import * as operators from "../catalog/operators/operators.ts";
import {
  type LoggedPause,
  PAUSE_FIELDS,
  pauseLogged,
  pauseOf,
  readPause,
  requireEnd,
  type StoredPause,
} from "../catalog/sale-pauses.ts";
import * as staffNotices from "../messaging/staff-notices.ts";
import { lock } from "../platform/advisory-locks.ts";
import { command, type Logged, type Work } from "../platform/commands.ts";

/** A switch, with its terms while it is closed: the words for people, and who closed it, when and why. */
export type Switch = {
  name: Name;
  label: string;
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
    const { label } = SWITCHES[name];
    if (!found?.closing) return { name, label, closed: null };
    const { reason, closedAt: since, closedByUserId } = found.row;
    return { name, label, closed: { ...found.closing, reason, since, by: found.by ?? `account ${closedByUserId}` } };
  });
}

/** Something that is closed now: a switch, or a network that is paused. */
export type ClosedNow = Closing & { name: Name | null; label: string };

/** All that is closed now: what staff read on every page, and agents as far as they use it. Networks are last. */
export async function closedNow(tx: Reads): Promise<ClosedNow[]> {
  const rows = await tx.execute<StoredPause & { name: Name | null; label: string }>(sql`
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

const isShort = (message: string) => gsm7Length(gsm7Text(message))! <= SWITCH_MESSAGE_SEPTETS;

/** What people read who meet it: on one line, and as long as a USSD screen has room for. */
const Message = requiredText(SWITCH_MESSAGE_SEPTETS, "Tell people what is closed")
  .overwrite((message) => message.replace(/\s+/g, " "))
  .refine(isShort, `at most ${SWITCH_MESSAGE_SEPTETS} characters by SMS`);

export const SwitchName = z.enum(SWITCH_NAMES);
type Name = z.output<typeof SwitchName>;

/**
 * Closes a switch for every process at once, with words for people, until an end or until somebody opens it; one that
 * is closed gets the new terms. Waits for what moves money at this moment, so that nothing it closes is committed
 * later. The other owners get an e-mail.
 */
export const close = command({
  name: "switch.close",
  right: "switches.throw",
  about: "Close a switch, with words for people and an end if it should open by itself",
  subject: "switch",
  input: {
    name: SwitchName,
    message: Message.describe("What people read who meet it, on every channel"),
    reason: Reason.describe("For staff"),
    until: At.nullable().default(null).describe("When it opens by itself; null: when somebody opens it"),
  },
  errors: ["pause.end_invalid"],
  isConfirmed: true,
  run: async (work, { name, reason, ...closing }) => {
    const { tx, by } = work;
    if (closing.until) await requireEnd(tx, closing.until);
    await letRunningEnd(tx);
    const before = await stateOf(tx, name);
    const terms = { ...closing, reason, closedByUserId: by.userId, closedAt: sql`now()` };
    await tx
      .insert(switches)
      .values({ name, ...terms })
      .onConflictDoUpdate({ target: switches.name, set: terms });
    await report(work, { before, closing, reason });
    return stateOf(tx, name);
  },
});

/** Opens a switch, and notifies the other owners. */
export const open = command({
  name: "switch.open",
  right: "switches.throw",
  about: "Open a switch; no effect on one that is open",
  subject: "switch",
  input: { name: SwitchName },
  errors: [],
  isConfirmed: true,
  run: async (work, { name }) => {
    const { tx } = work;
    await letRunningEnd(tx);
    const before = await stateOf(tx, name);
    await tx.delete(switches).where(eq(switches.name, name));
    if (before.closed) await report(work, { before, closing: null, reason: null });
    return stateOf(tx, name);
  },
});

/** Changes the pause of a network, which is its switch, and notifies the other owners. */
export const pauseNetwork = command({
  name: "operator.pause",
  right: "switches.throw",
  about: "Pause the sale of all bundles of an operator, change the pause, or resume",
  subject: "operator",
  logs: ["operator.resume"],
  input: { operator: Operator, ...PAUSE_FIELDS },
  errors: ["pause.message_missing", "pause.end_invalid", "operator.retired"],
  undo: ({ subjectId: operator, before }: Logged<LoggedPause>) => ({ operator, ...pauseLogged(before) }),
  run: async ({ tx, by, audit }, { operator, ...change }) => {
    const { before, after, state } = await operators.changePause(tx, operator, change);
    if (Bun.deepEquals(before, after)) return state;
    await audit(operator, { action: state.paused ? "operator.pause" : "operator.resume", before, after });
    const thrown = { label: operatorName(operator), closing: state.paused, reason: null };
    await staffNotices.switchThrown(tx, by.userId, thrown);
    return state;
  },
});

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

async function stateOf(tx: Reads, name: Name): Promise<Switch> {
  return (await list(tx)).find((one) => one.name === name)!;
}

type Thrown = { before: Switch; closing: Closing | null; reason: string | null };

async function report({ tx, by, audit }: Work, { before, closing, reason }: Thrown): Promise<void> {
  await audit(before.name, { before: before.closed, after: closing && { ...closing, reason } });
  await staffNotices.switchThrown(tx, by.userId, { label: before.label, closing, reason });
}
