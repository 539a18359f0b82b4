// A copy of a sent list, kept until the server has it, so that neither an expired session nor a broken connection loses
// it. It is kept in this tab only, for its owner and under the form's idempotency key.

export type KeptList = { key: string; productId: string; text: string };

/** After this long the server may have forgotten the key, and it is unknowable whether the list was placed. */
const HOURS_MAX = 24;

/** Stores a list in this tab before it is sent. */
export function keep(userId: number, list: KeptList): void {
  try {
    sessionStorage.setItem(nameOf(userId), JSON.stringify({ ...list, at: Date.now() }));
  } catch {
    // Storage is disabled or full.
  }
}

/** Forgets the stored list. */
export function drop(userId: number): void {
  try {
    sessionStorage.removeItem(nameOf(userId));
  } catch {
    // Storage is disabled.
  }
}

/** The last list, if it did not arrive; null if the server has it or cannot say. A list that arrived is deleted. */
export async function findUnplaced(userId: number): Promise<KeptList | null> {
  const kept = read(userId);
  if (!kept) return null;
  try {
    const body = new URLSearchParams({ key: kept.key });
    const { isKnown } = await (await fetch("/bulk/known", { method: "POST", body })).json();
    if (isKnown === false) return kept;
    if (isKnown === true) drop(userId);
  } catch {
    // No connection or no session: the next page asks again.
  }
  return null;
}

function read(userId: number): KeptList | null {
  try {
    const { at, ...kept } = JSON.parse(sessionStorage.getItem(nameOf(userId)) ?? "null");
    if (typeof kept.text === "string" && Date.now() - at < HOURS_MAX * 3_600_000) return kept;
  } catch {
    // Nothing stored, or in an earlier version's format.
  }
  drop(userId);
  return null;
}

const nameOf = (userId: number) => `bulk of ${userId}`;
