// Presentation of the core's values in JSON: GH₵ as numbers, local phone numbers, ISO times.

import type { OperatorState } from "../core/catalog/operators/operators.ts";
import type { ProductOnSale } from "../core/catalog/products.ts";
import type { Outlook } from "../core/fulfilment/deadlines.ts";
import type { WalletEntry } from "../core/ledger/wallet.ts";
import type { Order, OrderEvent } from "../core/orders/order.ts";
import type { Day } from "../core/reports/reports.ts";
import { toCedis } from "../shared/money.ts";
import type { Pause } from "../shared/pause.ts";

export { orderJson as presentOrder } from "../core/orders/json.ts";

/**
 * An order's timeline: placement and payment, taken from the order itself, then its recorded events. Agents get no
 * internal ones.
 */
export function presentTimeline(order: Order, events: OrderEvent[]) {
  const step = (at: Date, event: string) => ({
    at: at.toISOString(),
    event,
    code: null,
    from: null,
    to: null,
    note: null,
  });
  const shown = (event: OrderEvent) => {
    const { internal, ...rest } = presentEvent(event);
    return internal ? { ...rest, internal } : rest;
  };
  return [
    step(order.createdAt, "placed"),
    ...(order.paidAt ? [step(order.paidAt, `paid_${order.paymentMethod}`)] : []),
    ...events.map(shown),
    ...(order.refundedAt ? [step(order.refundedAt, "refunded")] : []),
  ];
}

/** The outlook of an undelivered order as JSON. */
export function presentOutlook({ until, ...outlook }: Outlook) {
  return { ...outlook, until: until?.toISOString() ?? null };
}

/** An order's event as JSON: a transition ("moved") or a note. */
export function presentEvent({ createdAt, fromStatus, toStatus, note, kind, isInternal }: OrderEvent) {
  return {
    at: createdAt.toISOString(),
    event: toStatus ? "moved" : "note",
    code: kind,
    from: fromStatus,
    to: toStatus,
    note,
    internal: isInternal,
  };
}

/** A product as JSON. */
export function presentProduct(product: Omit<ProductOnSale, "ownPause">) {
  const { id, operator, family, name, size, pricePesewas, paused } = product;
  return { id, operator, family, name, size, price: toCedis(pricePesewas), ...presentPause(paused) };
}

/** An operator with its pause as JSON. */
export function presentOperator({ operator, name, paused }: OperatorState) {
  return {
    operator,
    name,
    paused: paused !== null,
    message: paused?.message ?? null,
    since: paused?.since.toISOString() ?? null,
    until: paused?.until?.toISOString() ?? null,
  };
}

/** `paused` is the shop's message. */
export function presentPause(pause: Pause | null) {
  return { paused: pause?.message ?? null, pausedUntil: pause?.until?.toISOString() ?? null };
}

/** A wallet transaction as JSON. */
export function presentWalletEntry(entry: WalletEntry) {
  return {
    id: entry.id,
    type: entry.type,
    amount: toCedis(Math.abs(entry.changePesewas)),
    change: toCedis(entry.changePesewas),
    balanceAfter: toCedis(entry.balanceAfterPesewas),
    status: "COMPLETED" as const,
    description: entry.description,
    orderId: entry.orderId,
    paymentReference: entry.paymentReference,
    createdAt: entry.createdAt.toISOString(),
  };
}

/** Daily sales as JSON. */
export function presentDays(days: Day[]) {
  return days.map(({ day, salesPesewas, orders }) => ({ day, sales: toCedis(salesPesewas), orders }));
}
