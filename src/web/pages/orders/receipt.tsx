// Receipt of one order for the agent's customer, who has no account and was sent its link. It names neither the price,
// which is between the two, nor the whole number, because links are passed on.

import { find, RECEIPT_DAYS, type Receipt } from "../../../core/books/receipts.ts";
import { deliveryTimes, durationText } from "../../../core/fulfilment/delivery-times.ts";
import * as budgets from "../../../core/platform/budgets/budgets.ts";
import * as support from "../../../core/support/requests.ts";
import { accraDay, accraMoment } from "../../../shared/accra.ts";
import { AFA_SIZE } from "../../../shared/domain.ts";
import { operatorName } from "../../../shared/operators.ts";
import { maskedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Sheet } from "../../html.tsx";
import type { Answer, Context, Page, View } from "../../page.tsx";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { LiveUpdates, markAnswer, wantsMark } from "../../ui/frame/live.tsx";
import { Headline, labelOf, type Outcome, outcomeOf, sizeText } from "../../ui/orders/order-story.tsx";
import { Moment } from "../../ui/parts.tsx";

export const receiptPages: Page[] = [
  {
    path: "/r/:token",
    role: "anyone",
    forCustomers: "Data receipt",
    subject: "receipt",
    show: showReceipt,
  },
];

/** The address is a secret: nobody keeps the page, lists it, or gets its address as a referrer. */
const HEADERS = {
  "cache-control": "no-store, private",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
};

async function showReceipt(context: Context): Promise<Answer> {
  const { db, request, params, receiptKeys, addressOf } = context;
  await budgets.spend(db, "receipt.address", addressOf(request));
  const receipt = await find(db, receiptKeys, params.token!);
  if (!receipt) return notFound(await support.contacts(db));
  const outcome = outcomeOf(receipt);
  const path = `/r/${params.token}`;
  const live = {
    path,
    mark: `${receipt.status} ${receipt.isReported}`,
    isOver: outcome !== "coming" && outcome !== "unpaid",
  };
  if (wantsMark(request)) return markAnswer(live, HEADERS);
  const label = labelFor(receipt, outcome);
  const usual = outcome === "coming" ? await usualText(context, receipt) : "";
  const network = operatorName(receipt.operator);
  const state = label.charAt(0).toLowerCase() + label.slice(1);
  return {
    title: `${sizeText(receipt)} for ${maskedMsisdn(receipt.msisdn)}: ${state}`,
    isPlain: true,
    seller: receipt.seller,
    headers: HEADERS,
    description: `${network}, ordered ${accraMoment(receipt.createdAt)}. Open it to see whether it has arrived.`,
    body: (
      <>
        <Sheet name="result" />
        <Sheet name="print" />
        <section className="card narrow result">
          <Headline
            outcome={outcome}
            label={label}
            meta={
              <>
                <NetworkBadge operator={receipt.operator} /> {network}
              </>
            }
            next={nextFor(receipt, outcome, usual)}
          >
            <bdi>{sizeText(receipt)}</bdi> for <span className="money">{maskedMsisdn(receipt.msisdn)}</span>
          </Headline>
          <LiveUpdates {...live} />
          <Times receipt={receipt} />
        </section>
        <Help contacts={await support.contacts(db)} expiresAt={receipt.expiresAt} />
      </>
    ),
  };
}

/** A state as the customer reads it: refunds are between the agent and the shop. */
function labelFor(receipt: Receipt, outcome: Outcome): string {
  if (outcome === "failed") return receipt.productSize === AFA_SIZE ? "Not registered" : "Not delivered";
  if (outcome === "unpaid") return "Not sent yet";
  if (outcome === "reported") return "Being checked";
  return outcome === "closed" ? "Not sent" : labelOf(receipt, outcome);
}

function nextFor({ productSize }: Receipt, outcome: Outcome, usual: string): string {
  switch (outcome) {
    case "unpaid":
      return "It is sent once your seller has paid for it.";
    case "coming":
      return usual || "You need not do anything.";
    case "delivered":
      return productSize === AFA_SIZE ? "MTN has registered this number." : "Data is on this number.";
    case "reported":
      return "Your seller has asked us to check.";
    case "failed":
      return "It could not be delivered. Ask your seller to send it again or to return your money.";
    case "cancelled":
    case "closed":
      return "Your seller did not send it. Ask them to send it again or to return your money.";
  }
}

async function usualText({ db }: Context, { operator, productSize }: Receipt): Promise<string> {
  if (productSize === AFA_SIZE) return "";
  const time = (await deliveryTimes(db)).find((it) => it.operator === operator);
  return time?.medianSeconds != null ? `Usually within ${durationText(time.medianSeconds)} now.` : "";
}

function Times({ receipt: { createdAt, deliveredAt } }: { receipt: Receipt }) {
  return (
    <dl className="facts" data-live="times">
      <dt>Ordered</dt>
      <dd>
        <Moment at={createdAt} />
      </dd>
      {deliveredAt && (
        <>
          <dt>Delivered</dt>
          <dd>
            <Moment at={deliveredAt} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Help({ contacts, expiresAt }: { contacts: support.Contacts; expiresAt: Date }) {
  return (
    <div className="narrow help">
      <p>
        <strong>Something wrong?</strong> Ask your seller first.
      </p>
      <WhoRuns contacts={contacts} />
      <p className="small soft">You can open this receipt until {accraDay(expiresAt)}.</p>
    </div>
  );
}

/** The shop behind the seller, for whoever wants to know; nothing of it leads to what it charges. */
function WhoRuns({ contacts: { phone, email } }: { contacts: support.Contacts }) {
  return (
    <details>
      <summary>Who runs this?</summary>
      <p>
        DataFie, for your seller.
        {(phone || email) && " "}
        {phone && (
          <a href={`tel:${phone.replace(/[^\d+]/g, "")}`}>
            <bdi>{phone}</bdi>
          </a>
        )}
        {phone && email && ", "}
        {email && <a href={`mailto:${email}`}>{email}</a>}
      </p>
      <p>
        <a href="/privacy">Privacy notice</a> · <a href="/your-number">What we keep about your number</a>
      </p>
    </details>
  );
}

/** One page for tokens that are not ours and for those that have expired, which nobody can tell apart. */
function notFound(contacts: support.Contacts): View {
  return {
    title: "This receipt is not available",
    status: 404,
    isPlain: true,
    headers: HEADERS,
    body: (
      <>
        <Sheet name="result" />
        <section className="card narrow">
          <h1>This receipt is not available</h1>
          <p>
            A receipt can be opened for {RECEIPT_DAYS} days, and only with its whole address. Check that nothing of the
            link is missing, or ask your seller for a new one.
          </p>
          <WhoRuns contacts={contacts} />
        </section>
      </>
    ),
  };
}
