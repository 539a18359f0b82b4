// Checkout of one order: its amount and the ways to pay it online.
import { z } from "zod";
import type { Order } from "../../../core/orders/buy.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import { orderedBundle } from "../../../shared/domain.ts";
import { spacedMsisdn } from "../../../shared/msisdn.ts";
import {
  type Context,
  type Leave,
  type Page,
  type Refused,
  readFields,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { Field, FormKey, Money, Once, RefusalNote } from "../../ui/parts.tsx";
import { leadToPayment, ownPhone, PhoneFields, readPhone } from "../../ui/paying.tsx";

export const checkoutPages: Page[] = [
  { path: "/checkout", role: "user", examples: ["?order=:unpaidOrder"], show: showCheckout, submit: pay },
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
      <div className={`card narrow stripe ${order.operator}`}>
        <h1>Checkout</h1>
        <Facts order={order} />
        <RefusalNote refused={refused} />
        <form method="post" action="/checkout" className="fields" noValidate>
          <FormKey refused={refused} />
          <input type="hidden" name="order" value={order.id} />
          <Field
            label="Email for the receipt"
            name="email"
            type="email"
            autoComplete="email"
            refused={refused}
            value={viewer!.email}
          />
          <button name="by" value="page" type="submit" data-sending="One moment…">
            Pay with Paystack
          </button>
          <PhoneFields refused={refused} payerPhone={await ownPhone(db, by.userId)} />
          <Once />
        </form>
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
      <dt>Bundle</dt>
      <dd>
        {orderedBundle(order, order.quantity)} for {spacedMsisdn(order.msisdn)}
      </dd>
      <dt>Total</dt>
      <dd>
        <strong>
          <Money pesewas={order.amountPesewas} />
        </strong>
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
  email: z
    .string(missingEmail)
    .trim()
    .min(1, missingEmail)
    .max(254)
    .pipe(z.email("Enter a valid email address")),
  by: z.enum(["page", "phone"]).default("page"),
});

async function pay(context: Context): Promise<Leave> {
  const { order: orderId, email, by } = readFields(Checkout, context.form);
  const phone = by === "phone" ? readPhone(context.form) : null;
  return leadToPayment(context, { orderId }, phone, email);
}
