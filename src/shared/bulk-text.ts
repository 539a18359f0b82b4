// A pasted text of bulk lines again, with some of them fixed or taken out.
import { type BulkLine, splitLines } from "./bulk-lines.ts";

/**
 * The text with these of its lines as they were fixed, by their place in `lines`; fixed to nothing, one goes. Where a line
 * of the text holds several numbers, each gets a line of its own.
 */
export function fixLines(text: string, lines: BulkLine[], fixes: ReadonlyMap<number, string>): string {
  const places = new Set([...fixes.keys()].map((index) => lines[index]!.line));
  const anew = new Map<number, string[]>();
  for (const [i, { line, text: words }] of lines.entries()) {
    if (!places.has(line)) continue;
    const now = fixes.get(i) ?? words;
    const others = anew.get(line) ?? [];
    if (now.trim() !== "") others.push(now);
    anew.set(line, others);
  }
  return splitLines(text)
    .flatMap((words, i) => anew.get(i + 1) ?? [words])
    .join("\n");
}

/** The text without these lines. */
export function removeLines(text: string, lines: BulkLine[], gone: readonly number[]): string {
  return fixLines(text, lines, new Map(gone.map((index) => [index, ""])));
}
