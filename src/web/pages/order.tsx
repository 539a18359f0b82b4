// One order: what happened to it, its receipt, and what its owner or an admin can do with it.
import type { ReactNode } from "react";
import * as cases from "../../core/cases.ts";
import * as moves from "../../core/moves.ts";
import * as orderLists from "../../core/order-lists.ts";
import * as orders from "../../core/orders.ts";
import { isAdmin, OPEN_STATUSES } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors.ts";
import { show } from "../../shared/money.ts";
import { spacedMsisdn } from "../../shared/msisdn.ts";
import { type Context, type Leave, type Page, type Refused, readId, redirect, type View } from "../page.tsx";
import { FormKey, Moment, Money, OperatorTag, RefusalNote, StatusChip } from "../parts.tsx";
import { NotReceived } from "./not-received.tsx";
import { MoveButtons } from "./order-table.tsx";
import { ReportForm } from "./support.tsx";

export const orderPages: Page[] = [{ path: "/orders/:id", role: "user", show: showOne, submit: payOrCancel }];

async function showOne({ db, by, params, url }: Context, refused?: Refused): Promise<View> {
  const order = await orderLists.get(db, by, idOf(params));
  const timeline = await orderLists.events(db, order.id);
  const isOwn = order.userId === by.userId;
  const found = await cases.ofOrder(db, order.id);
  const offer = isOwn && !found ? await cases.offer(db, order) : null;
  return {
    title: `Order #${order.id}`,
    body: (
      <>
        <p className="small">
          <a href="/orders">{isAdmin(by) ? "All Orders" : "My Orders"}</a>
        </p>
        <div className="head">
          <div>
            <h1>Order #{order.id}</h1>
            <StatusChip status={order.status} isPaid={order.paidAt !== null} />
          </div>
          {isAdmin(by) && <MoveButtons order={order} backTo={url.pathname} />}
        </div>
        <RefusalNote refused={refused} />
        <div className="two">
          <section className="card">
            <h2>What happened</h2>
            <Timeline order={order} events={timeline} />
            <PromiseNote order={order} />
            <NotReceived order={order} found={found} offer={offer} by={by} />
          </section>
          <section className={`card stripe ${order.operator}`}>
            <h2>Receipt</h2>
            <Facts order={order} showsUser={isAdmin(by)} />
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

function idOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (!id) throw new AppError("order.not_found");
  return id;
}

async function payOrCancel({ db, by, key: { key }, params, form }: Context): Promise<Leave> {
  const orderId = idOf(params);
  if (form.get("do") === "pay") {
    await orders.spend(db, { by, key: { scope: "web:pay", key }, orderId });
    return redirect(`/orders/${orderId}`, `Paid with wallet successfully. Order #${orderId} is on its way.`);
  }
  const { answer } = await moves.cancel(db, { by, key: { scope: "web:cancel", key }, orderId });
  const back = answer.order.refundedAt ? ` ${show(answer.order.amountPesewas)} is back in your wallet.` : "";
  return redirect(`/orders/${orderId}`, `Order #${orderId} is cancelled.${back}`);
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
          <button className="wide" name="do" value="pay" type="submit">
            Pay with Wallet
          </button>
          <p className="after">
            <a className="button quiet wide" href={`/checkout?order=${order.id}`}>
              Pay with MoMo or card
            </a>
          </p>
        </form>
      )}
      <form method="post" action={`/orders/${order.id}`}>
        <FormKey refused={refused} />
        <p className="hint">Nobody has been handed this order yet, so you can still take it back.</p>
        <button className="danger wide" name="do" value="cancel" type="submit">
          {order.paidAt ? "Cancel and get the money back" : "Cancel order"}
        </button>
      </form>
    </div>
  );
}

const METHODS = { wallet: "From the wallet", paystack: "Online", cash: "In cash" } as const;

export function Facts({ order, showsUser }: { order: orderLists.OrderRow; showsUser: boolean }) {
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
        <bdi>
          {order.productName} {order.productSize}
        </bdi>
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

/** What the shop has promised about an order that is on its way. */
function PromiseNote({ order }: { order: orders.Order }) {
  const isOnItsWay = OPEN_STATUSES.some((status) => status === order.status);
  if (!isOnItsWay || !order.paidAt || !order.deliverBy) return null;
  return (
    <p className="note">
      Not delivered by <Moment at={order.deliverBy} />? Then {show(order.amountPesewas)} is back in your
      wallet by itself.
    </p>
  );
}

type Happening = { at: Date; words: string; note: string | null };

export function Timeline({ order, events }: { order: orders.Order; events: orders.OrderEvent[] }) {
  const happenings: Happening[] = [
    { at: order.createdAt, words: "Ordered", note: null },
    ...(order.paidAt ? [{ at: order.paidAt, words: `Paid ${show(order.amountPesewas)}`, note: null }] : []),
    ...events.map((event) => ({
      at: event.createdAt,
      words: event.toStatus ? WORDS[event.toStatus] : (event.note ?? ""),
      note: event.toStatus ? event.note : null,
    })),
    ...(order.refundedAt
      ? [{ at: order.refundedAt, words: `${show(order.amountPesewas)} back in the wallet`, note: null }]
      : []),
  ];
  // Stable, so that what shares a moment stays in the order in which it was written down.
  happenings.sort((a, b) => a.at.getTime() - b.at.getTime());
  return (
    <ol className="steps">
      {happenings.map(({ at, words, note }) => (
        <Step key={`${at.toISOString()} ${words}`} at={at} note={note}>
          {words}
        </Step>
      ))}
    </ol>
  );
}

const WORDS = {
  PENDING: "Waiting",
  PAID: "Payment confirmed",
  PROCESSING: "Processing",
  DELIVERED: "Delivered",
  COMPLETED: "Completed",
  FAILED: "Failed",
} as const;

function Step({ at, note, children }: { at: Date; note: string | null; children: ReactNode }) {
  return (
    <li>
      <strong dir="auto">{children}</strong>
      {note && (
        <div>
          <bdi>{note}</bdi>
        </div>
      )}
      <div className="small soft">
        <Moment at={at} />
      </div>
    </li>
  );
}
