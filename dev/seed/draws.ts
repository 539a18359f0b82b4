// Pseudo-random numbers and choices for the demonstration, the same at each seeding.
import type { Operator } from "../../src/shared/domain.ts";

const PREFIXES: Record<Operator, string[]> = {
  MTN: ["024", "025", "053", "054", "055", "059"],
  TELECEL: ["020", "050"],
  AIRTELTIGO: ["026", "027", "056", "057"],
};

/** An invented number, mostly with the operator's own prefixes: some are ported. */
export function numberFor(random: () => number, operator: Operator): string {
  const isPorted = random() < 0.03;
  const prefix = pick(random, isPorted ? ["020", "024"] : PREFIXES[operator]!);
  return prefix + String(Math.floor(random() * 10_000_000)).padStart(7, "0");
}

/** A number of somebody with a name: 024 400 0204. */
export function demoNumber(operator: Operator, lastThree: number): string {
  return `${PREFIXES[operator]![0]}4000${String(lastThree).padStart(3, "0")}`;
}

export function pick<T>(random: () => number, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!;
}

/** A small seeded generator (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
