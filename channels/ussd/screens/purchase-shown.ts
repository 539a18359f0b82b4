// The purchase of a session as data: what to offer again if the session breaks off, and what a payment screen showed,
// so that its PIN buys that and nothing else.
import type { Unfinished } from "../../../src/core/buying/unfinished-purchases.ts";
import type { Context, ScreenName } from "../conversation.ts";

/** The screens whose answers buy: with a PIN, or from mobile money. */
const PAYING: ReadonlySet<ScreenName> = new Set(["pay", "short_momo"]);
/** The screens of what was just bought. */
const DONE: ReadonlySet<ScreenName> = new Set(["bought", "bought_another", "duplicate"]);

/** Keeps in the context what the screen shows of the purchase, if an answer to it buys. */
export function noteShown(context: Context, screen: ScreenName): void {
  const purchase = purchaseIn(context);
  if (PAYING.has(screen) && purchase) context.shown = purchase;
  else delete context.shown;
}

/** Whether the last screen showed exactly the purchase of the session: bundle, number, quantity and price. */
export function isShown(context: Context): boolean {
  return Bun.deepEquals(context.shown, purchaseIn(context) ?? null);
}

/**
 * What the next session offers to continue after this screen: this session's purchase once it has a number, otherwise
 * the one offered from an earlier session. Null for none, and for what was just bought.
 */
export function unfinishedIn(context: Context, screen?: ScreenName): Unfinished | null {
  if (screen !== undefined && DONE.has(screen)) return null;
  const purchase = purchaseIn(context);
  if (purchase || !context.offer) return purchase;
  const { productId, msisdn, quantity, pricePesewas } = context.offer;
  return { productId, msisdn, quantity, pricePesewas };
}

function purchaseIn({ buying }: Context): Unfinished | null {
  if (!buying?.msisdn) return null;
  const { bundle, msisdn, quantity } = buying;
  return { productId: bundle.id, msisdn, quantity, pricePesewas: bundle.pricePesewas };
}
