// Ghana Card numbers: GHA, nine digits and a check digit (National Identification Authority). The algorithm of the
// check digit is not public, so only the format is validated.

/** Parses a card number in any form people type, such as gha 123456789 0. Returns GHA-123456789-0, or null. */
export function parseGhanaCard(input: string): string | null {
  const plain = input.toUpperCase().replace(/[\s\-–—‑.\u00a0\u202a-\u202e\u2066-\u2069]/g, "");
  const match = /^GHA(\d{9})(\d)$/.exec(plain);
  return match && `GHA-${match[1]}-${match[2]}`;
}

/** The last four digits of GHA-123456789-0, which may be shown: 7890. */
export function lastFour(card: string): string {
  return card.slice(-5).replace("-", "");
}

/** A masked card number with the given last four digits: GHA-••••••789-0. */
export function maskedCard(last4: string): string {
  return `GHA-••••••${last4.slice(0, 3)}-${last4.slice(3)}`;
}

const ANYWHERE = /GHA[\s-]*\d{9}[\s-]*\d/gi;

/** Whether a text contains a whole card number. */
export function containsCard(text: string): boolean {
  return text.search(ANYWHERE) >= 0;
}

/** The text with all card numbers masked: for reasons and notes, which are stored and shown. */
export function maskCards(text: string): string {
  return text.replace(ANYWHERE, (card) => maskedCard(lastFour(parseGhanaCard(card)!)));
}
