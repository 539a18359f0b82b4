// The story of one order: its state as the headline, its details, and its timeline.
import type { ReactNode } from "react";
import type { Order } from "../../../core/orders/order.ts";
import type * as orderQueries from "../../../core/orders/queries.ts";
import { AFA_SIZE, AFA_STATES, afaStateOf } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { operatorName, orderedBundle, orderedBundleWithin } from "../../../shared/operators.ts";
import { CANCELLED } from "../../../shared/orders/order-states.ts";
import { metadataText } from "../../../shared/orders/own-reference.ts";
import { localMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Sheet } from "../../html.tsx";
import { Icon, type IconName, OperatorTag } from "../frame/icons.tsx";
import { Moment, Money, UserLink } from "../parts.tsx";

/**
 * What became of an order: the answer to "did it arrive?". `reported`: its agent says that it did not. `closed`: it
 * ended before it was paid.
 */
export type Outcome = "unpaid" | "coming" | "delivered" | "reported" | "failed" | "cancelled" | "closed";

type Ended = Pick<Order, "status" | "paidAt"> & { isReported: boolean };

export function outcomeOf(order: Ended & ({ note: string | null } | { isCancelled: boolean })): Outcome {
  const { status, paidAt, isReported } = order;
  if (status === "DELIVERED" || status === "COMPLETED") return isReported ? "reported" : "delivered";
  if (status !== "FAILED") return paidAt ? "coming" : "unpaid";
  const isCancelled = "isCancelled" in order ? order.isCancelled : order.note === CANCELLED;
  return isCancelled ? "cancelled" : paidAt ? "failed" : "closed";
}

const LOOKS: Record<Outcome, { label: string; tone: string; icon: IconName }> = {
  unpaid: { label: "Not paid", tone: "warn", icon: "wallet" },
  coming: { label: "On its way", tone: "info", icon: "delivery" },
  delivered: { label: "Delivered", tone: "good", icon: "done" },
  reported: { label: "You reported it", tone: "warn", icon: "support" },
  failed: { label: "Failed and refunded", tone: "bad", icon: "cross" },
  cancelled: { label: "Cancelled", tone: "", icon: "cross" },
  closed: { label: "Closed without payment", tone: "", icon: "cross" },
};

type Sold = Pick<Order, "operator" | "family" | "productSize" | "quantity" | "status">;

/** An outcome as its buyer reads it. A registration is at MTN until it is registered. */
export function labelOf(order: Pick<Sold, "productSize" | "status">, outcome: Outcome): string {
  const isRegistration = order.productSize === AFA_SIZE;
  const isAtMtn = outcome === "coming" || outcome === "delivered";
  return isRegistration && isAtMtn ? AFA_STATES[afaStateOf(order.status)].label : LOOKS[outcome].label;
}

/** What was sold, without its network: "1 GB", "3 × 1 GB", "BigTime 15 GB", "AFA registration". */
export function sizeText(order: Sold): string {
  const name = orderedBundleWithin(order);
  const size = name.replace(/(\d)([GM]B)$/, "$1 $2");
  return order.quantity > 1 ? `${order.quantity} × ${size}` : size;
}

/** A sale in a message: "1 GB MTN for 054 123 4567". */
export function saleText(order: Sold & Pick<Order, "msisdn">): string {
  const network = operatorName(order.operator);
  const isRegistration = order.productSize === AFA_SIZE;
  const sold = isRegistration ? `${network} ${sizeText(order)}` : `${sizeText(order)} ${network}`;
  return `${sold} for ${spacedMsisdn(order.msisdn)}`;
}

type HeadlineProps = {
  outcome: Outcome;
  label: string;
  /** Whether it waits for somebody. */
  isWaiting?: boolean;
  /** The page's heading. */
  children: ReactNode;
  /** Below the heading: the network and the amount. */
  meta: ReactNode;
  /** What happens next, or happened to the money. */
  next: ReactNode;
  /** It has the focus, so that a phone shows it first, and screen readers read it. */
  isFocused?: boolean;
};

/** The state of an order, large, with what it is about. It follows the order, and screen readers read a change. */
export function Headline({
  outcome,
  label,
  isWaiting = false,
  children,
  meta,
  next,
  isFocused = false,
}: HeadlineProps) {
  const { tone, icon } = LOOKS[outcome];
  return (
    <div
      className={`headline ${isWaiting ? "warn" : tone}`}
      role="status"
      data-live="headline"
      {...(isFocused && { tabIndex: -1, autoFocus: true })}
    >
      <span className="sign">
        <Icon name={icon} />
      </span>
      <p className="state">{label}</p>
      <h1>{children}</h1>
      <p className="meta">{meta}</p>
      <div className="next">{next}</div>
    </div>
  );
}

const METHODS = { wallet: "From the wallet", paystack: "Online", cash: "In cash" } as const;

type FactsProps = {
  order: orderQueries.OrderRow;
  /** For staff: whose it is, and links to what belongs to it. */
  showsUser: boolean;
  /** Further facts below the amount. */
  children?: ReactNode;
};

