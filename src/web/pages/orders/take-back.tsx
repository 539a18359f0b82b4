// The refund of an order that was delivered after all, taken back: for admins, on the order's page.
import type { OrderRow } from "../../../core/orders/queries.ts";
import * as takenBack from "../../../core/orders/taken-back-refunds.ts";
import { errors } from "../../../shared/errors/codes.ts";
import { decimal, show } from "../../../shared/money.ts";
import type { Refused } from "../../page.tsx";
import { refusedFor } from "../../ui/action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Moment, Money } from "../../ui/parts.tsx";
import type { AdminOrderAction } from "./admin-actions.tsx";

type Props = { order: OrderRow; outlook: takenBack.Outlook; refused: Refused | undefined };

/** Offers to take a refund back, or says why that cannot be done now. */
export function TakeBackCard({ order, outlook, refused }: Props) {
  const { refusal, amountPesewas, availablePesewas } = outlook;
  const own = refusedFor<AdminOrderAction>("takeBack", refused);
  return (
    <section className="card" id="take-back">
      <h2>Delivered after all?</h2>
      <p className="soft">
        <Money pesewas={amountPesewas} /> went back to <bdi>{order.username}</bdi> <Moment at={order.refundedAt!} />. If
        the data arrived, the refund can be taken back within {takenBack.TAKE_BACK_DAYS} days, as far as it is in the
        wallet: <Money pesewas={Math.max(0, availablePesewas)} /> can be taken now.
      </p>
      {refusal && !own ? (
        <p className="note warn">{whyNot(refusal, amountPesewas - availablePesewas)}</p>
      ) : (
        <button className="tiny danger" type="button" popoverTarget="taking-back" hidden={own !== undefined}>
          Take the money back …
        </button>
      )}
      {(!refusal || own) && <TakeBackDialog {...{ order, outlook }} refused={own} />}
    </section>
  );
}

function whyNot(refusal: NonNullable<takenBack.Outlook["refusal"]>, missingPesewas: number): string {
  if (refusal === "order.refund_spent")
    return `${show(missingPesewas)} of the refund is spent or held. Try again after the agent's next top-up.`;
  return `${errors[refusal].message.replace(/\.$/, "")}.`;
}

function TakeBackDialog({ order, outlook, refused }: Props) {
  const { amountPesewas, availablePesewas } = outlook;
  const amount = show(amountPesewas);
  return (
    <Dialog id="taking-back" title="Take the refund back" isOpen={refused !== undefined}>
      <RefusalNote refused={refused} />
      <Form<AdminOrderAction>
        to={`/admin/orders/${order.id}`}
        does="takeBack"
        refused={refused}
        sends={{ refundedAt: order.refundedAt!.toISOString(), amount: decimal(amountPesewas) }}
        idPrefix="back"
        isOnce
        className="fields"
        noValidate
      >
        <dl className="facts">
          <dt>From the wallet of</dt>
          <dd>
            <bdi>{order.username}</bdi> (ID {order.userId})
          </dd>
          <dt>Amount</dt>
          <dd>
            <strong>{amount}</strong>
          </dd>
          <dt>Can be spent now</dt>
          <dd>
            <Money pesewas={availablePesewas} />
          </dd>
          <dt>Afterwards</dt>
          <dd>
            <Money pesewas={availablePesewas - amountPesewas} />
          </dd>
        </dl>
        <Field label="Actual status" name="to">
          <option value="DELIVERED">Delivered</option>
          <option value="COMPLETED">Completed: delivered and confirmed</option>
        </Field>
        <Field
          label="What shows it"
          name="reason"
          required
          autoComplete="off"
          placeholder="The supplier shows delivery at 10:04"
          hint="The agent reads it, by SMS and e-mail as well"
        />
        <button className="danger" type="submit" data-sending="Taking it back…">
          Take {amount} back
        </button>
      </Form>
    </Dialog>
  );
}
