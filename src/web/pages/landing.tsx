// What a visitor sees first.
import type { View } from "../page.tsx";

const FEATURES = [
  ["Fast ordering", "Choose a bundle, type the number, pay from your wallet. Every order shows where it is."],
  [
    "Money that is safe",
    "A failed order gives its money back in the same moment. Every pesewa is in your statement.",
  ],
  ["Bulk orders", "Paste hundreds of numbers at once and see what is wrong with a line before you pay."],
  ["Figures that are real", "Your sales by day and by network, from your own orders."],
] as const;

export function landing(): View {
  return {
    title: "DataFie",
    isPlain: true,
    headers: { "cache-control": "private, no-cache" },
    body: (
      <>
        <section className="hero">
          <h1>Sell data bundles from one wallet</h1>
          <p>
            MTN, AirtelTigo and Telecel, singly or by the thousand. No setup fee, and pages that load on any
            phone.
          </p>
          <p className="actions">
            <a className="button" href="/signup">
              Get Started
            </a>
            <a className="button quiet" href="/login">
              Login
            </a>
          </p>
        </section>
        <div className="grid">
          {FEATURES.map(([name, words]) => (
            <section className="card" key={name}>
              <h2>{name}</h2>
              <p className="soft">{words}</p>
            </section>
          ))}
        </div>
      </>
    ),
  };
}
