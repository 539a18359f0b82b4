// The job loop: works off what is due, sweeps now and then, and never lets one failure stop the next round.
import type { Db } from "../db/connect.ts";
import type { Config } from "./config.ts";
import * as cases from "./core/cases.ts";
import * as codes from "./core/codes.ts";
import * as fulfilment from "./core/fulfilment.ts";
import type { PaymentGateway } from "./core/gateway.ts";
import * as hookDeliveries from "./core/hook-deliveries.ts";
import * as hookDispatch from "./core/hook-dispatch.ts";
import type { HookMeans } from "./core/hooks.ts";
import * as idempotency from "./core/idempotency.ts";
import * as inboundSms from "./core/inbound-sms.ts";
import * as jobs from "./core/jobs.ts";
import * as keptForms from "./core/kept-forms.ts";
import * as messages from "./core/messages.ts";
import { workerFaults } from "./core/metrics.ts";
import * as moves from "./core/moves.ts";
import * as notices from "./core/notices.ts";
import * as passwordReset from "./core/password-reset.ts";
import * as promises from "./core/promises.ts";
import * as prompts from "./core/prompts.ts";
import * as rateLimits from "./core/rate-limits.ts";
import { reconcile } from "./core/reconciliation.ts";
import * as secondFactor from "./core/second-factor.ts";
import type { Senders } from "./core/senders.ts";
import * as sessions from "./core/sessions.ts";
import * as settlement from "./core/settlement.ts";
import * as sums from "./core/sums.ts";
import { finishOrphans } from "./core/ussd-receipts.ts";
import * as ussdSessions from "./core/ussd-sessions.ts";
import type { BundleVendor } from "./core/vendor.ts";
import * as vendorEvents from "./core/vendor-events.ts";
import { checkFloat } from "./core/vendors.ts";
import * as webhooks from "./core/webhooks.ts";
import type { Log } from "./log.ts";

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
  hookMeans: HookMeans;
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
/** Longer than a batch of calls to the provider can take. */
const WEBHOOK_LEASE_SECONDS = 600;
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
  const { gateway, vendors, webhookUrlOf, messaging, hookMeans } = outside;
  const stopping = Promise.withResolvers<void>();
  const pollMs = config.workerPollMs;
  let isStopping = false;
  const hooks = hookRounds(db, hookMeans, { ...config.hooks, pollMs, isStopping: () => isStopping }, log);
  const loops = [
    repeat("route", pollMs, () =>
      untilFewer(DISPATCH_BATCH, () => fulfilment.routeDue(db, vendors, DISPATCH_BATCH)),
    ),
    repeat("complete", pollMs, () =>
      untilFewer(DISPATCH_BATCH, () => promises.completeDue(db, DISPATCH_BATCH)),
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
    repeat("sweep", config.sweepMs, () => sweep(db)),
  ];
  return {
    stop: async () => {
      isStopping = true;
      stopping.resolve();
      // What hangs is left behind as a power cut would leave it: its lease ends, and another worker finds out about it.
      const underWay = Promise.all(loops).then(() => hooks.rest());
      await Promise.race([underWay, Bun.sleep(LAST_ROUND_MS)]);
    },
  };

  function loopsOf(vendor: BundleVendor): Promise<void>[] {
    const send = async () => {
      while ((await turnComes(db, vendor, pollMs, stopping.promise)) && !isStopping)
        await fulfilment.sendDue(db, vendor, webhookUrlOf);
    };
    return [
      // Several calls may be under way: a vendor that answers slowly is not called less often than it allows.
      ...Array.from({ length: CALLS_AT_ONCE }, () => repeat(`send to ${vendor.code}`, pollMs, send)),
      repeat(`ask ${vendor.code}`, pollMs, () => untilFewer(1, () => fulfilment.askDue(db, vendor))),
      repeat(`float of ${vendor.code}`, config.floatMs, () => checkFloat(db, vendor)),
    ];
  }

  /** Goes on while there is as much to do as fits into a round. */
  async function untilFewer(countMax: number, round: () => Promise<number>): Promise<void> {
    while (!isStopping && (await round()) >= countMax);
  }

  async function repeat(name: string, pauseMs: number, round: () => Promise<void>): Promise<void> {
    while (!isStopping) {
      try {
        await round();
      } catch (error) {
        workerFaults.inc({ loop: name });
        log.error({ error, loop: name }, "a round of the worker failed");
      }
      await Promise.race([Bun.sleep(pauseMs), stopping.promise]);
    }
  }
}

