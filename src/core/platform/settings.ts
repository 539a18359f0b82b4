// What admins can set while the shop runs. Each setting has a default, so a fresh shop needs none.
import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { settings } from "../../../db/schema/platform.ts";
import { type By, isAdmin } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as auditLog from "./audit-log.ts";

export const DEFAULTS = {
  /** How long a paid order waits before it is handed on: the time in which its buyer can cancel. */
  dispatch_hold_seconds: 45,
  /** How long a paid order may take before its money goes back by itself; 0 promises nothing. */
  refund_promise_minutes: 1440,
  /** How long a delivered order waits for somebody to say that nothing arrived, before it is completed. */
  complete_after_seconds: 86_400,
  /** How long after its delivery the buyer of an order can say that it has not arrived; 0: not at all. */
  not_received_days: 3,
  /** Within how long that is decided; after it the money goes back by itself. */
  case_hours: 24,
  /** How long whoever takes a batch of the desk has for it, before it stands first under Attention. */
  desk_batch_minutes: 120,
  /** Paid orders that are older and not delivered are shown to the admins. */
  stuck_after_minutes: 120,
  /** Who sends each kind of bundle, in turn, separated by commas: the next one only after the one before surely failed. */
  route_mtn: "desk",
  route_at_ishare: "desk",
  route_at_bigtime: "desk",
  route_telecel: "desk",
  /** The least that a wallet can be topped up by. */
  top_up_minimum_pesewas: 500,
  /** The least that a manual mobile money deposit may be. */
  manual_top_up_minimum_pesewas: 1000,
  /** Where agents send manual deposits. */
  manual_payment_number: "",
  manual_payment_name: "",
  /** Whether admins must have a second factor: without one they can do nothing but set it up. */
  admin_second_factor: false,
  /** So many SMS are sent in 24 hours; notices stop at 70 % of it, so that codes still go out. */
  sms_day_max: 5000,
  /** Where agents find help; an empty one is not shown. */
  support_email: "",
  support_phone: "",
  support_hours: "Mon-Fri 9AM-5PM",
  /** What the owner says of the shop on its first page; what is empty is not said. */
  landing_agents: "",
  landing_bundles: "",
  landing_uptime: "",
  landing_order_time: "",
  /** A line each: words | who said them. */
  landing_voices: "",
};
export type Settings = typeof DEFAULTS;

/** SQL for the moment until which an order that is paid now is promised; null while nothing is promised. */
export const DELIVER_BY = `(
  select now() + make_interval(mins => promise.minutes)
  from (select coalesce((select (value #>> '{}')::int from settings where key = 'refund_promise_minutes'),
                        ${DEFAULTS.refund_promise_minutes}) as minutes) promise
  where promise.minutes > 0)`;

/** The value in force. */
export async function get<Name extends keyof Settings>(tx: Tx, name: Name): Promise<Settings[Name]> {
  const [row] = await tx.select().from(settings).where(eq(settings.key, name));
  return (row?.value as Settings[Name] | undefined) ?? DEFAULTS[name];
}

/** All values in force. */
export async function all(tx: Tx): Promise<Settings> {
  const rows = await tx.select().from(settings);
  const known = rows.filter(({ key }) => key in DEFAULTS).map(({ key, value }) => [key, value]);
  return { ...DEFAULTS, ...Object.fromEntries(known) };
}

/** Any number that nothing else locks. */
const CHANGING = 7_265_302;

/** Changes a setting, with a trace. Throws auth.forbidden. */
export async function set<Name extends keyof Settings>(
  db: Db,
  { by, name, value }: { by: By; name: Name; value: Settings[Name] },
): Promise<void> {
  await change(db, { by, values: { [name]: value } });
}

/** Changes settings together, with a trace of each that becomes another. Throws auth.forbidden. */
export async function change(db: Db, { by, values }: { by: By; values: Partial<Settings> }): Promise<void> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  await db.transaction(async (tx) => {
    // One change after the other: what one finds there before is what the other has made.
    await tx.execute(sql`select pg_advisory_xact_lock(${CHANGING})`);
    const before = await all(tx);
    for (const [key, value] of Object.entries(values)) {
      const was = before[key as keyof Settings];
      if (value === was) continue;
      const row = { value, updatedAt: sql`now()`, updatedByUserId: by.userId };
      await tx
        .insert(settings)
        .values({ key, ...row })
        .onConflictDoUpdate({ target: settings.key, set: row });
      await auditLog.record(tx, by, [
        { action: "setting.change", subjectType: "setting", subjectId: key, before: was, after: value },
      ]);
    }
  });
}
