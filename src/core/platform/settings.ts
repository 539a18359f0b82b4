// What admins can set while the shop runs. Each setting has a default, so a fresh shop needs none.
import { eq, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { settings } from "../../../db/schema/platform.ts";
import { type ByUser, type Family, isAdmin, SMS_GATEWAY_NAMES, SMS_GATEWAYS } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as auditLog from "./audit-log.ts";
import { MARGIN_SETTINGS } from "./margin-settings.ts";

/** What every setting has: a default, its group in the form of all settings, and its label and hint there. */
type Setting<Value> = { default: Value; group: Group; label: string; hint?: string };
export type Whole = Setting<number> & { kind: "whole"; min: number; max: number; unit?: string };
/** An amount in pesewas; the name of such a setting ends in `_pesewas`. */
export type Money = Setting<number> & { kind: "money"; mayBeZero?: true };
export type Text = Setting<string> & {
  kind: "text";
  charsMax: number;
  /** "digits" accepts only a number, "phone" any text, "ussd" a code to dial. */
  is?: "email" | "phone" | "digits" | "ussd";
  placeholder?: string;
};
/** Several entries, one per line, in this format. */
export type Lines = Setting<string> & { kind: "lines"; linesMax: number; charsMax: number; format: string };
export type Switch = Setting<boolean> & { kind: "switch" };
/** One of a few values. */
export type Option = Setting<string> & {
  kind: "option";
  options: readonly (readonly [value: string, label: string])[];
};
export type Shown = Whole | Money | Text | Lines | Switch | Option;

type Group = "money" | "margins" | "deposits" | "orders" | "support" | "gateways" | "firstPage" | "security";
/** The groups of the form, in its order. */
export const GROUPS: Record<Group, { title: string; intro?: string }> = {
  money: { title: "Money" },
  margins: {
    title: "Costs and margins",
    intro: "Nothing is sold below its known cost, unless you allow that bundle by name on its page.",
  },
  deposits: { title: "Where agents send manual deposits" },
  orders: { title: "Orders" },
  support: { title: "Support" },
  gateways: {
    title: "SMS and USSD",
    intro: "Only gateways whose keys are set can send; the page Messages shows how each of them does.",
  },
  firstPage: {
    title: "First page",
    intro: "What visitors read about the shop. Only say what is true; an empty field is not shown.",
  },
  security: { title: "Security" },
};

const GATEWAY_OPTIONS = SMS_GATEWAYS.map((code) => [code, SMS_GATEWAY_NAMES[code]] as const);

/** All settings. An entry here is all that a setting needs: its default, check and field follow from it. */
export const SETTINGS = {
  top_up_minimum_pesewas: money({ default: 500, group: "money", label: "Minimum top-up (GH₵)" }),
  manual_top_up_minimum_pesewas: money({
    default: 1000,
    group: "money",
    label: "Minimum manual deposit (GH₵)",
  }),
  ...MARGIN_SETTINGS,
  manual_payment_number: text({
    group: "deposits",
    label: "Mobile money number",
    charsMax: 40,
    is: "digits",
    hint: "Without one, manual deposits are not offered",
  }),
  manual_payment_name: text({ group: "deposits", label: "Account name", charsMax: 80 }),
  dispatch_hold_seconds: whole({
    default: 45,
    max: 3600,
    group: "orders",
    label: "Cancellation window",
    unit: "seconds",
    hint: "How long a paid order waits before it is sent; until then its buyer can cancel it",
  }),
  refund_promise_minutes: whole({
    default: 1440,
    max: 10_080,
    group: "orders",
    label: "Delivery promise",
    unit: "minutes",
    hint: "After that, orders that nobody holds are refunded automatically; 0 for no promise",
  }),
  desk_batch_minutes: whole({
    default: 120,
    min: 5,
    max: 10_080,
    group: "orders",
    label: "Time for a desk batch",
    unit: "minutes",
    hint: "After that it moves to the top of Attention; its orders are not refunded meanwhile",
  }),
  stuck_after_minutes: whole({
    default: 120,
    max: 10_080,
    group: "orders",
    label: "Minutes until an order counts as stuck",
    hint: "It is then shown under Attention, or earlier when most of its promised time has passed",
  }),
  complete_after_seconds: whole({
    default: 86_400,
    max: 604_800,
    group: "orders",
    label: "Seconds until a delivered order is completed",
    hint: "Not while it is reported as not received",
  }),
  support_email: text({ group: "support", label: "Email", charsMax: 254, is: "email" }),
  support_phone: text({ group: "support", label: "Phone", charsMax: 40, is: "phone" }),
  support_whatsapp: text({
    group: "support",
    label: "WhatsApp number",
    charsMax: 40,
    is: "digits",
    hint: "Shown to agents and visitors; without one, WhatsApp is not offered",
  }),
  support_hours: text({ default: "Mon-Fri 9AM-5PM", group: "support", label: "Hours", charsMax: 80 }),
  not_received_days: whole({
    default: 3,
    max: 30,
    group: "support",
    label: "Days to report an order as not received",
    hint: "Counted from its delivery; 0 for never",
  }),
  case_hours: whole({
    default: 24,
    min: 1,
    max: 168,
    group: "support",
    label: "Hours to decide a dispute",
    hint: "After that, the order is refunded automatically",
  }),
  sms_gateway: option({
    default: "africastalking",
    options: GATEWAY_OPTIONS,
    group: "gateways",
    label: "SMS by",
    hint: "If it has no keys, another one that has",
  }),
  sms_fallback: option({
    default: "",
    options: [["", "None"], ...GATEWAY_OPTIONS],
    group: "gateways",
    label: "If that does not send it, SMS by",
    hint: "Only what the first has certainly not sent",
  }),
  /** The limit in any 24 hours. Notices stop earlier, so that codes can still be sent. */
  sms_day_max: whole({
    default: 5000,
    max: 999_999,
    group: "gateways",
    label: "SMS a day",
    hint: "Notices stop at 70% of it, codes last",
  }),
  /** Gateways name the code in three ways or not at all, so texts take it from here. */
  ussd_code: text({
    default: "*920*55#",
    group: "gateways",
    label: "USSD code",
    charsMax: 20,
    is: "ussd",
    hint: "What agents dial, as in *920*55#; screens and SMS name it",
  }),
  /** Off, because gateways charge by the time that a session stays open. */
  ussd_another: onOff({
    default: false,
    group: "gateways",
    label: "After a purchase by USSD, offer another one instead of ending the session",
  }),
  ussd_registration: onOff({
    default: false,
    group: "gateways",
    label: "Unknown phones can open an account by USSD; each costs at least one SMS",
  }),
  new_account_day_max_pesewas: money({
    default: 10_000,
    group: "gateways",
    label: "What an account opened by USSD may spend a day (GH₵)",
    hint: "Until it has an email and password, or money from its own mobile money number",
  }),
  pin_reset_hours: whole({
    default: 24,
    min: 1,
    max: 168,
    group: "gateways",
    label: "Hours until a PIN that was reset by USSD can spend",
    hint: "Its owner is notified at once, and can stop it meanwhile",
  }),
  gateway_unreadable_max: whole({
    default: 20,
    min: 1,
    max: 99_999,
    group: "gateways",
    label: "Unreadable requests in an hour",
    hint: "When a gateway sends more, admins get an e-mail, once an hour at most",
  }),
  gateway_failures_percent: whole({
    default: 20,
    min: 1,
    max: 100,
    group: "gateways",
    label: "Failures in an hour",
    unit: "%",
    hint: "When more of a gateway's requests or SMS fail, of at least 20, likewise",
  }),
  /** The shop does not measure these figures, so the landing page shows none until the owner enters them. */
  landing_agents: text({
    group: "firstPage",
    label: "Agents who sell here",
    charsMax: 40,
    placeholder: "120",
  }),
  landing_bundles: text({ group: "firstPage", label: "Bundles a month", charsMax: 40, placeholder: "4,000" }),
  landing_uptime: text({ group: "firstPage", label: "Uptime", charsMax: 40, placeholder: "99.5%" }),
  landing_order_time: text({
    group: "firstPage",
    label: "Delivery time",
    charsMax: 40,
    placeholder: "Under 10 s",
  }),
  landing_voices: lines({
    default: "",
    group: "firstPage",
    label: "Testimonials",
    linesMax: 6,
    charsMax: 400,
    format: "text | author",
    hint: "One per line: text | author. Ask people before you name them.",
  }),
  admin_second_factor: onOff({
    default: false,
    group: "security",
    label: "Admins need an extra login code; without one they can only set it up",
  }),
  /** The families whose orders go to the cheapest of their route, separated by commas. The vendors' page has its form. */
  routes_by_cost: { kind: "route" as const, default: "" as string },
};

/**
 * The vendors of a family of bundles in turn, separated by commas: each only after the one before certainly failed.
 * Without a row, the desk. The vendors' page has their form.
 */
type Routes = { [name in RouteSetting]: string };
export type RouteSetting = `route_${string}`;
const NO_ROUTE = "desk";

/** The name of the setting with a family's route: AT_BIGTIME has route_at_bigtime. */
export function routeSetting(family: Family): RouteSetting {
  return `route_${family.toLowerCase()}`;
}

const isRoute = (name: string): name is RouteSetting => name.startsWith("route_");

type Declared = { [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]["default"] };
export type Settings = Declared & Partial<Routes>;
export const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as Declared;

/** SQL for the delivery deadline of an order paid now; null without a delivery promise. */
export const DELIVER_BY = `(
  select now() + make_interval(mins => promise.minutes)
  from (select coalesce((select (value #>> '{}')::int from settings where key = 'refund_promise_minutes'),
                        ${DEFAULTS.refund_promise_minutes}) as minutes) promise
  where promise.minutes > 0)`;

/** The current value of a setting. */
export async function get<Name extends keyof Declared | RouteSetting>(
  tx: Reads,
  name: Name,
): Promise<(Declared & Routes)[Name]> {
  const [row] = await tx.select().from(settings).where(eq(settings.key, name));
  return (row?.value as (Declared & Routes)[Name] | undefined) ?? defaultOf(name);
}

function defaultOf<Name extends keyof Declared | RouteSetting>(name: Name): (Declared & Routes)[Name] {
  return ({ ...DEFAULTS, ...(isRoute(name) && { [name]: NO_ROUTE }) } as Declared & Routes)[name];
}

/** The current values of all settings. */
export async function all(tx: Reads): Promise<Settings> {
  const rows = await tx.select().from(settings);
  const known = rows
    .filter(({ key }) => key in DEFAULTS || isRoute(key))
    .map(({ key, value }) => [key, value]);
  return { ...DEFAULTS, ...Object.fromEntries(known) };
}

/** The advisory lock of changes: any number that nothing else locks. */
const CHANGE_LOCK = 7_265_302;

/** Changes a setting and logs it. Throws auth.forbidden. */
export async function set<Name extends keyof Settings>(
  db: Db,
  { by, name, value }: { by: ByUser; name: Name; value: Settings[Name] },
): Promise<void> {
  await change(db, { by, values: { [name]: value } as Partial<Settings> });
}

/** Changes several settings together, logging each whose value differs. Throws auth.forbidden. */
export async function change(
  db: Db,
  { by, values }: { by: ByUser; values: Partial<Settings> },
): Promise<void> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  await db.transaction(async (tx) => {
    // One change at a time, so that each logs the other's result as its value before.
    await tx.execute(sql`select pg_advisory_xact_lock(${CHANGE_LOCK})`);
    const before = await all(tx);
    for (const [key, value] of Object.entries(values)) {
      const previous = before[key as keyof Settings] ?? defaultOf(key as keyof Settings);
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

type WithMin = Omit<Whole, "kind" | "min"> & { min?: number };
type WithDefault = Omit<Text, "kind" | "default"> & { default?: string };

function whole(setting: WithMin): Whole {
  return { kind: "whole", min: 0, ...setting };
}

function money(setting: Omit<Money, "kind">): Money {
  return { kind: "money", ...setting };
}

function text(setting: WithDefault): Text {
  return { kind: "text", default: "", ...setting };
}

function lines(setting: Omit<Lines, "kind">): Lines {
  return { kind: "lines", ...setting };
}

function onOff(setting: Omit<Switch, "kind">): Switch {
  return { kind: "switch", ...setting };
}

function option(setting: Omit<Option, "kind">): Option {
  return { kind: "option", ...setting };
}
