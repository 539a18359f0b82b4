// Cleaning of texts that people type, and counts in words.

/**
 * The text without invisible direction marks, which reorder whatever follows them (U+202A–202E, U+2066–2069; Unicode
 * TR 9, "Explicit Directional Embedding, Override and Isolate"). Nobody types them: they come along with a number
 * copied from a contact, or make a name look like another. Right-to-left text does not need them.
 */
export function withoutDirectionMarks(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
}

/** The text with a full stop, unless it ends a sentence already. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** The lines of a text that have something in them. */
export const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== "");

/** "1 order", "1,200 orders". */
export function ordersText(count: number): string {
  return count === 1 ? "1 order" : `${count.toLocaleString("en")} orders`;
}
