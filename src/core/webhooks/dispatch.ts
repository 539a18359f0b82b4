// Webhook dispatch: sends waiting deliveries at least once each and concurrently, but only a few at a time per endpoint
// and account, and one at a time to a failing endpoint. Calls are made between two transactions, never within one.
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { hooks, hookDeliveries as table } from "../../../db/schema/webhooks.ts";
import * as notices from "../messaging/notices.ts";
import { hookCalls } from "../platform/metrics.ts";
import { messageIdOf } from "./deliveries.ts";
import { pause, secretsOf, type WebhookKeys } from "./endpoints.ts";
import type { HookAnswer } from "./sender.ts";
import { signedHeaders } from "./signature.ts";

/** When failed deliveries are retried, and how long an endpoint may fail before it is paused. */
export type HookPlan = { retrySeconds: readonly number[]; pauseAfterSeconds: number };

/** Longer than a call can take. */
const LEASE_SECONDS = 30;
const CONCURRENCY = 4;
const CONCURRENCY_FAILING = 1;
/** All endpoints of an account together: they may be on one server, which need not be the agent's. */
const CONCURRENCY_OF_ACCOUNT = 8;
/**
 * After a failure nothing else goes to the endpoint before its next try is due, and not before its own Retry-After: a
 * queue of thousands must not try them one after the other. Five minutes at most, and an hour for a Retry-After.
 */
const HOLD_MAX_SECONDS = 300;
const RETRY_AFTER_MAX_SECONDS = 3600;
/** Spreads retries, so that endpoints that were down together are not called together. */
const JITTER = 0.2;

/** A delivery claimed by this worker until its lease ends. */
export type Claimed = Pick<
  typeof table.$inferSelect,
  "id" | "hookId" | "event" | "isTest" | "body" | "attempts" | "tries"
> & {
  userId: number;
  url: string;
  sealed: string[];
};

/**
 * Claims up to `countMax` due deliveries. Several workers may do so at once: an endpoint's row is locked while its
 * deliveries are counted and claimed, and other workers skip it meanwhile.
 */
export async function claimDue(db: Db, countMax: number): Promise<Claimed[]> {
  return db.transaction(async (tx) => {
    const open = await tx.execute<{ id: number }>(sql`
      select h.id from hooks h join users u on u.id = h.user_id
      where (h.paused_for is null or h.paused_for = 'unproven') and u.status = 'ACTIVE' and exists (
        select from hook_deliveries d
        where d.hook_id = h.id and d.state in ('waiting', 'sending') and d.due_at <= now()
          and (h.paused_for is null or d.event = 'ping')
          and (coalesce(h.held_until <= now(), true) or d.event = 'ping' or d.is_test))
      -- At random, so that a long queue gives no precedence. The account is locked as well, because its endpoints are
      -- counted together.
      order by random() limit ${countMax} for no key update of h, u skip locked`);
    if (open.length === 0) return [];
    // A second statement, which sees what others had claimed before the rows were locked.
    const rows = await tx.execute<Omit<Claimed, "hookId" | "userId"> & { hook_id: number; user_id: number }>(sql`
      with open as materialized (
        select * from hooks where id = any(${sql.param(open.map(({ id }) => id))}::bigint[])
      ),
      busy as materialized (
        select h.id, h.user_id, count(*) as count from hooks h join hook_deliveries d on d.hook_id = h.id
        where h.user_id in (select user_id from open)
          and d.state in ('waiting', 'sending') and d.state = 'sending' and d.due_at > now()
        group by h.id
      ),
      room as materialized (
        select o.*,
          case when o.failing_since is null then ${CONCURRENCY}::int else ${CONCURRENCY_FAILING}::int end
            - coalesce((select count from busy where id = o.id), 0) as free,
          ${CONCURRENCY_OF_ACCOUNT}::int
            - coalesce((select sum(count) from busy where user_id = o.user_id), 0) as free_of_account
        from open o
      ),
      due as materialized (
        select id from (
          select d.id, room.free_of_account,
            row_number() over (partition by room.user_id order by d.due_at, d.id) as place
          from room cross join lateral (
            select d.id, d.due_at from hook_deliveries d
            where d.hook_id = room.id and d.state in ('waiting', 'sending') and d.due_at <= now()
              and (room.paused_for is null or d.event = 'ping')
              and (coalesce(room.held_until <= now(), true) or d.event = 'ping' or d.is_test)
            order by d.due_at, d.id limit greatest(room.free, 0)) d) d
        where place <= free_of_account
        limit ${countMax}
      )
      update hook_deliveries d set state = 'sending', attempts = d.attempts + 1, tries = d.tries + 1,
        due_at = now() + make_interval(secs => ${LEASE_SECONDS})
      from room where d.hook_id = room.id and d.id in (select id from due)
        and d.state in ('waiting', 'sending') and d.due_at <= now()
      returning d.id, d.hook_id, d.event, d.is_test as "isTest", d.body, d.attempts, d.tries, room.user_id, room.url,
        array_remove(array[room.sealed_secret,
          case when room.previous_until > now() then room.previous_sealed_secret end], null) as sealed`);
    return rows.map(({ hook_id: hookId, user_id: userId, ...row }) => ({ ...row, hookId, userId }));
  });
}

