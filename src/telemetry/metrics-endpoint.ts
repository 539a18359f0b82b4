// The `/metrics` endpoint for Prometheus: this process's counters, and gauges of the whole shop from the database.
import { sql } from "drizzle-orm";
import { collectDefaultMetrics, Gauge } from "prom-client";
import type { Db } from "../../db/connect.ts";
import { isStuck } from "../core/fulfilment/attention.ts";
import * as auditRuns from "../core/ledger/audit-runs.ts";
import { isSame } from "../core/messaging/callbacks.ts";
import { statusCounts } from "../core/orders/daily-totals.ts";
import { registry } from "../core/platform/metrics.ts";
import * as settings from "../core/platform/settings/settings.ts";

/** Who may read the metrics: whoever has the token, anybody on this machine, or nobody. */
export type MetricsAccess = { token: string } | "loopback" | "nobody";

/** The shortest interval between queries, however often the endpoint is called. */
const FRESH_MS = 10_000;
/** Counting stops here: more makes no difference to an alarm. */
const COUNT_MAX = 10_000;
/** How many of the newest transfers are compared with their wallets. */
const TRANSFERS_COMPARED = 2_000;

let isCollecting = false;

const SHARED = "The same from every process.";
const gauges = {
  up: gauge("datafie_database_up", "Whether the database answered this process's last query for metrics."),
  connections: gauge("datafie_database_connections", "This process's connections to the database, by state.", [
    "state",
  ]),
  jobs: gauge("datafie_jobs", `Jobs in the queue: waiting, due, or dead (given up). ${SHARED}`, ["kind", "state"]),
  oldestJob: gauge("datafie_jobs_oldest_due_seconds", `How long the oldest due job has been due. ${SHARED}`, ["kind"]),
  orders: gauge("datafie_orders", `Orders by status. ${SHARED}`, ["status"]),
  stuck: gauge(
    "datafie_orders_stuck",
    `Paid bundle orders undelivered for stuck_after_minutes or three quarters of their delivery promise. ${SHARED}`,
  ),
  unknown: gauge("datafie_attempts_unknown", `Delivery attempts whose outcome is unknown. ${SHARED}`),
  paused: gauge("datafie_vendor_paused", `Whether a vendor is paused, and why. ${SHARED}`, ["vendor", "reason"]),
  drift: gauge(
    "datafie_ledger_drift_wallets",
    `Wallets whose balance differs from their newest transfer, among the newest ${TRANSFERS_COMPARED} transfers. ` +
      SHARED,
  ),
  auditAge: gauge(
    "datafie_audit_age_seconds",
    `The age of the latest audit result; absent before the first. ${SHARED}`,
  ),
  auditFindings: gauge("datafie_audit_findings", `Findings of the latest audit; 0: the books balance. ${SHARED}`),
  hookMessages: gauge(
    "datafie_webhook_messages",
    `Messages to active webhooks of developers: due, waiting for the next try, or being sent. ${SHARED}`,
    ["state"],
  ),
  hooks: gauge(
    "datafie_webhooks",
    "Webhooks of developers: on, in trouble (on, but nothing has arrived since a failure), or paused: by their " +
      `owner, failing for days, gone (410), or unproven (no test answered yet). ${SHARED}`,
    ["state"],
  ),
  duePayments: gauge(
    "datafie_payments_overdue",
    `Payments whose status check is more than a minute overdue. ${SHARED}`,
  ),
};

/** Returns the handler of requests for the metrics; it returns null for callers who may not read them. */
export function createMetricsEndpoint(
  db: Db,
  access: MetricsAccess,
  socketAddressOf: (request: Request) => string,
): (request: Request) => Promise<Response | null> {
  const refresh = createRefresh(db);
  return async (request) => {
    if (!mayRead(access, request, socketAddressOf(request))) return null;
    collectDefaults();
    await refresh();
    const headers = { "content-type": registry.contentType, "cache-control": "no-store" };
    return new Response(await registry.metrics(), { headers });
  };
}

/** Collects the metrics of every process too. Their set-up reads the whole heap, which a start does not wait for. */
export function collectDefaults(): void {
  if (isCollecting) return;
  isCollecting = true;
  collectDefaultMetrics({ register: registry, prefix: "datafie_" });
}

function mayRead(access: MetricsAccess, request: Request, address: string): boolean {
  if (access === "nobody") return false;
  if (access === "loopback") {
    // A request that a proxy on this machine forwards may come from anywhere.
    const isForwarded = ["forwarded", "x-forwarded-for", "x-real-ip", "via"].some((name) => request.headers.has(name));
    return !isForwarded && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);
  }
  const given = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  return isSame(given, access.token);
}

