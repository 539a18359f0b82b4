// Text as people mean it.

/**
 * The text without the invisible letters that turn or hide whatever follows them (U+202A–202E, U+2066–2069; Unicode
 * TR 9, "Explicit Directional Embedding, Override and Isolate"). Nobody types them; they come along with numbers that
 * are copied from a contact, or to make a name look like another. Words from right to left need none of them.
 */
export function withoutTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
}
