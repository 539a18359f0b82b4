// The buying page: the balance, what is to be said first, and the form.

import * as recipients from "../../../core/buying/recipients.ts";
import * as products from "../../../core/catalog/products.ts";
import { deliveryTimes } from "../../../core/fulfilment/delivery-times.ts";
import * as contacts from "../../../core/identity/contacts.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import type { Operator } from "../../../shared/domain.ts";
import { operatorName, operatorPath } from "../../../shared/operators.ts";
import { Sheet } from "../../html.tsx";
import type { Context, Refused, View } from "../../page.tsx";
import { HeldAndOwed } from "../../ui/funds.tsx";
import { Money } from "../../ui/parts.tsx";
import { PurchaseForm } from "./purchase-form.tsx";
import { Answer } from "./questions.tsx";
import { type Filled, fillIn } from "./starting-values.ts";

/** Recipients that are offered while a number is typed; the newest also as links. */
const KNOWN = 20;

/** Shows the page; `own` is the network of its address, if it has one. */
export async function showCounter({ db, by, url }: Context, own: Operator | null, refused?: Refused): Promise<View> {
  const [bundles, standing, times, habits] = await Promise.all([
    products.listFor(db, by.userId),
    wallet.standing(db, by.userId),
    deliveryTimes(db),
    recipients.habits(db, by.userId, KNOWN),
  ]);
  const numbers = habits.recipients.map(({ msisdn }) => msisdn);
  const [filled, names] = await Promise.all([
    fillIn(db, by.userId, { bundles, habits, own, refused, query: url.searchParams }),
    contacts.namesOf(db, by.userId, numbers),
  ]);
  const action = own ? operatorPath(own) : "/buy";
  return {
    title: own ? `${operatorName(own)} · Buy data` : undefined,
    body: (
      <>
        <Sheet name="till" />
        <div className="till">
          <h1>Buy data</h1>
          <Balance standing={standing} />
        </div>
        <HeldAndOwed standing={standing} />
        <Answer {...{ action, bundles, filled, refused }} />
        <Remarks filled={filled} />
        {bundles.length === 0 ? (
          <p className="card empty">No bundles are on sale at the moment.</p>
        ) : (
          <PurchaseForm
            {...{ action, bundles, habits, names, times, filled, refused }}
            userId={by.userId}
            balancePesewas={standing.availablePesewas}
          />
        )}
      </>
    ),
  };
}

function Balance({ standing }: { standing: wallet.Standing }) {
  return (
    <p className="spendable">
      <a href="/wallet">
        <span className="sr">Wallet balance </span>
        <Money pesewas={standing.balancePesewas} />
      </a>
      <a className="button quiet tiny" href="/wallet/top-up">
        Top up
      </a>
    </p>
  );
}

/** What is to be known of the sale in the address. */
function Remarks({ filled: { problem, soldAt } }: { filled: Filled }) {
  return (
    <>
      {problem && (
        <p className="note warn" role="status">
          {problem}
        </p>
      )}
      {soldAt && (
        <p className="note info" role="status">
          You sold this {agoText(soldAt)}. Pay to sell it once more.
        </p>
      )}
    </>
  );
}

function agoText(at: Date): string {
  const minutes = Math.floor((Date.now() - at.getTime()) / 60_000);
  if (minutes < 1) return "a moment ago";
  return `${minutes} minute${minutes === 1 ? "" : "s"} ago`;
}
