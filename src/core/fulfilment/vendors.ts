// The state of vendors: their routes, pauses, call rates and floats.
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { attempts, vendors as table } from "../../../db/schema/fulfilment.ts";
import { orders } from "../../../db/schema/orders.ts";
import { auditLog as auditRows } from "../../../db/schema/platform.ts";
import { DESK, type Family } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requiredText, VendorCode } from "../../shared/inputs.ts";
import { allFamilies, type FamilyFacts } from "../../shared/operators.ts";
import * as staffNotices from "../messaging/staff-notices.ts";
import type { PauseReason } from "../messaging/texts/texts.ts";
import * as rateLimits from "../platform/budgets/rate-limits.ts";
import { command, type Logged } from "../platform/commands.ts";
import { routeSetting, type Settings } from "../platform/settings/settings.ts";
import type { BundleLine, BundleVendor, VendorBalance } from "./vendor.ts";

export type VendorState = typeof table.$inferSelect;

/** The interval of trials with one order while a float is empty: a refused call costs nothing. */
const TRIAL_SECONDS = 60;
/** Allowance for calls that arrive late by varying amounts, so that a minute at the vendor never holds too many. */
const LATE_SECONDS = 3;

/** The route of a family of bundles: vendors' codes or the desk, in turn. Never empty. */
export function routeOf(settings: Settings, line: BundleLine): string[] {
  const codes = (settings[routeSetting(line)] ?? "")
    .split(",")
    .map((code) => code.trim().toLowerCase())
    .filter(Boolean);
  return codes.length > 0 ? codes : [DESK];
}

/** The families whose route has a vendor. */
export function familiesVia(settings: Settings, code: string): Family[] {
  return allFamilies()
    .map((family) => family.code)
    .filter((family) => routeOf(settings, family).includes(code));
}

/** The families on sale of which a vendor can send bundles. */
export function familiesFor({ can }: Pick<BundleVendor, "can">): FamilyFacts[] {
  return allFamilies().filter(({ code, isRetired }) => !isRetired && can.lines.includes(code));
}

/** The routes of all that a vendor can send, with it as the first and everybody else after it. */
export function routesVia(settings: Settings, vendor: Pick<BundleVendor, "code" | "can">): Partial<Settings> {
  const routes = familiesFor(vendor).map(({ code: family }) => {
    const others = routeOf(settings, family).filter((other) => other !== vendor.code);
    return [routeSetting(family), [vendor.code, ...others].join(", ")];
  });
  return Object.fromEntries(routes);
}

/** Inserts a row for each vendor that has none. Runs at the start. */
export async function enrol(db: Db, vendors: readonly Pick<BundleVendor, "code">[]): Promise<void> {
  if (vendors.length === 0) return;
  await db
    .insert(table)
    .values(vendors.map(({ code }) => ({ code })))
    .onConflictDoNothing();
}

/** The state of every vendor, by code. */
export async function states(tx: Reads): Promise<Map<string, VendorState>> {
  return new Map((await tx.select().from(table)).map((row) => [row.code, row]));
}

/** A normal call, or a trial with a single order while the float is empty. */
export type Turn = "call" | "trial";

/** SQL: whether a vendor may be called. With an empty float it may, for trials. */
export const MAY_BE_CALLED = sql`(${table.pausedFor} is null or ${table.pausedFor} = 'float_empty')`;

/**
 * Takes one call from the vendor's rate, across all processes; null when it is paused or too early. Calls are spaced
 * evenly, so that no minute, wherever it begins, holds more than the vendor allows.
 */
