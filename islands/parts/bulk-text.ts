// What a pasted text of bulk lines comes to, and the text again with lines mended or taken out.
import { type BulkLine, type Entry, readBulk, splitLines } from "../../src/shared/bulk-lines.ts";

export type Summary = {
  /** Everything that was understood or has to be mended; `bad` and `repeated` hold places in it. */
  lines: BulkLine[];
  goodCount: number;
  /** The bundles in the good lines. */
  goodQuantity: number;
  bad: number[];
  /** Lines with the same number stand together, the first one ahead. */
  repeated: number[];
  /** How many would be taken out to keep each number's first line only. */
  repeatCount: number;
  /** Lines with words and no digit. */
  passedOver: number;
};

type Known = { size: string | null; entries: Map<string, Entry[]> };
/** More than this is no text of now: what was typed on the way to it is forgotten. */
const KNOWN_MAX = 30_000;

/** Counts as the server does when it checks the form: a repeated number is not good, unless repeats are meant. */
export function summarise(text: string, allowRepeats: boolean, known?: Known): Summary {
  if (known && known.entries.size > KNOWN_MAX) known.entries.clear();
  const { lines, passedOver } = readBulk(text, known?.size ?? null, known?.entries);
  const firsts = new Map<string, number>();
  const groups = new Map<number, number[]>();
  const bad: number[] = [];
  let [goodCount, goodQuantity, repeatCount] = [0, 0, 0];
  for (const [i, { msisdn, problem, quantity }] of lines.entries()) {
    const first = msisdn === null ? undefined : firsts.get(msisdn);
    if (msisdn !== null && first === undefined) firsts.set(msisdn, i);
    if (problem) bad.push(i);
    else if (first === undefined || allowRepeats) {
      goodCount += 1;
      goodQuantity += quantity;
    } else {
      repeatCount += 1;
      const group = groups.get(first);
      if (group) group.push(i);
      else groups.set(first, [first, i]);
    }
  }
  const repeated = [...groups.values()].flat();
  return { lines, goodCount, goodQuantity, bad, repeated, repeatCount, passedOver };
}

/** The repeated lines but for the first of each number. */
export function laterOnes({ lines, repeated }: Pick<Summary, "lines" | "repeated">): number[] {
  return repeated.filter((i, at) => lines[repeated[at - 1]!]?.msisdn === lines[i]!.msisdn);
}

/**
 * The text with one of its lines as it was mended; mended to nothing, it goes. Where a line of the text holds several
 * numbers, each gets a line of its own.
 */
export function mendLine(text: string, lines: BulkLine[], index: number, now: string): string {
  return rewrite(text, lines, lines[index]!.line, (at) => (at === index ? now : null));
}

/** The text without these lines. */
export function removeLines(text: string, lines: BulkLine[], gone: number[]): string {
  const isGone = new Set(gone);
  const places = new Set(gone.map((index) => lines[index]!.line));
  return rewrite(text, lines, places, (at) => (isGone.has(at) ? "" : null));
}

/** The text with the numbers of these places put anew: other words, none, or (null) as they stand. */
function rewrite(
  text: string,
  lines: BulkLine[],
  places: number | Set<number>,
  wordsFor: (index: number) => string | null,
): string {
  const isMeant = (place: number) => (typeof places === "number" ? place === places : places.has(place));
  const anew = new Map<number, string[]>();
  for (const [i, { line, text: words }] of lines.entries()) {
    if (!isMeant(line)) continue;
    const now = wordsFor(i) ?? words;
    anew.set(line, [...(anew.get(line) ?? []), ...(now.trim() === "" ? [] : [now])]);
  }
  return splitLines(text)
    .flatMap((words, i) => anew.get(i + 1) ?? [words])
    .join("\n");
}
