// Cleaning of text that people type or paste.

/**
 * The text without the invisible characters that change the direction of the text after them (U+202A–202E, U+2066–2069;
 * Unicode TR 9, "Explicit Directional Embedding, Override and Isolate"). Nobody types them; they come along with
 * numbers copied from a contact, or make one name look like another. Right-to-left scripts need none of them.
 */
export function withoutTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
}