/** Whoever topped up by phone is asked for the money, and what they typed for it is handed in. */
async function askPayers(db: Db, gateway: PaymentGateway): Promise<void> {
  await prompts.askDue(db, gateway, PROMPT_BATCH);
  await prompts.handInDue(db, gateway, PROMPT_BATCH);
}

/** Waits for a vendor's next turn when that is near: what its rate allows is not to be lost to our own pauses. */
async function turnComes(
  db: Db,
  vendor: BundleVendor,
  nearMs: number,
  stopping: Promise<void>,
): Promise<boolean> {
  const waitMs = await fulfilment.turnInMs(db, vendor);
  if (waitMs === null || waitMs > nearMs) return false;
  await Promise.race([Bun.sleep(waitMs), stopping]);
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
  for (const job of await jobs.claim(db, kind, WEBHOOK_BATCH, WEBHOOK_LEASE_SECONDS)) {
    try {
      await act(job.subjectId);
      await jobs.finish(db, [job.id]);
    } catch (error) {
      log.warn({ error, eventId: job.subjectId }, "a webhook could not be acted on yet");
      await jobs.fail(db, [job.id], error instanceof Error ? error.message : "fault");
    }
  }
}

/** What is wrong with the account or the line is an error, because nobody gets a code; the rest is about one message. */
export async function sendMessages(db: Db, { senders, codeKey }: Messaging, log: Log): Promise<void> {
  while ((await passwordReset.answerAsks(db, { key: codeKey }, MESSAGE_BATCH)) === MESSAGE_BATCH);
  while ((await notices.tellDue(db, MESSAGE_BATCH)) >= MESSAGE_BATCH);
  for (;;) {
    const done = await messages.sendDue(db, senders, MESSAGE_BATCH);
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
  means: HookMeans,
  plan: hookDispatch.HookPlan & { pollMs: number; isStopping: () => boolean },
  log: Log,
) {
  const underWay = new Set<Promise<void>>();
  const sendOne = async (claimed: hookDispatch.Claimed) => {
    try {
      const { outcome, ...about } = await hookDispatch.send(db, means, plan, claimed);
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
        for (const one of room > 0 ? await hookDispatch.claimDue(db, room) : []) {
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

/** The last hours again and again: what no webhook and no poll has told us is found in Paystack's own list. */
async function reconcileLately(db: Db, gateway: PaymentGateway, log: Log): Promise<void> {
  const to = new Date();
  const from = new Date(to.getTime() - RECONCILE_HOURS * 3_600_000);
  const { differences } = await reconcile(db, gateway, { from, to, mend: true });
  if (differences.length > 0) log.warn({ differences }, "our books and the payment provider's list differ");
}

/** What falls due by the clock. Each part may run in several workers at once. */
export async function sweep(db: Db): Promise<void> {
  await moves.expireUnpaid(db);
  while ((await promises.keepPromises(db)) > 0);
  await cases.keepDeadlines(db);
  await sums.fold(db);
  await idempotency.forgetOld(db);
  await rateLimits.forgetOld(db);
  await sessions.forgetOld(db);
  await messages.forgetOld(db);
  while ((await hookDeliveries.forgetOld(db)) > 0);
  await codes.forgetOld(db);
  await keptForms.forgetOld(db);
  await secondFactor.forgetOld(db);
  await inboundSms.forgetOld(db);
  await finishOrphans(db);
  while ((await ussdSessions.countOver(db)) > 0);
  await ussdSessions.forgetOld(db);
}
