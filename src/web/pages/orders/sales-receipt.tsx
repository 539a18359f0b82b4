// The numbered receipt of an order for its buyer's books: issued when it is asked for, and made to be printed.
import * as salesReceipts from "../../../core/accounting/sales-receipts.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import * as settings from "../../../core/platform/settings/settings.ts";
import { errors } from "../../../shared/errors/codes.ts";
import { operatorName } from "../../../shared/operators.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Sheet } from "../../html.tsx";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Moment, Money } from "../../ui/parts.tsx";
import { orderIdOf } from "./order-id.ts";

export const salesReceiptPages: Page[] = [
  {
    path: "/orders/:id/receipt",
    role: "user",
    under: "/orders",
    subject: "order",
    show: showReceipt,
    submit: issue,
  },
];

async function issue(context: Context): Promise<Leave> {
  const orderId = orderIdOf(context.params);
  await salesReceipts.issue(context.db, { by: context.by, orderId });
  return redirect(`/orders/${orderId}/receipt`);
}

async function showReceipt(context: Context, refused?: Refused): Promise<View> {
  const { db, by } = context;
  const orderId = orderIdOf(context.params);
  const [order, receipt, legalName] = await Promise.all([
    orderQueries.get(db, by, orderId),
    salesReceipts.find(db, by, orderId),
    settings.get(db, "legal_name"),
  ]);
  return {
    title: `Receipt for order ${orderId}`,
    body: (
      <section className="card narrow">
        <Sheet name="print" />
        <p className="small no-paper">
          <a href={`/orders/${orderId}`}>Back to the order</a>
        </p>
        {receipt ? (
          <Receipt receipt={receipt} order={order} />
        ) : (
          <NotIssued {...{ order, refused }} isOffered={legalName !== ""} />
        )}
      </section>
    ),
  };
}

type NotIssuedProps = { order: orderQueries.OrderRow; refused: Refused | undefined; isOffered: boolean };

function NotIssued({ order, refused, isOffered }: NotIssuedProps) {
  return (
    <>
      <h1>Receipt</h1>
      <RefusalNote refused={refused} />
      {!isOffered ? (
        <p>This shop does not issue numbered receipts yet. Ask support if you need one.</p>
      ) : !order.paidAt ? (
        <p>An order has a receipt once it is paid.</p>
      ) : order.refundedAt ? (
        <p>{errors["receipt.refunded"].message}</p>
      ) : (
        <Form to={`/orders/${order.id}/receipt`}>
          <p>For your books: with a number of its own, and the shop as it is registered.</p>
          <button className="after" type="submit">
            Issue receipt
          </button>
        </Form>
      )}
    </>
  );
}

type ReceiptProps = { receipt: salesReceipts.SalesReceipt; order: orderQueries.OrderRow };

function Receipt({ receipt, order }: ReceiptProps) {
  const { vatRate, vatPesewas, amountPesewas } = receipt;
  return (
    <>
      <h1>
        {order.refundedAt && "Cancelled: "}Receipt {String(receipt.number).padStart(6, "0")}
      </h1>
      <p>
        <b>{receipt.legalName}</b>
        {receipt.legalAddress && (
          <>
            <br />
            {receipt.legalAddress}
          </>
        )}
        {receipt.tin && (
          <>
            <br />
            TIN {receipt.tin}
          </>
        )}
      </p>
      <dl className="facts">
        <dt>Issued</dt>
        <dd>
          <Moment at={receipt.issuedAt} />
        </dd>
        <dt>To</dt>
        <dd>
          <bdi>{order.username}</bdi>
        </dd>
        <dt>For</dt>
        <dd>
          Order {order.id}: {order.quantity} × {operatorName(order.operator)} {order.productSize} to{" "}
          {spacedMsisdn(order.msisdn)}
        </dd>
        <dt>Total</dt>
        <dd>
          <Money pesewas={amountPesewas} />
        </dd>
        {vatRate > 0 && (
          <>
            <dt>Of it VAT ({vatRate / 100} %)</dt>
            <dd>
              <Money pesewas={vatPesewas} />
            </dd>
          </>
        )}
        {order.refundedAt && (
          <>
            <dt>Cancelled</dt>
            <dd>
              <Moment at={order.refundedAt} />: the sale was refunded in full, <Money pesewas={amountPesewas} />
              {vatRate > 0 && (
                <>
                  {" "}
                  with <Money pesewas={vatPesewas} /> VAT
                </>
              )}
              . This receipt is no longer valid for a claim of VAT or of the expense.
            </dd>
          </>
        )}
      </dl>
      {vatRate === 0 && <p className="small soft">Not a VAT invoice.</p>}
    </>
  );
}
