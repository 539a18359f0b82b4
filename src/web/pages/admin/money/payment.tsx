// Admins' page of one payment, with the decision of its review.
import * as reversals from "../../../../core/payments/reversals.ts";
import * as reviews from "../../../../core/payments/reviews.ts";
import * as settlement from "../../../../core/payments/settlement.ts";
import type { PaymentDecision } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { errors } from "../../../../shared/errors/codes.ts";
import { show } from "../../../../shared/money.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, readId, redirect, type View } from "../../../page.tsx";
import { PaymentChip } from "../../../ui/chips.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Permit } from "../../../ui/frame/permitted.tsx";
import { Moment, Money, UserLink } from "../../../ui/parts.tsx";

const actions = {
  decide: does(
    reviews.decide,
    ({ paymentId }, { creditedPesewas }) =>
      redirect(
        `/admin/payments/${paymentId}`,
        creditedPesewas > 0 ? `Decided: ${show(creditedPesewas)} credited.` : "Decided: nothing credited.",
      ),
    { paymentId: ({ params }) => idOf(params) },
  ),
};

export const adminPaymentPages: Page[] = [
  {
    path: "/admin/payments/:id",
    right: "payments.see",
    tab: { section: "Money", under: "/admin/payments" },
    subject: "payment",
    show: showPayment,
    actions,
  },
];

async function showPayment({ db, by, params }: Context, refused?: Refused): Promise<View> {
  const payment = await settlement.get(db, idOf(params));
  return {
    title: `Payment ${payment.reference}`,
    body: (
      <>
        <section className="card narrow">
          <h2>
            <Money pesewas={payment.amountPesewas} /> <PaymentChip payment={payment} />
          </h2>
          <Facts payment={payment} />
        </section>
        {payment.state === "review" && (
          <Permit right="payments.decide">
            <section className="card narrow">
              <h2>Decide</h2>
              {payment.userId === by.userId ? (
                <p className="note warn">{errors["auth.own_account"].message}</p>
              ) : (
                <DecisionForm payment={payment} refused={refused} />
              )}
            </section>
          </Permit>
        )}
      </>
    ),
  };
}

function Facts({ payment }: { payment: settlement.PaymentRow }) {
  const credited = reversals.creditedPesewas(payment);
  return (
    <dl className="facts">
      <dt>Agent</dt>
      <dd>
        <UserLink {...payment} />
      </dd>
      <dt>For</dt>
      <dd>{payment.orderId ? <a href={`/orders/${payment.orderId}`}>Order #{payment.orderId}</a> : "Wallet top-up"}</dd>
      {payment.paidPesewas !== null && (
        <>
          <dt>Paid at Paystack</dt>
          <dd>
            <Money pesewas={payment.paidPesewas} />
          </dd>
        </>
      )}
      <dt>Credited</dt>
      <dd>{credited > 0 ? <Money pesewas={credited} /> : "Nothing"}</dd>
      {payment.feesPesewas !== null && (
        <>
          <dt>Fee kept by Paystack</dt>
          <dd>
            <Money pesewas={payment.feesPesewas} />
            {payment.feesByPayerPesewas > 0 && `, of which the payer paid ${show(payment.feesByPayerPesewas)} on top`}
          </dd>
        </>
      )}
      {payment.reason && (
        <>
          <dt>Note</dt>
          <dd>
            <bdi>{payment.reason}</bdi>
          </dd>
        </>
      )}
      {payment.decision && (
        <>
          <dt>Decided</dt>
          <dd>
            {DECIDED[payment.decision]} <Moment at={payment.decidedAt!} />
          </dd>
        </>
      )}
      <dt>Started</dt>
      <dd>
        <Moment at={payment.createdAt} />
      </dd>
      <dt>Reference</dt>
      <dd className="small">{payment.reference}</dd>
    </dl>
  );
}

const DECIDED: Record<PaymentDecision, string> = {
  credit_paid: "The amount paid was credited.",
  credit_asked: "The amount requested was credited.",
  refunded: "Nothing was credited: refunded at Paystack.",
};

function DecisionForm({ payment, refused }: { payment: settlement.PaymentRow; refused?: Refused | undefined }) {
  return (
    <Form<keyof typeof actions>
      to={`/admin/payments/${payment.id}`}
      does="decide"
      refused={refused}
      isOnce
      className="fields"
      noValidate
    >
      <RefusalNote />
      <Field
        label="Reason"
        name="reason"
        required
        hint="Recorded in the log of changes with your name. A decision cannot be undone."
      />
      <p className="actions">
        {reviews.choices(payment).map((choice) => (
          <button
            key={choice.decision}
            name="decision"
            value={choice.decision}
            type="submit"
            className={choice.decision === "refunded" ? "quiet" : undefined}
          >
            {labelOf(choice)}
          </button>
        ))}
      </p>
      <p className="hint">
        Make the refund itself on Paystack's dashboard. Here it is only recorded, and nothing is credited.
      </p>
    </Form>
  );
}

function labelOf({ decision, creditedPesewas, lossPesewas }: ReturnType<typeof reviews.choices>[number]) {
  if (decision === "credit_paid") return `Credit the ${show(creditedPesewas)} paid`;
  if (decision === "credit_asked")
    return `Credit the ${show(creditedPesewas)} requested: the shop loses ${show(lossPesewas)}`;
  return "Refunded at Paystack: credit nothing";
}

function idOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (id === null) throw new AppError("payment.not_found");
  return id;
}
