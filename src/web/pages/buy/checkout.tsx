// Checkout of one order: its amount and the ways to pay it online.
import { z } from "zod";
import type { Order } from "../../../core/orders/order.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import * as settings from "../../../core/platform/settings/settings.ts";
import { orderedBundle } from "../../../shared/operators.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Sheet } from "../../html.tsx";
import { type Context, type Leave, type Page, type Refused, readId, redirect, type View } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { Field, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { leadToPayment, NoPaystackYet, ownPhone, PhoneFields, readBoth, readPhone } from "../../ui/orders/paying.tsx";
import { Money } from "../../ui/parts.tsx";

export const checkoutPages: Page[] = [
  {
    path: "/checkout",
    role: "user",
    under: "/orders",
    examples: ["?order=:unpaidOrder"],
    show: showCheckout,
    submit: pay,
  },
];

async function showCheckout(context: Context, refused?: Refused): Promise<View | Leave> {
  const { db, by, url, viewer, gateway } = context;
  // Programs may have given this address as the callback of a payment.
  const reference = url.searchParams.get("reference") ?? url.searchParams.get("trxref");
  if (reference) return redirect(`/payments/return?reference=${encodeURIComponent(reference)}`);
  const id = readId(refused?.values.get("order") ?? url.searchParams.get("order"));
  if (!id) return redirect("/orders", "!Choose the order that you want to pay for");
  const order = await orderQueries.get(db, by, id);
  if (order.paidAt || order.status !== "PENDING")
    return redirect(`/orders/${id}`, order.paidAt ? "This order is already paid" : "!This order has ended");
  return {
    title: "Checkout",
    formTargets: [gateway.checkoutOrigin],
    body: (
      <div className="card narrow checkout">
        <Sheet name="paying" />
        <Sheet name="payment" />
        <p className="small soft">Checkout</p>
        <h1>
          <NetworkBadge operator={order.operator} />
          <span>
            <bdi>{orderedBundle(order, order.quantity)}</bdi> to{" "}
            <span className="money">{spacedMsisdn(order.msisdn)}</span>
          </span>
        </h1>
        <Facts order={order} />
        <RefusalNote refused={refused} />
        {gateway.keyState() === "missing" ? (
          <NoPaystackYet manualNumber={await settings.get(db, "manual_payment_number")} />
        ) : (
          <Form
            to="/checkout"
            refused={refused}
            sends={{ order: order.id }}
            isOnce
            className="fields paying"
            noValidate
          >
            <Field label="Email for the receipt" name="email" type="email" autoComplete="email" value={viewer!.email} />
            <PhoneFields refused={refused} payerPhone={await ownPhone(db, by.userId)} />
          </Form>
        )}
        <p className="small after">
          <a href={`/orders/${order.id}`}>Pay from the wallet, or cancel</a>
        </p>
      </div>
    ),
  };
}

function Facts({ order }: { order: Order }) {
  return (
    <dl className="facts before">
      <dt>Order ID</dt>
      <dd>{order.id}</dd>
      <dt>Total</dt>
      <dd className="figure">
        <Money pesewas={order.amountPesewas} />
      </dd>
    </dl>
  );
}

const missingEmail = "User email is required for payment processing";
const Checkout = z.object({
  order: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  email: z.string(missingEmail).trim().min(1, missingEmail).max(254).pipe(z.email("Enter a valid email address")),
});

async function pay(context: Context): Promise<Leave> {
  const { form } = context;
  const isByPhone = form.get("by") === "phone";
  const [{ order: orderId, email }, phone] = readBoth(
    () => readFields(Checkout, form),
    () => (isByPhone ? readPhone(form) : null),
  );
  return leadToPayment(context, { orderId }, phone, email);
}
