// An admin's actions on one order: transitions, a refund, notes.
import { z } from "zod";
import * as holders from "../../../core/fulfilment/holders.ts";
import type { BundleVendor } from "../../../core/fulfilment/vendor.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import type { OrderRow } from "../../../core/orders/queries.ts";
import { refund } from "../../../core/orders/refund.ts";
import * as takenBack from "../../../core/orders/taken-back-refunds.ts";
import * as timeline from "../../../core/orders/timeline.ts";
import { isOpen, limits, type OrderStatus, TRANSITIONS } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Reason } from "../../../shared/inputs.ts";
import { show } from "../../../shared/money.ts";
import { localMsisdn } from "../../../shared/phones/msisdn.ts";
import { does } from "../../does.ts";
import { actionsOf, type Refused, readId, redirect } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { refusedFor } from "../../ui/action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, RefusalNote, TextArea } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { PageLink, Permit } from "../../ui/frame/permitted.tsx";
import { HolderText, RefundWarning } from "../../ui/orders/holder.tsx";
import { MoveButton, PermitForward, ProcessButtons, VERBS } from "../../ui/orders/order-table.tsx";
import { Money, UserLink } from "../../ui/parts.tsx";

/** An order whose refund a person asks for has a reason. */
const Given = z.object({ reason: Reason });

/** Refunds an order, takes a refund back, or adds a note. All throw order.not_found, and their own refusals. */
export const adminActions = actionsOf({
  refund: does(
    refund,
    async ({ orderId }, order, { db }) => {
      const notice = `Order ${orderId} status updated to FAILED.`;
      if (!order.refundedAt) return redirect(`/orders/${orderId}`, notice);
      const balance = show(await wallet.balance(db, order.userId));
      const refunded = `${show(order.amountPesewas)} is refunded: the agent's wallet now holds ${balance}.`;
      return redirect(`/orders/${orderId}`, `${notice} ${refunded}`);
    },
    { orderId: ({ params }) => orderIdOf(params), reason: ({ form }) => readFields(Given, form).reason },
  ),
  takeBack: does(
    takenBack.takeBack,
    ({ orderId, to, amountPesewas }) => {
      const notice = `${show(amountPesewas)} is taken back: order ${orderId} is ${to}, and its agent gets a message.`;
      return redirect(`/orders/${orderId}`, notice);
    },
    { orderId: ({ params }) => orderIdOf(params) },
  ),
  note: does(
    timeline.addNote,
    ({ orderId, isForAgent }) => {
      const notice = isForAgent ? "Note added; the agent can read it." : "Note added, for staff only.";
      return redirect(`/orders/${orderId}`, notice);
    },
    { orderId: ({ params }) => orderIdOf(params), isForAgent: ({ form }) => form.get("forAgent") === "yes" },
  ),
});
export type AdminOrderAction = keyof typeof adminActions;

/** Throws order.not_found. */
export function orderIdOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (!id) throw new AppError("order.not_found");
  return id;
}

type Props = { order: OrderRow; refused?: Refused | undefined };
type HeldProps = Props & { holder: holders.Holder | undefined; vendors: readonly BundleVendor[] };

/** Links from an order: its owner, other orders for the number, its bulk order, its audit log. */
export function OrderLinks({ order }: { order: OrderRow }) {
  const recipient = new URLSearchParams({ search: localMsisdn(order.msisdn), all: "1" });
  return (
    <p className="small links no-paper">
      <UserLink {...order} />
      <a href={`/orders?${recipient}`}>Orders for this number</a>
      {order.bulkOrderId && <a href={`/orders?bulk=${order.bulkOrderId}&all=1`}>Its bulk order</a>}
      <PageLink href={`/admin/audit?type=order&id=${order.id}`}>Changes by staff</PageLink>
    </p>
  );
}

/** The effect of each transition, shown beside its button. */
const EFFECTS: Partial<Record<OrderStatus, string>> = {
  PROCESSING:
    "By route: a vendor or the desk gets it at once. Yourself: it becomes a desk batch of yours, and the agent " +
    "can no longer cancel it.",
  DELIVERED: "The data has arrived at the number.",
  COMPLETED: "Closed: it has arrived and nothing is left to do.",
};

