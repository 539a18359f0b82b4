// Periodic work of the worker: what ends or is forgotten when its time has come.
import type { Db } from "../../db/connect.ts";
import * as approvals from "../core/approvals/requests.ts";
import * as unpaidOrders from "../core/buying/unpaid-orders.ts";
import * as deadlines from "../core/fulfilment/deadlines.ts";
import * as deskResults from "../core/fulfilment/desk/desk-results.ts";
import * as freezes from "../core/identity/freezes.ts";
import * as spendingLimits from "../core/identity/spending-limits.ts";
import * as auditRuns from "../core/ledger/audit-runs.ts";
import * as dailyTotals from "../core/orders/daily-totals.ts";
import * as disputes from "../core/orders/disputes.ts";
import * as holds from "../core/orders/holds.ts";
import * as dailySummary from "../core/overview/daily-summary.ts";
import * as waitingNotices from "../core/overview/notices.ts";
import { RETENTION_SWEEPS } from "../core/privacy/retention.ts";
import { alertAdmins } from "../core/ussd/gateway-alerts.ts";
import { finishOrphans } from "../core/ussd/receipts.ts";
import * as ussdUsage from "../core/ussd/usage.ts";
import { MONEY_SWEEPS } from "./money-rounds.ts";

/** Periodic work, in this order. Several workers may run the same part concurrently. */
const SWEEPS: Record<string, (db: Db) => Promise<unknown>> = {
  "unpaid orders": untilNone(unpaidOrders.expire),
  promises: untilNone(deadlines.refundOverdue),
  disputes: disputes.endOverdue,
  approvals: approvals.sweep,
  sums: dailyTotals.foldAll,
  "typed results of the desk": deskResults.forgetTyped,
  "USSD receipts": finishOrphans,
  "USSD figures": untilNone(ussdUsage.countOver),
  "alerts about gateways": alertAdmins,
  "notices of what waits": waitingNotices.notifyDue,
  "summary of the day": dailySummary.sendDue,
  freezes: freezes.endDue,
  holds: holds.forgetOver,
  "limits of accounts": spendingLimits.endDue,
  ...MONEY_SWEEPS,
  "audit of the night": auditRuns.requestNightly,
  ...RETENTION_SWEEPS,
};

/**
 * Runs each part once. A part that fails does not stop the others: `onFault` gets its error; without an `onFault`, the
 * first error is thrown at the end.
 */
export async function sweep(db: Db, onFault?: (part: string, error: unknown) => void, parts = SWEEPS): Promise<void> {
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
