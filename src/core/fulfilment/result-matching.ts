// Which order of a batch each result line is about.
import type { ResultLine } from "../../shared/result-lines.ts";
import type { Order } from "../orders/buy.ts";

type Candidate = Pick<Order, "id" | "msisdn" | "volumeMb" | "quantity">;

export type Matched = {
  delivered: number[];
  failed: { orderId: number; words: string | null }[];
  /** Whoever sends them cannot say yet. */
  pending: number[];
  /** Lines that change nothing: for no open order, for one of several, or for a part of one. */
  unmatched: { line: number; msisdn: string; why: "not_in_batch" | "ambiguous" | "partly" }[];
};

/**
 * Which order each line is about. The file of a batch has a line for each bundle, so an order for three has three lines;
 * whoever reports may also use one line for the whole order. Several orders for one number are told apart by their
 * size, or need as many lines as they have bundles, all with the same outcome. Nothing is guessed.
 */
export function match(lines: readonly ResultLine[], orders: readonly Candidate[]): Matched {
  const matched: Matched = { delivered: [], failed: [], pending: [], unmatched: [] };
  const open = Map.groupBy(orders, ({ msisdn }) => msisdn);
  for (const [msisdn, told] of Map.groupBy(lines, (line) => line.msisdn)) {
    let rest = open.get(msisdn) ?? [];
    for (const group of Map.groupBy(told, (line) => line.volumeMb).values()) {
      const { settled, why } = matchGroup(group, rest);
      rest = rest.filter((order) => !settled.includes(order));
      for (const { id: orderId } of settled) {
        const { outcome, message: words } = group[0]!;
        if (outcome === "failed") matched.failed.push({ orderId, words });
        else matched[outcome].push(orderId);
      }
      if (why) matched.unmatched.push(...group.map(({ line }) => ({ line, msisdn, why })));
    }
  }
  return matched;
}

type GroupMatch = { settled: Candidate[]; why?: "not_in_batch" | "ambiguous" | "partly" };

/** Lines for one number and of one size (or of none), against the orders that are open for that number. */
function matchGroup(group: readonly ResultLine[], orders: readonly Candidate[]): GroupMatch {
  const sizeMb = group[0]!.volumeMb;
  const isAgreed = new Set(group.map(({ outcome }) => outcome)).size === 1;
  const whole = orders.filter((order) => sizeMb === null || totalMb(order) === sizeMb);
  if (group.length === 1 && whole.length === 1) return { settled: whole };
  const fitting = orders.filter((order) => sizeMb === null || order.volumeMb === sizeMb);
  if (fitting.length === 0) return { settled: [], why: "not_in_batch" };
  const bundles = fitting.reduce((sum, { quantity }) => sum + quantity, 0);
  if (isAgreed && group.length === bundles) return { settled: fitting };
  return { settled: [], why: fitting.length === 1 ? "partly" : "ambiguous" };
}

function totalMb({ volumeMb, quantity }: Candidate): number | null {
  return volumeMb === null ? null : volumeMb * quantity;
}
