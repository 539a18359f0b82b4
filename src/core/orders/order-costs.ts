// Costs of orders: the estimate of the sale, until its delivery shows who delivered it and for how much.
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { DESK, type OrderStatus } from "../../shared/domain.ts";
import * as costs from "../catalog/costs.ts";
import type { Order } from "./order.ts";

/** As `settle`, for orders after a transition: a failure takes a final cost away, a delivery gives one. */
export async function followTransition(tx: Tx, moved: readonly Order[], to: OrderStatus): Promise<void> {
  if (to === "PROCESSING") return;
  const concerned = moved.filter(({ isCostFinal }) => isCostFinal === (to === "FAILED"));
  await settle(
    tx,
    concerned.map(({ id }) => id),
  );
}

/**
 * Writes the costs of orders after a delivery, a failure or a late report, in the caller's transaction, which has
 * locked them. Idempotent.
 *
 * A delivered order costs what its vendor charged for it, and this is final. A vendor that does not report charges, or
 * the desk, takes the cost that was known of it when it was sent, or that was entered since; the desk's is final,
 * because nobody will report another. Without one the cost is not known: the estimate was another vendor's. A failed
 * order's is never final: what its late delivery costs is its loss's.
 */
export async function settle(tx: Tx, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length === 0) return;
  await tx.execute(sql`
    update orders o set cost_pesewas = s.cost, is_cost_final = s.is_final
    from (
      select o.id, o.cost_pesewas as cost, false as is_final
      from orders o where o.id = any(${sql.param(orderIds)}::bigint[]) and o.status = 'FAILED'
      union all
      select o.id, coalesce(a.cost_pesewas, k.cost_pesewas * o.quantity),
             a.cost_pesewas is not null or (a.vendor = ${DESK} and k.cost_pesewas is not null)
      from orders o
      join lateral (
        select a.vendor, a.cost_pesewas, a.sent_at from attempts a
        where a.order_id = o.id and a.state not in ('queued', 'failed', 'refunded', 'withdrawn')
        union all
        select ${DESK}, null, o.paid_at from products p
        where p.id = o.product_id and p.line = 'afa'
        limit 1) a on true
      cross join lateral (select ${costs.knownWhenSent} as cost_pesewas offset 0) k
      where o.id = any(${sql.param(orderIds)}::bigint[]) and o.status in ('DELIVERED', 'COMPLETED')
        -- A cost that was known then is not replaced by a newer one.
        and (a.cost_pesewas is not null or not o.is_cost_final)) s
    where s.id = o.id and (o.cost_pesewas, o.is_cost_final) is distinct from (s.cost, s.is_final)`);
}
