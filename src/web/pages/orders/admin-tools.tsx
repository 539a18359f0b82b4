// Admins' additions to the list of all orders: counts by status, and transitions of many orders at once.
import * as dailyTotals from "../../../core/orders/daily-totals.ts";
import { ADMIN_TARGETS, STATUSES } from "../../../shared/domain.ts";
import { CHIP_OF_STATUS } from "../../../shared/orders/status-chips.ts";
import type { Context } from "../../page.tsx";
import { Form } from "../../ui/form.tsx";
import { Permit } from "../../ui/frame/permitted.tsx";
import { VERBS } from "../../ui/orders/order-table.tsx";

type Counts = Awaited<ReturnType<typeof dailyTotals.statusCounts>>;

/** The shop's number of orders by status. */
export function countOrders(db: Context["db"]): Promise<Counts> {
  return dailyTotals.statusCounts(db);
}

/** The counts, each linked to the list of its orders. */
export function OrderStatistics({ counts }: { counts: Counts }) {
  const total = STATUSES.reduce((sum, status) => sum + counts[status], 0);
  return (
    <nav className="statistics" aria-label="Order statistics">
      <a href="/orders?all=1">
        <span className="soft small">Total Orders</span>
        <strong>{total.toLocaleString("en")}</strong>
      </a>
      {STATUSES.map((status) => (
        <a key={status} href={`/orders?status=${status}`}>
          <span className={`chip ${CHIP_OF_STATUS[status]}`}>
            <span>{status}</span>
          </span>
          <strong>{counts[status].toLocaleString("en")}</strong>
        </a>
      ))}
    </nav>
  );
}

type MoveProps = { backTo: string; query: string; shownIds: number[] };

/** Takes the ticked rows, all rows of the page, or all orders that match the filter, after a preview. */
export function BulkMoveForm({ backTo, query, shownIds }: MoveProps) {
  return (
    <Form
      to="/admin/orders/move"
      sends={{ back: backTo, bulk: "yes", query, shown: shownIds.join(",") }}
      isOnce
      id="bulk-move"
      className="actions bulk"
    >
      <label className="sr" htmlFor="scope">
        Which orders
      </label>
      <select id="scope" name="scope" className="tiny">
        <option value="ticked">Selected orders</option>
        <option value="shown">All on this page ({shownIds.length})</option>
        <option value="matching">All orders that match</option>
      </select>
      {ADMIN_TARGETS.map((to) => (
        <Permit key={to} right={to === "FAILED" ? "orders.refund" : "orders.work"}>
          <button
            className={`tiny ${to === "FAILED" ? "danger" : "quiet"}`}
            name="to"
            value={to}
            type="submit"
            data-verb={VERBS[to]}
          >
            {VERBS[to]}
          </button>
        </Permit>
      ))}
    </Form>
  );
}
