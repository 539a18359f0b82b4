// Corrections to a pasted bulk list: the same text with some of its lines replaced or removed.
import { type BulkLine, splitLines } from "./bulk-lines.ts";

/**
 * Returns the text with some of its entries replaced. `fixes` maps an entry's index in `lines` to its new text; an
 * empty text removes it. Where a line of the text holds several numbers, each gets a line of its own.
 */
export function fixLines(text: string, lines: BulkLine[], fixes: ReadonlyMap<number, string>): string {
  const places = new Set([...fixes.keys()].map((index) => lines[index]!.line));
  const replacements = new Map<number, string[]>();
  for (const [i, { line, text: original }] of lines.entries()) {
    if (!places.has(line)) continue;
    const fixed = fixes.get(i) ?? original;
    const others = replacements.get(line) ?? [];
    if (fixed.trim() !== "") others.push(fixed);
    replacements.set(line, others);
  }
  return splitLines(text)
    .flatMap((original, i) => replacements.get(i + 1) ?? [original])
    .join("\n");
}

/** Returns the text without the entries at these indexes of `lines`. */
export function removeLines(text: string, lines: BulkLine[], removed: readonly number[]): string {
  return fixLines(text, lines, new Map(removed.map((index) => [index, ""])));
}
