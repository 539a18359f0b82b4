// Landing page for visitors: today's prices and delivery times first, then how it works, what happens to the money of
// a failed order, and what the owner has entered. Figures are counted or entered, and none are made up.
import * as products from "../../../core/catalog/products.ts";
import { type DeliveryTime, deliveryTimes } from "../../../core/fulfilment/delivery-times.ts";
import { DAYS, recentOrders } from "../../../core/orders/public-figures.ts";
import { type Settings, all as settingsOf } from "../../../core/platform/settings.ts";
import { operatorNamesText } from "../../../shared/operators.ts";
import { Sheet } from "../../html.tsx";
import type { Context, View } from "../../page.tsx";
import { whatsAppChatPath } from "../../paths.ts";
import { parseTestimonials, type Testimonial } from "../../ui/testimonials.ts";
import { Features, RefundPromises, Steps } from "./landing-parts.tsx";
import { AllPrices, PriceBoard } from "./price-board.tsx";

const pitch = () =>
  `Sell ${operatorNamesText()} data bundles from one wallet. No setup fees, a free plan, and live order tracking.`;

export async function landing({ db, codeKeys }: Context): Promise<View> {
  const [texts, bundles, times, orderCount] = await Promise.all([
    settingsOf(db),
    products.list(db),
    deliveryTimes(db),
    recentOrders(db),
  ]);
  return {
    title: "DataFie",
    description: pitch(),
    isPlain: true,
    headers: { "cache-control": "private, no-cache" },
    body: (
      <div className="landing">
        <Sheet name="landing" />
        <div>
          <Hero hours={texts.support_hours} bundles={bundles} times={times} />
          <div className="kente" aria-hidden="true" />
        </div>
        <AllPrices bundles={bundles} />
        <Figures texts={texts} orderCount={orderCount} times={times} />
        <RefundPromises settings={texts} />
        <Steps minimumPesewas={texts.top_up_minimum_pesewas} />
        <Features isDialled={codeKeys.channels.sms} />
        <Testimonials testimonials={parseTestimonials(texts.landing_voices)} />
        <Closing whatsApp={texts.support_whatsapp} />
        <footer className="small soft">
          <p>
            DataFie. Data bundles for resellers in Ghana.
            {texts.support_hours && (
              <>
                {" "}
                Support <bdi>{texts.support_hours}</bdi>.
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

type FiguresProps = { texts: Settings; orderCount: number | null; times: DeliveryTime[] };

/** The figures that the owner has entered. Where the shop measures the same, its own figure takes their place. */
function Figures({ texts, orderCount, times }: FiguresProps) {
  const isTimed = times.some(({ medianSeconds }) => medianSeconds !== null);
  const figures = [
    [texts.landing_agents, "agents sell with us"],
    orderCount === null
      ? [texts.landing_bundles, "bundles sold monthly"]
      : [`${orderCount.toLocaleString("en")}+`, `orders in the last ${DAYS} days`],
    [texts.landing_uptime, "uptime"],
    // The board has the measured times.
    [isTimed ? "" : texts.landing_order_time, "per order"],
  ].filter(([figure]) => figure !== "");
  if (figures.length === 0) return null;
  return (
    <ul className="figures">
      {figures.map(([figure, text]) => (
        <li key={text}>
          <strong>{figure}</strong> {text}
        </li>
      ))}
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

/** `whatsApp`: the shop's number, if its owner has entered one. */
function Closing({ whatsApp }: { whatsApp: string }) {
  return (
    <section className="closing" aria-labelledby="cost">
      <h2 id="cost">What it costs</h2>
      <p>
        Nothing to open, nothing a month. You pay for the bundles that you sell, at the prices above, and keep
        what your customers pay on top. <a href="/signup">Open your free account</a>
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
