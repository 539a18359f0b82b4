// Orders of a desk batch: by network and size, to be copied into a portal, and one by one, the open ones first, in a
// short list until all are requested.
import { CopyText } from "../../../../../islands/copy-text.tsx";
import type * as desk from "../../../../core/fulfilment/desk/desk.ts";
import { localMsisdn, spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { Island } from "../../../island.tsx";
import { OperatorTag } from "../../../ui/frame/icons.tsx";
import { Money, StatusChip } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { sizeName } from "./desk.tsx";

/** Length of the short list. */
const SHOWN = 50;

type TableProps = { orders: desk.BatchOrder[]; path: string; showsAll: boolean };

const COLUMNS: Column<desk.BatchOrder>[] = [
  { head: "Order", cell: ({ id }) => <a href={`/orders/${id}`}>#{id}</a> },
  { head: "Number", isPlainInCards: true, className: "money", cell: ({ msisdn }) => spacedMsisdn(msisdn) },
  {
    head: "Bundle",
    isPlainInCards: true,
    className: "below",
    cell: ({ productSize, quantity }) => (
      <bdi>
        {productSize}
        {quantity > 1 && ` × ${quantity}`}
      </bdi>
    ),
  },
  {
    head: "Amount",
    isPlainInCards: true,
    isNumber: "wide",
    className: "below",
    cell: ({ amountPesewas }) => <Money pesewas={amountPesewas} />,
  },
  {
    head: "Status",
    isPlainInCards: true,
    className: "end",
    cell: ({ status, paidAt, isEntered }) =>
      isEntered ? (
        <span className="chip info">Result entered</span>
      ) : (
        <StatusChip status={status} isPaid={paidAt !== null} />
      ),
  },
];

export function BatchTable({ orders, path, showsAll }: TableProps) {
  const sorted = orders.toSorted((a, b) => rank(a) - rank(b));
  const shown = showsAll ? sorted : sorted.slice(0, SHOWN);
  return (
    <Table rows={shown} columns={COLUMNS} className="lines" empty="All orders were returned to the desk.">
      {shown.length < orders.length && (
        <p className="after">
          <a href={`${path}?all=1`}>Show all {orders.length.toLocaleString("en")} orders</a>
        </p>
      )}
    </Table>
  );
}

type Group = { name: string; first: desk.BatchOrder; orders: number; numbers: string[]; pesewas: number };

/** The orders to be sent by network and size: how many, and their numbers, one line for each bundle. */
export function SizeGroups({ orders }: { orders: desk.BatchOrder[] }) {
  const groups = [...Map.groupBy(orders, (order) => `${order.operator} ${sizeName(order.operator, order)}`)]
    .map(([, some]): Group => {
      const first = some[0]!;
      return {
        name: sizeName(first.operator, first),
        first,
        orders: some.length,
        numbers: some.flatMap(({ msisdn, quantity }) => Array.from({ length: quantity }, () => localMsisdn(msisdn))),
        pesewas: some.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0),
      };
    })
    .toSorted(
      (a, b) => a.first.operator.localeCompare(b.first.operator) || (a.first.volumeMb ?? 0) - (b.first.volumeMb ?? 0),
    );
  return (
    <section className="card" data-live="batch-groups">
      <h2>To be sent</h2>
      <Table rows={groups} columns={GROUPS} />
    </section>
  );
}

const GROUPS: Column<Group>[] = [
  {
    head: "Size",
    cell: ({ first, name }) => (
      <>
        <OperatorTag operator={first.operator} /> <strong>{name}</strong>
      </>
    ),
  },
  {
    head: "Orders",
    isNumber: "wide",
    cell: ({ orders, numbers }) => (
      <>
        {orders.toLocaleString("en")}
        {numbers.length > orders && <span className="soft"> ({numbers.length} bundles)</span>}
      </>
    ),
  },
  { head: "Amount", isNumber: "wide", className: "end", cell: ({ pesewas }) => <Money pesewas={pesewas} /> },
  {
    head: "Numbers",
    isPlainInCards: true,
    className: "full",
    cell: ({ name, numbers }) => (
      <div className="numbers">
        <Island
          component={CopyText}
          props={{ text: numbers.join("\n"), label: `the ${numbers.length} numbers of ${name}` }}
          on="idle"
        />
        <details>
          <summary className="small">Show</summary>
          <label>
            <span className="sr">Numbers of {name}</span>
            <textarea readOnly rows={Math.min(numbers.length, 8)} defaultValue={numbers.join("\n")} />
          </label>
        </details>
      </div>
    ),
  },
];

/** What needs a result comes first, then what has one that waits. */
function rank({ isOpen, isEntered }: desk.BatchOrder): number {
  return isOpen ? (isEntered ? 1 : 0) : 2;
}

/** A warning about bundles whose size is not in GB, which portals do not accept. */
export function OddSizes({ orders }: { orders: desk.BatchOrder[] }) {
  const odd = orders.filter(({ volumeMb }) => volumeMb === null);
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
