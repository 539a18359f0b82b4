// Table of orders, which become cards on a phone.
import type { ReactNode } from "react";
import type { OrderRow } from "../../../core/orders/queries.ts";
import { AFA_SIZE, type OrderStatus, TRANSITIONS } from "../../../shared/domain.ts";
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

export type Transition = {
  to: OrderStatus;
  /** The sender, as the form's target reads it. */
  via?: "route" | "desk";
  label: string;
  /** In a row, where there is less room. */
  shortLabel?: string;
  effect: string;
};

/** The transitions forward that an order allows, the next one first. */
export function transitionsOf({ status, productSize }: OrderRow): Transition[] {
  const transitions = productSize === AFA_SIZE ? OF_REGISTRATIONS : OF_BUNDLES;
  return TRANSITIONS[status].flatMap((target) => transitions.filter(({ to }) => to === target));
}

const OF_BUNDLES: Transition[] = [
  { to: "PROCESSING", via: "route", label: "Send by route now", effect: "A supplier or the desk gets it at once." },
  {
    to: "PROCESSING",
    via: "desk",
    label: "Send it myself",
    effect: "It becomes a desk batch of yours; the agent can no longer cancel it.",
  },
  { to: "DELIVERED", label: VERBS.DELIVERED, effect: "The data has arrived at the number." },
  { to: "COMPLETED", label: VERBS.COMPLETED, effect: "Closed: it has arrived and nothing is left to do." },
];

/** Nobody sends a registration: a person enters it at MTN. */
const OF_REGISTRATIONS: Transition[] = [
  {
    to: "PROCESSING",
    label: "Mark as sent to MTN",
    shortLabel: "Sent",
    effect: "You submitted it to MTN. Its agent can no longer cancel it.",
  },
  {
    to: "COMPLETED",
    label: "Mark as registered",
    shortLabel: "Registered",
    effect: "MTN has registered the number.",
  },
];

/**
 * An admin's actions on an order. A fresh one is sent by its route or by the admin. No single tap moves money: failing
 * an order, which needs a reason, and accepting cash for an unpaid one open a second button that states the effect.
 */
function MoveButtons({ order, returnPath }: { order: OrderRow; returnPath: string }) {
  const { may } = usePermissions();
  if (order.status === "FAILED") return null;
  const transitions = transitionsOf(order);
  const amount = show(order.amountPesewas);
  const sending = order.paidAt && may("orders.work") ? transitions.filter(({ via }) => via) : [];
  const others = transitions.filter((transition) => !sending.includes(transition));
  return (
    // Who sends it is chosen in the row's menu, where there is one.
    <div
      className="actions"
      data-desk="row"
      data-name={`order ${order.id}`}
      data-all={sending.length > 0 ? SEND : undefined}
    >
      {transitions.length > 0 && (
        <PermitForward order={order}>
          <MoveForm order={order} returnPath={returnPath}>
            {sending.length > 0 && (
              <details className="sure pick">
                <summary className="tiny quiet">
                  {SEND}
                  <span className="sr"> order {order.id}</span>
                </summary>
                <MoveButtonList transitions={sending} order={order} />
              </details>
            )}
            {order.paidAt ? (
              <MoveButtonList transitions={others} order={order} />
            ) : (
              <details className="sure">
                <summary className="tiny quiet">
                  Cash …<span className="sr"> for order {order.id}</span>
                </summary>
                <MoveButtonList transitions={others} order={order} cash={amount} />
              </details>
            )}
          </MoveForm>
        </PermitForward>
      )}
      <FailForm {...{ order, returnPath, amount }} />
    </div>
  );
}

const SEND = "Process …";

function MoveButtonList({ transitions, ...shown }: { transitions: Transition[]; order: OrderRow; cash?: string }) {
  return transitions.map((transition) => (
    <MoveButton key={transition.label} {...transition} label={transition.shortLabel ?? transition.label} {...shown} />
  ));
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

type ButtonProps = Omit<Transition, "effect" | "shortLabel"> & {
  order: OrderRow;
  /** The amount that was taken for it in cash, if it is unpaid. */
  cash?: string | undefined;
  /** What is mostly pressed next. */
  isMain?: boolean;
};

/** Its value is the target, the sender, and "cash" for a payment in cash, as the form's target reads them. */
export function MoveButton({ order, to, via, label, cash, isMain = false }: ButtonProps) {
  const value = [to, via, cash && "cash"].filter(Boolean).join(" ");
  return (
    <button
      className={`tiny ${to === "FAILED" ? "danger" : isMain ? "" : "quiet"}`}
      name="to"
      value={value}
      type="submit"
    >
      {cash ? `I took ${cash} in cash: ${via ? label.toLowerCase() : label}` : label}
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
          <input id={`reason-${order.id}`} name="reason" required maxLength={300} placeholder="Why? Agent sees it" />
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
