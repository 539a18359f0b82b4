// Return from the payment page, and the page that follows a payment. Nothing that the browser sends is trusted: it only
// names the payment to check.
import type { ReactNode } from "react";
import { z } from "zod";
import * as orderQueries from "../../../core/orders/queries.ts";
import { giveUp, isGivenUp } from "../../../core/payments/giving-up.ts";
import { messageOf } from "../../../core/payments/messages.ts";
import * as payments from "../../../core/payments/payments.ts";
import { NETWORKS } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { decimal, show } from "../../../shared/money.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { readAfterTopUp } from "../../cookies.ts";
import { Sheet } from "../../html.tsx";
import { actionsOf, type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { buyPath } from "../../paths.ts";
import { type Payment, PaymentChip } from "../../ui/chips.tsx";
import { Field, Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon, type IconName } from "../../ui/frame/icons.tsx";
import { Moment, Money } from "../../ui/parts.tsx";

const GIVEN_UP_NOTICE = "Taken off your list. If you approve it later, we still credit your wallet.";

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
  giveUp: {
    run: async ({ db, by, params }) => {
      const { orderId, reference } = await payments.get(db, by, params.reference!);
      await giveUp(db, { by, reference });
      return redirect(orderId ? `/orders/${orderId}` : "/wallet", GIVEN_UP_NOTICE);
    },
  },
});
type PaymentAction = keyof typeof actions;

export const paymentPages: Page[] = [
  { path: "/payments/return", role: "user", examples: [], show: comeBack },
  {
    path: "/payments/:reference",
    role: "user",
    under: "/wallet",
    subject: "paymentReference",
    show: showPayment,
    actions,
  },
];

/** The callback of the payment page, with ?trxref=…&reference=…, or only one of them (Paystack, "Initialize"). */
async function comeBack(context: Context): Promise<Leave> {
  const { db, by, gateway, url } = context;
  const reference = url.searchParams.get("reference") ?? url.searchParams.get("trxref") ?? "";
  return leaveFor(context, await checkIfPossible(db, gateway, by, reference));
}

