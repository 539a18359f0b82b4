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

type Happening = {
  at: Date;
  words: string;
  note?: string | null;
  /** By whom and for whom, which admins are told. */
  event?: orderQueries.TimelineEvent;
};

type TimelineProps = {
  order: orders.Order;
  events: orderQueries.TimelineEvent[];
  /** Who reads it: the buyer is told of their own doings as such. */
  viewerId: number | null;
  showsWho?: boolean;
};

/** What happened, oldest first; `showsWho` names the admins behind it. */
export function Timeline({ order, events, viewerId, showsWho = false }: TimelineProps) {
  const happenings: Happening[] = [
    { at: order.createdAt, words: "Ordered" },
    ...(order.paidAt ? [{ at: order.paidAt, words: `Paid ${show(order.amountPesewas)}` }] : []),
    ...events.map((event) => ({ at: event.createdAt, ...wordsOf(event, viewerId), event })),
    ...(order.refundedAt
      ? [{ at: order.refundedAt, words: `${show(order.amountPesewas)} back in the wallet` }]
      : []),
  ];
  // Stable, so that what shares a moment stays in the order in which it was written down.
  happenings.sort((a, b) => a.at.getTime() - b.at.getTime());
  return (
    <ol className="steps">
      {happenings.map((happening) => (
        <Step key={happening.event?.id ?? happening.words} {...happening} showsWho={showsWho} />
      ))}
    </ol>
  );
}

/** Without a status it is somebody's note, or the shop's own words. */
function wordsOf(
  { toStatus, byUserId, userId, byUsername, note }: orderQueries.TimelineEvent,
  viewerId: number | null,
) {
  if (toStatus === "FAILED" && note === CANCELLED)
    return { words: viewerId === userId ? CANCELLED : `Cancelled by ${byUsername ?? "its buyer"}` };
  if (toStatus) return { words: WORDS[toStatus], note };
  return byUserId ? { words: "Note", note } : { words: note ?? "" };
}

const WORDS = {
  PENDING: "Waiting",
  PAID: "Payment confirmed",
  PROCESSING: "Processing",
  DELIVERED: "Delivered",
  COMPLETED: "Completed",
  FAILED: "Failed",
} as const;

function Step({ at, words, note, event, showsWho }: Happening & { showsWho: boolean }) {
  return (
    <li className={event?.toStatus === "FAILED" ? "bad" : undefined}>
      <strong>{words}</strong>
      {event?.isInternal && <span className="chip after-words">Only admins</span>}
      {note && (
        <div className="words">
          <bdi>{note}</bdi>
        </div>
      )}
      <div className="small soft">
        <Moment at={at} />
        {showsWho && event?.byUsername && (
          <>
            {" by "}
            <bdi>{event.byUsername}</bdi>
          </>
        )}
      </div>
    </li>
  );
}
