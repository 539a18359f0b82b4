// A copy of the sale being typed, kept in this tab for its owner until it is sent, because phones throw tabs away. It
// is only ever offered: what was meant for one customer must not be sold to the next.
import type { Sale } from "./sale-form.ts";

/** After this long nobody waits at the counter any more. */
const HOURS_MAX = 12;

/** Keeps a sale in place of the last one. */
export function keep(userId: number, sale: Sale): void {
  try {
    sessionStorage.setItem(nameOf(userId), JSON.stringify([Date.now(), sale]));
  } catch {
    // Storage is disabled or full.
  }
}

/** Forgets the kept sale, if it is the one to this number. */
export function forget(userId: number, msisdn: string): void {
  if (find(userId)?.msisdn === msisdn) sessionStorage.removeItem(nameOf(userId));
}

/** The kept sale, or null. */
export function find(userId: number): Sale | null {
  try {
    const [at, sale] = JSON.parse(sessionStorage.getItem(nameOf(userId))!);
    return Date.now() - at < HOURS_MAX * 3_600_000 ? sale : null;
  } catch {
    // Nothing is kept, or storage is disabled.
    return null;
  }
}

const nameOf = (userId: number) => `sale of ${userId}`;
