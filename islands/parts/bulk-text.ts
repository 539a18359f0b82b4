// The summary of a pasted bulk text, counted as the server does when it checks the form.
import {
  type AssignedLine,
  assignBundles,
  LIST_QUESTIONS,
  type ListChoices,
  type Offer,
} from "../../src/shared/lists/bulk-bundles.ts";
import { type BulkLine, type Entry, readBulk } from "../../src/shared/lists/bulk-lines.ts";

export type Summary = {
  /** All lines, parsed or to be fixed; `bad` and `repeated` are indexes into it. */
  lines: AssignedLine[];
  goodCount: number;
  /** The price of the good lines. */
  totalPesewas: number;
  bad: number[];
  /** Lines that only need an answer for the whole list, asked when the list is checked. */
  questionCount: number;
  /** Lines with the number and the bundle of an earlier one. */
  repeated: number[];
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
  const seen = new Set<string>();
  const bad: number[] = [];
  const repeated: number[] = [];
  let [goodCount, totalPesewas, questionCount] = [0, 0, 0];
  for (const [i, { msisdn, problem, quantity, offer }] of lines.entries()) {
    const same = `${msisdn} ${offer?.id}`;
    const isRepeat = msisdn !== null && seen.has(same);
    if (msisdn !== null) seen.add(same);
    if (LIST_QUESTIONS.has(problem)) questionCount += 1;
    else if (hasToBeFixed(problem, needsPackage)) bad.push(i);
    else if (isRepeat && !allowRepeats) repeated.push(i);
    else {
      goodCount += 1;
      totalPesewas += (offer?.pricePesewas ?? 0) * quantity;
    }
  }
  return {
    lines,
    goodCount,
    totalPesewas,
    bad,
    questionCount,
    repeated,
    skippedCount: read.skippedCount,
    needsPackage,
  };
}

/** Whether neither a package is chosen nor any line names a size. */
const isWithoutSizes = (lines: BulkLine[], { productId }: ListChoices) =>
  productId === null && lines.every(({ sizeMb, figure }) => sizeMb === null && figure === null);

/** A missing size or network is no problem while a package is still to be chosen. */
const hasToBeFixed = (problem: AssignedLine["problem"], needsPackage: boolean) =>
  problem !== null && !(needsPackage && (problem === "bulk.size_missing" || problem === "bulk.network_missing"));
