// The report of a run, for the screen and for test/bench/RESULTS.md.
import { table } from "../bench/report.ts";
import type { TortureOptions, TortureResult } from "./run.ts";

/** A Markdown section with the figures of a run. */
export function reportOf(result: TortureResult, { seconds, seed, clients }: TortureOptions): string {
  const { operations, byKind, blows, requests, orders, completed, failed, transfers, violations } = result;
  const { spreadMs, speed, healthMs } = result;
  const { books } = result.evidence;
  const losses = count(books.losses.length);
  const reviews = count(books.payments.filter(({ decision }) => decision !== null).length);
  const all = operations.done + operations.refused + operations.unknown;
  const kills = Object.entries(blows)
    .filter(([blow]) => blow.includes("killed"))
    .reduce((sum, [, times]) => sum + times, 0);
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([blow, times]) => `${blow} ${count(times)}`)
      .join(", ");
  return [
    "\n## Torture\n",
    "Two servers, two workers, Postgres and simulators of Paystack and two vendors for " +
      `${count(Math.round(seconds / 60))} minutes, ${clients} clients,`,
    `seed ${seed}; the clocks of the providers and the database ran ${Math.round(speed)} times as fast.`,
    `Operations: ${list(byKind)}.`,
    `Blows: ${list(blows)}.\n`,
    ...table(
      ["what", "figure"],
      [
        ["operations", count(all)],
        [
          "acknowledged / refused / answer lost",
          [operations.done, operations.refused, operations.unknown].map(count).join(" / "),
        ],
        ["requests sent", count(requests)],
        [
          "orders: completed / failed and paid back or unpaid",
          `${count(completed)} / ${count(failed)} of ${count(orders)}`,
        ],
        ["transfers", count(transfers)],
        ["refunds at Paystack / chargebacks lost / won / open", reversalCounts(result)],
        ["orders that were sent by hand, in batches", count(inBatches(result))],
        ["losses, and reviews of payments that a person ended", `${losses} / ${reviews}`],
        ["kills", count(kills)],
        ["a purchase's answer, p50 / p99 ms", `${Math.round(spreadMs.p50)} / ${Math.round(spreadMs.p99)}`],
        [
          "/healthz, p99 / longest ms",
          `${Math.round(healthMs.p99)} / ${Math.round(healthMs.max)}; ${count(healthMs.slow)} of ` +
            `${count(healthMs.requests)} took over 200 ms (some of them frozen)`,
        ],
        ["violations", violations.length === 0 ? "none" : count(violations.length)],
      ],
    ),
    "",
  ].join("\n");
}

function reversalCounts({ evidence }: TortureResult): string {
  const of = (kind: string, state: string) =>
    count(evidence.books.reversals.filter((one) => one.kind === kind && one.state === state).length);
  return [
    of("refund", "booked"),
    of("chargeback", "booked"),
    of("chargeback", "closed"),
    of("chargeback", "open"),
  ].join(" / ");
}

function inBatches({ evidence }: TortureResult): number {
  const out = evidence.books.attempts.filter(({ batchId }) => batchId !== null);
  return new Set(out.map(({ orderId }) => orderId)).size;
}

const count = (figure: number) => figure.toLocaleString("en");
