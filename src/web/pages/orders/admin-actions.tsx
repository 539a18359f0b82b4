// An admin's actions on one order: transitions, a refund, notes.
import * as holders from "../../../core/fulfilment/holders.ts";
import type { BundleVendor } from "../../../core/fulfilment/vendor.ts";
import type { OrderRow } from "../../../core/orders/queries.ts";
import * as takenBack from "../../../core/orders/taken-back-refunds.ts";
import * as timeline from "../../../core/orders/timeline.ts";
import { isOpen, limits, type OrderStatus, TRANSITIONS } from "../../../shared/domain.ts";
import { errors } from "../../../shared/errors/codes.ts";
import { show } from "../../../shared/money.ts";
import { does } from "../../does.ts";
import { actionsOf, type Refused, redirect } from "../../page.tsx";
import { refusedFor } from "../../ui/action.tsx";
import { RefusalNote, TextArea } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Permit, usePermissions } from "../../ui/frame/permitted.tsx";
import { MoveButton, PermitForward, PermitRefund, ProcessButtons, VERBS } from "../../ui/orders/order-table.tsx";
import { Money } from "../../ui/parts.tsx";
import { orderIdOf } from "./order-id.ts";
import { RefundDialog, refundAction } from "./refund-dialog.tsx";

/** Refunds an order, takes a refund back, or adds a note. All throw order.not_found, and their own refusals. */
export const adminActions = actionsOf({
  refund: refundAction,
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

type Props = { order: OrderRow; refused?: Refused | undefined };
type HeldProps = Props & { holder: holders.Holder | undefined; vendors: readonly BundleVendor[] };

/** The effect of each transition, shown beside its button. */
const EFFECTS: Partial<Record<OrderStatus, string>> = {
  PROCESSING:
    "By route: a supplier or the desk gets it at once. Yourself: it becomes a desk batch of yours, and the agent " +
    "can no longer cancel it.",
  DELIVERED: "The data has arrived at the number.",
  COMPLETED: "Closed: it has arrived and nothing is left to do.",
};

/** The order's allowed transitions with their effects, the next one first. A refund opens a dialog. */
export function TransitionCard({
  order,
  balancePesewas,
  holder,
  vendors,
  refused,
  isRefunding,
}: HeldProps & { balancePesewas: number; isRefunding: boolean }) {
  const forward = TRANSITIONS[order.status].filter((to) => to !== "FAILED");
  const { may, isSelf } = usePermissions();
  if (order.status === "FAILED" || !(may("orders.work") || may("orders.refund"))) return null;
  return (
    <section className="card">
      <h2>Actions</h2>
      {isSelf(order.userId) && (
        <p className="note">
          {order.paidAt ? "It is your own: a colleague can refund it." : errors["auth.own_account"].message}
        </p>
      )}
      <ul className="moves">
        {forward.map((to, place) => (
          <PermitForward key={to} order={order}>
            <li>
              <MoveForm order={order} to={to} isMain={place === 0} />
              <span className="small soft">{EFFECTS[to]}</span>
            </li>
          </PermitForward>
        ))}
        <PermitRefund order={order}>
          <li>
            <button className="tiny danger" type="button" popoverTarget="refund">
              {order.paidAt ? "Refund …" : "Fail …"}
            </button>
            <span className="small soft">
              {holders.mayDeliver(holder)
                ? "It may still be delivered."
                : isOpen(order.status)
                  ? "It will not be delivered."
                  : "Until you refund it, it counts as delivered."}
              {order.paidAt && (
                <>
                  {" "}
                  <Money pesewas={order.amountPesewas} /> goes back to the wallet; this is final unless the data turns
                  out to have arrived.
                </>
              )}
            </span>
          </li>
        </PermitRefund>
      </ul>
      <PermitRefund order={order}>
        <RefundDialog
          {...{ order, balancePesewas, holder, vendors }}
          isOpen={isRefunding}
          refused={refusedFor<AdminOrderAction>("refund", refused)}
        />
      </PermitRefund>
    </section>
  );
}

/** An unpaid order only moves when the admin confirms, with a second press, a payment in cash. */
function MoveForm({ order, to, isMain }: { order: OrderRow; to: OrderStatus; isMain: boolean }) {
  return (
    <Form to="/admin/orders/move" sends={{ ids: order.id, back: `/orders/${order.id}` }} isOnce>
      {order.paidAt ? (
        to === "PROCESSING" ? (
          <ProcessButtons order={order} {...{ isMain }} />
        ) : (
          <MoveButton order={order} to={to} label={VERBS[to]} {...{ isMain }} />
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

/** A note for staff or for the agent, folded away below what happened, and what staff changed. */
export function Notes({ order, refused }: Props) {
  return (
    <>
      <Permit right="orders.note">
        <details className="after" open={refused !== undefined}>
          <summary>Add a note</summary>
          <NoteForm {...{ order, refused }} />
        </details>
      </Permit>
      <Permit right="audit.see">
        <p className="small">
          <a href={`/admin/audit?type=order&id=${order.id}`}>Changes by staff</a>
        </p>
      </Permit>
    </>
  );
}

function NoteForm({ order, refused }: Props) {
  const isForAgent = refused?.values.get("forAgent") === "yes";
  return (
    <Form<AdminOrderAction>
      to={`/admin/orders/${order.id}`}
      does="note"
      refused={refused}
      idPrefix="note"
      isOnce
      className="fields"
      noValidate
    >
      <RefusalNote />
      <TextArea
        label="Note"
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
