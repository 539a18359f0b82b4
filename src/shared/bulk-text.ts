// Edits to a pasted bulk text: fixing and removing lines.
import { type BulkLine, splitLines } from "./bulk-lines.ts";

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
