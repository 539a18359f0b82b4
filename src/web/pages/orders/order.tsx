// Page of one order: whether it has arrived, what can be done with it, and what happened.
import { Fragment, type ReactNode } from "react";
import type { Db } from "../../../../db/connect.ts";
import * as unpaidOrders from "../../../core/buying/unpaid-orders.ts";
import * as tiers from "../../../core/catalog/tiers.ts";
import * as deadlines from "../../../core/fulfilment/deadlines.ts";
import { deliveryTimes } from "../../../core/fulfilment/delivery-times.ts";
import * as holders from "../../../core/fulfilment/holders.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import * as cancelling from "../../../core/orders/cancelling.ts";
import * as disputes from "../../../core/orders/disputes.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import * as takenBack from "../../../core/orders/taken-back-refunds.ts";
import * as settings from "../../../core/platform/settings/settings.ts";
import { ageText } from "../../../shared/accra.ts";
import { AFA_SIZE, type ByUser } from "../../../shared/domain.ts";
import { percentText, show } from "../../../shared/money.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { hasRight } from "../../../shared/rights.ts";
import { readNotice } from "../../cookies.ts";
import {
  type Answer,
  actionsOf,
  type Context,
  ORDER,
  originOf,
  type Page,
  type Refused,
  redirect,
} from "../../page.tsx";
import { refusedFor } from "../../ui/action.tsx";
import { Alerts } from "../../ui/frame/alerts.tsx";
import { markAnswer, wantsMark } from "../../ui/frame/live.tsx";
import { PageLink } from "../../ui/frame/permitted.tsx";
import { HolderText, nameOf } from "../../ui/orders/holder.tsx";
import { receiptPath } from "../../ui/orders/order-actions.tsx";
import { notesOn, OrderBooks, type OrderNotes } from "../../ui/orders/order-books.tsx";
import { StateChip } from "../../ui/orders/order-rows.tsx";
import { Facts, labelOf, outcomeOf, sizeText, Timeline } from "../../ui/orders/order-story.tsx";
import { Money, StatusChip } from "../../ui/parts.tsx";
import { ReportForm } from "../../ui/staff/support.tsx";
import { type AdminOrderAction, adminActions, Notes, TransitionCard } from "./admin-actions.tsx";
import { NotReceived } from "./not-received.tsx";
import { orderIdOf } from "./order-id.ts";
import { OrderResult, type ResultProps } from "./order-result.tsx";
import { TakeBackCard } from "./take-back.tsx";

const actions = actionsOf({
  pay: {
    run: async ({ db, by, key: { key }, params }) => {
      const orderId = orderIdOf(params);
      const { answer } = await unpaidOrders.spend(db, { by, key: { scope: "web:pay", key }, orderId });
      const holdSeconds = await settings.get(db, "dispatch_hold_seconds");
      return {
        to: `/orders/${orderId}`,
        notice: `Paid with wallet successfully. Order #${orderId} is on its way.`,
        undo: { of: ORDER, id: orderId, untilMs: answer.order.paidAt!.getTime() + holdSeconds * 1000 },
      };
    },
  },
  cancel: {
    run: async ({ db, by, key: { key }, params }) => {
      const orderId = orderIdOf(params);
      const { answer } = await cancelling.cancel(db, { by, key: { scope: "web:cancel", key }, orderId });
      const { refundedAt, amountPesewas } = answer.order;
      const back = refundedAt ? ` ${show(amountPesewas)} is back in your wallet.` : "";
      return redirect(`/orders/${orderId}`, `Order #${orderId} is cancelled.${back}`);
    },
  },
});
export type OrderAction = keyof typeof actions;

export const orderPages: Page[] = [
  { path: "/orders/:id", role: "user", subject: "order", show: showOne, actions },
  {
    path: "/admin/orders/:id",
    right: "orders.see",
    under: "/orders",
    subject: "order",
    examples: [],
    show: showOne,
    actions: adminActions,
  },
];

