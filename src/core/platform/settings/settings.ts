// Settings that admins change while the shop runs. Each has a default, so a fresh shop needs none.
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Reads } from "../../../../db/connect.ts";
import { users } from "../../../../db/schema/identity.ts";
import { settings } from "../../../../db/schema/platform.ts";
import type { Family } from "../../../shared/domain.ts";
import { requireConfirmed } from "../../../shared/rights.ts";
import { lock } from "../advisory-locks.ts";
import { command, type Logged, type Work } from "../commands.ts";
import { SETTINGS } from "./declared-settings.ts";
import { askToChange, isOfRoutes, needsConfirmation, type Values } from "./setting-asks.ts";
import { settingValue } from "./setting-values.ts";

/**
 * The vendors of a family of bundles in turn, separated by commas: each only after the one before certainly failed.
 * Without a row, the desk. The vendors' page has their form.
 */
type Routes = { [name in RouteSetting]: string };
export type RouteSetting = `route_${string}`;
const NO_ROUTE = "desk";
const ROUTE_CHARS_MAX = 500;

/** The name of the setting with a family's route: AT_BIGTIME has route_at_bigtime. */
export function routeSetting(family: Family): RouteSetting {
  return `route_${family.toLowerCase()}`;
}

const isRoute = (name: string): name is RouteSetting => name.startsWith("route_");

type Declared = { [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]["default"] } & {
  /** The families whose orders go to the cheapest of their route, separated by commas. */
  routes_by_cost: string;
};
export type Settings = Declared & Partial<Routes>;
export const DEFAULTS = {
  ...Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default])),
  routes_by_cost: "",
} as Declared;

/** SQL for the delivery deadline of an order paid now; null without a delivery promise. */
export const DELIVER_BY = `(
  select statement_timestamp() + make_interval(mins => promise.minutes)
  from (select coalesce((select (value #>> '{}')::int from settings where key = 'refund_promise_minutes'),
                        ${DEFAULTS.refund_promise_minutes}) as minutes
        -- Read once, though it is used twice.
        offset 0) promise
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
  const known = rows.filter(({ key }) => key in DEFAULTS || isRoute(key)).map(({ key, value }) => [key, value]);
  return { ...DEFAULTS, ...Object.fromEntries(known) };
}

/** New values by the names of their settings, each as its declaration allows. */
const Changes = z.custom<Partial<Settings>>().superRefine((values, { addIssue }) => {
  for (const [name, value] of Object.entries(values)) {
    const { error } = schemaOf(name).safeParse(value);
    if (error) addIssue({ code: "custom", path: [name], message: error.issues[0]!.message });
  }
});
const Codes = z.string().max(ROUTE_CHARS_MAX);

function schemaOf(name: string): z.ZodType {
  if (isOfRoutes(name)) return Codes;
  if (Object.hasOwn(SETTINGS, name)) return settingValue(SETTINGS[name as keyof typeof SETTINGS]);
  return z.never(`${name} is no setting`);
}

/** When a setting was changed last, and by whom. */
export type Change = { at: Date; byUsername: string | null };

/** The settings that are not as a new shop has them. */
export async function changes(tx: Reads): Promise<Map<string, Change>> {
  const rows = await tx
    .select({ key: settings.key, value: settings.value, at: settings.updatedAt, byUsername: users.username })
    .from(settings)
    .leftJoin(users, eq(users.id, settings.updatedByUserId));
  const isChanged = ({ key, value }: { key: string; value: unknown }) =>
    key in DEFAULTS && value !== DEFAULTS[key as keyof Declared];
  return new Map(rows.filter(isChanged).map(({ key, at, byUsername }) => [key, { at, byUsername }]));
}

/** Changes several settings together. Each that differs has its own entry in the log. */
export const change = command({
  name: "settings.change",
  right: "settings.change",
  about: "Change settings of the shop, all of them in one commit",
  subject: "setting",
  logs: ["setting.change"],
  input: { values: Changes },
  errors: [],
  asks: "Settings",
  undo: valuesBefore,
  run: (work, { values }) => write(work, values),
});

/** Changes the vendors of families of bundles, as settings of theirs: it belongs to whoever manages delivery. */
export const setRoutes = command({
  name: "routes.set",
  right: "delivery.manage",
  about: "Set which suppliers deliver the bundles of a family, and in which sequence",
  subject: "setting",
  logs: ["setting.change"],
  input: { values: Changes.refine((values) => Object.keys(values).every(isOfRoutes), "One of these is no route.") },
  errors: [],
  asks: "Routes to suppliers",
  undo: valuesBefore,
  run: (work, { values }) => write(work, values),
});

function valuesBefore(...entries: Logged[]): { values: Partial<Settings> } {
  const values = Object.fromEntries(entries.map(({ subjectId, before }) => [subjectId, before]));
  return { values: values as Partial<Settings> };
}

async function write({ tx, by, audit, agree }: Work, values: Values): Promise<void> {
  // One change at a time, so that each logs the other's result as its value before.
  await lock(tx, "settings");
  const stored = await all(tx);
  const previousOf = (key: string) => stored[key as keyof Settings] ?? defaultOf(key as keyof Settings);
  const changed = Object.entries(values).filter(([key, value]) => value !== previousOf(key));
  const before = Object.fromEntries(changed.map(([key]) => [key, previousOf(key)]));
  if (needsConfirmation(Object.keys(before))) requireConfirmed(by);
  await agree(askToChange(before, Object.fromEntries(changed)));
  for (const [key, value] of changed) {
    const row = { value, updatedAt: sql`now()`, updatedByUserId: by.userId };
    await tx
      .insert(settings)
      .values({ key, ...row })
      .onConflictDoUpdate({ target: settings.key, set: row });
    await audit(key, { action: "setting.change", before: before[key], after: value });
  }
}
