// The worker: loops that process whatever is due. A failure in one round never stops the next.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import * as months from "../core/accounting/months.ts";
import * as deadlines from "../core/fulfilment/deadlines.ts";
import { compareDue } from "../core/fulfilment/delivery-checks.ts";
import * as deskResults from "../core/fulfilment/desk/desk-results.ts";
import * as dispatch from "../core/fulfilment/dispatch.ts";
import * as routing from "../core/fulfilment/routing.ts";
import type { BundleVendor } from "../core/fulfilment/vendor.ts";
import * as vendorEvents from "../core/fulfilment/vendor-webhooks.ts";
import { checkFloat } from "../core/fulfilment/vendors.ts";
import * as passwordReset from "../core/identity/logins/password-reset.ts";
import * as auditRuns from "../core/ledger/audit-runs.ts";
import * as messages from "../core/messaging/messages.ts";
import * as notices from "../core/messaging/notices.ts";
import * as push from "../core/messaging/push.ts";
import type { PushGateway, Senders } from "../core/messaging/sender.ts";
import * as smsBudget from "../core/messaging/sms-budget.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import * as prompts from "../core/payments/momo-prompts.ts";
import * as payouts from "../core/payments/payouts.ts";
import * as webhooks from "../core/payments/paystack-webhooks.ts";
import { reconcile } from "../core/payments/reconciliation.ts";
import * as settlement from "../core/payments/settlement.ts";
import * as jobs from "../core/platform/jobs.ts";
import { workerFaults } from "../core/platform/metrics.ts";
import { createPauses, type Pauses } from "../core/platform/pauses.ts";
import * as profitDays from "../core/reports/profit-days.ts";
import type { SandboxClient } from "../core/sandbox/client.ts";
import * as farewells from "../core/sandbox/farewells.ts";
import * as raising from "../core/signals/raising.ts";
import * as announcing from "../core/webhooks/announcing.ts";
import type { WebhookKeys } from "../core/webhooks/endpoints.ts";
import type { Log } from "../telemetry/log.ts";
import type { Config } from "./config.ts";
import { hookRounds } from "./hook-rounds.ts";
import { sweep } from "./sweeps.ts";

export { sweep } from "./sweeps.ts";

/** The senders of messages, and the key of the codes in some of them. Without `push`, push messages are off. */
export type Messaging = { senders: Senders; push?: PushGateway | null; codeKey: string };
/** The address for a vendor's webhooks; null while we have no public address. */
export type WebhookUrlOf = (code: string) => string | null;

/** The providers that the worker calls. */
export type Providers = {
  gateway: PaymentGateway;
  vendors: readonly BundleVendor[];
  webhookUrlOf: WebhookUrlOf;
  messaging: Messaging;
  webhookKeys: WebhookKeys;
  /** Null: the shop has none. */
  sandbox: SandboxClient | null;
};

export type Worker = { stop: () => Promise<void> };

const ORDER_BATCH = 500;
const RESULT_BATCH = 10;
const CONCURRENT_CALLS = 3;
const PAYMENT_BATCH = 10;
const PROFIT_MS = 5_000;
const SIGNALS_MS = 2_000;
const FAREWELLS_MS = 10_000;
const LATER_MS = 1_000;
const WEBHOOK_BATCH = 50;
const MESSAGE_BATCH = 10;
const PUSH_BATCH = 40;
const RECONCILE_HOURS = 3;
/** How long `stop` waits for calls to providers: the whole process has ten seconds to exit. */
const STOP_WAIT_MS = 8_000;