export async function takeCall(db: Db, vendor: BundleVendor): Promise<Turn | null> {
  const spacing = (60 + LATE_SECONDS) / vendor.can.callsPerMinute;
  const seconds = sql`case when ${table.pausedFor} is null then ${spacing}::float8 else ${TRIAL_SECONDS} end`;
  const [taken] = await db
    .update(table)
    .set({ nextCallAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(and(eq(table.code, vendor.code), MAY_BE_CALLED, sql`${table.nextCallAt} <= now()`))
    .returning({ pausedFor: table.pausedFor });
  if (!taken) return null;
  return taken.pausedFor ? "trial" : "call";
}

/** Takes `count` status checks from the vendor's rate, across all processes; false when it is used up. */
export async function takeStatusChecks(db: Db, { code, can }: BundleVendor, count: number): Promise<boolean> {
  const limit = {
    bucket: `status checks at ${code}`,
    countMax: Math.floor(can.statusChecksPerMinute / count),
  };
  return rateLimits.isWithin(db, { ...limit, windowSeconds: 60 });
}

/** Suspends calls to a vendor for this many seconds. */
export async function holdCalls(tx: Tx, code: string, seconds: number): Promise<void> {
  await tx
    .update(table)
    .set({ nextCallAt: sql`greatest(${table.nextCallAt}, now() + make_interval(secs => ${seconds}))` })
    .where(eq(table.code, code));
}

const trialLater = {
  nextCallAt: sql`greatest(${table.nextCallAt}, now() + make_interval(secs => ${TRIAL_SECONDS}))`,
};
const NOT_PAUSED = { pausedFor: null, pausedMessage: null, pausedAt: null };

/** Resumes a vendor with an empty float, after it has accepted an order again. */
export async function resumeAfterEmptyFloat(tx: Tx, code: string): Promise<void> {
  await tx
    .update(table)
    .set({ ...NOT_PAUSED, nextCallAt: sql`now()` })
    .where(and(eq(table.code, code), eq(table.pausedFor, "float_empty")));
}

/**
 * Pauses a vendor automatically and notifies the admins by e-mail; a vendor that is already paused stays as it is.
 */
export async function pauseFor(
  tx: Tx,
  vendor: Pick<BundleVendor, "code" | "name">,
  reason: PauseReason,
  message: string | null,
): Promise<void> {
  const [paused] = await tx
    .update(table)
    .set({
      pausedFor: reason,
      pausedMessage: message,
      pausedAt: sql`now()`,
      ...(reason === "float_empty" && trialLater),
    })
    .where(and(eq(table.code, vendor.code), isNull(table.pausedFor)))
    .returning({ code: table.code });
  if (paused) await staffNotices.vendorPaused(tx, vendor, reason, message);
}

/** Pauses a vendor with a note, or resumes it with null. */
export const setPause = command({
  name: "vendor.pause",
  right: "delivery.manage",
  about: "Pause a supplier with a note, or resume it",
  subject: "vendor",
  logs: ["vendor.resume"],
  input: { code: VendorCode, note: requiredText(200, "Say why").nullable() },
  errors: ["vendor.not_found"],
  // One that had paused itself would come back as paused by somebody.
  undo: ({ subjectId: code, before }: Logged<{ pausedFor: string | null; note: string | null }>) =>
    before.pausedFor === null || before.pausedFor === "admin" ? { code, note: before.note } : null,
  run: async ({ tx, audit }, { code, note }) => {
    const [before] = await tx.select().from(table).where(eq(table.code, code)).for("update");
    if (!before) throw new AppError("vendor.not_found");
    const paused =
      note === null ? NOT_PAUSED : { pausedFor: "admin" as const, pausedMessage: note, pausedAt: sql`now()` };
    await tx.update(table).set(paused).where(eq(table.code, code));
    await audit(code, {
      action: note === null ? "vendor.resume" : "vendor.pause",
      before: { pausedFor: before.pausedFor, note: before.pausedMessage },
      after: { note },
    });
  },
});

/**
 * Checks our float with a vendor, and returns its answer. A vendor paused for an empty float resumes when it covers the
 * next waiting order or, with none waiting, when it has grown.
 */
export async function checkFloat(db: Db, vendor: BundleVendor): Promise<VendorBalance> {
  const answer = await vendor.balance();
  if (answer.kind !== "found") return answer;
  const { balancePesewas } = answer;
  await db.transaction(async (tx) => {
    const nextPesewas = await nextOrderPesewas(tx, vendor.code);
    const [before] = await tx
      .select({ pausedFor: table.pausedFor, balancePesewas: table.balancePesewas })
      .from(table)
      .where(eq(table.code, vendor.code))
      .for("update");
    const isEnough =
      nextPesewas === null ? balancePesewas > (before?.balancePesewas ?? 0) : balancePesewas >= nextPesewas;
    await tx
      .update(table)
      .set({
        balancePesewas,
        balanceAt: sql`now()`,
        ...(before?.pausedFor === "float_empty" && isEnough && { ...NOT_PAUSED, nextCallAt: sql`now()` }),
      })
      .where(eq(table.code, vendor.code));
  });
  return answer;
}

/** The sale price of the next waiting order, roughly its cost. Null when none waits. */
async function nextOrderPesewas(tx: Reads, code: string): Promise<number | null> {
  const [next] = await tx
    .select({ amountPesewas: orders.amountPesewas })
    .from(attempts)
    .innerJoin(orders, eq(orders.id, attempts.orderId))
    .where(and(eq(attempts.vendor, code), sql`${attempts.state} = 'queued'`))
    .orderBy(asc(attempts.dueAt), asc(attempts.id))
    .limit(1);
  return next?.amountPesewas ?? null;
}

/** Who paused a vendor, by their name; null when it pauses itself, or is not paused. */
export async function pausedBy(tx: Reads, code: string): Promise<string | null> {
  // The entry is of the same transaction as the pause, so that both have its time.
  const [entry] = await tx
    .select({ username: auditRows.byUsername })
    .from(auditRows)
    .innerJoin(table, eq(table.pausedAt, auditRows.createdAt))
    .where(
      and(
        eq(table.code, code),
        eq(table.pausedFor, "admin"),
        eq(auditRows.subjectType, "vendor"),
        eq(auditRows.subjectId, code),
        eq(auditRows.action, "vendor.pause"),
      ),
    );
  return entry?.username ?? null;
}
