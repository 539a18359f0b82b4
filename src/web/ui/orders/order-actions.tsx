// Actions on an order: links and buttons for its page, and the address of its receipt.
import { CancelButton } from "../../../../islands/cancel-button.tsx";
import { CopyText } from "../../../../islands/copy-text.tsx";
import { type ReceiptKeys, tokenOf } from "../../../core/books/receipts.ts";
import type { Cancellation } from "../../../core/orders/cancelling.ts";
import type { Order } from "../../../core/orders/order.ts";
import { AFA_SIZE } from "../../../shared/domain.ts";
import { localMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Island } from "../../island.tsx";
import { buyPath, whatsAppPath, whatsAppTo } from "../../paths.ts";
import { Form } from "../form.tsx";
import { Icon } from "../frame/icons.tsx";
import { type Outcome, saleText } from "./order-story.tsx";

/** The address of the receipt that an agent's customer can read. */
export function receiptPath({ receiptKeys }: { receiptKeys: ReceiptKeys }, { id }: Pick<Order, "id">): string {
  return `/r/${tokenOf(receiptKeys, id)}`;
}

/**
 * A link to the same sale once more, as a tile or as the page's main button. A registration needs a person's details
 * and is not repeated.
 */
export function BuyAgain({ order, isMain = false }: { order: Order; isMain?: boolean }) {
  const { msisdn, productId, quantity } = order;
  if (order.productSize === AFA_SIZE) return null;
  return (
    <a className={isMain ? "button wide" : "act"} href={buyPath({ msisdn, productId, quantity, again: true })}>
      {!isMain && <Icon name="again" />}
      Buy again
    </a>
  );
}

type Props = {
  order: Order;
  outcome: Outcome;
  /** Null: it cannot be cancelled, or not by the viewer. */
  cancellation: Cancellation | null;
  /** The full address of its receipt. */
  receiptUrl: string;
  /** Whether the viewer is its buyer. */
  isOwn: boolean;
};

/** The actions of an order's page as a row of tiles. */
export function OrderActions({ order, outcome, cancellation, receiptUrl, isOwn }: Props) {
  const isShared = isOwn && (outcome === "coming" || outcome === "delivered");
  return (
    <div className="acts no-paper" data-live="actions">
      {cancellation && (
        <Form to={`/orders/${order.id}`} isOnce>
          <Island component={CancelButton} props={{ seconds: cancellation.secondsLeft, isTile: true }} on="load" />
        </Form>
      )}
      {isOwn && order.paidAt && order.status !== "FAILED" && <BuyAgain order={order} />}
      {isShared && <ShareLinks {...{ order, outcome, receiptUrl, isJustPaid: cancellation !== null }} />}
      <Island
        component={CopyText}
        props={{ text: localMsisdn(order.msisdn), label: "number", shown: spacedMsisdn(order.msisdn) }}
        on="load"
      />
    </div>
  );
}

type ShareProps = Pick<Props, "order" | "outcome" | "receiptUrl"> & { isJustPaid: boolean };

/**
 * Opens the number's chat on WhatsApp with a message; once there is room for it, also another's, because the buyer may
 * be somebody else.
 */
function ShareLinks({ order, outcome, receiptUrl, isJustPaid }: ShareProps) {
  const message =
    outcome === "delivered"
      ? `${saleText(order)} has arrived. Your receipt: ${receiptUrl}`
      : `${saleText(order)} is on its way. Follow it here: ${receiptUrl}`;
  const elsewhere = { target: "_blank", rel: "noopener noreferrer" };
  return (
    <>
      <a className="act" href={whatsAppTo(order.msisdn, message)} {...elsewhere}>
        <Icon name="share" />
        Share on WhatsApp
      </a>
      {!isJustPaid && (
        <a className="act" href={whatsAppPath(message)} {...elsewhere}>
          <Icon name="people" />
          Another contact
        </a>
      )}
    </>
  );
}
