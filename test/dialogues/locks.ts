// The law of locks, held against every change of a PIN's counts: three wrong PINs in a row lock it, each time for
// longer; a right one, or a new PIN, lets the count begin anew; a lock by USSD holds for SMS as well, and one by SMS,
// whose sender may be forged, for SMS alone.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import type { Violation } from "./line.ts";

/** The counts of one channel. */
type Count = { tries: number; untilMs: number | null; locks: number };
type Row = { digest: string } & Record<Channel, Count>;
type Change = { userId: number; atMs: number; before: Row; after: Row };
type Channel = "ussd" | "sms";

/** How often a PIN was locked for the first, second, third and fourth time in a row. */
export type Locks = Record<Channel, number[]>;

const TRIES = 3;
const MINUTES = [15, 60, 24 * 60];
const YEAR_MS = 365 * 86_400_000;

/** Records each change of a PIN, also one that changes nothing, except when only time passes. */
export async function watchPins(db: Db): Promise<void> {
  await db.execute(sql`create table own_pins (
    id bigint generated always as identity primary key, at timestamptz not null,
    before jsonb not null, after jsonb not null)`);
  await db.execute(sql`create function own_pins() returns trigger language plpgsql as $$
    begin
      insert into own_pins (at, before, after) values (now(), to_jsonb(old), to_jsonb(new));
      return null;
    end $$`);
  await db.execute(sql`create trigger own_pins after update on pins for each row
    when (current_setting('own.time_passes', true) is distinct from 'yes') execute function own_pins()`);
}

/** These minutes pass for every lock. */
export async function passLocks(db: Db, minutes: number): Promise<void> {
  const passed = sql`make_interval(mins => ${minutes})`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('own.time_passes', 'yes', true)`);
    await tx.execute(sql`
      update pins set locked_until = locked_until - ${passed}, sms_locked_until = sms_locked_until - ${passed}
      where locked_until is not null or sms_locked_until is not null`);
  });
}

/** Judges every change. PINs of `texterIds` were never typed by USSD. */
export async function checkLocks(
  db: Db,
  texterIds: readonly number[],
): Promise<{ violations: Violation[]; locks: Locks }> {
  const locks: Locks = { ussd: [0, 0, 0, 0], sms: [0, 0, 0, 0] };
  const violations: Violation[] = [];
  for (const change of await changesOf(db)) {
    const { before, after, userId } = change;
    for (const channel of ["ussd", "sms"] as const)
      if (isWrongTry(before[channel], after[channel]) && after[channel].tries === TRIES)
        locks[channel][after[channel].locks - 1]! += 1;
    const rule = brokenRule(change, texterIds.includes(userId));
    if (rule) violations.push({ rule, detail: JSON.stringify(change), dialogue: [] });
  }
  return { violations, locks };
}

async function changesOf(db: Db): Promise<Change[]> {
  type Raw = Record<string, string | number | null>;
  const rows = await db.$client<{ at: Date; before: Raw; after: Raw }[]>`
    select at, before, after from own_pins order by id`;
  const timeOf = (value: string | number | null | undefined) =>
    value === null || value === undefined ? null : new Date(value).getTime();
  const rowOf = (raw: Raw): Row => ({
    digest: String(raw.digest),
    ussd: {
      ...{ tries: Number(raw.wrong_tries), untilMs: timeOf(raw.locked_until), locks: Number(raw.locks) },
    },
    sms: {
      ...{ tries: Number(raw.sms_wrong_tries), untilMs: timeOf(raw.sms_locked_until) },
      locks: Number(raw.sms_locks),
    },
  });
  return rows.map(({ at, before, after }) => ({
    ...{ userId: Number(before.user_id), atMs: new Date(at).getTime() },
    ...{ before: rowOf(before), after: rowOf(after) },
  }));
}

/** The rule that a change breaks; null for one that may be. */
function brokenRule({ before, after, atMs }: Change, isTexter: boolean): string | null {
  if (after.digest !== before.digest)
    return isNone(after.ussd) && isNone(after.sms) ? null : "a new PIN has no wrong tries";
  const changed = (["ussd", "sms"] as const).filter((channel) => !Bun.deepEquals(before[channel], after[channel]));
  const isLocked = (channel: Channel) => (before[channel].untilMs ?? 0) > atMs;
  if (isLocked("ussd") || (changed.includes("sms") && isLocked("sms")))
    return "no PIN is accepted or counted during a lock";
  const [channel, ...more] = changed;
  if (!channel) return null;
  if (more.length > 0) return "wrong PINs by USSD and SMS are counted apart";
  if (channel === "ussd" && isTexter) return "a forged SMS does not lock USSD";
  if (isNone(after[channel])) return null;
  return isRightCount(before[channel], after[channel], atMs) ? null : "locks grow";
}

const isNone = ({ tries, untilMs, locks }: Count) => tries === 0 && untilMs === null && locks === 0;

const isWrongTry = (before: Count, after: Count) => after.tries > 0 && !Bun.deepEquals(before, after);

/** Whether these are the counts after one more wrong PIN. */
function isRightCount(before: Count, { tries, untilMs, locks }: Count, atMs: number): boolean {
  if (tries !== (before.untilMs === null ? before.tries + 1 : 1)) return false;
  if (tries < TRIES) return untilMs === null && locks === before.locks;
  if (untilMs === null || locks !== Math.min(before.locks + 1, MINUTES.length + 1)) return false;
  const minutes = MINUTES[before.locks];
  return minutes === undefined ? untilMs - atMs > YEAR_MS : untilMs - atMs === minutes * 60_000;
}
