// A route's report of the request that it handles: the bodies, and their subjects.
import type { Body } from "./bodies.ts";

/** Filled in as far as the request gets. */
export type Exchange = {
  orderId: number | null;
  bulkOrderId: number | null;
  idempotencyKey: string | null;
  isReplayed: boolean;
  request: Body | null;
  answer: Body | null;
  /** It was a purchase from the wallet: the answer is its order as placed, and is not kept besides. */
  isPurchase: boolean;
};

export function newExchange(): Exchange {
  return {
    orderId: null,
    bulkOrderId: null,
    idempotencyKey: null,
    isReplayed: false,
    request: null,
    answer: null,
    isPurchase: false,
  };
}

/** Notes the idempotency key, and the order or bulk order that the id in the path is about. */
export function noteRequest(
  exchange: Exchange,
  subject: string | undefined,
  key: { key: string } | null,
  params: unknown,
): void {
  exchange.idempotencyKey = key?.key ?? null;
  const id = (params as { id?: unknown } | undefined)?.id;
  if (subject === "bulkOrder") exchange.bulkOrderId = idOf(id);
  if (subject && /order$/i.test(subject) && subject !== "bulkOrder") exchange.orderId = idOf(id);
}

/** Notes that the answer is a purchase. */
export function notePurchase(exchange: Exchange, orderId: number, isReplayed: boolean): void {
  exchange.orderId = orderId;
  exchange.isPurchase = true;
  exchange.isReplayed = isReplayed;
}

/** Notes the answer, with the orders that it names: it is an order, or says which one it is about. */
export function noteAnswer(exchange: Exchange, answer: Body, isReplayed: boolean): void {
  exchange.answer = answer;
  exchange.isReplayed = isReplayed;
  const { value } = answer;
  if (typeof value !== "object" || value === null) return;
  const { id, orderId, bulkOrderId } = value as Record<string, unknown>;
  const isOrder = "msisdn" in value && "bulkOrderId" in value;
  exchange.orderId ??= idOf(orderId) ?? (isOrder ? idOf(id) : null);
  exchange.bulkOrderId ??= idOf(bulkOrderId);
}

function idOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;
}
