// Indexes of the evidence, for the checker's rules.
import type { Attempt, Books, Evidence, Failure, Order, Payment, Reversal, Transfer } from "./evidence.ts";

export type Flag = (rule: string, detail: string) => void;
export type Rule = (evidence: Evidence, index: Index, flag: Flag) => void;
export type Index = {
  ordersOf: Map<string, Order[]>;
  orderById: Map<number, Order>;
  /** Transfers by subject: "refund 4711". */
  transfersOf: Map<string, Transfer[]>;
  attemptsOf: Map<number, Attempt[]>;
  failureOf: Map<number, Failure>;
  paymentById: Map<number, Payment>;
  /** What was returned of each payment, or may be. */
  reversalsOf: Map<number, Reversal[]>;
  /** Orders that were failed although they were visibly delivered: somebody decided so. */
  decided: Set<number>;
};

export function indexOf({ orders, transfers, attempts, failures, payments, reversals }: Books): Index {
  return {
    ordersOf: Map.groupBy(orders, ({ msisdn }) => msisdn),
    orderById: new Map(orders.map((order) => [order.id, order])),
    transfersOf: Map.groupBy(transfers, ({ reason, subjectId }) => `${reason} ${subjectId}`),
    attemptsOf: Map.groupBy(attempts, ({ orderId }) => orderId),
    failureOf: new Map(failures.map((failure) => [failure.orderId, failure])),
    paymentById: new Map(payments.map((payment) => [payment.id, payment])),
    reversalsOf: Map.groupBy(reversals, ({ paymentId }) => paymentId),
    decided: new Set(
      failures
        .filter(({ fromStatus }) => ["DELIVERED", "COMPLETED"].includes(fromStatus))
        .map(({ orderId }) => orderId),
    ),
  };
}
