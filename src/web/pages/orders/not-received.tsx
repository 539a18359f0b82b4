// "Not received": the owner's dispute of a delivered order, with its deadline, and its withdrawal.

import * as disputes from "../../../core/orders/disputes.ts";
import type { Order } from "../../../core/orders/order.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import type { SupportRequest } from "../../../core/support/requests.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { show } from "../../../shared/money.ts";
import { hasRight } from "../../../shared/rights.ts";
import { does } from "../../does.ts";
import { type Context, type Leave, type Page, type Refused, readId, redirect, type View } from "../../page.tsx";
import { RefusalNote, TextArea } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { PageLink } from "../../ui/frame/permitted.tsx";
import { Moment, Money } from "../../ui/parts.tsx";

const orderId = ({ params }: Context) => idOf(params);
const actions = {
  withdraw: does(
    disputes.withdraw,
    ({ orderId }) => redirect(`/orders/${orderId}`, "Thank you for letting us know that it has arrived."),
    { orderId },
  ),
};
type NotReceivedAction = keyof typeof actions;

export const notReceivedPages: Page[] = [
  {
    path: "/orders/:id/not-received",
    role: "user",
    subject: "deliveredOrder",
    show: showForm,
    submit: does(
      disputes.open,
      ({ orderId }) => redirect(`/orders/${orderId}`, "We are checking what happened to it."),
      { orderId },
    ),
    actions,
  },
];

type NotReceivedProps = {
  order: Order;
  /** The order's dispute, or null. */
  dispute: SupportRequest | null;
  offer: disputes.Offer | null;
  by: ByUser;
  /** Whether an open dispute is refunded automatically at its deadline. */
  isAutomatic: boolean;
};

/** The part of an order's page about a dispute. */
export function NotReceived({ offer, dispute, ...props }: NotReceivedProps) {
  const { order } = props;
  if (dispute) return <DisputeNote {...props} dispute={dispute} />;
  if (!offer) return null;
  return (
    <details className="after">
      <summary>Not received?</summary>
      <NotReceivedForm order={order} offer={offer} />
    </details>
  );
}

type FormProps = { order: Order; offer: disputes.Offer; refused?: Refused | undefined };

function NotReceivedForm({ order, offer, refused }: FormProps) {
  return (
    <Form
      to={`/orders/${order.id}/not-received`}
      refused={refused}
      idPrefix="missing"
      isOnce
      className="fields"
      noValidate
    >
      <p>
        Check the data balance on the phone first. Then tell us, and by{" "}
        <strong>
          <Moment at={offer.decidedBy} />
        </strong>{" "}
        {offer.isAutomatic ? (
          <>
            you will have either proof of delivery, or <Money pesewas={order.amountPesewas} /> back in your wallet.
          </>
        ) : (
          "our team will look into it and decide."
        )}
      </p>
      <TextArea
        label="What did you see? (optional)"
        name="message"
        maxLength={2000}
        rows={2}
        hint={
          <>
            You can report each order once, until <Moment at={offer.until} />
          </>
        }
      />
      <button type="submit" data-sending="Sending…">
        Not received
      </button>
    </Form>
  );
}

const OUTCOMES = {
  delivered: "Reported as not received. Support has proof of delivery.",
  refunded: "Reported as not received, and refunded.",
  withdrawn: "Reported as not received, but it has arrived.",
} as const;

type DisputeProps = Omit<NotReceivedProps, "dispute" | "offer"> & { dispute: SupportRequest };

/** For its agent; staff find an open one among their actions. */
function DisputeNote({ order, dispute, by, isAutomatic }: DisputeProps) {
  const isOwn = order.userId === by.userId;
  const path = isOwn && !hasRight(by, "support.answer") ? `/support/${dispute.id}` : `/admin/support/${dispute.id}`;
  if (dispute.outcome)
    return (
      <p className="small after">
        {OUTCOMES[dispute.outcome]} <PageLink href={path}>See messages</PageLink>
      </p>
    );
  return (
    <div className="note info after">
      <p>
        You reported this order as not received. We will decide by <Moment at={dispute.dueAt!} />
        {isAutomatic && `; otherwise ${show(order.amountPesewas)} goes back to your wallet`}.
      </p>
      <div className="actions">
        <PageLink className="button quiet" href={path}>
          {hasRight(by, "cases.decide") ? "Decide" : "See messages"}
        </PageLink>
        <Form<NotReceivedAction> to={`/orders/${order.id}/not-received`} does="withdraw">
          <button className="quiet" type="submit">
            It has arrived
          </button>
        </Form>
      </div>
    </div>
  );
}

async function showForm({ db, by, params }: Context, refused?: Refused): Promise<View | Leave> {
  const order = await orderQueries.get(db, by, idOf(params));
  const offer = order.userId === by.userId ? await disputes.offer(db, order) : null;
  if (!offer && !refused) return redirect(`/orders/${order.id}`);
  return {
    title: "Not received",
    body: (
      <div className="card narrow">
        <h1>Not received</h1>
        <RefusalNote refused={refused} />
        {offer && <NotReceivedForm order={order} offer={offer} refused={refused} />}
        <p className="small after">
          <a href={`/orders/${order.id}`}>Order #{order.id}</a>
        </p>
      </div>
    ),
  };
}

function idOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (!id) throw new AppError("order.not_found");
  return id;
}