/** Returns a function that refreshes the gauges unless they are fresh; concurrent calls share one refresh. */
function createRefresh(db: Db): () => Promise<void> {
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | null = null;
  const readAll = async () => {
    try {
      await Promise.all([queue(db), shop(db), hooks(db), ledgerDrift(db), audit(db), connections(db)]);
      gauges.up.set(1);
    } catch {
      // Old values must not look current: only the database's absence is reported.
      for (const one of Object.values(gauges)) one.reset();
      gauges.up.set(0);
    }
    refreshedAt = performance.now();
  };
  return () => {
    if (performance.now() - refreshedAt < FRESH_MS) return Promise.resolve();
    refreshing ??= readAll().finally(() => {
      refreshing = null;
    });
    return refreshing;
  };
}

async function queue(db: Db): Promise<void> {
  const rows = await db.execute<{ kind: string; state: string; count: number; oldest: number }>(sql`
    select kind, case when dead_at is not null then 'dead' when run_at <= now() then 'due' else 'waiting' end as state,
           count(*) as count, extract(epoch from now() - min(run_at))::float8 as oldest
    from jobs group by 1, 2`);
  gauges.jobs.reset();
  gauges.oldestJob.reset();
  for (const { kind, state, count, oldest } of rows) {
    gauges.jobs.set({ kind, state }, count);
    if (state === "due") gauges.oldestJob.set({ kind }, oldest);
  }
}

async function shop(db: Db): Promise<void> {
  const stuckMinutes = await settings.get(db, "stuck_after_minutes");
  for (const [status, count] of Object.entries(await statusCounts(db))) gauges.orders.set({ status }, count);
  const [row] = await db.execute<{ stuck: number; unknown: number; overdue: number }>(sql`
    select (select count(*) from (
              select from orders where ${isStuck(stuckMinutes)} limit ${COUNT_MAX}) s) as stuck,
           (select count(*) from (select from attempts where state = 'unknown' limit ${COUNT_MAX}) u) as unknown,
           (select count(*) from (
              select from payments where poll_at <= now() - interval '1 minute' limit ${COUNT_MAX}) p) as overdue`);
  gauges.stuck.set(row!.stuck);
  gauges.unknown.set(row!.unknown);
  gauges.duePayments.set(row!.overdue);
  const vendors = await db.execute<{ code: string; paused_for: string | null }>(
    sql`select code, paused_for from vendors`,
  );
  gauges.paused.reset();
  for (const { code, paused_for } of vendors)
    gauges.paused.set({ vendor: code, reason: paused_for ?? "none" }, paused_for === null ? 0 : 1);
}

async function audit(db: Db): Promise<void> {
  const { last } = await auditRuns.state(db);
  gauges.auditAge.reset();
  gauges.auditFindings.reset();
  if (!last) return;
  gauges.auditAge.set((Date.now() - last.endedAt.getTime()) / 1000);
  gauges.auditFindings.set(last.findings.length);
}

/** Developers' webhooks. Waiting messages are counted up to a limit, because an endpoint that is down collects many. */
async function hooks(db: Db): Promise<void> {
  const messages = await db.execute<{ state: string; count: number }>(sql`
    select state, count(*) as count from (
      select case when d.state = 'sending' then 'sending' when d.due_at <= now() then 'due' else 'waiting' end as state
      from hook_deliveries d join hooks h on h.id = d.hook_id
      where d.state in ('waiting', 'sending') and h.paused_for is null limit ${COUNT_MAX}) m group by 1`);
  gauges.hookMessages.reset();
  for (const { state, count } of messages) gauges.hookMessages.set({ state }, count);
  const all = await db.execute<{ state: string; count: number }>(sql`
    select coalesce(paused_for, case when failing_since is null then 'on' else 'trouble' end) as state,
           count(*) as count
    from hooks group by 1`);
  gauges.hooks.reset();
  for (const { state, count } of all) gauges.hooks.set({ state }, count);
}

/** The cheap part of the audit: a single statement, which sees wallets and transfers at the same moment. */
async function ledgerDrift(db: Db): Promise<void> {
  const [row] = await db.execute<{ count: number }>(sql`
    with newest as (select user_id from transfers order by id desc limit ${TRANSFERS_COMPARED})
    select count(*) as count from (select distinct user_id from newest) n
    left join wallets w using (user_id)
    cross join lateral (
      select balance_after_pesewas as recorded from transfers t
      where t.user_id = n.user_id and balance_after_pesewas is not null order by id desc limit 1) t
    where w.balance_pesewas is distinct from t.recorded`);
  gauges.drift.set(row!.count);
}

async function connections(db: Db): Promise<void> {
  const rows = await db.execute<{ state: string; count: number }>(sql`
    select coalesce(state, 'unknown') as state, count(*) as count from pg_stat_activity
    where application_name = current_setting('application_name') and datname = current_database() group by 1`);
  gauges.connections.reset();
  for (const { state, count } of rows) gauges.connections.set({ state }, count);
}

function gauge<Label extends string>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}
