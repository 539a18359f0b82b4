// Landing page for visitors: today's prices and delivery times first where the owner shows them to visitors, then how
// it works, what happens to the money of a failed order, and what agents say. The only figure is counted.
import * as products from "../../../core/catalog/products.ts";
import { type DeliveryTime, deliveryTimes } from "../../../core/fulfilment/delivery-times.ts";
import { all as settingsOf } from "../../../core/platform/settings/settings.ts";
import { DAYS, recentOrders } from "../../../core/reports/public-figures.ts";
import * as support from "../../../core/support/requests.ts";
import { operatorNamesText } from "../../../shared/operators.ts";
import { Sheet } from "../../html.tsx";
import type { Context, Leave, View } from "../../page.tsx";
import { whatsAppChatPath } from "../../paths.ts";
import { parseTestimonials, type Testimonial } from "../../ui/frame/testimonials.ts";
import { toFirstOwner } from "./first-owner.tsx";
import { Features, RefundPromises, Steps } from "./landing-parts.tsx";
import { AllPrices, PriceBoard } from "./price-board.tsx";

const pitch = () =>
  `Sell ${operatorNamesText()} data bundles from one wallet. No setup fees, a free plan, and live order tracking.`;

export async function landing(context: Context): Promise<View | Leave> {
  const { db, codeKeys } = context;
  const first = await toFirstOwner(context);
  if (first) return first;
  const [texts, bundles, times, orderCount] = await Promise.all([
    settingsOf(db),
    products.list(db),
    deliveryTimes(db),
    recentOrders(db),
  ]);
  const { hours } = support.contactsIn(texts);
  const shown = texts.visitor_prices ? bundles : [];
  return {
    title: "DataFie",
    description: pitch(),
    isPlain: true,
    headers: { "cache-control": "private, no-cache" },
    body: (
      <div className="landing">
        <Sheet name="landing" />
        <div>
          <Hero hours={hours} bundles={shown} times={times} />
          <div className="kente" aria-hidden="true" />
        </div>
        <AllPrices bundles={shown} />
        {orderCount !== null && <Figures orderCount={orderCount} />}
        <RefundPromises settings={texts} />
        <Steps minimumPesewas={texts.top_up_minimum_pesewas} />
        <Features isDialled={codeKeys.channels.sms && texts.ussd_code !== ""} />
        <Testimonials testimonials={parseTestimonials(texts.landing_voices)} />
        <Closing whatsApp={texts.support_whatsapp} hasPrices={shown.length > 0} />
        <footer className="small soft">
          <p>
            DataFie. Data bundles for resellers in Ghana.
            {hours && (
              <>
                {" "}
                Support <bdi>{hours}</bdi>.
              </>
            )}{" "}
            <a href="/status">Deliveries right now</a> · <a href="/developers">For developers</a>
          </p>
        </footer>
      </div>
    ),
  };
}

type HeroProps = { hours: string; bundles: products.ProductOnSale[]; times: DeliveryTime[] };

function Hero({ hours, bundles, times }: HeroProps) {
  return (
    <section className="hero">
      <div>
        <h1>Sell data for every network from one wallet</h1>
        <p>Type a number, tap a size, paid. If an order fails, the money is back in your wallet at once.</p>
        <p className="actions ways">
          <a className="button gold" href="/signup">
            Get Started
          </a>
          <a className="button quiet" href="/login">
            Login
          </a>
        </p>
      </div>
      <PriceBoard bundles={bundles} times={times} />
      <ul className="promises">
        <li>No setup fees</li>
        <li>Free plan</li>
        {hours && (
          <li>
            Support <bdi>{hours}</bdi>
          </li>
        )}
      </ul>
    </section>
  );
}

/** The one figure about the shop that is counted, with its days. */
function Figures({ orderCount }: { orderCount: number }) {
  return (
    <ul className="figures">
      <li>
        <strong>{orderCount.toLocaleString("en")}+</strong> orders in the last {DAYS} days
      </li>
    </ul>
  );
}

function Testimonials({ testimonials }: { testimonials: Testimonial[] }) {
  if (testimonials.length === 0) return null;
  return (
    <section aria-labelledby="voices">
      <h2 id="voices">What agents say</h2>
      <div className="grid">
        {testimonials.map(({ quote, author }) => (
          <figure className="card voice" key={quote}>
            <blockquote dir="auto">{quote}</blockquote>
            <figcaption className="small soft">
              <bdi>{author}</bdi>
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}

/** `whatsApp`: the shop's number, if its owner has entered one; `hasPrices`: this page shows them. */
function Closing({ whatsApp, hasPrices }: { whatsApp: string; hasPrices: boolean }) {
  return (
    <section className="closing" aria-labelledby="cost">
      <h2 id="cost">What it costs</h2>
      <p>
        Nothing to open, nothing a month. You pay for the bundles that you sell, at{" "}
        {hasPrices ? "the prices above" : "prices that you see once you are logged in"}, and keep what your customers
        pay on top. <a href="/signup">Open your free account</a>
      </p>
      {whatsApp && (
        <p>
          <a className="button quiet" href={whatsAppChatPath(whatsApp)}>
            Ask us on WhatsApp
          </a>
        </p>
      )}
    </section>
  );
}
