// Choices at random that a seed repeats.
import { randomFrom } from "../support/asking.ts";

export type Random = {
  /** A whole number from 0 to below `limit`. */
  below: (limit: number) => number;
  one: <T>(list: readonly T[]) => T;
  /** Whether something happens in so many of 100 cases. */
  chance: (percent: number) => boolean;
  shuffled: <T>(list: readonly T[]) => T[];
};

export function openRandom(seed: number): Random {
  const below = randomFrom(seed);
  return {
    below,
    one: (list) => list[below(list.length)]!,
    chance: (percent) => below(100) < percent,
    shuffled: (list) => {
      const rest = [...list];
      return list.map(() => rest.splice(below(rest.length), 1)[0]!);
    },
  };
}
