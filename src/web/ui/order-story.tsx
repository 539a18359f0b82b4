// Details and timeline of one order.

import type * as orders from "../../core/orders/buy.ts";
import type * as orderQueries from "../../core/orders/queries.ts";
import { CANCELLED } from "../../core/orders/transitions.ts";
import { orderedBundle } from "../../shared/domain.ts";
import { show } from "../../shared/money.ts";
import { spacedMsisdn } from "../../shared/msisdn.ts";
import { Moment, Money, OperatorTag } from "./parts.tsx";

const METHODS = { wallet: "From the wallet", paystack: "Online", cash: "In cash" } as const;

export function Facts({ order, showsUser }: { order: orderQueries.OrderRow; showsUser: boolean }) {
  return (
    <dl className="facts">
      {showsUser && (
        <>
          <dt>User</dt>
          <dd>
            <bdi>{order.username}</bdi> (ID {order.userId})
          </dd>
        </>
      )}
      <dt>Number</dt>
      <dd className="money">{spacedMsisdn(order.msisdn)}</dd>
      <dt>Network</dt>
      <dd>
        <OperatorTag operator={order.operator} />
      </dd>
      <dt>Bundle</dt>
      <dd>
        <bdi>{orderedBundle(order)}</bdi>
      </dd>
      <dt>Price</dt>
      <dd>
        <Money pesewas={order.unitPricePesewas} /> × {order.quantity}
      </dd>
      <dt>Amount</dt>
      <dd>
        <strong>
          <Money pesewas={order.amountPesewas} />
        </strong>
      </dd>
      <dt>Paid</dt>
      <dd>{order.paymentMethod ? METHODS[order.paymentMethod] : "Not yet"}</dd>
      <dt>Ordered</dt>
      <dd>
        <Moment at={order.createdAt} />
      </dd>
    </dl>
  );
}

type Entry = {
  at: Date;
  label: string;
  note?: string | null;
  /** For admins: who did it, and who can read it. */
  event?: orderQueries.TimelineEvent;
};

type TimelineProps = {
  order: orders.Order;
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
    ...events.map((event) => ({ at: event.createdAt, ...labelOf(event, viewerId), event })),
    ...(order.refundedAt
      ? [{ at: order.refundedAt, label: `${show(order.amountPesewas)} refunded to the wallet` }]
      : []),
  ];
  // The sort is stable: events of the same moment stay in the order in which they were recorded.
  entries.sort((a, b) => a.at.getTime() - b.at.getTime());
  return (
    <ol className="steps">
      {entries.map((entry) => (
        <Step key={entry.event?.id ?? entry.label} {...entry} showsAuthors={showsAuthors} />
      ))}
    </ol>
  );
}

/** An event without a status is somebody's note, or a text of the shop. */
function labelOf(
  { toStatus, byUserId, userId, byUsername, note }: orderQueries.TimelineEvent,
  viewerId: number | null,
) {
  if (toStatus === "FAILED" && note === CANCELLED)
    return { label: viewerId === userId ? CANCELLED : `Cancelled by ${byUsername ?? "its buyer"}` };
  if (toStatus) return { label: STATUS_LABELS[toStatus], note };
  return byUserId ? { label: "Note", note } : { label: note ?? "" };
}

const STATUS_LABELS = {
  PENDING: "Waiting",
  PAID: "Payment confirmed",
  PROCESSING: "Processing",
  DELIVERED: "Delivered",
  COMPLETED: "Completed",
  FAILED: "Failed",
} as const;

function Step({ at, label, note, event, showsAuthors }: Entry & { showsAuthors: boolean }) {
  return (
    <li className={event?.toStatus === "FAILED" ? "bad" : undefined}>
      <strong>{label}</strong>
      {event?.isInternal && <span className="chip after-words">Admins only</span>}
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