export function Facts({ order, showsUser, children }: FactsProps) {
  // An agent hands the paper to the customer, who is not told what it cost the agent.
  const onPaper = showsUser ? undefined : "no-paper";
  return (
    <dl className="facts">
      {showsUser && (
        <>
          <dt>Agent</dt>
          <dd>
            <UserLink {...order} /> (ID {order.userId})
          </dd>
        </>
      )}
      <dt>Order</dt>
      <dd className="money">#{order.id}</dd>
      <dt>Number</dt>
      <dd>
        <span className="money">{spacedMsisdn(order.msisdn)}</span>
        {showsUser && <OrdersFor msisdn={order.msisdn} />}
      </dd>
      <dt>Network</dt>
      <dd>
        <OperatorTag operator={order.operator} />
      </dd>
      <dt>Bundle</dt>
      <dd>
        <bdi>{orderedBundle(order)}</bdi>
      </dd>
      {showsUser && order.bulkOrderId && (
        <>
          <dt className="no-paper">Bulk order</dt>
          <dd className="no-paper">
            <a href={`/orders?bulk=${order.bulkOrderId}&all=1`}>#{order.bulkOrderId}</a>
          </dd>
        </>
      )}
      <dt className={onPaper}>Price</dt>
      <dd className={onPaper}>
        <Money pesewas={order.unitPricePesewas} /> × {order.quantity}
      </dd>
      <dt className={onPaper}>Amount</dt>
      <dd className={onPaper}>
        <strong>
          <Money pesewas={order.amountPesewas} />
        </strong>
      </dd>
      {children}
      <dt className={onPaper}>Paid</dt>
      <dd className={onPaper}>{order.paymentMethod ? METHODS[order.paymentMethod] : "Not yet"}</dd>
      <dt>Ordered</dt>
      <dd>
        <Moment at={order.createdAt} />
      </dd>
      <OwnFacts {...order} />
    </dl>
  );
}

function OrdersFor({ msisdn }: Pick<Order, "msisdn">) {
  const query = new URLSearchParams({ search: localMsisdn(msisdn), all: "1" });
  return (
    <>
      {" "}
      <a className="no-paper" href={`/orders?${query}`}>
        All its orders
      </a>
    </>
  );
}

/** What its agent's program wrote on an order; nothing for most. */
function OwnFacts({ reference, metadata }: Pick<orderQueries.OrderRow, "reference" | "metadata">) {
  return (
    <>
      {reference !== null && (
        <>
          <dt>Reference</dt>
          <dd>
            <bdi>{reference}</bdi>
          </dd>
        </>
      )}
      {metadata !== null && (
        <>
          <dt>Own data</dt>
          <dd>
            <bdi>{metadataText(metadata)}</bdi>
          </dd>
        </>
      )}
    </>
  );
}

type Entry = {
  at: Date;
  label: string;
  note?: string | null;
  tone?: "bad" | "good" | undefined;
  /** For admins: who did it, and who can read it. */
  event?: orderQueries.TimelineEvent;
};

type TimelineProps = {
  order: Order;
  events: orderQueries.TimelineEvent[];
  /** The reader, to whom their own cancellation is worded as such. */
  viewerId: number | null;
  showsAuthors?: boolean;
};

/** The order's events, oldest first; `showsAuthors` names the admins behind them. */
export function Timeline({ order, events, viewerId, showsAuthors = false }: TimelineProps) {
  const entries: Entry[] = [
    { at: order.createdAt, label: "Ordered" },
    ...(order.paidAt ? [{ at: order.paidAt, label: `Paid ${show(order.amountPesewas)}` }] : []),
    ...events.map((event, i) => ({
      at: event.createdAt,
      ...stepOf(event, viewerId),
      // Its refund was taken back later, so the order itself no longer has it.
      ...(event.toStatus === "FAILED" &&
        events.slice(i).some(({ fromStatus }) => fromStatus === "FAILED") && {
          label: `Failed, ${show(order.amountPesewas)} refunded to the wallet`,
        }),
      tone: toneOf(event),
      event,
    })),
    ...(order.refundedAt
      ? [{ at: order.refundedAt, label: `${show(order.amountPesewas)} refunded to the wallet` }]
      : []),
  ];
  // The sort is stable: events of the same moment stay in the order in which they were recorded.
  entries.sort((a, b) => a.at.getTime() - b.at.getTime());
  return (
    <>
      <Sheet name="timeline" />
      <ol className="steps" data-live="steps">
        {entries.map((entry) => (
          <Step key={entry.event?.id ?? entry.label} {...entry} showsAuthors={showsAuthors} />
        ))}
      </ol>
    </>
  );
}

/** An event without a status is somebody's note, or a text of the shop. */
function stepOf({ toStatus, byUserId, userId, byUsername, note }: orderQueries.TimelineEvent, viewerId: number | null) {
  if (toStatus === "FAILED" && note === CANCELLED)
    return { label: viewerId === userId ? CANCELLED : `Cancelled by ${byUsername ?? "its buyer"}` };
  if (toStatus) return { label: STATUS_LABELS[toStatus], note };
  return byUserId ? { label: "Note", note } : { label: note ?? "" };
}

/** A delivery that failed is a bad sign, even if it is tried again. */
function toneOf({ toStatus, kind }: orderQueries.TimelineEvent): Entry["tone"] {
  if (toStatus === "FAILED" || kind === "refused" || kind === "taken_back") return "bad";
  return toStatus === "DELIVERED" || toStatus === "COMPLETED" ? "good" : undefined;
}

const STATUS_LABELS = {
  PENDING: "Waiting",
  PAID: "Payment confirmed",
  PROCESSING: "Processing",
  DELIVERED: "Delivered",
  COMPLETED: "Completed",
  FAILED: "Failed",
} as const;

function Step({ at, label, note, tone, event, showsAuthors }: Entry & { showsAuthors: boolean }) {
  return (
    <li className={tone}>
      <strong>{label}</strong>
      {event?.isInternal && <span className="chip after-words">Staff only</span>}
      {note && (
        <div className="words">
          <bdi>{note}</bdi>
        </div>
      )}
      <div className="small soft">
        <Moment at={at} />
        {showsAuthors && event?.byUsername && (
          <>
            {" by "}
            <bdi>{event.byUsername}</bdi>
          </>
        )}
      </div>
    </li>
  );
}