/** The outcome of one delivery; `reason` is safe to log. */
export type HookReport = { deliveryId: number; outcome: string; reason: string | null };

/** Sends a claimed delivery and records its outcome. */
export async function send(db: Db, keys: WebhookKeys, plan: HookPlan, claimed: Claimed): Promise<HookReport> {
  const answer = await call(keys, claimed);
  const outcome = outcomeOf(answer);
  await db.transaction(async (tx) => {
    if (outcome === "delivered") await recordSuccess(tx, claimed, answer);
    else await recordFailure(tx, plan, claimed, answer);
  });
  hookCalls.inc({ outcome });
  return { deliveryId: claimed.id, outcome, reason: resultColumns(answer).lastError };
}

/** Sends all due deliveries and waits for them, for tests; returns their outcomes. */
export async function sendDue(db: Db, keys: WebhookKeys, plan: HookPlan): Promise<HookReport[]> {
  const reports: HookReport[] = [];
  for (;;) {
    const claimed = await claimDue(db, 100);
    if (claimed.length === 0) return reports;
    reports.push(...(await Promise.all(claimed.map((delivery) => send(db, keys, plan, delivery)))));
  }
}

async function call(keys: WebhookKeys, { id, url, body, ...hook }: Claimed): Promise<HookAnswer> {
  const secrets = secretsOf(keys, hook);
  if (secrets.length === 0)
    return { kind: "refused", reason: "The signing secret can no longer be read. Create a new one." };
  const atSeconds = Math.floor(Date.now() / 1000);
  const headers = {
    "content-type": "application/json",
    "user-agent": "DataFie-Webhooks/1",
    ...signedHeaders(secrets, { id: messageIdOf(id), atSeconds, body }),
  };
  return keys.sender.post({ url, headers, body });
}

async function recordSuccess(tx: Tx, claimed: Claimed, answer: HookAnswer): Promise<void> {
  await tx
    .update(hooks)
    .set({ failingSince: null, failures: 0, heldUntil: null })
    .where(and(eq(hooks.id, claimed.hookId), isNotNull(hooks.failingSince)));
  // Only if the address that answered is still the endpoint's: it has shown that it wants these messages.
  const isProven = and(eq(hooks.id, claimed.hookId), eq(hooks.pausedFor, "unproven"), eq(hooks.url, claimed.url));
  if (claimed.event === "ping") await tx.update(hooks).set({ pausedFor: null }).where(isProven);
  await conclude(tx, claimed, { state: "delivered", endedAt: sql`now()`, ...resultColumns(answer) });
}

