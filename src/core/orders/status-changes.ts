// Moves of orders to a status that staff choose: a step forward, of one order or of many, or their refund.
import { z } from "zod";
import type { Db } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import { ADMIN_TARGETS, type AdminTarget, type ByUser, SENDERS } from "../../shared/domain.ts";
import type { ErrorCode } from "../../shared/errors/app-error.ts";
import { Id } from "../../shared/inputs.ts";
import { requireRight } from "../../shared/rights.ts";
import { type Caller, command } from "../platform/commands.ts";
import type { Answered } from "../platform/idempotency.ts";
import { isAmong } from "../platform/sql.ts";
import type { Order } from "./order.ts";
import { FailureReason, OrderIds, refund, refundMany } from "./refund.ts";
import * as transitions from "./transitions.ts";

const Forward = z.enum(ADMIN_TARGETS).exclude(["FAILED"]);
/** What is said of a move besides its target. */
export const HOW = {
  reason: FailureReason,
  paidInCash: z.boolean().optional().describe("You took the money in cash; the ledger records your name"),
  via: z
    .enum(SENDERS)
    .optional()
    .describe(
      "Who delivers bundles set to PROCESSING: you, as a desk batch under your name (the default), or the supplier " +
        "of their route; then the status changes once the supplier has accepted them",
    ),
};

/** Moves an order forward; the order is answered. Taking its money in cash is a right of its own. */
const advance = command({
  name: "order.advance",
  right: "orders.work",
  about: "Move an order forward: to your desk or its route, or to what has become of it",
  subject: "order",
  input: { orderId: Id, to: Forward, ...HOW },
  errors: [
    ...(["order.not_found", "order.move_not_allowed", "order.unpaid", "order.below_cost", "order.held"] as const),
    ...(["order.handed_over", "order.case_open", "auth.own_account"] as const),
  ],
  run: async ({ tx, by }, { orderId, ...wish }) => {
    requireRightTo(by, wish);
    return transitions.moved(tx, await transitions.moveAll(tx, by, [orderId], wish));
  },
});

/** As `advance`, of many orders, with the result of each. */
const advanceMany = command({
  name: "order.advance_many",
  right: "orders.work",
  about: "Move many orders forward, with a result for each",
  subject: "order",
  input: { ids: OrderIds, to: Forward, ...HOW },
  errors: [],
  run: async ({ tx, by }, { ids, ...wish }) => {
    requireRightTo(by, wish);
    return transitions.moveAll(tx, by, [...new Set(ids)], wish);
  },
});

/** A target that somebody chose, and how. */
type Chosen = Omit<transitions.TransitionRequest, "to"> & { to: AdminTarget };

/** `refund` or `advance`, by the target. Throws as they do. */
export function moveOne(db: Db, { to, ...rest }: Caller & { orderId: number } & Chosen): Promise<Answered<Order>> {
  return to === "FAILED" ? refund(db, rest) : advance(db, { ...rest, to });
}

/** `refundMany` or `advanceMany`, by the target. Throws as they do. */
export function move(
  db: Db,
  { to, ...rest }: Caller & { ids: number[] } & Chosen,
): Promise<Answered<transitions.TransitionResult[]>> {
  return to === "FAILED" ? refundMany(db, rest) : advanceMany(db, { ...rest, to });
}

export type TransitionPreview = {
  movingCount: number;
  /** The total of the refunds, in pesewas. */
  refundPesewas: number;
  /** What stays as it is, by the reason. */
  refused: { code: ErrorCode; ids: number[] }[];
};

/** The effect that `move` would have now, without changing anything. Throws auth.forbidden. */
export async function preview(
  db: Db,
  command: { by: ByUser; ids: number[] } & transitions.TransitionRequest,
): Promise<TransitionPreview> {
  requireRightTo(command.by, command);
  const ids = [...new Set(command.ids)];
  const found = await db.select().from(orders).where(isAmong(orders.id, ids));
  const held = await transitions.findBlocked(db, ids, command);
  const refusals = found.map((order) => transitions.transitionRefusal(order, command.by, command, held));
  const moving = found.filter((_, i) => refusals[i] === null);
  const paid = command.to === "FAILED" ? moving.filter(({ paidAt }) => paidAt) : [];
  const known = new Map(found.map(({ id }, i) => [id, refusals[i]]));
  const staying = ids.flatMap((id) => {
    const code = known.has(id) ? known.get(id) : ("order.not_found" as const);
    return code ? [{ id, code }] : [];
  });
  const refused = [...Map.groupBy(staying, ({ code }) => code)];
  return {
    movingCount: moving.length,
    refundPesewas: paid.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0),
    refused: refused.map(([code, some]) => ({ code, ids: some.map(({ id }) => id) })),
  };
}

/**
 * Refuses whoever may not ask for this transition: failing orders, which refunds them, and going on with them are two
 * rights, and cash is a third. Throws auth.forbidden.
 */
function requireRightTo(by: ByUser, { to, paidInCash }: transitions.TransitionRequest): void {
  requireRight(by, to === "FAILED" ? "orders.refund" : "orders.work");
  if (paidInCash && to !== "FAILED") requireRight(by, "cash.take");
}
