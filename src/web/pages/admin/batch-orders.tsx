// Orders of a desk batch: the open ones first, and a short list until all are requested.
import type * as desk from "../../../core/fulfilment/desk.ts";
import { spacedMsisdn } from "../../../shared/msisdn.ts";
import { Money, StatusChip } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table.tsx";

/** Length of the short list. */
const SHOWN = 50;

type TableProps = { orders: desk.BatchOrder[]; path: string; showsAll: boolean };

const COLUMNS: Column<desk.BatchOrder>[] = [
  { head: "Order", cell: ({ id }) => <a href={`/orders/${id}`}>#{id}</a> },
  { head: "Number", className: "money", cell: ({ msisdn }) => spacedMsisdn(msisdn) },
  {
    head: "Bundle",
    cell: ({ productSize, quantity }) => (
      <bdi>
        {productSize}
        {quantity > 1 && ` × ${quantity}`}
      </bdi>
    ),
  },
  { head: "Amount", cell: ({ amountPesewas }) => <Money pesewas={amountPesewas} /> },
  { head: "Status", cell: ({ status, paidAt }) => <StatusChip status={status} isPaid={paidAt !== null} /> },
];

export function BatchTable({ orders, path, showsAll }: TableProps) {
  const sorted = orders.toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen));
  const shown = showsAll ? sorted : sorted.slice(0, SHOWN);
  return (
    <Table rows={shown} columns={COLUMNS} empty="All orders were returned to the desk.">
      {shown.length < orders.length && (
        <p className="after">
          <a href={`${path}?all=1`}>Show all {orders.length.toLocaleString("en")} orders</a>
        </p>
      )}
    </Table>
  );
}

/** A warning about bundles whose size is not in GB, which portals do not accept. */
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