/** Schedules a retry or fails the delivery; pauses a hopeless endpoint and notifies its owner. */
async function recordFailure(tx: Tx, plan: HookPlan, claimed: Claimed, answer: HookAnswer): Promise<void> {
  // The endpoint before the delivery: the lock order of both.
  const [hook] = await tx
    .select({
      pausedFor: hooks.pausedFor,
      failures: hooks.failures,
      isHeld: sql<boolean>`coalesce(${hooks.heldUntil} > now(), false)`,
      isHopeless: sql<boolean>`coalesce(
        ${hooks.failingSince} <= now() - make_interval(secs => ${plan.pauseAfterSeconds}), false)`,
    })
    .from(hooks)
    .where(eq(hooks.id, claimed.hookId))
    .for("no key update");
  if (!hook) return;
  const waitSeconds = isTrial(claimed) ? undefined : plan.retrySeconds[claimed.tries - 1];
  const isGone = answer.kind === "answered" && answer.status === 410;
  const isOver = isGone || hook.pausedFor !== null || waitSeconds === undefined;
  const next = isOver
    ? { state: "failed" as const, endedAt: sql`now()` }
    : {
        state: "waiting" as const,
        dueAt: sql`now() + make_interval(secs => ${waitSeconds * (1 + Math.random() * JITTER)})`,
      };
  const isRecorded = await conclude(tx, claimed, { ...next, ...resultColumns(answer) });
  // A worker that outlived its lease does not judge the endpoint, and a failed test does not count against it.
  if (!isRecorded || hook.pausedFor !== null || (isTrial(claimed) && !isGone)) return;
  // What was already on its way when it failed is no further failure.
  const failures = hook.isHeld ? hook.failures : hook.failures + 1;
  const holdSeconds = holdAfter(plan, failures, answer);
  await tx
    .update(hooks)
    .set({
      failures,
      failingSince: sql`coalesce(${hooks.failingSince}, now())`,
      heldUntil: sql`greatest(${hooks.heldUntil}, now() + make_interval(secs => ${holdSeconds}))`,
    })
    .where(eq(hooks.id, claimed.hookId));
  const reason = isGone ? "gone" : isOver && hook.isHopeless ? "failing" : null;
  if (!reason) return;
  await pause(tx, claimed.hookId, reason);
  await notices.webhookPaused(tx, claimed, reason);
}

/** How long an endpoint is left alone after so many failures one after the other, in seconds. */
function holdAfter({ retrySeconds }: HookPlan, failures: number, answer: HookAnswer): number {
  const planned = retrySeconds[Math.min(failures, retrySeconds.length) - 1] ?? 0;
  const ownWait = answer.kind === "answered" ? (answer.retryAfterSeconds ?? 0) : 0;
  return Math.max(Math.min(planned, HOLD_MAX_SECONDS), Math.min(ownWait, RETRY_AFTER_MAX_SECONDS));
}

/** Records an outcome, unless another worker has claimed the delivery since. */
async function conclude(
  tx: Tx,
  { id, attempts }: Claimed,
  outcome: Parameters<ReturnType<Tx["update"]>["set"]>[0],
): Promise<boolean> {
  const recorded = await tx
    .update(table)
    .set(outcome)
    .where(and(eq(table.id, id), eq(table.attempts, attempts), eq(table.state, "sending")))
    .returning({ id: table.id });
  return recorded.length > 0;
}

function resultColumns(answer: HookAnswer): { lastStatus: number | null; lastError: string | null } {
  if (answer.kind !== "answered") return { lastStatus: null, lastError: answer.reason };
  const { status } = answer;
  if (isSuccess(status)) return { lastStatus: status, lastError: null };
  const isRedirect = status >= 300 && status < 400;
  return {
    lastStatus: status,
    lastError: isRedirect ? "It redirects, and redirects are not followed" : null,
  };
}

/** The label of an answer in metrics. */
function outcomeOf(answer: HookAnswer): string {
  if (answer.kind !== "answered") return answer.kind;
  return isSuccess(answer.status) ? "delivered" : `${Math.floor(answer.status / 100)}xx`;
}

/** Sent once, because its owner is watching. */
const isTrial = ({ event, isTest }: Claimed) => event === "ping" || isTest;
const isSuccess = (status: number) => status >= 200 && status < 300;