/** Checks a payment with the provider; returns what is known when that fails for now, so that the payer can go on. */
async function checkIfPossible(...[db, gateway, by, reference]: Parameters<typeof payments.check>): Promise<Payment> {
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

/** In the address of a page that waits: once it is paid, it leads on to what the payment was for. */
const LIVE = "live";

async function showPayment(context: Context, refused?: Refused): Promise<View | Leave> {
  const { db, by, params, request, url } = context;
  const payment = await payments.get(db, by, params.reference!);
  if (payment.state === "paid" && url.searchParams.has(LIVE)) return leaveFor(context, payment);
  const ageMinutes = (Date.now() - payment.createdAt.getTime()) / 60_000;
  // A reload would lose a code that is being typed.
  const isLive = payment.state === "pending" && !payment.needsCode && !refused && ageMinutes < WAITS_MINUTES;
  const again = `${url.pathname}?${LIVE}=1`;
  const [tone, icon, headline] = standOf(payment);
  return {
    title: `Payment of ${show(payment.amountPesewas)}`,
    ...(isLive && { headers: { refresh: `${WAIT_SECONDS}; url=${again}` } }),
    body: (
      <div className={`card narrow payment ${tone}`}>
        <Sheet name="paying" />
        <Sheet name="payment" />
        <p className="sign">
          <Icon name={icon} />
        </p>
        <h1>{headline}</h1>
        <p className="figure">
          <Money pesewas={payment.amountPesewas} />
        </p>
        <p>
          <PaymentChip payment={payment} />
        </p>
        <p role="status">{statusOf(payment)}</p>
        <RefusalNote refused={refused} />
        <NextStep payment={payment} refused={refused} back={readAfterTopUp(context, request)} />
        {isLive && <p className="hint">Checking…</p>}
        {payment.state === "pending" && <Help payment={payment} />}
        <Facts payment={payment} />
      </div>
    ),
  };
}

/** The state of a payment in a few words, with its sign. */
function standOf(payment: Payment): [tone: string, icon: IconName, headline: string] {
  switch (payment.state) {
    case "paid":
      return ["good", "done", payment.orderId ? "Paid" : "The money is in your wallet"];
    case "pending":
      if (payment.needsCode) return ["info", "phone", "Enter the code"];
      return payment.network ? ["info", "phone", "Approve on your phone"] : ["info", "bank", "Finish your payment"];
    case "created":
      return ["info", "bank", "Not started yet"];
    case "failed":
    case "expired":
      return ["bad", "cross", isGivenUp(payment) ? "Given up" : "Not paid"];
    case "review":
      return ["info", "search", "We are checking it"];
    case "reversed":
      return ["bad", "cross", "Reversed"];
    case "closed":
      return ["info", "done", "Decided"];
  }
}

function statusOf(payment: Payment): ReactNode {
  const { state, needsCode, network, payerMsisdn, providerMessage } = payment;
  const isPrompt = state === "pending" && network && payerMsisdn && !needsCode;
  if (!isPrompt) return messageOf(payment);
  return (
    <>
      Approve the prompt on <b className="money">{spacedMsisdn(payerMsisdn)}</b>.
      {providerMessage && <span className="hint">{providerMessage}</span>}
    </>
  );
}

type StepProps = { payment: Payment; refused?: Refused | undefined; back: string | null };

function NextStep({ payment, refused, back }: StepProps): ReactNode {
  if (payment.state === "paid") return <WayOn payment={payment} back={back} />;
  if (payment.state === "pending" && payment.needsCode) return <CodeForm payment={payment} refused={refused} />;
  const isOver = payment.state === "failed" || payment.state === "expired" || payment.state === "created";
  return (
    <div className="ways">
      {payment.state === "pending" && payment.authorizationUrl && (
        <a className="button" href={payment.authorizationUrl}>
          Go to the payment page
        </a>
      )}
      {isOver && (
        <a className="button" href={againPath(payment)}>
          Start again
        </a>
      )}
      {/* Money may still come for one that is over. */}
      {(payment.state === "pending" || payment.state === "expired") && <CheckForm payment={payment} />}
      {payment.state !== "pending" && <a href="/wallet">Wallet</a>}
    </div>
  );
}

function CodeForm({ payment, refused }: Omit<StepProps, "back">) {
  return (
    <Form<PaymentAction> to={pathOf(payment)} does="code" refused={refused} isOnce className="fields" noValidate>
      <Field
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        hint="A wrong code ends this payment; you can then start a new one."
      />
      <button type="submit" data-sending="Sending…">
        Send the code
      </button>
    </Form>
  );
}

function CheckForm({ payment }: { payment: Payment }) {
  return (
    <Form<PaymentAction> to={pathOf(payment)} does="check">
      <button className="quiet wide" type="submit" data-sending="Checking…">
        Check now
      </button>
      <Once />
    </Form>
  );
}

/** What to do when nothing happens, and how to put a payment away that nobody will make. */
function Help({ payment }: { payment: Payment }) {
  return (
    <div className="help small">
      {payment.network && !payment.needsCode && (
        <p>
          {payment.network === "mtn"
            ? "No prompt? Dial *170#, then My Wallet, then My Approvals."
            : "No prompt? See that the phone is on and has a signal."}
        </p>
      )}
      <p>
        <a href={againPath(payment)}>Pay in another way or with another number</a>
      </p>
      <Form<PaymentAction> to={pathOf(payment)} does="giveUp">
        <button className="quiet tiny" type="submit" data-sending="One moment…">
          I will not pay this
        </button>
        <Once />
      </Form>
      <p className="hint">If you approve it later, we still credit your wallet.</p>
    </div>
  );
}

function WayOn({ payment, back }: { payment: Payment; back: string | null }) {
  return (
    <p className="ways">
      {payment.orderId ? (
        <a className="button" href={`/orders/${payment.orderId}`}>
          Order #{payment.orderId}
        </a>
      ) : (
        <a className="button" href={back ?? buyPath()}>
          {back ? "Continue your purchase" : "Buy Data"}
        </a>
      )}
      <a href="/wallet">Wallet</a>
    </p>
  );
}

const pathOf = ({ reference }: Payment) => `/payments/${reference}`;

function againPath({ orderId, amountPesewas }: Payment): string {
  return orderId ? `/checkout?order=${orderId}` : `/wallet/top-up?amount=${decimal(amountPesewas)}`;
}

function Facts({ payment }: { payment: Payment }) {
  return (
    <dl className="facts small after">
      <dt>For</dt>
      <dd>{payment.orderId ? `Order #${payment.orderId}` : "Your wallet"}</dd>
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
      <dt>Handled by</dt>
      <dd>Paystack, our payment provider</dd>
      <dt>Reference</dt>
      <dd>{payment.reference}</dd>
    </dl>
  );
}
