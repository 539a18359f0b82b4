// The settings that admins change while the shop runs. Each has a default, so a fresh shop needs none.
import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { settings } from "../../../db/schema/platform.ts";
import { type By, isAdmin } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as auditLog from "./audit-log.ts";

export const DEFAULTS = {
  /** Cancellation window: how long a paid order waits before it is dispatched. */
  dispatch_hold_seconds: 45,
  /** Delivery promise: how long a paid order may take before it is refunded automatically; 0 for none. */
  refund_promise_minutes: 1440,
  /** How long a delivered order waits for a dispute before it is completed. */
  complete_after_seconds: 86_400,
  /** How long after delivery a buyer can report an order as not received; 0: never. */
  not_received_days: 3,
  /** How long admins have to decide a dispute; after it the order is refunded automatically. */
  case_hours: 24,
  /** How long an admin has for a desk batch before it moves to the top of Attention. */
  desk_batch_minutes: 120,
  /** Age at which an undelivered paid order is shown to admins as stuck. */
  stuck_after_minutes: 120,
  /** Vendors for each kind of bundle in turn, separated by commas: each only after the one before certainly failed. */
  route_mtn: "desk",
  route_at_ishare: "desk",
  route_at_bigtime: "desk",
  route_telecel: "desk",
  /** The smallest top-up. */
  top_up_minimum_pesewas: 500,
  /** The smallest manual mobile money deposit. */
  manual_top_up_minimum_pesewas: 1000,
  /** Where agents send manual deposits. */
  manual_payment_number: "",
  manual_payment_name: "",
  /** Whether admins must have a second factor; without one they can only set it up. */
  admin_second_factor: false,
  /** The most SMS in 24 hours; notices stop at 70 % of it, so that codes still go out. */
  sms_day_max: 5000,
  /** Where agents find help; empty ones are not shown. */
  support_email: "",
  support_phone: "",
  support_hours: "Mon-Fri 9AM-5PM",
  /** The owner's figures for the landing page; empty ones are not shown. */
  landing_agents: "",
  landing_bundles: "",
  landing_uptime: "",
  landing_order_time: "",
  /** Testimonials, one per line: text | author. */
  landing_voices: "",
};
export type Settings = typeof DEFAULTS;

/** SQL for the delivery deadline of an order paid now; null without a delivery promise. */
export const DELIVER_BY = `(
  select now() + make_interval(mins => promise.minutes)
  from (select coalesce((select (value #>> '{}')::int from settings where key = 'refund_promise_minutes'),
                        ${DEFAULTS.refund_promise_minutes}) as minutes) promise
  where promise.minutes > 0)`;

/** The current value of a setting. */
export async function get<Name extends keyof Settings>(tx: Tx, name: Name): Promise<Settings[Name]> {
  const [row] = await tx.select().from(settings).where(eq(settings.key, name));
  return (row?.value as Settings[Name] | undefined) ?? DEFAULTS[name];
}

/** The current values of all settings. */
export async function all(tx: Tx): Promise<Settings> {
  const rows = await tx.select().from(settings);
  const known = rows.filter(({ key }) => key in DEFAULTS).map(({ key, value }) => [key, value]);
  return { ...DEFAULTS, ...Object.fromEntries(known) };
}

/** The advisory lock of changes: any number that nothing else locks. */
const CHANGE_LOCK = 7_265_302;

/** Changes a setting and logs it. Throws auth.forbidden. */
export async function set<Name extends keyof Settings>(
  db: Db,
  { by, name, value }: { by: By; name: Name; value: Settings[Name] },
): Promise<void> {
  await change(db, { by, values: { [name]: value } });
}

/** Changes several settings together, logging each whose value differs. Throws auth.forbidden. */
export async function change(db: Db, { by, values }: { by: By; values: Partial<Settings> }): Promise<void> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  await db.transaction(async (tx) => {
    // One change at a time, so that each logs the other's result as its value before.
    await tx.execute(sql`select pg_advisory_xact_lock(${CHANGE_LOCK})`);
    const before = await all(tx);
    for (const [key, value] of Object.entries(values)) {
      const previous = before[key as keyof Settings];
      if (value === previous) continue;
      const row = { value, updatedAt: sql`now()`, updatedByUserId: by.userId };
      await tx
        .insert(settings)
        .values({ key, ...row })
        .onConflictDoUpdate({ target: settings.key, set: row });
      await auditLog.record(tx, by, [
        { action: "setting.change", subjectType: "setting", subjectId: key, before: previous, after: value },
      ]);
    }
  });
}
