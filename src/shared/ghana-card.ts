// Ghana Card numbers: GHA, nine digits and a check digit (National Identification Authority). How the check digit is
// computed is not public, so only the form is checked.

/**
 * Reads a card's number in any form people type: GHA-123456789-0, gha 123456789 0. Returns GHA-123456789-0, or null.
 */
export function parseGhanaCard(input: string): string | null {
  const plain = input.toUpperCase().replace(/[\s\-–—‑.\u00a0\u202a-\u202e\u2066-\u2069]/g, "");
  const match = /^GHA(\d{9})(\d)$/.exec(plain);
  return match && `GHA-${match[1]}-${match[2]}`;
}

/** The last four digits of GHA-123456789-0, which may be shown: 7890. */
export function lastFour(card: string): string {
  return card.slice(-5).replace("-", "");
}

/** A card as lists show it, by its last four digits: GHA-••••••789-0. */
export function maskedCard(last4: string): string {
  return `GHA-••••••${last4.slice(0, 3)}-${last4.slice(3)}`;
}

const ANYWHERE = /GHA[\s-]*\d{9}[\s-]*\d/gi;

/** Whether the text contains a whole card number. */
export function holdsCard(text: string): boolean {
  return text.search(ANYWHERE) >= 0;
}

/** The text with every card number in it masked: for reasons and notes that are stored and shown. */
export function withoutCards(text: string): string {
  return text.replace(ANYWHERE, (card) => maskedCard(lastFour(parseGhanaCard(card)!)));
}
