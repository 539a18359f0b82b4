// The effort of a walk through pages: a hand that counts its presses and the fields that it fills.
import type { Hand } from "./journeys.ts";

export type Effort = { presses: number; typed: number };
export type Counting = Hand & { effort: () => Effort };

/** Counts what a hand does: presses and choices, and fields that it fills. */
export function counting(hand: Hand): Counting {
  let [presses, typed] = [0, 0];
  const press =
    <Arguments extends unknown[]>(work: (...given: Arguments) => Promise<void>) =>
    (...given: Arguments) => {
      presses += 1;
      return work(...given);
    };
  return {
    hasScripts: hand.hasScripts,
    press: press(hand.press),
    pick: press(hand.pick),
    choose: press(hand.choose),
    fill: (target, text) => {
      typed += 1;
      return hand.fill(target, text);
    },
    effort: () => ({ presses, typed }),
  };
}