async function showOne(context: Context, refused?: Refused): Promise<Answer> {
  const { db, by, viewer, push, params, request } = context;
  const order = await orderQueries.get(db, by, orderIdOf(params));
  const [timeline, outlook] = await Promise.all([orderQueries.events(db, by, order.id), deadlines.outlook(db, order)]);
  const outcome = outcomeOf(order);
  const live = {
    path: `/orders/${order.id}`,
    mark: [order.status, order.isReported, timeline.length, outlook?.state].join(" "),
    isOver: outcome !== "coming",
  };
  if (wantsMark(request)) return markAnswer(live);
  const isOwn = order.userId === by.userId;
  const [usualSeconds, cancellation, standing, disputed, management, beside, notes] = await Promise.all([
    outcome === "coming" ? usualTime(db, order) : null,
    isOwn ? cancelling.cancellation(db, order) : null,
    isOwn && outcome === "unpaid" ? wallet.standing(db, by.userId) : null,
    disputeOf(context, order),
    hasRight(by, "orders.see") ? managementOf(context, order) : null,
    hasRight(by, "orders.see") ? orderQueries.beside(db, order.id) : null,
    isOwn ? notesOn(db, order) : null,
  ]);
  const receiptUrl = originOf(context) + receiptPath(context, order);
  const undo = readNotice(context, request)?.undo;
  const isJustPaid = undo?.of === ORDER && undo.id === order.id;
  const preposition = order.productSize === AFA_SIZE ? "for" : "to";
  const answerBy = disputed.dispute?.dueAt ?? null;
  const isWaiting = management !== null && waits(order, management.holder);
  const label = isWaiting
    ? `Waiting to be ${order.productSize === AFA_SIZE ? "submitted" : "sent"}`
    : outcome === "reported" && !isOwn
      ? "Reported as not received"
      : labelOf(order, outcome);
  const shown = {
    order,
    outcome,
    label,
    isWaiting,
    timeline,
    outlook,
    usualSeconds,
    isOwn,
    answerBy,
    cancellation,
    standing,
    live,
  };
  return {
    title: `${label}: ${sizeText(order)} ${preposition} ${spacedMsisdn(order.msisdn)}`,
    body: (
      <OrderPage
        {...{ ...shown, receiptUrl, isJustPaid, by, viewer, push, disputed, management, beside, notes, refused }}
      />
    ),
  };
}

/** Whether a paid order is with nobody who sends it. */
function waits({ status, paidAt }: orderQueries.OrderRow, holder: holders.Holder | undefined): boolean {
  return paidAt !== null && (status === "PENDING" || status === "PAID") && !holders.mayDeliver(holder);
}

type PageProps = Omit<ResultProps, "held"> & {
  by: ByUser;
  disputed: Awaited<ReturnType<typeof disputeOf>>;
  /** For admins. */
  management: Awaited<ReturnType<typeof managementOf>> | null;
  /** For admins: the orders before and after it. */
  beside: orderQueries.Beside | null;
  /** For its agent. */
  notes: OrderNotes | null;
} & Pick<Context, "viewer" | "push">;

function OrderPage({ by, viewer, push, disputed, management, beside, notes, refused, ...shown }: PageProps) {
  const { order, outcome, timeline, isOwn } = shown;
  const admin = management !== null;
  // A failed order has no refund dialog, and only a refunded one can be corrected.
  const withForms: AdminOrderAction[] = [
    "note",
    ...(order.status === "FAILED" ? [] : (["refund"] as const)),
    ...(management?.takingBack ? (["takeBack"] as const) : []),
  ];
  const held = management && outcome === "coming" && <Held order={order} {...management} />;
  // What staff answer is their first action; a report of their own stands where any agent's does.
  const report = management && !isOwn && !disputed.dispute?.outcome ? disputed.dispute : null;
  const isElsewhere = refusedFor<AdminOrderAction>(withForms, refused) !== undefined;
  return (
    <>
      {!shown.isJustPaid && <Crumbs {...{ order, beside }} />}
      <OrderResult {...shown} held={held} refused={isElsewhere ? undefined : refused} />
      {shown.isJustPaid && <Crumbs {...{ order, beside }} />}
      {isOwn && outcome === "delivered" && <Alerts {...{ viewer, push }} isOffer />}
      {management && (
        <div className="no-paper" data-live="tools">
          <TransitionCard
            {...{ order, refused, report }}
            {...management}
            isAutomatic={disputed.isAutomatic}
            isLate={shown.outlook?.state === "checking"}
          />
          {management.takingBack && <TakeBackCard order={order} outlook={management.takingBack} refused={refused} />}
        </div>
      )}
      <div className="two">
        <section className="card no-paper">
          <h2>What happened</h2>
          <Timeline order={order} events={timeline} viewerId={by.userId} showsAuthors={admin} />
          <div data-live="not-received">{!report && <NotReceived {...{ order, by }} {...disputed} />}</div>
          <Notes order={order} refused={refusedFor<AdminOrderAction>("note", refused)} />
        </section>
        <section className={`card stripe ${order.operator}`}>
          <h2>Receipt</h2>
          <Facts order={order} showsUser={admin}>
            {management && <ShopFacts order={order} {...management} />}
          </Facts>
          {admin && order.paidAt && (
            <p className="small after no-paper">
              <a href={`/orders/${order.id}/receipt`}>Printable receipt</a>
            </p>
          )}
          {notes && <OrderBooks order={order} notes={notes} back={`/orders/${order.id}`} />}
          {isOwn && (
            <details className="after no-paper">
              <summary>Report an Issue</summary>
              <ReportForm userId={by.userId} orderId={order.id} isFixed />
            </details>
          )}
        </section>
      </div>
    </>
  );
}

type ManagedProps = Pick<PageProps, "order"> & NonNullable<PageProps["management"]>;

