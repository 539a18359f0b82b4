// What this process counts about itself, for whoever watches the shop. Labels are words of ours, of which there are few:
// never a number, a name or a path. `src/telemetry/metrics-endpoint.ts` adds what the database knows, and answers whoever asks.
import { Counter, Histogram, Registry } from "prom-client";
import { traced } from "./tracing.ts";

/** Everything that is counted; each process has its own. */
export const registry = new Registry();

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const purchases = counter(
  "datafie_purchases_total",
  "Purchases by how they ended: placed, known (the same key came again), failed, or the code of the refusal.",
  ["channel", "size", "outcome"],
);

export const purchasedOrders = counter(
  "datafie_purchased_orders_total",
  "Orders that purchases placed, a line of a bulk order each.",
  ["channel"],
);

export const refusals = counter(
  "datafie_refusals_total",
  "Requests that were refused, by the code that the caller was told.",
  ["door", "code"],
);

export const limited = counter(
  "datafie_limited_total",
  "What was refused, dropped or answered otherwise because a budget was used up, by the budget's name.",
  ["limit"],
);

export const settlements = counter(
  "datafie_settlements_total",
  "What looking at a payment came to, by verdict; a payment is looked at until it has one that is final.",
  ["verdict"],
);

export const parcels = counter(
  "datafie_dispatched_parcels_total",
  "Parcels handed to vendors, by what their answer proved: taken, unclear, known_reference, or why it was not taken.",
  ["vendor", "outcome"],
);

export const hookCalls = counter(
  "datafie_webhook_calls_total",
  "Messages sent to developers' endpoints, by what came of it: delivered, the class of another answer, unanswered, or refused (an address that is not called).",
  ["outcome"],
);

export const outsideCalls = histogram(
  "datafie_outside_call_seconds",
  "Calls to providers of payments, bundles and messages, by what the answer was; unclear or down: nobody can tell.",
  ["provider", "call", "outcome"],
);

export const ussdHops = histogram(
  "datafie_ussd_hop_seconds",
  "From a request of a USSD session to its answer, by what the answer does.",
  ["answer"],
);

export const ussdScreens = counter("datafie_ussd_screens_total", "Screens that USSD sessions were shown.", [
  "screen",
]);

export const ussdEnds = counter(
  "datafie_ussd_ends_total",
  "Sessions by USSD that the gateway says are over, by how: Success, Incomplete, Failed, other.",
  ["status"],
);

export const requests = counter(
  "datafie_requests_total",
  "Requests by the pattern of their address; unknown: there is no such address.",
  ["method", "route", "status"],
);

export const requestSeconds = histogram(
  "datafie_request_seconds",
  "From a request to its answer, by door and class of status.",
  ["door", "method", "status"],
);

export const workerFaults = counter(
  "datafie_worker_faults_total",
  "Rounds of the worker that failed; the next round tries again.",
  ["loop"],
);

/** Times and traces `work` as one call to `provider`; `outcomeOf` names in a word of ours what came of it. */
export async function timed<T>(
  labels: { provider: string; call: string },
  work: () => Promise<T>,
  outcomeOf: (answer: T) => string,
): Promise<T> {
  const end = outsideCalls.startTimer(labels);
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
