// The price list that an agent shares: as a text for WhatsApp, as a picture, and as a public page for customers. It has
// selling prices and nothing of what they cost.
import { Fragment } from "react";
import { z } from "zod";
import type { Reads } from "../../../../db/connect.ts";
import type { PricePicture } from "../../../../islands/price-picture.tsx";
import * as priceLists from "../../../core/catalog/price-lists.ts";
import * as products from "../../../core/catalog/products.ts";
import * as sellingPrices from "../../../core/catalog/selling-prices.ts";
import { today } from "../../../core/reports/sales-history.ts";
import { markOn, PICTURE_PAPER } from "../../../shared/colors.ts";
import type { Operator } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { text } from "../../../shared/inputs.ts";
import { show } from "../../../shared/money.ts";
import { findOperator, operatorCodes, operatorName } from "../../../shared/operators.ts";
import { localMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Sheet } from "../../html.tsx";
import { BrowserIsland } from "../../island.tsx";
import { actionsOf, type Context, originOf, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { whatsAppPath, whatsAppTo } from "../../paths.ts";
import { submits } from "../../ui/action.tsx";
import { dayText } from "../../ui/charts.tsx";
import { Field, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { Empty } from "../../ui/parts.tsx";
import { sizeLabels } from "./bundle-labels.ts";

const SHARE = "/prices/share";

const actions = actionsOf({
  publish: {
    fields: z.object({
      heading: text(priceLists.HEADING_CHARS_MAX).trim().default(""),
      msisdn: z.string().max(40, "at most 40 characters").default(""),
    }),
    run: async ({ db, by }, fields) => {
      await priceLists.publish(db, { by, ...fields });
      return redirect(SHARE, "Your price page is on. Send its link to your customers.");
    },
  },
  renew: {
    run: async ({ db, by }) => {
      await priceLists.renew(db, { by });
      return redirect(SHARE, "Your price page has a new link. The old one no longer works.");
    },
  },
  withdraw: {
    run: async ({ db, by }) => {
      await priceLists.withdraw(db, { by });
      return redirect(SHARE, "Your price page is off. Its link no longer works.");
    },
  },
});
type ShareAction = keyof typeof actions;

export const priceListPages: Page[] = [
  { path: SHARE, role: "user", show: showSharing, actions },
  {
    path: "/p/:token",
    role: "anyone",
    forCustomers: "Price list",
    subject: "priceList",
    show: showPublic,
  },
];

type Price = { label: string; pesewas: number };
type NetworkPrices = { operator: Operator; prices: Price[] };

/** The prices of bundles that can be bought now, by network. */
async function pricesOf(db: Reads, userId: number): Promise<NetworkPrices[]> {
  const bundles = (await products.listFor(db, userId)).filter(({ paused }) => paused === null);
  const own = await sellingPrices.currentOf(
    db,
    userId,
    bundles.map(({ id }) => id),
  );
  return operatorCodes()
    .map((operator) => {
      const priced = bundles.filter((bundle) => bundle.operator === operator && own.has(bundle.id));
      const labels = sizeLabels(priced);
      const prices = priced.map(({ id }) => ({ label: labels.get(id)!, pesewas: own.get(id)! }));
      return { operator, prices };
    })
    .filter(({ prices }) => prices.length > 0);
}

async function showSharing(context: Context, refused?: Refused): Promise<View> {
  const { db, by } = context;
  const [networks, list] = await Promise.all([pricesOf(db, by.userId), priceLists.own(db, by.userId)]);
  const address = list && `${originOf(context)}/p/${list.token}`;
  return {
    title: "Share price list",
    body: (
      <>
        <Sheet name="books" />
        <p className="small">
          <a href="/prices">Prices</a>
        </p>
        <h1 className="before">Share price list</h1>
        {networks.length === 0 && <NoPrices />}
        {(networks.length > 0 || list) && (
          <div className="two even">
            {networks.length > 0 && (
              <WhatsAppCard networks={networks} heading={list?.heading ?? ""} address={address} />
            )}
            <PageCard list={list} address={address} refused={refused} />
          </div>
        )}
      </>
    ),
  };
}

function NoPrices() {
  return (
    <Empty>
      <p>Set your prices first. Bundles without one are left out.</p>
      <a className="button" href="/prices">
        Set prices
      </a>
    </Empty>
  );
}

type CardProps = { networks: NetworkPrices[]; heading: string; address: string | null };

function WhatsAppCard({ networks, heading, address }: CardProps) {
  const message = messageOf(networks, heading, address);
  const lines = networks.map(({ operator, prices }) => ({
    name: operatorName(operator),
    color: markOn(PICTURE_PAPER, findOperator(operator)!.color),
    prices: prices.map(({ label, pesewas }) => [label, show(pesewas)] as [string, string]),
  }));
  return (
    <section className="card">
      <h2>For WhatsApp</h2>
      <div className="actions">
        <a className="button" href={whatsAppPath(message)} rel="noreferrer">
          Share on WhatsApp
        </a>
        <BrowserIsland<typeof PricePicture>
          name="PricePicture"
          props={{ heading: heading || HEADING_OTHERWISE, networks: lines, day: dayText(today()) }}
          on="idle"
        />
      </div>
      <details>
        <summary>See the message</summary>
        <p className="message-preview">
          <bdi>{message}</bdi>
        </p>
      </details>
    </section>
  );
}

const HEADING_OTHERWISE = "Data bundle prices";

/** The prices as a message: *bold* as WhatsApp marks it. */
function messageOf(networks: NetworkPrices[], heading: string, address: string | null): string {
  const parts = networks.map(({ operator, prices }) =>
    [`*${operatorName(operator)}*`, ...prices.map(({ label, pesewas }) => `${label} – ${show(pesewas)}`)].join("\n"),
  );
  return [heading || HEADING_OTHERWISE, ...parts, ...(address ? [address] : [])].join("\n\n");
}

type PageProps = {
  list: priceLists.PriceList | null;
  address: string | null;
  refused: Refused | undefined;
};

function PageCard({ list, address, refused }: PageProps) {
  return (
    <section className="card">
      <h2>
        Your price page <span className={`chip ${list ? "good" : ""}`}>{list ? "On" : "Off"}</span>
      </h2>
      {address ? (
        <>
          <p>
            <a href={address}>{address}</a>
          </p>
          <p>
            <a className="button quiet tiny" href={whatsAppPath(address)} rel="noreferrer">
              Send link on WhatsApp
            </a>
          </p>
        </>
      ) : (
        <p className="soft">A page with your prices that always shows today’s. Only people with its link find it.</p>
      )}
      <Form<ShareAction> to={SHARE} does={["publish"]} refused={refused} className="fields" noValidate>
        <RefusalNote />
        <Field label="Heading (optional)" name="heading" value={list?.heading ?? ""} placeholder="Data from …" />
        <Field
          label="Number to call (optional)"
          name="msisdn"
          inputMode="tel"
          autoComplete="tel-national"
          value={list?.msisdn ? localMsisdn(list.msisdn) : ""}
          hint="Everybody with the link sees it."
        />
        <div className="actions">
          <button type="submit" {...submits<ShareAction>("publish")}>
            {list ? "Save" : "Switch on"}
          </button>
          {list && (
            <>
              <button className="quiet" type="submit" {...submits<ShareAction>("renew")}>
                New link
              </button>
              <button className="danger" type="submit" {...submits<ShareAction>("withdraw")}>
                Switch off
              </button>
            </>
          )}
        </div>
      </Form>
    </section>
  );
}

/** For customers: nothing of the shop's own offers, and nothing of the agent but what they chose. */
async function showPublic({ db, params }: Context): Promise<View> {
  const list = /^[\w-]{22}$/.test(params.token ?? "") ? await priceLists.byToken(db, params.token!) : null;
  if (!list) throw new AppError("request.not_found");
  const networks = await pricesOf(db, list.userId);
  const title = list.heading || HEADING_OTHERWISE;
  return {
    title,
    isPlain: true,
    seller: list.seller,
    headers: { "x-robots-tag": "noindex" },
    body: (
      <>
        <Sheet name="books" />
        <h1 className="before">
          <bdi>{title}</bdi>
        </h1>
        {networks.length === 0 && <Empty>No prices at the moment.</Empty>}
        <div className="grid">
          {networks.map((network) => (
            <PublicPrices key={network.operator} {...network} />
          ))}
        </div>
        {list.msisdn && (
          <p className="actions">
            <a className="button" href={whatsAppTo(list.msisdn, "Hello! I would like to buy data.")} rel="noreferrer">
              Order on WhatsApp
            </a>
            <a className="button quiet" href={`tel:+${list.msisdn}`}>
              Call {spacedMsisdn(list.msisdn)}
            </a>
          </p>
        )}
      </>
    ),
  };
}

function PublicPrices({ operator, prices }: NetworkPrices) {
  return (
    <section className={`card stripe ${operator}`}>
      <h2>
        <NetworkBadge operator={operator} /> {operatorName(operator)}
      </h2>
      <dl className="facts">
        {prices.map(({ label, pesewas }) => (
          <Fragment key={label}>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd className="money">{show(pesewas)}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
