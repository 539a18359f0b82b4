// The refund of an order by staff: the dialog that states what it does, and its action.
import { z } from "zod";
import type * as holders from "../../../core/fulfilment/holders.ts";
import type { BundleVendor } from "../../../core/fulfilment/vendor.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import type { OrderRow } from "../../../core/orders/queries.ts";
import { refund } from "../../../core/orders/refund.ts";
import { Reason } from "../../../shared/inputs.ts";
import { show } from "../../../shared/money.ts";
import { does } from "../../does.ts";
import { type Refused, redirect } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { RefundWarning } from "../../ui/orders/holder.tsx";
import { Money } from "../../ui/parts.tsx";
import { orderIdOf } from "./order-id.ts";

/** An order whose refund a person asks for has a reason. */
const Given = z.object({ reason: Reason });

/** Fails the order of the page, and answers with what its agent has now. */
export const refundAction = does(
  refund,
  async ({ orderId }, order, { db }) => {
    const notice = `Order ${orderId} status updated to FAILED.`;
    if (!order.refundedAt) return redirect(`/orders/${orderId}`, notice);
    const balance = show(await wallet.balance(db, order.userId));
    const refunded = `${show(order.amountPesewas)} is refunded: the agent's wallet now holds ${balance}.`;
    return redirect(`/orders/${orderId}`, `${notice} ${refunded}`);
  },
  { orderId: ({ params }) => orderIdOf(params), reason: ({ form }) => readFields(Given, form).reason },
);

type Props = {
  order: OrderRow;
  balancePesewas: number;
  holder: holders.Holder | undefined;
  vendors: readonly BundleVendor[];
  /** Whether it is open with the page. */
  isOpen?: boolean;
  /** The refusal of this form. */
  refused?: Refused | undefined;
};

/** The dialog; it opens by itself when its form was refused. */
export function RefundDialog(props: Props) {
  const { order, balancePesewas, refused } = props;
  const amount = show(order.amountPesewas);
  return (
    <Dialog
      id="refund"
      title={order.paidAt ? "Refund this order" : "Fail this order"}
      isOpen={props.isOpen || !!refused}
    >
      <RefusalNote refused={refused} />
      <RefundWarning holder={props.holder} vendors={props.vendors} />
      <Form<"refund">
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
