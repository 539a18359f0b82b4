// Return from the payment page, and the page that follows a payment. Nothing that the browser sends is trusted: it only
// names the payment to check.
import type { ReactNode } from "react";
import { z } from "zod";
import * as orderQueries from "../../../core/orders/queries.ts";
import { messageOf } from "../../../core/payments/messages.ts";
import * as payments from "../../../core/payments/payments.ts";
import { NETWORKS } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { decimal, show } from "../../../shared/money.ts";
import { spacedMsisdn } from "../../../shared/msisdn.ts";
import { readAfterTopUp } from "../../cookies.ts";
import {
  actionsOf,
  type Context,
  type Leave,
  type Page,
  type Refused,
  redirect,
  type View,
} from "../../page.tsx";
import { submits } from "../../ui/action.tsx";
import { type Payment, PaymentChip } from "../../ui/chips.tsx";
import { Field, FormKey, Moment, Money, Once, RefusalNote } from "../../ui/parts.tsx";

const Code = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{4,8}$/, "Enter the code, digits only"),
});

const actions = actionsOf({
  code: {
    fields: Code,
    run: async (context, { code }) => {
      const { db, by, gateway, params } = context;
      const reference = params.reference!;
      return leaveFor(context, await payments.submitCode(db, gateway, { by, reference, code }));
    },
  },
  check: {
    run: async (context) => {
      const { db, by, gateway, params } = context;
      return leaveFor(context, await payments.check(db, gateway, by, params.reference!));
    },
  },
});
type PaymentAction = keyof typeof actions;

export const paymentPages: Page[] = [
  { path: "/payments/return", role: "user", examples: [], show: comeBack },
  { path: "/payments/:reference", role: "user", subject: "paymentReference", show: showPayment, actions },
];

/** The callback of the payment page, with ?trxref=…&reference=…, or only one of them (Paystack, "Initialize"). */
async function comeBack(context: Context): Promise<Leave> {
  const { db, by, gateway, url } = context;
  const reference = url.searchParams.get("reference") ?? url.searchParams.get("trxref") ?? "";
  return leaveFor(context, await checkIfPossible(db, gateway, by, reference));
}

/** Checks a payment with the provider; returns what is known when that fails for now, so that the payer can go on. */
async function checkIfPossible(
  ...[db, gateway, by, reference]: Parameters<typeof payments.check>
): Promise<Payment> {
  try {
    return await payments.check(db, gateway, by, reference);
  } catch (error) {
    const isTemporary =
      error instanceof AppError && ["payment.unverified", "request.rate_limited"].includes(error.code);
    if (!isTemporary) throw error;
    return payments.get(db, by, reference);
  }
}

/** A paid payment leads to what it was for, any other to its own page. */
async function leaveFor(context: Context, payment: Payment): Promise<Leave> {
  const { db, by, request } = context;
  if (payment.state !== "paid") return redirect(`/payments/${payment.reference}`);
  if (payment.orderId === null) {
    const to = readAfterTopUp(context, request) ?? "/dashboard";
    return { to, notice: "Wallet top-up completed successfully!", afterTopUp: null };
  }
  const order = await orderQueries.get(db, by, payment.orderId);
  const to = `/orders/${order.id}`;
  if (order.paymentMethod === "paystack" && order.status !== "FAILED")
    return redirect(to, `Payment received. Order #${order.id} is paid and on its way.`);
  const late = `Your payment of ${show(payment.amountPesewas)} came too late for order #${order.id}`;
  return redirect(to, `!${late}. The money is in your wallet.`);
}

const WAIT_SECONDS = 5;

/** After this time the page stops reloading, because nobody is watching it any more. */
const WAITS_MINUTES = 15;

async function showPayment(context: Context, refused?: Refused): Promise<View> {
  const { db, by, params, request } = context;
  const payment = await payments.get(db, by, params.reference!);
  const ageMinutes = (Date.now() - payment.createdAt.getTime()) / 60_000;
  // A reload would lose a code that is being typed.
  const isWaiting =
    payment.state === "pending" && !payment.needsCode && !refused && ageMinutes < WAITS_MINUTES;
  return {
    title: `Payment of ${show(payment.amountPesewas)}`,
    ...(isWaiting && { headers: { refresh: `${WAIT_SECONDS}` } }),
    body: (
      <div className="card narrow">
        <p className="small soft">{payment.orderId ? `For order #${payment.orderId}` : "Wallet top-up"}</p>
        <h1>
          <Money pesewas={payment.amountPesewas} />
        </h1>
        <PaymentChip payment={payment} />
        <p role="status" className="after">
          {messageOf(payment)}
        </p>
        <RefusalNote refused={refused} />
        <NextStep payment={payment} refused={refused} back={readAfterTopUp(context, request)} />
        <Facts payment={payment} />
        {isWaiting && <p className="hint">Checking…</p>}
      </div>
    ),
  };
}

type StepProps = { payment: Payment; refused?: Refused | undefined; back: string | null };

function NextStep({ payment, refused, back }: StepProps): ReactNode {
  const action = `/payments/${payment.reference}`;
  if (payment.state === "pending" && payment.needsCode) {
    return (
      <form method="post" action={action} className="fields" noValidate>
        <FormKey refused={refused} />
        <Field
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          refused={refused}
          required
          hint="A wrong code ends this payment; you can then start a new one."
        />
        <button {...submits<PaymentAction>("code")} type="submit" data-sending="Sending…">
          Send the code
        </button>
        <Once />
      </form>
    );
  }
  if (payment.state === "pending") {
    return (
      <form method="post" action={action} className="actions">
        {payment.authorizationUrl && (
          <a className="button" href={payment.authorizationUrl}>
            Go to the payment page
          </a>
        )}
        <button className="quiet" {...submits<PaymentAction>("check")} type="submit">
          Check now
        </button>
        {payment.network === "mtn" && (
          <p className="hint">No prompt? Dial *170#, then My Wallet, then My Approvals.</p>
        )}
      </form>
    );
  }
  if (payment.state === "paid") return <WayOn payment={payment} back={back} />;
  if (payment.state === "failed" || payment.state === "expired" || payment.state === "created") {
    return (
      <p className="actions">
        <a className="button" href={againPath(payment)}>
          Start again
        </a>
        <a href="/wallet">Wallet</a>
      </p>
    );
  }
  return (
    <p>
      <a href="/wallet">Wallet</a>
    </p>
  );
}

function WayOn({ payment, back }: { payment: Payment; back: string | null }) {
  return (
    <p className="actions">
      {payment.orderId ? (
        <a className="button" href={`/orders/${payment.orderId}`}>
          Order #{payment.orderId}
        </a>
      ) : (
        <a className="button" href={back ?? "/mtn-data"}>
          {back ? "Continue your purchase" : "Buy Data"}
        </a>
      )}
      <a href="/wallet">Wallet</a>
    </p>
  );
}

function againPath({ orderId, amountPesewas }: Payment): string {
  return orderId ? `/checkout?order=${orderId}` : `/wallet/top-up?amount=${decimal(amountPesewas)}`;
}

function Facts({ payment }: { payment: Payment }) {
  return (
    <dl className="facts after">
      {payment.network && payment.payerMsisdn && (
        <>
          <dt>{NETWORKS[payment.network]}</dt>
          <dd className="money">{spacedMsisdn(payment.payerMsisdn)}</dd>
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
