// Why an order fails, as its buyer's program reads it: the one place that decides the code.
import { type SQL, sql } from "drizzle-orm";
import { orders } from "../../../db/schema/orders.ts";
import { AFA_SIZE, type By, type DeliveryKind } from "../../shared/domain.ts";
import type { FailureCode } from "../../shared/orders/order-failures.ts";
import type { Attempt } from "./attempts.ts";
import type { Order } from "./order.ts";

/** What is known of one order's failure beside who ended it; `failure` where whoever ended it knows it exactly. */
export type Cause = { kind?: DeliveryKind | null | undefined; failure?: FailureCode | undefined };

/**
 * The code of an order that nobody is left to try: only what all say of the number or the bundle is final, while one
 * without stock may have it again.
 */
export function failureOfAttempts(attempts: Pick<Attempt, "notTaken" | "state">[]): FailureCode {
  const reasons = attempts.filter(({ state }) => state !== "withdrawn").map(({ notTaken }) => notTaken);
  if (reasons.length > 0 && reasons.every((reason) => reason === "not_servable")) return "not_deliverable";
  return reasons.includes("out_of_stock") ? "out_of_stock" : "network_refused";
}

/** The column `failure` of each of these orders as they fail, in one expression for all. */
export function failureColumn(moving: Order[], by: By, textOf: (order: Order) => Cause): SQL<FailureCode> {
  const codes = moving.map((order) => [order.id, failureOf(order, by, textOf(order))]);
  return sql`(${JSON.stringify(Object.fromEntries(codes))}::jsonb ->> ${orders.id}::text)`;
}

/** The code of an order that fails now, by who ends it, as what kind of delivery event, and whether it was paid. */
function failureOf(
  order: Pick<Order, "userId" | "paidAt" | "productSize">,
  by: By,
  { kind, failure }: Cause,
): FailureCode {
  if (failure) return failure;
  if (by.userId === order.userId) return "cancelled";
  if (kind === "taken_back") return "delivery_reversed";
  if (kind) return "network_refused";
  if (by.userId === null) return order.paidAt ? "not_delivered_in_time" : "not_paid";
  if (!order.paidAt) return "ended_by_shop";
  return order.productSize === AFA_SIZE ? "registration_refused" : "refunded_by_shop";
}
