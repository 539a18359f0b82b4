// Signals by name: their kinds and effects, and the shape of their evidence.

export const SIGNAL_KINDS = [
  "young_top_up",
  "takeover",
  "wrong_pins",
  "deposits_refused",
  "deposit_repeated",
  "losses",
  "disputes",
] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

/** note: a row for a person. hold: besides, what was not dispatched waits. stop: besides, the account is frozen. */
export const SIGNAL_EFFECTS = ["note", "hold", "stop"] as const;
export type SignalEffect = (typeof SIGNAL_EFFECTS)[number];

/** Figures and ids by name: amounts in pesewas, lists of ids, moments as ISO text. */
export type SignalEvidence = Record<string, number | string | number[]>;
