// Locks of PINs. Three wrong ones in a row lock it: for minutes at first, then for longer, and in the end until there
// is a new one. Wrong ones by SMS, whose senders can be forged, are counted apart and lock SMS alone; a lock by USSD,
// where somebody holds the phone, locks both.
import { type SQL, sql } from "drizzle-orm";
import { pins } from "../../../../db/schema/identity.ts";

export type PinChannel = "ussd" | "sms";

export const WRONG_TRIES_MAX = 3;
/** How long the first locks in a row last, in minutes; any further one lasts until there is a new PIN. */
const LOCK_MINUTES = [15, 60, 24 * 60];
/** Old versions of the program read an end, so there is one that nobody waits for. */
const FOR_GOOD_YEARS = 100;

/** Locks are compared by the database's clock, which is the same for all processes. */
const COUNTERS = {
  ussd: { tries: pins.wrongTries, until: pins.lockedUntil, locks: pins.locks },
  sms: { tries: pins.smsWrongTries, until: pins.smsLockedUntil, locks: pins.smsLocks },
} as const;

/** SQL for when the lock in force at this channel ends; null or past without one. */
export const lockEnd = (channel: PinChannel): SQL<Date | null> =>
  channel === "ussd" ? sql`${pins.lockedUntil}` : sql`greatest(${pins.lockedUntil}, ${pins.smsLockedUntil})`;
export const isLockedAt = (channel: PinChannel): SQL<boolean> =>
  sql<boolean>`coalesce(${lockEnd(channel)} > now(), false)`;
export const isOpenAt = (channel: PinChannel): SQL => sql`${isLockedAt(channel)} = false`;
/** SQL for whether the lock in force at this channel ends with a new PIN only. */
export const isForGoodAt = (channel: PinChannel): SQL<boolean> =>
  sql<boolean>`coalesce(${lockEnd(channel)} > now() + interval '1 year', false)`;

/** A PIN without wrong tries. */
export const UNLOCKED = {
  ...{ wrongTries: 0, lockedUntil: null, locks: 0 },
  ...{ smsWrongTries: 0, smsLockedUntil: null, smsLocks: 0 },
};

/** The columns after one more wrong try, and those to return of it. */
export function afterWrongTry(channel: PinChannel) {
  const { tries: before, until, locks } = COUNTERS[channel];
  // A lock that is over takes its three tries with it, and counts for the next one.
  const tries = sql`case when ${until} is null then ${before} + 1 else 1 end`;
  const minutes = sql`(array[${sql.raw(LOCK_MINUTES.join())}])[${locks} + 1]`;
  const end = sql`now() + coalesce(make_interval(mins => ${minutes}), make_interval(years => ${FOR_GOOD_YEARS}))`;
  const locksNow = sql`${tries} >= ${WRONG_TRIES_MAX}`;
  const columns = {
    tries,
    until: sql`case when ${locksNow} then ${end} end`,
    locks: sql`case when ${locksNow} then least(${locks} + 1, ${LOCK_MINUTES.length + 1}) else ${locks} end`,
  };
  return {
    set:
      channel === "ussd"
        ? { wrongTries: columns.tries, lockedUntil: columns.until, locks: columns.locks }
        : { smsWrongTries: columns.tries, smsLockedUntil: columns.until, smsLocks: columns.locks },
    returning: { wrongTries: before, lockedUntil: until, isForGood: isForGoodAt(channel) },
  };
}
