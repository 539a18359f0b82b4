// Voices of customers, as the shop's owner has entered them.

export type Voice = { words: string; who: string };

/** Customers' voices, one a line: what was said, and after the last | who said it. */
export function voicesIn(text: string): Voice[] {
  return linesOf(text).map((line) => {
    const at = line.lastIndexOf("|");
    return { words: line.slice(0, at).trim(), who: line.slice(at + 1).trim() };
  });
}

export const linesOf = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== "");
