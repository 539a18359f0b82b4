// What a run came to, for people: on the screen, and in test/bench/RESULTS.md.
import { table } from "../bench/report.ts";
import type { TortureOptions, TortureResult } from "./run.ts";

/** A section of Markdown with the figures of a run. */
export function reportOf(result: TortureResult, { seconds, seed, clients }: TortureOptions): string {
  const { operations, byKind, blows, requests, orders, completed, failed, transfers, violations } = result;
  const { spreadMs, speed } = result;
  const all = operations.done + operations.refused + operations.unknown;
  const kills = Object.entries(blows)
    .filter(([what]) => what.includes("killed"))
    .reduce((sum, [, times]) => sum + times, 0);
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([what, times]) => `${what} ${count(times)}`)
      .join(", ");
  return [
    "\n## Torture\n",
    `Two servers, two workers, Postgres and simulators of Paystack and two vendors for ${count(Math.round(seconds / 60))} minutes, ${clients} clients,`,
    `seed ${seed}; the clocks outside and of the database went ${Math.round(speed)} times as fast. What was done: ${list(byKind)}.`,
    `What was done to it: ${list(blows)}.\n`,
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
        ["kills", count(kills)],
        ["a purchase's answer, p50 / p99 ms", `${Math.round(spreadMs.p50)} / ${Math.round(spreadMs.p99)}`],
        ["violations", violations.length === 0 ? "none" : count(violations.length)],
      ],
    ),
    "",
  ].join("\n");
}

const count = (figure: number) => figure.toLocaleString("en");
