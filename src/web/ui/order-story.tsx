// One order in words: what was sold to whom, and what happened to it since.

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
  /** By whom and for whom, which admins are told. */
  event?: orderQueries.TimelineEvent;
};

type TimelineProps = {
  order: orders.Order;
  events: orderQueries.TimelineEvent[];
  /** Who reads it: the buyer is told of their own doings as such. */
  viewerId: number | null;
  showsAuthors?: boolean;
};

/** What happened, oldest first; `showsWho` names the admins behind it. */
export function Timeline({ order, events, viewerId, showsAuthors = false }: TimelineProps) {
  const entries: Entry[] = [
    { at: order.createdAt, label: "Ordered" },
    ...(order.paidAt ? [{ at: order.paidAt, label: `Paid ${show(order.amountPesewas)}` }] : []),
    ...events.map((event) => ({ at: event.createdAt, ...labelOf(event, viewerId), event })),
    ...(order.refundedAt
      ? [{ at: order.refundedAt, label: `${show(order.amountPesewas)} back in the wallet` }]
      : []),
  ];
  // Stable, so that what shares a moment stays in the order in which it was written down.
  entries.sort((a, b) => a.at.getTime() - b.at.getTime());
  return (
    <ol className="steps">
      {entries.map((entry) => (
        <Step key={entry.event?.id ?? entry.label} {...entry} showsAuthors={showsAuthors} />
      ))}
    </ol>
  );
}

/** Without a status it is somebody's note, or the shop's own words. */
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
      {event?.isInternal && <span className="chip after-words">Only admins</span>}
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
