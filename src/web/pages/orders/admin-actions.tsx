// An admin's actions on one order: transitions, a refund, notes.
import * as holders from "../../../core/fulfilment/holders.ts";
import type { BundleVendor } from "../../../core/fulfilment/vendor.ts";
import type { OrderRow } from "../../../core/orders/queries.ts";
import * as takenBack from "../../../core/orders/taken-back-refunds.ts";
import * as timeline from "../../../core/orders/timeline.ts";
import type { SupportRequest } from "../../../core/support/requests.ts";
import { AFA_SIZE, DESK, isOpen, limits } from "../../../shared/domain.ts";
import { errors } from "../../../shared/errors/codes.ts";
import { show } from "../../../shared/money.ts";
import { does } from "../../does.ts";
import { actionsOf, type Refused, redirect } from "../../page.tsx";
import { refusedFor } from "../../ui/action.tsx";
import { RefusalNote, TextArea } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { PageLink, Permit, usePermissions } from "../../ui/frame/permitted.tsx";
import {
  MoveButton,
  PermitForward,
  PermitRefund,
  type Transition,
  transitionsOf,
} from "../../ui/orders/order-table.tsx";
import { Moment, Money } from "../../ui/parts.tsx";
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

type CardProps = HeldProps & {
  balancePesewas: number;
  isRefunding: boolean;
  /** The report of its agent that waits for a decision, or null. */
  report: SupportRequest | null;
  isAutomatic: boolean;
  isLate: boolean;
};

/** The order's allowed transitions with their effects, the next one first. A refund opens a dialog. */
export function TransitionCard({ report, isAutomatic, isLate, balancePesewas, isRefunding, ...held }: CardProps) {
  const { order, holder, vendors, refused } = held;
  const { may, isSelf } = usePermissions();
  if (order.status === "FAILED" || !(may("orders.work") || may("orders.refund") || report)) return null;
  // A supplier answers by itself.
  const isNext = !report && (isLate || !holders.mayDeliver(holder) || holder.vendor === DESK);
  return (
    <section className="card">
      <h2>Actions</h2>
      {isSelf(order.userId) && (
        <p className="note">
          {order.paidAt ? "It is your own: a colleague can refund it." : errors["auth.own_account"].message}
        </p>
      )}
      <ul className="moves">
        {report && <ReportItem {...{ order, report, isAutomatic }} />}
        {transitionsOf(order).map((transition, place) => (
          <PermitForward key={transition.label} order={order}>
            <li>
              <MoveForm order={order} transition={transition} isMain={isNext && place === 0} />
              <span className="small soft">{transition.effect}</span>
            </li>
          </PermitForward>
        ))}
        <PermitRefund order={order}>
          <li>
            <button className="tiny danger" type="button" popoverTarget="refund">
              {order.paidAt ? "Refund …" : "Fail …"}
            </button>
            <span className="small soft">
              <RefundEffect {...{ order, holder }} />
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

/** What is due before anything else: the answer to its agent, who says that it has not arrived. */
function ReportItem({
  order,
  report,
  isAutomatic,
}: Pick<CardProps, "order" | "isAutomatic"> & { report: SupportRequest }) {
  const { may } = usePermissions();
  return (
    <li>
      <PageLink className="button tiny" href={`/admin/support/${report.id}`}>
        {may("cases.decide") ? "Decide …" : "See messages"}
      </PageLink>
      <span className="small soft">
        Its agent reported that it has not arrived. Answer by <Moment at={report.dueAt!} />
        {isAutomatic && `; otherwise ${show(order.amountPesewas)} goes back to their wallet`}.
      </span>
    </li>
  );
}

function RefundEffect({ order, holder }: Pick<HeldProps, "order" | "holder">) {
  const isRegistration = order.productSize === AFA_SIZE;
  const isOnItsWay = isRegistration ? order.status === "PROCESSING" : holders.mayDeliver(holder);
  const done = isRegistration ? "registered" : "delivered";
  const effect = isOnItsWay
    ? `It may still be ${done}.`
    : isOpen(order.status)
      ? `It will not be ${done}.`
      : `Until you refund it, it counts as ${done}.`;
  if (!order.paidAt) return effect;
  return (
    <>
      {effect} <Money pesewas={order.amountPesewas} /> goes back to the wallet; this is final unless{" "}
      {isRegistration ? "it turns out to be registered" : "the data turns out to have arrived"}.
    </>
  );
}

/** An unpaid order only moves when the admin confirms, with a second press, a payment in cash. */
function MoveForm({ order, transition, isMain }: { order: OrderRow; transition: Transition; isMain: boolean }) {
  return (
    <Form to="/admin/orders/move" sends={{ ids: order.id, back: `/orders/${order.id}` }} isOnce>
      {order.paidAt ? (
        <MoveButton {...transition} {...{ order, isMain }} />
      ) : (
        <details className="sure">
          <summary className="tiny quiet">{transition.label}, paid in cash …</summary>
          <MoveButton {...transition} order={order} cash={show(order.amountPesewas)} />
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
