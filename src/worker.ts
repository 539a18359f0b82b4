// The job loop: works off what is due, sweeps now and then, and never lets one failure stop the next round.
import { sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import type { Config } from "./config.ts";
import * as deadlines from "./core/fulfilment/deadlines.ts";
import { compareDue } from "./core/fulfilment/delivery-checks.ts";
import * as dispatch from "./core/fulfilment/dispatch.ts";
import type { BundleVendor } from "./core/fulfilment/vendor.ts";
import * as vendorEvents from "./core/fulfilment/vendor-webhooks.ts";
import { checkFloat } from "./core/fulfilment/vendors.ts";
import * as codes from "./core/identity/codes.ts";
import * as passwordReset from "./core/identity/password-reset.ts";
import * as secondFactor from "./core/identity/second-factor.ts";
import * as sessions from "./core/identity/sessions.ts";
import * as auditRuns from "./core/ledger/audit-runs.ts";
import * as inboundSms from "./core/messaging/inbound-sms.ts";
import * as messages from "./core/messaging/messages.ts";
import * as notices from "./core/messaging/notices.ts";
import type { Senders } from "./core/messaging/sender.ts";
import * as smsBudget from "./core/messaging/sms-budget.ts";
import * as drafts from "./core/orders/bulk-drafts.ts";
import * as dailyTotals from "./core/orders/daily-totals.ts";
import * as disputes from "./core/orders/disputes.ts";
import * as transitions from "./core/orders/transitions.ts";
import * as ussdUnfinished from "./core/orders/unfinished-purchases.ts";
import type { PaymentGateway } from "./core/payments/gateway.ts";
import * as prompts from "./core/payments/momo-prompts.ts";
import * as webhooks from "./core/payments/paystack-webhooks.ts";
import { reconcile } from "./core/payments/reconciliation.ts";
import * as settlement from "./core/payments/settlement.ts";
import * as idempotency from "./core/platform/idempotency.ts";
import * as jobs from "./core/platform/jobs.ts";
import * as keptForms from "./core/platform/kept-forms.ts";
import { workerFaults } from "./core/platform/metrics.ts";
import { createPauses, type Pauses } from "./core/platform/pauses.ts";
import * as rateLimits from "./core/platform/rate-limits.ts";
import { finishOrphans } from "./core/ussd/receipts.ts";
import * as ussdUsage from "./core/ussd/usage.ts";
import * as webhookDeliveries from "./core/webhooks/deliveries.ts";
import * as webhookDispatch from "./core/webhooks/dispatch.ts";
import type { WebhookKeys } from "./core/webhooks/endpoints.ts";
import type { Log } from "./telemetry/log.ts";

/** How messages leave, and the key of the codes that some of them carry. */
export type Messaging = { senders: Senders; codeKey: string };
/** Where a vendor may tell us what became of its parcels; null while nobody outside can reach us. */
export type WebhookUrlOf = (code: string) => string | null;

/** Whom the worker calls. */
export type Outside = {
  gateway: PaymentGateway;
  vendors: readonly BundleVendor[];
  webhookUrlOf: WebhookUrlOf;
  messaging: Messaging;
  webhookKeys: WebhookKeys;
};

export type Worker = { stop: () => Promise<void> };

const DISPATCH_BATCH = 500;
const CALLS_AT_ONCE = 3;
/** So many are asked about at once. */
const POLL_BATCH = 10;
const WEBHOOK_BATCH = 50;
const PROMPT_BATCH = 10;
/** So many are sent at once. */
const MESSAGE_BATCH = 10;
const RECONCILE_HOURS = 3;
/** So many messages to developers' endpoints are under way at once. */
const HOOKS_AT_ONCE = 100;

/** How long `stop` waits for a call to the outside: the whole process has ten seconds to end. */
const LAST_ROUND_MS = 8_000;

/** Starts the loop; `stop` waits for the round that is under way, but not for a call that hangs. */
export function startWorker(
  db: Db,
  outside: Outside,
  config: Pick<Config, "workerPollMs" | "sweepMs" | "paymentPollMs" | "reconcileMs" | "floatMs" | "hooks">,
  log: Log,
): Worker {
  const { gateway, vendors, webhookUrlOf, messaging, webhookKeys } = outside;
  const { workerPollMs: pollMs } = config;
  const pauses = createPauses();
  const tellFault = faultsTo(log);
  let isStopping = false;
  const hooks = hookRounds(db, webhookKeys, { ...config.hooks, pollMs, isStopping: () => isStopping }, log);
  const loops = [
    repeat("route", pollMs, () =>
      untilFewer(DISPATCH_BATCH, () => dispatch.routeDue(db, vendors, DISPATCH_BATCH)),
    ),
    repeat("complete", pollMs, () =>
      untilFewer(DISPATCH_BATCH, () => deadlines.completeDue(db, DISPATCH_BATCH)),
    ),
    ...vendors.flatMap(loopsOf),
    repeat("webhooks", pollMs, () => workOffWebhooks(db, gateway, log)),
    repeat("messages", pollMs, () => sendMessages(db, messaging, log)),
    repeat("developers' webhooks", pollMs, hooks.round),
    repeat("vendor events", pollMs, () => workOffVendorEvents(db, vendors, log)),
    repeat("payments", config.paymentPollMs, () =>
      untilFewer(POLL_BATCH, () => settlement.pollDue(db, gateway, POLL_BATCH)),
    ),
    repeat("prompts", pollMs, () => askPayers(db, gateway)),
    repeat("reconcile", config.reconcileMs, () => reconcileLately(db, gateway, log)),
    repeat("audit", pollMs, () => audit(db, log)),
    repeat("sweep", config.sweepMs, () => sweep(db, (part, error) => tellFault(`sweep: ${part}`, error))),
  ];
  return {
    stop: async () => {
      isStopping = true;
      pauses.end();
      // What hangs is left behind as a power cut would leave it: its lease ends, and another worker finds out about it.
      const underWay = Promise.all(loops).then(() => hooks.rest());
      await Promise.race([underWay, Bun.sleep(LAST_ROUND_MS)]);
    },
  };

  function loopsOf(vendor: BundleVendor): Promise<void>[] {
    const send = async () => {
      while ((await turnComes(db, vendor, pollMs, pauses)) && !isStopping)
        await dispatch.sendDue(db, vendor, webhookUrlOf);
    };
    return [
      // Several calls may be under way: a vendor that answers slowly is not called less often than it allows.
      ...Array.from({ length: CALLS_AT_ONCE }, () => repeat(`send to ${vendor.code}`, pollMs, send)),
      repeat(`ask ${vendor.code}`, pollMs, () => untilFewer(1, () => dispatch.checkDue(db, vendor))),
      repeat(`records of ${vendor.code}`, config.floatMs, () => readRecords(db, vendor)),
    ];
  }

  /** Goes on while there is as much to do as fits into a round. */
  async function untilFewer(countMax: number, round: () => Promise<number>): Promise<void> {
    while (!isStopping && (await round()) >= countMax);
  }

  async function repeat(name: string, pauseMs: number, round: () => Promise<void>): Promise<void> {
    while (!isStopping) {
      await round().catch((error) => tellFault(name, error));
      await pauses.sleep(pauseMs);
    }
  }
}

/** Tells of a round, or a part of one, that failed: the next one tries again. */
function faultsTo(log: Log): (loop: string, error: unknown) => void {
  return (loop, error) => {
    workerFaults.inc({ loop });
    log.error({ error, loop }, "a round of the worker failed");
  };
}

/** Whoever topped up by phone is asked for the money, and what they typed for it is handed in. */
async function askPayers(db: Db, gateway: PaymentGateway): Promise<void> {
  await prompts.sendDue(db, gateway, PROMPT_BATCH);
  await prompts.submitDueVouchers(db, gateway, PROMPT_BATCH);
}

/** What a vendor says that it holds of ours, and of what it delivered; its rate says how much of that at a time. */
async function readRecords(db: Db, vendor: BundleVendor): Promise<void> {
  await checkFloat(db, vendor);
  while ((await compareDue(db, vendor)) > 0);
}

/** Waits for a vendor's next turn when that is near: what its rate allows is not to be lost to our own pauses. */
async function turnComes(db: Db, vendor: BundleVendor, nearMs: number, pauses: Pauses): Promise<boolean> {
  const waitMs = await dispatch.turnInMs(db, vendor);
  if (waitMs === null || waitMs > nearMs) return false;
  await pauses.sleep(waitMs);
  return true;
}

export function workOffWebhooks(db: Db, gateway: PaymentGateway, log: Log): Promise<void> {
  return workOff(db, "process_webhook", log, (eventId) => webhooks.process(db, gateway, eventId));
}

export function workOffVendorEvents(db: Db, vendors: readonly BundleVendor[], log: Log): Promise<void> {
  return workOff(db, "process_vendor_event", log, (eventId) => vendorEvents.process(db, vendors, eventId));
}

/** Each event on its own, so that one that cannot be acted on yet holds up no other. */
async function workOff(
  db: Db,
  kind: jobs.JobKind,
  log: Log,
  act: (eventId: number) => Promise<void>,
): Promise<void> {
  const due = await jobs.claim(db, kind, WEBHOOK_BATCH);
  await jobs.whileHolding(db, due, async () => {
    for (const job of due) {
      try {
        await act(job.subjectId);
        await jobs.finish(db, [job.id]);
      } catch (error) {
        log.warn({ error, eventId: job.subjectId }, "a webhook could not be acted on yet");
        await jobs.fail(db, [job.id], error instanceof Error ? error.message : "fault");
      }
    }
  });
}

/** What is wrong with the account or the line is an error, because nobody gets a code; the rest is about one message. */
export async function sendMessages(db: Db, { senders, codeKey }: Messaging, log: Log): Promise<void> {
  while ((await passwordReset.sendRequestedCodes(db, { key: codeKey }, MESSAGE_BATCH)) === MESSAGE_BATCH);
  while ((await notices.sendDue(db, MESSAGE_BATCH)) >= MESSAGE_BATCH);
  for (;;) {
    const done = await messages.sendDue(db, smsBudget.within(db, senders), MESSAGE_BATCH);
    for (const { messageId, kind, reason } of done) {
      if (kind === "down") log.error({ messageId, reason }, "messages cannot be sent at the moment");
      else if (kind !== "accepted") log.warn({ messageId, kind, reason }, "a message was not sent");
    }
    if (done.length < MESSAGE_BATCH) return;
  }
}

/**
 * Messages to developers' endpoints: a round begins as many as there is room for and waits for none of them, so that an
 * endpoint that answers slowly holds up no other.
 */
function hookRounds(
  db: Db,
  means: WebhookKeys,
  plan: webhookDispatch.HookPlan & { pollMs: number; isStopping: () => boolean },
  log: Log,
) {
  const underWay = new Set<Promise<void>>();
  const sendOne = async (claimed: webhookDispatch.Claimed) => {
    try {
      const { outcome, ...about } = await webhookDispatch.send(db, means, plan, claimed);
      if (outcome !== "delivered") log.info({ outcome, ...about }, "a webhook's message did not arrive");
    } catch (error) {
      // Its lease ends, and it is sent again.
      workerFaults.inc({ loop: "developers' webhooks" });
      log.error({ error, deliveryId: claimed.id }, "what came of a webhook's message could not be recorded");
    }
  };
  return {
    round: async () => {
      do {
        const room = HOOKS_AT_ONCE - underWay.size;
        for (const one of room > 0 ? await webhookDispatch.claimDue(db, room) : []) {
          const sent = sendOne(one).finally(() => underWay.delete(sent));
          underWay.add(sent);
        }
        // Where one has answered there is room for its next message at once.
        if (underWay.size > 0) await Promise.race([...underWay, Bun.sleep(plan.pollMs)]);
      } while (underWay.size > 0 && !plan.isStopping());
    },
    rest: () => Promise.all(underWay),
  };
}

/** The last hours by the database's clock, again and again: what no webhook and no poll has told us is found in Paystack's list. */
async function reconcileLately(db: Db, gateway: PaymentGateway, log: Log): Promise<void> {
  const [row] = await db.execute<{ ms: number }>(sql`select extract(epoch from now())::float8 * 1000 as ms`);
  const to = new Date(row!.ms);
  const from = new Date(to.getTime() - RECONCILE_HOURS * 3_600_000);
  const { differences } = await reconcile(db, gateway, { from, to, fix: true });
  if (differences.length > 0) log.warn({ differences }, "our books and the payment provider's list differ");
}

/** Checks the books when the night or somebody asks for it. */
async function audit(db: Db, log: Log): Promise<void> {
  const run = await auditRuns.runOpen(db);
  if (run && !run.ok) log.error({ findings: run.findings }, "the books do not balance");
}

/** What falls due by the clock, in this order. Each part may run in several workers at once. */
const SWEEPS: Record<string, (db: Db) => Promise<unknown>> = {
  "unpaid orders": whileAny(transitions.expireUnpaid),
  promises: whileAny(deadlines.refundOverdue),
  cases: disputes.endOverdue,
  sums: dailyTotals.foldAll,
  keys: idempotency.forgetOld,
  "rate limits": rateLimits.forgetOld,
  sessions: sessions.forgetOld,
  messages: messages.forgetOld,
  "developers' messages": whileAny(webhookDeliveries.forgetOld),
  codes: codes.forgetOld,
  "bulk drafts": drafts.forgetOld,
  "kept forms": keptForms.forgetOld,
  "second factors": secondFactor.forgetOld,
  "SMS to us": inboundSms.forgetOld,
  "USSD receipts": finishOrphans,
  "USSD figures": whileAny(ussdUsage.countOver),
  "USSD sessions": ussdUsage.forgetOld,
  "unfinished purchases by USSD": ussdUnfinished.forgetOld,
  "audit of the night": auditRuns.requestNightly,
};

/**
 * Does each part once. One that fails holds up none of those behind it: `onFault` is told of it, and without an
 * `onFault` the first fault is thrown when all is done.
 */
export async function sweep(
  db: Db,
  onFault?: (part: string, error: unknown) => void,
  parts = SWEEPS,
): Promise<void> {
  const faults: unknown[] = [];
  for (const [name, part] of Object.entries(parts)) {
    try {
      await part(db);
    } catch (error) {
      faults.push(error);
      onFault?.(name, error);
    }
  }
  if (faults.length > 0 && !onFault) throw faults[0];
}

/** Goes on while a round finds something. */
function whileAny(round: (db: Db) => Promise<number>): (db: Db) => Promise<void> {
  return async (db) => {
    while ((await round(db)) > 0);
  };
}
