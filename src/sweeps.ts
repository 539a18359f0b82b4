// Periodic work of the worker: what ends or is forgotten when its time has come.
import type { Db } from "../db/connect.ts";
import * as deadlines from "./core/fulfilment/deadlines.ts";
import * as codes from "./core/identity/codes.ts";
import * as contacts from "./core/identity/contacts.ts";
import * as freezes from "./core/identity/freezes.ts";
import * as secondFactor from "./core/identity/second-factor.ts";
import * as sessions from "./core/identity/sessions.ts";
import * as spendingLimits from "./core/identity/spending-limits.ts";
import * as auditRuns from "./core/ledger/audit-runs.ts";
import * as inboundSms from "./core/messaging/inbound-sms.ts";
import * as messages from "./core/messaging/messages.ts";
import * as drafts from "./core/orders/bulk-drafts.ts";
import * as customerDebts from "./core/orders/customer-debts.ts";
import * as dailyTotals from "./core/orders/daily-totals.ts";
import * as disputes from "./core/orders/disputes.ts";
import * as transitions from "./core/orders/transitions.ts";
import * as ussdUnfinished from "./core/orders/unfinished-purchases.ts";
import * as gatewayHours from "./core/platform/gateway-hours.ts";
import * as idempotency from "./core/platform/idempotency.ts";
import * as keptForms from "./core/platform/kept-forms.ts";
import * as rateLimits from "./core/platform/rate-limits.ts";
import { alertAdmins } from "./core/ussd/gateway-alerts.ts";
import { finishOrphans } from "./core/ussd/receipts.ts";
import * as ussdUsage from "./core/ussd/usage.ts";
import * as webhookDeliveries from "./core/webhooks/deliveries.ts";

/** Periodic work, in this order. Several workers may run the same part concurrently. */
const SWEEPS: Record<string, (db: Db) => Promise<unknown>> = {
  "unpaid orders": untilNone(transitions.expireUnpaid),
  promises: untilNone(deadlines.refundOverdue),
  disputes: disputes.endOverdue,
  sums: dailyTotals.foldAll,
  keys: idempotency.forgetOld,
  "rate limits": rateLimits.forgetOld,
  sessions: sessions.forgetOld,
  messages: messages.forgetOld,
  "developers' messages": untilNone(webhookDeliveries.forgetOld),
  codes: codes.forgetOld,
  "bulk drafts": drafts.forgetOld,
  "kept forms": keptForms.forgetOld,
  "removed customers": contacts.forgetRemoved,
  "paid debts of customers": customerDebts.forgetPaid,
  "second factors": secondFactor.forgetOld,
  "SMS to us": inboundSms.forgetOld,
  "USSD receipts": finishOrphans,
  "USSD figures": untilNone(ussdUsage.countOver),
  "USSD sessions": ussdUsage.forgetOld,
  "counts of gateways": gatewayHours.forgetOld,
  "alerts about gateways": alertAdmins,
  "unfinished purchases by USSD": ussdUnfinished.forgetOld,
  freezes: freezes.endDue,
  "limits of accounts": spendingLimits.endDue,
  "audit of the night": auditRuns.requestNightly,
};

/**
 * Runs each part once. A part that fails does not stop the others: `onFault` gets its error; without an `onFault`, the
 * first error is thrown at the end.
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

/** Repeats a round until it finds nothing. */
function untilNone(round: (db: Db) => Promise<number>): (db: Db) => Promise<void> {
  return async (db) => {
    while ((await round(db)) > 0);
  };
}
