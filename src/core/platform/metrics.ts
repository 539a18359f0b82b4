// Metrics that this process counts about itself. Label values come from small fixed sets: never a number, a name or a
// path. `src/telemetry/metrics-endpoint.ts` adds figures from the database and serves them.
import { Counter, Histogram, Registry } from "prom-client";
import { traced } from "./tracing.ts";

/** All metrics; each process has its own. */
export const registry = new Registry();

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const purchases = counter(
  "datafie_purchases_total",
  "Purchases by outcome: placed, known (a repeat of the same key), failed, or the refusal's code.",
  ["channel", "size", "outcome"],
);

export const purchasedOrders = counter(
  "datafie_purchased_orders_total",
  "Orders placed by purchases; each line of a bulk order is one.",
  ["channel"],
);

export const refusals = counter("datafie_refusals_total", "Refused requests by the error code returned.", [
  "door",
  "code",
]);

export const limitedRequests = counter(
  "datafie_limited_total",
  "Requests refused, dropped or answered differently because a budget was used up, by the budget's name.",
  ["limit"],
);

export const settlements = counter(
  "datafie_settlements_total",
  "Payment status checks by verdict; a payment is checked until its verdict is final.",
  ["verdict"],
);

export const dispatches = counter(
  "datafie_dispatched_parcels_total",
  "Dispatches to vendors by outcome: taken, unclear, known_reference, or the reason why it was not taken.",
  ["vendor", "outcome"],
);

export const hookCalls = counter(
  "datafie_webhook_calls_total",
  "Webhook calls by outcome: delivered, another status class, unanswered, or refused (a forbidden address).",
  ["outcome"],
);

const providerCalls = histogram(
  "datafie_outside_call_seconds",
  "Duration of calls to payment, bundle and message providers by outcome; unclear and down: the result is unknown.",
  ["provider", "call", "outcome"],
);

export const ussdHops = histogram(
  "datafie_ussd_hop_seconds",
  "Duration of requests of a USSD session, by whether the answer continues or ends it.",
  ["answer"],
);

export const ussdScreens = counter("datafie_ussd_screens_total", "Screens shown to USSD sessions.", ["screen"]);

export const ussdEnds = counter(
  "datafie_ussd_ends_total",
  "USSD sessions ended, by the gateway's status: Success, Incomplete, Failed, other.",
  ["status"],
);

export const requests = counter("datafie_requests_total", "Requests by route pattern; unknown: no such route.", [
  "method",
  "route",
  "status",
]);

export const requestSeconds = histogram("datafie_request_seconds", "Duration of requests, by door and status class.", [
  "door",
  "method",
  "status",
]);

export const loggedRequests = counter(
  "datafie_request_log_rows_total",
  "Requests of API keys for their owners' log: written, dropped (too many at once) or failed (not written).",
  ["outcome"],
);

export const workerFaults = counter(
  "datafie_worker_faults_total",
  "Failed rounds of the worker; the next round tries again.",
  ["loop"],
);

/** Times and traces `work` as one call to `provider`; `outcomeOf` maps its answer to a label value. */
export async function timed<T>(
  labels: { provider: string; call: string },
  work: () => Promise<T>,
  outcomeOf: (answer: T) => string,
): Promise<T> {
  const end = providerCalls.startTimer(labels);
  const describe = (answer: T) => ({ outcome: outcomeOf(answer) });
  try {
    const answer = await traced(`${labels.provider} ${labels.call}`, labels, work, describe);
    end({ outcome: outcomeOf(answer) });
    return answer;
  } catch (error) {
    end({ outcome: "fault" });
    throw error;
  }
}

function counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

function histogram<Label extends string>(name: string, help: string, labelNames: Label[]): Histogram<Label> {
  return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [registry] });
}
