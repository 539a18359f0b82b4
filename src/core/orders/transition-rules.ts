// What may be asked of an order, and what speaks against it: the table of moves, money of one's own, and what holds it back.
import type { Tx } from "../../../db/connect.ts";
import {
  type By,
  type DeliveryKind,
  type OrderStatus,
  type Sender,
  TRANSITIONS,
} from "../../shared/domain.ts";
import type { ErrorCode } from "../../shared/errors/app-error.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import * as afaHolds from "./afa-holds.ts";
import * as attempts from "./attempts.ts";
import type { Order } from "./buy.ts";

/**
 * Where orders should go, why, and whether the admin took the money for unpaid ones in cash. `via`: who sends bundles that
 * go to PROCESSING, the admin at the desk (when nothing is said) or their route. `freesRegistration`: MTN has no such AFA
 * registration, so that card and number of a refunded one are free.
 */
export type MoveWish = {
  to: OrderStatus;
  reason?: string | undefined;
  paidInCash?: boolean;
  via?: Sender | undefined;
  freesRegistration?: boolean | undefined;
  /** What agents read instead of the reason, which is then for admins alone: words of a vendor or a portal. */
  kind?: DeliveryKind | undefined;
};

/** Orders that cannot make a move for now, and why. */
export type Held = { code: ErrorCode; ids: Set<number> };

/**
 * What holds some of these back: an agent says that it has not arrived, so it cannot be completed; a vendor is being called
 * with it, so nobody else can be given it; an AFA registration would be refused without a word, and its agent is always
 * told why.
 */
export async function heldBack(tx: Tx, ids: number[], { to, reason }: MoveWish): Promise<Held | null> {
  if (to === "COMPLETED") return { code: "order.case_open", ids: await disputedOrders.among(tx, ids) };
  if (to === "PROCESSING") return { code: "order.handed_over", ids: await attempts.handedOver(tx, ids) };
  if (to !== "FAILED" || reason?.trim()) return null;
  return { code: "afa.reason_missing", ids: await afaHolds.among(tx, ids) };
}

/** Why an order may not make this move; null when it may. */
export function moveRefusal(
  order: Order,
  by: By,
  { to, paidInCash }: MoveWish,
  held: Held | null,
): ErrorCode | null {
  if (!TRANSITIONS[order.status].includes(to)) return "order.move_not_allowed";
  // Their own money goes back to admins as to every buyer: by cancelling, by the promise, or by another admin.
  const movesMoney = to === "FAILED" ? order.paidAt !== null : order.paidAt === null;
  if (movesMoney && order.userId === by.userId) return "auth.own_account";
  if (to !== "FAILED" && !order.paidAt && !paidInCash) return "order.unpaid";
  if (held?.ids.has(order.id)) return held.code;
  return null;
}
