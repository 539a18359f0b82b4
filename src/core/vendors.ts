// What the shop knows of its vendors: which there are, who sends what, whom it may call now, and what they hold of ours.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { vendors as table } from "../../db/schema-fulfilment.ts";
import { type By, isAdmin, type Operator } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import type { PauseReason } from "./message-texts.ts";
import * as notices from "./notices.ts";
import * as rateLimits from "./rate-limits.ts";
import type { Settings } from "./settings.ts";
import * as trail from "./trail.ts";
import { type BundleLine, type BundleVendor, DESK } from "./vendor.ts";

export type VendorState = typeof table.$inferSelect;

/** An empty float is tried again after so long, whatever its balance was: a call that is refused costs nothing. */
const RETRY_FLOAT_MINUTES = 15;
/** Calls arrive later than they are allowed, each by another moment: a minute at the vendor's begins with a late one. */
const LATE_SECONDS = 3;

/** The kind of bundle that a product is. AirtelTigo sells two, told apart by the product's name. */
export function lineOf(operator: Operator, productName: string): BundleLine {
  if (operator === "AIRTELTIGO") return /big\s*time/i.test(productName) ? "AT_BIGTIME" : "AT_ISHARE";
  return operator;
}

/** Who sends this kind of bundle, in turn: vendors' codes, or the desk. Never empty. */
export function routeOf(settings: Settings, line: BundleLine): string[] {
  const text = settings[`route_${line.toLowerCase()}` as `route_${Lowercase<BundleLine>}`];
  const codes = text
    .split(",")
    .map((code) => code.trim().toLowerCase())
    .filter(Boolean);
  return codes.length > 0 ? codes : [DESK];
}

/** Makes a row for each vendor that has none; to be called at the start. */
export async function enrol(db: Db, vendors: readonly Pick<BundleVendor, "code">[]): Promise<void> {
  if (vendors.length === 0) return;
  await db
    .insert(table)
    .values(vendors.map(({ code }) => ({ code })))
    .onConflictDoNothing();
}

export async function states(tx: Tx): Promise<Map<string, VendorState>> {
  return new Map((await tx.select().from(table)).map((row) => [row.code, row]));
}

/**
 * Takes one call out of the vendor's rate, for all processes together; false when it is paused or not yet time. Calls
 * are spaced evenly, so that no minute, wherever it begins, holds more than the vendor allows.
 */
export async function takeCall(db: Db, vendor: BundleVendor): Promise<boolean> {
  const spacing = (60 + LATE_SECONDS) / vendor.can.callsPerMinute;
  const taken = await db
    .update(table)
    .set({ nextCallAt: sql`now() + make_interval(secs => ${spacing})` })
    .where(and(eq(table.code, vendor.code), isNull(table.pausedFor), sql`${table.nextCallAt} <= now()`))
    .returning({ code: table.code });
  return taken.length > 0;
}

/** Takes so many questions out of a vendor's rate for them, for all processes together; false when it is used up. */
export async function takeQuestions(db: Db, { code, can }: BundleVendor, count: number): Promise<boolean> {
  const limit = { bucket: `questions to ${code}`, countMax: Math.floor(can.lookUpsPerMinute / count) };
  return rateLimits.isWithin(db, { ...limit, windowSeconds: 60 });
}

/** The vendor wants to be left alone for so long. */
export async function holdCalls(tx: Tx, code: string, seconds: number): Promise<void> {
  await tx
    .update(table)
    .set({ nextCallAt: sql`greatest(${table.nextCallAt}, now() + make_interval(secs => ${seconds}))` })
    .where(eq(table.code, code));
}

/**
 * Stops sending to a vendor, for a reason that the shop itself found, and tells the admins by e-mail; one that is paused
 * stays as it is.
 */
export async function pauseFor(
  tx: Tx,
  vendor: Pick<BundleVendor, "code" | "name">,
  why: PauseReason,
  words: string | null,
): Promise<void> {
  const [paused] = await tx
    .update(table)
    .set({ pausedFor: why, pausedWords: words, pausedAt: sql`now()` })
    .where(and(eq(table.code, vendor.code), isNull(table.pausedFor)))
    .returning({ code: table.code });
  if (paused) await notices.vendorPaused(tx, vendor, why, words);
}

/** Pauses a vendor or (with null) takes it up again. Throws auth.forbidden, vendor.not_found. */
export async function setPause(
  db: Db,
  { by, code, words }: { by: By; code: string; words: string | null },
): Promise<void> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(table).where(eq(table.code, code)).for("update");
    if (!before) throw new AppError("vendor.not_found");
    const paused =
      words === null
        ? { pausedFor: null, pausedWords: null, pausedAt: null }
        : { pausedFor: "admin" as const, pausedWords: words, pausedAt: sql`now()` };
    await tx.update(table).set(paused).where(eq(table.code, code));
    await trail.record(tx, by, [
      {
        action: words === null ? "vendor.resume" : "vendor.pause",
        subjectType: "vendor",
        subjectId: code,
        before: { pausedFor: before.pausedFor, words: before.pausedWords },
        after: { words },
      },
    ]);
  });
}

/** Asks what the vendor holds of ours; a float that was empty is taken up again when it has grown, or after a while. */
export async function checkFloat(db: Db, vendor: BundleVendor): Promise<void> {
  const balancePesewas = await vendor.balancePesewas();
  if (balancePesewas === null) return;
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({
        pausedFor: table.pausedFor,
        balancePesewas: table.balancePesewas,
        isLongAgo: sql<boolean>`coalesce(${table.pausedAt} < now() - make_interval(mins => ${RETRY_FLOAT_MINUTES}), true)`,
      })
      .from(table)
      .where(eq(table.code, vendor.code))
      .for("update");
    const hasGrown = balancePesewas > (before?.balancePesewas ?? 0);
    // What came in between the pause and the first look at the float is not seen as growth: then trying tells.
    const isWaiting = before?.pausedFor === "float_empty";
    await tx
      .update(table)
      .set({
        balancePesewas,
        balanceAt: sql`now()`,
        ...(isWaiting &&
          (hasGrown || before.isLongAgo) && { pausedFor: null, pausedWords: null, pausedAt: null }),
      })
      .where(eq(table.code, vendor.code));
  });
}