/** Who has it and for how long, and since when it is paid. */
function Held({ order, holder, vendors }: ManagedProps) {
  const now = new Date();
  const paid = `Paid ${ageText(order.paidAt!, now)} ago.`;
  if (order.productSize === AFA_SIZE)
    return (
      <>
        Who has it: {order.status === "PROCESSING" ? "MTN" : <Unsubmitted id={order.id} />}. {paid}
      </>
    );
  return (
    <>
      Who has it: <HolderText holder={holder} vendors={vendors} />
      {holder && `, for ${ageText(holder.sentAt ?? holder.createdAt, now)}`}. {paid}
    </>
  );
}

function Unsubmitted({ id }: { id: number }) {
  return (
    <>
      Nobody yet; submit it under{" "}
      <PageLink isName href={`/admin/afa/${id}`}>
        AFA
      </PageLink>
    </>
  );
}

/** Who sends it, and what the shop earns by it, for those who may see that. A customer's paper has none of it. */
function ShopFacts({ order, holder, vendors, group }: ManagedProps) {
  const { status, amountPesewas, costPesewas, isCostFinal } = order;
  const facts: [name: string, value: ReactNode][] = [];
  if (holder) facts.push(["Supplier", nameOf(holder.vendor, vendors)]);
  if (group !== null) facts.push(["Group", <bdi key="group">{group}</bdi>]);
  // What failed costs nothing; a late delivery of it is a loss of its own.
  if (group !== null && status !== "FAILED") {
    if (costPesewas === null) facts.push(["Cost", "Not known"]);
    else {
      const gainPesewas = amountPesewas - costPesewas;
      facts.push(["Cost", [<Money key="cost" pesewas={costPesewas} />, isCostFinal ? "" : ", expected"]]);
      const share = ` (${percentText((gainPesewas / amountPesewas) * 100)})`;
      facts.push(["Profit", [<Money key="profit" pesewas={gainPesewas} />, share]]);
    }
  }
  return facts.map(([name, value]) => (
    <Fragment key={name}>
      <dt className="no-paper">{name}</dt>
      <dd className="no-paper">{value}</dd>
    </Fragment>
  ));
}

type CrumbsProps = Pick<PageProps, "order" | "beside">;

/** The way back, and the order's number and state; below the result while it answers a payment. */
function Crumbs({ order, beside }: CrumbsProps) {
  const admin = beside !== null;
  return (
    <p className="small crumbs no-paper">
      <a href="/orders">{admin ? "All Orders" : "My Orders"}</a>
      {!admin && order.paidAt && <a href={`/orders/${order.id}/receipt`}>Receipt</a>}
      <span data-live="status">
        <span className="sr">Order </span>#{order.id}{" "}
        {admin ? <StatusChip status={order.status} isPaid={order.paidAt !== null} /> : <StateChip order={order} />}
      </span>
      {beside && (
        <span className="beside">
          {beside.before && (
            <a href={`/orders/${beside.before}`} rel="prev" data-key="j">
              <span aria-hidden="true">←</span> <span className="words">Older</span>
            </a>
          )}
          {beside.after && (
            <a href={`/orders/${beside.after}`} rel="next" data-key="k">
              <span className="words">Newer</span> <span aria-hidden="true">→</span>
            </a>
          )}
        </span>
      )}
    </p>
  );
}

/** How long such a delivery usually takes now; null if that is unknown, or this one is slower than nearly all. */
async function usualTime(db: Db, { operator, paidAt }: orderQueries.OrderRow): Promise<number | null> {
  const time = (await deliveryTimes(db)).find((it) => it.operator === operator);
  const age = (Date.now() - paidAt!.getTime()) / 1000;
  return time?.slowSeconds != null && age < time.slowSeconds ? time.medianSeconds : null;
}

async function disputeOf({ db, by }: Context, order: orderQueries.OrderRow) {
  const dispute = await disputes.ofOrder(db, order.id);
  const isOwn = order.userId === by.userId;
  return {
    dispute,
    offer: isOwn && !dispute ? await disputes.offer(db, order) : null,
    isAutomatic: dispute !== null && (await disputes.isRefundedAutomatically(db, order.id)),
  };
}

/** What an admin needs to move the order; `group`: the one in which it was sold, for who may see profit, or null. */
async function managementOf({ db, by, vendors, url }: Context, order: orderQueries.OrderRow) {
  const mayTakeBack = hasRight(by, "orders.refund") && order.userId !== by.userId;
  const [balancePesewas, holderOf, takingBack, group] = await Promise.all([
    wallet.balance(db, order.userId),
    holders.ofOrders(db, [order.id]),
    mayTakeBack ? takenBack.outlook(db, order) : null,
    hasRight(by, "profit.see") ? tiers.nameOf(db, order.tierId ?? tiers.STANDARD_TIER_ID) : null,
  ]);
  const isRefunding = url.searchParams.get("act") === "refund";
  return { balancePesewas, holder: holderOf.get(order.id), vendors, takingBack, isRefunding, group };
}
