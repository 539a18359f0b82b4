// Why orders fail: the codes that a program can act on, with what people read. Agents never read who delivers for the
// shop, nor a vendor's words.

/** `isRetryable`: ordering the same again can succeed. `isByPerson`: whoever ended the order may have noted why. */
type Failure = { message: string; isRetryable: boolean; isByPerson?: true };

export const FAILURES = {
  cancelled: { message: "You cancelled this order.", isRetryable: true },
  not_paid: { message: "This order was not paid within 24 hours.", isRetryable: true },
  not_delivered_in_time: {
    message: "The bundle was not delivered in time, so we refunded it. Order it again.",
    isRetryable: true,
  },
  network_refused: {
    message: "The network could not deliver the bundle. Try again later.",
    isRetryable: true,
  },
  out_of_stock: {
    message: "The network has none of this bundle at the moment. Try again later, or choose another bundle.",
    isRetryable: true,
  },
  not_deliverable: {
    message: "This bundle cannot be delivered to this number. Check the number, or choose another bundle.",
    isRetryable: false,
  },
  delivery_reversed: {
    message: "The network took the delivery back, so we refunded it. Order it again.",
    isRetryable: true,
  },
  not_received: {
    message: "It was reported as not received, and we refunded it. Order it again if it is still wanted.",
    isRetryable: true,
  },
  registration_refused: {
    message: "MTN did not register this person for AFA.",
    isRetryable: false,
    isByPerson: true,
  },
  refunded_by_shop: {
    message: "Our team ended this order and refunded it.",
    isRetryable: false,
    isByPerson: true,
  },
  ended_by_shop: {
    message: "Our team ended this order before it was paid, so nothing was refunded.",
    isRetryable: false,
    isByPerson: true,
  },
  other: { message: "This order failed. Its timeline says why.", isRetryable: false },
} as const satisfies Record<string, Failure>;

export type FailureCode = keyof typeof FAILURES;
export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];

type FailedOrder = { status: string; failure?: FailureCode | null; note?: string | null };

/** A failure as JSON; null for an order that has not failed. */
export function failureJson({ status, failure, note }: FailedOrder) {
  if (status !== "FAILED") return null;
  const code = failure ?? "other";
  const { message, isRetryable, isByPerson }: Failure = FAILURES[code];
  const reason = note ? " Its note says why." : " Ask support why.";
  return { code, message: isByPerson ? message + reason : message, retryable: isRetryable };
}
