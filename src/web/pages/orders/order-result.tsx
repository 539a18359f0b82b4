// The top of an order's page: its state, what it means for the buyer, and what they can do next.
import type { ReactNode } from "react";
import type * as deadlines from "../../../core/fulfilment/deadlines.ts";
import { durationText } from "../../../core/fulfilment/delivery-times.ts";
import type * as wallet from "../../../core/ledger/wallet.ts";
import type { Cancellation } from "../../../core/orders/cancelling.ts";
import type { ListedOrder, TimelineEvent } from "../../../core/orders/queries.ts";
import { accraDayTime, accraTime, isSameDay } from "../../../shared/accra.ts";
import { AFA_SIZE } from "../../../shared/domain.ts";
import { decimal, show } from "../../../shared/money.ts";
import { operatorName } from "../../../shared/operators.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Sheet } from "../../html.tsx";
import type { Refused } from "../../page.tsx";
import { buyPath } from "../../paths.ts";
import { RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { type Live, LiveUpdates } from "../../ui/frame/live.tsx";
import { BuyAgain, OrderActions } from "../../ui/orders/order-actions.tsx";
import { Headline, type Outcome, sizeText } from "../../ui/orders/order-story.tsx";
import { Moment, Money } from "../../ui/parts.tsx";
import type { OrderAction } from "./order.tsx";

export type ResultProps = {
  order: ListedOrder;
  outcome: Outcome;
  /** The outcome as its reader names it. */
  label: string;
  /** For staff: whether nobody has begun to send it. */
  isWaiting: boolean;
  timeline: TimelineEvent[];
  outlook: deadlines.Outlook | null;
  /** How long a delivery on its network usually takes now; null if that is unknown, or has passed already. */
  usualSeconds: number | null;
  /** Whether the viewer is its buyer; admins see the orders of others. */
  isOwn: boolean;
  cancellation: Cancellation | null;
  /** The buyer's wallet, while the order is not paid. */
  standing: wallet.Standing | null;
  receiptUrl: string;
  live: Live;
  /** Whether the viewer comes from paying it. */
  isJustPaid: boolean;
  /** For staff: who has it, while it is under way. */
  held: ReactNode;
  /** When a report that it has not arrived is answered at the latest. */
  answerBy: Date | null;
  refused: Refused | undefined;
};

/** The focus after the viewer's own act: on what answers it. */
const FOCUSED = { tabIndex: -1, autoFocus: true };

export function OrderResult(props: ResultProps) {
  const { order, outcome, label, isWaiting, isOwn, cancellation, standing, receiptUrl, live, isJustPaid, refused } =
    props;
  const isAfa = order.productSize === AFA_SIZE;
  return (
    <>
      <Sheet name="result" />
      <Sheet name="print" />
      <Refusal refused={refused} outcome={outcome} />
      <section className={isOwn ? "card result" : "card result of-other"}>
        <Headline
          outcome={outcome}
          {...{ label, isWaiting }}
          meta={
            <>
              <NetworkBadge operator={order.operator} /> {operatorName(order.operator)}
              <span className={isOwn ? "no-paper" : undefined}>
                <Money pesewas={order.amountPesewas} />
              </span>
            </>
          }
          next={<Next {...props} />}
          isFocused={isJustPaid && !refused}
        >
          <bdi>{sizeText(order)}</bdi> {isAfa ? "for" : "to"}{" "}
          <span className="money">{spacedMsisdn(order.msisdn)}</span>
        </Headline>
        <LiveUpdates {...live} />
        {standing && <PayForm order={order} standing={standing} refused={refused} />}
        <div data-live="again">{isOwn && outcome === "failed" && <BuyAgain order={order} isMain />}</div>
        <OrderActions {...{ order, outcome, cancellation, receiptUrl, isOwn }} />
        {isOwn && (
          <a className={isJustPaid ? "button wide" : "button quiet wide"} href={buyPath()}>
            Next sale
          </a>
        )}
      </section>
    </>
  );
}

/** What happens next, or what happened to the bundle and the money. */
function Next({ order, outcome, timeline, outlook, usualSeconds, isOwn, held, answerBy }: ResultProps) {
  const amount = show(order.amountPesewas);
  const back = order.refundedAt
    ? `${amount} is back in ${isOwn ? "your" : "the buyer's"} wallet.`
    : "Nothing was paid.";
  switch (outcome) {
    case "unpaid":
      return "It is sent once it is paid. Unpaid orders close after 24 hours.";
    case "coming": {
      if (held) return held;
      if (order.productSize === AFA_SIZE) return "This page shows when MTN has registered the number.";
      const usual = usualSeconds === null ? "" : `Usually within ${durationText(usualSeconds)}. `;
      return usual + (outlook?.message ?? "") || "We are sending it.";
    }
    case "delivered":
      // When it arrived is not known if its refund was taken back; the note has the evidence.
      return timeline.some(isTakenBack) ? <bdi>{order.note}</bdi> : arrivalText(order, timeline);
    case "reported":
      return answerBy ? (
        <>
          Answer by <Moment at={answerBy} />
        </>
      ) : (
        "We are checking what happened to it."
      );
    case "cancelled":
      return back;
    case "failed":
    case "closed":
      return (
        <>
          {order.note && (
            <>
              <bdi>{order.note}</bdi>
              <br />
            </>
          )}
          <strong>{back}</strong>
          {isOwn && outcome === "failed" && " Check the number, then buy again."}
        </>
      );
  }
}

function isTakenBack({ fromStatus }: TimelineEvent): boolean {
  return fromStatus === "FAILED";
}

/** Of a delivery that took longer, only the time of its arrival is shown. */
const QUICK_SECONDS = 3600;

/** "Arrived at 15:04, 48 seconds after it was paid." */
function arrivalText({ paidAt }: ListedOrder, timeline: TimelineEvent[]): string {
  const arrived = timeline.find(({ toStatus }) => toStatus === "DELIVERED" || toStatus === "COMPLETED");
  if (!arrived) return "";
  const at = arrived.createdAt;
  const when = isSameDay(at, new Date()) ? accraTime(at) : accraDayTime(at);
  const seconds = paidAt ? (at.getTime() - paidAt.getTime()) / 1000 : QUICK_SECONDS;
  const after = seconds < QUICK_SECONDS ? `, ${durationText(seconds)} after it was paid` : "";
  return `Arrived at ${when}${after}.`;
}

/** A cancellation that came too late has a text of its own: the order goes on, and the headline says how. */
function Refusal({ refused, outcome }: Pick<ResultProps, "refused" | "outcome">) {
  if (refused?.error.code !== "order.not_cancellable") return <RefusalNote refused={refused} />;
  return (
    <p className="note warn" role="alert" {...FOCUSED}>
      {outcome === "coming"
        ? "It is too late to cancel: this order is already being sent."
        : "It is too late to cancel: this order has ended."}
    </p>
  );
}

type PayProps = Pick<ResultProps, "order" | "refused"> & { standing: wallet.Standing };

/** The ways to pay; with too little money in the wallet, first the way to add it. */
function PayForm({ order, standing, refused }: PayProps) {
  const missingPesewas = order.amountPesewas - standing.availablePesewas;
  const back = { amount: decimal(missingPesewas), back: `/orders/${order.id}` };
  return (
    <Form<OrderAction> to={`/orders/${order.id}`} does="pay" refused={refused} isOnce className="pay no-paper">
      {missingPesewas > 0 ? (
        <a className="button wide" href={`/wallet/top-up?${new URLSearchParams(back)}`}>
          Top up {show(missingPesewas)}
        </a>
      ) : (
        <button className="wide" type="submit" data-sending="Paying…">
          Pay with Wallet
        </button>
      )}
      <a className="button quiet wide" href={`/checkout?order=${order.id}`}>
        Pay with MoMo or card
      </a>
    </Form>
  );
}
