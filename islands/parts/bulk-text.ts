// The summary of a pasted bulk text, counted as the server does when it checks the form.
import {
  type AssignedLine,
  assignBundles,
  LIST_QUESTIONS,
  type ListChoices,
  type Offer,
} from "../../src/shared/bulk-bundles.ts";
import { type BulkLine, type Entry, readBulk } from "../../src/shared/bulk-lines.ts";

export type Summary = {
  /** All lines, parsed or to be fixed; `bad` and `repeated` are indexes into it. */
  lines: AssignedLine[];
  goodCount: number;
  /** The price of the good lines. */
  totalPesewas: number;
  bad: number[];
  /** Lines that only need an answer for the whole list, asked when the list is checked. */
  questionCount: number;
  /** Lines with the same number and bundle, grouped, the first of each group ahead. */
  repeated: number[];
  /** How many lines would go if only the first of each group stayed. */
  repeatCount: number;
  /** Lines with text but no digit. */
  skippedCount: number;
  /** Whether a package has to be chosen: no line names a size. */
  needsPackage: boolean;
};

/** A larger cache holds mostly outdated lines, typed along the way, and is cleared. */
const KNOWN_MAX = 30_000;

/** Summarizes a text. A repeated number only counts as good if repeats are allowed. */
export function summarize(
  text: string,
  allowRepeats: boolean,
  list: { offers: Offer[]; choices: ListChoices },
  known: Map<string, Entry[]> = new Map(),
): Summary {
  if (known.size > KNOWN_MAX) known.clear();
  const read = readBulk(text, known);
  const lines = assignBundles(read.lines, list.offers, list.choices);
  const needsPackage = isWithoutSizes(read.lines, list.choices);
  const firsts = new Map<string, number>();
  const groups = new Map<number, number[]>();
  const bad: number[] = [];
  let [goodCount, totalPesewas, repeatCount, questionCount] = [0, 0, 0, 0];
  for (const [i, { msisdn, problem, quantity, offer }] of lines.entries()) {
    const same = `${msisdn} ${offer?.id}`;
    const first = msisdn === null ? undefined : firsts.get(same);
    if (msisdn !== null && first === undefined) firsts.set(same, i);
    if (LIST_QUESTIONS.has(problem)) questionCount += 1;
    else if (hasToBeFixed(problem, needsPackage)) bad.push(i);
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
    questionCount,
    repeated,
    repeatCount,
    skippedCount: read.skippedCount,
    needsPackage,
  };
}

/** Whether neither a package is chosen nor any line names a size. */
const isWithoutSizes = (lines: BulkLine[], { productId }: ListChoices) =>
  productId === null && lines.every(({ sizeMb, figure }) => sizeMb === null && figure === null);

/** A missing size or network is no problem while a package is still to be chosen. */
const hasToBeFixed = (problem: AssignedLine["problem"], needsPackage: boolean) =>
  problem !== null &&
  !(needsPackage && (problem === "bulk.size_missing" || problem === "bulk.network_missing"));

/** The repeated lines, except the first of each group. */
export function repeats({ lines, repeated }: Pick<Summary, "lines" | "repeated">): number[] {
  const same = (i: number | undefined) => i !== undefined && `${lines[i]!.msisdn} ${lines[i]!.offer?.id}`;
  return repeated.filter((i, at) => same(repeated[at - 1]) === same(i));
}
