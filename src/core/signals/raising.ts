// Raises signals: in rounds over what happened since the last one, and for orders that are about to be routed. Nothing
// of it is in the way of a purchase. A cause is raised once, by whichever worker commits it first, together with its
// effect.
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { signals } from "../../../db/schema/signals.ts";
import { SYSTEM } from "../../shared/domain.ts";
import { isStaff } from "../../shared/rights.ts";
import type { SignalEffect } from "../../shared/signals.ts";
import * as freezes from "../identity/freezes.ts";
import * as users from "../identity/users.ts";
import * as freezing from "../ledger/freezing.ts";
import * as ledger from "../ledger/ledger.ts";
import * as holds from "../orders/holds.ts";
import { transact } from "../platform/transactions.ts";
import { KINDS } from "./kinds.ts";
import * as rules from "./rules.ts";
import { type Found, find } from "./statements.ts";

const EVENTS_MAX = 2_000;
/** What a round reads again of the one before: a row may be written by then and committed later. */
const OVERLAP_SECONDS = 120;
/** A mark moves this far at a time, so that an idle shop writes next to nothing. */
const MARK_SECONDS = 30;
/** The longest that an order waits before it is routed: what led to it is looked at from then on. */
const BEFORE_ROUTING_MINUTES = 120;

/**
 * One round of every rule that is on, over at most `eventsMax` events for each; returns how many signals were raised,
 * and whether there is more to look at already.
 */
export async function raiseDue(
  db: Db,
  { eventsMax = EVENTS_MAX } = {},
): Promise<{ raised: number; isBehind: boolean }> {
  const all = { raised: 0, isBehind: false };
  for (const rule of await rules.inForce(db)) {
    const one = await round(db, rule, eventsMax);
    all.raised += one.raised;
    all.isBehind ||= one.isBehind;
  }
  return all;
}

/**
 * Looks at the accounts of orders that are about to be routed, by the rules that may hold them. Once it has returned,
 * what it holds is held: their orders can be queued.
 */
export async function examine(db: Db, orderIds: number[]): Promise<void> {
  const rulesThatHold = (await rules.inForce(db)).filter(({ effect }) => effect !== "note");
  if (rulesThatHold.length === 0) return;
  const owners = await db.execute<{ user_id: number }>(sql`
    select distinct user_id from orders where id = any(${sql.param(orderIds)}::bigint[])`);
  const userIds = owners.map((row) => row.user_id);
  if (userIds.length === 0) return;
  for (const rule of rulesThatHold) {
    const minutes = BEFORE_ROUTING_MINUTES + waitsMinutes(rule);
    const from = sql`greatest(${rule.since}::timestamptz, now() - make_interval(mins => ${minutes}))`;
    const span = { from, userIds, eventsMax: EVENTS_MAX };
    const { found } = await find(db, rule.kind, rule.parameters, span, { isNew: true });
    for (const one of found) await raise(db, rule, one);
  }
}

async function round(db: Db, rule: rules.RuleInForce, eventsMax: number) {
  const [clock] = await db.execute<{ ms: number }>(sql`select extract(epoch from now())::float8 * 1000 as ms`);
  const from = sql`greatest(${rule.since}::timestamptz, ${rule.from.toISOString()}::timestamptz)`;
  const span = { from, eventsMax };
  const { found, events, lastAt } = await find(db, rule.kind, rule.parameters, span, { isNew: true });
  let raised = 0;
  for (const one of found) if (await raise(db, rule, one)) raised++;
  const fromMs = rule.from.getTime();
  const isBehind = events === eventsMax;
  const backMs = OVERLAP_SECONDS * 1_000 + waitsMinutes(rule) * 60_000;
  // With more than a round looks at, the next one goes on where this one ended.
  const next = isBehind ? Math.max(lastAt!.getTime(), fromMs + 1) : clock!.ms - backMs;
  if (isBehind || next - fromMs >= MARK_SECONDS * 1_000) await rules.advance(db, rule, new Date(next));
  return { raised, isBehind };
}

function waitsMinutes({ kind, parameters }: rules.Rule): number {
  return KINDS[kind].waitsMinutes?.(parameters) ?? 0;
}

/** Raises a signal with its effect; false when its cause was raised before. */
async function raise(db: Db, rule: rules.Rule, found: Found): Promise<boolean> {
  return transact(db, async (tx) => {
    await ledger.lockWallets(tx, [found.userId]);
    const effect = effectOn(await users.get(tx, found.userId), rule.effect, found);
    const { cause, userId, evidence, at: happenedAt } = found;
    const [signal] = await tx
      .insert(signals)
      .values({ kind: rule.kind, cause, userId, evidence, happenedAt, effect })
      .onConflictDoNothing()
      .returning({ id: signals.id });
    if (!signal) return false;
    if (effect !== "note") await apply(tx, rule, { userId, signalId: signal.id, isStop: effect === "stop" });
    return true;
  });
}

/**
 * What a rule does to an account. Staff are never frozen by a rule: a shop with one owner would have nobody to end it.
 */
function effectOn(user: users.User, effect: SignalEffect, { isForgeable }: Found): SignalEffect {
  if (isForgeable || user.status === "CLOSED") return "note";
  return effect === "stop" && isStaff(user) ? "hold" : effect;
}

async function apply(
  tx: Tx,
  rule: rules.Rule,
  { userId, signalId, isStop }: { userId: number; signalId: number; isStop: boolean },
): Promise<void> {
  await holds.begin(tx, { userId, signalId, whileFrozen: isStop });
  // A freeze that a person has begun keeps its terms.
  if (!isStop || (await freezing.of(tx, userId))) return;
  const reason = `Signal ${signalId}: ${KINDS[rule.kind].label}`;
  await freezes.begin(tx, SYSTEM, userId, { reason, message: rule.message, until: null });
}