/** Starts the loops; `stop` waits for the rounds in progress, but not for a call that hangs. */
export function startWorker(
  db: Db,
  providers: Providers,
  config: Pick<Config, "workerPollMs" | "sweepMs" | "paymentPollMs" | "reconcileMs" | "floatMs" | "hooks">,
  log: Log,
): Worker {
  const { gateway, vendors, webhookUrlOf, messaging, webhookKeys, sandbox } = providers;
  const { workerPollMs: pollMs } = config;
  const pauses = createPauses();
  const onFault = createFaultLog(log);
  let isStopping = false;
  const { repeat, later } = createLoops(pauses, () => isStopping, onFault);
  const hooks = hookRounds(db, webhookKeys, { ...config.hooks, pollMs, isStopping: () => isStopping }, log);
  const loops = [
    repeat("route", pollMs, () => untilFewer(ORDER_BATCH, () => route(db, vendors, onFault))),
    repeat("complete", pollMs, () => untilFewer(ORDER_BATCH, () => deadlines.completeDue(db, ORDER_BATCH))),
    repeat("desk", pollMs, () => untilFewer(RESULT_BATCH, () => deskResults.applyDue(db, RESULT_BATCH))),
    ...vendors.flatMap(vendorLoops),
    repeat("webhooks", pollMs, () => processWebhooks(db, gateway, log)),
    repeat("messages", pollMs, () => sendMessages(db, messaging, log)),
    repeat("push messages", pollMs, () => sendPushMessages(db, messaging, log)),
    repeat("developers' webhooks", pollMs, hooks.round),
    repeat("vendor events", pollMs, () => processVendorEvents(db, vendors, log)),
    repeat("payments", config.paymentPollMs, () =>
      untilFewer(PAYMENT_BATCH, () => settlement.pollDue(db, gateway, PAYMENT_BATCH)),
    ),
    repeat("prompts", pollMs, () => promptPayers(db, gateway)),
    later("signals", Math.min(config.sweepMs, SIGNALS_MS), () => raising.raiseDue(db)),
    later("announcements", pollMs, () => untilFewer(1, () => announcing.announceDue(db))),
    later("reconcile", config.reconcileMs, async () => {
      if (hasKey(gateway)) await reconcileRecent(db, gateway, log);
    }),
    later("payouts", config.reconcileMs, async () => {
      if (hasKey(gateway)) await payouts.syncDue(db, gateway);
    }),
    later("audit", pollMs, () => audit(db, log)),
    later("profit", Math.min(config.sweepMs, PROFIT_MS), () => profitDays.countDue(db)),
    // A month's files take a while: nothing else waits for them.
    later("months", config.sweepMs, () => months.closeDue(db)),
    later("farewells", FAREWELLS_MS, () => sendFarewells(db, sandbox, log)),
    later("sweep", config.sweepMs, () => sweep(db, (part, error) => onFault(`sweep: ${part}`, error))),
  ];
  return {
    stop: async () => {
      isStopping = true;
      pauses.end();
      // A call that hangs is abandoned, as in a power cut: its lease expires, and another worker takes over.
      const underWay = Promise.all(loops).then(() => hooks.rest());
      await Promise.race([underWay, Bun.sleep(STOP_WAIT_MS)]);
    },
  };

  function vendorLoops(vendor: BundleVendor): Promise<void>[] {
    const send = async () => {
      while ((await waitForTurn(db, vendor, pollMs, pauses)) && !isStopping)
        await dispatch.sendDue(db, vendor, webhookUrlOf, vendors);
    };
    return [
      // Calls may overlap, so that a slow vendor is still called as often as its rate allows.
      ...Array.from({ length: CONCURRENT_CALLS }, () => repeat(`send to ${vendor.code}`, pollMs, send)),
      repeat(`ask ${vendor.code}`, pollMs, () => untilFewer(1, () => dispatch.checkDue(db, vendor))),
      repeat(`records of ${vendor.code}`, config.floatMs, () => compareRecords(db, vendor)),
    ];
  }

  /** Repeats a round for as long as it processes a full batch. */
  async function untilFewer(countMax: number, round: () => Promise<number>): Promise<void> {
    while (!isStopping && (await round()) >= countMax);
  }
}

type Round = () => Promise<unknown>;

/** Returns functions that repeat a round until the worker stops; `later` is for what nobody waits for. */
function createLoops(pauses: Pauses, isStopping: () => boolean, onFault: FaultLog) {
  const repeat = async (name: string, pauseMs: number, round: Round) => {
    while (!isStopping()) {
      await round().catch((error) => onFault(name, error));
      await pauses.sleep(pauseMs);
    }
  };
  // A restart, above all after a crash, first serves those who wait.
  const later = async (name: string, pauseMs: number, round: Round) => {
    await pauses.sleep(Math.min(pauseMs, LATER_MS));
    await repeat(name, pauseMs, round);
  };
  return { repeat, later };
}

type FaultLog = (loop: string, error: unknown) => void;

/** Returns a function that records a failed round, or part of one; the next round tries again. */
function createFaultLog(log: Log): FaultLog {
  return (loop, error) => {
    workerFaults.inc({ loop });
    log.error({ error, loop }, "a round of the worker failed");
  };
}

/** Routes due orders, once signals have looked at them: a rule that fails must not keep orders from being sent. */
function route(db: Db, vendors: readonly BundleVendor[], onFault: ReturnType<typeof createFaultLog>) {
  return routing.routeDue(db, vendors, ORDER_BATCH, (orderIds) =>
    raising.examine(db, orderIds).catch((error) => onFault("signals before routing", error)),
  );
}

/** Prompts the payers of top-ups by phone, and submits the vouchers they typed. */
async function promptPayers(db: Db, gateway: PaymentGateway): Promise<void> {
  await prompts.sendDue(db, gateway, PAYMENT_BATCH);
  await prompts.submitDueVouchers(db, gateway, PAYMENT_BATCH);
}

/** Checks our balance with a vendor, and compares its records of deliveries with ours, as fast as its rate allows. */
async function compareRecords(db: Db, vendor: BundleVendor): Promise<void> {
  await checkFloat(db, vendor);
  while ((await compareDue(db, vendor)) > 0);
}

