// Vendors' charges, from their reports: kept on the attempt whenever they arrive, and from there on the order, its
// loss, and the costs of bundles.
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import * as costs from "../catalog/costs.ts";
import * as losses from "../orders/losses.ts";
import * as orderCosts from "../orders/order-costs.ts";
import type { DeliveryReport } from "./attempt-states.ts";

/** An attempt whose charge is new. */
export type Charged = {
  id: number;
  order_id: number;
  vendor: string;
  cost: number;
  product_id: number;
  quantity: number;
  sent_at: string | null;
};

/**
 * Keeps the charges in these reports on their attempts, in the caller's transaction, which has locked orders and
 * attempts; returns the new ones. A report of a failure says what was not charged.
 */
export async function keep(
  tx: Tx,
  reports: readonly { attemptId: number; report: DeliveryReport }[],
): Promise<readonly Charged[]> {
  const rows = reports.flatMap(({ attemptId: id, report }) => {
    const isCharged = report.kind === "state" && report.state !== "failed" && report.state !== "refunded";
    return isCharged && report.costPesewas != null ? [{ id, cost: report.costPesewas }] : [];
  });
  if (rows.length === 0) return [];
  return tx.execute<Charged>(sql`
    update attempts a set cost_pesewas = n.cost
    from json_to_recordset(${JSON.stringify(rows)}::json) as n(id bigint, cost bigint), orders o
    where a.id = n.id and o.id = a.order_id and a.sent_at is not null and a.cost_pesewas is distinct from n.cost
    returning a.id, a.order_id, a.vendor, a.cost_pesewas as cost, o.product_id, o.quantity, a.sent_at`);
}

/** Passes charges on to orders, losses and costs, last in the same transaction. */
export async function passOn(tx: Tx, charged: readonly Charged[]): Promise<void> {
  if (charged.length === 0) return;
  await orderCosts.settle(
    tx,
    charged.map((row) => row.order_id),
  );
  await losses.correctCosts(
    tx,
    charged.map(({ id }) => id),
  );
  await costs.record(tx, charged.flatMap(chargeOfOne));
}

/**
 * The charge for one of the bundle. Three of 1 GB are sent as 3 GB, which a vendor may price as a package of its own,
 * so that a third of it is nobody's price: only orders of one teach what one costs. A charge of nothing teaches nothing
 * either: taken for the cost, it would open the margin guard.
 */
function chargeOfOne({ product_id, vendor, cost, quantity, sent_at }: Charged): costs.Charge[] {
  if (sent_at === null || quantity !== 1 || cost === 0) return [];
  return [{ productId: product_id, vendor, costPesewas: cost, at: new Date(sent_at) }];
}
