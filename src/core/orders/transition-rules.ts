// The rules of transitions: the table of statuses, the ban on moving one's own money, and what blocks an order.
import { and, eq, isNull, lt } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { products } from "../../../db/schema/catalog.ts";
import { orders } from "../../../db/schema/orders.ts";
import { type ByUser, type DeliveryKind, type OrderStatus, type Sender, TRANSITIONS } from "../../shared/domain.ts";
import type { ErrorCode } from "../../shared/errors/app-error.ts";
import { requireRight } from "../../shared/rights.ts";
import { isAmong } from "../platform/sql.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import * as afaHolds from "./afa-holds.ts";
import * as attempts from "./attempts.ts";
import * as holds from "./holds.ts";
import type { Order } from "./order.ts";

/**
 * A requested transition: the target status, the reason, and whether the admin took the money for unpaid orders in
 * cash. `via`: who sends bundles that go to PROCESSING, the admin at the desk (default) or their route.
 * `freesRegistration`: MTN has no such AFA registration, so a refund frees card and number.
 */
export type TransitionRequest = {
  to: OrderStatus;
  reason?: string | undefined;
  paidInCash?: boolean;
  via?: Sender | undefined;
  freesRegistration?: boolean | undefined;
  /** What agents read instead of the reason, which is then for admins only, as a vendor's or portal's message. */
  kind?: DeliveryKind | undefined;
};

/**
 * What makes two requests the same under an idempotency key. Optional fields are left out when absent, so that keys
 * from before they existed still match.
 */
export function contentOf({ to, reason, paidInCash, via, freesRegistration }: TransitionRequest): unknown[] {
  const rare = [...(via === "route" ? [via] : []), ...(freesRegistration ? ["frees"] : [])];
  return [to, reason ?? null, paidInCash ?? false, ...rare];
}

/**
 * Refuses whoever may not ask for this transition: failing orders, which refunds them, and going on with them are two
 * rights, and cash is a third. Throws auth.forbidden.
 */
export function requireRightTo(by: ByUser, { to, paidInCash }: TransitionRequest): void {
  requireRight(by, to === "FAILED" ? "orders.refund" : "orders.work");
  if (paidInCash && to !== "FAILED") requireRight(by, "cash.take");
}

/** Orders whose transition is blocked for now, and why. */
export type Blocked = { code: ErrorCode; ids: Set<number> };

/**
 * Those of these orders that are blocked: one with an open dispute cannot be completed; one at a vendor cannot be given
 * to anybody else, and one that is held to nobody by hand; an AFA registration cannot be refused without a reason,
 * which its agent reads; and cash is not taken for less than the lowest price.
 */
export async function findBlocked(
  tx: Reads,
  ids: number[],
  { to, reason, paidInCash, via }: TransitionRequest,
): Promise<Blocked[]> {
  const tooCheap = paidInCash && to !== "FAILED" ? await unpaidTooCheap(tx, ids) : new Set<number>();
  const blocked: Blocked[] = [{ code: "order.below_cost", ids: tooCheap }];
  if (to === "COMPLETED") blocked.push({ code: "order.case_open", ids: await disputedOrders.among(tx, ids) });
  if (to === "PROCESSING") blocked.push({ code: "order.handed_over", ids: await attempts.dispatchedAmong(tx, ids) });
  // Whose route sends them waits for the end of the hold by itself.
  if (to === "PROCESSING" && via !== "route") blocked.push({ code: "order.held", ids: await holds.among(tx, ids) });
  if (to === "FAILED" && !reason?.trim())
    blocked.push({ code: "afa.reason_missing", ids: await afaHolds.among(tx, ids) });
  return blocked;
}

/** Those of these orders that are not paid yet, at a price at which their bundle is no longer sold. */
async function unpaidTooCheap(tx: Reads, ids: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(products, eq(products.id, orders.productId))
    .where(
      and(isAmong(orders.id, ids), isNull(orders.paidAt), lt(orders.unitPricePesewas, products.lowestPricePesewas)),
    );
  return new Set(rows.map(({ id }) => id));
}

/** Why an order may not make this transition; null when it may. */
export function transitionRefusal(
  order: Order,
  by: ByUser,
  { to, paidInCash }: TransitionRequest,
  blocked: readonly Blocked[],
): ErrorCode | null {
  if (!TRANSITIONS[order.status].includes(to)) return "order.move_not_allowed";
  // Admins get their own money back as every buyer does: by cancelling, by the deadline, or from another admin.
  const movesMoney = to === "FAILED" ? order.paidAt !== null : order.paidAt === null;
  if (movesMoney && order.userId === by.userId) return "auth.own_account";
  if (to !== "FAILED" && !order.paidAt && !paidInCash) return "order.unpaid";
  return blocked.find(({ ids }) => ids.has(order.id))?.code ?? null;
}