/** Waits for a vendor's next permitted call if it is near, so that our own pauses do not waste its rate. */
async function waitForTurn(db: Db, vendor: BundleVendor, nearMs: number, pauses: Pauses): Promise<boolean> {
  const waitMs = (await dispatch.turnInMs(db, vendor)) ?? Number.POSITIVE_INFINITY;
  return waitMs <= nearMs && pauses.sleep(waitMs).then(() => true);
}

/** Processes the stored webhooks of Paystack that are due. */
export function processWebhooks(db: Db, gateway: PaymentGateway, log: Log): Promise<void> {
  return processEvents(db, "process_webhook", log, (eventId) => webhooks.process(db, gateway, eventId));
}

/** Processes the stored webhooks of vendors that are due. */
export function processVendorEvents(db: Db, vendors: readonly BundleVendor[], log: Log): Promise<void> {
  return processEvents(db, "process_vendor_event", log, (eventId) => vendorEvents.process(db, vendors, eventId));
}

/** Processes each event separately, so that one that cannot be processed yet does not hold up the others. */
async function processEvents(
  db: Db,
  kind: jobs.JobKind,
  log: Log,
  action: (eventId: number) => Promise<void>,
): Promise<void> {
  const due = await jobs.claim(db, kind, WEBHOOK_BATCH);
  await jobs.whileHolding(db, due, async () => {
    for (const job of due) {
      try {
        await action(job.subjectId);
        await jobs.finish(db, [job.id]);
      } catch (error) {
        log.warn({ error, eventId: job.subjectId }, "a webhook could not be acted on yet");
        await jobs.fail(db, [job.id], error instanceof Error ? error.message : "fault");
      }
    }
  });
}

/** Sends due messages. A fault of the account or the connection is logged as an error, because it stops all codes. */
export async function sendMessages(db: Db, { senders, codeKey }: Messaging, log: Log): Promise<void> {
  while ((await passwordReset.sendRequestedCodes(db, { key: codeKey }, MESSAGE_BATCH)) === MESSAGE_BATCH);
  while ((await notices.sendDue(db, MESSAGE_BATCH)) >= MESSAGE_BATCH);
  const within = smsBudget.within(db, senders);
  while (record(await messages.sendDue(db, within, MESSAGE_BATCH), log) >= MESSAGE_BATCH);
}

/** Batches and sends due push messages, in a loop of their own: users name the servers that receive them. */
export async function sendPushMessages(db: Db, { push: gateway, senders }: Messaging, log: Log): Promise<void> {
  while ((await push.batchDue(db, MESSAGE_BATCH)) === MESSAGE_BATCH);
  const all = { ...senders, push: gateway ? push.senderTo(db, gateway) : null };
  while (record(await messages.sendDue(db, all, PUSH_BATCH, "send_push"), log) === PUSH_BATCH);
}

/** Logs what was not sent; returns how many messages there were, or a whole batch if one is due again at once. */
function record(reports: messages.Report[], log: Log): number {
  for (const { messageId, kind, reason, gateway, isPassedOn } of reports) {
    if (isPassedOn) log.warn({ messageId, kind, reason, gateway }, "an SMS goes by the fall-back");
    else if (kind === "down") log.error({ messageId, reason }, "messages cannot be sent at the moment");
    else if (kind !== "accepted") log.warn({ messageId, kind, reason }, "a message was not sent");
  }
  return reports.some(({ isPassedOn }) => isPassedOn) ? MESSAGE_BATCH : reports.length;
}

const hasKey = (gateway: PaymentGateway) => gateway.keyState() !== "missing";

/**
 * Reconciles the last hours, by the database's clock, over and over: Paystack's list shows what neither a webhook nor a
 * status check reported.
 */
async function reconcileRecent(db: Db, gateway: PaymentGateway, log: Log): Promise<void> {
  const [row] = await db.execute<{ ms: number }>(sql`select extract(epoch from now())::float8 * 1000 as ms`);
  const to = new Date(row!.ms);
  const from = new Date(to.getTime() - RECONCILE_HOURS * 3_600_000);
  const { differences } = await reconcile(db, gateway, { from, to, fix: true });
  if (differences.length > 0) log.warn({ differences }, "our books and the payment provider's list differ");
}

/** Sends farewells to the sandbox, if there is one. That it is down is no fault of the worker's. */
async function sendFarewells(db: Db, sandbox: SandboxClient | null, log: Log): Promise<void> {
  const { failures } = sandbox ? await farewells.sendDue(db, sandbox) : { failures: [] };
  if (failures.length > 0)
    log.warn({ error: failures[0], count: failures.length }, "the sandbox has not heard of all who left");
}

/** Audits the books when that was requested or is due for the night. */
async function audit(db: Db, log: Log): Promise<void> {
  const run = await auditRuns.runOpen(db);
  if (run && !run.ok) log.error({ findings: run.findings }, "the books do not balance");
}
