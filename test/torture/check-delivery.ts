// The checker's rules of delivery: what arrived, what was lost, and what waits for an admin.
import type { Attempt, Evidence, ProviderEvidence } from "./evidence.ts";
import type { Flag, Index, Rule } from "./index-of.ts";

export const DELIVERY_RULES: Rule[] = [
  arrivesOnce,
  lossesAreRecorded,
  lateResultsAreLosses,
  heldOrdersAreNotRefunded,
  openOrdersHaveHolders,
];

/** How many deliveries each number got. */
function arrivalsOf({ arrived, byHand }: ProviderEvidence): Map<string, number> {
  const times = new Map<string, number>();
  const all = [...arrived, ...byHand.map((number) => ({ number, count: 1 }))];
  for (const { number, count } of all) times.set(number, (times.get(number) ?? 0) + count);
  return times;
}

/**
 * A bundle arrives on a phone at most once, whoever sent it, if an order says so; one that arrived and was refunded
 * is reported.
 */
function arrivesOnce({ providers }: Evidence, { ordersOf, attemptsOf, decided }: Index, flag: Flag): void {
  const arrivals = arrivalsOf(providers);
  for (const [number, times] of arrivals) {
    const [order] = ordersOf.get(number) ?? [];
    if (times > 1) {
      const attempts = JSON.stringify(attemptsOf.get(order?.id ?? 0) ?? []);
      flag("no order is delivered twice", `order ${order?.id}: ${times} times, ${attempts}`);
    }
    if (!order?.isPaid) flag("nothing unpaid is delivered", number);
    else if (order.status === "FAILED" && !decided.has(order.id)) {
      const attempts = attemptsOf.get(order.id) ?? [];
      const isOpen = attempts.every(({ state }) => state !== "delivered");
      if (!isOpen && attempts.every(({ concern }) => concern === null))
        flag("a delivery beside a refund is reported", `order ${order.id}: ${JSON.stringify(attempts)}`);
    }
  }
  for (const [number, [order]] of ordersOf)
    if (order!.status === "COMPLETED" && !arrivals.has(number))
      flag("a completed order has arrived", `order ${order!.id}`);
}

/** An order that was delivered and refunded is an explained loss; nothing else is one. */
function lossesAreRecorded({ books }: Evidence, { orderById, attemptsOf, decided }: Index, flag: Flag): void {
  const lost = new Map(books.losses.map((loss) => [loss.orderId, loss]));
  for (const { id, status, isRefunded } of books.orders) {
    if (status !== "FAILED" || !isRefunded || decided.has(id) || lost.has(id)) continue;
    if ((attemptsOf.get(id) ?? []).some(({ state }) => state === "delivered"))
      flag("a delivery after a refund is a loss", `order ${id}`);
  }
  for (const { orderId, userId, amountPesewas } of lost.values()) {
    const order = orderById.get(orderId);
    const isIts = order?.userId === userId && order.amountPesewas === amountPesewas;
    if (!isIts || !order.isRefunded) flag("a loss is a refunded order", `order ${orderId}`);
  }
}

/** An admin refunded it while it was in a batch, and it was reported as delivered later: accepted, and so recorded. */
function lateResultsAreLosses({ operations, books }: Evidence, _: Index, flag: Flag): void {
  const lost = new Set(books.losses.map(({ orderId }) => orderId));
  for (const { kind, state, orderIds } of operations)
    if (kind === "late" && state === "done" && !lost.has(orderIds[0]!))
      flag("a late result is a loss", `order ${orderIds[0]}`);
}

/** Orders in an open batch, or held by a vendor within its deadline, are only refunded by an admin. */
function heldOrdersAreNotRefunded(_: Evidence, { failureOf, attemptsOf }: Index, flag: Flag): void {
  for (const { orderId, atMs, isByClock } of failureOf.values()) {
    if (!isByClock) continue;
    const holder = (attemptsOf.get(orderId) ?? []).find((attempt) => isHeldAt(attempt, atMs));
    if (holder) flag("no held order is refunded automatically", `order ${orderId}, ${holder.vendor}`);
  }
}

function isHeldAt({ vendor, state, batchId, sentAtMs, endedAtMs, holdUntilMs }: Attempt, atMs: number): boolean {
  const isOut = sentAtMs !== null && sentAtMs <= atMs && (endedAtMs === null || endedAtMs >= atMs);
  if (vendor === "desk") return isOut && batchId !== null;
  return isOut && state === "held" && holdUntilMs !== null && holdUntilMs > atMs;
}

const ENDED = ["failed", "refunded", "withdrawn"];

/** Nothing is PROCESSING without somebody delivering it. */
function openOrdersHaveHolders({ books }: Evidence, { attemptsOf }: Index, flag: Flag): void {
  for (const { id, status } of books.orders) {
    const hasHolder = (attemptsOf.get(id) ?? []).some(({ state }) => !ENDED.includes(state));
    if (status === "PROCESSING" && !hasHolder) flag("every open order has a holder", `order ${id}`);
  }
}
