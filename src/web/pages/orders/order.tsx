// Page of one order: its timeline, its receipt, and the actions of its owner or an admin.
import { OrderWatch } from "../../../../islands/order-watch.tsx";
import * as deadlines from "../../../core/fulfilment/deadlines.ts";
import * as holders from "../../../core/fulfilment/holders.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import type * as orders from "../../../core/orders/buy.ts";
import * as disputes from "../../../core/orders/disputes.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import * as transitions from "../../../core/orders/transitions.ts";
import * as unpaidOrders from "../../../core/orders/unpaid-orders.ts";
import { isAdmin } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { Island } from "../../island.tsx";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { refusedFor, submits } from "../../ui/action.tsx";
import { Facts, Timeline } from "../../ui/order-story.tsx";
import { FormKey, Once, RefusalNote, StatusChip } from "../../ui/parts.tsx";
import { ReportForm } from "../../ui/support.tsx";
import {
  type AdminOrderAction,
  adminActions,
  NoteForm,
  OrderLinks,
  orderIdOf,
  TransitionCard,
} from "./admin-actions.tsx";
import { NotReceived } from "./not-received.tsx";

const actions = actionsOf({
  pay: {
    run: async ({ db, by, key: { key }, params }) => {
      const orderId = orderIdOf(params);
      await unpaidOrders.spend(db, { by, key: { scope: "web:pay", key }, orderId });
      const notice = `Paid with wallet successfully. Order #${orderId} is on its way.`;
      return redirect(`/orders/${orderId}`, notice);
    },
  },
  cancel: {
    run: async ({ db, by, key: { key }, params }) => {
      const orderId = orderIdOf(params);
      const { answer } = await transitions.cancel(db, { by, key: { scope: "web:cancel", key }, orderId });
      const { refundedAt, amountPesewas } = answer.order;
      const back = refundedAt ? ` ${show(amountPesewas)} is back in your wallet.` : "";
      return redirect(`/orders/${orderId}`, `Order #${orderId} is cancelled.${back}`);
    },
  },
});
type OrderAction = keyof typeof actions;

export const orderPages: Page[] = [
  { path: "/orders/:id", role: "user", subject: "order", show: showOne, actions },
  {
    path: "/admin/orders/:id",
    role: "admin",
    subject: "order",
    examples: [],
    show: showOne,
    actions: adminActions,
  },
];

async function showOne({ db, by, params, vendors }: Context, refused?: Refused): Promise<View> {
  const order = await orderQueries.get(db, by, orderIdOf(params));
  const admin = isAdmin(by);
  const [timeline, outlook, balancePesewas, holderOf] = await Promise.all([
    orderQueries.events(db, by, order.id),
    deadlines.outlook(db, order),
    admin ? wallet.balance(db, order.userId) : 0,
    admin ? holders.ofOrders(db, [order.id]) : null,
  ]);
  const isOwn = order.userId === by.userId;
  const dispute = await disputes.ofOrder(db, order.id);
  const offer = isOwn && !dispute ? await disputes.offer(db, order) : null;
  const isAutomatic = dispute !== null && (await disputes.isRefundedAutomatically(db, order.id));
  // A failed order has no refund dialog.
  const withForms: AdminOrderAction[] = order.status === "FAILED" ? ["note"] : ["note", "refund"];
  return {
    title: `Order #${order.id}`,
    body: (
      <>
        <p className="small">
          <a href="/orders">{admin ? "All Orders" : "My Orders"}</a>
        </p>
        <div className="head">
          <div>
            <h1>Order #{order.id}</h1>
            <StatusChip status={order.status} isPaid={order.paidAt !== null} />
            {admin && <OrderLinks order={order} />}
          </div>
        </div>
        {!refusedFor<AdminOrderAction>(withForms, refused) && <RefusalNote refused={refused} />}
        {admin && (
          <TransitionCard {...{ order, balancePesewas, vendors, refused }} holder={holderOf?.get(order.id)} />
        )}
        <div className="two">
          <section className="card">
            <h2>What happened</h2>
            <Timeline order={order} events={timeline} viewerId={by.userId} showsAuthors={admin} />
            {outlook && <p className="note">{outlook.message}</p>}
            <LiveUpdates order={order} />
            <NotReceived {...{ order, dispute, offer, by, isAutomatic }} />
            {admin && <NoteForm order={order} refused={refusedFor<AdminOrderAction>("note", refused)} />}
          </section>
          <section className={`card stripe ${order.operator}`}>
            <h2>Receipt</h2>
            <Facts order={order} showsUser={admin} />
            {isOwn && <OwnersForms order={order} refused={refused} />}
            {isOwn && (
              <details className="after">
                <summary>Report an Issue</summary>
                <ReportForm orderId={order.id} isFixed />
              </details>
            )}
          </section>
        </div>
      </>
    ),
  };
}

function OwnersForms({ order, refused }: { order: orders.Order; refused?: Refused | undefined }) {
  const canPay = order.status === "PENDING" && !order.paidAt;
  const canCancel = order.status === "PENDING" || order.status === "PAID";
  if (!canCancel) return null;
  return (
    <div className="fields after">
      {canPay && (
        <form method="post" action={`/orders/${order.id}`}>
          <FormKey refused={refused} />
          <button className="wide" {...submits<OrderAction>("pay")} type="submit" data-sending="Paying…">
            Pay with Wallet
          </button>
          <Once />
          <p className="after">
            <a className="button quiet wide" href={`/checkout?order=${order.id}`}>
              Pay with MoMo or card
            </a>
          </p>
        </form>
      )}
      <form method="post" action={`/orders/${order.id}`}>
        <FormKey refused={refused} />
        <p className="hint">You can still cancel.</p>
        <button
          className="danger wide"
          {...submits<OrderAction>("cancel")}
          type="submit"
          data-sending="Cancelling…"
        >
          {order.paidAt ? "Cancel and refund" : "Cancel order"}
        </button>
        <Once />
      </form>
    </div>
  );
}

/** Follows the status of a paid order until it is final. */
function LiveUpdates({ order }: { order: orders.Order }) {
  const isToCome = order.paidAt !== null && order.status !== "COMPLETED" && order.status !== "FAILED";
  if (!isToCome) return null;
  return (
    <p>
      <Island component={OrderWatch} props={{ orderId: order.id, status: order.status }} on="load" />
    </p>
  );
}
