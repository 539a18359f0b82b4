// Facts of the sandbox: its limits, and the recipients whose orders end in a way of their own. The guide for developers
// shows both.

export const SANDBOX_TOP_UP_PESEWAS_MAX = 1_000_000;
/** Seven days. */
export const SANDBOX_CLOCK_MINUTES_MAX = 7 * 24 * 60;

/** The end of an order to a magic number: its status once the time is over that is named there. */
export type MagicOutcome = {
  /** The number's last four digits, whatever its network; numbers above MAGIC_ENDING_MAX are delivered as "0001" is. */
  ending: string;
  outcome: "delivered" | "delayed" | "failed" | "invalid" | "lost" | "silent" | "not_arrived";
  about: string;
};

export const MAGIC_OUTCOMES: readonly MagicOutcome[] = [
  { ending: "0001", outcome: "delivered", about: "Delivered within a minute" },
  { ending: "0002", outcome: "delayed", about: "Delivered, but only after 20 minutes to four hours" },
  { ending: "0003", outcome: "failed", about: "Accepted by the network, then fails: FAILED and refunded" },
  {
    ending: "0012",
    outcome: "invalid",
    about: "Refused at once, not a number of the network: FAILED and refunded",
  },
  {
    ending: "0007",
    outcome: "lost",
    about: "Lost on the way: FAILED and refunded after the promised hour and a last check",
  },
  { ending: "0015", outcome: "silent", about: "Accepted, then nothing is ever heard: stays PROCESSING" },
  {
    ending: "0016",
    outcome: "not_arrived",
    about: "Reported as delivered, but nothing arrives: to try reports of what was not received",
  },
];

/** Numbers that end higher are delivered, whatever the vendors' simulator learns besides. */
export const MAGIC_ENDING_MAX = "0020";

/** The first six digits of the numbers in the guide, by network; any other prefix of a network does as well. */
const STARTS = { MTN: "024000", TELECEL: "020000", AIRTELTIGO: "027000" } as const;

/** The recipient with an ending, by network: { MTN: "0240000003", … }. */
export function magicNumbers(ending: string): Record<keyof typeof STARTS, string> {
  const numbers = Object.entries(STARTS).map(([network, start]) => [network, start + ending]);
  return Object.fromEntries(numbers) as Record<keyof typeof STARTS, string>;
}
