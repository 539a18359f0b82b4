// The orders of a desk batch: the open ones first, and a short list until all are asked for.
import type * as desk from "../../../core/fulfilment/desk.ts";
import { spacedMsisdn } from "../../../shared/msisdn.ts";
import { Money, StatusChip } from "../../ui/parts.tsx";

/** So many orders are shown at first, the open ones before the others. */
const SHOWN = 50;

type TableProps = { orders: desk.BatchOrder[]; path: string; showsAll: boolean };

export function BatchTable({ orders, path, showsAll }: TableProps) {
  const sorted = orders.toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen));
  const shown = showsAll ? sorted : sorted.slice(0, SHOWN);
  return (
    <div className="scroll">
      <table className="cards">
        <thead>
          <tr>
            <th>Order</th>
            <th>Number</th>
            <th>Bundle</th>
            <th>Amount</th>
            <th>Status</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((order) => (
            <tr key={order.id}>
              <td>
                <a href={`/orders/${order.id}`}>#{order.id}</a>
              </td>
              <td className="money">{spacedMsisdn(order.msisdn)}</td>
              <td>
                <bdi>
                  {order.productSize}
                  {order.quantity > 1 && ` × ${order.quantity}`}
                </bdi>
              </td>
              <td>
                <Money pesewas={order.amountPesewas} />
              </td>
              <td>
                <StatusChip status={order.status} isPaid={order.paidAt !== null} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < orders.length && (
        <p className="after">
          <a href={`${path}?all=1`}>Show all {orders.length.toLocaleString("en")} orders</a>
        </p>
      )}
    </div>
  );
}

/** Bundles whose size is no number of GB: the portal does not take such lines. */
export function OddSizes({ orders }: { orders: desk.BatchOrder[] }) {
  const odd = orders.filter(({ isOpen, volumeMb }) => isOpen && volumeMb === null);
  if (odd.length === 0) return null;
  return (
    <p className="note warn">
      {odd.length} {odd.length === 1 ? "order has" : "orders have"} a size that is not in GB. Send{" "}
      {odd.length === 1 ? "it" : "them"} by hand:{" "}
      {odd.slice(0, 10).map(({ id, productSize }, i) => (
        <span key={id}>
          {i > 0 && ", "}
          <a href={`/orders/${id}`}>#{id}</a> (<bdi>{productSize}</bdi>)
        </span>
      ))}
      {odd.length > 10 && " …"}
    </p>
  );
}
