// Signals in words and chips: what was done, and what it holds now.
import type { Hold } from "../../../core/orders/holds.ts";
import type { Signal } from "../../../core/signals/signals.ts";
import type { SignalEffect } from "../../../shared/signals.ts";
import { Moment } from "../parts.tsx";

export const EFFECT_LABELS: Record<SignalEffect, string> = {
  note: "Note",
  hold: "Hold",
  stop: "Stop",
};

const TONES: Record<SignalEffect, string> = { note: "", hold: "warn", stop: "bad" };

/** What a signal did, or does still. */
export function EffectChip({ effect, hold }: Pick<Signal, "effect" | "hold">) {
  const label = hold && effect === "hold" ? "Held now" : EFFECT_LABELS[effect];
  return <span className={`chip ${TONES[effect]}`}>{label}</span>;
}

/** Until when an account's orders are held. */
export function HoldEnd({ hold }: { hold: Hold }) {
  return hold.until ? (
    <>
      until <Moment at={hold.until} />
    </>
  ) : (
    <>for as long as the account is frozen</>
  );
}
