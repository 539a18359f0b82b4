// The latest choices of staff in the palette, newest first: only the paths, so that nobody reads names or numbers in a
// shared browser, and only while the same account is logged in there.
const PREFIX = "chosen of ";
const CHOSEN_MAX = 6;

/** The paths that this account chose. Those of other accounts are dropped. */
export function chosenBefore(userId: number): string[] {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(PREFIX) && name !== PREFIX + userId) localStorage.removeItem(name);
    const paths: unknown = JSON.parse(localStorage.getItem(PREFIX + userId) ?? "[]");
    return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  } catch {
    // Storage is disabled, or holds something else.
    return [];
  }
}

/** A path with a query is not kept: it may hold a number. */
export function choose(userId: number, path: string): void {
  if (path.includes("?")) return;
  const paths = [path, ...chosenBefore(userId).filter((other) => other !== path)].slice(0, CHOSEN_MAX);
  try {
    localStorage.setItem(PREFIX + userId, JSON.stringify(paths));
  } catch {
    // Storage is disabled or full.
  }
}
