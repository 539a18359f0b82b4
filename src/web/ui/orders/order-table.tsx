// Table of orders, which become cards on a phone.
import type { ReactNode } from "react";
import type { OrderRow } from "../../../core/orders/queries.ts";
import { type OrderStatus, TRANSITIONS } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { operatorName, orderedBundle } from "../../../shared/operators.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Sheet } from "../../html.tsx";
import { Form } from "../form.tsx";
import { OperatorTag } from "../frame/icons.tsx";
import { Permit, usePermissions } from "../frame/permitted.tsx";
import { Money, StatusChip } from "../parts.tsx";
import { When } from "../when.tsx";

type Props = {
  orders: OrderRow[];
  /** For admins: shows whose orders they are. */
  showsUser?: boolean;
  /** The form that the rows' checkboxes belong to. */
  selectForm?: string;
  /** The page to return to from the rows' status buttons, for those who may press them; without it there are none. */
  returnPath?: string;
};

export function OrderTable({ orders, showsUser, selectForm, ...props }: Props) {
  const { may } = usePermissions();
  const returnPath = may("orders.work") || may("orders.refund") ? props.returnPath : undefined;
  return (
    <>
      <Sheet name="tables" />
      <div className="scroll">
        <table className={`cards orders ${showsUser ? "of-all" : ""} ${looksOf(selectForm, returnPath)}`}>
          <thead>
            <tr>
              {selectForm && (
                <th>
                  <span className="sr" data-desk="all" data-form={selectForm}>
                    Select
                  </span>
                </th>
              )}
              <th>ID</th>
              <th>Number</th>
              {showsUser && <th>Agent</th>}
              {showsUser && <th>Operator</th>}
              <th>Bundle</th>
              <th className="num">Amount</th>
              <th>Status</th>
              <th>Date</th>
              {returnPath && <th>Actions</th>}
            </tr>
          </thead>
          <tbody data-rows="">
            {orders.map((order) => (
              <OrderLine key={order.id} order={order} {...{ showsUser, selectForm, returnPath }} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Rows with a box to tick keep its place free in cards; rows that only lead to their order are a link as a whole. */
function looksOf(selectForm: string | undefined, returnPath: string | undefined): string {
  if (selectForm) return "ticked";
  return returnPath ? "" : "whole";
}

type LineProps = { order: OrderRow } & {
  [Name in keyof Omit<Props, "orders">]: Props[Name] | undefined;
};

function OrderLine({ order, showsUser, selectForm, returnPath }: LineProps) {
  return (
    <tr className={order.status === "COMPLETED" ? "completed" : undefined}>
      {selectForm && (
        <td className="at-select">
          <label className="check">
            <input type="checkbox" name="ids" value={order.id} form={selectForm} />
            <span className="sr">Select order {order.id}</span>
          </label>
        </td>
      )}
      <td className="at-id">
        <a href={`/orders/${order.id}`}>#{order.id}</a>
      </td>
      <td className="at-title money" title={showsUser ? `User ${order.userId}` : undefined}>
        {spacedMsisdn(order.msisdn)}
      </td>
      {showsUser && (
        <td className="at-owner" title={`User ${order.userId}`}>
          <bdi>{order.username}</bdi> <span className="soft small">ID {order.userId}</span>
        </td>
      )}
      {showsUser && (
        <td className="at-network">
          <OperatorTag operator={order.operator} />
        </td>
      )}
      <td className="at-what">
        <span>
          {!showsUser && (
            <>
              <span className={`dot ${order.operator}`} aria-hidden="true" />{" "}
              <span className="sr">{operatorName(order.operator)}: </span>
            </>
          )}
          <bdi>{orderedBundle(order)}</bdi>
          {order.quantity > 1 && ` × ${order.quantity}`}
        </span>
        {/* In a card the rest of the row is one line; its link, which is the whole card, names the order. */}
        <span className="in-cards">
          {" "}
          #{order.id} · <When at={order.createdAt} />
          {showsUser && (
            <span className="whose">
              {" · "}
              <bdi>{order.username}</bdi>
            </span>
          )}
        </span>
      </td>
      <td className="at-end num">
        <Money pesewas={order.amountPesewas} />
      </td>
      <td className="at-state" data-order={order.id}>
        <StatusChip status={order.status} isPaid={order.paidAt !== null} />
      </td>
      <td className="at-date small soft">
        <When at={order.createdAt} />
      </td>
      {returnPath && (
        <td className="at-actions">
          <MoveButtons order={order} returnPath={returnPath} />
        </td>
      )}
    </tr>
  );
}

export const VERBS: Record<OrderStatus, string> = {
  PENDING: "Pending",
  PAID: "Paid",
  PROCESSING: "Process",
  DELIVERED: "Deliver",
  COMPLETED: "Complete",
  FAILED: "Fail",
};

/**
 * An admin's actions on an order. A fresh one is sent by its route or by the admin. No single tap moves money: failing
 * an order, which needs a reason, and accepting cash for an unpaid one open a second button that states the effect.
 */
function MoveButtons({ order, returnPath }: { order: OrderRow; returnPath: string }) {
  const forward = TRANSITIONS[order.status].filter((to) => to !== "FAILED");
  if (order.status === "FAILED") return null;
  const amount = show(order.amountPesewas);
  const others = forward.filter((to) => to !== "PROCESSING");
  return (
    <div className="actions" data-desk="row" data-name={`order ${order.id}`}>
      {forward.length > 0 && (
        <PermitForward order={order}>
          <MoveForm order={order} returnPath={returnPath}>
            {order.paidAt ? (
              <>
                {forward.includes("PROCESSING") && (
                  <details className="sure">
                    <summary className="tiny quiet">
                      Process …<span className="sr"> order {order.id}</span>
                    </summary>
                    <ProcessButtons order={order} />
                  </details>
                )}
                {others.map((to) => (
                  <MoveButton key={to} order={order} to={to} label={VERBS[to]} />
                ))}
              </>
            ) : (
              <details className="sure">
                <summary className="tiny quiet">
                  Cash …<span className="sr"> for order {order.id}</span>
                </summary>
                <ProcessButtons order={order} cash={amount} />
                {others.map((to) => (
                  <MoveButton
                    key={to}
                    order={order}
                    to={to}
                    flags="cash"
                    label={`I took ${amount} in cash: ${VERBS[to]}`}
                  />
                ))}
              </details>
            )}
          </MoveForm>
        </PermitForward>
      )}
      <FailForm {...{ order, returnPath, amount }} />
    </div>
  );
}

/** For those who may go on with an order: with an unpaid one, that takes cash, and nobody takes their own. */
export function PermitForward({ order, children }: { order: OrderRow; children: ReactNode }) {
  if (usePermissions().isSelf(order.userId) && !order.paidAt) return null;
  return <Permit right="orders.work">{order.paidAt ? children : <Permit right="cash.take">{children}</Permit>}</Permit>;
}

/** For those who may fail an order: nobody refunds their own. */
export function PermitRefund({ order, children }: { order: OrderRow; children: ReactNode }) {
  if (usePermissions().isSelf(order.userId) && order.paidAt) return null;
  return <Permit right="orders.refund">{children}</Permit>;
}

type FormProps = { order: OrderRow; returnPath: string; children: ReactNode };

function MoveForm({ order, returnPath, children }: FormProps) {
  return (
    <Form to="/admin/orders/move" sends={{ ids: order.id, back: returnPath }} isOnce className="actions">
      {children}
    </Form>
  );
}

/** The ways to send a fresh order; `cash` is the amount that was taken for it, if unpaid. */
export function ProcessButtons({ order, cash, isMain }: { order: OrderRow; cash?: string; isMain?: boolean }) {
  const labelFor = (action: string) => (cash ? `I took ${cash} in cash: ${action.toLowerCase()}` : action);
  const flags = (via: string) => (cash ? `${via} cash` : via);
  return (
    <>
      <MoveButton {...{ order, isMain }} to="PROCESSING" flags={flags("route")} label={labelFor("Send by route now")} />
      <MoveButton order={order} to="PROCESSING" flags={flags("desk")} label={labelFor("Send it myself")} />
    </>
  );
}

/** `flags` are the sender, and "cash" for a payment in cash, as the form's target reads them. */
export function MoveButton(props: {
  order: OrderRow;
  to: OrderStatus;
  label: string;
  flags?: string;
  /** What is mostly pressed next. */
  isMain?: boolean | undefined;
}) {
  const { order, to, label, flags, isMain = false } = props;
  return (
    <button
      className={`tiny ${to === "FAILED" ? "danger" : isMain ? "" : "quiet"}`}
      name="to"
      value={flags ? `${to} ${flags}` : to}
      type="submit"
    >
      {label}
      <span className="sr"> order {order.id}</span>
    </button>
  );
}

type FailProps = { order: OrderRow; returnPath: string; amount: string };

/** Fails an order with a reason, and refunds it. */
function FailForm({ order, returnPath, amount }: FailProps) {
  return (
    <PermitRefund order={order}>
      <MoveForm order={order} returnPath={returnPath}>
        <details className="sure">
          <summary className="tiny danger">
            Fail …<span className="sr"> order {order.id}</span>
          </summary>
          <label className="sr" htmlFor={`reason-${order.id}`}>
            Reason for failing order {order.id}
          </label>
          <input
            id={`reason-${order.id}`}
            name="reason"
            required
            maxLength={300}
            placeholder="Why? The agent sees this"
          />
          <MoveButton
            order={order}
            to="FAILED"
            label={order.paidAt ? `Fail and refund ${amount}` : "Fail, nothing was paid"}
          />
        </details>
      </MoveForm>
    </PermitRefund>
  );
}