/** The order's allowed transitions with their effects. Failing it opens a dialog that states the consequences. */
export function TransitionCard({
  order,
  balancePesewas,
  holder,
  vendors,
  refused,
}: HeldProps & { balancePesewas: number }) {
  const forward = TRANSITIONS[order.status].filter((to) => to !== "FAILED");
  if (order.status === "FAILED") return null;
  return (
    <section className="card">
      <Permit right="orders.work" otherwise={<h2>Where it is</h2>}>
        <h2>Move this order</h2>
      </Permit>
      {isOpen(order.status) && order.paidAt && (
        <p className="soft">
          Who has it: <HolderText holder={holder} vendors={vendors} />
        </p>
      )}
      <ul className="moves">
        {forward.map((to) => (
          <PermitForward key={to} order={order}>
            <li>
              <MoveForm order={order} to={to} />
              <span className="small soft">{EFFECTS[to]}</span>
            </li>
          </PermitForward>
        ))}
        <Permit right="orders.refund">
          <li>
            <button className="tiny danger" type="button" popoverTarget="refund">
              {order.paidAt ? "Refund …" : "Fail …"}
            </button>
            <span className="small soft">
              {holders.mayDeliver(holder)
                ? "Whoever has it may still deliver it."
                : isOpen(order.status)
                  ? "It will not be delivered."
                  : "It counts as delivered until then."}
              {order.paidAt && (
                <>
                  {" "}
                  <Money pesewas={order.amountPesewas} /> goes back to the wallet. This is final, unless it turns out
                  that the data arrived.
                </>
              )}
            </span>
          </li>
        </Permit>
      </ul>
      <Permit right="orders.refund">
        <RefundDialog
          {...{ order, balancePesewas, holder, vendors }}
          refused={refusedFor<AdminOrderAction>("refund", refused)}
        />
      </Permit>
    </section>
  );
}

/** An unpaid order only moves when the admin confirms, with a second press, a payment in cash. */
function MoveForm({ order, to }: { order: OrderRow; to: OrderStatus }) {
  return (
    <Form to="/admin/orders/move" sends={{ ids: order.id, back: `/orders/${order.id}` }} isOnce>
      {order.paidAt ? (
        to === "PROCESSING" ? (
          <ProcessButtons order={order} />
        ) : (
          <MoveButton order={order} to={to} label={VERBS[to]} />
        )
      ) : (
        <details className="sure">
          <summary className="tiny quiet">{VERBS[to]}, paid in cash …</summary>
          {to === "PROCESSING" ? (
            <ProcessButtons order={order} cash={show(order.amountPesewas)} />
          ) : (
            <MoveButton
              order={order}
              to={to}
              flags="cash"
              label={`I took ${show(order.amountPesewas)} in cash: ${VERBS[to]}`}
            />
          )}
        </details>
      )}
    </Form>
  );
}

function RefundDialog(props: HeldProps & { balancePesewas: number }) {
  const { order, balancePesewas, refused } = props;
  const amount = show(order.amountPesewas);
  return (
    <Dialog id="refund" title={order.paidAt ? "Refund this order" : "Fail this order"} isOpen={!!refused}>
      <RefusalNote refused={refused} />
      <RefundWarning holder={props.holder} vendors={props.vendors} />
      <Form<AdminOrderAction>
        to={`/admin/orders/${order.id}`}
        does="refund"
        refused={refused}
        idPrefix="refund"
        isOnce
        className="fields"
        noValidate
      >
        {order.paidAt ? (
          <dl className="facts">
            <dt>Goes back to</dt>
            <dd>
              <bdi>{order.username}</bdi> (ID {order.userId})
            </dd>
            <dt>Amount</dt>
            <dd>
              <strong>{amount}</strong>
            </dd>
            <dt>Wallet now</dt>
            <dd>
              <Money pesewas={balancePesewas} />
            </dd>
            <dt>Wallet afterwards</dt>
            <dd>
              <Money pesewas={balancePesewas + order.amountPesewas} />
            </dd>
          </dl>
        ) : (
          <p>Nothing was paid, so nothing goes back.</p>
        )}
        <Field
          label="Reason"
          name="reason"
          required
          autoComplete="off"
          placeholder="The network refused the number"
          hint="The agent reads it with the order. Only a refund by mistake can be taken back."
        />
        <button className="danger" type="submit" data-sending="Refunding…">
          {order.paidAt ? `Fail and refund ${amount}` : "Fail, nothing was paid"}
        </button>
      </Form>
    </Dialog>
  );
}

export function NoteForm({ order, refused }: Props) {
  const isForAgent = refused?.values.get("forAgent") === "yes";
  return (
    <Form<AdminOrderAction>
      to={`/admin/orders/${order.id}`}
      does="note"
      refused={refused}
      idPrefix="note"
      isOnce
      className="fields after"
      noValidate
    >
      <RefusalNote />
      <TextArea
        label="Add a note"
        name="note"
        rows={2}
        maxLength={limits.noteChars}
        hint="Only staff can read it, unless you show it to the agent"
      />
      <label className="check">
        <input type="checkbox" name="forAgent" value="yes" defaultChecked={isForAgent} />
        Show to the agent
      </label>
      <button className="quiet" type="submit">
        Add note
      </button>
    </Form>
  );
}
