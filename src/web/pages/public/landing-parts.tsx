// Sections of the landing page that explain the shop: the steps of a sale, the refunds, and the ways to sell.
import { durationText } from "../../../core/fulfilment/delivery-times.ts";
import type { Settings } from "../../../core/platform/settings/settings.ts";
import { Icon, type IconName } from "../../ui/frame/icons.tsx";
import { Money } from "../../ui/parts.tsx";

/** A sale in three steps, beside a drawing of the page that sells. */
export function Steps({ minimumPesewas }: { minimumPesewas: number }) {
  return (
    <section className="steps" aria-labelledby="steps">
      <div>
        <h2 id="steps">A sale in three steps</h2>
        <ol>
          <li>
            <h3>Fill your wallet</h3>
            <p>
              Mobile money or card, from <Money pesewas={minimumPesewas} />. It is there as soon as it is paid.
            </p>
          </li>
          <li>
            <h3>Number, size, pay</h3>
            <p>The network is read from the number. We warn you about a wrong network before you pay.</p>
          </li>
          <li>
            <h3>Watch it arrive</h3>
            <p>Each order shows where it is, and what happens next, until the data is there.</p>
          </li>
        </ol>
      </div>
      <Phone />
    </section>
  );
}

/** The page that sells, drawn with a few boxes, which weigh nothing. */
function Phone() {
  return (
    <figure>
      <div className="phone" aria-hidden="true">
        <p>024 555 0012</p>
        <div>
          {["1GB", "2GB", "5GB", "10GB"].map((size) => (
            <span key={size} className={size === "5GB" ? "taken" : undefined}>
              {size}
            </span>
          ))}
        </div>
        <b>Pay</b>
      </div>
      <figcaption className="small soft">Number, size, pay</figcaption>
    </figure>
  );
}

/** What happens to the money when something goes wrong, as the shop is set up. */
export function RefundPromises({ settings }: { settings: Settings }) {
  const { dispatch_hold_seconds, refund_promise_minutes, not_received_days, case_hours } = settings;
  const promises = [
    ["It fails", "The money is back in your wallet in the same moment, automatically."],
    refund_promise_minutes > 0 && [
      "It takes too long",
      `Not delivered within ${durationText(refund_promise_minutes * 60)}? We refund you.`,
    ],
    not_received_days > 0 && [
      "It says delivered, but nothing came",
      `Report it within ${counted(not_received_days, "day")}. We decide within ${durationText(case_hours * 3600)}, ` +
        "or it is refunded automatically.",
    ],
    dispatch_hold_seconds > 0 && [
      "You typed a wrong digit",
      `Cancel within ${windowText(dispatch_hold_seconds)}, and the whole amount is back.`,
    ],
  ].filter((promise) => promise !== false);
  return (
    <section className="refunds" aria-labelledby="refunds">
      <h2 id="refunds">When an order goes wrong</h2>
      <dl>
        {promises.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Rounded down, because it is the buyer's time. */
function windowText(seconds: number): string {
  return seconds < 120 ? counted(seconds, "second") : counted(Math.floor(seconds / 60), "minute");
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

const FEATURES: readonly (readonly [IconName, string, string])[] = [
  [
    "delivery",
    "Fast order processing",
    "Choose a bundle, type the number, pay from your wallet. Each order shows its progress and what happens next.",
  ],
  [
    "wallet",
    "Secure payments",
    "Mobile money and cards through Paystack. Your statement shows every pesewa that came and went.",
  ],
  [
    "bulk",
    "Bulk processing",
    "Paste 100+ orders at once, straight from a sheet or a message, and see what is wrong with a line before you pay.",
  ],
  [
    "statistics",
    "Analytics",
    "Sales by day and data by network, counted from your own orders: you see what sells before you fill your wallet.",
  ],
];
const DIALLED = [
  "ussd",
  "USSD and SMS",
  "No data, no smartphone? Confirm your number once, set a PIN, and sell from any phone.",
] as const;
const API = [
  "settings",
  "API and webhooks",
  "Your own shop or bot sells through the same wallet, and is notified when an order arrives.",
] as const;

/** The ways to sell. Those by USSD and SMS are there when phones can be confirmed. */
export function Features({ isDialled }: { isDialled: boolean }) {
  const features = [...FEATURES, ...(isDialled ? [DIALLED] : []), API];
  return (
    <section aria-labelledby="features">
      <h2 id="features">What you sell with</h2>
      <ul className="features">
        {features.map(([icon, name, text]) => (
          <li key={name}>
            <Icon name={icon} />
            <h3>{name}</h3>
            <p className="soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
