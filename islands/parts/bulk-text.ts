// What a pasted text of bulk lines comes to, counted as the server counts when it checks the form.
import {
  ASKED_ONCE,
  type AssignedLine,
  assignBundles,
  type ListChoices,
  type Offer,
} from "../../src/shared/bulk-bundles.ts";
import { type Entry, readBulk } from "../../src/shared/bulk-lines.ts";

export type Summary = {
  /** Everything that was understood or has to be fixed; `bad` and `repeated` hold places in it. */
  lines: AssignedLine[];
  goodCount: number;
  /** What the good lines cost. */
  totalPesewas: number;
  bad: number[];
  /** Lines that one answer for the whole list makes good, once the list is checked. */
  askedCount: number;
  /** Lines with the same number and bundle stand together, the first one ahead. */
  repeated: number[];
  /** How many would be taken out to keep each number's first line only. */
  repeatCount: number;
  /** Lines with words and no digit. */
  passedOver: number;
};

/** More than this is no text of now: what was typed on the way to it is forgotten. */
const KNOWN_MAX = 30_000;

/** A repeated number is not good, unless repeats are meant. `isChosen` is false until a package is. */
export function summarise(
  text: string,
  allowRepeats: boolean,
  list: { offers: Offer[]; choices: ListChoices; isChosen: boolean },
  known: Map<string, Entry[]> = new Map(),
): Summary {
  if (known.size > KNOWN_MAX) known.clear();
  const read = readBulk(text, known);
  const lines = assignBundles(read.lines, list.offers, list.choices);
  const firsts = new Map<string, number>();
  const groups = new Map<number, number[]>();
  const bad: number[] = [];
  let [goodCount, totalPesewas, repeatCount, askedCount] = [0, 0, 0, 0];
  for (const [i, { msisdn, problem, quantity, offer }] of lines.entries()) {
    const same = `${msisdn} ${offer?.id}`;
    const first = msisdn === null ? undefined : firsts.get(same);
    if (msisdn !== null && first === undefined) firsts.set(same, i);
    if (ASKED_ONCE.has(problem)) askedCount += 1;
    else if (hasToBeFixed(problem, list.isChosen)) bad.push(i);
    else if (first === undefined || allowRepeats) {
      goodCount += 1;
      totalPesewas += (offer?.pricePesewas ?? 0) * quantity;
    } else {
      repeatCount += 1;
      const group = groups.get(first);
      if (group) group.push(i);
      else groups.set(first, [first, i]);
    }
  }
  const repeated = [...groups.values()].flat();
  return {
    lines,
    goodCount,
    totalPesewas,
    bad,
    askedCount,
    repeated,
    repeatCount,
    passedOver: read.skippedCount,
  };
}

/** Without a package nothing is missing yet. */
const hasToBeFixed = (problem: AssignedLine["problem"], isChosen: boolean) =>
  problem !== null && (isChosen || problem !== "bulk.size_missing");

/** The repeated lines but for the first of each. */
export function laterOnes({ lines, repeated }: Pick<Summary, "lines" | "repeated">): number[] {
  const same = (i: number | undefined) => i !== undefined && `${lines[i]!.msisdn} ${lines[i]!.offer?.id}`;
  return repeated.filter((i, at) => same(repeated[at - 1]) === same(i));
}
