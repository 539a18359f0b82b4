// Keeps what a form sends until the shop has it: a login that has ended, or a connection that breaks, loses no list. In
// this tab alone, under its owner's name and the form's key.

export type KeptList = { key: string; productId: string; text: string };

/** Longer ago, the shop may have forgotten the key, and nobody could tell whether the list was placed. */
const HOURS_MAX = 24;

export function keep(userId: number, list: KeptList): void {
  try {
    sessionStorage.setItem(nameOf(userId), JSON.stringify({ ...list, at: Date.now() }));
  } catch {
    // A browser that keeps nothing, or has no room.
  }
}

export function drop(userId: number): void {
  try {
    sessionStorage.removeItem(nameOf(userId));
  } catch {
    // The same.
  }
}

/** What was sent last and has not arrived; null when the shop has it, or cannot say. What has arrived is forgotten. */
export async function findKept(userId: number): Promise<KeptList | null> {
  const kept = read(userId);
  if (!kept) return null;
  try {
    const body = new URLSearchParams({ key: kept.key });
    const { isKnown } = await (await fetch("/bulk/known", { method: "POST", body })).json();
    if (isKnown === false) return kept;
    if (isKnown === true) drop(userId);
  } catch {
    // No connection, or no session: it is asked about on another page.
  }
  return null;
}

function read(userId: number): KeptList | null {
  try {
    const { at, ...kept } = JSON.parse(sessionStorage.getItem(nameOf(userId)) ?? "null");
    if (typeof kept.text === "string" && Date.now() - at < HOURS_MAX * 3_600_000) return kept;
  } catch {
    // Nothing, or what an earlier version kept.
  }
  drop(userId);
  return null;
}

const nameOf = (userId: number) => `bulk of ${userId}`;
