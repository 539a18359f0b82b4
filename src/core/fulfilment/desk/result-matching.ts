// Matching of result lines to the orders of a batch.
import type { ResultLine } from "../../../shared/lists/result-lines.ts";
import type { Order } from "../../orders/order.ts";

type Candidate = Pick<Order, "id" | "msisdn" | "volumeMb" | "quantity">;

/**
 * Why a line is not used. "entered": the result of its order waits to be applied. "conflict": another line has a
 * different outcome for the same number.
 */
export type Unmatched = "not_in_batch" | "ambiguous" | "partly" | "conflict" | "entered";

export type Matched = {
  delivered: number[];
  failed: { orderId: number; message: string | null }[];
  /** Not decided yet. */
  pending: number[];
  /** Unusable lines: no open order, several, or only part of one. */
  unmatched: { line: number; msisdn: string; reason: Unmatched }[];
};

/**
 * Matches each line to an order. A batch's file has a line per bundle, so an order for three has three lines; results
 * may also have one line for the whole order. Several orders for one number are distinguished by size, or need as many
 * lines as they have bundles, all with the same outcome. Lines for one number that contradict each other are not used.
 * Nothing is guessed.
 */
export function match(lines: readonly ResultLine[], orders: readonly Candidate[]): Matched {
  const matched: Matched = { delivered: [], failed: [], pending: [], unmatched: [] };
  const open = Map.groupBy(orders, ({ msisdn }) => msisdn);
  for (const [msisdn, results] of Map.groupBy(lines, (line) => line.msisdn)) {
    let rest = open.get(msisdn) ?? [];
    if (rest.some((order) => isContradictory(results.filter((line) => isAbout(line, order))))) {
      matched.unmatched.push(...results.map(({ line }) => ({ line, msisdn, reason: "conflict" as const })));
      continue;
    }
    for (const group of Map.groupBy(results, (line) => line.volumeMb).values()) {
      const { settled, reason } = matchGroup(group, rest);
      rest = rest.filter((order) => !settled.includes(order));
      for (const { id: orderId } of settled) {
        const { outcome, message } = group[0]!;
        if (outcome === "failed") matched.failed.push({ orderId, message });
        else matched[outcome].push(orderId);
      }
      if (reason) matched.unmatched.push(...group.map(({ line }) => ({ line, msisdn, reason })));
    }
  }
  return matched;
}

/** Whether a line for an order's number may be about it: it names its size, that of one of its bundles, or none. */
function isAbout({ volumeMb }: ResultLine, order: Candidate): boolean {
  return volumeMb === null || volumeMb === order.volumeMb || volumeMb === totalMb(order);
}

const isContradictory = (lines: readonly ResultLine[]) => new Set(lines.map(({ outcome }) => outcome)).size > 1;

type GroupMatch = { settled: Candidate[]; reason?: "not_in_batch" | "ambiguous" | "partly" };

/** Matches lines for one number and size (or no size) to the open orders for that number. */
function matchGroup(group: readonly ResultLine[], orders: readonly Candidate[]): GroupMatch {
  const sizeMb = group[0]!.volumeMb;
  const whole = orders.filter((order) => sizeMb === null || totalMb(order) === sizeMb);
  if (group.length === 1 && whole.length === 1) return { settled: whole };
  const fitting = orders.filter((order) => sizeMb === null || order.volumeMb === sizeMb);
  if (fitting.length === 0) return { settled: [], reason: "not_in_batch" };
  const bundles = fitting.reduce((sum, { quantity }) => sum + quantity, 0);
  if (group.length === bundles) return { settled: fitting };
  return { settled: [], reason: fitting.length === 1 ? "partly" : "ambiguous" };
}

function totalMb({ volumeMb, quantity }: Candidate): number | null {
  return volumeMb === null ? null : volumeMb * quantity;
}
