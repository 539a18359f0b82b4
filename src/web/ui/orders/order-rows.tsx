// An agent's orders as rows.
import type { ShownOrder } from "../../../core/orders/queries.ts";
import { AFA_SIZE } from "../../../shared/domain.ts";
import { operatorName, orderedBundleWithin } from "../../../shared/operators.ts";
import { CHIP_OF_STATE, stateOf } from "../../../shared/orders/order-states.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { buyPath } from "../../paths.ts";
import { Icon, NetworkBadge } from "../frame/icons.tsx";
import { Money } from "../parts.tsx";
import { Ago, RowLink, RowList, RowsByDay } from "../rows.tsx";
import { CustomerName } from "./customer-name.tsx";

/** Orders, and the names of those of their customers that have one, by number. */
type RowsProps = { orders: readonly ShownOrder[]; names: ReadonlyMap<string, string> };

/** Orders under the headings of their days. */
export function OrdersByDay({ orders, names }: RowsProps) {
  return (
    <RowsByDay
      items={orders}
      at={({ createdAt }) => createdAt}
      row={(order) => <OrderRow key={order.id} order={order} name={names.get(order.msisdn)} />}
    />
  );
}

/** Orders of any day, each with its date unless it is of today. */
export function OrderRows({ orders, names, label }: RowsProps & { label: string }) {
  return (
    <RowList label={label}>
      {orders.map((order) => (
        <OrderRow key={order.id} order={order} name={names.get(order.msisdn)} hasDay />
      ))}
    </RowList>
  );
}

type RowProps = { order: ShownOrder; name: string | undefined; hasDay?: boolean };

/** An order as a row, with a link to buy the same again. */
function OrderRow({ order, name, hasDay = false }: RowProps) {
  const size = sizeOf(order);
  return (
    <RowLink
      href={`/orders/${order.id}`}
      lead={<NetworkBadge operator={order.operator} />}
      title={
        <>
          <span className="sr">{operatorName(order.operator)} </span>
          <CustomerName msisdn={order.msisdn} name={name} />
        </>
      }
      line={
        <>
          <span>
            <bdi>{size}</bdi>
            {order.quantity > 1 && ` × ${order.quantity}`}
          </span>{" "}
          <span className="order-id">#{order.id}</span> <Ago at={order.createdAt} hasDay={hasDay} />
        </>
      }
      amount={<Money pesewas={order.amountPesewas} />}
      state={<StateChip order={order} />}
      action={isAgain(order) && <AgainLink order={order} size={size} />}
    />
  );
}

/** The state of an order as its agent reads it, in one chip, which a list's script replaces when it changes. */
export function StateChip({ order }: { order: ShownOrder }) {
  const state = stateOf(order);
  return (
    <span data-order={order.id}>
      <span className={`chip ${CHIP_OF_STATE[state]}`}>
        <span>{state}</span>
      </span>
    </span>
  );
}

/** A link that buys the newest of these orders again; nothing when there is none. */
export function RepeatLink({ orders }: { orders: readonly ShownOrder[] }) {
  const last = orders.find(isAgain);
  if (!last) return null;
  return (
    <a className="card repeat" href={againPath(last)}>
      <Icon name="again" />
      <span>
        <span className="soft small">Repeat last order: </span>
        <strong>
          {last.quantity > 1 && `${last.quantity} × `}
          <bdi>{sizeOf(last)}</bdi> to <span className="money">{spacedMsisdn(last.msisdn)}</span>
        </strong>
      </span>
      <NetworkBadge operator={last.operator} />
    </a>
  );
}

/**
 * Whether a list offers the same sale again. Registrations need a person's details; an order that was cancelled, failed
 * or never paid is often a wrong number, and is bought again from its own page at most.
 */
function isAgain({ productSize, paidAt, status }: ShownOrder): boolean {
  return productSize !== AFA_SIZE && paidAt !== null && status !== "FAILED";
}

/** The sale of an order, to be made again. */
function againPath({ msisdn, productId, quantity }: ShownOrder): string {
  return buyPath({ msisdn, productId, quantity, again: true });
}

/** Without the name of the network, which the badge says: "1GB", "BigTime 15GB", "AFA registration". */
function sizeOf(order: ShownOrder): string {
  return orderedBundleWithin(order);
}

function AgainLink({ order, size }: { order: ShownOrder; size: string }) {
  const label = `Buy ${size} for ${spacedMsisdn(order.msisdn)} again`;
  return (
    <a className="row-act" href={againPath(order)} aria-label={label} title="Buy again">
      <Icon name="again" />
    </a>
  );
}
