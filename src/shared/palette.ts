// Places that staff can go to, and how they are found by a few letters: on the server and while somebody types.

/** A page, or what one can do there. */
export type Place = { title: string; hint: string; path: string };

/**
 * The places in which each word that was typed begins a word, those first whose title begins so. All of them for
 * nothing.
 */
export function matchingPlaces(places: readonly Place[], typed: string): Place[] {
  const terms = termsOf(typed);
  const matches = places.filter(({ title, hint }) => {
    const parts = termsOf(`${title} ${hint}`);
    return terms.every((term) => parts.some((part) => part.startsWith(term)));
  });
  const rank = ({ title }: Place) => (title.toLowerCase().startsWith(terms.join(" ")) ? 0 : 1);
  return matches.sort((one, other) => rank(one) - rank(other));
}

function termsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
