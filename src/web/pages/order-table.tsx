// Orders in a table: rows where there is room, cards on a phone.
import type { OrderRow } from "../../core/order-lists.ts";
import { MOVES, type OrderStatus } from "../../shared/domain.ts";
import { spacedMsisdn } from "../../shared/msisdn.ts";
import { Moment, Money, OperatorTag, StatusChip } from "../parts.tsx";

type Props = {
  orders: OrderRow[];
  /** Whose orders they are, for admins. */
  showsUser?: boolean;
  /** The form that the rows' checkboxes belong to. */
  selectForm?: string;
  /** Where the rows' status buttons lead back to; without it there are none. */
  movesBackTo?: string;
};

export function OrderTable({ orders, showsUser, selectForm, movesBackTo }: Props) {
  return (
    <div className="scroll">
      <table className="cards">
        <thead>
          <tr>
            {selectForm && (
              <th>
                <span className="sr">Select</span>
              </th>
            )}
            <th>ID</th>
            {showsUser && <th>User</th>}
            <th>Number</th>
            <th>Bundle</th>
            <th className="num">Amount</th>
            <th>Status</th>
            <th>Date</th>
            {movesBackTo && <th>Actions</th>}
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id}>
              {selectForm && (
                <td>
                  <label className="check">
                    <input type="checkbox" name="ids" value={order.id} form={selectForm} />
                    <span className="sr">Select order {order.id}</span>
                  </label>
                </td>
              )}
              <td>
                <a className="id" href={`/orders/${order.id}`}>
                  #{order.id}
                </a>
              </td>
              {showsUser && (
                <td title={`User ${order.userId}`}>
                  <bdi>{order.username}</bdi>
                </td>
              )}
              <td className="money">{spacedMsisdn(order.msisdn)}</td>
              <td>
                <OperatorTag operator={order.operator} /> {order.productSize}
                {order.quantity > 1 && ` × ${order.quantity}`}
              </td>
              <td className="num">
                <Money pesewas={order.amountPesewas} />
              </td>
              <td>
                <StatusChip status={order.status} isPaid={order.paidAt !== null} />
              </td>
              <td className="small soft">
                <Moment at={order.createdAt} />
              </td>
              {movesBackTo && (
                <td className="full">
                  <MoveButtons order={order} backTo={movesBackTo} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const VERBS: Record<OrderStatus, string> = {
  PENDING: "Pending",
  PAID: "Paid",
  PROCESSING: "Process",
  DELIVERED: "Deliver",
  COMPLETED: "Complete",
  FAILED: "Fail",
};

/** What an admin may do with an order. One that is not paid moves on only as paid in cash, said in so many words. */
export function MoveButtons({ order, backTo }: { order: OrderRow; backTo: string }) {
  const targets = MOVES[order.status];
  if (targets.length === 0) return null;
  return (
    <form method="post" action="/admin/orders/move" className="actions">
      <input type="hidden" name="ids" value={order.id} />
      <input type="hidden" name="back" value={backTo} />
      <input type="hidden" name="key" value={crypto.randomUUID()} />
      {targets.map((to) => {
        const isCash = !order.paidAt && to !== "FAILED";
        return (
          <button
            key={to}
            className={`tiny ${to === "FAILED" ? "danger" : "quiet"}`}
            name="to"
            value={isCash ? `${to} cash` : to}
            type="submit"
          >
            {VERBS[to]}
            {isCash && ", paid in cash"}
            <span className="sr"> order {order.id}</span>
          </button>
        );
      })}
    </form>
  );
}
