// The rules by which accounts are watched: a row for each kind, which owners change and try on the past.
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { type Db, databaseError, type Reads } from "../../../db/connect.ts";
import { signalRules } from "../../../db/schema/signals.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requiredText } from "../../shared/inputs.ts";
import { requireRight } from "../../shared/rights.ts";
import { SIGNAL_EFFECTS, SIGNAL_KINDS, type SignalKind } from "../../shared/signals.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { command } from "../platform/commands.ts";
import { KINDS } from "./kinds.ts";
import { type Found, find } from "./statements.ts";

export type Rule = Pick<typeof signalRules.$inferSelect, "kind" | "isOn" | "effect" | "parameters" | "message">;
/** What staff change of a rule. */
export type RuleTerms = Omit<Rule, "kind">;

const FIELDS = {
  kind: signalRules.kind,
  isOn: signalRules.isOn,
  effect: signalRules.effect,
  parameters: signalRules.parameters,
  message: signalRules.message,
};
const MESSAGE_CHARS_MAX = 200;
/** How far a preview looks back, at how many events, and how many of those found it names. */
export const PREVIEW_DAYS = 30;
const PREVIEW_EVENTS_MAX = 2_000;
export const EXAMPLES_MAX = 10;
/** Postgres: a statement took too long. */
const QUERY_CANCELED = "57014";

/** All rules, in the order of the kinds. */
export async function list(tx: Reads): Promise<Rule[]> {
  const rows = await tx.select(FIELDS).from(signalRules);
  return rows.sort((a, b) => SIGNAL_KINDS.indexOf(a.kind) - SIGNAL_KINDS.indexOf(b.kind));
}

/** One rule. Throws signal.rule_not_found. */
export async function get(tx: Reads, kind: string): Promise<Rule> {
  const [rule] = await tx
    .select(FIELDS)
    .from(signalRules)
    .where(eq(signalRules.kind, kind as SignalKind));
  if (!rule) throw new AppError("signal.rule_not_found");
  return rule;
}

/** Changes a rule; it looks at what happens from then on. `seen` is the rule that the changer saw. */
export const change = command({
  name: "signal.rule",
  right: "settings.change",
  about: "Change a rule; it looks at what happens from then on",
  subject: "rule",
  input: {
    kind: z.enum(SIGNAL_KINDS),
    isOn: z.boolean(),
    effect: z.enum(SIGNAL_EFFECTS),
    // What is no number is refused beside its field, as what is out of bounds.
    parameters: z.record(z.string().max(40), z.number().or(z.nan())),
    message: requiredText(MESSAGE_CHARS_MAX, "Tell the agent why"),
    seen: z.custom<RuleTerms>().optional(),
  },
  errors: ["signal.rule_not_found", "signal.rule_changed"],
  isConfirmed: true,
  run: async ({ tx, by, audit }, { kind, seen, ...terms }) => {
    const wanted = { ...terms, parameters: checked(kind, terms.parameters) };
    const [found] = await tx.select(FIELDS).from(signalRules).where(eq(signalRules.kind, kind)).for("update");
    if (!found) throw new AppError("signal.rule_not_found");
    const { kind: _, ...before } = found;
    if (seen && !Bun.deepEquals(before, seen)) throw new AppError("signal.rule_changed");
    if (Bun.deepEquals(before, wanted)) return found;
    // The past stays as the rule of then saw it: only words and effects change what it still finds of it.
    const isAnother = !Bun.deepEquals(before.parameters, wanted.parameters) || before.isOn !== wanted.isOn;
    const restart = isAnother ? { since: sql`now()`, mark: sql`now()` } : {};
    const [changed] = await tx
      .update(signalRules)
      .set({ ...wanted, ...restart, updatedByUserId: by.userId })
      .where(eq(signalRules.kind, kind))
      .returning(FIELDS);
    await audit(kind, { before, after: wanted });
    return changed!;
  },
});

export type Preview = {
  count: number;
  /** There were more events than are looked at: only the oldest of the span count. */
  isPart: boolean;
  /** The first of them, oldest first. */
  examples: (Found & { sentence: string; username: string })[];
};

/**
 * What a rule with these parameters would have raised in the last 30 days, by the books and records of now.
 * Throws auth.forbidden, signal.rule_not_found, request.invalid, request.rate_limited, signal.preview_too_long.
 */
export async function preview(
  db: Db,
  { by, kind, parameters }: { by: ByUser; kind: string; parameters: Record<string, number> },
): Promise<Preview> {
  requireRight(by, "agents.note");
  await get(db, kind);
  const known = kind as SignalKind;
  const tried = checked(known, parameters);
  await budgets.spend(db, "signals.preview", by.userId);
  const from = sql`now() - make_interval(days => ${PREVIEW_DAYS})`;
  const span = { from, eventsMax: PREVIEW_EVENTS_MAX };
  const { found, events } = await find(db, known, tried, span, { isNew: false }).catch((error) => {
    if (databaseError(error)?.code === QUERY_CANCELED) throw new AppError("signal.preview_too_long");
    throw error;
  });
  const first = found.slice(0, EXAMPLES_MAX);
  const names = await namesOf(db, first);
  return {
    count: found.length,
    isPart: events === PREVIEW_EVENTS_MAX,
    examples: first.map((one) => ({
      ...one,
      sentence: KINDS[known].describe(one.evidence),
      username: names.get(one.userId)!,
    })),
  };
}

/** A rule that is on, with where its next round begins. */
export type RuleInForce = Rule & {
  from: Date;
  /** As the database wrote it. */
  since: string;
};

/** The rules that are on. */
export async function inForce(tx: Reads): Promise<RuleInForce[]> {
  return tx
    .select({ ...FIELDS, from: signalRules.mark, since: sql<string>`${signalRules.since}::text` })
    .from(signalRules)
    .where(eq(signalRules.isOn, true));
}

/** The next round begins at `to`, unless the rule has changed since it was read. */
export async function advance(db: Db, { kind, since }: RuleInForce, to: Date): Promise<void> {
  await db
    .update(signalRules)
    .set({ mark: sql`greatest(${signalRules.mark}, ${to.toISOString()}::timestamptz)` })
    .where(and(eq(signalRules.kind, kind), sql`${signalRules.since} = ${since}::timestamptz`));
}

/** Each parameter of the kind within its bounds, and no other. Throws request.invalid with a message for each field. */
function checked(kind: SignalKind, given: Record<string, number>): Record<string, number> {
  const fields: Record<string, string> = {};
  const values: Record<string, number> = {};
  for (const [name, { min, max }] of Object.entries(KINDS[kind].parameters)) {
    const value = given[name];
    if (value === undefined || !Number.isSafeInteger(value) || value < min || value > max)
      fields[name] = `From ${shown(name, min)} to ${shown(name, max)}`;
    else values[name] = value;
  }
  const [first] = Object.values(fields);
  if (first) throw new AppError("request.invalid", { fields }, first);
  return values;
}

/** A bound as its field shows it: money in cedis. */
function shown(name: string, value: number): string {
  return (isMoney(name) ? value / 100 : value).toLocaleString("en");
}

/** Whether a parameter is money, in pesewas. */
export function isMoney(name: string): boolean {
  return name.endsWith("Pesewas");
}

async function namesOf(tx: Reads, found: readonly Found[]): Promise<Map<number, string>> {
  const ids = found.map(({ userId }) => userId);
  const rows = await tx.execute<{ id: number; username: string }>(
    sql`select id, username from users where id = any(${sql.param(ids)}::bigint[])`,
  );
  return new Map(rows.map(({ id, username }) => [id, username]));
}
