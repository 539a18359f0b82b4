// Landing page for visitors: features, the owner's figures and testimonials, and the links to sign up and log in.
import { type Settings, all as settingsOf } from "../../../core/platform/settings.ts";
import { Sheet } from "../../html.tsx";
import { type Context, originOf, type View } from "../../page.tsx";
import { parseTestimonials, type Testimonial } from "../../ui/testimonials.ts";

const FEATURES = [
  [
    "Fast order processing",
    "Choose a bundle, type the number, pay from your wallet. Each order shows its progress and what happens next.",
    "M13 2 4 14h7l-1 8 9-12h-7l1-8Z",
  ],
  [
    "Secure payments",
    "Mobile money and cards through Paystack. Failed orders are refunded at once; your statement shows every pesewa.",
    "M12 2 4 5v6c0 5 3.4 9.3 8 11 4.6-1.7 8-6 8-11V5l-8-3Zm-3.5 9.8 2.6 2.6 4.6-4.9",
  ],
  [
    "Bulk processing",
    "Paste 100+ orders at once, straight from a sheet or a message, and see what is wrong with a line before you pay.",
    "M4 6h16M4 12h16M4 18h10",
  ],
  [
    "Analytics",
    "Sales by day and data by network, counted from your own orders: you see what sells before you stock your wallet.",
    "M4 20V10M10 20V4M16 20v-7M21 20H3",
  ],
] as const;

const PITCH =
  "Sell MTN, AirtelTigo and Telecel data bundles from one wallet. No setup fees, a free plan, and live order tracking.";

export async function landing(context: Context): Promise<View> {
  const texts = await settingsOf(context.db);
  return {
    title: "DataFie",
    description: PITCH,
    isPlain: true,
    preview: { origin: originOf(context), description: PITCH },
    headers: { "cache-control": "private, no-cache" },
    body: (
      <div className="landing">
        <Sheet name="landing" />
        <Hero hours={texts.support_hours} />
        <Figures texts={texts} />
        <section aria-labelledby="features">
          <h2 id="features">What you sell with</h2>
          <div className="grid">
            {FEATURES.map(([name, text, path]) => (
              <div className="card" key={name}>
                <svg viewBox="0 0 24 24" aria-hidden="true">
                  <path d={path} />
                </svg>
                <h3>{name}</h3>
                <p className="soft">{text}</p>
              </div>
            ))}
          </div>
        </section>
        <Testimonials testimonials={parseTestimonials(texts.landing_voices)} />
        <section className="card closing">
          <h2>Start on the free plan</h2>
          <p>
            No setup fees and nothing to install. You pay for the bundles that you sell, from your wallet.
          </p>
          <WaysIn />
        </section>
        <footer className="small soft">
          DataFie. Data bundles for resellers in Ghana.
          {texts.support_hours && (
            <>
              {" "}
              Support <bdi>{texts.support_hours}</bdi>.
            </>
          )}{" "}
          <a href="/status">How long delivery takes now</a>
        </footer>
      </div>
    ),
  };
}

/** The figures that the shop's owner has entered. */
function Figures({ texts }: { texts: Settings }) {
  const figures = [
    [texts.landing_agents, "agents sell with us"],
    [texts.landing_bundles, "bundles sold monthly"],
    [texts.landing_uptime, "uptime"],
    [texts.landing_order_time, "per order"],
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

function Hero({ hours }: { hours: string }) {
  return (
    <section className="hero">
      <div>
        <h1>Sell data bundles from one wallet</h1>
        <p>
          MTN, AirtelTigo and Telecel, singly or hundreds at a time. You see every order and every pesewa, on
          any phone.
        </p>
        <WaysIn />
        <ul className="promises">
          <li>No setup fees</li>
          <li>Free plan</li>
          {hours && (
            <li>
              Support <bdi>{hours}</bdi>
            </li>
          )}
        </ul>
      </div>
      <Example />
    </section>
  );
}

function WaysIn() {
  return (
    <p className="actions">
      <a className="button" href="/signup">
        Get Started
      </a>
      <a className="button quiet" href="/login">
        Login
      </a>
    </p>
  );
}

/** A sketch of the dashboard, with invented orders. */
function Example() {
  const orders = [
    ["MTN", "MTN 5GB", "054 123 4567", "good", "DELIVERED"],
    ["TELECEL", "Telecel 10GB", "020 765 4321", "info", "PROCESSING"],
    ["AIRTELTIGO", "AirtelTigo 2GB", "027 555 0101", "good", "DELIVERED"],
  ] as const;
  return (
    <figure className="card example">
      <figcaption className="small soft">An example of your dashboard</figcaption>
      <p className="purse-line">
        <span className="soft">Wallet balance</span>
        <strong className="figure">GH₵ 1,250.00</strong>
      </p>
      <ul className="rows">
        {orders.map(([operator, bundle, number, tone, status]) => (
          <li key={number}>
            <span className={`dot ${operator}`} aria-hidden="true" />
            <span>
              {bundle}
              <span className="small soft money">{number}</span>
            </span>
            <span className={`chip ${tone}`}>{status}</span>
          </li>
        ))}
      </ul>
    </figure>
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
