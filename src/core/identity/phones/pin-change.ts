// Changing the PIN from the phone, in three steps that may be three requests: the old PIN or a code by SMS, the new
// PIN, and the new one again. Between them only a digest of the new one is kept, for a few minutes; neither PIN is.
import { and, eq, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../../db/connect.ts";
import { phones, pins } from "../../../../db/schema/identity.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { isAllowedPin } from "../../../shared/phones/pin.ts";
import * as freezing from "../../ledger/freezing.ts";
import * as users from "../users.ts";
import * as phoneWaits from "./phone-waits.ts";
import { isOpenAt, UNLOCKED } from "./pin-locks.ts";
import { record } from "./pin-notices.ts";
import { type Alongside, check, digestOf, matches, type PinKeys } from "./pins.ts";

/** A change that the old PIN, or a code in its place, has authorised, for the caller to keep until the next step. */
export type PinChange = {
  /** When the PIN that it replaces was set, as the database wrote it: of another nothing is authorised. Null: none. */
  replacesSetAt: string | null;
  /** In milliseconds of the clock; after this it starts over. */
  expiresAtMs: number;
  /** The old PIN is forgotten: a code by SMS has authorised it, and the new PIN looks before it spends. */
  isForgotten?: true;
  /** There was a question besides the code (owner-question.ts), and it was not answered: the new PIN waits longer. */
  isUnanswered?: true;
  /** The new PIN as it will be stored, once it is chosen. */
  digest?: string;
};

/** No network keeps a session open for longer. */
const CHANGE_MS = 3 * 60_000;

/** `triesLeft` is null when the PIN was replaced meanwhile, which counts as no try. */
type Begun =
  | { outcome: "begun"; change: PinChange }
  | { outcome: "wrong"; triesLeft: number | null }
  | { outcome: "locked" | "none" };

/** The first step: checks the old PIN, and counts a wrong one like `verify`. Throws account.frozen. */
export async function beginChange(
  db: Db,
  keys: PinKeys,
  { by: { userId }, oldPin }: { by: ByUser; oldPin: string },
): Promise<Begun> {
  await freezing.refuse(db, userId);
  let triesLeft = 0;
  const alongside: Alongside = async (_tx, _counted, left) => {
    triesLeft = left;
  };
  const { verdict, found } = await check(db, keys, { userId, pin: oldPin }, { alongside });
  if (verdict === "wrong") return { outcome: "wrong", triesLeft };
  if (verdict !== "right") return { outcome: verdict };
  const stored = await read(db, userId);
  // Another PIN was set since the comparison.
  if (!stored?.digest || stored.digest !== found!.digest) return { outcome: "wrong", triesLeft: null };
  return { outcome: "begun", change: changeOf(stored) };
}

/** The first step without the old PIN, which the caller has let a code stand in for; null without a phone. */
export async function beginForgotten(tx: Reads, userId: number): Promise<PinChange | null> {
  const stored = await read(tx, userId);
  return stored && { ...changeOf(stored), isForgotten: true };
}

type Chosen = { outcome: "chosen"; change: PinChange } | { outcome: "trivial" | "same" | "expired" };

/** The second step: takes the new PIN, unless it is easy to guess or the present one. */
export async function chooseNew(
  db: Db,
  keys: PinKeys,
  { by: { userId }, change, newPin }: { by: ByUser; change: PinChange; newPin: string },
): Promise<Chosen> {
  const stored = await read(db, userId);
  if (!stored || !isOpen(change, stored)) return { outcome: "expired" };
  if (!isAllowedPin(newPin, stored.msisdn)) return { outcome: "trivial" };
  // Whoever has only a code must not learn whether they have guessed the PIN.
  if (!change.isForgotten && stored.digest && (await isUnder(keys, { userId, pin: newPin }, stored.digest)))
    return { outcome: "same" };
  return {
    outcome: "chosen",
    change: { ...change, digest: await digestOf(keys.key, { userId, pin: newPin }) },
  };
}

/**
 * The third step: compares, and replaces the PIN. "changed" also when it had done so before, because its answer may be
 * lost; "different": the two are not the same. Throws account.frozen.
 */
export async function endChange(
  db: Db,
  keys: PinKeys,
  { by, change, newPin }: { by: ByUser; change: PinChange; newPin: string },
): Promise<"changed" | "different" | "locked" | "expired"> {
  const { userId } = by;
  const { digest, replacesSetAt, isForgotten, isUnanswered = false } = change;
  if (!digest || change.expiresAtMs < Date.now()) return "expired";
  if (!(await isUnder(keys, { userId, pin: newPin }, digest))) return "different";
  return db.transaction(async (tx) => {
    await freezing.refuse(tx, userId);
    if (await write(tx, userId, { digest, replacesSetAt, isForgotten })) {
      // Its owner is warned before it spends.
      const until = isForgotten && (await phoneWaits.begin(tx, await users.get(tx, userId), "pin", { isUnanswered }));
      await record(tx, by, userId, isForgotten ? "forgotten" : "changed", until || undefined);
      return "changed";
    }
    const stored = await read(tx, userId);
    if (stored?.digest === digest) return "changed";
    return stored?.setAt === replacesSetAt ? "locked" : "expired";
  });
}

/** Writes the new PIN over the one that it replaces, or where there is none; false if that is another by now. */
async function write(
  tx: Tx,
  userId: number,
  { digest, replacesSetAt, isForgotten }: Pick<PinChange, "replacesSetAt" | "isForgotten"> & { digest: string },
): Promise<boolean> {
  // Nobody has guessed at the new one yet.
  const fresh = { digest, setAt: sql`now()`, ...UNLOCKED };
  if (replacesSetAt === null) {
    const [phone] = await tx.select().from(phones).where(eq(phones.userId, userId)).for("share");
    if (!phone) return false;
    const row = { userId, msisdn: phone.msisdn, ...fresh };
    return (await tx.insert(pins).values(row).onConflictDoNothing().returning()).length > 0;
  }
  const isReplaced = sql`${pins.setAt} = ${replacesSetAt}::text::timestamptz`;
  const isAllowed = isForgotten ? undefined : isOpenAt("ussd");
  const where = and(eq(pins.userId, userId), isReplaced, isAllowed);
  return (await tx.update(pins).set(fresh).where(where).returning()).length > 0;
}

/** `digest` and `setAt` are null while the phone has no PIN. */
type Stored = { digest: string | null; msisdn: string; setAt: string | null };

async function read(tx: Reads, userId: number): Promise<Stored | null> {
  const [row] = await tx
    .select({ digest: pins.digest, msisdn: phones.msisdn, setAt: sql<string | null>`${pins.setAt}::text` })
    .from(phones)
    .leftJoin(pins, eq(pins.userId, phones.userId))
    .where(eq(phones.userId, userId));
  return row ?? null;
}

function changeOf({ setAt: replacesSetAt }: Stored): PinChange {
  return { replacesSetAt, expiresAtMs: Date.now() + CHANGE_MS };
}

function isOpen({ replacesSetAt, expiresAtMs }: PinChange, { setAt }: Stored): boolean {
  return setAt === replacesSetAt && expiresAtMs >= Date.now();
}

/** Whether a digest is this PIN's, also while the secret is being replaced. */
async function isUnder(
  { key, previousKey }: PinKeys,
  proof: { userId: number; pin: string },
  digest: string,
): Promise<boolean> {
  if (await matches(key, proof, digest)) return true;
  return previousKey !== undefined && (await matches(previousKey, proof, digest));
}
