// Edits to a pasted bulk text: fixing and removing lines.
import type { FigureMeaning, Offer } from "./bulk-bundles.ts";
import { type BulkLine, lineFor, parseBulkLines, splitLines } from "./bulk-lines.ts";

/** A longer line is no line of a list, and is not worth reading for a choice. */
const LINE_CHARS_MAX = 1_000;

/** The line with the bundle that was chosen for it. A text that is not one readable order stays as it is. */
export function withBundle(text: string, offer: Offer, figures: FigureMeaning | null): string {
  if (text.length > LINE_CHARS_MAX || offer.sizeMb === null) return text;
  const [line, another] = parseBulkLines(text);
  if (!line || another || line.msisdn === null || line.problem) return text;
  // Neither a wrong quantity nor an open question may vanish behind a choice.
  if (line.figure !== null && figures === null) return text;
  const counts = line.figure !== null && figures === "quantity";
  const counted = counts ? { ...line, quantity: line.figure!, hasQuantity: true } : line;
  return lineFor(counted, { sizeMb: offer.sizeMb, family: offer.family });
}

/**
 * The text with the given fixes, by index into `lines`; an empty fix removes a line. A line of the text with several
 * numbers is split, one line for each.
 */
export function fixLines(text: string, lines: BulkLine[], fixes: ReadonlyMap<number, string>): string {
  const touched = new Set([...fixes.keys()].map((index) => lines[index]!.line));
  const replacements = new Map<number, string[]>();
  for (const [i, { line, text: original }] of lines.entries()) {
    if (!touched.has(line)) continue;
    const fixed = fixes.get(i) ?? original;
    const parts = replacements.get(line) ?? [];
    if (fixed.trim() !== "") parts.push(fixed);
    replacements.set(line, parts);
  }
  return splitLines(text)
    .flatMap((original, i) => replacements.get(i + 1) ?? [original])
    .join("\n");
}

/** The text without the given lines, by index into `lines`. */
export function removeLines(text: string, lines: BulkLine[], removed: readonly number[]): string {
  return fixLines(text, lines, new Map(removed.map((index) => [index, ""])));
}
